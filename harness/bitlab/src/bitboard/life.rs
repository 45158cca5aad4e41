//! Conway's Game of Life by bit-plane adders (Browne, section 5.3.3 and
//! listing 2).

use super::{Board, Direction, Geometry};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};
use std::ops::{Shl, Shr};

/// What an adder needs of a word of bits. `u64` has it, [`Board`] has it, and
/// so does the type that counts operations in the claims.
pub trait Bitwise:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Not<Output = Self>
{
}

impl<T> Bitwise for T where
    T: Copy
        + BitAnd<Output = T>
        + BitOr<Output = T>
        + BitXor<Output = T>
        + BitAndAssign
        + BitOrAssign
        + BitXorAssign
        + Not<Output = T>
{
}

/// Three bit planes that hold a count of 0 to 7 and "4 or more" beyond: adding
/// an eighth neighbour leaves the top plane set, which is all Life asks.
#[derive(Clone, Debug)]
pub struct Planes<T> {
    ones: T,
    twos: T,
    fours: T,
}

impl<T: Bitwise> Planes<T> {
    /// All counts zero.
    pub fn new(zero: T) -> Self {
        Self {
            ones: zero,
            twos: zero,
            fours: zero,
        }
    }

    /// Adds one to the count of every set cell. Cost: 5 operations.
    #[inline(always)]
    pub fn add(&mut self, bits: T) {
        let carry_to_twos = self.ones & bits;
        let carry_to_fours = self.twos & carry_to_twos;
        self.ones ^= bits;
        self.twos ^= carry_to_twos;
        self.fours |= carry_to_fours;
    }

    /// The cells that live next: count 3, or count 2 and alive now.
    /// Cost: 4 operations.
    #[inline(always)]
    pub fn survivors(self, live: T) -> T {
        (live | self.ones) & self.twos & !self.fours
    }
}

/// Constants of the 8x8 torus, for any word type.
#[derive(Clone, Copy, Debug)]
pub struct TorusMasks<T> {
    /// Listing 2's `L`: the western column.
    pub west: T,
    /// Listing 2's `R`: the eastern column.
    pub east: T,
    /// Listing 2's `T`: the northern row.
    pub north: T,
    /// Listing 2's `B`: the southern row.
    pub south: T,
    /// `~L`.
    pub not_west: T,
    /// `~R`.
    pub not_east: T,
}

impl TorusMasks<u64> {
    /// The masks listing 2 means; three of the four are misprinted.
    pub const CORRECT: Self = Self {
        west: 0x8080_8080_8080_8080,
        east: 0x0101_0101_0101_0101,
        north: 0x0000_0000_0000_00ff,
        south: 0xff00_0000_0000_0000,
        not_west: !0x8080_8080_8080_8080,
        not_east: !0x0101_0101_0101_0101,
    };
}

/// Listing 2, operation for operation: one generation of the 8x8 torus.
/// Cost: 82 operations (4 + 4 + 6 * 5 shifts and joins, 8 * 5 adds, 4).
///
/// [`torus_step`] is the instance to use; this form exists so that a word
/// type that counts can run it.
#[inline(always)]
pub fn listing_2<T>(live: T, zero: T, m: &TorusMasks<T>) -> T
where
    T: Bitwise + Shl<u32, Output = T> + Shr<u32, Output = T>,
{
    let west = |c: T| (c & m.not_west) << 1 | (c & m.west) >> 7;
    let east = |c: T| (c & m.not_east) >> 1 | (c & m.east) << 7;
    let north = live >> 8 | (live & m.north) << 56;
    let south = live << 8 | (live & m.south) >> 56;
    let mut count = Planes::new(zero);
    for row in [north, live, south] {
        count.add(west(row));
    }
    count.add(north);
    count.add(south);
    for row in [north, live, south] {
        count.add(east(row));
    }
    count.survivors(live)
}

/// One generation of Life on the 8x8 torus as in listing 2, bit 0 being the
/// north-east cell.
#[inline]
pub fn torus_step(live: u64) -> u64 {
    listing_2(live, 0, &TorusMasks::CORRECT)
}

/// One generation of Life on the 8x8 torus, rows added before columns.
///
/// Counts the three cells of each row once, as a two-bit number, and reuses
/// it for the row itself and both its neighbours. The count includes the cell
/// itself, so it lives at 3, or at 4 if alive now. A row and a column are each
/// moved by a rotation; rotating the word by one moves only the cells of one
/// column across rows, so those two rotations are masked.
/// Cost: 34 operations where a rotation is one.
#[inline]
pub fn torus_step_by_rows(live: u64) -> u64 {
    counting_rows(live, &TorusMasks::CORRECT)
}

