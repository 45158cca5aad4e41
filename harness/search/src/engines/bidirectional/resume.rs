//! Resumes from a work folder: enters its levels into the sides, up to the first damaged one.

use std::path::{Path, PathBuf};

use antipode_graph::PluginError;
use puzzle_api::Key;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::search::{BidirectionalSearch, SLAB, empty_visited};
use super::{BidirectionalFolder, BidirectionalOptions, Side, SideTable};
use crate::digest::sum_of;
use crate::error::{EngineError, Result};
use crate::level::{LevelRecord, LevelStates};
use crate::memory::human;
use crate::parallel;
use crate::progress::note;
use crate::steps::Space;
use crate::visited::{Parted, VisitedSet};
use crate::work::{FolderPlace, Subject, WorkFolder};

impl<K: Key, N: Space<K>> BidirectionalSearch<'_, K, N> {
    /// The identity of the search: levels of another one must not be mixed with its own.
    pub(super) fn identity(&self) -> Value {
        let graph = &self.request.graph;
        let draw = |key: K| graph.draw(key).unwrap_or_default();
        let goals = match self.request.goals.as_slice() {
            [goal] => draw(*goal),
            goals => {
                let sum = sum_of(goals);
                format!("{} states, digest {}", goals.len(), crate::digest::hex(sum))
            }
        };
        Subject::of(&graph.opened).with(json!({
            "engine": "bidirectional",
            "from": draw(self.request.start),
            "to": goals,
            // None if keys represent states.
            "ranks": self.numbering.size(),
        }))
    }

    /// Opens the work folder if one was given, and enters its levels.
    pub(super) fn restore(&mut self) -> Result<()> {
        let resume = self.request.options.resume;
        let path = match &self.request.options.work {
            BidirectionalFolder::Folder(path) => path,
            // Checked now, not when the levels have grown large.
            BidirectionalFolder::WhenLarge(path) if path.exists() => path,
            BidirectionalFolder::WhenLarge(_) => return Ok(()),
        };
        let (folder, levels) = open(path, &self.identity(), resume)?;
        self.folder = Some(folder);
        for (side, level) in levels {
            match self.enter(side, &level) {
                Ok(()) => self.sides[side as usize].levels.push(level),
                Err(EngineError::Damaged { path, what, .. }) => {
                    let path = path.display();
                    note(format_args!(
                        "{path}: damaged ({what}); levels from there on are searched again"
                    ));
                    // A part of it may be in the visited set. Levels after it are searched again,
                    // too: so the sides grow in the same order as in a run without damage.
                    self.enter_again(side)?;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        let [forward, backward] = &self.sides;
        if resume && !forward.levels.is_empty() {
            self.say(format_args!(
                "continuing from {} levels of {} states forward and {} of {} backward",
                forward.levels.len(),
                forward.states(),
                backward.levels.len(),
                backward.states()
            ));
        }
        Ok(())
    }

    /// Empties the visited set of a side, and enters its levels once more.
    fn enter_again(&mut self, side: Side) -> Result<()> {
        self.sides[side as usize].visited =
            empty_visited(self.request, &self.plan, &self.numbering)?;
        for level in std::mem::take(&mut self.sides[side as usize].levels) {
            self.enter(side, &level)?;
            self.sides[side as usize].levels.push(level);
        }
        Ok(())
    }

    /// Enters a level that was read into the visited set.
    ///
    /// # Errors
    /// [`EngineError::Damaged`] if it holds other states than the recorded ones: a file of another
    /// level may be as long, and sound in itself.
    fn enter(&mut self, side: Side, level: &LevelStates<N::Id>) -> Result<()> {
        let mut blocks = level.read()?;
        let mut digest = 0_u128;
        loop {
            let slab = blocks.next_slab(SLAB)?;
            if slab.is_empty() {
                break;
            }
            let (graph, space) = (&self.request.graph, &self.numbering);
            let foreign = |error: &PluginError| match level.file() {
                Some(file) => EngineError::damaged(file, error.to_string()),
                None => EngineError::from(error.clone()),
            };
            let visited = &mut self.sides[side as usize].visited;
            let parted = parallel::try_map(&slab, |piece| {
                let (mut codes, mut keys) = (Vec::new(), Vec::new());
                level.unpack(piece, &mut codes)?;
                // Numbers of a larger instance have no states here.
                space
                    .keys(graph, &codes, &mut keys)
                    .map_err(|error| foreign(&error))?;
                let sum = sum_of(&keys);
                let mut parted = Parted::default();
                visited.part_into(&codes, &mut parted);
                Ok::<_, EngineError>((parted, sum))
            })?;
            let (parted, sums): (Vec<_>, Vec<u128>) = parted.into_iter().unzip();
            digest = sums.into_iter().fold(digest, u128::wrapping_add);
            visited.fill(&parted);
        }
        if let Some(file) = level.file().filter(|_| digest != level.digest) {
            return Err(EngineError::damaged(file, "holds other states"));
        }
        let own = &mut self.sides[side as usize];
        let states = own.states() + level.states;
        let mut visited = std::mem::replace(&mut own.visited, VisitedSet::tables(1, 0));
        let other = &self.sides[side.other() as usize];
        let settled = self.tables((&mut visited, states), other);
        self.sides[side as usize].visited = visited;
        settled
    }
}

// The work folder: a file per finished level, and their contents in the journal. A run that was
// killed at any moment continues after the last of them, on either side.

/// Kind of a piece in the journal: a level of a side.
pub(super) const LEVEL: &str = "level";

/// The record of a finished level.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SideLevelRecord {
    pub(super) side: Side,
    #[serde(flatten)]
    pub(super) level: LevelRecord,
}

/// Levels of both sides, in the order in which they were finished.
type InOrder<I> = Vec<(Side, LevelStates<I>)>;

/// Opens a work folder, and returns the levels that are finished there, in the order in which they
/// were. Damage to their files is detected when they are read.
///
/// # Errors
/// A folder that cannot be written, that holds another search, or that holds this one without
/// `resume`.
pub(super) fn open<I: Key>(
    path: &Path,
    identity: &impl Serialize,
    resume: bool,
) -> Result<(WorkFolder, InOrder<I>)> {
    let (folder, pieces) = WorkFolder::open(&FolderPlace::work(path, resume), identity)?;
    let mut found: Vec<SideLevelRecord> = Vec::new();
    // Without a level that a damaged line has lost, those after it are useless.
    let mut lost = None;
    for piece in pieces.iter().filter_map(|piece| piece.read(LEVEL)) {
        let SideLevelRecord { side, level } = &piece;
        let here = (*side, level.depth);
        // A level that was searched again, with those after it.
        let again = found
            .iter()
            .position(|one| (one.side, one.level.depth) == here);
        found.truncate(again.unwrap_or(found.len()));
        let next = found.iter().filter(|one| one.side == *side).count();
        if again.is_some() || lost.is_none_or(|lost| lost == here) {
            lost = (level.depth != next).then_some((*side, next));
        }
        if lost.is_none() {
            found.push(piece);
        }
    }
    let file = |one: &SideLevelRecord| file_in(path, one.side, one.level.depth);
    let kept: Vec<PathBuf> = found.iter().map(file).collect();
    folder.sweep(&|name| kept.iter().any(|file| file.ends_with(name)))?;
    let levels = found.iter().zip(kept);
    let levels = levels.map(|(one, file)| (one.side, one.level.level(file)));
    Ok((folder, levels.collect()))
}

/// The file of a level in a work folder.
pub(super) fn file_in(folder: &Path, side: Side, depth: usize) -> PathBuf {
    folder.join(format!("{}-{depth:05}.level", side.name()))
}

// Memory needs of a search, computed before it starts.

/// Bytes of a set of bits, per state in hash tables, at which a side turns to bits. This balances
/// the cost of clearing that much memory and of looking up a state's neighbours in tables instead
/// of bits (on coin sliding 57 neighbours, some 40 ns dearer each).
const BYTES_A_STATE: u64 = 8192;
/// Bytes of a thread's working memory.
const THREAD: u64 = 16 << 20;

/// The needs of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemoryPlan {
    size: Option<u64>,
    table: SideTable,
    /// Runs being collected, sorted and packed, packed levels, and the threads' own memory.
    pub(super) buffers: u64,
    limit: u64,
}

