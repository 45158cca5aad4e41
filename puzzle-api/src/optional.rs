//! Optional features of an implementation beyond its rules: one trait per idea.
//!
//! To implement one is to offer it; there is no list to keep. Each says what is lost without it. If
//! only some instances of a puzzle have a feature, the trait's own method says so when called.

use crate::{Direction, Puzzle, Xorshift};

/// Solved states that can be listed: retrograde analysis starts from them.
///
/// ```
/// # mod jugs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/jugs.rs")); }
/// # use {jugs::Jugs, puzzle_api::*};
/// impl SolvedStates for Jugs {
///     fn solved_states(&self, _part: u64, emit: &mut dyn FnMut([u64; 2])) {
///         (0..4).for_each(|b| emit([4, b]));
///     }
/// }
/// ```
pub trait SolvedStates: Puzzle {
    /// Lists every solved state of `part` (0 for a puzzle without parts).
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Self::State));

    /// Whether this instance can list them; if it cannot, it is searched forward alone.
    fn lists_solved_states(&self) -> bool {
        true
    }
}

/// Moves backward. Without it, retrograde analysis runs on a stored forward graph, which
/// needs [`Numbering`] and memory for every edge.
///
/// ```
/// # mod jugs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/jugs.rs")); }
/// # use {jugs::Jugs, puzzle_api::*};
/// impl Predecessors for Jugs {
///     fn predecessors(&self, state: &[u64; 2], emit: &mut dyn FnMut([u64; 2])) {
///         // A puzzle of many states finds them from this one.
///         for from in (0..24).map(|key| self.state(key)) {
///             self.successors(&from, &mut |to| {
///                 if to == *state {
///                     emit(from);
///                 }
///             });
///         }
///     }
/// }
/// ```
pub trait Predecessors: Puzzle {
    /// Lists the states that have `state` among their successors.
    fn predecessors(&self, state: &Self::State, emit: &mut dyn FnMut(Self::State));
}

/// Every move can be undone by one move, so a successor of level n lies in n-1, n or n+1, and few
/// levels have to be held. Such a puzzle has [`Predecessors`] without further code, and is its own
/// time reversal.
pub trait Undirected: Puzzle {}

impl<P: Undirected> Predecessors for P {
    fn predecessors(&self, state: &Self::State, emit: &mut dyn FnMut(Self::State)) {
        self.successors(state, emit);
    }
}

/// Every path to a state has the same length, so a level can only repeat itself. Without
/// it, a search looks for repetitions everywhere.
pub trait Layered: Puzzle {
    /// An involution that reverses every move: `t` is a successor of `s` exactly if the image of
    /// `s` is a successor of the image of `t`. In peg solitaire it is the complement: a jump in
    /// reverse is a jump of the holes. Without it, a search from the goal cannot be read off a
    /// search from a start.
    #[allow(clippy::type_complexity)]
    fn time_reversal(&self) -> Option<fn(&Self, &Self::State) -> Self::State> {
        None
    }
}

/// Symmetries of the board. Without them, or if an instance has only the identity, there is no
/// symmetry reduction: `orbits` equals `states`.
pub trait Symmetry: Puzzle {
    /// Number of symmetries of this instance, the identity included. All of them must keep
    /// distances: they map moves to moves and solved states to solved states.
    fn symmetry_count(&self) -> u32;

    /// The image of a state under symmetry `index` in `0..symmetry_count()`; index 0
    /// is the identity.
    fn image(&self, state: &Self::State, index: u32) -> Self::State;

    /// The representative of the state's orbit: any fixed choice among its images.
    /// The fallback takes the image with the smallest key.
    fn canonical(&self, state: &Self::State) -> Self::State {
        // The first image is the state itself.
        let mut least = (self.key(state), state.clone());
        for index in 1..self.symmetry_count() {
            let image = self.image(state, index);
            let key = self.key(&image);
            if key < least.0 {
                least = (key, image);
            }
        }
        least.1
    }

    /// Number of different images of the state. The fallback counts the images that equal the
    /// state: every image occurs equally often.
    fn orbit_size(&self, state: &Self::State) -> u32 {
        let (key, count) = (self.key(state), self.symmetry_count());
        let kept = (1..count).filter(|&i| self.key(&self.image(state, i)) == key);
        count / (kept.count() as u32 + 1)
    }

