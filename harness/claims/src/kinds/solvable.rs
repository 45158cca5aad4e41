//! Kind `solvable`: the instance's start (or `board`) can be solved.

use antipode_reports::model::Verdict;
use antipode_search::engines::EngineError;

use super::{Claimed, Decide, Fault, length};
use crate::ask::{self, Ending};
use crate::finding::Finding;
use crate::spec::Case;
use crate::{ClaimSource, Context, Effort};

pub(super) struct Solvable;

impl Decide for Solvable {
    fn name(&self) -> &'static str {
        "solvable"
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
            Ending::Moves(moves) => Finding::new(moves.to_string(), Verdict::Confirmed),
            Ending::Unreachable(_) => Finding::new("unsolvable", Verdict::Refuted),
            Ending::MoreThan(depth) => {
                Finding::not_reached(format!("No solution within {depth} moves."))
            }
            Ending::NotReached(why) => Finding::not_reached(why.clone()),
        };
        let shown = matches!(found.ending, Ending::Moves(_));
        length::take_over(&mut finding, found, shown);
        Ok(finding)
    }
}
