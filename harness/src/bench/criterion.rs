//! Figures of the crates' own criterion benches, taken into the same table.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use antipode_reports::atomic::ensure_dir;
use antipode_reports::bench::{SAMPLES_CSV, SCHEMA, Sample, SampleLog, Status};

use super::folder::now;
use crate::machine;

/// What the rows of imported figures are named before their own names.
pub const METRIC: &str = "criterion";

/// `sample.json`: times of runs of so many iterations each.
#[derive(Debug, Deserialize)]
struct Times {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// `estimates.json`, as far as it is used here.
#[derive(Debug, Deserialize)]
struct Estimates {
    mean: Estimate,
}

#[derive(Debug, Deserialize)]
struct Estimate {
    confidence_interval: Bounds,
    point_estimate: f64,
}

#[derive(Debug, Deserialize)]
struct Bounds {
    lower_bound: f64,
    upper_bound: f64,
}

/// Adds every bench under `from` (`target/criterion`) to the table in `folder`: one sample a
/// measured run, in nanoseconds an iteration, with criterion's own mean beside the first.
/// Gives their number. Benches that the table holds already are left out.
///
/// # Errors
/// A folder without benches, or files that are not criterion's.
pub fn import(from: &Path, folder: &Path) -> Result<usize> {
    let mut found = Vec::new();
    find(from, &mut found)?;
    found.sort();
    if found.is_empty() {
        bail!(
            "--criterion {}: no NAME/new/estimates.json there; run `cargo bench` first, or name its target/criterion",
            from.display()
        );
    }
    let mut samples = Vec::new();
    for bench in &found {
        samples.extend(read(from, bench)?);
    }
    ensure_dir(folder)?;
    let (mut log, held) = SampleLog::open(folder.join(SAMPLES_CSV))?;
    let known = |sample: &&Sample| {
        !held
            .iter()
            .any(|old| old.metric == METRIC && old.row == sample.row)
    };
    let mut added = 0;
    for sample in samples.iter().filter(known) {
        log.append(sample)
            .with_context(|| format!("cannot write {}", log.path().display()))?;
        added += 1;
    }
    Ok(added)
}

/// Folders that hold `new/estimates.json`.
fn find(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("--criterion: cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.join("new/estimates.json").is_file() {
            found.push(path.clone());
        }
        if path.is_dir() {
            find(&path, found)?;
        }
    }
    Ok(())
}

fn json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T> {
    Ok(antipode_reports::json_out::read_json(path)?)
}

fn read(root: &Path, bench: &Path) -> Result<Vec<Sample>> {
    let times: Times = json(&bench.join("new/sample.json"))?;
    let mean = json::<Estimates>(&bench.join("new/estimates.json"))?.mean;
    let name = bench
        .strip_prefix(root)
        .unwrap_or(bench)
        .display()
        .to_string();
    if times.iters.len() != times.times.len() || times.iters.iter().any(|&n| n < 1.0) {
        bail!(
            "{}: times and iterations do not match",
            bench.join("new/sample.json").display()
        );
    }
    let bounds = &mean.confidence_interval;
    let note = format!(
        "criterion's mean {:.3} ns, {:.3} to {:.3}",
        mean.point_estimate, bounds.lower_bound, bounds.upper_bound
    );
    let values = times.times.iter().zip(&times.iters);
    Ok(values
        .zip(0..)
        .map(|((time, iterations), number)| {
            let detail = if number == 0 {
                note.clone()
            } else {
                String::new()
            };
            Sample {
                sample: number,
                detail,
                value: Some(time / iterations),
                unit: "ns".to_owned(),
                ..figure(&name, METRIC)
            }
        })
        .collect())
}

/// An imported figure without its value.
pub(super) fn figure(row: &str, metric: &str) -> Sample {
    Sample {
        schema: SCHEMA,
        suite: metric.to_owned(),
        row: row.to_owned(),
        group: row.split('/').next().unwrap_or(row).to_owned(),
        puzzle: String::new(),
        instance: String::new(),
        settings: String::new(),
        variant: String::new(),
        engine: String::new(),
        direction: String::new(),
        threads: 1,
        sample: 0,
        position: 0,
        seed: 0,
        status: Status::Ok,
        detail: String::new(),
        answer: String::new(),
        expected: String::new(),
        wall_s: None,
        cpu_s: None,
        peak_bytes: None,
        states: None,
        generated: None,
        read_bytes: None,
        written_bytes: None,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        build: String::new(),
        plugin_file: String::new(),
        plugin_digest: String::new(),
        processor: machine::host().cpu,
        load1: None,
        throttled: None,
        started: now(),
        metric: metric.to_owned(),
        value: None,
        unit: String::new(),
    }
}
