//! What an implementation may offer beyond its rules: one trait an idea.
//!
//! To implement one is to offer it; there is no list to keep. Each says what is lost
//! without it. Where an instance of a puzzle lacks what another has, the trait's own
//! method says so when it is asked.

use crate::{Direction, Puzzle, Xorshift};

/// Solved states that can be listed: retrograde analysis starts from them.
pub trait SolvedStates: Puzzle {
    /// Lists every solved state of `part` (0 for a puzzle without [`Parts`]).
    fn solved_states(&self, part: u64, emit: &mut dyn FnMut(Self::State));

    /// Whether this instance can list them; where it cannot, it is searched forward alone.
    fn lists_solved_states(&self) -> bool {
        true
    }
}

/// Moves backward. Without it, retrograde analysis runs on a stored forward graph, which
/// needs [`Numbering`] and memory for every edge.
pub trait Predecessors: Puzzle {
    /// Lists the states that have `state` among their successors.
    fn predecessors(&self, state: &Self::State, emit: &mut dyn FnMut(Self::State));
}

/// Every move can be undone by one move, so a successor of level n lies in n-1, n or n+1,
/// and few levels have to be held. Such a puzzle has [`Predecessors`] and [`TimeReversal`]
/// without a line more.
pub trait Undirected: Puzzle {}

impl<P: Undirected> Predecessors for P {
    fn predecessors(&self, state: &Self::State, emit: &mut dyn FnMut(Self::State)) {
        self.successors(state, emit);
    }
}

/// Every path to a state has the same length, so a level can only repeat itself. Without
/// it, a search looks for repetitions everywhere.
pub trait Layered: Puzzle {}

/// Symmetries of the board. Without them, or where an instance has but the identity, there
/// is no symmetry reduction: `orbits` equals `states`.
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

    /// Number of different images of the state. The fallback counts those that are the
    /// state again: every image occurs as often.
    fn orbit_size(&self, state: &Self::State) -> u32 {
        let (key, count) = (self.key(state), self.symmetry_count());
        let kept = (1..count).filter(|&i| self.key(&self.image(state, i)) == key);
        count / (kept.count() as u32 + 1)
    }

    /// Representative and orbit size in one. The fallback asks for one after the other.
    fn canonical_and_size(&self, state: &Self::State) -> (Self::State, u32) {
        (self.canonical(state), self.orbit_size(state))
    }

    /// The representative of each of some states in its place, and the size of each orbit where
    /// asked. The fallback asks for one state after the other; for puzzles that find several
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

/// Where a state lies in the puzzle's dense numbering.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Placement {
    /// Independent part of the state graph.
    pub part: u64,
    /// Rank within the part.
    pub rank: u64,
}

/// A dense numbering of the states. Without it there is no `dense` engine and no
/// table row for unsolvable states.
pub trait Numbering: Puzzle {
    /// Number of ranks of a part; `None` where this instance has no numbering. Every rank
    /// of a part is a state, moves stay within the ranks of a part, and every orbit of the
    /// part has at least one rank.
    fn space(&self, part: u64) -> Option<u64>;

    /// Part and rank of a state that lies within the numbering (the canonical form
    /// always does); `None` for one that does not.
    fn place(&self, state: &Self::State) -> Option<Placement>;

    /// The state with a given rank; `rank < space(part)`.
    fn unrank(&self, placement: Placement) -> Option<Self::State>;
}

/// Independent parts, named by [`Numbering::place`]: no move leads from one to another, and
/// every orbit has a state in exactly one. Without it a search holds the whole instance at
/// once.
pub trait Parts: Numbering {
    /// Number of parts, at least 1.
    fn part_count(&self) -> u64;

    /// One line that names a part, for progress and reports.
    fn part_name(&self, part: u64) -> String {
        part.to_string()
    }
}

/// From ranks to ranks in one call, for puzzles whose neighbours all lie within the
/// numbering. Without it, [`Numbering::unrank`], [`Puzzle::successors`] or
/// [`Predecessors::predecessors`] and [`Numbering::place`] do the work, each writing states
/// to memory that the next reads, about half as fast.
pub trait NeighbourRanks: Numbering {
    /// Appends to `out` the ranks of all successors (forward) or predecessors (backward) of
    /// the states with the given ranks of a part, in any order.
    fn neighbour_ranks(&self, direction: Direction, part: u64, ranks: &[u64], out: &mut Vec<u64>);

    /// The same, and appends to `keys` the key of each of the states, in the order of the
    /// ranks: a search shows states and moves on from them. The fallback takes every state
    /// from its rank twice.
    fn keys_and_neighbour_ranks(
        &self,
        direction: Direction,
        part: u64,
        ranks: &[u64],
        keys: &mut Vec<Self::Key>,
        out: &mut Vec<u64>,
    ) {
        let state = |&rank: &u64| self.unrank(Placement { part, rank });
        keys.extend(ranks.iter().filter_map(state).map(|state| self.key(&state)));
        self.neighbour_ranks(direction, part, ranks, out);
    }
}

