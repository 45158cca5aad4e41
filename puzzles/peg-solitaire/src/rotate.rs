//! The layout of the published solver, variant `rotate`: a step on the board is a
//! rotation of a word of 64 bits, and all jumps of one direction are found at once. The
//! article, sections "Bit-Boards" and "Move Generation".

pub mod layout;

use std::sync::OnceLock;

use puzzle_api::{
    BadInput, Layered, LowerBound, MoveNames, MoveOrder, NamedStates, Objective, Predecessors,
    Puzzle, RandomStates, Refute, Request, SolvedStates, Symmetry, TimeReversal, Xorshift,
};

use crate::bitboard::{Order, Symmetries};
use crate::bound::Bound;
use crate::instances::{self, Instance};

pub use layout::Layout;

/// The bits of a word, moved by a table for each of its eight bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shuffle(Vec<u64>);

impl Shuffle {
    /// Moves bit `from` to bit `to` for every pair, and drops the others.
    fn new(pairs: &[(u32, u32)]) -> Self {
        let moved = |at: usize| {
            let set = pairs.iter().filter(|&&(from, _)| {
                from as usize / 8 == at / 256 && ((at % 256) >> (from % 8)) & 1 == 1
            });
            set.fold(0, |word, &(_, to)| word | 1 << to)
        };
        Self((0..8 * 256).map(moved).collect())
    }

    #[inline]
    fn apply(&self, word: u64) -> u64 {
        let bytes = word.to_le_bytes().into_iter().zip(self.0.chunks_exact(256));
        bytes.fold(0, |moved, (byte, table)| moved | table[usize::from(byte)])
    }
}

/// Variant `rotate`, opened on an instance. A state is a word in the board's
/// [`Layout`]; the key is in scanning order, as in every variant.
pub struct Rotate {
    instance: Instance,
    layout: Layout,
    symmetries: Symmetries,
    order: Order,
    /// Made when it is first asked for: most searches never do.
    bound: OnceLock<Bound>,
    to_layout: Shuffle,
    to_key: Shuffle,
}

impl Rotate {
    /// The layout of the board.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }
}

impl Puzzle for Rotate {
    type Key = u64;
    type State = u64;

    const VARIANT: &'static str = "rotate";

    fn open(request: &Request<'_>) -> Result<Self, BadInput> {
        let instance = instances::open(request)?;
        let board = instance.board();
        let Some(layout) = Layout::find(board) else {
            return Err(BadInput::new(format!(
                "{} has no layout in which steps are rotations of 64 bits and every jump stays \
                 on the board: use --variant bitboard",
                board.name()
            )));
        };
        let pairs: Vec<(u32, u32)> = (0..).zip(layout.bits().iter().copied()).collect();
        let back: Vec<(u32, u32)> = pairs.iter().map(|&(hole, bit)| (bit, hole)).collect();
        Ok(Self {
            order: Order::new(board),
            bound: OnceLock::new(),
            symmetries: Symmetries::new(board.len(), instance.symmetries()),
            to_layout: Shuffle::new(&pairs),
            to_key: Shuffle::new(&back),
            layout,
            instance,
        })
    }

    fn starts(&self, emit: &mut dyn FnMut(u64)) {
        emit(self.state(self.instance.start()));
    }

    fn successors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        for way in self.layout.ways() {
            let mut left = self.layout.landings(*state, way);
            while left != 0 {
                let landing = layout::lowest(left);
                emit(layout::jump(*state, landing, way));
                left ^= landing;
            }
        }
    }

    fn is_solved(&self, state: &u64) -> bool {
        state.is_power_of_two() && self.instance.is_solved(self.key(state))
    }

    fn key(&self, state: &u64) -> u64 {
        self.to_key.apply(*state)
    }

    fn state(&self, key: u64) -> u64 {
        self.to_layout.apply(key)
    }

    fn parse(&self, text: &str) -> Result<u64, BadInput> {
        Ok(self.state(self.instance.parse(text)?))
    }

    fn draw(&self, state: &u64) -> String {
        self.instance.draw(self.key(state))
    }
}

impl SolvedStates for Rotate {
    fn solved_states(&self, _part: u64, emit: &mut dyn FnMut(u64)) {
        let solved = self.instance.solved();
        solved.map(|key| self.state(key)).for_each(emit);
    }
}

impl Predecessors for Rotate {
    /// Jumps of the empty holes.
    fn predecessors(&self, state: &u64, emit: &mut dyn FnMut(u64)) {
        let board = self.layout.board();
        self.successors(&(board ^ state), &mut |next| emit(board ^ next));
    }
}

impl Symmetry for Rotate {
    fn symmetry_count(&self) -> u32 {
        self.instance.symmetries().len() as u32
    }

    fn image(&self, state: &u64, index: u32) -> u64 {
        self.state(self.symmetries.image(self.key(state), index))
    }

    fn canonical(&self, state: &u64) -> u64 {
        self.state(self.symmetries.canonical(self.key(state)))
    }

    fn orbit_size(&self, state: &u64) -> u32 {
        self.symmetries.orbit_size(self.key(state))
    }
}

impl RandomStates for Rotate {
    fn random(&self, random: &mut Xorshift) -> Option<u64> {
        Some(self.state(self.instance.random(random)))
    }
}

impl MoveNames for Rotate {
    fn describe_move(&self, from: &u64, to: &u64) -> Option<String> {
        self.instance.describe(self.key(from), self.key(to))
    }
}

impl NamedStates for Rotate {
    fn names(&self) -> Vec<String> {
        self.instance.names()
    }
}

impl TimeReversal for Rotate {
    /// The complement: a jump undone is the same jump of the empty holes.
    fn time_reversal(&self, state: &u64) -> u64 {
        self.layout.board() ^ state
    }
}

impl MoveOrder for Rotate {
    fn move_order(&self, state: &u64) -> u64 {
        let ways = self.layout.ways().into_iter();
        let jumps = ways.map(|way| self.layout.landings(*state, way).count_ones());
        self.order.of(self.key(state), jumps.sum())
    }
}

impl Objective for Rotate {
    fn objective(&self, state: &u64) -> u64 {
        state.count_ones().into()
    }
}

impl LowerBound for Rotate {
    fn lower_bound(&self, state: &u64) -> u64 {
        let bound = self.bound.get_or_init(|| Bound::new(&self.instance));
        bound.of(self.key(state))
    }
}

impl Refute for Rotate {
    fn refute(&self, from: &u64, to: Option<&u64>) -> Option<String> {
        let to = to.map(|to| self.key(to));
        self.instance.refute(self.key(from), to)
    }
}

/// Every jump takes one peg off.
impl Layered for Rotate {}
