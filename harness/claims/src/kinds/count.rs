//! Kind `count`: `claimed` is a figure of a search of `instance`.
//!
//! Without its own keys, the claim rests on the analysis of the whole instance with all checks,
//! which claims share. With `engine`, `direction`, `max_depth`, `levels`, `board` or settings, and
//! for figures of moves or of a path, it is a separate question.

use antipode_check::analysis::{Analysis, Checks, Request};
use antipode_check::verify::{ConsistencyScope, Proof};
use antipode_reports::count as unit_apart;
use antipode_reports::model::Verdict;
use antipode_search::engine::QuestionKind;
use antipode_search::engines::EngineError;
use antipode_search::outcome::Outcome;
use antipode_search::registry::EngineId;
use puzzle_api::{Direction, Effort};

use super::{
    Claimed, Decided, Diagnostic, Diagnostics, KeyFault, Kind, at, bad, derived, incomplete, keys,
    length, place,
};
use crate::context::Context;
use crate::counts::{self, KnownFigure, Of, Reach};
use crate::effort;
use crate::field::DEEPEST;
use crate::finding::Finding;
use crate::levels::levels as levels_of;
use crate::path::{Ending, path};
use crate::question::{
    ConfiguredInstance, check_levels, check_whole, has_buckets, is_whole, levels_tell_unsolvable,
    tells_unsolvable,
};
use crate::source::ClaimSource;
use crate::spec::{Case, Compare};

/// A figure of a search.
pub(super) const COUNT: Kind = Kind {
    claimed: Claimed::Whole,
    unit,
    read,
    check,
    decide,
    analysed,
};

fn unit(source: &ClaimSource, case: &Case) -> &'static str {
    match keys::known(case, "count").unwrap_or_default() {
        "max_depth" => keys::unit_of_length(source, case),
        name => counts::find(name).map_or("", |figure| figure.unit),
    }
}

/// The name of a case's figure, and the figure.
fn asked(case: &Case) -> Result<(&str, &'static KnownFigure), String> {
    let name = keys::known(case, "count").unwrap_or_default();
    Ok((name, counts::known(name)?))
}

/// The source of a case's figure, if it names one.
fn of(case: &Case) -> Option<Of> {
    asked(case).ok().map(|(_, figure)| figure.of)
}

fn read(case: &mut Case) -> Result<(), KeyFault> {
    let fault = |line: String| (Some("count".to_owned()), line);
    let (name, figure) = asked(case).map_err(fault)?;
    let of = figure.of;
    if figure.measured && case.compare != Compare::Report {
        return Err(fault(format!(
            "{name} is measured on this machine, and no machine confirms or refutes a speed; give compare = \"report\""
        )));
    }
    if let Some(level) = counts::level_of(name)
        && u64::from(level) > DEEPEST
    {
        return Err(fault(format!(
            "{name}: no level is deeper than {DEEPEST}; name one up to that"
        )));
    }
    let without = |key: &str, instead: &str| match case.own.contains_key(key) {
        false => Ok(()),
        true => {
            let line = format!("'{key}' says nothing of {name}; leave it out{instead}");
            Err((Some(key.to_owned()), line))
        }
    };
    match of {
        Of::Path => {
            without("direction", "")?;
            keys::path_engine(case).map(drop)?;
        }
        Of::Levels | Of::Moves => keys::engine(case).map(drop)?,
    }
    if !figure.of_range() {
        without(
            "levels",
            ", or give max_depth for a search that goes no deeper",
        )?;
    }
    if of != Of::Path {
        let whole = of == Of::Levels && !own_search(case);
        let forward = !whole && direction(case) == Direction::Forward;
        counts::fits(name, (forward, case.board.is_some())).map_err(fault)?;
    }
    keys::for_both(|effort| match keys::levels(case, effort)? {
        Some((0, _)) => Err(keys::wrong(
            case,
            "levels",
            "from level 1 on, to which the moves out of the start lead",
        )),
        _ => Ok(()),
    })?;
    keys::for_both(|effort| keys::max_depth(case, effort))?;
    within_reach(case, name)
}

fn check(source: &ClaimSource, case: &Case, context: &Context) -> Result<(), Diagnostics> {
    let name = keys::known(case, "count").unwrap_or_default();
    let (unit, own) = (&case.unit, unit(source, case));
    if !unit.is_empty() && unit != own {
        let line =
            format!("{name} counts {own}, not {unit}; write unit = \"{own}\", or leave 'unit' out");
        return Err(Diagnostic::new("unit", line).into());
    }
    let figure = at("count", counts::known(name).map_err(bad))?;
    let tells_unsolvable = match figure.of {
        Of::Path => return length::check(source, case, context),
        Of::Levels if !own_search(case) => {
            let place = at("instance", place(source, case))?;
            let named = context.engine_for(QuestionKind::Levels);
            check_whole(&place, named, "count")?;
            tells_unsolvable(&place, named)?
        }
        Of::Levels => levels_tell_unsolvable(&check_question(source, case, context)?)?,
        Of::Moves => {
            let asked = check_question(source, case, context)?;
            at("count", bucketed(&asked, name, figure))?;
            levels_tell_unsolvable(&asked)?
        }
    };
    match figure.reach == Reach::All && !tells_unsolvable {
        false => Ok(()),
        true => {
            let instance = case.instance.as_deref().unwrap_or_default();
            let line = format!(
                "'{name}' is a figure of all states of a whole instance, solvable or not: a search backward that ends early does not tell them, nor one of {}/{instance} if it has no ranks; count solvable_states",
                source.name
            );
            Err(Diagnostic::new("count", line).into())
        }
    }
}

