//! Kind `unreachable`: no path leads from the instance's start (or `board`) to a solved state
//! (or to `to`). Shown by a proof of the puzzle's own, or by a search that saw everything.

use antipode_reports::model::Verdict;
use antipode_search::engines::EngineError;

use super::{Claimed, Decide, Fault, length};
use crate::ask::{self, Ending};
use crate::finding::Finding;
use crate::spec::Case;
use crate::{ClaimSource, Context, Effort};

pub(super) struct Unreachable;

impl Decide for Unreachable {
    fn name(&self) -> &'static str {
        "unreachable"
    }

    fn keys(&self) -> &'static [&'static str] {
        &["engine", "to", "max_depth"]
    }

    fn claimed(&self) -> Claimed {
        Claimed::Nothing
    }

    fn read(&self, case: &mut Case) -> Result<(), Fault> {
        length::read(case)
    }

    fn check(&self, source: &ClaimSource, case: &Case) -> Result<(), EngineError> {
        ask::check(&length::question(source, case, Effort::Full)?)
    }

    fn decide(
        &self,
        source: &ClaimSource,
        case: &Case,
        context: &mut Context,
    ) -> Result<Finding, EngineError> {
        let found = ask::path(&length::question(source, case, context.effort)?, context)?;
        let mut finding = match &found.ending {
            Ending::Moves(moves) => Finding::new(format!("{moves} moves"), Verdict::Refuted),
            Ending::Unreachable(_) => Finding::new("unreachable", Verdict::Confirmed),
            Ending::MoreThan(depth) => {
                Finding::not_reached(format!("No path within {depth} moves."))
            }
            Ending::NotReached(why) => Finding::not_reached(why.clone()),
        };
        let shown = matches!(found.ending, Ending::Moves(_));
        length::take_over(&mut finding, found, shown);
        Ok(finding)
    }
}
