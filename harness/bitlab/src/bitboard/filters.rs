//! Board filters: sets derived from a position (Browne, section 5.1).

use super::morphology::dilate;
use super::{Board, Direction, Geometry};

/// The pieces of the player in question and of the opponent.
///
/// Both sets should be disjoint and on the board; nothing panics otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Position<const N: usize> {
    /// `bits_p`.
    pub player: Board<N>,
    /// `bits_o`.
    pub opponent: Board<N>,
}

impl<const N: usize> Position<N> {
    /// `full`: the occupied cells.
    pub fn full(&self) -> Board<N> {
        self.player | self.opponent
    }

    /// `empty`: the unoccupied cells.
    pub fn empty(&self, board: &Geometry<N>) -> Board<N> {
        board.complement(self.full())
    }

    /// The same position seen from the other side.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self {
            player: self.opponent,
            opponent: self.player,
        }
    }
}

/// Browne, algorithm 1: the empty cells next to a piece of either side.
pub fn empty_neighbours<const N: usize>(board: &Geometry<N>, at: &Position<N>) -> Board<N> {
    dilate(board, at.full()) & at.empty(board)
}

/// Browne, algorithm 2: the empty cells that lie one step in direction `d`
/// from a piece of the player's.
///
/// The printed line intersects with `empty_p`, which by its own definition in
/// section 3 still holds the opponent's cells; see
/// [`printed::empty_neighbours_towards`](super::printed::empty_neighbours_towards).
#[inline]
pub fn empty_neighbours_towards<const N: usize>(
    board: &Geometry<N>,
    at: &Position<N>,
    d: Direction,
) -> Board<N> {
    board.step(at.player, d) & at.empty(board)
}

/// Browne, algorithm 3: the opponent's pieces one step in direction `d` from a
/// piece of the player's; the destinations of Clobber's captures.
#[inline]
pub fn enemy_neighbours_towards<const N: usize>(
    board: &Geometry<N>,
    at: &Position<N>,
    d: Direction,
) -> Board<N> {
    board.step(at.player, d) & at.opponent
}

/// Browne, algorithm 4: the empty cells where the player would cap a line of
/// the opponent's pieces with one of his own at the other end.
/// Cost: two steps for each cell of the longest run, in each direction.
pub fn line_cap_moves<const N: usize>(board: &Geometry<N>, at: &Position<N>) -> Board<N> {
    let empty = at.empty(board);
    let mut moves = Board::EMPTY;
    for &d in board.grid().directions() {
        let mut candidates = at.opponent & board.step(at.player, d);
        while !candidates.is_empty() {
            let next = board.step(candidates, d);
            moves |= empty & next;
            candidates = at.opponent & next;
        }
    }
    moves
}

/// The opponent's pieces that a line cap at `cell` captures, found by the same
/// walk as algorithm 4. Empty when the move is not a line cap.
pub fn line_cap_flips<const N: usize>(
    board: &Geometry<N>,
    at: &Position<N>,
    cell: Board<N>,
) -> Board<N> {
    let mut flips = Board::EMPTY;
    for &d in board.grid().directions() {
        let mut line = Board::EMPTY;
        let mut front = board.step(cell, d);
        while front.intersects(at.opponent) {
            line |= front;
            front = board.step(front, d);
        }
        if front.intersects(at.player) {
            flips |= line;
        }
    }
    flips
}

/// Browne, algorithm 5: destinations of Breakthrough's moves when the player
/// moves north: straight or diagonally to an empty cell, or diagonally onto an
/// opponent's piece. Meant for [`Grid::SquareDiagonal`](super::Grid).
pub fn breakthrough_moves<const N: usize>(board: &Geometry<N>, at: &Position<N>) -> Board<N> {
    use Direction::{N as North, NE, NW};
    let straight = board.step(at.player, North);
    let diagonal = board.step(at.player, NE) | board.step(at.player, NW);
    (straight | diagonal) & at.empty(board) | diagonal & at.opponent
}
