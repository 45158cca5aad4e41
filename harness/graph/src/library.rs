//! A puzzle library and the instances opened from it.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::path::PathBuf;
use std::slice;
use std::sync::Arc;

use puzzle_api::abi::{
    ANTIPODE_BACKWARD, ANTIPODE_BAD_INPUT, ANTIPODE_OK, ANTIPODE_UNSUPPORTED, AntipodeFigureSink,
    AntipodeNamed, AntipodeSink, AntipodeStr, AntipodeTable,
};
use puzzle_api::{Capabilities, Effort, Figure, InstanceInfo, SettingInfo, Settings};

use super::call::{PluginError, given_text, pass, status_text, table_text, take_error, take_text};

/// Where a library came from.
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
}

/// A puzzle: its table with the descriptive parts read out.
#[derive(Debug, Clone)]
pub struct Library {
    pub(super) table: &'static AntipodeTable,
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
    /// Claims as TOML, or empty.
    pub claims: String,
}

impl Library {
    /// A built-in puzzle.
    #[must_use]
    pub fn built_in(table: &'static AntipodeTable) -> Self {
        Self::from_table(table, Source::BuiltIn)
    }

    /// Reads the descriptive parts of a table that has passed the checks of loading.
    pub(super) fn from_table(table: &'static AntipodeTable, source: Source) -> Self {
        // SAFETY: a table's texts and arrays live as long as the process, by its contract.
        unsafe {
            Self {
                table,
                source,
                name: table_text(table.name),
                version: table_text(table.version),
                summary: table_text(table.summary),
                variants: named(table.variants, table.variant_count)
                    .map(|(name, _)| name)
                    .collect(),
                instances: named(table.instances, table.instance_count)
                    .map(|(name, summary)| InstanceInfo { name, summary })
                    .collect(),
                settings: named(table.settings, table.setting_count)
                    .map(|(key, summary)| SettingInfo { key, summary })
                    .collect(),
                legend: table_text(table.legend),
                claims: table_text(table.claims),
            }
        }
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

    /// The variant that checks are made against: `reference`, or the only one.
    #[must_use]
    pub fn reference_variant(&self) -> &str {
        let named = self.variants.iter().find(|name| *name == "reference");
        named.or(self.variants.first()).map_or("", String::as_str)
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
        if !self.has_variant(variant) {
            return Err(PluginError::BadInput(format!(
                "{}: no variant '{variant}'; use one of {}",
                self.name,
                self.variants.join(", ")
            )));
        }
        let lines = self.lines("setting", settings)?;
        let mut handle = std::ptr::null_mut();
        let Some(open) = self.table.open else {
            return Err(self.broken("open", "is missing"));
        };
        let (status, error) = take_error(|text| {
            // SAFETY: the texts live across the call and `handle` is ours.
            unsafe {
                open(
                    pass(instance),
                    pass(variant),
                    pass(&lines),
                    &mut handle,
                    text,
                )
            }
        });
        match status {
            ANTIPODE_OK if !handle.is_null() => {
                Opened::new(self, instance, variant, settings, handle)
            }
            ANTIPODE_BAD_INPUT => Err(self.bad_input(&error)),
            ANTIPODE_OK => Err(self.broken("open", "returned OK without a handle")),
            other => Err(self.refused("open", other, &error)),
        }
    }

    /// Runs a derivation of the puzzle's own.
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
            // SAFETY: the texts and `figures` live across the call.
            unsafe {
                derive(
                    pass(what),
                    pass(&lines),
                    u32::from(effort == Effort::Full),
                    sink,
                    error,
                )
            }
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
            "{}: this library derives nothing of its own, '{what}' neither",
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

    /// Why the last call on this thread failed, where the library says so.
    pub(super) fn failure(&self) -> String {
        let Some(failure) = self.table.failure else {
            return String::new();
        };
        // SAFETY: the text lives across the call.
        let (status, text) = take_text(|text| unsafe { failure(text) });
        match status {
            ANTIPODE_OK if !text.is_empty() => format!(": {text}"),
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
        self.broken(function, &fault)
    }

    fn broken(&self, function: &'static str, fault: &str) -> PluginError {
        PluginError::Broken {
            puzzle: self.name.clone(),
            function,
            fault: fault.to_owned(),
        }
    }
}

/// Takes one figure of a derivation in.
unsafe extern "C" fn take_figure(context: *mut c_void, name: AntipodeStr, value: AntipodeStr) {
    // SAFETY: `context` is the vector of `Library::derive`, alive during the call; the
    // plugin passes texts that live as long.
    unsafe {
        let figures = &mut *context.cast::<Vec<Figure>>();
        figures.push(Figure {
            name: given_text(name),
            value: given_text(value),
        });
    }
}

/// # Safety
/// `entries` is null or has `count` entries that live as long as the process.
unsafe fn named(
    entries: *const AntipodeNamed,
    count: u32,
) -> impl Iterator<Item = (String, String)> {
    let entries: &'static [AntipodeNamed] = if entries.is_null() {
        &[]
    } else {
        // SAFETY: by the caller.
        unsafe { slice::from_raw_parts(entries, count as usize) }
    };
    // SAFETY: the texts are as the table's.
    entries
        .iter()
        .map(|entry| unsafe { (table_text(entry.name), table_text(entry.summary)) })
}

/// What stands for the line of a puzzle that refuses without one.
pub const UNSAID: &str = "refused this and did not say why (it left the error text empty)";

/// Most symmetries that a board may have; bounds the memory for images.
const MOST_SYMMETRIES: u32 = 65_536;

/// An instance opened in one variant.
#[derive(Debug)]
pub struct Opened {
    /// The library it belongs to.
    pub library: Arc<Library>,
    /// Name of the instance.
    pub instance: String,
    /// Name of the variant.
    pub variant: String,
    /// Settings it was opened with.
    pub settings: Settings,
    /// What it offers.
    pub capabilities: Capabilities,
    /// Number of symmetries, at least 1.
    pub symmetry_count: u32,
    /// Number of parts, at least 1.
    pub part_count: u64,
    pub(super) handle: *mut c_void,
}

// SAFETY: the contract of the table allows every call but `close` from many threads on
// one handle, and `close` is called once, by the last owner.
unsafe impl Send for Opened {}
// SAFETY: as above.
unsafe impl Sync for Opened {}

impl Opened {
    fn new(
        library: &Arc<Library>,
        instance: &str,
        variant: &str,
        settings: &Settings,
        handle: *mut c_void,
    ) -> Result<Arc<Self>, PluginError> {
        let table = library.table;
        // SAFETY: `handle` was opened just now.
        let said = table.capabilities.map(|f| unsafe { f(handle) });
        let capabilities = offered(table) & said.unwrap_or(DEFAULT_CAPABILITIES);
        let capabilities = if matches!(library.source, Source::File { .. }) {
            capabilities & !unlisted_roots(table, handle)
        } else {
            capabilities
        };
        let symmetric = Capabilities(capabilities).has(Capabilities::SYMMETRY);
        let symmetry_count = table.symmetry_count.filter(|_| symmetric);
        // SAFETY: as above.
        let symmetry_count = symmetry_count.map_or(1, |f| unsafe { f(handle) });
        // SAFETY: as above.
        let part_count = table.part_count.map_or(1, |f| unsafe { f(handle) });
        let opened = Arc::new(Self {
            library: Arc::clone(library),
            instance: instance.to_owned(),
            variant: variant.to_owned(),
            settings: settings.clone(),
            capabilities: Capabilities(capabilities),
            symmetry_count,
            part_count,
            handle,
        });
        if !(1..=MOST_SYMMETRIES).contains(&symmetry_count) {
            let fault = format!("returned {symmetry_count}, allowed are 1 to {MOST_SYMMETRIES}");
            return Err(opened.broken("symmetry_count", fault));
        }
        if part_count == 0 {
            return Err(opened.broken("part_count", "returned 0; there is always one part"));
        }
        Ok(opened)
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
        self.broken(function, fault)
    }

