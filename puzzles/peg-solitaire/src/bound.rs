//! Lower bounds on the jumps left, and positions from which no finish can be reached, by pagoda
//! functions. These were found once; the board uses them if they cut a search short.
//!
//! Each jump removes one peg, so a game that can still be won has as many jumps left as it has
//! pegs, less one. If some pagoda function weighs the pegs less than every finish, it cannot be
//! won.

use puzzle_api::NEVER;

use crate::board::Board;
use crate::instances::Instance;
use crate::proof::pagoda::is_pagoda;

/// Weights of the holes of the English board, in scanning order. Found by linear programming
/// (scipy, HiGHS): the function that weighs a position least, where the centre weighs 1 and no hole
/// more than a bound. It was solved for positions of 17 pegs drawn from a game from the centre. Of
/// 653 functions, those are kept that, with their images, exclude many of 3,500 others (all 653
/// together 73 %). Six more are out of 177 for positions of 17 pegs that lead to no solution and
/// that the first let through; they exclude 6 % of these (all 177 of them 12 %). Nothing rests on
/// how they were found: [`functions`] checks each.
const ENGLISH: &str = include_str!("english.txt");

/// The weights of each function found.
fn found() -> impl Iterator<Item = Vec<i16>> {
    let weights = |row: &str| {
        row.split(' ')
            .filter_map(|word| word.parse().ok())
            .collect()
    };
    ENGLISH.lines().map(weights)
}

