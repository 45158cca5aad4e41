//! The rulebook as tables: what a tile beside the empty square becomes, asked for every square
//! that is empty, every square and every tile on it, and where each tile on each square goes
//! under each symmetry.
//!
//! Whether a tile moves depends on its square and on the empty one, and nothing else of the
//! board; nothing of the fast variant is used. It is for checking every board that a search
//! found (`puzzle_api::proof`).

use puzzle_api::proof::{Field, FieldImages, RuleTables, agrees};
use puzzle_api::{BadInput, Puzzle, Request, SolvedStates, Symmetry, Xorshift};

use crate::frame::{self, Frame, Tiles};
use crate::rules::Rules;

/// Boards on which the tables are held against the rulebook.
const TRIED: u64 = 1000;

/// A square from which a tile moves to the empty one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Neighbour {
    square: u32,
    /// By tile, what the move changes in the key; nothing without a tile.
    changes: Vec<u64>,
}

/// The rulebook of an instance as tables.
#[derive(Debug)]
pub struct TileTables {
    frame: Frame,
    rules: Rules,
    /// By empty square.
    neighbours: Vec<Vec<Neighbour>>,
    images: FieldImages,
    solved: u64,
    /// Tiles and parity of the solved board.
    goal: (u32, u64),
}

impl TileTables {
    /// The tables of an instance, in less than a millisecond.
    ///
    /// # Errors
    /// [`BadInput`] as the variants say it.
    pub fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let (frame, rules) = (frame::open(request)?, Rules::open(request)?);
        let squares = frame.squares();
        let field = |square| Field {
            shift: 4 * square as u32,
            bits: 4,
            contents: squares as u64,
        };
        let fields: Vec<Field> = (0..squares).map(field).collect();
        let images = FieldImages::by_the_rulebook(&fields, 0, |key| {
            let state = rules.state(key);
            let image = |index| rules.key(&rules.image(&state, index));
            (0..rules.symmetry_count()).map(image).collect()
        });
        let mut solved = 0;
        rules.solved_states(0, &mut |state| solved = rules.key(&state));
        let neighbours = (0..squares).map(|empty| neighbours(&rules, squares, empty));
        Ok(Self {
            neighbours: neighbours.collect(),
            goal: parity(&frame, solved),
            frame,
            rules,
            images,
            solved,
        })
    }

    /// That each symmetry leads from moves to moves, shown on all of them.
    fn are_symmetric(&self) -> Result<(), String> {
        self.images.leave_nothing_empty()?;
        for symmetry in 0..self.images.count() {
            let image = |key| self.images.image(key, symmetry);
            let target = |square: usize| image(1 << (4 * square)).trailing_zeros() as usize / 4;
            for (empty, neighbours) in self.neighbours.iter().enumerate() {
                let others = &self.neighbours[target(empty)];
                let same = |neighbour: &Neighbour| {
                    let square = target(neighbour.square as usize);
                    let other = others.iter().find(|other| other.square == square as u32);
                    other.is_some_and(|other| {
                        neighbour.changes.iter().enumerate().all(|(tile, &change)| {
                            let turned = image((tile as u64) << (4 * neighbour.square));
                            let tile = (turned >> (4 * square)) as usize;
                            other.changes.get(tile) == Some(&image(change))
                        })
                    })
                };
                if others.len() != neighbours.len() || !neighbours.iter().all(same) {
                    return Err(format!("symmetry {symmetry} leads from moves to others"));
                }
            }
        }
        Ok(())
    }
}

/// Where a tile can move from, by what the rulebook does with each tile on each square.
fn neighbours(rules: &Rules, squares: usize, empty: usize) -> Vec<Neighbour> {
    let of_square = |square: usize| {
        let changes: Vec<u64> = (0..squares as u8)
            .map(|tile| change(rules, squares, empty, square, tile))
            .collect();
        let neighbour = Neighbour {
            square: square as u32,
            changes,
        };
        neighbour
            .changes
            .iter()
            .any(|&change| change != 0)
            .then_some(neighbour)
    };
    (0..squares).filter_map(of_square).collect()
}

