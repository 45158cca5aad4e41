//! Every puzzle that ships keeps the contract that `test-plugin` checks of a library, on a small
//! instance. This includes that the fast variant agrees with the rulebook.

use std::sync::Arc;

use antipode_check::conformance::{self, Event, Scope, TestPlan, Verdict};
use antipode_graph::builtin;
use antipode_search::progress::Stop;
use puzzle_api::Settings;

/// A small instance of each puzzle. `custom` of permutation puzzles has pieces that look alike and
/// places that are not for all.
const SMALL: [(&str, &str, &str); 13] = [
    ("tilt", "box", "grey=1 blue=1 green=0..1"),
    ("coin-sliding", "custom", "width=3 height=5 coins=6"),
    ("peg-solitaire", "triangle-15", ""),
    ("sliding-block", "block-10-v11", ""),
    ("rush-hour", "card-1", ""),
    ("unit-rush-hour", "3x3", ""),
    ("simple-block", "3x3-n4", ""),
    ("sliding-tile", "2x3", "empty=0,1"),
    ("large-tile", "3x6", "empty=1,2"),
    ("pancake", "burnt-4", ""),
    ("hanoi", "4-4", ""),
    ("lights-out", "2x4", "states=4 torus=true"),
    (
        "permutation",
        "custom",
        concat!(
            "define=",
            env!("CARGO_MANIFEST_DIR"),
            "/../../puzzles/permutation/tests/texts/square-one-shape.tws"
        ),
    ),
];

#[test]
fn every_puzzle_keeps_the_contract() {
    let all = builtin::all();
    let names: Vec<&str> = all.iter().map(|library| &*library.name).collect();
    assert_eq!(names, SMALL.map(|(puzzle, ..)| puzzle));
    for (library, (puzzle, instance, given)) in all.into_iter().zip(SMALL) {
        let pairs = given
            .split_whitespace()
            .filter_map(|pair| pair.split_once('='));
        let settings: Settings = pairs
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        let plan = TestPlan {
            boards: Vec::new(),
            instances: vec![(instance.to_owned(), settings)],
            variants: library.variants.clone(),
            scope: Scope {
                seed: 1,
                exhaustive: 300,
                sample: 100,
                deep: 10,
            },
            checks: usize::MAX,
            claims: None,
            after: None,
        };
        let (mut passed, mut failed) = (0, Vec::new());
        let mut watch = |event: Event| {
            if let Event::Found(finding) = event {
                passed += usize::from(matches!(finding.verdict, Verdict::Passed { .. }));
                if finding.failed() {
                    failed.push(format!("{finding:?}"));
                }
            }
        };
        let tested = conformance::test(&Arc::new(library), &plan, &Stop::default(), &mut watch);
        tested.unwrap_or_else(|error| panic!("{puzzle}/{instance}: {error}"));
        assert!(failed.is_empty(), "{failed:#?}");
        // For each variant some twenty checks, and more for those with ranks or symmetries.
        assert!(
            passed > 15 * plan.variants.len(),
            "{puzzle}: {passed} checks"
        );
    }
}
