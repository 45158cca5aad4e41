//! A claim's own lines: what they ask, reading by reading, and what verdict follows from a
//! figure. Written after the words at the head of `puzzles/tilt/claims.toml`.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::rules::Settings;
use crate::toml::Table;

/// One reading of a claim, complete in itself; or the claim, where it has one meaning.
#[derive(Debug, Clone)]
pub struct Case {
    pub reading: String,
    pub statement: String,
    pub kind: String,
    pub instance: Option<String>,
    pub settings: Settings,
    pub board: Option<String>,
    /// Keys of its kind alone.
    pub own: Map<String, Value>,
    pub claimed: String,
    /// Unit, where the claim names one.
    pub unit: String,
    pub compare: String,
    pub within: Option<f64>,
    /// A remark.
    pub note: String,
}

/// A claim.
#[derive(Debug, Clone)]
pub struct Claim {
    pub id: String,
    pub source: String,
    pub section: String,
    pub url: String,
    pub quote: String,
    pub text_at_hand: bool,
    pub statement: String,
    pub expect: String,
    /// What a published speed was measured on.
    pub hardware: String,
    /// Whether all cases must hold, or each is a way to read the claim.
    pub all: bool,
    /// Whether it is out of reach at this effort by its own word.
    pub skipped: bool,
    pub cases: Vec<Case>,
}

/// Keys that every claim may have, and its readings.
const KEYS: [&str; 22] = [
    "id",
    "source",
    "section",
    "url",
    "quote",
    "statement",
    "kind",
    "instance",
    "instances",
    "settings",
    "board",
    "claimed",
    "unit",
    "compare",
    "within",
    "note",
    "name",
    "text",
    "hardware",
    "effort",
    "expect",
    "expect_quick",
];

/// Keys that only a kind has.
fn own_keys(kind: &str) -> Result<&'static [&'static str], String> {
    Ok(match kind {
        "derived" => &["derive", "parameters"],
        "length" => &["engine", "to", "max_depth", "path"],
        "solvable" | "unreachable" => &["engine", "to", "max_depth"],
        "levels" => &["levels", "engine", "max_depth"],
        "lengths" => &["table", "refuted", "budget"],
        "count" => &["count", "engine", "direction", "max_depth", "levels"],
        "hardest" => &[],
        _ => return Err(format!("no kind of claim {kind:?} is known here")),
    })
}

/// Whether every key is one that some reading's kind has.
fn known(claim: &Table, readings: &[Table]) -> Result<(), String> {
    let tables = || std::iter::once(claim).chain(readings);
    let mut keys = KEYS.to_vec();
    for kind in tables().filter_map(|table| given(table, "kind")) {
        keys.extend(own_keys(&kind)?);
    }
    tables()
        .flat_map(Map::keys)
        .find(|key| !keys.contains(&key.as_str()))
        .map_or(Ok(()), |key| Err(format!("its own lines: {key} is no key")))
}

fn text(table: &Map<String, Value>, key: &str) -> String {
    match table.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) if number.is_f64() => {
            format!("{:?}", number.as_f64().unwrap_or(0.0))
        }
        Some(Value::Array(items)) => {
            let items = items.iter().map(ToString::to_string);
            items.collect::<Vec<_>>().join(", ")
        }
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

fn given(table: &Map<String, Value>, key: &str) -> Option<String> {
    table.contains_key(key).then(|| text(table, key))
}

fn case(reading: &str, statement: &str, table: &Map<String, Value>) -> Result<Case, String> {
    let kind = text(table, "kind");
    let keys = own_keys(&kind)?;
    let own: Map<String, Value> = table
        .iter()
        .filter(|(key, _)| keys.contains(&key.as_str()))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    let settings = table
        .get("settings")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let or = |key: &str, usual: &str| given(table, key).unwrap_or(usual.to_owned());
    let mut case = Case {
        reading: reading.to_owned(),
        statement: statement.to_owned(),
        instance: given(table, "instance"),
        settings: settings
            .filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
            .collect(),
        board: given(table, "board"),
        claimed: text(table, "claimed"),
        unit: text(table, "unit"),
        compare: or("compare", "equal"),
        within: table.get("within").and_then(Value::as_f64),
        note: text(table, "note"),
        kind,
        own,
    };
    if case.kind == "lengths" {
        let pairs = pairs(&case)?;
        case.claimed = if pairs.len() == 1 {
            pairs[0].2.to_string()
        } else {
            format!("{} lengths", pairs.len())
        };
    }
    Ok(case)
}

