//! The parameters and values of each derivation, from `data/derivations.txt`: a line `PUZZLE NAME
//! VALUE`, with `KEY=VALUES` for each parameter. VALUE is `number`, `holds` or `text`, several with
//! `|`. VALUES are words separated by `|`, the first of which is the default; or bounds (`0..9`), a
//! list of numbers within bounds (`0..,64`), or `<instance>`. Each of these is followed by `:` and
//! the default. A key alone takes any text. The unit of a number follows a colon after VALUE, with `_`
//! for a blank, or `{KEY}` for the parameter that names it, or `{KEY=UNITS}` with one for each word.

use super::Parameters;
use crate::case::Case;
use crate::rules::{Settings, open};
use crate::shown::{OrWrong, Stop};
use crate::verdict::number;

const TABLE: &str = include_str!("../../data/derivations.txt");

fn declared(puzzle: &str, what: &str) -> Result<(&'static str, Vec<&'static str>), Stop> {
    let own = |line: &'static str| line.strip_prefix(puzzle)?.strip_prefix(' ');
    let mut of_puzzle = TABLE.lines().filter_map(own);
    let known = of_puzzle.clone().next().is_some();
    known.or_unknown("no derivation of this puzzle is known here")?;
    let own = of_puzzle.find_map(|line| line.strip_prefix(what)?.strip_prefix(' '));
    let mut words = own.ok_or(format!("{puzzle} derives no {what}"))?.split(' ');
    let value = words.next().unwrap_or_default();
    Ok((value, words.collect()))
}

/// The value of a parameter that is given as a text, numbers without blanks and zeros at their front;
/// `None` if it cannot be this text.
fn taken(puzzle: &str, values: &str, text: &str) -> Option<String> {
    let values = values.split(':').next().unwrap_or_default();
    let Some((least, most)) = values.split_once("..") else {
        let takes = match values {
            "" => true,
            "<instance>" => open(puzzle, text, &Settings::new()).is_some(),
            words => words.split('|').any(|word| word == text),
        };
        return takes.then(|| text.to_owned());
    };
    let (most, count) = most.split_once(',').unwrap_or((most, "1"));
    let bound = |text: &str, usual: u64| text.parse().unwrap_or(usual);
    let within = bound(least, 0)..=bound(most, u64::MAX);
    let number = |text: &str| text.trim().parse().ok().filter(|n| within.contains(n));
    let numbers: Vec<u64> = text.split(',').map(number).collect::<Option<_>>()?;
    let numbers = Some(numbers).filter(|all| all.len() as u64 <= bound(count, 1))?;
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    Some(numbers.join(","))
}

/// The unit of a value with some parameters; empty if it has none.
fn unit(value: &str, keys: &[&str], parameters: &Parameters) -> String {
    let unit = value.split_once(':').map_or("", |(_, unit)| unit);
    let named = unit.trim_matches(['{', '}']);
    let (key, units) = named.split_once('=').unwrap_or((named, ""));
    let word = parameters.text(key, "");
    let unit = match unit.starts_with('{') {
        false => unit,
        true if units.is_empty() => word,
        true => {
            let words = keys
                .iter()
                .find_map(|own| own.strip_prefix(key)?.strip_prefix('='));
            let mut pairs = words.unwrap_or_default().split('|').zip(units.split('|'));
            pairs.find(|pair| pair.0 == word).map_or("", |pair| pair.1)
        }
    };
    unit.replace('_', " ")
}

fn usual(values: &str) -> Option<&str> {
    let first = values.split(['|', ':']).next()?;
    match (values.split_once(':'), first.split_once("..")) {
        (Some((_, usual)), _) => Some(usual),
        (_, Some((_, most))) if most.contains(',') => None,
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
    let (value, declared) = declared(puzzle, what)?;
    let keys = declared.iter();
    let keys = keys.map(|key| key.split_once('=').unwrap_or((key, "")));
    let mut all = Settings::new();
    for (key, text) in &given {
        let values = keys.clone().find(|known| known.0 == key);
        let values = values.ok_or(format!("{what} takes no parameter {key}"))?.1;
        let taken = taken(puzzle, values, text).ok_or(format!("{what}: {key} is no {text}"))?;
        all.insert(key.clone(), taken);
    }
    for (key, values) in keys {
        let usual = usual(values).filter(|_| !given.contains_key(key));
        all.extend(usual.map(|value| (key.to_owned(), value.to_owned())));
    }
    let parameters = Parameters(all);
    let unit = unit(value, &declared, &parameters);
    let own = case.unit.is_empty() || case.unit == unit;
    let said = &case.unit;
    own.or_wrong(format!("{what} gives a figure in {unit:?}, not {said:?}"))?;
    let sorts = value.split(':').next().unwrap_or_default();
    let can = |sort: &str| sorts.split('|').any(|one| one == sort);
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
