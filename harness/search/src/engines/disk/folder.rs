//! The work folder: shelves and an index for each level that is kept, and a manifest that
//! says which levels are finished. The manifest is replaced in one step when a level is
//! finished, so a run that is killed at any moment goes on behind its last finished level.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use antipode_reports::atomic::{ensure_dir, write_atomically};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::shelf::{Disk, Run, Shelf, damaged};
use crate::digest::hex;
use crate::engines::WorkError;
use crate::engines::journal::{Identity, first_difference};
use crate::engines::work::foreign;
use crate::observers::LevelSum;
use antipode_reports::cost::LevelCost;

/// Name of the manifest within the folder.
const MANIFEST: &str = "levels.manifest";
/// Name of the file that a run locks.
const LOCK: &str = "lock";
/// Ends of the names of files that a search makes.
const OURS: [&str; 2] = [".shelf", ".index"];
/// First bytes of an index.
const MAGIC: u64 = u64::from_le_bytes(*b"antindx1");
/// Bytes of a run in an index.
const RUN: usize = 40;

/// Which levels are finished, and where those that are kept lie.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// What the search is.
    pub(super) identity: Identity,
    /// All finished levels, from 0 on.
    pub(super) levels: Vec<Entry>,
}

/// A finished level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) states: u64,
    pub(super) orbits: u64,
    pub(super) digest: String,
    pub(super) cost: LevelCost,
    /// Its smallest goal, as a hexadecimal key, where goals are looked for.
    pub(super) goal: Option<String>,
    /// Where its states lie; nothing once they are dropped.
    pub(super) kept: Option<Place>,
}

/// Where the states of a level lie.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Place {
    /// Number of partitions, as a power of two.
    partitions_log2: u32,
    /// Lengths of the shelves.
    shelves: Vec<u64>,
    /// XXH3-64 of the index.
    index: String,
}

impl Entry {
    /// Sums of the level, as its observers counted them.
    pub(super) fn sum(&self) -> LevelSum {
        LevelSum {
            states: self.states,
            orbits: self.orbits,
            digest: u128::from_str_radix(&self.digest, 16).unwrap_or_default(),
        }
    }

    pub(super) fn new(sum: &LevelSum, cost: LevelCost, kept: Place) -> Self {
        Self {
            states: sum.states,
            orbits: sum.orbits,
            digest: hex(sum.digest),
            cost,
            goal: None,
            kept: Some(kept),
        }
    }
}

/// The states of a level on the disk: a run a partition.
#[derive(Debug)]
pub(super) struct Level {
    pub(super) depth: u16,
    pub(super) partitions_log2: u32,
    /// By partition; an empty run where it holds none.
    pub(super) runs: Vec<Run>,
    pub(super) shelves: Vec<Shelf>,
    /// Length of the index.
    index: u64,
}

impl Level {
    /// Keys of the level: representatives, where symmetry is used.
    pub(super) fn orbits(&self) -> u64 {
        self.runs.iter().map(|run| run.states).sum()
    }

    /// Bytes of its runs.
    pub(super) fn bytes(&self) -> u64 {
        self.runs.iter().map(|run| run.bytes).sum()
    }

    /// Reads the run of a partition.
    pub(super) fn read(
        &self,
        partition: usize,
        bytes: &mut Vec<u8>,
        disk: &Disk,
    ) -> Result<Run, WorkError> {
        let run = self.runs[partition];
        if run.states > 0 {
            self.shelves[run.shelf as usize].read(&run, bytes, disk)?;
        }
        Ok(run)
    }
}

/// An open work folder, locked against other runs.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Unlocked when it is closed.
    _lock: File,
    pub(super) manifest: Manifest,
}

impl Folder {
    /// Opens a folder; its manifest holds the levels that are finished there.
    ///
    /// # Errors
    /// A folder that cannot be written, that holds another search, or that holds this one
    /// without `resume`; a damaged manifest.
    pub(super) fn open(path: &Path, identity: Identity, resume: bool) -> Result<Self, WorkError> {
        let manifest = path.join(MANIFEST);
        if resume && !manifest.exists() {
            return Err(foreign(
                path,
                format!("nothing to resume there (no {MANIFEST}); leave out --resume to start"),
            ));
        }
        ensure_dir(path).map_err(|error| WorkError::Io {
            path: path.to_owned(),
            reason: error.to_string(),
        })?;
        let lock = lock(path)?;
        let manifest = match fs::read(&manifest) {
            Ok(bytes) => read(&manifest, &bytes, &identity)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Manifest {
                identity,
                levels: Vec::new(),
            },
            Err(error) => return Err(WorkError::io(&manifest, &error)),
        };
        if !resume && !manifest.levels.is_empty() {
            return Err(foreign(
                path,
                format!(
                    "holds {} levels of this search; add --resume to go on with it, or delete the folder",
                    manifest.levels.len()
                ),
            ));
        }
        let folder = Self {
            path: path.to_owned(),
            _lock: lock,
            manifest,
        };
        folder.sweep()?;
        Ok(folder)
    }

