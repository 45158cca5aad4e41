//! A puzzle library and the instances opened from it.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::path::PathBuf;
use std::slice;
use std::sync::{Arc, OnceLock};

use crate::capabilities::Capabilities;
use puzzle_api::abi::{
    ANTIPODE_BACKWARD, ANTIPODE_BAD_INPUT, ANTIPODE_FORWARD, ANTIPODE_IS_LAYERED,
    ANTIPODE_IS_UNDIRECTED, ANTIPODE_OK, ANTIPODE_ORBITS, ANTIPODE_PRUNED, ANTIPODE_UNSUPPORTED,
    ANTIPODE_UNUSED, AntipodeFigureSink, AntipodeNamed, AntipodeSink, AntipodeStatus, AntipodeStr,
    AntipodeSweepSink, AntipodeTable, AntipodeText, AntipodeVariant,
};
use puzzle_api::{Effort, Figure, InstanceInfo, SettingInfo, Settings};

use super::buffer::{GuardedBuffer, Marker};
use super::call::{
    MOST_SAID, PluginError, SHORT_ROOM, given_text, pass, start_of, status_text, table_text,
    take_error, take_text,
};
use super::in_hand::{self, LibraryNumber};
use super::ledger::{Function, Ledger, OpenedVariant};

/// The origin of a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Part of this program.
    BuiltIn,
    /// A shared library that the user named.
    File {
        /// Path as given.
        path: PathBuf,
        /// BLAKE3 of its bytes, lower-case hex.
        blake3: String,
    },
    /// A program that the user named.
    Rules {
        /// Its command line.
        command: String,
        /// The shared library whose variant `reference` the program is.
        under: Option<PathBuf>,
        /// BLAKE3 of the command, the program's description of itself, and the files that the
        /// command names.
        blake3: String,
    },
}

impl Source {
    /// The arguments for [`rules::reload`](crate::rules::reload) in another process: a file and a
    /// command line, each of which may be empty. `None` for built-in puzzles.
    #[must_use]
    pub fn loaded(&self) -> Option<(PathBuf, String)> {
        match self {
            Self::BuiltIn => None,
            Self::File { path, .. } => Some((path.clone(), String::new())),
            Self::Rules { command, under, .. } => {
                Some((under.clone().unwrap_or_default(), command.clone()))
            }
        }
    }

    /// The file or the command line that the user named, and the hash of it.
    #[must_use]
    pub fn named(&self) -> Option<(String, &str)> {
        match self {
            Self::BuiltIn => None,
            Self::File { path, blake3 } => Some((path.display().to_string(), blake3)),
            Self::Rules {
                command,
                under,
                blake3,
            } => {
                let under = under
                    .as_ref()
                    .map(|path| format!("{} with ", path.display()));
                Some((format!("{}{command}", under.unwrap_or_default()), blake3))
            }
        }
    }
}

/// A puzzle: its table with its descriptive parts read.
#[derive(Debug, Clone)]
pub struct Library {
    pub(super) table: &'static AntipodeTable,
    pub(super) mark: LibraryNumber,
    /// Where it came from.
    pub source: Source,
    /// Name, as in `NAME/INSTANCE`.
    pub name: String,
    /// Version of the implementation.
    pub version: String,
    /// One line.
    pub summary: String,
    /// Names of the variants, the default first.
    pub variants: Vec<String>,
    /// Instances by name.
    pub instances: Vec<InstanceInfo>,
    /// Settings that instances take.
    pub settings: Vec<SettingInfo>,
    /// Legend for pictures, or empty.
    pub legend: String,
    /// Derivations with the parameters of each; empty if the library lists none.
    pub derivations: Vec<(String, Vec<String>)>,
}

/// A name of an instance that no puzzle has.
const NOBODYS: &str = "nobodys-instance";

/// Whether a text can be the name of a puzzle, a variant or an instance.
pub(super) fn is_plain(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    !name.is_empty() && name.chars().all(fits)
}

