//! A table of TOML read key by key, with errors that name line and column.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use antipode_reports::text::position;

/// A suite that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}, line {line}, column {column}: {message}")]
pub struct SuiteError {
    /// The file.
    pub file: String,
    /// Line from 1.
    pub line: usize,
    /// Column from 1, in characters.
    pub column: usize,
    /// What is wrong, and the mend.
    pub message: String,
}

/// The text that errors point into.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
}

impl Text<'_> {
    pub(super) fn fault(&self, at: usize, message: impl Into<String>) -> SuiteError {
        let (line, column) = position(self.text, at);
        SuiteError {
            file: self.file.to_owned(),
            line,
            column,
            message: message.into(),
        }
    }
}

/// Fields of one table, all of known names.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    text: Text<'a>,
    table: &'a DeTable<'a>,
    at: usize,
}

/// A value with its place in the text.
pub(super) type Placed<T> = (T, usize);

/// Texts with their places, and whether they were written as a list.
pub(super) type Listed = (Vec<Placed<String>>, bool);

impl<'a> Fields<'a> {
    /// Fields of a table, refusing names that are not `known`.
    pub(super) fn new(
        text: Text<'a>,
        table: &'a DeTable<'a>,
        at: usize,
        known: &[&str],
    ) -> Result<Self, SuiteError> {
        for key in table.keys() {
            if !known.contains(&&**key.get_ref()) {
                let odd = key.get_ref();
                let hint = nearest(odd, known.iter().copied());
                let message = format!("no field '{odd}'; {hint}");
                return Err(text.fault(key.span().start, message));
            }
        }
        Ok(Self { text, table, at })
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Where the value of a key stands, else the table.
    pub(super) fn place(&self, key: &str) -> usize {
        self.value(key).map_or(self.at, |value| value.span().start)
    }

    /// Where all values stand.
    pub(super) fn places(&self) -> BTreeMap<String, usize> {
        let all = self.table.iter();
        all.map(|(key, value)| (key.get_ref().to_string(), value.span().start))
            .collect()
    }

    fn value(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        let found = self.table.iter().find(|(name, _)| name.get_ref() == key);
        found.map(|(_, value)| value)
    }

    fn wrong(&self, key: &str, wanted: &str, found: &Spanned<DeValue<'_>>) -> SuiteError {
        let kind = found.get_ref().type_str();
        let message = format!("'{key}' takes {wanted}, not a value of type {kind}");
        self.text.fault(found.span().start, message)
    }

    /// A text.
    pub(super) fn string(&self, key: &str) -> Result<Option<Placed<String>>, SuiteError> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        match value.get_ref() {
            DeValue::String(text) => Ok(Some((text.to_string(), value.span().start))),
            _ => Err(self.wrong(key, "a text in quotes", value)),
        }
    }

    /// A text that must be there.
    pub(super) fn needed(&self, key: &str) -> Result<Placed<String>, SuiteError> {
        let found = self.string(key)?;
        found.ok_or_else(|| {
            self.text
                .fault(self.at, format!("the field '{key}' is missing"))
        })
    }

