//! Asks loaded libraries a second time, before anything rests on their answers.
//!
//! The recorded questions of a run ([`ledger`]) are put to a fresh process, one state at a time and
//! in another order. There, a process is forked for each group of questions, so that nothing was
//! asked before them, and every question is put on two threads. A library whose answers depend on
//! batch, thread, order, repetition or handle differs there. A library that recognises the second
//! process does not: that remains possible. A rulebook program, whose requests take longer than its
//! answers, is asked about some states one at a time and about the others in small batches; and
//! ten more processes of it are asked a few questions.
#![allow(unsafe_code)]

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::hash::BuildHasher;
use std::io::{BufRead, BufWriter, Read, Seek, Write, stdin};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use antipode_graph::ledger::{
    self, Difference, Function, Input, Ledger, LedgerAnswer, Noted, OpenedVariant, text_of,
};
use antipode_graph::rules::{self, OTHERWISE};
use antipode_graph::{Graph, Library, PluginError, in_hand, lock};
use antipode_search::engines::EngineError;
use antipode_search::progress::Stop;
use foldhash::fast::FixedState;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, raise};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{ForkResult, fork};
use serde::{Deserialize, Serialize};

use crate::supervisor::{End, LibraryFault, Supervisor, await_children, shared_file};

/// Environment variable that makes a process answer.
const VARIABLE: &str = "ANTIPODE_ASKED_AGAIN";
/// Number of processes forked to answer one request, of which each costs half a millisecond.
const GROUPS: usize = 512;
/// The same if no question may be left out.
const GROUPS_OF_ALL: usize = 2048;
/// The same for rulebook programs, which are started again in each.
const GROUPS_OF_PROGRAMS: usize = 2;
/// Number of further processes of a rulebook program that are asked a few questions: all of them
/// show the same one of two equally likely behaviours once in 1,024 runs.
const FRESH: usize = 10;
/// Number of these questions.
const FEW: usize = 256;
/// Number of states about which a rulebook program is asked one at a time, for each function.
const ALONE: usize = 1024;
/// States of a batch for the others.
const TOGETHER: usize = 64;
/// Processor time for asking again if a sample is enough.
const BUDGET: Duration = Duration::from_secs(8);
/// Exit code of a forked process that found its program described otherwise.
const DIFFERS: i32 = 3;
/// Whether no question may be left out.
static ALL: AtomicBool = AtomicBool::new(false);

struct AgainOptions {
    limit: Duration,
    stop: Stop,
    /// The working folder, which names of files are relative to.
    folder: Option<PathBuf>,
}

static OPTIONS: OnceLock<AgainOptions> = OnceLock::new();
/// Whether some questions were not repeated.
static CUT: AtomicBool = AtomicBool::new(false);
/// Why some questions could not be repeated during a run.
static HINDRANCE: Mutex<Option<String>> = Mutex::new(None);

/// Starts recording the answers of libraries, for [`confirm`] to ask again; a call may take
/// `limit`.
pub fn begin(limit: Duration, stop: Stop) {
    let options = AgainOptions {
        limit,
        stop,
        folder: std::env::current_dir().ok(),
    };
    if OPTIONS.set(options).is_ok() {
        ledger::begin();
    }
}

/// Makes [`confirm`] repeat every question, however many there are.
pub fn ask_all() {
    if OPTIONS.get().is_some() {
        ALL.store(true, Relaxed);
        ledger::note_all(|ledger, noted| {
            if ledger.difference().is_none()
                && let Err(why) = ask(&[(ledger, noted)])
            {
                lock(&HINDRANCE).get_or_insert(why);
            }
        });
        CUT.store(false, Relaxed);
    }
}

/// How much was asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// No library was loaded.
    Nothing,
    /// All questions that the libraries had answered.
    All,
    /// A sample of it.
    Sample,
    /// Not all, as a stop was requested.
    Stopped,
}

