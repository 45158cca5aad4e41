//! Positions of Connect Four by ply, by algorithm 7.
//!
//! A position is one word: the pieces of the side to move, and in every column
//! one marker on the cell above the topmost piece. The board has a spare row
//! at the north so that a full column has room for its marker.

use crate::bitboard::morphology::dilate_towards;
use crate::bitboard::queries::has_line_of_four;
use crate::bitboard::{Board, Direction, Geometry, GeometryError, Grid};

/// A Connect Four board of any size that fits a word.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    board: Geometry<1>,
    spare: Board<1>,
}

impl ConnectFour {
    /// A board of `width` columns of `height` cells: `(width + 1) * (height + 1)`
    /// bits must fit 64.
    ///
    /// # Errors
    /// When they do not.
    pub fn new(width: usize, height: usize) -> Result<Self, GeometryError> {
        let rows = height.saturating_add(1);
        let board = Geometry::new(Grid::SquareDiagonal, width, rows, 1)?;
        let spare = board.edge(Direction::N);
        Ok(Self { board, spare })
    }

    /// Distinct positions after 0, 1, … `plies` plies; nothing follows a
    /// position with four in a row. Ends early when no position is left.
    /// Cost: sorts every successor once; 8 bytes each.
    pub fn positions_by_ply(&self, plies: usize) -> Vec<u64> {
        let floor = self.board.edge(Direction::S);
        let mut level = vec![floor.words()[0]];
        let mut counts = vec![1];
        while counts.len() <= plies && !level.is_empty() {
            level = self.next_level(&level);
            counts.push(level.len() as u64);
        }
        counts
    }

    /// A position after some plies, drawn with `x` for the first player's pieces: of all that
    /// follow one position the middle one is taken each time.
    pub fn one_after(&self, plies: usize) -> Option<String> {
        let mut key = self.board.edge(Direction::S).words()[0];
        for _ in 0..plies {
            let mut next = Vec::new();
            self.successors(key, &mut next);
            next.sort_unstable();
            key = *next.get(next.len() / 2)?;
        }
        let (to_move, other, _) = self.unpack(key);
        let (first, second) = match plies % 2 {
            0 => (to_move, other),
            _ => (other, to_move),
        };
        let [first, second] = [first, second].map(|bits| self.board.draw(bits));
        let both = first.chars().zip(second.chars()).map(|pair| match pair {
            ('o', _) => 'x',
            ('\n', _) => '/',
            (_, symbol) => symbol,
        });
        // Without the spare row at the north.
        let drawn: String = both.collect();
        drawn.split_once('/').map(|(_, rows)| rows.to_owned())
    }

    /// Every distinct successor of a level. Sorted and thinned out whenever it
    /// has doubled, so that repeats take at most as much room as the rest.
    fn next_level(&self, level: &[u64]) -> Vec<u64> {
        let mut next = Vec::new();
        let mut room = 1 << 16;
        for &key in level {
            self.successors(key, &mut next);
            if next.len() > room {
                next.sort_unstable();
                next.dedup();
                room = room.max(2 * next.len());
            }
        }
        next.sort_unstable();
        next.dedup();
        next
    }

    /// The pieces of the side to move, of the other side, and the landing
    /// cells, from a key.
    fn unpack(&self, key: u64) -> (Board<1>, Board<1>, Board<1>) {
        let key = Board::from_words([key]);
        // A marker is the northernmost bit of its column.
        let south_of = |bits: Board<1>| {
            let once = self.board.step(bits, Direction::S) & self.board.mask();
            (1..self.board.height()).fold(once, |all, _| {
                dilate_towards(&self.board, all, Direction::S)
            })
        };
        let full = south_of(key);
        (key & full, full & !key, key & !full)
    }

    fn successors(&self, key: u64, out: &mut Vec<u64>) {
        let (player, other, landing) = self.unpack(key);
        if has_line_of_four(&self.board, other) {
            return;
        }
        for cell in landing & !self.spare {
            let cell = Board::bit(cell);
            let raised = self.board.step(cell, Direction::N);
            // The other side moves next, so its pieces go into the key.
            debug_assert!(!player.intersects(cell));
            out.push((other | landing & !cell | raised).words()[0]);
        }
    }
}
