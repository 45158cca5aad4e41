//! Segments: files with packed runs of keys one after another, in any order. The place of a run and
//! the checksum of its bytes are kept outside the file, so nothing unverified is trusted.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use antipode_reports::text::regular;
use puzzle_api::Key;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::{EngineError, Result};
use crate::packed::{Candidate, MarkUnpacker, Packer, Unpacker, UsedOperators, pad};

/// Bytes collected in memory before there is a file.
const HELD: usize = 1 << 20;
/// Bytes of a block on the disk.
const BLOCK: u64 = 4096;

/// A packed run of sorted keys on a segment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PackedRun {
    /// Where the run starts.
    pub(super) offset: u64,
    /// Its length in bytes.
    pub(super) bytes: u64,
    /// Its keys.
    pub(super) states: u64,
    /// XXH3-64 of its bytes.
    pub(super) check: u64,
}

/// Bytes that a search reads, writes and keeps on the disk.
pub(super) struct Disk {
    read: AtomicU64,
    written: AtomicU64,
    /// Shared with the other parts of the search.
    stored: Arc<AtomicU64>,
    /// Most bytes to keep at once.
    limit: AtomicU64,
    /// Whether the user gave that limit; else it is the free space.
    is_given: bool,
}

impl Disk {
    /// Counters at zero, with a limit to the kept bytes (and whether it is given), and the bytes
    /// that others keep.
    pub(super) fn new((limit, is_given): (u64, bool), stored: Arc<AtomicU64>) -> Self {
        Self {
            read: AtomicU64::new(0),
            written: AtomicU64::new(0),
            stored,
            limit: limit.into(),
            is_given,
        }
    }

    /// Bytes read so far.
    pub(super) fn read(&self) -> u64 {
        self.read.load(Relaxed)
    }

    /// Bytes written so far.
    pub(super) fn written(&self) -> u64 {
        self.written.load(Relaxed)
    }

    /// Bytes kept now.
    pub(super) fn stored(&self) -> u64 {
        self.stored.load(Relaxed)
    }

    /// Allows as much more as is kept now.
    pub(super) fn spare_stored(&self) {
        let more = self.limit.load(Relaxed).saturating_add(self.stored());
        self.limit.store(more, Relaxed);
    }

    /// Records bytes that are kept from now on.
    pub(super) fn keep(&self, bytes: u64) {
        self.stored.fetch_add(bytes, Relaxed);
    }

    /// Records bytes that are no longer kept.
    pub(super) fn free(&self, bytes: u64) {
        self.stored.fetch_sub(bytes, Relaxed);
    }

    fn write(&self, bytes: u64) -> Result<()> {
        self.written.fetch_add(bytes, Relaxed);
        let stored = self.stored.fetch_add(bytes, Relaxed) + bytes;
        let limit = self.limit.load(Relaxed);
        if stored <= limit {
            return Ok(());
        }
        Err(EngineError::Disk(match self.is_given {
            true => format!(
                "the level in hand needs more than the {} of disk allowed; finished levels are kept: allow more with --disk and rerun with --resume",
                crate::memory::human(limit)
            ),
            false => "the level in hand does not fit the free space of the disk; finished levels are kept: free some and rerun with --resume".to_owned(),
        }))
    }
}

/// The place of a segment's bytes.
enum Bytes {
    /// In its file.
    Written(File),
    /// In memory; there is no file.
    Held(Vec<u8>),
}

impl Bytes {
    fn write_down(&mut self, path: &Path) -> Result<()> {
        let Self::Held(held) = self else {
            return Ok(());
        };
        let mut options = File::options();
        options.create(true).truncate(true).read(true).write(true);
        let file = options.open(path).and_then(|file| {
            file.write_all_at(held, 0)?;
            Ok(file)
        });
        *self = Self::Written(file.map_err(|error| EngineError::io(path, &error))?);
        Ok(())
    }
}

/// A segment to which any thread may append runs, and from which any may read them.
pub(super) struct Segment {
    path: PathBuf,
    length: AtomicU64,
    /// Bytes whose space was released.
    released: AtomicU64,
    bytes: RwLock<Bytes>,
    disk: Arc<Disk>,
}

impl Segment {
    /// An empty segment, which replaces any file of its name. While it is short it is in memory:
    /// creating and removing a file takes longer than recomputing its content.
    pub(super) fn new(path: PathBuf, disk: &Arc<Disk>) -> Self {
        Self::of(path, 0, Bytes::Held(Vec::new()), disk)
    }

    fn of(path: PathBuf, length: u64, bytes: Bytes, disk: &Arc<Disk>) -> Self {
        Self {
            path,
            length: AtomicU64::new(length),
            released: AtomicU64::new(0),
            bytes: RwLock::new(bytes),
            disk: Arc::clone(disk),
        }
    }

