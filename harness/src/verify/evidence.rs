//! What the samples of a run say, as evidence for reports.

use std::collections::HashMap;

use puzzle_api::{Key, UNSOLVABLE};

use antipode_reports::model::Evidence;

use super::{CONFIDENCE, upper_bound};
use crate::observe::{Sample, SpotChecks, Strikes};

/// How a distance reads.
fn moves(depth: u16) -> String {
    match depth {
        UNSOLVABLE => "unsolvable".into(),
        1 => "1 move".into(),
        n => format!("{n} moves"),
    }
}

/// Outcome of the inclusiveness check. `whole` says that the run delivered unsolvable
/// states too; else it must not have met one. Gives the evidence, and a line for each of
/// the first few faults.
#[must_use]
pub fn inclusiveness<K: Key>(
    strikes: &Strikes<K>,
    whole: bool,
    draw: &dyn Fn(K) -> String,
) -> (Evidence, Vec<String>) {
    let mut met: HashMap<u32, Vec<u16>> = HashMap::new();
    for strike in &strikes.met {
        met.entry(strike.index).or_default().push(strike.depth);
    }
    let faults: Vec<String> = strikes
        .samples()
        .iter()
        .filter_map(|sample| {
            let depths = met.get(&sample.index).map_or(&[][..], Vec::as_slice);
            fault(sample, depths, whole).map(|text| format!("{}: {text}", draw(sample.key)))
        })
        .collect();
    let sampled = strikes.samples().len() as u64;
    let solvable = strikes
        .samples()
        .iter()
        .filter(|sample| sample.expected != UNSOLVABLE)
        .count();
    let wrong = faults.len() as u64;
    let bound = upper_bound(sampled, wrong, CONFIDENCE);
    let text = format!(
        "States drawn uniformly and solved forward on the rules ({solvable} of them solvable) must be met by the run once and at the same distance."
    );
    (
        evidence("inclusiveness", sampled, wrong, bound, text),
        first_few(faults),
    )
}

fn fault<K>(sample: &Sample<K>, depths: &[u16], whole: bool) -> Option<String> {
    let expected = moves(sample.expected);
    match depths {
        [] if sample.expected == UNSOLVABLE && !whole => None,
        [] => Some(format!("{expected} by forward search, missed by the run")),
        [depth] if *depth == sample.expected => None,
        [depth] => Some(format!(
            "{expected} by forward search, {} by the run",
            moves(*depth)
        )),
        several => Some(format!("delivered {} times by the run", several.len())),
    }
}

/// Outcome of the exclusiveness check, and a line for each of the first few faults.
#[must_use]
pub fn exclusiveness<K: Key>(
    spots: &SpotChecks<K>,
    one_in: u64,
    draw: &dyn Fn(K) -> String,
) -> (Evidence, Vec<String>) {
    let bound = upper_bound(spots.solved, spots.wrong, CONFIDENCE);
    let text = format!(
        "One in {one_in} of the states that the run met is solved forward on the rules and must have the same distance."
    );
    let mut mismatches = spots.mismatches.clone();
    mismatches.sort_unstable();
    let faults = mismatches
        .iter()
        .map(|m| {
            let (run, forward) = (moves(m.run), moves(m.forward));
            format!(
                "{}: {run} by the run, {forward} by forward search",
                draw(m.key)
            )
        })
        .collect();
    (
        evidence("exclusiveness", spots.solved, spots.wrong, bound, text),
        first_few(faults),
    )
}

pub(super) fn evidence(
    what: &str,
    sampled: u64,
    wrong: u64,
    bound: Option<f64>,
    text: String,
) -> Evidence {
    Evidence {
        what: what.to_owned(),
        sampled: sampled.into(),
        population: None,
        wrong: wrong.into(),
        confidence: CONFIDENCE,
        bound,
        text,
    }
}

/// Faults listed in a report; the count is always exact.
const FEW: usize = 10;

pub(super) fn first_few(mut faults: Vec<String>) -> Vec<String> {
    faults.truncate(FEW);
    faults
}
