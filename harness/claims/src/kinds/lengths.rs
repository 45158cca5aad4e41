//! Kind `lengths`: `table` lists pairs of named states with the length of a shortest path each;
//! every row gets its own verdict.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use antipode_reports::count;
use antipode_reports::model::{ClaimResult, Picture, Unit, Verdict};

use super::{Claimed, Decided, Diagnostic, Diagnostics, KeyFault, Kind, at, keys, place, target};
use crate::context::Context;
use crate::finding::{Finding, RowFinding, TableFinding, conjunction};
use crate::question::ConfiguredInstance;
use crate::source::ClaimSource;
use crate::spec::{Case, Claim, LengthPair};
use crate::table::{self, read_table, row_id};
use antipode_check::ask::many;
use antipode_check::board;
use antipode_graph::{Graph, Library, PluginError};
use antipode_search::engine::QuestionKind;
use antipode_search::engines::EngineError;
use antipode_search::many_to_many::{
    Length, MeasuredPair, PairsOutcome, PairsRequest, picture, write_files,
};
use antipode_search::work;
use puzzle_api::Effort;

mod sides;

use sides::{LEAST, hold_to_sides, inside, looked_at};

/// A table of lengths.
pub(super) const LENGTHS: Kind = Kind {
    claimed: Claimed::Nothing,
    unit: |_, _| "",
    read,
    check,
    decide,
    analysed: |_| None,
};

fn read(case: &mut Case) -> Result<(), KeyFault> {
    let text = keys::known(case, "table").unwrap_or_default();
    let pairs = read_table(text).map_err(|line| (Some("table".into()), line))?;
    let fault = || keys::wrong(case, "refuted", "a list of texts such as [\"A-B\"]");
    let refuted = match case.own.get("refuted") {
        None => Vec::new(),
        Some(list) => {
            let list = list.as_array().ok_or_else(fault)?.iter();
            let names = list.map(|name| Some(name.as_str()?.to_owned()));
            names.collect::<Option<_>>().ok_or_else(fault)?
        }
    };
    keys::for_both(|effort| budget(case, effort))?;
    case.claimed = table::claimed(&pairs);
    case.table = pairs;
    case.refuted = refuted;
    Ok(())
}

fn check(source: &ClaimSource, case: &Case, _: &Context) -> Result<(), Diagnostics> {
    let place = at("instance", place(source, case))?;
    Ok(check_rows(&place, case)?)
}

fn decide(source: &ClaimSource, case: &Case, context: &mut Context) -> Decided {
    let (library, instance) = target(source, case)?;
    let table = find(library, instance, case, context)?;
    let mut finding = Finding::new(table.summary(), table.verdict());
    finding.disagreement = !table.disagreements.is_empty();
    let lines = table.disagreements.iter();
    let lines = lines.map(|line| format!("our own derivations disagree: {line}. "));
    finding.note = lines.collect::<String>() + &table.note;
    finding.witnesses = table.witnesses();
    finding.variant.clone_from(&table.variant);
    finding.engine = "pairs".into();
    finding.evidence.push(table.inside.clone());
    finding.table = Some(table);
    Ok(finding)
}

/// States of a forward search, for an effort, if there is a bound.
fn budget(case: &Case, effort: Effort) -> Result<Option<u64>, KeyFault> {
    keys::number(case, "budget", effort, 1..=i64::MAX as u64)
}

/// States of a side, and of a forward search unless the claim says otherwise, at quick effort:
/// seconds.
const QUICK_SIDE: u64 = 100_000;
const QUICK_BUDGET: u64 = 2_000_000;
/// Memory at quick effort.
const QUICK_MEMORY: u64 = 1 << 30;

