//! How processes find each other: sockets to all others, over which each has proven that it knows
//! the secret and runs the same search. A peer without the secret is rejected, and nothing from it
//! is trusted.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fs, thread};

use serde_json::{Value, json};

use crate::engines::network::MOST_PROCESSES;
use crate::error::{EngineError, Result, locked};
use crate::options::EngineOptions;
use crate::progress::note;
use crate::work::difference;

/// First bytes on a connection; the number is the protocol's version.
const MAGIC: [u8; 16] = *b"antipode peer 1\n";
const NONCE: usize = 32;
const MAC: usize = 32;
/// Magic, nonce, from, to.
const HELLO: usize = MAGIC.len() + NONCE + 8;
/// Longest description of a search.
const DESCRIPTION: usize = 1 << 20;
/// How long one step of a greeting may take.
const GREETING: Duration = Duration::from_secs(10);
/// Strangers that are served at a time.
const STRANGERS: usize = 64;
/// Time between two tries.
const AGAIN: Duration = Duration::from_millis(50);

/// Why a greeting failed.
enum Refusal {
    /// The peer does not know the secret, or has not shown it yet.
    Stranger,
    /// A process of the search that was abandoned.
    Fault(EngineError),
}

impl From<std::io::Error> for Refusal {
    fn from(_: std::io::Error) -> Self {
        Self::Stranger
    }
}

impl Refusal {
    fn fault(text: String) -> Self {
        Self::Fault(EngineError::CannotHold(text))
    }
}

/// The data that a process sends about itself.
struct Own {
    index: usize,
    count: usize,
    key: [u8; 32],
    description: Value,
}

type Greeted = Result<(usize, TcpStream)>;

/// The description of a process that has nothing left to search.
fn finished() -> Value {
    json!({ "finished": true })
}

/// Notifies all others that the results are there already, as far as they connect in time.
///
/// # Errors
/// Same as [`meet`], for a process without a search.
pub(super) fn tell_finished(crew: &Crew, stop: &dyn Fn() -> bool) -> Result<()> {
    meet(crew, crew.listen()?, finished(), stop).map(drop)
}

