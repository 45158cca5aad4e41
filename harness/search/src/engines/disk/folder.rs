//! The levels of all parts in one work folder: a segment and an index for each kept level, and its
//! content and place in the journal.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use antipode_reports::cost::LevelCost;
use antipode_reports::text::regular;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::segment::{Disk, PackedRun, Segment};
use crate::error::{EngineError, Result, locked};
use crate::observers::{LevelSum, Record};
use crate::outcome::Sampled;
use crate::work::{JournalPiece, WorkFolder};

/// Kind of a piece in the journal: levels of a part.
const LEVELS: &str = "levels";

/// The record of a finished level: it, and the earlier ones still in use, so that the next line
/// repeats what a damaged line of the journal loses.
#[derive(Debug, Serialize, Deserialize)]
struct Recorded {
    part: u64,
    /// Number of levels that are valid from here on; fewer than before if some were damaged.
    finished: u16,
    levels: Vec<LevelEntry>,
    /// Which of several processes keeps each piece, if that does not follow their numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owners: Option<Vec<u16>>,
}

/// The record of an unfinished part.
#[derive(Debug, Default)]
struct Begun {
    levels: Vec<LevelEntry>,
    owners: Option<Vec<u16>>,
}

/// The work folder of a search on disk, shared by all its parts.
#[derive(Debug)]
pub struct Work {
    folder: Arc<WorkFolder>,
    /// Finished levels of unfinished parts, by part.
    begun: Mutex<BTreeMap<u64, Begun>>,
    /// Bytes kept on the disk by all parts.
    pub(super) stored: Arc<AtomicU64>,
}

impl Work {
    /// The contents of an open folder. Files of parts in `done` are removed.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub fn new(
        folder: Arc<WorkFolder>,
        pieces: &[JournalPiece],
        done: impl Fn(u64) -> bool,
    ) -> Result<Self> {
        let work = Self::read(folder, pieces);
        let wanted: BTreeSet<String> = work
            .levels()
            .iter()
            .filter(|(part, _)| !done(**part))
            .flat_map(|(&part, begun)| begun.levels.iter().map(move |level| (part, level)))
            .map(|(part, level)| stem(part, level.depth, level.place.partitions_log2))
            .collect();
        work.folder.sweep(&|name| wanted.contains(stem_of(name)))?;
        Ok(work)
    }

    /// The contents of an open folder, unchanged.
    pub(super) fn read(folder: Arc<WorkFolder>, pieces: &[JournalPiece]) -> Self {
        let mut begun: BTreeMap<u64, (BTreeMap<u16, LevelEntry>, _)> = BTreeMap::new();
        for recorded in pieces
            .iter()
            .filter_map(|piece| piece.read::<Recorded>(LEVELS))
        {
            let (levels, owners) = begun.entry(recorded.part).or_default();
            *owners = recorded.owners;
            levels.retain(|depth, _| *depth < recorded.finished);
            levels.extend(
                recorded
                    .levels
                    .into_iter()
                    .map(|level| (level.depth, level)),
            );
        }
        // Depths must follow each other: levels after a gap are useless.
        let chain = |levels: BTreeMap<u16, LevelEntry>| -> Vec<LevelEntry> {
            let follow = levels.into_values().zip(0..);
            let follow = follow.take_while(|(level, depth)| level.depth == *depth);
            follow.map(|(level, _)| level).collect()
        };
        let begun = begun.into_iter().map(|(part, (levels, owners))| {
            let levels = chain(levels);
            (part, Begun { levels, owners })
        });
        Self {
            folder,
            begun: Mutex::new(begun.collect()),
            stored: Arc::default(),
        }
    }

    /// The folder itself.
    pub(in crate::engines) fn folder(&self) -> &WorkFolder {
        &self.folder
    }

    fn levels(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Begun>> {
        locked(&self.begun)
    }

    /// Removes the files of parts whose results are recorded.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub(in crate::engines) fn drop_files(&self, parts: &[u64]) -> Result<()> {
        let heads: Vec<String> = parts.iter().map(|&part| head(part)).collect();
        let of_part = |name: &str| heads.iter().any(|head| name.starts_with(head.as_str()));
        self.folder.sweep(&|name| !of_part(name))
    }
}

