//! Folders of results: their files appear all or none, with their [`Manifest`]. The files already
//! in a folder are compared with its manifest before they are believed or overwritten.

mod ours;
mod standing;

pub(crate) use ours::FILE_MARK;
pub use ours::{PAGE, SUMMARY_MARK, clear_way, each_way, may_replace, no_part_of_a_result};
pub use standing::{ChangedFile, MarkKind, Standing, as_written, standing};

use crate::atomic::{Staged, WriteError, stage};
use crate::csv_out::rows_text;
use crate::json_out::{read_record, record_text, records_text};
use crate::model::{LevelTable, MANIFEST, Manifest, ManifestFile, Record};
use crate::text::regular;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The files of a result, on the disk under names that nobody reads until all of them are there. If
/// the disk runs full, the earlier files remain.
#[derive(Debug)]
pub struct Results {
    folder: PathBuf,
    verb: &'static str,
    staged: Vec<Staged>,
    files: BTreeMap<String, ManifestFile>,
    absent: Vec<String>,
    whole: bool,
}

impl Results {
    /// Results of a command for a folder that exists.
    pub fn new(folder: impl Into<PathBuf>, verb: &'static str) -> Self {
        Results {
            folder: folder.into(),
            verb,
            staged: Vec::new(),
            files: BTreeMap::new(),
            absent: Vec::new(),
            whole: false,
        }
    }

    /// Results that are all of their command's in the folder: others of an earlier run are removed.
    pub fn whole(folder: impl Into<PathBuf>, verb: &'static str) -> Self {
        Results {
            whole: true,
            ..Self::new(folder, verb)
        }
    }

    /// Adds a table.
    ///
    /// # Errors
    /// [`WriteError`], as of all of these: the folder accepts no file, or the disk is full.
    pub fn rows<T: Record>(&mut self, name: &str, rows: &[T]) -> Result<(), WriteError> {
        self.bytes(name, rows_text(rows))
    }

    /// Adds a level table.
    pub fn levels(&mut self, name: &str, table: &LevelTable) -> Result<(), WriteError> {
        self.rows(name, &table.rows())
    }

    /// Adds a record.
    pub fn record<T: Record>(&mut self, name: &str, record: &T) -> Result<(), WriteError> {
        self.bytes(name, record_text(record).map(String::into_bytes))
    }

    /// Adds an array of records.
    pub fn records<T: Record>(&mut self, name: &str, records: &[T]) -> Result<(), WriteError> {
        self.bytes(name, records_text(records).map(String::into_bytes))
    }

    /// Adds a page.
    pub fn page(&mut self, name: &str, html: io::Result<String>) -> Result<(), WriteError> {
        self.bytes(name, html.map(String::into_bytes))
    }

    /// Adds an existing file; a folder in its name exists.
    pub fn bytes(&mut self, name: &str, content: io::Result<Vec<u8>>) -> Result<(), WriteError> {
        let path = self.folder.join(name);
        let content = content.map_err(|error| WriteError::content(&path, error))?;
        self.staged.push(stage(&path, &content)?);
        self.list(name, &content);
        Ok(())
    }

    /// Counts a file that is in the folder already, such as a log that grew there.
    pub fn keep(&mut self, name: &str) -> Result<(), WriteError> {
        let path = self.folder.join(name);
        let read = regular(&path).and_then(fs::read);
        let bytes = read.map_err(|error| WriteError::content(&path, error))?;
        self.list(name, &bytes);
        Ok(())
    }

    /// Counts the manifest of a folder within this one.
    pub fn part(&mut self, name: &str, part: &Sealed) {
        let entry = ManifestFile {
            path: format!("{name}/{MANIFEST}"),
            ..part.manifest.clone()
        };
        self.files.insert(entry.path.clone(), entry);
    }

    /// Says that these results have no such file: one of an earlier result is removed.
    pub fn absent(&mut self, name: &str) {
        self.absent.push(name.to_owned());
    }

    /// Lets the files added so far appear, of results that grow for hours; their folder has no
    /// manifest until they are sealed (see [`reopen`]).
    pub fn appear_so_far(&mut self) -> Result<(), WriteError> {
        self.staged.drain(..).try_for_each(Staged::appear)
    }

    /// Adds the manifest; entries of other commands, whose files are not touched, stay in it.
    /// Nothing has its name yet.
    pub fn seal(mut self) -> Result<Sealed, WriteError> {
        let before: Option<Manifest> = read_record(self.folder.join(MANIFEST)).ok();
        for file in before.unwrap_or_default().files {
            if self.whole && file.verb == self.verb && !self.files.contains_key(&file.path) {
                self.absent.push(file.path);
                continue;
            }
            // Pages belong to several commands.
            let other = file.verb != self.verb || file.verb == PAGE;
            let stays = other && !self.absent.contains(&file.path);
            if stays && self.folder.join(&file.path).exists() {
                self.files.entry(file.path.clone()).or_insert(file);
            }
        }
        let files = self.files.values().cloned().collect();
        let text = record_text(&Manifest { files });
        let path = self.folder.join(MANIFEST);
        let text = text.map_err(|error| WriteError::content(&path, error))?;
        let manifest = entry(MANIFEST, text.as_bytes(), self.verb);
        self.staged.push(stage(&path, text.as_bytes())?);
        let absent = self.absent.iter().map(|name| self.folder.join(name));
        Ok(Sealed {
            absent: absent.collect(),
            staged: self.staged,
            manifest,
        })
    }

    /// Adds the manifest and lets all files appear.
    pub fn finish(self) -> Result<(), WriteError> {
        self.seal()?.appear()
    }

    fn list(&mut self, name: &str, bytes: &[u8]) {
        let entry = entry(name, bytes, self.verb);
        self.files.insert(name.to_owned(), entry);
    }
}

/// Results with their manifest, whole on the disk, without their names.
#[derive(Debug)]
pub struct Sealed {
    absent: Vec<PathBuf>,
    staged: Vec<Staged>,
    manifest: ManifestFile,
}

impl Sealed {
    /// Gives all files their names, the manifest last.
    pub fn appear(self) -> Result<(), WriteError> {
        self.staged.into_iter().try_for_each(Staged::appear)?;
        self.absent.iter().try_for_each(|path| removed(path))
    }
}

fn removed(path: &Path) -> Result<(), WriteError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(WriteError::content(path, error))
        }
        _ => Ok(()),
    }
}

/// Removes the manifest of results that are about to grow. A run that is killed then leaves a
/// folder without one, and not one that does not match.
pub fn reopen(folder: &Path) -> Result<(), WriteError> {
    removed(&folder.join(MANIFEST))
}

fn entry(name: &str, bytes: &[u8], verb: &str) -> ManifestFile {
    ManifestFile {
        path: name.to_owned(),
        bytes: bytes.len() as u64,
        blake3: blake3::hash(bytes).to_hex().to_string(),
        verb: verb.to_owned(),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}
