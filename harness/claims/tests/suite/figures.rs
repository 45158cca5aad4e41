//! Claims about figures that a puzzle does not have, found out before anything is searched; and about
//! the greatest distance, which is that of the instance as the settings open it.

use std::sync::Arc;

use antipode_claims::{Context, Effort};
use antipode_graph::builtin;
use antipode_reports::model::Verdict;
use antipode_search::progress::Stop;

use crate::{alone, judged};

/// Verdict of a claim about a built-in puzzle; else the line that refuses it.
fn verdict(puzzle: &str, lines: &str) -> Result<Verdict, String> {
    alone(puzzle, lines).map(|judged| judged.result.verdict)
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
            let line = format!(
                "{puzzle} has no buckets in the variant that is counted, and count = \"{count}\""
            );
            assert!(refused.contains(&line), "{refused}");
        }
    }
    let by_hash = "kind = \"count\"\ninstance = \"card-7\"\ncount = \"moves_kept_by_hash\"\ncompare = \"at-most\"\nclaimed = 0.01";
    let found = verdict("tilt", by_hash).expect("a good claim");
    assert_eq!(found, Verdict::Confirmed);
    let own = "kind = \"count\"\ninstance = \"climb-12\"\ncount = \"moves_kept\"\nlevels = [1, 20]\ncompare = \"about\"\nclaimed = 0.99552";
    let found = verdict("sliding-block", own).expect("a good claim");
    assert_eq!(found, Verdict::Confirmed);
}

/// In all metrics of all puzzles, written out or not.
#[test]
fn a_length_counts_what_the_metric_of_the_instance_does() {
    let mut defaults = Vec::new();
    for library in builtin::all().into_iter().map(Arc::new) {
        let mut settings = library.settings.iter();
        let Some(metric) = settings.find(|setting| setting.key == "metric") else {
            continue;
        };
        let board = match library.name.as_str() {
            "permutation" => "board = \"solved\"",
            _ => "",
        };
        let unit = |settings: &str| {
            let instance = &library.instances[0].name;
            let lines = format!(
                "kind = \"length\"\nclaimed = 1\ninstance = \"{instance}\"\nmax_depth = 1\n{board}\n{settings}"
            );
            let mut context = Context::new(Effort::Quick, 1, 2, Stop::default());
            judged(&library, &lines, &mut context).map(|judged| judged.result.unit)
        };
        let own = unit("").expect("a good claim");
        if metric.summary.contains("step (") {
            let steps = unit("settings = { metric = \"step\" }");
            assert_eq!(steps.as_deref(), Ok("steps"));
        }
        defaults.push(format!("{} {own}", library.name));
    }
    defaults.sort_unstable();
    let all = [
        "permutation moves",
        "rush-hour moves",
        "sliding-block moves",
        "unit-rush-hour steps",
    ];
    assert_eq!(defaults, all);
    let lines = "kind = \"count\"\ninstance = \"2x3\"\ncount = \"max_depth\"\ncompare = \"at-least\"\nclaimed = 1\nunit =";
    let refused = verdict("unit-rush-hour", &format!("{lines} \"moves\""));
    let line = refused.expect_err("no moves");
    assert!(line.contains("max_depth counts steps, not moves"), "{line}");
    let steps = verdict("unit-rush-hour", &format!("{lines} \"steps\""));
    assert_eq!(steps, Ok(Verdict::Confirmed));
}

#[test]
fn a_puzzle_that_derives_nothing_says_so() {
    let lines = "kind = \"derived\"\nderive = \"anything\"\nclaimed = 1";
    let refused = verdict("pancake", lines).expect_err("no derivation");
    assert!(refused.contains("pancake derives nothing"), "{refused}");
    // A parameter that was left out is named with the others.
    let lines = "kind = \"derived\"\nderive = \"positions\"\nclaimed = 834451800";
    let judged = alone("coin-sliding", lines).expect("a derivation");
    let asked = "board = 5x7 (not given)";
    assert_eq!(judged.cases[0].figures["parameters"], asked);
    assert!(judged.result.notes[0].contains(&format!("parameters: {asked}")));
}

const CARD_1: &str = "..D.BB/..D.../AAD.../CCC..E/.....E/.....E";

/// Verdict and figure of a claim about card 1, all decided in one run.
fn decided(claims: &[&str]) -> Vec<(Verdict, String)> {
    let library = Arc::new(builtin::named("rush-hour").expect("a built-in puzzle"));
    let mut context = Context::new(Effort::Quick, 1, 2, Stop::default());
    let judged = claims.iter().map(|keys| {
        let lines =
            format!("kind = \"hardest\"\ninstance = \"card-1\"\nboard = \"{CARD_1}\"\n{keys}");
        let result = judged(&library, &lines, &mut context).unwrap().result;
        (result.verdict, result.found)
    });
    judged.collect()
}

/// In one run, so that an analysis with settings does not pass for one without.
#[test]
fn a_greatest_distance_is_one_in_the_metric_of_the_claim() {
    let found = decided(&[
        "claimed = 9",
        "claimed = 9\nsettings = { metric = \"step\" }",
        "settings = { metric = \"step\" }",
        "claimed = 10",
        "claimed = 9\nsettings = { metric = \"move\" }",
    ]);
    let verdicts: Vec<Verdict> = found.iter().map(|(verdict, _)| *verdict).collect();
    assert_eq!(verdicts[0], Verdict::Confirmed, "{found:?}");
    assert_eq!(verdicts[1], Verdict::Refuted, "{found:?}");
    assert_eq!(verdicts[3], Verdict::Refuted, "{found:?}");
    assert_eq!(verdicts[4], Verdict::Confirmed, "{found:?}");
    // The published card in single steps, by the same board.
    assert!(
        found[2].1.starts_with("21 steps, the greatest"),
        "{found:?}"
    );
    let none = "kind = \"unreachable\"\ninstance = \"card-1\"\nsettings = { metric = \"step\" }";
    let shown = alone("rush-hour", none).unwrap().result;
    assert_eq!(shown.found, "21 steps");
}
