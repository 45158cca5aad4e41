//! The keys that a claim's own lines may have, the values of each, and figures that can be
//! compared. What `certify` refuses is refused here too, so that no line is read as if it were not
//! there.

use serde_json::Value;

use crate::case::{Case, by_effort};
use crate::counts;
use crate::shown::list;
use crate::toml::Table;
use crate::verdict::{number, whole};

/// Keys of every claim: `!` marks a required key, and its type follows the colon.
const OF_CLAIM: &str = "id!:id source!:text section:text url:url quote:15-words \
    origin:published|ours statement!:text kind:kind instances:texts effort:quick|full \
    expect!:verdict expect_quick:verdict hardware:text text:at-hand note:text";

/// Keys of every reading.
const OF_READING: &str =
    "name!:text statement!:text kind:kind expect:verdict expect_quick:verdict note:text";

/// Keys of a kind; `None` if there is no such kind.
fn of_kind(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "length" => {
            "instance!:text claimed!:figure compare:equal|at-most|at-least|report board:text \
             settings:settings to:text engine:path max_depth:depth path:text"
        }
        "solvable" | "unreachable" => {
            "instance!:text board:text settings:settings to:text engine:path max_depth:depth"
        }
        "levels" => {
            "instance!:text levels!:range claimed!:sizes board:text settings:settings \
             engine:levels max_depth:depth"
        }
        "count" => {
            "instance!:text count!:count claimed:figure \
             compare:equal|about|magnitude|at-most|at-least|report within:share unit:3-words \
             board:text settings:settings engine:path|levels direction:forward|backward \
             max_depth:depth levels:range"
        }
        "hardest" => "instance!:text board!:text claimed:figure settings:settings",
        "lengths" => "instance!:text table!:text refuted:texts budget:whole settings:settings",
        "derived" => {
            "derive!:text parameters:settings instance:text claimed:figure \
             compare:equal|about|magnitude|at-most|at-least|holds|report within:share unit:3-words"
        }
        _ => return None,
    })
}

/// Keys of every claim, whatever its kind.
const SHARED: [&str; 7] = [
    "instance", "settings", "board", "claimed", "compare", "within", "unit",
];

/// A key, whether it is required, and the type of its value.
type Key = (&'static str, bool, &'static str);

fn keys(all: &'static str) -> impl Iterator<Item = Key> {
    all.split_whitespace().map(|key| {
        let (name, holds) = key.split_once(':').unwrap_or((key, "text"));
        (name.trim_end_matches('!'), name.ends_with('!'), holds)
    })
}

/// The keys of one kind alone, in a certificate's `own`.
pub fn own_keys(kind: &str) -> Result<impl Iterator<Item = &'static str>, String> {
    let all = of_kind(kind).ok_or(format!("no kind of claim {kind:?} is known here"))?;
    let names = keys(all).map(|key| key.0);
    Ok(names.filter(|name| !SHARED.contains(name)))
}

/// Whether a kind has a key.
pub fn has_key(kind: &str, key: &str) -> bool {
    keys(of_kind(kind).unwrap_or_default()).any(|known| known.0 == key)
}

pub const VERDICTS: &str = "confirmed confirmed-by-sample refuted refuted-by-sample ambiguous \
    not-reached reported";

/// Strategies that find a path, and those that find levels.
const FOR_PATHS: &str = "reference hash dense disk sweep bidirectional beam dfs ida orbits cluster";
const FOR_LEVELS: &str = "reference hash dense disk sweep cluster gpu";

/// Whether an engine can answer a reading: the one that its lines name, or a default.
pub fn answers(case: &Case, engine: &str) -> bool {
    let named = case.text("engine");
    match case.kind.as_str() {
        "derived" => engine == "derivation",
        "lengths" => engine == "pairs",
        _ if !case.is_of_path() => {
            let mut engines = named.unwrap_or(FOR_LEVELS).split(' ');
            engines.any(|own| own == engine)
        }
        _ => {
            let due = match named {
                _ if case.text("path").is_some() => "path",
                Some(own @ ("disk" | "dfs" | "beam" | "ida")) => own,
                Some("cluster") if engine == "cluster" => engine,
                _ => "forward search",
            };
            [due, "proof"].contains(&engine)
        }
    }
}

/// Encodings of the puzzles in [`PUZZLES`](crate::rules::PUZZLES).
pub const VARIANTS: [&str; 2] = ["bitboard", "reference"];

