//! The beam through graphs in which a state can come back, such as sliding blocks.
//!
//! A pass goes from the start level by level and keeps the most promising states of each
//! ([`choose`]). States kept before are no candidates. A pass that meets a goal reconstructs the
//! path along its levels. Every pass keeps four times as many as the one before and must find a
//! shorter path than the best so far. At the full width, rounds may follow. A round is a pass with
//! other random choices, which may find another route; a pass that admits the best path, which may
//! find a short cut; and shortening of all paths together ([`crate::engines::improve`]). Shortening
//! also ends the search.

mod base;
mod choose;
mod keep;
mod learned;
mod pass;

use std::sync::Arc;
use std::time::Duration;

use antipode_graph::Graph;
use antipode_reports::count;
use indicatif::HumanCount;
use puzzle_api::{Direction, Key};

use super::{BeamOptions, BeamResult, Stats};
use crate::digest::key_texts;
use crate::engines::find::{SearchLimits, Watch};
use crate::engines::improve::{self, Improved, improve};
use crate::error::{EngineError, Result};
use crate::forward::ForwardSolver;
use crate::memory::human;
use crate::outcome::{FoundPath, Outcome, StopReason};
use crate::progress::{Progress, Stop, note};
use crate::question::Goal;
use crate::side::SideLevel;
use crate::steps::DirectionSteps;
use base::{Base, Grown, Until};
use keep::{BASE, PassLevels, PassPiece, SHORTENED};
use learned::Fitted;
use pass::{End, Guide, Pace, Pass, least_memory};

/// The part of the allowed time that passes leave for shortening.
const FOR_SHORTENING: u32 = 4;
/// The part of the passes' time that the levels around the start may take.
const FOR_LEVELS: u32 = 2;
/// The part of the memory that shortening takes between passes: the final shortening finds what
/// more memory would find.
const IN_BETWEEN: u64 = 8;
/// Number of shortest paths that are shortened together.
const TOGETHER: usize = 8;
/// How far a state may be behind the best path: the length of that path divided by this.
const BEHIND: usize = 8;
/// How much longer than the best path a random one may be: the length of that path divided by this.
const LONGER: usize = 4;

/// Why a graph cannot be searched by this beam, or `None` if it can.
pub(super) fn obstacle<K: Key>(graph: &Graph<K>) -> Option<&'static str> {
    (DirectionSteps::backward(graph).is_none()).then_some(
        "beam needs moves back, or a layered graph: path reconstruction goes against the moves; leave out --engine",
    )
}

/// Searches for a path from a state to a goal.
pub(super) fn reach<K: Key>(
    graph: &Graph<K>,
    start: K,
    goal: &Goal<K>,
    options: &BeamOptions,
    stop: &Stop,
) -> Result<BeamResult<K>> {
    // Limits that would not suffice at the end are refused at the beginning.
    let least = least_memory(options.most_width);
    if options.memory < least {
        return Err(EngineError::Memory(format!(
            "{}: a beam of {} states a level takes {} at least, and {} is what it may take; give more by --memory, or a smaller --width",
            graph.opened.full_name(),
            HumanCount(options.most_width as u64),
            human(least),
            human(options.memory)
        )));
    }
    let base = || Base::new(graph, start, goal, options, stop);
    let wanted = options.disk.map(|_| base()).transpose()?;
    let (kept, finished) = PassLevels::open(graph, start, goal, options)?;
    let beginning = match finished.base {
        Some(0) => Beginning::Start,
        Some(_) => Beginning::ToGrow(Box::new(wanted.map_or_else(base, Ok)?)),
        None => wanted.map_or(Beginning::Start, |base| Beginning::ToGrow(Box::new(base))),
    }
    .claimed()?;
    let passes = &finished.passes;
    let most = options.most_width as u64;
    let mut search = BeamPasses {
        graph,
        start,
        goal,
        options,
        watch: Watch::start(options.limits, stop),
        stop,
        stats: Stats {
            passes: passes.len() as u64,
            width: passes.last().map_or(0, |pass| pass.width),
            nodes: passes.iter().map(|pass| pass.expanded).sum::<u64>() + finished.expanded,
            ..Stats::default()
        },
        extra: (passes.iter().filter(|pass| pass.width == most).count() as u64).saturating_sub(1),
        shortened: finished.shortenings,
        learned: match finished.learned {
            Some(learned) if learned.fits(graph.feature_space()?) => Some(Arc::new(learned)),
            _ => None,
        },
        paths: finished.paths,
        proven: false,
        beginning,
        base_depth: finished.base,
        kept,
    };
    search.run()
}

/// State of a search.
enum PassEnd {
    /// Another step may find a shorter path.
    Open,
    /// No step would, or none was requested.
    Done,
    GaveUp(StopReason),
}

