//! The article's rank tables: pieces of 20, 16 and the remaining bits, with one table per piece for
//! each number of ones below it. Chaffin, section "Storing the boards".

use puzzle_api::rank::binomial;

const LOW: u32 = 20;
const MIDDLE: u32 = 16;

/// The tables.
pub struct Tables {
    low: Vec<u64>,
    middle: Vec<u64>,
    high: Vec<u64>,
    high_bits: u32,
}

impl Tables {
    /// Tables for boards of some cells, 21 to 49.
    pub fn new(cells: u32) -> Self {
        let high_bits = cells.saturating_sub(LOW + MIDDLE);
        Self {
            low: table(0, LOW),
            middle: table(LOW, MIDDLE),
            high: table(LOW + MIDDLE, high_bits),
            high_bits,
        }
    }

    /// The rank of a board.
    #[inline]
    pub fn rank(&self, mask: u64) -> u64 {
        let low = mask & ((1 << LOW) - 1);
        let middle = mask >> LOW & ((1 << MIDDLE) - 1);
        let high = mask >> (LOW + MIDDLE);
        let below_middle = u64::from(low.count_ones());
        let below_high = below_middle + u64::from(middle.count_ones());
        self.low[low as usize]
            + self.middle[(below_middle << MIDDLE | middle) as usize]
            + self.high[(below_high << self.high_bits | high) as usize]
    }
}

/// For each number of ones below, and each content: its part of the rank.
fn table(shift: u32, bits: u32) -> Vec<u64> {
    let mut table = Vec::new();
    for below in 0..=shift {
        for content in 0..1_u64 << bits {
            let positions = (0..bits).filter(|p| content >> p & 1 == 1);
            let terms = positions.zip(below + 1..);
            table.push(terms.map(|(p, i)| binomial(p + shift, i)).sum());
        }
    }
    table
}
