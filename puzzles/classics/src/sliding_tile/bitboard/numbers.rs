//! The numbering of boards, and the ranks of neighbours by a few additions.
//!
//! The rank is half the place of the tiles' order, read row by row, among all orders. To this is
//! added the rank of the empty square times half the number of orders. A tile that slides along its
//! row does not change the order; one that slides along its column passes `width - 1` others, and
//! only their digits change.

use crate::sliding_tile::frame::{Frame, MOST_SQUARES};

/// Constants of the numbering of one rectangle.
#[derive(Debug)]
pub struct Numbers {
    width: usize,
    squares: usize,
    /// Number of tiles.
    tiles: usize,
    /// Half the number of orders of the tiles.
    half: u64,
    /// The weight of each digit of an order; 0 for the last two, which the parity determines.
    weights: [u64; MOST_SQUARES],
    /// The order of the goal, four bits per tile.
    goal: u64,
    /// By empty square: the parity of orders in part 0.
    parity: [u8; MOST_SQUARES],
}

/// A decoded board. Digit `k` is the number of tiles after the `k`-th that have a
/// smaller number.
#[derive(Debug, Clone)]
pub struct Cursor {
    part: u64,
    rank: u64,
    empty: usize,
    digits: [u8; MOST_SQUARES],
    tiles: [u8; MOST_SQUARES],
    /// The tiles from each place on in ascending order, four bits each.
    left: [u64; MOST_SQUARES + 1],
    /// The order of the tiles, four bits each.
    order: u64,
}

/// The lowest `count` groups of four bits.
#[inline]
fn low(word: u64, count: usize) -> u64 {
    match count {
        0..16 => word & ((1 << (4 * count)) - 1),
        _ => word,
    }
}

/// The empty square of a key.
#[inline]
pub fn empty_square(key: u64) -> usize {
    const ONES: u64 = 0x1111_1111_1111_1111;
    // The lowest group of four bits that is zero, exactly; those after the board are zero too, but
    // above it.
    let zero = key.wrapping_sub(ONES) & !key & (ONES << 3);
    zero.trailing_zeros() as usize / 4 % MOST_SQUARES
}

impl Numbers {
    /// The numbering of a rectangle.
    pub fn new(frame: &Frame) -> Self {
        let (squares, width) = (frame.squares(), frame.width);
        let tiles = squares - 1;
        let mut weights = [0; MOST_SQUARES];
        let mut weight = 1;
        for digit in (0..tiles - 2).rev() {
            weights[digit] = weight;
            weight *= (tiles - digit) as u64;
        }
        let empty = frame.goal.iter().position(|&tile| tile == 0).unwrap_or(0);
        let mut parity = [0; MOST_SQUARES];
        for (square, parity) in parity[..squares].iter_mut().enumerate() {
            // A slide along a column passes width - 1 tiles.
            let rows = (square / width).abs_diff(empty / width);
            *parity = (rows * (width - 1) % 2) as u8;
        }
        Self {
            width,
            squares,
            tiles,
            half: weight,
            weights,
            goal: 0x0fed_cba9_8765_4321,
            parity,
        }
    }

    /// The constants, in the order of the table of `gpu.cu`, with the number of symmetries.
    pub(super) fn constants(&self, symmetries: usize) -> Vec<u64> {
        let first = [self.width, self.squares, self.half as usize, symmetries];
        let first = first.iter().map(|&number| number as u64);
        let parity = self.parity.iter().map(|&parity| parity.into());
        first.chain(parity).chain(self.weights).collect()
    }

    /// Boards of a part.
    pub fn size(&self) -> u64 {
        self.half * self.squares as u64
    }

    /// Part and rank of a board.
    #[inline]
    pub fn place(&self, key: u64) -> (u64, u64) {
        let empty = empty_square(key);
        let order = low(key, empty) | (key >> 4 >> (4 * empty)) << (4 * empty);
        let (mut used, mut rank, mut sum) = (0_u32, 0, 0);
        for digit in 0..self.tiles - 1 {
            let tile = (order >> (4 * digit)) as u32 & 15;
            let smaller = tile - 1 - (used & ((1 << tile) - 1)).count_ones();
            used |= 1 << tile;
            rank += self.weights[digit] * u64::from(smaller);
            sum += smaller;
        }
        let part = (sum as u8 ^ self.parity[empty]) & 1;
        (part.into(), rank + empty as u64 * self.half)
    }

