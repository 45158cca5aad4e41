//! Browne's operations (section 4), filters (5.1), queries (5.2) and updates (5.3).
//!
//! The article leaves the mask of on-board cells implicit. Here every result is masked: an
//! unmasked dilation leaves bits on the separating cells.

use super::{Board, Direction, Geometry};

/// Returns `bits` and all their neighbours, `bits ⊕ 1` (section 4.3).
/// Cost: one step and one `|` per direction, one `&`.
///
/// ```
/// use puzzle_api::bitboard::{Geometry, Grid, dilate, erode};
///
/// let board = Geometry::<1>::new(Grid::Square, 5, 3, 1)?;
/// let cross = dilate(&board, board.at(2, 1));
/// assert_eq!(board.draw(cross), "..o..\n.ooo.\n..o..");
/// assert_eq!(erode(&board, cross), board.at(2, 1));
/// # Ok::<(), puzzle_api::bitboard::GeometryError>(())
/// ```
#[inline]
pub fn dilate<const N: usize>(board: &Geometry<N>, bits: Board<N>) -> Board<N> {
    let directions = board.grid().directions().iter();
    directions.fold(bits, |all, &d| all | board.step(bits, d)) & board.mask()
}

/// Returns the cells of `bits` whose neighbour *opposite* to direction `d` is set too, `bits ⊖ d`.
/// Erosion "in the north direction" strips the southern end of a line. Cost: one step, `&`.
#[inline]
pub fn erode_towards<const N: usize>(
    board: &Geometry<N>,
    bits: Board<N>,
    d: Direction,
) -> Board<N> {
    bits & board.step(bits, d)
}

/// Returns the cells of `bits` whose neighbours are all on the board and set, `bits ⊖ 1`
/// (section 4.4). Cost: one step and one `&` per direction.
#[inline]
pub fn erode<const N: usize>(board: &Geometry<N>, bits: Board<N>) -> Board<N> {
    let directions = board.grid().directions().iter();
    directions.fold(bits, |all, &d| all & board.step(bits, d))
}

/// Returns the cells of `within` that are connected to `from` through `within`. Cost: a dilation
/// and `&` for each step of the longest path.
///
/// ```
/// use puzzle_api::bitboard::{Board, Geometry, Grid, connected};
///
/// let board = Geometry::<1>::new(Grid::Square, 5, 1, 1)?;
/// let stones: Board<1> = [0, 1, 4].into_iter().map(|x| board.at(x, 0)).fold(Board::EMPTY, |a, b| a | b);
/// assert_eq!(board.draw(connected(&board, board.at(0, 0), stones)), "oo...");
/// # Ok::<(), puzzle_api::bitboard::GeometryError>(())
/// ```
#[must_use]
pub fn connected<const N: usize>(
    board: &Geometry<N>,
    from: Board<N>,
    within: Board<N>,
) -> Board<N> {
    let (mut group, mut next) = (Board::EMPTY, from & within);
    while group != next {
        group = next;
        next = dilate(board, group) & within;
    }
    group
}

/// The pieces of the player to move and of the opponent. The sets are disjoint and on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Position<const N: usize> {
    /// `bits_p`.
    pub player: Board<N>,
    /// `bits_o`.
    pub opponent: Board<N>,
}

impl<const N: usize> Position<N> {
    /// Returns the occupied cells, `full`.
    pub fn full(&self) -> Board<N> {
        self.player | self.opponent
    }

    /// Returns the unoccupied cells, `empty`.
    pub fn empty(&self, board: &Geometry<N>) -> Board<N> {
        board.complement(self.full())
    }

    /// Returns the position with the sides exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self {
            player: self.opponent,
            opponent: self.player,
        }
    }
}

/// Algorithm 1: returns the empty cells next to a piece of either side.
///
/// ```
/// use puzzle_api::bitboard::{Geometry, Grid, Position, empty_neighbours};
///
/// let board = Geometry::<1>::new(Grid::Square, 4, 2, 1)?;
/// let at = Position { player: board.at(0, 0), opponent: board.at(1, 0) };
/// assert_eq!(board.draw(empty_neighbours(&board, &at)), "..o.\noo..");
/// # Ok::<(), puzzle_api::bitboard::GeometryError>(())
/// ```
pub fn empty_neighbours<const N: usize>(board: &Geometry<N>, at: &Position<N>) -> Board<N> {
    dilate(board, at.full()) & at.empty(board)
}

