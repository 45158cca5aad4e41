//! Every puzzle that ships keeps the contract that `test-plugin` checks of a library, on a small
//! instance. This includes that the fast variant agrees with the rulebook.

use std::collections::HashSet;
use std::sync::Arc;

use antipode_check::conformance::{self, Event, Scope, TestPlan, Verdict};
use antipode_graph::builtin;
use antipode_search::progress::Stop;
use puzzle_api::Settings;

/// Small instances, at least one of each puzzle in the order of the list, and those whose fast
/// variant takes another way: settings of the metric, of walls and goals, boards too large for a
/// word, boards with gates. Settings are separated by `; `. `custom` of permutation puzzles has
/// pieces that look alike and places that are not for all.
const SMALL: [(&str, &str, &str); 56] = [
    ("tilt", "box", "grey=1; blue=1; green=0..1"),
    ("tilt", "box", ""),
    ("tilt", "thesis-a", ""),
    ("coin-sliding", "custom", "width=3; height=5; coins=6"),
    ("coin-sliding", "custom", "coins=4"),
    (
        "coin-sliding",
        "custom",
        "coins=4; from=oo../oo../..../....; to=..../.oo./.oo./....",
    ),
    ("coin-sliding", "custom", "coins=4; to=..../.oo./.oo./...."),
    ("coin-sliding", "5x7", ""),
    ("coin-sliding", "5x7", "from=A; to=O,X"),
    ("coin-sliding", "5x9", "from=A; to=O,X"),
    ("coin-sliding", "custom", "width=8; height=8; coins=20"),
    ("coin-sliding", "custom", "width=64; height=1; coins=30"),
    ("peg-solitaire", "triangle-15", ""),
    ("peg-solitaire", "english-33", "to=1:0"),
    ("peg-solitaire", "french-37", ""),
    ("peg-solitaire", "wiegleb-45", ""),
    ("peg-solitaire", "diamond-32", "to=-1:1"),
    ("peg-solitaire", "diamond-41", ""),
    ("sliding-block", "donkey", "metric=line"),
    ("sliding-block", "donkey", "metric=step"),
    ("sliding-block", "block-10-v11", ""),
    ("sliding-block", "climb-pro-24", ""),
    ("sliding-block", "mini-climb-pro", ""),
    ("sliding-block", "maxi-ma", "metric=step"),
    (
        "sliding-block",
        "custom",
        "board=a..b/aacc/.-../--#./goal: a 1,0; metric=line",
    ),
    (
        "sliding-block",
        "custom",
        "board=#a.b-/cc-dd/.-**e/f-**./goal: * 0,1",
    ),
    (
        "sliding-block",
        "custom",
        "board=ab-c/.*-./d.#f/goal: * 0,2; metric=step",
    ),
    (
        "sliding-block",
        "custom",
        "board=aabbc.../......../......../dd....../goal: a 0,4; metric=step",
    ),
    ("sliding-block", "custom", "board=a../bb./.../goal: a 2,2"),
    ("sliding-block", "custom", WIDE),
    ("rush-hour", "card-1", ""),
    ("rush-hour", "fogleman-21", "metric=step"),
    ("rush-hour", "4x4", "walls=2; row=4"),
    ("rush-hour", "5x5", "metric=step"),
    ("rush-hour", "5x5", "walls=1"),
    (
        "rush-hour",
        "custom",
        "board=BB./AA./..C/..C/D../D../DEE/...",
    ),
    ("rush-hour", "custom", "board=BBCDD/..C../AA#E./...E."),
    ("unit-rush-hour", "3x3", ""),
    ("unit-rush-hour", "2x2", "empty=any"),
    ("unit-rush-hour", "4x3", "empty=2..5; metric=move"),
    ("unit-rush-hour", "4x4", "empty=any; exit=2"),
    ("unit-rush-hour", "10x2", "exit=10"),
    ("unit-rush-hour", "tromp-5x5", ""),
    ("unit-rush-hour", "custom", "board=A.-|.|-.||/||-.|.--|."),
    (
        "unit-rush-hour",
        "custom",
        "board=.A.-.|-|/|..|.--./..|-|...; metric=move",
    ),
    ("simple-block", "3x3-n4", ""),
    ("simple-block", "3x3-n3", "goal=edges"),
    ("simple-block", "3x4-n10", ""),
    ("simple-block", "4x4-n6", "goal=edges"),
    ("simple-block", "custom", "board=AABE/CFBB/CDGH/.DI."),
    ("sliding-tile", "2x3", "empty=0,1"),
    ("large-tile", "3x6", "empty=1,2"),
    ("pancake", "burnt-4", ""),
    ("hanoi", "4-4", ""),
    ("lights-out", "2x4", "states=4; torus=true"),
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

/// More cells than a word has bits.
const WIDE: &str = "board=aab..c..de/..b..c.fff/........../........../........../........../\
                    ........../........../goal: a 5,5; metric=step";

#[test]
fn every_puzzle_keeps_the_contract() {
    let mut passed = HashSet::new();
    let mut named = SMALL.map(|(puzzle, ..)| puzzle).to_vec();
    named.dedup();
    let all = builtin::all();
    let names: Vec<&str> = all.iter().map(|library| &*library.name).collect();
    assert_eq!(names, named);
    for library in all.into_iter().map(Arc::new) {
        let rows = SMALL.into_iter().filter(|row| *row.0 == *library.name);
        for (row, (_, instance, given)) in rows.enumerate() {
            let pairs = given.split("; ").filter_map(|pair| pair.split_once('='));
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
                    // Walks to great depths take seconds.
                    deep: if row == 0 { 10 } else { 0 },
                },
                checks: usize::MAX,
                claims: None,
                after: None,
            };
            let (mut found, mut failed) = (0, Vec::new());
            let mut watch = |event: Event| {
                if let Event::Found(finding) = event {
                    if finding.failed() {
                        failed.push(format!("{finding:?}"));
                    } else if matches!(finding.verdict, Verdict::Passed { .. }) {
                        found += 1;
                        passed.insert(finding.check);
                    }
                }
            };
            let tested = conformance::test(&library, &plan, &Stop::default(), &mut watch);
            let name = format!("{}/{instance} {given}", library.name);
            tested.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(failed.is_empty(), "{name}: {failed:#?}");
            // For each variant some twenty checks, and more for those with ranks or symmetries.
            assert!(found > 15 * plan.variants.len(), "{name}: {found} checks");
        }
    }
    let checks = conformance::checks::<u64>().into_iter();
    let checks = checks.map(|(name, _)| name);
    let never: Vec<&str> = checks.filter(|&name| !passed.contains(name)).collect();
    assert!(never.is_empty(), "{never:?}");
}