fn decide(source: &ClaimSource, case: &Case, context: &mut Context) -> Decided {
    let (name, figure) = asked(case).map_err(bad)?;
    let of = figure.of;
    if of == Of::Path {
        return time(source, case, context);
    }
    let range = keys::levels(case, context.effort).unwrap_or_default();
    let whole = of == Of::Levels && !own_search(case);
    let (place, found) = if whole {
        let place = place(source, case)?;
        let analysis = context.analysis(&place)?;
        (place, analysis)
    } else {
        let asked = question(source, case, context.effort, context)?;
        bucketed(&asked, name, figure)?;
        let place = ConfiguredInstance::from(&asked);
        let mut found = levels_of(&asked, context)?;
        // Whether states are missing that nobody numbered, only samples show.
        if matches!(found.proof, Proof::Open(_)) && is_whole(&asked) && of == Of::Levels {
            let checks = Checks {
                consistency: asked.checks.consistency,
                ..context.checks(&place)?
            };
            found = levels_of(&Request { checks, ..asked }, context)?;
        }
        (place, found)
    };
    let because = found.run.stopped_because.as_deref();
    let mut finding = match of {
        _ if whole && !found.run.complete => incomplete(&found),
        Of::Moves if lacks(&found, name, range) => {
            Finding::not_reached(because.unwrap_or(NO_MOVES))
        }
        Of::Moves => of_moves(case, name, range, &found)?,
        _ if !whole && lacks(&found, name, range) => {
            let open = || Finding::not_reached(because.unwrap_or("the search was not finished"));
            so_far(case, name, &found)?.unwrap_or_else(open)
        }
        _ => Finding::of_figure(case, &counts::of_levels(&found, name).map_err(bad)?)?,
    };
    judge(&mut finding, name, &place, &found)?;
    finding.moves.clone_from(&found.moves);
    finding.rest_on(found);
    Ok(finding)
}

/// The finding of a search that ended at its bound, if a figure that only grows decides.
fn so_far(case: &Case, name: &str, found: &Analysis) -> Result<Option<Finding>, EngineError> {
    if !found.finished || !counts::known(name).is_ok_and(|figure| figure.grows) {
        return Ok(None);
    }
    let figure = counts::of_levels(found, name).map_err(bad)?;
    let verdict = Finding::of_figure(case, &figure)?.verdict;
    let verdict = derived::by_bound(verdict, case.compare, "below");
    let decided = verdict.filter(|it| matches!(it, Verdict::Confirmed | Verdict::Refuted));
    Ok(decided.map(|verdict| Finding::new(format!("at least {figure}"), verdict)))
}

const NO_MOVES: &str = "the search met no moves of that kind";

/// A figure of the moves out of levels that a search met.
fn of_moves(case: &Case, name: &str, range: Option<(u16, u16)>, found: &Analysis) -> Decided {
    let there = found.moves.len();
    match (counts::of_moves(&found.moves, range, name), range) {
        (Some((value, what)), _) => {
            let mut finding = Finding::of_figure(case, &value)?;
            finding.note = what;
            Ok(finding)
        }
        (None, Some((first, last))) if usize::from(last) > there => Err(bad(format!(
            "levels = [{first}, {last}]: moves lead out of {there} levels; choose among 1 to {there}"
        ))),
        (None, _) => Ok(Finding::not_reached(NO_MOVES)),
    }
}

fn analysed(case: &Case) -> Option<&str> {
    let shared = of(case) == Some(Of::Levels) && !own_search(case);
    case.instance.as_deref().filter(|_| shared)
}

/// Whether a figure is of the search for a path.
pub(super) fn of_path(case: &Case) -> bool {
    of(case) == Some(Of::Path)
}

/// Checks that the search of at least one effort reaches the last level that a figure needs.
fn within_reach(case: &Case, name: &str) -> Result<(), KeyFault> {
    let beyond = |effort| {
        let most = keys::max_depth(case, effort)?.map(u32::from);
        let needed = counts::goes_to(name, keys::levels(case, effort)?);
        Ok(most.zip(needed).filter(|(most, needed)| most < needed))
    };
    let (Some(quick), Some(full)) = (beyond(Effort::Quick)?, beyond(Effort::Full)?) else {
        return Ok(());
    };
    let (most, needed) = quick.max(full);
    let line = format!(
        "a search to max_depth = {most} never reaches the level of {name}; give at least {needed}, or leave 'max_depth' out"
    );
    Err((Some("max_depth".to_owned()), line))
}

