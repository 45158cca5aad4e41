//! The participants: the file of hosts, and the secret that all share.

use std::fs;
use std::net::{TcpListener, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::network::MOST_PROCESSES;
use crate::error::EngineError;
use crate::options::EngineOptions;

/// How long a process may be silent, and how long others wait for it at the start.
pub(super) const SILENCE: Duration = Duration::from_secs(60);
/// Least bytes of a secret.
const LEAST_SECRET: u64 = 16;
/// Marks a process started by another of the same command: its standard input is the socket at
/// which it listens.
pub const LISTENER: &str = "ANTIPODE_CLUSTER_LISTENER";

/// Data of a process on others that it started itself.
#[derive(Debug)]
pub struct Started {
    listener: Mutex<Option<TcpListener>>,
    ended: Mutex<Option<String>>,
}

/// The processes that this one started.
pub static STARTED: Started = Started {
    listener: Mutex::new(None),
    ended: Mutex::new(None),
};

impl Started {
    /// The socket at which this process listens.
    pub fn listens_at(&self, listener: TcpListener) {
        *lock(&self.listener) = Some(listener);
    }

    /// One of the others ended, with the reason in a few words.
    pub fn ended(&self, why: String) {
        *lock(&self.ended) = Some(why);
    }

    fn listener(&self) -> Option<TcpListener> {
        lock(&self.listener).take()
    }

    /// The other process that ended, in a message.
    pub(super) fn why(&self) -> Option<String> {
        lock(&self.ended).clone()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The processes of a search, and which of them this is.
#[derive(Debug, Clone)]
pub(super) struct Crew {
    /// Where each listens.
    pub(super) addresses: Vec<String>,
    pub(super) index: usize,
    pub(super) key: [u8; 32],
    pub(super) silence: Duration,
}

fn refuse(text: String) -> EngineError {
    EngineError::CannotHold(text)
}

impl Crew {
    /// The hosts that the options name; `None` if this process is alone.
    ///
    /// # Errors
    /// A file that cannot be read or has invalid lines, a number beyond its lines, or no secret.
    pub(super) fn of(options: &EngineOptions) -> Result<Option<Self>, EngineError> {
        let together = &options.together;
        let (Some(hosts), Some(index)) = (&together.hosts, together.process) else {
            return match (&together.hosts, together.process) {
                (None, None) => Ok(None),
                (None, Some(_)) => Err(refuse(
                    "--process is a number of a line of --hosts FILE: give that too".into(),
                )),
                (Some(_), _) => Err(refuse(
                    "--hosts FILE: say which of its lines this process is, by --process I from 0 on".into(),
                )),
            };
        };
        let addresses = read_hosts(hosts)?;
        if index >= addresses.len() {
            return Err(refuse(format!(
                "--process {index}: {} has {} lines with hosts, numbered from 0",
                hosts.display(),
                addresses.len()
            )));
        }
        let Some(secret) = &together.secret else {
            return Err(refuse(
                "--hosts FILE: processes know each other by a secret; write 32 random bytes into a file that only you can read, and give it to all by --secret FILE".into(),
            ));
        };
        Ok(Some(Self {
            addresses,
            index,
            key: read_secret(secret)?,
            silence: together.silence.unwrap_or(SILENCE),
        }))
    }

    /// The socket at which this process listens.
    ///
    /// # Errors
    /// An address that is not of this machine, or is in use.
    pub(super) fn listen(&self) -> Result<TcpListener, EngineError> {
        if let Some(listener) = STARTED.listener().or_else(inherited) {
            return Ok(listener);
        }
        let address = &self.addresses[self.index];
        TcpListener::bind(address).map_err(|error| {
            refuse(format!(
                "{address}: process {} cannot listen there ({error}); its line in --hosts must name this machine and a free port",
                self.index
            ))
        })
    }
}

/// Standard input as a socket, if the process that started this one says so.
#[cfg(unix)]
fn inherited() -> Option<TcpListener> {
    use std::os::fd::AsFd;
    std::env::var_os(LISTENER)?;
    let input = std::io::stdin().as_fd().try_clone_to_owned().ok()?;
    let listener = TcpListener::from(input);
    listener.local_addr().is_ok().then_some(listener)
}

#[cfg(not(unix))]
fn inherited() -> Option<TcpListener> {
    None
}

/// Reads the file of hosts: `host:port` on each line; `#` begins a comment.
fn read_hosts(file: &Path) -> Result<Vec<String>, EngineError> {
    let text =
        fs::read_to_string(file).map_err(|error| refuse(format!("{}: {error}", file.display())))?;
    let mut hosts: Vec<String> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let host = line.split('#').next().unwrap_or_default().trim();
        if host.is_empty() {
            continue;
        }
        let at = || format!("{}, line {}: '{host}'", file.display(), number + 1);
        let port = host.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        if !matches!(port, Some(Ok(1..))) {
            return Err(refuse(format!("{}: write HOST:PORT", at())));
        }
        if hosts.iter().any(|other| other == host) {
            return Err(refuse(format!("{} is there twice", at())));
        }
        hosts.push(host.to_owned());
    }
    match hosts.len() {
        0 => Err(refuse(format!(
            "{}: names no hosts; write HOST:PORT, a line for each process",
            file.display()
        ))),
        1..=MOST_PROCESSES => Ok(hosts),
        many => Err(refuse(format!(
            "{}: {many} hosts, and {MOST_PROCESSES} are the most",
            file.display()
        ))),
    }
}

/// The key derived from the secret in a file, which nobody else may read.
fn read_secret(file: &Path) -> Result<[u8; 32], EngineError> {
    let failed = |error: std::io::Error| refuse(format!("--secret {}: {error}", file.display()));
    let found = fs::metadata(file).map_err(failed)?;
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(&found) & 0o077 != 0 {
        return Err(refuse(format!(
            "--secret {}: others can read it; chmod 600 it",
            file.display()
        )));
    }
    if found.len() < LEAST_SECRET {
        return Err(refuse(format!(
            "--secret {}: {} bytes are too few; write 32 random ones into it",
            file.display(),
            found.len()
        )));
    }
    let secret = fs::read(file).map_err(failed)?;
    Ok(blake3::derive_key(
        "antipode cluster 1, secret of a run",
        &secret,
    ))
}

/// Whether all processes listen on this machine alone.
pub(super) fn only_here(addresses: &[String]) -> bool {
    let here = |address: &String| {
        let found = address.to_socket_addrs().into_iter().flatten();
        found.into_iter().all(|address| address.ip().is_loopback())
    };
    addresses.iter().all(here)
}

/// The folder of a process within that of `--work`.
pub(super) fn folder(work: &Path, crew: Option<&Crew>) -> PathBuf {
    let (index, count) = crew.map_or((0, 1), |crew| (crew.index, crew.addresses.len()));
    crate::engines::disk::deal::process_folder(work, index, count)
}
