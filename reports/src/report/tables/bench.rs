//! Rows of benchmarks, their comparisons, and which row to use when.

use super::runs::bytes;
use super::{Cell, Table};
use crate::bench::{AGAINST, Comparison, Sample, Status, TWIN};
use crate::plot::figure;
use crate::report::Found;
use crate::wording::{duration, grouped as grouped_digits};
use std::collections::{BTreeMap, BTreeSet};

/// Samples of one row, summed up.
#[derive(Debug, Clone, PartialEq)]
pub struct Side<'a> {
    /// Its first sample, for what all of them share.
    pub first: &'a Sample,
    /// The worst that came of any sample.
    pub status: Status,
    /// What the first bad sample says of itself.
    pub detail: &'a str,
    /// Which of the benchmarks it is of.
    pub bench: usize,
    /// Samples that ended well.
    pub good: usize,
    /// All samples.
    pub all: usize,
    /// Median over the good ones, in seconds.
    pub wall_s: Option<f64>,
    /// Median over the good ones, in seconds.
    pub cpu_s: Option<f64>,
    /// Median over the good ones, in bytes.
    pub peak_bytes: Option<f64>,
}

impl<'a> Side<'a> {
    fn new(bench: usize, samples: &[&'a Sample]) -> Option<Self> {
        let first = *samples.first()?;
        let good: Vec<&&Sample> = samples.iter().filter(|sample| sample.counts()).collect();
        let bad = samples.iter().filter(|sample| !sample.counts());
        // A wrong answer weighs most, then what stopped it; a sample left out says least.
        let worst = bad.min_by_key(|sample| sample.status);
        let middle = |column: fn(&Sample) -> Option<f64>| {
            median(good.iter().filter_map(|sample| column(sample)).collect())
        };
        Some(Side {
            first,
            status: worst.map_or(Status::Ok, |sample| sample.status),
            detail: worst.map_or("", |sample| sample.detail.as_str()),
            bench,
            good: good.len(),
            all: samples.len(),
            wall_s: middle(|sample| sample.wall_s),
            cpu_s: middle(|sample| sample.cpu_s),
            peak_bytes: middle(|sample| sample.peak_bytes.map(|bytes| bytes as f64)),
        })
    }

    /// What ran: engine, rules, threads where they are several.
    pub fn solver(&self) -> String {
        let Sample {
            engine,
            variant,
            threads,
            ..
        } = self.first;
        let engine = if engine.is_empty() { "search" } else { engine };
        match threads {
            0 | 1 => format!("{engine} × {variant}"),
            threads => format!("{engine} × {variant}, {threads} threads"),
        }
    }

    /// Whether every sample ended well.
    pub fn is_good(&self) -> bool {
        self.status == Status::Ok
    }
}

/// The median; of an even number, the mean of the two in the middle.
fn median(mut figures: Vec<f64>) -> Option<f64> {
    figures.sort_by(f64::total_cmp);
    let half = figures.len() / 2;
    match figures.len() {
        0 => None,
        count if count % 2 == 1 => Some(figures[half]),
        _ => Some((figures[half - 1] + figures[half]) / 2.0),
    }
}

/// All rows of all benchmarks by name. Twins and second
/// executables are left to the comparisons, imported figures to [`rows`].
pub fn sides(found: &Found) -> Vec<Side<'_>> {
    let own = |sample: &&Sample| {
        let second = sample.row.ends_with(TWIN) || sample.row.ends_with(AGAINST);
        !second && !sample.imported()
    };
    grouped(found, own)
        .iter()
        .filter_map(|(bench, samples)| Side::new(*bench, samples))
        .collect()
}

/// Samples by benchmark, row and measure: they were taken in a random order, which says nothing.
fn grouped(found: &Found, wanted: impl Fn(&&Sample) -> bool) -> Vec<(usize, Vec<&Sample>)> {
    let mut all: BTreeMap<(usize, &str, &str), Vec<&Sample>> = BTreeMap::new();
    for (index, bench) in found.benches.iter().enumerate() {
        for sample in bench.samples.iter().filter(&wanted) {
            let place = (index, sample.row.as_str(), sample.metric.as_str());
            all.entry(place).or_default().push(sample);
        }
    }
    let all = all.into_iter();
    all.map(|((bench, ..), samples)| (bench, samples)).collect()
}

