//! What can be said of the two fonts.

use puzzle_api::{BadInput, Figure, Parameters};

use super::{board, explained};
use crate::board::Shape;
use crate::font::{Font, Glyph};
use crate::rules;
use crate::symmetry;

fn font(name: &str) -> Font {
    match name {
        "5x7" => Font::small(),
        _ => Font::large(),
    }
}

/// Ordered pairs of different glyphs of a font, or of both together.
pub(super) fn puzzles(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let boards: &[&str] = match parameters.one_of("board")? {
        "both" => &["5x7", "5x9"],
        "5x7" => &["5x7"],
        _ => &["5x9"],
    };
    let pairs = |name: &&str| {
        let glyphs = font(name).glyphs().len();
        glyphs * (glyphs - 1)
    };
    Ok(explained(
        vec![Figure::new(
            "value",
            boards.iter().map(pairs).sum::<usize>(),
        )],
        "A puzzle is an ordered pair of different glyphs of one font: 37 glyphs give 37 * 36.",
    ))
}

/// The number of coins that all glyphs of a font have.
pub(super) fn coins(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let (name, shape) = board(parameters)?;
    let font = font(name);
    let counts = font.glyphs().iter().map(|glyph| glyph.coins.count_ones());
    let (least, most) = (counts.clone().min(), counts.max());
    let value = match (least, most) {
        (Some(least), Some(most)) if least == most => least.to_string(),
        _ => "differs".to_owned(),
    };
    let letter_a = font.glyphs().iter().find(|glyph| glyph.name == "A");
    Ok(explained(
        vec![
            Figure::new("value", value),
            Figure::new("glyphs", font.glyphs().len()),
            Figure::new(
                "the letter A",
                letter_a.map_or_else(String::new, |glyph| shape.draw(glyph.coins)),
            ),
        ],
        "Coins of every glyph, counted.",
    ))
}

/// Whether all glyphs differ, and which are images of themselves or of others.
pub(super) fn glyphs(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let (name, shape) = board(parameters)?;
    let font = font(name);
    let glyphs = font.glyphs();
    let equal = pairs(glyphs, |a, b| a.coins == b.coins);
    let own = |index: u32| {
        let same = |glyph: &&Glyph| symmetry::image(&shape, glyph.coins, index) == glyph.coins;
        let names: Vec<&str> = glyphs
            .iter()
            .filter(same)
            .map(|g| g.name.as_str())
            .collect();
        names.join(" ")
    };
    let other = |index: u32| {
        pairs(glyphs, |a, b| {
            symmetry::image(&shape, a.coins, index) == b.coins
        })
    };
    let (near, far) = nearest(glyphs);
    Ok(explained(
        vec![
            Figure::new("value", equal.is_empty()),
            Figure::new("equal", equal),
            Figure::new(
                format!("{}, of all pairs the nearest", near.name),
                shape.draw(near.coins),
            ),
            Figure::new(
                format!("{}, of all pairs the nearest", far.name),
                shape.draw(far.coins),
            ),
            Figure::new("same mirrored left to right", own(1)),
            Figure::new("same upside down", own(2)),
            Figure::new("same turned by half", own(3)),
            Figure::new("each other mirrored left to right", other(1)),
            Figure::new("each other upside down", other(2)),
            Figure::new("each other turned by half", other(3)),
        ],
        "All pairs of glyphs compared, as they are and under the symmetries of the board. A \
         glyph that is its own image has balls that are; two that are each other's image have \
         balls of equal sizes.",
    ))
}

/// The first two glyphs of those that differ in the fewest squares.
fn nearest(glyphs: &[Glyph]) -> (&Glyph, &Glyph) {
    let all = glyphs.iter().enumerate();
    let pairs = all.flat_map(|(i, a)| glyphs[i + 1..].iter().map(move |b| (a, b)));
    let apart = |(a, b): &(&Glyph, &Glyph)| (a.coins ^ b.coins).count_ones();
    pairs.min_by_key(apart).unwrap_or((&glyphs[0], &glyphs[0]))
}

fn pairs(glyphs: &[Glyph], alike: impl Fn(&Glyph, &Glyph) -> bool) -> String {
    let mut names = Vec::new();
    for (i, a) in glyphs.iter().enumerate() {
        for b in &glyphs[i + 1..] {
            if alike(a, b) {
                names.push(format!("{}-{}", a.name, b.name));
            }
        }
    }
    names.join(" ")
}

/// Whether moves can go in circles: a glyph, a move, and a move that undoes it.
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
