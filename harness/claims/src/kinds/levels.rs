//! Kind `levels`: `claimed` are the sizes of the levels `levels = [FIRST, LAST]` of `instance`,
//! from its start, parted by commas.

use antipode_check::analysis::Checks;
use antipode_reports::model::Verdict;

use super::{Claimed, Decided, Diagnostics, KeyFault, Kind, count, keys};
use crate::compare::whole;
use crate::context::Context;
use crate::finding::Finding;
use crate::levels::levels;
use crate::source::ClaimSource;
use crate::spec::Case;

/// Sizes of levels.
pub(super) const LEVELS: Kind = Kind {
    claimed: Claimed::Sizes,
    unit: |_, _| "states",
    read,
    check,
    decide,
    analysed: |_| None,
};

fn read(case: &mut Case) -> Result<(), KeyFault> {
    keys::engine(case)?;
    keys::for_both(|effort| keys::max_depth(case, effort))?;
    keys::for_both(|effort| {
        keys::levels(case, effort)?.ok_or_else(|| keys::lacks(case, "levels"))
    })?;
    let count = case.claimed.split(", ").count();
    keys::for_both(|effort| {
        let (first, last) = keys::levels(case, effort)?.unwrap_or_default();
        let levels = usize::from(last - first) + 1;
        if levels == count {
            return Ok(());
        }
        let line = format!(
            "{count} sizes for the {levels} levels from {first} to {last}; write one for each"
        );
        Err((Some("claimed".to_owned()), line))
    })
}

fn check(source: &ClaimSource, case: &Case, context: &Context) -> Result<(), Diagnostics> {
    count::check_question(source, case, context)?;
    Ok(())
}

fn decide(source: &ClaimSource, case: &Case, context: &mut Context) -> Decided {
    let mut asked = count::question(source, case, context.effort, context)?;
    let range = keys::levels(case, context.effort).unwrap_or_default();
    let (first, last) = range.unwrap_or_default();
    // A search that ends before the first level decides nothing.
    if asked.max_depth.is_some_and(|depth| depth < first) {
        asked.checks = Checks::OFF;
    }
    let analysis = levels(&asked, context)?;
    // A level after the last of a complete table is empty, and known to be.
    let deepest = analysis.levels.max_depth();
    let known = |depth: u16| {
        let complete = analysis.run.complete || deepest >= Some(depth.into());
        let levels = &mut analysis.levels.levels.iter();
        let level = levels.find(|level| level.depth == u32::from(depth));
        complete.then(|| level.map_or(0, |level| level.states))
    };
    let sizes: Vec<u128> = (first..=last).map_while(known).collect();
    let all = sizes.len() == usize::from(last - first) + 1;
    let mut finding = match judge(&case.claimed, &sizes, all) {
        Verdict::NotReached => Finding::not_reached(format!(
            "The search by this effort ends at level {}.",
            deepest.unwrap_or(0)
        )),
        verdict => Finding::new(joined(&sizes), verdict),
    };
    finding.judged_by(&analysis);
    finding.rest_on(analysis);
    Ok(finding)
}

fn joined(sizes: &[u128]) -> String {
    let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    sizes.join(", ")
}

/// One size that differs refutes the claim; all must be known to confirm it.
fn judge(claimed: &str, sizes: &[u128], all: bool) -> Verdict {
    let claimed: Vec<Option<u128>> = claimed.split(", ").map(whole).collect();
    let found = sizes.iter().map(|&size| Some(size));
    let differs = found
        .zip(&claimed)
        .any(|(found, claimed)| found != *claimed);
    match (differs, all) {
        (true, _) => Verdict::Refuted,
        (false, true) if claimed.len() == sizes.len() => Verdict::Confirmed,
        (false, true) => Verdict::Refuted,
        (false, false) => Verdict::NotReached,
    }
}
