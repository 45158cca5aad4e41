//! All levels around the start, by engine `disk`, as far as the disk allows. Passes at the full
//! width begin from them.

use std::sync::Arc;
use std::time::Duration;

use antipode_graph::Graph;
use puzzle_api::Key;

use super::choose::Chooser;
use crate::engines::beam::BeamOptions;
use crate::engines::disk::walk::Walk;
use crate::engines::disk::{open_work, share};
use crate::error::{EngineError, Result};
use crate::observers::Observers;
use crate::options::DiskOptions;
use crate::outcome::Outcome;
use crate::progress::{Progress, Stop, note};
use crate::question::Goal;
use crate::search::{Held, Search};
use crate::work::{begun, clear};

/// States that are processed together.
const TOGETHER: usize = 1 << 22;
/// Sample size that determines the cut-off.
const SAMPLE: usize = 1 << 23;

/// The target depth of the levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// The depth in the run that this one resumes.
    Depth(u16),
    /// As deep as the disk allows.
    Full,
}

/// The outcome of making the levels.
pub(super) enum Grown<K> {
    /// The levels hold a goal: a shortest path to one, and the levels.
    Met(Vec<K>, Base<K>),
    /// They are there.
    Deep(Base<K>),
    /// They end within the disk limit, or the last is no larger than a pass keeps; they are
    /// removed.
    Small,
    /// The time was over, or a stop was requested, before they were of use.
    NotYet(Base<K>),
}

/// The levels around the start, in their own folder, which no other run uses meanwhile.
pub(super) struct Base<K> {
    search: Search<K>,
    goal: Goal<K>,
    disk: DiskOptions,
    shown: bool,
    stop: Stop,
    /// Number of states of a level that suffices for a pass.
    width: u64,
    /// The depth of the last level, and its states.
    last: (u16, u64),
    /// States that were expanded to make them.
    pub(super) expanded: u64,
}

impl<K: Key> Base<K> {
    /// No levels yet, and no folder.
    ///
    /// # Errors
    /// [`EngineError`] if there is too little memory for them, or the puzzle fails.
    pub(super) fn new(
        graph: &Graph<K>,
        start: K,
        goal: &Goal<K>,
        options: &BeamOptions,
        stop: &Stop,
    ) -> Result<Self> {
        let search = Search::of_path(graph, start, None)?;
        let threads = rayon::current_num_threads();
        let mut disk = DiskOptions::new(options.levels.clone(), options.memory, threads);
        disk.disk = options.disk;
        share(&search, &disk)?;
        Ok(Self {
            search,
            goal: *goal,
            disk,
            shown: options.show_progress,
            stop: stop.fork(),
            width: options.most_width as u64,
            last: (0, 0),
            expanded: 0,
        })
    }

    /// Opens the folder and locks it for the lifetime of this value.
    ///
    /// # Errors
    /// [`EngineError`]: a folder that cannot be opened, is another run's, or is in use by another.
    pub(super) fn claim(&mut self) -> Result<()> {
        self.disk.resume = begun(&self.disk.work);
        self.search.disk = Some(self.disk.clone());
        let work = open_work(&self.search, Some(&self.goal))?;
        self.search.work = Held::of(Arc::new(work));
        Ok(())
    }

    /// Makes the levels within a time, or continues with those that exist.
    ///
    /// # Errors
    /// Same as any search on disk; also if the disk does not hold the former depth.
    pub(super) fn grow(mut self, until: Until, time: Option<Duration>) -> Result<Grown<K>> {
        self.search.max_depth = match until {
            Until::Depth(depth) => Some(depth),
            Until::Full => None,
        };
        let in_time = self.stop.fork_for(time);
        let (outcome, last, met, expanded) = self.open(&in_time, |walk| {
            let outcome = walk.levels(&mut Observers::plain())?;
            let met = walk.met().map(|state| walk.path_to(state)).transpose()?;
            Ok((outcome, walk.last(), met, walk.spent().expanded))
        })?;
        (self.last, self.expanded) = (last, expanded);
        if let Some(path) = met {
            return Ok(Grown::Met(path, self));
        }
        if self.shown {
            note(format_args!(
                "all levels to {}: {} states there",
                last.0, last.1
            ));
        }
        let is_cut_off = matches!(outcome, Outcome::NotReached(_));
        let is_usable = last.1 > self.width;
        match until {
            _ if self.stop.requested() => Ok(Grown::NotYet(self)),
            Until::Depth(depth) if depth == last.0 => Ok(Grown::Deep(self)),
            Until::Depth(_) if in_time.requested() => Ok(Grown::NotYet(self)),
            Until::Depth(depth) => Err(EngineError::CannotHold(format!(
                "{}: all levels to {} fit there, and the run to resume has those to {depth}; allow more with --disk",
                self.disk.work.display(),
                last.0
            ))),
            Until::Full if is_cut_off && is_usable => Ok(Grown::Deep(self)),
            Until::Full if is_cut_off && in_time.requested() => Ok(Grown::NotYet(self)),
            Until::Full => self.remove().map(|()| Grown::Small),
        }
    }

