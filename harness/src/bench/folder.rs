//! What a results folder is of: the suite, the executables, the machine; and whether a run may
//! go on in it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use antipode_reports::bench::{
    BenchRun, Executable, LoadedFile, RUN_JSON, SAMPLES_CSV, SCHEMA, SUITE_TOML,
};
use antipode_reports::json_out::read_json;

use super::session::Options;
use super::suite::Suite;
use super::surroundings;
use crate::machine;

/// Now, RFC 3339, UTC.
#[must_use]
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// An executable as results name it.
///
/// # Errors
/// A file that cannot be read, or that is no `antipode`.
pub fn executable(path: &Path, ours: bool) -> Result<Executable> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let version = if ours {
        env!("CARGO_PKG_VERSION").to_owned()
    } else {
        let said = std::process::Command::new(path).arg("--version").output();
        let said = said.with_context(|| format!("cannot start {}", path.display()))?;
        let text = String::from_utf8_lossy(&said.stdout);
        match text.trim().strip_prefix("antipode ") {
            Some(version) => version.to_owned(),
            None => bail!(
                "{}: not an antipode (--version says \"{}\")",
                path.display(),
                text.trim()
            ),
        }
    };
    Ok(Executable {
        file: path.display().to_string(),
        version,
        blake3: blake3::hash(&bytes).to_hex().to_string(),
    })
}

/// A library as results name it.
fn loaded(path: &Path) -> Result<LoadedFile> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(LoadedFile {
        file: path.display().to_string(),
        blake3: blake3::hash(&bytes).to_hex().to_string(),
    })
}

/// Digest of answers by row; empty where there are none.
fn digest_of(answers: &BTreeMap<String, String>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in answers.iter().flat_map(|(row, answer)| [row, answer]) {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    match answers.is_empty() {
        true => String::new(),
        false => hasher.finalize().to_hex().to_string(),
    }
}

/// The record of a run that begins now.
pub(super) fn record(suite: &Suite, options: &Options) -> Result<BenchRun> {
    let against = options
        .against
        .as_deref()
        .map(|path| executable(path, false));
    Ok(BenchRun {
        schema: SCHEMA,
        suite: suite.name.clone(),
        suite_blake3: suite.blake3.clone(),
        seed: options.seed,
        samples: options.samples,
        warmups: suite.warmups,
        executable: executable(&options.executable, true)?,
        against: against.transpose()?,
        plugins: options
            .plugins
            .iter()
            .map(|file| loaded(file))
            .collect::<Result<_>>()?,
        expected_blake3: digest_of(&options.expect),
        host: machine::host(),
        command: options.command.clone(),
        started: now(),
        ended: String::new(),
        complete: false,
        noise: Vec::new(),
        warnings: surroundings::warnings(),
    })
}

/// What ran into this folder before, if it is this very run.
pub(super) fn check_folder(
    folder: &Path,
    suite: &Suite,
    now: &BenchRun,
) -> Result<Option<BenchRun>> {
    let path = folder.join(SUITE_TOML);
    if !path.exists() {
        if folder.join(SAMPLES_CSV).exists() {
            bail!(
                "{}: holds samples, but not the suite they are of; choose another --out",
                folder.display()
            );
        }
        return Ok(None);
    }
    let earlier: BenchRun = read_json(folder.join(RUN_JSON))?;
    let held =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let digest = |executable: &Option<Executable>| {
        let found = executable.as_ref();
        found.map_or_else(String::new, |found| found.blake3.clone())
    };
    let digests = |run: &BenchRun| -> Vec<String> {
        let files = run.plugins.iter();
        files.map(|file| file.blake3.clone()).collect()
    };
    let differences = [
        ("the suite", held == suite.text),
        ("the seed", earlier.seed == now.seed),
        ("the number of samples", earlier.samples == now.samples),
        (
            "the executable",
            earlier.executable.blake3 == now.executable.blake3,
        ),
        (
            "the executable of --against",
            digest(&earlier.against) == digest(&now.against),
        ),
        ("a library", digests(&earlier) == digests(now)),
        (
            "an answer of the baseline",
            earlier.expected_blake3 == now.expected_blake3,
        ),
        ("the processor", earlier.host == now.host),
    ];
    match differences.iter().find(|(_, same)| !same) {
        None => Ok(Some(earlier)),
        Some((what, _)) => bail!(
            "{}: holds samples of another run ({what} differs), which this one cannot continue; choose another --out, or remove the folder",
            folder.display()
        ),
    }
}

/// The files that samples are taken with, as they were at the start: a build that ends while
/// a suite runs must not put samples of two builds into one table.
#[derive(Debug)]
pub(super) struct Measured {
    files: Vec<(PathBuf, Stamp)>,
}

/// Device, inode, length, and the time of the last change in seconds and nanoseconds.
type Stamp = (u64, u64, u64, i64, i64);

fn stamp(path: &Path) -> Option<Stamp> {
    let data = fs::metadata(path).ok()?;
    Some((
        data.dev(),
        data.ino(),
        data.len(),
        data.mtime(),
        data.mtime_nsec(),
    ))
}

impl Measured {
    pub(super) fn of(options: &Options) -> Self {
        let executables = [Some(&options.executable), options.against.as_ref()];
        let files = executables
            .into_iter()
            .flatten()
            .chain(&options.plugins)
            .filter_map(|file| Some((file.clone(), stamp(file)?)));
        Self {
            files: files.collect(),
        }
    }

    /// # Errors
    /// A file that is no longer the one it was.
    pub(super) fn check(&self) -> Result<()> {
        let changed = |(file, before): &&(PathBuf, Stamp)| stamp(file) != Some(*before);
        match self.files.iter().find(changed) {
            None => Ok(()),
            Some((file, _)) => bail!(
                "{}: changed while it was measured; let the build end, and begin again with another --out",
                file.display()
            ),
        }
    }
}
