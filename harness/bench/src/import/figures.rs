//! Measurements of other programs, in a file: a small CSV, hyperfine's `--export-json`, or the JSON
//! of Google Benchmark.
//!
//! The header of a CSV names the columns, in any order. `row`, `metric`, `value` and `unit` must be
//! there; `group`, `puzzle`, `instance`, `variant`, `version` and `detail` may be. An empty value
//! is a figure that could not be measured, which stays in the table as such.

use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result, anyhow, bail};
use csv::ErrorKind;
use serde::Deserialize;

use antipode_reports::bench::Sample;
use antipode_reports::csv_in::{csv_fault, line_of};

use super::{figure, one_line};

pub(super) fn listed(text: &str) -> Result<Vec<Sample>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().context("line 1")?.clone();
    let first = line_of(text, false, header.position());
    if let Some(mark) = [';', '\t']
        .into_iter()
        .find(|&mark| header.len() == 1 && text.contains(mark))
    {
        bail!(
            "line {first}: cells are apart by '{}': write ','",
            mark.escape_default()
        );
    }
    let mut all: Vec<Sample> = Vec::new();
    let mut names = HashSet::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            let (line, reason) = csv_fault(text, false, error);
            anyhow!("line {line}: {reason}")
        })?;
        let at = line_of(text, false, record.position());
        let line: Result<Line, _> = record.deserialize(Some(&header));
        let line = line.map_err(|error| match error.kind() {
            ErrorKind::Deserialize { err, .. } => {
                let why = err.kind().to_string();
                let at = if why.contains(" field `") { first } else { at };
                anyhow!("line {at}: {why}")
            }
            _ => anyhow!("line {at}: {error}"),
        })?;
        let sample = line.sample().with_context(|| format!("line {at}"))?;
        if !names.insert((sample.row.clone(), sample.metric.clone())) {
            bail!("line {at}: '{}' occurs twice", sample.row);
        }
        all.push(sample);
    }
    if all.is_empty() {
        bail!("no figures below the header; what should have counted them has not");
    }
    Ok(all)
}

/// A line of a CSV.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    row: String,
    metric: String,
    value: Option<f64>,
    unit: String,
    #[serde(default)]
    group: String,
    #[serde(default)]
    puzzle: String,
    #[serde(default)]
    instance: String,
    #[serde(default)]
    variant: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    detail: String,
}

impl Line {
    fn sample(self) -> Result<Sample> {
        if [&self.row, &self.metric, &self.unit]
            .iter()
            .any(|text| text.trim().is_empty())
        {
            bail!("an empty row, metric or unit; every figure has a name, a measure and a unit");
        }
        let metric = one_line(&self.metric);
        let figure = figure(&self.row, &metric, &one_line(&self.unit), self.value)?;
        Ok(Sample {
            group: match one_line(&self.group) {
                group if group.is_empty() => figure.group,
                group => group,
            },
            puzzle: one_line(&self.puzzle),
            instance: one_line(&self.instance),
            variant: one_line(&self.variant),
            version: one_line(&self.version),
            detail: one_line(&self.detail),
            processor: String::new(),
            ..figure
        })
    }
}

/// A file of hyperfine or Google Benchmark, as far as it is used here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Export {
    results: Vec<Timed>,
    benchmarks: Vec<Measured>,
}

/// A command of hyperfine, with the seconds of each run.
#[derive(Debug, Deserialize)]
struct Timed {
    command: String,
    times: Vec<f64>,
    #[serde(default)]
    exit_codes: Vec<Option<i32>>,
}

/// A repetition, or a figure over several, of Google Benchmark.
#[derive(Debug, Deserialize)]
struct Measured {
    name: String,
    #[serde(default)]
    run_type: String,
    real_time: Option<f64>,
    cpu_time: Option<f64>,
    time_unit: Option<String>,
    #[serde(default)]
    error_occurred: bool,
    #[serde(default)]
    error_message: String,
    #[serde(default)]
    skipped: bool,
    #[serde(default)]
    skip_message: String,
}

/// Ends of the names of figures over several repetitions.
const OVER_ALL: [&str; 6] = ["_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"];

impl Measured {
    /// Whether it is a figure over several repetitions. Old files tell by its name only, which is
    /// then that of a benchmark in the file with an end, or one of several such ends.
    fn is_aggregate(&self, names: &HashSet<&str>) -> bool {
        let of = OVER_ALL.iter().find_map(|end| self.name.strip_suffix(end));
        match (&*self.run_type, of) {
            ("", Some(of)) => {
                let over = |end: &&&str| names.contains(&*format!("{of}{end}"));
                names.contains(of) || OVER_ALL.iter().filter(over).count() > 1
            }
            (kind, _) => kind == "aggregate",
        }
    }

