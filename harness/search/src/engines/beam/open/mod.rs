//! The beam through graphs in which a state can come back, such as sliding blocks.
//!
//! A pass goes from the start level by level and keeps the most promising states of each
//! ([`choose`]); states kept before are no candidates. A pass that meets a goal is followed
//! back along its levels. Every pass keeps four times as many as the one before and must find
//! a shorter path than the best so far; what all of them found is shortened in the end
//! ([`crate::improve`]).

mod choose;
mod keep;
mod pass;

use std::time::Duration;

use puzzle_api::Key;

use super::{Options, Searched, Stats};
use crate::engines::find::{Limits, Watch};
use crate::error::EngineError;
use crate::improve::{self, Improved, improve};
use crate::outcome::{FoundPath, Outcome, StopReason};
use crate::progress::{Progress, Stop, note};
use crate::question::Goal;
use crate::steps::Steps;
use antipode_graph::Graph;
use keep::{Kept, PassPiece};
use pass::{End, Pass};

/// Of the time allowed, the part that passes leave for shortening.
const FOR_SHORTENING: u32 = 4;

/// Why a graph cannot be searched so, or nothing if it can.
pub(super) fn obstacle<K: Key>(graph: &Graph<K>) -> Option<&'static str> {
    (Steps::backward(graph).is_none())
        .then_some("beam needs moves back, or a layered graph: the way back goes against the moves")
}

/// Searches for a path from a state to a goal.
pub(super) fn reach<K: Key>(
    graph: &Graph<K>,
    start: K,
    goal: &Goal<K>,
    options: &Options,
    stop: &Stop,
) -> Result<Searched<K>, EngineError> {
    let (kept, begun) = Kept::open(graph, start, goal, options)?;
    let mut search = Search {
        graph,
        start,
        goal,
        options,
        watch: Watch::start(options.limits, stop),
        stop,
        paths: begun
            .iter()
            .map(PassPiece::path)
            .filter(|path| !path.is_empty())
            .collect(),
        stats: Stats {
            passes: begun.len() as u64,
            width: begun.last().map_or(0, |pass| pass.width),
            nodes: begun.iter().map(|pass| pass.expanded).sum(),
            ..Stats::default()
        },
        kept,
        is_last: false,
    };
    search.run()
}

/// What came of a pass.
enum Ended {
    /// A path, or none; a wider pass may find a shorter one.
    Narrow,
    /// The same that a wider pass would find: no state was turned away.
    Whole,
    GaveUp(StopReason),
}

/// Passes, wider and wider.
struct Search<'a, K> {
    graph: &'a Graph<K>,
    start: K,
    goal: &'a Goal<K>,
    options: &'a Options,
    watch: Watch<'a>,
    stop: &'a Stop,
    paths: Vec<Vec<K>>,
    stats: Stats,
    kept: Kept<K>,
    /// Whether no wider pass is worth while.
    is_last: bool,
}

impl<'a, K: Key> Search<'a, K> {
    fn run(&mut self) -> Result<Searched<K>, EngineError> {
        let mut why = StopReason::Width(self.options.most_width as u64);
        if self.goal.smallest_of(self.graph, &[self.start])?.is_some() {
            self.paths = vec![vec![self.start]];
            return self.finish(true, None);
        }
        while let Some(width) = self.next_width() {
            match self.pass(width)? {
                Ended::Narrow => {}
                Ended::Whole => {
                    self.is_last = true;
                    break;
                }
                Ended::GaveUp(reason) => {
                    why = reason;
                    break;
                }
            }
        }
        if self.paths.is_empty() {
            return Ok(Searched {
                outcome: Outcome::NotReached(why),
                levels: Vec::new(),
                stats: self.stats,
                kept: None,
            });
        }
        let improved = match self.watch.over(0) {
            Some(_) => None,
            None => Some(self.shorten()?),
        };
        let stopped = self.watch.over(0).is_some();
        let shortest = improved.as_ref().is_some_and(|improved| improved.shortest);
        self.finish(shortest && !stopped, improved)
    }

