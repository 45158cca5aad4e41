//! A path by levels: an engine walks them from the start until a goal turns up, all of them
//! are kept, and one way leads back through them.

use std::sync::{Arc, Mutex};

use antipode_graph::{Expansion, Graph, PluginError};
use antipode_reports::model::SearchFigures;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use puzzle_api::{Direction, Key, UNSOLVABLE};

use super::{BATCH, EngineError, Roots, Search};
use crate::engine::{Engine, PathAnswer, PathQuestion, SideLevel};
use crate::forward::Goal;
use crate::observers::{Distance, LevelSums, Observers};
use crate::outcome::{Outcome, Proof, StopReason, Walked};
use crate::progress::{Progress, Stop};
use crate::way_back::{KeptLevels, way_back};

/// What a walk looks for, and whether it was met.
#[derive(Debug)]
pub struct Watch<K> {
    goal: Goal<K>,
    met: Mutex<Option<(u16, K)>>,
    /// Asked for once a goal was met, or by the user.
    stop: Stop,
}

impl<K: Key> Watch<K> {
    /// Looks at states of a level; asks the walk to end behind the level with a goal.
    ///
    /// # Errors
    /// [`EngineError`] where the puzzle fails.
    pub(super) fn look(
        &self,
        search: &Search<K>,
        keys: &[K],
        depth: u16,
    ) -> Result<(), PluginError> {
        let found = match self.goal {
            Goal::State(goal) => keys.contains(&goal).then_some(goal),
            Goal::Solved => {
                let solved = search.graph.is_solved(keys)?;
                let met = keys.iter().zip(solved).filter(|(_, solved)| *solved);
                met.map(|(&key, _)| key).min()
            }
        };
        if let Some(key) = found {
            let mut met = self.met.lock().unwrap_or_else(|e| e.into_inner());
            *met = Some(met.map_or((depth, key), |before| before.min((depth, key))));
            self.stop.request();
        }
        Ok(())
    }

    fn met(&self) -> Option<(u16, K)> {
        *self.met.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// Finds a shortest path with an engine that walks levels. Holds all states of the levels,
/// 16 bytes or more a state, beside what the engine takes.
///
/// # Errors
/// [`EngineError`] from the engine or the puzzle.
pub(super) fn path<K: Key>(
    engine: &dyn Engine<K>,
    question: &PathQuestion<'_, K>,
) -> Result<PathAnswer<K>, EngineError> {
    let graph = question.graph;
    let roots = Roots::State(question.start);
    let mut search = Search::new(graph.clone(), Direction::Forward, roots, None)?;
    // A path is one of states, and the goal need not be like its mirror image.
    search.symmetry = false;
    let ready = engine.prepare(&mut search, question.means, question.rules)?;
    if let (Some(line), true) = (ready.line, question.means.show_progress) {
        antipode_reports::tell!("{line}");
    }
    let watch = Arc::new(Watch {
        goal: question.goal,
        met: Mutex::default(),
        stop: question.stop.fork(),
    });
    search.watch = Some(Arc::clone(&watch));
    let part = search.parts()?.first().copied().unwrap_or(0);
    let mut seen = Observers::plain().fork_collecting(usize::MAX);
    let progress = match question.means.show_progress {
        true => Progress::bar(&graph.opened.full_name(), 1, &watch.stop),
        false => Progress::silent(&watch.stop),
    };
    let walked = engine.levels(&search, part, &mut seen, &progress)?;
    drop(progress);
    let states = seen.collected.take().unwrap_or_default();
    let outcome = outcome(&search, watch.met(), &walked, states)?;
    Ok(answer(engine.name(), outcome, &seen.levels, &walked))
}

fn outcome<K: Key>(
    search: &Search<K>,
    met: Option<(u16, K)>,
    walked: &Walked<K>,
    states: Vec<Distance<K>>,
) -> Result<Outcome<K>, EngineError> {
    if let Some((depth, goal)) = met {
        let mut levels = vec![Vec::new(); usize::from(depth)];
        for state in states {
            if let Some(level) = levels.get_mut(usize::from(state.depth)) {
                level.push(state.key);
            }
        }
        let mut before = Before {
            search,
            levels,
            out: Expansion::default(),
        };
        let mut path = way_back(&mut before, goal, Some(depth.into()))?;
        path.reverse();
        return Ok(Outcome::shortest(path));
    }
    Ok(match &walked.outcome {
        Outcome::NotReached(reason) => Outcome::NotReached(reason.clone()),
        _ => Outcome::Unreachable(Proof::Exhausted {
            direction: Direction::Forward,
            states: states.len() as u64,
            levels: states.iter().map(|state| u32::from(state.depth) + 1).max(),
        }),
    })
}

/// All levels before a goal, from the start on.
struct Before<'a, K: Key> {
    search: &'a Search<K>,
    levels: Vec<Vec<K>>,
    out: Expansion<K>,
}

impl<K: Key> KeptLevels<K> for Before<'_, K> {
    type Error = EngineError;

    fn nearest_below(&self, depth: Option<u32>) -> Option<u32> {
        let all = self.levels.len() as u32;
        depth.map_or(all, |depth| depth.min(all)).checked_sub(1)
    }

