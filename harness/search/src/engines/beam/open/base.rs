//! All levels around the start, by engine `disk`, as far as the disk allows: what passes at the
//! full width begin with.

use std::time::Duration;

use antipode_graph::Graph;
use puzzle_api::{Direction, Key};

use super::choose::Chooser;
use crate::engines::beam::Options;
use crate::engines::disk::{open::share, walk::Walk};
use crate::error::EngineError;
use crate::means::DiskOptions;
use crate::observers::Observers;
use crate::outcome::Outcome;
use crate::progress::{Progress, Stop, note};
use crate::question::Roots;
use crate::search::Search;
use crate::work::{begun, clear};

/// States that are looked at together.
const TOGETHER: usize = 1 << 22;
/// States of a sample that says where to draw the line.
const SAMPLE: usize = 1 << 23;

/// How far the levels are to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// As deep as in the run that this one goes on with; 0 for no levels.
    Depth(u16),
    /// As deep as the disk allows in so much time.
    Time(Option<Duration>),
}

/// The levels around the start, in a folder of their own.
pub(super) struct Base<K> {
    search: Search<K>,
    disk: DiskOptions,
    title: String,
    shown: bool,
    stop: Stop,
    /// The depth of the last level, and its states.
    last: (u16, u64),
}

impl<K: Key> Base<K> {
    /// No levels yet.
    ///
    /// # Errors
    /// [`EngineError`] where there is too little memory for them, or the puzzle fails.
    pub(super) fn new(
        graph: &Graph<K>,
        start: K,
        options: &Options,
        stop: &Stop,
    ) -> Result<Self, EngineError> {
        let roots = Roots::State(start);
        let mut search = Search::new(graph.clone(), Direction::Forward, roots, None)?;
        // The goal need not be like its mirror image, and a path is one of states.
        search.symmetry = false;
        let threads = rayon::current_num_threads();
        let mut disk = DiskOptions::new(options.levels.clone(), options.memory, threads);
        disk.disk = options.disk;
        share(&search, &disk)?;
        Ok(Self {
            search,
            disk,
            title: format!("{}: all levels", graph.opened.full_name()),
            shown: options.show_progress,
            stop: stop.fork(),
            last: (0, 0),
        })
    }

    /// Makes the levels, or goes on with those that there are; `None` where no disk is allowed,
    /// where the graph ends within it, or where the last level is no larger than what a pass
    /// keeps.
    ///
    /// # Errors
    /// As any search on disk.
    pub(super) fn open(
        graph: &Graph<K>,
        start: K,
        options: &Options,
        stop: &Stop,
        until: Until,
    ) -> Result<Option<Self>, EngineError> {
        let (most_depth, time) = match (until, options.disk) {
            (Until::Depth(0), _) | (Until::Time(_), None) => return Ok(None),
            (Until::Depth(depth), _) => (Some(depth), None),
            (Until::Time(time), Some(_)) => (None, time),
        };
        let mut base = Self::new(graph, start, options, stop)?;
        base.search.max_depth = most_depth;
        let (outcome, last) = base.with(&stop.fork_for(time), |walk| {
            let outcome = walk.grow(&mut Observers::plain())?;
            Ok((outcome, walk.last()))
        })?;
        base.last = last;
        if options.show_progress {
            note(format_args!(
                "all levels to {}: {} states there",
                last.0, last.1
            ));
        }
        if stop.requested() {
            return Ok(None);
        }
        let is_cut_off = matches!(outcome, Outcome::NotReached(_)) || most_depth.is_some();
        let is_large = last.1 > options.most_width as u64;
        Ok((is_cut_off && is_large).then_some(base))
    }

    /// What is asked of the levels, which are opened for it.
    fn with<T>(
        &self,
        stop: &Stop,
        ask: impl FnOnce(&mut Walk<'_, K>) -> Result<T, EngineError>,
    ) -> Result<T, EngineError> {
        let mut disk = self.disk.clone();
        disk.resume = begun(&disk.work);
        let mut search = self.search.clone();
        search.disk = Some(disk.clone());
        let progress = match self.shown {
            true => Progress::bar(&self.title, 1, stop),
            false => Progress::silent(stop),
        };
        let mut seen = Observers::plain();
        let mut walk = Walk::open(&search, 0, &disk, None, None, &mut seen, &progress)?;
        ask(&mut walk)
    }

    /// The depth of the last level.
    pub(super) fn depth(&self) -> usize {
        self.last.0.into()
    }

    /// As many states of the last level as a pass keeps, about, chosen as it chooses; rising.
    ///
    /// A sample of the level says where to draw the line.
    ///
    /// # Errors
    /// [`EngineError`] where a level cannot be read, or the puzzle fails.
    pub(super) fn choose(&self, chooser: &Chooser) -> Result<Vec<K>, EngineError> {
        let graph = &self.search.graph;
        self.with(&self.stop, |walk| {
            let partitions = walk.partitions();
            let every = (self.last.1 as usize / SAMPLE).max(1);
            let mut some = Vec::new();
            for partition in (0..partitions).step_by(every) {
                walk.add_partition(partition, &mut some)?;
            }
            let part = some.len() as f64 / self.last.1.max(1) as f64;
            let line = chooser.line(graph, &some, part)?;
            let mut chosen = Vec::new();
            some.clear();
            for partition in 0..partitions {
                walk.add_partition(partition, &mut some)?;
                if some.len() >= TOGETHER || partition + 1 == partitions {
                    chosen.extend(chooser.before(graph, &some, &line)?);
                    some.clear();
                }
            }
            chosen.sort_unstable();
            Ok(chosen)
        })
    }

    /// Shows some states of each level that is on disk still, with its depth, at most `most` of
    /// each.
    ///
    /// # Errors
    /// [`EngineError`] where a level cannot be read, or from `show`.
    pub(super) fn samples(
        &self,
        most: usize,
        show: impl FnMut(u16, &[K]) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        self.with(&self.stop, |walk| walk.samples((SAMPLE as u64, most), show))
    }

    /// Those of some rising states that are in none of the levels, rising.
    ///
    /// # Errors
    /// [`EngineError`] where a level cannot be read, or the puzzle fails.
    pub(super) fn without_known(&self, states: &[K]) -> Result<Vec<K>, EngineError> {
        self.with(&self.stop, |walk| walk.without_known(states))
    }

    /// The states from the start to one of the last level.
    ///
    /// # Errors
    /// [`EngineError`] where a level cannot be read, or the puzzle fails.
    pub(super) fn way_to(&self, state: K) -> Result<Vec<K>, EngineError> {
        self.with(&self.stop, |walk| walk.path_to(state))
    }
}

/// Removes the levels, where there are any.
///
/// # Errors
/// A file that cannot be removed.
pub(super) fn remove(options: &Options) -> Result<(), EngineError> {
    match begun(&options.levels) {
        true => clear(&options.levels, true),
        false => Ok(()),
    }
}
