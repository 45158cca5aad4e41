//! Kind `count`: `claimed` is a figure of a search of `instance`.
//!
//! Without its own keys, the claim rests on the analysis of the whole instance with all checks,
//! which claims share. With `engine`, `direction`, `max_depth`, `levels`, `board` or settings, and
//! for figures of moves or of a path, it is a separate question.

use antipode_check::analysis::{Analysis, Checks, Request};
use antipode_check::verify::ConsistencyScope;
use antipode_reports::count as unit_apart;
use antipode_search::engine::QuestionKind;
use antipode_search::engines::EngineError;
use antipode_search::outcome::Outcome;
use antipode_search::registry::EngineId;
use puzzle_api::Direction;

use super::{
    Claimed, Decide, Diagnostic, Diagnostics, KeyFault, at, bad, incomplete, keys, length, place,
};
use crate::context::Context;
use crate::counts::{self, AskedSearch, Of};
use crate::effort::Effort;
use crate::field::{Choice, DEEPEST, Field, Takes};
use crate::finding::Finding;
use crate::levels::levels as levels_of;
use crate::path::{Ending, path};
use crate::question::{
    ConfiguredInstance, check_levels, check_whole, has_buckets, levels_tell_unsolvable,
    tells_unsolvable,
};
use crate::sample::Sample;
use crate::source::ClaimSource;
use crate::spec::{Case, Compare};

pub(super) struct Count;

const COUNT: Field = Field::new(
    "count",
    Takes::OneOf(Choice::Count),
    "\"antipodes_orbits\"",
    "The figure of the search that `claimed` is compared with.",
);
const DIRECTION: Field = Field::new(
    "direction",
    Takes::OneOf(Choice::Direction),
    "\"forward\"",
    "From the start, or backward from the solved states [default for a search of its own: forward]. Makes the figure one of a search of its own; one forward needs a start, or a `board`.",
);

const ENGINE: Field = keys::LEVEL_ENGINE.saying(
    "The search strategy. With this key, or `direction`, `max_depth`, `board` or settings, the figure is one of a search of its own, forward where nothing else is said [default: hash]; without any of them, one of the whole instance, backward from the solved states. A figure of moves is always one of a search of its own. Engines that find a path alone are for `seconds`.",
);
const MAX_DEPTH: Field = keys::MAX_DEPTH.saying(
    "The search goes no deeper; what lies beyond is not reached. Makes the figure one of a search of its own.",
);
const BOARD: Field = keys::BOARD.saying(
    "Where the search starts, in place of the instance's start: rows joined by /, or a name such as goal, as `antipode list PUZZLE` shows them. Makes the figure one of a search of its own.",
);

/// Ways to compare a counted figure with the one claimed.
const COMPARISONS: [Compare; 6] = [
    Compare::Equal,
    Compare::About,
    Compare::Magnitude,
    Compare::AtMost,
    Compare::AtLeast,
    Compare::Report,
];