    /// The width of the next pass; nothing after the widest.
    fn next_width(&self) -> Option<usize> {
        let (first, most) = (self.options.first_width.max(1), self.options.most_width);
        match self.stats.width as usize {
            0 => Some(first.min(most)),
            last if last >= most => None,
            last => Some(last.saturating_mul(4).min(most)),
        }
    }

    fn best(&self) -> Option<&Vec<K>> {
        self.paths.iter().min_by_key(|path| path.len())
    }

    /// One pass, or what is left of it.
    fn pass(&mut self, width: usize) -> Result<Ended, EngineError> {
        let number = self.stats.passes as u32;
        let title = format!("beam of {width}");
        let progress = match self.options.show_progress {
            true => Progress::bar(&title, 1, self.stop),
            false => Progress::silent(self.stop),
        };
        let bound = self.best().map_or(usize::MAX, |path| path.len() - 1);
        let mut pass = Pass::new(self.graph, self.goal, self.options, (number, width));
        pass.restore(&mut self.kept, self.start)?;
        let watch = self.watch_of_pass();
        let end = pass.run(&mut self.kept, bound, &watch, &progress)?;
        drop(progress);
        self.stats.nodes += pass.expanded();
        let way = match end {
            End::GaveUp(why) => return Ok(Ended::GaveUp(why)),
            End::Missed => Vec::new(),
            End::Met(state, depth) => self.kept.way_to(self.graph, state, depth)?,
        };
        self.tell(&pass, way.len().checked_sub(1));
        let whole = self.kept.is_whole();
        self.stats.passes += 1;
        self.stats.width = width as u64;
        self.kept
            .finish_pass(&PassPiece::new(width, pass.expanded(), &way))?;
        if !way.is_empty() {
            self.paths.push(way);
        }
        Ok(match whole {
            true => Ended::Whole,
            false => Ended::Narrow,
        })
    }

    /// The limits of a pass: with a path in hand it leaves time for shortening.
    fn watch_of_pass(&self) -> Watch<'a> {
        let spared = match self.paths.is_empty() {
            true => Duration::ZERO,
            false => self.options.limits.time.unwrap_or_default() / FOR_SHORTENING,
        };
        let left = self.watch.left().time;
        let limits = Limits {
            time: left.map(|time| time.saturating_sub(spared)),
            ..self.options.limits
        };
        Watch::start(limits, self.stop)
    }

    /// Says how a pass ended.
    fn tell(&self, pass: &Pass<'_, K>, moves: Option<usize>) {
        if !self.options.show_progress {
            return;
        }
        let (width, depth) = (pass.width(), pass.depth());
        match (moves, pass.best()) {
            (Some(moves), _) => note(format_args!("beam of {width}: {moves} moves")),
            (None, Some(best)) => note(format_args!(
                "beam of {width}: no goal in {depth} levels; the nearest is {best} by the puzzle's order"
            )),
            (None, None) => note(format_args!("beam of {width}: no goal in {depth} levels")),
        }
    }

    /// All paths so far in one that is as short as so much memory can make it.
    fn shorten(&self) -> Result<Improved<K>, EngineError> {
        let options = improve::Options {
            memory: self.options.memory,
            work: self.options.windows.clone(),
            limits: self.watch.left(),
            show_progress: self.options.show_progress,
        };
        let paths = self.paths.clone();
        improve(
            self.graph, self.graph, self.goal, paths, &options, self.stop,
        )
    }

    fn finish(
        &mut self,
        shortest: bool,
        improved: Option<Improved<K>>,
    ) -> Result<Searched<K>, EngineError> {
        self.stats.window = improved.as_ref().map_or(0, Improved::window) as u64;
        if let Some(improved) = improved {
            self.paths.push(improved.states);
        }
        let states = self.best().cloned().unwrap_or_default();
        let complete = self.is_last || self.next_width().is_none() || shortest;
        Ok(Searched {
            outcome: Outcome::Path(FoundPath { states, shortest }),
            levels: Vec::new(),
            stats: self.stats,
            kept: self.kept.folder().filter(|_| complete),
        })
    }
}

#[cfg(test)]
mod tests;
