//! One sample: one row, run once, in a process of its own and in a process group of its own,
//! so that nothing of one sample (caches of the allocator, warm tables, a leak, a crash)
//! reaches the next, and a limit ends all of it.

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::Value;

use antipode_reports::bench::Status;
use antipode_reports::csv_out::write_levels_to;
use antipode_reports::model::{LevelTable, StopKind, StopRecord};

use super::process::{Ended, Limits, run};
use super::rows::Row;
use super::suite::Verb;
use antipode_graph::direction_name;
use antipode_search::engine::Opt;
use antipode_search::memory;
use antipode_search::progress::Stop;

/// What one run came to, before its answer is checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Never `Wrong`: what is right is not known here.
    pub status: Status,
    /// One line, where it did not end well.
    pub detail: String,
    /// What it answered.
    pub answer: Option<String>,
    /// See [`antipode_reports::bench::Sample`], as for the others.
    pub wall_s: f64,
    /// Processor seconds.
    pub cpu_s: f64,
    /// Greatest resident memory.
    pub peak_bytes: Option<u64>,
    /// States expanded.
    pub states: Option<u64>,
    /// Moves generated.
    pub generated: Option<u64>,
    /// Bytes read.
    pub read_bytes: Option<u64>,
    /// Bytes written.
    pub written_bytes: Option<u64>,
}

/// Arguments of `antipode` that run a row: anybody can repeat a sample by hand.
#[must_use]
pub fn arguments(row: &Row, seed: u64, plugins: &[PathBuf]) -> Vec<String> {
    let mut all = vec![
        match row.verb {
            Verb::Analyse => "analyse".to_owned(),
            Verb::Solve => "solve".to_owned(),
        },
        format!("{}/{}", row.puzzle, row.instance),
        "--format=json".to_owned(),
        format!("--variant={}", row.variant),
        format!("--threads={}", row.threads),
    ];
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
    add("engine", row.engine.map(|engine| engine.name().to_owned()));
    add("table", row.table.map(|table| table.name().to_owned()));
    if heeds(row, Opt::Memory) {
        add("memory", row.memory.map(|limit| limit.to_string()));
    }
    if row.verb == Verb::Analyse {
        add("seed", Some(seed.to_string()));
    }
    all
}

/// Whether the engine of a row heeds an option.
fn heeds(row: &Row, option: Opt) -> bool {
    let kind = row.verb.kind();
    row.engine.is_some_and(|engine| engine.heeds(kind, option))
}

/// Limits of a row's samples.
#[must_use]
pub fn limits(row: &Row) -> Limits {
    Limits {
        time: row.timeout,
        memory: row.memory,
    }
}

