//! Random words from a printed seed.

use std::collections::BTreeSet;

/// A small generator of random words for [`crate::RandomStates`] (xorshift64* seeded through
/// splitmix64). Fixed here, so that a printed seed means the same everywhere; not for cryptography.
#[derive(Debug, Clone)]
pub struct Xorshift(u64);

impl Xorshift {
    /// The generator of draw number `index` under `seed`: draws are independent of
    /// batch size and thread.
    #[must_use]
    pub fn for_draw(seed: u64, index: u64) -> Self {
        let mut x = seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Two rounds of splitmix64's finaliser: neighbouring indices must not correlate.
        for _ in 0..2 {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            x ^= x >> 31;
        }
        Self(x | 1)
    }

    /// The next word.
    pub fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number in `0..bound`, exactly uniform (rejection on the short last cycle).
    /// `bound` 0 gives 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        let limit = u64::MAX - u64::MAX % bound;
        loop {
            let word = self.next_u64();
            if word < limit {
                return word % bound;
            }
        }
    }

    /// Numbers in `0..bound`, each at most once: `count` of them, or all if there are fewer.
    #[must_use]
    pub fn drawn(seed: u64, count: u64, bound: u64) -> BTreeSet<u64> {
        let mut drawn = BTreeSet::new();
        let mut draws = 0..;
        while (drawn.len() as u64) < count.min(bound) {
            let draw = draws.next().unwrap_or_default();
            drawn.insert(Self::for_draw(seed, draw).below(bound));
        }
        drawn
    }
}
