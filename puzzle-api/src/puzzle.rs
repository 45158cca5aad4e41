//! The one trait that a puzzle implements, and the small types around it.

use std::collections::BTreeMap;
use std::ops::BitOr;

use crate::Key;

/// Distance of a state from which no solved state can be reached.
pub const UNSOLVABLE: u16 = u16::MAX;

/// Input that a puzzle cannot take: one line that names the place and the mend.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(pub String);

impl BadInput {
    /// Wraps a line of text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

/// Settings of an instance, as given by `--set KEY=VALUE`.
pub type Settings = BTreeMap<String, String>;

/// Which instance to open, with which settings.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Name of the instance, without the puzzle's name (`box`, `card-7`).
    pub instance: &'a str,
    /// Settings; an unknown one must be refused.
    pub settings: &'a Settings,
}

/// One concrete state graph that a puzzle offers by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstanceInfo {
    /// Name, unique within the puzzle.
    pub name: String,
    /// One line for `antipode list`.
    pub summary: String,
}

/// A setting that instances of a puzzle take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingInfo {
    /// Name of the key in `--set KEY=VALUE`.
    pub key: String,
    /// One line: form of the value, its range and its default.
    pub summary: String,
}

/// What a puzzle says of itself before anything is opened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// Name, as in `NAME/INSTANCE`: lower case, digits and hyphens.
    pub name: String,
    /// Version of the implementation.
    pub version: String,
    /// One line for `antipode list`.
    pub summary: String,
    /// Instances by name.
    pub instances: Vec<InstanceInfo>,
    /// Settings that instances take.
    pub settings: Vec<SettingInfo>,
    /// How to draw a board as a picture: one line a symbol, `SYMBOL SHAPE COLOUR NAME`
    /// (`# block #6b6f76 grey block`). Empty: pictures fall back to text.
    pub legend: String,
    /// Published claims about the puzzle, as TOML. Empty: nothing to certify.
    pub claims: String,
}

/// Which way a search walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the start states along successors.
    Forward,
    /// From the solved states along predecessors (retrograde analysis).
    Backward,
}

/// How much work a derivation may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Seconds.
    Quick,
    /// As long as the exact answer takes.
    Full,
}

/// A named result of [`Puzzle::derive`]. The figure named `value` is the one that a
/// claim is compared with; the others are printed beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Name of the figure.
    pub name: String,
    /// Value as text; numbers in plain decimal.
    pub value: String,
}

impl Figure {
    /// A figure from anything that prints.
    pub fn new(name: impl Into<String>, value: impl ToString) -> Self {
        Self {
            name: name.into(),
            value: value.to_string(),
        }
    }
}

/// Where a state lies in the puzzle's dense numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Placement {
    /// Independent part of the state graph.
    pub part: u64,
    /// Rank within the part.
    pub rank: u64,
}

/// A batch of states whose distances are final, from [`Puzzle::sweep`].
#[derive(Debug, Clone, Copy)]
pub struct Swept<'a, K> {
    /// Canonical keys.
    pub keys: &'a [K],
    /// Distance of each, or [`UNSOLVABLE`].
    pub depths: &'a [u16],
    /// Number of states in the orbit of each.
    pub orbit_size: u32,
}

/// The optional methods that an implementation provides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Capabilities(pub u64);

impl Capabilities {
    /// Nothing beyond the required methods.
    pub const NONE: Self = Self(0);
    /// [`Puzzle::roots`] lists every solved state of a part for [`Direction::Backward`].
    pub const SOLVED_ROOTS: Self = Self(1);
    /// [`Puzzle::predecessors`].
    pub const PREDECESSORS: Self = Self(1 << 1);
    /// [`Puzzle::canonical`] and [`Puzzle::image`].
    pub const SYMMETRY: Self = Self(1 << 2);
    /// [`Puzzle::part_count`] and [`Puzzle::place`] give more than one part.
    pub const PARTS: Self = Self(1 << 3);
    /// [`Puzzle::space`], [`Puzzle::place`] and [`Puzzle::unrank`].
    pub const RANK: Self = Self(1 << 4);
    /// [`Puzzle::bucket`].
    pub const BUCKET: Self = Self(1 << 5);
    /// [`Puzzle::random`].
    pub const RANDOM: Self = Self(1 << 6);
    /// [`Puzzle::sweep`].
    pub const SWEEP: Self = Self(1 << 7);
    /// [`Puzzle::describe_move`].
    pub const MOVE_NAMES: Self = Self(1 << 8);
    /// Every path to a state has the same length, so a level can only repeat itself.
    pub const LAYERED: Self = Self(1 << 9);
    /// Every move can be undone by one move, so a successor of level n lies in n-1, n or n+1.
    pub const UNDIRECTED: Self = Self(1 << 10);
    /// [`Puzzle::reversed`].
    pub const REVERSIBLE: Self = Self(1 << 11);
    /// [`Puzzle::order`].
    pub const ORDER: Self = Self(1 << 12);
    /// [`Puzzle::measure`].
    pub const MEASURE: Self = Self(1 << 13);
    /// [`Puzzle::neighbour_ranks`].
    pub const NEIGHBOUR_RANKS: Self = Self(1 << 14);