/// Runs a row once by a command that takes the arguments of `antipode`; `None` when asked to
/// stop meanwhile.
///
/// # Errors
/// The command cannot be started at all.
pub fn take(
    mut command: Command,
    arguments: &[String],
    row: &Row,
    limits: &Limits,
    stop: &Stop,
) -> Result<Option<Measured>> {
    let before = children_cpu();
    // Levels on disk go to a folder of this sample's own, which does not outlive it.
    let work = match heeds(row, Opt::Work) {
        true => Some(tempfile::tempdir().context("no folder for levels")?),
        false => None,
    };
    let work = work.as_ref();
    command
        .args(arguments)
        .args(work.map(|folder| format!("--work={}", folder.path().join("work").display())));
    let finished = run(&mut command, limits, stop)?;
    let cpu = children_cpu() - before;
    let mut measured = Measured {
        status: Status::Failed,
        detail: String::new(),
        answer: None,
        wall_s: finished.wall.as_secs_f64(),
        cpu_s: cpu,
        peak_bytes: finished.peak,
        states: None,
        generated: None,
        read_bytes: None,
        written_bytes: None,
    };
    match finished.ended {
        Ended::Stopped => return Ok(None),
        Ended::Timeout => {
            measured.status = Status::Timeout;
            let limit = humantime::format_duration(limits.time);
            measured.detail = format!("killed after its {limit}");
        }
        Ended::Memory => {
            measured.status = Status::Memory;
            let limit = limits.memory.map_or_else(String::new, memory::human);
            measured.detail = format!("killed: it took more than its {limit} of memory");
        }
        Ended::Held => {
            measured.detail =
                "it ended, but a process that it started keeps its output open".to_owned();
        }
        Ended::Exit(status) => judge(&mut measured, row, status, &finished.out, &finished.err),
    }
    Ok(Some(measured))
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

/// What an ended process says.
fn judge(measured: &mut Measured, row: &Row, status: ExitStatus, out: &str, err: &str) {
    let complaint = || {
        let line = err.lines().rev().find(|line| !line.trim().is_empty());
        line.unwrap_or("it said nothing").trim().to_owned()
    };
    let Some(code) = status.code() else {
        let signal = status.signal().unwrap_or(0);
        measured.detail = match signal {
            9 => "killed by signal 9, as systems do that run out of memory".to_owned(),
            _ => format!("killed by signal {signal}: {}", complaint()),
        };
        return;
    };
    let value: Value = match serde_json::from_str(out) {
        Ok(value) => value,
        Err(_) => {
            measured.detail = format!("exit code {code}: {}", complaint());
            return;
        }
    };
    let seen = (measured.wall_s, measured.cpu_s);
    let read = match row.verb {
        Verb::Analyse => analysed(measured, &value),
        Verb::Solve => solved(measured, &value),
    };
    let read = read.and_then(|()| plausible(measured, seen));
    if let Err(why) = read {
        (measured.status, measured.detail) = (why.0, why.1);
        measured.answer = None;
    }
}

/// Clocks of two processes differ by so much, as a factor and in seconds.
const APART: (f64, f64) = (1.05, 0.05);

/// A process cannot have taken more than it was seen to take, whatever it says.
fn plausible(measured: &Measured, (wall, cpu): (f64, f64)) -> Result<(), Unwell> {
    let times = [
        ("by the clock", measured.wall_s, wall),
        ("of processor time", measured.cpu_s, cpu),
    ];
    match times
        .into_iter()
        .find(|(_, said, seen)| *said > seen * APART.0 + APART.1)
    {
        None => Ok(()),
        Some((what, said, seen)) => Err((
            Status::Failed,
            format!("it says that it took {said:.3} s {what}, and {seen:.3} s were seen"),
        )),
    }
}

type Unwell = (Status, String);

fn unread(what: &str) -> Unwell {
    (Status::Failed, format!("its output lacks {what}"))
}

fn analysed(measured: &mut Measured, value: &Value) -> Result<(), Unwell> {
    let run = &value["run"];
    let extra = &run["extra"];
    measured.states = extra["states_expanded"].as_u64();
    measured.generated = extra["generated"].as_u64();
    measured.read_bytes = extra["read_bytes"].as_u64();
    measured.written_bytes = extra["written_bytes"].as_u64();
    measured.peak_bytes = run["peak_memory_bytes"].as_u64().or(measured.peak_bytes);
    measured.wall_s = run["wall_s"].as_f64().ok_or_else(|| unread("run.wall_s"))?;
    measured.cpu_s = run["cpu_s"].as_f64().ok_or_else(|| unread("run.cpu_s"))?;
    let levels: LevelTable = serde_json::from_value(value["levels"].clone())
        .map_err(|error| unread(&format!("a level table: {error}")))?;
    if run["complete"] != true && !walked_to_limit(run, &levels) {
        let stop: Option<StopRecord> = serde_json::from_value(run["stop"].clone()).ok();
        let status = match stop.map(|stop| stop.reason) {
            Some(StopKind::Memory) => Status::Memory,
            _ => Status::Failed,
        };
        let because = run["stopped_because"].as_str().unwrap_or_default();
        return Err((status, because.to_owned()));
    }
    measured.answer = Some(digest(&levels));
    measured.status = Status::Ok;
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
    let _ = write_levels_to(&mut text, levels);
    blake3::hash(&text).to_hex()[..32].to_owned()
}

fn solved(measured: &mut Measured, value: &Value) -> Result<(), Unwell> {
    measured.states = value["states_seen"].as_u64();
    measured.generated = value["moves_listed"].as_u64();
    measured.wall_s = value["wall_s"].as_f64().unwrap_or(measured.wall_s);
    measured.cpu_s = value["cpu_s"].as_f64().unwrap_or(measured.cpu_s);
    let answer = match (value.get("length"), value["length"].as_u64()) {
        (_, Some(length)) => format!("length {length}"),
        (Some(Value::Null), None) => "unsolvable".to_owned(),
        _ => return Err(unread("a length")),
    };
    measured.answer = Some(answer);
    measured.status = Status::Ok;
    Ok(())
}
