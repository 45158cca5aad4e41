//! Where the distance of a placement of a part lies in a table. Each set of blues has a row, and in
//! it each set of up to two greens has a place.

use puzzle_api::rank::binomial;

use crate::board::SQUARES;

/// Bits of the three pieces that a set of squares is read in.
const PIECE: u32 = 9;
const PATTERNS: usize = 1 << PIECE;
/// Most blues that a part may have.
pub(super) const MOST_BLUES: usize = 6;
/// Stands for 'no green'.
const NOWHERE: usize = SQUARES;
/// The bits of a count within a share.
const COUNT: u32 = 28;

/// The places of one part.
pub(super) struct Places {
    /// Share of a piece in the row of a set, by number of blues in the pieces before it. The number
    /// of blues up to it follows from bit [`COUNT`] on.
    shares: Vec<u32>,
    /// First row of the sets of n blues.
    rows: [u32; MOST_BLUES + 1],
    /// Place of the greens by squares, the lower first.
    greens: [[u16; 32]; 32],
    width: u32,
    height: u32,
}

impl Places {
    /// The places of placements on the open squares, with blues within a range. Some 20
    /// microseconds.
    pub(super) fn new(open: u32, blues: (u32, u32)) -> Self {
        let squares: Vec<usize> = (0..SQUARES).filter(|&at| open >> at & 1 == 1).collect();
        let (greens, width) = green_places(&squares);
        let mut rows = [0; MOST_BLUES + 1];
        let mut height = 0;
        for count in blues.0..=blues.1 {
            rows[count as usize] = height;
            height += choose(squares.len() as u32, count);
        }
        Self {
            shares: shares(&squares),
            rows,
            greens,
            width,
            height,
        }
    }

    /// Their number; some are never used: those with a green on a blue.
    pub(super) fn len(&self) -> usize {
        (self.width * self.height) as usize
    }

    /// First place of a set of blues.
    #[inline]
    pub(super) fn row(&self, blues: u32) -> usize {
        let share = |piece: usize, count: u32| {
            let pattern = (blues >> (PIECE as usize * piece)) as usize % PATTERNS;
            self.shares[(piece * (MOST_BLUES + 1) + count as usize) * PATTERNS + pattern]
        };
        let mut row = share(0, 0);
        row += share(1, row >> COUNT);
        row += share(2, row >> COUNT);
        let first = self.rows[(row >> COUNT) as usize % self.rows.len()];
        ((first + row % (1 << COUNT)) * self.width) as usize
    }

    /// Place of a set of at most two greens within a row.
    #[inline]
    pub(super) fn green(&self, greens: u32) -> usize {
        let rest = greens & greens.wrapping_sub(1);
        let square = |greens: u32| (greens | 1 << NOWHERE).trailing_zeros() as usize % 32;
        usize::from(self.greens[square(greens)][square(rest)])
    }
}

fn green_places(squares: &[usize]) -> ([[u16; 32]; 32], u32) {
    let mut greens = [[0; 32]; 32];
    let mut next = 1;
    for (at, &first) in squares.iter().enumerate() {
        greens[first][NOWHERE] = next;
        next += 1;
        for &second in &squares[at + 1..] {
            greens[first][second] = next;
            next += 1;
        }
    }
    (greens, u32::from(next))
}

/// Combinatorial number system: the k-th blue, on the n-th open square, counts `n` over
/// `k` sets before.
fn shares(squares: &[usize]) -> Vec<u32> {
    let number = |square: usize| squares.iter().position(|&open| open == square);
    let numbers: Vec<Option<usize>> = (0..3 * PIECE as usize).map(number).collect();
    let mut shares = vec![0; 3 * (MOST_BLUES + 1) * PATTERNS];
    for piece in 0..3 {
        for before in 0..=MOST_BLUES {
            for pattern in 0..PATTERNS {
                let base = PIECE as usize * piece;
                let cells = (0..PIECE as usize).filter(|cell| pattern >> cell & 1 == 1);
                let (mut share, mut count) = (0, before as u32);
                for at in cells.filter_map(|cell| numbers[base + cell]) {
                    count += 1;
                    share += choose(at as u32, count);
                }
                let counted = count - before as u32;
                let to = (piece * (MOST_BLUES + 1) + before) * PATTERNS + pattern;
                // Sets of more blues than a part has are never requested.
                shares[to] = share % (1 << COUNT) + (counted << COUNT);
            }
        }
    }
    shares
}

fn choose(n: u32, k: u32) -> u32 {
    binomial(n, k) as u32
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_placement_has_a_place_of_its_own() {
        let open = 0b01010_11001_01010_10011_00110_u32;
        let places = Places::new(open, (1, 3));
        let sets = |least, most| {
            let subsets = (0..1_u32 << SQUARES)
                .filter(move |set| set & !open == 0 && (least..=most).contains(&set.count_ones()));
            subsets.collect::<Vec<_>>()
        };
        let (blues, greens) = (sets(1, 3), sets(0, 2));
        let mut seen = HashSet::new();
        for &blue in &blues {
            for &green in &greens {
                let place = places.row(blue) + places.green(green);
                assert!(place < places.len());
                assert!(seen.insert(place));
            }
        }
        assert_eq!(seen.len(), places.len());
    }
}