/// Derivations from the lines of a table: a name, then its parameters.
fn derivations(lines: &str) -> Vec<(String, Vec<String>)> {
    let read = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_owned);
        Some((words.next()?, words.collect()))
    };
    lines.lines().filter_map(read).collect()
}

impl Library {
    /// A built-in puzzle.
    #[must_use]
    pub fn built_in(table: &'static AntipodeTable) -> Self {
        Self::from_table(table, Source::BuiltIn, LibraryNumber::NONE)
    }

    /// Reads the descriptive parts of a table that has passed the checks of loading.
    pub(super) fn from_table(
        table: &'static AntipodeTable,
        source: Source,
        mark: LibraryNumber,
    ) -> Self {
        // SAFETY: a table's texts and arrays live as long as the process, by its contract.
        unsafe {
            Self {
                table,
                mark,
                source,
                name: table_text(table.name),
                version: table_text(table.version),
                summary: table_text(table.summary),
                variants: entries(table.variants, table.variant_count)
                    .iter()
                    .map(|variant| table_text(variant.name))
                    .collect(),
                instances: named(table.instances, table.instance_count)
                    .map(|(name, summary)| InstanceInfo { name, summary })
                    .collect(),
                settings: named(table.settings, table.setting_count)
                    .map(|(key, summary)| SettingInfo::new(&key, &summary))
                    .collect(),
                legend: table_text(table.legend),
                derivations: derivations(&table_text(table.derivations)),
            }
        }
    }

    /// Claims as TOML, or empty. Read on request: they are the longest text of all.
    #[must_use]
    pub fn claims(&self) -> String {
        // SAFETY: a table's texts live as long as the process, by its contract.
        unsafe { table_text(self.table.claims) }
    }