    /// Representative and orbit size in one. The fallback calls one after the other.
    fn canonical_and_size(&self, state: &Self::State) -> (Self::State, u32) {
        (self.canonical(state), self.orbit_size(state))
    }

    /// Replaces each of some states by its representative, and writes the size of each orbit if
    /// requested. The fallback calls for one state after another; for puzzles that find several
    /// images in the time of one.
    fn canonical_all(&self, states: &mut [Self::State], orbit_sizes: Option<&mut [u32]>) {
        match orbit_sizes {
            None => {
                for state in states {
                    *state = self.canonical(state);
                }
            }
            Some(sizes) => {
                for (state, size) in states.iter_mut().zip(sizes) {
                    (*state, *size) = self.canonical_and_size(state);
                }
            }
        }
    }
}

/// The place of a state in the puzzle's dense numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Placement {
    /// Independent part of the state graph.
    pub part: u64,
    /// Rank within the part.
    pub rank: u64,
}

/// A dense numbering of the states. Without it there is no `dense` engine and no
/// table row for unsolvable states.
///
/// ```
/// # mod jugs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/jugs.rs")); }
/// # use {jugs::Jugs, puzzle_api::*};
/// impl Numbering for Jugs {
///     fn space(&self, _part: u64) -> Option<u64> {
///         Some(24)
///     }
///
///     fn place(&self, state: &[u64; 2]) -> Option<Placement> {
///         Some(Placement { part: 0, rank: self.key(state) })
///     }
///
///     fn unrank(&self, placement: Placement) -> Option<[u64; 2]> {
///         Some(self.state(placement.rank))
///     }
/// }
///
/// assert!((0..24).all(|rank| {
///     let placement = Placement { part: 0, rank };
///     Jugs.unrank(placement).and_then(|state| Jugs.place(&state)) == Some(placement)
/// }));
/// ```
pub trait Numbering: Puzzle {
    /// Number of ranks of a part; `None` if this instance has no numbering. Every rank
    /// of a part is a state, moves stay within the ranks of a part, and every orbit of the
    /// part has at least one rank.
    fn space(&self, part: u64) -> Option<u64>;

    /// Part and rank of a state within the numbering (the canonical form always is); `None` for
    /// another state.
    fn place(&self, state: &Self::State) -> Option<Placement>;

    /// The state with a given rank; `rank < space(part)`.
    fn unrank(&self, placement: Placement) -> Option<Self::State>;

    /// Number of independent parts, named by [`Numbering::place`]: no move leads from one part to
    /// another, all starts lie in one, every orbit has a state in exactly one, and all variants
    /// count the same. 0, the default, for an instance without parts; a search then holds the whole
    /// of it at once.
    fn part_count(&self) -> u64 {
        0
    }

    /// One line that names a part, for progress and reports.
    fn part_name(&self, part: u64) -> String {
        part.to_string()
    }

    /// Appends to `out` the ranks of all successors (forward) or predecessors (backward) of some
    /// states, given by their ranks in a part, in any order. Appends the key of each to `keys`, if
    /// requested. Returns false, the default, if the puzzle cannot do so. Then
    /// [`Numbering::unrank`], [`Puzzle::successors`] or [`Predecessors::predecessors`], and
    /// [`Numbering::place`] do the work one after another, about half as fast. For puzzles whose
    /// neighbours all have ranks.
    fn neighbour_ranks(
        &self,
        _direction: Direction,
        _part: u64,
        _ranks: &[u64],
        _keys: Option<&mut Vec<Self::Key>>,
        _out: &mut Vec<u64>,
    ) -> bool {
        false
    }
}

/// The form in which [`Expand::expand`] lists the neighbours of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// All of them, in any order.
    All,
    /// The representative ([`Symmetry::canonical`]) of each, in the order of [`Form::All`].
    Orbits,
    /// Like [`Form::Orbits`], without neighbours whose [`LowerBound::lower_bound`] is [`NEVER`];
    /// backward, without those whose [`Layered::time_reversal`] has that bound.
    Pruned,
    /// All except those reached by a move of a used group, for puzzles with [`Undirected`] moves
    /// (Korf's frontier search). Groups are numbered from 0 to 31, such as all moves of one piece.
    /// If a move leads from p to c, then all moves of the group that leads back lead from c to p or
    /// to a neighbour of p. A search on disk then generates half the neighbours and stores one
    /// level fewer.
    Unused,
}

