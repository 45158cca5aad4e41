//! The fast twin of the rulebook, variant `bitboard`: a board is its key, four bits a
//! square.

mod numbers;
pub(super) mod patterns;

use std::sync::{Arc, OnceLock};

use puzzle_api::{
    BadInput, Direction, Fast, LowerBound, Numbering, Placement, Puzzle, Request, Symmetry,
    Undirected,
};

use super::Rules;
use super::frame::{Frame, MOST_SQUARES};
use super::rules;
use numbers::{Numbers, empty_square};
use patterns::{Beside, Patterns};

/// The images of squares under a symmetry, and the new names of tiles.
#[derive(Debug)]
struct Turn {
    target: [u8; MOST_SQUARES],
    renamed: [u8; MOST_SQUARES],
    /// The tile that is renamed to each.
    before: [u8; MOST_SQUARES],
}

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    rules: Rules,
    goal: u64,
    beside: Beside,
    /// Symmetries except for the identity.
    turns: Vec<Turn>,
    numbers: Numbers,
    /// Built when a lower bound is first requested.
    patterns: OnceLock<Arc<Patterns>>,
}

impl Bits {
    /// The table that `gpu.cu` describes.
    fn constants(&self) -> Vec<u64> {
        let squares = std::array::from_fn(|square| square as u8);
        let identity = Turn {
            target: squares,
            renamed: squares,
            before: squares,
        };
        let mut table = self.numbers.constants(self.turns.len() + 1);
        for turn in std::iter::once(&identity).chain(&self.turns) {
            table.extend(
                turn.target
                    .iter()
                    .chain(&turn.renamed)
                    .map(|&of| u64::from(of)),
            );
        }
        table
    }

    #[inline]
    fn turned(&self, key: u64, turn: &Turn) -> u64 {
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
            turns: turns(frame),
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

/// The symmetries except the identity, with the tiles that they rename.
fn turns(frame: &Frame) -> Vec<Turn> {
    let turn = |map: Vec<usize>| {
        let mut turn = Turn {
            target: [0; MOST_SQUARES],
            renamed: [0; MOST_SQUARES],
            before: [0; MOST_SQUARES],
        };
        for (at, to) in map.into_iter().enumerate() {
            turn.target[at] = to as u8;
            turn.renamed[usize::from(frame.goal[at])] = frame.goal[to];
            turn.before[usize::from(frame.goal[to])] = frame.goal[at];
        }
        turn
    };
    frame.symmetries().into_iter().skip(1).map(turn).collect()
}

/// Every slide can be slid back.
impl Undirected for Bits {}

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        self.turns.len() as u32 + 1
    }

    #[inline]
    fn image(&self, state: &u64, index: u32) -> u64 {
        match index {
            0 => *state,
            _ => self.turned(*state, &self.turns[index as usize - 1]),
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

/// The greatest of the sums over disjoint patterns of the board and of its images: a symmetry
/// keeps distances.
impl LowerBound for Bits {
    #[inline]
    fn lower_bound(&self, state: &u64) -> u64 {
        let patterns = self
            .patterns
            .get_or_init(|| Patterns::of(&self.rules.frame, &self.beside));
        let mut squares = [0; MOST_SQUARES];
        for square in 0..self.rules.frame.squares() {
            squares[(state >> (4 * square) & 15) as usize] = square as u8;
        }
        let turned = |turn: &Turn| {
            let square = |before: u8| squares[usize::from(before & 15)];
            patterns.moves(
                &turn
                    .before
                    .map(|tile| turn.target[usize::from(square(tile) & 15)]),
            )
        };
        let images = self.turns.iter().map(turned);
        images.fold(patterns.moves(&squares), u64::max)
    }
}