impl Again {
    /// The words that follow a sentence, if not all was asked again.
    #[must_use]
    pub const fn remark(self) -> &'static str {
        match self {
            Self::Sample => "; the puzzle's answers were asked again in a new process on a sample",
            Self::Stopped => {
                "; stopped before the puzzle's answers were asked again in a new process"
            }
            Self::Nothing | Self::All => "",
        }
    }
}

/// Repeats all questions that libraries answered since the last call. To be called before a
/// verdict.
///
/// # Errors
/// [`EngineError::Disagree`] with the state and both answers if a library's answer differs;
/// [`EngineError::NotAsked`] if it could not be asked.
pub fn confirm() -> Result<Again, EngineError> {
    let ledgers = ledger::all();
    let Some(options) = OPTIONS.get().filter(|_| !ledgers.is_empty()) else {
        return Ok(Again::Nothing);
    };
    // A library may have left it.
    if let Some(folder) = &options.folder {
        let _ = std::env::set_current_dir(folder);
    }
    // A stopped run keeps its results, and says that they were not asked again.
    let left = || {
        options.stop.cut();
        Ok(Again::Stopped)
    };
    let differs = || ledgers.iter().find_map(|l| Some((l, l.difference()?)));
    let asked = match differs() {
        None if options.stop.requested() => return left(),
        None => ask(&unconfirmed(&ledgers)),
        Some(_) => Ok(()),
    };
    if let Some((ledger, difference)) = differs() {
        return Err(EngineError::Disagree(line(ledger, &difference)));
    }
    if let Some(why) = asked.err().or_else(|| lock(&HINDRANCE).clone()) {
        // The signal of a stop may end the new process first.
        return match options.stop.requested_soon() {
            true => left(),
            false if why.contains(OTHERWISE) => Err(EngineError::Disagree(why)),
            false => Err(EngineError::NotAsked(why)),
        };
    }
    Ok(match CUT.load(Relaxed) || ledger::is_sample() {
        true => Again::Sample,
        false => Again::All,
    })
}

/// Forgets what was asked, once a verdict rests on it: how much was asked again for the next one
/// does not depend on it.
pub fn forget() {
    ledger::forget();
    CUT.store(false, Relaxed);
}

fn unconfirmed(ledgers: &[Arc<Ledger>]) -> Vec<(&Ledger, Vec<Noted>)> {
    let open = ledgers.iter();
    open.map(|ledger| (&**ledger, ledger.unconfirmed()))
        .collect()
}

/// The error of a run that failed: a difference between answers, if asking again shows one.
#[must_use]
pub fn instead(error: EngineError) -> EngineError {
    let of_library = matches!(
        error,
        EngineError::CannotHold(_)
            | EngineError::Disagree(_)
            | EngineError::Plugin(PluginError::Broken { .. } | PluginError::Late(_))
    );
    match of_library.then(confirm) {
        Some(Err(differs @ EngineError::Disagree(_))) => differs,
        _ => error,
    }
}

/// The request to a process.
#[derive(Debug, Serialize, Deserialize)]
struct AgainRequest {
    /// Processor time that it may take, in milliseconds.
    budget_ms: u64,
    jobs: Vec<OpenedVariant>,
}

/// A question; short, as there may be millions of them.
#[derive(Clone)]
struct Question {
    /// Number of the job.
    job: u32,
    function: Function,
    input: Input,
    /// The text for `parse`; for a rulebook program, the text of the state.
    text: Option<Box<str>>,
}

impl Question {
    /// An order independent of the run's order; moves come first in their process.
    fn place(&self) -> (bool, u64) {
        let moves = matches!(self.function, Function::Successors | Function::Predecessors);
        let hash = FixedState::with_seed(self.job.into());
        (!moves, hash.hash_one((self.function as u8, self.input)))
    }
}