/// A row each, with medians over the samples that ended well; a row that did not end well says
/// so and stays.
pub fn rows(found: &Found) -> Table {
    let mut table = Table::new(&[
        "row",
        "question",
        "engine × rules",
        "status",
        "#samples",
        "#time",
        "#processor time",
        "#peak memory",
        "#states",
        "#moves generated",
        "#read",
        "#written",
    ]);
    for side in sides(found) {
        let first = side.first;
        let count = |count: Option<u64>| count.map_or_else(Cell::default, Cell::count);
        let size = |count: Option<u64>| Cell::figure(count.map(|count| count as f64), bytes);
        let status = match side.detail {
            "" => side.status.id().to_owned(),
            detail => format!("{}: {detail}", side.status.id()),
        };
        table.states.push(side.status.id());
        table.rows.push(vec![
            Cell::text(first.row.as_str()),
            Cell::text(first.question()),
            Cell::text(side.solver()),
            Cell::text(status),
            Cell {
                text: format!("{} of {}", side.good, side.all),
                key: side.good.to_string(),
            },
            Cell::figure(side.wall_s, duration),
            Cell::figure(side.cpu_s, duration),
            Cell::figure(side.peak_bytes, bytes),
            count(first.states),
            count(first.generated),
            size(first.read_bytes),
            size(first.written_bytes),
        ]);
    }
    table
}

/// Figures brought in from criterion benches and instruction counts: medians. A row without a
/// figure says why.
pub fn imported(found: &Found) -> Table {
    let mut table = Table::new(&["row", "measure", "#figure", "unit", "#samples", "remark"]);
    for (_, samples) in grouped(found, |sample| sample.imported()) {
        let first = samples[0];
        let good = samples.iter().filter(|sample| sample.counts());
        let figures = good.filter_map(|sample| sample.value).collect();
        let remark = match (first.status, first.detail.as_str()) {
            (Status::Ok, detail) => detail.to_owned(),
            (status, "") => status.to_string(),
            (status, detail) => format!("{status}: {detail}"),
        };
        table.states.push(first.status.id());
        table.rows.push(vec![
            Cell::text(first.row.as_str()),
            Cell::text(first.metric.as_str()),
            Cell::figure(median(figures), whole),
            Cell::text(first.unit.as_str()),
            Cell::count(samples.len() as u128),
            Cell::text(remark),
        ]);
    }
    table
}

/// Counts and times of a thousand and more with all their digits: the last ones of a count of
/// instructions are what shows that something has changed.
fn whole(value: f64) -> String {
    match value {
        1e3..1e15 => grouped_digits(value.round() as u128),
        0.0..1e3 if value.fract() == 0.0 => format!("{value}"),
        _ => figure(value),
    }
}

/// All comparisons.
pub fn comparison(found: &Found) -> Table {
    let mut table = Table::new(&[
        "judged",
        "against",
        "#pairs",
        "measure",
        "#ratio",
        "#95% interval",
        "#pairs won",
        "#p, corrected",
        "#noise band",
        "verdict",
    ]);
    for row in found.comparisons() {
        let interval = row
            .low
            .zip(row.high)
            .map(|(low, high)| format!("{low:.3} to {high:.3}"));
        let verdict = match row.detail.as_str() {
            "" => row.verdict.label().to_owned(),
            detail => format!("{}: {detail}", row.verdict.label()),
        };
        table.states.push(row.verdict.id());
        table.rows.push(vec![
            Cell::text(row.b.as_str()),
            Cell::text(row.a.as_str()),
            Cell::count(row.pairs),
            Cell::text(row.measure.as_str()),
            Cell::figure(row.ratio, |ratio| format!("{ratio:.3}")),
            Cell {
                text: interval.unwrap_or_default(),
                key: row.low.map_or_else(String::new, |low| low.to_string()),
            },
            Cell::figure(row.won, |won| format!("{:.0}%", won * 100.0)),
            Cell::figure(row.p_adjusted, figure),
            Cell::figure(row.noise, |noise| {
                format!("± {:.1}%", (noise - 1.0) * 100.0)
            }),
            Cell::text(verdict),
        ]);
    }
    table
}

