//! Turns a run's outcome into a report.

use antipode_reports::cost::LevelCost;
use antipode_search::parallel;
use std::collections::BTreeMap;
use std::path::PathBuf;

use puzzle_api::Key;

use antipode_reports::model::{Antipode, PartRow, Run, SYMMETRIES};

use super::checking::CheckResults;
use super::plan::AnalysisPlan;
use super::{Analysis, Blocks, Request, Which};
use antipode_graph::{Graph, Orbit, direction_name};
use antipode_search::engines::{self, EngineError, Search};
use antipode_search::machine;
use antipode_search::observers::{LevelSums, Observers};
use antipode_search::outcome::{Outcome, Spent, StopReason};
use antipode_search::record::Clock;

/// Most boards of the last level that a stopped run draws: it has to end soon, and they are no
/// antipodes.
const MOST_OF_STOPPED: usize = 1000;

/// The record of a search that ends now, apart from its engine and how it ended.
#[must_use]
pub fn record<K: Key>(search: &Search<K>, clock: &Clock, spent: &Spent) -> Run {
    Run {
        direction: direction_name(search.direction).into(),
        max_depth: search.max_depth.map(u32::from),
        extra: extra(search, spent),
        ..clock.record(&search.graph.opened, spent)
    }
}

fn extra<K: Key>(search: &Search<K>, spent: &Spent) -> BTreeMap<String, serde_json::Value> {
    // Without symmetry, every state is its own orbit.
    let symmetries = match search.symmetry {
        true => search.graph.opened.symmetry_count,
        false => 1,
    };
    let mut extra: BTreeMap<String, serde_json::Value> = BTreeMap::from([
        ("states_expanded".to_owned(), spent.expanded.into()),
        ("symmetry".to_owned(), search.symmetry.into()),
        (SYMMETRIES.to_owned(), symmetries.into()),
        ("read_bytes".to_owned(), spent.read.into()),
        ("written_bytes".to_owned(), spent.written.into()),
    ]);
    if let Some(sent) = spent.sent {
        extra.insert("sent_bytes".to_owned(), sent.into());
    }
    if let Some(generated) = spent.generated {
        extra.insert("generated".to_owned(), generated.into());
    }
    if !spent.moves.is_empty() {
        let total: u64 = spent.moves.iter().sum();
        extra.insert("moves".to_owned(), total.into());
        extra.insert("moves_by_level".to_owned(), spent.moves.clone().into());
    }
    if !spent.levels.is_empty() {
        let mut sum = |name: &str, of: fn(&LevelCost) -> u64| {
            let sum: u64 = spent.levels.iter().map(of).sum();
            extra.insert(name.to_owned(), sum.into());
        };
        sum("stayed_in_bucket", |level| level.stayed);
        sum("removed_in_memory", |level| level.removed_in_memory);
        sum("removed_at_merge", |level| level.removed_at_merge);
    }
    extra
}

/// The level tables of the parts, by part.
fn parts<K>(seen: &Observers<K>, whole: bool) -> Vec<PartRow> {
    let mut parts: Vec<_> = seen.parts.iter().flatten().collect();
    parts.sort_unstable_by_key(|(part, _)| *part);
    let rows = |(part, levels): &(u64, LevelSums)| {
        let rows = levels.table(whole).rows().into_iter();
        let part = *part;
        rows.map(move |level| PartRow {
            part,
            depth: level.depth,
            states: level.states,
            orbits: level.orbits,
            digest: level.digest,
        })
    };
    parts.into_iter().flat_map(rows).collect()
}

impl<K: Key> AnalysisPlan<K> {
    /// Builds the analysis from an outcome.
    pub(super) fn report(
        &self,
        request: &Request,
        found: engines::EngineRun<K>,
        checked: CheckResults,
        ran: Run,
    ) -> Result<Analysis, EngineError> {
        let finished = found.complete();
        let stop = self.stop(request, &found);
        let run = self.record(request, &found, stop.as_ref(), ran);
        let most = match &stop {
            Some(StopReason::Requested) => request.antipodes.min(MOST_OF_STOPPED),
            _ => request.antipodes,
        };
        let kept = self.kept(request, &found);
        let (seen, rules) = (found.observers, self.rules.graph());
        Ok(Analysis {
            run,
            stop,
            levels: seen.levels.table(self.whole() && finished),
            costs: found.spent.levels,
            antipodes: antipodes(rules, &seen, most)?,
            drawn: drawn(rules, seen.drawn.clone().sorted())?,
            parts: parts(&seen, self.whole() && finished),
            evidence: checked.evidence,
            faults: checked.faults,
            proof: checked.proof,
            finished,
            kept,
            ..Analysis::default()
        })
    }

    /// Files that a finished run no longer needs, with their folder if nothing else uses it.
    fn kept(&self, request: &Request, found: &engines::EngineRun<K>) -> Option<(PathBuf, bool)> {
        match &self.search.disk {
            _ if !found.complete() => None,
            // More levels may be requested.
            Some(disk) if disk.keep || self.limited(found) => None,
            Some(disk) => Some((disk.work.clone(), true)),
            None => match request.journal.as_ref()? {
                // It is merged with others.
                Blocks {
                    which: Which::Shard(_),
                    ..
                } => None,
                blocks => Some((blocks.folder.clone(), false)),
            },
        }
    }

