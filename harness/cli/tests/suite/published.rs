//! The published claims of every puzzle: well-formed, and those decided by a derivation or a
//! separate search have the expected verdicts at quick effort.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use toml::{Table, Value};

use crate::support::{fresh, puzzle, read, runs, settings, words};

/// Each puzzle's claims, with what their ids begin with.
fn all_claims() -> [(&'static str, &'static str, &'static str); 13] {
    use antipode_blocks::{rush_hour, simple_block, sliding_block, unit_rush_hour};
    use antipode_classics::{hanoi, lights_out, pancake, sliding_tile};
    [
        ("tilt", "tilt-", antipode_tilt::CLAIMS),
        ("coin-sliding", "coin-", antipode_coin_sliding::CLAIMS),
        ("peg-solitaire", "peg-", antipode_peg_solitaire::CLAIMS),
        ("sliding-block", "sliding-", sliding_block::CLAIMS),
        ("rush-hour", "rush-", rush_hour::CLAIMS),
        ("unit-rush-hour", "unit-", unit_rush_hour::CLAIMS),
        ("simple-block", "simple-", simple_block::CLAIMS),
        ("large-tile", "large-tile-", sliding_tile::LARGE_CLAIMS),
        ("sliding-tile", "tile-", sliding_tile::CLAIMS),
        ("pancake", "pancake-", pancake::CLAIMS),
        ("hanoi", "hanoi-", hanoi::CLAIMS),
        ("lights-out", "lights-", lights_out::CLAIMS),
        ("permutation", "permutation-", antipode_permutation::CLAIMS),
    ]
}

fn tables(text: &str) -> Vec<Table> {
    let file: Table = text.parse().unwrap();
    let claims = file["claim"].as_array().unwrap().iter();
    claims
        .map(|claim| claim.as_table().unwrap().clone())
        .collect()
}

fn text<'a>(table: &'a Table, key: &str) -> &'a str {
    table.get(key).and_then(Value::as_str).unwrap_or("")
}

/// A claim, and its readings if it has some.
fn parts(claim: &Table) -> impl Iterator<Item = &Table> {
    let readings = claim.get("reading").and_then(Value::as_array);
    let readings = readings.into_iter().flatten().filter_map(Value::as_table);
    std::iter::once(claim).chain(readings)
}

#[test]
fn claims_are_well_formed() {
    let mut ids = BTreeSet::new();
    for (name, prefix, file) in all_claims() {
        let library = puzzle(name);
        for claim in tables(file) {
            let id = text(&claim, "id").to_owned();
            assert!(id.starts_with(prefix) && ids.insert(id.clone()), "{id}");
            for key in ["source", "statement", "kind", "expect"] {
                assert!(!text(&claim, key).is_empty(), "{id}: {key}");
            }
            for part in parts(&claim) {
                let many = part.get("instances").and_then(Value::as_array);
                let many = many.into_iter().flatten().filter_map(Value::as_str);
                let one = part.get("instance").and_then(Value::as_str);
                let set = part.get("settings").or(claim.get("settings"));
                let set = set.and_then(Value::as_table).into_iter().flatten();
                let set = set.map(|(key, value)| (&**key, value.as_str().unwrap()));
                let set: Vec<(&str, &str)> = set.collect();
                for instance in many.chain(one) {
                    let opened = library.open(instance, "reference", &settings(&set));
                    assert!(opened.is_ok(), "{id}: {instance}");
                }
            }
        }
    }
    assert!(ids.len() > 100, "{}", ids.len());
}

/// The board from which a figure of a sliding-block puzzle is derived is the claim's.
#[test]
fn claims_of_sliding_blocks_name_the_board_that_they_are_derived_from() {
    for claim in tables(antipode_blocks::sliding_block::CLAIMS) {
        let kind = |part: &Table| match text(part, "kind") {
            "" => text(&claim, "kind") == "derived",
            own => own == "derived",
        };
        for part in parts(&claim).filter(|part| kind(part)) {
            let instance = text(part, "instance");
            let parameters = part.get("parameters").or(claim.get("parameters"));
            let board = parameters.and_then(|p| p.get("board"));
            let board = board.map_or("climb-pro-24", |board| board.as_str().unwrap());
            assert!(instance.is_empty() || board == instance, "{claim:?}");
        }
    }
}

/// Whether a claim has a reading that quick effort decides without the analysis of a whole instance
/// or a table of lengths, which take minutes. Also whether it has one that needs such an analysis.
fn quick_and_whole(claim: &Table) -> (bool, bool) {
    let quick = text(claim, "effort") != "full";
    let own = |part: &Table| {
        let keys = ["engine", "max_depth", "levels", "direction", "settings"];
        keys.iter().any(|key| part.contains_key(*key))
    };
    let decided = |part: &Table| match text(part, "kind") {
        "derived" | "length" | "levels" | "solvable" | "unreachable" => true,
        "count" => own(part),
        _ => false,
    };
    let whole = |part: &Table| text(part, "kind") == "count" && !own(part);
    (quick && parts(claim).any(decided), parts(claim).any(whole))
}

#[test]
fn claims_come_out_as_expected() {
    come_out(false, 100);
}

#[test]
#[ignore = "every part of Tilt's box: two CPU-minutes; CI_FULL=1 .ci/run"]
fn claims_with_a_reading_about_a_whole_instance_come_out_as_expected() {
    come_out(true, 2);
}

fn come_out(whole: bool, least: usize) {
    let claims = all_claims()
        .into_iter()
        .flat_map(|(_, _, file)| tables(file));
    let ids: Vec<String> = claims
        .filter(|claim| quick_and_whole(claim) == (true, whole))
        .map(|claim| text(&claim, "id").to_owned())
        .collect();
    assert!(ids.len() >= least, "{}", ids.len());
    let folder = fresh();
    let line = format!("certify --format json --threads 2 {}", ids.join(" "));
    let ran = runs(&folder, &line);
    let found: Json = ran.json();
    let found = found["claims"].as_array().unwrap();
    assert_eq!(found.len(), ids.len());
    let odd = |claim: &&Json| claim["verdict"] != claim["expect"];
    let odd: Vec<&Json> = found.iter().filter(odd).collect();
    assert_eq!(ran.code, 0, "{odd:#?}{}", ran.err);
    let page = read(folder.join("antipode-out/report.html"));
    // Claims of amounts, times and sizes, which no board shows, have no picture.
    let articles = page.split("<article class=\"claim\" data-claim=\"").skip(1);
    let undrawn = articles.filter_map(|article| {
        let article = article.split("</article>").next()?;
        let (id, rest) = article.split_once('"')?;
        (!rest.contains("<svg") && !words(OF_NO_BOARD).contains(&id)).then_some(id)
    });
    let undrawn: Vec<&str> = undrawn.collect();
    assert!(undrawn.is_empty(), "no picture: {undrawn:?}");
}

/// Claims of amounts, times and sizes, which no board shows.
const OF_NO_BOARD: &str = "tilt-configurations tilt-grey-configurations tilt-final-states \
    tilt-row-configurations tilt-inverted-work tilt-one-in-ten-thousand coin-puzzles \
    coin-memory-list-5x7 coin-memory-bytes-5x9 coin-rank-range coin-popcnt hanoi-frame-stewart \
    lights-quiet-list lights-quiet-torus-list simple-puzzles";