/// Algorithm 2, corrected: returns the empty cells one step in direction `d` from a piece of the
/// player. The article intersects with `empty_p`, which still holds the opponent's cells.
#[inline]
pub fn empty_neighbours_towards<const N: usize>(
    board: &Geometry<N>,
    at: &Position<N>,
    d: Direction,
) -> Board<N> {
    board.step(at.player, d) & at.empty(board)
}

/// Algorithm 3: returns the opponent's pieces one step in direction `d` from a piece of the player.
/// These are the destinations of Clobber's captures.
#[inline]
pub fn enemy_neighbours_towards<const N: usize>(
    board: &Geometry<N>,
    at: &Position<N>,
    d: Direction,
) -> Board<N> {
    board.step(at.player, d) & at.opponent
}

/// Algorithm 4: returns the empty cells where the player would cap a line of the opponent's pieces
/// with a piece of the player at its other end (a move of Othello). Cost: two steps for each cell
/// of the longest run, in each direction.
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

/// Returns the opponent's pieces that a line cap at `cell` captures; none if it is no line cap.
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

/// Algorithm 5: returns the destinations of Breakthrough for a player who moves north: straight or
/// diagonally to an empty cell, or diagonally onto an opponent's piece. For
/// [`Grid::SquareDiagonal`](super::Grid).
pub fn breakthrough_moves<const N: usize>(board: &Geometry<N>, at: &Position<N>) -> Board<N> {
    use Direction::{N as North, NE, NW};
    let straight = board.step(at.player, North);
    let diagonal = board.step(at.player, NE) | board.step(at.player, NW);
    (straight | diagonal) & at.empty(board) | diagonal & at.opponent
}

/// Returns the liberties of a group: the empty cells next to the player's pieces that are connected
/// to `stone` (section 5.3.2).
///
/// ```
/// use puzzle_api::bitboard::{Geometry, Grid, Position, liberties};
///
/// let board = Geometry::<1>::new(Grid::Square, 4, 2, 1)?;
/// let at = Position { player: board.at(0, 0) | board.at(1, 0), opponent: board.at(2, 0) };
/// assert_eq!(board.draw(liberties(&board, &at, board.at(0, 0))), "....\noo..");
/// # Ok::<(), puzzle_api::bitboard::GeometryError>(())
/// ```
pub fn liberties<const N: usize>(
    board: &Geometry<N>,
    at: &Position<N>,
    stone: Board<N>,
) -> Board<N> {
    dilate(board, connected(board, stone, at.player)) & at.empty(board)
}

/// Returns the length of the longest straight line of set cells along one axis.
/// Cost: one step, `&` and test per cell of that line.
pub fn line_length_along<const N: usize>(
    board: &Geometry<N>,
    bits: Board<N>,
    axis: Direction,
) -> u32 {
    let mut left = bits & board.mask();
    let mut length = 0;
    while !left.is_empty() {
        length += 1;
        left &= board.step(left, axis);
    }
    length
}

/// Algorithm 6, corrected: returns the length of the longest straight line of set cells. The
/// printed loop counts the erosions that leave something, one fewer.
///
/// ```
/// use puzzle_api::bitboard::{Geometry, Grid, line_length};
///
/// let board = Geometry::<2>::hexagon(5)?; // the 61 cells of Yavalath
/// let line = board.at(4, 3) | board.at(4, 4) | board.at(4, 5);
/// assert_eq!(line_length(&board, line), 3);
/// # Ok::<(), puzzle_api::bitboard::GeometryError>(())
/// ```
pub fn line_length<const N: usize>(board: &Geometry<N>, bits: Board<N>) -> u32 {
    let axes = board.grid().axes().iter();
    axes.map(|&axis| line_length_along(board, bits, axis))
        .max()
        .unwrap_or(0)
}

/// Algorithm 7: returns whether four set cells stand in a straight line (Connect Four).
///
/// The algorithm makes a double step, `shift_aa`. The pairs that it joins were checked at every
/// single step, so one separating bit is enough, in spite of footnote 4.
/// Cost: three steps and three `&` per axis.
pub fn has_line_of_four<const N: usize>(board: &Geometry<N>, bits: Board<N>) -> bool {
    let bits = bits & board.mask();
    board.grid().axes().iter().any(|&axis| {
        let pairs = bits & board.step(bits, axis);
        let two_on = if board.is_sealed() {
            pairs.shift(2 * board.shift(axis))
        } else {
            board.step(board.step(pairs, axis), axis)
        };
        pairs.intersects(two_on)
    })
}

