//! From a run's outcome to what is reported.

use antipode_reports::cost::LevelCost;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use puzzle_api::Key;

use antipode_reports::model::{self, Antipode, Evidence, Run};

use super::plan::Plan;
use super::{Analysis, Request};
use antipode_graph::Graph;
use antipode_graph::direction_name;
use antipode_search::engines::{EngineError, Outcome};
use antipode_search::machine;
use antipode_search::memory;
use antipode_search::observers::Observers;
use antipode_search::record::plugin_of;

/// What a run took.
pub(super) struct Cost {
    pub(super) started: SystemTime,
    pub(super) wall: Duration,
    pub(super) cpu: Duration,
    /// States expanded or swept.
    pub(super) states: u64,
    /// Moves out of each level, where the engine counts them.
    pub(super) moves: Vec<u64>,
    /// What each level cost, where the engine says so.
    pub(super) levels: Vec<LevelCost>,
    /// Which limit ended the run, where the engine says so.
    pub(super) limit: Option<String>,
    /// Moves generated, where the engine counts them.
    pub(super) generated: Option<u64>,
    /// Bytes that the engine read from files of its own, and wrote to them.
    pub(super) read: u64,
    pub(super) written: u64,
}

impl<K: Key> Plan<K> {
    /// The analysis that an outcome amounts to.
    pub(super) fn report(
        &self,
        request: &Request,
        outcome: Outcome<K>,
        (evidence, faults): (Vec<Evidence>, Vec<String>),
        cost: &Cost,
    ) -> Result<Analysis, EngineError> {
        let run = self.record(request, &outcome, cost);
        let kept = self.kept(request, &outcome);
        let seen = outcome.observers;
        Ok(Analysis {
            run,
            levels: seen.levels.table(self.whole() && outcome.complete),
            costs: cost.levels.clone(),
            antipodes: antipodes(&self.search.graph, &seen)?,
            evidence,
            faults,
            finished: outcome.complete,
            kept,
        })
    }

    /// What a finished run no longer needs, with its folder where that is of no other use.
    fn kept(&self, request: &Request, outcome: &Outcome<K>) -> Option<(PathBuf, bool)> {
        match &self.search.disk {
            _ if !outcome.complete => None,
            // More levels may be asked for.
            Some(disk) if disk.keep || self.limited(outcome) => None,
            Some(disk) => Some((disk.work.clone(), true)),
            None => Some((request.journal.as_ref()?.0.clone(), false)),
        }
    }

    /// Whether the greatest level asked for holds states, so that there may be more.
    fn limited(&self, outcome: &Outcome<K>) -> bool {
        let deepest = outcome.observers.antipodes.depth;
        self.search.max_depth.is_some() && deepest == self.search.max_depth
    }

    /// Why a run has no end; nothing for one that has.
    fn stopped_because(
        &self,
        request: &Request,
        outcome: &Outcome<K>,
        cost: &Cost,
    ) -> Option<String> {
        if let (false, Some(limit)) = (outcome.complete, &cost.limit) {
            return Some(limit.clone());
        }
        let planned = self.search.dense.and_then(|plan| plan.budget);
        match (outcome.complete, self.search.max_depth) {
            (false, _) => Some(match (outcome.full, request.dense.memory.or(planned)) {
                (true, Some(limit)) => format!(
                    "the next level does not fit the {} of memory allowed",
                    memory::human(limit)
                ),
                _ => "stopped on request".to_owned(),
            }),
            (true, Some(limit)) if self.limited(outcome) => Some(format!(
                "--max-depth {limit} was reached, and what lies further was not searched"
            )),
            (true, _) => None,
        }
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
            complete: outcome.complete && !self.limited(outcome),
            stopped_because: self.stopped_because(request, outcome, cost),
            host: machine::host(),
            command: request.command.clone(),
            extra: self.extra(cost),
        }
    }

    fn extra(&self, cost: &Cost) -> BTreeMap<String, serde_json::Value> {
        let mut extra: BTreeMap<String, serde_json::Value> = BTreeMap::from([
            ("states_expanded".to_owned(), cost.states.into()),
            ("symmetry".to_owned(), self.search.symmetry.into()),
            ("read_bytes".to_owned(), cost.read.into()),
            ("written_bytes".to_owned(), cost.written.into()),
        ]);
        if let Some(generated) = cost.generated {
            extra.insert("generated".to_owned(), generated.into());
        }
        if !cost.moves.is_empty() {
            let total: u64 = cost.moves.iter().sum();
            extra.insert("moves".to_owned(), total.into());
            extra.insert("moves_by_level".to_owned(), cost.moves.clone().into());
        }
        if let Some(disk) = &self.search.disk {
            extra.insert("work".to_owned(), disk.work.display().to_string().into());
            extra.insert("memory_allowed".to_owned(), disk.memory.into());
            let mut sum = |name: &str, of: fn(&LevelCost) -> u64| {
                let sum: u64 = cost.levels.iter().map(of).sum();
                extra.insert(name.to_owned(), sum.into());
            };
            sum("stayed_in_bucket", |level| level.stayed);
            sum("removed_in_memory", |level| level.removed_in_memory);
            sum("removed_at_merge", |level| level.removed_at_merge);
        }
        if let Some(dense) = &self.search.dense {
            extra.insert("dense".to_owned(), dense.record());
        }
        extra
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