    /// Whether it is part of this program. Another library's statements beyond its rulebook are
    /// assertions that must be checked before anything rests on them.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        self.source == Source::BuiltIn
    }

    /// Whether its rulebook is a program, whose predecessors are learned from its forward moves.
    #[must_use]
    pub fn is_program(&self) -> bool {
        matches!(self.source, Source::Rules { .. })
    }

    /// Words in a key, 1 or 2.
    #[must_use]
    pub fn key_words(&self) -> usize {
        self.table.key_words as usize
    }

    /// Whether the library has a variant of this name.
    #[must_use]
    pub fn has_variant(&self, variant: &str) -> bool {
        self.variants.iter().any(|name| name == variant)
    }

    /// The variant with which others are compared: `reference`, or the only one.
    #[must_use]
    pub fn reference_variant(&self) -> &str {
        let named = self.variants.iter().find(|name| *name == "reference");
        named.or(self.variants.first()).map_or("", String::as_str)
    }

    /// Checks that the puzzle has an instance: one that it lists, or one that it opens. If a
    /// library opens even a nonsense name, only its list counts.
    ///
    /// # Errors
    /// The remedy: what the puzzle itself says, else to look at the list.
    pub fn find(self: &Arc<Self>, instance: &str) -> Result<(), String> {
        if self.instances.iter().any(|known| known.name == instance) {
            return Ok(());
        }
        // The caller says already that there is no such instance.
        let own = |error: String| match error.split_once(": ")?.1 {
            UNSAID => None,
            line => Some(match line.split_once(": use ") {
                Some((_, advice)) => format!("use {advice}"),
                None => line.to_owned(),
            }),
        };
        let opens = |name: &str| match self.variants.first() {
            Some(variant) => self.open(name, variant, &Settings::new()).map(drop),
            None => Err(PluginError::BadInput(String::new())),
        };
        let refused = match is_plain(instance).then(|| opens(instance)) {
            Some(Ok(())) if opens(NOBODYS).is_err() => return Ok(()),
            Some(Err(PluginError::BadInput(error))) => own(error),
            _ => None,
        };
        Err(refused.unwrap_or_else(|| self.see_list()))
    }

    /// The hint to look at what the puzzle offers: its instances, settings and derivations.
    #[must_use]
    pub fn see_list(&self) -> String {
        let mut command = format!("antipode list {}", self.name);
        let (file, rules) = self.source.loaded().unwrap_or_default();
        let file = file.display().to_string();
        for (flag, value) in [("--plugin", file), ("--rules", rules)] {
            if !value.is_empty() {
                command += &format!(" {flag} '{}'", value.replace('\'', r"'\''"));
            }
        }
        format!("see `{command}`")
    }

    /// Opens an instance.
    ///
    /// # Errors
    /// [`PluginError::BadInput`] for an unknown instance, variant or setting.
    pub fn open(
        self: &Arc<Self>,
        instance: &str,
        variant: &str,
        settings: &Settings,
    ) -> Result<Arc<Opened>, PluginError> {
        let Some(at) = self.variants.iter().position(|name| name == variant) else {
            return Err(PluginError::BadInput(format!(
                "{}: no variant '{variant}'; use one of {}",
                self.name,
                self.variants.join(", ")
            )));
        };
        // SAFETY: as in `from_table`, which read one name from each entry.
        let table = &unsafe { entries(self.table.variants, self.table.variant_count) }[at];
        let lines = self.lines("setting", settings)?;
        let mut handle = std::ptr::null_mut();
        let Some(open) = table.open else {
            return Err(self.broken("open", "is missing"));
        };
        let (status, error) = take_error(|text| {
            // SAFETY: the texts live across the call and `handle` is our own.
            let call = || unsafe { open(pass(instance), pass(&lines), &mut handle, text) };
            self.mark.within("open", call)
        });
        match status {
            ANTIPODE_OK if !handle.is_null() => {
                let mut opened = Opened {
                    library: Arc::clone(self),
                    instance: instance.to_owned(),
                    variant: variant.to_owned(),
                    settings: settings.clone(),
                    symmetry_count: 1,
                    part_count: 1,
                    unplaced_parts: 1,
                    table,
                    handle,
                    ledger: self.ledger(instance, variant, settings),
                    capabilities: Capabilities::NONE,
                    forms: 0,
                    said: Default::default(),
                };
                opened.ask()?;
                Ok(Arc::new(opened))
            }
            ANTIPODE_BAD_INPUT => Err(self.bad_input(&error)),
            ANTIPODE_OK => Err(self.broken("open", "returned OK without a handle")),
            other => Err(self.refused("open", other, &error)),
        }
    }

    /// The ledger that records the answers of an instance, if there is one.
    fn ledger(&self, instance: &str, variant: &str, settings: &Settings) -> Option<Arc<Ledger>> {
        let (file, rules) = self.source.loaded()?;
        Ledger::of(OpenedVariant {
            file,
            rules,
            instance: instance.to_owned(),
            variant: variant.to_owned(),
            settings: settings.clone(),
        })
    }

    /// Whether the puzzle may have its own derivations. A built-in puzzle lists them; a loaded one
    /// need not, and refuses a call.
    #[must_use]
    pub fn derives(&self) -> bool {
        self.table.derive.is_some() && !(self.is_built_in() && self.derivations.is_empty())
    }

    /// Runs one of the puzzle's own derivations.
    ///
    /// # Errors
    /// [`PluginError::BadInput`] for a name that the puzzle does not know.
    pub fn derive(
        &self,
        what: &str,
        parameters: &Settings,
        effort: Effort,
    ) -> Result<Vec<Figure>, PluginError> {
        let Some(derive) = self.table.derive else {
            return Err(self.derives_not(what));
        };
        let lines = self.lines("parameter", parameters)?;
        let mut figures: Vec<Figure> = Vec::new();
        let sink = AntipodeFigureSink {
            context: (&raw mut figures).cast::<c_void>(),
            emit: Some(take_figure),
        };
        let (status, error) = take_error(|error| {
            let full = u32::from(effort == Effort::Full);
            // SAFETY: the texts and `figures` live across the call.
            let call = || unsafe { derive(pass(what), pass(&lines), full, sink, error) };
            self.mark.within("derive", call)
        });
        match status {
            ANTIPODE_OK => Ok(figures),
            ANTIPODE_UNSUPPORTED => Err(self.derives_not(what)),
            ANTIPODE_BAD_INPUT => Err(self.bad_input(&error)),
            other => Err(self.refused("derive", other, &error)),
        }
    }

    fn derives_not(&self, what: &str) -> PluginError {
        PluginError::NotOffered(format!(
            "{}: this library has no derivations, so no '{what}'",
            self.name
        ))
    }

    /// Input that the puzzle refused, in its own words if it has any.
    fn bad_input(&self, error: &str) -> PluginError {
        let line = match error.trim() {
            "" => UNSAID,
            said => said,
        };
        PluginError::BadInput(format!("{}: {line}", self.name))
    }

    /// Lines `KEY=VALUE`.
    fn lines(&self, what: &str, settings: &Settings) -> Result<String, PluginError> {
        let mut lines = String::new();
        for (key, value) in settings {
            if key.contains('\n') || value.contains('\n') {
                return Err(PluginError::BadInput(format!(
                    "{}: the {what} '{}' holds a line break; write it on one line",
                    self.name,
                    key.escape_debug()
                )));
            }
            lines.push_str(&format!("{key}={value}\n"));
        }
        Ok(lines)
    }

    /// What a length counts with some settings: steps if `metric`, or its default, says so.
    #[must_use]
    pub fn unit(&self, settings: &Settings) -> &'static str {
        let mut known = self.settings.iter();
        let own = known.find(|known| known.key == "metric");
        let default = own.and_then(|metric| metric.default.as_deref());
        match settings.get("metric").map(|text| text.trim()).or(default) {
            Some("step") => "steps",
            _ => "moves",
        }
    }

    /// Why the last call on this thread failed, if the library says so.
    pub(super) fn failure(&self) -> String {
        let Some(failure) = self.table.failure else {
            return String::new();
        };
        // SAFETY: the text lives across the call.
        let call = |text: &mut AntipodeText| unsafe { failure(text) };
        let call = |text: &mut AntipodeText| self.mark.within("failure", || call(text));
        let (status, text) = take_text(SHORT_ROOM, call);
        match status {
            ANTIPODE_OK if !text.is_empty() => format!(": {}", start_of(&text, MOST_SAID)),
            _ => String::new(),
        }
    }

    fn refused(&self, function: &'static str, status: i32, error: &str) -> PluginError {
        let mut fault = status_text(status);
        if error.is_empty() {
            fault.push_str(&self.failure());
        } else {
            fault = format!("{fault}: {error}");
        }
        self.broken(function, &fault).or_late()
    }

    fn broken(&self, function: &'static str, fault: &str) -> PluginError {
        PluginError::Broken {
            puzzle: self.name.clone(),
            function,
            fault: fault.to_owned(),
        }
    }
}