    /// Checks each level as it is made.
    fn with<T>(&self, ask: impl FnOnce(&mut Walk<'_, K>) -> Result<T>) -> Result<T> {
        self.open(&self.stop, |walk| match walk.last() == self.last {
            true => ask(walk),
            false => Err(EngineError::damaged(
                &self.disk.work,
                format!(
                    "the levels to {} that passes begin with are gone; the same command with --resume makes them again",
                    self.last.0
                ),
            )),
        })
    }

    fn open<T>(&self, stop: &Stop, ask: impl FnOnce(&mut Walk<'_, K>) -> Result<T>) -> Result<T> {
        let title = format!("{}: all levels", self.search.graph.opened.full_name());
        let progress = Progress::shown(self.shown, &title, 1, stop);
        let (search, goal, mut seen) = (&self.search, Some(&self.goal), Observers::plain());
        let mut walk = Walk::open(search, 0, &self.disk, goal, None, &mut seen, &progress)?;
        ask(&mut walk)
    }

    /// Removes the levels.
    ///
    /// # Errors
    /// A file that cannot be removed.
    pub(super) fn remove(&self) -> Result<()> {
        clear(&self.disk.work, true)
    }

    /// The depth of the last level.
    pub(super) fn depth(&self) -> usize {
        self.last.0.into()
    }

    /// About as many states of the last level as a pass keeps, chosen in the same way; sorted.
    ///
    /// A sample of the level determines the cut-off.
    ///
    /// # Errors
    /// [`EngineError`] if a level cannot be read, or the puzzle fails.
    pub(super) fn choose(&self, chooser: &Chooser) -> Result<Vec<K>> {
        let graph = &self.search.graph;
        self.with(|walk| {
            let partitions = walk.partitions();
            let every = (self.last.1 as usize / SAMPLE).max(1);
            let mut some = Vec::new();
            let mut bytes = Vec::new();
            for partition in (0..partitions).step_by(every) {
                walk.add_partition(partition, &mut bytes, &mut some)?;
            }
            let part = some.len() as f64 / self.last.1.max(1) as f64;
            let line = chooser.line(graph, &some, part)?;
            let mut chosen = Vec::new();
            some.clear();
            for partition in 0..partitions {
                walk.add_partition(partition, &mut bytes, &mut some)?;
                if some.len() >= TOGETHER || partition + 1 == partitions {
                    chosen.extend(chooser.before(graph, &some, &line)?);
                    some.clear();
                }
            }
            chosen.sort_unstable();
            Ok(chosen)
        })
    }

    /// Passes to `show` at most `most` states of each level that is still on disk, with its depth.
    ///
    /// # Errors
    /// [`EngineError`] if a level cannot be read, or from `show`.
    pub(super) fn samples(
        &self,
        most: usize,
        show: impl FnMut(u16, &[K]) -> Result<()>,
    ) -> Result<()> {
        self.with(|walk| walk.samples((SAMPLE as u64, most), show))
    }

    /// Those of some ascending states that are in none of the levels.
    ///
    /// # Errors
    /// [`EngineError`] if a level cannot be read, or the puzzle fails.
    pub(super) fn without_known(&self, states: &[K]) -> Result<Vec<K>> {
        self.with(|walk| walk.without_known(states))
    }

    /// The path from the start to a state of the last level.
    ///
    /// # Errors
    /// [`EngineError`] if a level cannot be read, or the puzzle fails.
    pub(super) fn way_to(&self, state: K) -> Result<Vec<K>> {
        self.with(|walk| walk.path_to(state))
    }
}
