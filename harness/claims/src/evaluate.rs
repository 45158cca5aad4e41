//! Deciding one reading of a claim.

use std::sync::Arc;

use puzzle_api::Figure;

use antipode_reports::model::{Evidence, Picture, PictureKind, Verdict};

use super::compare::{ratio_verdict, verdict, whole};
use super::lengths::{self, TableFinding};
use super::path::{Solution, held_elsewhere, solve};
use super::spec::{Case, Compare, Kind, level_named, unknown_figure};
use super::{ClaimSource, Context};
use antipode_check::analysis::Analysis;
use antipode_graph::{Library, PluginError};
use antipode_search::engines::EngineError;

/// What came of one reading.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    pub found: String,
    pub verdict: Verdict,
    pub note: String,
    pub evidence: Vec<Evidence>,
    pub witnesses: Vec<Picture>,
    pub variant: String,
    pub engine: String,
    /// The analysis that it rests on.
    pub analysis: Option<Arc<Analysis>>,
    /// Two of our own derivations disagree.
    pub disagreement: bool,
    /// The rows of a table of claims.
    pub table: Option<TableFinding>,
}

impl Finding {
    fn new(found: impl Into<String>, verdict: Verdict) -> Self {
        Self {
            found: found.into(),
            verdict,
            note: String::new(),
            evidence: Vec::new(),
            witnesses: Vec::new(),
            variant: String::new(),
            engine: String::new(),
            analysis: None,
            disagreement: false,
            table: None,
        }
    }

    pub(super) fn not_reached(why: impl Into<String>) -> Self {
        let mut finding = Self::new("", Verdict::NotReached);
        finding.note = why.into();
        finding
    }
}

/// Antipodes shown as pictures; the CSV has all.
const MOST_PICTURES: usize = 24;

/// Decides one reading.
///
/// # Errors
/// [`EngineError`] where the claim's own input is bad, or a puzzle breaks its contract.
pub(super) fn evaluate(
    source: &ClaimSource,
    case: &Case,
    context: &mut Context,
) -> Result<Finding, EngineError> {
    if context.stop.requested() {
        return Ok(Finding::not_reached("stopped before this claim"));
    }
    if case.kind == Kind::Derived {
        return derived(source, case, context);
    }
    let (Some(library), Some(instance)) = (&source.library, &case.instance) else {
        return Err(bad(format!(
            "{}: claims of this kind need a puzzle",
            source.name
        )));
    };
    match case.kind {
        Kind::Derived | Kind::Count => count(library, instance, case, context),
        Kind::Hardest => hardest(library, instance, case, context),
        Kind::Length | Kind::Solvable => length(library, instance, case, context),
        Kind::Lengths => table(library, instance, case, context),
    }
}

fn bad(line: String) -> EngineError {
    PluginError::BadInput(line).into()
}

fn derived(source: &ClaimSource, case: &Case, context: &Context) -> Result<Finding, EngineError> {
    let what = case.derive.as_deref().unwrap_or_default();
    let effort = context.effort.of_derivations();
    let figures = match source.derive(what, &case.parameters, effort) {
        Err(PluginError::NotOffered(why)) => return Ok(Finding::not_reached(why)),
        figures => figures?,
    };
    let figure = |name: &str| {
        let found = figures.iter().find(|figure| figure.name == name);
        found.map(|figure| figure.value.as_str())
    };
    let note = prose(&figures);
    let concluded = figure("verdict").map(verdict_named).transpose()?;
    let Some(value) = figure("value") else {
        let mut finding = Finding::not_reached(note);
        finding.engine = "derivation".into();
        return Ok(finding);
    };
    let verdict = match (concluded, case.compare, figure("low"), figure("high")) {
        (Some(concluded), ..) => concluded,
        (None, Compare::Ratio, Some(low), Some(high)) => ratio_verdict(case, low, high)
            .ok_or_else(|| bad(format!("'{}' is no ratio", case.claimed)))?,
        _ => verdict(case, value).map_err(bad)?,
    };
    let mut finding = Finding::new(value, verdict);
    let counted = |name: &str| {
        let said = figure(name).map(|text| {
            text.parse::<u64>().map_err(|_| {
                bad(format!(
                    "the derivation's figure '{name}' is '{text}', no count"
                ))
            })
        });
        said.transpose()
    };
    if let Some(sampled) = counted("sampled")? {
        let wrong = counted("wrong")?.unwrap_or(0);
        finding.evidence.push(sample_evidence(what, sampled, wrong));
        finding.verdict = by_sample(finding.verdict, sampled, wrong);
    }
    finding.note = note;
    finding.engine = "derivation".into();
    Ok(finding)
}