/// Finds out before the work that every name in a table is a state's.
fn check_rows(place: &ConfiguredInstance, case: &Case) -> Result<(), Diagnostic> {
    let rows: BTreeSet<String> = case.table.iter().map(LengthPair::name).collect();
    if let Some(stray) = case.refuted.iter().find(|name| !rows.contains(*name)) {
        let line = format!("refuted = \"{stray}\" names no row of the table; write FROM-TO");
        return Err(Diagnostic::new("refuted", line));
    }
    let states = case.table.iter().flat_map(|pair| [&pair.from, &pair.to]);
    let states: BTreeSet<&String> = states.collect();
    let opened = place.checked_in(&place.library.variants[0])?;
    at("table", board::check(&opened, states))?;
    let graph = Graph::of(opened);
    for LengthPair { from, to, .. } in &case.table {
        if graph.parse(from)? == graph.parse(to)? {
            let line = format!("the table's row '{from},{to}' leads nowhere: both are one state");
            return Err(Diagnostic::new("table", line));
        }
    }
    // All starts are asked for together, and so are all goals.
    let mut known = BTreeMap::new();
    let sides = case
        .table
        .iter()
        .flat_map(|pair| [(0, &pair.from), (1, &pair.to)]);
    for (side, name) in sides {
        let other = known.insert((side, graph.parse(name)?), name);
        if let Some(other) = other.filter(|other| *other != name) {
            let line =
                format!("the table names one state '{other}' and '{name}'; write it one way");
            return Err(Diagnostic::new("table", line));
        }
    }
    Ok(())
}

/// Finds the lengths of a table and compares them with it.
fn find(
    library: &Arc<Library>,
    instance: &str,
    case: &Case,
    context: &Context,
) -> Result<TableFinding, EngineError> {
    let names = |name: fn(&LengthPair) -> &String| {
        let mut names: Vec<String> = Vec::new();
        for pair in &case.table {
            if !names.contains(name(pair)) {
                names.push(name(pair).clone());
            }
        }
        names
    };
    let quick = context.effort == Effort::Quick;
    let folder = match &context.out {
        Some(out) => {
            let folder = Context::pairs_folder(out, &case.id);
            std::fs::create_dir_all(&folder).ok().map(|()| folder)
        }
        None => None,
    };
    let journal = folder.clone().map(|folder| (folder, context.resume));
    let (from, to) = (names(|pair| &pair.from), names(|pair| &pair.to));
    let request = PairsRequest {
        library: Arc::clone(library),
        instance: instance.to_owned(),
        settings: case.settings.clone(),
        variant: None,
        looked_at: (looked_at(context.effort) / (from.len() + to.len()).max(1)).max(LEAST),
        from,
        to,
        numbered: None,
        // Predecessors are no part of a loaded rulebook, and nothing else confirms them.
        radius: (!library.is_built_in()).then_some(0),
        side_states: quick.then_some(QUICK_SIDE),
        again: !quick,
        budget: budget(case, context.effort)
            .unwrap_or_default()
            .or(quick.then_some(QUICK_BUDGET)),
        memory: quick.then_some(QUICK_MEMORY),
        threads: context.threads,
        journal: journal.filter(|_| !quick),
        show_progress: context.show_progress,
        command: context.command.clone(),
    };
    let outcome = many(
        context.engine_for(QuestionKind::Many),
        &request,
        &context.stop,
    )?;
    if let Some(folder) = &folder {
        let legend = antipode_search::record::legend(&library.legend);
        write_files(folder, &outcome, &legend)
            .map_err(|error| PluginError::BadInput(error.to_string()))?;
        if outcome.run.complete {
            work::clear(folder, false)?;
        }
    }
    Ok(held_against(case, outcome))
}

