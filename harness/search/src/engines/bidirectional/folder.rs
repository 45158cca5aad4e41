//! The work folder: a file per finished level, and their contents in the journal. A run that was
//! killed at any moment continues after the last of them, on either side.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use puzzle_api::Key;
use serde::{Deserialize, Serialize};

use super::Side;
use crate::error::EngineError;
use crate::level::{Body, LevelStates};
use crate::work::{FolderPlace, WorkFolder};

/// Kind of a piece in the journal: levels of a side.
const LEVELS: &str = "levels";

/// The record of a finished level: it and the one before it, so that the next line repeats what a
/// damaged line of the journal loses.
#[derive(Debug, Serialize, Deserialize)]
struct Recorded {
    side: Side,
    /// Number of levels of the side that are valid from here on; fewer than before if one was damaged.
    finished: usize,
    levels: Vec<FinishedLevel>,
}

/// A finished level.
#[derive(Debug, Serialize, Deserialize)]
struct FinishedLevel {
    depth: usize,
    states: u64,
    digest: String,
    bytes: u64,
}

/// Finished levels of both sides, each from its roots on.
pub(super) type BothSides<I> = [Vec<LevelStates<I>>; 2];

/// An open work folder, locked against other runs.
#[derive(Debug)]
pub(super) struct Folder {
    folder: WorkFolder,
}

impl Folder {
    /// Opens a folder, and returns the levels that are finished there, by side. Damage to their
    /// files is detected when they are read.
    ///
    /// # Errors
    /// A folder that cannot be written, that holds another search, or that holds this
    /// one without `resume`.
    pub(super) fn open<I: Key>(
        path: &Path,
        identity: &impl Serialize,
        resume: bool,
    ) -> Result<(Self, BothSides<I>), EngineError> {
        let (folder, pieces) = WorkFolder::open(&FolderPlace::work(path, resume), identity)?;
        let mut levels: [BTreeMap<usize, LevelStates<I>>; 2] = Default::default();
        for recorded in pieces
            .iter()
            .filter_map(|piece| piece.read::<Recorded>(LEVELS))
        {
            let side = &mut levels[recorded.side as usize];
            side.retain(|depth, _| *depth < recorded.finished);
            for entry in recorded.levels {
                let file = file_in(path, recorded.side, entry.depth);
                side.insert(entry.depth, entry.level(file));
            }
        }
        // Depths must follow each other: levels after a gap are useless.
        let levels = levels.map(|side| {
            let follow = side.into_iter().zip(0..);
            let follow = follow.take_while(|((depth, _), wanted)| depth == wanted);
            follow.map(|((_, level), _)| level).collect::<Vec<_>>()
        });
        let kept: Vec<&Path> = levels
            .iter()
            .flatten()
            .filter_map(LevelStates::file)
            .collect();
        folder.sweep(|name| kept.iter().any(|file| file.ends_with(name)))?;
        Ok((Self { folder }, levels))
    }

    /// Where the folder is.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Name of a level's file.
    pub(super) fn file(&self, side: Side, depth: usize) -> PathBuf {
        file_in(self.path(), side, depth)
    }

    /// Records the last of some levels of a side, which begin at `first` and whose files are
    /// finished; `count` of them count from here on.
    pub(super) fn record<I: Key>(
        &self,
        side: Side,
        count: usize,
        (first, levels): (usize, &[&LevelStates<I>]),
    ) -> Result<(), EngineError> {
        let levels = levels.iter().zip(first..);
        let recorded = Recorded {
            side,
            finished: count,
            levels: levels
                .map(|(level, depth)| FinishedLevel::of(depth, level))
                .collect(),
        };
        self.folder.finish(LEVELS, &recorded)
    }
}

impl FinishedLevel {
    fn of<I: Key>(depth: usize, level: &LevelStates<I>) -> Self {
        Self {
            depth,
            states: level.states,
            digest: crate::digest::hex(level.digest),
            bytes: level.bytes,
        }
    }

    fn level<I: Key>(&self, file: PathBuf) -> LevelStates<I> {
        LevelStates {
            states: self.states,
            digest: u128::from_str_radix(&self.digest, 16).unwrap_or_default(),
            bytes: self.bytes,
            body: Body::File(file),
        }
    }
}

fn file_in(folder: &Path, side: Side, depth: usize) -> PathBuf {
    folder.join(format!("{}-{depth:05}.level", side.name()))
}
