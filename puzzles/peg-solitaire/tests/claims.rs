//! The published claims: well-formed, and the derived ones come out as expected.

use std::collections::BTreeSet;

use antipode_peg_solitaire::{Bits, CLAIMS, Rules};
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
        (
            value.parse().unwrap(),
            text(reading, "claimed").parse().unwrap(),
        )
    };
    let holds = match text(reading, "compare") {
        "holds" => value == "true",
        "equal" => value == text(reading, "claimed"),
        "at-most" => numbers().0 <= numbers().1,
        "at-least" => numbers().0 >= numbers().1,
        "report" => return "reported",
        other => panic!("compare = {other}"),
    };
    if holds { "confirmed" } else { "refuted" }
}

#[test]
fn claims_are_well_formed() {
    let mut ids = BTreeSet::new();
    for claim in claims() {
        let id = text(&claim, "id").to_owned();
        assert!(id.starts_with("peg-") && ids.insert(id.clone()), "{id}");
        for key in ["source", "statement", "kind", "expect"] {
            assert!(!text(&claim, key).is_empty(), "{id}: {key}");
        }
        for reading in readings(&claim) {
            let settings = Settings::new();
            let instances = reading.get("instances").and_then(Value::as_array);
            let instances = instances.into_iter().flatten().filter_map(Value::as_str);
            let single = reading.get("instance").and_then(Value::as_str);
            for instance in instances.chain(single) {
                let request = Request {
                    instance,
                    settings: &settings,
                };
                assert!(Rules::open(&request).is_ok(), "{id}: {instance}");
            }
        }
    }
}

#[test]
fn derived_claims_come_out_as_expected() {
    for claim in claims() {
        for reading in readings(&claim) {
            if text(&reading, "kind") != "derived" {
                continue;
            }
            let value = derived(&reading);
            let found = verdict(&reading, &value);
            let id = text(&claim, "id");
            if claim.contains_key("reading") {
                assert_eq!(found, text(&reading, "expect"), "{id}: {value}");
            } else {
                assert_eq!(found, text(&claim, "expect"), "{id}: {value}");
            }
        }
    }
}
