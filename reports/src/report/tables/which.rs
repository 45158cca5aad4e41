//! Which row to use when.

use super::bench::{SampleSummary, sides};
use super::runs::bytes;
use super::{Cell, ReportTable};
use crate::bench::Comparison;
use crate::plot::figure;
use crate::report::FoundFolders;
use crate::wording::duration;
use std::collections::{BTreeMap, BTreeSet};

/// Which to use when: a row for each question and solver, the fastest by processor time first. It
/// shows how many times as long the others take (with the 95 % interval if they were compared), as
/// a bar too. Solvers that could not answer follow, a row for each reason.
pub fn which(found: &FoundFolders) -> ReportTable {
    let mut rows = Vec::new();
    let all = sides(found);
    // Times of two runs are not compared: they may be of two builds, or of two hours.
    let mut groups: Vec<(usize, &str)> = Vec::new();
    for side in &all {
        let group = (side.bench, side.first.group.as_str());
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    for (bench, group) in groups {
        let mine = |side: &&SampleSummary| side.bench == bench && side.first.group == group;
        let members: Vec<&SampleSummary> = all.iter().filter(mine).collect();
        // A single row leaves no choice.
        if members.len() > 1 {
            let question = question(group, members.first().copied()) + &place(found, bench);
            rows.extend(rows_of(found, &question, &members));
        }
    }
    ReportTable {
        is_grouped: true,
        ..ReportTable::of(
            "question | solver | #times as long | a block each doubling | #processor time | #peak memory",
            rows,
        )
    }
}

fn rows_of(found: &FoundFolders, question: &str, members: &[&SampleSummary]) -> Vec<[Cell; 6]> {
    // Rows that differ in another setting alone, such as the table of engine dense.
    let name = |side: &SampleSummary| {
        let solver = side.solver();
        match members
            .iter()
            .filter(|other| other.solver() == solver)
            .count()
        {
            1 => solver,
            _ => format!("{solver} [{}]", side.first.row),
        }
    };
    let mut good: Vec<&SampleSummary> = members
        .iter()
        .copied()
        .filter(|side| side.is_good() && side.cpu_s.is_some())
        .collect();
    let mut rows = Vec::new();
    if let Some(text) = differ(&good) {
        rows.push(bare([question, &text, ""]));
        good.clear();
    }
    let cost = |side: &&SampleSummary| side.cpu_s.unwrap_or(f64::INFINITY);
    good.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    for (place, side) in good.iter().enumerate() {
        let (times, ratio) = match place {
            0 => ("1".to_owned(), Some(1.0)),
            _ => (ratio_text(found, good[0], side), ratio(good[0], side)),
        };
        rows.push([
            Cell::text(question),
            Cell::text(name(side)),
            Cell {
                text: times,
                key: ratio.map_or_else(String::new, |ratio| format!("{ratio:e}")),
            },
            Cell::text(ratio.map_or_else(String::new, bar)),
            Cell::figure(side.cpu_s, duration),
            Cell::figure(side.peak_bytes, bytes),
        ]);
    }
    let mut bad = BTreeMap::<&str, Vec<String>>::new();
    for side in members.iter().filter(|side| !side.is_good()) {
        bad.entry(side.status.id()).or_default().push(name(side));
    }
    let bad = bad.iter();
    rows.extend(bad.map(|(status, names)| bare([question, &names.join("; "), status])));
    rows
}

fn bare(texts: [&str; 3]) -> [Cell; 6] {
    let [a, b, c] = texts.map(Cell::text);
    let [d, e, f] = Default::default();
    [a, b, c, d, e, f]
}

/// Answers that differ leave no choice: one of them is wrong.
fn differ(good: &[&SampleSummary]) -> Option<String> {
    let answers: BTreeSet<&str> = good.iter().map(|s| s.first.answer.as_str()).collect();
    let told = good
        .iter()
        .map(|s| format!("{} says {}", s.first.row, s.first.answer));
    (answers.len() > 1).then(|| {
        format!(
            "the answers differ: {}",
            told.collect::<Vec<_>>().join("; ")
        )
    })
}

/// Where a row of a table was measured, if that is not the same place for all.
fn place(found: &FoundFolders, bench: usize) -> String {
    let samples = found
        .benches
        .iter()
        .filter(|bench| !bench.samples.is_empty());
    match samples.count() {
        0 | 1 => String::new(),
        _ => format!(" (in {})", found.benches[bench].folder),
    }
}

fn question(group: &str, first: Option<&SampleSummary>) -> String {
    match first {
        Some(side) if group.is_empty() => side.first.question(),
        _ => group.to_owned(),
    }
}

/// Ratio to the best, as compared pair by pair or else by the medians.
fn ratio_text(found: &FoundFolders, best: &SampleSummary, side: &SampleSummary) -> String {
    let names = (best.first.row.as_str(), side.first.row.as_str());
    let compared = found.benches[best.bench].comparisons.iter();
    let compared = compared.filter(|row| row.measure == "cpu_s");
    let mut ratios = compared.filter_map(|row| ratio_between(row, names));
    match ratios.next() {
        Some([low, at, high]) => format!("{} ({} to {})", times(at), times(low), times(high)),
        None => times(ratio(best, side).unwrap_or(f64::NAN)),
    }
}

/// Ratio of the medians; `None` if the times were too short.
fn ratio(best: &SampleSummary, side: &SampleSummary) -> Option<f64> {
    let ratio = side.cpu_s? / best.cpu_s?;
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}

/// A block, and one more for each doubling.
fn bar(ratio: f64) -> String {
    "█".repeat(1 + ratio.log2().round().clamp(0.0, 30.0) as usize)
}

/// Ratio of the second row to the first with its interval, whichever was judged.
fn ratio_between(row: &Comparison, (first, second): (&str, &str)) -> Option<[f64; 3]> {
    let ratio = [row.low?, row.ratio?, row.high?];
    match (row.a.as_str(), row.b.as_str()) {
        (a, b) if a == first && b == second => Some(ratio),
        (a, b) if a == second && b == first => {
            Some([1.0 / ratio[2], 1.0 / ratio[1], 1.0 / ratio[0]])
        }
        _ => None,
    }
}

fn times(ratio: f64) -> String {
    match ratio {
        // A time of 0, or none: too short for the clock.
        ratio if !(ratio.is_finite() && ratio > 0.0) => "too short".to_owned(),
        ratio if ratio < 10.0 => format!("{ratio:.2}"),
        ratio if ratio < 100.0 => format!("{ratio:.1}"),
        ratio => figure(ratio.round()),
    }
}
