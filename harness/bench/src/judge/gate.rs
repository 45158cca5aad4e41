//! The gate: checks of a run against a baseline, as far as there is something to check.
//!
//! - **Answers**: every sample of every row has the baseline's answer.
//! - **Counters**: states, moves and bytes have not grown by more than the limit (1: not at all).
//!   They are the same on every machine, so this check needs no statistics.
//! - **Memory**: the median of a row's peaks has not grown by more than the limit.
//! - **Instructions**, if the baseline has them: counted once per row, by the same counter.
//! - **Time**: the ratio of each row to its reference is significantly above the baseline's ratio
//!   times the limit. The reference, measured in the same rounds, is the reference row, or the same
//!   row of another build (`@against`). The test is a one-sided sign-flip test of the pairs'
//!   log-ratios against that bound, corrected by Holm over the rows, at 0.05. The baseline's ratio
//!   is taken at the upper end of its interval: it was measured once, too. If nothing has changed,
//!   the true ratio lies the whole limit below the bound. So false alarms are far rarer than the 5
//!   runs in 100 that the test alone would allow. Beyond the limit, but within the noise that rows
//!   showed against themselves, a time is not judged.
//! - **Reached**: every row ended, and has a time to judge. If a row ran out of time or memory
//!   there is nothing to check, which is neither good nor a fault.

use std::collections::BTreeMap;

use antipode_reports::bench::{
    AGAINST, Baseline, BaselineRow, Comparison, ComparisonOutcome, Sample, Status,
};
use antipode_reports::count;

use super::baseline::{FIGURES, blind, kept, margin, measured};
use super::compare::{ALPHA, Sides, unwell};
use super::noise::changing;
use super::stats::{Summary, Tail, holm, least_p, log_ratios, sign_flip, summary};
use crate::suite::{Metric, SuiteRow};

/// The checks, in the order in which they are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// Answers.
    Answers,
    /// Counters.
    Counters,
    /// Memory.
    Memory,
    /// Instructions.
    Instructions,
    /// Times.
    Time,
    /// Whether there was something to check.
    Reached,
}

impl Check {
    /// All, with their names.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Answers, "answers"),
        (Self::Counters, "counters"),
        (Self::Memory, "memory"),
        (Self::Instructions, "instructions"),
        (Self::Time, "time"),
        (Self::Reached, "reached"),
    ];
}

/// A check's message about a row.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct GateFinding {
    /// The check.
    pub check: Check,
    /// The row.
    pub row: String,
    /// Whether the gate fails because of it; else it is only information.
    pub fails: bool,
    /// The message.
    pub text: String,
}

/// A row's time under judgement.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Timed {
    /// The ratio to the baseline's, and the result.
    #[serde(flatten)]
    pub one: Comparison,
    /// The ratio beyond which it fails: its limit, from the upper end of the baseline's interval.
    pub bound: f64,
    /// Logarithms of the pairs' ratios over the baseline's; empty if there is no ratio.
    #[serde(skip)]
    logs: Vec<f64>,
    #[serde(skip)]
    margin: f64,
}

/// The findings of the gate.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Judgement {
    /// All findings, by check.
    pub findings: Vec<GateFinding>,
    /// The times.
    pub times: Vec<Timed>,
    /// The limit of times of rows without their own.
    pub limit: f64,
    /// Upper end of the noise band; `None` if no row was measured against itself.
    pub band: Option<f64>,
    /// Rows that have a time and were judged by it.
    pub rows_judged: usize,
}

impl Judgement {
    /// Whether a check fails.
    pub fn fails(&self, check: Check) -> bool {
        (self.findings.iter()).any(|found| found.fails && found.check == check)
    }
}

/// Why a number of samples could not show any slowdown of a number of rows, however great.
pub fn too_few(samples: usize, rows: usize) -> Option<String> {
    let enough = |n: usize| least_p(n, Tail::Above) * rows as f64 <= ALPHA;
    let needed = (1..).find(|&n| enough(n)).unwrap_or(samples);
    (!enough(samples)).then(|| {
        format!(
            "{} of {} could not show a slowdown, however great; take at least {needed}",
            count(samples, "samples"),
            count(rows, "rows")
        )
    })
}

struct Judge<'a> {
    baseline: &'a Baseline,
    rows: &'a [SuiteRow],
    samples: &'a [Sample],
    band: Option<f64>,
    seed: u64,
    findings: Vec<GateFinding>,
}

