//! Engine `cluster` in the registry.

use std::collections::BTreeMap;

use antipode_graph::Graph;
use puzzle_api::Key;
use serde_json::json;

use super::hosts::{Crew, folder};
use super::parts::{Parts, in_parts};
use crate::engine::{Engine, Facts, Footprint, Ready, backward_obstacle};
use crate::engines::disk;
use crate::engines::disk::engine::{path_by, prepared};
use crate::engines::run::Distributed;
use crate::error::EngineError;
use crate::observers::Observers;
use crate::options::{EngineOptions, Opt};
use crate::outcome::Walked;
use crate::progress::Progress;
use crate::question::{Ask, PathAnswer, PathQuestion, QuestionKind};
use crate::search::{Held, Search};

/// Engine `cluster`.
#[derive(Debug)]
pub struct ClusterEngine;

/// Makes a search ready to work in this process's own folder. Returns the participants.
fn made_ready<K: Key>(
    search: &mut Search<K>,
    options: &EngineOptions,
    rules: &Graph<K>,
) -> Result<Option<Crew>, EngineError> {
    if options.together.processes.is_some() {
        return Err(EngineError::CannotHold(
            "--processes N is for the command line, which starts them; name them by --hosts FILE --process I".into(),
        ));
    }
    let crew = Crew::of(options)?;
    let mut options = options.clone();
    options.work = options.work.map(|work| folder(&work, crew.as_ref()));
    prepared(search, &options, rules, "cluster")?;
    if let Some(options) = &mut search.disk {
        // The first process removes the folders of all, once the results are written.
        options.keep |= crew.as_ref().is_some_and(|crew| crew.index > 0);
    }
    Ok(crew)
}

fn crew_of<K>(search: &Search<K>) -> Option<&Crew> {
    search.held.get::<Option<Crew>>().and_then(Option::as_ref)
}

impl<K: Key> Engine<K> for ClusterEngine {
    fn facts(&self) -> &'static Facts {
        &Facts {
            name: "cluster",
            summary: "as disk, shared by processes on several machines",
            answers: &[QuestionKind::Levels, QuestionKind::Path],
            footprints: &[Footprint {
                disk: 2.5,
                rate: 1.6e6,
                shared: true,
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
            Opt::Hosts,
            Opt::Process,
            Opt::Processes,
            Opt::Secret,
            Opt::Silence,
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
        let crew = made_ready(search, options, rules)?;
        let processes = crew.as_ref().map_or(1, |crew| crew.addresses.len());
        search.held = Held::of(crew);
        let disk = search.disk.as_ref();
        Ok(Ready {
            line: None,
            record: BTreeMap::from([
                ("work".to_owned(), json!(options.work)),
                ("processes".to_owned(), json!(processes)),
                (
                    "memory_allowed".to_owned(),
                    json!(disk.map(|disk| disk.memory)),
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
        match in_parts(search)? {
            true => disk::walk(search, part, observers, progress),
            false => super::walk(search, part, crew_of(search), observers, progress),
        }
    }

    fn distributed(
        &self,
        search: &Search<K>,
        progress: &Progress,
    ) -> Result<Option<Box<dyn Distributed<K>>>, EngineError> {
        let parts = Parts::of(search, crew_of(search), progress)?;
        Ok(parts.map(|parts| Box::new(parts) as _))
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>, EngineError> {
        let ready = |search: &mut Search<K>, options: &EngineOptions| {
            made_ready(search, options, question.rules)
        };
        let answer = path_by(
            "cluster",
            question,
            ready,
            |search, crew, seen, progress| {
                super::reach(search, &question.goal, crew.as_ref(), seen, progress)
            },
        );
        answer.map(Some)
    }
}
