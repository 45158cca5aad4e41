//! Kinds `solvable` and `unreachable`: whether a path leads from the instance's start (or `board`)
//! to a solved state (or to `to`). That there is none is shown by the puzzle's own proof, or by a
//! search that saw everything.

use antipode_reports::model::Verdict;
use antipode_search::engines::EngineError;
use antipode_search::outcome::Outcome;

use super::{Claimed, Decide, Diagnostics, KeyFault, keys, length, one_or_more};
use crate::context::Context;
use crate::field::Field;
use crate::finding::Finding;
use crate::path::{self, Ending};
use crate::sample::Sample;
use crate::source::ClaimSource;
use crate::spec::Case;

/// The claim's statement about a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Solvability {
    /// There is one.
    Solvable,
    /// There is none.
    Unreachable,
}

impl Solvability {
    /// The finding if an outcome decides between the two.
    fn finding(self, shown: Self, found: impl Into<String>) -> Finding {
        Finding::new(
            found,
            match self == shown {
                true => Verdict::Confirmed,
                false => Verdict::Refuted,
            },
        )
    }
}

impl Decide for Solvability {
    fn about(&self) -> &'static str {
        match self {
            Self::Solvable => "There is a solution, or a path to a state.",
            Self::Unreachable => "There is no solution, or no path to a state.",
        }
    }

    fn sample(&self) -> Sample {
        match self {
            Self::Solvable => Sample {
                puzzle: "rush-hour",
                statement: "Card 1 can be solved.",
                sets: &[("instance", "\"card-1\"")],
                fits: &[keys::CARD_1, keys::CARD_1_SOLVED],
            },
            Self::Unreachable => Sample {
                puzzle: "peg-solitaire",
                statement: "Diamond-41 cannot be solved with its vacancy in the centre.",
                sets: &[
                    ("instance", "\"diamond-41\""),
                    ("settings", "{ from = \"0:0\", to = \"any\" }"),
                ],
                fits: &[
                    ("board", "\"0:0\""),
                    (
                        "to",
                        "\"    ./   .../  ...../ ......./....o..../ ......./  ...../   .../    .\"",
                    ),
                    ("instances", "[\"diamond-41\"]"),
                ],
            },
        }
    }

    fn keys(&self) -> &'static [Field] {
        const KEYS: [Field; 6] = [
            keys::INSTANCE.needed(),
            keys::BOARD,
            keys::SETTINGS,
            keys::TO,
            keys::PATH_ENGINE,
            keys::MAX_DEPTH,
        ];
        &KEYS
    }

    fn claimed(&self) -> Claimed {
        Claimed::Nothing
    }

    fn read(&self, case: &mut Case) -> Result<(), KeyFault> {
        length::read(case)
    }

    fn check(
        &self,
        source: &ClaimSource,
        case: &Case,
        context: &Context,
    ) -> Result<(), Diagnostics> {
        length::check(source, case, context)
    }

    fn decide(
        &self,
        source: &ClaimSource,
        case: &Case,
        context: &mut Context,
    ) -> Result<Finding, EngineError> {
        let found = path::path(&length::question(source, case, context.effort)?, context)?;
        let (none, path) = match self {
            Self::Solvable => ("unsolvable", "solution"),
            Self::Unreachable => ("unreachable", "path"),
        };
        let length = |moves: u32| match self {
            Self::Solvable => moves.to_string(),
            Self::Unreachable => one_or_more(moves, "move"),
        };
        let mut finding = match &found.ending {
            Ending::Searched(Outcome::Path(path)) => {
                self.finding(Self::Solvable, length(path.moves() as u32))
            }
            Ending::Searched(Outcome::Unreachable(_)) => self.finding(Self::Unreachable, none),
            open => length::left_open(open, path),
        };
        let shown = found.ending.moves().is_some();
        length::take_over(&mut finding, found, shown);
        Ok(finding)
    }
}