/// Compares samples with a baseline, whose rows are among those of the suite. For time, rows with
/// samples of another build (`@against`) are compared with those. `band` is the measured noise.
pub fn judge(
    baseline: &Baseline,
    rows: &[SuiteRow],
    samples: &[Sample],
    band: Option<f64>,
    seed: u64,
) -> Judgement {
    let mut judge = Judge {
        baseline,
        rows,
        samples,
        band,
        seed,
        findings: Vec::new(),
    };
    for row in &baseline.row {
        let all: Vec<&Sample> = samples.iter().filter(|s| s.row == row.name).collect();
        let runs: Vec<&Sample> = all.iter().copied().filter(|s| !s.imported()).collect();
        judge.answers(row, &runs);
        judge.figures(row, &all);
    }
    judge.others();
    let times = judge.times();
    let mut findings = judge.findings;
    findings.sort_by_key(|found| (found.check, !found.fails));
    let is_judged = |timed: &&Timed| {
        !matches!(
            timed.one.verdict,
            ComparisonOutcome::Refused | ComparisonOutcome::Undecided
        )
    };
    Judgement {
        rows_judged: times.iter().filter(is_judged).count(),
        findings,
        times,
        limit: baseline.limit,
        band,
    }
}

impl Judge<'_> {
    fn say(&mut self, check: Check, row: &str, fails: bool, text: String) {
        let row = row.to_owned();
        let found = GateFinding {
            check,
            row,
            fails,
            text,
        };
        self.findings.push(found);
    }

    fn limit(&self, row: &str, metric: Metric) -> f64 {
        let of_suite = self.rows.iter().find(|known| known.name == row);
        match (of_suite.and_then(|row| row.limit.get(&metric)), metric) {
            (Some(limit), _) => *limit,
            (None, Metric::Time) => self.baseline.limit,
            (None, Metric::Peak) => 1.5,
            (None, Metric::Instructions) => 1.05,
            (None, _) => self.baseline.counter_limit,
        }
    }

    fn answers(&mut self, row: &BaselineRow, mine: &[&Sample]) {
        // Samples of an earlier run in the folder were compared with the answers expected then.
        let other = |s: &&&Sample| s.counts() && s.answer != row.answer;
        let ill = unwell(mine).or_else(|| mine.iter().copied().find(|s| !s.counts()));
        let (check, text) = match (ill, mine.iter().find(other)) {
            (Some(wrong), _) if wrong.status == Status::Wrong => {
                (Check::Answers, wrong.detail.clone())
            }
            (_, Some(wrong)) => {
                let (answer, expected) = (&wrong.answer, &row.answer);
                let text = format!("answered {answer}, expected {expected}");
                (Check::Answers, text)
            }
            (Some(ill), _) => (Check::Reached, format!("{}: {}", ill.status, ill.detail)),
            _ if mine.is_empty() => (Check::Reached, "it was not measured".to_owned()),
            _ => return,
        };
        self.say(check, &row.name, true, text);
    }

    /// Rows that the baseline does not name: twins, and those of another build, whose wrong answers
    /// are no fault of the judged one.
    fn others(&mut self) {
        let known = |name: &str| self.baseline.row.iter().any(|row| row.name == name);
        let is_wrong = |s: &&Sample| s.status == Status::Wrong && !known(&s.row);
        let wrong = self
            .samples
            .iter()
            .filter(is_wrong)
            .map(|s| (&*s.row, &*s.detail));
        let wrong: BTreeMap<&str, &str> = wrong.collect();
        for (row, detail) in wrong {
            let against = row.ends_with(AGAINST);
            let text = match against {
                true => format!("the other build {detail}: no time to compare this one with"),
                false => detail.to_owned(),
            };
            self.say(Check::Answers, row, !against, text);
        }
    }

    /// Counters, memory and instructions that have grown beyond their limit, changed, or are
    /// missing.
    fn figures(&mut self, row: &BaselineRow, all: &[&Sample]) {
        let Some(now) = measured(all) else { return };
        let both = kept(row).into_iter().zip(kept(&now));
        let good: Vec<&Sample> = (all.iter().copied())
            .filter(|sample| sample.counts() && !sample.imported())
            .collect();
        for (at, ((metric, name), (before, now))) in FIGURES.into_iter().zip(both).enumerate() {
            let limit = self.limit(&row.name, metric);
            // A smaller change is not worth a line.
            let (check, steady) = match metric {
                Metric::Peak => (Check::Memory, limit),
                Metric::Instructions => (Check::Instructions, limit.sqrt()),
                _ => (Check::Counters, 1.0),
            };
            let is_counter = check == Check::Counters;
            let keep = "--update to keep it";
            let is_beyond =
                |now: u64, before: u64, factor: f64| now as f64 > before as f64 * factor;
            let changing = is_counter.then(|| changing(&good, at)).flatten();
            let (check, fails, text) = match (before, now) {
                _ if changing.is_some() => (check, true, changing.unwrap_or_default()),
                (Some(before), Some(now)) if is_beyond(now, before, limit) => {
                    let text = format!("{name}: {now}, were {before} (limit × {limit})");
                    (check, true, text)
                }
                (Some(before), Some(now))
                    if is_beyond(now, before, steady) || is_beyond(before, now, steady) =>
                {
                    let text = format!("{name}: {now}, were {before}; {keep}");
                    (check, false, text)
                }
                (Some(before), None) if is_counter => {
                    let text = format!("{name} are no longer counted (were {before})");
                    (check, true, text)
                }
                (Some(_), None) => {
                    let mut others = all.iter().filter(|s| s.metric.starts_with("instructions"));
                    let why = match (metric, others.next()) {
                        (Metric::Peak, _) => "was not seen",
                        (_, None) => "nothing was counted",
                        (_, Some(other)) if other.detail.is_empty() => &other.metric,
                        (_, Some(other)) => &other.detail,
                    };
                    let text = format!("the baseline has its {name}, and here: {why}");
                    (Check::Reached, true, text)
                }
                (None, Some(now)) => {
                    let text = format!("{name}: {now}, not in the baseline; {keep}");
                    (check, false, text)
                }
                _ => continue,
            };
            self.say(check, &row.name, fails, text);
        }
    }

    /// The samples of another build with which a row's time is compared; `None` if both load one
    /// library, which would be compared with itself.
    fn against(&self, row: &str) -> Option<String> {
        let name = format!("{row}{AGAINST}");
        let digest = |name: &str| {
            let found = self.samples.iter().find(|sample| sample.row == name);
            found.map(|sample| sample.plugin_digest.as_str())
        };
        let other = digest(&name)?;
        (other.is_empty() || digest(row) != Some(other)).then_some(name)
    }

    fn times(&mut self) -> Vec<Timed> {
        let mut all: Vec<Timed> = Vec::new();
        for row in &self.baseline.row {
            let limit = self.limit(&row.name, Metric::Time);
            let (reference, before, margin) = match (self.against(&row.name), row.ratio) {
                (Some(name), _) => (name, 1.0, 1.0),
                (None, Some(ratio)) => {
                    if let Some(text) = blind(row, limit) {
                        self.say(Check::Time, &row.name, false, text);
                    }
                    (self.baseline.reference.clone(), ratio, margin(row))
                }
                (None, None) => continue,
            };
            let measure = self.baseline.measure;
            let pairs = Sides::rows(self.samples, &*reference, &*row.name).pairs(measure);
            let one = Comparison::open(reference, row.name.clone(), self.band, measure.column());
            all.push(Timed::of(one, &pairs, before, (limit, margin), self.seed));
        }
        // Holm's correction is over all rows that have a probability, separately for each bound.
        let corrected = |bound: &dyn Fn(&Timed) -> f64| {
            let timed = all.iter().filter(|timed| timed.one.p.is_some());
            let p = timed.map(|timed| timed.beyond(bound(timed), self.seed));
            holm(&p.collect::<Vec<_>>()).into_iter()
        };
        let band = self.band.unwrap_or(1.0);
        let mut beyond_limit = corrected(&|timed| timed.bound);
        let mut beyond_noise = corrected(&|timed| timed.bound.max(band * timed.margin));
        let mut beyond_baseline = corrected(&|timed| timed.margin);
        for timed in &mut all {
            let found = match timed.one.p {
                None => self.untimed(&timed.one),
                Some(_) => {
                    let next = [&mut beyond_limit, &mut beyond_noise, &mut beyond_baseline]
                        .map(|p| p.next().unwrap_or(1.0));
                    timed.conclude(next, self.band)
                }
            };
            if let Some((check, fails, text)) = found {
                self.say(check, &timed.one.b.clone(), fails, text);
            }
        }
        all
    }

    /// Why a row has no time, if that is not reported already.
    fn untimed(&self, one: &Comparison) -> Option<(Check, bool, String)> {
        let ill = |name: &str| {
            let mine = self.samples.iter();
            let mine = mine.filter(|s| s.row == name && !s.imported());
            unwell(&mine.collect::<Vec<_>>())
        };
        if ill(&one.b).is_some() {
            return None;
        }
        let text = match ill(&one.a) {
            // Already reported among the answers.
            Some(reference) if reference.status == Status::Wrong => return None,
            Some(reference) => format!("{} {}: {}", one.a, reference.status, reference.detail),
            None => one.detail.clone(),
        };
        Some((Check::Reached, true, format!("no time to judge: {text}")))
    }
}