/// [`torus_step_by_rows`] for any word type with a rotation.
#[inline(always)]
pub fn counting_rows<T>(live: T, m: &TorusMasks<T>) -> T
where
    T: Bitwise + Shl<u32, Output = T> + Shr<u32, Output = T> + Rotate,
{
    let west = (live & m.not_west) << 1 | (live & m.west) >> 7;
    let east = (live & m.not_east) >> 1 | (live & m.east) << 7;
    // Per row: ones + 2 * twos = west + live + east.
    let side = west ^ east;
    let ones = side ^ live;
    let twos = west & east | side & live;
    let (ones_n, ones_s) = (ones.rotate_down(8), ones.rotate_up(8));
    let (twos_n, twos_s) = (twos.rotate_down(8), twos.rotate_up(8));
    // Sum of three rows: bit 0, then four numbers of weight two.
    let outer = ones_n ^ ones_s;
    let bit0 = outer ^ ones;
    let carry = ones_n & ones_s | outer & ones;
    // Of the four weight-two bits: exactly one set (3 in all with bit 0, or 2
    // without), or exactly two set (4 in all without bit 0).
    let (x, both_x) = (twos_n ^ twos_s, twos_n & twos_s);
    let (y, both_y) = (twos ^ carry, twos & carry);
    let odd = x ^ y;
    let two = (both_x ^ both_y) & !odd | x & y;
    bit0 & odd & !(both_x | both_y) | live & !bit0 & two
}

/// A word that can be rotated.
pub trait Rotate {
    /// Rotates towards lower indices.
    #[must_use]
    fn rotate_down(self, by: u32) -> Self;
    /// Rotates towards higher indices.
    #[must_use]
    fn rotate_up(self, by: u32) -> Self;
}

impl Rotate for u64 {
    fn rotate_down(self, by: u32) -> Self {
        self.rotate_right(by)
    }
    fn rotate_up(self, by: u32) -> Self {
        self.rotate_left(by)
    }
}

/// One generation of Life on any board, cells beyond the rim being dead.
/// Neighbours are the grid's own; the rule of 2 and 3 is meant for
/// [`Grid::SquareDiagonal`](super::Grid). Cost: a step and 5 operations a
/// direction, and 5.
pub fn step<const N: usize>(board: &Geometry<N>, live: Board<N>) -> Board<N> {
    let mut count = Planes::new(Board::EMPTY);
    for &d in board.grid().directions() {
        count.add(board.step(live, d));
    }
    count.survivors(live) & board.mask()
}

/// One generation of Life on a torus of any size that fits: listing 2 on
/// boards larger than a word. The board must be a full rectangle; its grid is
/// not asked.
pub fn step_on_torus<const N: usize>(board: &Geometry<N>, live: Board<N>) -> Board<N> {
    let live = live & board.mask();
    let east_column = column(board, board.width() - 1);
    let west_column = column(board, 0);
    let turn = board.width() as isize - 1;
    let west = |c: Board<N>| (c & !west_column) << 1 | (c & west_column).shift(turn);
    let east = |c: Board<N>| (c & !east_column) >> 1 | (c & east_column).shift(-turn);
    let pitch = board.pitch() as isize;
    let round = pitch * (board.height() as isize - 1);
    // A row shifted beyond the far side is what the mask of listing 2 cuts off.
    let north = (live.shift(pitch) | live.shift(-round)) & board.mask();
    let south = (live.shift(-pitch) | live.shift(round)) & board.mask();
    let mut count = Planes::new(Board::EMPTY);
    for row in [north, live, south] {
        count.add(west(row));
        count.add(east(row));
    }
    count.add(north);
    count.add(south);
    count.survivors(live)
}

fn column<const N: usize>(board: &Geometry<N>, x: usize) -> Board<N> {
    let cells = (0..board.height()).filter_map(|y| board.index(x, y));
    cells.collect()
}

/// The south-east-bound glider with its box's north-west corner at `(x, y)`.
pub fn glider<const N: usize>(board: &Geometry<N>, x: usize, y: usize) -> Board<N> {
    [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)]
        .into_iter()
        .fold(Board::EMPTY, |all, (dx, dy)| {
            all | board.at(x.saturating_add(dx), y.saturating_add(dy))
        })
}

/// Generations until `live` first returns on the 8x8 torus, up to `limit`.
pub fn torus_period(live: u64, limit: u32) -> Option<u32> {
    let mut now = live;
    (1..=limit).find(|_| {
        now = torus_step(now);
        now == live
    })
}

/// The word of an 8x8 board without separating bits, as [`torus_step`] wants.
pub fn to_word(live: Board<1>) -> u64 {
    live.words()[0]
}

/// One step in `d` on the 8x8 torus; used to check where a glider went.
pub fn torus_shift(live: u64, d: Direction) -> u64 {
    let m = TorusMasks::CORRECT;
    use Direction::*;
    match d {
        N => live.rotate_right(8),
        S => live.rotate_left(8),
        E => (live & m.not_east) >> 1 | (live & m.east) << 7,
        W => (live & m.not_west) << 1 | (live & m.west) >> 7,
        NE => torus_shift(torus_shift(live, N), E),
        NW => torus_shift(torus_shift(live, N), W),
        SE => torus_shift(torus_shift(live, S), E),
        SW => torus_shift(torus_shift(live, S), W),
    }
}
