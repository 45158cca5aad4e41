//! Claims about figures that a puzzle does not have, found out before anything is searched.

use std::sync::Arc;

use antipode_claims::{Context, Effort};
use antipode_graph::builtin;
use antipode_reports::model::Verdict;
use antipode_search::progress::Stop;

/// Verdict and figure of a claim about a built-in puzzle; else the line that refuses it.
fn verdict(puzzle: &str, lines: &str) -> Result<(Verdict, String), String> {
    let library = Arc::new(builtin::named(puzzle).expect("a built-in puzzle"));
    let mut context = Context::new(Effort::Quick, 1, 2, Stop::default());
    let judged = crate::judged(&library, lines, &mut context)?;
    Ok((judged.result.verdict, judged.result.found))
}

/// The four counts of a puzzle's own buckets; `moves_kept at most 0.01` was confirmed for towers.
#[test]
fn what_counts_buckets_needs_a_puzzle_that_has_some() {
    for count in [
        "moves_kept",
        "moves_over_leaving",
        "moves_over_stored",
        "one_bucket_to",
    ] {
        for (puzzle, instance) in [("hanoi", "4-3"), ("tilt", "card-7")] {
            let lines = format!(
                "kind = \"count\"\ninstance = \"{instance}\"\ncount = \"{count}\"\ncompare = \"at-most\"\nclaimed = 1"
            );
            let refused = verdict(puzzle, &lines).expect_err(count);
            let line = format!("{puzzle} has no buckets, and count = \"{count}\"");
            assert!(refused.contains(&line), "{refused}");
        }
    }
    let by_hash = "kind = \"count\"\ninstance = \"card-7\"\ncount = \"moves_kept_by_hash\"\ncompare = \"at-most\"\nclaimed = 0.01";
    let found = verdict("tilt", by_hash).expect("a good claim");
    assert_eq!(found.0, Verdict::Confirmed);
    let own = "kind = \"count\"\ninstance = \"climb-12\"\ncount = \"moves_kept\"\nlevels = [1, 20]\ncompare = \"about\"\nclaimed = 0.99552";
    let found = verdict("sliding-block", own).expect("a good claim");
    assert_eq!(found.0, Verdict::Confirmed);
}

#[test]
fn a_puzzle_that_derives_nothing_says_so() {
    let lines = "kind = \"derived\"\nderive = \"anything\"\nclaimed = 1";
    let refused = verdict("pancake", lines).expect_err("no derivation");
    assert!(refused.contains("pancake derives nothing"), "{refused}");
}
