//! Engine `cluster` in the registry.

use std::collections::BTreeMap;

use antipode_graph::Graph;
use puzzle_api::{Direction, Key};
use serde_json::json;

use super::hosts::{Crew, folder};
use crate::engine::{Engine, Ready, backward_obstacle};
use crate::engines::disk::row::{answer, prepared};
use crate::error::EngineError;
use crate::means::{Means, Opt};
use crate::observers::Observers;
use crate::outcome::Walked;
use crate::progress::Progress;
use crate::question::{Ask, Kind, PathAnswer, PathQuestion, Roots};
use crate::search::{Held, Search};

/// Engine `cluster`.
#[derive(Debug)]
pub struct Row;

/// Makes a search ready to work in this process's own folder; gives who takes part.
fn made_ready<K: Key>(
    search: &mut Search<K>,
    means: &Means,
    rules: &Graph<K>,
) -> Result<Option<Crew>, EngineError> {
    if means.together.processes.is_some() {
        return Err(EngineError::CannotHold(
            "--processes N is for the command line, which starts them; name them by --hosts FILE --process I".into(),
        ));
    }
    let crew = Crew::of(means)?;
    let mut means = means.clone();
    // The first one removes what all kept, once the results are written.
    means.keep_work |= crew.as_ref().is_some_and(|crew| crew.index > 0);
    means.work = means.work.map(|work| folder(&work, crew.as_ref()));
    prepared(search, &means, rules, "cluster")?;
    Ok(crew)
}

impl<K: Key> Engine<K> for Row {
    fn name(&self) -> &'static str {
        "cluster"
    }

    fn summary(&self) -> &'static str {
        "as disk, shared by processes on several machines"
    }

    fn answers(&self) -> &'static [Kind] {
        &[Kind::Levels, Kind::Path]
    }

    fn options(&self, kind: Kind) -> &'static [Opt] {
        let all = &[
            Opt::Memory,
            Opt::Disk,
            Opt::Work,
            Opt::Resume,
            Opt::KeepWork,
            Opt::KeepEvery,
            Opt::Buckets,
            Opt::Hosts,
            Opt::Process,
            Opt::Processes,
            Opt::Secret,
            Opt::Silence,
            Opt::MaxDepth,
        ];
        match kind {
            Kind::Path => all,
            // There the greatest level is part of the question.
            Kind::Levels | Kind::Many => &all[..all.len() - 1],
        }
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        let all_parts = matches!(
            ask,
            Ask::Levels {
                direction: Direction::Backward,
                ..
            }
        );
        let parts = graph.opened.part_count;
        if all_parts && parts > 1 {
            return Some(format!(
                "falls into {parts} parts between which nothing has to travel; share them out by --shard instead"
            ));
        }
        backward_obstacle(graph, ask)
    }

    fn prepare(
        &self,
        search: &mut Search<K>,
        means: &Means,
        rules: &Graph<K>,
    ) -> Result<Ready, EngineError> {
        let crew = made_ready(search, means, rules)?;
        let processes = crew.as_ref().map_or(1, |crew| crew.addresses.len());
        search.held = Held::of(crew);
        let options = search.disk.as_ref();
        Ok(Ready {
            line: None,
            record: BTreeMap::from([
                ("work".to_owned(), json!(means.work)),
                ("processes".to_owned(), json!(processes)),
                (
                    "memory_allowed".to_owned(),
                    json!(options.map(|options| options.memory)),
                ),
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
        let crew = search.held.get::<Option<Crew>>().and_then(Option::as_ref);
        super::walk(search, part, crew, observers, progress)
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>, EngineError> {
        let graph = question.graph;
        let roots = Roots::State(question.start);
        let mut search = Search::new(
            graph.clone(),
            Direction::Forward,
            roots,
            question.means.max_depth,
        )?;
        // The goal need not be like its mirror image, and a path is one of states.
        search.symmetry = false;
        let mut means = question.means.clone();
        means.work.get_or_insert_with(|| question.default_folder());
        let crew = made_ready(&mut search, &means, question.rules)?;
        let progress = match means.show_progress {
            true => Progress::bar(&graph.opened.full_name(), 1, question.stop),
            false => Progress::silent(question.stop),
        };
        let mut seen = Observers::plain();
        let goal = &question.goal;
        let walked = super::reach(&search, goal, crew.as_ref(), &mut seen, &progress)?;
        drop(progress);
        let work = search.disk.map(|disk| disk.work).unwrap_or_default();
        Ok(Some(answer(
            "cluster",
            &seen,
            walked,
            (work, means.keep_work),
        )))
    }
}
