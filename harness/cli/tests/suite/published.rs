//! The published claims of every puzzle: well-formed, and those decided by a derivation or a
//! separate search have the expected verdicts at quick effort.

use std::collections::BTreeSet;

use antipode_claims::{Context, Effort, check};
use antipode_search::progress::Stop;
use serde_json::Value as Json;
use toml::{Table, Value};

use crate::findings::sources;
use crate::support::{fresh, read, runs, words};

/// All claims of puzzles, as they are written.
fn tables() -> Vec<Table> {
    let all = sources().into_iter().map(|(source, _)| source);
    let texts = all
        .filter(|source| source.library.is_some())
        .map(|source| source.text);
    let claims = texts.flat_map(|text| {
        let file: Table = text.parse().unwrap();
        file["claim"].as_array().unwrap().clone()
    });
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

/// Those for full effort, too: instances open, and derivations speak of theirs.
#[test]
fn claims_can_be_asked_and_have_ids_of_their_own() {
    let context = Context::new(Effort::Quick, 1, 2, Stop::default());
    let mut ids = BTreeSet::new();
    for (source, claims) in sources() {
        for claim in claims {
            let unfit = check(&source, &claim, &context);
            assert!(unfit.is_empty(), "{}", unfit[0]);
            assert!(ids.insert(claim.id.clone()), "{}", claim.id);
        }
    }
    assert!(ids.len() > 100, "{}", ids.len());
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
fn claims_about_a_whole_or_large_instance_come_out_as_expected() {
    come_out(true, 4);
}

/// Claims that take a quarter of the time of all others, and are of the same kinds.
const LONG: [&str; 2] = ["sliding-climb-12-e-length", "permutation-pyraminx"];

fn come_out(whole: bool, least: usize) {
    let claims = tables();
    let is_due = |claim: &&Table| {
        let (quick, large) = quick_and_whole(claim);
        quick && whole == (large || LONG.contains(&text(claim, "id")))
    };
    let due = claims.iter().filter(is_due);
    let ids: Vec<String> = due.map(|claim| text(claim, "id").to_owned()).collect();
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
