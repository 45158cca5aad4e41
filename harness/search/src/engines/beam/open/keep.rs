//! The levels of the current pass, for path reconstruction and for `--resume`.

use puzzle_api::Key;
use serde::{Deserialize, Serialize};

use super::learned::Fitted;
use crate::digest::{hex, sum_of};
use crate::engines::beam::Options;
use crate::error::EngineError;
use crate::key_text::{key_from_text, key_text};
use crate::level::{Body, Level, Writer};
use crate::question::Goal;
use crate::steps::Steps;
use crate::way_back::{KeptLevels, rising, way_back};
use crate::work::{Piece, Place, Start, Subject, WorkFolder};
use antipode_graph::{Expansion, Graph};
use std::path::PathBuf;

/// A finished pass.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PassPiece {
    pub(super) width: u64,
    pub(super) expanded: u64,
    /// Keys of the path that it found, in hexadecimal digits; empty for none.
    keys: Vec<String>,
}

impl PassPiece {
    pub(super) fn new<K: Key>(width: usize, expanded: u64, path: &[K]) -> Self {
        Self {
            width: width as u64,
            expanded,
            keys: texts(path),
        }
    }

    pub(super) fn path<K: Key>(&self) -> Vec<K> {
        keys(&self.keys)
    }
}

/// The result of shortening the paths.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ShortenedPiece {
    /// Keys of the path, in hexadecimal digits.
    keys: Vec<String>,
}

impl ShortenedPiece {
    pub(super) fn new<K: Key>(path: &[K]) -> Self {
        Self { keys: texts(path) }
    }

    pub(super) fn path<K: Key>(&self) -> Vec<K> {
        keys(&self.keys)
    }
}

fn texts<K: Key>(path: &[K]) -> Vec<String> {
    path.iter().map(|&key| key_text(key)).collect()
}

fn keys<K: Key>(texts: &[String]) -> Vec<K> {
    let keys = texts.iter();
    keys.filter_map(|key| key_from_text(key)).collect()
}

/// What was learned after a pass, recorded before the pass.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct LearnedPiece {
    /// To the goal.
    pub(super) distance: Fitted,
    /// Keys of a path that was met with on the way, in hexadecimal digits; empty for none.
    keys: Vec<String>,
    expanded: u64,
}

impl LearnedPiece {
    pub(super) fn new<K: Key>(distance: &Fitted, expanded: u64, path: &[K]) -> Self {
        Self {
            distance: distance.clone(),
            keys: texts(path),
            expanded,
        }
    }
}

/// How deep all levels around the start go that passes begin with, whose folder is next to this
/// one; 0 if no pass does.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct BasePiece {
    depth: u16,
}

/// What is finished in a work folder.
#[derive(Debug)]
pub(super) struct Finished<K> {
    pub(super) passes: Vec<PassPiece>,
    /// States expanded to learn something.
    pub(super) expanded: u64,
    /// What the next pass uses.
    pub(super) learned: Option<Fitted>,
    /// The depth of the levels that it begins with, 0 for none; `None` if nobody asked yet.
    pub(super) base: Option<u16>,
    /// Times that the paths were shortened.
    pub(super) shortenings: u64,
    /// Paths of both, as they were found one after the other: of equal ones the first counts, so
    /// a search that was halted takes the one that it would have taken.
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

