//! Engine `sweep`: the puzzle's own inner loop over a part, backward or forward. Its states are
//! counted, digested and checked here like those of other engines.

use antipode_graph::{Capabilities, Graph};
use puzzle_api::{Direction, Key, UNSOLVABLE};

use super::by_levels;
use crate::engine::{Engine, Facts, Footprint, Load};
use crate::error::Result;
use crate::memory;
use crate::observers::{Observers, OrbitSizes};
use crate::options::Opt;
use crate::outcome::{Outcome, Spent, StopReason, Walked};
use crate::progress::Progress;
use crate::question::{Ask, Goal, PathAnswer, PathQuestion, QuestionKind};
use crate::search::Search;

/// Approximate bytes of a distance that is kept per state.
const KEPT: u64 = 64;
/// Bytes of a thread for the puzzle's buffers, the states that it delivers, and their checks:
/// 45 MB for the parts of 250,844 ranks of `rush-hour/5x5`.
const SCRATCH: u64 = 48 << 20;

/// Engine `sweep`.
#[derive(Debug)]
pub struct SweepEngine;

impl<K: Key> Engine<K> for SweepEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "sweep",
            summary: "the puzzle's own inner loop over whole parts",
            answers: &[QuestionKind::Levels, QuestionKind::Path],
            puzzles_word: true,
            // The rate of Rush Hour's sweep, the slower of two.
            footprints: &[Footprint {
                memory: need,
                rate: 80e6,
                numbered: true,
                ..Footprint::NONE
            }],
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[]
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        let (direction, from) = match ask {
            Ask::Levels {
                direction, from, ..
            } => (*direction, *from),
            _ => (Direction::Backward, None),
        };
        let Some(needed) = graph.sweep_memory(direction, from) else {
            return Some(lacks(graph, direction, from));
        };
        if let Ask::Levels { limited: true, .. } = ask {
            let remedy = "leave out --max-depth, or use --engine hash";
            return Some(format!("engine sweep walks whole parts; {remedy}"));
        }
        // A path is found among the distances of all states.
        let kept = match ask {
            Ask::Path { .. } => graph.space(0).ok().flatten().unwrap_or(0),
            _ => 0,
        };
        // As on one thread, the least of all.
        let load = Load {
            sweep: needed,
            ..Load::default()
        };
        let needed = need(&load).saturating_add(kept.saturating_mul(KEPT));
        let available = memory::available().unwrap_or(u64::MAX);
        if needed > available {
            let [needed, available] = [needed, available].map(memory::human);
            return Some(format!(
                "engine sweep takes {needed} of memory here, and {available} are available; use --engine disk"
            ));
        }
        match ask {
            Ask::Path {
                goal: Goal::State(_),
                ..
            } => Some("sweep finds ways to the solved states only; leave out --to".into()),
            Ask::Path {
                start: Some(start), ..
            } => self.unplaced(graph, *start),
            _ => None,
        }
    }

    fn preference(&self, _: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        match ask.kind() {
            QuestionKind::Levels => 3,
            _ => 0,
        }
    }

    /// It is never chosen for a path: asking the instance whether it has a loop costs more than a
    /// short path.
    fn preferred(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        match ask.kind() {
            QuestionKind::Levels if self.obstacle(graph, ask).is_none() => {
                self.preference(graph, ask)
            }
            _ => 0,
        }
    }

    fn levels(
        &self,
        search: &Search<K>,
        part: u64,
        observers: &mut Observers<K>,
        progress: &Progress,
    ) -> Result<Walked<K>> {
        let mut uneven = None;
        // The puzzle's sweep delivers states and shows no moves, so none are counted.
        let mut spent = Spent::default();
        let (way, from) = (search.direction, search.roots.state());
        let whole = search.graph.sweep(way, from, part, &[], &mut |swept| {
            if swept.keys.len() != swept.depths.len() {
                uneven = Some(swept.keys.len());
                return false;
            }
            let size = OrbitSizes::Uniform(swept.orbit_size);
            observers.observe(part, swept.keys, swept.depths, size);
            spent.expanded += swept.keys.len() as u64;
            progress.expanded(swept.keys.len() as u64);
            !progress.stopping()
        })?;
        if uneven.is_some() {
            let fault = "delivered unequal numbers of keys and depths";
            return Err(search.graph.opened.broken("sweep", fault).into());
        }
        let levels = observers.levels.iter().map(|(depth, _)| depth);
        let mut levels = (0..).zip(levels.filter(|&depth| depth != UNSOLVABLE));
        if whole && let Some((missing, depth)) = levels.find(|(due, depth)| due != depth) {
            let fault = format!("delivered states at distance {depth} and none at {missing}");
            return Err(search.graph.opened.broken("sweep", fault).into());
        }
        let outcome = match whole {
            true => Outcome::Levels,
            false => Outcome::NotReached(StopReason::Requested),
        };
        Ok(Walked { outcome, spent })
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>> {
        by_levels::descent(self, question).map(Some)
    }
}

/// Bytes of a search: as the puzzle says, or else a byte per rank of each part.
fn need(load: &Load) -> u64 {
    let tables = load.sweep.max(load.at_once().saturating_mul(load.ranks));
    tables.saturating_add(load.scratch(SCRATCH, load.ranks))
}

/// Why there is no loop for some roots.
fn lacks<K: Key>(graph: &Graph<K>, way: Direction, from: Option<K>) -> String {
    if graph.has(Capabilities::SWEEP) && way == Direction::Forward {
        return "sweep works backward only; use --engine hash".into();
    }
    if graph.has(Capabilities::SWEEP) && from.is_some() {
        return "engine sweep walks whole parts from their solved states; leave out --from, or use --engine hash"
            .into();
    }
    let variant = &graph.opened.variant;
    format!("variant {variant} has no inner loop of its own for this instance; use --engine hash")
}

impl SweepEngine {
    /// Why the part of a state is unknown; `None` if it is known.
    fn unplaced<K: Key>(&self, graph: &Graph<K>, start: K) -> Option<String> {
        let mut placed = Vec::new();
        let mut key = [start];
        let done = graph
            .canonical(&mut key, None)
            .and_then(|()| graph.place(&key, &mut placed));
        match (done, placed.first()) {
            (Ok(()), Some(Some(_))) => None,
            (Ok(()), _) => {
                Some("sweep numbers no part that holds this state; use --engine hash".into())
            }
            (Err(error), _) => Some(error.to_string()),
        }
    }
}
