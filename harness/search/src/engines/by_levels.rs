//! A path by levels: an engine walks them from the start until a goal appears, keeps all of them,
//! and reconstructs one path through them.

use std::sync::Arc;

use antipode_graph::{Expansion, Graph};
use antipode_reports::model::SearchFigures;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use puzzle_api::{Direction, Key, UNSOLVABLE};

use super::find::say_levels;
use crate::engine::Engine;
use crate::error::Result;
use crate::level::LevelStates;
use crate::observers::{Distance, LevelSums, Observers};
use crate::outcome::{Outcome, Walked};
use crate::progress::{Progress, note};
use crate::question::{PathAnswer, PathQuestion, Roots};
use crate::reconstruct_path::SideLevels;
use crate::search::{Search, Watch};
use crate::side::SideLevel;
use crate::steps::{DirectionSteps, Keys};

/// Finds a shortest path with an engine that walks levels. Holds all states of the levels, 16 bytes
/// or more per state, in addition to the engine's own memory.
pub(crate) fn path<K: Key>(
    engine: &dyn Engine<K>,
    question: &PathQuestion<'_, K>,
) -> Result<PathAnswer<K>> {
    let graph = question.graph;
    let mut search = Search::of_path(graph, question.start, None)?;
    let ready = engine.prepare(&mut search, question.options, question.rules)?;
    if let (Some(line), true) = (ready.line, question.options.show_progress) {
        note(&line);
    }
    let watch = Arc::new(Watch::new(question.goal, question.stop));
    search.watch = Some(Arc::clone(&watch));
    let part = search.parts()?.first().copied().unwrap_or(0);
    let mut seen = Observers::plain().fork_collecting(usize::MAX);
    let shown = question.options.show_progress;
    let progress = Progress::shown(shown, &graph.opened.full_name(), 1, watch.stop());
    let walked = engine.levels(&search, part, &mut seen, &progress)?;
    drop(progress);
    let states = seen.collected.take().unwrap_or_default();
    let outcome = outcome(&search, watch.met(), &walked, states)?;
    Ok(answer(engine.facts().name, outcome, &seen.levels, &walked))
}

fn outcome<K: Key>(
    search: &Search<K>,
    met: Option<(u16, K)>,
    walked: &Walked<K>,
    states: Vec<Distance<K>>,
) -> Result<Outcome<K>> {
    if let Some((depth, goal)) = met {
        let mut levels = vec![Vec::new(); usize::from(depth)];
        for state in states {
            if let Some(level) = levels.get_mut(usize::from(state.depth)) {
                level.push(state.key);
            }
        }
        let levels: Vec<LevelStates<K>> = levels.into_iter().map(LevelStates::of).collect();
        // Not against the moves: no engine that walks levels needs the puzzle's predecessors.
        let ways = [Some(DirectionSteps::FORWARD), None];
        let mut levels = SideLevels::new(&search.graph, &Keys, ways, &levels);
        let mut path = levels.reconstruct_path(goal, Some(depth.into()))?;
        path.reverse();
        return Ok(Outcome::shortest(path));
    }
    Ok(match &walked.outcome {
        Outcome::NotReached(reason) => Outcome::NotReached(reason.clone()),
        _ => Outcome::exhausted(
            Direction::Forward,
            states.len() as u64,
            states.iter().map(|state| u32::from(state.depth) + 1).max(),
        ),
    })
}

/// Finds a shortest path to the solved states with an engine that walks whole parts from them. Each
/// step from the start goes to a successor that is nearer. Holds the distances of all states of the
/// part.
pub(super) fn descent<K: Key>(
    engine: &dyn Engine<K>,
    question: &PathQuestion<'_, K>,
) -> Result<PathAnswer<K>> {
    let graph = question.graph;
    let search = Search::new(graph.clone(), Direction::Backward, Roots::Solved, None)?;
    let mut start = [question.start];
    graph.canonical(&mut start, None)?;
    let mut placed = Vec::new();
    graph.place(&start, &mut placed)?;
    let part = placed.first().and_then(|at| at.map(|at| at.part));
    let mut seen = Observers::plain().fork_collecting(usize::MAX);
    let progress = Progress::silent(question.stop);
    let part = part.unwrap_or(0);
    let walked = engine.levels(&search, part, &mut seen, &progress)?;
    let whole = walked.outcome.is_answer();
    search.accounts_for(seen.levels.total_states(), part..part + 1, whole)?;
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
    let mut answer = answer(engine.facts().name, outcome, &solvable, &walked);
    for level in &mut answer.levels {
        level.side = Direction::Backward;
    }
    answer.figures.levels = SideLevel::figures(&answer.levels);
    Ok(answer)
}

/// The path from a state down to one at distance 0.
fn descend<K: Key>(
    graph: &Graph<K>,
    start: K,
    distances: &HashMap<K, u16, FixedState>,
    levels: &LevelSums,
) -> Result<Outcome<K>> {
    let distance = |key: K| -> Result<Option<u16>> {
        let mut canonical = [key];
        graph.canonical(&mut canonical, None)?;
        Ok(distances.get(&canonical[0]).copied())
    };
    let Some(mut depth) = distance(start)?.filter(|&depth| depth != UNSOLVABLE) else {
        return Ok(Outcome::exhausted(
            Direction::Backward,
            levels.total_states(),
            Some(levels.iter().count() as u32),
        ));
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
            graph.opened.disagrees("sweep", fault)
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
    let summary = say_levels(&outcome, levels.len(), seen);
    PathAnswer {
        outcome,
        summary,
        levels,
        figures,
        spent: walked.spent.clone(),
        kept: None,
    }
}