/// Most figures of a derivation. Further ones are dropped and are no sign of life, since the
/// derivation cannot be stopped.
const MOST_FIGURES: usize = 1 << 16;

/// Receives one figure of a derivation.
unsafe extern "C" fn take_figure(context: *mut c_void, name: AntipodeStr, value: AntipodeStr) {
    // SAFETY: `context` is the vector of `Library::derive`, alive during the call; the plugin
    // passes texts that live as long.
    unsafe {
        let figures = &mut *context.cast::<Vec<Figure>>();
        if figures.len() == MOST_FIGURES {
            return;
        }
        in_hand::delivered();
        figures.push(Figure {
            name: given_text(name),
            value: given_text(value),
        });
    }
}

/// # Safety
/// `entries` is null or has `count` entries that live as long as the process.
unsafe fn named(list: *const AntipodeNamed, count: u32) -> impl Iterator<Item = (String, String)> {
    // SAFETY: by the caller; the texts are as the table's.
    unsafe { entries(list, count) }
        .iter()
        .map(|entry| unsafe { (table_text(entry.name), table_text(entry.summary)) })
}

/// # Safety
/// `list` is null or has `count` entries that live as long as the process.
pub(super) unsafe fn entries<T>(list: *const T, count: u32) -> &'static [T] {
    if list.is_null() {
        return &[];
    }
    // SAFETY: by the caller.
    unsafe { slice::from_raw_parts(list, count as usize) }
}

