//! The published claims: well-formed, and the derived ones come out as expected.

use std::collections::BTreeSet;

use antipode_coin_sliding::{Bits, CLAIMS, Rules};
use puzzle_api::{Effort, Puzzle, Request, Settings};
use toml::{Table, Value};

fn claims() -> Vec<Table> {
    let file: Table = CLAIMS.parse().unwrap();
    let list = file["claim"].as_array().unwrap();
    list.iter()
        .map(|claim| claim.as_table().unwrap().clone())
        .collect()
}

/// A claim's readings with what they leave as it is; the claim itself if it has none.
fn readings(claim: &Table) -> Vec<Table> {
    let Some(readings) = claim.get("reading") else {
        return vec![claim.clone()];
    };
    let merge = |reading: &Value| {
        let mut merged = claim.clone();
        merged.extend(reading.as_table().unwrap().clone());
        merged
    };
    readings.as_array().unwrap().iter().map(merge).collect()
}

fn text<'a>(table: &'a Table, key: &str) -> &'a str {
    table.get(key).and_then(Value::as_str).unwrap_or("")
}

fn derived(reading: &Table) -> String {
    let mut parameters = Settings::new();
    if let Some(table) = reading.get("parameters") {
        for (key, value) in table.as_table().unwrap() {
            parameters.insert(key.clone(), value.as_str().unwrap().to_owned());
        }
    }
    let figures = Bits::derive(text(reading, "derive"), &parameters, Effort::Quick).unwrap();
    let value = figures.iter().find(|figure| figure.name == "value");
    value.unwrap().value.clone()
}

fn verdict(reading: &Table, value: &str) -> &'static str {
    let numbers = || -> (f64, f64) {
        let claimed = text(reading, "claimed");
        (value.parse().unwrap(), claimed.parse().unwrap())
    };
    let holds = match text(reading, "compare") {
        "report" => return "reported",
        "holds" => value == "true",
        "equal" => value == text(reading, "claimed"),
        "at-least" => numbers().0 >= numbers().1,
        "about" => {
            let within = reading["within"].as_float().unwrap();
            (numbers().0 - numbers().1).abs() <= within * numbers().1
        }
        other => panic!("compare = {other}"),
    };
    if holds { "confirmed" } else { "refuted" }
}

#[test]
fn claims_are_well_formed() {
    let mut ids = BTreeSet::new();
    for claim in claims() {
        let id = text(&claim, "id").to_owned();
        assert!(id.starts_with("coin-") && ids.insert(id.clone()), "{id}");
        for key in ["source", "section", "statement", "kind", "expect"] {
            assert!(!text(&claim, key).is_empty(), "{id}: {key}");
        }
        if let Some(instance) = claim.get("instance").and_then(Value::as_str) {
            let settings = Settings::new();
            let request = Request {
                instance,
                settings: &settings,
            };
            assert!(Rules::open(&request).is_ok(), "{id}: {instance}");
        }
    }
}

#[test]
fn derived_claims_come_out_as_expected() {
    for claim in claims() {
        let id = text(&claim, "id");
        let mut verdicts = BTreeSet::new();
        for reading in readings(&claim) {
            if text(&reading, "kind") != "derived" {
                continue;
            }
            let value = derived(&reading);
            let found = verdict(&reading, &value);
            verdicts.insert(found);
            if claim.contains_key("reading") {
                assert_eq!(found, text(&reading, "expect"), "{id}: {value}");
            }
        }
        match verdicts.len() {
            0 => {}
            1 => assert_eq!(verdicts.first(), Some(&text(&claim, "expect")), "{id}"),
            _ => assert_eq!(text(&claim, "expect"), "ambiguous", "{id}"),
        }
    }
}

/// What the article prints exactly, again from this crate's own figures.
#[test]
fn the_unit_of_memory_that_fits_two_of_three_figures_is_two_to_the_thirty() {
    let memory = |what: &str, unit: &str| -> f64 {
        let pairs = [("what", what), ("unit", unit)];
        let settings = pairs.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        let figures = Bits::derive("memory", &settings, Effort::Quick).unwrap();
        figures[0].value.parse().unwrap()
    };
    let shown = |what| [memory(what, "GiB"), memory(what, "GB")].map(|x| format!("{x:.1}"));
    assert_eq!(shown("bit-a-mask"), ["4.0", "4.3"]);
    assert_eq!(shown("list-of-boards"), ["6.2", "6.7"]);
    assert_eq!(shown("byte-a-rank"), ["68.0", "73.0"]);
}
