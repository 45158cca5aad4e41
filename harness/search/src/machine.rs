//! The machine of a run, and the cost of the run there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::SystemTime;

use antipode_reports::model::{Host, Provenance, unix_seconds};
use antipode_reports::text::regular;

use crate::error::{EngineError, Result};
use crate::memory::{address_space_left, figure, human};

/// Greatest resident memory of this process so far; 0 if the system does not report it.
pub fn peak_memory_bytes() -> u64 {
    figure("/proc/self/status", "VmHWM:").unwrap_or(0)
}

/// Operating system, processor and cores.
pub fn host() -> Host {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let of_cpu = |key: &str| {
        let line = cpuinfo
            .lines()
            .find(|line| line.split(':').next().map(str::trim) == Some(key));
        line.and_then(|line| Some(line.split_once(':')?.1.trim().to_owned()))
    };
    // A brand alone is shared by many processors: "AMD EPYC", "Intel(R) Xeon(R) Processor".
    let mut cpu = of_cpu("model name").unwrap_or_else(|| "unknown".into());
    for (name, key) in [
        ("family", "cpu family"),
        ("model", "model"),
        ("stepping", "stepping"),
        ("cache", "cache size"),
    ] {
        if let Some(value) = of_cpu(key) {
            cpu += &format!(", {name} {value}");
        }
    }
    Host {
        os: std::env::consts::OS.into(),
        arch: std::env::consts::ARCH.into(),
        cpu,
        cores: cores() as u32,
    }
}

/// How a record comes about that is done now.
pub fn provenance() -> Provenance {
    Provenance {
        tool_version: env!("CARGO_PKG_VERSION").into(),
        host: host(),
        command: command_line(),
        inputs: inputs(),
        finished_unix_s: unix_seconds(SystemTime::now()),
    }
}

/// The command line as records hold it: bytes that are not UTF-8 appear as replacement characters.
pub fn command_line() -> Vec<String> {
    let words = std::env::args_os();
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

/// BLAKE3 of the files that the command line names, such as a library or the text of a setting, by
/// the word that names each. The same words with other content are another run.
pub fn inputs() -> BTreeMap<String, String> {
    let words = command_line();
    let named = words.windows(2).filter_map(|pair| {
        let word = pair[1].clone();
        let (option, path) = word.split_once('=').unwrap_or((&pair[0], &word));
        // The processes and their hosts change no result.
        if ["--hosts", "--secret"].contains(&option) {
            return None;
        }
        let digest = content_of(path)?;
        Some((word, digest))
    });
    named.collect()
}

/// BLAKE3 of the file of a path; `None` if there is none, or it is a pipe or a device.
pub fn content_of(path: impl AsRef<Path>) -> Option<String> {
    digest_of(regular(path.as_ref()).ok()?)
}

fn digest_of(path: &Path) -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(fs::File::open(path).ok()?).ok()?;
    Some(hasher.finalize().to_hex().to_string())
}

/// BLAKE3 of the executable that runs, if it can be read.
pub fn program() -> Option<String> {
    digest_of(&std::env::current_exe().ok()?)
}

/// A pool of n threads.
///
/// # Errors
/// The system provides no more threads, or they would leave no working memory: then an allocation
/// would fail somewhere and end the process.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool> {
    if let Some(left) = address_space_left()
        && threads > 1
        && left < room_for(threads)
    {
        let why = format!(
            "{} of address space are left, and they take {}",
            human(left),
            human(room_for(threads))
        );
        return Err(no_threads(threads, &why));
    }
    // A single thread is the calling one, unless that belongs to a pool: this saves starting a
    // thread.
    if threads <= 1 {
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1);
        if let Ok(pool) = alone.use_current_thread().build() {
            return Ok(pool);
        }
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1));
    pool.build().map_err(|error| no_threads(threads, &error))
}

/// Address space of a thread: its stack, and its needs in addition to its arena.
const THREAD: u64 = (2 << 20) + (256 << 10);
/// Address space that the allocator reserves for an arena, and the arenas that it makes per core.
const ARENA: u64 = 64 << 20;
const ARENAS: usize = 8;

/// Address space that n idle threads take.
fn room_for(threads: usize) -> u64 {
    THREAD * threads as u64 + ARENA * threads.min(ARENAS * cores()) as u64
}

/// The error that the system starts no more threads, with the remedy.
pub(crate) fn no_threads(threads: usize, error: &dyn std::fmt::Display) -> EngineError {
    let noun = if threads == 1 { "thread" } else { "threads" };
    EngineError::Memory(format!(
        "cannot start {threads} {noun} ({error}); give fewer by --threads, or raise the limits of processes and memory (ulimit -u, ulimit -v)"
    ))
}

/// Cores that this process may use.
pub fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::{ARENA, THREAD, no_threads, room_for};
    use crate::outcome::StopReason;

    #[test]
    fn a_thread_more_takes_its_stack_at_least() {
        assert_eq!(room_for(1), THREAD + ARENA);
        assert!(room_for(1024) >= 1023 * THREAD + room_for(1));
        assert!(room_for(1024) > 2 << 30);
    }

    /// A limit of the machine: a claim is not reached, and the input is not to blame.
    #[test]
    fn too_few_threads_are_a_limit() {
        let error = no_threads(2, &"why");
        assert!(error.to_string().contains("2 threads (why); give fewer"));
        assert!(StopReason::of_limit(error).is_ok());
    }
}