/// The levels of one part.
pub(super) struct Folder {
    work: Arc<Work>,
    pub(super) disk: Arc<Disk>,
    part: u64,
    /// All finished levels, from 0 on.
    pub(super) levels: Vec<LevelEntry>,
    /// Whether levels are only held in memory, and none is recorded. If there are many parts, most
    /// are short, and recomputing them is faster than writing files.
    pub(super) in_passing: bool,
    /// Which of several processes keeps each piece, if that does not follow their numbers.
    pub(super) owners: Option<Vec<u16>>,
}

impl Folder {
    /// The levels of a part that earlier runs finished. With new ones, all parts may keep `limit`
    /// bytes, which the user gave or not.
    pub(super) fn of(work: Arc<Work>, part: u64, in_passing: bool, limit: (u64, bool)) -> Self {
        let Begun { levels, owners } = work.levels().remove(&part).unwrap_or_default();
        Self {
            disk: Arc::new(Disk::new(limit, Arc::clone(&work.stored))),
            work,
            part,
            in_passing: in_passing && levels.is_empty(),
            levels,
            owners,
        }
    }

    /// The folder with the levels of all parts.
    pub(super) fn work(&self) -> &Work {
        &self.work
    }

    /// The part to which the levels belong.
    pub(super) fn part(&self) -> u64 {
        self.part
    }

    /// Where the folder is.
    pub(super) fn path(&self) -> &Path {
        self.work.folder.path()
    }

    /// A new segment for a level.
    pub(super) fn segment(&self, depth: u16, partitions_log2: u32) -> Segment {
        Segment::new(self.file(depth, partitions_log2, "segment"), &self.disk)
    }

    /// A segment that only lasts while a level is being made.
    pub(super) fn passing(&self, what: &str) -> Segment {
        let name = format!("{}{what}-0.segment", head(self.part));
        Segment::new(self.path().join(name), &self.disk)
    }

    fn file(&self, depth: u16, partitions_log2: u32, end: &str) -> PathBuf {
        let stem = stem(self.part, depth, partitions_log2);
        self.path().join(format!("{stem}.{end}"))
    }

    fn index(&self, depth: u16, partitions_log2: u32) -> PathBuf {
        self.file(depth, partitions_log2, "index")
    }

    /// Writes the files of a level that was only in memory so far.
    pub(super) fn write_down(&self, level: &DiskLevel) -> Result<()> {
        level.segment.write_down()?;
        self.write_index(
            level.depth,
            level.place.partitions_log2,
            &index_bytes(&level.runs),
        )
    }

    fn write_index(&self, depth: u16, log2: u32, bytes: &[u8]) -> Result<()> {
        let path = self.index(depth, log2);
        // A partial index counts as none: the journal has its checksum.
        fs::write(&path, bytes).map_err(|error| EngineError::io(&path, &error))
    }

    /// Writes the files of a level whose segment has all its runs.
    pub(super) fn finish(
        &self,
        depth: u16,
        partitions_log2: u32,
        runs: Vec<PackedRun>,
        segment: Segment,
    ) -> Result<DiskLevel> {
        let bytes = index_bytes(&runs);
        if !self.in_passing {
            segment.write_down()?;
            self.write_index(depth, partitions_log2, &bytes)?;
        }
        self.disk.keep(bytes.len() as u64);
        Ok(DiskLevel {
            depth,
            place: LevelPlace {
                partitions_log2,
                length: segment.length(),
                index: format!("{:016x}", xxh3_64(&bytes)),
            },
            runs,
            segment,
            index: bytes.len() as u64,
        })
    }

    /// Waits until all files of a level are safe on the disk.
    pub(super) fn secure(&self, level: &DiskLevel) -> Result<()> {
        let index = self.index(level.depth, level.place.partitions_log2);
        [level.segment.path(), &index]
            .into_iter()
            .try_for_each(|path| {
                let file = File::options().write(true).open(path);
                let synced = file.and_then(|file| file.sync_data());
                synced.map_err(|error| EngineError::io(path, &error))
            })
    }