fn held_against(case: &Case, outcome: PairsOutcome) -> TableFinding {
    let find = |pair: &LengthPair| {
        let mut rows = outcome.rows.iter();
        rows.find(|row| row.from == pair.from && row.to == pair.to)
    };
    let rows = case.table.iter().map(|pair| {
        let found = find(pair);
        let mut row = judge_row(pair, found, outcome.run.unit);
        let again = found.is_some_and(|found| found.again);
        hold_to_sides(&mut row, outcome.sides_of(&pair.from, &pair.to), again);
        match found.and_then(|found| found.fault.as_ref()) {
            None => row,
            Some(fault) => RowFinding {
                verdict: Verdict::NotReached,
                note: format!("our own derivations disagree: the path {fault}"),
                ..row
            },
        }
    });
    TableFinding {
        rows: rows.collect(),
        note: format!(
            "{} by {} states in {:.0} s ({:.0} s of processor time); the sides that do not meet are in sides.csv, a path for every length in pairs.csv.",
            outcome.from.len(),
            outcome.to.len(),
            outcome.run.wall_s,
            outcome.run.cpu_s,
        ),
        inside: inside(&outcome),
        variant: outcome.run.variant,
        disagreements: outcome.disagreements,
    }
}

fn judge_row(pair: &LengthPair, row: Option<&MeasuredPair>, unit: Unit) -> RowFinding {
    let (found, verdict, note) = match row.map(|row| row.length) {
        None => (
            String::new(),
            Verdict::NotReached,
            "stopped before this pair".to_owned(),
        ),
        Some(Length::Exactly {
            moves,
            forward,
            backward,
        }) => {
            let verdict = match moves == pair.moves {
                true => Verdict::Confirmed,
                false => Verdict::Refuted,
            };
            let note = match forward {
                0 => format!("the backward side of radius {backward} holds the start"),
                _ => format!(
                    "the forward side of radius {} and the backward side of radius {backward} do not meet",
                    forward - 1
                ),
            };
            (moves.to_string(), verdict, note)
        }
        Some(Length::MoreThan {
            moves,
            forward,
            backward,
        }) => {
            let verdict = match pair.moves <= moves {
                true => Verdict::Refuted,
                false => Verdict::NotReached,
            };
            let note = format!(
                "the forward side of radius {forward} and the backward side of radius {backward} do not meet"
            );
            (format!("more than {moves}"), verdict, note)
        }
        Some(Length::Unreachable { closed }) => (
            "no path".to_owned(),
            Verdict::Refuted,
            format!(
                "the {} side is closed and does not hold the other state",
                closed.name()
            ),
        ),
    };
    let shown = row.filter(|row| !row.path.is_empty());
    let witness = shown.map(|row| picture(row, unit));
    let shorter = row.and_then(|row| row.length.exactly());
    let by_path = shorter.is_some_and(|moves| moves < pair.moves) && witness.is_some();
    RowFinding {
        pair: pair.clone(),
        found,
        verdict,
        note,
        witness,
        by_path,
    }
}

impl TableFinding {
    fn count(&self, verdict: Verdict) -> usize {
        let rows = self.rows.iter();
        rows.filter(|row| row.verdict == verdict).count()
    }

    /// One line for the table of verdicts.
    fn summary(&self) -> String {
        use Verdict::{Confirmed, ConfirmedBySample, NotReached, Refuted, RefutedBySample};
        let shown = [
            Confirmed,
            ConfirmedBySample,
            Refuted,
            RefutedBySample,
            NotReached,
        ];
        let counts = shown.into_iter().filter(|&verdict| self.count(verdict) > 0);
        let counts: Vec<String> = counts
            .map(|verdict| format!("{} {}", self.count(verdict), verdict.label()))
            .collect();
        counts.join(", ")
    }

    /// A refuted row refutes the table, a row that was not reached leaves it open, and one
    /// confirmed by sample makes the table confirmed by sample.
    fn verdict(&self) -> Verdict {
        let rows: Vec<Verdict> = self.rows.iter().map(|row| row.verdict).collect();
        conjunction(&rows)
    }

