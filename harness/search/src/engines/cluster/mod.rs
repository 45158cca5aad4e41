//! Engine `cluster`: the search of engine `disk`, shared by processes on several machines. A
//! process keeps some of the partitions, on its own disk. Candidates that belong to another process
//! travel there over connections (module `network`), no faster than they are written.
//!
//! All processes run the same command and take part in the same steps. A level is finished once it
//! is on all disks. So after a failure, all processes resume from the last level that all have, in
//! the same number or another. Parts of an instance are dealt out whole (module `parts`).

mod meet;
mod parts;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use antipode_graph::Graph;
use puzzle_api::Key;
use serde_json::json;

use super::disk::deal::others;
use super::disk::{self, Work, needs_folder, open_work, path_by, prepared};
use super::network::Network;
use super::run::Distributed;
use crate::engine::{Engine, Facts, Footprint, Ready, backward_obstacle};
use crate::error::{EngineError, Result};
use crate::machine;
use crate::observers::Observers;
use crate::options::{DiskOptions, EngineOptions, Opt};
use crate::outcome::{NoPathProof, Outcome, Walked};
use crate::progress::{Progress, Stop, note};
use crate::question::{Ask, Goal, PathAnswer, PathQuestion, QuestionKind};
use crate::search::{Held, Search};
use meet::{Crew, SILENCE, folder, meet, only_here};
pub use meet::{LISTENER, STARTED, Started};
use parts::{Parts, in_parts, put_together};

/// Walks one part with all processes, to a goal if there is one; each has the same result.
fn together<K: Key>(
    search: &Search<K>,
    (part, goal): (u64, Option<&Goal<K>>),
    crew: Option<&Crew>,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>> {
    let mut search = search.clone();
    if search.work.get::<Arc<Work>>().is_none() {
        search.work = Held::of(Arc::new(open_work(&search, goal)?));
    }
    let network = met(&search, crew, progress, None)?;
    let mut done = || {
        let mut walked = disk::run(&search, (part, goal), Some(&network), observers, progress)?;
        // All processes have joined their samples already.
        let sampled = walked.spent.sampled.take();
        put_together(&network, &observers.fork(), observers, &mut walked.spent)?;
        walked.spent.sampled = sampled;
        if let Outcome::Unreachable(NoPathProof::Exhausted { states, .. }) = &mut walked.outcome {
            *states = observers.levels.total_states();
        }
        Ok(walked)
    };
    let walked: Result<Walked<K>> = done();
    leave(network, &walked);
    walked
}

/// Time that other processes may take to connect when notified of a finished run.
const LATECOMERS: Duration = Duration::from_secs(20);

/// Notifies the other processes in `means` that the results of this run are there already, so that
/// none waits for this one.
///
/// # Errors
/// Invalid files of hosts or of a secret; an address at which this process cannot listen.
pub fn tell_finished(options: &EngineOptions, stop: &Stop) -> Result<()> {
    let Some(mut crew) = Crew::of(options)?.filter(|crew| crew.addresses.len() > 1) else {
        return Ok(());
    };
    crew.silence = crew.silence.min(LATECOMERS);
    note(format_args!(
        "notifying the other processes, if they connect within {} s",
        crew.silence.as_secs()
    ));
    match meet::tell_finished(&crew, &|| stop.requested()) {
        // Nobody has to come.
        Ok(()) | Err(EngineError::CannotHold(_) | EngineError::Peer(_)) => Ok(()),
        Err(other) => Err(other),
    }
}

/// Engine `cluster`.
#[derive(Debug)]
pub struct ClusterEngine;

/// Makes a search ready to work in this process's own folder. Returns the participants.
fn made_ready<K: Key>(
    search: &mut Search<K>,
    options: &EngineOptions,
    rules: &Graph<K>,
) -> Result<Option<Crew>> {
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
                memory: disk::least_memory,
                disk: 2.5,
                rate: 1.6e6,
                shared: true,
                ..Footprint::NONE
            }],
            ..Facts::USUAL
        }
    }

    fn options(&self, kind: QuestionKind) -> &'static [Opt] {
        disk::options(kind, true)
    }

    fn obstacle(&self, graph: &Graph<K>, ask: &Ask<'_, K>) -> Option<String> {
        let opened = &graph.opened;
        if opened.learns_predecessors() && opened.library.variants.len() == 1 {
            return Some("its processes send keys, and only one of them knows the text of each; use --engine hash".into());
        }
        backward_obstacle(graph, ask)
    }

    fn prepare(
        &self,
        search: &mut Search<K>,
        options: &EngineOptions,
        rules: &Graph<K>,
    ) -> Result<Ready> {
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
    ) -> Result<Walked<K>> {
        match in_parts(search)? {
            true => disk::run(search, (part, None), None, observers, progress),
            false => together(search, (part, None), crew_of(search), observers, progress),
        }
    }

    fn distributed(
        &self,
        search: &Search<K>,
        progress: &Progress,
    ) -> Result<Option<Box<dyn Distributed<K>>>> {
        let parts = Parts::of(search, crew_of(search), progress)?;
        Ok(parts.map(|parts| Box::new(parts) as _))
    }

    fn path(&self, question: &PathQuestion<'_, K>) -> Result<Option<PathAnswer<K>>> {
        let ready = |search: &mut Search<K>, options: &EngineOptions| {
            made_ready(search, options, question.rules)
        };
        let answer = path_by(
            "cluster",
            question,
            ready,
            |search, crew, seen, progress| {
                let part = search.parts()?.first().copied().unwrap_or(0);
                let goal = Some(&question.goal);
                together(search, (part, goal), crew.as_ref(), seen, progress)
            },
        );
        answer.map(Some)
    }
}

