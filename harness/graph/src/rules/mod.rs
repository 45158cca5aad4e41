//! Rulebooks that are programs: variant `reference` of a puzzle, spoken to in JSON, one object a
//! line, on standard input and output. `docs/your-puzzle.md` has the
//! protocol.
//!
//! A program becomes a table as a shared library hands it over ([`load`]), so that all above this
//! crate works with it as with any loaded library: its answers are noted, and asked again in a
//! fresh process. Its keys are hashes of texts (`texts.rs` says why), so that an engine which
//! passes keys to another process, or reads them from a folder, cannot work with it and says so.
//!
//! If a library or a built-in puzzle has the program's name, the program takes the place of its
//! variant `reference` ([`join`]). Keys are then those of the library, and states pass as texts:
//! each is drawn for the program and read from it, and both ways must lead back. Whatever compares
//! a variant with the rulebook then compares it with a rulebook in another language.
//!
//! Backward, the moves of a program are followed where each can be undone: the predecessors of a
//! state are its successors, once every one of them is seen to have it among its own.
#![allow(unsafe_code)]

mod process;
mod protocol;
mod texts;

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ffi::{CString, c_char, c_void};
use std::path::Path;
use std::slice;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use puzzle_api::Settings;
use puzzle_api::abi::{
    ANTIPODE_ABI_VERSION, ANTIPODE_BAD_INPUT, ANTIPODE_FAILED, ANTIPODE_MORE_ROOM, ANTIPODE_OK,
    ANTIPODE_STOPPED, ANTIPODE_UNSUPPORTED, AntipodeNamed, AntipodeSink, AntipodeStatus,
    AntipodeStr, AntipodeTable, AntipodeText, AntipodeVariant,
};

use crate::call::{PluginError, given_text, pass, table_text, take_error, take_short_text};
use crate::in_hand::{self, Mark};
use crate::library::{Library, Opened, Source, entries};
use crate::shared::{self, check_names};
use process::Process;
pub use process::set_limit;
use protocol::{About, Fault, Request};

/// Rulebooks that one process may load: each has an `open` of its own, which is not told whose it
/// is.
const MOST: usize = 8;

/// A setting that no puzzle has.
const NOBODYS: &str = "nobodys-setting";

/// States of which every move must be undone before a program is searched backward.
const TRIED: usize = 256;

/// States that the start leads to of which every move must be undone.
const FOLLOWED: usize = 1 << 16;

/// Keys of answers that an instance keeps; then it forgets all.
const KEPT: usize = 1 << 23;

/// A loaded program.
#[derive(Debug)]
struct Rulebook {
    command: String,
    /// The library whose `reference` it is. Its answers are noted by the joined one.
    fast: Option<Arc<Library>>,
    /// Where an instance starts, of those that say so.
    starts: HashMap<String, String>,
    /// Whether an instance is searched backward, of those that were asked for it.
    undone: Mutex<HashMap<Place, bool>>,
    idle: Pool,
    source: Source,
    mark: Mark,
    table: OnceLock<&'static AntipodeTable>,
}

static LOADED: Mutex<Vec<&'static Rulebook>> = Mutex::new(Vec::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether an instance keeps what its program said.
static KEEPS: AtomicBool = AtomicBool::new(false);

/// From here on a program is asked once for a state. Not before the checks of loading, nor where
/// it is tested or asked again: there a second answer is what is looked for.
pub fn keep_answers() {
    KEEPS.store(true, Relaxed);
}

/// Loads the rulebook that a command line starts.
///
/// # Errors
/// [`PluginError::Load`] with the command and what it did.
pub fn load(command: &str) -> Result<Library, PluginError> {
    load_for(command, None)
}

/// The library with the rulebook of a program as its variant `reference`.
///
/// # Errors
/// As [`load`].
pub fn join(library: &Library, command: &str) -> Result<Library, PluginError> {
    load_for(command, Some(library))
}

/// Loads what a run has loaded: a file, a program, or a program joined to a file or to a built-in
/// puzzle.
///
/// # Errors
/// As [`load`] and [`crate::load`].
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

/// The text of a state of a rulebook by its key, to be told to another process.
#[must_use]
pub fn text_of(key: u128) -> Option<&'static str> {
    texts::text_of(u64::try_from(key).ok()?)
}

