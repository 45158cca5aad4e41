//! Instructions that rows take, counted by the processor through `perf`, where there is one
//! and the system allows it (`kernel.perf_event_paranoid`; containers mostly do not). Where it
//! cannot be counted the row says so: an instruction count is never guessed.

use std::process::Command;

use anyhow::{Context, Result};

use antipode_reports::bench::{SAMPLES_CSV, SAMPLES_JSON, Sample, SampleLog, Status};
use antipode_reports::json_out::write_json;

use super::criterion::figure;
use super::rows::Row;
use super::sample::arguments;
use super::session::{Options, Results};
use crate::progress::Stop;

/// Name of the metric.
pub const METRIC: &str = "instructions";

/// Counts each row once and adds the counts to the table; rows that have one are left out.
///
/// # Errors
/// The table cannot be written.
pub fn add(rows: &[Row], options: &Options, results: &mut Results, stop: &Stop) -> Result<()> {
    let (mut log, _) = SampleLog::open(options.folder.join(SAMPLES_CSV))?;
    let obstacle = obstacle();
    for row in rows.iter().filter(|row| row.refused.is_none()) {
        let known = |sample: &Sample| sample.metric == METRIC && sample.row == row.name;
        if stop.requested() || results.samples.iter().any(known) {
            continue;
        }
        let counted = match &obstacle {
            Some(why) => Err(why.clone()),
            None => count(row, options),
        };
        let mut sample = Sample {
            suite: results.run.suite.clone(),
            group: row.group.clone(),
            puzzle: row.puzzle.clone(),
            instance: row.instance.clone(),
            settings: row.settings_text(),
            variant: row.variant.clone(),
            engine: row.engine_name().to_owned(),
            threads: row.threads.into(),
            seed: options.seed,
            build: results.run.executable.blake3.clone(),
            unit: "instructions".to_owned(),
            ..figure(&row.name, METRIC)
        };
        match counted {
            Ok(count) => sample.value = Some(count),
            Err(why) => {
                (sample.status, sample.detail) = (Status::Failed, format!("not counted: {why}"));
            }
        }
        let path = log.path().display().to_string();
        log.append(&sample)
            .with_context(|| format!("cannot write {path}"))?;
        results.samples.push(sample);
    }
    write_json(options.folder.join(SAMPLES_JSON), &results.samples)?;
    Ok(())
}

const PERF: [&str; 5] = [
    "stat",
    "--field-separator=,",
    "--event=instructions:u",
    "--log-fd=2",
    "--",
];

/// Why nothing can be counted here.
fn obstacle() -> Option<String> {
    perf("true", &[]).err()
}

fn count(row: &Row, options: &Options) -> Result<f64, String> {
    let executable = options.executable.display().to_string();
    let limit = format!("{}", row.timeout.as_secs().max(1));
    let mut all = vec!["--signal=KILL".to_owned(), limit, executable];
    all.extend(arguments(row, options.seed, &options.plugins));
    perf("timeout", &all)
}

fn perf(program: &str, arguments: &[String]) -> Result<f64, String> {
    let output = Command::new("perf")
        .args(PERF)
        .arg(program)
        .args(arguments)
        .output();
    let output = output.map_err(|error| format!("perf cannot be started ({error})"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let line = text.lines().find(|line| line.contains("instructions"));
    let number = line.and_then(|line| line.split(',').next()?.trim().parse().ok());
    match number {
        Some(number) if output.status.success() => Ok(number),
        _ => {
            let said = text
                .lines()
                .find(|line| !line.trim().is_empty())
                .unwrap_or_default();
            Err(format!(
                "perf does not count instructions here ({})",
                said.trim()
            ))
        }
    }
}
