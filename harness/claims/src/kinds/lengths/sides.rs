//! The rulebook's check of the sides on which lengths rest, and the verdict that it allows.

use antipode_check::verify::{CONFIDENCE, LEAST_SAMPLE, evidence, upper_bound};
use antipode_reports::model::{Evidence, Verdict};
use antipode_search::many_to_many::{Inside, PairsOutcome};

use crate::Effort;
use crate::finding::RowFinding;

/// States inside all sides that the rulebook checks; if there are fewer, all are checked, which
/// proves the sides. A side has its share of them.
pub(super) const fn looked_at(effort: Effort) -> usize {
    match effort {
        Effort::Quick => 40_000,
        Effort::Full => 1_000_000,
    }
}

/// The least share of a side that is checked.
pub(super) const LEAST: usize = LEAST_SAMPLE as usize;

/// A row is confirmed if its two sides are proven on the rulebook, or if the puzzle's own sweep,
/// which shares no code with them, finds the same length. It is confirmed by sample if states
/// inside the sides were checked. A path alone shows only that no more moves are needed.
pub(super) fn hold_to_sides(row: &mut RowFinding, sides: [Option<&Inside>; 2], again: bool) {
    let by_sample = match row.verdict {
        Verdict::Confirmed => Verdict::ConfirmedBySample,
        Verdict::Refuted if row.by_path => return,
        Verdict::Refuted => Verdict::RefutedBySample,
        _ => return,
    };
    let known = sides.iter().flatten();
    let is_enough = |side: &&&Inside| side.proven() || side.looked_at >= LEAST_SAMPLE;
    if known.clone().any(|side| side.wrong > 0) {
        row.verdict = Verdict::NotReached;
        row.note = "the rulebook leads out of a side, so that our own derivations disagree".into();
    } else if known.clone().filter(|side| side.proven()).count() == sides.len() {
        row.note += "; the rulebook proves both sides";
    } else if again {
        row.note +=
            "; the puzzle's own sweep, which shares no code with them, finds this length too";
    } else if known.filter(is_enough).count() == sides.len() {
        row.verdict = by_sample;
        row.note += "; both sides were compared with the rulebook on a sample";
    } else {
        row.verdict = Verdict::NotReached;
        row.note += "; the rulebook has not looked at both sides";
    }
}

/// The states checked inside all sides.
pub(super) fn inside(outcome: &PairsOutcome) -> Evidence {
    let sides = || outcome.forward.iter().chain(&outcome.backward);
    let sum = |of: fn(&Inside) -> u64| sides().map(|(_, side)| of(side)).sum::<u64>();
    let (states, looked_at) = (sum(|side| side.states), sum(|side| side.looked_at));
    let wrong = sum(|side| side.wrong);
    let all = looked_at == states;
    let bound = upper_bound(looked_at, wrong, CONFIDENCE).filter(|_| !all);
    let text = format!(
        "{} of the {states} states inside {} sides, those of each with the least hashes: all neighbours by the rulebook, and by its own predecessors in sides backward, must be in the side.",
        if all { "All" } else { "Some" },
        sides().count()
    );
    Evidence {
        population: all.then(|| states.into()),
        ..evidence("sides", looked_at, wrong, bound, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::LengthPair;

    #[test]
    fn a_row_says_no_more_than_its_sides_were_checked() {
        let side = |states, looked_at, wrong| Inside {
            states,
            looked_at,
            wrong,
            fault: None,
        };
        let held_again = |verdict, by_path, sides: [Option<&Inside>; 2], again| {
            let mut row = RowFinding {
                pair: LengthPair {
                    from: "A".into(),
                    to: "B".into(),
                    moves: 5,
                },
                found: "5".into(),
                verdict,
                note: String::new(),
                witness: None,
                by_path,
            };
            hold_to_sides(&mut row, sides, again);
            row.verdict
        };
        let held = |verdict, by_path, sides| held_again(verdict, by_path, sides, false);
        let (all, some) = (side(7, 7, 0), side(1000, 100, 0));
        let (few, wrong) = (side(1000, 99, 0), side(7, 7, 1));
        use Verdict::{Confirmed, ConfirmedBySample, NotReached, Refuted, RefutedBySample};
        let confirmed = |sides| held(Confirmed, false, sides);
        assert_eq!(confirmed([Some(&all), Some(&all)]), Confirmed);
        assert_eq!(confirmed([Some(&all), Some(&some)]), ConfirmedBySample);
        assert_eq!(confirmed([Some(&few), Some(&all)]), NotReached);
        assert_eq!(confirmed([Some(&wrong), Some(&all)]), NotReached);
        assert_eq!(confirmed([None, Some(&all)]), NotReached);
        let sides = [Some(&some), Some(&all)];
        assert_eq!(held(Refuted, false, sides), RefutedBySample);
        assert_eq!(held(Refuted, true, [None, None]), Refuted);
        assert_eq!(held_again(Confirmed, false, sides, true), Confirmed);
        assert_eq!(held_again(Refuted, false, sides, true), Refuted);
        let sides = [Some(&wrong), Some(&all)];
        assert_eq!(held_again(Confirmed, false, sides, true), NotReached);
    }
}