    fn smallest_of(&mut self, depth: u32, wanted: &[K]) -> Result<Option<K>, EngineError> {
        let level = &self.levels[depth as usize];
        let held = level.iter().filter(|key| wanted.binary_search(key).is_ok());
        Ok(held.min().copied())
    }

    /// Not asked of the puzzle: no engine that walks levels needs its predecessors.
    fn against(&mut self, _: &[K]) -> Result<Option<Vec<K>>, EngineError> {
        Ok(None)
    }

    fn leading_to(
        &mut self,
        depth: u32,
        _radius: u32,
        state: K,
    ) -> Result<Option<Vec<K>>, EngineError> {
        let mut before: Option<K> = None;
        for batch in self.levels[depth as usize].chunks(BATCH) {
            let graph = &self.search.graph;
            graph.expand(Direction::Forward, batch, &mut self.out)?;
            let leads = (0..batch.len()).filter(|&i| self.out.of(i).contains(&state));
            before = before.into_iter().chain(leads.map(|i| batch[i])).min();
        }
        Ok(before.map(|key| vec![key]))
    }

    fn lost(&self, _depth: u32, _state: K) -> EngineError {
        let fault = "give other states than a moment ago: no path leads back through the levels";
        self.search.graph.opened.broken("successors", fault).into()
    }
}

/// Finds a shortest way to the solved states with an engine that walks whole parts from
/// them: from the start each time to a successor that is nearer. Holds the distances of
/// all states of the part.
///
/// # Errors
/// [`EngineError`] from the engine or the puzzle.
pub(super) fn descent<K: Key>(
    engine: &dyn Engine<K>,
    question: &PathQuestion<'_, K>,
) -> Result<PathAnswer<K>, EngineError> {
    let graph = question.graph;
    let search = Search::new(graph.clone(), Direction::Backward, Roots::Solved, None)?;
    let mut start = [question.start];
    graph.canonical(&mut start, None)?;
    let mut placed = Vec::new();
    graph.place(&start, &mut placed)?;
    let part = placed.first().and_then(|at| at.map(|at| at.part));
    let mut seen = Observers::plain().fork_collecting(usize::MAX);
    let progress = Progress::silent(question.stop);
    let walked = engine.levels(&search, part.unwrap_or(0), &mut seen, &progress)?;
    let states = seen.collected.take().unwrap_or_default();
    let mut solvable = seen.levels.clone();
    solvable.forget_unsolvable();
    let outcome = match &walked.outcome {
        Outcome::NotReached(reason) => Outcome::NotReached(reason.clone()),
        _ => {
            let states = states.into_iter().map(|state| (state.key, state.depth));
            descend(graph, question.start, &states.collect(), &solvable)?
        }
    };
    let mut answer = answer(engine.name(), outcome, &solvable, &walked);
    for level in &mut answer.levels {
        level.side = Direction::Backward;
    }
    answer.figures.levels = SideLevel::figures(&answer.levels);
    Ok(answer)
}

/// The way down from a state to one at distance 0.
fn descend<K: Key>(
    graph: &Graph<K>,
    start: K,
    distances: &HashMap<K, u16, FixedState>,
    levels: &LevelSums,
) -> Result<Outcome<K>, EngineError> {
    let distance = |key: K| -> Result<Option<u16>, EngineError> {
        let mut canonical = [key];
        graph.canonical(&mut canonical, None)?;
        Ok(distances.get(&canonical[0]).copied())
    };
    let Some(mut depth) = distance(start)?.filter(|&depth| depth != UNSOLVABLE) else {
        return Ok(Outcome::Unreachable(Proof::Exhausted {
            direction: Direction::Backward,
            states: levels.total_states(),
            levels: Some(levels.iter().count() as u32),
        }));
    };
    let mut path = vec![start];
    let mut out = Expansion::default();
    while depth > 0 {
        depth -= 1;
        graph.expand(Direction::Forward, &path[path.len() - 1..], &mut out)?;
        let mut next = None;
        for &key in out.keys() {
            if distance(key)? == Some(depth) {
                next = Some(next.map_or(key, |other: K| other.min(key)));
            }
        }
        path.push(next.ok_or_else(|| {
            let fault = "gives distances that no move leads down from";
            graph.opened.broken("sweep", fault)
        })?);
    }
    Ok(Outcome::shortest(path))
}

fn answer<K: Key>(
    engine: &str,
    outcome: Outcome<K>,
    levels: &LevelSums,
    walked: &Walked<K>,
) -> PathAnswer<K> {
    let seen = levels.total_states();
    let levels = SideLevel::forward(levels);
    let figures = SearchFigures {
        engine: Some(engine.to_owned()),
        states_seen: Some(seen),
        moves_listed: walked.spent.generated,
        levels: SideLevel::figures(&levels),
        ..SearchFigures::default()
    };
    let summary = match &outcome {
        Outcome::Path(_) | Outcome::Levels => format!("the fewest possible ({seen} states seen)"),
        Outcome::Unreachable(_) => {
            format!("unsolvable: none of the {seen} states that can be reached is a goal")
        }
        Outcome::NotReached(StopReason::Requested) => format!(
            "stopped after {} levels and {seen} states without an answer",
            levels.len()
        ),
        Outcome::NotReached(why) => format!(
            "{why}; not decided ({} levels and {seen} states seen)",
            levels.len()
        ),
    };
    PathAnswer {
        outcome,
        summary,
        levels,
        figures,
        kept: None,
    }
}
