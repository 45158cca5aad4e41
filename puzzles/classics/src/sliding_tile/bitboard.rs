//! The fast twin of the rulebook, variant `bitboard`: a board is its key, four bits a
//! square.

mod numbers;

use std::sync::{Arc, OnceLock};

use puzzle_api::{
    BadInput, Direction, Fast, LowerBound, Numbering, Placement, Puzzle, Request, Symmetry,
    Undirected,
};

use super::Rules;
use super::frame::MOST_SQUARES;
use super::patterns::{Last, Patterns, Turn};
use super::rules;
use numbers::{Numbers, empty_square};

/// The neighbours of each square: how far a key is shifted for each, and how many there are.
type Beside = [([u8; 4], u8); MOST_SQUARES];

/// The patterns built last.
static LAST: Last<MOST_SQUARES> = Last::new(None);

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    rules: Rules,
    goal: u64,
    beside: Beside,
    /// Symmetries, the identity first.
    turns: Vec<Turn<MOST_SQUARES>>,
    numbers: Numbers,
    /// Built when a lower bound is first requested.
    patterns: OnceLock<Arc<Patterns<MOST_SQUARES>>>,
}

impl Bits {
    /// The table that `gpu.cu` describes.
    fn constants(&self) -> Vec<u64> {
        let mut table = self.numbers.constants(self.turns.len());
        for turn in &self.turns {
            let all = turn.target.iter().chain(&turn.renamed);
            table.extend(all.map(|&of| u64::from(of)));
        }
        table
    }

    #[inline]
    fn turned(&self, key: u64, turn: &Turn<MOST_SQUARES>) -> u64 {
        let squares = turn.target[..self.rules.frame.squares()].iter().enumerate();
        squares.fold(0, |image, (square, &target)| {
            let tile = (key >> (4 * square) & 15) as usize;
            image | u64::from(turn.renamed[tile]) << ((4 * target) & 63)
        })
    }
}

impl Fast for Bits {
    type Rules = Rules;

    fn new(rules: Rules) -> Result<Self, BadInput> {
        let frame = &rules.frame;
        let mut beside = [([0; 4], 0); MOST_SQUARES];
        for (square, (shifts, count)) in beside[..frame.squares()].iter_mut().enumerate() {
            for other in frame.around(square) {
                shifts[usize::from(*count)] = 4 * other as u8;
                *count += 1;
            }
        }
        Ok(Self {
            goal: rules.key(&frame.goal),
            beside,
            turns: Turn::all(frame),
            numbers: Numbers::new(frame),
            patterns: OnceLock::new(),
            rules,
        })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    #[inline]
    fn each_neighbour(&self, _: Direction, key: u64, mut emit: impl FnMut(u64)) {
        let empty = empty_square(key);
        let (shifts, count) = self.beside[empty];
        for &from in &shifts[..usize::from(count & 7).min(4)] {
            let tile = key >> (from & 63) & 15;
            emit(key ^ tile << (from & 63) ^ tile << (4 * empty));
        }
    }

    fn solves(&self, key: u64) -> bool {
        key == self.goal
    }
}

/// The kernels of engine `gpu` as PTX, and their table for an instance.
///
/// # Errors
/// An instance that there is not.
pub fn kernels(request: &Request<'_>) -> Result<(&'static str, Vec<u64>), BadInput> {
    Ok((include_str!("gpu.ptx"), Bits::open(request)?.constants()))
}

/// Every slide can be slid back.
impl Undirected for Bits {}

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        self.turns.len() as u32
    }

    #[inline]
    fn image(&self, state: &u64, index: u32) -> u64 {
        match index {
            0 => *state,
            _ => self.turned(*state, &self.turns[index as usize]),
        }
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        (part < 2).then(|| self.numbers.size())
    }

    #[inline]
    fn place(&self, state: &u64) -> Option<Placement> {
        let (part, rank) = self.numbers.place(*state);
        Some(Placement { part, rank })
    }

    #[inline]
    fn unrank(&self, placement: Placement) -> Option<u64> {
        let Placement { part, rank } = placement;
        let known = part < 2 && rank < self.numbers.size();
        known.then(|| self.numbers.key(&self.numbers.cursor(part, rank)))
    }

    fn part_count(&self) -> u64 {
        2
    }

    fn part_name(&self, part: u64) -> String {
        rules::part_name(part)
    }

    /// Each board from the previous one: a scan requests ascending ranks.
    fn neighbour_ranks(
        &self,
        _: Direction,
        part: u64,
        ranks: &[u64],
        keys: Option<&mut Vec<u64>>,
        out: &mut Vec<u64>,
    ) -> bool {
        let mut unasked = Vec::new();
        let keys = keys.unwrap_or(&mut unasked);
        let numbers = &self.numbers;
        let mut last = None;
        for &rank in ranks.iter().filter(|&&rank| rank < numbers.size()) {
            let cursor = match &mut last {
                Some((before, cursor)) if *before <= rank => {
                    numbers.advance(cursor, rank);
                    *before = rank;
                    cursor
                }
                last => &mut last.insert((rank, numbers.cursor(part, rank))).1,
            };
            keys.push(numbers.key(cursor));
            numbers.neighbours(cursor, out);
        }
        true
    }
}

impl LowerBound for Bits {
    #[inline]
    fn lower_bound(&self, state: &u64) -> u64 {
        let frame = &self.rules.frame;
        let patterns = self.patterns.get_or_init(|| Patterns::of(frame, &LAST));
        let mut squares = [0; MOST_SQUARES];
        for square in 0..frame.squares() {
            squares[(state >> (4 * square) & 15) as usize] = square as u8;
        }
        patterns.bound(&squares, &self.turns)
    }
}
