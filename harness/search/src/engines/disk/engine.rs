//! Engine `disk` in the registry.

use std::collections::BTreeMap;
use std::path::PathBuf;

use antipode_graph::Graph;
use antipode_reports::model::{LevelCost, SearchFigures};
use indicatif::HumanCount;
use puzzle_api::Key;
use serde_json::json;

use super::reach;
use crate::engine::{Engine, Facts, Footprint, Ready, backward_obstacle};
use crate::error::EngineError;
use crate::machine;
use crate::memory;
use crate::observers::Observers;
use crate::options::DiskOptions;
use crate::options::{EngineOptions, Opt};
use crate::outcome::{Outcome, Walked};
use crate::progress::Progress;
use crate::question::{Ask, PathAnswer, PathQuestion, QuestionKind};
use crate::search::Search;
use crate::side::SideLevel;

/// Engine `disk`.
#[derive(Debug)]
pub struct DiskEngine;

/// Memory that is taken if neither the user nor the system states a limit.
const UNKNOWN: u64 = 2 << 30;

/// Prepares a search for an engine that works like this one.
pub(in crate::engines) fn prepared<K: Key>(
    search: &mut Search<K>,
    options: &EngineOptions,
    rules: &Graph<K>,
    engine: &'static str,
) -> Result<DiskOptions, EngineError> {
    let Some(work) = &options.work else {
        let text = format!("engine {engine} needs a folder for its levels; add --work DIR");
        return Err(EngineError::CannotHold(text));
    };
    let half = || memory::available().map(|bytes| bytes / 2);
    let memory = options.memory.or_else(half).unwrap_or(UNKNOWN);
    let mut own = DiskOptions::new(work.clone(), memory, options.threads.max(1));
    own.engine = engine;
    own.disk = options.disk;
    own.resume = options.resume;
    own.keep_every = options.keep_every.unwrap_or(own.keep_every);
    own.locality = options.buckets.unwrap_or(own.locality);
    own.moves = options.moves.unwrap_or(own.moves);
    own.partition_states = options.partition_states.unwrap_or(own.partition_states);
    own.keep_parts = options.keep_work;
    own.keep = options.keep_work;
    search.disk = Some(own.clone());
    search.rules = Some(rules.clone());
    Ok(own)
}

impl<K: Key> Engine<K> for DiskEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "disk",
            summary: "levels in files of a work folder; needs nothing of the puzzle, and little memory",
            answers: &[QuestionKind::Levels, QuestionKind::Path],
            footprints: &[Footprint {
                disk: 2.5,
                rate: 3.0e6,
                ..Footprint::NONE
            }],
            ..Facts::USUAL
        }
    }

    fn options(&self, kind: QuestionKind) -> &'static [Opt] {
        let all = &[
            Opt::Memory,
            Opt::Disk,
            Opt::Work,
            Opt::Resume,
            Opt::KeepWork,
            Opt::KeepEvery,
            Opt::Buckets,
            Opt::Moves,
            Opt::MaxDepth,
        ];
        match kind {
            QuestionKind::Path => all,
            // There, the greatest level is part of the question.
            _ => &all[..all.len() - 1],
        }
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        backward_obstacle(graph, ask)
    }

    fn prepare(
        &self,
        search: &mut Search<K>,
        options: &EngineOptions,
        rules: &Graph<K>,
    ) -> Result<Ready, EngineError> {
        let options = prepared(search, options, rules, "disk")?;
        Ok(Ready {
            line: None,
            record: BTreeMap::from([
                ("work".to_owned(), json!(options.work)),
                ("memory_allowed".to_owned(), json!(options.memory)),
            ]),
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

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>, EngineError> {
        let ready = |search: &mut Search<K>, options: &EngineOptions| {
            prepared(search, options, question.rules, "disk")
        };
        let answer = path_by("disk", question, ready, |search, _, seen, progress| {
            reach(search, &question.goal, seen, progress)
        });
        answer.map(Some)
    }
}

/// Finds a path with levels on disk: `ready` prepares the search, and `reach` looks for the goal
/// with the result.
///
/// # Errors
/// Same as any search on disk.
pub(in crate::engines) fn path_by<K: Key, T>(
    engine: &str,
    question: &PathQuestion<'_, K>,
    ready: impl FnOnce(&mut Search<K>, &EngineOptions) -> Result<T, EngineError>,
    reach: impl FnOnce(&Search<K>, &T, &mut Observers<K>, &Progress) -> Result<Walked<K>, EngineError>,
) -> Result<PathAnswer<K>, EngineError> {
    let graph = question.graph;
    let mut search = Search::of_path(graph, question.start, question.options.max_depth)?;
    let mut options = question.options.clone();
    options
        .work
        .get_or_insert_with(|| question.default_folder());
    let made = ready(&mut search, &options)?;
    let title = graph.opened.full_name();
    let progress = Progress::shown(options.show_progress, &title, 1, question.stop);
    let mut seen = Observers::plain();
    let walked = reach(&search, &made, &mut seen, &progress)?;
    drop(progress);
    let work = search.disk.map(|disk| disk.work).unwrap_or_default();
    Ok(answer(engine, &seen, walked, (work, options.keep_work)))
}

fn answer<K: Key>(
    engine: &str,
    seen: &Observers<K>,
    walked: Walked<K>,
    (work, keep): (PathBuf, bool),
) -> PathAnswer<K> {
    let Walked { outcome, spent } = walked;
    let levels = SideLevel::forward(&seen.levels);
    let searched = format!(
        "{} states, {} levels on disk",
        HumanCount(seen.levels.total_states()),
        levels.len()
    );
    let summary = match &outcome {
        Outcome::Path(_) => {
            format!("the fewest possible, played again on the rulebook ({searched})")
        }
        Outcome::Unreachable(_) | Outcome::Levels => {
            format!("unsolvable: no goal among all states that can be reached ({searched})")
        }
        Outcome::NotReached(why) => {
            format!("{why}; not decided ({searched}); rerun with --resume to continue")
        }
    };
    let mut figures = figures(engine, &levels, &spent.levels);
    if !outcome.is_answer() {
        figures.work = Some(work.display().to_string());
    }
    PathAnswer {
        outcome,
        summary,
        levels,
        figures,
        spent,
        kept: (!keep).then_some(work),
    }
}

fn figures(engine: &str, levels: &[SideLevel], costs: &[LevelCost]) -> SearchFigures {
    let sum = |of: fn(&LevelCost) -> u64| Some(costs.iter().map(of).sum());
    SearchFigures {
        engine: Some(engine.to_owned()),
        levels: SideLevel::figures(levels),
        moves_listed: sum(|cost| cost.generated),
        bytes_read: sum(|cost| cost.bytes_read),
        bytes_written: sum(|cost| cost.bytes_written),
        peak_memory_bytes: Some(machine::peak_memory_bytes()),
        ..SearchFigures::default()
    }
}

#[cfg(test)]
mod tests {
    use puzzle_api::Direction;

    use super::*;
    use crate::digest::hex;

    #[test]
    fn a_row_of_a_level_has_its_digest() {
        let level = SideLevel {
            side: Direction::Forward,
            depth: 3,
            states: 7,
            digest: Some(1),
        };
        let row = level.record();
        assert_eq!((row.side.as_str(), row.depth), ("forward", 3));
        assert_eq!(row.digest, hex(1));
    }
}
