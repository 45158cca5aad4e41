//! Rank and unrank by looking up pieces of the mask.
//!
//! Chaffin's program cuts 45 cells into pieces of 20, 16 and 13 bits, with one table for each
//! number of members below a piece. Here the pieces have any width, and a table is chosen by the
//! number of members left for a piece and those below it. That number is the same when the total is
//! fixed, so unrank can use the same tables. An entry is the number of subsets whose piece is
//! smaller, so entries ascend, and the piece of a rank is the last whose entry is not above it. A
//! second, coarse table gives the place to start looking.

use super::{TooLarge, binomial, low_bits};

/// Greatest width of pieces, in bits: tables of this size fit the caches nearest to the core.
const WIDTH: u32 = 12;

/// One piece above the lowest, with a row for each number of members left.
#[derive(Debug, Clone)]
struct RankPiece {
    /// Lowest bit.
    shift: u32,
    /// Number of patterns, less one.
    mask: usize,
    /// Entries of a row: one per pattern, and the total.
    stride: usize,
    /// Members left in the first row.
    first: usize,
    /// Number of subsets whose piece is smaller.
    below: Vec<u64>,
    /// For each row: how far a rank is shifted to get its place in `starts`.
    coarse: Vec<u8>,
    /// For each row and each shifted rank: the pattern of the least such rank.
    starts: Vec<u32>,
}

/// Tables that rank and unrank the subsets of one size.
#[derive(Debug, Clone)]
pub struct Pieces {
    members: u32,
    count: u64,
    /// Pieces, the uppermost first.
    upper: Vec<RankPiece>,
    /// Number of patterns of the lowest piece, less one.
    low_mask: usize,
    /// Rank of each pattern of the lowest piece among those of its size.
    low: Vec<u32>,
    /// Patterns of the lowest piece by size, then by rank.
    patterns: Vec<u32>,
    /// Where each size starts in `patterns`.
    sizes: Vec<u32>,
    /// Number of ones of each pattern of any piece: a look-up, since the plain x86-64
    /// has no instruction for it.
    ones: Vec<u8>,
}

impl RankPiece {
    fn new(shift: u32, bits: u32, members: std::ops::RangeInclusive<u32>) -> Self {
        let patterns = 1_usize << bits;
        let mut piece = Self {
            shift,
            mask: patterns - 1,
            stride: patterns + 1,
            first: *members.start() as usize,
            below: Vec::new(),
            coarse: Vec::new(),
            starts: Vec::new(),
        };
        for left in members {
            piece.add_row(patterns, left);
        }
        piece
    }

    fn add_row(&mut self, patterns: usize, left: u32) {
        let row = self.below.len();
        let mut below = 0;
        for pattern in 0..patterns {
            self.below.push(below);
            if let Some(rest) = left.checked_sub(pattern.count_ones()) {
                below += binomial(self.shift, rest);
            }
        }
        self.below.push(below);
        // At most as many places as patterns, so that one look is usually enough.
        let bits = 64 - below.leading_zeros();
        let coarse = bits.saturating_sub(patterns.trailing_zeros());
        self.coarse.push(coarse as u8);
        let mut pattern = 0;
        for place in 0..patterns as u64 {
            while pattern + 1 < patterns && self.below[row + pattern + 1] <= place << coarse {
                pattern += 1;
            }
            self.starts.push(pattern as u32);
        }
    }

    /// The pattern of a rank, and the rest of the rank.
    #[inline]
    fn split(&self, left: usize, rank: u64) -> (usize, u64) {
        let row = left - self.first;
        let below = &self.below[row * self.stride..][..self.stride];
        let place = (rank >> self.coarse[row]) as usize & self.mask;
        let mut pattern = self.starts[row * (self.mask + 1) + place] as usize;
        while below[pattern + 1] <= rank {
            pattern += 1;
        }
        (pattern, rank - below[pattern])
    }
}

impl Pieces {
    /// Tables for `members` of `cells` cells, a few hundred KiB for 45 cells and 13 members; made in
    /// milliseconds. The pieces have equal widths of at most 12 bits; the uppermost has the rest.
    ///
    /// # Errors
    /// More than 64 cells, or more members than cells.
    pub fn new(cells: u32, members: u32) -> Result<Self, TooLarge> {
        if cells > super::MOST_CELLS {
            return Err(TooLarge::Cells(cells));
        }
        if members > cells {
            return Err(TooLarge::Members { cells, members });
        }
        let width = cells.div_ceil(cells.div_ceil(WIDTH).max(1));
        let mut upper = Vec::new();
        for shift in (width..cells).step_by(width.max(1) as usize) {
            let own = width.min(cells - shift);
            let least = if shift + own == cells { members } else { 0 };
            upper.push(RankPiece::new(shift, own, least..=members));
        }
        upper.reverse();
        let (low, patterns, sizes) = lowest_piece(width);
        Ok(Self {
            members,
            count: binomial(cells, members),
            upper,
            low_mask: low_bits(width) as usize,
            low,
            patterns,
            sizes,
            ones: (0..1_u32 << width).map(|m| m.count_ones() as u8).collect(),
        })
    }

    /// Number of subsets: ranks are below it.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The rank of a subset of this size within these cells. Another mask gets an arbitrary number,
    /// or a panic if it has too many members.
    #[inline]
    #[must_use]
    pub fn rank(&self, mask: u64) -> u64 {
        debug_assert_eq!(mask.count_ones(), self.members);
        let mut left = self.members as usize;
        let mut sum = 0;
        for piece in &self.upper {
            let pattern = (mask >> piece.shift) as usize & piece.mask;
            sum += piece.below[(left - piece.first) * piece.stride + pattern];
            left -= usize::from(self.ones[pattern]);
        }
        sum + u64::from(self.low[mask as usize & self.low_mask])
    }

    /// The subset with a rank; `None` beyond the last.
    #[inline]
    #[must_use]
    pub fn unrank(&self, rank: u64) -> Option<u64> {
        if rank >= self.count {
            return None;
        }
        let mut left = self.members as usize;
        let mut rest = rank;
        let mut mask = 0;
        for piece in &self.upper {
            let (pattern, remainder) = piece.split(left, rest);
            left -= usize::from(self.ones[pattern]);
            rest = remainder;
            mask |= (pattern as u64) << piece.shift;
        }
        let at = self.sizes[left] as usize + rest as usize;
        Some(mask | u64::from(self.patterns[at]))
    }
}

/// Tables of the lowest piece: ranks by pattern, patterns by size and rank, starts of sizes.
fn lowest_piece(bits: u32) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let mut patterns: Vec<u32> = (0..1 << bits).collect();
    // A stable sort: within a size, patterns ascend, and so do ranks.
    patterns.sort_by_key(|pattern| pattern.count_ones());
    let mut sizes = vec![0];
    for ones in 0..=bits {
        let last = sizes[ones as usize];
        sizes.push(last + binomial(bits, ones) as u32);
    }
    let mut low = vec![0; patterns.len()];
    for (at, &pattern) in (0..).zip(&patterns) {
        low[pattern as usize] = at - sizes[pattern.count_ones() as usize];
    }
    (low, patterns, sizes)
}
