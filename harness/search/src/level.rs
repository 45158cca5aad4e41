//! One finished level of a search, and how it is written: a sorted list or a set of bits in memory,
//! packed in memory, or packed in a file.

mod writer;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};

use antipode_reports::text::regular;
use puzzle_api::Key;

use crate::block::{Head, KeyBlock};
use crate::error::EngineError;
use crate::ranks::RankSet;
pub(crate) use writer::{RUN_STATES, Writer};

/// The states of a level, each once.
#[derive(Debug)]
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
#[derive(Debug)]
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

/// A file that was cut between two blocks shows no other damage.
fn check_length(path: &Path, file: &File, bytes: u64) -> Result<(), EngineError> {
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
    pub(crate) fn read(&self) -> Result<Pieces<'_, I>, EngineError> {
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
    pub(crate) fn all(&self) -> Result<Vec<I>, EngineError> {
        let (mut pieces, mut some, mut all) = (self.read()?, Vec::new(), Vec::new());
        while let Some(piece) = pieces.next_slab(1)?.first() {
            self.unpack(piece, &mut some)?;
            all.extend_from_slice(&some);
        }
        Ok(all)
    }

    /// The states of a piece of this level.
    pub(crate) fn unpack(
        &self,
        piece: &LevelShare<'_, I>,
        ids: &mut Vec<I>,
    ) -> Result<(), EngineError> {
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
    pub(crate) fn smallest_of(&self, wanted: &[I]) -> Result<Option<I>, EngineError> {
        let mut wanted_ids = wanted.iter().copied();
        match &self.body {
            Body::List(list) => Ok(wanted_ids.find(|id| list.binary_search(id).is_ok())),
            Body::Bits(set) => Ok(wanted_ids.find(|id| set.contains(id.to_u128() as u64))),
            Body::Packed(_) | Body::File(_) => self.smallest_in_blocks(wanted),
        }
    }

    fn smallest_in_blocks(&self, wanted: &[I]) -> Result<Option<I>, EngineError> {
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

    fn unpack_block(&self, block: &KeyBlock, ids: &mut Vec<I>) -> Result<(), EngineError> {
        match block.unpack(ids) {
            true => Ok(()),
            false => Err(EngineError::damaged(
                self.file().unwrap_or(Path::new("memory")),
                "a block does not unpack",
            )),
        }
    }

    /// Copies the blocks into a file, which then replaces them.
    pub(crate) fn move_to(&mut self, path: &Path) -> Result<(), EngineError> {
        if let Some(body) = self.copy_to(path)? {
            self.body = body;
        }
        Ok(())
    }

    /// Copies the blocks into a file, unless they are in one.
    pub(crate) fn copy_to(&self, path: &Path) -> Result<Option<Body<I>>, EngineError> {
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
    pub(crate) fn next_slab(&mut self, most: usize) -> Result<Vec<LevelShare<'a, I>>, EngineError> {
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
    ) -> Result<Option<LevelShare<'a, I>>, EngineError> {
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
        if wanted(head.range()) {
            return head.finish(file).map(Some);
        }
        file.seek_relative(head.payload_bytes() as i64)?;
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::Writer;

    proptest! {
        #[test]
        fn every_form_of_a_level_is_the_set_that_was_written(
            states in prop::collection::btree_set(0_u64..200_000, 0..300),
            many: bool,
            run_states in 1_usize..400,
            wanted in prop::collection::btree_set(0_u64..200_000, 0..50),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.level");
            let more = if many { 70_000 } else { 0 };
            let twin: BTreeSet<u64> = states.into_iter().chain(0..more).collect();
            let mut given: Vec<u64> = twin.iter().copied().collect();
            given.reverse();
            let writers = [
                Writer::list(None),
                Writer::list(Some(200_000)),
                Writer::to_memory().within(run_states.max(more as usize / 10), u64::MAX),
                Writer::to_file(&path).unwrap().within(run_states.max(more as usize / 10), u64::MAX),
            ];
            for mut writer in writers {
                for batch in given.chunks(997) {
                    writer.add(batch.to_vec()).unwrap();
                }
                let mut level = writer.finish(7).unwrap();
                prop_assert_eq!((level.states, level.digest), (twin.len() as u64, 7));
                let mut all = level.all().unwrap();
                all.sort_unstable();
                prop_assert_eq!(all, twin.iter().copied().collect::<Vec<_>>());
                let wanted: Vec<u64> = wanted.iter().copied().collect();
                let held = wanted.iter().copied().find(|id| twin.contains(id));
                prop_assert_eq!(level.smallest_of(&wanted).unwrap(), held);
                level.move_to(&folder.path().join("b.level")).unwrap();
                prop_assert_eq!(level.smallest_of(&wanted).unwrap(), held);
            }
        }
    }
}