    fn failed(&self) -> String {
        let said = [&self.error_message, &self.skip_message];
        let said = said.into_iter().find(|said| !said.is_empty());
        match (said, self.error_occurred, self.skipped) {
            (Some(said), ..) => one_line(said),
            (None, true, _) => "failed".to_owned(),
            (None, _, true) => "skipped".to_owned(),
            _ => String::new(),
        }
    }
}

const UNITS: [(&str, f64); 4] = [("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0)];

/// Runs of hyperfine as `hyperfine`, repetitions of Google Benchmark as `google-benchmark` and
/// `google-benchmark-cpu`, all in seconds: files in other units compare. Nothing states on which
/// processor they were measured. A run that failed stays in the table as such.
pub(super) fn exported(text: &str) -> Result<Vec<Sample>> {
    let export = serde_json::from_str::<Export>(text);
    let export = export.with_context(|| match text.contains("NaN") {
        true => "JSON has no NaN: write null in its place",
        false => "no JSON of hyperfine or Google Benchmark",
    })?;
    let mut all: Vec<Sample> = Vec::new();
    let mut counts: HashMap<(String, &str), u32> = HashMap::new();
    let mut add = |row: &str, metric: &'static str, value: f64, failed: String| {
        let value = failed.is_empty().then_some(value);
        let figure = figure(row, metric, "s", value)?;
        if figure.row.is_empty() {
            bail!("a benchmark without a name");
        }
        let number = counts.entry((figure.row.clone(), metric)).or_insert(0);
        *number += 1;
        all.push(Sample {
            sample: *number - 1,
            processor: String::new(),
            detail: failed,
            ..figure
        });
        Ok::<_, anyhow::Error>(())
    };
    let mut commands = HashSet::new();
    for one in &export.results {
        if !commands.insert(one_line(&one.command)) {
            bail!("\"results\": '{}' occurs twice", one_line(&one.command));
        }
        if one.times.is_empty() {
            bail!("'{}' has no \"times\"", one_line(&one.command));
        }
        for (at, time) in one.times.iter().enumerate() {
            let failed = match one.exit_codes.get(at) {
                None | Some(Some(0)) => String::new(),
                Some(None) => "killed".to_owned(),
                Some(Some(code)) => format!("exit code {code}"),
            };
            add(&one.command, "hyperfine", *time, failed)?;
        }
    }
    let names: HashSet<&str> = export.benchmarks.iter().map(|one| &*one.name).collect();
    let repetitions = export.benchmarks.iter();
    for one in repetitions.filter(|one| !one.is_aggregate(&names)) {
        let unit = one.time_unit.as_deref().unwrap_or("ns");
        let Some((_, seconds)) = UNITS.iter().find(|(name, _)| *name == unit) else {
            bail!(
                "'{}': '{}' is no unit of time",
                one_line(&one.name),
                one_line(unit)
            );
        };
        let times = [
            ("google-benchmark", one.real_time),
            ("google-benchmark-cpu", one.cpu_time),
        ];
        let failed = one.failed();
        if failed.is_empty() && times.iter().all(|(_, time)| time.is_none()) {
            bail!(
                "'{}' has no \"real_time\" and no \"cpu_time\"",
                one_line(&one.name)
            );
        }
        for (metric, time) in times {
            if time.is_some() || !failed.is_empty() {
                add(
                    &one.name,
                    metric,
                    time.unwrap_or(0.0) * seconds,
                    failed.clone(),
                )?;
            }
        }
    }
    if all.is_empty() {
        bail!(
            "no times of single runs in \"results\" (hyperfine) or \"benchmarks\" (Google Benchmark, without --benchmark_report_aggregates_only)"
        );
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::*;
    use antipode_reports::bench::Status;
    use std::path::Path;

    fn of(text: &str) -> Result<Vec<Sample>, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f.csv");
        std::fs::write(&file, text).unwrap();
        let read = read(&file).map_err(|error| format!("{error:#}"));
        read.map(|figures| figures.samples)
    }

    #[test]
    fn figures_by_the_names_of_their_columns() {
        let all = of("unit,value,row,metric,variant,detail\n\
             instructions a call,19.5,permute/flip/naive,instructions-callgrind,naive,61 operations\n\
             ns,,permute/flip/chain,time,,\n")
        .unwrap();
        assert_eq!((all[0].value, all[0].status), (Some(19.5), Status::Ok));
        assert_eq!(all[0].group, "permute/flip");
        assert_eq!(all[0].metric, "instructions-callgrind");
        assert_eq!(
            (&*all[0].variant, &*all[0].detail),
            ("naive", "61 operations")
        );
        assert_eq!((all[1].value, all[1].status), (None, Status::Failed));
    }

    /// Files as hyperfine 1.15.0 and Google Benchmark 1.9.5 wrote them.
    #[test]
    fn files_of_other_harnesses() {
        let data = |name: &str| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/data");
            read(&folder.join(name)).unwrap().samples
        };
        let all = data("hyperfine.json");
        let nanoseconds = |s: &Sample| s.value.map(|s| (s * 1e9).round() as u64);
        let figures = all.iter().map(|s| (&*s.row, s.sample, nanoseconds(s)));
        let figures: Vec<_> = figures.collect();
        assert_eq!(figures.len(), 6);
        assert_eq!(figures[1], ("test 1 = 1", 1, Some(3_647_424)));
        assert_eq!(figures[3], ("test 2 = 1", 0, None));
        let failed = (Status::Failed, "exit code 1");
        assert_eq!((all[3].status, &*all[3].detail), failed);
        assert!(all.iter().all(|s| s.metric == "hyperfine" && s.unit == "s"));
        let all = data("google-benchmark.json");
        let of = |metric: &str| {
            let mine = all.iter().filter(|s| s.metric == metric);
            let mine: Vec<_> = mine.map(|s| (s.sample, s.value, &*s.unit)).collect();
            mine
        };
        let (at, time, unit) = of("google-benchmark-cpu")[1];
        assert_eq!((at, unit), (1, "s"));
        assert!((time.unwrap() - 0.749_86e-6).abs() < 1e-15);
        // Three repetitions and one that failed; figures computed from them are left out.
        assert_eq!(of("google-benchmark").len(), 4);
        assert_eq!(
            (all[6].status, &*all[6].detail),
            (Status::Failed, "no file")
        );
    }

    /// Google Benchmark writes it with a time of 0.
    #[test]
    fn a_skipped_repetition_has_no_time() {
        let row = |more: &str| {
            let row = format!("{{\"name\": \"a\", \"real_time\": 0, {more}}}");
            let all = of(&format!("{{\"benchmarks\": [{row}]}}")).expect("figures");
            (all[0].status == Status::Ok, all[0].detail.clone())
        };
        assert_eq!(row("\"time_unit\": \"ns\""), (true, String::new()));
        let skipped = row("\"skipped\": true, \"skip_message\": \"no data\"");
        assert_eq!(skipped, (false, "no data".to_owned()));
        assert!(!row("\"skipped\": true").0);
        assert!(!row("\"error_occurred\": true, \"error_message\": \"\"").0);
    }

    #[test]
    fn faults_name_the_line() {
        let table = r#"
row,metric,value ; a,b,1 ; => line 1: missing field `unit`
row,metric,value,unit,vairant ; a,b,1,ns,c ; => line 1: unknown field `vairant`
row,metric,value,unit,value ; a,b,1,ns,2 ; => line 1: duplicate field `value`
row|metric|value|unit ; a|b|1|ns ; => line 1: cells are apart by ';': write ','
row,metric,value,unit ; a,b,1, ; => line 2: an empty row, metric or unit
row,metric,value,unit ; a,b,1,ns ; a,b,x,ns ; => line 3
row,metric,value,unit ; a,b,1 ; => line 2
row,metric,value,unit ; a,b,1,ns ; a,b,2,ns ; => line 3: 'a' occurs twice
row,metric,value,unit ; ,b,1,ns ; => line 2: an empty row
row,metric,value,unit ; a,b,nan,ns ; => line 2: 'a': the value must be a number
row,metric,value,unit ; => no figures below the header
{"results": [{}]} => missing field `command` at line 1
{"runs": []} => no times of single runs
{"results": [{"command": "a", "times": [1]}, {"command": "b", "times": []}]} => 'b' has no "times"
{"benchmarks": [{"name": "a", "real_time": 1}, {"name": "b"}]} => 'b' has no "real_time" and no "cpu_time"
{"benchmarks": [{"name": "a_mean", "real_time": 1}, {"name": "a_stddev", "real_time": 1}]} => no times of single runs
{"results": [{"command": "a", "times": [1]}, {"command": "a", "times": [9]}]} => 'a' occurs twice
{"results": [{"command": "a", "times": [-1]}]} => 'a': the value must be a number of at least 0 and at most 1e100, not -1.0
{"results": [{"command": "a", "times": [1e308]}]} => 'a': the value must be a number of at least 0 and at most 1e100, not 1e308"#;
        for line in table.trim().lines() {
            let (text, said) = line.split_once(" => ").unwrap();
            let text = &text
                .replace(" ; ", "\n")
                .replace(" ;", "\n")
                .replace('|', ";");
            let error = of(text).unwrap_err();
            assert!(error.contains(said), "{text:?}: {error}");
            // Line ends of Windows do not change the line.
            let crlf = of(&text.replace('\n', "\r\n")).unwrap_err();
            let after = |error: &str| error.split_once("f.csv").unwrap().1.to_owned();
            assert_eq!(after(&crlf), after(&error));
        }
    }
}
