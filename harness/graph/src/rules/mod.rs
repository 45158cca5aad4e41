//! Rulebooks that are programs: variant `reference` of a puzzle, which talks JSON on standard input
//! and output, one object per line. `docs/your-puzzle.md` has the protocol.
//!
//! A program becomes a variant (`program.rs`) behind the same table as any other, so every higher
//! layer treats it as a loaded library. Its answers are recorded, and asked again in a fresh
//! process. Its keys are hashes of texts (`texts.rs` says why). So an engine that passes keys to
//! another process, or reads them from a folder, refuses to work with it.
//!
//! If a library or a built-in puzzle has the program's name, the program replaces its variant
//! `reference` ([`join`]). Keys are then those of the library, and states pass as texts. Each is
//! drawn for the program and read from it, and both conversions must be inverse. All comparisons of
//! a variant with the rulebook then use a rulebook in another language.
#![allow(unsafe_code)]

mod process;
mod program;
mod protocol;
mod texts;

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use puzzle_api::abi::{AntipodeStatus, AntipodeStr, AntipodeTable, AntipodeText, AntipodeVariant};
use puzzle_api::{About, Family, Settings, puzzle_table};

use crate::call::{PluginError, one_line, table_text};
use crate::in_hand::LibraryNumber;
use crate::ledger::lock;
use crate::library::{Library, Source, entries};
use crate::shared::{self, MOST_ENTRIES, check_names};
use process::Process;
pub use process::set_limit;
pub use program::ANY_SETTING;
use program::Program;
use protocol::{ProgramFault, ProgramRequest};

/// A loaded program.
#[derive(Debug)]
struct Rulebook {
    command: String,
    about: About,
    /// The line that describes it.
    described: String,
    /// The library whose `reference` it is. Its answers are recorded by the joined one.
    fast: Option<Arc<Library>>,
    /// The start of each instance that has one.
    starts: HashMap<String, String>,
    /// Whether an instance is searched backward, once that was requested.
    undone: Mutex<HashMap<InstanceKey, bool>>,
    idle: Pool,
    source: Source,
    mark: LibraryNumber,
    /// Opens an instance of it, while it is [`current`].
    open: OnceLock<Open>,
    table: OnceLock<&'static AntipodeTable>,
}

/// The fault of a program whose processes describe different puzzles.
pub const OTHERWISE: &str = "`about`: another process of the program answered otherwise";

static LOADED: Mutex<Vec<&'static Rulebook>> = Mutex::new(Vec::new());

/// The error of the first program that broke the protocol.
static BROKEN: OnceLock<PluginError> = OnceLock::new();

/// The error of a program of this process that broke the protocol, or ended, if one did: that is
/// bad input, or it is late.
#[must_use]
pub fn broken() -> Option<PluginError> {
    BROKEN.get().cloned()
}

/// Whether an instance keeps its program's answers.
static KEEPS: AtomicBool = AtomicBool::new(false);

/// From here on, a program is asked once for a state. Not before the checks of loading, nor during
/// a test or a repetition: there, a second answer is the point.
pub fn keep_answers() {
    KEEPS.store(true, Relaxed);
}

/// Loads the rulebook that a command line starts.
///
/// # Errors
/// [`PluginError::Load`] with the command and its behaviour.
pub fn load(command: &str) -> Result<Library, PluginError> {
    load_for(command, None)
}

/// The library with a program's rulebook as its variant `reference`.
///
/// # Errors
/// Same as [`load`].
pub fn join(library: &Library, command: &str) -> Result<Library, PluginError> {
    load_for(command, Some(library))
}

/// Loads a run's puzzle: a file, a program, or a program joined to a file or to a built-in puzzle.
///
/// # Errors
/// Same as [`load`] and [`crate::load`].
pub fn reload(file: &Path, command: &str) -> Result<Library, PluginError> {
    if command.is_empty() {
        return shared::load(file);
    }
    if !file.as_os_str().is_empty() {
        return join(&shared::load(file)?, command);
    }
    let alone = load(command)?;
    match crate::builtin::named(&alone.name) {
        Some(built_in) => join(&built_in, command),
        None => Ok(alone),
    }
}

/// The text of a rulebook's state by its key, to be passed to another process.
#[must_use]
pub fn text_of(key: u128) -> Option<&'static str> {
    texts::texts().text_of(u64::try_from(key).ok()?)
}

/// Stores the text of a state from another process.
pub fn know(text: &str) {
    let _ = texts::texts().key_of(text);
}

