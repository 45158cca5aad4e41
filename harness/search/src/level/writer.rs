//! How a level is written.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use puzzle_api::Key;
use rayon::prelude::*;

use super::{Body, LevelStates};
use crate::block::{KeyBlock, MOST};
use crate::error::EngineError;
use crate::ranks::RankSet;

/// States sorted and packed at once, by default.
pub(crate) const RUN_STATES: usize = 8 << 20;

/// Writes a level: takes its states in any order, each once.
pub(crate) struct Writer<I> {
    states: u64,
    bytes: u64,
    /// States that are not packed yet.
    pending: Vec<I>,
    /// Number of them that are sorted and packed at once.
    run_states: usize,
    /// Bytes that a file may take.
    room: u64,
    sink: Sink<I>,
}

enum Sink<I> {
    /// The level as a list, or as bits (given a size) once these take less.
    List(Vec<I>, Option<u64>),
    Bits(RankSet),
    Packed(Vec<KeyBlock>),
    File {
        part: tempfile::TempPath,
        out: BufWriter<File>,
        path: PathBuf,
    },
}

impl<I: Key> Writer<I> {
    fn new(sink: Sink<I>) -> Self {
        Self {
            states: 0,
            bytes: 0,
            pending: Vec::new(),
            run_states: RUN_STATES,
            room: u64::MAX,
            sink,
        }
    }

    /// Keeps the level as a list, and as bits once these take less, if states are
    /// ranks below `size`.
    pub(crate) fn list(size: Option<u64>) -> Self {
        Self::new(Sink::List(Vec::new(), size))
    }

    /// The same writer, which sorts and packs n states at once, and may use a given number of bytes
    /// of disk.
    pub(crate) fn within(self, run_states: usize, room: u64) -> Self {
        Self {
            run_states,
            room,
            ..self
        }
    }

    /// Keeps the level packed in memory.
    pub(crate) fn to_memory() -> Self {
        Self::new(Sink::Packed(Vec::new()))
    }

    /// Writes the level to a file, which takes its name when it is finished.
    pub(crate) fn to_file(path: &Path) -> Result<Self, EngineError> {
        let part = path.with_extension("part");
        let failed = |error: io::Error| EngineError::io(path, &error);
        let file = File::create(&part).map_err(failed)?;
        Ok(Self::new(Sink::File {
            // Removed again unless the level is finished.
            part: tempfile::TempPath::try_from_path(part).map_err(failed)?,
            out: BufWriter::with_capacity(1 << 20, file),
            path: path.to_owned(),
        }))
    }

    /// Adds states that are new to the level.
    ///
    /// # Errors
    /// [`EngineError::Disk`] if they need more room; [`EngineError::Io`]; [`EngineError::Memory`]
    /// if the system does not provide it.
    pub(crate) fn add(&mut self, ids: Vec<I>) -> Result<(), EngineError> {
        self.states += ids.len() as u64;
        if let Sink::List(list, Some(size)) = &mut self.sink
            && self.states > (*size / LISTED_SHARE).max(LEAST_BITS)
        {
            let set = RankSet::new(*size).map_err(|error| no_memory(*size, &error))?;
            insert_all(&set, list);
            self.sink = Sink::Bits(set);
        }
        match &mut self.sink {
            Sink::List(list, _) => list.extend(ids),
            Sink::Bits(set) => insert_all(set, &ids),
            Sink::Packed(_) | Sink::File { .. } => {
                self.pending.extend(ids);
                if self.pending.len() >= self.run_states {
                    self.run()?;
                }
            }
        }
        Ok(())
    }

    /// Sorts and packs what is pending.
    fn run(&mut self) -> Result<(), EngineError> {
        let mut pending = std::mem::take(&mut self.pending);
        pending.par_sort_unstable();
        let blocks: Vec<KeyBlock> = pending.par_chunks(MOST).map(KeyBlock::pack).collect();
        self.append(&blocks)?;
        pending.clear();
        self.pending = pending;
        Ok(())
    }

    pub(super) fn append(&mut self, blocks: &[KeyBlock]) -> Result<(), EngineError> {
        let more: u64 = blocks.iter().map(KeyBlock::bytes).sum();
        match &mut self.sink {
            Sink::Packed(all) => all.extend_from_slice(blocks),
            Sink::List(..) | Sink::Bits(_) => {}
            Sink::File { part, out, .. } => {
                if self.bytes + more > self.room {
                    return Err(EngineError::Disk(format!(
                        "{}: the level in hand needs more than the disk space allowed; what is finished is kept: free some space or allow more with --disk, and rerun with --resume",
                        part.display()
                    )));
                }
                for block in blocks {
                    let written = block.write(out);
                    written.map_err(|error| EngineError::io(part, &error))?;
                }
            }
        }
        self.bytes += more;
        Ok(())
    }

    /// States so far.
    pub(crate) fn states(&self) -> u64 {
        self.states
    }

    /// The level, safe on disk if it is a file.
    pub(crate) fn finish(mut self, digest: u128) -> Result<LevelStates<I>, EngineError> {
        if !self.pending.is_empty() {
            self.run()?;
        }
        let (states, bytes) = (self.states, self.bytes);
        let body = self.close()?;
        Ok(LevelStates {
            states,
            digest,
            bytes: match &body {
                Body::List(list) => size_of_val(list.as_slice()) as u64,
                Body::Bits(set) => RankSet::bytes(set.size()),
                Body::Packed(_) | Body::File(_) => bytes,
            },
            body,
        })
    }

    pub(super) fn close(self) -> Result<Body<I>, EngineError> {
        let (part, out, path) = match self.sink {
            Sink::List(mut list, _) => {
                list.par_sort_unstable();
                list.shrink_to_fit();
                return Ok(Body::List(list));
            }
            Sink::Bits(set) => return Ok(Body::Bits(set)),
            Sink::Packed(blocks) => return Ok(Body::Packed(blocks)),
            Sink::File { part, out, path } => (part, out, path),
        };
        let failed = |error: io::Error| EngineError::io(&path, &error);
        let file = out
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)?;
        part.persist(&path).map_err(|error| failed(error.error))?;
        Ok(Body::File(path))
    }
}

/// A list of one in n of all states, at eight bytes each, takes as much as a bit for every state.
const LISTED_SHARE: u64 = 64;
/// Fewest states for which bits are worthwhile.
const LEAST_BITS: u64 = 1 << 16;

fn insert_all<I: Key>(set: &RankSet, ids: &[I]) {
    ids.par_chunks(1 << 12).for_each(|ids| {
        for id in ids {
            // Whether a state is new was checked before.
            let _new = set.insert(id.to_u128() as u64);
        }
    });
}

fn no_memory(size: u64, error: &io::Error) -> EngineError {
    EngineError::Memory(format!(
        "{} of memory were not available ({error}); free some, or give a smaller --memory",
        crate::memory::human(RankSet::bytes(size))
    ))
}
