//! The journal: a head with its identity, and a line for each finished piece. Each line ends with a
//! checksum over itself and the identity, so a line is only believed if it is whole and of this
//! very run.

use std::collections::BTreeMap;
use std::path::Path;

use antipode_graph::Opened;
use antipode_reports::atomic::write_atomically;
use puzzle_api::Settings;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{FolderPlace, OVER, Start};
use crate::error::{EngineError, Result};
use crate::machine::content_of;

/// Version of the folder's format. Other versions are not read.
const FORMAT: &str = "antipode work folder 6";
/// Bytes of `,"check":"0123456789abcdef"}`.
const SEAL: usize = 28;

/// A finished piece, in the form of a line of the journal.
#[derive(Debug, Clone)]
pub struct JournalPiece {
    /// Place in the order in which pieces were finished.
    pub number: u64,
    /// Its kind.
    pub kind: String,
    /// The line without its seal.
    text: String,
}

/// What a line says of its piece, before `,"piece":` and the piece itself.
#[derive(Deserialize)]
struct JournalLine {
    number: u64,
    kind: String,
}

impl JournalPiece {
    /// The recorded data, if they are of this kind and form.
    pub fn read<P: DeserializeOwned>(&self, kind: &str) -> Option<P> {
        if self.kind != kind {
            return None;
        }
        let (_, piece) = self.text.split_once(",\"piece\":")?;
        serde_json::from_str(piece).ok()
    }
}

/// Whose a journal is.
#[derive(Debug, Clone)]
pub(super) struct Head {
    identity: Value,
    /// Seed of the checksums of its lines.
    seed: u64,
}

/// The content of a journal.
#[derive(Debug, Default)]
pub(super) struct JournalContents {
    /// Sound pieces, in the order of their numbers.
    pub(super) pieces: Vec<JournalPiece>,
    /// Whether the file consists of exactly these pieces, in order.
    pub(super) sound: bool,
    /// Its faults, a line each.
    pub(super) notes: Vec<String>,
}

impl JournalContents {
    /// The pieces of a journal that nobody repairs.
    pub(super) fn undamaged(self, journal: &Path) -> Result<Vec<JournalPiece>> {
        match self.notes.first() {
            None => Ok(self.pieces),
            Some(damage) => Err(EngineError::foreign(journal, damage.clone())),
        }
    }
}

/// Whether a file begins as a journal does, be it of another run or damaged.
pub(super) fn is_ours(bytes: &[u8]) -> bool {
    bytes.is_empty() || bytes.starts_with(b"{\"identity\":")
}

/// Number of pieces in a journal whose run is not over, of any command.
pub(super) fn unfinished(bytes: &[u8]) -> usize {
    let lines = bytes.split(|&byte| byte == b'\n').skip(1);
    let whole: Vec<&[u8]> = lines.filter(|line| line.len() > SEAL).collect();
    let over = format!("\"kind\":\"{OVER}\"");
    let is_over = |line: &&&[u8]| String::from_utf8_lossy(line).contains(&over);
    match is_ours(bytes) && whole.last().filter(is_over).is_none() {
        true => whole.len(),
        false => 0,
    }
}

impl Head {
    /// The identity itself.
    pub(super) fn identity(&self) -> &Value {
        &self.identity
    }

    pub(super) fn of(identity: &impl Serialize) -> Self {
        let mut identity = serde_json::to_value(identity).unwrap_or_default();
        if let Some(fields) = identity.as_object_mut() {
            fields.insert("format".to_owned(), FORMAT.into());
        }
        let seed = xxh3_64_with_seed(identity.to_string().as_bytes(), 0);
        Self { identity, seed }
    }

    /// The first line of the journal.
    fn first(&self) -> String {
        seal(&format!("{{\"identity\":{}", self.identity), 0)
    }

    /// The line of a piece.
    pub(super) fn line(&self, number: u64, kind: &str, piece: &str) -> String {
        let text = format!("{{\"number\":{number},\"kind\":\"{kind}\",\"piece\":{piece}");
        seal(&text, self.seed)
    }