/// Whether a search can have used a variant: none, an encoding, or several joined by ` and `. If
/// the engines differ, each is `ENGINE on ENCODING`.
pub fn is_variant(text: &str) -> bool {
    let among = |all: &str, name: &str| all.split(' ').any(|known| known == name);
    let engine = |name: &str| among(FOR_PATHS, name) || among(FOR_LEVELS, name);
    let known = |one: &str| match one.split_once(" on ") {
        Some((name, encoding)) => engine(name) && VARIANTS.contains(&encoding),
        None => VARIANTS.contains(&one),
    };
    text.is_empty() || text.split(" and ").all(known)
}

/// The deepest level that a search may have.
const DEEPEST: u64 = u16::MAX as u64 - 2;

/// Whether a value has the type of its key.
fn holds(what: &str, value: &Value) -> bool {
    let text = value.as_str();
    let one_of = |words: &str| text.is_some_and(|text| words.split(' ').any(|word| word == text));
    let all = |is: fn(&Value) -> bool| value.as_array().is_some_and(|all| all.iter().all(is));
    let depth = |value: &Value| value.as_u64().filter(|&depth| depth <= DEEPEST);
    let each = |is: &dyn Fn(&Value) -> bool| match value.as_object() {
        Some(both) => both
            .iter()
            .all(|(effort, value)| ["quick", "full"].contains(&effort.as_str()) && is(value)),
        None => is(value),
    };
    match what {
        "text" => text.is_some(),
        "id" => text.is_some_and(|id| {
            let plain = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
            (1..=100).contains(&id.len()) && id.bytes().all(plain) && id != "manifest"
        }),
        "url" => text.is_some_and(|url| {
            let rest = url.strip_prefix("https://").or(url.strip_prefix("http://"));
            let odd = |c: char| c.is_whitespace() || c.is_control() || "<>\"".contains(c);
            rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(odd))
        }),
        "15-words" => text.is_some_and(|text| text.split_whitespace().count() <= 15),
        "3-words" => text.is_some_and(|text| text.split_whitespace().count() <= 3),
        "texts" => all(Value::is_string),
        "settings" => {
            let all = value.as_object();
            all.is_some_and(|all| all.values().all(Value::is_string))
        }
        "figure" => text.is_some(),
        "sizes" => text.is_some() || all(Value::is_string),
        "share" => value
            .as_f64()
            .is_some_and(|share| share > 0.0 && share <= 0.5),
        "whole" => each(&|value| value.as_i64().is_some_and(|number| number > 0)),
        "depth" => each(&|value| depth(value).is_some()),
        "range" => each(&|value| match list(value) {
            [first, last] => depth(first).is_some() && depth(first) <= depth(last),
            _ => false,
        }),
        "count" => text.is_some_and(|name| counts::known(name).is_some()),
        "kind" => text.is_some_and(|kind| of_kind(kind).is_some()),
        "verdict" => one_of(VERDICTS),
        "path" => one_of(FOR_PATHS),
        "levels" => one_of(FOR_LEVELS),
        words => words.split('|').any(|word| match word {
            "path" | "levels" => holds(word, value),
            word => text == Some(word),
        }),
    }
}

/// Checks the keys of a claim and of its readings: that each is a known one, that its value is
/// allowed, and that none is missing.
pub fn keys_of(claim: &Table, readings: &[Table]) -> Result<(), String> {
    let kind = |table: &Table| -> Result<Option<String>, String> {
        let kind = table.get("kind");
        let known = kind.is_none_or(|kind| holds("kind", kind));
        let text = kind.and_then(Value::as_str).map(str::to_owned);
        known
            .then_some(text)
            .ok_or("there is no such kind of claim".to_owned())
    };
    let own = kind(claim)?;
    let mut kinds = Vec::new();
    for reading in readings {
        let kind = kind(reading)?.or(own.clone());
        let kind = kind.ok_or("a reading has no kind")?;
        fit(reading, OF_READING, &[&kind])?;
        kinds.push(kind);
    }
    if readings.is_empty() {
        kinds.push(own.ok_or("kind is missing")?);
    }
    let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
    fit(claim, OF_CLAIM, &kinds)
}

/// Checks that the keys of a table are those of all tables, or of one of some kinds.
fn fit(table: &Table, all: &'static str, kinds: &[&str]) -> Result<(), String> {
    let of_kinds = kinds.iter().filter_map(|kind| of_kind(kind)).flat_map(keys);
    let known: Vec<Key> = keys(all).chain(of_kinds).collect();
    for (name, value) in table {
        let mut named = known.iter().filter(|key| key.0 == name).peekable();
        named.peek().ok_or(format!("{name} is no key of it"))?;
        let fits = named.any(|key| holds(key.2, value));
        fits.then_some(()).ok_or(format!("{name} holds {value}"))?;
    }
    let blank = |key: &str| {
        let text = table.get(key).and_then(Value::as_str);
        text.is_none_or(|text| text.trim().is_empty())
    };
    let missing = keys(all).find(|key| key.1 && blank(key.0));
    missing.map_or(Ok(()), |key| Err(format!("{} is missing", key.0)))
}