/// Message for a puzzle that refuses without a reason.
pub const UNSAID: &str = "refused this and did not say why (it left the error text empty)";

/// Most symmetries of a board; bounds the memory for images.
const MOST_SYMMETRIES: u32 = 65_536;

/// Most parts of an instance: searches list their numbers.
const MOST_PARTS: u64 = 1 << 28;

/// A function of the table that writes elements for each of some states.
pub(super) type Writes<T> = unsafe extern "C" fn(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut T,
) -> AntipodeStatus;

/// An instance opened in one variant.
#[derive(Debug)]
pub struct Opened {
    /// The library to which it belongs.
    pub library: Arc<Library>,
    /// Name of the instance.
    pub instance: String,
    /// Name of the variant.
    pub variant: String,
    /// Settings it was opened with.
    pub settings: Settings,
    /// Number of symmetries, at least 1.
    pub symmetry_count: u32,
    /// Number of parts, at least 1.
    pub part_count: u64,
    /// Number of parts that `place` does not tell apart: they are searched as one.
    pub(super) unplaced_parts: u64,
    pub(super) table: &'static AntipodeVariant,
    pub(super) handle: *mut c_void,
    /// The ledger that records its answers, for repeating the questions.
    pub(super) ledger: Option<Arc<Ledger>>,
    /// The functions of its variant.
    capabilities: Capabilities,
    /// Forms of `expand` that the instance has, as bits.
    forms: u32,
    /// Answers to [`ASKED`], requested on first use, since a puzzle may need longer for them than
    /// for a search.
    said: [OnceLock<bool>; ASKED.len()],
}

/// A question whether an instance has something.
type Ask = fn(&Opened) -> bool;

/// Features that the instance itself may lack although its variant has the function, and the
/// question for each.
const ASKED: [(Capabilities, Ask); 12] = [
    (Capabilities::PREDECESSORS, |opened| {
        // A program's moves are followed backward if they can be undone.
        !opened.learns_predecessors() || opened.lists_solved_states()
    }),
    (Capabilities::SOLVED_ROOTS, Opened::lists_solved_states),
    (Capabilities::RANK, Opened::is_numbered),
    (Capabilities::NEIGHBOUR_RANKS, |opened| {
        opened.is_numbered() && opened.ranks_neighbours()
    }),
    (Capabilities::RANDOM, Opened::draws_states),
    (Capabilities::SWEEP, |opened| {
        opened.sweep_memory(ANTIPODE_BACKWARD, None).is_some()
    }),
    (Capabilities::TIME_REVERSAL, |opened| {
        // Moves that can be undone need no function.
        opened.table.time_reversal.is_none()
            || opened.values("time_reversal", opened.table.time_reversal)
    }),
    (Capabilities::BUCKET, |opened| {
        opened.values("bucket", opened.table.bucket)
    }),
    (Capabilities::DIVERSITY_CLASS, |opened| {
        opened.values("diversity_class", opened.table.diversity_class)
    }),
    (Capabilities::MOVE_ORDER, |opened| {
        opened.values("move_order", opened.table.move_order)
    }),
    (Capabilities::OBJECTIVE, |opened| {
        opened.values("objective", opened.table.objective)
    }),
    (Capabilities::LOWER_BOUND, |opened| {
        opened.values("lower_bound", opened.table.lower_bound)
    }),
];

// SAFETY: the contract of the table allows every call but `close` from many threads on
// one handle, and `close` is called once, by the last owner.
unsafe impl Send for Opened {}
// SAFETY: as above.
unsafe impl Sync for Opened {}

impl Opened {
    /// Whether the instance offers a feature. The first call may ask the instance.
    #[must_use]
    pub fn offers(&self, wanted: Capabilities) -> bool {
        let mut asked = ASKED.iter().zip(&self.said);
        self.capabilities.has(wanted)
            && asked.all(|((capability, ask), said)| {
                !wanted.has(*capability) || *said.get_or_init(|| ask(self))
            })
    }