    /// Replaces a journal by one with some pieces.
    pub(super) fn write(&self, path: &Path, pieces: &[JournalPiece]) -> Result<()> {
        let pieces = pieces.iter().map(|piece| seal(&piece.text, self.seed));
        let text: String = std::iter::once(self.first()).chain(pieces).collect();
        write_atomically(path, text)
            .map_err(|error| EngineError::io(error.path(), error.io_error()))
    }

    /// Reads the bytes of a journal.
    ///
    /// # Errors
    /// [`EngineError::Io`] if it belongs to another run, or to none.
    pub(super) fn read(&self, place: &FolderPlace, bytes: &[u8]) -> Result<JournalContents> {
        let mut found = JournalContents {
            sound: true,
            ..JournalContents::default()
        };
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
        let first = lines.next().unwrap_or_default();
        let owned = self.owns(place, first)?;
        let mut damaged = Vec::new();
        for (line, number) in lines.zip(2_usize..) {
            match self.piece(line) {
                Some(piece) => found.pieces.push(piece),
                None => {
                    found.sound = false;
                    // A line without an end was being written when the run was killed.
                    if line.ends_with(b"\n") {
                        damaged.push(number.to_string());
                    }
                }
            }
        }
        if !damaged.is_empty() {
            found.notes.push(format!(
                "line {}: damaged (the checksum does not match); what was there is done again",
                damaged.join(", ")
            ));
        }
        if !owned {
            found.sound = false;
            let torn = self.first().as_bytes().starts_with(first);
            match (torn, found.pieces.is_empty()) {
                // Killed at the very first write, or written by another version.
                (true, true) => {}
                (false, true) => return Err(nobodys(place)),
                _ => found.notes.push(
                    "line 1: damaged (its checksum does not match); the lines behind it are of this run".to_owned(),
                ),
            }
        }
        let in_order = |pair: &[JournalPiece]| pair[0].number < pair[1].number;
        if !found.pieces.windows(2).all(in_order) {
            found.sound = false;
            found.pieces.sort_by_key(|piece| piece.number);
            found.pieces.dedup_by_key(|piece| piece.number);
            let note = "its lines are not in the order in which they were written; put in order";
            found.notes.push(note.to_owned());
        }
        Ok(found)
    }

    /// Whether the first line is this identity's; false if it is damaged.
    fn owns(&self, place: &FolderPlace, line: &[u8]) -> Result<bool> {
        #[derive(Deserialize)]
        struct First {
            identity: Value,
        }
        let text = unseal(line, 0).map(|text| format!("{text}}}"));
        let first = text.and_then(|text| serde_json::from_str::<First>(&text).ok());
        let Some(first) = first else { return Ok(false) };
        match difference(&first.identity, &self.identity) {
            None => Ok(true),
            Some(difference) => Err(EngineError::foreign(
                &place.path,
                format!(
                    "belongs to another run ({difference}); give another {}{}",
                    place.option,
                    over(place)
                ),
            )),
        }
    }

    fn piece(&self, line: &[u8]) -> Option<JournalPiece> {
        let text = unseal(line, self.seed)?;
        let line: JournalLine = serde_json::from_str(&format!("{text}}}")).ok()?;
        Some(JournalPiece {
            number: line.number,
            kind: line.kind,
            text: text.to_owned(),
        })
    }
}

fn nobodys(place: &FolderPlace) -> EngineError {
    let reason = format!(
        "{} does not say whose it is; give another {}, or delete that file to start from the beginning",
        super::JOURNAL,
        place.option
    );
    EngineError::foreign(&place.path, reason)
}

/// With `--force` a folder of results is overwritten; a folder of levels is not.
fn over(place: &FolderPlace) -> &'static str {
    match (place.option, place.start) {
        ("--out", Start::Resume) => ", or begin anew there by --force in place of --resume",
        ("--work", Start::New) => ", or delete the folder",
        _ => "",
    }
}

/// Text without its last brace, with its checksum and all ends.
fn seal(text: &str, seed: u64) -> String {
    let check = xxh3_64_with_seed(text.as_bytes(), seed);
    format!("{text},\"check\":\"{check:016x}\"}}\n")
}

/// The sealed text; `None` if the line differs from what was written.
fn unseal(line: &[u8], seed: u64) -> Option<&str> {
    let line = line.strip_suffix(b"\n")?;
    let (text, _) = line.split_at_checked(line.len().checked_sub(SEAL)?)?;
    let text = str::from_utf8(text).ok()?;
    (seal(text, seed).trim_end().as_bytes() == line).then_some(text)
}

