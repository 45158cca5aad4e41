//! One finished level of a search, and how it is written: a sorted list or a set of bits in memory,
//! packed in memory, or packed in a file.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};

use antipode_reports::text::regular;
use puzzle_api::Key;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::block::{Head, KeyBlock, MOST};
use crate::digest::hex;
use crate::error::{EngineError, Result};
use crate::parallel;
use crate::ranks::RankSet;

/// The states of a level, each once.
pub(crate) struct LevelStates<I> {
    /// Number of states.
    pub(crate) states: u64,
    /// Wrapping sum of the hashes of their keys.
    pub(crate) digest: u128,
    /// Bytes that they take.
    pub(crate) bytes: u64,
    pub(crate) body: Body<I>,
}

/// Where the states are.
pub(crate) enum Body<I> {
    /// In a sorted list.
    List(Vec<I>),
    /// A bit per rank.
    Bits(RankSet),
    /// In runs of packed blocks, ascending within a run.
    Packed(Vec<KeyBlock>),
    /// The same in a file.
    File(PathBuf),
}

/// A finished level in a file, as a journal records it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LevelRecord {
    pub(crate) depth: usize,
    states: u64,
    /// The digest of its keys: the file may be one of another level.
    digest: String,
    bytes: u64,
}

impl LevelRecord {
    pub(crate) fn of<I>(depth: usize, level: &LevelStates<I>) -> Self {
        Self {
            depth,
            states: level.states,
            digest: hex(level.digest),
            bytes: level.bytes,
        }
    }

    /// The level, with the states in a file.
    pub(crate) fn level<I>(&self, file: PathBuf) -> LevelStates<I> {
        LevelStates {
            states: self.states,
            digest: u128::from_str_radix(&self.digest, 16).unwrap_or_default(),
            bytes: self.bytes,
            body: Body::File(file),
        }
    }
}

/// A file that was cut between two blocks shows no other damage.
fn check_length(path: &Path, file: &File, bytes: u64) -> Result<()> {
    let found = file
        .metadata()
        .map_err(|error| EngineError::io(path, &error))?;
    match found.len() == bytes {
        true => Ok(()),
        false => {
            let what = format!("{} bytes, where {bytes} were written", found.len());
            Err(EngineError::damaged(path, what))
        }
    }
}

impl<I: Key> LevelStates<I> {
    /// States in memory, each once.
    pub(crate) fn of(mut states: Vec<I>) -> Self {
        states.sort_unstable();
        Self {
            states: states.len() as u64,
            digest: 0,
            bytes: (states.len() * size_of::<I>()) as u64,
            body: Body::List(states),
        }
    }

    /// The file, if the states are in one.
    pub(crate) fn file(&self) -> Option<&Path> {
        match &self.body {
            Body::File(path) => Some(path),
            Body::List(_) | Body::Bits(_) | Body::Packed(_) => None,
        }
    }

    /// The states from the first on.
    pub(crate) fn read(&self) -> Result<Pieces<'_, I>> {
        Ok(match &self.body {
            Body::List(list) => Pieces::List(list),
            Body::Bits(set) => Pieces::Bits(set, 0),
            Body::Packed(blocks) => Pieces::Packed(blocks),
            Body::File(path) => {
                let file = regular(path)
                    .and_then(File::open)
                    .map_err(|error| damage(path, &error))?;
                check_length(path, &file, self.bytes)?;
                Pieces::File(BufReader::with_capacity(1 << 20, file), path)
            }
        })
    }

    /// All states of the level; of packed ones, run by run.
    pub(crate) fn all(&self) -> Result<Vec<I>> {
        let (mut pieces, mut some, mut all) = (self.read()?, Vec::new(), Vec::new());
        while let Some(piece) = pieces.next_slab(1)?.first() {
            self.unpack(piece, &mut some)?;
            all.extend_from_slice(&some);
        }
        Ok(all)
    }

    /// The states of a piece of this level.
    pub(crate) fn unpack(&self, piece: &LevelShare<'_, I>, ids: &mut Vec<I>) -> Result<()> {
        match piece {
            LevelShare::List(list) => {
                ids.clear();
                ids.extend_from_slice(list);
                Ok(())
            }
            LevelShare::Bits(set, words) => {
                ids.clear();
                ids.extend(
                    set.ranks_in(words.clone())
                        .map(|rank| I::from_words(&[rank, 0])),
                );
                Ok(())
            }
            LevelShare::Block(block) => self.unpack_block(block, ids),
        }
    }

    /// The smallest of some sorted states that are in the level. In a file, only the blocks that
    /// can hold one are read.
    pub(crate) fn smallest_of(&self, wanted: &[I]) -> Result<Option<I>> {
        let mut wanted_ids = wanted.iter().copied();
        match &self.body {
            Body::List(list) => Ok(wanted_ids.find(|id| list.binary_search(id).is_ok())),
            Body::Bits(set) => Ok(wanted_ids.find(|id| set.contains(id.to_u128() as u64))),
            Body::Packed(_) | Body::File(_) => self.smallest_in_blocks(wanted),
        }
    }

    fn smallest_in_blocks(&self, wanted: &[I]) -> Result<Option<I>> {
        let may_hold = |(first, last): (u128, u128)| {
            let at = wanted.partition_point(|code| code.to_u128() < first);
            wanted.get(at).is_some_and(|code| code.to_u128() <= last)
        };
        let mut blocks = self.read()?;
        let mut codes: Vec<I> = Vec::new();
        let mut smallest: Option<I> = None;
        while let Some(piece) = blocks.next_that(&may_hold)? {
            self.unpack(&piece, &mut codes)?;
            let held = wanted
                .iter()
                .copied()
                .filter(|code| codes.binary_search(code).is_ok());
            smallest = smallest.into_iter().chain(held).min();
        }
        Ok(smallest)
    }

    fn unpack_block(&self, block: &KeyBlock, ids: &mut Vec<I>) -> Result<()> {
        match block.unpack(ids) {
            true => Ok(()),
            false => Err(EngineError::damaged(
                self.file().unwrap_or(Path::new("memory")),
                "a block does not unpack",
            )),
        }
    }

    /// Copies the blocks into a file, which then replaces them.
    pub(crate) fn move_to(&mut self, path: &Path) -> Result<()> {
        if let Some(body) = self.copy_to(path)? {
            self.body = body;
        }
        Ok(())
    }

    /// Copies the blocks into a file, unless they are in one.
    pub(crate) fn copy_to(&self, path: &Path) -> Result<Option<Body<I>>> {
        let Body::Packed(blocks) = &self.body else {
            return Ok(None);
        };
        let mut writer = Writer::to_file(path)?;
        writer.append(blocks)?;
        writer.close().map(Some)
    }
}