    /// Where the folder is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// File of a level's shelf.
    pub(super) fn shelf(&self, depth: u16, partitions_log2: u32, number: usize) -> PathBuf {
        let name = format!("{}-{number}.shelf", stem(depth, partitions_log2));
        self.path.join(name)
    }

    fn index(&self, depth: u16, partitions_log2: u32) -> PathBuf {
        let name = format!("{}.index", stem(depth, partitions_log2));
        self.path.join(name)
    }

    /// Writes the index of a level whose shelves are safe.
    pub(super) fn finish(
        &self,
        depth: u16,
        partitions_log2: u32,
        runs: Vec<Run>,
        shelves: Vec<Shelf>,
        disk: &Disk,
    ) -> Result<(Level, Place), WorkError> {
        let path = self.index(depth, partitions_log2);
        let bytes = index_bytes(&runs);
        write_atomically(&path, |out| out.write_all(&bytes))
            .map_err(|error| WorkError::io(error.path(), error.io_error()))?;
        disk.keep(bytes.len() as u64);
        let place = Place {
            partitions_log2,
            shelves: shelves.iter().map(Shelf::length).collect(),
            index: format!("{:016x}", xxh3_64(&bytes)),
        };
        let level = Level {
            depth,
            partitions_log2,
            runs,
            shelves,
            index: bytes.len() as u64,
        };
        Ok((level, place))
    }

    /// Opens a level that is kept.
    pub(super) fn level(&self, depth: u16, disk: &Disk) -> Result<Option<Level>, WorkError> {
        let entry = self.manifest.levels.get(usize::from(depth));
        let Some(place) = entry.and_then(|entry| entry.kept.as_ref()) else {
            return Ok(None);
        };
        let log2 = place.partitions_log2;
        let path = self.index(depth, log2);
        let mut bytes = Vec::new();
        let read = File::open(&path).and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => damaged(&path, "it is missing".into()),
            _ => WorkError::io(&path, &error),
        })?;
        if format!("{:016x}", xxh3_64(&bytes)) != place.index {
            return Err(damaged(&path, "its checksum does not match".into()));
        }
        let runs = runs_of(&bytes, 1 << log2)
            .ok_or_else(|| damaged(&path, "it is no index of this version".into()))?;
        let shelves = place.shelves.iter().enumerate().map(|(number, &length)| {
            disk.keep(length);
            Shelf::open(self.shelf(depth, log2, number), length)
        });
        let shelves = shelves.collect::<Result<_, _>>()?;
        disk.keep(bytes.len() as u64);
        Ok(Some(Level {
            depth,
            partitions_log2: log2,
            runs,
            shelves,
            index: bytes.len() as u64,
        }))
    }

    /// Makes a manifest the one that counts. Where it cannot be written the one before still
    /// does, and nothing that it names may be removed.
    pub(super) fn commit(&mut self, manifest: Manifest) -> Result<(), WorkError> {
        let path = self.path.join(MANIFEST);
        let text = serde_json::to_string_pretty(&manifest)
            .map_err(|error| WorkError::io(&path, &error.into()))?;
        write_atomically(&path, |out| {
            writeln!(out, "{:016x}", xxh3_64(text.as_bytes()))?;
            out.write_all(text.as_bytes())
        })
        .map_err(|error| WorkError::io(error.path(), error.io_error()))?;
        self.manifest = manifest;
        Ok(())
    }

    /// Removes the files of a level that the manifest does not name (any more).
    pub(super) fn erase(&self, level: Level, disk: &Disk) -> Result<(), WorkError> {
        let index = self.index(level.depth, level.partitions_log2);
        fs::remove_file(&index).map_err(|error| WorkError::io(&index, &error))?;
        disk.free(level.index);
        for shelf in level.shelves {
            remove(shelf, disk)?;
        }
        Ok(())
    }

    /// Removes what a killed run left behind its last finished level.
    pub(super) fn sweep(&self) -> Result<(), WorkError> {
        let levels = self.manifest.levels.iter().enumerate();
        let named: Vec<String> = levels
            .filter_map(|(depth, entry)| {
                let place = entry.kept.as_ref()?;
                Some(stem(depth as u16, place.partitions_log2))
            })
            .collect();
        for (path, name) in files(&self.path)? {
            let belongs = named.iter().any(|stem| {
                name.strip_prefix(stem.as_str())
                    .is_some_and(|rest| rest.starts_with(['-', '.']))
            });
            if !belongs {
                fs::remove_file(&path).map_err(|error| WorkError::io(&path, &error))?;
            }
        }
        Ok(())
    }

    /// Removes the files of a search that is answered, and the folder if nothing else is
    /// in it.
    pub(super) fn remove(self) -> Result<(), WorkError> {
        clear(&self.path)
    }
}

