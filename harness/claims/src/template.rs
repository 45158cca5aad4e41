//! A claims file to begin with: one claim that runs, with every key of its kind explained.

use crate::field::{CLAIM_KEYS, Field};
use crate::kind::ClaimKind;
use crate::sheet;

/// A claims file with one runnable claim of a kind, and all other keys as comments.
///
/// # Errors
/// A line that names all kinds.
pub fn template(kind: &str) -> Result<String, String> {
    let kind = ClaimKind::named(kind)?;
    let sheet = sheet::of_kind(kind.name());
    let mut text = format!(
        "# A claim of kind \"{}\": {}\n\
         # Run it: antipode certify --claims FILE --out FOLDER\n\
         # Every key that such a claim can have stands here; those behind a '#' may be left out.\n\n\
         # The puzzle that all claims of this file are about; `antipode list` shows all, and\n\
         # --plugin FILE or --rules COMMAND adds yours.\n\
         puzzle = \"{}\"\n\n\
         [[claim]]\n",
        kind.name(),
        lowered(kind.about()),
        sheet::text(sheet, "puzzle")
    );
    for (field, value) in keys(kind) {
        text += &explained(field);
        text += &match value {
            Some(value) => format!("{} = {value}\n", field.name),
            None => format!(
                "#{} = {}{}\n",
                field.name,
                among(kind, "fits", field.name)
                    .unwrap_or(field.example)
                    .replace('\n', "\n#"),
                beside(field.name)
            ),
        };
    }
    if kind != ClaimKind::Lengths {
        text += READING;
    }
    Ok(text)
}

/// Number of keys of every claim before those of its kind: up to `kind`.
const KEYS_BEFORE: usize = 7;

const READING: &str = "
# A sentence that can be read in more than one way has a table for each, which overrides keys of
# the claim; the verdict is ambiguous where they come out differently.
#[[claim.reading]]
#name = \"in another metric\"
#statement = \"Each step of a piece is a move.\"
";

/// The least claim of a kind, as a file: its required keys, and nothing else.
#[must_use]
pub fn least(kind: ClaimKind) -> String {
    let sheet = sheet::of_kind(kind.name());
    let mut text = format!(
        "puzzle = \"{}\"\n\n[[claim]]\n",
        sheet::text(sheet, "puzzle")
    );
    for (field, value) in keys(kind) {
        let line = value.map(|value| format!("{} = {value}\n", field.name));
        text += &line.unwrap_or_default();
    }
    text
}

/// The value of a key in a list of a kind in `keys.toml`.
fn among(kind: ClaimKind, list: &str, key: &str) -> Option<&'static str> {
    let mut rows = sheet::rows(sheet::of_kind(kind.name()), list);
    rows.find(|row| row[0] == key).map(|row| row[1])
}

/// All keys of a claim of a kind, each with its value in a claim that runs, if it needs one. The
/// subject of a claim comes before its expectation.
fn keys(kind: ClaimKind) -> impl Iterator<Item = (&'static Field, Option<String>)> {
    let (head, rest) = CLAIM_KEYS.split_at(KEYS_BEFORE);
    let all = head.iter().chain(kind.keys()).chain(rest);
    let all = all.filter(move |field| field.name != "reading" && fits(kind, field.name));
    all.map(move |field| {
        let value = match field.name {
            "statement" => {
                let statement = sheet::text(sheet::of_kind(kind.name()), "statement");
                Some(format!("{statement:?}"))
            }
            "kind" => Some(format!("\"{}\"", kind.name())),
            name => among(kind, "sets", name)
                .or(field.needed.then_some(field.example))
                .map(str::to_owned),
        };
        (field, value)
    })
}

/// Whether a claim of a kind can use a key of all claims.
fn fits(kind: ClaimKind, key: &str) -> bool {
    let takes = |name: &str| kind.keys().iter().any(|field| field.name == name);
    match key {
        "instances" => takes("instance") && kind != ClaimKind::Lengths,
        "hardware" => takes("compare"),
        _ => true,
    }
}

/// The other keys that a key needs or replaces, after its line.
fn beside(key: &str) -> &'static str {
    match key {
        "within" => "  # with compare = \"about\"",
        "path" => "  # with compare = \"at-most\"",
        "hardware" => "  # with compare = \"report\"",
        "levels" => "  # with count = \"moves_wasted\"",
        "instances" => "  # in place of instance",
        _ => "",
    }
}

fn explained(field: &Field) -> String {
    let takes = field.takes.describe();
    wrapped(&format!("{} Takes {takes}.", field.about))
}

/// Remarks of at most this many characters a line.
const WIDTH: usize = 96;

fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut line = "#".to_owned();
    for word in text.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            out += &line;
            out.push('\n');
            "#".clone_into(&mut line);
        }
        line.push(' ');
        line += word;
    }
    out + &line + "\n"
}

fn lowered(sentence: &str) -> String {
    let mut letters = sentence.chars();
    let first = letters.next().map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
