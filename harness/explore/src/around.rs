//! A position with the positions one move from it, and what is known about them.

use antipode_check::ask::KnownDistance;
use antipode_reports::model::Remaining;
use puzzle_api::Key;

use crate::error::ExploreError;
use crate::knowledge::{Contradiction, Knowledge};

/// A position with the positions one move from it.
pub(crate) struct Around<K> {
    /// The position, then where its moves lead.
    pub(crate) keys: Vec<K>,
    pub(crate) boards: Vec<String>,
    pub(crate) known: Knowledge,
    pub(crate) notes: Vec<String>,
}

impl<K: Key> Around<K> {
    fn disagree(&self, (at, one, other): Contradiction) -> ExploreError {
        ExploreError::Disagree(format!(
            "{} is {}, and {}",
            self.boards[at],
            in_words(one),
            in_words(other)
        ))
    }

    pub(crate) fn learn(&mut self, at: usize, said: KnownDistance) -> Result<(), ExploreError> {
        let learnt = self.known.learn(at, said);
        learnt.map_err(|fault| self.disagree(fault))
    }

    pub(crate) fn conclude(&mut self) -> Result<(), ExploreError> {
        let concluded = self.known.conclude();
        concluded.map_err(|fault| self.disagree(fault))
    }
}

fn in_words(known: KnownDistance) -> String {
    match known {
        KnownDistance::Exactly(0) => "solved".into(),
        KnownDistance::Exactly(1) => "one move from solved".into(),
        KnownDistance::Exactly(moves) => format!("{moves} moves from solved"),
        KnownDistance::Unsolvable => "unsolvable".into(),
        KnownDistance::AtLeast(1) => "at least one move from solved".into(),
        KnownDistance::AtLeast(moves) => format!("at least {moves} moves from solved"),
    }
}

/// The known data, in the form of records.
pub(crate) fn remaining(known: KnownDistance) -> Remaining {
    let nothing = Remaining::default();
    match known {
        KnownDistance::Exactly(moves) => Remaining {
            distance: Some(moves.into()),
            ..nothing
        },
        KnownDistance::AtLeast(moves) => Remaining {
            at_least: Some(moves.into()),
            ..nothing
        },
        KnownDistance::Unsolvable => Remaining {
            unsolvable: true,
            ..nothing
        },
    }
}
