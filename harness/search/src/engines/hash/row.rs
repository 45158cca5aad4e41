//! Engine `hash` in the registry.

use antipode_graph::Graph;
use puzzle_api::Key;

use crate::engine::{Engine, Footprint, Ready, backward_obstacle};
use crate::error::EngineError;
use crate::means::{Means, Opt};
use crate::memory::address_space_left;
use crate::observers::Observers;
use crate::outcome::Walked;
use crate::progress::Progress;
use crate::question::Numbered;
use crate::question::{Ask, Kind};
use crate::search::Search;

/// Engine `hash`.
#[derive(Debug)]
pub struct Row;

impl<K: Key> Engine<K> for Row {
    fn name(&self) -> &'static str {
        "hash"
    }

    fn summary(&self) -> &'static str {
        "levels of keys in hash sets; needs nothing of the puzzle"
    }

    fn answers(&self) -> &'static [Kind] {
        &[Kind::Levels, Kind::Path, Kind::Many]
    }

    fn options(&self, _: Kind) -> &'static [Opt] {
        &[Opt::Memory]
    }

    fn footprints(&self) -> &'static [Footprint] {
        &[Footprint {
            options: "",
            memory: 29.0,
            disk: 0.0,
            rate: 3.2e6,
            numbered: false,
            shared: false,
        }]
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        backward_obstacle(graph, ask)
    }

    fn preference(&self, _: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        u8::from(ask.kind() != Kind::Path)
    }

    fn prepare(
        &self,
        search: &mut Search<K>,
        means: &Means,
        _: &Graph<K>,
    ) -> Result<Ready, EngineError> {
        search.memory = means
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

    fn numbered(&self) -> Option<Numbered> {
        Some(Numbered::ByKey)
    }
}