/// The requested neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Want {
    /// Successors (forward) or predecessors (backward, only with [`Predecessors`]).
    pub direction: Direction,
    /// The form of the neighbours.
    pub form: Form,
}

impl Want {
    /// All neighbours in a direction.
    #[must_use]
    pub const fn all(direction: Direction) -> Self {
        let form = Form::All;
        Self { direction, form }
    }
}

/// Neighbours of a batch of states, one state after another.
#[derive(Debug, Clone)]
pub struct Neighbours<K> {
    /// Keys of the neighbours.
    pub keys: Vec<K>,
    /// For each state, the length of `keys` after its last neighbour.
    pub ends: Vec<usize>,
    /// In [`Form::Unused`], for each key, the bit of the group that has the move back.
    pub marks: Vec<u32>,
}

impl<K> Default for Neighbours<K> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            ends: Vec::new(),
            marks: Vec::new(),
        }
    }
}

impl<K> Neighbours<K> {
    /// Ends the list of one state.
    pub fn end(&mut self) {
        self.ends.push(self.keys.len());
    }
}

/// Neighbours of many states at once, for puzzles that find them faster than one by one. Without
/// it, [`Puzzle::successors`], [`Predecessors::predecessors`] and [`Symmetry::canonical_all`] are
/// called.
pub trait Expand: Puzzle {
    /// Most states of one call: enough to amortise its cost, and few enough to lose little when
    /// their neighbours no longer fit.
    const AT_ONCE: usize = 256;

    /// Whether this instance lists neighbours in this form; it must support [`Form::All`].
    fn expands(&self, want: Want) -> bool {
        want.form == Form::All
    }

    /// Appends the neighbours of the states with the given keys to `out`. In [`Form::Unused`],
    /// `used` holds a word for each state, whose bits are the groups to leave out; else it is
    /// empty.
    fn expand(&self, want: Want, keys: &[Self::Key], used: &[u32], out: &mut Neighbours<Self::Key>);

    /// The neighbours of some states, in any form except [`Form::Unused`].
    fn neighbours(&self, want: Want, keys: &[Self::Key]) -> Neighbours<Self::Key> {
        let mut out = Neighbours::default();
        self.expand(want, keys, &[], &mut out);
        out
    }
}

/// A number that a search may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hint {
    /// A number that neighbouring states tend to share: locality on disk. Without it, states are
    /// spread uniformly by hash.
    Bucket,
    /// How promising a state looks to a search that wants to solve it: among the successors of a
    /// state, the smaller is tried first. Without it, successors are tried in their listed order,
    /// and a beam chooses at random.
    MoveOrder,
    /// Diversity class: a beam keeps a bounded number of states of each. Without it, states with
    /// the same bucket and move order are one class.
    DiversityClass,
}

/// The number of features of an instance's states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureSpace {
    /// Settings: a feature may count differently in each. At least one.
    pub settings: u32,
    /// Different features.
    pub features: u32,
    /// Features of each state.
    pub each: u32,
}

/// Guesses that make a search faster or smaller and do not affect the truth of its results.
pub trait Hints: Puzzle {
    /// Whether this instance has a hint.
    fn has_hint(&self, hint: Hint) -> bool;

    /// Appends the number of each of some states; called for hints that the instance has.
    fn hint(&self, hint: Hint, states: &[Self::State], out: &mut Vec<u64>);

    /// The number of features, for a beam that learns from its own levels how far a state is from a
    /// goal. `None`, the default, if there are none; a beam then uses [`Hint::MoveOrder`] alone.
    fn feature_space(&self) -> Option<FeatureSpace> {
        None
    }

    /// Appends for each state its setting, such as the cell of the goal piece, and then its
    /// features, such as the contents of cells. All are numbers from 0, as many as the space says.
    fn features(&self, _states: &[Self::State], _out: &mut Vec<u32>) {}
}

/// Uniform draws. Without them, samples are drawn by rank, and without ranks there is no
/// inclusiveness check.
///
/// ```
/// # mod jugs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/jugs.rs")); }
/// # use {jugs::Jugs, puzzle_api::*};
/// impl RandomStates for Jugs {
///     fn random(&self, random: &mut Xorshift) -> Option<[u64; 2]> {
///         Some(self.state(random.below(24)))
///     }
/// }
/// ```
pub trait RandomStates: Puzzle {
    /// A state drawn uniformly from all states of the instance (not from orbits). `None`, and then
    /// always, if this instance cannot draw one.
    fn random(&self, random: &mut Xorshift) -> Option<Self::State>;
}

