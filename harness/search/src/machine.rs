//! The machine a run takes place on, and what it cost there.

use std::fs;
use std::thread::available_parallelism;

use antipode_reports::model::Host;

use crate::engines::EngineError;

/// Greatest resident memory of this process so far; 0 where the system does not tell.
#[must_use]
pub fn peak_memory_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

/// Operating system, processor and cores.
#[must_use]
pub fn host() -> Host {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    Host {
        os: std::env::consts::OS.into(),
        arch: std::env::consts::ARCH.into(),
        cpu: model.map_or_else(|| "unknown".into(), |(_, name)| name.trim().to_owned()),
        cores: cores() as u32,
    }
}

/// The command line as records hold it: what is not UTF-8 in it shows as a replacement.
#[must_use]
pub fn command_line() -> Vec<String> {
    let words = std::env::args_os();
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

/// BLAKE3 of the executable that runs, where it can be read.
#[must_use]
pub fn program() -> Option<String> {
    let bytes = fs::read(std::env::current_exe().ok()?).ok()?;
    Some(blake3::hash(&bytes).to_hex().to_string())
}

/// A pool of so many threads.
///
/// # Errors
/// The system gives no more threads.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, EngineError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1));
    pool.build().map_err(|error| no_threads(threads, &error))
}

/// That the system gives no more threads, with what helps.
pub(crate) fn no_threads(threads: usize, error: &dyn std::fmt::Display) -> EngineError {
    let noun = if threads == 1 { "thread" } else { "threads" };
    EngineError::CannotHold(format!(
        "cannot start {threads} {noun} ({error}); give fewer by --threads, or raise the limits of processes and memory (ulimit -u, ulimit -v)"
    ))
}

/// Cores that this process may use.
#[must_use]
pub fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}
