//! The measured files: executables, libraries, programs and the files in their arguments, tried
//! before they are trusted, and watched while a suite runs.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use antipode_reports::bench::LoadedFile;
use antipode_reports::text::regular;

use crate::suite::SuiteRow;

use super::process::{ProcessEnd, ProcessLimits, run};
use antipode_search::progress::{Stop, Stopped};

/// Time limit for an executable to print its version, or to load a library.
const SOON: ProcessLimits = ProcessLimits::of_time(Duration::from_secs(60));

fn digest(path: &Path) -> Result<String> {
    let file = regular(path).and_then(fs::File::open);
    let read = file.and_then(|file| Ok(blake3::Hasher::new().update_reader(file)?.finalize()));
    let read = read.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(read.to_hex().to_string())
}

/// An executable as results name it.
///
/// # Errors
/// A file that cannot be read, or that is no `antipode`.
pub(super) fn executable(path: &Path, ours: bool, stop: &Stop) -> Result<LoadedFile> {
    let name = path.display();
    let mut found = loaded(path)?;
    found.version = if ours {
        env!("CARGO_PKG_VERSION").to_owned()
    } else {
        let said = run(Command::new(path).arg("--version"), &SOON, stop)?;
        if said.ended == ProcessEnd::Stopped {
            return Err(Stopped.into());
        }
        let first = said.out.lines().next().unwrap_or_default();
        match (first.strip_prefix("antipode "), said.is_well()) {
            (Some(version), true) => version.to_owned(),
            (None, true) => bail!("{name}: not an antipode (--version says \"{first}\")"),
            _ => bail!("{name}: not an antipode (--version: {})", said.how()),
        }
    };
    Ok(found)
}

pub(super) fn loaded(path: &Path) -> Result<LoadedFile> {
    Ok(LoadedFile {
        file: path.display().to_string(),
        blake3: digest(path)?,
        version: String::new(),
    })
}

/// The programs of rows with commands, and the files that their arguments name, also in shell text.
pub(super) fn programs(rows: &[SuiteRow]) -> Vec<PathBuf> {
    let is_apart = |c: char| c.is_whitespace() || "=:,;&|()<'\"`".contains(c);
    let mut found = BTreeSet::new();
    for word in rows.iter().flat_map(SuiteRow::commands).flatten() {
        let pieces = word.split('>').enumerate().flat_map(|(at, piece)| {
            let parts = piece.split(is_apart).filter(|part| !part.is_empty());
            parts.skip(usize::from(at > 0))
        });
        for part in pieces.chain([word.as_str()]) {
            let named = Path::new(part).is_file().then(|| PathBuf::from(part));
            found.extend(named.or_else(|| which::which(part).ok()));
        }
    }
    found.into_iter().collect()
}

/// The files that samples are taken with, as they were at the start. A build that ends during a
/// suite must not mix samples of two builds in one table.
#[derive(Debug)]
pub(super) struct Watched(Vec<(PathBuf, Stamp, Option<String>)>);

/// Device, inode, length, and the times of the last changes of content and of anything.
type Stamp = [i64; 7];

fn stamp(path: &Path) -> Option<Stamp> {
    let data = fs::metadata(path).ok()?;
    let [device, inode, length] = [data.dev(), data.ino(), data.len()].map(|n| n as i64);
    let (content, any) = (data.mtime(), data.ctime());
    let (nanos, any_nanos) = (data.mtime_nsec(), data.ctime_nsec());
    Some([device, inode, length, content, nanos, any, any_nanos])
}

impl Watched {
    pub(super) fn of<'a>(files: impl Iterator<Item = &'a PathBuf>) -> Self {
        let stamped = files.filter_map(|file| {
            // The stamp first: a file that changes while it is read is noticed.
            let stamp = stamp(file)?;
            Some((file.clone(), stamp, digest(file).ok()))
        });
        Self(stamped.collect())
    }

    /// # Errors
    /// A file that has changed.
    pub(super) fn check(&self) -> Result<()> {
        for (file, before, content) in &self.0 {
            let is_same = || content.is_some() && digest(file).ok() == *content;
            if stamp(file) != Some(*before) && !is_same() {
                bail!(
                    "{}: changed while it was measured; let the build end, and begin again with another --out (a file that the row itself writes has to be removed first)",
                    file.display()
                );
            }
        }
        Ok(())
    }
}
