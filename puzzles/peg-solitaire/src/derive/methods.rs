//! What the article's methods are worth: a depth-first search with each of them on and off.
//! The engines of the harness have no switch for the order of moves, so the search is here.

use std::collections::BTreeSet;

use puzzle_api::{BadInput, Figure, Parameters};

use super::{explained, instance};
use crate::bitboard::{Jumps, Order, Symmetries};
use crate::board::Board;
use crate::printed::functions;

type Figures = Result<Vec<Figure>, BadInput>;

/// Which methods a search uses.
struct Search<'a> {
    jumps: &'a Jumps,
    order: Option<&'a Order>,
    symmetries: Option<&'a Symmetries>,
    /// Positions that were tried in vain, overwritten by the next of the same index.
    table: Option<Vec<u64>>,
    /// Pegs at which a game without further jumps counts as solved.
    pegs: u32,
    tried: u64,
    most: u64,
}

/// Entries of the table: 2^20, by the printed index.
const MASK: i32 = (1 << 20) - 1;

impl Search<'_> {
    /// Whether a position leads to few enough pegs; `None` where too many were tried.
    fn solves(&mut self, pegs: u64) -> Option<bool> {
        let key = self.symmetries.map_or(pegs, |s| s.canonical(pegs));
        let slot = functions::index(functions::hash(key), MASK) as usize;
        if self.table.as_ref().is_some_and(|table| table[slot] == key) {
            return Some(false);
        }
        self.tried += 1;
        if self.tried > self.most {
            return None;
        }
        let mut next = Vec::new();
        self.jumps.successors(pegs, &mut |after| next.push(after));
        if next.is_empty() && pegs.count_ones() <= self.pegs {
            return Some(true);
        }
        if let Some(order) = self.order {
            next.sort_by_cached_key(|&after| order.of(after, self.jumps.count(after)));
        }
        for after in next {
            if self.solves(after)? {
                return Some(true);
            }
        }
        if let Some(table) = &mut self.table {
            table[slot] = key;
        }
        Some(false)
    }
}

/// Positions that a search tries until it meets a solution, with the named methods on or off.
pub(super) fn search(parameters: &Parameters<'_>) -> Figures {
    let on = |key: &str| Ok::<_, BadInput>(parameters.one_of(key)? == "on");
    let (ordered, tabled, symmetric) = (on("order")?, on("table")?, on("symmetry")?);
    let pegs = parameters.number("pegs")? as u32;
    let most = parameters.number("most")?;
    let instance = instance(parameters)?;
    let board = instance.board();
    let (jumps, order) = (Jumps::new(board), Order::new(board));
    let symmetries = Symmetries::new(board.len(), &board.symmetries());
    let mut search = Search {
        jumps: &jumps,
        order: ordered.then_some(&order),
        symmetries: symmetric.then_some(&symmetries),
        table: tabled.then(|| vec![0; MASK as usize + 1]),
        pegs,
        tried: 0,
        most,
    };
    let value = match search.solves(instance.start()) {
        Some(true) => search.tried.to_string(),
        Some(false) => format!("{}, no solution", search.tried),
        None => format!("more than {most}"),
    };
    Ok(explained(
        vec![Figure::new("value", value)],
        "Positions tried depth first until a solution: with the order of moves of this crate or as \
         the board lists them, with a table of 2^20 entries that is overwritten or none, and with \
         all eight images as one entry or each its own. The article's own order is not printed.",
    ))
}

/// Whether a board and its quarter turn, each mirrored left to right and top to bottom, are all
/// eight images: by the coordinates of the holes.
pub(super) fn two_boards(parameters: &Parameters<'_>) -> Figures {
    let instance = instance(parameters)?;
    let board = instance.board();
    let map = |to: &dyn Fn(i32, i32) -> (i32, i32)| -> Option<Vec<usize>> {
        (0..board.len())
            .map(|hole| moved(board, hole, to))
            .collect()
    };
    let mut images = BTreeSet::new();
    let mut drawn = Vec::new();
    // Three pegs near a corner, which no symmetry keeps.
    let pegs = 0b1000_0110_u64;
    for turned in [false, true] {
        for (x_sign, y_sign) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
            let image = map(&|x, y| {
                let (x, y) = if turned { (y, -x) } else { (x, y) };
                (x_sign * x, y_sign * y)
            });
            if let Some(image) = image {
                let of = if turned {
                    "the turned board"
                } else {
                    "the board"
                };
                let flip = match (x_sign, y_sign) {
                    (1, 1) => "",
                    (-1, 1) => ", left and right flipped",
                    (1, _) => ", top and bottom flipped",
                    _ => ", both flipped",
                };
                let holes = (0..board.len()).filter(|hole| pegs >> hole & 1 == 1);
                let shown = holes.fold(0, |all, hole| all | 1_u64 << image[hole]);
                drawn.push(Figure::new(format!("{of}{flip}"), board.draw(shown)));
                images.insert(image);
            }
        }
    }
    let all: BTreeSet<Vec<usize>> = board.symmetries().into_iter().collect();
    let mut figures = vec![
        Figure::new("value", images == all && all.len() == 8),
        Figure::new("images by flips of two boards", images.len()),
        Figure::new("symmetries of the board", all.len()),
    ];
    figures.append(&mut drawn);
    Ok(explained(
        figures,
        "The four flips of the board and of its quarter turn, hole by hole, against the symmetries \
         that the board's shape has.",
    ))
}

/// The hole that a hole goes to; `None` off the board.
fn moved(board: &Board, hole: usize, to: &dyn Fn(i32, i32) -> (i32, i32)) -> Option<usize> {
    let at = board.point(hole);
    let (x, y) = to(at.x, at.y);
    board.hole(crate::board::Point { x, y })
}
