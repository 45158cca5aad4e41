//! The work folder: a file a finished level, and a journal that says which are finished,
//! in their order. A run that was killed at any moment goes on behind the last of them.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use puzzle_api::Key;
use serde::{Deserialize, Serialize};

use super::Side;
use crate::engines::journal::{Identity, first_difference};
use crate::engines::work::{WorkError, foreign};
use crate::level::{Body, Level, check_length};

/// Name of the journal within the folder.
const JOURNAL: &str = "levels.jsonl";

/// A finished level, as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) side: Side,
    pub(super) depth: u16,
    pub(super) states: u64,
    pub(super) digest: String,
    pub(super) bytes: u64,
}

/// Levels that are finished, in their order.
type Finished<I> = Vec<(Entry, Level<I>)>;

#[derive(Serialize, Deserialize)]
struct Line {
    level: Entry,
    check: String,
}

fn checksum(entry: &Entry) -> String {
    let text = serde_json::to_string(entry).unwrap_or_default();
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()))
}

/// An open work folder, locked against other runs.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    journal: File,
}

impl Folder {
    /// Opens a folder, and gives the levels that are finished there.
    ///
    /// # Errors
    /// A folder that cannot be written, that holds another search, or that holds this
    /// one without `resume`; a journal that is damaged before its last line.
    pub(super) fn open<I: Key>(
        path: &Path,
        identity: &Identity,
        resume: bool,
    ) -> Result<(Self, Finished<I>), WorkError> {
        let journal = path.join(JOURNAL);
        if resume && !journal.exists() {
            return Err(foreign(
                path,
                format!("nothing to resume there (no {JOURNAL}); leave out --resume to start"),
            ));
        }
        antipode_reports::atomic::ensure_dir(path).map_err(|error| WorkError::Io {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        let failed = |error: io::Error| WorkError::io(&journal, &error);
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&journal)
            .map_err(failed)?;
        // Locked before anything in it is believed or cut: two runs would mix their levels.
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => foreign(
                path,
                "another run is writing there; wait for it, or give another --work".into(),
            ),
            TryLockError::Error(error) => failed(error),
        })?;
        let text = fs::read(&journal).map_err(failed)?;
        let (entries, sound) = read(&journal, &text, identity)?;
        if !resume && !entries.is_empty() {
            return Err(foreign(
                path,
                format!(
                    "holds a search that is not finished ({} levels); add --resume to go on with it, or delete the folder",
                    entries.len()
                ),
            ));
        }
        let (levels, keep) = present(path, entries, sound)?;
        file.set_len(keep).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut folder = Self {
            path: path.to_owned(),
            journal: file,
        };
        if keep == 0 {
            folder.append(&serde_json::to_string(identity).unwrap_or_default())?;
        }
        folder.sweep(&levels)?;
        Ok((folder, levels))
    }

    /// Where the folder is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Name of a level's file.
    pub(super) fn file(&self, side: Side, depth: u16) -> PathBuf {
        file_in(&self.path, side, depth)
    }

    /// Books a level whose file is finished.
    pub(super) fn book<I: Key>(
        &mut self,
        side: Side,
        depth: u16,
        level: &Level<I>,
    ) -> Result<(), WorkError> {
        let level = Entry {
            side,
            depth,
            states: level.states,
            digest: crate::digest::hex(level.digest),
            bytes: level.bytes,
        };
        let check = checksum(&level);
        self.append(&serde_json::to_string(&Line { level, check }).unwrap_or_default())
    }

    fn append(&mut self, line: &str) -> Result<(), WorkError> {
        let path = self.path.join(JOURNAL);
        let failed = |error: io::Error| WorkError::io(&path, &error);
        let line = format!("{line}\n");
        self.journal.write_all(line.as_bytes()).map_err(failed)?;
        self.journal.sync_data().map_err(failed)
    }

    /// Removes what a killed run left behind its last finished level.
    fn sweep<I: Key>(&self, levels: &[(Entry, Level<I>)]) -> Result<(), WorkError> {
        let kept: Vec<PathBuf> = levels
            .iter()
            .map(|(entry, _)| self.file(entry.side, entry.depth))
            .collect();
        for file in self.files()? {
            if !kept.contains(&file) {
                fs::remove_file(&file).map_err(|error| WorkError::io(&file, &error))?;
            }
        }
        Ok(())
    }

    /// Files that a search made, other than the journal.
    fn files(&self) -> Result<Vec<PathBuf>, WorkError> {
        let failed = |error: io::Error| WorkError::io(&self.path, &error);
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            if name.is_some_and(|name| is_ours(&name)) {
                files.push(path);
            }
        }
        Ok(files)
    }

    /// Removes the files of a search that is answered, and the folder if nothing else is
    /// in it.
    pub(super) fn remove(self) -> Result<(), WorkError> {
        let mut files = self.files()?;
        files.push(self.path.join(JOURNAL));
        for file in files {
            fs::remove_file(&file).map_err(|error| WorkError::io(&file, &error))?;
        }
        // The user may keep other things there, and then the folder stays.
        let _ = fs::remove_dir(&self.path);
        Ok(())
    }
}

