//! Many questions at once: two solvers compared, the number of questions that each answers, and
//! intervals.

use super::bench::sides;
use super::which::question;
use crate::bench::{Comparison, ComparisonOutcome};
use crate::plot::chart::Interval;
use crate::report::FoundFolders;
use std::collections::BTreeMap;

/// Two solvers on the questions that both answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scatter {
    pub(crate) names: [String; 2],
    /// Question, seconds of the first, seconds of the second.
    pub(crate) points: Vec<(String, f64, f64)>,
}

const SHARED: usize = 3;
const MOST_SCATTERS: usize = 4;

pub(crate) fn scatters(found: &FoundFolders) -> Vec<Scatter> {
    let solvers = by_solver(found);
    let mut scatters = Vec::new();
    for (index, (first, left)) in solvers.iter().enumerate() {
        for (second, right) in &solvers[index + 1..] {
            let shared = left.iter().filter_map(|(question, a)| {
                right.get(question).map(|b| (question.clone(), *a, *b))
            });
            let points: Vec<_> = shared.collect();
            if points.len() >= SHARED {
                let names = [first.clone(), second.clone()];
                scatters.push(Scatter { names, points });
            }
        }
    }
    scatters.sort_by_key(|scatter| std::cmp::Reverse(scatter.points.len()));
    scatters.truncate(MOST_SCATTERS);
    scatters
}

/// Processor seconds by question, for each solver in order of appearance.
fn by_solver(found: &FoundFolders) -> Vec<(String, BTreeMap<String, f64>)> {
    let mut solvers: Vec<(String, BTreeMap<String, f64>)> = Vec::new();
    for side in sides(found) {
        let (name, question) = (side.solver(), question(&side.first.group, Some(&side)));
        let at = solvers.iter().position(|(known, _)| *known == name);
        let at = at.unwrap_or_else(|| {
            solvers.push((name, BTreeMap::new()));
            solvers.len() - 1
        });
        if let Some(seconds) = side.cpu_s.filter(|_| side.is_good()) {
            // Of rows that differ only in another setting, the first by name counts.
            solvers[at].1.entry(question).or_insert(seconds);
        }
    }
    solvers
}

/// A solver and the times of the questions it answered, shortest first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cactus {
    pub(crate) name: String,
    pub(crate) seconds: Vec<f64>,
}

/// For each solver, the number of questions that it answers within a time; solvers with the most
/// answers come first, among equals the fastest. Empty if fewer than two questions were asked.
pub(crate) fn cactus(found: &FoundFolders) -> Vec<Cactus> {
    let sorted = |times: BTreeMap<String, f64>| {
        let mut seconds: Vec<f64> = times.into_values().collect();
        seconds.sort_by(f64::total_cmp);
        seconds
    };
    let mut all: Vec<Cactus> = by_solver(found)
        .into_iter()
        .map(|(name, times)| Cactus {
            name,
            seconds: sorted(times),
        })
        .filter(|cactus| !cactus.seconds.is_empty())
        .collect();
    let total = |cactus: &Cactus| cactus.seconds.iter().sum::<f64>();
    all.sort_by(|a, b| {
        let fewer = b.seconds.len().cmp(&a.seconds.len());
        fewer.then_with(|| total(a).total_cmp(&total(b)))
    });
    if all.iter().all(|cactus| cactus.seconds.len() < 2) {
        all.clear();
    }
    all
}

pub(crate) fn interval(row: &Comparison) -> Option<Interval> {
    let series = match row.verdict {
        ComparisonOutcome::Faster => 2,
        ComparisonOutcome::Slower => 1,
        _ => 0,
    };
    Some(Interval {
        name: fraction(&row.b, &row.a),
        low: row.low?,
        at: row.ratio?,
        high: row.high?,
        series,
    })
}

/// `QUESTION: JUDGED / OTHER`, with the common beginning of both only once.
fn fraction(judged: &str, other: &str) -> String {
    let same = judged.char_indices().zip(other.chars());
    let shared = same.take_while(|((_, a), b)| a == b);
    let ends = shared.filter(|((_, letter), _)| matches!(letter, ' ' | '/'));
    let shared = ends.last().map_or(0, |((place, _), _)| place + 1);
    let rest = (&judged[shared..], &other[shared..]);
    if shared == 0 || rest.0.is_empty() || rest.1.is_empty() {
        return format!("{judged} / {other}");
    }
    let question = judged[..shared].trim_end_matches([' ', '/']);
    format!("{question}: {} / {}", rest.0, rest.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_names_share_is_said_once() {
        for (judged, other, text) in [
            (
                "box/hash/bitboard",
                "box/hash/reference",
                "box/hash: bitboard / reference",
            ),
            ("box dense", "box hash", "box: dense / hash"),
            ("box@self", "box", "box@self / box"),
            ("a", "b", "a / b"),
        ] {
            assert_eq!(fraction(judged, other), text);
        }
    }
}
