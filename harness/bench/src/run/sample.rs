//! One sample: one row, run once, in a process of its own and in a process group of its own,
//! so that nothing of one sample (caches of the allocator, warm tables, a leak, a crash)
//! reaches the next, and a limit ends all of it.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::Value;

use antipode_reports::bench::{Sample, Status};
use antipode_reports::csv_out::write_rows_to;
use antipode_reports::model::{LevelTable, StopKind, StopRecord};

use antipode_graph::{direction_name, one_line};
use antipode_search::memory;
use antipode_search::progress::Stop;

use super::process::{Ended, Limits, run};
use crate::suite::{Row, Verb, needs_folder, takes_memory};

/// Arguments of `antipode` that run a row: anybody can repeat a sample by hand.
#[must_use]
pub fn arguments(row: &Row, seed: u64, plugins: &[PathBuf]) -> Vec<String> {
    let mut all = vec![
        row.verb.name().to_owned(),
        format!("{}/{}", row.puzzle, row.instance),
        "--format=json".to_owned(),
        format!("--variant={}", row.variant),
        format!("--threads={}", row.threads),
    ];
    // A second asking would be timed too.
    all.extend((!plugins.is_empty()).then(|| "--asked-once".to_owned()));
    let pairs = row.settings.iter();
    all.extend(pairs.map(|(key, value)| format!("--set={key}={value}")));
    all.extend(
        plugins
            .iter()
            .map(|file| format!("--plugin={}", file.display())),
    );
    let mut add = |name: &str, value: Option<String>| {
        all.extend(value.map(|value| format!("--{name}={value}")));
    };
    add("from", row.from.clone());
    add("to", row.to.clone());
    add("max-depth", row.max_depth.map(|depth| depth.to_string()));
    add(
        "direction",
        row.direction.map(|way| direction_name(way).to_owned()),
    );
    add("engine", row.engine.map(str::to_owned));
    add("table", row.table.map(|table| table.name().to_owned()));
    if takes_memory(row) {
        add("memory", row.memory.map(|limit| limit.to_string()));
    }
    if row.verb == Verb::Analyse {
        add("seed", Some(seed.to_string()));
    }
    all
}

/// The process of a row's sample: its own command, or the executable with its [`arguments`].
#[must_use]
pub fn command(row: &Row, executable: &Path, seed: u64, plugins: &[PathBuf]) -> Command {
    match &row.command {
        Some(words) => program(words),
        None => {
            let mut command = Command::new(executable);
            command.args(arguments(row, seed, plugins));
            command
        }
    }
}

/// The process of a program with its arguments.
pub(super) fn program(words: &[String]) -> Command {
    let mut command = Command::new(words.first().map_or("", String::as_str));
    command.args(words.iter().skip(1));
    command
}

/// Bytes that a sample may print: answers take less by far.
const MOST_OUTPUT: u64 = 1 << 30;

/// Limits of a row's samples.
#[must_use]
pub fn limits(row: &Row) -> Limits {
    Limits {
        time: row.timeout,
        memory: row.memory,
        output: Some(MOST_OUTPUT),
    }
}

