//! Instructions of rows, each counted once by the first program that can do so here. A counted run
//! is a sample like any other, with its answer checked; only its times have no meaning. A row that
//! cannot be counted says so, and is tried again when the same command finds a counter: an
//! instruction count is never guessed.
//!
//! `perf` asks the processor. Containers and most virtual machines do not allow it. Then `valgrind
//! --tool=callgrind` simulates the processor, some 50 times slower and without AVX-512, so the
//! program takes other paths. Their counts are never compared.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use antipode_reports::bench::{SAMPLES_CSV, Sample, SampleLog, Status};
use antipode_reports::results::reopen;

use antipode_search::progress::Stop;

use super::write;
use crate::run::process::{ProcessEnd, ProcessLimits, run};
use crate::run::record::{blank, check_answer};
use crate::run::sample::{command, limits, take};
use crate::run::{Prepared, Results};
use crate::suite::SuiteRow;

/// The measure of a row that could not be counted; a count has that of its counter, which begins
/// with this.
pub const METRIC: &str = "instructions";

/// Factor on a row's time limit for callgrind, which is about 50 times slower than the processor.
const CALLGRIND_TIME: u32 = 60;

/// Memory that callgrind needs for itself, in bytes, on top of a row's.
const CALLGRIND_MEMORY: u64 = 1 << 30;

/// Limits of a counter when it is tried on a program that does nothing.
const TRIAL: ProcessLimits = ProcessLimits::of_time(Duration::from_secs(60));

/// A program that counts instructions in user space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counter {
    /// The processor's own count.
    Perf,
    /// The counter of a simulated processor.
    Callgrind,
}

impl Counter {
    /// The program to start, and the name of its counts in the table.
    const fn names(self) -> [&'static str; 2] {
        match self {
            Self::Perf => ["perf", "instructions-perf"],
            Self::Callgrind => ["valgrind", "instructions-callgrind"],
        }
    }

    /// A command that runs another program, whose name and arguments are to be appended, and leaves
    /// its count in a file.
    fn command(self, file: &Path) -> Command {
        let mut command = Command::new(self.names()[0]);
        match self {
            Self::Perf => command
                .args(["stat", "--field-separator=,", "--event=instructions:u"])
                .arg(format!("--output={}", file.display()))
                .arg("--"),
            Self::Callgrind => command
                .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
                .arg("--trace-children=yes")
                .arg(format!("--log-file={}.%p", file.display())),
        };
        command
    }

    /// The limits of a program that it watches. Only the started process is watched for its memory,
    /// and that is `perf` itself, next to the program; under valgrind they are one process.
    fn limits(self, of_row: ProcessLimits) -> ProcessLimits {
        match self {
            Self::Perf => ProcessLimits {
                memory: None,
                ..of_row
            },
            Self::Callgrind => ProcessLimits {
                time: of_row.time * CALLGRIND_TIME,
                memory: of_row.memory.map(|bytes| bytes + CALLGRIND_MEMORY),
                ..of_row
            },
        }
    }

    fn read(self, file: &Path) -> Result<u64, String> {
        match self {
            Self::Perf => perf(&std::fs::read_to_string(file).unwrap_or_default()),
            Self::Callgrind => callgrind(&logs(file)),
        }
    }

    /// Tries it on a program that does nothing. `None` if a stop was requested.
    fn trial(self, stop: &Stop) -> Result<Option<u64>, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = folder.path().join("count");
        let finished = run(self.command(&file).arg("true"), &TRIAL, stop);
        let finished = finished.map_err(|error| format!("{error:#}"))?;
        match finished.ended {
            ProcessEnd::Stopped => Ok(None),
            _ if finished.is_well() => self.read(&file).map(Some),
            _ => Err(finished.how()),
        }
    }
}

/// The first counter that works here; `None` if a stop was requested. If none does, the message of
/// each, and the remedy.
fn find(stop: &Stop) -> Result<Option<Counter>, String> {
    let mut said = Vec::new();
    for counter in [Counter::Perf, Counter::Callgrind] {
        match counter.trial(stop) {
            Ok(count) => return Ok(count.map(|_| counter)),
            Err(why) => said.push(format!("{}: {why}", counter.names()[0])),
        }
    }
    Err(format!(
        "not counted: {}; install valgrind",
        said.join("; ")
    ))
}

/// `VALUE,UNIT,EVENT,NANOSECONDS,SHARE,…`, one line for each kind of processor core.
fn perf(text: &str) -> Result<u64, String> {
    let mut total = None;
    for line in text.lines().filter(|line| line.contains("instructions")) {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let Ok(count) = fields[0].parse::<u64>() else {
            return Err(format!("it does not count instructions here ({line})"));
        };
        // Counters that several programs share count for a share of the time only.
        let share = fields.get(4).and_then(|share| share.parse::<f64>().ok());
        if share.is_some_and(|share| share < 99.995) {
            return Err(format!("it counted for a part of the time only ({line})"));
        }
        total = Some(total.unwrap_or(0) + count);
    }
    total.ok_or_else(|| "it left no count of instructions".to_owned())
}

