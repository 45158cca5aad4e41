//! Shortens a given path by searches along it that are small compared with a full one.
//!
//! - *Crossing and neighbourhood*: breadth-first search within the states a few moves around one
//!   path or several (iterative tunnelling: Furcy, "ITSA*", 2006).
//! - *Free ends*: from a state of the path to the nearest goal, whichever it is.
//! - *Windows*: between two states of the path, from both ends. Such a search finds the shortest
//!   path between them, so a window that does not change is proven.
//!
//! When none of them helps any more, each gets four times as much memory. Nothing is lost by
//! stopping: the shortest path so far is the answer.

use std::path::PathBuf;

use antipode_graph::{Expansion, Graph};
use antipode_reports::count;
use puzzle_api::{Direction, Key};

use super::bidirectional::{self, BidirectionalFolder, BidirectionalRequest};
use super::find::{Watch, check_given, check_path};
use crate::breadth_first::BreadthFirst;
use crate::error::{EngineError, Result};
use crate::forward::ForwardSolver;
use crate::options::SearchLimits;
use crate::outcome::{Outcome, StopReason, with_width};
use crate::progress::{Stop, note};
use crate::question::{Goal, PathQuestion};
use crate::reconstruct_path::rising;
use crate::steps::DirectionSteps;
use crate::work::{ScratchFolder, clear};

/// Bytes that the first round may take.
const FIRST_ROUND: u64 = 8 << 20;
/// Growth of the memory limit from round to round.
const MORE: u64 = 4;

/// Options and limits.
#[derive(Debug, Clone)]
pub struct ImproveOptions {
    /// Bytes of memory that a search may take.
    pub memory: u64,
    /// Folder for searches that outgrow the memory; each runs in a folder of its own there, which
    /// is removed at the end.
    pub work: PathBuf,
    /// When to give up; states are not counted here.
    pub limits: SearchLimits,
    /// Whether to report on stderr what became shorter.
    pub show_progress: bool,
}

impl ImproveOptions {
    /// Least bytes of memory: less holds no window.
    pub const LEAST: u64 = 1 << 20;
    /// Default bytes of memory: enough for windows of a hundred moves and more.
    pub const MEMORY: u64 = 1 << 30;
}

/// The states of a path between which no shorter path exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proven {
    /// Moves before the first.
    pub from: usize,
    /// Moves before the last.
    pub to: usize,
}

/// The step that made a path shorter, and its length then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gain {
    /// The method used.
    pub by: &'static str,
    /// Moves of the path then.
    pub moves: usize,
}

/// A path, and the steps applied to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Improved<K> {
    /// The path.
    pub states: Vec<K>,
    /// How it became shorter, in order.
    pub gains: Vec<Gain>,
    /// The widest windows that were searched completely, in order.
    pub proven: Vec<Proven>,
    /// Whether no path to any goal is shorter.
    pub shortest: bool,
    /// Why the searches ended; `None` if there is nothing left to gain.
    pub ended: Option<StopReason>,
}

impl<K> Improved<K> {
    /// Width in moves of the windows that were searched completely; 0 for none.
    pub fn window(&self) -> usize {
        let widths = self.proven.iter().map(|window| window.to - window.from);
        widths.min().unwrap_or(0)
    }
}

/// Shortens paths that all lead from the start of a question to its goal, and joins them into one.
///
/// # Errors
/// [`EngineError`]: no path, one that starts elsewhere or is invalid on the rulebook, or a puzzle
/// that breaks its contract.
pub fn shorten(
    question: &PathQuestion<'_, u128>,
    paths: Vec<Vec<u128>>,
    options: &ImproveOptions,
) -> Result<Improved<u128>> {
    let Some(narrow) = question.narrow() else {
        let (graph, rules, goal) = (question.graph, question.rules, &question.goal);
        return improve(graph, rules, goal, paths, options, question.stop);
    };
    let asked = question.on(&narrow);
    let paths = paths.into_iter().map(keys).collect();
    let done = improve(
        asked.graph,
        asked.rules,
        &asked.goal,
        paths,
        options,
        asked.stop,
    )?;
    Ok(Improved {
        states: keys(done.states),
        gains: done.gains,
        proven: done.proven,
        shortest: done.shortest,
        ended: done.ended,
    })
}

fn keys<K: Key, L: Key>(path: Vec<K>) -> Vec<L> {
    path.into_iter().map(with_width).collect()
}

