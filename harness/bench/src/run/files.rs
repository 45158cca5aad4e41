//! The files that are measured: executables and libraries, tried before they are trusted, and
//! watched while a suite runs.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use antipode_reports::bench::{Executable, LoadedFile};
use antipode_reports::text::regular;

use crate::suite::Row;

use super::process::{Ended, Finished, Limits, run};
use antipode_search::progress::{Stop, Stopped};

/// How long an executable may take to say its version, or to load a library.
const SOON: Limits = Limits {
    time: Duration::from_secs(60),
    memory: None,
    output: Some(1 << 20),
};

/// # Errors
/// It cannot be started, or a stop was asked for.
fn ended(command: &mut Command, stop: &Stop) -> Result<Finished> {
    let finished = run(command, &SOON, stop)?;
    match finished.ended {
        Ended::Stopped => Err(Stopped.into()),
        _ => Ok(finished),
    }
}

/// In words, with the last line that it wrote to the standard error.
fn how(finished: &Finished) -> String {
    let line = finished.err.lines().rfind(|line| !line.trim().is_empty());
    let line = line.map_or_else(String::new, |line| format!(" ({})", line.trim()));
    match finished.ended {
        Ended::Exit(status) => format!("ended with {status}{line}"),
        Ended::Held => "left a process behind that keeps its output open".to_owned(),
        _ => format!(
            "did not end within {}",
            humantime::format_duration(SOON.time)
        ),
    }
}

/// An executable as results name it.
///
/// # Errors
/// A file that cannot be read, or that is no `antipode`.
pub(super) fn executable(path: &Path, ours: bool, stop: &Stop) -> Result<Executable> {
    let name = path.display();
    let bytes = regular(path)
        .and_then(fs::read)
        .with_context(|| format!("cannot read {name}"))?;
    let version = if ours {
        env!("CARGO_PKG_VERSION").to_owned()
    } else {
        let mut command = Command::new(path);
        command.arg("--version");
        let said = ended(&mut command, stop)?;
        let first = said.out.lines().next().unwrap_or_default();
        match (first.strip_prefix("antipode "), said.ended) {
            (Some(version), Ended::Exit(status)) if status.success() => version.to_owned(),
            (None, Ended::Exit(status)) if status.success() => {
                bail!("{name}: not an antipode (--version says \"{first}\")")
            }
            _ => bail!("{name}: not an antipode (--version {})", how(&said)),
        }
    };
    Ok(Executable {
        file: name.to_string(),
        version,
        blake3: blake3::hash(&bytes).to_hex().to_string(),
    })
}

/// A library as results name it.
pub(super) fn loaded(path: &Path) -> Result<LoadedFile> {
    let bytes = regular(path)
        .and_then(fs::read)
        .with_context(|| format!("cannot read {}", path.display()))?;
    Ok(LoadedFile {
        file: path.display().to_string(),
        blake3: blake3::hash(&bytes).to_hex().to_string(),
    })
}

/// The programs of rows with a command of their own, and the files that their arguments name.
pub(super) fn programs(rows: &[Row]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for words in rows.iter().filter_map(|row| row.command.as_deref()) {
        let program = words.first().and_then(|word| which::which(word).ok());
        let named = words.iter().skip(1).map(PathBuf::from);
        found.extend(
            program
                .into_iter()
                .chain(named.filter(|file| file.is_file())),
        );
    }
    found.sort();
    found.dedup();
    found
}

/// The files that samples are taken with, as they were at the start: a build that ends while
/// a suite runs must not put samples of two builds into one table.
#[derive(Debug)]
pub(super) struct Watched {
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

impl Watched {
    pub(super) fn of<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Self {
        let stamped = files.filter_map(|file| Some((file.clone(), stamp(file)?)));
        Self {
            files: stamped.collect(),
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
