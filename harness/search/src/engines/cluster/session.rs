//! The processes of a search, once they have met: their agreement on the search, and their
//! farewell.

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use puzzle_api::Key;
use serde_json::json;

use super::alone::Alone;
use super::hosts::{Crew, only_here};
use super::meet::meet;
use super::network::Network;
use crate::engines::disk::deal::others;
use crate::engines::disk::peers::Peers;
use crate::engines::disk::{Work, needs_folder};
use crate::error::EngineError;
use crate::machine;
use crate::options::DiskOptions;
use crate::progress::{Progress, Stop, note};
use crate::search::Search;

/// The peers of a process, or none.
#[derive(Debug)]
pub(super) enum Session {
    Alone(Alone),
    Shared(Network),
}

impl Session {
    /// Meets the others, if there are any. The search has its folder. `stop` is checked once the
    /// current step is to end.
    ///
    /// # Errors
    /// A folder with levels of another number of processes; processes that do not connect, or run
    /// another search.
    pub(super) fn meet<K: Key>(
        search: &Search<K>,
        crew: Option<&Crew>,
        progress: &Progress,
        stop: Option<Stop>,
    ) -> Result<Self, EngineError> {
        let options = search.disk.as_ref().ok_or_else(needs_folder)?;
        refuse_others(options, crew)?;
        let Some(crew) = crew.filter(|crew| crew.addresses.len() > 1) else {
            return Ok(Self::Alone(Alone::default()));
        };
        if !only_here(&crew.addresses) && crew.index == 0 {
            note(
                "what processes send each other is authenticated at the start and not encrypted: use a private network, or a tunnel",
            );
        }
        let identity = work_of(search)?.folder().identity().clone();
        let description = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "program": machine::program(),
            "number_of_processes": crew.addresses.len(),
            "greatest_level": search.max_depth,
            "keep_every": options.keep_every,
            "states_of_a_partition": options.partition_states,
            "resume": options.resume,
            "search": identity,
        });
        let listener = crew.listen()?;
        let sockets = meet(crew, listener, description, &|| progress.stopping())?;
        let names = crew.addresses.clone();
        let network = Network::open(crew.index, sockets, names, crew.silence, stop)?;
        Ok(Self::Shared(network))
    }

    /// All processes, including this one.
    pub(super) fn peers(&self) -> &dyn Peers {
        match self {
            Self::Alone(alone) => alone,
            Self::Shared(network) => network,
        }
    }

    /// Bytes sent to others so far.
    pub(super) fn sent(&self) -> u64 {
        match self {
            Self::Alone(_) => 0,
            Self::Shared(network) => network.sent(),
        }
    }

    /// Closes the connections; notifies the others if the work has failed.
    pub(super) fn leave<T>(self, done: &Result<T, EngineError>) {
        match (self, done) {
            (Self::Alone(_), _) => {}
            (Self::Shared(network), Ok(_)) => network.close(),
            (Self::Shared(network), Err(EngineError::Peer(why))) => network.fail(why),
            (Self::Shared(network), Err(error)) => network.fail(&error.to_string()),
        }
    }
}

fn work_of<K: Key>(search: &Search<K>) -> Result<Arc<Work>, EngineError> {
    let files = search.work.clone().ok_or_else(needs_folder)?;
    Arc::<dyn Any + Send + Sync>::downcast(files as _).map_err(|_| needs_folder())
}

/// Resumes levels written with a different process count, or refuses to start next to them.
fn refuse_others(options: &DiskOptions, crew: Option<&Crew>) -> Result<(), EngineError> {
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