/// Which to use when: a row each question and solver, the fastest by processor time first, with
/// how many times as long the others take (with the 95 % interval where they were compared), as
/// a bar too; then what could not answer.
pub fn which(found: &Found) -> Table {
    let mut table = Table::new(&[
        "question",
        "solver",
        "#times as long",
        "a block each doubling",
        "#processor time",
        "#peak memory",
    ]);
    table.is_grouped = true;
    let all = sides(found);
    // Times of two runs are no choice: they may be of two builds, or of two hours.
    let mut groups: Vec<(usize, &str)> = Vec::new();
    for side in &all {
        let group = (side.bench, side.first.group.as_str());
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    for (bench, group) in groups {
        let members = || {
            let mine = all.iter().filter(move |side| side.bench == bench);
            mine.filter(move |side| side.first.group == group)
        };
        // A single row is no choice.
        if members().count() < 2 {
            continue;
        }
        let mut good: Vec<&Side> = members()
            .filter(|s| s.is_good() && s.cpu_s.is_some())
            .collect();
        // Answers that differ are no choice either: one of them is wrong.
        let answers: BTreeSet<&str> = good.iter().map(|s| s.first.answer.as_str()).collect();
        let differ = (answers.len() > 1).then(|| {
            let told = good
                .iter()
                .map(|s| format!("{} says {}", s.first.row, s.first.answer));
            format!(
                "the answers differ: {}",
                told.collect::<Vec<_>>().join("; ")
            )
        });
        if differ.is_some() {
            good.clear();
        }
        // Rows that differ in another setting alone, such as the table of engine dense.
        let name = |side: &Side| {
            let solver = side.solver();
            match members().filter(|other| other.solver() == solver).count() {
                1 => solver,
                _ => format!("{solver} [{}]", side.first.row),
            }
        };
        let cost = |side: &&Side| side.cpu_s.unwrap_or(f64::INFINITY);
        good.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
        let question = Cell::text(question(group, members().next()) + &place(found, bench));
        if let Some(text) = differ {
            let cells = [question.clone(), Cell::text(text)];
            table.rows.push(
                cells
                    .into_iter()
                    .chain(std::iter::repeat_with(Cell::default))
                    .take(6)
                    .collect(),
            );
        }
        for side in &good {
            let (times, ratio) = match side.first.row == good[0].first.row {
                true => ("1".to_owned(), Some(1.0)),
                false => (ratio_text(found, good[0], side), ratio(good[0], side)),
            };
            table.rows.push(vec![
                question.clone(),
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
        for side in members().filter(|side| !side.is_good()) {
            let cells = [
                question.clone(),
                Cell::text(name(side)),
                Cell::text(side.status.id()),
            ];
            table.rows.push(
                cells
                    .into_iter()
                    .chain(std::iter::repeat_with(Cell::default))
                    .take(6)
                    .collect(),
            );
        }
    }
    table
}

/// Where a row of a table was measured, if that is not the same place for all.
fn place(found: &Found, bench: usize) -> String {
    let samples = found
        .benches
        .iter()
        .filter(|bench| !bench.samples.is_empty());
    match samples.count() {
        0 | 1 => String::new(),
        _ => format!(" (in {})", found.benches[bench].folder),
    }
}

pub(super) fn question(group: &str, first: Option<&Side>) -> String {
    match first {
        Some(side) if group.is_empty() => side.first.question(),
        _ => group.to_owned(),
    }
}

/// How many times as long as the best, as compared pair by pair or else by the medians.
fn ratio_text(found: &Found, best: &Side, side: &Side) -> String {
    let names = (best.first.row.as_str(), side.first.row.as_str());
    let compared = found.benches[best.bench].comparisons.iter();
    let compared = compared.filter(|row| row.measure == "cpu_s");
    let mut ratios = compared.filter_map(|row| ratio_between(row, names));
    match ratios.next() {
        Some([low, at, high]) => format!("{} ({} to {})", times(at), times(low), times(high)),
        None => times(ratio(best, side).unwrap_or(f64::NAN)),
    }
}

/// Ratio of the medians; `None` where the clock could not tell.
fn ratio(best: &Side, side: &Side) -> Option<f64> {
    let ratio = side.cpu_s? / best.cpu_s?;
    (ratio.is_finite() && ratio > 0.0).then_some(ratio)
}

/// A block, and one more each doubling.
fn bar(ratio: f64) -> String {
    "█".repeat(1 + ratio.log2().round().clamp(0.0, 30.0) as usize)
}

/// Ratio of the second row over the first with its interval, whichever was judged.
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
        // A time of 0, or none: the clock could not tell.
        ratio if !(ratio.is_finite() && ratio > 0.0) => "too short to tell".to_owned(),
        ratio if ratio < 10.0 => format!("{ratio:.2}"),
        ratio if ratio < 100.0 => format!("{ratio:.1}"),
        ratio => figure(ratio.round()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_odd_even_and_no_numbers() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(Vec::new()), None);
    }
}
