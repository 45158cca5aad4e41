//! The fast twin of the rulebook, variant `bitboard`. A board is two masks in one word, a tilt is
//! five table look-ups, and predecessors are Cartesian products of lines (thesis, sections 3.2 and
//! 3.4.1).

mod numbering;
pub(crate) mod tables;

use std::sync::Mutex;

use puzzle_api::{
    BadInput, Direction, Fast, Numbering, Placement, Predecessors, Sweep, Swept, Symmetry,
};

use crate::board::{self, SQUARES};
use crate::rules::{Rules, Tilt};
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
    rules: Rules,
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

impl Fast for Bits {
    type Rules = Rules;

    fn new(rules: Rules) -> Result<Self, BadInput> {
        Ok(Self {
            numbering: Ranks::new(&rules.instance),
            tables: Tables::shared(),
            scratch: Mutex::default(),
            rules,
        })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    #[inline]
    fn each_neighbour(&self, way: Direction, key: u64, mut emit: impl FnMut(u64)) {
        match way {
            Direction::Forward => {
                let tilts = self.tables.tilts(Masks(key)).into_iter();
                let moves = tilts.filter(|&next| next != ILLEGAL && next != key);
                moves.for_each(emit);
            }
            Direction::Backward => {
                let most = self.rules.instance.limits().green.max;
                for direction in Tilt::ALL {
                    let emit = |origin: Masks| emit(origin.0);
                    self.tables.origins(Masks(key), direction, most, emit);
                }
            }
        }
    }

    fn solves(&self, key: u64) -> bool {
        Masks(key).green() == 0
    }
}

impl Predecessors for Bits {
    fn predecessors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        self.each_neighbour(Direction::Backward, *state, emit);
    }
}

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        8
    }

    fn image(&self, state: &u64, index: u32) -> u64 {
        symmetry::image(*state, index)
    }

    /// The image with the smallest grey mask; among those, with the smallest key.
    fn canonical(&self, state: &u64) -> u64 {
        symmetry::canonical(*state)
    }

    fn orbit_size(&self, state: &u64) -> u32 {
        symmetry::orbit_size(*state)
    }
}

impl Numbering for Bits {
    fn space(&self, part: u64) -> Option<u64> {
        self.numbering.space(part)
    }

    fn place(&self, state: &u64) -> Option<Placement> {
        self.numbering.place(Masks(*state))
    }

    fn unrank(&self, placement: Placement) -> Option<u64> {
        Some(self.numbering.unrank(placement)?.0)
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

impl Sweep for Bits {
    fn sweeps(&self, way: Direction, from: Option<&u64>) -> Option<u64> {
        let own = way == Direction::Backward && from.is_none();
        let few = self.rules.instance.limits().green.max <= sweep::MAX_GREEN;
        (own && few).then_some(0)
    }

    fn sweep(
        &self,
        _: Direction,
        _: Option<&u64>,
        part: u64,
        _: &[u64],
        emit: &mut dyn FnMut(Swept<'_, u64>) -> bool,
    ) {
        let Some(&grey) = self.numbering.parts().get(part as usize) else {
            return;
        };
        let limits = self.rules.instance.limits();
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
