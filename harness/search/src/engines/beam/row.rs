//! Engine `beam` in the registry.

use antipode_graph::Graph;
use antipode_reports::model::SearchFigures;
use indicatif::HumanCount;
use puzzle_api::Key;

use super::{LevelSum, Options, Stats, obstacle, reach};
use crate::engine::Engine;
use crate::engines::find::say;
use crate::error::EngineError;
use crate::means::{Means, Opt};
use crate::outcome::Spent;
use crate::question::{Ask, Kind, PathAnswer, PathQuestion};
use crate::side::SideLevel;

/// Engine `beam`.
#[derive(Debug)]
pub struct Row;

impl Options {
    /// Usual options, with the means given.
    #[must_use]
    pub fn of(means: &Means) -> Self {
        let usual = Self::default();
        let most_width = means.width.map_or(usual.most_width, |width| width as usize);
        Self {
            first_width: usual.first_width.min(most_width),
            most_width,
            seed: means.seed.unwrap_or(usual.seed),
            limits: means.limits(),
            ..usual
        }
    }
}

impl<K: Key> Engine<K> for Row {
    fn name(&self) -> &'static str {
        "beam"
    }

    fn summary(&self) -> &'static str {
        "the most promising states of each level of a layered graph"
    }

    fn answers(&self) -> &'static [Kind] {
        &[Kind::Path]
    }

    fn options(&self, _: Kind) -> &'static [Opt] {
        &[Opt::Seed, Opt::Width, Opt::MaxStates, Opt::MaxTime]
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        match ask {
            Ask::Path { goal, .. } => obstacle(graph, goal).map(str::to_owned),
            Ask::Levels { .. } | Ask::Many => None,
        }
    }

    fn preference(&self, _: &Graph<K>, _: &Ask<'_, K>) -> u8 {
        3
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>, EngineError> {
        let options = Options::of(question.means);
        let (graph, goal) = (question.graph, &question.goal);
        let done = reach(graph, question.start, goal, &options, question.stop)?;
        let searched = sentence(&done.stats);
        Ok(Some(PathAnswer {
            summary: say(&done.outcome, &searched),
            levels: levels(&done.levels),
            figures: figures(&options, &done.stats),
            spent: Spent {
                expanded: done.stats.nodes,
                ..Spent::default()
            },
            kept: None,
            outcome: done.outcome,
        }))
    }
}

fn levels(levels: &[LevelSum]) -> Vec<SideLevel> {
    let levels = levels.iter().zip(0..).map(|(level, depth)| SideLevel {
        side: puzzle_api::Direction::Forward,
        depth,
        states: level.states,
        digest: Some(level.digest),
    });
    levels.collect()
}

fn sentence(stats: &Stats) -> String {
    format!(
        "beam of {} states a level, pass {}, {} states expanded, {} states around the goal",
        HumanCount(stats.width),
        stats.passes,
        HumanCount(stats.nodes),
        HumanCount(stats.ball)
    )
}

fn figures(options: &Options, stats: &Stats) -> SearchFigures {
    SearchFigures {
        engine: Some("beam".to_owned()),
        seed: Some(options.seed),
        states_seen: Some(stats.nodes),
        width: Some(stats.width),
        passes: Some(stats.passes),
        ball: Some(stats.ball),
        ball_levels: Some(stats.ball_levels),
        ..SearchFigures::default()
    }
}
