//! The groups of moves of sliding blocks satisfy the conformance checks.

use std::sync::Arc;

use antipode_check::conformance::{self, Event, Scope, TestPlan, Verdict};
use antipode_graph::builtin;
use antipode_search::progress::Stop;
use puzzle_api::Settings;

#[test]
fn pieces_are_groups_of_moves() {
    let instances = ["donkey", "block-10-v11", "climb-pro-24", "mini-climb-pro"];
    let named = instances.map(|name| (name.to_owned(), Settings::new()));
    let plan = TestPlan {
        boards: Vec::new(),
        instances: named.to_vec(),
        variants: vec!["bitboard".to_owned()],
        scope: Scope {
            seed: 1,
            exhaustive: 500,
            sample: 400,
            deep: 100,
        },
        checks: usize::MAX,
        claims: None,
        after: None,
    };
    let mut passed = 0;
    let mut watch = |event: Event| {
        if let Event::Found(finding) = event {
            let failed = matches!(finding.verdict, Verdict::Failed { .. });
            assert!(!failed, "{finding:?}");
            let is_passed = matches!(finding.verdict, Verdict::Passed { .. });
            passed += usize::from(is_passed && finding.check == "used-moves-lead-back");
        }
    };
    let library = Arc::new(builtin::named("sliding-block").expect("ships"));
    conformance::test(&library, &plan, &Stop::default(), &mut watch).expect("opens");
    assert_eq!(passed, instances.len());
}
