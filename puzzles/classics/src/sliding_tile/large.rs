//! The fast variant of puzzle `large-tile`, `bitboard`: a board is its key, five bits per square,
//! and the lower bound a sum over additive pattern databases.

use std::sync::{Arc, OnceLock};

use puzzle_api::{BadInput, Direction, Fast, LowerBound, Puzzle, Symmetry, Undirected};

use super::Rules;
use super::frame::MOST_LARGE;
use super::patterns::{Last, Patterns, Turn};

/// The patterns built last.
static LAST: Last<MOST_LARGE> = Last::new(None);

/// Variant `bitboard` of large boards, opened on an instance.
pub struct Large {
    rules: Rules<u128>,
    goal: u128,
    /// Squares next to each square.
    beside: Vec<Vec<usize>>,
    /// Symmetries, the identity first.
    turns: Vec<Turn<MOST_LARGE>>,
    /// Built when a lower bound is first requested.
    patterns: OnceLock<Arc<Patterns<MOST_LARGE>>>,
}

impl Fast for Large {
    type Rules = Rules<u128>;

    fn new(rules: Rules<u128>) -> Result<Self, BadInput> {
        let frame = &rules.frame;
        Ok(Self {
            goal: rules.key(&frame.goal),
            beside: (0..frame.squares())
                .map(|square| frame.around(square).collect())
                .collect(),
            turns: Turn::all(frame),
            patterns: OnceLock::new(),
            rules,
        })
    }

    fn rules(&self) -> &Rules<u128> {
        &self.rules
    }

    fn solves(&self, key: u128) -> bool {
        key == self.goal
    }

    #[inline]
    fn each_neighbour(&self, _: Direction, key: u128, mut emit: impl FnMut(u128)) {
        // The lowest group of five bits that is zero; groups beyond the board are above it.
        const ONES: u128 = 0x0108_4210_8421_0842_1084_2108_4210_8421;
        let zero = key.wrapping_sub(ONES) & !key & (ONES << 4);
        let empty = zero.trailing_zeros() as usize / 5;
        for &from in &self.beside[empty % MOST_LARGE] {
            let tile = key >> (5 * from) & 31;
            emit(key ^ tile << (5 * from) ^ tile << (5 * empty));
        }
    }
}

/// Every slide can be slid back.
impl Undirected for Large {}

impl Symmetry for Large {
    fn symmetry_count(&self) -> u32 {
        self.turns.len() as u32
    }

    fn image(&self, state: &u128, index: u32) -> u128 {
        let turn = &self.turns[index as usize];
        (0..self.rules.frame.squares()).fold(0, |image, square| {
            let tile = (state >> (5 * square) & 31) as usize;
            image | u128::from(turn.renamed[tile]) << (5 * turn.target[square])
        })
    }
}

impl LowerBound for Large {
    fn lower_bound(&self, state: &u128) -> u64 {
        let frame = &self.rules.frame;
        let patterns = self.patterns.get_or_init(|| Patterns::of(frame, &LAST));
        let mut squares = [0; MOST_LARGE];
        for square in 0..frame.squares() {
            squares[(state >> (5 * square) & 31) as usize] = square as u8;
        }
        patterns.bound(&squares, &self.turns)
    }
}
