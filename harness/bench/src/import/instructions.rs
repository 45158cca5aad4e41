//! Instructions that rows take, each counted once by the first of [`counters`](super::counters)
//! that works here. A counted run is a sample like any other, with its answer checked; only its
//! times say nothing. What cannot be counted says so in its row, and is tried again when the
//! same command finds a counter: an instruction count is never guessed.

use anyhow::{Context, Result};

use antipode_reports::bench::{SAMPLES_CSV, Sample, SampleLog, Status};
use antipode_reports::results::reopen;

use antipode_search::progress::Stop;

use super::counters::{Counter, find};
use super::table::write;
use crate::run::record::{blank, check_answer};
use crate::run::sample::{command, limits, take};
use crate::run::{Options, Results};
use crate::suite::Row;

/// The measure of a row that could not be counted; a count has that of its counter, which
/// begins so.
pub const METRIC: &str = "instructions";

/// Counts each row once and adds the counts to the table; rows that have one are left out.
/// False where it was stopped before the last.
///
/// # Errors
/// The table cannot be written, or a counter that worked cannot be started any more.
pub fn add(rows: &[Row], options: &Options, results: &mut Results, stop: &Stop) -> Result<bool> {
    let has = |results: &Results, row: &Row, wanted: fn(&Sample) -> bool| {
        let mut all = results.samples.iter();
        all.any(|sample| sample.row == row.name && wanted(sample))
    };
    let due: Vec<&Row> = rows
        .iter()
        .filter(|row| row.refused.is_none() && !has(results, row, is_final))
        .collect();
    if due.is_empty() {
        return Ok(true);
    }
    let counter = match find(stop) {
        Ok(None) => return Ok(false),
        Ok(Some(counter)) => Ok(counter),
        Err(why) => Err(format!("not counted: {why}")),
    };
    if counter.is_ok() && results.samples.iter().any(is_obstacle) {
        results.samples.retain(|sample| !is_obstacle(sample));
        write(&options.folder, &results.samples)?;
    }
    reopen(&options.folder)?;
    let (mut log, _) = SampleLog::open(options.folder.join(SAMPLES_CSV))?;
    let mut whole = true;
    for row in due {
        if has(results, row, is_obstacle) {
            continue;
        }
        let blank = Sample {
            status: Status::Ok,
            metric: METRIC.to_owned(),
            unit: METRIC.to_owned(),
            ..blank(row, &results.run, &results.run.executable)
        };
        let sample = match &counter {
            Ok(counter) => counted(*counter, row, options, results, blank, stop)?,
            Err(why) => Some(Sample {
                status: Status::Failed,
                detail: why.clone(),
                ..blank
            }),
        };
        let Some(sample) = sample else {
            whole = false;
            break;
        };
        let path = log.path().display().to_string();
        log.append(&sample)
            .with_context(|| format!("cannot write {path}"))?;
        (options.tell)(&sample);
        results.samples.push(sample);
    }
    write(&options.folder, &results.samples)?;
    Ok(whole)
}

/// A row without a count because nothing counts here: another day it may.
fn is_obstacle(sample: &Sample) -> bool {
    sample.metric == METRIC && sample.status == Status::Failed
}

/// A count, or the reason why this row has none.
fn is_final(sample: &Sample) -> bool {
    sample.metric.starts_with(METRIC) && !is_obstacle(sample)
}

/// One counted run, recorded; nothing when stopped meanwhile.
fn counted(
    counter: Counter,
    row: &Row,
    options: &Options,
    results: &Results,
    blank: Sample,
    stop: &Stop,
) -> Result<Option<Sample>> {
    let mut samples = results.samples.iter();
    let mut mine = samples
        .by_ref()
        .filter(|sample| sample.row == row.name && !sample.imported());
    let first = mine.next();
    let expected = match first {
        // Of a row that ended well every sample has the same.
        Some(first) if first.counts() && mine.all(Sample::counts) => Ok(first.expected.clone()),
        _ => {
            return Ok(Some(Sample {
                status: Status::Skipped,
                detail: "not counted: not all samples of the row ended well".to_owned(),
                ..blank
            }));
        }
    };
    let folder = tempfile::tempdir().context("no folder for a count")?;
    let file = folder.path().join("count");
    let counted = command(row, &options.executable, options.seed, &options.plugins);
    let mut command = counter.command(&file);
    command.arg(counted.get_program()).args(counted.get_args());
    let limits = counter.limits(limits(row));
    let Some(taken) = take(command, row, &limits, blank.clone(), stop)? else {
        return Ok(None);
    };
    let mut sample = Sample {
        metric: counter.metric().to_owned(),
        status: taken.status,
        detail: taken.detail,
        answer: taken.answer,
        ..blank
    };
    check_answer(&mut sample, &expected);
    if sample.status == Status::Ok {
        match counter.read(&file) {
            Ok(count) => sample.value = Some(count as f64),
            Err(why) => {
                sample.status = Status::Failed;
                sample.detail = format!("not counted: {}: {why}", counter.program());
            }
        }
    }
    Ok(Some(sample))
}