/// Takes in the text of a state from another process.
pub fn know(text: &str) {
    let _ = texts::key_of(text);
}

fn load_for(command: &str, fast: Option<&Library>) -> Result<Library, PluginError> {
    let refuse = |found: String| PluginError::Load {
        file: command.to_owned(),
        found,
    };
    let same = |rules: &&&Rulebook| {
        let of = |library: &Library| (library.name.clone(), library.table as *const AntipodeTable);
        rules.command == command && rules.fast.as_deref().map(of) == fast.map(of)
    };
    let known = lock(&LOADED).iter().find(same).copied();
    let (rules, table) = match known.and_then(|rules| Some((rules, *rules.table.get()?))) {
        Some(known) => known,
        None => {
            let mark = Mark::of(Path::new(command));
            mark.within("about", || start(command, fast, mark))
                .map_err(&refuse)?
        }
    };
    let library = Library::from_table(table, rules.source.clone(), rules.mark);
    check_names(&library).map_err(&refuse)?;
    Ok(library)
}

/// Starts a program, asks what it is, and makes its table.
fn start(
    command: &str,
    fast: Option<&Library>,
    mark: Mark,
) -> Result<(&'static Rulebook, &'static AntipodeTable), String> {
    let mut process = Process::start(command)?;
    let (about, line) = Request::about(&mut process).map_err(Fault::line)?;
    if about.instances.is_empty() {
        return Err("`about`: lists no instance; at least one is due".into());
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
        fast: fast.map(|fast| {
            Arc::new(Library {
                source: Source::BuiltIn,
                ..fast.clone()
            })
        }),
        starts: starts.collect(),
        undone: Mutex::default(),
        idle: Pool::default(),
        source: Source::Rules {
            command: command.to_owned(),
            under: under.map(|(path, _)| path),
            blake3: hash.finalize().to_hex().to_string(),
        },
        mark: fast.map_or(mark, |fast| match fast.mark {
            Mark::NONE => mark,
            own => own,
        }),
        table: OnceLock::new(),
    };
    rules.idle.give(None, process);
    let at = lock(&LOADED).len();
    if at == MOST {
        return Err(format!(
            "is one rulebook more than the {MOST} that a run may load"
        ));
    }
    let rules: &'static Rulebook = Box::leak(Box::new(rules));
    lock(&LOADED).push(rules);
    let first = &about.instances[0].name;
    let backward = rules
        .opened(first, &Settings::new())
        .is_ok_and(|handle| handle.is_undone());
    let table = table(rules, at, about, backward);
    Ok((rules, rules.table.get_or_init(|| table)))
}

/// A text of a table, which lives as long as the process.
fn leaked(text: &str) -> *const c_char {
    let text = text.replace('\0', "\u{fffd}");
    CString::new(text).unwrap_or_default().into_raw()
}

fn table(
    rules: &'static Rulebook,
    at: usize,
    about: About,
    backward: bool,
) -> &'static AntipodeTable {
    let own = AntipodeVariant {
        name: c"reference".as_ptr(),
        open: Some(OPEN[at]),
        close: Some(close),
        successors: Some(expand::<false>),
        predecessors: backward.then_some(expand::<true> as _),
        is_solved: Some(is_solved),
        parse: Some(parse),
        draw: Some(draw),
        starts: Some(starts),
        solved_states: backward.then_some(solved_states as _),
        describe_move: Some(describe_move),
        ..AntipodeVariant::default()
    };
    let failure: unsafe extern "C" fn(*mut AntipodeText) -> AntipodeStatus = FAILURE[at];
    let table = match &rules.fast {
        Some(fast) => {
            // SAFETY: the entries of a table live as long as the process.
            let variants = unsafe { entries(fast.table.variants, fast.table.variant_count) };
            let only = variants.len() == 1;
            let mut kept: Vec<AntipodeVariant> = variants.to_vec();
            // SAFETY: so do its texts.
            kept.retain(|one| only || unsafe { table_text(one.name) } != "reference");
            if only {
                kept[0].name = c"library".as_ptr();
            }
            kept.push(own);
            let kept = kept.leak();
            AntipodeTable {
                variant_count: kept.len() as u32,
                variants: kept.as_ptr(),
                failure: Some(failure),
                ..*fast.table
            }
        }
        None => {
            let instances = about.instances.iter().map(|one| AntipodeNamed {
                name: leaked(&one.name),
                summary: leaked(&one.summary),
            });
            let instances = instances.collect::<Vec<_>>().leak();
            AntipodeTable {
                abi_version: ANTIPODE_ABI_VERSION,
                table_size: size_of::<AntipodeTable>() as u32,
                variant_size: size_of::<AntipodeVariant>() as u32,
                key_words: 1,
                name: leaked(&about.name),
                version: c"1".as_ptr(),
                summary: leaked(&about.summary),
                legend: leaked(&about.legend),
                claims: std::ptr::null(),
                derivations: std::ptr::null(),
                instance_count: instances.len() as u32,
                setting_count: 0,
                variant_count: 1,
                instances: instances.as_ptr(),
                settings: std::ptr::null(),
                variants: vec![own].leak().as_ptr(),
                derive: None,
                failure: Some(failure),
            }
        }
    };
    Box::leak(Box::new(table))
}

