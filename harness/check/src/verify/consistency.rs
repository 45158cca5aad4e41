//! Consistency: how much of an instance is checked, and what that shows.
//!
//! Every state that a delivered orbit represents is checked by the rules; no symmetry is trusted.
//! Backward: a goal is at distance 0. Every other solvable state has a successor one closer and
//! none more than one closer; no successor of an unsolvable state is solvable. Forward: the start
//! is at distance 0; every successor was delivered, at most one further on; every other state has a
//! predecessor one closer. The states of an orbit move to the same orbits, have one canonical form,
//! are as many as the run counted, and are in no other orbit.
//!
//! Forward, this shows that no state was left out. Backward it does if states are numbered (every
//! rank is that of one state, and delivered). It also does if moves can be undone: then every
//! predecessor of a delivered state is also its successor, and ranks are not looked up for a search
//! with a depth limit. Else it follows the undelivered successors of delivered states; states that
//! no delivered state reaches stay open.
//!
//! This expands every state by the rulebook, while the search expands one state of each orbit by
//! the fast variant. If parts are too many for that, a built-in puzzle brings a proof of its parts
//! ([`Brought`]): Tilt's box, Rush Hour's censuses.

use serde::Serialize;
use std::collections::BTreeSet;

use puzzle_api::{Direction, Xorshift};

use antipode_reports::count;
use antipode_reports::model::Evidence;
use puzzle_api::proof::PartProof;

use super::evidence::{evidence, first_few, not_done};
use super::{CONFIDENCE, upper_bound};
use antipode_search::observers::ConsistencyTally;

/// How much of an instance is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConsistencyScope {
    /// Nothing.
    Off,
    /// Parts drawn at random from a seed; all of their states.
    Parts {
        /// Number of parts.
        count: u64,
        /// Seed of the draw.
        seed: u64,
    },
    /// Every state of each part that has at most this many.
    Fitting {
        /// Most states of a part.
        states: u64,
    },
    /// Every state: a proof.
    All,
}

impl ConsistencyScope {
    /// The parts in scope.
    #[must_use]
    pub fn parts(self, all: &[u64]) -> BTreeSet<u64> {
        match self {
            Self::Off => BTreeSet::new(),
            Self::Parts { count, seed } if count < all.len() as u64 => {
                let mut random = Xorshift::for_draw(seed, 0x636f_6e73);
                let mut chosen = BTreeSet::new();
                while (chosen.len() as u64) < count {
                    chosen.insert(all[random.below(all.len() as u64) as usize]);
                }
                chosen
            }
            Self::Parts { .. } | Self::Fitting { .. } | Self::All => all.iter().copied().collect(),
        }
    }
}

/// The run that was checked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ConsistencyFrame<'a> {
    /// Direction of the run.
    pub(crate) direction: Direction,
    /// Parts of the run.
    pub(crate) parts_total: u64,
    /// The greatest requested level.
    pub(crate) max_depth: Option<u16>,
    /// Most states of a part that are held at once.
    pub(crate) most_states: usize,
    /// The puzzle's own proof of parts, if the check used it.
    pub(crate) brought: Option<&'a Brought>,
    /// Whether the number of parts is only asserted, by a library without a second variant.
    pub(crate) parts_said: bool,
    /// States that the rulebook draws and that are in no part.
    pub(crate) strays: &'a [String],
    /// Whether predecessors are unknown: the moves of a rulebook program are followed backward if
    /// they can be undone.
    pub(crate) learned: bool,
}

/// The proof of parts of a built-in puzzle, and its basis.
#[derive(Debug)]
pub(crate) struct Brought {
    /// The proof.
    pub(crate) proof: Box<dyn PartProof>,
    /// Its basis, in a sentence.
    pub(crate) foundation: String,
}

/// How far the levels of a run are proven from the rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Proof {
    /// Every state was checked, and none can have been left out.
    Complete,
    /// Every delivered state was checked; the line says what was not.
    Open(&'static str),
    /// Not every state was checked, or a fault was found.
    #[default]
    None,
}

/// What stays open if no rank counts the states and moves cannot be undone.
const OPEN: &str = "left open, because the rulebook does not number its states, and some moves cannot be undone or one variant alone says which states there are: solvable states that no state met leads to, and solved states that the puzzle does not list";

/// What stays open if predecessors are learned from the moves.
const LEARNED: &str = "left open, because a rulebook program does not say which moves lead to a state: states that lead to those met by a move that cannot be undone";

const PARTS_SAID: &str = "left open, because the puzzle has no second variant: that there are no more parts than it counts";