    /// Whether the greatest requested level holds states, so that there may be more.
    pub(super) fn limited(&self, run: &engines::EngineRun<K>) -> bool {
        let deepest = run.observers.antipodes.depth;
        self.search.max_depth.is_some() && deepest == self.search.max_depth
    }

    /// Why a run ended early.
    fn stop(&self, request: &Request, run: &engines::EngineRun<K>) -> Option<StopReason> {
        let which = request.journal.as_ref().map(|blocks| &blocks.which);
        if let (Outcome::Levels, Some(Which::Shard(shard))) = (&run.outcome, which) {
            return Some(StopReason::Shard(*shard));
        }
        match (&run.outcome, self.search.max_depth) {
            (Outcome::NotReached(reason), _) => Some(reason.clone()),
            (_, Some(limit)) if self.limited(run) => Some(StopReason::Depth(limit)),
            _ => None,
        }
    }

    fn record(
        &self,
        request: &Request,
        found: &engines::EngineRun<K>,
        stop: Option<&StopReason>,
        ran: Run,
    ) -> Run {
        let mut run = Run {
            engine: self.engine.name().into(),
            from: request.from.clone(),
            threads: request.threads as u32,
            seed: request.seed,
            command: request.command.clone(),
            parts_done: found.parts_done,
            parts_total: found.parts_total,
            complete: stop.is_none(),
            stopped_because: stop.map(StopReason::to_string),
            stop: stop.map(StopReason::record),
            peak_memory_bytes: machine::peak_memory_bytes(),
            ..ran
        };
        run.extra.extend(self.ready.record.clone());
        run
    }
}

/// Draws the boards that claims are compared with. The rulebook draws them, and must read them
/// back, or a verdict would be about another board.
fn antipodes<K: Key>(
    rules: &Graph<K>,
    seen: &Observers<K>,
    most: usize,
) -> Result<Vec<Antipode>, EngineError> {
    let depth = seen.antipodes.depth.unwrap_or(0);
    let orbits = seen.antipodes.clone().sorted().into_iter().take(most);
    drawn(rules, orbits.map(|orbit| (depth, orbit)).collect())
}

/// Orbits with their distances, as [`antipodes`].
fn drawn<K: Key>(
    rules: &Graph<K>,
    orbits: Vec<(u16, Orbit<K>)>,
) -> Result<Vec<Antipode>, EngineError> {
    let draw = |(depth, orbit): (u16, Orbit<K>)| {
        let state = rules.draw(orbit.key)?;
        if rules.parse(&state).ok() != Some(orbit.key) {
            let fault = format!("writes '{state}', which parse does not read as the same state");
            return Err(rules.opened.disagrees("draw", fault).into());
        }
        Ok(Antipode {
            depth: depth.into(),
            state,
            orbit_size: orbit.size,
        })
    };
    // A hundred thousand boards take as long as some levels.
    // The first failure is reported, whatever the number of threads.
    parallel::map(orbits, draw).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use antipode_graph::builtin;
    use antipode_search::engine::EngineOptions;
    use antipode_search::progress::Stop;
    use antipode_search::registry::EngineId;

    use super::super::{Analysis, Request, analyse};

    /// In the folder of a run, to a level.
    fn on_disk(folder: &std::path::Path, most: u16) -> Analysis {
        let tile = builtin::named("sliding-tile");
        let options = EngineOptions {
            work: Some(folder.to_owned()),
            memory: Some(1 << 30),
            resume: true,
            ..EngineOptions::default()
        };
        let request = Request {
            engine: "disk".parse::<EngineId>().ok(),
            max_depth: Some(most),
            options,
            ..Request::new(Arc::new(tile.expect("built in")), "3x3".to_owned())
        };
        analyse(&request, &Stop::default()).expect("analysis")
    }

    /// Of both parts, one of which has no state: its level was never written.
    #[test]
    fn a_run_that_resumes_has_the_cost_of_all_runs() {
        let [once, twice] = [(); 2].map(|()| tempfile::tempdir().expect("folder"));
        let whole = on_disk(once.path(), 12);
        let first = on_disk(twice.path(), 10);
        assert!(first.run.extra["states_expanded"].as_u64() < Some(300));
        for resumed in [on_disk(twice.path(), 12), on_disk(twice.path(), 12)] {
            for name in [
                "states_expanded",
                "generated",
                "read_bytes",
                "written_bytes",
            ] {
                assert_eq!(resumed.run.extra[name], whole.run.extra[name], "{name}");
            }
            let rows = |one: &Analysis| -> Vec<(u32, u64)> {
                let rows = one.costs.iter();
                rows.map(|cost| (cost.depth, cost.states)).collect()
            };
            assert_eq!(rows(&resumed), rows(&whole));
            assert_eq!(resumed.levels, whole.levels);
        }
    }
}
