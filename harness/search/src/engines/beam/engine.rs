//! Engine `beam` in the registry.

use std::path::{Path, PathBuf};

use antipode_graph::{Capabilities, Graph};
use antipode_reports::model::SearchFigures;
use indicatif::HumanCount;
use puzzle_api::Key;

use super::{BeamOptions, Stats, obstacle, reach};
use crate::engine::{Engine, Facts, Finds};
use crate::engines::find::say;
use crate::error::EngineError;
use crate::options::{EngineOptions, Opt};
use crate::outcome::{Outcome, Spent};
use crate::question::{Ask, PathAnswer, PathQuestion, QuestionKind};

/// Bytes for each state of the width: candidates of a level, the filter of kept states, and 250
/// levels in memory.
const BYTES_A_STATE: u64 = 2560;

/// Engine `beam`.
#[derive(Debug)]
pub struct BeamEngine;

impl BeamOptions {
    /// Default options with the given resources. Without a width, the memory determines it.
    #[must_use]
    pub fn of(options: &EngineOptions) -> Self {
        let usual = Self::default();
        let by_memory = options.memory.map(|bytes| (bytes / BYTES_A_STATE).max(1));
        let width = options.width.or(by_memory);
        let most_width = width.map_or(usual.most_width, |width| width as usize);
        Self {
            first_width: usual.first_width.min(most_width),
            most_width,
            // A user who allows an hour wants the result of an hour.
            rounds: options.rounds.unwrap_or(match options.max_time {
                Some(_) => u64::MAX,
                None => usual.rounds,
            }),
            seed: options.seed.unwrap_or(usual.seed),
            limits: options.limits(),
            memory: options.memory.unwrap_or(usual.memory),
            work: options.work.clone(),
            disk: options.disk,
            resume: options.resume,
            show_progress: options.show_progress,
            ..usual
        }
    }
}

impl<K: Key> Engine<K> for BeamEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "beam",
            summary: "the most promising states of each level, then shortened",
            answers: &[QuestionKind::Path],
            finds: Finds::ByEvaluation,
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[
            Opt::Seed,
            Opt::Width,
            Opt::Rounds,
            Opt::Memory,
            Opt::Disk,
            Opt::Work,
            Opt::Resume,
            Opt::MaxStates,
            Opt::MaxTime,
        ]
    }

    /// Levels of a layered graph are short here, or few.
    fn works_alone_on(&self, graph: &Graph<K>) -> bool {
        graph.has(Capabilities::LAYERED)
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        match ask {
            Ask::Path { goal, .. } => obstacle(graph, goal).map(str::to_owned),
            _ => None,
        }
    }

    /// If the graph is not layered, a path that is found need not be the shortest.
    fn preference(&self, graph: &Graph<K>, _: &Ask<'_, K>) -> u8 {
        match graph.has(Capabilities::LAYERED) {
            true => 3,
            false => 0,
        }
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>, EngineError> {
        let mut options = BeamOptions::of(question.options);
        options.windows = question.default_folder().with_extension("windows");
        options.levels = match &options.work {
            Some(work) => levels_of(work),
            None => question.default_folder().with_extension("levels"),
        };
        let (graph, goal) = (question.graph, &question.goal);
        let done = reach(graph, question.start, goal, &options, question.stop)?;
        let searched = sentence(&done.stats, &done.outcome);
        Ok(Some(PathAnswer {
            summary: say(&done.outcome, &searched),
            levels: done.levels,
            figures: figures(&options, &done.stats),
            spent: Spent {
                expanded: done.stats.nodes,
                ..Spent::default()
            },
            kept: done.kept,
            outcome: done.outcome,
        }))
    }
}

/// The folder of levels that belongs to a work folder: next to it, or in it if it has no name of
/// its own, such as `.`.
fn levels_of(work: &Path) -> PathBuf {
    match work.file_name() {
        Some(name) => {
            let mut name = name.to_owned();
            name.push("-levels");
            work.with_file_name(name)
        }
        None => work.join("levels"),
    }
}

fn sentence<K>(stats: &Stats, outcome: &Outcome<K>) -> String {
    let mut text = format!(
        "beam of {} states a level, pass {}, {} states expanded",
        HumanCount(stats.width),
        stats.passes,
        HumanCount(stats.nodes)
    );
    match outcome {
        _ if stats.perimeter > 0 => {
            text += &format!(", {} states around the goal", HumanCount(stats.perimeter));
        }
        Outcome::Path(found) if stats.window > 0 && !found.shortest => {
            text += &format!(", no window of {} moves can be shorter", stats.window);
        }
        _ => {}
    }
    text
}

fn figures(options: &BeamOptions, stats: &Stats) -> SearchFigures {
    SearchFigures {
        engine: Some("beam".to_owned()),
        seed: Some(options.seed),
        states_seen: Some(stats.nodes),
        width: Some(stats.width),
        passes: Some(stats.passes),
        perimeter: (stats.perimeter > 0).then_some(stats.perimeter),
        perimeter_levels: (stats.perimeter > 0).then_some(stats.perimeter_levels),
        window: (stats.window > 0).then_some(stats.window),
        ..SearchFigures::default()
    }
}