/// A conclusion that the derivation draws itself, where no comparison of one figure can.
fn verdict_named(name: &str) -> Result<Verdict, EngineError> {
    let mut all = Verdict::ALL.into_iter();
    all.find(|verdict| verdict.id() == name).ok_or_else(|| {
        let known = Verdict::ALL.map(Verdict::id).join(", ");
        bad(format!(
            "the derivation concludes '{name}', which is no verdict; its figure 'verdict' is one of {known}"
        ))
    })
}

/// The figures beside the value, as one paragraph.
fn prose(figures: &[Figure]) -> String {
    let explanation = figures.iter().find(|figure| figure.name == "explanation");
    let mut parts: Vec<String> = explanation.map(|f| f.value.clone()).into_iter().collect();
    let shown = ["value", "explanation", "verdict"];
    let others = figures.iter().filter(|f| !shown.contains(&f.name.as_str()));
    let others: Vec<String> = others.map(|f| format!("{}: {}", f.name, f.value)).collect();
    if !others.is_empty() {
        parts.push(format!("Figures: {}.", others.join("; ")));
    }
    parts.join(" ")
}

/// What a sample lets a verdict be: nothing without states, and no confirmation where
/// some of them were wrong.
fn by_sample(verdict: Verdict, sampled: u64, wrong: u64) -> Verdict {
    match verdict {
        Verdict::Confirmed | Verdict::ConfirmedBySample => match (sampled, wrong) {
            (0, _) => Verdict::NotReached,
            (_, 0) => Verdict::ConfirmedBySample,
            _ => Verdict::Refuted,
        },
        other => other,
    }
}

fn sample_evidence(what: &str, sampled: u64, wrong: u64) -> Evidence {
    let bound =
        antipode_check::verify::upper_bound(sampled, wrong, antipode_check::verify::CONFIDENCE);
    Evidence {
        what: what.to_owned(),
        sampled: sampled.into(),
        population: None,
        wrong: wrong.into(),
        confidence: antipode_check::verify::CONFIDENCE,
        bound,
        text: "States drawn at random are held against the claim.".into(),
    }
}

fn count(
    library: &Arc<Library>,
    instance: &str,
    case: &Case,
    context: &mut Context,
) -> Result<Finding, EngineError> {
    let analysis = context.analysis(library, instance)?;
    let mut finding = if analysis.run.complete {
        let name = case.count.as_deref().unwrap_or_default();
        let found = figure_of(&analysis, name).map_err(bad)?;
        Finding::new(
            found.to_string(),
            verdict(case, &found.to_string()).map_err(bad)?,
        )
    } else {
        incomplete(&analysis)
    };
    rest_on(&mut finding, analysis);
    Ok(finding)
}

fn incomplete(analysis: &Analysis) -> Finding {
    Finding::not_reached(format!(
        "the analysis was stopped after {} of {} parts; the same command with --resume goes on",
        analysis.run.parts_done, analysis.run.parts_total
    ))
}

fn rest_on(finding: &mut Finding, analysis: Arc<Analysis>) {
    finding.evidence.extend(analysis.evidence.iter().cloned());
    finding.variant.clone_from(&analysis.run.variant);
    finding.engine.clone_from(&analysis.run.engine);
    finding.disagreement |= analysis.failed();
    finding.analysis = Some(analysis);
}