    /// Whether its predecessors are the successors of a program's states, once each can be undone.
    /// Moves from other states that lead here and cannot be undone are not among them.
    #[must_use]
    pub fn learns_predecessors(&self) -> bool {
        self.library.is_program() && self.variant == self.library.reference_variant()
    }

    /// Whether `expand` lists neighbours in this form.
    pub(super) fn has_form(&self, want: u32) -> bool {
        self.forms >> want & 1 == 1
    }

    /// Asks the instance, once, for its numbers of symmetries and parts and its forms of `expand`.
    fn ask(&mut self) -> Result<(), PluginError> {
        if let Some(call) = self.table.symmetry_count {
            let mut count = 1;
            // SAFETY: the handle is open, and `count` is our own.
            let made = || unsafe { call(self.handle, &mut count) };
            let status = self.within("symmetry_count", made);
            self.symmetry_count = self.counted("symmetry_count", status, count, 1)?;
            if !(1..=MOST_SYMMETRIES).contains(&self.symmetry_count) {
                let fault = format!("returned {count}, allowed are 1 to {MOST_SYMMETRIES}");
                return Err(self.broken("symmetry_count", fault));
            }
        }
        let mut has_parts = false;
        if let Some(call) = self.table.part_count {
            let mut count = 1;
            // SAFETY: as above.
            let made = || unsafe { call(self.handle, &mut count) };
            let status = self.within("part_count", made);
            self.part_count = self.counted("part_count", status, count, 1)?;
            has_parts = status == ANTIPODE_OK;
            if self.part_count == 0 {
                return Err(self.broken("part_count", "returned 0; there is always one part"));
            }
            if self.part_count > MOST_PARTS {
                let fault = format!("returned {count}, allowed are 1 to {MOST_PARTS}");
                return Err(self.broken("part_count", fault));
            }
            if self.table.place.is_none() {
                self.unplaced_parts = std::mem::replace(&mut self.part_count, 1);
                has_parts = false;
            }
        }
        let counts = [
            (Function::SymmetryCount, u128::from(self.symmetry_count)),
            (Function::PartCount, u128::from(self.part_count)),
        ];
        for (function, count) in counts {
            self.note(function, 1, |_| (0, 0), |_, out| out.push(count));
        }
        self.ask_forms()?;
        self.capabilities = self.offered(has_parts);
        Ok(())
    }

    fn ask_forms(&mut self) -> Result<(), PluginError> {
        let Some(call) = self.table.expand else {
            return Ok(());
        };
        let ways = [ANTIPODE_FORWARD, ANTIPODE_BACKWARD];
        for form in [ANTIPODE_ORBITS, ANTIPODE_PRUNED, ANTIPODE_UNUSED] {
            for want in ways.map(|way| form | way) {
                let (mut offsets, mut done) = ([0], 0);
                let (mut out, mut marks) = (GuardedBuffer::new(0), GuardedBuffer::new(0));
                let (out, marks) = (out.as_mut_ptr(), marks.as_mut_ptr());
                let (none, unused) = ([0_u64; 2], [0_u32]);
                // SAFETY: no state is passed, and there is no space for one.
                let status = self.within("expand", || unsafe {
                    let (keys, used) = (none.as_ptr(), unused.as_ptr());
                    let offsets = offsets.as_mut_ptr();
                    call(
                        self.handle,
                        want,
                        keys,
                        used,
                        0,
                        out,
                        marks,
                        0,
                        offsets,
                        &mut done,
                    )
                });
                let has = self.counted("expand", status, 1, 0)?;
                self.forms |= has << want;
            }
        }
        Ok(())
    }

    /// A number, unless the call failed; `none` if it is not offered.
    fn counted<N>(
        &self,
        function: &'static str,
        status: AntipodeStatus,
        count: N,
        none: N,
    ) -> Result<N, PluginError> {
        match status {
            ANTIPODE_OK => Ok(count),
            ANTIPODE_UNSUPPORTED => Ok(none),
            other => Err(self.refused(function, other)),
        }
    }

