//! Rows of benchmarks over commits: a CSV that grows, where each row changed, and a chart.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};

use antipode_bench::judge::compare::Sides;
use antipode_bench::judge::stats::summary;
use antipode_reports::atomic::write_atomically;
use antipode_reports::bench::{HistoryRow, Measure, Sample, TWIN};
use antipode_reports::csv_in::read_rows;
use antipode_reports::csv_out::write_rows;
use antipode_reports::plot::chart::{Chart, Measure as Axis, SERIES, Series};
use antipode_reports::plot::keyed_svg;
use antipode_reports::report::{FoundFolders, tables::sides};
use antipode_reports::results::may_replace;
use antipode_search::work::hold_file;

use super::output::shown;

/// Changes of a ratio by a smaller factor are not reported.
const LEAST: f64 = 1.05;

/// How long others that add to a history are waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// The rows of a history, those of the newest commit last.
#[derive(Debug)]
pub struct History {
    rows: Vec<HistoryRow>,
}

impl History {
    /// Reads a history (empty if there is none), and adds the rows of benchmarks at a commit; its
    /// rows of that commit are replaced.
    ///
    /// # Errors
    /// A file that is no history or, without a commit, none at all; nothing to add; a picture that
    /// is not of this history; another process that adds to it.
    pub fn with(file: &Path, commit: Option<&str>, found: &FoundFolders) -> Result<Self> {
        let picture = file.with_extension("svg");
        if picture == *file {
            bail!(
                "--history {}: it is a CSV, with its picture next to it; name it FILE.csv",
                shown(file)
            );
        }
        hold_file(file, "--history", PATIENCE)?;
        // Under the lock: another process may be about to write both.
        if picture.exists() && !file.exists() {
            bail!(
                "{}: it exists without the history that it would show; move it away, or choose another --history",
                shown(&picture)
            );
        }
        may_replace(file, None)?;
        may_replace(&picture, None)?;
        let mut rows: Vec<HistoryRow> = match (file.exists(), commit) {
            (true, _) => read_rows(file)?,
            (false, Some(_)) => Vec::new(),
            (false, None) => bail!(
                "--history {}: there is no such file; name one, or add --commit to begin it",
                shown(file)
            ),
        };
        if let Some(commit) = commit {
            let new = measured(commit, found);
            if new.is_empty() {
                bail!(
                    "--commit {commit}: these folders hold no row of a benchmark that ended well"
                );
            }
            let is_new = |old: &HistoryRow| {
                let same = |new: &HistoryRow| (&new.suite, &new.row) == (&old.suite, &old.row);
                old.commit == commit && new.iter().any(same)
            };
            rows.retain(|old| !is_new(old));
            rows.extend(new);
        }
        Ok(Self { rows })
    }

    /// Writes the history, and its picture next to it.
    pub fn write(&self, file: &Path) -> Result<()> {
        // The history last: once it is replaced, another process may add to it.
        let picture = file.with_extension("svg");
        write_atomically(picture, self.svg())?;
        Ok(write_rows(file, &self.rows)?)
    }

    /// Commits, the oldest first.
    pub fn commits(&self) -> Vec<&str> {
        let mut known = BTreeSet::new();
        let all = self.rows.iter().map(|row| row.commit.as_str());
        all.filter(|commit| known.insert(*commit)).collect()
    }

    /// The rows by suite and name, each over the commits.
    fn by_name(&self) -> BTreeMap<(&str, &str), Vec<&HistoryRow>> {
        let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for row in &self.rows {
            let name = (row.suite.as_str(), row.row.as_str());
            all.entry(name).or_default().push(row);
        }
        all
    }

    /// The changes of each row, a sentence each: a changed count, or a ratio whose interval is
    /// outside those of all commits since the last change.
    pub fn changes(&self) -> Vec<String> {
        let names = self.by_name().into_iter();
        names.flat_map(|(_, points)| changes(&points)).collect()
    }

    /// The rows that changed most, over the commits, each from its first ratio. A line
    /// stays level at another processor or reference.
    fn svg(&self) -> String {
        let commits = self.commits();
        let place = |commit: &str| commits.iter().position(|known| *known == commit);
        let names = self.by_name().into_iter();
        let series = names.filter_map(|((_, name), points)| {
            let ratios = points.iter().filter_map(|one| Some((one, one.ratio?)));
            let mut before: Option<(&HistoryRow, f64)> = None;
            // The ratio that is drawn as 1.
            let mut base = 1.0;
            let points = ratios.filter_map(|(one, ratio)| {
                match before {
                    Some((last, _)) if alike(last, one) => {}
                    _ => base = ratio / before.map_or(1.0, |(_, height)| height),
                }
                before = Some((one, ratio / base));
                Some((place(&one.commit)? as f64 + 1.0, ratio / base))
            });
            let line = Series::line(name, points);
            (!line.points.is_empty()).then_some(line)
        });
        let mut series: Vec<Series> = series.collect();
        let spread = |one: &Series| {
            let heights = one.points.iter().map(|point| point.1.ln().abs());
            heights.fold(0.0, f64::max)
        };
        series.sort_by(|a, b| spread(b).total_cmp(&spread(a)));
        series.truncate(SERIES);
        keyed_svg(&Chart {
            title: "Times of rows over commits",
            across: Axis::plain("commit, counted from the first"),
            up: Axis::logarithmic("ratio to the reference, first commit = 1"),
            series,
        })
    }
}