/// Rows FROM,TO,MOVES of a claim of kind `lengths`.
///
/// # Errors
/// A row that is none.
pub fn pairs(case: &Case) -> Result<Vec<(String, String, u32)>, String> {
    let table = text(&case.own, "table");
    // A board begins with the same sign as a remark, which a blank follows.
    let is_remark = |line: &str| {
        let rest = line.strip_prefix('#');
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    };
    let lines = table
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !is_remark(line));
    let mut pairs = Vec::new();
    for (i, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        match (
            &cells[..],
            cells.get(2).and_then(|moves| moves.parse().ok()),
        ) {
            ([from, to, _], Some(moves)) => {
                pairs.push(((*from).to_owned(), (*to).to_owned(), moves))
            }
            _ if i == 0 && cells == ["from", "to", "moves"] => {}
            _ => return Err(format!("the table's row {line:?} is no pair")),
        }
    }
    Ok(pairs)
}

/// Reads a claim's own lines.
///
/// # Errors
/// Lines that are no claim.
pub fn read(lines: &str, effort: &str) -> Result<Claim, String> {
    let (table, readings) = crate::toml::claim(lines)?;
    known(&table, &readings)?;
    let mut cases = Vec::new();
    for reading in readings {
        let merged = table.clone().into_iter().chain(reading.clone()).collect();
        cases.push(case(
            &text(&reading, "name"),
            &text(&reading, "statement"),
            &merged,
        )?);
    }
    let instances = table
        .get("instances")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    for instance in instances.iter().filter_map(Value::as_str) {
        let mut merged = table.clone();
        merged.insert("instance".into(), instance.into());
        cases.push(case(instance, "", &merged)?);
    }
    if cases.is_empty() {
        cases.push(case("", &text(&table, "statement"), &table)?);
    }
    let quick = given(&table, "expect_quick").filter(|_| effort == "quick");
    Ok(Claim {
        id: text(&table, "id"),
        source: text(&table, "source"),
        section: text(&table, "section"),
        url: text(&table, "url"),
        quote: text(&table, "quote"),
        text_at_hand: table.contains_key("text"),
        statement: text(&table, "statement"),
        expect: quick.unwrap_or(text(&table, "expect")),
        hardware: text(&table, "hardware"),
        all: !instances.is_empty(),
        skipped: text(&table, "effort") == "full" && effort == "quick",
        cases,
    })
}

impl Case {
    /// Unit of its figures: the claim's, else the kind's.
    #[must_use]
    pub fn unit(&self) -> String {
        let count = self.text("count").unwrap_or_default();
        let of_kind = match (self.kind.as_str(), count) {
            _ if !self.unit.is_empty() => self.unit.as_str(),
            ("length" | "hardest", _) if self.counts_steps() => "steps",
            ("length" | "hardest", _) => "moves",
            ("levels", _) => "states",
            ("count", "max_depth" | "moves_to_unsolvable") => "moves",
            ("count", "levels_back" | "one_bucket_to") => "levels",
            ("count", "pruned") => "of the states",
            ("count", "moves_kept" | "moves_kept_by_hash" | "moves_wasted" | "moves_known") => {
                "of the moves"
            }
            ("count", "moves_per_new") => "moves a state",
            ("count", "moves_over_leaving" | "moves_over_stored") => "times",
            ("count", "parts") => "parts",
            ("count", "states_per_second") => "states a second",
            ("count", "billions_per_hour") => "billion states an hour",
            ("count", "seconds") => "s",
            ("count", name) if name.ends_with("_states") => "states",
            ("count", name) if name.ends_with("_orbits") => "orbits",
            _ => "",
        };
        of_kind.to_owned()
    }

    fn counts_steps(&self) -> bool {
        self.settings
            .iter()
            .any(|(name, value)| name == "metric" && value == "step")
    }