    /// One text, or a list of texts; the flag says that it was a list.
    pub(super) fn strings(&self, key: &str) -> Result<Option<Listed>, SuiteError> {
        self.listed(key, |value| match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            _ => Err(self.wrong(key, "a text or a list of texts", value)),
        })
    }

    /// One whole number, or a list of them, in decimal digits.
    pub(super) fn numbers(&self, key: &str) -> Result<Option<Listed>, SuiteError> {
        self.listed(key, |value| match value.get_ref() {
            DeValue::Integer(number) => Ok(decimal(number)),
            _ => Err(self.wrong(key, "a whole number or a list of them", value)),
        })
    }

    fn listed(
        &self,
        key: &str,
        text: impl Fn(&Spanned<DeValue<'_>>) -> Result<String, SuiteError>,
    ) -> Result<Option<Listed>, SuiteError> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        let one = |value: &Spanned<DeValue<'_>>| Ok((text(value)?, value.span().start));
        match value.get_ref() {
            DeValue::Array(list) if list.is_empty() => {
                let message = format!("'{key}' is an empty list; leave it out, or name something");
                Err(self.text.fault(value.span().start, message))
            }
            DeValue::Array(list) => {
                let all: Result<Vec<_>, _> = list.iter().map(one).collect();
                Ok(Some((all?, true)))
            }
            _ => Ok(Some((vec![one(value)?], false))),
        }
    }

    /// A whole number within bounds.
    pub(super) fn number(
        &self,
        key: &str,
        (least, most): (u64, u64),
    ) -> Result<Option<u64>, SuiteError> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        let wanted = format!("a whole number from {least} to {most}");
        let DeValue::Integer(number) = value.get_ref() else {
            return Err(self.wrong(key, &wanted, value));
        };
        let digits = decimal(number);
        let read = digits.parse().ok();
        match read.filter(|read| (least..=most).contains(read)) {
            Some(read) => Ok(Some(read)),
            None => {
                let message = format!("'{key}' takes {wanted}, not {digits}");
                Err(self.text.fault(value.span().start, message))
            }
        }
    }

    /// A number that is at least `least`, and finite.
    pub(super) fn factor(&self, key: &str, least: f64) -> Result<Option<Placed<f64>>, SuiteError> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        self.at_least(key, value, least).map(Some)
    }

    /// Two numbers above 0, the first not above the second.
    pub(super) fn interval(&self, key: &str) -> Result<Option<[f64; 2]>, SuiteError> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        let wanted = "two numbers above 0, the lower first";
        let DeValue::Array(list) = value.get_ref() else {
            return Err(self.wrong(key, wanted, value));
        };
        let ends: Result<Vec<f64>, SuiteError> = list
            .iter()
            .map(|end| Ok(self.at_least(key, end, f64::MIN_POSITIVE)?.0))
            .collect();
        match ends?[..] {
            [low, high] if low <= high => Ok(Some([low, high])),
            _ => {
                let message = format!("'{key}' takes {wanted}");
                Err(self.text.fault(value.span().start, message))
            }
        }
    }

    fn at_least(
        &self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        least: f64,
    ) -> Result<Placed<f64>, SuiteError> {
        let bound = match least {
            f64::MIN_POSITIVE => "above 0".to_owned(),
            least => format!("of {least} or more"),
        };
        let text = match value.get_ref() {
            DeValue::Float(number) => number.as_str(),
            DeValue::Integer(number) => number.as_str(),
            _ => return Err(self.wrong(key, &format!("a number {bound}"), value)),
        };
        let at = value.span().start;
        let read: Option<f64> = text.replace('_', "").parse().ok();
        match read.filter(|read| read.is_finite() && *read >= least) {
            Some(read) => Ok((read, at)),
            None => {
                let message = format!("'{key}' takes a number {bound}, not {text}");
                Err(self.text.fault(at, message))
            }
        }
    }

    /// The tables of a list `[[key]]`, all of whose names are `known`; none where it is left
    /// out.
    pub(super) fn tables(&self, key: &str, known: &[&str]) -> Result<Vec<Self>, SuiteError> {
        let Some(value) = self.value(key) else {
            return Ok(Vec::new());
        };
        let written = |at| {
            self.text
                .fault(at, format!("write each {key} as [[{key}]]"))
        };
        let DeValue::Array(list) = value.get_ref() else {
            return Err(written(value.span().start));
        };
        let table = |item: &'a Spanned<DeValue<'a>>| match item.get_ref() {
            DeValue::Table(table) => Self::new(self.text, table, item.span().start, known),
            _ => Err(written(item.span().start)),
        };
        list.iter().map(table).collect()
    }

    /// True or false; false where it is left out.
    pub(super) fn flag(&self, key: &str) -> Result<bool, SuiteError> {
        match self.value(key) {
            None => Ok(false),
            Some(value) => match value.get_ref() {
                DeValue::Boolean(flag) => Ok(*flag),
                _ => Err(self.wrong(key, "true or false", value)),
            },
        }
    }

    /// A table of texts or numbers.
    pub(super) fn pairs(&self, key: &str) -> Result<Vec<(String, Placed<String>)>, SuiteError> {
        let Some(value) = self.value(key) else {
            return Ok(Vec::new());
        };
        let DeValue::Table(table) = value.get_ref() else {
            return Err(self.wrong(key, "a table such as { grey = 2 }", value));
        };
        let pair = |(name, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
            let text = match value.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Integer(number) => decimal(number),
                DeValue::Boolean(flag) => flag.to_string(),
                _ => return Err(self.wrong(key, "texts and whole numbers", value)),
            };
            let name: &std::borrow::Cow<'_, str> = name.get_ref();
            Ok((name.to_string(), (text, value.span().start)))
        };
        table.iter().map(pair).collect()
    }

    /// A text read by a function; its error is placed at the text.
    pub(super) fn read<T>(
        &self,
        key: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>, SuiteError> {
        let Some((text, at)) = self.string(key)? else {
            return Ok(None);
        };
        let read = read(&text).map_err(|why| self.text.fault(at, format!("{key}: {why}")));
        read.map(Some)
    }
}

/// A whole number in decimal digits, however the file writes it; as it stands where it is greater
/// than any number that is taken.
fn decimal(number: &DeInteger<'_>) -> String {
    let digits = number.as_str().replace('_', "");
    match i128::from_str_radix(&digits, number.radix()) {
        Ok(number) => number.to_string(),
        Err(_) => digits,
    }
}

/// Names listed where none is near.
const SHOWN: usize = 12;

/// `did you mean 'NAME'?`, or the names where none is near.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let likeness = |other: &str| strsim::jaro_winkler(name, other);
    let best = known
        .clone()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match best {
        Some(best) if likeness(best) > 0.7 => format!("did you mean '{best}'?"),
        _ => {
            let all: Vec<&str> = known.collect();
            let shown = all.iter().take(SHOWN).copied().collect::<Vec<_>>();
            let more = if all.len() > SHOWN { ", …" } else { "" };
            format!("use one of {}{more}", shown.join(", "))
        }
    }
}
