//! Engine `hash` in the registry.

use antipode_graph::Graph;
use puzzle_api::Key;

use crate::engine::{Engine, Facts, Footprint, Ready, backward_obstacle};
use crate::error::EngineError;
use crate::memory::address_space_left;
use crate::observers::Observers;
use crate::options::{EngineOptions, Opt};
use crate::outcome::Walked;
use crate::progress::Progress;
use crate::question::Numbered;
use crate::question::{Ask, QuestionKind};
use crate::search::Search;

/// Engine `hash`.
#[derive(Debug)]
pub struct HashEngine;

impl<K: Key> Engine<K> for HashEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "hash",
            summary: "levels of keys in hash sets; needs nothing of the puzzle",
            answers: &[QuestionKind::Levels, QuestionKind::Path, QuestionKind::Many],
            footprints: &[Footprint {
                memory: 29.0,
                rate: 3.2e6,
                ..Footprint::NONE
            }],
            numbered: Some(Numbered::ByKey),
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[Opt::Memory]
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        backward_obstacle(graph, ask)
    }

    fn preference(&self, _: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        u8::from(ask.kind() != QuestionKind::Path)
    }

    fn prepare(
        &self,
        search: &mut Search<K>,
        options: &EngineOptions,
        _: &Graph<K>,
    ) -> Result<Ready, EngineError> {
        search.memory = options
            .memory
            .or_else(|| address_space_left().map(|left| left / 2));
        Ok(Ready::default())
    }

    fn levels(
        &self,
        search: &Search<K>,
        part: u64,
        observers: &mut Observers<K>,
        progress: &Progress,
    ) -> Result<Walked<K>, EngineError> {
        super::walk(search, part, observers, progress)
    }
}