    /// Pictures for the table as a whole: the refutation, else the longest path.
    fn witnesses(&self) -> Vec<Picture> {
        let refuted = self
            .rows
            .iter()
            .filter(|row| matches!(row.verdict, Verdict::Refuted | Verdict::RefutedBySample));
        let shown: Vec<Picture> = refuted
            .filter_map(|row| row.witness.clone())
            .take(MOST_SHOWN)
            .collect();
        if !shown.is_empty() {
            return shown;
        }
        let longest = self
            .rows
            .iter()
            .filter(|row| row.witness.is_some())
            .max_by_key(|row| row.pair.moves);
        longest
            .and_then(|row| row.witness.clone())
            .into_iter()
            .collect()
    }
}

/// Paths shown of a table that is refuted; the certificate has all.
const MOST_SHOWN: usize = 12;

/// The verdict expected of a row. A row that quick effort does not reach is expected, and so is one
/// that full effort does not reach, if the whole table expects that. The table's verdict says how
/// far rows were checked.
fn expected(to_be_refuted: bool, row: Verdict, effort: Effort, whole: Verdict) -> Verdict {
    let may_be_open = effort == Effort::Quick || whole == Verdict::NotReached;
    if row == Verdict::NotReached && may_be_open {
        return Verdict::NotReached;
    }
    match (to_be_refuted, row) {
        (true, Verdict::RefutedBySample) | (false, Verdict::ConfirmedBySample) => row,
        (true, _) => Verdict::Refuted,
        (false, _) => Verdict::Confirmed,
    }
}

/// Rows with unexpected outcomes, a line each; many are summarised.
pub(crate) fn surprises(
    case: &Case,
    found: &TableFinding,
    effort: Effort,
    whole: Verdict,
) -> Vec<String> {
    let rows = found.rows.iter().map(|row| {
        let to_be_refuted = case.refuted.contains(&row.pair.name());
        (row, expected(to_be_refuted, row.verdict, effort, whole))
    });
    let mut lines: Vec<String> = rows
        .filter(|(row, expected)| *expected != row.verdict)
        .map(|(row, expected)| {
            format!(
                "The length from {} to {} was expected {expected} and came out {}.",
                row.pair.from, row.pair.to, row.verdict
            )
        })
        .collect();
    if lines.len() > MOST_SHOWN {
        let more = lines.len() - MOST_SHOWN;
        lines.truncate(MOST_SHOWN);
        lines.push(format!("So did {more} more."));
    }
    lines
}

/// The rows as separate results.
pub(crate) fn results(
    claim: &Claim,
    whole: &ClaimResult,
    found: &TableFinding,
    effort: Effort,
) -> Vec<ClaimResult> {
    let case = &claim.cases[0];
    let result = |row: &RowFinding| ClaimResult {
        id: row_id(claim, &row.pair),
        kind: "length".into(),
        statement: format!(
            "From {} to {} it takes exactly {}.",
            row.pair.from,
            row.pair.to,
            count(row.pair.moves, "moves")
        ),
        expect: expected(
            case.refuted.contains(&row.pair.name()),
            row.verdict,
            effort,
            whole.expect,
        ),
        verdict: row.verdict,
        claimed: row.pair.moves.to_string(),
        bound: None,
        found: row.found.clone(),
        witnesses: row.witness.clone().into_iter().collect(),
        notes: vec![row.note.clone()],
        readings: Vec::new(),
        evidence: Vec::new(),
        wall_s: 0.0,
        ..whole.clone()
    };
    found.rows.iter().map(result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_may_stay_open_where_its_table_may() {
        let expected = |effort, whole| expected(false, Verdict::NotReached, effort, whole);
        let (quick, full) = (Effort::Quick, Effort::Full);
        assert_eq!(expected(quick, Verdict::Refuted), Verdict::NotReached);
        assert_eq!(expected(full, Verdict::NotReached), Verdict::NotReached);
        assert_eq!(expected(full, Verdict::Confirmed), Verdict::Confirmed);
    }
}
