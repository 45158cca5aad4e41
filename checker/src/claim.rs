//! A claim's own lines: their questions, reading by reading. Follows the description at the head of
//! `puzzles/tilt/claims.toml`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::case::Case;
use crate::shown::list;
use crate::strict::{self, has_key, own_keys};
use crate::toml::{self, Table};

/// A claim.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Its keys, without those of its readings.
    pub table: Table,
    pub expect: String,
    /// Whether all cases must hold, or each is a reading of the claim.
    pub all: bool,
    pub cases: Vec<Case>,
}

impl Claim {
    /// The text of a key; empty if it is missing.
    pub fn text(&self, key: &str) -> String {
        text(&self.table, key)
    }
}

fn text(table: &Table, key: &str) -> String {
    match table.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) if number.is_f64() => {
            format!("{:?}", number.as_f64().unwrap_or(0.0))
        }
        Some(Value::Array(items)) => {
            let items = items.iter().filter_map(Value::as_str);
            items.collect::<Vec<_>>().join(", ")
        }
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

/// The texts of a table.
pub fn texts(table: Option<&Value>) -> BTreeMap<String, String> {
    let members = table.and_then(Value::as_object).into_iter().flatten();
    let texts = members.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())));
    texts.collect()
}

fn case(puzzle: &str, (reading, statement): (&str, &str), table: &Table) -> Result<Case, String> {
    let kind = text(table, "kind");
    let own = own_keys(&kind)?.filter_map(|key| Some((key.to_owned(), table.get(key)?.clone())));
    // Keys of another reading's kind do not concern this one.
    let of_kind = |key: &str| table.get(key).filter(|_| has_key(&kind, key));
    let text_of = |key: &str| of_kind(key).map(|_| text(table, key));
    let mut case = Case {
        puzzle: puzzle.to_owned(),
        reading: reading.to_owned(),
        statement: statement.to_owned(),
        instance: text_of("instance"),
        settings: texts(of_kind("settings")),
        board: text_of("board"),
        own: own.collect(),
        claimed: text_of("claimed").unwrap_or_default(),
        unit: text_of("unit").unwrap_or_default(),
        compare: text_of("compare").unwrap_or("equal".into()),
        within: of_kind("within").and_then(Value::as_f64),
        note: text(table, "note"),
        kind: kind.clone(),
    };
    strict::case(&case, table)?;
    if case.kind == "lengths" {
        case.claimed = match &pairs(&case)?[..] {
            [(_, _, moves)] => moves.to_string(),
            pairs => format!("{} lengths", pairs.len()),
        };
    }
    Ok(case)
}

/// From, to, and moves.
pub type Pair = (String, String, u32);

/// Rows FROM,TO,MOVES of a claim of kind `lengths`.
pub fn pairs(case: &Case) -> Result<Vec<Pair>, String> {
    let table = text(&case.own, "table");
    // A board may begin with the same sign as a comment; in a comment, a blank follows.
    let is_remark = |line: &str| {
        let rest = line.strip_prefix('#');
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    };
    let lines = table.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !is_remark(line));
    let mut pairs = Vec::new();
    for (i, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let moves = cells.last().and_then(|moves| moves.parse().ok());
        match (&cells[..], moves) {
            ([from, to, _], Some(moves)) => pairs.push((from.to_string(), to.to_string(), moves)),
            _ if i == 0 && cells == ["from", "to", "moves"] => {}
            _ => return Err(format!("the table's row {line:?} is no pair")),
        }
    }
    Ok(pairs)
}

/// Reads a claim's own lines.
pub fn read(lines: &str, effort: &str, puzzle: &str) -> Result<Claim, String> {
    read_lines(lines, effort, puzzle).map_err(|why| format!("its own lines: {why}"))
}

fn read_lines(lines: &str, effort: &str, puzzle: &str) -> Result<Claim, String> {
    let (table, readings) = toml::claim(lines)?;
    strict::keys_of(&table, &readings)?;
    let instances = table.get("instances").map(list).unwrap_or_default();
    let names: BTreeSet<String> = readings.iter().map(|own| text(own, "name")).collect();
    let alone = !instances.is_empty() && readings.is_empty() && !table.contains_key("instance");
    let clear = names.len() == readings.len()
        && instances.windows(2).all(|two| two[0] != two[1])
        && (alone || !table.contains_key("instances"));
    if !clear {
        return Err("its readings or instances have the same names".into());
    }
    // Name, statement and own keys of each reading.
    let named = |own: Table| (text(&own, "name"), text(&own, "statement"), own);
    let mut asked: Vec<(String, String, Table)> = readings.into_iter().map(named).collect();
    for instance in instances.iter().filter_map(Value::as_str) {
        let own = Table::from_iter([("instance".to_owned(), instance.into())]);
        asked.push((instance.to_owned(), String::new(), own));
    }
    if asked.is_empty() {
        asked.push((String::new(), text(&table, "statement"), Table::new()));
    }
    let mut cases = Vec::new();
    for (name, statement, own) in asked {
        // A unit in a claim of another kind is for its readings of that kind.
        let stated = own.contains_key("unit") || text(&table, "kind") == "count";
        let with = table.clone().into_iter().chain(own).collect();
        let case = case(puzzle, (&name, &statement), &with)?;
        let own = |count| case.unit_of(count) == case.unit;
        let fits = case.kind != "count" || case.count().is_some_and(own);
        if stated && !case.unit.is_empty() && !fits {
            return Err(format!("its count has another unit than {}", case.unit));
        }
        cases.push(case);
    }
    let reports = cases.iter().any(|case| case.compare == "report");
    if table.contains_key("hardware") && !reports {
        return Err("hardware goes with compare = \"report\"".into());
    }
    let quick = effort == "quick" && table.contains_key("expect_quick");
    let expect = if quick { "expect_quick" } else { "expect" };
    Ok(Claim {
        expect: text(&table, expect),
        all: !instances.is_empty(),
        cases,
        table,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "[[claim]]\nid = 'x'\nsource = 's'\nstatement = 's'\nexpect = 'reported'\n";

    fn verdict(lines: &str, found: &str) -> Option<&'static str> {
        let lines = format!("{HEAD}kind = 'derived'\nderive = 'd'\n{lines}\n");
        read(&lines, "quick", "tilt").ok()?.cases[0].verdict(found)
    }

    #[test]
    fn figures_are_held_as_the_page_says() {
        let (yes, no) = (Some("confirmed"), Some("refuted"));
        for (compare, claimed, found, said) in [
            ("equal", "\"1 000\"", "1000", None),
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
        assert_eq!(verdict(&within("0.29").replace("16", "100"), "129"), yes);
        assert_eq!(verdict(&within("0.5"), "25"), no);
        assert_eq!(verdict(&within("0.99"), "25"), None);
    }

    #[test]
    fn a_table_has_the_rows_that_begin_with_a_wall() {
        let rows = |table: &str| {
            let table = format!("table = \"\"\"\n{table}\"\"\"");
            let lines = format!("{HEAD}kind = 'lengths'\ninstance = '5x7'\n{table}\n");
            read(&lines, "quick", "tilt").and_then(|claim| Ok(pairs(&claim.cases[0])?.len()))
        };
        assert_eq!(rows("# remark\nfrom,to,moves\n#.#,..#,3\nA,B,4\n"), Ok(2));
        assert!(rows("V,Y,2 moves\nA,B,4\n").is_err());
    }
}