/// The check as a sentence with its bound, what it proves, and a line for each of the first
/// few faults.
pub(crate) fn consistency(
    tally: &ConsistencyTally,
    frame: &ConsistencyFrame<'_>,
) -> (Evidence, Proof, Vec<String>) {
    const NAME: &str = "consistency";
    if tally.states == 0 {
        let nothing = not_done(NAME, &nothing_checked(tally, frame));
        return (nothing, Proof::None, Vec::new());
    }
    let mut faults = [&tally.faults[..], frame.strays].concat();
    faults.sort_unstable();
    let faults = first_few(faults);
    if tally.parts < frame.parts_total {
        let mut found = of_parts(NAME, tally, frame);
        if let Some(stray) = frame.strays.first() {
            found.text.push_str(&format!(" {stray}."));
        }
        return (found, Proof::None, faults);
    }
    // More or fewer states than there are placements is a fault, even if each is right.
    let counted = frame
        .brought
        .is_none_or(|brought| brought.proof.states() == tally.images);
    let wrong = tally.wrong + frame.strays.len() as u64 + u64::from(!counted);
    let mut text = format!(
        "All {} of {}, on the rules: {}. {}",
        count(tally.images, "states"),
        count(tally.states, "orbits"),
        rule(frame.direction),
        closed(tally, frame)
    );
    let learned = frame.learned && frame.direction == Direction::Backward && tally.ranked == 0;
    let proof = match (wrong, tally.open) {
        (0, _) if learned => Proof::Open(LEARNED),
        (0, 0) if frame.parts_said => Proof::Open(PARTS_SAID),
        (0, 0) => Proof::Complete,
        (0, _) => Proof::Open(OPEN),
        _ => Proof::None,
    };
    if proof == Proof::Complete {
        text.push_str(" That is a proof, given the rules.");
    }
    if let Proof::Open(why) = proof {
        text = format!("{}. {text}", sentence(why));
    }
    let mut found = evidence(NAME, tally.states, wrong, None, text);
    found.population = (tally.open == 0).then(|| tally.states.into());
    (found, proof, faults)
}

fn nothing_checked(tally: &ConsistencyTally, frame: &ConsistencyFrame<'_>) -> String {
    if tally.too_large > 0 {
        format!(
            "a part has more than {}, which a proof holds in memory at once; --effort full does so, where there is memory for them",
            count(frame.most_states, "orbits")
        )
    } else if tally.parts > 0 {
        "the parts in scope hold no state".into()
    } else {
        "no part in scope was finished".into()
    }
}

fn rule(direction: Direction) -> &'static str {
    match direction {
        Direction::Backward => "a distance must be one more than the least among the successors",
        Direction::Forward => {
            "every successor must be met, at most one move further on, and every state but the start must have a predecessor one closer"
        }
    }
}

/// Why no state can have been left out, or what stays open.
fn closed(tally: &ConsistencyTally, frame: &ConsistencyFrame<'_>) -> String {
    match frame.direction {
        Direction::Forward => match frame.max_depth {
            None => "No move leads out of them.".to_owned(),
            Some(depth) => format!("No move leads out of the levels before level {depth}."),
        },
        Direction::Backward if frame.brought.is_some() => by_proof(tally, frame),
        Direction::Backward if tally.ranked > 0 => {
            "The ranks are counted: each is that of one state, and none may be left out.".to_owned()
        }
        Direction::Backward if frame.learned => {
            "Each of their moves can be undone; they are the states connected with the goals that the program lists.".to_owned()
        }
        Direction::Backward if tally.open == 0 => {
            "Each of their moves can be undone, so that what leads to one of them is among them; they are the states connected with the solved ones that the puzzle lists.".to_owned()
        }
        Direction::Backward => format!(
            "Of the states that they lead to and that were not met, {} were followed, and none can be solved.",
            tally.outside
        ),
    }
}

/// The basis of the puzzle's own proof, and whether it saw all states.
fn by_proof(tally: &ConsistencyTally, frame: &ConsistencyFrame<'_>) -> String {
    let Some(Brought { proof, foundation }) = frame.brought else {
        return String::new();
    };
    let (all, seen) = (proof.states(), tally.images);
    let counted = match all == seen {
        true => "They are all placements that there are".to_owned(),
        false => format!("There are {all} placements, so some were left out or counted twice"),
    };
    format!("{counted}; {foundation}.")
}

fn sentence(line: &str) -> String {
    let (first, rest) = line.split_at(1);
    first.to_uppercase() + rest
}

/// The check of parts drawn at random. Parts are drawn, so the bound is on parts: states within one
/// are not independent.
fn of_parts(name: &str, tally: &ConsistencyTally, frame: &ConsistencyFrame<'_>) -> Evidence {
    let mut text = format!(
        "Parts drawn at random, every state of them ({}), on the rules: {}.",
        count(tally.states, "orbits"),
        rule(frame.direction)
    );
    if tally.too_large > 0 {
        text.push_str(&format!(
            " {} more drawn were too large to hold.",
            tally.too_large
        ));
    }
    text.push_str(" Counted in parts, and the bound is one on parts:");
    let (parts, wrong) = (tally.parts, tally.wrong_parts);
    let bound = upper_bound(parts, wrong, CONFIDENCE);
    let mut found = evidence(name, parts, wrong, bound, text);
    found.population = Some(frame.parts_total.into());
    found
}
