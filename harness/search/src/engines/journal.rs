//! The journal of a run over many parts: finished blocks, one line each, so that a run
//! that was stopped (or killed) goes on from there.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::observers::Record;

/// What can go wrong with a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The journal.
        path: PathBuf,
        /// Cause.
        error: io::Error,
    },
    /// It belongs to another run.
    #[error(
        "{path}: belongs to another run ({difference}); give another --out, or start over without --resume"
    )]
    Foreign {
        /// The journal.
        path: PathBuf,
        /// First difference found.
        difference: String,
    },
    /// A line within it is damaged.
    #[error("{path}, line {line}: damaged ({what}); start over without --resume")]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// Line number from 1.
        line: usize,
        /// What was found.
        what: String,
    },
}

/// What a run is, so that blocks of different runs are never mixed.
pub type Identity = BTreeMap<String, String>;

#[derive(Serialize, Deserialize)]
struct Line<R> {
    block: u64,
    record: R,
    check: String,
}

fn checksum<R: Serialize>(block: u64, record: &R) -> String {
    let text = serde_json::to_string(record).unwrap_or_default();
    blake3::hash(format!("{block} {text}").as_bytes()).to_hex()[..16].to_string()
}

/// An open journal; `R` is what is kept of a finished block.
#[derive(Debug)]
pub struct Journal<R = Record> {
    path: PathBuf,
    file: File,
    /// Blocks that were finished before.
    pub finished: BTreeMap<u64, R>,
}

impl<R: Serialize + DeserializeOwned> Journal<R> {
    /// Starts a journal, or with `resume` continues the one that is there.
    ///
    /// # Errors
    /// [`JournalError`]: not writable, of another run, damaged before its last line.
    pub fn open(path: &Path, identity: &Identity, resume: bool) -> Result<Self, JournalError> {
        let io_error = |error| JournalError::Io {
            path: path.to_owned(),
            error,
        };
        if path.exists() && !path.is_file() {
            return Err(io_error(io::Error::other(
                "is no regular file; give another --out",
            )));
        }
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(io_error)?;
        // Locked before anything in it is believed or cut: two runs would mix their blocks.
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => io_error(io::Error::other(
                "another run is writing to it; wait for it, or give another --out",
            )),
            TryLockError::Error(error) => io_error(error),
        })?;
        let (finished, keep) = if resume {
            read(path, identity)?
        } else {
            (BTreeMap::new(), 0)
        };
        file.set_len(keep).map_err(io_error)?;
        io::Seek::seek(&mut file, io::SeekFrom::End(0)).map_err(io_error)?;
        if keep == 0 {
            let head = serde_json::to_string(identity).unwrap_or_default();
            writeln!(file, "{head}").map_err(io_error)?;
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            finished,
        })
    }

    /// Appends a finished block.
    ///
    /// # Errors
    /// [`JournalError::Io`] (a full disk, say).
    pub fn append(&mut self, block: u64, record: R) -> Result<(), JournalError> {
        let check = checksum(block, &record);
        let line = Line {
            block,
            record,
            check,
        };
        let mut text = serde_json::to_string(&line).unwrap_or_default();
        text.push('\n');
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| JournalError::Io {
                path: self.path.clone(),
                error,
            })
    }
}

impl Journal {
    /// Removes the journal of a run that is complete; one that is gone already is none.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn discard(path: &Path) -> Result<(), JournalError> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(JournalError::Io {
                path: path.to_owned(),
                error,
            }),
            _ => Ok(()),
        }
    }
}

/// Finished blocks and the length of the sound prefix. A torn last line (a run killed
/// while writing) is dropped; damage before it is an error.
fn read<R: Serialize + DeserializeOwned>(
    path: &Path,
    identity: &Identity,
) -> Result<(BTreeMap<u64, R>, u64), JournalError> {
    let io_error = |error| JournalError::Io {
        path: path.to_owned(),
        error,
    };
    let mut reader = BufReader::new(File::open(path).map_err(io_error)?);
    // Bytes, not text: damage may leave any, and the error must still name the line.
    let mut head = Vec::new();
    reader.read_until(b'\n', &mut head).map_err(io_error)?;
    if !head.ends_with(b"\n") {
        return Ok((BTreeMap::new(), 0));
    }
    let found: Identity = serde_json::from_slice(&head).map_err(|error| JournalError::Damaged {
        path: path.to_owned(),
        line: 1,
        what: error.to_string(),
    })?;
    if let Some(difference) = first_difference(&found, identity) {
        return Err(JournalError::Foreign {
            path: path.to_owned(),
            difference,
        });
    }
    let mut finished = BTreeMap::new();
    let mut sound = head.len() as u64;
    let mut number = 1;
    loop {
        let mut text = Vec::new();
        let length = reader.read_until(b'\n', &mut text).map_err(io_error)?;
        number += 1;
        if !text.ends_with(b"\n") {
            return Ok((finished, sound));
        }
        let damaged = |what: String| JournalError::Damaged {
            path: path.to_owned(),
            line: number,
            what,
        };
        let line: Line<R> =
            serde_json::from_slice(&text).map_err(|error| damaged(error.to_string()))?;
        if checksum(line.block, &line.record) != line.check {
            return Err(damaged("its checksum does not match".into()));
        }
        finished.insert(line.block, line.record);
        sound += length as u64;
    }
}

pub(super) fn first_difference(found: &Identity, wanted: &Identity) -> Option<String> {
    let keys = found.keys().chain(wanted.keys());
    let none = String::from("nothing");
    keys.into_iter().find_map(|key| {
        let (there, here) = (found.get(key), wanted.get(key));
        (there != here).then(|| {
            let (there, here) = (there.unwrap_or(&none), here.unwrap_or(&none));
            format!("{key} is {there} there and {here} here")
        })
    })
}