    /// Whether all bits of `other` are set.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Capabilities {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A small generator of random words for [`Puzzle::random`] (xorshift64* seeded
/// through splitmix64). Fixed here so that a printed seed means the same
/// everywhere; not for cryptography.
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
}

/// One variant of a puzzle, opened on one instance: a finite directed graph of
/// states, some of them solved.
///
/// All methods must be pure: the same arguments give the same results on every
/// thread and in every batch. `antipode test-plugin` checks this and everything
/// else that is said here.
pub trait Puzzle: Sized + Send + Sync + 'static {
    /// Packed form of a state.
    type Key: Key;
    /// Working form of a state.
    type State: Clone;

    /// Name of this variant. Variant `reference` is the literal rulebook and the
    /// yardstick of every check; a puzzle with one variant calls it that.
    const VARIANT: &'static str = "reference";

    /// Whether the puzzle has [`Puzzle::neighbour_keys`], for states that are taken apart
    /// faster side by side than one by one.
    const BATCHES: bool = false;

    // ---- required -------------------------------------------------------

    /// Name, instances and settings; the same for all variants of a puzzle.
    fn about() -> About;

    /// Opens an instance.
    ///
    /// # Errors
    /// An unknown instance or setting, or a value out of range: one line that names
    /// it and says what is allowed.
    fn open(request: &Request<'_>) -> Result<Self, BadInput>;

    /// Lists the states a search starts from: [`Direction::Forward`] the start
    /// states (none for an instance without a start), [`Direction::Backward`] every
    /// solved state of `part` (nothing, and no [`Capabilities::SOLVED_ROOTS`], where
    /// they cannot be listed).
    fn roots(&self, direction: Direction, part: u64, emit: &mut dyn FnMut(Self::State));

    /// Lists the states that one move leads to. A move that changes nothing may be
    /// listed or not; a state may be listed more than once.
    fn successors(&self, state: &Self::State, emit: &mut dyn FnMut(Self::State));

    /// Whether the state is solved.
    fn is_solved(&self, state: &Self::State) -> bool;

    /// Packs a state. Different states have different keys.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// Unpacks a key that [`Puzzle::key`] made.
    fn state(&self, key: Self::Key) -> Self::State;

    /// Reads a state from text: rows joined by `/`, or the name of a state.
    ///
    /// # Errors
    /// Anything that is no state of this instance, in one line.
    fn parse(&self, text: &str) -> Result<Self::State, BadInput>;

    /// Writes a state as rows joined by `/`; [`Puzzle::parse`] reads it back.
    fn draw(&self, state: &Self::State) -> String;

    // ---- optional -------------------------------------------------------

    /// Which of the methods below this instance provides.
    fn capabilities(&self) -> Capabilities {
        Capabilities::NONE
    }

    /// Lists the states that have `state` among their successors.
    ///
    /// Without it, retrograde analysis runs on a stored forward graph, which needs
    /// [`Puzzle::unrank`] and memory for every edge.
    fn predecessors(&self, _state: &Self::State, _emit: &mut dyn FnMut(Self::State)) {}

    /// Number of board symmetries, the identity included. All of them must keep
    /// distances: they map moves to moves and solved states to solved states.
    fn symmetry_count(&self) -> u32 {
        1
    }

    /// The image of a state under symmetry `index` in `0..symmetry_count()`; index 0
    /// is the identity. Without it there is no symmetry reduction: `orbits` equals
    /// `states`.
    fn image(&self, state: &Self::State, _index: u32) -> Self::State {
        state.clone()
    }

    /// The representative of the state's orbit: any fixed choice among its images.
    /// The fallback takes the image with the smallest key.
    fn canonical(&self, state: &Self::State) -> Self::State {
        let images = (0..self.symmetry_count()).map(|i| self.image(state, i));
        images
            .min_by_key(|image| self.key(image))
            .unwrap_or_else(|| state.clone())
    }

    /// Number of different images of the state. The fallback counts them.
    fn orbit_size(&self, state: &Self::State) -> u32 {
        let mut keys: Vec<_> = (0..self.symmetry_count())
            .map(|i| self.key(&self.image(state, i)))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len() as u32
    }

    /// Number of independent parts: no move leads from one to another, and every
    /// orbit has a state in exactly one. Without parts a search holds the whole
    /// instance at once.
    fn part_count(&self) -> u64 {
        1
    }

    /// One line that names a part, for progress and reports.
    fn part_name(&self, part: u64) -> String {
        part.to_string()
    }

    /// Number of ranks of a part, with [`Capabilities::RANK`]. Every rank of a part
    /// is a state, moves stay within the ranks of a part, and every orbit of the
    /// part has at least one rank. Without it there is no `dense` engine and no
    /// table row for unsolvable states.
    fn space(&self, _part: u64) -> Option<u64> {
        None
    }

    /// Part and rank of a state that lies within the numbering (the canonical form
    /// always does); `None` for one that does not.
    fn place(&self, _state: &Self::State) -> Option<Placement> {
        None
    }

    /// The state with a given rank; `rank < space(part)`.
    fn unrank(&self, _placement: Placement) -> Option<Self::State> {
        None
    }

    /// Appends to `out` the ranks of all successors (forward) or predecessors (backward) of
    /// the states with the given ranks of a part: what [`Puzzle::unrank`],
    /// [`Puzzle::successors`] or [`Puzzle::predecessors`] and [`Puzzle::place`] give one
    /// after the other, in any order, for puzzles whose neighbours all lie within the
    /// numbering. Without it, those three do the work, each writing states to memory that
    /// the next reads.
    fn neighbour_ranks(
        &self,
        _direction: Direction,
        _part: u64,
        _ranks: &[u64],
        _out: &mut Vec<u64>,
    ) {
    }

    /// With [`Puzzle::BATCHES`]: appends to `out` the keys of all successors (forward) or
    /// predecessors (backward) of the states with the given keys, one state after the
    /// other, and to `ends`, for each, the length of `out` behind its last. What
    /// [`Puzzle::state`], [`Puzzle::successors`] or [`Puzzle::predecessors`] and
    /// [`Puzzle::key`] give, in any order.
    fn neighbour_keys(
        &self,
        _direction: Direction,
        _keys: &[Self::Key],
        _out: &mut Vec<Self::Key>,
        _ends: &mut Vec<usize>,
    ) {
    }

    /// A number that neighbouring states tend to share, for the locality of an engine
    /// on disk. Without it, states are spread uniformly by hash.
    fn bucket(&self, _state: &Self::State) -> u64 {
        0
    }

    /// A state drawn uniformly from all states of the instance (not from orbits).
    /// Without it, samples are drawn by rank, and without ranks there is no
    /// inclusiveness check.
    fn random(&self, _random: &mut Xorshift) -> Option<Self::State> {
        None
    }

    /// A specialised inner loop: the distance to the nearest solved state of every
    /// orbit of a part, each canonical state exactly once, in batches of a few
    /// thousand; stops when `emit` returns false. Without it there is no `sweep`
    /// engine and the general engines do the work.
    fn sweep(&self, _part: u64, _emit: &mut dyn FnMut(Swept<'_, Self::Key>) -> bool) {}

    /// What a player would call the move between two neighbouring states ("left").
    fn describe_move(&self, _from: &Self::State, _to: &Self::State) -> Option<String> {
        None
    }

    /// Names that [`Puzzle::parse`] takes for states of this instance, in the order they
    /// are shown in. Without them, searches over all pairs of named states have
    /// nothing to start from.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    /// An involution that turns every move round: `t` is a successor of `s` exactly where
    /// `reversed(s)` is a successor of `reversed(t)`. In peg solitaire it is the complement:
    /// a jump played backward is a jump of the holes. Without it, a search from the goal
    /// cannot be read off a search from a start.
    fn reversed(&self, state: &Self::State) -> Self::State {
        state.clone()
    }

    /// How promising a state looks to a depth-first search that wants to solve it: among
    /// the successors of a state, the smaller is tried first. A guess, with no bearing on
    /// what is found to be true. Without it, successors are tried as they come.
    fn order(&self, _state: &Self::State) -> u64 {
        0
    }

    /// What is to be as small as possible where a line of moves ends, such as the pegs
    /// left. Without it there is no search for the fewest.
    fn measure(&self, _state: &Self::State) -> u64 {
        0
    }

    /// A proof, found without a search, that no path leads from one state to another
    /// (`None`: to any solved state): a line of reason, then lines of whatever a reader
    /// needs to check it. `None` where no proof was found, which says nothing. Without it,
    /// only a complete search shows that there is no path.
    fn refute(&self, _from: &Self::State, _to: Option<&Self::State>) -> Option<String> {
        None
    }

    /// A derivation of the puzzle's own that a claim of kind `derived` refers to:
    /// counts, printed constants, anything that is not a search. One figure is named
    /// `value`; a figure named `explanation` is printed as prose.
    ///
    /// # Errors
    /// An unknown name, or parameters that do not fit.
    fn derive(
        _what: &str,
        _parameters: &Settings,
        _effort: Effort,
    ) -> Result<Vec<Figure>, BadInput> {
        Err(BadInput::new("this puzzle derives nothing of its own"))
    }
}