fn load_for(command: &str, fast: Option<&Library>) -> Result<Library, PluginError> {
    let refuse = |found: String| {
        let file = command.to_owned();
        PluginError::Load { file, found }.or_late()
    };
    let same = |rules: &&&Rulebook| {
        let of = |library: &Library| (library.name.clone(), library.table as *const AntipodeTable);
        rules.command == command && rules.fast.as_deref().map(of) == fast.map(of)
    };
    let known = lock(&LOADED).iter().find(same).copied();
    let (rules, table) = match known.and_then(|rules| Some((rules, *rules.table.get()?))) {
        Some(known) => known,
        None => {
            let mark = LibraryNumber::of(Path::new(command));
            mark.within("about", || start(command, fast, mark))
                .map_err(&refuse)?
        }
    };
    let library = Library::from_table(table, rules.source.clone(), rules.mark);
    check_names(&library).map_err(&refuse)?;
    Ok(library)
}

/// Starts a program, requests its description, and makes its table.
fn start(
    command: &str,
    fast: Option<&Library>,
    mark: LibraryNumber,
) -> Result<(&'static Rulebook, &'static AntipodeTable), String> {
    let mut process = Process::start(command)?;
    let (about, line) = ProgramRequest::about(&mut process).map_err(ProgramFault::line)?;
    let listed = about.instances.len();
    if !(1..=MOST_ENTRIES as usize).contains(&listed) {
        return Err(format!(
            "`about`: lists {listed} instances, allowed are 1 to {MOST_ENTRIES}"
        ));
    }
    if let Some(fast) = fast.filter(|fast| fast.name != about.name) {
        return Err(format!(
            "is a rulebook of '{}', and not of '{}'",
            about.name, fast.name
        ));
    }
    let mut hash = blake3::Hasher::new();
    hash.update(command.as_bytes()).update(line.as_bytes());
    for word in command.split_whitespace() {
        if let Ok(content) = std::fs::read(word) {
            hash.update(&content);
        }
    }
    let under = fast.and_then(|fast| match &fast.source {
        Source::File { path, blake3 } => Some((path.clone(), blake3)),
        _ => None,
    });
    hash.update(under.as_ref().map_or("", |(_, blake3)| blake3).as_bytes());
    let starts = about.instances.iter();
    let starts = starts.filter_map(|one| Some((one.name.clone(), one.start.clone()?)));
    let rules = Rulebook {
        command: command.to_owned(),
        starts: starts.collect(),
        about: About {
            version: "1".into(),
            instances: about.instances.into_iter().map(Into::into).collect(),
            name: about.name,
            summary: one_line(&about.summary),
            legend: about.legend,
            ..About::default()
        },
        described: line,
        fast: fast.map(|fast| {
            Arc::new(Library {
                source: Source::BuiltIn,
                ..fast.clone()
            })
        }),
        undone: Mutex::default(),
        idle: Pool::default(),
        source: Source::Rules {
            command: command.to_owned(),
            under: under.map(|(path, _)| path),
            blake3: hash.finalize().to_hex().to_string(),
        },
        mark: fast.map_or(mark, |fast| match fast.mark {
            LibraryNumber::NONE => mark,
            own => own,
        }),
        open: OnceLock::new(),
        table: OnceLock::new(),
    };
    rules.idle.give(None, process);
    let mut loaded = lock(&LOADED);
    let at = loaded.len();
    let Some(&functions) = BY_NUMBER.get(at) else {
        let most = BY_NUMBER.len();
        return Err(format!(
            "is one rulebook more than the {most} that a run may load"
        ));
    };
    let rules: &'static Rulebook = Box::leak(Box::new(rules));
    loaded.push(rules);
    drop(loaded);
    CURRENT.set(Some(rules));
    let own = match fast.is_some_and(|fast| fast.key_words() == 2) {
        true => puzzle_table!(Book: Program<u128>),
        false => puzzle_table!(Book: Program<u64>),
    };
    let table = joined(rules, own, functions);
    Ok((rules, rules.table.get_or_init(|| table)))
}

thread_local! {
    /// The rulebook that this thread describes or opens: the code that does so is compiled once, and
    /// only later calls have a handle that knows its rulebook.
    static CURRENT: Cell<Option<&'static Rulebook>> = const { Cell::new(None) };
}

fn current() -> &'static Rulebook {
    CURRENT.get().expect("a rulebook is chosen by every caller")
}