/// The functions valid on a board: those found, with all their images, each once.
pub fn functions(board: &Board) -> Vec<Vec<i16>> {
    let holds = |weights: &Vec<i16>| weights.len() == board.len() && is_pagoda(board, weights);
    let symmetries = board.symmetries();
    let images = |weights: Vec<i16>| -> Vec<Vec<i16>> {
        let image = |image: &Vec<usize>| image.iter().map(|&hole| weights[hole]).collect();
        symmetries.iter().map(image).collect()
    };
    let mut all: Vec<Vec<i16>> = found().filter(holds).flat_map(images).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The least that a function weighs a finish.
pub fn least(weights: &[i16], instance: &Instance) -> i16 {
    let finishes = instance.solved().map(|key| key.trailing_zeros() as usize);
    finishes.map(|hole| weights[hole]).min().unwrap_or(i16::MIN)
}

/// Whether a byte can hold the weight of any pegs, less that of the finish.
fn is_short(weights: &[i16], finish: i16) -> bool {
    let weigh = |sign: i32| -> i32 {
        let weights = weights.iter().map(|&weight| i32::from(weight));
        weights.filter(|weight| weight * sign > 0).sum()
    };
    let fits = |sign: i32| i8::try_from(weigh(sign) - i32::from(finish)).is_ok();
    fits(1) && fits(-1)
}

const RUN: usize = 6;
const PATTERNS: usize = 1 << RUN;
const LANES: usize = 64;

/// Weights of some pegs under several functions, side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Weights([i8; LANES]);

impl Weights {
    /// Whether any exceeds its counterpart.
    #[inline(always)]
    pub(crate) fn some_beyond(&self, others: &Self) -> bool {
        let pairs = self.0.iter().zip(&others.0);
        pairs.fold(false, |some, (weight, other)| some | (weight > other))
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn load(&self) -> std::arch::x86_64::__m512i {
        // SAFETY: 64 weights of 8 bits fill the register, and the load needs no alignment.
        unsafe { std::arch::x86_64::_mm512_loadu_si512(self.0.as_ptr().cast()) }
    }
}

/// All functions of a board by tables: 4 KiB for every six holes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// The weight of pattern p of run r is at `r * PATTERNS + p`; the first run's is reduced by
    /// that of the finish.
    table: Vec<Weights>,
    /// Whether the processor has registers of 32 weights.
    wide: bool,
}

impl Bound {
    /// The tables of an instance; `None` if no function is known.
    pub fn new(instance: &Instance) -> Self {
        let board = &instance.board;
        let mut functions = functions(board);
        functions.retain(|weights| is_short(weights, least(weights, instance)));
        assert!(functions.len() <= LANES, "a lane a function");
        let mut table = Vec::new();
        if !functions.is_empty() {
            table.resize(board.len().div_ceil(RUN) * PATTERNS, Weights([0; LANES]));
        }
        for (at, entry) in table.iter_mut().enumerate() {
            let (run, pattern) = (at / PATTERNS, at % PATTERNS);
            for (lane, weights) in entry.0.iter_mut().zip(&functions) {
                let holes = weights.iter().skip(run * RUN).take(RUN).enumerate();
                let mut sum: i16 = holes
                    .filter(|(bit, _)| pattern >> bit & 1 == 1)
                    .map(|(_, weight)| weight)
                    .sum();
                if run == 0 {
                    sum -= least(weights, instance);
                }
                // Of those that are short no pegs weigh more.
                *lane = sum as i8;
            }
        }
        Self {
            table,
            wide: is_wide(),
        }
    }

    /// Whether any function is known on the board.
    pub(crate) fn knows_some(&self) -> bool {
        !self.table.is_empty()
    }

    /// The excess weight of some pegs over others.
    pub(crate) fn difference(&self, pegs: u64, others: u64) -> Weights {
        let (pegs, others) = (self.weigh(pegs), self.weigh(others));
        let between = |lane: usize| pegs.0[lane].saturating_sub(others.0[lane]);
        Weights(std::array::from_fn(between))
    }

    /// A lower bound on the jumps left.
    #[inline]
    pub fn of(&self, pegs: u64) -> u64 {
        match pegs == 0 || self.too_light(pegs) {
            true => NEVER,
            false => u64::from(pegs.count_ones()) - 1,
        }
    }

    #[inline]
    fn too_light(&self, pegs: u64) -> bool {
        #[cfg(target_arch = "x86_64")]
        if self.wide {
            // SAFETY: the processor has the features that the function is compiled for.
            #[allow(unsafe_code)]
            return unsafe { self.too_light_wide(pegs) };
        }
        self.some_below_nothing(pegs)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn too_light_wide(&self, pegs: u64) -> bool {
        self.some_below_nothing(pegs)
    }

    #[inline(always)]
    fn some_below_nothing(&self, pegs: u64) -> bool {
        let sums = self.weigh(pegs).0;
        sums.iter().fold(0, |signs, sum| signs | sum) < 0
    }

    /// Like [`Bound::weigh`], in one register.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw")]
    #[inline]
    pub(crate) fn weigh_wide(&self, pegs: u64) -> std::arch::x86_64::__m512i {
        use std::arch::x86_64::*;
        let (mut sums, mut rest) = (_mm512_setzero_si512(), pegs);
        for run in self.table.chunks_exact(PATTERNS) {
            sums = _mm512_add_epi8(sums, run[rest as usize % PATTERNS].load());
            rest >>= RUN;
        }
        sums
    }

    /// The weight of a position in each function, less that of the finish.
    #[inline(always)]
    pub(crate) fn weigh(&self, pegs: u64) -> Weights {
        let mut sums = [0_i8; LANES];
        let mut rest = pegs;
        for run in self.table.chunks_exact(PATTERNS) {
            let weights = &run[rest as usize % PATTERNS].0;
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += weight;
            }
            rest >>= RUN;
        }
        Weights(sums)
    }
}

#[cfg(target_arch = "x86_64")]
fn is_wide() -> bool {
    is_x86_feature_detected!("avx2")
}

#[cfg(not(target_arch = "x86_64"))]
fn is_wide() -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::{found, functions};
    use crate::board::Board;

    #[test]
    fn every_function_found_holds_on_the_english_board() {
        let board = Board::of_name("english-33").expect("reads");
        let all = functions(&board);
        assert_eq!(all.len(), 60);
        assert_eq!(found().count(), 15);
        assert!(found().all(|weights| all.contains(&weights)));
    }
}
