//! Programs that count the instructions another program takes, and what they can do here.
//!
//! `perf` asks the processor. Containers and most virtual machines do not let it, and then
//! `valgrind --tool=callgrind` simulates the processor: some 50 times slower, and without
//! AVX-512, so that the program takes other paths. Their counts are never compared.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use antipode_search::progress::Stop;

use crate::run::process::{Ended, Limits, run};

/// What callgrind is given of a row's time: it is about 50 times slower than the processor.
pub const CALLGRIND_TIME: u32 = 60;

/// Memory that callgrind needs for itself, in bytes, on top of a row's.
pub const CALLGRIND_MEMORY: u64 = 1 << 30;

/// How long a counter is tried on a program that does nothing.
const TRIAL: Duration = Duration::from_secs(60);

/// A program that counts instructions in user space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    /// The processor's own count.
    Perf,
    /// That of a simulated processor.
    Callgrind,
}

impl Counter {
    /// All, the preferred first.
    pub const ALL: [Self; 2] = [Self::Perf, Self::Callgrind];

    /// What its counts are called in the table.
    #[must_use]
    pub const fn metric(self) -> &'static str {
        match self {
            Self::Perf => "instructions-perf",
            Self::Callgrind => "instructions-callgrind",
        }
    }

    /// The program that is started.
    #[must_use]
    pub const fn program(self) -> &'static str {
        match self {
            Self::Perf => "perf",
            Self::Callgrind => "valgrind",
        }
    }

    /// A command that runs another program, whose name and arguments are still to be added,
    /// and leaves its count in a file.
    #[must_use]
    pub fn command(self, file: &Path) -> Command {
        let mut command = Command::new(self.program());
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

    /// The limits of a program that it watches. Only the process started is watched for its
    /// memory, and that is `perf` itself, beside the program; under valgrind they are one.
    #[must_use]
    pub fn limits(self, of_row: Limits) -> Limits {
        match self {
            Self::Perf => Limits {
                memory: None,
                ..of_row
            },
            Self::Callgrind => Limits {
                time: of_row.time * CALLGRIND_TIME,
                memory: of_row.memory.map(|bytes| bytes + CALLGRIND_MEMORY),
                ..of_row
            },
        }
    }

    /// The count in the file that a command left.
    ///
    /// # Errors
    /// There is none, or it is an estimate; with what the program said.
    pub fn read(self, file: &Path) -> Result<u64, String> {
        match self {
            Self::Perf => perf(&std::fs::read_to_string(file).unwrap_or_default()),
            Self::Callgrind => callgrind(&logs(file)),
        }
    }

    /// Tries it on a program that does nothing. Nothing where a stop was asked for.
    fn trial(self, stop: &Stop) -> Result<Option<u64>, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = folder.path().join("count");
        let limits = Limits {
            time: TRIAL,
            memory: None,
            output: None,
        };
        let finished = run(self.command(&file).arg("true"), &limits, stop);
        let finished = finished.map_err(|error| format!("{error:#}"))?;
        match finished.ended {
            Ended::Stopped => Ok(None),
            Ended::Exit(status) if status.success() => self.read(&file).map(Some),
            Ended::Exit(status) => {
                let said = finished.err.lines().find(|line| !line.trim().is_empty());
                let said = said.map_or_else(|| status.to_string(), |line| line.trim().to_owned());
                Err(said)
            }
            Ended::Timeout | Ended::Memory | Ended::Output | Ended::Held => {
                let limit = humantime::format_duration(TRIAL);
                Err(format!("`true` did not end within {limit}"))
            }
        }
    }
}

/// The first counter that works here; nothing where a stop was asked for.
///
/// # Errors
/// None does; what each said, and what helps.
pub fn find(stop: &Stop) -> Result<Option<Counter>, String> {
    let mut said = Vec::new();
    for counter in Counter::ALL {
        match counter.trial(stop) {
            Ok(count) => return Ok(count.map(|_| counter)),
            Err(why) => said.push(format!("{}: {why}", counter.program())),
        }
    }
    Err(format!("{}; install valgrind", said.join("; ")))
}

/// `VALUE,UNIT,EVENT,NANOSECONDS,SHARE,…`, one line each kind of processor core.
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

/// What callgrind wrote: a file for each process, named after the first.
fn logs(file: &Path) -> String {
    let (folder, name) = (file.parent(), file.file_name());
    let name = name.unwrap_or_default().to_string_lossy();
    let files = folder.and_then(|folder| std::fs::read_dir(folder).ok());
    let files = files.into_iter().flatten().flatten();
    let mine = files.filter(|entry| entry.file_name().to_string_lossy().starts_with(&*name));
    mine.filter_map(|entry| std::fs::read_to_string(entry.path()).ok())
        .collect()
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
            let last = text.lines().rev().find(|line| !line.trim().is_empty());
            Err(format!(
                "it left no count of instructions ({})",
                last.unwrap_or("nothing")
            ))
        }
    }
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
        let of_row = Limits {
            time: Duration::from_secs(2),
            memory: Some(5),
            output: None,
        };
        let limits = Counter::Callgrind.limits(of_row);
        assert_eq!(limits.time, Duration::from_secs(120));
        assert_eq!(limits.memory, Some(CALLGRIND_MEMORY + 5));
        assert_eq!(Counter::Perf.limits(of_row).time, of_row.time);
    }
}