impl Timed {
    fn of(
        mut one: Comparison,
        pairs: &[(f64, f64)],
        before: f64,
        (limit, margin): (f64, f64),
        seed: u64,
    ) -> Self {
        let bound = limit * margin;
        one.pairs = pairs.len() as u32;
        let over: Vec<(f64, f64)> = pairs.iter().map(|(a, b)| (*a, b / before)).collect();
        let found = summary(&over, seed);
        let logs = log_ratios(&over).unwrap_or_default();
        let mut timed = Self {
            one,
            bound,
            logs,
            margin,
        };
        match found {
            Err(refusal) => timed.one.detail = refusal,
            Ok(found) => {
                let p = timed.beyond(bound, seed);
                Summary { p, ..found }.fill(&mut timed.one);
                timed.one.detail = format!(
                    "p is that of a ratio beyond {bound:.4}: the limit, from the upper end of the baseline's interval"
                );
            }
        }
        timed
    }

    /// Probability of ratios this far beyond a bound if the true one were no greater.
    fn beyond(&self, bound: f64, seed: u64) -> f64 {
        let beyond: Vec<f64> = self.logs.iter().map(|log| log - bound.ln()).collect();
        sign_flip(&beyond, Tail::Above, seed)
    }

    /// The verdict, by corrected probabilities of being beyond limit, limit and noise, and
    /// interval.
    fn conclude(
        &mut self,
        [beyond_limit, beyond_noise, beyond_baseline]: [f64; 3],
        band: Option<f64>,
    ) -> Option<(Check, bool, String)> {
        let (one, bound) = (&mut self.one, self.bound);
        let ratio = one.ratio?;
        let (low, high) = (one.low.unwrap_or(ratio), one.high.unwrap_or(ratio));
        one.p_adjusted = Some(beyond_limit);
        one.significant = beyond_limit <= ALPHA;
        one.beyond_noise = band.is_none_or(|band| ratio > band || ratio < 1.0 / band);
        let limit = bound / self.margin;
        one.verdict = match (one.significant, beyond_noise <= ALPHA) {
            (true, true) => ComparisonOutcome::Slower,
            (true, false) => ComparisonOutcome::Undecided,
            _ if ratio < 1.0 / limit && high < 1.0 && one.beyond_noise => ComparisonOutcome::Faster,
            _ if beyond_baseline <= ALPHA && one.beyond_noise => {
                ComparisonOutcome::SlowerWithinLimit
            }
            _ => ComparisonOutcome::WithinNoise,
        };
        let text =
            format!("{ratio:.3} times the baseline ({low:.3} to {high:.3}), limit {bound:.3}");
        let (check, fails, more) = match one.verdict {
            ComparisonOutcome::Slower => (Check::Time, true, String::new()),
            ComparisonOutcome::Undecided => {
                let band = band.unwrap_or(1.0);
                let more = format!(
                    ", but not beyond the noise of {band:.3} that rows showed against themselves: not judged; take more samples, or a quieter machine"
                );
                (Check::Reached, true, more)
            }
            ComparisonOutcome::Faster => (
                Check::Time,
                false,
                ": faster; --update to keep it".to_owned(),
            ),
            ComparisonOutcome::SlowerWithinLimit => {
                (Check::Time, false, ": slower, within the limit".to_owned())
            }
            _ => return None,
        };
        Some((check, fails, text + &more))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::baseline::tests::{baseline, row};

    fn judged(
        ratios: &[f64],
        band: Option<f64>,
        margin: f64,
    ) -> (ComparisonOutcome, Option<Check>) {
        let pairs: Vec<(f64, f64)> = ratios.iter().map(|ratio| (1.0, *ratio)).collect();
        let one = Comparison::open("other".into(), "row".into(), band, "cpu_s");
        let mut timed = Timed::of(one, &pairs, 1.0, (1.1, margin), 1);
        let noise = timed.bound.max(band.unwrap_or(1.0) * margin);
        let p = [timed.bound, noise, margin].map(|bound| timed.beyond(bound, 1));
        let found = timed.conclude(p, band);
        (timed.one.verdict, found.map(|(check, ..)| check))
    }

    #[test]
    fn noise_excuses_nothing_beyond_the_limit() {
        let slow = [1.90, 1.91, 1.89, 1.92, 1.90, 1.88, 1.91, 1.90];
        let slower = (ComparisonOutcome::Slower, Some(Check::Time));
        assert_eq!(judged(&slow, None, 1.0), slower);
        assert_eq!(judged(&slow, Some(1.05), 1.0), slower);
        assert_eq!(judged(&slow, Some(1.5), 1.0), slower);
        // Rows differ by as much from themselves: no conclusion is possible, and the report says
        // so.
        let open = (ComparisonOutcome::Undecided, Some(Check::Reached));
        assert_eq!(judged(&slow, Some(1.98), 1.0), open);
        let alike = [1.02, 0.99, 1.0, 1.01, 0.98, 1.03, 1.0, 1.01];
        let same = (ComparisonOutcome::WithinNoise, None);
        assert_eq!(judged(&alike, Some(1.98), 1.0), same);
        assert_eq!(judged(&alike, Some(1.001), 1.0), same);
        let fast = slow.map(|ratio| 1.0 / ratio);
        let faster = (ComparisonOutcome::Faster, Some(Check::Time));
        assert_eq!(judged(&fast, Some(1.05), 1.0), faster);
        assert_eq!(judged(&fast, Some(1.98), 1.0), same);
        // Certainly slower, but within the limit.
        let within = slow.map(|ratio| ratio - 0.84);
        let told = (ComparisonOutcome::SlowerWithinLimit, Some(Check::Time));
        assert_eq!(judged(&within, Some(1.02), 1.0), told);
        assert_eq!(judged(&within, Some(1.2), 1.0), same);
    }

    #[test]
    fn what_the_baseline_does_not_know_is_not_held_against_a_run() {
        let slow = [1.16, 1.17, 1.15, 1.18, 1.16, 1.17, 1.15, 1.18];
        assert_eq!(judged(&slow, None, 1.0).0, ComparisonOutcome::Slower);
        assert_eq!(judged(&slow, None, 1.02).0, ComparisonOutcome::Slower);
        assert_eq!(
            judged(&slow, None, 1.08).0,
            ComparisonOutcome::SlowerWithinLimit
        );
        assert_eq!(judged(&slow, None, 1.2).0, ComparisonOutcome::WithinNoise);
    }

    /// The reports on one row of a run with these figures: the check, and whether it fails.
    fn figures(
        before: Option<u64>,
        suite: &str,
        peak: u64,
        instructions: Option<f64>,
    ) -> Vec<(Check, bool)> {
        let text = format!(
            "[suite]\nname = \"s\"\n[[row]]\nname = \"a\"\ncommand = [\"true\"]\nexpect = \"7\"\n{suite}"
        );
        let suite = crate::suite::Suite::parse("s.toml", &text).unwrap();
        let rows = crate::suite::spread(&suite, &[]).unwrap();
        let mut old = baseline(vec![row("a")]);
        (old.row[0].ratio, old.row[0].interval) = (None, None);
        old.row[0].peak_bytes = before;
        let run = |metric: &str, value| Sample {
            row: "a".into(),
            status: Status::Ok,
            answer: "7".into(),
            states: Some(10),
            generated: Some(20),
            written_bytes: Some(40),
            peak_bytes: Some(peak),
            threads: 1,
            metric: metric.into(),
            value,
            ..Sample::default()
        };
        let mut samples = vec![run("", None)];
        samples.extend(instructions.map(|count| run("instructions-callgrind", Some(count))));
        let found = judge(&old, &rows, &samples, None, 1).findings;
        (found.iter().map(|found| (found.check, found.fails))).collect()
    }

    #[test]
    fn memory_and_instructions_have_limits_of_their_own() {
        let old = Some(1000);
        assert_eq!(figures(old, "", 1499, Some(1020.0)), []);
        let (memory, instructions) = (Check::Memory, Check::Instructions);
        let both = [(memory, true), (instructions, false)];
        assert_eq!(figures(old, "", 1501, Some(1050.0)), both);
        assert_eq!(figures(old, "", 1000, Some(1051.0)), [(instructions, true)]);
        let lower = [(memory, false), (Check::Reached, true)];
        assert_eq!(figures(old, "", 100, None), lower);
        let unknown = figures(None, "", 1000, Some(1000.0));
        assert_eq!(unknown, [(memory, false)]);
        let own = "limit = { peak = 1.1, instructions = 2, states = 1.0 }";
        assert_eq!(
            figures(old, own, 1101, Some(1400.0)),
            [(Check::Memory, true)]
        );
    }
}
