//! Windows of a path, from both ends.

use puzzle_api::Key;

use super::{Proven, Shortening};
use crate::engines::bidirectional::{self, BidirectionalFolder, BidirectionalRequest};
use crate::error::EngineError;
use crate::outcome::{Outcome, StopReason};
use crate::question::Goal;
use crate::work::clear;

/// Moves of the first windows.
const FIRST: usize = 12;
/// Bytes of a thread's working memory in a search.
const THREAD: u64 = 16 << 20;

/// Windows of increasing width, as wide as a search within the memory can decide.
pub(super) struct Windows {
    memory: u64,
    width: usize,
}

impl Windows {
    pub(super) fn new(memory: u64) -> Self {
        Self {
            memory,
            width: FIRST,
        }
    }

    pub(super) fn run<K: Key>(&mut self, path: &mut Shortening<'_, K>) -> Result<(), EngineError> {
        if !bidirectional::possible(path.graph) {
            return Ok(());
        }
        let mut wider = true;
        while wider && !path.over() {
            wider = self.all_of(path)? && self.width < path.moves();
            self.width = (self.width * 5 / 4).min(path.moves()).max(1);
        }
        Ok(())
    }

    /// All windows of this width, at steps of half a width; returns whether all were decided.
    fn all_of<K: Key>(&self, path: &mut Shortening<'_, K>) -> Result<bool, EngineError> {
        let step = (self.width / 2).max(1);
        let mut proven = Vec::new();
        let mut from = 0;
        loop {
            let to = (from + self.width).min(path.moves());
            let from_here = to.saturating_sub(self.width);
            let Some(shorter) = self.between(path, from_here, to)? else {
                return Ok(false);
            };
            if shorter.len() < to - from_here + 1 {
                let states = &path.done.states;
                let joined = [&states[..from_here], &shorter, &states[to + 1..]].concat();
                path.take(joined, "a window");
                // The windows before it may be shorter now; the next round searches them.
                proven.clear();
                if path.over() {
                    return Ok(false);
                }
                continue;
            }
            proven.push(Proven {
                from: from_here,
                to,
            });
            if to == path.moves() {
                break;
            }
            from = from_here + step;
        }
        if proven.first().is_some_and(|window| window.from == 0) {
            let whole = proven[0].to == path.moves();
            path.done.shortest |= whole && matches!(path.goal, Goal::State(_));
            path.done.proven = proven;
        }
        Ok(true)
    }

    /// Tables as large as the memory, with buffers that are small compared with them.
    fn options(&self, work: BidirectionalFolder) -> bidirectional::BidirectionalOptions {
        let mut options = bidirectional::BidirectionalOptions::new(self.memory, work);
        options.run_states = options
            .run_states
            .min((self.memory / 256) as usize)
            .max(1 << 12);
        options.levels_in_memory = options.levels_in_memory.min(self.memory / 4);
        let threads = THREAD * rayon::current_num_threads() as u64;
        let runs = 64 * options.run_states as u64;
        options.memory += options.levels_in_memory + threads + runs;
        options
    }

    /// A shortest path between two states of the path; `None` if it takes too much memory.
    fn between<K: Key>(
        &self,
        path: &Shortening<'_, K>,
        from: usize,
        to: usize,
    ) -> Result<Option<Vec<K>>, EngineError> {
        if path.watch.over(0).is_some() {
            return Ok(None);
        }
        let work = BidirectionalFolder::WhenLarge(path.scratch.path().to_owned());
        let request = BidirectionalRequest {
            graph: path.graph.clone(),
            start: path.done.states[from],
            goals: vec![path.done.states[to]],
            options: self.options(work),
        };
        let searched = match bidirectional::meet(&request, path.stop) {
            Ok(searched) => searched,
            // Too wide for this round.
            Err(error) => return StopReason::of_limit(error).map(|_| None),
        };
        if let Some(folder) = &searched.work {
            clear(folder, true)?;
        }
        Ok(match searched.outcome {
            Outcome::Path(found) => Some(found.states),
            Outcome::Unreachable(_) | Outcome::Levels | Outcome::NotReached(_) => None,
        })
    }
}