    /// The features with a function in the table.
    fn offered(&self, has_parts: bool) -> Capabilities {
        let table = self.table;
        let rank = table.unrank.is_some() && table.place.is_some() && table.space.is_some();
        let fact = |bit| table.facts & bit != 0;
        let offers = [
            (Capabilities::SOLVED_ROOTS, table.solved_states.is_some()),
            (Capabilities::PREDECESSORS, table.predecessors.is_some()),
            (
                Capabilities::SYMMETRY,
                self.symmetry_count > 1 && table.images.is_some(),
            ),
            (Capabilities::PARTS, has_parts),
            (Capabilities::RANK, rank),
            (Capabilities::BUCKET, table.bucket.is_some()),
            (
                Capabilities::DIVERSITY_CLASS,
                table.diversity_class.is_some(),
            ),
            (Capabilities::RANDOM, table.random.is_some()),
            (
                Capabilities::SWEEP,
                table.sweep.is_some() && self.unplaced_parts == 1,
            ),
            (Capabilities::LAYERED, fact(ANTIPODE_IS_LAYERED)),
            (Capabilities::UNDIRECTED, fact(ANTIPODE_IS_UNDIRECTED)),
            (
                Capabilities::TIME_REVERSAL,
                table.time_reversal.is_some() || fact(ANTIPODE_IS_UNDIRECTED),
            ),
            (Capabilities::MOVE_ORDER, table.move_order.is_some()),
            (
                Capabilities::FEATURES,
                table.features.is_some() && table.feature_space.is_some(),
            ),
            (Capabilities::OBJECTIVE, table.objective.is_some()),
            (Capabilities::LOWER_BOUND, table.lower_bound.is_some()),
            (
                Capabilities::USED_MOVES,
                self.has_form(ANTIPODE_UNUSED) && fact(ANTIPODE_IS_UNDIRECTED),
            ),
            (
                Capabilities::NEIGHBOUR_RANKS,
                rank && table.neighbour_ranks.is_some(),
            ),
        ];
        let offers = offers.into_iter().filter(|(_, offered)| *offered);
        offers.map(|(offer, _)| offer).collect()
    }

    /// Whether a function of the table exists and does not answer that it is not offered.
    fn answers<F>(
        &self,
        name: &str,
        call: Option<F>,
        ask: impl FnOnce(F) -> AntipodeStatus,
    ) -> bool {
        let said = call.map(|call| self.within(name, || ask(call)));
        said.is_some_and(|status| status != ANTIPODE_UNSUPPORTED)
    }

    fn lists_solved_states(&self) -> bool {
        unsafe extern "C" fn enough(_: *mut c_void, _: *const u64, _: usize) -> i32 {
            1
        }
        let sink = AntipodeSink {
            context: std::ptr::null_mut(),
            emit: Some(enough),
        };
        // SAFETY: the handle is open; the sink reads nothing and stops at once.
        self.answers("solved_states", self.table.solved_states, |call| unsafe {
            call(self.handle, 0, sink)
        })
    }

    fn is_numbered(&self) -> bool {
        let mut size = 0;
        // SAFETY: the handle is open, and `size` is our own.
        self.answers("space", self.table.space, |call| unsafe {
            call(self.handle, 0, &mut size)
        })
    }

    fn draws_states(&self) -> bool {
        let mut key = GuardedBuffer::new(self.library.key_words());
        let key = key.as_mut_ptr();
        // SAFETY: the handle is open, and there is space for a key.
        self.answers("random", self.table.random, |call| unsafe {
            call(self.handle, 0, 0, 1, key)
        })
    }

