//! One finished level of a ball, in memory or in a file, and how it is written.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};

use puzzle_api::Key;
use rayon::prelude::*;

use super::block::{Block, Head, MOST};
use crate::work::WorkError;

/// The states of a level as runs of blocks: rising within a run, each state once in all.
#[derive(Debug)]
pub(super) struct Level {
    /// Number of states.
    pub(super) states: u64,
    /// Wrapping sum of the hashes of their keys.
    pub(super) digest: u128,
    /// Bytes of all blocks.
    pub(super) bytes: u64,
    pub(super) body: Body,
}

/// Where the blocks are.
#[derive(Debug)]
pub(super) enum Body {
    Memory(Vec<Block>),
    File(PathBuf),
}

/// A file that was cut between two blocks shows no other damage.
fn check_length(path: &Path, file: &File, bytes: u64) -> Result<(), WorkError> {
    let found = file
        .metadata()
        .map_err(|error| WorkError::io(path, &error))?;
    match found.len() == bytes {
        true => Ok(()),
        false => {
            let what = format!("{} bytes, where {bytes} were written", found.len());
            Err(WorkError::damaged(path, what))
        }
    }
}

impl Level {
    /// The file, where the blocks are in one.
    pub(super) fn file(&self) -> Option<&Path> {
        match &self.body {
            Body::Memory(_) => None,
            Body::File(path) => Some(path),
        }
    }

    /// The blocks from the first on.
    pub(super) fn read(&self) -> Result<Blocks<'_>, WorkError> {
        match &self.body {
            Body::Memory(blocks) => Ok(Blocks::Memory(blocks)),
            Body::File(path) => {
                let file = File::open(path).map_err(|error| damage(path, &error))?;
                check_length(path, &file, self.bytes)?;
                Ok(Blocks::File(BufReader::with_capacity(1 << 20, file), path))
            }
        }
    }

    /// The smallest of some rising numbers that the level holds. Of a file, only the
    /// blocks that can hold one are read.
    pub(super) fn smallest_of<C: Key>(&self, wanted: &[C]) -> Result<Option<C>, WorkError> {
        let may_hold = |(first, last): (u128, u128)| {
            let at = wanted.partition_point(|code| code.to_u128() < first);
            wanted.get(at).is_some_and(|code| code.to_u128() <= last)
        };
        let mut blocks = self.read()?;
        let mut codes: Vec<C> = Vec::new();
        let mut smallest: Option<C> = None;
        while let Some(block) = blocks.next_that(&may_hold)? {
            unpack(&block, &mut codes, self)?;
            let held = wanted
                .iter()
                .copied()
                .filter(|code| codes.binary_search(code).is_ok());
            smallest = smallest.into_iter().chain(held).min();
        }
        Ok(smallest)
    }

    /// Copies the blocks into a file, which then stands in for them.
    pub(super) fn move_to(&mut self, path: &Path) -> Result<(), WorkError> {
        if let Some(body) = self.copy_to(path)? {
            self.body = body;
        }
        Ok(())
    }

    /// Copies the blocks into a file, unless they are in one.
    pub(super) fn copy_to(&self, path: &Path) -> Result<Option<Body>, WorkError> {
        let Body::Memory(blocks) = &self.body else {
            return Ok(None);
        };
        let mut writer = Writer::to_file(path)?;
        writer.append(blocks, u64::MAX)?;
        writer.close().map(Some)
    }
}

/// The numbers of a block.
pub(super) fn unpack<C: Key>(
    block: &Block,
    codes: &mut Vec<C>,
    level: &Level,
) -> Result<(), WorkError> {
    match block.unpack(codes) {
        true => Ok(()),
        false => Err(WorkError::damaged(
            level.file().unwrap_or(Path::new("memory")),
            "a block does not unpack",
        )),
    }
}

/// The blocks of a level that are still to come.
pub(super) enum Blocks<'a> {
    Memory(&'a [Block]),
    File(BufReader<File>, &'a Path),
}

impl<'a> Blocks<'a> {
    /// At most `most` more blocks; none at the end.
    pub(super) fn next_slab(&mut self, most: usize) -> Result<Vec<Cow<'a, Block>>, WorkError> {
        let mut slab = Vec::new();
        while slab.len() < most {
            match self.next_that(&|_| true)? {
                Some(block) => slab.push(block),
                None => break,
            }
        }
        Ok(slab)
    }

    /// The next block whose range is wanted.
    fn next_that(
        &mut self,
        wanted: &dyn Fn((u128, u128)) -> bool,
    ) -> Result<Option<Cow<'a, Block>>, WorkError> {
        match self {
            Self::Memory(blocks) => {
                let at = blocks.iter().position(|block| wanted(block.range()));
                let Some(at) = at else { return Ok(None) };
                let found = &blocks[at];
                *blocks = &blocks[at + 1..];
                Ok(Some(Cow::Borrowed(found)))
            }
            Self::File(file, path) => {
                let block = next_in_file(file, wanted);
                let block = block.map_err(|error| damage(path, &error))?;
                Ok(block.map(Cow::Owned))
            }
        }
    }
}

