//! Resumes from a work folder: enters its levels into the sides, and searches damaged ones again.

use antipode_graph::PluginError;
use puzzle_api::Key;
use rayon::prelude::*;
use serde::Serialize;

use super::folder::Folder;
use super::search::{BidirectionalSearch, SLAB, StepEnd, empty_visited};
use super::{BidirectionalFolder, Side};
use crate::digest::sum_of;
use crate::error::EngineError;
use crate::level::LevelStates;
use crate::progress::note;
use crate::space::Space;
use crate::visited::VisitedSet;
use crate::work::Subject;

/// Description of a search, for the identity of its work folder.
#[derive(Debug, Serialize)]
pub(super) struct BidirectionalIdentity {
    #[serde(flatten)]
    subject: Subject,
    engine: &'static str,
    from: String,
    to: String,
    /// Number of ranks if they represent states; `None` if keys do.
    ranks: Option<u64>,
}

impl<K: Key, N: Space<K>> BidirectionalSearch<'_, K, N> {
    /// The identity of the search: levels of another one must not be mixed with its own.
    pub(super) fn identity(&self) -> BidirectionalIdentity {
        let graph = &self.request.graph;
        let draw = |key: K| graph.draw(key).unwrap_or_default();
        let goals = match self.request.goals.as_slice() {
            [goal] => draw(*goal),
            goals => {
                let sum = sum_of(goals, &mut Vec::new(), &mut Vec::new());
                format!("{} states, digest {}", goals.len(), crate::digest::hex(sum))
            }
        };
        BidirectionalIdentity {
            subject: Subject::of(&graph.opened),
            engine: "bidirectional",
            from: draw(self.request.start),
            to: goals,
            ranks: self.numbering.size(),
        }
    }

    /// Opens the work folder if one was given, and enters its levels.
    pub(super) fn restore(&mut self) -> Result<(), EngineError> {
        let resume = self.request.options.resume;
        let path = match &self.request.options.work {
            BidirectionalFolder::Folder(path) => path,
            // Checked now, not when the levels have grown large.
            BidirectionalFolder::WhenLarge(path) if path.exists() => path,
            BidirectionalFolder::WhenLarge(_) => return Ok(()),
        };
        let (folder, levels) = Folder::open(path, &self.identity(), resume)?;
        self.folder = Some(folder);
        for (side, levels) in Side::BOTH.into_iter().zip(levels) {
            self.enter_all(side, levels)?;
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

    /// Enters the levels of a side, and searches those again whose files are damaged.
    fn enter_all(
        &mut self,
        side: Side,
        levels: Vec<LevelStates<N::Id>>,
    ) -> Result<(), EngineError> {
        let count = levels.len();
        for level in levels {
            let level = match self.enter(side, &level) {
                Ok(()) => level,
                Err(EngineError::Damaged { path, what, .. }) => {
                    let path = path.display();
                    note(format_args!(
                        "{path}: damaged ({what}); that level is searched again"
                    ));
                    match self.found_again(side, &level, count)? {
                        Some(level) => level,
                        // The levels after it are searched again, too.
                        None => return Ok(()),
                    }
                }
                Err(error) => return Err(error),
            };
            self.sides[side as usize].levels.push(level);
        }
        Ok(())
    }

    /// Remakes a level whose file is damaged, from the one before it. `None` if it differs from the
    /// recorded one, or the user stopped the search.
    fn found_again(
        &mut self,
        side: Side,
        lost: &LevelStates<N::Id>,
        count: usize,
    ) -> Result<Option<LevelStates<N::Id>>, EngineError> {
        // A part of it may be in the visited set.
        self.enter_again(side)?;
        let depth = self.sides[side as usize].levels.len();
        let found = match self.sides[side as usize].levels.pop() {
            None => Some(self.root_level(side)?),
            Some(frontier) => {
                let grown = self.next_level(side, &frontier, depth);
                self.sides[side as usize].levels.push(frontier);
                match grown? {
                    (StepEnd::Level, level) => level,
                    _ => None,
                }
            }
        };
        let same =
            |found: &LevelStates<N::Id>| (found.states, found.digest) == (lost.states, lost.digest);
        let found = found.filter(same);
        match (&self.folder, &found) {
            (Some(folder), Some(found)) => folder.record(side, count, (depth, &[found]))?,
            // Its states are in the visited set, and would not be found once more.
            _ => self.enter_again(side)?,
        }
        Ok(found)
    }

    /// Empties the visited set of a side, and enters its levels once more.
    fn enter_again(&mut self, side: Side) -> Result<(), EngineError> {
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
    fn enter(&mut self, side: Side, level: &LevelStates<N::Id>) -> Result<(), EngineError> {
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
            let parted = slab
                .par_iter()
                .map_init(Default::default, |buffers, piece| {
                    let (codes, keys, low, high): &mut (Vec<N::Id>, Vec<K>, Vec<_>, Vec<_>) =
                        buffers;
                    level.unpack(piece, codes)?;
                    // Numbers of a larger instance have no states here.
                    space
                        .keys(graph, codes, keys)
                        .map_err(|error| foreign(&error))?;
                    Ok((visited.part(codes), sum_of(keys, low, high)))
                });
            let parted = parted.collect::<Result<Vec<_>, EngineError>>()?;
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