    /// Bytes that the sweep of a part takes, from a root or from the instance's own roots; `None`
    /// if it does not support these.
    pub(crate) fn sweep_memory(&self, way: u32, from: Option<&[u64]>) -> Option<u64> {
        unsafe extern "C" fn enough(
            _: *mut c_void,
            _: *const u64,
            _: *const u16,
            _: usize,
            _: u32,
        ) -> i32 {
            1
        }
        let sink = AntipodeSweepSink {
            context: std::ptr::null_mut(),
            emit: Some(enough),
        };
        let (from, mut memory) = (from.map_or(std::ptr::null(), <[u64]>::as_ptr), 0);
        // SAFETY: the handle is open; the sink reads nothing and stops at once; the key and the
        // memory live across the call.
        let sweeps = self.answers("sweep", self.table.sweep, |call| unsafe {
            call(
                self.handle,
                way,
                from,
                0,
                std::ptr::null(),
                0,
                &mut memory,
                sink,
            )
        });
        sweeps.then_some(memory)
    }

    fn ranks_neighbours(&self) -> bool {
        let (mut out, ranks, mut filled) = (GuardedBuffer::new(0), [0], 0);
        let (out, keys) = (out.as_mut_ptr(), std::ptr::null_mut());
        // SAFETY: no rank is passed, and there is no space for one.
        self.answers(
            "neighbour_ranks",
            self.table.neighbour_ranks,
            |call| unsafe {
                let (way, ranks) = (ANTIPODE_FORWARD, ranks.as_ptr());
                call(self.handle, way, 0, ranks, 0, keys, out, 0, &mut filled)
            },
        )
    }

    fn values(&self, name: &str, call: Option<Writes<u64>>) -> bool {
        let (keys, mut out) = ([0_u64; 2], GuardedBuffer::new(0));
        let out = out.as_mut_ptr();
        // SAFETY: no state is passed, and there is no space for one.
        self.answers(name, call, |call| unsafe {
            call(self.handle, keys.as_ptr(), 0, out)
        })
    }

    /// Records a call's answer for each of `count` inputs, if answers are recorded.
    #[inline]
    pub(super) fn note(
        &self,
        function: Function,
        count: usize,
        input: impl Fn(usize) -> (u128, u128),
        answer: impl Fn(usize, &mut Vec<u128>),
    ) {
        if let Some(ledger) = &self.ledger {
            ledger.note(function, count, &input, &answer);
        }
    }

    /// Makes a call, recorded for a supervisor if there is one.
    #[inline]
    pub(super) fn within<T>(&self, function: &str, call: impl FnOnce() -> T) -> T {
        self.library.mark.within(function, call)
    }

    /// The elements that a call filled, if the guard after them is intact.
    ///
    /// # Errors
    /// [`PluginError::Broken`] if it wrote beyond the buffer it was given.
    pub(super) fn filled<'r, T: Marker>(
        &self,
        buffer: &'r GuardedBuffer<T>,
        function: &'static str,
    ) -> Result<&'r [T], PluginError> {
        buffer.filled().ok_or_else(|| self.overrun(function))
    }

    pub(super) fn overrun(&self, function: &'static str) -> PluginError {
        self.broken(function, "wrote beyond the capacity it was given")
    }

    /// What a length counts, "moves" or "steps".
    #[must_use]
    pub fn unit(&self) -> &'static str {
        self.library.unit(&self.settings)
    }

    /// `PUZZLE/INSTANCE`.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.library.name, self.instance)
    }

    /// An error for a call that ended with a status other than OK.
    #[must_use]
    pub fn refused(&self, function: &'static str, status: i32) -> PluginError {
        let fault = format!("{}{}", status_text(status), self.library.failure());
        self.broken(function, fault).or_late()
    }

    /// An error of a function whose answer another answer contradicts.
    #[must_use]
    pub fn disagrees(&self, function: &'static str, fault: impl Into<String>) -> PluginError {
        PluginError::Disagree(self.broken(function, fault).to_string())
    }

    /// An error of a call that fails by itself, with puzzle, variant and function.
    #[must_use]
    pub fn broken(&self, function: &'static str, fault: impl Into<String>) -> PluginError {
        PluginError::Broken {
            puzzle: format!("{} ({})", self.full_name(), self.variant),
            function,
            fault: fault.into(),
        }
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        if let Some(close) = self.table.close {
            // SAFETY: the handle is open, and this is its last owner.
            self.within("close", || unsafe { close(self.handle) });
        }
    }
}
