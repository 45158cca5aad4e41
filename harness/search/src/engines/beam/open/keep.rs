//! The levels of the current pass, for path reconstruction and for `--resume`.

use std::path::PathBuf;

use antipode_graph::Graph;
use puzzle_api::Key;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::learned::Fitted;
use crate::digest::{key_text, keys_from_texts, sum_of};
use crate::engines::beam::BeamOptions;
use crate::error::{EngineError, Result};
use crate::level::{LevelRecord, LevelStates, Writer};
use crate::question::Goal;
use crate::reconstruct_path::SideLevels;
use crate::steps::{DirectionSteps, Keys};
use crate::work::{FolderPlace, JournalPiece, Subject, WorkFolder};

/// Kinds of pieces in the journal: a finished pass.
const PASS: &str = "pass";
/// A finished level of the current pass.
const LEVEL: &str = "level";
/// Data learned after a pass, recorded before the pass.
pub(super) const LEARNED: &str = "learned";
/// Depth of all levels around the start from which passes begin; their folder is next to this one.
/// 0 if no pass begins from them.
pub(super) const BASE: &str = "base";
/// The path that shortening the paths produced, by its keys.
pub(super) const SHORTENED: &str = "shortened";

/// A finished pass.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PassPiece {
    pub(super) width: u64,
    pub(super) expanded: u64,
    /// Keys of the path that was found, in hexadecimal digits; empty for none.
    pub(super) keys: Vec<String>,
}

/// The data learned after a pass.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct LearnedPiece {
    /// To the goal.
    pub(super) distance: Fitted,
    /// Keys of a path that was found in passing, in hexadecimal digits; empty for none.
    pub(super) keys: Vec<String>,
    pub(super) expanded: u64,
}

/// The finished work in a work folder.
pub(super) struct Finished<K> {
    pub(super) passes: Vec<PassPiece>,
    /// States expanded for learning.
    pub(super) expanded: u64,
    /// The guide of the next pass.
    pub(super) learned: Option<Fitted>,
    /// The depth of the levels from which it begins, 0 for none; `None` if not yet determined.
    pub(super) base: Option<u16>,
    /// Number of times that the paths were shortened.
    pub(super) shortenings: u64,
    /// Paths of both, in the order in which they were found. Of equal ones the first counts, so a
    /// halted search takes the same one as an unhalted search.
    pub(super) paths: Vec<Vec<K>>,
}

impl<K: Key> Finished<K> {
    const NONE: Self = Self {
        passes: Vec::new(),
        expanded: 0,
        learned: None,
        base: None,
        shortenings: 0,
        paths: Vec::new(),
    };

    fn of(pieces: &[JournalPiece]) -> Self {
        let mut finished = Self::NONE;
        // Learned data count once their pass is finished; else they are learned again.
        let mut learned: Option<LearnedPiece> = None;
        for piece in pieces {
            let path = if let Some(pass) = piece.read::<PassPiece>(PASS) {
                let path = keys_from_texts(&pass.keys);
                finished.passes.push(pass);
                if let Some(learned) = learned.take() {
                    let path = keys_from_texts(&learned.keys);
                    finished.expanded += learned.expanded;
                    finished.learned = Some(learned.distance);
                    finished
                        .paths
                        .extend(Some(path).filter(|path| !path.is_empty()));
                }
                path
            } else if let Some(piece) = piece.read::<LearnedPiece>(LEARNED) {
                learned = Some(piece);
                continue;
            } else if let Some(piece) = piece.read::<u16>(BASE) {
                finished.base = Some(piece);
                continue;
            } else if let Some(shortened) = piece.read::<Vec<String>>(SHORTENED) {
                finished.shortenings += 1;
                keys_from_texts(&shortened)
            } else {
                continue;
            };
            if !path.is_empty() {
                finished.paths.push(path);
            }
        }
        finished
    }
}

/// A finished level of the current pass.
#[derive(Debug, Serialize, Deserialize)]
struct LevelPiece {
    pass: u64,
    #[serde(flatten)]
    level: LevelRecord,
    /// Whether it holds all neighbours of the level before.
    whole: bool,
}

/// Levels of the current pass.
pub(super) struct PassLevels<K> {
    folder: Option<WorkFolder>,
    /// Passes that are finished.
    passes: u64,
    /// Each has the digest that was recorded: a file may belong to another level.
    levels: Vec<LevelStates<K>>,
    /// Whether each of them holds all neighbours of the level before.
    whole: Vec<bool>,
    /// The depth of the first of them; if it is not 0, they are not whole.
    pub(super) first: usize,
}

impl<K: Key> PassLevels<K> {
    /// Levels in memory, of a pass that is never resumed.
    pub(super) fn in_memory() -> Self {
        Self {
            folder: None,
            passes: 0,
            levels: Vec::new(),
            whole: Vec::new(),
            first: 0,
        }
    }

