//! Shared libraries: only files that the user named, checked before anything is called.
#![allow(unsafe_code)]

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::slice;

use puzzle_api::abi::{ANTIPODE_ABI_VERSION, ANTIPODE_ENTRY, AntipodeTable, AntipodeVariant};

use super::call::{PluginError, is_line, one_line};
use super::in_hand::LibraryNumber;
use super::library::{Library, Source, is_plain};

/// Where an invalid table fails: its pointers lead nowhere.
const READING: &str = "reading the table";

/// Most variants, instances or settings of a puzzle.
pub(crate) const MOST_ENTRIES: u32 = 100_000;

type EntryPoint = unsafe extern "C" fn() -> *const AntipodeTable;

/// Loads a puzzle library and checks its table: entry symbol, version, size, required
/// members. The library is never unloaded.
///
/// # Errors
/// [`PluginError::Load`] with the file and the finding.
pub fn load(path: &Path) -> Result<Library, PluginError> {
    let refuse = |found: String| PluginError::Load {
        file: path.display().to_string(),
        found,
    };
    let unread = |error| refuse(format!("cannot be read: {error}; name a shared library"));
    let kind = fs::metadata(path).map_err(unread)?;
    if !kind.is_file() {
        return Err(refuse("is not a file; name a shared library".into()));
    }
    let bytes = fs::read(path).map_err(unread)?;
    // An absolute path keeps the loader from searching its own folders for a bare name.
    let absolute = fs::canonicalize(path).map_err(|error| refuse(error.to_string()))?;
    let mark = LibraryNumber::of(path);
    // SAFETY: loading runs the library's initialisers; the user named this file, and a supervisor
    // sees how they end.
    let library = mark.within("loading", || unsafe { open(&absolute) });
    let library = library.map_err(|error| {
        refuse(format!(
            "is not a shared library that loads here: {}",
            chain(&error)
        ))
    })?;
    // Never unloaded, refused or not: its initialisers may have started threads.
    let library = ManuallyDrop::new(library);
    let table = {
        // SAFETY: the symbol's name is versioned, which fixes its type.
        let entry = unsafe { library.get::<EntryPoint>(ANTIPODE_ENTRY.as_bytes()) }.map_err(|_| {
            refuse(format!(
                "has no symbol '{ANTIPODE_ENTRY}': not a puzzle for this Antipode (see docs/library.md)"
            ))
        })?;
        // SAFETY: the entry takes nothing and returns a pointer that is checked next.
        mark.within(ANTIPODE_ENTRY, || unsafe { entry() })
    };
    let table = mark.within(READING, || {
        let table = check_head(table)?;
        check_members(table).map(|()| table)
    });
    let table = table.map_err(&refuse)?;
    let blake3 = blake3::hash(&bytes).to_hex().to_string();
    let source = Source::File {
        path: path.to_owned(),
        blake3,
    };
    let loaded = mark.within(READING, || Library::from_table(table, source, mark));
    check_names(&loaded).map_err(&refuse)?;
    Ok(loaded)
}

/// Opens a library. All of its symbols are resolved at once: otherwise, a missing one would end the
/// process during a search.
///
/// # Safety
/// Like [`libloading::Library::new`].
unsafe fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
    #[cfg(unix)]
    {
        use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
        // SAFETY: by the caller.
        unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into)
    }
    #[cfg(not(unix))]
    // SAFETY: by the caller.
    unsafe {
        libloading::Library::new(path)
    }
}

/// libloading's own text hides the cause; the chain has it.
fn chain(error: &dyn Error) -> String {
    let mut texts = vec![error.to_string()];
    let mut next = error.source();
    while let Some(cause) = next {
        texts.push(cause.to_string());
        next = cause.source();
    }
    texts.join(": ")
}