/// Checks a reading as a whole: that nothing it needs is missing, and that its figure can be
/// compared as it asks.
pub fn case(case: &Case, table: &Table) -> Result<(), String> {
    let needed = keys(of_kind(&case.kind).unwrap_or_default()).filter(|key| key.1);
    let given =
        |key: &Key| key.0 == "instance" && case.instance.is_some() || table.contains_key(key.0);
    let missing = needed.filter(|key| !given(key)).map(|key| key.0).next();
    let given = has_key(&case.kind, "claimed") && table.contains_key("claimed");
    let holds = case.compare == "holds";
    let optional = holds || case.compare == "report" || !has_key(&case.kind, "claimed");
    let faults = [
        (missing.is_some(), "a key of its kind is missing"),
        (
            case.within.is_some() && case.compare != "about",
            "within goes with compare = \"about\"",
        ),
        (
            holds && (given || !case.unit.is_empty()),
            "compare = \"holds\" takes no figure",
        ),
        (
            !given && !optional && case.kind != "hardest",
            "claimed is missing",
        ),
        (
            given && !comparable(case),
            "claimed cannot be compared with a figure",
        ),
        (!of_its_kind(case), "its keys ask for nothing together"),
    ];
    let fault = faults.into_iter().find(|fault| fault.0);
    fault.map_or(Ok(()), |fault| Err(fault.1.to_owned()))
}

/// Whether a published figure can be compared as it is written.
fn comparable(case: &Case) -> bool {
    let claimed = case.claimed.as_str();
    let mark = |c: char| c.is_ascii_digit() || ",_ .-+".contains(c);
    let numeric = !claimed.contains(", ")
        && claimed.contains(|c: char| c.is_ascii_digit())
        && claimed.chars().all(mark);
    // More digits than a floating-point number surely holds.
    let digits = claimed.split(['e', 'E']).next().unwrap_or_default();
    let digits = digits.chars().filter(char::is_ascii_digit);
    let digits = digits.skip_while(|digit| *digit == '0').count();
    if numeric && digits > 15 && whole(claimed).is_none() {
        return false;
    }
    match (case.kind.as_str(), case.compare.as_str()) {
        ("levels", _) => claimed.split(", ").all(|size| whole(size).is_some()),
        ("length", "equal" | "report") if claimed == "unsolvable" => true,
        ("length" | "hardest", _) => whole(claimed).is_some(),
        (_, "magnitude") => {
            number(claimed).is_some_and(|claimed| format!("{claimed:e}").starts_with("1e"))
        }
        (_, "report") => true,
        (_, "about" | "at-most" | "at-least") => number(claimed).is_some(),
        ("count", _) => whole(claimed).is_some(),
        _ => !numeric || number(claimed).is_some(),
    }
}

/// Whether the keys of a kind fit together.
fn of_its_kind(case: &Case) -> bool {
    let has = |key: &str| case.own.contains_key(key);
    let efforts = ["quick", "full"];
    match case.kind.as_str() {
        "length" => !has("path") || !has("engine") && !has("max_depth"),
        "levels" => efforts.iter().all(|effort| {
            let range = by_effort(&case.own, "levels", effort).map(list);
            let ends = range.and_then(|range| Some((range[0].as_u64()?, range[1].as_u64()?)));
            let sizes = case.claimed.split(", ").count() as u64;
            ends.is_some_and(|(first, last)| sizes == last - first + 1)
        }),
        "count" => {
            let name = case.text("count").unwrap_or_default();
            let Some(count) = counts::known(name) else {
                return false;
            };
            let range = |effort: &&str| by_effort(&case.own, "levels", effort);
            let mut ranges = efforts.iter().filter_map(range);
            let path = case.is_of_path();
            let engines = if path { "path" } else { "levels" };
            let engine = case.own.get("engine");
            (count.needs != counts::Needs::Clock || case.compare == "report")
                && (count.of == counts::Of::Moves && name != "one_bucket_to" || !has("levels"))
                && (!path || !has("direction"))
                && ranges.all(|range| list(range)[0] != 0)
                && engine.is_none_or(|engine| holds(engines, engine))
        }
        _ => true,
    }
}
