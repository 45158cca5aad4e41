//! Figures of criterion benches.
//!
//! Criterion leaves a folder for each bench, named after it as far as file systems allow: its real
//! name is in `new/benchmark.json`. It does not say to which crate a bench belongs. Cargo can start
//! each bench through a runner (`ci/bench-runner.sh`). It gives every executable its own folder
//! with [`ORIGIN`] in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;

use antipode_reports::bench::Sample;
use antipode_reports::json_out::read_json;

use super::{ImportedFigures, figure, one_line};
use crate::clock::written;

/// File that names the package of the benches in a folder and in those below it.
const ORIGIN: &str = "antipode-origin.json";

/// `new/sample.json`: times of runs of a number of iterations each.
#[derive(Debug, Deserialize)]
struct Times {
    iters: Vec<f64>,
    times: Vec<f64>,
}

#[derive(Debug, Clone, Deserialize)]
struct Origin {
    package: String,
    version: String,
    bench: String,
}

/// A bench's folder, and the origin that is nearest above it.
type Bench = (PathBuf, Option<Origin>);

const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads every bench under `from` (`target/criterion`): one sample per measured run, in nanoseconds
/// per iteration, with criterion's own estimate in the first. Criterion does not record the unit of
/// a measurement other than time, so those too are given as nanoseconds. Benches without figures,
/// and those measured long before the others, get a remark.
pub(super) fn read(from: &Path) -> Result<ImportedFigures> {
    let mut found: Vec<Bench> = Vec::new();
    let mut seen = fs::canonicalize(from).into_iter().collect();
    find(from, None, &mut seen, &mut found)?;
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let whole = |bench: &Path| fs::metadata(bench.join("new/estimates.json")).ok();
    let mut all = ImportedFigures::default();
    found.retain(|(bench, _)| {
        if whole(bench).is_none() {
            let bench = bench.display();
            let why = "its new/ holds no estimates.json; run the bench again";
            all.remarks.push(format!("{bench}: left out: {why}"));
        }
        whole(bench).is_some()
    });
    if found.is_empty() {
        bail!(
            "no NAME/new/estimates.json there; run `cargo bench` first, or name its target/criterion"
        );
    }
    let written = |bench: &Path| whole(bench)?.modified().ok();
    let newest = found.iter().filter_map(|(bench, _)| written(bench)).max();
    for (bench, origin) in &found {
        let read = one(from, bench, origin.as_ref())?;
        let row = &read[0].row;
        let both = newest.zip(written(bench));
        let age = both.and_then(|(newest, written)| newest.duration_since(written).ok());
        if let Some(age) = age.filter(|age| *age > OLD) {
            all.remarks.push(format!(
                "'{row}' was measured {} days before the newest; if there is no such bench any more, remove {}",
                age.as_secs() / OLD.as_secs(),
                bench.display()
            ));
        }
        if all.samples.iter().any(|other| other.row == *row) {
            bail!(
                "{}: a second bench with the name '{row}'; remove the folder of the one that is no more, or rename one",
                bench.display()
            );
        }
        all.samples.extend(read);
    }
    Ok(all)
}

/// Finds folders that hold a folder `new`. The folders of earlier figures (`base`, and those of
/// named baselines) have none. A folder to which several links lead is read once.
fn find(
    folder: &Path,
    origin: Option<&Origin>,
    seen: &mut BTreeSet<PathBuf>,
    found: &mut Vec<Bench>,
) -> Result<()> {
    let entries = fs::read_dir(folder);
    let entries = entries.with_context(|| format!("cannot read {}", folder.display()))?;
    let file = folder.join(ORIGIN);
    let own: Option<Origin> = file.is_file().then(|| read_json(&file)).transpose()?;
    let origin = own.as_ref().or(origin);
    for entry in entries {
        let path = entry?.path();
        let place = fs::canonicalize(&path).ok().filter(|place| place.is_dir());
        if place.is_none_or(|place| !seen.insert(place)) {
            continue;
        }
        if path.join("new").is_dir() {
            found.push((path.clone(), origin.cloned()));
        }
        find(&path, origin, seen, found)?;
    }
    Ok(())
}

fn one(root: &Path, bench: &Path, origin: Option<&Origin>) -> Result<Vec<Sample>> {
    let file = bench.join("new/sample.json");
    let times: Times = read_json(&file)?;
    let is_sound = !times.iters.is_empty()
        && times.iters.len() == times.times.len()
        && times.iters.iter().all(|&count| count >= 1.0);
    if !is_sound {
        bail!(
            "{}: it needs as many times as iterations, and at least one of each",
            file.display()
        );
    }
    let note = estimate(&bench.join("new/estimates.json"))?;
    // Versions before 0.3 left no names.
    let names = bench.join("new/benchmark.json");
    let names: Option<Value> = names.is_file().then(|| read_json(&names)).transpose()?;
    let text = |key: &str| names.as_ref()?[key].as_str();
    let folder = bench
        .strip_prefix(root)
        .unwrap_or(bench)
        .display()
        .to_string();
    let full = |name: &str| match origin {
        None => name.to_owned(),
        Some(Origin { package, bench, .. }) => format!("{package}/{bench}/{name}"),
    };
    let row = full(text("full_id").unwrap_or(&folder));
    let started = written(&file);
    let values = times.times.iter().zip(&times.iters).zip(0..);
    let samples = values.map(|((time, iterations), number)| {
        let sample = figure(&row, "criterion", "ns", Some(time / iterations));
        let sample = sample.with_context(|| file.display().to_string())?;
        let group = text("group_id").map(|group| one_line(&full(group)));
        Ok(Sample {
            sample: number,
            group: group.unwrap_or(sample.group),
            version: origin.map_or_else(String::new, |of| format!("{} {}", of.package, of.version)),
            started: started.clone().unwrap_or(sample.started),
            ..sample
        })
    });
    let mut samples = samples.collect::<Result<Vec<Sample>>>()?;
    samples[0].detail = match names.map(|names| amount(&names["throughput"])) {
        Some(amount) if !amount.is_empty() => format!("{note}; an iteration does {amount}"),
        _ => note,
    };
    Ok(samples)
}

/// Criterion's own figure with its interval: the slope, if the iterations rose from sample to
/// sample.
fn estimate(file: &Path) -> Result<String> {
    let all: Value = read_json(file)?;
    let what = if all["slope"].is_object() {
        "slope"
    } else {
        "mean"
    };
    let (one, bounds) = (&all[what], &all[what]["confidence_interval"]);
    let figures = [
        &one["point_estimate"],
        &bounds["lower_bound"],
        &bounds["upper_bound"],
    ];
    match figures.map(Value::as_f64) {
        [Some(at), Some(low), Some(high)] if at >= 0.0 && (0.0..=high).contains(&low) => Ok(
            format!("criterion's {what} {at:.3} ns, {low:.3} to {high:.3}"),
        ),
        [Some(_), Some(_), Some(_)] => bail!(
            "{}: its {what} or the ends of its confidence_interval are below 0, or in the wrong order",
            file.display()
        ),
        _ => bail!("{}: no {what} with its confidence_interval", file.display()),
    }
}

/// `64 elements`: criterion writes `{"Elements":64}`, or an object of two such within.
fn amount(throughput: &Value) -> String {
    let parts = throughput.as_object().into_iter().flatten();
    let parts = parts.map(|(kind, value)| match value.as_u64() {
        Some(count) => format!("{count} {}", kind.to_lowercase()),
        None => amount(value),
    });
    parts.collect::<Vec<_>>().join(" and ")
}
