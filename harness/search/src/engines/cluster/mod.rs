//! Engine `cluster`: the search of engine `disk`, shared by processes on several machines. A
//! process keeps some of the partitions, on its own disk. Candidates that belong to another process
//! travel there by timely dataflow (module `dataflow`), no faster than they are written.
//!
//! All processes run the same command and take part in the same steps. A level is finished once it
//! is on all disks. So after a failure, all processes resume from the last level that all have, in
//! the same number or another. Parts of an instance are dealt out whole (module `parts`).

mod alone;
mod common;
mod dataflow;
mod engine;
mod hosts;
mod meet;
mod network;
mod parts;
mod session;
mod told;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use puzzle_api::Key;

use crate::engines::disk::needs_folder;
use crate::engines::disk::open::open_work;
use crate::engines::disk::walk::Walk;
use crate::error::EngineError;
use crate::observers::Observers;
use crate::options::EngineOptions;
use crate::outcome::{NoPathProof, Outcome, Walked};
use crate::progress::{Progress, Stop, note};
use crate::question::Goal;
use crate::search::Search;
pub use engine::ClusterEngine;
use hosts::Crew;
pub use hosts::{LISTENER, STARTED, Started};
use session::Session;
use told::put_together;

/// Walks one part with all processes; each has the same result.
fn walk<K: Key>(
    search: &Search<K>,
    part: u64,
    crew: Option<&Crew>,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    let asked = ClusterQuestion {
        search,
        part,
        goal: None,
    };
    together(&asked, crew, progress, observers)
}

/// Finds a shortest path from the search's root to a goal, with all processes.
fn reach<K: Key>(
    search: &Search<K>,
    goal: &Goal<K>,
    crew: Option<&Crew>,
    observers: &mut Observers<K>,
    progress: &Progress,
) -> Result<Walked<K>, EngineError> {
    let asked = ClusterQuestion {
        search,
        part: search.parts()?.first().copied().unwrap_or(0),
        goal: Some(goal),
    };
    let mut walked = together(&asked, crew, progress, observers)?;
    if let Outcome::Unreachable(NoPathProof::Exhausted { states, .. }) = &mut walked.outcome {
        *states = observers.levels.total_states();
    }
    Ok(walked)
}

/// The subject of a search.
struct ClusterQuestion<'a, K> {
    search: &'a Search<K>,
    part: u64,
    goal: Option<&'a Goal<K>>,
}

/// Meets the others, walks, and joins the results of all.
fn together<K: Key>(
    asked: &ClusterQuestion<'_, K>,
    crew: Option<&Crew>,
    progress: &Progress,
    observers: &mut Observers<K>,
) -> Result<Walked<K>, EngineError> {
    let mut search = asked.search.clone();
    if search.work.is_none() {
        search.work = Some(Arc::new(open_work(&search, asked.goal)?));
    }
    let options = search.disk.as_ref().ok_or_else(needs_folder)?;
    let session = Session::meet(&search, crew, progress, None)?;
    let peers = session.peers();
    let mut done = || {
        let mut run = Walk::open(
            &search,
            asked.part,
            options,
            asked.goal,
            Some(peers),
            observers,
            progress,
        )?;
        let outcome = match asked.goal {
            None => run.whole(observers)?,
            Some(_) => run.shortest(observers)?,
        };
        let mut spent = run.spent();
        put_together(peers, session.sent(), observers, &mut spent)?;
        Ok(Walked { outcome, spent })
    };
    let walked: Result<Walked<K>, EngineError> = done();
    session.leave(&walked);
    walked
}

/// Time that other processes may take to connect when notified of a finished run.
const LATECOMERS: Duration = Duration::from_secs(20);

/// Notifies the other processes in `means` that the results of this run are there already, so that
/// none waits for this one.
///
/// # Errors
/// Invalid files of hosts or of a secret; an address at which this process cannot listen.
pub fn tell_finished(options: &EngineOptions, stop: &Stop) -> Result<(), EngineError> {
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
        Ok(()) | Err(EngineError::CannotHold(_)) => Ok(()),
        Err(other) => Err(other),
    }
}