fn figure_of(analysis: &Analysis, name: &str) -> Result<u128, String> {
    let table = &analysis.levels;
    let sum = |orbits: bool| -> u128 {
        let levels = table.levels.iter();
        levels
            .map(|level| if orbits { level.orbits } else { level.states })
            .sum()
    };
    let unsolvable = table.unsolvable.as_ref();
    let solved = table.levels.first().filter(|level| level.depth == 0);
    let known = match name {
        "total_states" => unsolvable.map(|rest| sum(false) + rest.states),
        "total_orbits" => unsolvable.map(|rest| sum(true) + rest.orbits),
        "solvable_states" => Some(sum(false)),
        "solvable_orbits" => Some(sum(true)),
        "unsolvable_states" => unsolvable.map(|rest| rest.states),
        "unsolvable_orbits" => unsolvable.map(|rest| rest.orbits),
        "solved_states" => solved.map(|level| level.states),
        "solved_orbits" => solved.map(|level| level.orbits),
        "max_depth" => table.max_depth().map(u128::from),
        "antipodes" => table.levels.last().map(|level| level.orbits),
        "parts" => Some(analysis.run.parts_total.into()),
        "states_per_second" => Some(states_per_second(analysis)),
        _ => {
            let depth = level_named(name).ok_or_else(|| unknown_figure(name))?;
            let found = table.levels.iter().find(|level| level.depth == depth);
            Some(found.map_or(0, |level| level.states))
        }
    };
    known.ok_or_else(|| format!("the analysis does not know '{name}'"))
}

/// Throughput on all threads, wall clock: for claims on other hardware, as a report only.
fn states_per_second(analysis: &Analysis) -> u128 {
    let expanded = analysis.run.extra.get("states_expanded");
    let expanded = expanded.and_then(serde_json::Value::as_f64).unwrap_or(0.0);
    (expanded / analysis.run.wall_s.max(1e-3)) as u128
}

fn hardest(
    library: &Arc<Library>,
    instance: &str,
    case: &Case,
    context: &mut Context,
) -> Result<Finding, EngineError> {
    let analysis = context.analysis(library, instance)?;
    let board = case.board.as_deref();
    let solution = match solve(library, instance, board, context) {
        Ok(solution) => solution,
        // A board that only another instance can hold is an answer, not a fault of the file.
        Err(EngineError::Plugin(PluginError::BadInput(why)))
            if board.is_some_and(|board| held_elsewhere(library, board)) =>
        {
            let mut finding = Finding::new("no board of this instance", Verdict::Refuted);
            finding.note = why;
            rest_on(&mut finding, analysis);
            return Ok(finding);
        }
        Err(error) => return Err(error),
    };
    let mut finding = if analysis.run.complete {
        judge_hardest(&analysis, &solution, case)
    } else {
        incomplete(&analysis)
    };
    finding.disagreement |= solution.disagreement.is_some();
    if let Some(disagreement) = &solution.disagreement {
        finding.note = format!(
            "our own derivations disagree: {disagreement}. {}",
            finding.note
        );
    }
    finding.witnesses.push(Picture {
        caption: "the board of the claim".into(),
        kind: PictureKind::Board {
            state: solution.board.clone(),
        },
    });
    finding.witnesses.extend(antipode_pictures(&analysis));
    finding.witnesses.push(solution.picture);
    rest_on(&mut finding, analysis);
    Ok(finding)
}