/// The next step of a search.
enum NextPass {
    /// A pass wider than the one before, at first.
    Wider(usize),
    /// A pass with other random choices.
    Other,
    /// A pass that admits the best path.
    Led,
    /// Shortening of the paths found.
    Shorten,
}

/// The start of passes at the full width.
enum Beginning<K> {
    Start,
    /// All levels around it, which are still to be made.
    ToGrow(Box<Base<K>>),
    Levels(Arc<Base<K>>),
}

impl<K: Key> Beginning<K> {
    /// The same, with the folder of the levels open.
    fn claimed(self) -> Result<Self> {
        match self {
            Self::ToGrow(mut base) => base.claim().map(|()| Self::ToGrow(base)),
            other => Ok(other),
        }
    }

    /// Removes its files on disk.
    fn remove(&self) -> Result<()> {
        match self {
            Self::Start => Ok(()),
            Self::ToGrow(base) => base.remove(),
            Self::Levels(base) => base.remove(),
        }
    }
}

/// Passes of growing width, and rounds of them.
struct BeamPasses<'a, K> {
    graph: &'a Graph<K>,
    start: K,
    goal: &'a Goal<K>,
    options: &'a BeamOptions,
    watch: Watch<'a>,
    stop: &'a Stop,
    paths: Vec<Vec<K>>,
    stats: Stats,
    /// Whether one of the paths is known to be the shortest.
    proven: bool,
    /// Passes at the full width after the first.
    extra: u64,
    /// Shortenings between passes.
    shortened: u64,
    /// The guide of the next pass in place of the puzzle's order.
    learned: Option<Arc<Fitted>>,
    beginning: Beginning<K>,
    /// Depth of the levels from which passes begin, as recorded in the work folder; 0 if there are
    /// none.
    base_depth: Option<u16>,
    kept: PassLevels<K>,
}

impl<'a, K: Key> BeamPasses<'a, K> {
    fn run(&mut self) -> Result<BeamResult<K>> {
        if self.goal.smallest_of(self.graph, &[self.start])?.is_some() {
            self.paths = vec![vec![self.start]];
            return self.searched(true, true);
        }
        let mut ended = PassEnd::Open;
        while let (PassEnd::Open, Some(step)) = (&ended, self.next_step()) {
            ended = self.take(&step)?;
        }
        let mut levels = Vec::new();
        if let (true, PassEnd::Done) = (self.paths.is_empty(), &ended) {
            (ended, levels) = self.none_left_out()?;
        }
        if self.paths.is_empty() {
            if self.options.work.is_none() {
                self.beginning.remove()?;
            }
            return Ok(BeamResult {
                outcome: match (ended, self.options.limits.time) {
                    // A pass was given a part of the memory.
                    (PassEnd::GaveUp(StopReason::Time(_)), Some(time)) => {
                        Outcome::NotReached(StopReason::Time(time))
                    }
                    (PassEnd::GaveUp(why), _) => Outcome::NotReached(why),
                    (PassEnd::Done, _) if !levels.is_empty() => Outcome::exhausted(
                        Direction::Forward,
                        levels.iter().map(|level| level.states).sum(),
                        Some(levels.len() as u32),
                    ),
                    _ => Outcome::NotReached(StopReason::Width(self.stats.width)),
                },
                levels,
                stats: self.stats,
                kept: None,
            });
        }
        let mut shortest = self.proven;
        if !shortest && self.watch.over(0).is_none() {
            let improved = self.shorten(self.options.memory, self.watch.left())?;
            self.stats.window = improved.window() as u64;
            shortest = improved.shortest && self.watch.over(0).is_none();
            self.paths.push(improved.states);
        }
        let is_over = matches!(ended, PassEnd::GaveUp(_)) || self.watch.over(0).is_some();
        self.searched(shortest, shortest || !is_over)
    }

    /// All levels from the start, after a pass that left out no state met no goal. A pass takes a
    /// few states for known ones, so they are walked again one by one; no levels if that needs more
    /// memory than is allowed, or finds a path.
    fn none_left_out(&mut self) -> Result<(PassEnd, Vec<SideLevel>)> {
        let most = self.options.memory / (4 * size_of::<K>() as u64);
        let mut why = None;
        let path = ForwardSolver::new(self.graph.clone()).shortest_within(
            most,
            self.start,
            self.goal,
            &mut || {
                why = self.watch.over(0);
                why.is_some()
            },
        )?;
        self.stats.nodes += path.seen;
        Ok(match (path.outcome, why) {
            (_, Some(why)) => (PassEnd::GaveUp(why), Vec::new()),
            (Outcome::Unreachable(_), None) => (PassEnd::Done, SideLevel::counted(&path.levels)),
            (outcome, None) => {
                self.proven = !outcome.states().is_empty();
                let states = outcome.states().to_vec();
                self.paths.extend(Some(states).filter(|_| self.proven));
                (PassEnd::Done, Vec::new())
            }
        })
    }

