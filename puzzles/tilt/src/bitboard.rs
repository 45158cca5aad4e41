//! The fast twin of the rulebook, variant `bitboard`. A board is two masks in one word, a tilt is
//! five table look-ups, and predecessors are Cartesian products of lines (thesis, sections 3.2 and
//! 3.4.1).

mod numbering;
pub mod tables;

use std::sync::Mutex;

use puzzle_api::{
    BadInput, Direction, Names, Numbering, Placement, Predecessors, Puzzle, RandomStates, Request,
    SolvedStates, Sweep, Swept, Symmetry, Xorshift,
};

use crate::board::{self, SQUARES};
use crate::instances::{self, Instance};
use crate::rules::Tilt;
use crate::sample;
use crate::sweep;
use crate::symmetry;

use numbering::Ranks;
use tables::{ILLEGAL, Tables};

/// All squares.
const BOARD: u32 = (1 << SQUARES) - 1;

/// A board as two masks in one word: P (grey or blue) in bits 25-49, Q (grey or green)
/// in bits 0-24. Square s = 5 * row + column has bit s. The word is also the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Masks(pub u64);

impl Masks {
    /// The board with these blocks; the masks must not overlap or cover the hole.
    pub fn new(grey: u32, blue: u32, green: u32) -> Self {
        Self(u64::from(grey | blue) << SQUARES | u64::from(grey | green))
    }

    /// Squares with a grey or blue block.
    #[inline]
    pub fn p(self) -> u32 {
        (self.0 >> SQUARES) as u32 & BOARD
    }

    /// Squares with a grey or green block.
    #[inline]
    pub fn q(self) -> u32 {
        self.0 as u32 & BOARD
    }

    /// Squares with a grey block.
    #[inline]
    pub fn grey(self) -> u32 {
        self.p() & self.q()
    }

    /// Squares with a blue block.
    #[inline]
    pub fn blue(self) -> u32 {
        self.p() & !self.q()
    }

    /// Squares with a green block.
    #[inline]
    pub fn green(self) -> u32 {
        self.q() & !self.p()
    }
}

/// Variant `bitboard`, opened on an instance.
pub struct Bits {
    instance: Instance,
    tables: &'static Tables,
    numbering: Ranks,
    scratch: Mutex<Vec<sweep::Scratch>>,
}

impl Bits {
    /// The board after a tilt; `None` if a blue block falls. Five loads and ORs,
    /// after gathering five line patterns.
    #[inline]
    pub fn tilt(&self, state: Masks, direction: Tilt) -> Option<Masks> {
        let (way, lines) = self.tables.lines(state, direction);
        let next = way.slide(&lines);
        (next != ILLEGAL).then_some(Masks(next))
    }
}

impl Puzzle for Bits {
    type Key = u64;
    type State = Masks;

    const VARIANT: &'static str = "bitboard";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let instance = instances::open(request)?;
        Ok(Self {
            numbering: Ranks::new(&instance),
            tables: Tables::shared(),
            scratch: Mutex::default(),
            instance,
        })
    }

    fn starts(&self, emit: &mut dyn FnMut(Masks)) {
        if let Some(start) = self.instance.start() {
            emit(Masks(board::key(&start)));
        }
    }

    fn successors(&self, state: &Masks, emit: &mut dyn FnMut(Masks)) {
        for next in self.tables.tilts(*state) {
            if next != ILLEGAL && next != state.0 {
                emit(Masks(next));
            }
        }
    }

    fn is_solved(&self, state: &Masks) -> bool {
        state.green() == 0
    }

    fn key(&self, state: &Masks) -> u64 {
        state.0
    }

    fn state(&self, key: u64) -> Masks {
        Masks(key)
    }

    fn parse(&self, text: &str) -> Result<Masks, BadInput> {
        Ok(Masks(board::key(&self.instance.parse(text)?)))
    }

    fn draw(&self, state: &Masks) -> String {
        board::draw(&board::from_key(state.0))
    }
}

impl SolvedStates for Bits {
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Masks)) {
        self.numbering.solved(part, emit);
    }
}

impl Predecessors for Bits {
    fn predecessors(&self, state: &Masks, emit: &mut dyn FnMut(Masks)) {
        let most = self.instance.limits().green.max;
        for direction in Tilt::ALL {
            self.tables.origins(*state, direction, most, emit);
        }
    }
}

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        8
    }

    fn image(&self, state: &Masks, index: u32) -> Masks {
        Masks(symmetry::image(state.0, index))
    }

    /// The image with the smallest grey mask; among those, with the smallest key.
    fn canonical(&self, state: &Masks) -> Masks {
        Masks(symmetry::canonical(state.0))
    }

    fn orbit_size(&self, state: &Masks) -> u32 {
        symmetry::orbit_size(state.0)
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        self.numbering.space(part)
    }

    fn place(&self, state: &Masks) -> Option<Placement> {
        self.numbering.place(*state)
    }

    fn unrank(&self, placement: Placement) -> Option<Masks> {
        self.numbering.unrank(placement)
    }

    fn part_count(&self) -> u64 {
        self.numbering.parts().len() as u64
    }

    fn part_name(&self, part: u64) -> String {
        match self.numbering.parts().get(part as usize) {
            Some(&grey) => board::draw(&board::grey_board(grey)),
            None => part.to_string(),
        }
    }
}

impl RandomStates for Bits {
    fn random(&self, random: &mut Xorshift) -> Option<Masks> {
        let board = sample::random_board(&self.instance, random);
        Some(Masks(board::key(&board)))
    }
}

impl Sweep for Bits {
    fn sweeps(&self, way: Direction, from: Option<&Masks>) -> Option<u64> {
        let own = way == Direction::Backward && from.is_none();
        let few = self.instance.limits().green.max <= sweep::MAX_GREEN;
        (own && few).then_some(0)
    }

    fn sweep(
        &self,
        _: Direction,
        _: Option<&Masks>,
        part: u64,
        _: &[Masks],
        emit: &mut dyn FnMut(Swept<'_, u64>) -> bool,
    ) {
        let Some(&grey) = self.numbering.parts().get(part as usize) else {
            return;
        };
        let limits = self.instance.limits();
        // Buffers are passed from part to part: making them costs as much as a small part.
        let mut scratch = self
            .scratch
            .lock()
            .map_or_else(|_| None, |mut free| free.pop());
        let scratch_used = scratch.get_or_insert_default();
        sweep::sweep_part(
            grey,
            &limits,
            scratch_used,
            &mut |keys, depths, orbit_size| {
                emit(Swept {
                    keys,
                    depths,
                    orbit_size,
                })
            },
        );
        if let (Ok(mut free), Some(scratch)) = (self.scratch.lock(), scratch) {
            free.push(scratch);
        }
    }
}

impl Names for Bits {
    fn describe_move(&self, from: &Masks, to: &Masks) -> Option<String> {
        Tilt::ALL
            .into_iter()
            .find(|&direction| self.tilt(*from, direction) == Some(*to))
            .map(|direction| direction.name().to_owned())
    }
}
