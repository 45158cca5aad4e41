//! One sample: one row, run once, in its own process and process group. So nothing of one sample
//! (caches of the allocator, warm tables, a leak, a crash) reaches the next, and a limit ends all
//! of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use serde_json::Value;

use antipode_reports::bench::{Sample, Status};
use antipode_reports::csv_out::write_rows_to;
use antipode_reports::model::{LevelTable, StopKind, StopRecord};

use antipode_graph::{direction_name, one_line};
use antipode_search::engine::Opt;
use antipode_search::memory;
use antipode_search::progress::Stop;

use super::process::{Finished, ProcessEnd, ProcessLimits, run};
use crate::suite::{SuiteRow, Verb, takes};

/// Arguments of `antipode` that run a row: anybody can repeat a sample by hand.
pub fn arguments(row: &SuiteRow, seed: u64, plugins: &[PathBuf]) -> Vec<String> {
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
    let files = plugins.iter().map(|file| file.display());
    all.extend(files.map(|file| format!("--plugin={file}")));
    let mut add = |name: &str, value: Option<String>| {
        all.extend(value.map(|value| format!("--{name}={value}")));
    };
    add("from", row.from.clone());
    add("to", row.to.clone());
    add("max-depth", row.max_depth.map(|depth| depth.to_string()));
    let direction = row.direction.map(direction_name);
    add("direction", direction.map(str::to_owned));
    add("engine", row.engine.map(str::to_owned));
    add("table", row.table.map(|table| table.name().to_owned()));
    if takes(row, Opt::Memory) {
        add("memory", row.memory.map(|limit| limit.to_string()));
    }
    if row.verb == Verb::Analyse {
        add("seed", Some(seed.to_string()));
    }
    all
}

/// The process of a row's sample: its own command, or the executable with its [`arguments`].
pub fn command(row: &SuiteRow, executable: &Path, seed: u64, plugins: &[PathBuf]) -> Command {
    match &row.command {
        Some(words) => program(words),
        None => {
            let mut command = Command::new(executable);
            command.args(arguments(row, seed, plugins));
            command
        }
    }
}

pub(super) fn program(words: &[String]) -> Command {
    let mut command = Command::new(words.first().map_or("", String::as_str));
    command.args(words.iter().skip(1));
    command
}

/// Most bytes that a sample may print: answers take far less.
const MOST_OUTPUT: u64 = 1 << 30;

/// Limits of a row's samples.
pub fn limits(row: &SuiteRow) -> ProcessLimits {
    ProcessLimits {
        time: row.timeout,
        memory: row.memory,
        output: Some(MOST_OUTPUT),
    }
}