    /// Opens a level whose files should be there.
    ///
    /// # Errors
    /// [`EngineError::Damaged`] if they differ from those that were written.
    pub(super) fn level(&self, depth: u16) -> Result<DiskLevel> {
        let place = &self.levels[usize::from(depth)].place;
        let log2 = place.partitions_log2;
        let path = self.index(depth, log2);
        let mut bytes = Vec::new();
        let read = regular(&path)
            .and_then(File::open)
            .and_then(|mut file| file.read_to_end(&mut bytes));
        read.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => EngineError::damaged(&path, "it is missing"),
            _ => EngineError::io(&path, &error),
        })?;
        if format!("{:016x}", xxh3_64(&bytes)) != place.index {
            return Err(EngineError::damaged(&path, "its checksum does not match"));
        }
        let runs = runs_of(&bytes, 1 << log2)
            .ok_or_else(|| EngineError::damaged(&path, "it is no index of this version"))?;
        let segment = Segment::open(self.file(depth, log2, "segment"), place.length, &self.disk)?;
        Ok(DiskLevel {
            depth,
            place: place.clone(),
            runs,
            segment,
            index: bytes.len() as u64,
        })
    }

    /// Like [`Folder::level`], but verifies the checksum of every byte.
    pub(super) fn sound_level(&self, depth: u16) -> Result<DiskLevel> {
        let level = self.level(depth)?;
        level.check(|| Ok::<_, EngineError>(()))?;
        Ok(level)
    }

    /// Whether files of a level may be there.
    pub(super) fn has_files(&self, depth: u16) -> bool {
        let log2 = self.levels[usize::from(depth)].place.partitions_log2;
        self.index(depth, log2).exists()
    }

    /// Records levels: those from `since` on, the last of which may be new. `safe` waits until the
    /// line is safe on the disk.
    pub(super) fn record(&mut self, levels: Vec<LevelEntry>, since: u16, safe: bool) -> Result<()> {
        let recorded = Recorded {
            part: self.part,
            finished: levels.len() as u16,
            levels: levels[usize::from(since)..].to_vec(),
            owners: self.owners.clone(),
        };
        let work = &self.work.folder;
        match safe {
            _ if self.in_passing => {}
            true => work.finish(LEVELS, &recorded)?,
            false => work.finish_in_passing(LEVELS, &recorded)?,
        }
        self.levels = levels;
        Ok(())
    }

    /// Removes the files of a level that is no longer needed.
    pub(super) fn erase(&self, level: DiskLevel) -> Result<()> {
        if !self.in_passing {
            let index = self.index(level.depth, level.place.partitions_log2);
            fs::remove_file(&index).map_err(|error| EngineError::io(&index, &error))?;
        }
        self.disk.free(level.index);
        level.segment.remove()
    }

    /// Removes the files of this part except for those of some levels.
    pub(super) fn sweep<'a>(&self, keep: impl Iterator<Item = &'a DiskLevel>) -> Result<()> {
        self.keep_only(keep.map(|level| (level.depth, level.place.partitions_log2)))
    }

    /// Removes the files of an abandoned level: all files of this part except those of recorded
    /// levels.
    pub(super) fn sweep_unbooked(&self) -> Result<()> {
        let recorded = self.levels.iter();
        self.keep_only(recorded.map(|level| (level.depth, level.place.partitions_log2)))
    }

    fn keep_only(&self, levels: impl Iterator<Item = (u16, u32)>) -> Result<()> {
        let keep: Vec<String> = levels
            .map(|(depth, log2)| stem(self.part, depth, log2))
            .collect();
        let head = head(self.part);
        self.work.folder.sweep(&|name| {
            !name.starts_with(&head) || keep.iter().any(|stem| stem == stem_of(name))
        })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Another walk of this part continues from them.
        let begun = Begun {
            levels: std::mem::take(&mut self.levels),
            owners: self.owners.take(),
        };
        self.work.levels().insert(self.part, begun);
    }
}