    /// An error that names puzzle, variant and function.
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
        if let Some(close) = self.library.table.close {
            // SAFETY: the handle is open, and this is its last owner.
            unsafe { close(self.handle) };
        }
    }
}

/// The bit of listed solved states, where `roots` answers that it lists none: it may say
/// so instead of, or beside, leaving the bit out.
fn unlisted_roots(table: &AntipodeTable, handle: *mut c_void) -> u64 {
    unsafe extern "C" fn enough(_: *mut c_void, _: *const u64, _: usize) -> i32 {
        1
    }
    let sink = AntipodeSink {
        context: std::ptr::null_mut(),
        emit: Some(enough),
    };
    // SAFETY: `handle` is open; the sink looks at nothing and stops at once.
    let said = table
        .roots
        .map(|roots| unsafe { roots(handle, ANTIPODE_BACKWARD, 0, sink) });
    match said {
        Some(ANTIPODE_UNSUPPORTED) => Capabilities::SOLVED_ROOTS.0,
        _ => 0,
    }
}

/// Without `capabilities`, all that has a function is offered and no property holds.
const DEFAULT_CAPABILITIES: u64 = !(Capabilities::LAYERED.0 | Capabilities::UNDIRECTED.0);

/// Bits whose functions are present in the table.
fn offered(table: &AntipodeTable) -> u64 {
    let rank = table.space.is_some() && table.place.is_some() && table.unrank.is_some();
    let functions = [
        (Capabilities::SOLVED_ROOTS, true),
        (Capabilities::PREDECESSORS, table.predecessors.is_some()),
        (
            Capabilities::SYMMETRY,
            table.symmetry_count.is_some() && table.images.is_some(),
        ),
        (
            Capabilities::PARTS,
            table.part_count.is_some() && table.place.is_some(),
        ),
        (Capabilities::RANK, rank),
        (Capabilities::BUCKET, table.bucket.is_some()),
        (Capabilities::RANDOM, table.random.is_some()),
        (Capabilities::SWEEP, table.sweep.is_some()),
        (Capabilities::MOVE_NAMES, table.describe_move.is_some()),
        (Capabilities::LAYERED, true),
        (Capabilities::UNDIRECTED, true),
        (Capabilities::REVERSIBLE, table.reversed.is_some()),
        (Capabilities::ORDER, table.order.is_some()),
        (Capabilities::MEASURE, table.measure.is_some()),
        (
            Capabilities::NEIGHBOUR_RANKS,
            rank && table.neighbour_ranks.is_some(),
        ),
    ];
    functions
        .into_iter()
        .filter(|(_, present)| *present)
        .fold(0, |bits, (bit, _)| bits | bit.0)
}