/// Checks that levels can be found as a case requests them, at either effort; returns the question
/// at full effort.
pub(super) fn check_question(
    source: &ClaimSource,
    case: &Case,
    context: &Context,
) -> Result<Request, Diagnostic> {
    let named = context.engine_for(QuestionKind::Levels);
    let flagged = named.is_some() && !case.own.contains_key("engine");
    let asked = |effort| at("instance", question(source, case, effort, context));
    let (quick, full) = (asked(Effort::Quick)?, asked(Effort::Full)?);
    check_levels(&full, flagged)?;
    if quick.max_depth != full.max_depth {
        check_levels(&quick, flagged)?;
    }
    Ok(full)
}

/// Checks that there are buckets, if a figure is about them.
fn bucketed(asked: &Request, name: &str, figure: &KnownFigure) -> Result<(), EngineError> {
    if !figure.of_buckets || has_buckets(asked)? {
        return Ok(());
    }
    Err(bad(format!(
        "{} has no buckets in the variant that is counted, and count = \"{name}\" is about them; moves_kept_by_hash counts buckets by a hash",
        asked.library.name
    )))
}

/// Whether a claim about levels needs a separate search.
fn own_search(case: &Case) -> bool {
    case.own.len() > 1 || !case.settings.is_empty() || case.board.is_some()
}

fn direction(case: &Case) -> Direction {
    match keys::known(case, "direction") {
        Some("backward") => Direction::Backward,
        _ => Direction::Forward,
    }
}

/// The levels that a case requests, with the engine of the claim, else the engine of the run.
pub(super) fn question(
    source: &ClaimSource,
    case: &Case,
    effort: Effort,
    context: &Context,
) -> Result<Request, EngineError> {
    let max_depth = keys::max_depth(case, effort).unwrap_or_default();
    let range = keys::levels(case, effort).unwrap_or_default();
    let engine = keys::engine(case).unwrap_or_default();
    // One search answers all questions about the moves of some levels, and is checked once.
    let name = keys::known(case, "count").unwrap_or_default();
    let moves = of(case) == Some(Of::Moves);
    // If the named levels do not determine a figure, the search runs to its end.
    let last = match moves {
        true => counts::goes_to(name, range).and_then(|last| u16::try_from(last).ok()),
        false => range.map(|(_, last)| last),
    };
    let plain = context.plain(&place(source, case)?);
    let named = context.engine_for(QuestionKind::Levels);
    Ok(Request {
        engine: Some(engine.or(named).unwrap_or(EngineId::HASH)),
        direction: Some(direction(case)),
        from: case.board.clone(),
        max_depth: max_depth.or(last),
        moves,
        antipodes: if moves { 0 } else { plain.antipodes },
        checks: match (moves, case.compare) {
            (true, _) => Checks::only(ConsistencyScope::Fitting {
                states: effort::fitting_states(effort),
            }),
            (false, Compare::Report) => Checks::OFF,
            (false, _) => Checks::only(effort::fitting(effort)),
        },
        ..plain
    })
}

/// Whether an analysis does not know a figure about a range of levels.
fn lacks(analysis: &Analysis, name: &str, range: Option<(u16, u16)>) -> bool {
    match (analysis.finished, analysis.run.complete) {
        (false, _) => true,
        (true, true) => false,
        (true, false) => counts::lacking(name, range, analysis.levels.max_depth()),
    }
}

/// Limits a figure to what was checked of its analysis. The number of parts is no figure of the
/// search: it is exact if rulebook and fast variant count equally many.
fn judge(
    finding: &mut Finding,
    name: &str,
    place: &ConfiguredInstance,
    analysis: &Analysis,
) -> Result<(), EngineError> {
    let library = &place.library;
    if name == "parts" && library.variants.len() > 1 && !analysis.failed() {
        let rules = library.reference_variant();
        let rules = library.open(&place.instance, rules, &place.settings)?;
        if rules.part_count == analysis.run.parts_total {
            return Ok(());
        }
    }
    finding.judged_by(analysis);
    Ok(())
}

/// Seconds until a path is found.
fn time(source: &ClaimSource, case: &Case, context: &Context) -> Decided {
    let found = path(&length::question(source, case, context.effort)?, context)?;
    let mut finding = match &found.answer.ending {
        Ending::Searched(Outcome::Path(path)) => {
            let mut finding = Finding::of_figure(case, &format!("{:.4}", found.seconds))?;
            finding.note = format!(
                "Seconds on this machine, to a path of {}:",
                unit_apart(path.moves(), "moves")
            );
            finding
        }
        // A clock refutes nothing, and a search without a path has no time to report.
        Ending::Searched(Outcome::Unreachable(proof)) => {
            Finding::not_reached(format!("No path: {proof}"))
        }
        open => length::left_open(open, "path"),
    };
    length::take_over(&mut finding, found, false);
    Ok(finding)
}