impl MemoryPlan {
    /// A plan for codes of some bytes; `size` is the number of ranks, if there are ranks.
    pub(super) fn of(size: Option<u64>, code_bytes: u64, options: &BidirectionalOptions) -> Self {
        let runs = 4 * options.run_states as u64 * code_bytes;
        let runs = size.map_or(runs, |size| runs.min(4 * size * code_bytes));
        let levels = options.levels_in_memory;
        let levels = size.map_or(levels, |size| levels.min(4 * size));
        Self {
            size,
            table: options.table,
            buffers: runs + levels + THREAD * rayon::current_num_threads() as u64,
            limit: options.memory,
        }
    }

    /// Bytes of a set of bits; 0 without ranks.
    fn set(&self) -> u64 {
        self.size.map_or(0, crate::ranks::RankSet::bytes)
    }

    /// Bytes of a set of bits per side and of the buffers.
    pub(super) fn bits_need(&self) -> u64 {
        self.buffers + 2 * self.set()
    }

    /// Number of states beyond which a side is kept as bits; `None` for never.
    pub(super) fn bits_beyond(&self) -> Option<u64> {
        let size = self.size?;
        match self.table {
            SideTable::Hash => None,
            SideTable::Bits => Some(0),
            SideTable::Auto => Some(crate::ranks::RankSet::bytes(size) / BYTES_A_STATE),
        }
    }

