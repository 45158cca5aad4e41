//! Engine `solutions` in the registry.

use antipode_graph::Graph;
use puzzle_api::Key;

use super::{solutions, steps_back};
use crate::engine::{Engine, Facts};
use crate::error::EngineError;
use crate::options::Opt;
use crate::question::{Ask, PathQuestion, QuestionKind, SolutionsAnswer};

/// Engine `solutions`.
#[derive(Debug)]
pub struct SolutionsEngine;

impl<K: Key> Engine<K> for SolutionsEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "solutions",
            summary: "all solutions through a layered graph, from both ends",
            answers: &[QuestionKind::Solutions],
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[Opt::MaxStates, Opt::MaxTime]
    }

    fn obstacle(&self, graph: &Graph<K>, _: &Ask<'_, K>) -> Option<String> {
        steps_back(graph).err()
    }

    fn preference(&self, _: &Graph<K>, _: &Ask<'_, K>) -> u8 {
        1
    }

    fn solutions(&self, question: &PathQuestion<'_, K>) -> Result<SolutionsAnswer<K>, EngineError> {
        solutions(question)
    }
}