    /// How far a published figure bounds the one found, as a certificate says it; null where it is
    /// that figure.
    #[must_use]
    pub fn bound(&self) -> Value {
        match (self.compare.as_str(), self.within) {
            ("about", Some(share)) => json!({ "within": share }),
            ("at-most" | "at-least" | "about" | "magnitude", _) => self.compare.as_str().into(),
            _ => Value::Null,
        }
    }

    /// A key of its kind that may differ by effort.
    #[must_use]
    pub fn by_effort(&self, key: &str, effort: &str) -> Option<&Value> {
        let value = self.own.get(key)?;
        if value.is_object() {
            value.get(effort)
        } else {
            Some(value)
        }
    }

    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.own.get(key).and_then(Value::as_str)
    }

    /// Parameters of a derivation.
    #[must_use]
    pub fn parameters(&self) -> BTreeMap<String, String> {
        let table = self.own.get("parameters").and_then(Value::as_object);
        let pairs = table
            .into_iter()
            .flatten()
            .filter_map(|(k, v)| Some((k.clone(), v.as_str()?.to_owned())));
        pairs.collect()
    }

    /// The verdict on a figure known exactly; none where the two cannot be compared.
    #[must_use]
    pub fn verdict(&self, found: &str) -> Option<&'static str> {
        let claimed = self.claimed.as_str();
        let order = || match (whole(found), whole(claimed)) {
            (Some(found), Some(claimed)) => Some(found.cmp(&claimed)),
            _ => number(found)?.partial_cmp(&number(claimed)?),
        };
        let holds = match self.compare.as_str() {
            "report" => return Some("reported"),
            "holds" => found == "true" || found == "holds",
            "equal" => match (whole(claimed), whole(found), number(claimed), number(found)) {
                (Some(a), Some(b), ..) => a == b,
                (_, _, Some(a), Some(b)) => a.to_bits() == b.to_bits(),
                _ => claimed == found,
            },
            "about" => about(claimed, found, self.within)?,
            "magnitude" => {
                let power = |text| number(text).filter(|x| *x > 0.0).map(|x| x.log10().round());
                // What is claimed is a power of ten itself.
                number(claimed).filter(|x| format!("{x:e}").starts_with("1e"))?;
                power(claimed)? == power(found)?
            }
            "at-most" => order()?.is_le(),
            "at-least" => order()?.is_ge(),
            _ => return None,
        };
        Some(if holds { "confirmed" } else { "refuted" })
    }
}

/// Whether two figures are one within a tolerance, or within the significant digits printed.
fn about(claimed: &str, found: &str, within: Option<f64>) -> Option<bool> {
    let (claim, figure) = (number(claimed)?, number(found)?);
    if let Some(within) = within {
        return (within <= 0.5).then_some((figure - claim).abs() <= within * claim.abs());
    }
    let printed = plain(claimed)?;
    let mantissa = printed.split(['e', 'E']).next()?;
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let digits = digits.trim_start_matches('0');
    let digits = if mantissa.contains('.') {
        digits
    } else {
        digits.trim_end_matches('0')
    };
    let places = digits.len().max(1) - 1;
    Some(format!("{claim:.places$e}") == format!("{figure:.places$e}"))
}

/// Digits without what sets thousands apart; 10^N as 1eN.
fn plain(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some(power) = text.strip_prefix("10^") {
        return Some(format!("1e{power}"));
    }
    let end = text.find(['.', 'e', 'E']).unwrap_or(text.len());
    let groups: Vec<&str> = text[..end].split([',', '_']).collect();
    let first = groups[0].trim_start_matches(['+', '-']);
    let three = |group: &&str| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit());
    let well = groups.len() == 1 || (1..=3).contains(&first.len()) && groups[1..].iter().all(three);
    well.then(|| groups.concat() + &text[end..])
}

/// A whole number, such as 1,200 or 1.2e3.
#[must_use]
pub fn whole(text: &str) -> Option<u128> {
    let text = plain(text)?;
    let Some((digits, power)) = text.split_once(['e', 'E']) else {
        return text.parse().ok();
    };
    let point = digits.find('.').map_or(0, |at| digits.len() - at - 1);
    let zeros = power.parse::<u32>().ok()?.checked_sub(point as u32)?;
    let digits: u128 = digits.replacen('.', "", 1).parse().ok()?;
    digits.checked_mul(10_u128.checked_pow(zeros)?)
}

