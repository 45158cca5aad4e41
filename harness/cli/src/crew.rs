//! `--processes N`: starts the other processes of engine cluster on this machine, and ensures that
//! none is left behind.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use antipode_graph::lock;
use antipode_search::engine::{EngineOptions, Opt, QuestionKind};
use antipode_search::engines::cluster::{LISTENER, STARTED, tell_finished};
use antipode_search::engines::{clear_processes, clear_work};
use antipode_search::progress::Stop;
use antipode_search::registry::EngineId;
use antipode_search::work::begun;
use antipode_search::{machine, memory};
use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use super::supervise::this_again;

/// The option that the others do not get.
const PROCESSES: &str = "--processes";
/// Time that the others may take to end after this process.
const LAST: Duration = Duration::from_secs(20);
/// Interval between checks of these.
const LOOK: Duration = Duration::from_millis(100);

/// The processes of a search on this machine. The others are ended with it.
#[derive(Debug)]
pub struct Crew {
    /// Goes with it.
    _folder: TempDir,
    listeners: Vec<TcpListener>,
    more: Vec<OsString>,
    others: Arc<Mutex<Vec<Child>>>,
}

/// Whether this process writes the results: the first, or the only one.
pub fn is_first(options: &EngineOptions) -> bool {
    options.together.process.is_none_or(|index| index == 0)
}

/// Waits for the others, and removes the files of a finished search's processes in the shared
/// folder, as far as they are visible here.
pub fn clear(
    crew: Option<Crew>,
    engine: Option<EngineId>,
    options: &EngineOptions,
    finished: bool,
) {
    drop(crew);
    let shared = engine.is_some_and(EngineId::is_shared) && finished && !options.keep_work;
    match options.work.as_deref().filter(|_| shared) {
        Some(work) if is_first(options) => clear_processes(work),
        // The last process to leave the folder removes it.
        Some(work) => drop(fs::remove_dir(work)),
        None => {}
    }
}

/// Ends a run whose results are there already. Removes the leftovers of a process that was killed
/// during its cleanup, but no work that a run kept for another, and starts the others if this one is
/// to start them.
///
/// # Errors
/// Files in the folder that cannot be removed; an invalid file of hosts.
pub fn finish(
    crew: Option<&Crew>,
    options: &EngineOptions,
    work: &Path,
    stop: &Stop,
) -> Result<()> {
    if !begun(work) {
        clear_work(work)?;
    }
    if crew.is_none() {
        tell_finished(options, stop)?;
    }
    Ok(())
}

impl Crew {
    /// Prepares the requested number of processes, of which this one is the first, and notes them
    /// in `means`. `None` if none are requested, or the engine takes none.
    ///
    /// # Errors
    /// `--processes` together with the options that it replaces; no port or file available.
    pub fn plan(
        engine: Option<EngineId>,
        kind: QuestionKind,
        options: &mut EngineOptions,
        threads: (&mut usize, bool),
    ) -> Result<Option<Self>> {
        let Some(count) = options.together.processes else {
            return Ok(None);
        };
        let Some(engine) = engine.filter(|engine| engine.takes(kind, Opt::Processes)) else {
            return Ok(None);
        };
        let together = &options.together;
        if together.hosts.is_some() || together.process.is_some() || together.secret.is_some() {
            bail!("{PROCESSES} starts all of them here: leave out --hosts, --process and --secret");
        }
        if options.work.is_none() {
            bail!("engine {engine} needs a folder for its levels; add --work DIR");
        }
        let listen = |_| TcpListener::bind("127.0.0.1:0").context("no port to listen at");
        let listeners: Vec<TcpListener> = (0..count).map(listen).collect::<Result<_>>()?;
        let folder = tempfile::tempdir().context("no folder for the secret")?;
        let hosts = folder.path().join("hosts.txt");
        let secret = folder.path().join("secret");
        let mut lines = String::new();
        for listener in &listeners {
            lines += &format!("{}\n", listener.local_addr()?);
        }
        fs::write(&hosts, lines)?;
        write_secret(&secret)?;
        let mut more: Vec<OsString> = Vec::new();
        let (threads, threads_given) = threads;
        if !threads_given {
            *threads = (machine::cores() / count).max(1);
            more.push(format!("--threads={threads}").into());
        }
        if let (None, Some(left)) = (options.memory, memory::available()) {
            let each = left / 2 / count as u64;
            options.memory = Some(each);
            more.push(format!("--memory={each}").into());
        }
        for (name, file) in [("--hosts=", &hosts), ("--secret=", &secret)] {
            let mut flag = OsString::from(name);
            flag.push(file);
            more.push(flag);
        }
        options.together.processes = None;
        options.together.hosts = Some(hosts);
        options.together.process = Some(0);
        options.together.secret = Some(secret);
        Ok(Some(Self {
            _folder: folder,
            listeners,
            more,
            others: Arc::default(),
        }))
    }

    /// Starts the others.
    pub fn start(&mut self) -> Result<()> {
        let quiet = OsStr::new("--quiet");
        let mut listeners = std::mem::take(&mut self.listeners).into_iter();
        if let Some(own) = listeners.next() {
            STARTED.listens_at(own);
        }
        for (index, listener) in (1..).zip(listeners) {
            let like_this = this_again()?;
            let mut command = Command::new(like_this.get_program());
            let mut words = like_this.get_args();
            let mut was_quiet = false;
            while let Some(word) = words.next() {
                if word == PROCESSES {
                    words.next();
                } else if !word.as_encoded_bytes().starts_with(b"--processes=") {
                    was_quiet |= word == quiet;
                    command.arg(word);
                }
            }
            command.args(&self.more).arg(format!("--process={index}"));
            command.args((!was_quiet).then_some(quiet));
            command.env(LISTENER, "stdin");
            command.stdin(Stdio::from(OwnedFd::from(listener)));
            command.stdout(Stdio::null());
            let child = command.spawn().context("cannot start another process")?;
            lock(&self.others).push(child);
        }
        let others = Arc::clone(&self.others);
        thread::Builder::new()
            .spawn(move || watch(&others))
            .context("no thread to watch the others")?;
        Ok(())
    }
}

/// Reports a process that ended before the others had met it.
fn watch(others: &Mutex<Vec<Child>>) {
    loop {
        for (index, child) in (1..).zip(lock(others).iter_mut()) {
            if let Ok(Some(status)) = child.try_wait()
                && !status.success()
            {
                STARTED.ended(format!("process {index} ended ({status})"));
                return;
            }
        }
        thread::sleep(LOOK);
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        let until = Instant::now() + LAST;
        for child in lock(&self.others).iter_mut() {
            while matches!(child.try_wait(), Ok(None)) {
                if Instant::now() > until {
                    // A process that hangs helps nobody.
                    let _ = child.kill();
                }
                thread::sleep(Duration::from_millis(5));
            }
        }
    }
}

/// Writes 32 random bytes into a private file.
fn write_secret(file: &PathBuf) -> Result<()> {
    let mut options = fs::File::options();
    options.write(true).create_new(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(|error| anyhow::anyhow!("no random numbers: {error}"))?;
    options.open(file)?.write_all(&secret)?;
    Ok(())
}
