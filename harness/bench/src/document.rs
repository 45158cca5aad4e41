//! A TOML file read by serde, with errors that name line and column, and the remedy.

use std::fmt::{self, Display};

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Unexpected, Visitor};
use toml::Spanned;
use toml::de::DeTable;

use antipode_reports::text::{self, position};

/// An invalid suite or baseline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DocumentError(String);

/// A file and its text, to which errors refer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Document<'a> {
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
}

impl Document<'_> {
    pub(crate) fn fault(&self, at: usize, message: impl Display) -> DocumentError {
        let (file, (line, column)) = (self.file, position(self.text, at));
        DocumentError(format!("{file}, line {line}, column {column}: {message}"))
    }

    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, DocumentError> {
        let read = DeTable::parse(self.text)
            .and_then(|root| T::deserialize(toml::Deserializer::from(root)));
        read.map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            self.fault(at, worded(&error))
        })
    }
}

/// Serde's error with the key of the value, and the name that may be meant.
fn worded(error: &toml::de::Error) -> String {
    let message = error.message().replace('\n', " ");
    // The keys that lead to the place occur nowhere else.
    let whole = error.to_string();
    let keys = whole.trim_end().rsplit_once("\nin `").map(|(_, keys)| keys);
    let key = keys.map_or("", |keys| keys.trim_end_matches('`'));
    let key = key.rsplit('.').next().unwrap_or(key);
    let mut names = message.split('`').skip(1).step_by(2);
    let what = match () {
        () if message.starts_with("unknown field ") => "field",
        () if message.starts_with("unknown variant ") => key,
        () if key.is_empty() => return message,
        () => return format!("{key}: {message}"),
    };
    let odd = names.next().unwrap_or_default();
    format!("no {what} '{odd}'; {}", nearest(odd, names))
}

/// A whole number within bounds, and its default.
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
        // By a visitor, whose errors get the place of the value, also in a list.
        from.deserialize_i64(Self(ELSE))
    }
}

impl<const LEAST: u32, const MOST: u32, const ELSE: u32> Visitor<'_> for Whole<LEAST, MOST, ELSE> {
    type Value = Self;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "a whole number from {LEAST} to {MOST}")
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Self, E> {
        let read = u32::try_from(number).ok();
        let read = read.filter(|read| (LEAST..=MOST).contains(read));
        let odd = || E::invalid_value(Unexpected::Other(&number.to_string()), &self);
        read.map(Self).ok_or_else(odd)
    }
}

/// A text that a function reads, and its place.
pub(crate) fn parsed<'de, D: Deserializer<'de>, T>(
    from: D,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<Spanned<T>>, D::Error> {
    let text = Spanned::<String>::deserialize(from)?;
    let read = read(text.get_ref()).map_err(D::Error::custom)?;
    Ok(Some(Spanned::new(text.span(), read)))
}

pub(crate) fn start<T>(value: &Option<Spanned<T>>) -> Option<usize> {
    value.as_ref().map(|value| value.span().start)
}

pub(crate) fn value<T: Clone>(value: &Option<Spanned<T>>) -> Option<T> {
    value.as_ref().map(|value| value.get_ref().clone())
}

/// Names listed if none is near.
const SHOWN: usize = 12;

/// `did you mean 'NAME'?`, or the names if none is near.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    match text::nearest(name, known.iter().copied()) {
        Some(best) => format!("did you mean '{best}'?"),
        None => {
            let more = if known.len() > SHOWN { ", …" } else { "" };
            let shown = &known[..known.len().min(SHOWN)];
            format!("use one of {}{more}", shown.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::suite::Suite;

    #[test]
    fn errors_name_place_key_and_what_would_be_right() {
        let head = "[suite]\nname = \"s\"\n";
        let row = "[[row]]\nname = \"r\"\ninstance = \"a/b\"\n";
        let cases = r#"
samples = 0 => 3, column 11: samples: invalid value: 0, expected a whole number from 1 to 10000
samples = "3" => samples: invalid type: string "3", expected a whole number from 1 to 10000
sampels = 3 => 3, column 1: no field 'sampels'; did you mean 'samples'?
plugins = ["a", 3] => 3, column 17: plugins: invalid type: integer `3`, expected a string
plugins = true => plugins: invalid type: boolean `true`, expected one value or a list of them
[[row]] ; name = "r" => 3, column 1: the field 'instance' is missing
[row] => row: invalid type: 
ROW ; threads = [1, 0] => 6, column 15: threads: invalid value: 0, expected a whole number from 1 to 1024
ROW ; variant = [] => 6, column 11: variant: an empty list; leave it out
ROW ; verb = "slove" => 6, column 8: no verb 'slove'; did you mean 'solve'?
ROW ; set = { a = 1.5 } => 6, column 13: 'a' takes a text or a whole number
samples = = 3 => 3, column 11: extra `=`"#;
        for case in cases.trim().lines() {
            let (text, said) = case.split_once(" => ").unwrap();
            let text = text.replace(" ; ", "\n");
            let text = format!("{head}{}", text.replace("ROW\n", row));
            let error = Suite::parse("s.toml", &text).unwrap_err().to_string();
            assert!(error.contains(said), "{error}\nlacks {said}");
        }
    }
}
