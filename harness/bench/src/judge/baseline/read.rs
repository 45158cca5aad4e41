//! A baseline's text, held against what a baseline must be: the gate is only as good as what
//! it holds a run against.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Result, anyhow};
use serde::Deserialize;
use toml::Spanned;

use antipode_reports::bench::{BASELINE_SCHEMA as SCHEMA, Baseline};
use antipode_reports::text::read_text;

use crate::document::{Document, DocumentError, nearest};

/// Reads a baseline.
///
/// # Errors
/// A file of another schema, which is named, or that is no baseline; with line and column.
pub fn read(path: &Path) -> Result<Baseline> {
    let name = path.display();
    let text = read_text(path).map_err(|error| {
        let make = match error.kind() {
            ErrorKind::NotFound => "; make one by --update --suite SUITE.toml --reason TEXT",
            _ => "",
        };
        anyhow!("cannot read the baseline {name}: {error}{make}")
    })?;
    Ok(parse(&name.to_string(), &text)?)
}

/// Whether a file is plainly a baseline of another schema, whose fields nobody here knows:
/// nothing can be kept of it.
#[must_use]
pub fn is_of_another_schema(path: &Path) -> bool {
    let found = read_text(path).ok();
    let found = found.and_then(|text| toml::from_str::<Versioned>(&text).ok()?.number());
    found.is_some_and(|found| found != i64::from(SCHEMA))
}

/// What every schema has.
#[derive(Deserialize)]
struct Versioned {
    schema: Option<Spanned<toml::Value>>,
}

impl Versioned {
    fn number(&self) -> Option<i64> {
        self.schema.as_ref()?.get_ref().as_integer()
    }
}

/// What more is asked of than its type, with its place.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Places {
    reference: Spanned<String>,
    limit: Spanned<f64>,
    counter_limit: Spanned<f64>,
    row: Vec<RowPlaces>,
}

#[derive(Deserialize)]
struct RowPlaces {
    name: Spanned<String>,
    answer: Spanned<String>,
    ratio: Option<Spanned<f64>>,
    interval: Option<Spanned<Vec<f64>>>,
}

/// What is wrong, and where.
type Fault = (usize, String);

/// Ends of an interval are written rounded.
const ROUNDED: f64 = 1e-2;

/// What helps where a figure was changed by hand.
const RESTORE: &str = "put it back, or move the file away and make it anew by --update";

fn parse(file: &str, text: &str) -> Result<Baseline, DocumentError> {
    let document = Document { file, text };
    // Before anything else is read: another schema has other fields.
    let version: Versioned = document.read()?;
    let Some(schema) = &version.schema else {
        return Err(document.fault(0, "no baseline: it has no 'schema'"));
    };
    let number = version.number();
    if number != Some(i64::from(SCHEMA)) {
        let found = number.map_or_else(|| "unknown".to_owned(), |number| number.to_string());
        let message = format!(
            "a baseline of schema {found}, where this version reads schema {SCHEMA}; renew it: antipode regress --baseline {file} --update --suite SUITE.toml --reason TEXT"
        );
        return Err(document.fault(schema.span().start, message));
    }
    let baseline: Baseline = document.read()?;
    if baseline.row.is_empty() {
        return Err(document.fault(0, "there is no [[row]]: nothing to hold a run against"));
    }
    let places: Places = document.read()?;
    match fault(&places) {
        Some((at, message)) => Err(document.fault(at, message)),
        None => Ok(baseline),
    }
}

fn fault(places: &Places) -> Option<Fault> {
    for (key, limit) in [
        ("limit", &places.limit),
        ("counter-limit", &places.counter_limit),
    ] {
        let found = *limit.get_ref();
        if !(found.is_finite() && found >= 1.0) {
            let message = format!("'{key}' takes a number of 1 or more, not {found}");
            return Some((limit.span().start, message));
        }
    }
    let reference = places.reference.get_ref();
    let names = || places.row.iter().map(|row| row.name.get_ref().as_str());
    if !reference.is_empty() && !names().any(|name| name == reference) {
        let near = nearest(reference, names());
        let message = format!("the reference '{reference}' is no row of this baseline; {near}");
        return Some((places.reference.span().start, message));
    }
    places.row.iter().enumerate().find_map(|(at, row)| {
        match names().take(at).any(|name| name == row.name.get_ref()) {
            true => {
                let message = format!("a second row named '{}'", row.name);
                Some((row.name.span().start, message))
            }
            false => row_fault(row, reference),
        }
    })
}

fn row_fault(row: &RowPlaces, reference: &str) -> Option<Fault> {
    let name = row.name.get_ref();
    if row.answer.get_ref().is_empty() {
        let message = "an empty answer would match nothing".to_owned();
        return Some((row.answer.span().start, message));
    }
    let has_ratio = !reference.is_empty() && name != reference;
    let Some(ratio) = &row.ratio else {
        let message = format!(
            "row '{name}' has no 'ratio', so its time would not be held against anything; {RESTORE}"
        );
        return has_ratio.then_some((row.name.span().start, message));
    };
    let (at, ratio) = (ratio.span().start, *ratio.get_ref());
    if !has_ratio {
        let message = "ratios are those of other rows to the reference row; leave it out";
        return Some((at, message.to_owned()));
    }
    if !(ratio.is_finite() && ratio > 0.0) {
        let message = format!("'ratio' takes a number above 0, not {ratio}");
        return Some((at, message));
    }
    let interval = row.interval.as_ref()?;
    let (low, high) = match interval.get_ref()[..] {
        [low, high] if 0.0 < low && low <= high && high.is_finite() => (low, high),
        _ => {
            let found = interval.get_ref();
            let message =
                format!("'interval' takes two numbers above 0, the lower first, not {found:?}");
            return Some((interval.span().start, message));
        }
    };
    let is_within = low * (1.0 - ROUNDED) <= ratio && ratio <= high * (1.0 + ROUNDED);
    (!is_within).then(|| {
        let message =
            format!("the ratio {ratio} does not lie in its interval, {low} to {high}; {RESTORE}");
        (at, message)
    })
}