/// Processes that wait for requests, by the instance that each has opened, if any, and the process
/// that may use them: a fork of it starts its own.
#[derive(Debug, Default)]
struct Pool(Mutex<Processes>);

/// The process that may use them, and those that wait, with the instance each has open.
type Processes = (u32, Vec<(Option<Place>, Process)>);

type Place = (String, Settings);

impl Pool {
    fn own(&self) -> MutexGuard<'_, Processes> {
        let mut pool = lock(&self.0);
        if pool.0 != std::process::id() {
            pool.0 = std::process::id();
            pool.1.drain(..).for_each(std::mem::forget);
        }
        pool
    }

    fn take(&self, opened: Option<&Place>) -> Option<Process> {
        let mut pool = self.own();
        let at = pool
            .1
            .iter()
            .position(|(place, _)| place.as_ref() == opened)?;
        Some(pool.1.swap_remove(at).1)
    }

    fn give(&self, opened: Option<&Place>, process: Process) {
        self.own().1.push((opened.cloned(), process));
    }
}

impl Fault {
    fn line(self) -> String {
        match self {
            Self::Refused(line) => line,
            Self::Unsupported => "answers that this is unsupported".into(),
            Self::Broken(line) => line,
        }
    }
}

/// An opened instance.
#[derive(Debug)]
struct Handle {
    rules: &'static Rulebook,
    number: u64,
    /// Instance and settings.
    place: Place,
    /// The library that draws and reads its states.
    fast: Option<Arc<Opened>>,
    /// What the program said, so that it is asked once for a state that checks return to. What is
    /// used in a run is one answer, whatever a second would have been; a fresh process is asked
    /// for that.
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    moves: HashMap<u128, Box<[u128]>>,
    solved: HashMap<u128, bool>,
    keys: usize,
}

/// Neighbours of some states, one after the other.
#[derive(Debug, Default)]
struct Found {
    keys: Vec<u128>,
    ends: Vec<usize>,
}

impl Found {
    fn of(&self, i: usize) -> &[u128] {
        let first = i.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.keys[first..self.ends[i]]
    }

    fn push(&mut self, keys: &[u128]) {
        self.keys.extend_from_slice(keys);
        self.ends.push(self.keys.len());
    }
}

/// Neighbours that there was no room for, until they are asked for again.
struct Left {
    number: u64,
    backward: bool,
    keys: Vec<u128>,
    found: Found,
    first: usize,
}

thread_local! {
    static LEFT: RefCell<Option<Left>> = const { RefCell::new(None) };
    static FAILED: RefCell<String> = const { RefCell::new(String::new()) };
}