/// States of a list in a piece.
const LIST_PIECE: usize = 1 << 10;
/// Words of a set of bits in a piece.
const BITS_PIECE: usize = 1 << 8;

/// Some states of a level: the unit of work of a thread.
pub(crate) enum LevelShare<'a, I> {
    List(&'a [I]),
    Bits(&'a RankSet, Range<usize>),
    Block(Cow<'a, KeyBlock>),
}

/// The remaining pieces of a level.
pub(crate) enum Pieces<'a, I> {
    List(&'a [I]),
    /// From this word on.
    Bits(&'a RankSet, usize),
    Packed(&'a [KeyBlock]),
    File(BufReader<File>, &'a Path),
}

impl<'a, I: Key> Pieces<'a, I> {
    /// At most `most` more pieces; none at the end.
    pub(crate) fn next_slab(&mut self, most: usize) -> Result<Vec<LevelShare<'a, I>>> {
        let mut slab = Vec::new();
        while slab.len() < most {
            match self.next_that(&|_| true)? {
                Some(piece) => slab.push(piece),
                None => break,
            }
        }
        Ok(slab)
    }

    /// The next piece; of packed blocks, the next with a wanted range.
    fn next_that(
        &mut self,
        wanted: &dyn Fn((u128, u128)) -> bool,
    ) -> Result<Option<LevelShare<'a, I>>> {
        match self {
            Self::List(list) => {
                let (piece, rest) = list.split_at(list.len().min(LIST_PIECE));
                *list = rest;
                Ok((!piece.is_empty()).then_some(LevelShare::List(piece)))
            }
            Self::Bits(set, at) => {
                let words = *at..set.words().len().min(*at + BITS_PIECE);
                *at = words.end;
                Ok((!words.is_empty()).then_some(LevelShare::Bits(set, words)))
            }
            Self::Packed(blocks) => {
                let at = blocks.iter().position(|block| wanted(block.range()));
                let Some(at) = at else { return Ok(None) };
                let found = &blocks[at];
                *blocks = &blocks[at + 1..];
                Ok(Some(LevelShare::Block(Cow::Borrowed(found))))
            }
            Self::File(file, path) => {
                let block = next_in_file(file, wanted);
                let block = block.map_err(|error| damage(path, &error))?;
                Ok(block.map(|block| LevelShare::Block(Cow::Owned(block))))
            }
        }
    }
}

fn next_in_file(
    file: &mut BufReader<File>,
    wanted: &dyn Fn((u128, u128)) -> bool,
) -> io::Result<Option<KeyBlock>> {
    while let Some(head) = Head::read(file)? {
        if wanted(head.block.range()) {
            return head.finish(file).map(Some);
        }
        file.seek_relative(head.length as i64)?;
    }
    Ok(None)
}

fn damage(path: &Path, error: &io::Error) -> EngineError {
    let what = match error.kind() {
        ErrorKind::InvalidData => "a checksum does not match",
        ErrorKind::UnexpectedEof => "it is cut short",
        ErrorKind::NotFound => "it is missing",
        _ => return EngineError::io(path, error),
    };
    EngineError::damaged(path, what)
}

// How a level is written.

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
    pub(crate) fn to_file(path: &Path) -> Result<Self> {
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
    pub(crate) fn add(&mut self, ids: Vec<I>) -> Result<()> {
        self.states += ids.len() as u64;
        if let Sink::List(list, Some(size)) = &mut self.sink
            && self.states > (*size / LISTED_SHARE).max(LEAST_BITS)
        {
            let set = RankSet::new(*size);
            let set = set.map_err(|error| EngineError::no_memory(RankSet::bytes(*size), &error))?;
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
    fn run(&mut self) -> Result<()> {
        let mut pending = std::mem::take(&mut self.pending);
        pending.par_sort_unstable();
        let blocks = parallel::map(pending.chunks(MOST), KeyBlock::pack);
        self.append(&blocks)?;
        pending.clear();
        self.pending = pending;
        Ok(())
    }

    fn append(&mut self, blocks: &[KeyBlock]) -> Result<()> {
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
    pub(crate) fn finish(mut self, digest: u128) -> Result<LevelStates<I>> {
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

    fn close(self) -> Result<Body<I>> {
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
    parallel::map(ids.chunks(1 << 12), |ids| {
        for id in ids {
            // Whether a state is new was checked before.
            let _new = set.insert(id.to_u128() as u64);
        }
    });
}