/// As [`shorten`], with keys of the library's own width.
pub(crate) fn improve<K: Key>(
    graph: &Graph<K>,
    rules: &Graph<K>,
    goal: &Goal<K>,
    paths: Vec<Vec<K>>,
    options: &ImproveOptions,
    stop: &Stop,
) -> Result<Improved<K>> {
    for path in &paths {
        check_given(rules, path, Some(goal))?;
    }
    let name = graph.opened.full_name();
    let least = paths.iter().min_by_key(|path| path.len()).cloned();
    let Some(states) = least.filter(|path| !path.is_empty()) else {
        return Err(EngineError::CannotHold(format!(
            "{name}: no path to shorten"
        )));
    };
    if paths.iter().any(|path| path[0] != states[0]) {
        let text = format!("{name}: the paths start at different states; give paths from one");
        return Err(EngineError::CannotHold(text));
    }
    let mut work = Shortening {
        graph,
        goal,
        options,
        scratch: ScratchFolder::within(&options.work)?,
        watch: Watch::start(options.limits, stop),
        stop,
        others: paths,
        done: Improved {
            states,
            gains: Vec::new(),
            proven: Vec::new(),
            shortest: false,
            ended: None,
        },
    };
    work.run()?;
    check_path(rules, &work.done.states, Some(goal))?;
    Ok(work.done)
}

/// A path being shortened.
struct Shortening<'a, K> {
    graph: &'a Graph<K>,
    goal: &'a Goal<K>,
    options: &'a ImproveOptions,
    scratch: ScratchFolder,
    watch: Watch<'a>,
    stop: &'a Stop,
    /// Paths to cross it with.
    others: Vec<Vec<K>>,
    done: Improved<K>,
}

impl<K: Key> Shortening<'_, K> {
    fn run(&mut self) -> Result<()> {
        self.straighten()?;
        self.done.shortest = self.moves() == 0;
        let mut memory = FIRST_ROUND.min(self.options.memory);
        loop {
            while !self.done.shortest && self.round(memory)? {}
            if self.done.shortest {
                return Ok(());
            }
            self.done.ended = self.watch.over(0);
            if self.done.ended.is_some() {
                return Ok(());
            }
            if memory >= self.options.memory {
                self.done.ended = Some(self.all_tried()?);
                return Ok(());
            }
            memory = memory.saturating_mul(MORE).min(self.options.memory);
        }
    }

    /// Why nothing is left to try. Without predecessors, there are no windows.
    fn all_tried(&self) -> Result<StopReason> {
        let mut reason = StopReason::memory(self.options.memory);
        if let (Goal::State(to), StopReason::Memory(limit)) = (self.goal, &mut reason)
            && !bidirectional::possible(self.graph)
        {
            let [from, to] = [self.done.states[0], *to].map(|state| self.graph.draw(state));
            limit.said = Some(format!(
                "only states near the path were searched, as the puzzle lists no predecessors; find the fewest moves by `antipode solve` with --from '{}' --to '{}'",
                from?, to?
            ));
        }
        Ok(reason)
    }

    /// Tries everything once; returns whether something became shorter.
    fn round(&mut self, memory: u64) -> Result<bool> {
        let before = self.moves();
        self.cross(memory)?;
        self.free_ends(memory)?;
        let mut windows = Windows {
            memory,
            width: FIRST,
        };
        windows.run(self)?;
        Ok(self.moves() < before && self.watch.over(0).is_none())
    }

    fn moves(&self) -> usize {
        self.done.states.len() - 1
    }

    /// Whether to stop before the next search.
    fn over(&self) -> bool {
        self.done.shortest || self.watch.over(0).is_some()
    }

    /// Replaces a part of the path by a shorter one.
    fn take(&mut self, states: Vec<K>, by: &'static str) {
        if states.len() >= self.done.states.len() {
            return;
        }
        self.others
            .push(std::mem::replace(&mut self.done.states, states));
        self.done.proven.clear();
        let moves = self.moves();
        self.done.gains.push(Gain { by, moves });
        if self.options.show_progress {
            note(format_args!(
                "{}, by {by}",
                count(moves, self.graph.opened.unit())
            ));
        }
    }

    /// Ends the path at its first goal, and removes detours that return to a state.
    fn straighten(&mut self) -> Result<()> {
        let mut states = self.done.states.clone();
        if let Goal::Solved = self.goal {
            let solved = self.graph.is_solved(&states)?;
            let first = solved.iter().position(|&solved| solved);
            states.truncate(first.map_or(states.len(), |at| at + 1));
        }
        let mut out = Expansion::default();
        let mut way = vec![states[0]];
        let mut at = 0;
        while at + 1 < states.len() {
            self.graph
                .expand(Direction::Forward, &[states[at]], &mut out)?;
            let ahead = (at + 1..states.len()).rev();
            let next = ahead
                .clone()
                .find(|&next| out.keys().contains(&states[next]));
            // For a state that occurs twice, the last occurrence counts.
            at = next.unwrap_or(at + 1);
            way.push(states[at]);
        }
        self.take(way, "leaving out detours");
        Ok(())
    }
}

