//! Files of a folder against its manifest.

use crate::json_out::read_record;
use crate::model::{MANIFEST, Manifest, ManifestFile};
use crate::read_error::ReadError;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The fault of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// Its bytes differ from those that were written.
    Changed,
    /// It is gone.
    Missing,
    /// The manifest does not know it.
    Unlisted,
    /// It is a manifest that cannot be read.
    Unreadable,
}

impl MarkKind {
    /// In words: `it was changed after it was written`.
    pub fn text(self) -> &'static str {
        match self {
            MarkKind::Changed => "it was changed after it was written",
            MarkKind::Missing => "it is missing",
            MarkKind::Unlisted => "it was added: the manifest does not list it",
            MarkKind::Unreadable => "the manifest cannot be read",
        }
    }
}

/// A file that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// The folder, as it was named or found.
    pub folder: String,
    /// The file within it.
    pub name: String,
    /// The error.
    pub kind: MarkKind,
}

impl ChangedFile {
    /// The file.
    pub fn path(&self) -> PathBuf {
        Path::new(&self.folder).join(&self.name)
    }
}

/// The state of a folder compared with its manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standing {
    /// Files listed, each with the command that wrote it; `None` if there is no readable manifest.
    listed: Option<BTreeMap<String, String>>,
    /// Files that do not match.
    pub marks: Vec<ChangedFile>,
}

impl Standing {
    /// Whether there is no manifest at all.
    pub fn is_unsealed(&self) -> bool {
        self.listed.is_none() && self.marks.is_empty()
    }

    /// Whether the manifest lists a file.
    pub fn lists(&self, name: &str) -> bool {
        self.writer(name).is_some()
    }

    pub(super) fn writer(&self, name: &str) -> Option<&str> {
        Some(self.listed.as_ref()?.get(name)?)
    }

    /// Marks a file that is read from the folder, and that the manifest does not list.
    pub(crate) fn note_read(&mut self, folder: &Path, name: &str) {
        let known = self.lists(name) || self.listed.is_none();
        if !known && !self.marks.iter().any(|mark| mark.name == name) {
            self.marks.push(mark(folder, name, MarkKind::Unlisted));
        }
    }
}

fn mark(folder: &Path, name: &str, kind: MarkKind) -> ChangedFile {
    ChangedFile {
        folder: folder.display().to_string(),
        name: name.to_owned(),
        kind,
    }
}

/// Holds all files that a folder's manifest lists against it. Reads them all.
pub fn standing(folder: &Path) -> Standing {
    let path = folder.join(MANIFEST);
    if !path.exists() {
        return Standing::default();
    }
    let Ok(manifest) = read_record::<Manifest>(&path) else {
        return Standing {
            listed: None,
            marks: vec![mark(folder, MANIFEST, MarkKind::Unreadable)],
        };
    };
    let marks = manifest.files.iter().filter_map(|file| {
        let kind = difference(folder, file)?;
        Some(mark(folder, &file.path, kind))
    });
    let marks = marks.collect();
    let files = manifest.files.into_iter();
    Standing {
        marks,
        listed: Some(files.map(|file| (file.path, file.verb)).collect()),
    }
}

fn difference(folder: &Path, file: &ManifestFile) -> Option<MarkKind> {
    let path = folder.join(&file.path);
    let Ok(data) = fs::metadata(&path).and_then(|data| match data.is_file() {
        true => Ok(data),
        false => Err(io::ErrorKind::NotFound.into()),
    }) else {
        return Some(MarkKind::Missing);
    };
    let mut hasher = blake3::Hasher::new();
    let same = data.len() == file.bytes
        && fs::File::open(&path)
            .and_then(|mut read| io::copy(&mut read, &mut hasher))
            .is_ok()
        && hasher.finalize().to_hex().as_str() == file.blake3;
    (!same).then_some(MarkKind::Changed)
}

/// Refuses a folder with files that are to be believed but have changed. A folder without a
/// manifest passes.
pub fn as_written(folder: &Path, names: &[&str]) -> Result<(), ReadError> {
    let mut standing = standing(folder);
    for name in names.iter().filter(|name| folder.join(name).exists()) {
        standing.note_read(folder, name);
    }
    let concerned =
        |mark: &&ChangedFile| mark.name == MANIFEST || names.contains(&mark.name.as_str());
    match standing.marks.iter().find(concerned) {
        None => Ok(()),
        Some(mark) => {
            let text = format!(
                "{} ({MANIFEST} next to it); restore it, or have the folder written anew",
                mark.kind.text()
            );
            let error = io::Error::new(io::ErrorKind::InvalidData, text);
            Err(ReadError::io(&mark.path(), error))
        }
    }
}
