//! Keys that kinds have of their own, read from a claim's table.

use antipode_search::engine::Kind;
use antipode_search::registry::EngineId;
use toml::Value;

use super::{Effort, Fault};
use crate::ask::Finder;
use crate::spec::Case;

/// A key is missing.
pub(super) fn lacks(case: &Case, key: &str) -> Fault {
    (None, format!("claim '{}' lacks the field '{key}'", case.id))
}

/// A key holds something else than it should.
pub(super) fn wrong(case: &Case, key: &str, what: &str) -> Fault {
    let found = case.own.get(key).map(ToString::to_string);
    let found = found.unwrap_or_default();
    let line = format!("claim '{}': {key} = {found} is not {what}", case.id);
    (Some(key.to_owned()), line)
}

/// A text, where one is given.
pub(super) fn text<'a>(case: &'a Case, key: &str) -> Result<Option<&'a str>, Fault> {
    let given = case.own.get(key);
    given
        .map(|value| value.as_str().ok_or_else(|| wrong(case, key, "a text")))
        .transpose()
}

/// A text that must be given.
pub(super) fn required<'a>(case: &'a Case, key: &str) -> Result<&'a str, Fault> {
    text(case, key)?.ok_or_else(|| lacks(case, key))
}

/// A text that was found well written when the file was read.
pub(super) fn known<'a>(case: &'a Case, key: &str) -> Option<&'a str> {
    case.own.get(key).and_then(Value::as_str)
}

/// A value that may differ by effort: `V`, or `{ quick = V, full = V }` with either left out.
fn by_effort(case: &Case, key: &str, effort: Effort) -> Result<Option<Value>, Fault> {
    let Some(value) = case.own.get(key) else {
        return Ok(None);
    };
    let Value::Table(table) = value else {
        return Ok(Some(value.clone()));
    };
    if table.keys().any(|key| key != "quick" && key != "full") {
        return Err(wrong(case, key, "of the form { quick = …, full = … }"));
    }
    Ok(table.get(effort.name()).cloned())
}

/// A whole number of at most `most`, for an effort, where one is given.
pub(super) fn number(
    case: &Case,
    key: &str,
    effort: Effort,
    most: u64,
) -> Result<Option<u64>, Fault> {
    let Some(value) = by_effort(case, key, effort)? else {
        return Ok(None);
    };
    let number = value.as_integer().and_then(|n| u64::try_from(n).ok());
    let number = number.filter(|&number| number <= most);
    let what = format!("a whole number from 0 to {most}");
    number.map(Some).ok_or_else(|| wrong(case, key, &what))
}

/// Levels that a depth can count.
const DEEPEST: u64 = u16::MAX as u64 - 2;

/// The greatest depth to search to, for an effort, where the claim has a bound.
pub(super) fn max_depth(case: &Case, effort: Effort) -> Result<Option<u16>, Fault> {
    let depth = number(case, "max_depth", effort, DEEPEST)?;
    Ok(depth.map(|depth| depth as u16))
}

/// First and last of a range of levels, for an effort, where one is given.
pub(super) fn levels(case: &Case, effort: Effort) -> Result<Option<(u16, u16)>, Fault> {
    let fault = || wrong(case, "levels", "two depths, such as [31, 45]");
    let Some(value) = by_effort(case, "levels", effort)? else {
        return Ok(None);
    };
    let depth = |value: &Value| {
        let depth = value.as_integer().and_then(|n| u64::try_from(n).ok());
        depth.filter(|&n| n <= DEEPEST).map(|n| n as u16)
    };
    match value.as_array().map(Vec::as_slice) {
        Some([first, last]) => match (depth(first), depth(last)) {
            (Some(first), Some(last)) if first <= last => Ok(Some((first, last))),
            _ => Err(fault()),
        },
        _ => Err(fault()),
    }
}

/// Looks at what both efforts say.
pub(super) fn for_both<T>(read: impl Fn(Effort) -> Result<T, Fault>) -> Result<(), Fault> {
    read(Effort::Quick)?;
    read(Effort::Full).map(drop)
}

/// An engine for levels, where one is named.
pub(super) fn engine(case: &Case) -> Result<Option<EngineId>, Fault> {
    named(case, |name| EngineId::named(name, Kind::Levels))
}

/// An engine for a path, where one is named.
pub(super) fn finder(case: &Case) -> Result<Option<Finder>, Fault> {
    named(case, str::parse)
}

fn named<T>(
    case: &Case,
    known: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, Fault> {
    let name = text(case, "engine")?;
    name.map(known).transpose().map_err(|line| {
        let line = format!("claim '{}': {line}", case.id);
        (Some("engine".to_owned()), line)
    })
}
