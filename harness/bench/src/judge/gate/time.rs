//! The check of times: each row's ratio to its reference row, over that of the baseline.

use antipode_reports::bench::{AGAINST, Baseline, Comparison, Measure, Outcome, Sample, Status};

use super::finding::{Check, Finding, finding};
use crate::judge::compare::{ALPHA, pairs};
use crate::judge::stats::{Side, holm, interval, log_ratios, mean, sign_flip};

/// What times are held to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    pub(super) limit: f64,
    pub(super) band: Option<f64>,
    pub(super) measure: Measure,
    pub(super) seed: u64,
}

/// A row's time under judgement.
struct Timed {
    one: Comparison,
    /// Logarithms of the pairs' ratios over the baseline's; empty where there is no ratio.
    logs: Vec<f64>,
    /// How far above the baseline's ratio its own interval ends, as a factor: what is not known
    /// of the baseline cannot be held against a run.
    room: f64,
}

pub(super) fn times(
    baseline: &Baseline,
    samples: &[Sample],
    against: bool,
    terms: Terms,
    findings: &mut Vec<Finding>,
) -> Vec<Comparison> {
    let mut all: Vec<Timed> = Vec::new();
    for row in &baseline.row {
        // Both executables load the same libraries, which would be held against themselves.
        let mut mine = samples.iter().filter(|sample| sample.row == row.name);
        let is_loaded = mine.any(|sample| !sample.plugin_digest.is_empty());
        let (reference, before, room) = match (against && !is_loaded, row.ratio) {
            (true, _) => (format!("{}{AGAINST}", row.name), 1.0, 1.0),
            (false, Some(ratio)) => {
                let high = row.interval.map_or(ratio, |[_, high]| high.max(ratio));
                (baseline.reference.clone(), ratio, high / ratio)
            }
            (false, None) => continue,
        };
        let pairs = pairs(samples, &reference, samples, &row.name, terms.measure);
        all.push(Timed::of(
            &row.name,
            reference,
            &pairs,
            (before, room),
            terms,
        ));
    }
    // Holm's correction is over all rows that have a probability, for each bound by itself.
    let corrected = |bound: f64| {
        let timed = all.iter().filter(|timed| timed.one.p.is_some());
        let p: Vec<f64> = timed.map(|timed| timed.beyond(bound, terms.seed)).collect();
        holm(&p).into_iter()
    };
    let mut beyond_limit = corrected(terms.limit);
    let mut beyond_noise = corrected(terms.limit.max(terms.band.unwrap_or(1.0)));
    for timed in &mut all {
        match timed.one.p {
            None => findings.extend(untimed(&timed.one, samples)),
            Some(_) => {
                let p = (beyond_limit.next(), beyond_noise.next());
                findings.extend(timed.conclude(p, terms));
            }
        }
    }
    all.into_iter().map(|timed| timed.one).collect()
}

impl Timed {
    fn of(
        row: &str,
        reference: String,
        pairs: &[(f64, f64)],
        (before, room): (f64, f64),
        terms: Terms,
    ) -> Self {
        let measure = terms.measure.column();
        let mut one = Comparison::open(reference, row.to_owned(), terms.band, measure);
        one.pairs = pairs.len() as u32;
        let mut timed = match log_ratios(pairs) {
            Err(refusal) => {
                one.detail = refusal.to_string();
                return Self {
                    one,
                    room,
                    logs: Vec::new(),
                };
            }
            Ok(logs) => Self {
                one,
                room,
                logs: logs.iter().map(|log| log - before.ln()).collect(),
            },
        };
        let ends = interval(&timed.logs, terms.seed);
        let p = timed.beyond(terms.limit, terms.seed);
        let won = timed.logs.iter().filter(|log| **log < 0.0).count();
        let one = &mut timed.one;
        one.ratio = Some(mean(&timed.logs).exp());
        (one.low, one.high) = (Some(ends.low.exp()), Some(ends.high.exp()));
        one.won = Some(won as f64 / timed.logs.len() as f64);
        one.p = Some(p);
        let bound = terms.limit * room;
        one.detail = format!(
            "p is that of a ratio beyond {bound:.4}: the limit, from the upper end of the baseline's interval"
        );
        timed
    }

    /// Probability of ratios so far beyond a bound, from the upper end of the baseline's
    /// interval, if the true one were no greater.
    fn beyond(&self, bound: f64, seed: u64) -> f64 {
        let bound = (bound * self.room).ln();
        let beyond: Vec<f64> = self.logs.iter().map(|log| log - bound).collect();
        sign_flip(&beyond, Side::Above, seed)
    }