// Searches within a region, and to a free end.

/// Number of paths that are crossed at once, the latest ones.
const CROSSED: usize = 64;
/// Number of moves from the end at which the first free end begins.
const FIRST_END: usize = 8;

impl<K: Key> Shortening<'_, K> {
    /// States that a search in n bytes can hold: a key in a table that is half empty, one in a
    /// level, and its origin.
    fn states_in(&self, memory: u64) -> u64 {
        memory / (4 * size_of::<K>() as u64 + 8)
    }

    /// A shortest path within the states around all paths, up to the greatest radius that fits. If
    /// these are all states that the start leads to, no path is shorter.
    fn cross(&mut self, memory: u64) -> Result<()> {
        if self.over() {
            return Ok(());
        }
        let most = self.states_in(memory) / 2;
        let mut ways = vec![DirectionSteps::FORWARD];
        ways.extend(
            DirectionSteps::backward(self.graph).filter(|&way| way != DirectionSteps::FORWARD),
        );
        let others = self.others.len().saturating_sub(CROSSED);
        let others = self.others[others..].iter().flatten();
        let roots: Vec<K> = self.done.states.iter().chain(others).copied().collect();
        let mut region = BreadthFirst::new(self.graph, &ways, &rising(&roots));
        while !region.level().is_empty() && region.advance_within(most)? {
            if self.watch.over(0).is_some() {
                return Ok(());
            }
        }
        let start = self.done.states[0];
        // States outside are treated as the start, which has been met.
        let inside = |steps: DirectionSteps, states: &[K], out: &mut Expansion<K>| {
            steps.expand(self.graph, states, out)?;
            for key in out.keys_mut() {
                if !region.has_met(*key) {
                    *key = start;
                }
            }
            Ok(())
        };
        let mut search = BreadthFirst::new(self.graph, &[DirectionSteps::FORWARD], &[start]);
        search = search.listing(&inside).traced();
        while !search.level().is_empty() && (search.depth() as usize) < self.moves() {
            if let Some(at) = self.goal.first_in(self.graph, search.level())? {
                let way = search.way_to(at);
                self.take(way, "a way around the paths");
                break;
            }
            search.advance()?;
        }
        self.done.shortest = region.level().is_empty();
        Ok(())
    }

    /// From states of the path, ever further from its end, to the nearest goal.
    fn free_ends(&mut self, memory: u64) -> Result<()> {
        if let Goal::State(_) = self.goal {
            return Ok(());
        }
        let solver = ForwardSolver::new(self.graph.clone());
        let most = self.states_in(memory);
        let mut moves = FIRST_END;
        while !self.over() {
            let from = self.moves().saturating_sub(moves);
            let (stop, mut path) = (self.stop, self.done.states[..=from].to_vec());
            let start = path[from];
            let found = solver.shortest_within(most, start, self.goal, &mut || stop.requested())?;
            match found.outcome {
                Outcome::Path(end) => {
                    path.extend(&end.states[1..]);
                    self.take(path, "another end");
                    // From the start itself: no path is shorter.
                    self.done.shortest = from == 0;
                }
                Outcome::NotReached(_) | Outcome::Unreachable(_) | Outcome::Levels => break,
            }
            moves += moves.div_ceil(4);
        }
        Ok(())
    }
}

// Windows of a path, from both ends.

/// Moves of the first windows.
const FIRST: usize = 12;
/// Bytes of a thread's working memory in a search.
const THREAD: u64 = 16 << 20;

/// Windows of increasing width, as wide as a search within the memory can decide.
struct Windows {
    memory: u64,
    width: usize,
}

impl Windows {
    fn run<K: Key>(&mut self, path: &mut Shortening<'_, K>) -> Result<()> {
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
    fn all_of<K: Key>(&self, path: &mut Shortening<'_, K>) -> Result<bool> {
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
    ) -> Result<Option<Vec<K>>> {
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

#[cfg(test)]
mod tests;