/// Returns every translation of a shape, given as `(x, y)` cells, that stays on the board: the
/// pattern database of section 5.2.4.
pub fn translations<const N: usize>(
    board: &Geometry<N>,
    shape: &[(usize, usize)],
) -> Vec<Board<N>> {
    let place = |(x, y): (usize, usize)| {
        let cells = shape
            .iter()
            .map(|&(dx, dy)| board.index(x.saturating_add(dx), y.saturating_add(dy)));
        cells.collect::<Option<Board<N>>>()
    };
    board.cells().filter_map(place).collect()
}

/// Algorithm 8: returns the index of the first pattern that `bits` contains. (The article counts
/// from 1 and returns 0 for none.) Cost: one `&` and one comparison per pattern.
///
/// ```
/// use puzzle_api::bitboard::{Geometry, Grid, find_pattern, translations};
///
/// let board = Geometry::<1>::new(Grid::Square, 4, 3, 1)?;
/// let corners = translations(&board, &[(0, 0), (1, 0), (0, 1)]);
/// assert_eq!(corners.len(), 6);
/// let pieces = board.at(2, 1) | board.at(3, 1) | board.at(2, 2);
/// assert_eq!(find_pattern(&corners, pieces), Some(5));
/// # Ok::<(), puzzle_api::bitboard::GeometryError>(())
/// ```
pub fn find_pattern<const N: usize>(patterns: &[Board<N>], bits: Board<N>) -> Option<usize> {
    patterns.iter().position(|&pattern| bits.contains(pattern))
}

/// The exact form of algorithm 8: returns whether `bits` contains the pattern and no other cell of
/// `bits` touches it.
pub fn matches_exactly<const N: usize>(
    board: &Geometry<N>,
    pattern: Board<N>,
    bits: Board<N>,
) -> bool {
    bits.contains(pattern) && (dilate(board, pattern) & !pattern & bits).is_empty()
}

fn flip<const N: usize>(at: &Position<N>, flip: Board<N>) -> Position<N> {
    Position {
        player: at.player | flip,
        opponent: at.opponent & !flip,
    }
}

/// Algorithm 9: every opponent's piece next to a piece of the player changes sides.
/// Cost: a dilation, `&`, `~&`, `|`.
pub fn flip_enemy_neighbours<const N: usize>(board: &Geometry<N>, at: &Position<N>) -> Position<N> {
    flip(at, dilate(board, at.player) & at.opponent)
}

/// Algorithm 10: every opponent's piece next to the last move changes sides.
pub fn flip_around_move<const N: usize>(
    board: &Geometry<N>,
    at: &Position<N>,
    last: Board<N>,
) -> Position<N> {
    flip(at, dilate(board, last) & at.opponent)
}

/// Algorithm 11: toggles a cell and its neighbours (Lights Out).
///
/// ```
/// use puzzle_api::bitboard::{Board, Geometry, Grid, press};
///
/// let board = Geometry::<1>::new(Grid::Square, 3, 2, 0)?;
/// let lit = press(&board, Board::EMPTY, board.at(0, 0));
/// assert_eq!(board.draw(lit), "oo.\no..");
/// assert!(press(&board, lit, board.at(0, 0)).is_empty());
/// # Ok::<(), puzzle_api::bitboard::GeometryError>(())
/// ```
#[inline]
pub fn press<const N: usize>(board: &Geometry<N>, lit: Board<N>, cell: Board<N>) -> Board<N> {
    lit ^ dilate(board, cell)
}

/// Algorithm 12: returns the player's pieces that stay when connected groups without an adjacent
/// empty cell are captured.
///
/// ```
/// use puzzle_api::bitboard::{Geometry, Grid, Position, surround_capture};
///
/// let board = Geometry::<1>::new(Grid::Square, 4, 1, 1)?;
/// let at = Position { player: board.at(0, 0) | board.at(2, 0), opponent: board.at(1, 0) };
/// assert_eq!(board.draw(surround_capture(&board, &at)), "..o.");
/// # Ok::<(), puzzle_api::bitboard::GeometryError>(())
/// ```
pub fn surround_capture<const N: usize>(board: &Geometry<N>, at: &Position<N>) -> Board<N> {
    connected(board, dilate(board, at.empty(board)), at.player)
}
