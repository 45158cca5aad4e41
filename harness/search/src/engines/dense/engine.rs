//! Engine `dense` in the registry.

use std::collections::BTreeMap;

use antipode_graph::{Capabilities, Graph};
use puzzle_api::Key;
use serde_json::json;

use super::{DenseBudget, DenseOptions};
use crate::engine::{Engine, Facts, Footprint, Ready, backward_obstacle};
use crate::error::EngineError;
use crate::memory;
use crate::observers::Observers;
use crate::options::{EngineOptions, Opt, Representation};
use crate::outcome::Walked;
use crate::progress::Progress;
use crate::question::Numbered;
use crate::question::{Ask, QuestionKind};
use crate::search::Held;
use crate::search::Search;

/// Least number of ranks for which the engine is the default.
const LARGE: u64 = 1 << 24;

/// Engine `dense`.
#[derive(Debug)]
pub struct DenseEngine;

impl<K: Key> Engine<K> for DenseEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "dense",
            summary: "a byte, two bits or one bit per rank; needs a numbering of the states",
            answers: &[QuestionKind::Levels, QuestionKind::Path, QuestionKind::Many],
            footprints: &[
                Footprint {
                    options: "--table byte",
                    memory: 1.0,
                    rate: 2.5e6,
                    numbered: true,
                    ..Footprint::NONE
                },
                Footprint {
                    options: "--table bit",
                    memory: 0.27,
                    rate: 2.3e6,
                    numbered: true,
                    ..Footprint::NONE
                },
            ],
            numbered: Some(Numbered::ByRank),
            ..Facts::USUAL
        }
    }

    fn options(&self, kind: QuestionKind) -> &'static [Opt] {
        match kind {
            QuestionKind::Levels => &[Opt::Memory, Opt::Table, Opt::Frontier],
            _ => &[Opt::Memory],
        }
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        if !graph.has(Capabilities::RANK) {
            return Some("dense needs a numbering (space, place, unrank)".into());
        }
        backward_obstacle(graph, ask)
    }

    /// A large part whose neighbours come as ranks takes a third of the time that `hash` takes and
    /// a tenth of its memory. A walk of a few levels does not justify the table.
    fn preference(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        let Ask::Levels { limited: false, .. } = ask else {
            return 0;
        };
        if !graph.proves(Capabilities::NEIGHBOUR_RANKS) {
            return 0;
        }
        let size = graph.space(0).ok().flatten().unwrap_or(0);
        let bytes = 3 * Representation::Bit.table_bytes(size);
        let fits = || memory::available().is_none_or(|available| bytes <= available);
        if size >= LARGE && fits() { 2 } else { 0 }
    }

    fn prepare(
        &self,
        search: &mut Search<K>,
        options: &EngineOptions,
        _: &Graph<K>,
    ) -> Result<Ready, EngineError> {
        let own = DenseOptions {
            table: options.table,
            memory: options.memory,
            frontier: options.frontier.unwrap_or_default(),
        };
        let plan = DenseBudget::make(search, &search.parts()?, own, options.threads.max(1))?;
        search.held = Held::of(plan);
        Ok(Ready {
            line: Some(plan.line()),
            record: BTreeMap::from([("dense".to_owned(), json!(plan.record()))]),
        })
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