    fn of(pieces: &[Piece]) -> Self {
        let mut finished = Self::NONE;
        // What was learned counts once its pass is finished: else it is learned again.
        let mut learned: Option<LearnedPiece> = None;
        for piece in pieces {
            let path = if let Some(pass) = piece.read::<PassPiece>("pass") {
                let path = pass.path();
                finished.passes.push(pass);
                if let Some(learned) = learned.take() {
                    let path = keys(&learned.keys);
                    finished.expanded += learned.expanded;
                    finished.learned = Some(learned.distance);
                    finished
                        .paths
                        .extend(Some(path).filter(|path| !path.is_empty()));
                }
                path
            } else if let Some(piece) = piece.read::<LearnedPiece>("learned") {
                learned = Some(piece);
                continue;
            } else if let Some(piece) = piece.read::<BasePiece>("base") {
                finished.base = Some(piece.depth);
                continue;
            } else if let Some(shortened) = piece.read::<ShortenedPiece>("shortened") {
                finished.shortenings += 1;
                shortened.path()
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

/// A finished level of the pass in hand.
#[derive(Debug, Serialize, Deserialize)]
struct LevelPiece {
    pass: u64,
    depth: u64,
    states: u64,
    bytes: u64,
    /// The digest of its keys; `None` if an older version wrote it.
    #[serde(default)]
    digest: Option<String>,
    /// Whether it holds everything that the level before leads to.
    whole: bool,
}

/// The digest of the keys of a level.
fn digest_of<K: Key>(keys: &[K]) -> String {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    hex(sum_of(keys, &mut low, &mut high))
}

/// What a run is; another must not resume from its levels.
#[derive(Serialize)]
struct Identity {
    engine: &'static str,
    subject: Subject,
    from: String,
    to: Option<String>,
    seed: u64,
    first_width: usize,
    most_width: usize,
}

/// Levels of the pass in hand.
pub(super) struct Kept<K> {
    folder: Option<WorkFolder>,
    /// Passes that are finished.
    passes: u64,
    levels: Vec<KeptLevel<K>>,
    /// The depth of the first of them.
    first: usize,
}

/// A level of the pass in hand.
#[derive(Debug)]
struct KeptLevel<K> {
    level: Level<K>,
    /// The digest that was recorded: a file may be that of another level.
    digest: Option<String>,
    /// Whether it holds everything that the level before leads to.
    whole: bool,
}

impl<K: Key> Kept<K> {
    /// Levels in memory, of a pass that nobody resumes.
    pub(super) fn in_memory() -> Self {
        Self {
            folder: None,
            passes: 0,
            levels: Vec::new(),
            first: 0,
        }
    }

    /// Opens the folder, if there is one, and returns what is finished there.
    pub(super) fn open(
        graph: &Graph<K>,
        start: K,
        goal: &Goal<K>,
        options: &Options,
    ) -> Result<(Self, Finished<K>), EngineError> {
        let mut kept = Self::in_memory();
        let Some(path) = &options.work else {
            return Ok((kept, Finished::NONE));
        };
        let identity = Identity {
            engine: "beam",
            subject: Subject::of(&graph.opened),
            from: key_text(start),
            to: match goal {
                Goal::State(key) => Some(key_text(*key)),
                Goal::Solved => None,
            },
            seed: options.seed,
            first_width: options.first_width,
            most_width: options.most_width,
        };
        let place = Place {
            path: path.clone(),
            option: "--work",
            start: match options.resume {
                true => Start::Resume,
                false => Start::New,
            },
        };
        let (folder, pieces) = WorkFolder::open(&place, &identity)?;
        let finished = Finished::of(&pieces);
        kept.passes = finished.passes.len() as u64;
        kept.take_up(&folder, &pieces);
        folder.sweep(|name| kept.depths().any(|depth| name == file_name(depth)))?;
        kept.folder = Some(folder);
        Ok((kept, finished))
    }

    /// The levels of the pass in hand, as far as they follow on each other. Those behind one that
    /// was made anew, since it was damaged, are those that were made after it.
    fn take_up(&mut self, folder: &WorkFolder, pieces: &[Piece]) {
        for level in pieces
            .iter()
            .filter_map(|piece| piece.read::<LevelPiece>("level"))
        {
            if level.pass != self.passes {
                continue;
            }
            let depth = level.depth as usize;
            if self.levels.is_empty() {
                self.first = depth;
            }
            if self.depths().contains(&depth) {
                self.cut(depth);
            }
            if depth == self.depths().end {
                let path = folder.path().join(file_name(depth));
                self.levels.push(KeptLevel {
                    level: Level {
                        states: level.states,
                        digest: 0,
                        bytes: level.bytes,
                        body: Body::File(path),
                    },
                    digest: level.digest,
                    whole: level.whole,
                });
            }
        }
    }

    /// The depths of the finished levels of the pass in hand.
    pub(super) fn depths(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.levels.len()
    }

    /// Sets the depth at which the current pass begins; it has no levels yet, and they are not whole.
    pub(super) fn begin_at(&mut self, depth: usize) {
        self.first = depth;
    }

    /// Forgets the levels from a depth on.
    pub(super) fn cut(&mut self, depth: usize) {
        self.levels.truncate(depth.saturating_sub(self.first));
    }

    /// Forgets the levels of the pass in hand, which begins anew.
    pub(super) fn forget(&mut self) {
        self.levels.clear();
        self.first = 0;
    }

    /// The folder, if there is one.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path().to_owned())
    }

    /// Whether no state of the pass in hand was turned away.
    pub(super) fn is_whole(&self) -> bool {
        self.first == 0 && self.levels.iter().all(|kept| kept.whole)
    }

    /// Adds a level, which is whole if no state was turned away.
    pub(super) fn add(&mut self, keys: &[K], whole: bool) -> Result<(), EngineError> {
        let depth = self.depths().end;
        let mut writer = match &self.folder {
            Some(folder) => Writer::to_file(&folder.path().join(file_name(depth)))?,
            None => Writer::to_memory(),
        };
        writer.add(keys.to_vec())?;
        let level = writer.finish(0)?;
        let digest = self.folder.as_ref().map(|_| digest_of(keys));
        if let Some(folder) = &self.folder {
            folder.finish(
                "level",
                &LevelPiece {
                    pass: self.passes,
                    depth: depth as u64,
                    states: level.states,
                    bytes: level.bytes,
                    digest: digest.clone(),
                    whole,
                },
            )?;
        }
        self.levels.push(KeptLevel {
            level,
            digest,
            whole,
        });
        Ok(())
    }

    /// The states of a level.
    pub(super) fn read(&self, depth: usize) -> Result<Vec<K>, EngineError> {
        let KeptLevel { level, digest, .. } = &self.levels[depth - self.first];
        let (mut pieces, mut some, mut all) = (level.read()?, Vec::new(), Vec::new());
        while let Some(piece) = pieces.next_slab(1)?.first() {
            level.unpack(piece, &mut some)?;
            all.extend_from_slice(&some);
        }
        let is_other = digest
            .as_ref()
            .is_some_and(|digest| *digest != digest_of(&all));
        match level.file().filter(|_| is_other) {
            Some(path) => Err(EngineError::damaged(
                path,
                "its states are not those written",
            )),
            None => Ok(all),
        }
    }

    /// Records the current pass, whose levels are no longer needed.
    pub(super) fn finish_pass(&mut self, piece: &PassPiece) -> Result<(), EngineError> {
        self.forget();
        self.passes += 1;
        if let Some(folder) = &self.folder {
            folder.finish("pass", piece)?;
            folder.sweep(|_| false)?;
        }
        Ok(())
    }

    /// Records what was learned after the pass in hand, which is recorded next.
    pub(super) fn finish_learning(&self, piece: &LearnedPiece) -> Result<(), EngineError> {
        if let Some(folder) = &self.folder {
            folder.finish("learned", piece)?;
        }
        Ok(())
    }

    /// Records how deep the levels go that passes begin with from here on.
    pub(super) fn finish_base(&self, depth: u16) -> Result<(), EngineError> {
        if let Some(folder) = &self.folder {
            folder.finish("base", &BasePiece { depth })?;
        }
        Ok(())
    }

    /// Records the result of shortening.
    pub(super) fn finish_shortening(&self, piece: &ShortenedPiece) -> Result<(), EngineError> {
        if let Some(folder) = &self.folder {
            folder.finish("shortened", piece)?;
        }
        Ok(())
    }

    /// The states from one of the first level to one of a depth, one of each level.
    pub(super) fn way_to(
        &self,
        graph: &Graph<K>,
        state: K,
        depth: usize,
    ) -> Result<Vec<K>, EngineError> {
        let behind = (depth - self.first) as u32;
        let mut way = way_back(&mut Back { kept: self, graph }, state, Some(behind))?;
        way.reverse();
        Ok(way)
    }
}

fn file_name(depth: usize) -> String {
    format!("forward-{depth}.level")
}

/// The levels, against the moves, counted from the first.
struct Back<'a, K> {
    kept: &'a Kept<K>,
    graph: &'a Graph<K>,
}

impl<K: Key> KeptLevels<K> for Back<'_, K> {
    type Error = EngineError;

    fn nearest_below(&self, depth: Option<u32>) -> Option<u32> {
        let below = depth.and_then(|depth| depth.checked_sub(1));
        below.filter(|&depth| (depth as usize) < self.kept.levels.len())
    }

    fn smallest_of(&mut self, depth: u32, wanted: &[K]) -> Result<Option<K>, EngineError> {
        match self.kept.levels.get(depth as usize) {
            Some(kept) => kept.level.smallest_of(wanted),
            None => Ok(None),
        }
    }

    fn against(&mut self, states: &[K]) -> Result<Option<Vec<K>>, EngineError> {
        let Some(back) = Steps::backward(self.graph) else {
            return Ok(None);
        };
        let mut out = Expansion::default();
        back.expand(self.graph, states, &mut out)?;
        Ok(Some(rising(out.keys())))
    }

    fn lost(&self, depth: u32, state: K) -> EngineError {
        let fault = format!("leads from {state:?} to no state of level {depth}");
        self.graph.opened.broken("predecessors", fault).into()
    }
}
