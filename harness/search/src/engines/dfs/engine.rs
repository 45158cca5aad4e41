//! Engine `dfs` in the registry.

use antipode_graph::Graph;
use antipode_reports::model::{SearchFigures, TableUse};
use indicatif::HumanCount;
use puzzle_api::Key;

use super::{DfsOptions, Stats, fewest, no_fewest, reach};
use crate::engine::{Engine, Facts, Finds};
use crate::engines::find::{not_layered, say};
use crate::error::EngineError;
use crate::options::{EngineOptions, Opt};
use crate::outcome::Spent;
use crate::question::{Ask, FewestAnswer, PathAnswer, PathQuestion, QuestionKind};

/// Engine `dfs`.
#[derive(Debug)]
pub struct DfsEngine;

impl DfsOptions {
    /// Default options with the given resources.
    #[must_use]
    pub fn of(options: &EngineOptions) -> Self {
        let usual = Self::default();
        Self {
            table_bytes: options.table_size.unwrap_or(usual.table_bytes),
            policy: options.replace.unwrap_or(usual.policy),
            hash: options.hash.unwrap_or(usual.hash),
            seed: options.seed.unwrap_or(usual.seed),
            limits: options.limits(),
            ..usual
        }
    }
}

impl<K: Key> Engine<K> for DfsEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "dfs",
            summary: "depth first through a layered graph, with a transposition table",
            answers: &[QuestionKind::Path, QuestionKind::Fewest],
            works_alone: true,
            finds: Finds::ByEvaluation,
            ..Facts::USUAL
        }
    }

    fn options(&self, _: QuestionKind) -> &'static [Opt] {
        &[
            Opt::TableSize,
            Opt::Replace,
            Opt::Hash,
            Opt::Seed,
            Opt::MaxStates,
            Opt::MaxTime,
        ]
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        match ask {
            Ask::Fewest => no_fewest(graph),
            _ => not_layered(graph, "dfs", "--engine"),
        }
    }

    /// No other engine finds the fewest.
    fn preference(&self, _: &Graph<K>, ask: &Ask<'_, K>) -> u8 {
        u8::from(ask.kind() == QuestionKind::Fewest)
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>, EngineError> {
        let options = DfsOptions::of(question.options);
        let (graph, goal) = (question.graph, &question.goal);
        let done = reach(graph, question.start, goal, &options, question.stop)?;
        Ok(Some(PathAnswer {
            summary: say(&done.outcome, &sentence(&done.stats)),
            levels: Vec::new(),
            figures: figures(&options, &done.stats),
            spent: Spent {
                expanded: done.stats.nodes,
                ..Spent::default()
            },
            kept: None,
            outcome: done.outcome,
        }))
    }

    fn fewest(&self, question: &PathQuestion<'_, K>) -> Result<FewestAnswer<K>, EngineError> {
        let options = DfsOptions::of(question.options);
        let (fewest, stats) = fewest(question.graph, question.start, &options, question.stop)?;
        Ok(FewestAnswer {
            fewest,
            summary: sentence(&stats),
            figures: figures(&options, &stats),
        })
    }
}

/// The statistics of a search, in a line.
fn sentence(stats: &Stats) -> String {
    let table = &stats.table;
    format!(
        "dfs, {} states expanded, {} of {} look-ups were hits, {} of {} entries lost",
        HumanCount(stats.nodes),
        HumanCount(table.hits),
        HumanCount(table.probes),
        HumanCount(table.lost),
        HumanCount(table.stores)
    )
}

/// The statistics of a search, for records.
fn figures(options: &DfsOptions, stats: &Stats) -> SearchFigures {
    let table = &stats.table;
    SearchFigures {
        engine: Some("dfs".to_owned()),
        seed: Some(options.seed),
        states_seen: Some(stats.nodes),
        table: Some(TableUse {
            slots: table.slots,
            used: table.used,
            policy: options.policy.name().to_owned(),
            hash: options.hash.name().to_owned(),
            probes: table.probes,
            hits: table.hits,
            stores: table.stores,
            lost: table.lost,
            declined: table.declined,
        }),
        ..SearchFigures::default()
    }
}