fn next_in_file(
    file: &mut BufReader<File>,
    wanted: &dyn Fn((u128, u128)) -> bool,
) -> io::Result<Option<Block>> {
    while let Some(head) = Head::read(file)? {
        if wanted(head.range()) {
            return head.finish(file).map(Some);
        }
        file.seek_relative(head.payload_bytes() as i64)?;
    }
    Ok(None)
}

fn damage(path: &Path, error: &io::Error) -> WorkError {
    let what = match error.kind() {
        ErrorKind::InvalidData => "a checksum does not match",
        ErrorKind::UnexpectedEof => "it is cut short",
        ErrorKind::NotFound => "it is missing",
        _ => return WorkError::io(path, error),
    };
    WorkError::damaged(path, what)
}

/// Writes a level: runs in, blocks out.
pub(super) struct Writer {
    states: u64,
    bytes: u64,
    sink: Sink,
}

enum Sink {
    Memory(Vec<Block>),
    File {
        part: tempfile::TempPath,
        out: BufWriter<File>,
        path: PathBuf,
    },
}

impl Writer {
    /// Keeps the level in memory.
    pub(super) fn to_memory() -> Self {
        Self {
            states: 0,
            bytes: 0,
            sink: Sink::Memory(Vec::new()),
        }
    }

    /// Writes the level to a file, which takes its name when it is finished.
    pub(super) fn to_file(path: &Path) -> Result<Self, WorkError> {
        let part = path.with_extension("part");
        let failed = |error: io::Error| WorkError::io(path, &error);
        let file = File::create(&part).map_err(failed)?;
        Ok(Self {
            states: 0,
            bytes: 0,
            sink: Sink::File {
                // Removed again unless the level is finished.
                part: tempfile::TempPath::try_from_path(part).map_err(failed)?,
                out: BufWriter::with_capacity(1 << 20, file),
                path: path.to_owned(),
            },
        })
    }

    /// Sorts numbers and appends them as a run; at most `room` bytes.
    ///
    /// # Errors
    /// [`WorkError::Disk`] where they need more; [`WorkError::Io`].
    pub(super) fn run<C: Key>(&mut self, codes: &mut [C], room: u64) -> Result<(), WorkError> {
        codes.par_sort_unstable();
        let blocks: Vec<Block> = codes.par_chunks(MOST).map(Block::pack).collect();
        self.append(&blocks, room)
    }

    fn append(&mut self, blocks: &[Block], room: u64) -> Result<(), WorkError> {
        let more: u64 = blocks.iter().map(Block::bytes).sum();
        match &mut self.sink {
            Sink::Memory(all) => all.extend_from_slice(blocks),
            Sink::File { part, out, .. } => {
                if more > room {
                    return Err(WorkError::Disk(format!(
                        "{}: the level in hand needs more than the disk space allowed; what is finished is kept: free some space or allow more with --disk, and go on with --resume",
                        part.display()
                    )));
                }
                for block in blocks {
                    let written = block.write(out);
                    written.map_err(|error| WorkError::io(part, &error))?;
                }
            }
        }
        self.bytes += more;
        self.states += blocks.iter().map(Block::count).sum::<u64>();
        Ok(())
    }

    /// States so far.
    pub(super) fn states(&self) -> u64 {
        self.states
    }

    /// Bytes so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The level, safe on disk where it is a file.
    pub(super) fn finish(self, digest: u128) -> Result<Level, WorkError> {
        let (states, bytes) = (self.states, self.bytes);
        Ok(Level {
            states,
            digest,
            bytes,
            body: self.close()?,
        })
    }

    fn close(self) -> Result<Body, WorkError> {
        let (part, out, path) = match self.sink {
            Sink::Memory(blocks) => return Ok(Body::Memory(blocks)),
            Sink::File { part, out, path } => (part, out, path),
        };
        let failed = |error: io::Error| WorkError::io(&path, &error);
        let file = out
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)?;
        part.persist(&path).map_err(|error| failed(error.error))?;
        Ok(Body::File(path))
    }
}