fn head(part: u64) -> String {
    format!("part-{part:06}-")
}

fn stem(part: u64, depth: u16, partitions_log2: u32) -> String {
    format!("{}level-{depth:05}-p{partitions_log2:02}", head(part))
}

/// The stem in the name of a file of a level.
fn stem_of(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

// The index of a level: the place of each partition's run.

/// First bytes of an index.
const MAGIC: u64 = u64::from_le_bytes(*b"antindx2");
/// Bytes of a run in an index.
const RUN: usize = 32;

/// The index of a level.
pub(super) fn index_bytes(runs: &[PackedRun]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + runs.len() * RUN);
    bytes.extend(MAGIC.to_le_bytes());
    for run in runs {
        for word in [run.offset, run.bytes, run.states, run.check] {
            bytes.extend(word.to_le_bytes());
        }
    }
    bytes
}

/// The runs that an index names; `None` if it does not have n partitions.
pub(super) fn runs_of(bytes: &[u8], partitions: usize) -> Option<Vec<PackedRun>> {
    let mut words = bytes.chunks(8).map(|word| {
        let word: Option<[u8; 8]> = word.try_into().ok();
        word.map(u64::from_le_bytes)
    });
    if words.next()?? != MAGIC || bytes.len() != 8 + partitions * RUN {
        return None;
    }
    let mut runs = Vec::with_capacity(partitions);
    for _ in 0..partitions {
        runs.push(PackedRun {
            offset: words.next()??,
            bytes: words.next()??,
            states: words.next()??,
            check: words.next()??,
        });
    }
    Some(runs)
}

// A finished level: its record, and its states on the disk.

/// A finished level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LevelEntry {
    pub(super) depth: u16,
    /// The results of its observers, except for its states.
    pub(super) seen: Record,
    pub(super) cost: LevelCost,
    /// The result of the sample of the level before, for which this one was needed.
    pub(super) sampled: Sampled,
    /// Its smallest goal, as a hexadecimal key, if goals are looked for.
    pub(super) goal: Option<String>,
    /// The place of its states, or their place before they were dropped.
    pub(super) place: LevelPlace,
}

/// The place of the states of a level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LevelPlace {
    /// Number of partitions, as a power of two.
    pub(super) partitions_log2: u32,
    /// Length of the segment.
    pub(super) length: u64,
    /// XXH3-64 of the index.
    pub(super) index: String,
}

impl LevelEntry {
    /// Sums of the level, as counted by its observers.
    pub(super) fn sum(&self) -> LevelSum {
        self.seen.level(self.depth)
    }
}

/// The states of a level on the disk: a run per partition.
pub(super) struct DiskLevel {
    pub(super) depth: u16,
    pub(super) place: LevelPlace,
    /// By partition; an empty run if it holds none.
    pub(super) runs: Vec<PackedRun>,
    pub(super) segment: Segment,
    /// Length of the index.
    pub(super) index: u64,
}

impl DiskLevel {
    /// Keys of the level: representatives, if symmetry is used.
    pub(super) fn orbits(&self) -> u64 {
        self.runs.iter().map(|run| run.states).sum()
    }

    /// Bytes of its runs.
    pub(super) fn bytes(&self) -> u64 {
        self.runs.iter().map(|run| run.bytes).sum()
    }

    /// Reads the run of a partition.
    pub(super) fn read(&self, partition: usize, bytes: &mut Vec<u8>) -> Result<PackedRun> {
        let run = self.runs[partition];
        if run.states > 0 {
            self.segment.read(&run, bytes)?;
        }
        Ok(run)
    }

    /// Bytes of its files.
    pub(super) fn on_disk(&self) -> u64 {
        self.index + self.segment.length()
    }

    /// Reads all of it once, so that damage is found before the level is used; before each
    /// partition asks whether to `go_on`.
    pub(super) fn check<E: From<EngineError>>(
        &self,

        go_on: impl Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut bytes = Vec::new();
        for partition in 0..self.runs.len() {
            go_on()?;
            self.read(partition, &mut bytes)?;
        }
        Ok(())
    }
}