/// Asks a fresh process, and compares. A difference is recorded in its ledger.
fn ask(open: &[(&Ledger, Vec<Noted>)]) -> Result<(), String> {
    let Some(options) = OPTIONS.get() else {
        return Ok(());
    };
    if open.iter().all(|(_, noted)| noted.is_empty()) {
        return Ok(());
    }
    let request = AgainRequest {
        budget_ms: match ALL.load(Relaxed) {
            true => u64::MAX,
            false => BUDGET.as_millis() as u64,
        },
        jobs: open
            .iter()
            .map(|(ledger, _)| ledger.place.clone())
            .collect(),
    };
    let failed = |why: &str| {
        Err(format!(
            "cannot ask the puzzle again in a new process: {why}"
        ))
    };
    let (end, said) = match exchange(&request, open, options) {
        Ok(answered) => answered,
        Err(error) => return failed(&error.to_string()),
    };
    match end {
        End::Itself(0) => {}
        End::Itself(_) => return failed(said.lines().last().unwrap_or_default()),
        End::Fault(LibraryFault { line, .. }) | End::Stopped(line) => {
            return failed(&format!("{line}, when asked alone"));
        }
    }
    compare(open, &said);
    Ok(())
}

/// Starts the process; returns how it ended and its output. The request is one line, each question
/// another: job, function, input and text.
fn exchange(
    request: &AgainRequest,
    open: &[(&Ledger, Vec<Noted>)],
    options: &AgainOptions,
) -> std::io::Result<(End, String)> {
    let mut asked = shared_file()?;
    let mut lines = BufWriter::new(&asked);
    serde_json::to_writer(&mut lines, request)?;
    for (job, (_, all)) in open.iter().enumerate() {
        for noted in all {
            let text = noted.text.as_deref();
            let text = text.or_else(|| rules::text_of(noted.input.0));
            writeln!(lines)?;
            serde_json::to_writer(&mut lines, &(job, noted.function as u8, noted.input, text))?;
        }
    }
    lines.into_inner()?;
    asked.rewind()?;
    let mut said = shared_file()?;
    // Its command line has none of this one's arguments.
    let mut command = Command::new(std::env::current_exe()?);
    command
        .env(VARIABLE, "1")
        .stdin(Stdio::from(asked))
        .stdout(Stdio::from(said.try_clone()?));
    let mut process = Supervisor::start(command)?;
    let end = process.follow(options.limit, &options.stop)?;
    let mut text = String::new();
    said.rewind()?;
    said.read_to_string(&mut text)?;
    Ok((end, text))
}

/// Compares answers, a line each, with those of the run.
fn compare(open: &[(&Ledger, Vec<Noted>)], said: &str) {
    let mut answers: HashMap<(usize, u8, Input), Vec<LedgerAnswer>> = HashMap::new();
    for line in said.lines() {
        if let Ok((job, function, input, answer)) = serde_json::from_str(line) {
            let question = (job, function, input);
            answers.entry(question).or_default().push(answer);
        }
    }
    let mut cut = false;
    for (job, (ledger, all)) in open.iter().enumerate() {
        for noted in all {
            let question = (job, noted.function as u8, noted.input);
            let Some(again) = answers.get(&question) else {
                cut = true;
                continue;
            };
            match again.iter().find(|again| **again != noted.answer) {
                Some(other) => ledger.differs(noted.clone(), other.clone()),
                None => ledger.confirm(noted.function, noted.input),
            }
        }
    }
    if cut {
        CUT.store(true, Relaxed);
    }
}

