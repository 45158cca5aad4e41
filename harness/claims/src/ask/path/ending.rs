//! How a question for a path was answered.

use std::convert::Infallible;

use antipode_reports::count;
use antipode_search::outcome::{Outcome, Proof, StopReason};

/// As a search ends, or in one of the two ways that claims alone tell apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending<K> {
    /// As the search did; by `dfs` and `beam` with one of the paths that are all equally long.
    Searched(Outcome<K>),
    /// No path has at most so many moves: those levels are complete.
    MoreThan(u16),
    /// The path that the claim brings along is none to the goal.
    Broken {
        /// What it is.
        what: String,
        /// Its states as far as the rules allow it.
        states: Vec<K>,
    },
}

impl<K> Ending<K> {
    /// Number of moves of the path to the goal, where there is one.
    pub(crate) fn moves(&self) -> Option<u32> {
        match self {
            Self::Searched(Outcome::Path(path)) => Some(path.moves() as u32),
            Self::Searched(_) | Self::MoreThan(_) | Self::Broken { .. } => None,
        }
    }

    /// The puzzle's own proof that there is no path, whole.
    pub(crate) fn proof(&self) -> Option<&str> {
        match self {
            Self::Searched(Outcome::Unreachable(Proof::Puzzle(text))) => Some(text),
            _ => None,
        }
    }

    /// States of a path, whether or not it leads to the goal; none where it has no move.
    pub(super) fn states(&self) -> Option<&[K]> {
        match self {
            Self::Searched(Outcome::Path(path)) => Some(&path.states),
            // Of a path that breaks at once there is the start alone.
            Self::Broken { states, .. } if states.len() > 1 => Some(states),
            _ => None,
        }
    }

    /// The same without the states.
    pub(super) fn bare(&self) -> Ending<()> {
        match self {
            Self::Searched(outcome) => {
                let Ok(bare) = outcome.try_map(|_| Ok::<(), Infallible>(()));
                Ending::Searched(bare)
            }
            Self::MoreThan(depth) => Ending::MoreThan(*depth),
            Self::Broken { what, states } => Ending::Broken {
                what: what.clone(),
                states: vec![(); states.len()],
            },
        }
    }
}

/// What ended a search before it had an answer, as a claim says it: it has no options.
pub(crate) fn unanswered<K>(outcome: &Outcome<K>) -> String {
    match outcome.stop() {
        Some(StopReason::Depth(depth)) => format!("no path within {}", count(depth, "moves")),
        Some(reason) => reason.to_string(),
        None => "levels alone answer no path".to_owned(),
    }
}