fn judge_hardest(analysis: &Analysis, solution: &Solution, case: &Case) -> Finding {
    let greatest = analysis.levels.max_depth().unwrap_or(0);
    let orbits = analysis.antipodes.len();
    let among = analysis
        .antipodes
        .iter()
        .any(|a| a.state == solution.canonical);
    let moves = solution
        .length
        .map_or_else(|| "unsolvable".into(), |moves| format!("{moves} moves"));
    let figure_fits = case.claimed.is_empty() || whole(&case.claimed) == Some(greatest.into());
    let verdict = if among && figure_fits {
        Verdict::Confirmed
    } else {
        Verdict::Refuted
    };
    let found = match (among, orbits) {
        (true, 1) => format!("{moves}, the greatest distance, here alone"),
        (true, _) => format!("{moves}, the greatest distance, as {orbits} boards up to symmetry"),
        (false, _) => format!("{moves}; the greatest distance is {greatest}"),
    };
    let mut finding = Finding::new(found, verdict);
    finding.note = match (among, orbits) {
        (true, 1) => "No other board is as hard.".into(),
        (true, _) => format!(
            "{} other boards (up to symmetry) are exactly as hard, so it is a hardest board, not the only one.",
            orbits - 1
        ),
        (false, _) => "Harder boards are shown as witnesses.".into(),
    };
    // The sweep backward and the search forward must give this board one distance.
    if among != (solution.length == Some(greatest)) {
        finding.disagreement = true;
        finding.note = format!(
            "our own derivations disagree: {moves} by forward search. {}",
            finding.note
        );
    }
    finding
}

fn antipode_pictures(analysis: &Analysis) -> impl Iterator<Item = Picture> + '_ {
    analysis
        .antipodes
        .iter()
        .take(MOST_PICTURES)
        .map(|antipode| Picture {
            caption: format!("at distance {}", antipode.depth),
            kind: PictureKind::Board {
                state: antipode.state.clone(),
            },
        })
}

fn table(
    library: &Arc<Library>,
    instance: &str,
    case: &Case,
    context: &Context,
) -> Result<Finding, EngineError> {
    let table = lengths::decide(library, instance, case, context)?;
    let mut finding = Finding::new(table.summary(), table.verdict());
    finding.disagreement = !table.disagreements.is_empty();
    let lines = table.disagreements.iter();
    let lines = lines.map(|line| format!("our own derivations disagree: {line}. "));
    finding.note = lines.collect::<String>() + &table.note;
    finding.witnesses = table.witnesses();
    finding.variant.clone_from(&table.variant);
    finding.engine = "pairs".into();
    finding.table = Some(table);
    Ok(finding)
}

fn length(
    library: &Arc<Library>,
    instance: &str,
    case: &Case,
    context: &Context,
) -> Result<Finding, EngineError> {
    let solution = solve(library, instance, case.board.as_deref(), context)?;
    let found = solution
        .length
        .map_or_else(|| "unsolvable".into(), |moves| moves.to_string());
    let verdict = match case.kind {
        Kind::Length if solution.length.is_none() && case.claimed == "unsolvable" => {
            Verdict::Confirmed
        }
        _ if solution.length.is_none() => Verdict::Refuted,
        Kind::Length if case.compare != Compare::Holds => verdict(case, &found).map_err(bad)?,
        _ => Verdict::Confirmed,
    };
    let mut finding = Finding::new(found, verdict);
    finding.disagreement = solution.disagreement.is_some();
    finding.note = solution.disagreement.map_or_else(
        || format!("{} states seen", solution.seen),
        |text| format!("our own derivations disagree: {text}"),
    );
    finding.witnesses.push(solution.picture);
    finding.variant = solution.variants;
    finding.engine = "forward search".into();
    Ok(finding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_with_faults_or_without_states_confirms_nothing() {
        use Verdict::{Confirmed, ConfirmedBySample, NotReached, Refuted};
        assert_eq!(by_sample(Confirmed, 10, 0), ConfirmedBySample);
        assert_eq!(by_sample(Confirmed, 0, 0), NotReached);
        assert_eq!(by_sample(Confirmed, 10, 1), Refuted);
        assert_eq!(by_sample(ConfirmedBySample, 0, 0), NotReached);
        assert_eq!(by_sample(Refuted, 10, 0), Refuted);
        assert!(verdict_named("confirmd").is_err());
    }
}