impl Decide for Count {
    fn about(&self) -> &'static str {
        "A figure of a search: states in all, antipodes, the size of a level, the share of moves that stay in their bucket."
    }

    fn unit(&self, case: &Case) -> &'static str {
        match keys::known(case, "count").unwrap_or_default() {
            "max_depth" => keys::unit_of_length(case),
            name => counts::unit(name),
        }
    }

    fn sample(&self) -> Sample {
        Sample {
            puzzle: "rush-hour",
            statement: "Nine boards of card 1 are the farthest from a solved one.",
            sets: &[
                ("instance", "\"card-1\""),
                ("count", "\"antipodes_states\""),
                ("claimed", "9"),
            ],
            fits: &[keys::CARD_1, ("levels", "[1, 5]"), ("unit", "\"states\"")],
        }
    }

    fn keys(&self) -> &'static [Field] {
        const KEYS: [Field; 12] = [
            keys::INSTANCE.needed(),
            COUNT.needed(),
            keys::CLAIMED,
            keys::COMPARE.one_of(&COMPARISONS),
            keys::WITHIN,
            keys::UNIT,
            BOARD,
            keys::SETTINGS,
            ENGINE.any_engine(),
            DIRECTION,
            MAX_DEPTH,
            keys::LEVELS,
        ];
        &KEYS
    }

    fn read(&self, case: &mut Case) -> Result<(), KeyFault> {
        let name = keys::known(case, "count").unwrap_or_default();
        let fault = |line: String| {
            let line = format!("claim '{}': {line}", case.id);
            (Some("count".to_owned()), line)
        };
        let of = counts::known(name).map_err(fault)?;
        if counts::is_measured(name) && case.compare != Compare::Report {
            return Err(fault(format!(
                "{name} is measured on this machine, and no machine confirms or refutes a speed; give compare = \"report\""
            )));
        }
        if !case.unit.is_empty() && case.unit != self.unit(case) {
            let (unit, own) = (&case.unit, self.unit(case));
            let line = format!(
                "claim '{}': {name} counts {own}, not {unit}; write unit = \"{own}\", or leave 'unit' out",
                case.id
            );
            return Err((Some("unit".to_owned()), line));
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
                let line = format!(
                    "claim '{}': '{key}' says nothing of {name}; leave it out{instead}",
                    case.id
                );
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
        if !counts::of_range(name) {
            without(
                "levels",
                ", or give max_depth for a search that goes no deeper",
            )?;
        }
        if of != Of::Path {
            let whole = of == Of::Levels && !own_search(case);
            let asked = AskedSearch {
                forward: !whole && direction(case) == Direction::Forward,
                from_board: case.board.is_some(),
            };
            counts::fits(name, asked).map_err(fault)?;
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

    fn claimed(&self) -> Claimed {
        Claimed::Whole
    }

    fn check(
        &self,
        source: &ClaimSource,
        case: &Case,
        context: &Context,
    ) -> Result<(), Diagnostics> {
        let name = keys::known(case, "count").unwrap_or_default();
        let tells_unsolvable = match at("count", counts::known(name).map_err(bad))? {
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
                at("count", bucketed(&asked, name))?;
                levels_tell_unsolvable(&asked)?
            }
        };
        match counts::needs_all(name) && !tells_unsolvable {
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

    fn decide(
        &self,
        source: &ClaimSource,
        case: &Case,
        context: &mut Context,
    ) -> Result<Finding, EngineError> {
        let name = keys::known(case, "count").unwrap_or_default();
        match counts::known(name).map_err(bad)? {
            Of::Path => time(source, case, context),
            Of::Moves => moves(source, case, name, context),
            Of::Levels if own_search(case) => levels(source, case, name, context),
            Of::Levels => whole(source, case, name, context),
        }
    }

    fn analysed<'a>(&self, case: &'a Case) -> Option<&'a str> {
        let name = keys::known(case, "count")?;
        let shared = counts::known(name) == Ok(Of::Levels) && !own_search(case);
        case.instance.as_deref().filter(|_| shared)
    }
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
        "claim '{}': a search to max_depth = {most} never reaches the level of {name}; give at least {needed}, or leave 'max_depth' out",
        case.id
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
fn bucketed(asked: &Request, name: &str) -> Result<(), EngineError> {
    if !counts::of_buckets(name) || has_buckets(asked)? {
        return Ok(());
    }
    Err(bad(format!(
        "{} has no buckets, and count = \"{name}\" is about them; moves_kept_by_hash counts buckets by a hash",
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
    let moves = counts::known(name) == Ok(Of::Moves);
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
                states: effort.fitting_states(),
            }),
            (false, Compare::Report) => Checks::OFF,
            (false, _) => Checks::only(effort.fitting()),
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

fn whole(
    source: &ClaimSource,
    case: &Case,
    name: &str,
    context: &mut Context,
) -> Result<Finding, EngineError> {
    let place = place(source, case)?;
    let analysis = context.analysis(&place)?;
    let mut finding = match analysis.run.complete {
        true => Finding::of_figure(case, &counts::of_levels(&analysis, name).map_err(bad)?)?,
        false => incomplete(&analysis),
    };
    judge(&mut finding, name, &place, &analysis)?;
    finding.rest_on(analysis);
    Ok(finding)
}

fn levels(
    source: &ClaimSource,
    case: &Case,
    name: &str,
    context: &mut Context,
) -> Result<Finding, EngineError> {
    let asked = question(source, case, context.effort, context)?;
    let analysis = levels_of(&asked, context)?;
    let mut finding = match lacks(&analysis, name, None) {
        true => {
            let because = analysis.run.stopped_because.as_deref();
            Finding::not_reached(because.unwrap_or("the search was not finished"))
        }
        false => Finding::of_figure(case, &counts::of_levels(&analysis, name).map_err(bad)?)?,
    };
    judge(
        &mut finding,
        name,
        &ConfiguredInstance::from(&asked),
        &analysis,
    )?;
    finding.rest_on(analysis);
    Ok(finding)
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

fn moves(
    source: &ClaimSource,
    case: &Case,
    name: &str,
    context: &mut Context,
) -> Result<Finding, EngineError> {
    let asked = question(source, case, context.effort, context)?;
    bucketed(&asked, name)?;
    let range = keys::levels(case, context.effort).unwrap_or_default();
    let found = levels_of(&asked, context)?;
    let lacks = lacks(&found, name, range);
    let figure = match lacks {
        false => counts::of_moves(&found.moves, range, name),
        true => None,
    };
    let there = found.moves.len();
    if let (false, None, Some((first, last))) = (lacks, &figure, range)
        && usize::from(last) > there
    {
        return Err(bad(format!(
            "levels = [{first}, {last}]: moves lead out of {there} levels; choose among 1 to {there}"
        )));
    }
    let mut finding = match figure {
        Some((value, what)) => {
            let mut finding = Finding::of_figure(case, &value)?;
            finding.note = what;
            finding
        }
        None => {
            let because = found.run.stopped_because.as_deref();
            let because = because.filter(|_| lacks);
            Finding::not_reached(because.unwrap_or("the search met no moves of that kind"))
        }
    };
    finding.judged_by(&found);
    finding.moves.clone_from(&found.moves);
    finding.rest_on(found);
    Ok(finding)
}

/// Seconds until a path is found.
fn time(source: &ClaimSource, case: &Case, context: &Context) -> Result<Finding, EngineError> {
    let found = path(&length::question(source, case, context.effort)?, context)?;
    let mut finding = match &found.ending {
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
