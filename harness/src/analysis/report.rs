//! From a run's outcome to what is reported.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use puzzle_api::Key;

use antipode_reports::model::{self, Antipode, Evidence, Run};

use super::plan::Plan;
use super::{Analysis, Request, direction_name, plugin_of};
use crate::engine::{EngineError, Outcome};
use crate::machine;
use crate::memory;
use crate::observe::Observers;
use crate::plugin::Graph;
use crate::verify::{consistency, exclusiveness, inclusiveness};

/// What a run took.
pub(super) struct Cost {
    pub(super) started: SystemTime,
    pub(super) wall: Duration,
    pub(super) cpu: Duration,
    /// States expanded or swept.
    pub(super) states: u64,
    /// Moves out of each level, where the engine counts them.
    pub(super) moves: Vec<u64>,
}

impl<K: Key> Plan<K> {
    /// The analysis that an outcome amounts to.
    pub(super) fn report(
        &self,
        request: &Request,
        outcome: Outcome<K>,
        cost: &Cost,
    ) -> Result<Analysis, EngineError> {
        let (evidence, faults) = self.checks(request, &outcome);
        let run = self.record(request, &outcome, cost);
        let seen = outcome.observers;
        Ok(Analysis {
            run,
            levels: seen.levels.table(self.whole() && outcome.complete),
            antipodes: antipodes(&self.search.graph, &seen)?,
            evidence,
            faults,
        })
    }

    /// Outcome of the checks, and a line for each of the first few faults.
    fn checks(&self, request: &Request, outcome: &Outcome<K>) -> (Vec<Evidence>, Vec<String>) {
        let graph = &self.search.graph;
        let draw = |key: K| graph.draw(key).unwrap_or_else(|error| error.to_string());
        let seen = &outcome.observers;
        let mut checks = Vec::new();
        if !seen.strikes.samples().is_empty() && outcome.complete {
            checks.push(inclusiveness(&seen.strikes, self.whole(), &draw));
        }
        if seen.spots.solved > 0 {
            let one_in = request.checks.exclusion_one_in;
            checks.push(exclusiveness(&seen.spots, one_in, &draw));
        }
        if seen.consistency.parts > 0 {
            checks.push(consistency(&seen.consistency, outcome.parts_total));
        }
        let (evidence, faults): (Vec<_>, Vec<_>) = checks.into_iter().unzip();
        (evidence, faults.concat())
    }

    fn record(&self, request: &Request, outcome: &Outcome<K>, cost: &Cost) -> Run {
        let opened = &self.search.graph.opened;
        let cpu_s = cost.cpu.as_secs_f64();
        Run {
            schema: model::SCHEMA,
            tool_version: env!("CARGO_PKG_VERSION").into(),
            puzzle: opened.library.name.clone(),
            instance: opened.instance.clone(),
            settings: opened.settings.clone(),
            variant: opened.variant.clone(),
            engine: self.engine.name().into(),
            direction: direction_name(self.search.direction).into(),
            from: request.from.clone(),
            max_depth: request.max_depth.map(u32::from),
            threads: request.threads as u32,
            seed: request.seed,
            plugin: plugin_of(&opened.library),
            started_unix_s: cost
                .started
                .duration_since(UNIX_EPOCH)
                .map_or(0, |d| d.as_secs()),
            wall_s: cost.wall.as_secs_f64(),
            cpu_s,
            peak_memory_bytes: machine::peak_memory_bytes(),
            states_per_core_second: if cpu_s > 0.0 {
                cost.states as f64 / cpu_s
            } else {
                0.0
            },
            parts_done: outcome.parts_done,
            parts_total: outcome.parts_total,
            complete: outcome.complete,
            stopped_because: stopped_because(request, outcome),
            host: machine::host(),
            command: request.command.clone(),
            extra: self.extra(cost),
        }
    }

    fn extra(&self, cost: &Cost) -> BTreeMap<String, serde_json::Value> {
        let mut extra: BTreeMap<String, serde_json::Value> = BTreeMap::from([
            ("states_expanded".to_owned(), cost.states.into()),
            ("symmetry".to_owned(), self.search.symmetry.into()),
        ]);
        if !cost.moves.is_empty() {
            let total: u64 = cost.moves.iter().sum();
            extra.insert("moves".to_owned(), total.into());
            extra.insert("moves_by_level".to_owned(), cost.moves.clone().into());
        }
        if let Some(dense) = &self.search.dense {
            extra.insert("dense".to_owned(), dense.record());
        }
        extra
    }
}

/// Why a run has no end; nothing for one that has.
fn stopped_because<K>(request: &Request, outcome: &Outcome<K>) -> Option<String> {
    match (outcome.complete, outcome.full, request.dense.memory) {
        (true, ..) => None,
        (false, true, Some(limit)) => Some(format!(
            "the next level does not fit the {} of memory allowed",
            memory::human(limit)
        )),
        _ => Some("stopped on request".to_owned()),
    }
}

fn antipodes<K: Key>(graph: &Graph<K>, seen: &Observers<K>) -> Result<Vec<Antipode>, EngineError> {
    let depth = seen.antipodes.depth.map_or(0, u32::from);
    let orbits = seen.antipodes.clone().sorted();
    let drawn = orbits.into_iter().map(|orbit| {
        Ok(Antipode {
            depth,
            state: graph.draw(orbit.key)?,
            orbit_size: orbit.size,
        })
    });
    drawn.collect()
}