/// Callgrind's output: a file for each process, named after the first.
fn logs(file: &Path) -> String {
    let files = file
        .parent()
        .and_then(|folder| std::fs::read_dir(folder).ok());
    let files = files.into_iter().flatten().flatten();
    let texts = files.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
    texts.collect()
}

/// `==PID== Collected : COUNT`, once for each process: a verb that loads a library has two.
fn callgrind(text: &str) -> Result<u64, String> {
    let counts = text
        .lines()
        .filter_map(|line| line.split("Collected :").nth(1));
    let counts = counts.map(|count| count.trim().parse::<u64>().ok());
    match counts.sum::<Option<u64>>() {
        Some(count) if count > 0 => Ok(count),
        _ => {
            let last = text.lines().rfind(|line| !line.trim().is_empty());
            let last = last.unwrap_or("nothing");
            Err(format!("it left no count of instructions ({last})"))
        }
    }
}

/// Counts each row once and adds the counts to the table; rows that have one are skipped. False if
/// it was stopped before the last.
///
/// # Errors
/// The table cannot be written, or a counter that worked cannot be started any more.
pub fn add(ready: &Prepared, results: &mut Results, stop: &Stop) -> Result<bool> {
    // A row that could not be counted earlier may be counted now.
    results.samples.retain(|sample| !is_obstacle(sample));
    let has_count = |row: &&SuiteRow| {
        let mut mine = results
            .samples
            .iter()
            .filter(|sample| sample.row == row.name);
        mine.any(|sample| sample.metric.starts_with(METRIC))
    };
    let due: Vec<&SuiteRow> = ready.able().filter(|row| !has_count(row)).collect();
    if due.is_empty() {
        return Ok(true);
    }
    let Some(counter) = find(stop).transpose() else {
        return Ok(false);
    };
    write(&ready.folder, &results.samples)?;
    reopen(&ready.folder)?;
    let (mut log, _) = SampleLog::open(ready.folder.join(SAMPLES_CSV))?;
    let mut whole = true;
    for row in due {
        let blank = Sample {
            status: Status::Ok,
            metric: METRIC.to_owned(),
            unit: METRIC.to_owned(),
            ..blank(row, &results.run, &results.run.executable)
        };
        let sample = match &counter {
            Ok(counter) => counted(*counter, row, (ready, results), blank, stop)?,
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
        let written = log.append(&sample);
        written.with_context(|| format!("cannot write {}", log.path().display()))?;
        (ready.tell)(&sample);
        results.samples.push(sample);
    }
    write(&ready.folder, &results.samples)?;
    Ok(whole)
}

fn is_obstacle(sample: &Sample) -> bool {
    sample.metric == METRIC && sample.status == Status::Failed
}

fn counted(
    counter: Counter,
    row: &SuiteRow,
    (ready, results): (&Prepared, &Results),
    blank: Sample,
    stop: &Stop,
) -> Result<Option<Sample>> {
    let samples = results.samples.iter();
    let mut mine = samples.filter(|sample| sample.row == row.name && !sample.imported());
    // All samples of a row that ended well have the same.
    let expected = match mine.next() {
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
    let counted = command(row, &ready.executable, ready.seed, &ready.plugins);
    let mut command = counter.command(&file);
    command.arg(counted.get_program()).args(counted.get_args());
    let limits = counter.limits(limits(row));
    let Some(taken) = take(command, row, &limits, blank.clone(), stop)? else {
        return Ok(None);
    };
    let mut sample = Sample {
        metric: counter.names()[1].to_owned(),
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
                sample.detail = format!("not counted: {}: {why}", counter.names()[0]);
            }
        }
    }
    Ok(Some(sample))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_perf_and_valgrind_leave_them() {
        let one = "# started on Sat\n\n123456,,instructions:u,398270,100.00,,\n";
        assert_eq!(perf(one), Ok(123_456));
        let two =
            "100,,cpu_core/instructions:u/,5,100.00,,\n23,,cpu_atom/instructions:u/,5,100.00,,\n";
        assert_eq!(perf(two), Ok(123));
        let none = "<not supported>,,instructions:u,0,100.00,,\n";
        assert!(perf(none).unwrap_err().contains("<not supported>"));
        let part = "123456,,instructions:u,398270,61.20,,\n";
        assert!(perf(part).unwrap_err().contains("part of the time"));
        assert!(perf("").is_err());
        let log = "==7== Callgrind\n==7== Events    : Ir\n==7== Collected : 158473\n";
        assert_eq!(callgrind(log), Ok(158_473));
        assert!(callgrind("==7== killed\n").unwrap_err().contains("killed"));
    }

    #[test]
    fn callgrind_is_given_more() {
        let mut of_row = ProcessLimits::of_time(Duration::from_secs(2));
        of_row.memory = Some(5);
        let limits = Counter::Callgrind.limits(of_row);
        assert_eq!(limits.time, Duration::from_secs(120));
        assert_eq!(limits.memory, Some(CALLGRIND_MEMORY + 5));
        assert_eq!(Counter::Perf.limits(of_row).time, of_row.time);
    }
}