/// The rows of all benchmarks that ended well.
fn measured(commit: &str, found: &FoundFolders) -> Vec<HistoryRow> {
    let rows = sides(found).into_iter().filter(|side| side.is_good());
    let rows = rows.map(|side| {
        let samples = &found.benches[side.bench].samples;
        let reference = reference(samples);
        let pairs = Sides::rows(samples, reference, &*side.first.row).pairs(Measure::Cpu);
        let ratio = summary(&pairs, 1).ok();
        HistoryRow {
            commit: commit.to_owned(),
            started: side.first.started.clone(),
            suite: side.first.suite.clone(),
            row: side.first.row.clone(),
            reference: reference.to_owned(),
            ratio: ratio.map(|found| found.ratio),
            low: ratio.map(|found| found.low),
            high: ratio.map(|found| found.high),
            cpu_s: side.cpu_s,
            peak_bytes: side.peak_bytes.map(|bytes| bytes as u64),
            states: side.first.states,
            generated: side.first.generated,
            processor: side.first.processor.clone(),
        }
    });
    rows.collect()
}

/// The first row by name that was measured against itself.
fn reference(samples: &[Sample]) -> &str {
    let names = samples.iter().filter(|sample| !sample.imported());
    let names = names.filter_map(|sample| sample.row.strip_suffix(TWIN));
    names.min().unwrap_or_default()
}

/// Whether a difference of two ratios is one of the commits, and not of the machines or references.
fn alike(a: &HistoryRow, b: &HistoryRow) -> bool {
    (&a.reference, &a.processor) == (&b.reference, &b.processor)
}

/// The changes of one row.
fn changes(points: &[&HistoryRow]) -> Vec<String> {
    let mut told = Vec::new();
    let mut before: Option<&HistoryRow> = None;
    // Ends of all intervals since the last change, and the ratio then.
    let mut since: Option<(f64, f64, f64)> = None;
    for point in points {
        let mut say = |what: String| told.push(format!("{}: {}: {what}", point.commit, point.row));
        if let Some(before) = before {
            let counts = [
                ("states", before.states, point.states),
                ("moves", before.generated, point.generated),
            ];
            for (what, before, now) in counts {
                if let (Some(before), Some(now)) = (before, now)
                    && before != now
                {
                    say(format!("{what} {before} → {now}"));
                }
            }
            if !alike(before, point) {
                since = None;
            }
        }
        before = Some(point);
        let (Some(ratio), Some(low), Some(high)) = (point.ratio, point.low, point.high) else {
            continue;
        };
        since = Some(match since {
            None => (low, high, ratio),
            Some((least, most, then)) => {
                let factor = ratio / then;
                let is_far = factor.max(1.0 / factor) >= LEAST;
                if is_far && (low > most || high < least) {
                    let reference = &point.reference;
                    say(format!(
                        "time {factor:.3} times ({then:.3} → {ratio:.3} of {reference})"
                    ));
                    (low, high, ratio)
                } else {
                    (least.min(low), most.max(high), then)
                }
            }
        });
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(commit: &str, ratio: f64, states: u64) -> HistoryRow {
        HistoryRow {
            commit: commit.to_owned(),
            started: String::new(),
            suite: "s".to_owned(),
            row: "r".to_owned(),
            reference: "base".to_owned(),
            ratio: Some(ratio),
            low: Some(ratio * 0.99),
            high: Some(ratio * 1.01),
            cpu_s: None,
            peak_bytes: None,
            states: Some(states),
            generated: None,
            processor: String::new(),
        }
    }

    #[test]
    fn a_change_is_told_at_its_commit_and_noise_is_none() {
        let rows = vec![
            point("a", 1.00, 7),
            point("b", 1.04, 7),
            point("c", 0.97, 7),
            point("d", 1.30, 7),
            point("e", 1.31, 8),
            point("f", 1.00, 8),
            HistoryRow {
                processor: "another".to_owned(),
                ..point("g", 3.00, 8)
            },
        ];
        let history = History { rows };
        assert_eq!(
            history.changes(),
            [
                "d: r: time 1.300 times (1.000 → 1.300 of base)",
                "e: r: states 7 → 8",
                "f: r: time 0.769 times (1.300 → 1.000 of base)",
            ]
        );
        assert_eq!(history.commits(), ["a", "b", "c", "d", "e", "f", "g"]);
        assert!(history.svg().contains(">r</text>"));
        // Drawn without the other processor's factor, too.
        let mut equal = history.rows.clone();
        equal[6].ratio = Some(1.00);
        assert_eq!(history.svg(), History { rows: equal }.svg());
    }

    /// As if another process had written its picture and not yet its rows.
    #[test]
    fn another_process_is_waited_for_before_its_files_are_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("h.csv");
        let other = std::fs::File::open(folder.path()).unwrap();
        other.lock().unwrap();
        let rows = vec![point("a", 1.0, 7)];
        std::fs::write(file.with_extension("svg"), History { rows }.svg()).unwrap();
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| History::with(&file, None, &FoundFolders::default()));
            std::thread::sleep(Duration::from_millis(50));
            assert!(!waits.is_finished());
            write_rows::<HistoryRow>(&file, &[]).unwrap();
            drop(other);
            assert!(waits.join().unwrap().unwrap().rows.is_empty());
        });
        let none = History::with(
            &file.with_extension("none.csv"),
            None,
            &FoundFolders::default(),
        );
        assert!(none.unwrap_err().to_string().contains("no such file"));
    }
}