    fn bytes(&self) -> RwLockReadGuard<'_, Bytes> {
        self.bytes.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends the packed bytes, and prepares the packer for the next run.
    pub(super) fn append(&self, packer: &mut Packer) -> Result<PackedRun> {
        let states = packer.count();
        let bytes = packer.finish();
        let run = self.append_packed(bytes, states, xxh3_64(bytes))?;
        packer.clear();
        Ok(run)
    }

    /// Appends the packed bytes of another process, with its checksum: a change on the way is
    /// detected when they are read.
    pub(super) fn append_packed(&self, bytes: &[u8], states: u64, check: u64) -> Result<PackedRun> {
        self.disk.write(bytes.len() as u64)?;
        Ok(PackedRun {
            offset: self.put(bytes)?,
            bytes: bytes.len() as u64,
            states,
            check,
        })
    }

    /// Appends bytes; returns their offset.
    fn put(&self, bytes: &[u8]) -> Result<u64> {
        if let Bytes::Written(file) = &*self.bytes() {
            let offset = self.length.fetch_add(bytes.len() as u64, Relaxed);
            let written = file.write_all_at(bytes, offset);
            written.map_err(|error| EngineError::io(&self.path, &error))?;
            return Ok(offset);
        }
        let mut now = self.bytes.write().unwrap_or_else(PoisonError::into_inner);
        let Bytes::Held(held) = &mut *now else {
            // Another thread has just written it down.
            drop(now);
            return self.put(bytes);
        };
        let offset = held.len();
        held.extend_from_slice(bytes);
        self.length.store(held.len() as u64, Relaxed);
        if held.len() >= HELD {
            now.write_down(&self.path)?;
        }
        Ok(offset as u64)
    }

    /// Opens a segment that must have a certain length.
    pub(super) fn open(path: PathBuf, length: u64, disk: &Arc<Disk>) -> Result<Self> {
        let failed = |error: io::Error| match error.kind() {
            ErrorKind::NotFound => EngineError::damaged(&path, "it is missing"),
            _ => EngineError::io(&path, &error),
        };
        let file = regular(&path).and_then(File::open).map_err(failed)?;
        let found = file.metadata().map_err(failed)?.len();
        if found != length {
            let what = format!("{found} bytes, where {length} were written");
            return Err(EngineError::damaged(&path, what));
        }
        Ok(Self::of(path, length, Bytes::Written(file), disk))
    }

    /// Where the segment is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its length in bytes.
    pub(super) fn length(&self) -> u64 {
        self.length.load(Relaxed)
    }

    /// Writes the file of a segment that was only in memory.
    pub(super) fn write_down(&self) -> Result<()> {
        let bytes = self.bytes.write();
        let mut bytes = bytes.unwrap_or_else(PoisonError::into_inner);
        bytes.write_down(&self.path)
    }

    /// Removes the segment, which was read.
    pub(super) fn remove(self) -> Result<()> {
        if let Bytes::Written(_) = *self.bytes() {
            fs::remove_file(&self.path).map_err(|error| EngineError::io(&self.path, &error))?;
        }
        self.disk.free(self.on_disk());
        Ok(())
    }

    /// Bytes that it takes on the disk.
    pub(super) fn on_disk(&self) -> u64 {
        self.length() - self.released.load(Relaxed)
    }

    /// Releases the space of a run that is not read again, if the system can release a part of a
    /// file. A segment that was opened to be read keeps its space.
    pub(super) fn release(&self, run: &PackedRun) {
        // Blocks that also hold parts of its neighbours stay.
        let first = run.offset.next_multiple_of(BLOCK);
        let behind = (run.offset + run.bytes) / BLOCK * BLOCK;
        let Bytes::Written(file) = &*self.bytes() else {
            return;
        };
        if first < behind && punched(file, first, behind - first) {
            self.released.fetch_add(behind - first, Relaxed);
            self.disk.free(behind - first);
        }
    }

    /// Reads a run's bytes into `bytes`, ready to be unpacked.
    ///
    /// # Errors
    /// [`EngineError::Damaged`] if they differ from those that were written.
    pub(super) fn read(&self, run: &PackedRun, bytes: &mut Vec<u8>) -> Result<()> {
        bytes.clear();
        match &*self.bytes() {
            Bytes::Written(file) => {
                bytes.resize(run.bytes as usize, 0);
                file.read_exact_at(bytes, run.offset)
                    .map_err(|error| match error.kind() {
                        ErrorKind::UnexpectedEof => {
                            EngineError::damaged(&self.path, "it is cut short")
                        }
                        _ => EngineError::io(&self.path, &error),
                    })?;
            }
            Bytes::Held(held) => {
                bytes.extend_from_slice(&held[run.offset as usize..][..run.bytes as usize]);
            }
        }
        self.disk.read.fetch_add(run.bytes, Relaxed);
        if xxh3_64(bytes) != run.check {
            let what = format!(
                "the checksum of bytes {} to {} does not match",
                run.offset,
                run.offset + run.bytes
            );
            return Err(EngineError::damaged(&self.path, what));
        }
        pad(bytes);
        Ok(())
    }
}