/// One line that names the state and both answers.
fn line(ledger: &Ledger, difference: &Difference) -> String {
    let Difference { noted, other } = difference;
    let place = &ledger.place;
    let opened = rules::reload(&place.file, &place.rules).and_then(|library| {
        Arc::new(library).open(&place.instance, &place.variant, &place.settings)
    });
    let graph = opened.ok().map(Graph::of);
    let drawn = |key: u128| {
        let drawn = graph.as_ref().and_then(|graph| graph.draw(key).ok());
        drawn.unwrap_or_else(|| format!("key {key:#x}"))
    };
    let subject = match noted.function {
        Function::Parse => format!(" of '{}'", noted.text.as_deref().unwrap_or_default()),
        Function::Unrank => format!(" of rank {} of part {}", noted.input.1, noted.input.0),
        Function::NeighbourRanks => format!(
            ", asked whether rank {} of part {} is a neighbour,",
            noted.input.1, noted.input.0
        ),
        Function::Space | Function::SolvedStates | Function::Sweep => {
            format!(" of part {}", noted.input.0 as u64)
        }
        Function::Random => format!(" of draw {}, seed {}", noted.input.1, noted.input.0),
        Function::Starts | Function::Names | Function::SymmetryCount | Function::PartCount => {
            String::new()
        }
        Function::DescribeMove => {
            format!(" from {} to {}", drawn(noted.input.0), drawn(noted.input.1))
        }
        _ => format!(" of {}", drawn(noted.input.0)),
    };
    let (first, second) = said(noted.function, [&noted.answer, other], &drawn);
    let again = match noted.function {
        Function::NeighbourRanks => "by unrank, the moves and place",
        // Another function may have given the state.
        Function::Unrank => "when asked again",
        _ => "when asked again in a new process",
    };
    antipode_graph::one_line(&format!(
        "{}{}: instance {}, variant {}: {}{subject} gave {first} in this run and {second} {again}; fix the puzzle; nothing was concluded",
        place.file.display(),
        place.rules,
        place.instance,
        place.variant,
        noted.function.name(),
    ))
}

/// Two answers in words; for two lists, their lengths and the items that only one has.
fn said(
    function: Function,
    answers: [&[u128]; 2],
    drawn: &dyn Fn(u128) -> String,
) -> (String, String) {
    let lists = match function {
        Function::Successors
        | Function::Predecessors
        | Function::Expand
        | Function::Starts
        | Function::SolvedStates
        | Function::Images => true,
        Function::Canonical
        | Function::Parse
        | Function::Random
        | Function::TimeReversal
        | Function::Unrank => {
            let of = |answer: &[u128]| answer.first().map_or("nothing".into(), |&key| drawn(key));
            return (of(answers[0]), of(answers[1]));
        }
        _ => false,
    };
    let one = |own: &[u128], other: &[u128]| match function {
        Function::Draw | Function::Names | Function::DescribeMove => {
            format!("'{}'", text_of(own))
        }
        _ if lists => {
            // A state, with its mark for `expand`.
            let words = if function == Function::Expand { 2 } else { 1 };
            let mut more = own.chunks(words);
            let more = more.find(|key| !other.chunks(words).any(|known| known == *key));
            let more = more.map_or(String::new(), |key| {
                format!(" (one of them {})", drawn(key[0]))
            });
            match own.len() / words {
                1 => format!("1 state{more}"),
                many => format!("{many} states{more}"),
            }
        }
        Function::Sweep => {
            let mut levels = own.chunks(3);
            match levels.find(|level| !other.chunks(3).any(|known| known == *level)) {
                Some(&[depth, count, _]) => format!("{count} states at distance {depth}"),
                _ => "fewer levels".to_owned(),
            }
        }
        Function::IsSolved | Function::NeighbourRanks => match own.first() {
            Some(1) => "yes".to_owned(),
            _ => "no".to_owned(),
        },
        _ => match own {
            [] => "nothing".to_owned(),
            numbers => {
                let numbers: Vec<String> = numbers.iter().map(u128::to_string).collect();
                numbers.join(" ")
            }
        },
    };
    (one(answers[0], answers[1]), one(answers[1], answers[0]))
}

/// Whether this process was started to answer again.
#[must_use]
pub fn is_asked() -> bool {
    std::env::var_os(VARIABLE).is_some()
}

/// Answers another process's questions again, and returns the exit code. `out` is the destination
/// of answers.
#[must_use]
pub fn answer(out: Option<File>) -> u8 {
    let Some(mut out) = out else { return 1 };
    let answered = read().and_then(|(request, questions)| serve(&request, questions, &mut out));
    let code = match answered {
        Ok(()) => 0,
        Err(why) => {
            let _ = writeln!(out, "{}", antipode_graph::one_line(&why));
            1
        }
    };
    // It stays open until this process ends.
    std::mem::forget(out);
    code
}