    fn conclude(
        &mut self,
        (beyond_limit, beyond_noise): (Option<f64>, Option<f64>),
        Terms { limit, band, .. }: Terms,
    ) -> Option<Finding> {
        let holds = |p: Option<f64>| p.is_some_and(|p| p <= ALPHA);
        let one = &mut self.one;
        let ratio = one.ratio?;
        let (low, high) = (one.low.unwrap_or(ratio), one.high.unwrap_or(ratio));
        one.p_adjusted = beyond_limit;
        one.significant = holds(beyond_limit);
        one.beyond_noise = band.is_none_or(|band| ratio > band || ratio < 1.0 / band);
        one.verdict = match (one.significant, holds(beyond_noise)) {
            (true, true) => Outcome::Slower,
            (true, false) => Outcome::Undecided,
            _ if ratio < 1.0 / limit && high < 1.0 && one.beyond_noise => Outcome::Faster,
            _ => Outcome::WithinNoise,
        };
        let bound = limit * self.room;
        let text =
            format!("{ratio:.3} times the baseline ({low:.3} to {high:.3}), limit {bound:.3}");
        match one.verdict {
            Outcome::Slower => Some(finding(Check::Time, &one.b, true, text)),
            Outcome::Undecided => {
                let band = band.unwrap_or(1.0);
                let text = format!(
                    "{text}, but not beyond the noise of {band:.3} that rows showed against themselves: not judged; take more samples, or a quieter machine"
                );
                Some(finding(Check::Reached, &one.b, true, text))
            }
            Outcome::Faster => {
                let text = format!("{text}: faster; --update to keep it");
                Some(finding(Check::Time, &one.b, false, text))
            }
            _ => None,
        }
    }
}

/// Why a row has no time, where that is not said already.
fn untimed(one: &Comparison, samples: &[Sample]) -> Option<Finding> {
    let ill = |name: &str| {
        let mine = || samples.iter().filter(|s| s.row == name && !s.imported());
        let wrong = mine().find(|s| s.status == Status::Wrong);
        wrong.or_else(|| mine().find(|s| !s.counts()))
    };
    if ill(&one.b).is_some() {
        return None;
    }
    let text = match ill(&one.a) {
        // Said among the answers.
        Some(reference) if reference.status == Status::Wrong => return None,
        Some(reference) => format!("{} {}: {}", one.a, reference.status, reference.detail),
        None => one.detail.clone(),
    };
    let text = format!("no time to judge: {text}");
    Some(finding(Check::Reached, &one.b, true, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(ratios: &[f64], band: Option<f64>, room: f64) -> (Outcome, Option<Check>) {
        let pairs: Vec<(f64, f64)> = ratios.iter().map(|ratio| (1.0, *ratio)).collect();
        let terms = Terms {
            limit: 1.1,
            band,
            measure: Measure::Cpu,
            seed: 1,
        };
        let mut timed = Timed::of("row", "other".to_owned(), &pairs, (1.0, room), terms);
        let p = |bound: f64| Some(timed.beyond(bound, 1));
        let p = (p(1.1), p(band.unwrap_or(1.1).max(1.1)));
        let found = timed.conclude(p, terms);
        (timed.one.verdict, found.map(|found| found.check))
    }

    #[test]
    fn noise_excuses_nothing_beyond_the_limit() {
        let slow = [1.90, 1.91, 1.89, 1.92, 1.90, 1.88, 1.91, 1.90];
        let slower = (Outcome::Slower, Some(Check::Time));
        assert_eq!(judged(&slow, None, 1.0), slower);
        assert_eq!(judged(&slow, Some(1.05), 1.0), slower);
        assert_eq!(judged(&slow, Some(1.5), 1.0), slower);
        // Rows differ by as much from themselves: nothing can be said, and that is said.
        let open = (Outcome::Undecided, Some(Check::Reached));
        assert_eq!(judged(&slow, Some(1.98), 1.0), open);
        let alike = [1.02, 0.99, 1.0, 1.01, 0.98, 1.03, 1.0, 1.01];
        assert_eq!(
            judged(&alike, Some(1.98), 1.0),
            (Outcome::WithinNoise, None)
        );
        assert_eq!(
            judged(&alike, Some(1.01), 1.0),
            (Outcome::WithinNoise, None)
        );
        let fast = slow.map(|ratio| 1.0 / ratio);
        assert_eq!(
            judged(&fast, Some(1.05), 1.0),
            (Outcome::Faster, Some(Check::Time))
        );
        assert_eq!(judged(&fast, Some(1.98), 1.0), (Outcome::WithinNoise, None));
    }

    #[test]
    fn what_the_baseline_does_not_know_is_not_held_against_a_run() {
        let slow = [1.16, 1.17, 1.15, 1.18, 1.16, 1.17, 1.15, 1.18];
        assert_eq!(judged(&slow, None, 1.0).0, Outcome::Slower);
        assert_eq!(judged(&slow, None, 1.02).0, Outcome::Slower);
        assert_eq!(judged(&slow, None, 1.08).0, Outcome::WithinNoise);
    }
}
