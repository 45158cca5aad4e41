//! Rows of benchmarks, and their comparisons.

use super::runs::bytes;
use super::{Cell, ReportTable};
use crate::bench::{AGAINST, Comparison, Sample, Status, TWIN};
use crate::plot::figure;
use crate::report::FoundFolders;
use crate::wording::{duration, grouped as grouped_digits};
use std::collections::BTreeMap;

/// Samples of one row, summed up.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleSummary<'a> {
    /// Its first sample, for the data that all of them share.
    pub first: &'a Sample,
    /// The worst outcome of any sample.
    pub status: Status,
    /// The first bad sample's own report.
    pub detail: &'a str,
    /// The index of the benchmark.
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
    /// Median over the good ones of an imported figure, in its unit.
    pub value: Option<f64>,
}

impl<'a> SampleSummary<'a> {
    fn new(bench: usize, samples: &[&'a Sample]) -> Option<Self> {
        let first = *samples.first()?;
        let good: Vec<&&Sample> = samples.iter().filter(|sample| sample.counts()).collect();
        let bad = samples.iter().filter(|sample| !sample.counts());
        // A wrong answer counts most, then what stopped it; a skipped sample counts least.
        let worst = bad.min_by_key(|sample| sample.status);
        let middle = |column: fn(&Sample) -> Option<f64>| {
            median(good.iter().filter_map(|sample| column(sample)).collect())
        };
        Some(SampleSummary {
            first,
            status: worst.map_or(Status::Ok, |sample| sample.status),
            detail: worst.map_or("", |sample| sample.detail.as_str()),
            bench,
            good: good.len(),
            all: samples.len(),
            wall_s: middle(|sample| sample.wall_s),
            cpu_s: middle(|sample| sample.cpu_s),
            peak_bytes: middle(|sample| sample.peak_bytes.map(|bytes| bytes as f64)),
            value: middle(|sample| sample.value),
        })
    }

    /// What ran: engine, rules, threads if there are several.
    pub fn solver(&self) -> String {
        let Sample {
            engine,
            variant,
            threads,
            ..
        } = self.first;
        let engine = if engine.is_empty() { "search" } else { engine };
        // A row of a command has no variant.
        let rules = format!(" × {variant}").repeat(usize::from(!variant.is_empty()));
        match threads {
            0 | 1 => format!("{engine}{rules}"),
            threads => format!("{engine}{rules}, {threads} threads"),
        }
    }

    /// Samples that ended well, of all.
    fn samples(&self) -> Cell {
        Cell {
            text: format!("{} of {}", self.good, self.all),
            key: self.good.to_string(),
        }
    }

    /// Whether every sample ended well.
    pub fn is_good(&self) -> bool {
        self.status == Status::Ok
    }
}

/// The median; for an even number, the mean of the middle two.
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
pub fn sides(found: &FoundFolders) -> Vec<SampleSummary<'_>> {
    let own = |sample: &&Sample| {
        let second = sample.row.ends_with(TWIN) || sample.row.ends_with(AGAINST);
        !second && !sample.imported()
    };
    grouped(found, own)
}

/// Samples by benchmark, row and measure: they were taken in a random order, which has no meaning.
fn grouped(found: &FoundFolders, wanted: impl Fn(&&Sample) -> bool) -> Vec<SampleSummary<'_>> {
    let mut all: BTreeMap<(usize, &str, &str), Vec<&Sample>> = BTreeMap::new();
    for (index, bench) in found.benches.iter().enumerate() {
        for sample in bench.samples.iter().filter(&wanted) {
            let place = (index, sample.row.as_str(), sample.metric.as_str());
            all.entry(place).or_default().push(sample);
        }
    }
    let all = all.into_iter();
    all.filter_map(|((bench, ..), samples)| SampleSummary::new(bench, &samples))
        .collect()
}

/// A row each, with medians over the samples that ended well; a row that failed says so and stays.
pub fn rows(found: &FoundFolders) -> ReportTable {
    let count = |count: Option<u64>| count.map_or_else(Cell::default, Cell::count);
    let size = |count: Option<u64>| Cell::figure(count.map(|count| count as f64), bytes);
    let sides = sides(found);
    let row = |side: &SampleSummary<'_>| {
        [
            Cell::text(&side.first.row),
            Cell::text(side.first.question()),
            Cell::text(side.solver()),
            Cell::text(with_detail(side.status.id(), side.detail)),
            side.samples(),
            Cell::figure(side.wall_s, duration),
            Cell::figure(side.cpu_s, duration),
            Cell::figure(side.peak_bytes, bytes),
            count(side.first.states),
            count(side.first.generated),
            size(side.first.read_bytes),
            size(side.first.written_bytes),
        ]
    };
    let mut table = ReportTable::of(
        "row | question | engine × rules | status | #samples | #time | #processor time | #peak memory | #states | #moves generated | #read | #written",
        sides.iter().map(row),
    );
    table.states = sides.iter().map(|side| side.status.id()).collect();
    table
}

fn with_detail(status: &str, detail: &str) -> String {
    match detail {
        "" => status.to_owned(),
        detail => format!("{status}: {detail}"),
    }
}

/// Figures brought in from criterion benches and instruction counts: medians. A row with a
/// sample that failed gives the reason.
pub fn imported(found: &FoundFolders) -> ReportTable {
    let sides = grouped(found, |sample| sample.imported());
    let row = |side: &SampleSummary<'_>| {
        let remark = match side.status {
            Status::Ok => side.first.detail.clone(),
            status => with_detail(status.id(), side.detail),
        };
        [
            Cell::text(&side.first.row),
            Cell::text(&side.first.metric),
            Cell::figure(side.value, whole),
            Cell::text(&side.first.unit),
            side.samples(),
            Cell::text(remark),
        ]
    };
    let columns = "row | measure | #figure | unit | #samples | remark";
    let mut table = ReportTable::of(columns, sides.iter().map(row));
    table.states = sides.iter().map(|side| side.status.id()).collect();
    table
}

/// Counts and times of a thousand and more with all their digits: the last digits of a count of
/// instructions show that something has changed.
fn whole(value: f64) -> String {
    match value {
        1e3..1e15 => grouped_digits(value.round() as u128),
        0.0..1e3 if value.fract() == 0.0 => format!("{value}"),
        _ => figure(value),
    }
}

/// All comparisons.
pub fn comparison(found: &FoundFolders) -> ReportTable {
    let row = |row: &Comparison| {
        let ends = row.low.zip(row.high);
        let interval = ends.map(|(low, high)| format!("{low:.3} to {high:.3}"));
        [
            Cell::text(&row.b),
            Cell::text(&row.a),
            Cell::count(row.pairs),
            Cell::text(&row.measure),
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
            Cell::text(with_detail(row.verdict.label(), &row.detail)),
        ]
    };
    let mut table = ReportTable::of(
        "judged | against | #pairs | measure | #ratio | #95% interval | #pairs won | #p, corrected | #noise band | verdict",
        found.comparisons().map(row),
    );
    table.states = found.comparisons().map(|row| row.verdict.id()).collect();
    table
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