/// States whose neighbours are found side by side, faster than one by one. Without it,
/// states are taken apart singly.
pub trait NeighbourKeys: Puzzle {
    /// Appends to `out` the keys of all successors (forward) or predecessors (backward,
    /// only with [`Predecessors`]) of the states with the given keys, one state after the
    /// other, and to `ends`, for each, the length of `out` behind its last. What
    /// [`Puzzle::state`], [`Puzzle::successors`] or [`Predecessors::predecessors`] and
    /// [`Puzzle::key`] give, in any order.
    fn neighbour_keys(
        &self,
        direction: Direction,
        keys: &[Self::Key],
        out: &mut Vec<Self::Key>,
        ends: &mut Vec<usize>,
    );
}

/// Representatives of neighbours in one call, for puzzles that find them together faster than
/// neighbours first and then the representative of each. Without it, [`Symmetry::canonical_all`]
/// is asked after [`NeighbourKeys::neighbour_keys`].
pub trait NeighbourOrbits: NeighbourKeys + Symmetry {
    /// As [`NeighbourKeys::neighbour_keys`] in the same order, with the key of the representative
    /// ([`Symmetry::canonical`]) of each neighbour in its place.
    fn neighbour_orbits(
        &self,
        direction: Direction,
        keys: &[Self::Key],
        out: &mut Vec<Self::Key>,
        ends: &mut Vec<usize>,
    );
}

/// Moves in groups, such as all moves of one piece, for puzzles with [`Undirected`] moves where a
/// group that has a move back has nothing new (Korf's frontier search): where a move leads from p
/// to c, all moves of its group lead from c to p or to a neighbour of p. Without it, a search on
/// disk generates all neighbours, those that lead back among them, twice as many, and holds a
/// level more against them.
pub trait UsedMoves: NeighbourKeys {
    /// Numbers that groups have at most, 1 to 32: those of a state are below it. `None` where this
    /// instance has no such groups, or too many.
    fn move_groups(&self) -> Option<u32>;

    /// As [`NeighbourKeys::neighbour_keys`] without the moves of the groups whose bits are set in
    /// `used`, a word for each state. Appends to `marks`, for each key of `out`, the bit of that
    /// group of the neighbour which has the move back; every move of that group must lead to the
    /// state or to one of its neighbours.
    fn unused_neighbour_keys(
        &self,
        keys: &[Self::Key],
        used: &[u32],
        out: &mut Vec<Self::Key>,
        marks: &mut Vec<u32>,
        ends: &mut Vec<usize>,
    );
}

/// Locality, for an engine on disk. Without it, states are spread uniformly by hash.
pub trait Buckets: Puzzle {
    /// A number that neighbouring states tend to share.
    fn bucket(&self, state: &Self::State) -> u64;
}

/// Diversity, for a beam. Without it, states are alike that share the bucket and the place in
/// the move order, and without [`Buckets`] all are.
pub trait Strata: Puzzle {
    /// A number that states share of which a beam needs only so many, such as those in which
    /// the pieces that matter stand alike. A guess, with no bearing on what is found to be
    /// true.
    fn stratum(&self, state: &Self::State) -> u64;

    /// Appends the same of each of some states. The fallback asks for one after the other; for
    /// puzzles that take several apart in the time of one.
    fn stratum_all(&self, states: &[Self::State], strata: &mut Vec<u64>) {
        strata.extend(states.iter().map(|state| self.stratum(state)));
    }
}

/// Uniform draws. Without them, samples are drawn by rank, and without ranks there is no
/// inclusiveness check.
pub trait RandomStates: Puzzle {
    /// A state drawn uniformly from all states of the instance (not from orbits); `None`,
    /// and then always, where this instance has no way to draw one.
    fn random(&self, random: &mut Xorshift) -> Option<Self::State>;
}