/// Meets all other processes. `description` is what all of them must agree on.
///
/// # Errors
/// A process that does not connect in time, has another secret, or runs another search; or an
/// address at which this process cannot listen.
pub(super) fn meet(
    crew: &Crew,
    listener: TcpListener,
    description: Value,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Option<TcpStream>>> {
    let count = crew.addresses.len();
    let own = Arc::new(Own {
        index: crew.index,
        count,
        key: crew.key,
        description,
    });
    let over = Arc::new(AtomicBool::new(false));
    let (tell, told) = channel();
    let failed = |error: &std::io::Error| EngineError::CannotHold(format!("no threads: {error}"));
    listener.set_nonblocking(true).map_err(|e| failed(&e))?;
    let (mine, door, ended) = (Arc::clone(&own), tell.clone(), Arc::clone(&over));
    thread::Builder::new()
        .spawn(move || keep_door(&listener, &mine, &door, &ended))
        .map_err(|e| failed(&e))?;
    for (peer, address) in crew.addresses.iter().enumerate().take(crew.index) {
        let (mine, tell, ended) = (Arc::clone(&own), tell.clone(), Arc::clone(&over));
        let address = address.clone();
        thread::Builder::new()
            .spawn(move || call(&mine, peer, &address, &tell, &ended))
            .map_err(|e| failed(&e))?;
    }
    drop(tell);
    let met = gather(crew, &told, stop);
    over.store(true, Relaxed);
    met
}

/// Waits until all have connected.
fn gather(
    crew: &Crew,
    told: &Receiver<Greeted>,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Option<TcpStream>>> {
    let count = crew.addresses.len();
    let until = Instant::now() + crew.silence;
    let mut sockets: Vec<Option<TcpStream>> = (0..count).map(|_| None).collect();
    let missing = |sockets: &[Option<TcpStream>]| {
        (0..count).find(|&peer| peer != crew.index && sockets[peer].is_none())
    };
    while let Some(peer) = missing(&sockets) {
        match told.recv_timeout(AGAIN) {
            Ok(Ok((peer, socket))) if sockets[peer].is_none() => sockets[peer] = Some(socket),
            // A second connection of the same name is ignored.
            Ok(Ok(_)) => {}
            Ok(Err(fault)) => return Err(fault),
            Err(RecvTimeoutError::Disconnected) => return Err(late(crew, peer)),
            Err(RecvTimeoutError::Timeout) if Instant::now() > until => {
                return Err(late(crew, peer));
            }
            Err(RecvTimeoutError::Timeout) if stop() => {
                return Err(EngineError::Peer(format!(
                    "stopped before process {peer} had come"
                )));
            }
            Err(RecvTimeoutError::Timeout) => {
                if let Some(why) = STARTED.why() {
                    return Err(EngineError::Peer(why));
                }
            }
        }
    }
    Ok(sockets)
}

fn late(crew: &Crew, peer: usize) -> EngineError {
    EngineError::Peer(format!(
        "process {peer} ({}) did not come within {} s (--silence waits longer)",
        crew.addresses[peer],
        crew.silence.as_secs()
    ))
}

/// Accepts processes with a greater number.
fn keep_door(listener: &TcpListener, own: &Arc<Own>, tell: &Sender<Greeted>, over: &AtomicBool) {
    let inside = Arc::new(AtomicUsize::new(0));
    let strangers = Arc::new(AtomicBool::new(false));
    while !over.load(Relaxed) {
        let Ok((socket, from)) = listener.accept() else {
            thread::sleep(AGAIN);
            continue;
        };
        if inside.fetch_add(1, Relaxed) >= STRANGERS {
            inside.fetch_sub(1, Relaxed);
            continue;
        }
        let (own, tell, counted) = (Arc::clone(own), tell.clone(), Arc::clone(&inside));
        let noted = Arc::clone(&strangers);
        let greeting = move || {
            match answer(&own, socket) {
                Ok(met) => drop(tell.send(Ok(met))),
                Err(Refusal::Fault(fault)) => drop(tell.send(Err(fault))),
                Err(Refusal::Stranger) if noted.swap(true, Relaxed) => {}
                Err(Refusal::Stranger) => note(format_args!(
                    "a connection from {from} was closed: it does not know the secret; others like it are closed without a word"
                )),
            }
            counted.fetch_sub(1, Relaxed);
        };
        // If there is no thread for it, it may connect again.
        let _ = thread::Builder::new().spawn(greeting);
    }
}

/// Connects to a process with a smaller number, until it is there.
fn call(own: &Own, peer: usize, address: &str, tell: &Sender<Greeted>, over: &AtomicBool) {
    while !over.load(Relaxed) {
        let found = address.to_socket_addrs().ok();
        let sockets = found.into_iter().flatten();
        let open = |at| TcpStream::connect_timeout(&at, GREETING).ok();
        let Some(socket) = sockets.into_iter().find_map(open) else {
            thread::sleep(AGAIN);
            continue;
        };
        match greet(own, peer, socket) {
            Ok(socket) => return drop(tell.send(Ok((peer, socket)))),
            Err(Refusal::Fault(fault)) => return drop(tell.send(Err(fault))),
            Err(Refusal::Stranger) => thread::sleep(AGAIN),
        }
    }
}

fn nonce() -> Result<[u8; NONCE], Refusal> {
    let mut nonce = [0; NONCE];
    getrandom::fill(&mut nonce)
        .map_err(|error| Refusal::fault(format!("the system gives no random numbers: {error}")))?;
    Ok(nonce)
}

impl Own {
    /// The answer to a greeting that only a holder of the secret can give.
    fn mac(&self, role: &str, hello: &[u8], nonce: &[u8], text: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        for piece in [role.as_bytes(), hello, nonce, text] {
            hasher.update(&(piece.len() as u64).to_le_bytes());
            hasher.update(piece);
        }
        hasher.finalize()
    }

    /// Reads a code and compares it, in a time that does not depend on where they differ.
    fn proves(&self, socket: &mut TcpStream, expected: &blake3::Hash) -> Result<bool, Refusal> {
        let mut code = [0; MAC];
        socket.read_exact(&mut code)?;
        Ok(blake3::Hash::from(code) == *expected)
    }

    fn describe(
        &self,
        socket: &mut TcpStream,
        (role, other): (&str, &str),
        hello: &[u8],
        nonce: &[u8],
    ) -> Result<Value, Refusal> {
        let text = self.description.to_string().into_bytes();
        socket.write_all(&(text.len() as u32).to_le_bytes())?;
        socket.write_all(&text)?;
        socket.write_all(self.mac(role, hello, nonce, &text).as_bytes())?;
        let mut length = [0; 4];
        socket.read_exact(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > DESCRIPTION {
            return Err(Refusal::Stranger);
        }
        let mut text = vec![0; length];
        socket.read_exact(&mut text)?;
        if !self.proves(socket, &self.mac(other, hello, nonce, &text))? {
            return Err(Refusal::Stranger);
        }
        serde_json::from_slice(&text).map_err(|_| Refusal::Stranger)
    }

    /// Compares another process's description of its search with its own.
    fn compare(&self, peer: usize, theirs: &Value) -> Result<(), Refusal> {
        if self.description == finished() {
            return Ok(());
        }
        if *theirs == finished() {
            return Err(Refusal::Fault(EngineError::Finished(peer)));
        }
        match difference(theirs, &self.description) {
            None => Ok(()),
            Some(difference) => Err(Refusal::fault(format!(
                "process {peer} is about another search ({difference}); give all the same command and the same program"
            ))),
        }
    }
}

fn patient(socket: &TcpStream) -> Result<(), Refusal> {
    socket.set_nonblocking(false)?;
    socket.set_nodelay(true)?;
    socket.set_read_timeout(Some(GREETING))?;
    socket.set_write_timeout(Some(GREETING))?;
    Ok(())
}

/// Greets a process that has accepted the connection.
fn greet(own: &Own, peer: usize, mut socket: TcpStream) -> Result<TcpStream, Refusal> {
    patient(&socket)?;
    let mut hello = Vec::with_capacity(HELLO);
    hello.extend(MAGIC);
    hello.extend(nonce()?);
    hello.extend((own.index as u32).to_le_bytes());
    hello.extend((peer as u32).to_le_bytes());
    socket.write_all(&hello)?;
    let mut answer = [0; MAGIC.len() + NONCE];
    socket.read_exact(&mut answer)?;
    let (magic, nonce) = answer.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(Refusal::Stranger);
    }
    if !own.proves(&mut socket, &own.mac("door", &hello, nonce, &[]))? {
        return Err(Refusal::fault(format!(
            "process {peer} has another secret; give all the same file by --secret"
        )));
    }
    socket.write_all(own.mac("guest", &hello, nonce, &[]).as_bytes())?;
    let roles = ("guest says", "door says");
    let theirs = own.describe(&mut socket, roles, &hello, nonce)?;
    own.compare(peer, &theirs)?;
    Ok(socket)
}

/// Answers a process that connected.
fn answer(own: &Own, mut socket: TcpStream) -> Result<(usize, TcpStream), Refusal> {
    patient(&socket)?;
    let mut hello = [0; HELLO];
    socket.read_exact(&mut hello)?;
    if hello[..MAGIC.len()] != MAGIC {
        return Err(Refusal::Stranger);
    }
    let nonce = nonce()?;
    socket.write_all(&MAGIC)?;
    socket.write_all(&nonce)?;
    socket.write_all(own.mac("door", &hello, &nonce, &[]).as_bytes())?;
    if !own.proves(&mut socket, &own.mac("guest", &hello, &nonce, &[]))? {
        return Err(Refusal::Stranger);
    }
    let number = |at: usize| {
        let bytes = std::array::from_fn(|i| hello[HELLO - 8 + at + i]);
        u32::from_le_bytes(bytes) as usize
    };
    let (from, to) = (number(0), number(4));
    let roles = ("door says", "guest says");
    let theirs = own.describe(&mut socket, roles, &hello, &nonce)?;
    own.compare(from, &theirs)?;
    if to != own.index || from >= own.count || from <= own.index {
        return Err(Refusal::fault(format!(
            "process {from} takes this one for process {to}, and it is {}; give all the same --hosts, and each its own --process",
            own.index
        )));
    }
    Ok((from, socket))
}

// The participants: the file of hosts, and the secret that all share.

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
        *locked(&self.listener) = Some(listener);
    }

    /// One of the others ended, with the reason in a few words.
    pub fn ended(&self, why: String) {
        *locked(&self.ended) = Some(why);
    }

    fn listener(&self) -> Option<TcpListener> {
        locked(&self.listener).take()
    }

    /// The other process that ended, in a message.
    pub(super) fn why(&self) -> Option<String> {
        locked(&self.ended).clone()
    }
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
    pub(super) fn of(options: &EngineOptions) -> Result<Option<Self>> {
        let together = &options.together;
        let (Some(hosts), Some(index)) = (&together.hosts, together.process) else {
            return match (&together.hosts, together.process) {
                (None, None) if together.secret.is_some() || together.silence.is_some() => {
                    Err(refuse(
                        "--secret and --silence are for processes that share a search: start them by --processes N, or name them by --hosts FILE".into(),
                    ))
                }
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
    pub(super) fn listen(&self) -> Result<TcpListener> {
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
fn read_hosts(file: &Path) -> Result<Vec<String>> {
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
fn read_secret(file: &Path) -> Result<[u8; 32]> {
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
