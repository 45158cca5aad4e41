//! The published claims: well-formed, and those that a quick effort decides come out as
//! expected.

use std::collections::BTreeSet;

use antipode_sliding_block::{Bits, CLAIMS, Rules};
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

/// The value at quick effort, `None` where it is not reached, and the derivation's own
/// verdict, if it has one.
fn derived(reading: &Table) -> (Option<String>, Option<String>) {
    let mut parameters = Settings::new();
    if let Some(table) = reading.get("parameters") {
        for (key, value) in table.as_table().unwrap() {
            parameters.insert(key.clone(), value.as_str().unwrap().to_owned());
        }
    }
    let figures = Bits::derive(text(reading, "derive"), &parameters, Effort::Quick).unwrap();
    let figure = |name: &str| {
        let found = figures.iter().find(|figure| figure.name == name);
        found.map(|figure| figure.value.clone())
    };
    (figure("value"), figure("verdict"))
}

fn verdict(reading: &Table, value: Option<&str>, concluded: Option<&str>) -> &'static str {
    match concluded {
        None => {}
        Some("refuted") => return "refuted",
        Some(other) => panic!("verdict: {other}"),
    }
    let Some(value) = value else {
        return "not-reached";
    };
    let numbers = || -> (f64, f64) {
        (
            value.parse().unwrap(),
            text(reading, "claimed").parse().unwrap(),
        )
    };
    let holds = match text(reading, "compare") {
        "report" => return "reported",
        "holds" => value == "true",
        "equal" => value == text(reading, "claimed"),
        "at-most" => numbers().0 <= numbers().1,
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
        assert!(id.starts_with("sliding-") && ids.insert(id.clone()), "{id}");
        for key in ["source", "section", "statement", "kind", "expect"] {
            assert!(!text(&claim, key).is_empty(), "{id}: {key}");
        }
        for reading in readings(&claim) {
            let instance = text(&reading, "instance");
            if instance.is_empty() {
                continue;
            }
            let request = Request {
                instance,
                settings: &Settings::new(),
            };
            assert!(Rules::open(&request).is_ok(), "{id}: {instance}");
            // The board that is derived from is the one that the claim names.
            let board = reading.get("parameters").and_then(|p| p.get("board"));
            let board = board.map_or("climb-pro-24", |board| board.as_str().unwrap());
            assert_eq!(board, instance, "{id}");
        }
    }
}

#[test]
fn quick_claims_come_out_as_expected() {
    for claim in claims() {
        if text(&claim, "effort") == "full" {
            continue;
        }
        let mut verdicts = BTreeSet::new();
        for reading in readings(&claim) {
            let (value, concluded) = derived(&reading);
            let found = verdict(&reading, value.as_deref(), concluded.as_deref());
            verdicts.insert(found);
            let id = text(&claim, "id");
            // A reading's own verdict; a claim without readings is its only reading.
            assert_eq!(found, text(&reading, "expect"), "{id}: {value:?}");
        }
        let whole = match verdicts.first() {
            Some(&one) if verdicts.len() == 1 => one,
            _ if verdicts.contains("not-reached") => "not-reached",
            _ => "ambiguous",
        };
        let quick = text(&claim, "expect_quick");
        let expected = if quick.is_empty() {
            text(&claim, "expect")
        } else {
            quick
        };
        assert_eq!(whole, expected, "{}", text(&claim, "id"));
    }
}