/// Runs a row once by a command with its [`arguments`], and fills in the outcome. It is never
/// [`Status::Wrong`], since the right answer is not known here. `None` if a stop was requested
/// meanwhile.
pub fn take(
    mut command: Command,
    row: &SuiteRow,
    limits: &ProcessLimits,
    mut sample: Sample,
    stop: &Stop,
) -> Result<Option<Sample>> {
    if let Some(words) = &row.prepare {
        let ended = run(&mut program(words), limits, stop)?;
        if ended.ended == ProcessEnd::Stopped {
            return Ok(None);
        }
        if !ended.is_well() {
            (sample.status, sample.detail) = failed(format!("prepare: {}", ended.how()));
            return Ok(Some(sample));
        }
    }
    let before = children_cpu();
    // Levels on disk go to this sample's own folder, which does not outlive it.
    let work = takes(row, Opt::Work).then(tempfile::tempdir);
    let work = work.transpose().context("no folder for levels")?;
    let folder = work.as_ref().map(|folder| folder.path().join("work"));
    command.args(folder.map(|folder| format!("--work={}", folder.display())));
    let finished = run(&mut command, limits, stop)?;
    sample.wall_s = Some(finished.wall.as_secs_f64());
    sample.cpu_s = Some(children_cpu() - before);
    sample.peak_bytes = finished.peak;
    (sample.status, sample.detail) = match finished.ended {
        ProcessEnd::Stopped => return Ok(None),
        ProcessEnd::Timeout => (Status::Timeout, finished.how()),
        ProcessEnd::Memory => (Status::Memory, finished.how()),
        ProcessEnd::Output | ProcessEnd::Held => failed(finished.how()),
        ProcessEnd::Exit(status) => match said(&mut sample, row, status.code(), &finished) {
            Ok(()) => within(&sample, limits),
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
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    let all = getrusage(UsageWho::RUSAGE_CHILDREN);
    all.map_or(0.0, |all| {
        seconds(all.user_time()) + seconds(all.system_time())
    })
}

/// How a sample ended, and one line that says more.
type Unwell = (Status, String);

fn failed(why: impl Into<String>) -> Unwell {
    (Status::Failed, why.into())
}

fn lacks(what: &str) -> Unwell {
    failed(format!("its output lacks {what}"))
}

fn said(
    sample: &mut Sample,
    row: &SuiteRow,
    code: Option<i32>,
    finished: &Finished,
) -> Result<(), Unwell> {
    let unread = || failed(finished.how());
    if row.command.is_some() {
        return match code {
            Some(0) => printed(sample, row.expect.as_deref(), &finished.out),
            _ => Err(unread()),
        };
    }
    code.ok_or_else(unread)?;
    let value: Value = serde_json::from_str(&finished.out).map_err(|_| unread())?;
    let seen = [sample.wall_s, sample.cpu_s];
    match row.verb {
        Verb::Analyse => analysed(sample, &value)?,
        Verb::Solve => solved(sample, &value)?,
    }
    plausible([sample.wall_s, sample.cpu_s], seen)
}

/// Characters of an answer that are kept of another program's line.
const LINE: usize = 200;

/// The answer of another program: the expected one, if it prints that somewhere, else its last
/// line; if nothing is expected, all its output.
fn printed(sample: &mut Sample, expect: Option<&str>, out: &str) -> Result<(), Unwell> {
    let Some(expect) = expect else {
        let (text, lines) = (out.trim(), out.trim().lines().count());
        sample.answer = match lines {
            0 => "nothing".to_owned(),
            1 if text.chars().count() <= LINE => one_line(text),
            _ => format!("{} of {lines} lines", short_hash(text.as_bytes())),
        };
        return Ok(());
    };
    if says(out, expect) {
        sample.answer = expect.to_owned();
        return Ok(());
    }
    let last = out.lines().map(str::trim).rfind(|line| !line.is_empty());
    let last = last.ok_or_else(|| lacks("a line"))?;
    sample.answer = one_line(last).chars().take(LINE).collect();
    Ok(())
}

/// Whether a text holds the expected word or number by itself. 15 is not in 115, 15.5, 15e3, 15
/// 000, 15/2 or -15, and `solved` is not in `resolved`.
fn says(out: &str, expect: &str) -> bool {
    let out = plain(out);
    let joins = |c: char| c.is_alphanumeric() || ".,_'’/^%×·".contains(c);
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let begins = is_word(expect.chars().next());
    let ends = is_word(expect.chars().next_back());
    out.match_indices(expect).any(|(at, _)| {
        let (before, after) = (&out[..at], &out[at + expect.len()..]);
        let apart = before.trim_end_matches(|c| joins(c) || "-−".contains(c));
        let before = before[apart.len()..].trim_start_matches(['\'', '’', ',']);
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let group = after.strip_prefix([' ', '\u{a0}', '\u{202f}']);
        let goes_on = group.is_some_and(|group| digits(group) == 3);
        let apart = after.trim_start_matches(joins);
        let after = after[..after.len() - apart.len()].trim_end_matches(['\'', '’', ',', '.']);
        let joined = begins && !before.is_empty() || ends && (goes_on || !after.is_empty());
        !joined
    })
}

/// A text without a byte order mark, and without the escapes that colour a terminal.
pub(crate) fn plain(text: &str) -> String {
    let mut parts = text.trim_start_matches('\u{feff}').split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| ('@'..='~').contains(&c));
        plain.push_str(end.map_or("", |end| &part[end + 1..]));
    }
    plain
}

