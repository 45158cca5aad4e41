//! Which crate may use which: the dependencies between the crates of the workspace, as cargo sees
//! them.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{metadata, rows, words};

const PUZZLES: [&str; 6] = [
    "antipode-blocks",
    "antipode-classics",
    "antipode-coin-sliding",
    "antipode-peg-solitaire",
    "antipode-permutation",
    "antipode-tilt",
];

/// Every crate with the crates of the workspace that it may use; puzzles apart.
const MAY_USE: &str = "
    antipode | bench bitlab check claims explore graph puzzle-api reports search
    antipode-bench | check graph puzzle-api reports search
    antipode-claims | bitlab check graph puzzle-api reports search
    antipode-check | graph puzzle-api reports search
    antipode-explore | check graph puzzle-api reports search
    antipode-search | gpu graph puzzle-api reports
    antipode-gpu |
    antipode-graph | blocks classics coin-sliding peg-solitaire permutation puzzle-api tilt
    antipode-bitlab | puzzle-api
    antipode-checker |
    antipode-reports |
    antipode-puzzle-api |
    antipode-tilt-plugin | puzzle-api tilt
";

/// What the table allows a crate; `None` if the table does not know it.
fn allowed(name: &str) -> Option<Vec<&'static str>> {
    if PUZZLES.contains(&name) {
        return Some(vec!["puzzle-api"]);
    }
    let row = rows(MAY_USE).into_iter().find(|[known, _]| *known == name);
    row.map(|[_, below]| words(below))
}

/// Dependencies inside the workspace, including those of build scripts, without those of tests and
/// benches.
fn arrows(metadata: &Value) -> BTreeSet<(String, String)> {
    let packages = metadata["packages"].as_array().expect("packages");
    let name = |value: &Value| value["name"].as_str().expect("a name").to_owned();
    let members: BTreeSet<String> = packages.iter().map(name).collect();
    let mut arrows = BTreeSet::new();
    for package in packages {
        let needed = package["dependencies"].as_array().expect("dependencies");
        let needed = needed.iter().filter(|of| of["kind"] != "dev").map(name);
        let inside = needed.filter(|below| members.contains(below));
        arrows.extend(inside.map(|below| (name(package), below)));
    }
    arrows
}

#[test]
fn arrows_point_down_only() {
    let arrows = arrows(&metadata());
    assert!(arrows.len() > 20, "cargo lists the workspace: {arrows:?}");
    for (above, below) in &arrows {
        let known = allowed(above).unwrap_or_else(|| panic!("{above} has no row in the table"));
        let below = below.trim_start_matches("antipode-");
        assert!(
            known.contains(&below),
            "{above} uses {below}, which lies above it or next to it"
        );
    }
}
