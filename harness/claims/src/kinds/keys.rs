//! Keys that only some kinds have, read from a claim's table.

use antipode_search::engine::QuestionKind;
use antipode_search::registry::EngineId;
use toml::Value;

use super::{Effort, KeyFault};
use crate::field::{Choice, DEEPEST, Field, Takes};
use crate::spec::{Case, Compare};

pub(super) const INSTANCE: Field = Field::new(
    "instance",
    Takes::Text,
    "\"card-7\"",
    "The instance that it is about; `antipode list PUZZLE` shows all.",
);
pub(super) const SETTINGS: Field = Field::new(
    "settings",
    Takes::Settings,
    "{ metric = \"step\" }",
    "Settings that the instance is opened with, as by --set.",
);
pub(super) const BOARD: Field = Field::new(
    "board",
    Takes::Text,
    "\"...../...../..O../..g../....b\"",
    "The state that it is about, in place of the instance's start; needed where there is none. Rows joined by /, or a name such as goal, as `antipode list PUZZLE` shows them.",
);
pub(super) const CLAIMED: Field = Field::new(
    "claimed",
    Takes::Figure,
    "12",
    "The published figure, with the digits that were printed (at most 12, unless it is whole); ',' or '_' between groups of three.",
);
pub(super) const COMPARE: Field = Field::new(
    "compare",
    Takes::OneOf(Choice::Compare(&Compare::ALL)),
    "\"equal\"",
    "How the figure found is compared with the one claimed [default: equal].",
);
pub(super) const WITHIN: Field = Field::new(
    "within",
    Takes::Share,
    "0.05",
    "Relative tolerance, only with compare = \"about\" [default: the digits printed, or 5 %].",
);
pub(super) const UNIT: Field = Field::new(
    "unit",
    Takes::Words(3),
    "\"bits\"",
    "Unit of both figures, which is the one of the count or the derivation; a claim in another unit is refused.",
);
pub(super) const MAX_DEPTH: Field = Field::new(
    "max_depth",
    Takes::Depth,
    "{ quick = 20, full = 60 }",
    "The search goes no deeper; what lies beyond is not reached.",
);
pub(super) const LEVELS: Field = Field::new(
    "levels",
    Takes::Range,
    "[1, 10]",
    "First and last of the levels that it is about.",
);
pub(super) const LEVEL_ENGINE: Field = Field::new(
    "engine",
    Takes::OneOf(Choice::LevelEngine),
    "\"hash\"",
    "The search strategy [default: hash].",
);
pub(super) const PATH_ENGINE: Field = Field::new(
    "engine",
    Takes::OneOf(Choice::PathEngine),
    "\"bidirectional\"",
    "The search strategy: one breadth first is compared with a search on the rulebook [default: breadth first on the rulebook and on the fast variant].",
);
pub(super) const TO: Field = Field::new(
    "to",
    Takes::Text,
    "\".....\"",
    "Where the path ends, in place of any solved state; written as `board`.",
);
pub(super) const PATH: Field = Field::new(
    "path",
    Takes::Text,
    "\"t up 1, a left 2\"",
    "Moves of a path from the start, by the names that the puzzle gives them, with commas or ends of lines between, or blanks where no name has one: it is played on the rulebook, nothing is searched, and one that leads elsewhere is refuted.",
);

/// A board of Rush Hour's card 1, and a solved one reachable from it, for templates.
pub(super) const CARD_1: (&str, &str) = ("board", "\"..D.BB/..D.../AAD.../CCC..E/.....E/.....E\"");
pub(super) const CARD_1_SOLVED: (&str, &str) =
    ("to", "\"..DBB./..D.../..D.AA/..CCCE/.....E/.....E\"");

/// A key is missing.
pub(super) fn lacks(case: &Case, key: &str) -> KeyFault {
    (None, format!("claim '{}' lacks the field '{key}'", case.id))
}

/// A key has a value of the wrong type.
pub(super) fn wrong(case: &Case, key: &str, what: &str) -> KeyFault {
    let found = case.own.get(key).map(ToString::to_string);
    let found = found.unwrap_or_default();
    let line = format!("claim '{}': {key} = {found} is not {what}", case.id);
    (Some(key.to_owned()), line)
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

/// A whole number of at most `most`, for an effort, if one is given.
pub(super) fn number(
    case: &Case,
    key: &str,
    effort: Effort,
    most: u64,
) -> Result<Option<u64>, KeyFault> {
    let Some(value) = by_effort(case, key, effort)? else {
        return Ok(None);
    };
    let number = value.as_integer().and_then(|n| u64::try_from(n).ok());
    let number = number.filter(|&number| number <= most);
    let what = format!("a whole number from 0 to {most}");
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
    let depth = number(case, "max_depth", effort, DEEPEST)?;
    Ok(depth.map(|depth| depth as u16))
}

/// Unit of a length: several puzzles count moves in steps if `metric` says so.
pub(super) fn unit_of_length(case: &Case) -> &'static str {
    match case.settings.get("metric").map(String::as_str) {
        Some("step") => "steps",
        _ => "moves",
    }
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
    engine.transpose().map_err(|line| {
        let line = format!("claim '{}': {line}", case.id);
        (Some("engine".to_owned()), line)
    })
}
