//! Every puzzle that ships keeps the contract that `test-plugin` asks of a library: among it, that
//! the fast variant agrees with the rulebook on moves, solved states, symmetries and drawings, and
//! that ranks, bounds and neighbours by rank are those of the states.

use std::sync::Arc;

use antipode_check::conformance::{self, Event, Plan, Scope, Verdict};
use antipode_graph::builtin;
use antipode_search::progress::Stop;
use puzzle_api::Settings;

/// Instances that are not listed, with settings.
const MORE: [(&str, &str, &str); 41] = [
    ("coin-sliding", "custom", "coins=4"),
    (
        "coin-sliding",
        "custom",
        "coins=4 from=oo../oo../..../.... to=..../.oo./.oo./....",
    ),
    ("coin-sliding", "custom", "coins=4 to=..../.oo./.oo./...."),
    ("coin-sliding", "custom", "coins=15"),
    ("coin-sliding", "custom", "coins=8 to=.oo./o..o/o..o/.oo."),
    ("coin-sliding", "custom", "width=3 height=5 coins=6"),
    ("coin-sliding", "custom", "width=7 height=2 coins=8"),
    ("coin-sliding", "custom", "width=1 height=9 coins=4"),
    ("coin-sliding", "custom", "width=8 height=8 coins=20"),
    ("coin-sliding", "custom", "width=64 height=1 coins=30"),
    ("coin-sliding", "5x9", "from=A to=O,X"),
    ("hanoi", "3-1", ""),
    ("hanoi", "6-4", ""),
    ("hanoi", "6-20", ""),
    ("large-tile", "3x6", "empty=1,2"),
    ("large-tile", "5x5", "empty=0,0"),
    ("lights-out", "1x7", ""),
    ("lights-out", "8x8", ""),
    ("lights-out", "64x1", ""),
    ("lights-out", "3x4", "torus=true"),
    ("lights-out", "5x5", "pattern=o.o/.o./o.o"),
    ("lights-out", "3x3", "pattern=.o./.oo/... torus=true"),
    ("lights-out", "3x3", "states=3"),
    ("lights-out", "5x5", "states=3"),
    ("lights-out", "2x4", "states=4 torus=true"),
    ("lights-out", "3x7", "states=8 pattern=2.1/.5./1.7"),
    ("pancake", "plain-1", ""),
    ("pancake", "plain-12", ""),
    ("pancake", "burnt-1", ""),
    ("pancake", "burnt-12", ""),
    ("sliding-tile", "2x3", "empty=0,1"),
    ("sliding-tile", "3x3", "empty=1,1"),
    ("sliding-tile", "8x2", "empty=3,0"),
    ("sliding-tile", "2x7", "empty=1,3"),
    ("sliding-tile", "5x3", "empty=2,1"),
    ("sliding-tile", "4x4", "empty=0,0"),
    ("tilt", "box", "grey=0 blue=0..1 green=0..1"),
    ("tilt", "box", "grey=1 blue=1 green=0..1"),
    ("tilt", "box", "grey=3 blue=1 green=0..1"),
    ("tilt", "box", "grey=2 blue=2"),
    ("tilt", "thesis-a", ""),
];

/// Listed instances of a puzzle that are tested: of many, some from all over the list.
const MOST: usize = 4;

fn keeps_the_contract(puzzle: &str) {
    let library = Arc::new(builtin::named(puzzle).expect("ships"));
    let listed = &library.instances;
    let step = listed.len().div_ceil(MOST).max(1);
    let listed = listed.iter().step_by(step);
    let mut instances: Vec<(String, Settings)> = listed
        .map(|instance| (instance.name.clone(), Settings::new()))
        .collect();
    let more = MORE.iter().filter(|(name, ..)| *name == puzzle);
    instances.extend(more.map(|(_, instance, given)| {
        let pairs = given
            .split_whitespace()
            .filter_map(|pair| pair.split_once('='));
        let settings = pairs.map(|(key, value)| (key.to_owned(), value.to_owned()));
        ((*instance).to_owned(), settings.collect())
    }));
    let plan = Plan {
        boards: Vec::new(),
        instances,
        variants: library.variants.clone(),
        scope: Scope {
            seed: 1,
            exhaustive: 1000,
            sample: 60,
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
            if matches!(finding.verdict, Verdict::Failed { .. }) {
                failed.push(format!("{finding:?}"));
            }
        }
    };
    conformance::test(&library, &plan, &Stop::default(), &mut watch).expect("opens");
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(passed > 20 * plan.instances.len(), "{passed} checks");
}

macro_rules! each_puzzle {
    ($($test:ident: $puzzle:literal;)+) => {
        $(#[test]
        fn $test() {
            keeps_the_contract($puzzle);
        })+

        #[test]
        fn none_is_left_out() {
            let names: Vec<String> = builtin::all().into_iter().map(|library| library.name).collect();
            assert_eq!(names, [$($puzzle),+]);
            assert!(MORE.iter().all(|(puzzle, ..)| names.iter().any(|name| name == puzzle)));
        }
    };
}

each_puzzle! {
    tilt_keeps_the_contract: "tilt";
    coins_keep_the_contract: "coin-sliding";
    pegs_keep_the_contract: "peg-solitaire";
    sliding_blocks_keep_the_contract: "sliding-block";
    rush_hour_keeps_the_contract: "rush-hour";
    unit_rush_hour_keeps_the_contract: "unit-rush-hour";
    simple_blocks_keep_the_contract: "simple-block";
    tiles_keep_the_contract: "sliding-tile";
    large_tiles_keep_the_contract: "large-tile";
    pancakes_keep_the_contract: "pancake";
    hanoi_keeps_the_contract: "hanoi";
    lights_out_keeps_the_contract: "lights-out";
    permutations_keep_the_contract: "permutation";
}