/// Runs a row once by a command that has its [`arguments`], and fills in what came of
/// it: never [`Status::Wrong`], since what is right is not known here. `None` when asked to stop
/// meanwhile.
///
/// # Errors
/// The command cannot be started at all.
pub fn take(
    mut command: Command,
    row: &Row,
    limits: &Limits,
    mut sample: Sample,
    stop: &Stop,
) -> Result<Option<Sample>> {
    if let Some(words) = &row.prepare {
        let ended = run(&mut program(words), limits, stop)?;
        if ended.ended == Ended::Stopped {
            return Ok(None);
        }
        if !ended.is_well() {
            (sample.status, sample.detail) = failed(format!("prepare {}", ended.how()));
            return Ok(Some(sample));
        }
    }
    let before = children_cpu();
    // Levels on disk go to a folder of this sample's own, which does not outlive it.
    let work = match needs_folder(row) {
        true => Some(tempfile::tempdir().context("no folder for levels")?),
        false => None,
    };
    let work = work.as_ref();
    command.args(work.map(|folder| format!("--work={}", folder.path().join("work").display())));
    let finished = run(&mut command, limits, stop)?;
    sample.wall_s = Some(finished.wall.as_secs_f64());
    sample.cpu_s = Some(children_cpu() - before);
    sample.peak_bytes = finished.peak;
    (sample.status, sample.detail) = match finished.ended {
        Ended::Stopped => return Ok(None),
        Ended::Timeout => {
            let limit = humantime::format_duration(limits.time);
            (Status::Timeout, format!("killed after its {limit}"))
        }
        Ended::Memory => {
            let limit = limits.memory.map_or_else(String::new, memory::human);
            let text = format!("killed: it took more than its {limit} of memory");
            (Status::Memory, text)
        }
        Ended::Output => (
            Status::Failed,
            format!("killed after {} MiB of output", MOST_OUTPUT >> 20),
        ),
        Ended::Held => (
            Status::Failed,
            "it ended, but a process that it started keeps its output open".to_owned(),
        ),
        Ended::Exit(status) => match said(&mut sample, row, status, &finished.out, &finished.err) {
            Ok(()) => (Status::Ok, String::new()),
            Err(unwell) => unwell,
        },
    };
    if sample.status != Status::Ok {
        sample.answer.clear();
    }
    Ok(Some(sample))
}

