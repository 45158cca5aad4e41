//! Statements about the two fonts.

use puzzle_api::Figure;

use super::explained;
use crate::board::Shape;
use crate::font::{Font, Glyph};
use crate::rules;

/// A font by name, with its board.
type Named = (&'static str, Shape, fn() -> Font);

const FONTS: [Named; 2] = [
    ("5x7", Shape::SMALL, Font::small),
    ("5x9", Shape::LARGE, Font::large),
];

/// Ordered pairs of different glyphs, of both fonts together.
pub(super) fn puzzles() -> Vec<Figure> {
    let pairs = FONTS.map(|(_, _, font)| {
        let glyphs = font().glyphs().len();
        glyphs * (glyphs - 1)
    });
    explained(
        vec![
            Figure::new("value", pairs.iter().sum::<usize>()),
            Figure::new("of 5x7", pairs[0]),
            Figure::new("of 5x9", pairs[1]),
        ],
        "A puzzle is an ordered pair of different glyphs of one font: 37 glyphs give 37 * 36.",
    )
}

/// Whether no two glyphs of a font are the same shape.
pub(super) fn glyphs() -> Vec<Figure> {
    let mut figures = Vec::new();
    let mut tried = 0;
    let mut equal = Vec::new();
    for (name, shape, font) in FONTS {
        let font = font();
        let glyphs = font.glyphs();
        tried += glyphs.len() * (glyphs.len() - 1) / 2;
        equal.extend(pairs(glyphs, |a, b| a.coins == b.coins));
        let (near, far) = nearest(glyphs);
        for glyph in [near, far] {
            figures.push(Figure::new(
                format!("{} of {name}, of all pairs the nearest", glyph.name),
                shape.draw(glyph.coins),
            ));
        }
    }
    let mut all = vec![
        Figure::new("value", equal.is_empty()),
        Figure::new("all", tried),
        Figure::new("equal", equal.join(" ")),
    ];
    all.append(&mut figures);
    explained(all, "All pairs of glyphs of one font compared.")
}

/// The first two glyphs of those that differ in the fewest squares.
fn nearest(glyphs: &[Glyph]) -> (&Glyph, &Glyph) {
    let all = glyphs.iter().enumerate();
    let pairs = all.flat_map(|(i, a)| glyphs[i + 1..].iter().map(move |b| (a, b)));
    let apart = |(a, b): &(&Glyph, &Glyph)| (a.coins ^ b.coins).count_ones();
    pairs.min_by_key(apart).unwrap_or((&glyphs[0], &glyphs[0]))
}

fn pairs(glyphs: &[Glyph], alike: impl Fn(&Glyph, &Glyph) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    for (i, a) in glyphs.iter().enumerate() {
        for b in &glyphs[i + 1..] {
            if alike(a, b) {
                names.push(format!("{}-{}", a.name, b.name));
            }
        }
    }
    names
}

/// Whether moves can form cycles: a glyph, a move, and a move that undoes it.
pub(super) fn circles() -> Vec<Figure> {
    let shape = Shape::SMALL;
    let font = Font::small();
    let cells = 0..shape.cells() as usize;
    let (mut there_and_back, mut one_way) = (0_u64, 0_u64);
    let (mut witness, mut drawn) = (String::new(), [0, 0]);
    for glyph in font.glyphs() {
        let board = rules::board(&shape, glyph.coins);
        for from in cells.clone() {
            for to in cells.clone() {
                let Some(next) = rules::slide(&shape, &board, from, to) else {
                    continue;
                };
                if rules::slide(&shape, &next, to, from).is_none() {
                    one_way += 1;
                    continue;
                }
                there_and_back += 1;
                if witness.is_empty() {
                    let [from, to] = [from, to].map(|cell| shape.cell_name(cell as u32));
                    drawn = [glyph.coins, rules::mask(&next)];
                    witness = format!("{}: {from} to {to}, {to} to {from}", glyph.name);
                }
            }
        }
    }
    explained(
        vec![
            Figure::new("value", there_and_back > 0),
            // One is enough.
            Figure::new("all", 1),
            Figure::new("circle", witness),
            Figure::new("a glyph", shape.draw(drawn[0])),
            Figure::new("a glyph after the first move", shape.draw(drawn[1])),
            Figure::new("moves from glyphs that can be undone", there_and_back),
            Figure::new("moves from glyphs that cannot", one_way),
        ],
        "Every move from every glyph of 5x7, tried backward. Two moves that undo each other \
         are a circle.",
    )
}