/// A batch of states whose distances are final, from [`Sweep::sweep`].
#[derive(Debug, Clone, Copy)]
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
    /// Whether the loop was written for this instance. If not, there is no `sweep` engine for it.
    fn sweeps(&self) -> bool {
        true
    }

    /// The distance to the nearest solved state of every orbit of a part, each canonical
    /// state exactly once, in batches of a few thousand; stops when `emit` returns false.
    fn sweep(&self, part: u64, emit: &mut dyn FnMut(Swept<'_, Self::Key>) -> bool);
}

/// Names of moves. Without them, solutions are drawn as boards alone.
pub trait MoveNames: Puzzle {
    /// What a player would call the move between two neighbouring states ("left").
    fn describe_move(&self, from: &Self::State, to: &Self::State) -> Option<String>;
}

/// Names of states. Without them, searches over all pairs of named states have nothing to
/// start from.
pub trait NamedStates: Puzzle {
    /// Names that [`Puzzle::parse`] takes for states of this instance, in the order they
    /// are shown in.
    fn names(&self) -> Vec<String>;
}

/// An involution that turns every move round. Without it, a search from the goal cannot be
/// read off a search from a start.
pub trait TimeReversal: Puzzle {
    /// The image of a state: `t` is a successor of `s` exactly where `time_reversal(s)` is a
    /// successor of `time_reversal(t)`. In peg solitaire it is the complement: a jump played
    /// backward is a jump of the holes.
    fn time_reversal(&self, state: &Self::State) -> Self::State;
}

impl<P: Undirected> TimeReversal for P {
    fn time_reversal(&self, state: &Self::State) -> Self::State {
        state.clone()
    }
}

/// Move ordering for depth-first search, and what a beam goes by. Without it, successors are
/// tried as they come, and a beam chooses by chance.
pub trait MoveOrder: Puzzle {
    /// How promising a state looks to a search that wants to solve it: among the successors
    /// of a state, the smaller is tried first. A guess, with no bearing on what is found to
    /// be true.
    fn move_order(&self, state: &Self::State) -> u64;

    /// Appends the same of each of some states. The fallback asks for one after the other; for
    /// puzzles that take several apart in the time of one.
    fn move_order_all(&self, states: &[Self::State], order: &mut Vec<u64>) {
        order.extend(states.iter().map(|state| self.move_order(state)));
    }
}

/// How many features the states of an instance have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureSpace {
    /// Settings: in each of them a feature may count for something else. At least one.
    pub settings: u32,
    /// Different features.
    pub features: u32,
    /// Features of each state.
    pub each: u32,
}

/// What stands where, for a beam that learns from its own levels how far a state is from a goal.
/// Without it a beam goes by [`MoveOrder`] alone.
pub trait Features: Puzzle {
    /// How many there are.
    fn feature_space(&self) -> FeatureSpace;

    /// Appends the setting of a state, such as the cell of the piece that is to be brought home,
    /// and then its features, such as what stands on which cell: numbers from 0, as many as the
    /// space says. A guess at what matters, with no bearing on what is found to be true.
    fn features(&self, state: &Self::State, out: &mut Vec<u32>);

    /// Appends the same of each of some states. The fallback asks for one after the other; for
    /// puzzles that take several apart in the time of one.
    fn features_all(&self, states: &[Self::State], out: &mut Vec<u32>) {
        states.iter().for_each(|state| self.features(state, out));
    }
}

/// What `solve --goal fewest` makes as small as possible. Without it there is no such
/// search.
pub trait Objective: Puzzle {
    /// What is to be small where a line of moves ends, such as the pegs left.
    fn objective(&self, state: &Self::State) -> u64;
}

/// Lower bound of a state from which no solved state can be reached.
pub const NEVER: u64 = u64::MAX;

/// A lower bound for the moves that are left. Without it there is no `ida` engine, which
/// solves what is too large for any table by going only where the bound leaves room.
pub trait LowerBound: Puzzle {
    /// A number of moves without which no solved state can be reached: 0 for a solved state,
    /// and at most one more than that of any successor. By these two it is never more than
    /// the distance. [`NEVER`] where none can be reached, if that is known.
    fn lower_bound(&self, state: &Self::State) -> u64;
}

/// Representatives of those neighbours alone that a bound leaves hope for, in one call, for puzzles
/// that tell the hopeless sooner than they make them. Without it, [`LowerBound`] is asked of every
/// different neighbour after [`NeighbourOrbits::neighbour_orbits`].
pub trait PrunedOrbits: NeighbourOrbits + LowerBound {
    /// As [`NeighbourOrbits::neighbour_orbits`] in the same order, without some: forward those of
    /// which [`LowerBound::lower_bound`] is [`NEVER`]; backward (only with [`Predecessors`] and
    /// [`TimeReversal`]) those of which it is when time is turned round. Symmetries keep which they
    /// are.
    fn pruned_orbits(
        &self,
        direction: Direction,
        keys: &[Self::Key],
        out: &mut Vec<Self::Key>,
        ends: &mut Vec<usize>,
    );
}

/// Proofs of impossibility, found without a search. Without them, only a complete search
/// shows that there is no path.
pub trait Refute: Puzzle {
    /// A proof that no path leads from one state to another (`None`: to any solved state):
    /// a line of reason, then lines of whatever a reader needs to check it. `None` where no
    /// proof was found, which says nothing.
    fn refute(&self, from: &Self::State, to: Option<&Self::State>) -> Option<String>;
}
