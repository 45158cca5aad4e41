//! Perft of Othello, by algorithm 4 on one word without separating bits.

use crate::bitboard::filters::{line_cap_flips, line_cap_moves};
use crate::bitboard::{Geometry, GeometryError, Grid, Position};

/// Ends of the lines of play from a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaves {
    /// Lines of exactly the depth asked for.
    pub full: u64,
    /// Lines that ended earlier because neither side could move.
    pub ended: u64,
}

impl Leaves {
    /// The count most published tables give: a game that has ended stays a
    /// leaf at every greater depth.
    pub const fn total(self) -> u64 {
        self.full + self.ended
    }
}

impl std::ops::AddAssign for Leaves {
    fn add_assign(&mut self, other: Self) {
        self.full += other.full;
        self.ended += other.ended;
    }
}

/// The 8x8 board in one word; steps are masked.
///
/// # Errors
/// Never in practice: 64 cells fit 64 bits.
pub fn board() -> Result<Geometry<1>, GeometryError> {
    Geometry::new(Grid::SquareDiagonal, 8, 8, 0)
}

/// The usual start: black, to move, on d5 and e4, white on d4 and e5.
pub fn start(board: &Geometry<1>) -> Position<1> {
    Position {
        player: board.at(4, 3) | board.at(3, 4),
        opponent: board.at(3, 3) | board.at(4, 4),
    }
}

/// Counts lines of `depth` plies; a pass is a ply.
///
/// The last ply is counted, not played. Cost: one move generation a node.
pub fn perft(board: &Geometry<1>, at: &Position<1>, depth: u32) -> Leaves {
    if depth == 0 {
        return Leaves { full: 1, ended: 0 };
    }
    let moves = line_cap_moves(board, at);
    if moves.is_empty() {
        return pass(board, at, depth);
    }
    if depth == 1 {
        let full = u64::from(moves.count());
        return Leaves { full, ended: 0 };
    }
    let mut leaves = Leaves::default();
    for cell in moves {
        let cell = crate::bitboard::Board::bit(cell);
        let flips = line_cap_flips(board, at, cell);
        let next = Position {
            player: at.opponent & !flips,
            opponent: at.player | flips | cell,
        };
        leaves += perft(board, &next, depth - 1);
    }
    leaves
}

fn pass(board: &Geometry<1>, at: &Position<1>, depth: u32) -> Leaves {
    let other = at.swapped();
    if line_cap_moves(board, &other).is_empty() {
        return Leaves { full: 0, ended: 1 };
    }
    perft(board, &other, depth - 1)
}
