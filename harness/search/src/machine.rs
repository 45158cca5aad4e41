//! The machine a run takes place on, and what it cost there.

use std::fs;
use std::thread::available_parallelism;

use antipode_reports::model::Host;

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

/// Cores that this process may use.
#[must_use]
pub fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}