    /// Opens the folder, if there is one, and returns the finished work there.
    pub(super) fn open(
        graph: &Graph<K>,
        start: K,
        goal: &Goal<K>,
        options: &BeamOptions,
    ) -> Result<(Self, Finished<K>)> {
        let mut kept = Self::in_memory();
        let Some(path) = &options.work else {
            return Ok((kept, Finished::NONE));
        };
        let to = goal.state().map(key_text);
        let identity = json!({
            "engine": "beam",
            "subject": Subject::of(&graph.opened),
            "from": key_text(start),
            "to": to,
            "seed": options.seed,
            "first_width": options.first_width,
            "most_width": options.most_width,
        });
        let (folder, pieces) =
            WorkFolder::open(&FolderPlace::work(path, options.resume), &identity)?;
        let finished = Finished::of(&pieces);
        kept.passes = finished.passes.len() as u64;
        kept.take_up(&folder, &pieces);
        folder.sweep(&|name| kept.depths().any(|depth| name == file_name(depth)))?;
        kept.folder = Some(folder);
        Ok((kept, finished))
    }

    /// The levels of the current pass, as far as they follow each other. Levels after one that was
    /// remade because of damage are those made after it.
    fn take_up(&mut self, folder: &WorkFolder, pieces: &[JournalPiece]) {
        for level in pieces
            .iter()
            .filter_map(|piece| piece.read::<LevelPiece>(LEVEL))
        {
            if level.pass != self.passes {
                continue;
            }
            let depth = level.level.depth;
            if self.levels.is_empty() {
                self.first = depth;
            }
            if self.depths().contains(&depth) {
                self.cut(depth);
            }
            if depth == self.depths().end {
                self.whole.push(level.whole);
                let file = folder.path().join(file_name(depth));
                self.levels.push(level.level.level(file));
            }
        }
    }

    /// The depths of the finished levels of the current pass.
    pub(super) fn depths(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.levels.len()
    }

    /// Forgets the levels from a depth onward.
    pub(super) fn cut(&mut self, depth: usize) {
        let left = depth.saturating_sub(self.first);
        self.levels.truncate(left);
        self.whole.truncate(left);
    }

    /// Forgets the levels of the current pass, which starts again.
    pub(super) fn forget(&mut self) {
        self.cut(0);
        self.first = 0;
    }

    /// The folder, if there is one.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path().to_owned())
    }

    /// Whether the current pass has left out no state.
    pub(super) fn is_whole(&self) -> bool {
        self.first == 0 && self.whole.iter().all(|&whole| whole)
    }

    /// Adds a level, which is whole if no state was left out.
    pub(super) fn add(&mut self, keys: &[K], whole: bool) -> Result<()> {
        let depth = self.depths().end;
        let mut writer = match &self.folder {
            Some(folder) => Writer::to_file(&folder.path().join(file_name(depth)))?,
            None => Writer::to_memory(),
        };
        writer.add(keys.to_vec())?;
        let level = writer.finish(self.folder.as_ref().map_or(0, |_| sum_of(keys)))?;
        let piece = LevelPiece {
            pass: self.passes,
            level: LevelRecord::of(depth, &level),
            whole,
        };
        self.finish(LEVEL, &piece)?;
        self.levels.push(level);
        self.whole.push(whole);
        Ok(())
    }

    /// The states of a level.
    pub(super) fn read(&self, depth: usize) -> Result<Vec<K>> {
        let level = &self.levels[depth - self.first];
        let all = level.all()?;
        match level.file().filter(|_| sum_of(&all) != level.digest) {
            Some(path) => Err(EngineError::damaged(
                path,
                "its states are not those written",
            )),
            None => Ok(all),
        }
    }

    /// Records the current pass, whose levels are no longer needed.
    pub(super) fn finish_pass(&mut self, piece: &PassPiece) -> Result<()> {
        self.forget();
        self.passes += 1;
        self.finish(PASS, piece)?;
        match &self.folder {
            Some(folder) => folder.sweep(&|_| false),
            None => Ok(()),
        }
    }

    /// Records a piece of some kind, if there is a folder.
    pub(super) fn finish(&self, kind: &str, piece: &impl Serialize) -> Result<()> {
        match &self.folder {
            Some(folder) => folder.finish(kind, piece),
            None => Ok(()),
        }
    }

    /// The states of a path from the first level to a depth, one per level.
    pub(super) fn way_to(&self, graph: &Graph<K>, state: K, depth: usize) -> Result<Vec<K>> {
        let behind = (depth - self.first) as u32;
        let ways = [
            Some(DirectionSteps::FORWARD),
            DirectionSteps::backward(graph),
        ];
        let mut levels = SideLevels::new(graph, &Keys, ways, &self.levels);
        let mut way = levels.reconstruct_path(state, Some(behind))?;
        way.reverse();
        Ok(way)
    }
}

fn file_name(depth: usize) -> String {
    format!("forward-{depth}.level")
}
