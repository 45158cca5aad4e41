//! What a results folder is of: the suite, the executables, the machine; and whether a run may
//! go on in it.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use antipode_reports::bench::{BenchRun, Executable, RUN_JSON, SAMPLES_CSV, SCHEMA, SUITE_TOML};
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
        executable
            .as_ref()
            .map_or("none".to_owned(), |found| found.blake3.clone())
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
