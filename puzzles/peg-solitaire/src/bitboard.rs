//! The fast twin of the rulebook, variant `bitboard`. A position is its key, two shifts find all
//! jumps over the holes of a group at once, and symmetries are tables.

mod jumps;
mod orbits;
mod order;
mod pruned;
pub mod symmetry;

use std::sync::OnceLock;

use puzzle_api::{
    BadInput, Direction, Fast, Form, Hint, Hints, Layered, LowerBound, Neighbours, Objective,
    Predecessors, Symmetry, Want,
};

use crate::bound::Bound;
use crate::rules::Rules;

pub use jumps::Jumps;
pub use orbits::Orbits;
pub use order::Order;
pub use pruned::Pruned;
pub use symmetry::Symmetries;

/// Variant `bitboard`, opened on an instance. A state is its key: bit n is set if
/// hole n, in scanning order, has a peg.
pub struct Bits {
    rules: Rules,
    jumps: Jumps,
    symmetries: Symmetries,
    orbits: Orbits,
    order: Order,
    /// Built on first use: most searches never need it.
    bound: OnceLock<Bound>,
    pruned: OnceLock<Pruned>,
}

impl Fast for Bits {
    type Rules = Rules;

    fn new(rules: Rules) -> Result<Self, BadInput> {
        let instance = &rules.instance;
        let jumps = Jumps::new(&instance.board);
        let symmetries = Symmetries::new(instance.board.len(), &instance.symmetries);
        Ok(Self {
            orbits: Orbits::new(&jumps, &symmetries),
            jumps,
            order: Order::new(&instance.board),
            symmetries,
            bound: OnceLock::new(),
            pruned: OnceLock::new(),
            rules,
        })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    #[inline]
    fn each_neighbour(&self, way: Direction, key: u64, mut emit: impl FnMut(u64)) {
        self.jumps.each(key, way, &mut emit);
    }

    fn solves(&self, key: u64) -> bool {
        self.rules.instance.is_solved(key)
    }

    fn lists(&self, form: Form) -> bool {
        form != Form::Unused
    }

    fn list(&self, want: Want, keys: &[u64], out: &mut Neighbours<u64>) {
        let (way, jumps, symmetries) = (want.direction, &self.jumps, &self.symmetries);
        match want.form {
            Form::All | Form::Unused => {
                for &key in keys {
                    jumps.extend(key, way, &mut out.keys);
                    out.end();
                }
            }
            Form::Orbits => {
                let board = (jumps, symmetries);
                self.orbits
                    .extend(board, keys, way, &mut out.keys, &mut out.ends);
            }
            Form::Pruned => {
                let (bound, holes) = (self.bound(), self.rules.instance.board.len());
                let pruned = || Pruned::new(jumps, symmetries, bound, holes);
                let pruned = self.pruned.get_or_init(pruned);
                let board = (jumps, symmetries, &self.orbits, bound);
                pruned.extend(board, keys, way, &mut out.keys, &mut out.ends);
            }
        }
    }
}

impl Predecessors for Bits {
    fn predecessors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        self.jumps.each(*state, Direction::Backward, emit);
    }
}

impl Symmetry for Bits {
    fn symmetry_count(&self) -> u32 {
        self.rules.instance.symmetries.len() as u32
    }

    fn image(&self, state: &u64, index: u32) -> u64 {
        self.symmetries.image(*state, index)
    }

    fn canonical(&self, state: &u64) -> u64 {
        self.symmetries.canonical(*state)
    }

    fn orbit_size(&self, state: &u64) -> u32 {
        self.symmetries.orbit_size(*state)
    }

    /// Both from the same images.
    fn canonical_and_size(&self, state: &u64) -> (u64, u32) {
        self.symmetries.canonical_and_size(*state)
    }
}

impl Hints for Bits {
    fn has_hint(&self, hint: Hint) -> bool {
        hint == Hint::MoveOrder
    }

    fn hint(&self, _: Hint, states: &[u64], out: &mut Vec<u64>) {
        let of = |&state: &u64| self.order.of(state, self.jumps.count(state));
        out.extend(states.iter().map(of));
    }
}

impl Objective for Bits {
    fn objective(&self, state: &u64) -> u64 {
        state.count_ones().into()
    }
}

impl Bits {
    fn bound(&self) -> &Bound {
        self.bound.get_or_init(|| Bound::new(&self.rules.instance))
    }
}

impl LowerBound for Bits {
    fn lower_bound(&self, state: &u64) -> u64 {
        self.bound().of(*state)
    }
}

/// Every jump removes one peg.
impl Layered for Bits {
    /// The complement: a jump undone is the same jump of the empty holes.
    fn time_reversal(&self) -> Option<fn(&Self, &u64) -> u64> {
        Some(|bits, state| bits.rules.instance.board.full() ^ state)
    }
}

/// Fills a table with a value for each pattern of pegs on a run of holes; the first is given.
/// `with` computes a value from that of the pattern without its highest hole, and from this hole.
fn fill<T: Copy>(run: &mut [T], with: impl Fn(T, usize) -> T) {
    for hole in 0..run.len().ilog2() as usize {
        let (all_without, all_with) = run.split_at_mut(1 << hole);
        for (pattern, &without) in all_with.iter_mut().zip(&*all_without) {
            *pattern = with(without, hole);
        }
    }
}