impl Rulebook {
    fn opened(&'static self, instance: &str, settings: &Settings) -> Result<Handle, Fault> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let fast = self.fast.as_ref().map(|fast| {
            let variant = fast.variants.iter().find(|name| *name != "reference");
            let variant = variant.or(fast.variants.first()).map_or("", String::as_str);
            let opened = fast.open(instance, variant, settings);
            opened.map_err(|error| Fault::Refused(error.to_string()))
        });
        let handle = Handle {
            rules: self,
            number: NUMBER.fetch_add(1, Relaxed),
            place: (instance.to_owned(), settings.clone()),
            fast: fast.transpose()?,
            kept: Mutex::default(),
        };
        if !settings.is_empty() {
            let mut nobodys = settings.clone();
            nobodys.insert(NOBODYS.into(), "1".into());
            let mut process = self.unopened()?;
            let taken = Request::Open(instance, &nobodys)
                .put(&mut process)
                .map(drop);
            if matches!(taken, Err(Fault::Refused(_))) {
                self.idle.give(None, process);
            }
            if taken.is_ok() {
                let keys: Vec<&str> = settings.keys().map(String::as_str).collect();
                return Err(Fault::Refused(format!(
                    "this rulebook opens an instance with any setting, so that '{}' may mean nothing to it; answer {{\"error\":\"…\"}} to settings that it does not know",
                    keys.join(", ")
                )));
            }
        }
        let process = handle.process()?;
        self.idle.give(Some(&handle.place), process);
        Ok(handle)
    }

    fn unopened(&self) -> Result<Process, Fault> {
        let idle = self.idle.take(None).map(Ok);
        idle.unwrap_or_else(|| Process::start(&self.command).map_err(Fault::Broken))
    }
}

impl Handle {
    /// A process that has opened the instance.
    fn process(&self) -> Result<Process, Fault> {
        if let Some(process) = self.rules.idle.take(Some(&self.place)) {
            return Ok(process);
        }
        let mut process = self.rules.unopened()?;
        let opened = Request::Open(&self.place.0, &self.place.1).put(&mut process);
        match opened.map(drop) {
            Ok(()) => Ok(process),
            Err(fault) => {
                if let Fault::Refused(_) = fault {
                    self.rules.idle.give(None, process);
                }
                Err(fault)
            }
        }
    }

    /// Works with a process, which goes back to the others unless it failed.
    fn with<T>(&self, work: impl FnOnce(&mut Process) -> Result<T, Fault>) -> Result<T, Fault> {
        let mut process = self.process()?;
        let done = work(&mut process);
        in_hand::delivered();
        if !matches!(done, Err(Fault::Broken(_))) {
            self.rules.idle.give(Some(&self.place), process);
        }
        done
    }

    fn words(&self) -> usize {
        self.fast
            .as_ref()
            .map_or(1, |fast| fast.library.key_words())
    }

    fn keys(&self, words: &[u64]) -> Vec<u128> {
        let wide = |words: &[u64]| {
            let high = words.get(1).copied().unwrap_or(0);
            u128::from(words[0]) | u128::from(high) << 64
        };
        words.chunks_exact(self.words()).map(wide).collect()
    }

    fn drawn(&self, fast: &Opened, key: u128) -> Result<String, String> {
        let words = [key as u64, (key >> 64) as u64];
        let Some(draw) = fast.table.draw else {
            return Err("the library draws nothing".into());
        };
        // SAFETY: the handle is open, and a key has at most two words.
        let call = |out: &mut _| unsafe { draw(fast.handle, words.as_ptr(), out) };
        match take_short_text(call) {
            (ANTIPODE_OK, text) => Ok(text),
            (status, _) => Err(fast.refused("draw", status).to_string()),
        }
    }

    fn read(&self, fast: &Opened, text: &str) -> Result<u128, String> {
        let mut words = [0; 2];
        let Some(parse) = fast.table.parse else {
            return Err("the library reads nothing".into());
        };
        let (status, error) = take_error(|out| {
            // SAFETY: the handle is open, and a key has at most two words.
            unsafe { parse(fast.handle, pass(text), words.as_mut_ptr(), out) }
        });
        match status {
            ANTIPODE_OK => Ok(self.keys(&words[..self.words()])[0]),
            ANTIPODE_BAD_INPUT => Err(error),
            other => Err(fast.refused("parse", other).to_string()),
        }
    }