fn read() -> Result<(AgainRequest, Vec<Question>), String> {
    let mut lines = stdin().lock().lines();
    let first = lines.next().ok_or("no request")?;
    let first = first.map_err(|error| error.to_string())?;
    let request = serde_json::from_str(&first).map_err(|error| error.to_string())?;
    let questions = lines.map(|line| {
        let line = line.map_err(|error| error.to_string())?;
        question(&line).ok_or_else(|| format!("no question: {line}"))
    });
    Ok((request, questions.collect::<Result<_, _>>()?))
}

fn question(line: &str) -> Option<Question> {
    let (job, function, input, text): (_, u8, _, _) = serde_json::from_str(line).ok()?;
    Some(Question {
        job,
        function: Function::ALL.get(usize::from(function))?.0,
        input,
        text,
    })
}

fn serve(
    request: &AgainRequest,
    mut questions: Vec<Question>,
    out: &mut File,
) -> Result<(), String> {
    ledger::begin();
    let mut libraries: BTreeMap<(&PathBuf, &str), Arc<Library>> = BTreeMap::new();
    let mut asked = Vec::new();
    for job in &request.jobs {
        let library = match libraries.get(&(&job.file, &*job.rules)) {
            Some(library) => Arc::clone(library),
            None => {
                let library = rules::reload(&job.file, &job.rules);
                let library = Arc::new(library.map_err(|error| error.to_string())?);
                libraries.insert((&job.file, &job.rules), Arc::clone(&library));
                library
            }
        };
        let opened = library.open(&job.instance, &job.variant, &job.settings);
        let opened = opened.map_err(|error| error.to_string())?;
        asked.push(Graph::of(opened));
    }
    // The answers on opening.
    write_noted(request, out)?;
    questions.sort_by_cached_key(Question::place);
    let budget = Duration::from_millis(request.budget_ms);
    let of_program = |question: &Question| {
        let job = request.jobs.get(question.job as usize);
        job.is_some_and(|job| !job.rules.is_empty() && job.variant == "reference")
    };
    let (mut programs, libraries): (Vec<_>, Vec<_>) = questions.into_iter().partition(of_program);
    // Questions that may be asked together are neighbours; moves are the first functions.
    programs.sort_by_key(|question| (question.function, question.job));
    let groups = |questions: Vec<Question>, most: usize| {
        let mut groups: Vec<Vec<Question>> = Vec::new();
        groups.resize_with(questions.len().min(most), Vec::new);
        for (at, question) in questions.into_iter().enumerate() {
            groups[at % most].push(question);
        }
        groups
    };
    let apart_by = programs.len().div_ceil(FEW).max(1);
    let few: Vec<Question> = programs.iter().step_by(apart_by).cloned().collect();
    let fresh = if few.is_empty() { 0 } else { FRESH };
    let mut groups_of_all = vec![few; fresh];
    groups_of_all.extend(groups(programs, GROUPS_OF_PROGRAMS));
    let forked = match request.budget_ms == u64::MAX {
        true => GROUPS_OF_ALL,
        false => GROUPS,
    };
    groups_of_all.extend(groups(libraries, forked));
    for (at, group) in groups_of_all.iter().enumerate() {
        if spent() > budget {
            break;
        }
        // Else the numbers of all these processes could be even.
        if at < fresh && at % 2 == 1 {
            apart(|| Ok(()))?;
        }
        apart(|| {
            ask_all_of(&asked, group)?;
            write_noted(request, out)?;
            let other = std::thread::scope(|scope| {
                let asked = scope.spawn(|| ask_all_of(&asked, group));
                asked.join()
            });
            other.unwrap_or_else(|_| Err("a thread panicked".into()))?;
            write_noted(request, out)
        })?;
    }
    Ok(())
}