    /// Memory of the search: all of it for bits, the least for hash tables.
    pub(super) fn need(&self) -> u64 {
        match self.bits_beyond() {
            Some(_) => self.bits_need(),
            None => self.buffers,
        }
    }

    /// Refuses a search that cannot fit.
    ///
    /// # Errors
    /// [`EngineError::Memory`], naming need, limit and remedy.
    pub(super) fn check(&self, name: &str) -> Result<()> {
        if self.need() <= self.limit {
            return Ok(());
        }
        let (need, limit) = (human(self.need()), human(self.limit));
        let buffers = human(self.buffers);
        Err(EngineError::Memory(match self.bits_beyond() {
            Some(_) => format!(
                "{name}: needs {need} of memory (two sets of {}, a bit per rank, and {buffers} of buffers), and {limit} is what it may take; free some, raise --memory, or go as far as hash tables hold with --table hash",
                human(self.set())
            ),
            None => format!(
                "{name}: needs {need} of memory for buffers alone, and {limit} is what it may take; free some, or raise --memory"
            ),
        }))
    }

    /// Refuses hash tables that have outgrown the limit.
    ///
    /// # Errors
    /// [`EngineError::Memory`], naming need, limit and remedy.
    pub(super) fn check_tables(
        &self,
        name: &str,
        tables: u64,
        states: u64,
        kept: bool,
    ) -> Result<()> {
        if self.buffers + tables <= self.limit {
            return Ok(());
        }
        let (tables, limit) = (human(tables), human(self.limit));
        let on = match kept {
            true => "; what is finished is kept: raise --memory and rerun with --resume",
            false => "; raise --memory",
        };
        Err(EngineError::Memory(format!(
            "{name}: the sides have {states} states, whose hash tables take {tables} in addition to {} of buffers, but the limit is {limit}{on}",
            human(self.buffers)
        )))
    }
}
