//! Gain of the article's methods: a depth-first search with each method on and off. The engines of
//! the harness have no switch for the order of moves, so the search is here.

use std::collections::BTreeSet;

use puzzle_api::{BadInput, Direction, Figure, Parameters};

use super::{explained, instance};
use crate::bitboard::{Jumps, Order, Symmetries};
use crate::board::Board;
use crate::printed::functions;

type Figures = Result<Vec<Figure>, BadInput>;

/// The methods that a search uses.
struct Search<'a> {
    jumps: &'a Jumps,
    order: Option<&'a Order>,
    symmetries: Option<&'a Symmetries>,
    /// Positions that were tried in vain; the next one with the same index overwrites an entry.
    table: Option<Vec<u64>>,
    /// The hash that the index is taken from.
    hash: fn(u64) -> u64,
    /// Pegs at which a game without further jumps counts as solved.
    pegs: u32,
    tried: u64,
    most: u64,
}

/// Entries of the table: 2^20, by the printed index.
const MASK: i32 = (1 << 20) - 1;

impl Search<'_> {
    /// Whether a position leads to few enough pegs; `None` if too many were tried.
    fn solves(&mut self, pegs: u64) -> Option<bool> {
        let key = self.symmetries.map_or(pegs, |s| s.canonical(pegs));
        let slot = functions::index((self.hash)(key), MASK) as usize;
        if self.table.as_ref().is_some_and(|table| table[slot] == key) {
            return Some(false);
        }
        self.tried += 1;
        if self.tried > self.most {
            return None;
        }
        let mut next = Vec::new();
        self.jumps
            .each(pegs, Direction::Forward, &mut |after| next.push(after));
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

/// A Zobrist key: the random words of the holes with a peg, combined by XOR.
fn zobrist(pegs: u64) -> u64 {
    let holes = (0..u64::BITS).filter(|hole| pegs >> hole & 1 == 1);
    holes.fold(0, |key, hole| key ^ functions::hash(1 << hole))
}

/// Ratio of the positions tried until a solution, with one method off (or its rival) to all on. If
/// a search is cut short, a lower bound.
pub(super) fn search_gain(parameters: &Parameters<'_>) -> Figures {
    let method = parameters.one_of("method")?;
    let most: u64 = parameters.number("most")?;
    let instance = instance(parameters)?;
    let board = &instance.board;
    let (jumps, order) = (Jumps::new(board), Order::new(board));
    let symmetries = Symmetries::new(board.len(), &board.symmetries());
    let tried = |off: &str| {
        let mut search = Search {
            jumps: &jumps,
            order: (off != "order").then_some(&order),
            symmetries: (off != "symmetry").then_some(&symmetries),
            table: (off != "table").then(|| vec![0; MASK as usize + 1]),
            hash: if off == "zobrist" {
                zobrist
            } else {
                functions::hash
            },
            // For `five-left`, the search for one peg is compared with the search for five.
            pegs: if (off, method) == ("", "five-left") {
                5
            } else {
                1
            },
            tried: 0,
            most,
        };
        (search.solves(instance.start), search.tried)
    };
    let ((found, with), (other, without)) = (tried(""), tried(method));
    let mut figures = vec![
        Figure::new("positions", with),
        Figure::new("positions without it, or by its rival", without),
    ];
    match (found, other) {
        (Some(true), Some(true)) => {}
        (Some(true), None) => figures.push(Figure::new("bound", "below")),
        _ => return Ok(explained(figures, "Not both searches end with a solution.")),
    }
    figures.insert(0, Figure::number("value", without as f64 / with as f64));
    Ok(explained(
        figures,
        "Positions tried depth first until a solution: with the order of moves of this crate or as \
         the board lists them; with a table of 2^20 entries that is overwritten, by Stafford's mixer \
         or by Zobrist keys, or none; with all eight images as one entry or each its own; down to one \
         peg or to five. The article's own order is not printed.",
    ))
}

/// Whether a board and its quarter turn, each mirrored left to right and top to bottom, give all
/// eight images, by the coordinates of the holes.
pub(super) fn two_boards(parameters: &Parameters<'_>) -> Figures {
    let instance = instance(parameters)?;
    let board = &instance.board;
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
        Figure::new("all", all.len()),
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

/// The image of a hole; `None` off the board.
fn moved(board: &Board, hole: usize, to: &dyn Fn(i32, i32) -> (i32, i32)) -> Option<usize> {
    let at = board.point(hole);
    let (x, y) = to(at.x, at.y);
    board.hole(crate::board::Point { x, y })
}