fn ask_all_of(asked: &[Graph<u128>], group: &[Question]) -> Result<(), String> {
    for alike in group.chunk_by(|a, b| (a.job, a.function) == (b.job, b.function)) {
        // Only rulebook programs have larger groups.
        let (alone, others) = alike.split_at(alike.len().min(ALONE));
        let Question { job, function, .. } = alike[0];
        let together = match function.takes_many() {
            true => TOGETHER,
            false => 1,
        };
        for questions in alone.chunks(1).chain(others.chunks(together)) {
            for text in questions.iter().filter_map(|asked| asked.text.as_deref()) {
                if function != Function::Parse {
                    rules::know(text);
                }
            }
            let asked = asked.get(job as usize).ok_or("no such job")?;
            let inputs: Vec<Input> = questions.iter().map(|asked| asked.input).collect();
            let made = asked.ask_again(function, &inputs, questions[0].text.as_deref());
            made.map_err(|error| format!("when asked alone: {error}"))?;
        }
    }
    Ok(())
}

/// Writes the recorded answers, one per line, and forgets them.
fn write_noted(request: &AgainRequest, out: &mut File) -> Result<(), String> {
    let mut text = String::new();
    for ledger in ledger::all() {
        let Some(job) = request.jobs.iter().position(|job| *job == ledger.place) else {
            continue;
        };
        let differs = ledger.difference().into_iter();
        let twice = differs.map(|difference| Noted {
            answer: difference.other,
            ..difference.noted
        });
        for noted in ledger.take().into_iter().chain(twice) {
            let line = (job, noted.function as u8, noted.input, noted.answer);
            text += &serde_json::to_string(&line).map_err(|error| error.to_string())?;
            text.push('\n');
        }
    }
    out.write_all(text.as_bytes())
        .map_err(|error| error.to_string())
}

/// Processor time of this process and of those that it started.
fn spent() -> Duration {
    let of = |who| {
        let Ok(usage) = getrusage(who) else {
            return Duration::ZERO;
        };
        let time = |time: nix::sys::time::TimeVal| {
            Duration::from_secs(time.tv_sec().max(0) as u64)
                + Duration::from_micros(time.tv_usec().max(0) as u64)
        };
        time(usage.user_time()) + time(usage.system_time())
    };
    of(UsageWho::RUSAGE_SELF) + of(UsageWho::RUSAGE_CHILDREN)
}

/// Runs something in a fresh process, in which nothing was asked before. If the library has started
/// threads, which a fork would lack, it runs in this process.
fn apart(work: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    let alone = std::fs::read_dir("/proc/self/task").is_ok_and(|tasks| tasks.count() == 1);
    if !alone {
        return work();
    }
    let parent = std::process::id();
    await_children().map_err(|error| error.to_string())?;
    // SAFETY: this process has one thread.
    match unsafe { fork() }.map_err(|error| error.to_string())? {
        ForkResult::Child => {
            in_hand::copied();
            #[cfg(target_os = "linux")]
            let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
            let orphan = std::os::unix::process::parent_id() != parent;
            let done = match orphan {
                true => Ok(()),
                false => work(),
            };
            if let Err(why) = &done {
                let _ = writeln!(std::io::stderr(), "{why}");
            }
            let code = match &done {
                Err(why) if why.contains(OTHERWISE) => DIFFERS,
                done => i32::from(done.is_err()),
            };
            // SAFETY: ends the process; its output is written.
            unsafe { nix::libc::_exit(code) }
        }
        ForkResult::Parent { child } => {
            match waitpid(child, None).map_err(|error| error.to_string())? {
                WaitStatus::Exited(_, 0) => Ok(()),
                WaitStatus::Exited(_, DIFFERS) => Err(OTHERWISE.to_owned()),
                WaitStatus::Signaled(_, signal, _) => {
                    // The supervisor reports the library's call.
                    let _ = raise(signal);
                    Err(format!("ended by {signal}"))
                }
                _ => Err("an answer failed; its reason stands above".to_owned()),
            }
        }
    }
}
