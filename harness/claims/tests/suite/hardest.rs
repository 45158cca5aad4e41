//! Claims of kind `hardest` with settings: the greatest distance is that of the instance as they
//! open it.

use std::sync::Arc;

use antipode_claims::{Context, Effort};
use antipode_graph::builtin;
use antipode_reports::model::Verdict;
use antipode_search::progress::Stop;

use crate::judged;

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
    assert_ne!(found[0].1, found[2].1);
}
