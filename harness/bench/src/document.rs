//! A file of TOML read by serde, with errors that name line and column, and what would be right.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Unexpected};
use toml::Spanned;
use toml::de::DeTable;

use antipode_reports::text::position;

/// A suite or a baseline that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}, column {column}: {message}")]
pub struct DocumentError {
    /// The file.
    pub file: String,
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// A file and its text, which errors point into.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Document<'a> {
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
}

impl Document<'_> {
    /// An error at a byte of the text.
    pub(crate) fn fault(&self, at: usize, message: impl Into<String>) -> DocumentError {
        let (line, column) = position(self.text, at);
        DocumentError {
            file: self.file.to_owned(),
            line,
            column,
            message: message.into(),
        }
    }

    /// What the text holds.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, DocumentError> {
        let read = DeTable::parse(self.text)
            .and_then(|root| T::deserialize(toml::Deserializer::from(root)));
        read.map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            self.fault(at, worded(&error))
        })
    }
}

/// Serde's error in our words, with the key whose value it is about; other errors as they are.
fn worded(error: &toml::de::Error) -> String {
    let message = error.message().replace('\n', " ");
    // The keys that lead to the place stand nowhere else.
    let whole = error.to_string();
    let keys = whole.trim_end().rsplit_once("\nin `").map(|(_, keys)| keys);
    let key = keys.map_or("", |keys| keys.trim_end_matches('`'));
    let key = key.rsplit('.').next().unwrap_or(key);
    if let Some(name) = message.strip_prefix("missing field ") {
        return format!("the field '{}' is missing", name.trim_matches('`'));
    }
    let mut names = message.split('`').skip(1).step_by(2);
    for (start, what) in [("unknown field ", "field"), ("unknown variant ", key)] {
        if let (true, Some(odd)) = (message.starts_with(start), names.next()) {
            return format!("no {what} '{odd}'; {}", nearest(odd, names));
        }
    }
    let unfit = ["invalid type: ", "invalid value: "]
        .iter()
        .find_map(|start| message.strip_prefix(start)?.split_once(", expected "));
    match (unfit, key) {
        (Some((found, wanted)), _) => {
            let wanted = match wanted {
                "a string" => "a text in quotes",
                "a boolean" => "true or false",
                "a map" => "a table such as { grey = 2 }",
                "a sequence" => &format!("a list: write each {key} as [[{key}]]"),
                "f64" => "a number",
                "i128" => "a whole number",
                "u16" => "a whole number from 0 to 65535",
                "u64" => "a whole number of 0 or more",
                other => other,
            };
            format!("'{key}' takes {wanted}, not {found}")
        }
        (None, "") => message,
        (None, key) => format!("{key}: {message}"),
    }
}

/// A whole number within bounds, and which it is where nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole<const LEAST: u32, const MOST: u32, const ELSE: u32>(pub u32);

impl<const LEAST: u32, const MOST: u32, const ELSE: u32> Default for Whole<LEAST, MOST, ELSE> {
    fn default() -> Self {
        Self(ELSE)
    }
}

impl<'de, const LEAST: u32, const MOST: u32, const ELSE: u32> Deserialize<'de>
    for Whole<LEAST, MOST, ELSE>
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let number = i128::deserialize(from)?;
        let read = u32::try_from(number).ok();
        let read = read.filter(|read| (LEAST..=MOST).contains(read));
        read.map(Self).ok_or_else(|| {
            let wanted = format!("a whole number from {LEAST} to {MOST}");
            D::Error::invalid_value(Unexpected::Other(&number.to_string()), &wanted.as_str())
        })
    }
}

/// A text that a function reads, and where it stands.
pub(crate) fn parsed<'de, D: Deserializer<'de>, T>(
    from: D,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<Spanned<T>>, D::Error> {
    let text = Spanned::<String>::deserialize(from)?;
    let read = read(text.get_ref()).map_err(D::Error::custom)?;
    Ok(Some(Spanned::new(text.span(), read)))
}

/// Where a value begins, if there is one.
pub(crate) fn start<T>(value: &Option<Spanned<T>>) -> Option<usize> {
    value.as_ref().map(|value| value.span().start)
}

/// A value without its place.
pub(crate) fn value<T: Clone>(value: &Option<Spanned<T>>) -> Option<T> {
    value.as_ref().map(|value| value.get_ref().clone())
}

/// Names listed where none is near.
const SHOWN: usize = 12;

/// `did you mean 'NAME'?`, or the names where none is near.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let likeness = |other: &str| strsim::jaro_winkler(name, other);
    let best = known.iter().copied();
    let best = best.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match best.filter(|best| likeness(best) > 0.7) {
        Some(best) => format!("did you mean '{best}'?"),
        None => {
            let more = if known.len() > SHOWN { ", …" } else { "" };
            let shown = &known[..known.len().min(SHOWN)];
            format!("use one of {}{more}", shown.join(", "))
        }
    }
}