    fn text(&self, key: u128) -> Result<Cow<'static, str>, String> {
        let Some(fast) = &self.fast else {
            let known = texts::text_of(key as u64).map(Cow::Borrowed);
            return known.ok_or_else(|| {
                format!(
                    "no text is known of key {key:#x}: an engine that reads states from a folder or gets them from another process cannot work with a rulebook; use --engine hash"
                )
            });
        };
        let text = self.drawn(fast, key)?;
        match self.read(fast, &text) {
            Ok(read) if read == key => Ok(text.into()),
            Ok(_) => Err(format!(
                "the library reads another state from '{text}', which it wrote"
            )),
            Err(why) => Err(format!(
                "the library does not read '{text}', which it wrote: {why}"
            )),
        }
    }

    fn key(&self, text: &str) -> Result<u128, String> {
        let Some(fast) = &self.fast else {
            return texts::key_of(text).map(u128::from);
        };
        texts::well_formed(text)?;
        let read = self.read(fast, text);
        let key = read.map_err(|why| {
            format!("the library does not read the rulebook's state '{text}': {why}")
        })?;
        let drawn = self.drawn(fast, key)?;
        match drawn == text {
            true => Ok(key),
            false => Err(format!(
                "the library writes the rulebook's state '{text}' as '{drawn}'"
            )),
        }
    }

    /// Asks for some states after the others, as many at a time as the program answers soon.
    fn ask(
        &self,
        keys: &[u128],
        mut work: impl FnMut(&mut Process, &[u128], &[Cow<'static, str>]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let mut rest = keys;
        while !rest.is_empty() {
            self.with(|process| {
                let (now, later) = rest.split_at(process.batch.min(rest.len()));
                let texts = now.iter().map(|&key| self.text(key));
                let texts = texts
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(Fault::Broken)?;
                rest = later;
                work(process, now, &texts)
            })?;
        }
        Ok(())
    }

    fn moves(&self, keys: &[u128]) -> Result<Found, Fault> {
        let mut found = Found::default();
        self.ask(keys, |process, _, texts| {
            let answer = Request::Moves(texts).put(process)?;
            for (state, moves) in texts.iter().zip(answer.moves.unwrap_or_default()) {
                for one in moves {
                    let key = self.key(&one.to);
                    found.keys.push(
                        key.map_err(|why| Fault::Broken(format!("`moves` of '{state}': {why}")))?,
                    );
                }
                found.ends.push(found.keys.len());
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn solved(&self, keys: &[u128]) -> Result<Vec<bool>, Fault> {
        let mut solved = Vec::with_capacity(keys.len());
        self.ask(keys, |process, _, texts| {
            let answer = Request::Solved(texts).put(process)?;
            solved.extend(answer.solved.unwrap_or_default());
            Ok(())
        })?;
        Ok(solved)
    }

    fn goals(&self) -> Result<Vec<u128>, Fault> {
        self.with(|process| {
            let answer = Request::Goals.put(process)?;
            let goals = answer.goals.unwrap_or_default();
            let keys = goals.iter().map(|goal| self.key(&goal.0));
            let keys: Result<_, String> = keys.collect();
            keys.map_err(|why| Fault::Broken(format!("`goals`: {why}")))
        })
    }

    fn start(&self) -> Result<Option<u128>, Fault> {
        let start = self.rules.starts.get(&self.place.0);
        let key = start.map(|start| self.key(start)).transpose();
        key.map_err(|why| Fault::Broken(format!("`about`: the start of '{}': {why}", self.place.0)))
    }

    /// Whether the program lists goals, and every move of the states nearest to them and to the
    /// start can be undone. A move farther away that cannot is found when it is come to.
    fn is_undone(&self) -> bool {
        let Ok(goals) = self.goals() else {
            return false;
        };
        let mut states: Vec<u128> = goals.into_iter().take(TRIED).collect();
        states.extend(self.start().ok().flatten());
        !states.is_empty() && self.are_undone(states, TRIED)
    }

    /// Whether every move of the states that the start leads to can be undone, of the
    /// [`FOLLOWED`] nearest to it: then a search from the goals meets those of them from which a
    /// goal can be reached. The answer holds for every handle of the instance.
    fn undone_from_start(&self) -> bool {
        let known = lock(&self.rules.undone).get(&self.place).copied();
        known.unwrap_or_else(|| {
            let start = self.start().map(|start| start.into_iter().collect());
            let undone = start.is_ok_and(|start| self.are_undone(start, FOLLOWED));
            lock(&self.rules.undone).insert(self.place.clone(), undone);
            undone
        })
    }

    /// Whether every move of some states, and of the `most` nearest that they lead to, can be
    /// undone.
    fn are_undone(&self, states: Vec<u128>, most: usize) -> bool {
        let mut seen: HashSet<u128> = states.iter().copied().collect();
        let mut level = states;
        while !level.is_empty() && seen.len() < most {
            let Ok(found) = self.undone(&level) else {
                return false;
            };
            level = found.keys;
            level.retain(|&key| seen.insert(key));
        }
        true
    }

    /// The moves of states, as kept or asked for.
    fn kept_moves(&self, keys: &[u128]) -> Result<Found, Fault> {
        let missing: Vec<u128> = {
            let kept = lock(&self.kept);
            let mut seen = HashSet::new();
            let missing = keys.iter().copied();
            missing
                .filter(|key| !kept.moves.contains_key(key) && seen.insert(*key))
                .collect()
        };
        let asked = self.moves(&missing)?;
        let mut kept = lock(&self.kept);
        let mut found = Found::default();
        let new: HashMap<u128, usize> = missing.iter().copied().zip(0..).collect();
        for key in keys {
            match (new.get(key), kept.moves.get(key)) {
                (Some(&at), _) => found.push(asked.of(at)),
                (None, Some(known)) => found.push(known),
                // Another thread has made room meanwhile.
                (None, None) => {
                    drop(kept);
                    return self.moves(keys);
                }
            }
        }
        kept.make_room(missing.len() + asked.keys.len());
        for (at, key) in missing.into_iter().enumerate() {
            kept.moves.insert(key, asked.of(at).into());
        }
        Ok(found)
    }

    fn kept_solved(&self, keys: &[u128]) -> Result<Vec<bool>, Fault> {
        let known = |kept: &Kept| -> Vec<Option<bool>> {
            keys.iter()
                .map(|key| kept.solved.get(key).copied())
                .collect()
        };
        let known = known(&lock(&self.kept));
        let missing = keys.iter().zip(&known).filter(|(_, known)| known.is_none());
        let missing: Vec<u128> = missing.map(|(&key, _)| key).collect();
        let asked = self.solved(&missing)?;
        let mut kept = lock(&self.kept);
        kept.make_room(missing.len());
        kept.solved
            .extend(missing.into_iter().zip(asked.iter().copied()));
        let mut asked = asked.into_iter();
        let all = known
            .into_iter()
            .map(|known| known.or_else(|| asked.next()));
        Ok(all.map(Option::unwrap_or_default).collect())
    }

    /// The states from which a move leads to each state, if each of its own moves can be undone.
    fn undone(&self, keys: &[u128]) -> Result<Found, Fault> {
        let found = self.kept_moves(keys)?;
        let mut ends = found.keys.clone();
        ends.sort_unstable();
        ends.dedup();
        let back = self.kept_moves(&ends)?;
        for (at, key) in keys.iter().enumerate() {
            for to in found.of(at) {
                let place = ends.binary_search(to).unwrap_or_default();
                if !back.of(place).contains(key) {
                    return Err(Fault::Broken(format!(
                        "the move from '{}' to '{}' cannot be undone by one move, so this rulebook is not searched backward; use --direction forward, and --engine hash for solve",
                        self.text(*key).unwrap_or_default(),
                        self.text(*to).unwrap_or_default()
                    )));
                }
            }
        }
        Ok(found)
    }

    /// The name of a move.
    fn name(&self, from: u128, to: u128) -> Result<Option<String>, Fault> {
        let text = [self.text(from).map_err(Fault::Broken)?];
        self.with(|process| {
            let moves = Request::Moves(&text).put(process)?.moves;
            let mut moves = moves.into_iter().flatten().flatten();
            let named = moves.find(|one| one.name.is_some() && self.key(&one.to) == Ok(to));
            Ok(named.and_then(|one| one.name).map(Cow::into_owned))
        })
    }
}

impl Kept {
    fn make_room(&mut self, keys: usize) {
        if self.keys + keys > KEPT {
            *self = Self::default();
        }
        self.keys += keys;
    }
}

/// Notes why a call failed.
fn failed(rules: &Rulebook, fault: Fault) -> AntipodeStatus {
    FAILED.set(format!("{}: {}", rules.command, fault.line()));
    ANTIPODE_FAILED
}

/// Writes a text to where the harness wants it.
///
/// # Safety
/// `text` is as the boundary says.
unsafe fn write(text: *mut AntipodeText, written: &str) -> AntipodeStatus {
    // SAFETY: by the caller.
    unsafe {
        let count = written.len().min((*text).capacity);
        std::ptr::copy_nonoverlapping(written.as_ptr().cast(), (*text).data, count);
        (*text).length = written.len();
        match count == written.len() {
            true => ANTIPODE_OK,
            false => ANTIPODE_MORE_ROOM,
        }
    }
}

/// # Safety
/// `handle` came from [`open`] and is not closed.
unsafe fn of<'a>(handle: *const c_void) -> &'a Handle {
    // SAFETY: by the caller.
    unsafe { &*handle.cast::<Handle>() }
}

// The functions of the table. SAFETY, of all: the harness keeps the contract of the boundary.

type Open = unsafe extern "C" fn(
    AntipodeStr,
    AntipodeStr,
    *mut *mut c_void,
    *mut AntipodeText,
) -> AntipodeStatus;

const OPEN: [Open; MOST] = [
    open::<0>, open::<1>, open::<2>, open::<3>, open::<4>, open::<5>, open::<6>, open::<7>,
];

type Failure = unsafe extern "C" fn(*mut AntipodeText) -> AntipodeStatus;

const FAILURE: [Failure; MOST] = [
    failure::<0>,
    failure::<1>,
    failure::<2>,
    failure::<3>,
    failure::<4>,
    failure::<5>,
    failure::<6>,
    failure::<7>,
];

unsafe extern "C" fn open<const AT: usize>(
    instance: AntipodeStr,
    settings: AntipodeStr,
    handle: *mut *mut c_void,
    error: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see above.
    unsafe {
        let (instance, lines) = (given_text(instance), given_text(settings));
        let pairs = lines.lines().filter_map(|line| line.split_once('='));
        let settings = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let rules = lock(&LOADED)[AT];
        match rules.opened(&instance, &settings.collect()) {
            Ok(opened) => {
                *handle = Box::into_raw(Box::new(opened)).cast();
                ANTIPODE_OK
            }
            Err(Fault::Refused(line)) => {
                write(error, &line);
                ANTIPODE_BAD_INPUT
            }
            Err(fault) => failed(rules, fault),
        }
    }
}

unsafe extern "C" fn failure<const AT: usize>(text: *mut AntipodeText) -> AntipodeStatus {
    let own = FAILED.take();
    let theirs = lock(&LOADED)
        .get(AT)
        .and_then(|rules| rules.fast.as_ref()?.table.failure);
    // SAFETY: see above.
    unsafe {
        match theirs.filter(|_| own.is_empty()) {
            Some(theirs) => theirs(text),
            None => {
                let status = write(text, &own);
                if status == ANTIPODE_MORE_ROOM {
                    FAILED.set(own);
                }
                status
            }
        }
    }
}

unsafe extern "C" fn close(handle: *mut c_void) {
    // SAFETY: see above.
    drop(unsafe { Box::from_raw(handle.cast::<Handle>()) });
}

unsafe extern "C" fn expand<const BACKWARD: bool>(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
    capacity: usize,
    offsets: *mut usize,
    done: *mut usize,
) -> AntipodeStatus {
    // SAFETY: see above.
    let (handle, keys, offsets, done) = unsafe {
        let handle = of(handle);
        let keys = slice::from_raw_parts(keys, count * handle.words());
        let offsets = slice::from_raw_parts_mut(offsets, count + 1);
        (handle, handle.keys(keys), offsets, &mut *done)
    };
    let (number, words) = (handle.number, handle.words());
    let left = LEFT.take().filter(|left| {
        (left.number, left.backward) == (number, BACKWARD) && left.keys[left.first..] == keys
    });
    let left = match left {
        Some(left) => left,
        None => {
            let found = match BACKWARD {
                true => handle.undone(&keys),
                false if KEEPS.load(Relaxed) => handle.kept_moves(&keys),
                false => handle.moves(&keys),
            };
            match found {
                Ok(found) => Left {
                    number,
                    backward: BACKWARD,
                    keys,
                    found,
                    first: 0,
                },
                Err(fault) => return failed(handle.rules, fault),
            }
        }
    };
    offsets[0] = 0;
    let mut filled = 0;
    for at in 0..count {
        let neighbours = left.found.of(left.first + at);
        if filled + neighbours.len() > capacity {
            *done = at;
            let first = left.first + at;
            LEFT.set(Some(Left { first, ..left }));
            return ANTIPODE_MORE_ROOM;
        }
        for &key in neighbours {
            let both = [key as u64, (key >> 64) as u64];
            // SAFETY: there is room for `capacity` keys.
            unsafe { std::ptr::copy_nonoverlapping(both.as_ptr(), out.add(filled * words), words) };
            filled += 1;
        }
        offsets[at + 1] = filled;
    }
    *done = count;
    ANTIPODE_OK
}

unsafe extern "C" fn is_solved(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u8,
) -> AntipodeStatus {
    // SAFETY: see above.
    let (handle, keys, out) = unsafe {
        let handle = of(handle);
        let keys = slice::from_raw_parts(keys, count * handle.words());
        (
            handle,
            handle.keys(keys),
            slice::from_raw_parts_mut(out, count),
        )
    };
    let solved = match KEEPS.load(Relaxed) {
        true => handle.kept_solved(&keys),
        false => handle.solved(&keys),
    };
    match solved {
        Ok(solved) => {
            for (flag, solved) in out.iter_mut().zip(solved) {
                *flag = solved.into();
            }
            ANTIPODE_OK
        }
        Err(fault) => failed(handle.rules, fault),
    }
}

unsafe extern "C" fn parse(
    handle: *const c_void,
    text: AntipodeStr,
    key: *mut u64,
    error: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see above.
    unsafe {
        let handle = of(handle);
        let text = given_text(text);
        let read = match &handle.fast {
            Some(fast) => handle.read(fast, &text),
            None => handle.key(&text),
        };
        match read {
            Ok(read) => {
                let both = [read as u64, (read >> 64) as u64];
                std::ptr::copy_nonoverlapping(both.as_ptr(), key, handle.words());
                ANTIPODE_OK
            }
            Err(line) => {
                write(error, &line);
                ANTIPODE_BAD_INPUT
            }
        }
    }
}

unsafe extern "C" fn draw(
    handle: *const c_void,
    key: *const u64,
    text: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see above.
    unsafe {
        let handle = of(handle);
        let key = handle.keys(slice::from_raw_parts(key, handle.words()))[0];
        match handle.text(key) {
            Ok(drawn) => write(text, &drawn),
            Err(line) => failed(handle.rules, Fault::Broken(line)),
        }
    }
}

unsafe extern "C" fn starts(handle: *const c_void, sink: AntipodeSink) -> AntipodeStatus {
    // SAFETY: see above.
    unsafe {
        let handle = of(handle);
        match handle.start() {
            Ok(start) => deliver(handle, sink, start.as_slice()),
            Err(fault) => failed(handle.rules, fault),
        }
    }
}

unsafe extern "C" fn solved_states(
    handle: *const c_void,
    part: u64,
    sink: AntipodeSink,
) -> AntipodeStatus {
    // SAFETY: see above.
    unsafe {
        let handle = of(handle);
        match handle.goals() {
            Ok(_) if !handle.undone_from_start() => ANTIPODE_UNSUPPORTED,
            Ok(goals) if part == 0 => deliver(handle, sink, &goals),
            Ok(_) => ANTIPODE_OK,
            Err(Fault::Unsupported) => ANTIPODE_UNSUPPORTED,
            Err(fault) => failed(handle.rules, fault),
        }
    }
}

unsafe fn deliver(handle: &Handle, sink: AntipodeSink, keys: &[u128]) -> AntipodeStatus {
    let Some(emit) = sink.emit else {
        return ANTIPODE_FAILED;
    };
    let both = keys.iter().map(|&key| [key as u64, (key >> 64) as u64]);
    let words: Vec<u64> = both
        .flat_map(|both| both.into_iter().take(handle.words()))
        .collect();
    // SAFETY: see above.
    let stop = !keys.is_empty() && unsafe { emit(sink.context, words.as_ptr(), keys.len()) } != 0;
    match stop {
        true => ANTIPODE_STOPPED,
        false => ANTIPODE_OK,
    }
}

unsafe extern "C" fn describe_move(
    handle: *const c_void,
    from: *const u64,
    to: *const u64,
    text: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see above.
    unsafe {
        let handle = of(handle);
        let key = |words| handle.keys(slice::from_raw_parts(words, handle.words()))[0];
        match handle.name(key(from), key(to)) {
            Ok(Some(name)) => write(text, &name),
            Ok(None) => ANTIPODE_UNSUPPORTED,
            Err(fault) => failed(handle.rules, fault),
        }
    }
}