// The identity of a run, so that pieces of different runs are never mixed.

/// The subject of a run: the common part of every identity.
#[derive(Debug, Clone, Serialize)]
pub struct Subject {
    tool: &'static str,
    instance: String,
    puzzle_version: String,
    variant: String,
    setting: BTreeMap<String, String>,
    /// BLAKE3 of files that settings name, such as a board: their content counts.
    content_of: BTreeMap<String, String>,
    /// BLAKE3 of the library, if it was loaded.
    plugin: Option<String>,
}

impl Subject {
    /// The subject of an opened instance. Reads the files that its settings name.
    pub fn of(opened: &Opened) -> Self {
        Self {
            tool: env!("CARGO_PKG_VERSION"),
            instance: opened.full_name(),
            puzzle_version: opened.library.version.clone(),
            variant: opened.variant.clone(),
            setting: opened.settings.clone().into_iter().collect(),
            content_of: contents_of(&opened.settings),
            plugin: (opened.library.source.named()).map(|(_, blake3)| blake3.to_owned()),
        }
    }

    /// An identity of this subject with more fields.
    pub fn with(&self, mut more: Value) -> Value {
        let own = serde_json::to_value(self).unwrap_or_default();
        if let (Value::Object(all), Value::Object(own)) = (&mut more, own) {
            all.extend(own);
        }
        more
    }
}

/// BLAKE3 of the files that settings name, by setting.
pub fn contents_of(settings: &Settings) -> BTreeMap<String, String> {
    let content = |(key, value): (&String, &String)| Some((key.clone(), content_of(value)?));
    settings.iter().filter_map(content).collect()
}

/// The first field in which two identities differ, in words.
pub(crate) fn difference(found: &Value, wanted: &Value) -> Option<String> {
    differ("", found, wanted)
}

fn differ(name: &str, found: &Value, wanted: &Value) -> Option<String> {
    if let (Value::Object(there), Value::Object(here)) = (found, wanted) {
        // Another command explains all other differences.
        let keys = there.keys().chain(here.keys()).map(String::as_str);
        return ["command"].into_iter().chain(keys).find_map(|key| {
            let of = |side: &serde_json::Map<String, Value>| {
                side.get(key).cloned().unwrap_or(Value::Null)
            };
            let name = format!("{name} {}", key.replace('_', " "));
            differ(name.trim_start(), &of(there), &of(here))
        });
    }
    let told = match NAMED.iter().find(|(plain, _)| *plain == name) {
        Some((_, told)) => (*told).to_owned(),
        None => name.replace("asked ", "--"),
    };
    let given = match name.starts_with("setting ") && (found.is_null() || wanted.is_null()) {
        true => "; give it in both or in neither, even if it is the default",
        false => "",
    };
    (found != wanted).then(|| match (text(found), text(wanted)) {
        (Some(found), Some(wanted)) => format!("{told} is {found} there and {wanted} here{given}"),
        _ => format!("{told}: not the same there and here"),
    })
}

/// Names that do not show which option resumes, each with a longer one that does.
const NAMED: [(&str, &str); 5] = [
    (
        "used moves",
        "used moves (none with --moves all, left out with --moves unused)",
    ),
    ("tool", "version of Antipode"),
    ("greatest depth", "--max-depth"),
    ("asked puzzles", "puzzles"),
    ("asked contents", "contents of the programs of --command"),
];

/// A value as a user gives it; `None` for a list, and for a digest, which says nothing.
fn text(value: &Value) -> Option<String> {
    let is_digest = |text: &str| text.len() >= 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    match value {
        Value::Null => Some("not given".to_owned()),
        Value::String(text) => (!is_digest(text)).then(|| text.clone()),
        Value::Array(_) | Value::Object(_) => None,
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn other_contents_of_the_same_command_are_named() {
        let asked = |text| json!({ "asked": { "command": ["s"], "contents": [text] } });
        let told = super::difference(&asked("1"), &asked("2")).expect("a difference");
        assert!(
            told.starts_with("contents of the programs of --command:"),
            "{told}"
        );
    }
}