/// Releases a part of a file on the disk and keeps its length; returns whether that was done.
#[cfg(target_os = "linux")]
fn punched(file: &File, offset: u64, bytes: u64) -> bool {
    use rustix::fs::{FallocateFlags, fallocate};
    let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
    fallocate(file, flags, offset, bytes).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn punched(_: &File, _: u64, _: u64) -> bool {
    false
}

/// The keys of a run whose bytes were read.
pub(super) fn keys<'a, K: Key>(run: &PackedRun, bytes: &'a [u8]) -> Unpacker<'a, K> {
    Unpacker::new(bytes, run.states)
}

/// The content of a run whose bytes were read: its keys, with their marks if they have some.
pub(super) fn candidates<'a, C: Candidate>(run: &PackedRun, bytes: &'a [u8]) -> Candidates<'a, C> {
    let marks = match C::MARKED {
        true => &bytes[..run.bytes as usize],
        false => &[],
    };
    Candidates {
        keys: keys(run, bytes),
        marks: MarkUnpacker::new(marks),
    }
}

/// The contents of a run.
pub(super) struct Candidates<'a, C: Candidate> {
    keys: Unpacker<'a, C::Key>,
    marks: MarkUnpacker<'a>,
}

impl<C: Candidate> Candidates<'_, C> {
    /// Appends up to `most` further keys and, if they have some, their marks; returns whether
    /// there were any.
    pub(super) fn fill(
        &mut self,
        keys: &mut Vec<C::Key>,
        marks: &mut Vec<u32>,
        most: usize,
    ) -> bool {
        let before = keys.len();
        let there = self.keys.fill(keys, most);
        if C::MARKED {
            self.marks.fill(marks, keys.len() - before);
        }
        there
    }
}

impl<C: Candidate> Iterator for Candidates<'_, C> {
    type Item = C;

    #[inline]
    fn next(&mut self) -> Option<C> {
        let key = self.keys.next()?;
        let mark = match C::MARKED {
            true => self.marks.next().unwrap_or(0),
            false => 0,
        };
        Some(C::new(key, C::Mark::of(mark)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.keys.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn what_is_released_takes_no_room_and_harms_no_other_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = Arc::new(Disk::new((u64::MAX, false), Arc::default()));
        let path = folder.path().join("segment");
        let segment = Segment::new(path.clone(), &disk);
        let mut packer = Packer::default();
        // Wide gaps: each run takes some blocks, and shares one with its neighbours.
        let sets: Vec<BTreeSet<u64>> = (0..3_u64)
            .map(|of| (0..9_000).map(|at| (at << 40) + of).collect())
            .collect();
        let runs: Vec<PackedRun> = sets
            .iter()
            .map(|set| {
                set.iter().for_each(|&key| packer.push(key));
                segment.append(&mut packer).expect("room")
            })
            .collect();
        let whole = segment.on_disk();
        segment.release(&runs[1]);
        assert_eq!(disk.stored(), segment.on_disk());
        for of in [0, 2] {
            let mut bytes = Vec::new();
            segment.read(&runs[of], &mut bytes).expect("sound");
            let there: BTreeSet<u64> = keys::<u64>(&runs[of], &bytes).collect();
            assert_eq!(there, sets[of]);
        }
        #[cfg(target_os = "linux")]
        if segment.on_disk() < whole {
            use std::os::unix::fs::MetadataExt;
            let blocks = path.metadata().expect("there").blocks();
            assert!(
                blocks * 512 < whole,
                "{blocks} blocks of 512 bytes, of {whole} bytes"
            );
            let released = whole - segment.on_disk();
            assert!(
                released + 2 * BLOCK > runs[1].bytes,
                "{released} of {runs:?}"
            );
        }
        segment.remove().expect("removable");
        assert_eq!(disk.stored(), 0);
    }

    #[test]
    fn the_remedy_of_a_full_disk_is_space_unless_a_limit_is_given() {
        for (is_given, remedy) in [(true, "allow more with --disk"), (false, "free some")] {
            let full = Disk::new((9, is_given), Arc::default()).write(10);
            let line = full.expect_err("full").to_string();
            assert!(line.contains(remedy), "{line}");
            assert_eq!(line.contains("--disk"), is_given, "{line}");
        }
    }
}