/// A batch of states whose distances are final, from [`Sweep::sweep`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Swept<'a, K> {
    /// Canonical keys.
    pub keys: &'a [K],
    /// Distance of each, or [`crate::UNSOLVABLE`].
    pub depths: &'a [u16],
    /// Number of states in the orbit of each.
    pub orbit_size: u32,
}

/// A specialised inner loop. Without it there is no `sweep` engine and the general engines
/// do the work.
pub trait Sweep: Puzzle {
    /// Bytes of memory that the loop takes for a part. `None` if it was not written for this
    /// instance, this direction or these roots: then the general engines do the work. The roots are
    /// the state `from`, or else the solved states (backward) or the starts (forward). The fallback
    /// is a loop for all instances, backward from the solved states, with negligible memory.
    fn sweeps(&self, way: Direction, from: Option<&Self::State>) -> Option<u64> {
        (way == Direction::Backward && from.is_none()).then_some(0)
    }

    /// The distance from the nearest root, or backward to it, of every orbit of a part that has
    /// one. Delivers each canonical state exactly once, in batches of a few thousand. The others
    /// follow from the solved states, as [`crate::UNSOLVABLE`]. If symmetries do not keep the
    /// roots, every state is its own orbit. Stops when `emit` returns false.
    ///
    /// With a state `from`, `only` may hold some states: then only these are delivered, unchanged,
    /// each once, and the loop may end when all are. Empty batches let `emit` stop it. Such a loop
    /// shares no code with the variant's moves, since lengths are confirmed by both.
    fn sweep(
        &self,
        way: Direction,
        from: Option<&Self::State>,
        part: u64,
        only: &[Self::State],
        emit: &mut dyn FnMut(Swept<'_, Self::Key>) -> bool,
    );
}

/// Names of moves and states.
///
/// ```
/// # mod jugs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/jugs.rs")); }
/// # use {jugs::Jugs, puzzle_api::*};
/// impl Names for Jugs {
///     fn describe_move(&self, [a, b]: &[u64; 2], to: &[u64; 2]) -> Option<String> {
///         let poured = a + b == to[0] + to[1];
///         Some(if poured { "pour" } else if a + b < to[0] + to[1] { "fill" } else { "empty" }.into())
///     }
/// }
/// ```
pub trait Names: Puzzle {
    /// A player's name of the move between two neighbouring states ("left"). If several moves lead
    /// there, their names, one a line; the first is shown. Without it, solutions are drawn as boards
    /// alone.
    fn describe_move(&self, _from: &Self::State, _to: &Self::State) -> Option<String> {
        None
    }

    /// Names that [`Puzzle::parse`] accepts for states of this instance, in the order in which they
    /// are shown. Without them, searches over all pairs of named states have nothing to start from.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The measure that `solve --goal fewest` minimises. Without it there is no such search. No state
/// has less than the solved ones; a state that has as little and is not solved is one of
/// [`Names::names`].
pub trait Objective: Puzzle {
    /// The value to minimise at the end of a sequence of moves, such as the pegs left.
    fn objective(&self, state: &Self::State) -> u64;
}

/// Lower bound of a state from which no solved state can be reached.
pub const NEVER: u64 = u64::MAX;

/// A lower bound on the moves left. Without it there is no `ida` engine, which solves instances too
/// large for any table by searching only where the bound allows.
///
/// ```
/// # mod jugs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/jugs.rs")); }
/// # use {jugs::Jugs, puzzle_api::*};
/// impl LowerBound for Jugs {
///     fn lower_bound(&self, [a, _]: &[u64; 2]) -> u64 {
///         u64::from(*a != 4)
///     }
/// }
/// ```
pub trait LowerBound: Puzzle {
    /// A number of moves that every path to a solved state needs: 0 for a solved state, and at most
    /// one more than that of any successor. By these two properties, it never exceeds the distance.
    /// [`NEVER`] if it is known that none can be reached.
    fn lower_bound(&self, state: &Self::State) -> u64;
}
