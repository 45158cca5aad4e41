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

/// A value that may differ by effort, if one is given: `V`, or `{ quick = V, full = V }` with either
/// left out.
fn read<T>(
    case: &Case,
    key: &str,
    effort: Effort,
    what: &str,
    of: impl Fn(&Value) -> Option<T>,
) -> Result<Option<T>, KeyFault> {
    let (value, at) = match case.own.get(key) {
        Some(Value::Table(table)) => {
            let at = format!("{key}.{}", effort.name());
            (table.get(effort.name()), at)
        }
        value => (value, key.to_owned()),
    };
    let read = value.map(|value| of(value).ok_or_else(|| (Some(at), wrong(case, key, what).1)));
    read.transpose()
}

fn within(value: &Value, range: &RangeInclusive<u64>) -> Option<u64> {
    let number = value.as_integer().and_then(|n| u64::try_from(n).ok());
    number.filter(|number| range.contains(number))
}

/// A whole number of some range, for an effort, if one is given.
pub(super) fn number(
    case: &Case,
    key: &str,
    effort: Effort,
    range: RangeInclusive<u64>,
) -> Result<Option<u64>, KeyFault> {
    let what = format!("a whole number from {} to {}", range.start(), range.end());
    read(case, key, effort, &what, |value| within(value, &range))
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
    let what = "two depths, such as [31, 45]";
    read(case, "levels", effort, what, |value| {
        let [first, last] = &value.as_array()?[..] else {
            return None;
        };
        let [first, last] = [first, last].map(|depth| within(depth, &(0..=DEEPEST)));
        let (first, last) = (first? as u16, last? as u16);
        (first <= last).then_some((first, last))
    })
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
