//! The faults: every member of the table that answers, with each kind of wrong answer, on one state
//! and on one orbit.

use puzzle_api::abi::AntipodeVariant;

use super::board::{At, FAULTY, LAST};

/// The kind of an answer's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A list lacks the faulty state, whichever function is called.
    Lose,
    /// The list of the faulty state lacks its first entry.
    Drop,
    /// A state too many in a list.
    Add,
    /// A state of another part.
    Stray,
    /// An image that represents no orbit replaces the one that does.
    Turn,
    /// The answer for another state.
    Another,
    /// One answer twice.
    Double,
    /// One less, or half.
    Less,
    /// One more, or twice.
    More,
    /// Nothing: 0, or an empty text.
    Zero,
    /// There is no answer.
    Refuse,
    /// The function fails.
    Fail,
}

/// Where an answer is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A corner: an antipode of the undirected board, and the representative of its orbit.
    State,
    /// The eight squares a knight's move from the corners.
    Orbit,
}

impl Place {
    pub fn state(self, tower: bool) -> At {
        let part = if tower { FAULTY } else { 0 };
        match self {
            Self::State => At::new(part, 0, 0),
            Self::Orbit => At::new(part, 1, 2),
        }
    }

    pub fn holds(self, tower: bool, at: At) -> bool {
        let state = self.state(tower);
        match self {
            Self::State => at == state,
            Self::Orbit => at.canonical() == state.canonical(),
        }
    }

    /// A state of the same part with different answers.
    pub const fn other(self, at: At) -> At {
        match self {
            Self::State => At::new(at.part, 1, 2),
            Self::Orbit => At::new(at.part, LAST, LAST),
        }
    }
}

/// One function with one kind of fault in one place.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    pub member: &'static str,
    pub way: Way,
    pub place: Place,
}

impl Fault {
    /// Its name, and the instance that has it.
    pub fn name(&self) -> String {
        let member = self.member.replace('_', "-");
        format!("{member}-{:?}-{:?}", self.way, self.place).to_lowercase()
    }
}

/// The kinds of faults of each member. `facts` and `name` answer nothing; `open` and `close` come
/// before and after all answers.
macro_rules! members {
    ($($member:ident: [$($way:ident)*])+) => {
        const MEMBERS: &[(&str, &[Way])] = &[$((stringify!($member), &[$(Way::$way),*])),+];

        /// Each function of the table and whether it is offered. A new function of the table does
        /// not compile here until `members!` says how it can be wrong.
        pub fn offered(variant: &AntipodeVariant) -> Vec<(&'static str, bool)> {
            let AntipodeVariant { name: _, facts: _, close: _, $($member),+ } = variant;
            vec![$((stringify!($member), $member.is_some())),+]
        }
    };
}

members! {
    open: [Refuse Fail]
    successors: [Lose Drop Add Stray Another Double Fail]
    is_solved: [Another Fail]
    parse: [Another Refuse Fail]
    draw: [Another Zero Fail]
    starts: [Add Fail]
    solved_states: [Drop Add Stray Another Double Refuse Fail]
    predecessors: [Lose Drop Add Stray Another Double Fail]
    symmetry_count: [Less More Zero Fail]
    images: [Another Double Fail]
    canonical: [Another Drop Stray Less More Zero Fail]
    expand: [Lose Drop Add Stray Turn Another Double Refuse Fail]
    space: [Less More Zero Refuse Fail]
    place: [Another Stray More Refuse Fail]
    unrank: [Another Stray Refuse Fail]
    part_count: [Less More Zero Fail]
    part_name: [Another Zero Fail]
    neighbour_ranks: [Lose Drop Add Another Double More Fail]
    bucket: [Another Fail]
    diversity_class: [Another Fail]
    random: [Another Refuse Fail]
    sweep: [Drop Stray Another Double Less More Zero Fail]
    describe_move: [Another Refuse Fail]
    names: [Drop Double Zero Fail]
    time_reversal: [Another Stray Fail]
    move_order: [Another Fail]
    objective: [Another Fail]
    lower_bound: [Another Fail]
    refute: [Add Fail]
    feature_space: [Fail]
    features: [Another Fail]
}

/// Members that are called without a state, so that one place represents all.
const OF_NO_STATE: [&str; 7] = [
    "open",
    "starts",
    "solved_states",
    "symmetry_count",
    "space",
    "part_count",
    "names",
];

/// All faults.
pub fn faults() -> Vec<Fault> {
    let mut faults = Vec::new();
    for &(member, ways) in MEMBERS {
        let once = OF_NO_STATE.contains(&member);
        let places: &[Place] = if once {
            &[Place::State]
        } else {
            &[Place::State, Place::Orbit]
        };
        for &way in ways {
            faults.extend(places.iter().map(|&place| Fault { member, way, place }));
        }
    }
    faults
}

/// Members that only the towers offer.
pub const OF_TOWERS: [&str; 7] = [
    "space",
    "place",
    "unrank",
    "part_count",
    "part_name",
    "neighbour_ranks",
    "sweep",
];
