//! The checks of answers and counters, and all together.

use antipode_reports::bench::{AGAINST, Baseline, BaselineRow, Comparison, Sample, Status};
use antipode_reports::count;

use super::finding::{Check, Finding, finding};
use super::time::{Terms, times};

use crate::judge::compare::ALPHA;
use crate::judge::stats::{Side, least_p};

/// What the gate says.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Judgement {
    /// All findings, by check.
    pub findings: Vec<Finding>,
    /// The times: ratios are to the baseline's.
    pub times: Vec<Comparison>,
    /// The limit that times were held to.
    pub limit: f64,
    /// Upper end of the noise band; `None` where no row was measured against itself.
    pub band: Option<f64>,
}

impl Judgement {
    /// Whether a check fails.
    #[must_use]
    pub fn fails(&self, check: Check) -> bool {
        self.findings
            .iter()
            .any(|found| found.fails && found.check == check)
    }
}

/// Why a number of samples could not show any slowdown of so many rows, however great.
#[must_use]
pub fn too_few(samples: usize, rows: usize) -> Option<String> {
    let enough = |n: usize| least_p(n, Side::Above) * rows as f64 <= ALPHA;
    let needed = (1..).find(|&n| enough(n)).unwrap_or(samples);
    (!enough(samples)).then(|| {
        format!(
            "{} of {} could not show a slowdown, however great; take at least {needed}",
            count(samples, "samples"),
            count(rows, "rows")
        )
    })
}

/// Holds samples against a baseline. `against` says that they hold a second executable's
/// samples, which times are then held against; `band` is the measured noise.
#[must_use]
pub fn judge(
    baseline: &Baseline,
    samples: &[Sample],
    against: bool,
    band: Option<f64>,
    seed: u64,
) -> Judgement {
    let mut findings = Vec::new();
    for row in &baseline.row {
        let mine: Vec<&Sample> = samples
            .iter()
            .filter(|sample| sample.row == row.name && !sample.imported())
            .collect();
        answers(row, &mine, &mut findings);
        counters(row, &mine, baseline.counter_limit, &mut findings);
    }
    others(baseline, samples, &mut findings);
    let terms = Terms {
        limit: baseline.limit,
        band,
        measure: baseline.measure,
        seed,
    };
    let times = times(baseline, samples, against, terms, &mut findings);
    findings.sort_by_key(|found| (found.check, !found.fails));
    Judgement {
        findings,
        times,
        limit: baseline.limit,
        band,
    }
}

fn answers(row: &BaselineRow, mine: &[&Sample], findings: &mut Vec<Finding>) {
    let mut say = |check, text| findings.push(finding(check, &row.name, true, text));
    // Samples of an earlier run into the folder were held against what was expected then.
    let other = |s: &&&Sample| s.counts() && s.answer != row.answer;
    if let Some(wrong) = mine.iter().find(|sample| sample.status == Status::Wrong) {
        say(Check::Answers, wrong.detail.clone());
    } else if let Some(wrong) = mine.iter().find(other) {
        let (answer, expected) = (&wrong.answer, &row.answer);
        say(
            Check::Answers,
            format!("answered {answer}, expected {expected}"),
        );
    } else if let Some(ill) = mine.iter().find(|sample| !sample.counts()) {
        say(Check::Reached, format!("{}: {}", ill.status, ill.detail));
    } else if mine.is_empty() {
        say(Check::Reached, "it was not measured".to_owned());
    }
}

/// Rows that the baseline does not name: twins, and those of the second executable, whose
/// wrong answers are no fault of what is judged.
fn others(baseline: &Baseline, samples: &[Sample], findings: &mut Vec<Finding>) {
    let known = |name: &str| baseline.row.iter().any(|row| row.name == name);
    let mut wrong: Vec<&Sample> = samples
        .iter()
        .filter(|s| s.status == Status::Wrong && !known(&s.row))
        .collect();
    wrong.sort_by(|a, b| a.row.cmp(&b.row));
    wrong.dedup_by(|a, b| a.row == b.row);
    findings.extend(wrong.iter().map(|s| {
        let against = s.row.ends_with(AGAINST);
        let text = match against {
            true => format!(
                "the second executable {}: no time to hold this one against",
                s.detail
            ),
            false => s.detail.clone(),
        };
        finding(Check::Answers, &s.row, !against, text)
    }));
}

fn counters(row: &BaselineRow, mine: &[&Sample], limit: f64, findings: &mut Vec<Finding>) {
    let before = [row.states, row.generated, row.read_bytes, row.written_bytes];
    let good: Vec<&&Sample> = mine.iter().filter(|sample| sample.counts()).collect();
    let Some(first) = good.first() else { return };
    for (at, before) in before.into_iter().enumerate() {
        let (name, now) = first.counters()[at];
        let of = |sample: &Sample| sample.counters()[at].1;
        let mut say = |fails, text| findings.push(finding(Check::Counters, &row.name, fails, text));
        if let Some(other) = good.iter().find(|sample| of(sample) != now) {
            let (a, b) = (now.unwrap_or(0), of(other).unwrap_or(0));
            say(
                true,
                format!(
                    "{name} differ between samples, {a} and {b}: they must not depend on chance"
                ),
            );
            continue;
        }
        match (before, now) {
            (Some(before), Some(now)) if now as f64 > before as f64 * limit => {
                say(
                    true,
                    format!("{name}: {now}, were {before} (limit × {limit})"),
                );
            }
            (Some(before), Some(now)) if now != before => {
                say(
                    false,
                    format!("{name}: {now}, were {before}; --update to keep it"),
                );
            }
            (Some(before), None) => say(
                true,
                format!("{name} are no longer counted (were {before})"),
            ),
            (None, Some(now)) => say(
                false,
                format!("{name}: {now}, not in the baseline; --update to keep it"),
            ),
            _ => {}
        }
    }
}