/// Clocks of two processes differ by at most this, as a factor and in seconds.
const APART: (f64, f64) = (1.05, 0.05);

/// A process cannot have taken more than was observed, whatever it reports.
fn plausible(said: [Option<f64>; 2], seen: [Option<f64>; 2]) -> Result<(), Unwell> {
    let kinds = ["by the clock", "of processor time"].into_iter();
    for ((what, said), seen) in kinds.zip(said).zip(seen) {
        let (said, seen) = (said.unwrap_or(0.0), seen.unwrap_or(0.0));
        if said > seen * APART.0 + APART.1 {
            let text =
                format!("it says that it took {said:.3} s {what}, and {seen:.3} s were seen");
            return Err(failed(text));
        }
    }
    Ok(())
}

/// A peak too short for the looks at a running process is one all the same, if it reports it.
fn within(sample: &Sample, limits: &ProcessLimits) -> Unwell {
    match sample.peak_bytes.zip(limits.memory) {
        Some((peak, limit)) if peak > limit => {
            let [peak, limit] = [peak, limit].map(memory::human);
            let text = format!("it took {peak} of memory, more than its {limit}");
            (Status::Memory, text)
        }
        _ => (Status::Ok, String::new()),
    }
}

fn analysed(sample: &mut Sample, value: &Value) -> Result<(), Unwell> {
    let run = &value["run"];
    let extra = &run["extra"];
    sample.states = extra["states_expanded"].as_u64();
    sample.generated = extra["generated"].as_u64();
    sample.read_bytes = extra["read_bytes"].as_u64();
    sample.written_bytes = extra["written_bytes"].as_u64();
    let peak = run["peak_memory_bytes"].as_u64();
    sample.peak_bytes = peak.max(sample.peak_bytes);
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

/// Whether a run ended at the greatest requested level, which does not make it unfinished. Decided
/// by figures that executables of all versions report: an `--against` need not know the record of
/// why a run stopped.
fn walked_to_limit(run: &Value, levels: &LevelTable) -> bool {
    let limit = run["max_depth"].as_u64();
    limit.is_some()
        && limit == levels.max_depth().map(u64::from)
        && run["parts_done"] == run["parts_total"]
}

/// Digest over the level table in the form of `levels.csv`: 32 hexadecimal digits of BLAKE3.
pub fn digest(levels: &LevelTable) -> String {
    let mut text = Vec::new();
    // A Vec takes everything.
    let _ = write_rows_to(&mut text, &levels.rows());
    short_hash(&text)
}

fn short_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::says;

    #[test]
    fn an_expected_number_is_a_whole_one() {
        for (printed, expected, is_there) in [
            ("15\n", "15", true),
            ("solved in 15 moves", "15", true),
            ("115, 15.", "15", true),
            ("15,000", "15", false),
            ("12,644", "2,644", false),
            ("4 orbits, 1240", "4 orbits, 124", false),
            ("14 orbits, 124", "4 orbits, 124", false),
            ("{\"n\":15,\"m\":3}", "15", true),
            ("resolved", "solved", false),
            ("unsolvable: x", "unsolvable", true),
        ] {
            assert_eq!(says(printed, expected), is_there, "{expected} in {printed}");
        }
        let others =
            "19,9.5,0.9,-9,A-9,.9,0x9,9e3,−9,9 000,9/10,９9,٩9,a9,\u{1b}[9m10,9^2,9%,\"n\":-9";
        assert!(!others.split(',').any(|other| says(other, "9")));
    }
}