    /// The board with a rank below [`Numbers::size`] in part 0 or 1.
    pub fn cursor(&self, part: u64, rank: u64) -> Cursor {
        let mut cursor = Cursor {
            part,
            rank,
            empty: (rank / self.half) as usize,
            digits: [0; MOST_SQUARES],
            tiles: [0; MOST_SQUARES],
            left: [0; MOST_SQUARES + 1],
            order: 0,
        };
        let mut rest = rank % self.half;
        for digit in 0..self.tiles - 2 {
            cursor.digits[digit] = (rest / self.weights[digit]) as u8;
            rest %= self.weights[digit];
        }
        cursor.left[0] = low(self.goal, self.tiles);
        self.settle(&mut cursor, 0);
        cursor
    }

    /// Continues to a rank that is not smaller: as a rule only the last few digits change.
    #[inline]
    pub fn advance(&self, cursor: &mut Cursor, rank: u64) {
        let (mut carry, mut digit) = (rank - cursor.rank, self.tiles - 2);
        cursor.rank = rank;
        while carry > 0 && digit > 0 {
            digit -= 1;
            let (radix, sum) = (
                (self.tiles - digit) as u64,
                u64::from(cursor.digits[digit]) + carry,
            );
            // Most sums are below the radix: a division takes longer than everything else.
            (carry, cursor.digits[digit]) = match sum < radix {
                true => (0, sum as u8),
                false => (sum / radix, (sum % radix) as u8),
            };
        }
        cursor.empty += carry as usize;
        self.settle(cursor, digit);
    }

    /// Finds the tiles from the `from`-th on by their digits.
    #[inline]
    fn settle(&self, cursor: &mut Cursor, from: usize) {
        let pairs = self.tiles - 2;
        let known: u8 = cursor.digits[..pairs].iter().sum();
        cursor.digits[pairs] = (known ^ self.parity[cursor.empty] ^ cursor.part as u8) & 1;
        cursor.order = low(cursor.order, from);
        for place in from..self.tiles {
            let (left, digit) = (cursor.left[place], usize::from(cursor.digits[place]));
            let tile = left >> (4 * digit) & 15;
            cursor.tiles[place] = tile as u8;
            cursor.order |= tile << (4 * place);
            cursor.left[place + 1] = low(left, digit) | (left >> 4 >> (4 * digit)) << (4 * digit);
        }
    }

    /// The key of a board.
    #[inline]
    pub fn key(&self, cursor: &Cursor) -> u64 {
        let (order, empty) = (cursor.order, cursor.empty);
        low(order, empty) | (order >> (4 * empty)) << (4 * empty) << 4
    }

    /// Appends the ranks of a board's neighbours.
    #[inline]
    pub fn neighbours(&self, cursor: &Cursor, out: &mut Vec<u64>) {
        let (rank, empty, width) = (cursor.rank, cursor.empty, self.width);
        let column = empty % width;
        if column > 0 {
            out.push(rank - self.half);
        }
        if column + 1 < width {
            out.push(rank + self.half);
        }
        let rows = self.half * width as u64;
        if empty >= width {
            let change = self.tile_down(cursor, empty - width);
            out.push((rank - rows).wrapping_add(change));
        }
        if empty + width < self.squares {
            let change = self.tile_up(cursor, empty);
            out.push((rank + rows).wrapping_add(change));
        }
    }

    /// Added to the order's rank if its `first` tile goes after the next `width - 1`.
    #[inline]
    fn tile_down(&self, cursor: &Cursor, first: usize) -> u64 {
        let (last, tile) = (first + self.width - 1, cursor.tiles[first]);
        let (mut digit, mut change) = (cursor.digits[first], 0_u64);
        change = change.wrapping_sub(self.weights[first] * u64::from(digit));
        for place in first + 1..=last {
            let (old, greater) = (cursor.digits[place], cursor.tiles[place] > tile);
            let new = self.weights[place - 1] * u64::from(old + u8::from(greater));
            change = change.wrapping_add(new);
            change = change.wrapping_sub(self.weights[place] * u64::from(old));
            digit -= u8::from(!greater);
        }
        change.wrapping_add(self.weights[last] * u64::from(digit))
    }

    /// Added if the tile `width - 1` places after the `first` goes before it.
    #[inline]
    fn tile_up(&self, cursor: &Cursor, first: usize) -> u64 {
        let last = first + self.width - 1;
        let (tile, mut digit) = (cursor.tiles[last], cursor.digits[last]);
        let mut change = 0_u64.wrapping_sub(self.weights[last] * u64::from(digit));
        for place in first..last {
            let (old, greater) = (cursor.digits[place], cursor.tiles[place] > tile);
            let new = self.weights[place + 1] * u64::from(old - u8::from(greater));
            change = change.wrapping_add(new);
            change = change.wrapping_sub(self.weights[place] * u64::from(old));
            digit += u8::from(!greater);
        }
        change.wrapping_add(self.weights[first] * u64::from(digit))
    }
}