    /// The next step; `None` if everything requested is done.
    fn next_step(&self) -> Option<NextPass> {
        let (first, most) = (self.options.first_width.max(1), self.options.most_width);
        match self.stats.width as usize {
            0 => return Some(NextPass::Wider(first.min(most))),
            last if last < most => return Some(NextPass::Wider(last.saturating_mul(4).min(most))),
            _ => {}
        }
        let rounds = match self.paths.is_empty() {
            true => 0,
            false => self.options.rounds,
        };
        match self.extra {
            // A round begins with the paths of the one before.
            done if done / 2 >= rounds => None,
            done if done.is_multiple_of(2) && self.shortened <= done / 2 => Some(NextPass::Shorten),
            done if done.is_multiple_of(2) => Some(NextPass::Other),
            _ => Some(NextPass::Led),
        }
    }

    fn best(&self) -> Option<&Vec<K>> {
        self.paths.iter().min_by_key(|path| path.len())
    }

    fn take(&mut self, step: &NextPass) -> Result<PassEnd> {
        let best = self.best();
        let shorter = best.map_or(usize::MAX, |path| path.len() - 1);
        match step {
            NextPass::Wider(width) => self.pass(*width, shorter, BEHIND, &[]),
            NextPass::Other => {
                let bound = shorter.saturating_add(shorter / LONGER);
                let behind = match self.learned {
                    Some(_) => BEHIND,
                    None => LONGER,
                };
                self.pass(self.options.most_width, bound, behind, &[])
            }
            NextPass::Led => {
                let best = best.cloned().unwrap_or_default();
                self.pass(self.options.most_width, shorter, BEHIND, &best)
            }
            NextPass::Shorten => {
                let watch = self.watch_of_pass();
                let memory = self.options.memory / IN_BETWEEN;
                let improved = self.shorten(memory, watch.left())?;
                if let Some(why) = watch.over(0) {
                    self.paths.push(improved.states);
                    return Ok(PassEnd::GaveUp(why));
                }
                self.kept.finish(SHORTENED, &key_texts(&improved.states))?;
                self.shortened += 1;
                self.paths.push(improved.states);
                Ok(match improved.shortest {
                    true => PassEnd::Done,
                    false => PassEnd::Open,
                })
            }
        }
    }

    /// One pass, or the rest of it, that looks for a path of fewer moves than the bound. States may
    /// be behind the best path by a part of its moves.
    fn pass(&mut self, width: usize, bound: usize, behind: usize, let_in: &[K]) -> Result<PassEnd> {
        let number = self.stats.passes as u32;
        let title = format!("beam of {width}");
        let progress = self.progress(&title);
        let pace = match self.best() {
            Some(path) => Pace::of(self.graph, path, behind)?,
            None => None,
        };
        let guide = Guide {
            let_in,
            pace,
            learned: self.learned.clone(),
        };
        let base = self.base_of_pass(width, bound)?;
        let base = base.as_deref();
        if self.proven {
            return Ok(PassEnd::Done);
        }
        if let Some(why) = self.watch_of_pass().over(0) {
            return Ok(PassEnd::GaveUp(why));
        }
        let pass = Pass::new(self.graph, self.goal, self.options, (number, width), guide);
        let mut pass = pass.behind(base);
        pass.restore(&mut self.kept, &[self.start])?;
        let watch = self.watch_of_pass();
        let end = pass.run(&mut self.kept, bound, &watch, &progress)?;
        drop(progress);
        let way = match end {
            End::GaveUp(why) => {
                self.stats.nodes += pass.expanded();
                return Ok(PassEnd::GaveUp(why));
            }
            End::Missed => Vec::new(),
            End::Met(state, depth) => {
                let way = self.kept.way_to(self.graph, state, depth)?;
                match base {
                    Some(base) => [base.way_to(way[0])?, way[1..].to_vec()].concat(),
                    None => way,
                }
            }
        };
        self.tell(&pass, way.len().checked_sub(1));
        let whole = self.kept.is_whole();
        // Not before: the distances learned from narrow passes are worse than the puzzle's order.
        let is_last_width = width == self.options.most_width;
        let mut given_up = None;
        if !way.is_empty() && !whole && is_last_width && self.options.rounds > 0 {
            given_up = self.learn(&mut pass, &way, base, number)?;
        }
        self.stats.nodes += pass.expanded();
        if let Some(why) = given_up {
            // The pass is not recorded, so a resumed run learns first.
            self.paths.push(way);
            return Ok(PassEnd::GaveUp(why));
        }
        self.stats.passes += 1;
        self.extra += u64::from(self.stats.width == width as u64);
        self.stats.width = width as u64;
        self.kept.finish_pass(&PassPiece {
            width: width as u64,
            expanded: pass.expanded(),
            keys: key_texts(&way),
        })?;
        if !way.is_empty() {
            self.paths.push(way);
        }
        // If no state was left out, a wider pass, or another one, finds the same.
        Ok(match whole {
            true => PassEnd::Done,
            false => PassEnd::Open,
        })
    }