fn file_in(folder: &Path, side: Side, depth: u16) -> PathBuf {
    folder.join(format!("{}-{depth:05}.level", side.name()))
}

fn is_ours(name: &str) -> bool {
    let side = Side::BOTH
        .iter()
        .find_map(|side| name.strip_prefix(side.name()));
    side.is_some_and(|rest| rest.ends_with(".level") || rest.ends_with(".part"))
}

/// The levels whose files are there, up to the first that is missing: what came after it
/// can be found again. Gives also how much of the journal stays.
fn present<I: Key>(
    folder: &Path,
    entries: Vec<(Entry, u64)>,
    sound: u64,
) -> Result<(Finished<I>, u64), WorkError> {
    let mut levels = Vec::new();
    for (entry, before) in entries {
        let path = file_in(folder, entry.side, entry.depth);
        if !path.exists() {
            eprintln!(
                "{}: missing; going on from the {} levels before it",
                path.display(),
                levels.len()
            );
            return Ok((levels, before));
        }
        check_length(&path, entry.bytes)?;
        let level = Level {
            states: entry.states,
            digest: u128::from_str_radix(&entry.digest, 16).unwrap_or_default(),
            bytes: entry.bytes,
            body: Body::File(path),
        };
        levels.push((entry, level));
    }
    Ok((levels, sound))
}

/// Entries, each with the length of the journal before it, and the length of the sound
/// prefix. A torn last line (a run killed while writing) is dropped; damage before it is
/// an error.
fn read(
    path: &Path,
    text: &[u8],
    identity: &Identity,
) -> Result<(Vec<(Entry, u64)>, u64), WorkError> {
    let damaged = |line: usize, what: &str| WorkError::Damaged {
        path: path.to_owned(),
        what: format!("line {line}: {what}"),
        mend: "delete the folder and start over without --resume",
    };
    let mut entries = Vec::new();
    let mut sound = 0;
    for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let length = line.len() as u64;
        if !line.ends_with(b"\n") {
            break;
        }
        if number == 0 {
            let found: Identity = serde_json::from_slice(line)
                .map_err(|_| damaged(1, "it does not say whose it is"))?;
            if let Some(difference) = first_difference(&found, identity) {
                let folder = path.parent().unwrap_or(path);
                return Err(foreign(
                    folder,
                    format!("belongs to another search ({difference}); give another --work"),
                ));
            }
        } else {
            let line: Line = serde_json::from_slice(line)
                .map_err(|_| damaged(number + 1, "it is no line of a journal"))?;
            if checksum(&line.level) != line.check {
                return Err(damaged(number + 1, "its checksum does not match"));
            }
            entries.push((line.level, sound));
        }
        sound += length;
    }
    Ok((entries, sound))
}
