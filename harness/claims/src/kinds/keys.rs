//! Keys that only some kinds have, read from a claim's table.

use std::ops::RangeInclusive;

use antipode_search::engine::QuestionKind;
use antipode_search::registry::EngineId;
use toml::Value;

use super::{Effort, KeyFault};
use crate::field::DEEPEST;
use crate::source::ClaimSource;
use crate::spec::Case;

/// A key is missing.
pub(super) fn lacks(case: &Case, key: &str) -> KeyFault {
    (None, format!("claim '{}' lacks the field '{key}'", case.id))
}

/// A key has a value of the wrong type.
pub(super) fn wrong(case: &Case, key: &str, what: &str) -> KeyFault {
    let found = case.own.get(key).map(ToString::to_string);
    let found = found.unwrap_or_default();
    (
        Some(key.to_owned()),
        format!("{key} = {found} is not {what}"),
    )
}

/// A text that was found well written when the file was read.
pub(super) fn known<'a>(case: &'a Case, key: &str) -> Option<&'a str> {
    case.own.get(key).and_then(Value::as_str)
}

/// A value that may differ by effort: `V`, or `{ quick = V, full = V }` with either left out.
fn by_effort(case: &Case, key: &str, effort: Effort) -> Result<Option<Value>, KeyFault> {
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

/// A whole number of some range, for an effort, if one is given.
pub(super) fn number(
    case: &Case,
    key: &str,
    effort: Effort,
    range: RangeInclusive<u64>,
) -> Result<Option<u64>, KeyFault> {
    let Some(value) = by_effort(case, key, effort)? else {
        return Ok(None);
    };
    let number = value.as_integer().and_then(|n| u64::try_from(n).ok());
    let number = number.filter(|number| range.contains(number));
    let what = format!("a whole number from {} to {}", range.start(), range.end());
    number
        .map(Some)
        .ok_or_else(|| of_effort(case, key, effort, wrong(case, key, &what)))
}

/// The error of a key, at the place of an effort if it has a value for each.
fn of_effort(case: &Case, key: &str, effort: Effort, (_, line): KeyFault) -> KeyFault {
    let key = match case.own.get(key) {
        Some(Value::Table(_)) => format!("{key}.{}", effort.name()),
        _ => key.to_owned(),
    };
    (Some(key), line)
}

/// The greatest depth to search to, for an effort, if the claim has a bound.
pub(super) fn max_depth(case: &Case, effort: Effort) -> Result<Option<u16>, KeyFault> {
    let depth = number(case, "max_depth", effort, 0..=DEEPEST)?;
    Ok(depth.map(|depth| depth as u16))
}

/// Unit of a length.
pub(super) fn unit_of_length(source: &ClaimSource, case: &Case) -> &'static str {
    let library = source.library.as_ref();
    library.map_or("moves", |library| library.unit(&case.settings))
}

/// First and last of a range of levels, for an effort, if one is given.
pub(super) fn levels(case: &Case, effort: Effort) -> Result<Option<(u16, u16)>, KeyFault> {
    let fault = || {
        let fault = wrong(case, "levels", "two depths, such as [31, 45]");
        of_effort(case, "levels", effort, fault)
    };
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

/// Checks the values for both efforts.
pub(super) fn for_both<T>(read: impl Fn(Effort) -> Result<T, KeyFault>) -> Result<(), KeyFault> {
    read(Effort::Quick)?;
    read(Effort::Full).map(drop)
}

/// An engine for levels, if one is named.
pub(super) fn engine(case: &Case) -> Result<Option<EngineId>, KeyFault> {
    named(case, QuestionKind::Levels)
}

/// An engine for a path, if one is named.
pub(super) fn path_engine(case: &Case) -> Result<Option<EngineId>, KeyFault> {
    named(case, QuestionKind::Path)
}

fn named(case: &Case, kind: QuestionKind) -> Result<Option<EngineId>, KeyFault> {
    let name = self::known(case, "engine");
    let engine = name.map(|name| EngineId::named(name, kind));
    engine
        .transpose()
        .map_err(|line| (Some("engine".to_owned()), line))
}
