//! Engine `orbits`: breadth-first along the moves, on one thread, if some symmetry keeps the start
//! and the goal. One state stands for its whole orbit under these symmetries. The levels that it
//! reports are those of all states, as in engine `reference`.

use antipode_graph::{Capabilities, Graph, PluginError};
use puzzle_api::Key;

use super::find::Reduction;
use super::reference;
use crate::engine::{Engine, Facts};
use crate::error::Result;
use crate::options::Opt;
use crate::question::{Ask, Goal, PathAnswer, PathQuestion, QuestionKind};

/// Engine `orbits`.
#[derive(Debug)]
pub struct OrbitsEngine;

impl<K: Key> Engine<K> for OrbitsEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "orbits",
            summary: "a plain queue of one state for all that look alike from start and goal",
            answers: &[QuestionKind::Path],
            works_alone: true,
            tells_whole_levels: true,
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[Opt::MaxDepth, Opt::MaxStates, Opt::MaxTime]
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

    /// Only if all symmetries keep both: else each image of a state is checked, which takes longer
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

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>> {
        let reduction = keeping(question.graph, question.start, &question.goal)?;
        reference::forward(question, reduction, question.options.max_states).map(Some)
    }
}

/// The symmetries that keep the start, and the goal.
fn keeping<K: Key>(graph: &Graph<K>, start: K, goal: &Goal<K>) -> Result<Reduction, PluginError> {
    match goal {
        Goal::State(goal) => Reduction::fixing(graph, &[start, *goal]),
        Goal::Solved => Reduction::fixing(graph, &[start]),
    }
}