/// Processor seconds of all child processes that have ended. Samples run one at a time, so
/// the difference is one sample's.
fn children_cpu() -> f64 {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else {
        return 0.0;
    };
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

/// How a sample did not end well, and one line that says more.
type Unwell = (Status, String);

fn failed(why: impl Into<String>) -> Unwell {
    (Status::Failed, why.into())
}

fn lacks(what: &str) -> Unwell {
    failed(format!("its output lacks {what}"))
}

/// What an ended process says of itself.
fn said(
    sample: &mut Sample,
    row: &Row,
    status: ExitStatus,
    out: &str,
    err: &str,
) -> Result<(), Unwell> {
    let complaint = || {
        let line = err.lines().rev().find(|line| !line.trim().is_empty());
        line.unwrap_or("it said nothing").trim().to_owned()
    };
    let Some(code) = status.code() else {
        return Err(match status.signal().unwrap_or(0) {
            9 => failed("killed by signal 9, as systems do that run out of memory"),
            signal => failed(format!("killed by signal {signal}: {}", complaint())),
        });
    };
    if row.command.is_some() {
        return printed(sample, row.expect.as_deref(), code, out, complaint);
    }
    let value: Value = serde_json::from_str(out)
        .map_err(|_| failed(format!("exit code {code}: {}", complaint())))?;
    let seen = [sample.wall_s, sample.cpu_s];
    match row.verb {
        Verb::Analyse => analysed(sample, &value)?,
        Verb::Solve => solved(sample, &value)?,
    }
    plausible([sample.wall_s, sample.cpu_s], seen)
}

/// Characters of an answer that are kept of another program's line.
const LINE: usize = 200;

/// The answer of another program: what is expected of it, where it prints that somewhere, else
/// its last line; where nothing is expected, all that it prints.
fn printed(
    sample: &mut Sample,
    expect: Option<&str>,
    code: i32,
    out: &str,
    complaint: impl FnOnce() -> String,
) -> Result<(), Unwell> {
    if code != 0 {
        return Err(failed(format!("exit code {code}: {}", complaint())));
    }
    let Some(expect) = expect else {
        let (text, lines) = (out.trim(), out.trim().lines().count());
        sample.answer = match lines {
            0 => "nothing".to_owned(),
            1 if text.chars().count() <= LINE => one_line(text),
            _ => format!(
                "{} of {lines} lines",
                &blake3::hash(text.as_bytes()).to_hex()[..32]
            ),
        };
        return Ok(());
    };
    if out.contains(expect) {
        sample.answer = expect.to_owned();
        return Ok(());
    }
    let last = out.lines().rfind(|line| !line.trim().is_empty());
    let last = last.ok_or_else(|| lacks("a line"))?;
    sample.answer = one_line(last.trim()).chars().take(LINE).collect();
    Ok(())
}

/// Clocks of two processes differ by so much, as a factor and in seconds.
const APART: (f64, f64) = (1.05, 0.05);

/// A process cannot have taken more than it was seen to take, whatever it says.
fn plausible(said: [Option<f64>; 2], seen: [Option<f64>; 2]) -> Result<(), Unwell> {
    let kinds = ["by the clock", "of processor time"].into_iter();
    for ((what, said), seen) in kinds.zip(said).zip(seen) {
        if let (Some(said), Some(seen)) = (said, seen)
            && said > seen * APART.0 + APART.1
        {
            return Err(failed(format!(
                "it says that it took {said:.3} s {what}, and {seen:.3} s were seen"
            )));
        }
    }
    Ok(())
}

fn analysed(sample: &mut Sample, value: &Value) -> Result<(), Unwell> {
    let run = &value["run"];
    let extra = &run["extra"];
    sample.states = extra["states_expanded"].as_u64();
    sample.generated = extra["generated"].as_u64();
    sample.read_bytes = extra["read_bytes"].as_u64();
    sample.written_bytes = extra["written_bytes"].as_u64();
    sample.peak_bytes = run["peak_memory_bytes"].as_u64().or(sample.peak_bytes);
    let seconds = |key: &str| {
        run[key]
            .as_f64()
            .ok_or_else(|| lacks(&format!("run.{key}")))
    };
    sample.wall_s = Some(seconds("wall_s")?);
    sample.cpu_s = Some(seconds("cpu_s")?);
    let levels: LevelTable = serde_json::from_value(value["levels"].clone())
        .map_err(|error| lacks(&format!("a level table: {error}")))?;
    if run["complete"] != true && !walked_to_limit(run, &levels) {
        let stop: Option<StopRecord> = serde_json::from_value(run["stop"].clone()).ok();
        let status = match stop.map(|stop| stop.reason) {
            Some(StopKind::Memory) => Status::Memory,
            _ => Status::Failed,
        };
        let because = run["stopped_because"].as_str().unwrap_or_default();
        return Err((status, because.to_owned()));
    }
    sample.answer = digest(&levels);
    Ok(())
}

fn solved(sample: &mut Sample, value: &Value) -> Result<(), Unwell> {
    sample.states = value["states_seen"].as_u64();
    sample.generated = value["moves_listed"].as_u64();
    sample.wall_s = value["wall_s"].as_f64().or(sample.wall_s);
    sample.cpu_s = value["cpu_s"].as_f64().or(sample.cpu_s);
    sample.answer = match (value.get("length"), value["length"].as_u64()) {
        (_, Some(length)) => format!("length {length}"),
        (Some(Value::Null), None) => "unsolvable".to_owned(),
        _ => return Err(lacks("a length")),
    };
    Ok(())
}

/// Whether a run ended at the greatest level asked for, which is no reason to call it
/// unfinished. Told by figures that executables of all versions give: an `--against` need not
/// know the record of why a run stopped.
fn walked_to_limit(run: &Value, levels: &LevelTable) -> bool {
    let limit = run["max_depth"].as_u64();
    limit.is_some()
        && limit == levels.max_depth().map(u64::from)
        && run["parts_done"] == run["parts_total"]
}

/// Digest over the level table as `levels.csv` holds it: 32 hexadecimal digits of BLAKE3.
#[must_use]
pub fn digest(levels: &LevelTable) -> String {
    let mut text = Vec::new();
    // A Vec takes everything.
    let _ = write_rows_to(&mut text, &levels.rows());
    blake3::hash(&text).to_hex()[..32].to_owned()
}