struct Book;

impl Family for Book {
    fn about() -> About {
        current().about.clone()
    }
}

type Open = unsafe extern "C" fn(
    AntipodeStr,
    AntipodeStr,
    *mut *mut c_void,
    *mut AntipodeText,
) -> AntipodeStatus;
type Failure = unsafe extern "C" fn(*mut AntipodeText) -> AntipodeStatus;

/// The functions that have no handle to know their rulebook by.
const BY_NUMBER: [(Open, Failure); 8] = [
    (open::<0>, failure::<0>),
    (open::<1>, failure::<1>),
    (open::<2>, failure::<2>),
    (open::<3>, failure::<3>),
    (open::<4>, failure::<4>),
    (open::<5>, failure::<5>),
    (open::<6>, failure::<6>),
    (open::<7>, failure::<7>),
];

/// Opens an instance of the rulebook with a number.
unsafe extern "C" fn open<const AT: usize>(
    instance: AntipodeStr,
    settings: AntipodeStr,
    handle: *mut *mut c_void,
    error: *mut AntipodeText,
) -> AntipodeStatus {
    let rules = lock(&LOADED)[AT];
    CURRENT.set(Some(rules));
    let opened = rules.open.get().expect("a table has it before it is used");
    // SAFETY: by the contract of the boundary, which the caller keeps.
    unsafe { opened(instance, settings, handle, error) }
}

/// The table of a rulebook, or that of its library with the rulebook as `reference`.
fn joined(
    rules: &'static Rulebook,
    own: &'static AntipodeTable,
    (open, failure): (Open, Failure),
) -> &'static AntipodeTable {
    // SAFETY: the entries live as long as the process.
    let mut variant = unsafe { entries(own.variants, own.variant_count) }[0];
    let opened = variant.open.replace(open);
    rules
        .open
        .get_or_init(|| opened.expect("every variant can be opened"));
    let Some(fast) = &rules.fast else {
        // A program has no derivations.
        return Box::leak(Box::new(AntipodeTable {
            derive: None,
            variants: Box::leak(Box::new(variant)),
            ..*own
        }));
    };
    // SAFETY: the entries live as long as the process, and so do their texts.
    let variants = unsafe { entries(fast.table.variants, fast.table.variant_count) };
    let mut kept: Vec<AntipodeVariant> = variants.to_vec();
    match variants {
        [_] => kept[0].name = c"library".as_ptr(),
        // SAFETY: as above.
        _ => kept.retain(|one| unsafe { table_text(one.name) } != "reference"),
    }
    kept.push(variant);
    let kept = kept.leak();
    Box::leak(Box::new(AntipodeTable {
        variant_count: kept.len() as u32,
        variants: kept.as_ptr(),
        failure: Some(failure),
        ..*fast.table
    }))
}

/// Why the last call on this thread failed: the reason of the program, or of the library to which
/// it is joined.
unsafe extern "C" fn failure<const AT: usize>(text: *mut AntipodeText) -> AntipodeStatus {
    let rules = lock(&LOADED)[AT];
    let theirs = rules.fast.as_ref().and_then(|fast| fast.table.failure);
    // SAFETY: by the contract of the boundary, which the caller keeps.
    unsafe {
        let status = puzzle_api::abi::failure(text);
        match theirs {
            Some(theirs) if (*text).length == 0 => theirs(text),
            _ => status,
        }
    }
}

/// Processes that wait for requests, by the instance that each has opened, if any, and the process
/// that may use them. A fork of that process starts its own.
#[derive(Debug, Default)]
struct Pool(Mutex<Processes>);

/// The process that may use them, and those that wait, with each one's open instance.
type Processes = (u32, Vec<(Option<InstanceKey>, Process)>);

type InstanceKey = (String, Settings);

impl Pool {
    fn own(&self) -> MutexGuard<'_, Processes> {
        let mut pool = lock(&self.0);
        if pool.0 != std::process::id() {
            pool.0 = std::process::id();
            pool.1.drain(..).for_each(std::mem::forget);
        }
        pool
    }

    fn take(&self, opened: Option<&InstanceKey>) -> Option<Process> {
        let mut pool = self.own();
        let at = pool
            .1
            .iter()
            .position(|(place, _)| place.as_ref() == opened)?;
        Some(pool.1.swap_remove(at).1)
    }

    fn give(&self, opened: Option<&InstanceKey>, process: Process) {
        self.own().1.push((opened.cloned(), process));
    }
}