/// Files of a folder that a search made, with their names.
fn files(folder: &Path) -> Result<Vec<(PathBuf, String)>, WorkError> {
    let failed = |error: io::Error| WorkError::io(folder, &error);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.into_owned();
        let made_here =
            name.starts_with("level-") || name.starts_with("own-") || name.starts_with("mail-");
        if made_here && OURS.iter().any(|end| name.ends_with(end)) {
            files.push((path, name));
        }
    }
    Ok(files)
}

/// Removes what a search made in a folder, and the folder if nothing else is in it.
pub(super) fn clear(folder: &Path) -> Result<(), WorkError> {
    if !folder.exists() {
        return Ok(());
    }
    // The manifest first: without it nothing else is believed.
    let mut all = vec![folder.join(MANIFEST)];
    all.extend(files(folder)?.into_iter().map(|(path, _)| path));
    all.push(folder.join(LOCK));
    for file in all {
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(WorkError::io(&file, &error));
            }
            _ => {}
        }
    }
    // The user may keep other things there, and then the folder stays.
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// Removes a shelf that was read.
pub(super) fn remove(shelf: Shelf, disk: &Disk) -> Result<(), WorkError> {
    fs::remove_file(shelf.path()).map_err(|error| WorkError::io(shelf.path(), &error))?;
    disk.free(shelf.length());
    Ok(())
}

fn stem(depth: u16, partitions_log2: u32) -> String {
    format!("level-{depth:05}-p{partitions_log2:02}")
}

fn lock(folder: &Path) -> Result<File, WorkError> {
    let path = folder.join(LOCK);
    let failed = |error: io::Error| WorkError::io(&path, &error);
    let mut options = File::options();
    let file = options.create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(foreign(
            folder,
            "another run is writing there; wait for it, or give another --work".into(),
        )),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Reads a manifest: the checksum in the first line, the rest as JSON.
fn read(path: &Path, bytes: &[u8], identity: &Identity) -> Result<Manifest, WorkError> {
    let (check, text) = bytes
        .split_at_checked(17)
        .ok_or_else(|| damaged(path, "it is cut short".into()))?;
    if format!("{:016x}\n", xxh3_64(text)).as_bytes() != check {
        return Err(damaged(path, "its checksum does not match".into()));
    }
    let manifest: Manifest = serde_json::from_slice(text)
        .map_err(|error| damaged(path, format!("it is no list of levels: {error}")))?;
    match first_difference(&manifest.identity, identity) {
        None => Ok(manifest),
        Some(difference) => Err(foreign(
            path.parent().unwrap_or(path),
            format!("belongs to another search ({difference}); give another --work"),
        )),
    }
}

fn index_bytes(runs: &[Run]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + runs.len() * RUN);
    bytes.extend(MAGIC.to_le_bytes());
    for run in runs {
        for word in [
            u64::from(run.shelf),
            run.offset,
            run.bytes,
            run.states,
            run.check,
        ] {
            bytes.extend(word.to_le_bytes());
        }
    }
    bytes
}

fn runs_of(bytes: &[u8], partitions: usize) -> Option<Vec<Run>> {
    let mut words = bytes.chunks(8).map(|word| {
        let word: Option<[u8; 8]> = word.try_into().ok();
        word.map(u64::from_le_bytes)
    });
    if words.next()?? != MAGIC || bytes.len() != 8 + partitions * RUN {
        return None;
    }
    let mut runs = Vec::with_capacity(partitions);
    for _ in 0..partitions {
        runs.push(Run {
            shelf: words.next()?? as u32,
            offset: words.next()??,
            bytes: words.next()??,
            states: words.next()??,
            check: words.next()??,
        });
    }
    Some(runs)
}