/// What the move of a tile to the empty square changes in the key; 0 where there is none.
fn change(rules: &Rules, squares: usize, empty: usize, square: usize, tile: u8) -> u64 {
    if tile == 0 || square == empty {
        return 0;
    }
    let mut board: Tiles = vec![1; squares];
    (board[empty], board[square]) = (0, tile);
    let (key, both) = (rules.key(&board), 15 << (4 * empty) | 15 << (4 * square));
    let mut change = 0;
    rules.successors(&board, &mut |next| {
        let other = rules.key(&next) ^ key;
        // Of other squares another entry has it.
        change = if other & !both == 0 { other } else { change };
    });
    change
}

/// The tiles of a board, and the parity of its order and of where it is empty.
fn parity(frame: &Frame, key: u64) -> (u32, u64) {
    let (mut seen, mut parity) = (0_u32, 0);
    for square in 0..frame.squares() {
        let tile = key >> (4 * square) & 15;
        parity ^= (seen >> tile).count_ones();
        seen |= 1 << tile;
        if tile == 0 {
            let (row, column) = frame.row_column(square);
            parity ^= (row + column) as u32;
        }
    }
    (seen, u64::from(parity & 1))
}

/// The lowest bit of each square that is empty.
#[inline]
fn empties(key: u64) -> u64 {
    const LOWEST: u64 = 0x1111_1111_1111_1111;
    !(key | key >> 1 | key >> 2 | key >> 3) & LOWEST
}

impl RuleTables<u64> for TileTables {
    fn foundation(&self) -> Result<String, String> {
        self.images.are_a_group()?;
        self.are_symmetric()?;
        agrees(self, &self.rules, self.solved)?;
        for draw in 0..TRIED {
            let drawn = self.frame.random(&mut Xorshift::for_draw(1, draw));
            agrees(self, &self.rules, self.rules.key(&drawn))?;
        }
        Ok(format!(
            "what a tile beside the empty square becomes was taken from the rulebook for all \
             tiles and squares, each symmetry found to lead from moves to moves, and moves and \
             images of a board to be those of its tiles on {TRIED} boards"
        ))
    }

    fn undirected(&self) -> bool {
        let mut all = self.neighbours.iter().enumerate();
        all.all(|(empty, neighbours)| {
            neighbours.iter().all(|there| {
                let mut back = self.neighbours[there.square as usize].iter();
                back.any(|back| back.square == empty as u32 && back.changes == there.changes)
            })
        })
    }

    fn symmetry_count(&self) -> usize {
        self.images.count()
    }

    fn images(&self, keys: &[u64], out: &mut Vec<u64>) {
        self.images.images(keys, out);
    }

    fn successors(&self, keys: &[u64], out: &mut Vec<u64>, ends: &mut Vec<usize>) {
        for &key in keys {
            let mut left = empties(key);
            while left != 0 {
                let empty = left.trailing_zeros() as usize / 4;
                left &= left - 1;
                for neighbour in self.neighbours.get(empty).into_iter().flatten() {
                    let tile = (key >> (4 * neighbour.square) & 15) as usize;
                    match neighbour.changes.get(tile) {
                        None | Some(0) => {}
                        Some(change) => out.push(key ^ change),
                    }
                }
            }
            ends.push(out.len());
        }
    }

    fn is_solved(&self, key: u64) -> bool {
        key == self.solved
    }

    /// Every tile once, and the parity of the part: of the exchanges that lead to the goal and
    /// of the empty square's way there.
    fn is_ranked(&self, part: u64, key: u64) -> bool {
        let squares = self.frame.squares();
        let beyond = squares < 16 && key >> (4 * squares) != 0;
        let ((seen, own), (all, goal)) = (parity(&self.frame, key), self.goal);
        seen == all && !beyond && own ^ goal == part
    }
}

#[cfg(test)]
mod tests;