/// A finite number.
#[must_use]
pub fn number(text: &str) -> Option<f64> {
    plain(text)?.parse().ok().filter(|x: &f64| x.is_finite())
}

/// The verdict of a claim from those of its cases.
#[must_use]
pub fn together<'a>(all: bool, verdicts: &[&'a str]) -> &'a str {
    let only = |these: &[&str]| verdicts.iter().all(|verdict| these.contains(verdict));
    let some = |this: &str| verdicts.contains(&this);
    let worst = [
        "refuted",
        "refuted-by-sample",
        "not-reached",
        "ambiguous",
        "confirmed-by-sample",
        "reported",
    ];
    match verdicts {
        _ if all => worst
            .into_iter()
            .find(|verdict| some(verdict))
            .unwrap_or("confirmed"),
        [] => "not-reached",
        [first, ..] if only(&[first]) => first,
        _ if only(&["confirmed", "confirmed-by-sample"]) => "confirmed-by-sample",
        _ if only(&["refuted", "refuted-by-sample"]) => "refuted-by-sample",
        _ if some("not-reached") => "not-reached",
        _ => "ambiguous",
    }
}

/// Different texts in order, joined; many numbers are summed up.
#[must_use]
pub fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut distinct: Vec<&str> = Vec::new();
    for text in texts.filter(|text| !text.is_empty()) {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    let numbers: Vec<u64> = distinct
        .iter()
        .filter_map(|text| text.parse().ok())
        .collect();
    match (
        distinct.len() > 8 && numbers.len() == distinct.len(),
        numbers.iter().min(),
        numbers.iter().max(),
    ) {
        (true, Some(least), Some(most)) => format!("{least} to {most}"),
        _ => distinct.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdict on a figure found, by lines of a claim.
    fn verdict(lines: &str, found: &str) -> Option<&'static str> {
        let lines = format!(
            "[[claim]]\nid = \"x\"\nstatement = \"s\"\nkind = \"derived\"\nderive = \"d\"\nexpect = \"confirmed\"\n{lines}\n"
        );
        read(&lines, "quick").unwrap().cases[0].verdict(found)
    }

    #[test]
    fn figures_are_held_as_the_page_says() {
        let (yes, no) = (Some("confirmed"), Some("refuted"));
        for (compare, claimed, found, said) in [
            ("equal", "\"1 000\"", "1000", no),
            ("equal", "\"1,000\"", "1000", yes),
            ("equal", "1.2e10", "12000000000", yes),
            ("equal", "1e16", "10000000000000001", no),
            ("at-most", "1e16", "10000000000000001", no),
            ("magnitude", "\"10^3\"", "3162", yes),
            ("magnitude", "1e3", "3163", no),
            ("magnitude", "3.1e3", "3528", None),
            ("magnitude", "3000", "3528", None),
            ("ratio", "2", "2", None),
        ] {
            let lines = format!("claimed = {claimed}\ncompare = \"{compare}\"");
            assert_eq!(verdict(&lines, found), said, "{compare} {claimed} {found}");
        }
        let within = |share| format!("claimed = 16\ncompare = \"about\"\nwithin = {share}");
        assert_eq!(verdict(&within("0.5"), "24"), yes);
        assert_eq!(verdict(&within("0.5"), "25"), no);
        assert_eq!(verdict(&within("0.99"), "25"), None);
    }

    #[test]
    fn a_table_has_the_rows_that_begin_with_a_wall() {
        let rows = |table: &str| {
            let lines = format!(
                "[[claim]]\nid = \"x\"\nstatement = \"s\"\nkind = \"lengths\"\nexpect = \"confirmed\"\ntable = \"\"\"\n{table}\"\"\"\n"
            );
            read(&lines, "quick").and_then(|claim| Ok(pairs(&claim.cases[0])?.len()))
        };
        assert_eq!(rows("# remark\nfrom,to,moves\n#.#,..#,3\nA,B,4\n"), Ok(2));
        assert!(rows("V,Y,2 moves\nA,B,4\n").is_err());
    }
}