// The processes of a search, once they have met: their agreement on the search, and their
// farewell.

/// Meets the others, if there are any. The search has its folder. `stop` is checked once the
/// current step is to end.
///
/// # Errors
/// A folder with levels of another number of processes; processes that do not connect, or run
/// another search.
fn met<K: Key>(
    search: &Search<K>,
    crew: Option<&Crew>,
    progress: &Progress,
    stop: Option<Stop>,
) -> Result<Network> {
    let options = search.disk.as_ref().ok_or_else(needs_folder)?;
    refuse_others(options, crew)?;
    let Some(crew) = crew.filter(|crew| crew.addresses.len() > 1) else {
        return Network::open(0, vec![None], vec![String::new()], SILENCE, None);
    };
    if !only_here(&crew.addresses) && crew.index == 0 {
        note(
            "what processes send each other is authenticated at the start and not encrypted: use a private network, or a tunnel",
        );
    }
    let work = search.work.get::<Arc<Work>>().ok_or_else(needs_folder)?;
    let description = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "program": machine::program(),
        "number_of_processes": crew.addresses.len(),
        "greatest_level": search.max_depth,
        "keep_every": options.keep_every,
        "states_of_a_partition": options.partition_states,
        "resume": options.resume,
        "search": work.folder().identity(),
    });
    let listener = crew.listen()?;
    let sockets = meet(crew, listener, description, &|| progress.stopping())?;
    Network::open(
        crew.index,
        sockets,
        crew.addresses.clone(),
        crew.silence,
        stop,
    )
}

/// Closes the connections; notifies the others if the work has failed.
fn leave<T>(network: Network, done: &Result<T>) {
    match done {
        Ok(_) => network.close(),
        Err(EngineError::Peer(why)) => network.fail(why),
        Err(error) => network.fail(&error.to_string()),
    }
}

/// Resumes levels written with a different process count, or refuses to start next to them.
fn refuse_others(options: &DiskOptions, crew: Option<&Crew>) -> Result<()> {
    let work = options.work.parent().unwrap_or(Path::new("."));
    let count = crew.map_or(1, |crew| crew.addresses.len());
    let found = others(work, count);
    let Some(of) = found.keys().next().filter(|_| !options.resume) else {
        return Ok(());
    };
    Err(EngineError::foreign(
        work,
        format!(
            "holds what a run of {of} process{} has finished; add --resume to continue it, or delete the folder",
            if *of == 1 { "" } else { "es" }
        ),
    ))
}