fn check_head(table: *const AntipodeTable) -> Result<&'static AntipodeTable, String> {
    if table.is_null() {
        return Err(format!(
            "'{ANTIPODE_ENTRY}' returned null instead of a table (in Rust: a panic while making it)"
        ));
    }
    if !table.is_aligned() {
        return Err(format!("'{ANTIPODE_ENTRY}' returned a misaligned pointer"));
    }
    // Version and size come first in every version of the table, and no later member is read before
    // they are right. SAFETY: a table of any version holds at least these two numbers.
    let (version, size) = unsafe { ((*table).abi_version, (*table).table_size) };
    if version != ANTIPODE_ABI_VERSION {
        return Err(format!(
            "speaks version {version} of the boundary, this Antipode speaks {ANTIPODE_ABI_VERSION}: build it against the matching antipode.h"
        ));
    }
    let expected = size_of::<AntipodeTable>();
    if size as usize != expected {
        return Err(format!(
            "hands over a table of {size} bytes, expected {expected}: build it against the matching antipode.h"
        ));
    }
    // SAFETY: the version and the size are right, so this member is there.
    let size = unsafe { (*table).variant_size };
    let expected = size_of::<AntipodeVariant>();
    if size as usize != expected {
        return Err(format!(
            "hands over variants of {size} bytes, expected {expected}: build it against the matching antipode.h"
        ));
    }
    // SAFETY: non-null, aligned, of the right version and size, and by contract it lives
    // as long as the process.
    Ok(unsafe { &*table })
}

fn check_members(table: &AntipodeTable) -> Result<(), String> {
    let required = [
        ("name", table.name.is_null()),
        ("version", table.version.is_null()),
        ("variants", table.variants.is_null()),
        ("instances", table.instances.is_null()),
    ];
    none_missing("", &required)?;
    if !(1..=2).contains(&table.key_words) {
        return Err(format!(
            "says key_words = {}, allowed are 1 and 2",
            table.key_words
        ));
    }
    for (name, count) in [
        ("variant_count", table.variant_count),
        ("instance_count", table.instance_count),
    ] {
        if !(1..=MOST_ENTRIES).contains(&count) {
            return Err(format!(
                "says {name} = {count}, allowed are 1 to {MOST_ENTRIES}"
            ));
        }
    }
    if table.setting_count > MOST_ENTRIES {
        return Err(format!(
            "says setting_count = {}, allowed are 0 to {MOST_ENTRIES}",
            table.setting_count
        ));
    }
    let arrays = [
        ("variants", table.variants.is_aligned()),
        ("instances", table.instances.is_aligned()),
        ("settings", table.settings.is_aligned()),
    ];
    if let Some((name, _)) = arrays.iter().find(|(_, aligned)| !aligned) {
        return Err(format!("gives a misaligned pointer for '{name}'"));
    }
    if table.setting_count > 0 && table.settings.is_null() {
        return Err("counts settings but leaves 'settings' null".into());
    }
    // SAFETY: not null, and by contract as many as the count.
    let variants = unsafe { slice::from_raw_parts(table.variants, table.variant_count as usize) };
    variants.iter().enumerate().try_for_each(check_variant)
}

fn check_variant((at, variant): (usize, &AntipodeVariant)) -> Result<(), String> {
    let required = [
        ("name", variant.name.is_null()),
        ("open", variant.open.is_none()),
        ("close", variant.close.is_none()),
        ("successors", variant.successors.is_none()),
        ("is_solved", variant.is_solved.is_none()),
        ("parse", variant.parse.is_none()),
        ("draw", variant.draw.is_none()),
    ];
    none_missing(&format!(" of variants[{at}]"), &required)
}

fn none_missing(of: &str, required: &[(&str, bool)]) -> Result<(), String> {
    match required.iter().find(|(_, missing)| *missing) {
        Some((name, _)) => Err(format!("leaves the required member '{name}'{of} null")),
        None => Ok(()),
    }
}

pub(super) fn check_names(library: &Library) -> Result<(), String> {
    let named: [(&str, Vec<&String>); 4] = [
        ("name", vec![&library.name]),
        ("variant", library.variants.iter().collect()),
        (
            "instance",
            library.instances.iter().map(|info| &info.name).collect(),
        ),
        (
            "derivation",
            library.derivations.iter().map(|(name, _)| name).collect(),
        ),
    ];
    for (what, names) in &named {
        let mut seen = HashSet::new();
        for name in names {
            if !is_plain(name) {
                return Err(format!(
                    "has the {what} '{name}': use lower-case letters, digits, '-', '_' and '.'"
                ));
            }
            if !seen.insert(name) {
                return Err(format!("lists the {what} '{name}' twice"));
            }
        }
    }
    if !is_line(&library.version) {
        let version = one_line(&library.version);
        return Err(format!("has the version '{version}': use a line of UTF-8"));
    }
    Ok(())
}
