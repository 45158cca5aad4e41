//! The parameters and values of each derivation, from `data/derivations.txt`: a line `PUZZLE NAME
//! VALUE`, with `KEY=VALUES` for each parameter. VALUE is `number`, `holds` or `text`, several with
//! `|`. VALUES are words separated by `|`, the first of which is the default; or bounds (`0..9`), a
//! list of numbers within bounds (`0..,64`), or `<instance>`. Each of these is followed by `:` and
//! the default. A key alone takes any text.

use super::Parameters;
use crate::case::Case;
use crate::rules::{Settings, open};
use crate::shown::{OrWrong, Stop};
use crate::verdict::number;

const TABLE: &str = include_str!("../../data/derivations.txt");

/// The value of a derivation, and its parameters.
fn declared(puzzle: &str, what: &str) -> Result<(&'static str, Vec<&'static str>), Stop> {
    let mut of_puzzle = TABLE
        .lines()
        .filter_map(|line| line.strip_prefix(puzzle)?.strip_prefix(' '));
    let known = of_puzzle.clone().next().is_some();
    known.or_unknown("no derivation of this puzzle is known here")?;
    let own = of_puzzle.find_map(|line| line.strip_prefix(what)?.strip_prefix(' '));
    let mut words = own.ok_or(format!("{puzzle} derives no {what}"))?.split(' ');
    let value = words.next().unwrap_or_default();
    Ok((value, words.collect()))
}

/// Whether a parameter can be a text.
fn takes(puzzle: &str, values: &str, text: &str) -> bool {
    let values = values.split(':').next().unwrap_or_default();
    let Some((least, most)) = values.split_once("..") else {
        return match values {
            "" => true,
            "<instance>" => open(puzzle, text, &Settings::new()).is_some(),
            words => words.split('|').any(|word| word == text),
        };
    };
    let (most, count) = most.split_once(',').unwrap_or((most, "1"));
    let bound = |text: &str, usual: u64| text.parse().unwrap_or(usual);
    let within = bound(least, 0)..=bound(most, u64::MAX);
    let numbers = text.split(',').map(|text| text.trim().parse::<u64>());
    numbers.clone().count() as u64 <= bound(count, 1)
        && numbers
            .into_iter()
            .all(|number| number.is_ok_and(|n| within.contains(&n)))
}

/// The default of a parameter.
fn usual(values: &str) -> Option<&str> {
    let first = values.split(['|', ':']).next()?;
    let least = first
        .split_once("..")
        .map(|(least, most)| (least, most.contains(',')));
    match (values.split_once(':'), least) {
        (Some((_, usual)), _) => Some(usual),
        (_, Some((_, true))) => None,
        (_, Some((least, _))) => Some(least),
        _ => Some(first).filter(|first| !first.is_empty()),
    }
}

/// The parameters of a derivation, if they accept the given ones, its value can be compared with
/// the claim, and it covers the claim's instance.
pub(super) fn parameters(
    puzzle: &str,
    case: &Case,
    what: &str,
    given: Settings,
) -> Result<Parameters, Stop> {
    let (value, keys) = declared(puzzle, what)?;
    let keys = keys
        .iter()
        .map(|key| key.split_once('=').unwrap_or((key, "")));
    let mut all = Settings::new();
    for (key, text) in &given {
        let values = keys.clone().find(|known| known.0 == key);
        let values = values.ok_or(format!("{what} takes no parameter {key}"))?.1;
        takes(puzzle, values, text).or_wrong(format!("{what}: {key} is no {text}"))?;
    }
    for (key, values) in keys {
        let value = given.get(key).map(String::as_str).or(usual(values));
        all.extend(value.map(|value| (key.to_owned(), value.to_owned())));
    }
    let parameters = Parameters(all);
    let can = |sort: &str| value.split('|').any(|one| one == sort);
    let fits = match (case.compare.as_str(), number(&case.claimed)) {
        ("report", _) => true,
        ("holds", _) => can("holds"),
        (_, Some(_)) => can("number"),
        (compare, None) => can("text") && compare == "equal",
    };
    fits.or_wrong(format!("{what} gives nothing to compare it with"))?;
    let own = |instance: &String| instances(puzzle, what, &parameters).contains(&instance.as_str());
    let speaks = case.instance.as_ref().is_none_or(own);
    speaks.or_wrong(format!("{what} speaks of another instance"))?;
    Ok(parameters)
}

/// The instances that a derivation covers.
fn instances<'a>(puzzle: &str, what: &str, parameters: &'a Parameters) -> Vec<&'a str> {
    let board = parameters.text("board", "");
    match (puzzle, what) {
        ("tilt", "row-predecessors" | "corner-predecessors" | "printed") => vec![],
        ("tilt", "dropped-by-symmetry") if parameters.text("boards", "") == "any" => vec![],
        ("tilt", _) => vec!["box"],
        ("coin-sliding", "memory") => match parameters.text("what", "") {
            "byte-a-rank" => vec!["5x9"],
            _ => vec!["5x7"],
        },
        ("coin-sliding", "piece-ranks" | "popcnt" | "lookup-rows" | "lookup-join") => vec!["5x9"],
        ("coin-sliding", "puzzles" | "glyphs" | "circles") => vec!["5x7", "5x9"],
        ("peg-solitaire", "solution") => match parameters.text("name", "") {
            "bergholt" => vec!["english-33"],
            _ => vec!["diamond-41"],
        },
        ("peg-solitaire", _) if board.is_empty() => vec!["diamond-41"],
        ("sliding-block", _) if board.is_empty() => vec!["climb-pro-24"],
        ("simple-block", _) => vec![],
        _ => vec![board],
    }
}
