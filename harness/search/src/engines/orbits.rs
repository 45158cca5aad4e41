//! Engine `orbits`: breadth first along the moves, on one thread, where some symmetry keeps the
//! start and the goal: one state stands for all that such symmetries turn into each other. The
//! levels that it tells of are those of all states, as engine `reference` has them.

use antipode_graph::{Capabilities, Expansion, Graph, PluginError};
use antipode_reports::model::SearchFigures;
use indicatif::HumanCount;
use puzzle_api::{Direction, Key};

use super::find::{Reduction, Watch, follow, say_levels};
use crate::breadth_first::BreadthFirst;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::means::{Limits, Opt};
use crate::outcome::{Outcome, Proof, Spent, StopReason};
use crate::question::{Ask, Goal, Kind, PathAnswer, PathQuestion};
use crate::side::SideLevel;
use crate::steps::Steps;

/// Representatives that there is room for at once: those of the Donkey fit.
const ROOM: usize = 14_000;

/// Engine `orbits`.
#[derive(Debug)]
pub struct Row;

impl<K: Key> Engine<K> for Row {
    fn name(&self) -> &'static str {
        "orbits"
    }

    fn summary(&self) -> &'static str {
        "a plain queue of one state for all that look alike from start and goal"
    }

    fn answers(&self) -> &'static [Kind] {
        &[Kind::Path]
    }

    fn options(&self, _: Kind) -> &'static [Opt] {
        &[Opt::MaxDepth, Opt::MaxStates, Opt::MaxTime]
    }

    fn works_alone(&self) -> bool {
        true
    }

    fn tells_whole_levels(&self) -> bool {
        true
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        let Ask::Path { start, goal } = ask else {
            return None;
        };
        let keeping = match start {
            Some(start) => keeping(graph, *start, goal),
            None => Reduction::fixing(graph, &[]),
        };
        match keeping {
            Ok(Reduction::Identity) => Some(
                "orbits needs a symmetry that keeps the start and the goal; leave out --engine"
                    .into(),
            ),
            Ok(Reduction::Group | Reduction::Subgroup(_)) => None,
            Err(error) => Some(error.to_string()),
        }
    }

    /// Where all symmetries keep both: else each image of a state is looked at, which takes longer
    /// than the state.
    fn preference(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        let Ask::Path {
            start: Some(start),
            goal,
        } = ask
        else {
            return 0;
        };
        match graph
            .has(Capabilities::SYMMETRY)
            .then(|| keeping(graph, *start, goal))
        {
            Some(Ok(Reduction::Group)) => 2,
            _ => 0,
        }
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>, EngineError> {
        let reduction = keeping(question.graph, question.start, &question.goal)?;
        walk(question, &reduction).map(Some)
    }
}

/// The symmetries that keep the start, and the goal.
fn keeping<K: Key>(graph: &Graph<K>, start: K, goal: &Goal<K>) -> Result<Reduction, PluginError> {
    match goal {
        Goal::State(goal) => Reduction::fixing(graph, &[start, *goal]),
        Goal::Solved => Reduction::fixing(graph, &[start]),
    }
}

/// Level after level until one has a goal. What stands for a state is as far from the start as
/// the state, since what turns the one into the other keeps the start.
fn walk<K: Key>(
    question: &PathQuestion<'_, K>,
    reduction: &Reduction,
) -> Result<PathAnswer<K>, EngineError> {
    let (graph, means) = (question.graph, question.means);
    let watch = Watch::start(
        Limits {
            nodes: None,
            time: means.max_time,
        },
        question.stop,
    );
    let list = |steps: Steps, keys: &[K], out: &mut Expansion<K>| {
        reduction.expand(graph, steps, keys, out)
    };
    let search = BreadthFirst::new(graph, &[Steps::FORWARD], &[question.start]);
    let mut search = search.listing(&list).traced().with_room(ROOM);
    let (mut levels, mut states) = (Vec::new(), 0);
    let outcome = loop {
        let level = search.level();
        if level.is_empty() {
            break Outcome::Unreachable(Proof::Exhausted {
                direction: Direction::Forward,
                states,
                levels: Some(levels.len() as u32),
            });
        }
        if let Some(why) = watch.over(0) {
            break Outcome::NotReached(why);
        }
        let all: u64 = reduction.sizes(graph, level)?.iter().sum();
        levels.push(all);
        states += all;
        if let Some(goal) = question.goal.smallest_of(graph, level)? {
            // It was met a moment ago.
            let at = level.iter().position(|&key| key == goal).unwrap_or(0);
            let chain = search.way_to(at);
            let path = follow(graph, reduction, question.start, &chain[1..])?;
            break Outcome::shortest(path);
        }
        if let Some(most) = means.max_states.filter(|&most| states > most) {
            break Outcome::NotReached(StopReason::States(most));
        }
        if let Some(deepest) = means
            .max_depth
            .filter(|&deepest| search.depth() >= deepest.into())
        {
            break Outcome::NotReached(StopReason::Depth(deepest));
        }
        search.advance()?;
    };
    Ok(answer(outcome, &levels, (states, search.seen())))
}

fn answer<K>(outcome: Outcome<K>, levels: &[u64], (states, orbits): (u64, u64)) -> PathAnswer<K> {
    // More of them than are counted are no table.
    let is_table = levels.len() <= usize::from(u16::MAX);
    let levels = levels.iter().filter(|_| is_table).zip(0..);
    let levels: Vec<SideLevel> = levels
        .map(|(&states, depth)| SideLevel {
            side: Direction::Forward,
            depth,
            states,
            digest: None,
        })
        .collect();
    let said = say_levels(&outcome, levels.len(), states);
    PathAnswer {
        summary: format!("{said}, {} up to symmetry", HumanCount(orbits)),
        outcome,
        levels,
        figures: SearchFigures {
            states_seen: Some(states),
            ..SearchFigures::default()
        },
        spent: Spent::default(),
        kept: None,
    }
}

#[cfg(test)]
mod tests;