    /// The levels from which a pass at the full width begins. If they hold a goal, a proven path
    /// takes their place.
    fn base_of_pass(&mut self, width: usize, bound: usize) -> Result<Option<Arc<Base<K>>>> {
        if width < self.options.most_width {
            return Ok(None);
        }
        self.beginning = match std::mem::replace(&mut self.beginning, Beginning::Start) {
            Beginning::ToGrow(base) => self.grown(*base)?,
            other => other,
        };
        let base = match &self.beginning {
            Beginning::Levels(base) if base.depth() < bound => Some(Arc::clone(base)),
            _ => None,
        };
        // A resumed pass begins where it began.
        let depths = self.kept.depths();
        let base = base.filter(|_| depths.is_empty() || depths.start > 0);
        let begins = base.as_ref().map_or(0, |base| base.depth());
        if !depths.is_empty() && depths.start != begins {
            self.kept.forget();
        }
        Ok(base)
    }

    fn grown(&mut self, base: Base<K>) -> Result<Beginning<K>> {
        let left = self.watch_of_pass().left().time;
        let (until, time) = match self.base_depth {
            Some(depth) => (Until::Depth(depth), left),
            None => (Until::Full, left.map(|left| left / FOR_LEVELS)),
        };
        let (beginning, depth) = match base.grow(until, time)? {
            Grown::Met(path, base) => {
                self.stats.nodes += base.expanded;
                self.paths.push(path);
                self.proven = true;
                return Ok(Beginning::ToGrow(Box::new(base)));
            }
            Grown::NotYet(base) => return Ok(Beginning::ToGrow(Box::new(base))),
            Grown::Deep(base) => {
                self.stats.nodes += base.expanded;
                let depth = base.depth() as u16;
                (Beginning::Levels(Arc::new(base)), depth)
            }
            Grown::Small => (Beginning::Start, 0),
        };
        if self.base_depth.replace(depth).is_none() {
            self.kept.finish(BASE, &depth)?;
        }
        Ok(beginning)
    }

    fn progress(&self, title: &str) -> Progress {
        Progress::shown(self.options.show_progress, title, 1, self.stop)
    }

    /// The limits of a pass: once there is a path, it leaves time for shortening.
    fn watch_of_pass(&self) -> Watch<'a> {
        let spared = match self.paths.is_empty() {
            true => Duration::ZERO,
            false => self.options.limits.time.unwrap_or_default() / FOR_SHORTENING,
        };
        let left = self.watch.left().time;
        let limits = SearchLimits {
            time: left.map(|time| time.saturating_sub(spared)),
            ..self.options.limits
        };
        Watch::start(limits, self.stop)
    }

    /// Reports how a pass ended.
    fn tell(&self, pass: &Pass<'_, K>, moves: Option<usize>) {
        if !self.options.show_progress {
            return;
        }
        let (width, depth) = (pass.width(), pass.depth());
        match (moves, pass.best()) {
            (Some(moves), _) => {
                let found = count(moves, self.graph.opened.unit());
                note(format_args!("beam of {width}: {found}"));
            }
            (None, Some(best)) => note(format_args!(
                "beam of {width}: no goal in {depth} levels; the nearest is {best} by its order"
            )),
            (None, None) => note(format_args!("beam of {width}: no goal in {depth} levels")),
        }
    }

    /// The shortest paths so far, joined into one that is as short as this much memory allows.
    fn shorten(&self, memory: u64, limits: SearchLimits) -> Result<Improved<K>> {
        let options = improve::ImproveOptions {
            memory,
            work: self.options.windows.clone(),
            limits,
            show_progress: self.options.show_progress,
        };
        let mut paths = self.paths.clone();
        paths.sort_by_key(Vec::len);
        paths.truncate(TOGETHER);
        improve(
            self.graph, self.graph, self.goal, paths, &options, self.stop,
        )
    }

    /// The best path. The work folder is no longer needed if the search is complete.
    fn searched(&self, shortest: bool, complete: bool) -> Result<BeamResult<K>> {
        // Without a work folder, the levels cannot be resumed.
        if complete || self.options.work.is_none() {
            self.beginning.remove()?;
        }
        let states = self.best().cloned().unwrap_or_default();
        Ok(BeamResult {
            outcome: Outcome::Path(FoundPath { states, shortest }),
            levels: Vec::new(),
            stats: self.stats,
            kept: self.kept.folder().filter(|_| complete),
        })
    }
}

#[cfg(test)]
mod tests;
