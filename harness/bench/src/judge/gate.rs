//! The gate: checks of a run against a baseline, as far as there is something to check.
//!
//! - **Answers**: every sample of every row answers as the baseline says.
//! - **Counters**: states, moves and bytes have not grown by more than the limit (1: not at
//!   all); they are the same on every machine, so this check needs no statistics.
//! - **Memory**: the median of a row's peaks has not grown by more than the limit.
//! - **Instructions**, where the baseline has them: counted once a row, by the same counter.
//! - **Time**: of each row, the ratio to its reference row measured in the same rounds (the
//!   reference row; or the same row of another build, `@against`) is significantly above the
//!   baseline's ratio times the limit. The test is a one-sided sign-flip test of the pairs'
//!   log-ratios against that bound, corrected by Holm over the rows, at 0.05. The baseline's
//!   ratio is taken at the upper end of its interval: it was measured once, too. Where nothing has
//!   changed the true ratio lies the whole limit below the bound, so false alarms are far rarer
//!   than the 5 runs in 100 that the test alone would allow. Beyond the limit, but within the
//!   noise that rows showed against themselves, a time is not judged.
//! - **Reached**: every row ended, and has a time to judge. Where one ran out of time or memory
//!   there is nothing to check, which is neither good nor a fault that was found.

use antipode_reports::bench::{
    AGAINST, Baseline, BaselineRow, Comparison, Outcome, Sample, Status,
};
use antipode_reports::count;

use super::baseline::{blind, counted, peak, room};
use super::compare::{ALPHA, pairs};
use super::stats::{Side, holm, interval, least_p, log_ratios, mean, sign_flip};
use crate::suite::{Metric, Row};

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

/// Something that a check has to say of a row.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// The check.
    pub check: Check,
    /// The row.
    pub row: String,
    /// Whether the gate shuts for it; else it is for the reader.
    pub fails: bool,
    /// What.
    pub text: String,
}

/// A row's time under judgement.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Timed {
    /// The ratio to the baseline's, and what follows.
    #[serde(flatten)]
    pub one: Comparison,
    /// The ratio beyond which it fails: its limit, from the upper end of the baseline's interval.
    pub bound: f64,
    /// Logarithms of the pairs' ratios over the baseline's; empty where there is no ratio.
    #[serde(skip)]
    logs: Vec<f64>,
    #[serde(skip)]
    room: f64,
}

/// What the gate says.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Judgement {
    /// All findings, by check.
    pub findings: Vec<Finding>,
    /// The times.
    pub times: Vec<Timed>,
    /// The limit of times whose row has none of its own.
    pub limit: f64,
    /// Upper end of the noise band; `None` where no row was measured against itself.
    pub band: Option<f64>,
    /// Rows that have a time and were judged by it.
    pub rows_judged: usize,
}

impl Judgement {
    /// Whether a check fails.
    #[must_use]
    pub fn fails(&self, check: Check) -> bool {
        let mut all = self.findings.iter();
        all.any(|found| found.fails && found.check == check)
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

/// Growth of a metric that fails, where neither suite nor baseline says another.
const fn usual(metric: Metric) -> f64 {
    match metric {
        Metric::Peak => 1.5,
        _ => 1.05,
    }
}

struct Judge<'a> {
    baseline: &'a Baseline,
    rows: &'a [Row],
    samples: &'a [Sample],
    band: Option<f64>,
    seed: u64,
    findings: Vec<Finding>,
}

/// Compares samples with a baseline, whose rows are among those of the suite. Rows that have
/// samples of another build (`@against`) are compared with those in time. `band` is the measured
/// noise.
#[must_use]
pub fn judge(
    baseline: &Baseline,
    rows: &[Row],
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
        judge.counters(row, &runs);
        judge.memory(row, &runs);
        judge.instructions(row, &all);
    }
    judge.others();
    let times = judge.times();
    let mut findings = judge.findings;
    findings.sort_by_key(|found| (found.check, !found.fails));
    let open = [Outcome::Refused, Outcome::Undecided];
    let judged = times
        .iter()
        .filter(|timed| !open.contains(&timed.one.verdict));
    Judgement {
        rows_judged: judged.count(),
        findings,
        times,
        limit: baseline.limit,
        band,
    }
}

impl Judge<'_> {
    fn say(&mut self, check: Check, row: &str, fails: bool, text: String) {
        let row = row.to_owned();
        self.findings.push(Finding {
            check,
            row,
            fails,
            text,
        });
    }

    fn limit(&self, row: &str, metric: Metric) -> f64 {
        let of_suite = self.rows.iter().find(|known| known.name == row);
        let of_suite = of_suite.and_then(|row| row.limit.get(&metric));
        of_suite.map_or_else(
            || match metric {
                Metric::Time => self.baseline.limit,
                Metric::Peak | Metric::Instructions => usual(metric),
                _ => self.baseline.counter_limit,
            },
            |limit| limit.0,
        )
    }

    fn answers(&mut self, row: &BaselineRow, mine: &[&Sample]) {
        // Samples of an earlier run into the folder were compared with what was expected then.
        let other = |s: &&&Sample| s.counts() && s.answer != row.answer;
        let (check, text) =
            if let Some(wrong) = mine.iter().find(|sample| sample.status == Status::Wrong) {
                (Check::Answers, wrong.detail.clone())
            } else if let Some(wrong) = mine.iter().find(other) {
                let (answer, expected) = (&wrong.answer, &row.answer);
                let text = format!("answered {answer}, expected {expected}");
                (Check::Answers, text)
            } else if let Some(ill) = mine.iter().find(|sample| !sample.counts()) {
                (Check::Reached, format!("{}: {}", ill.status, ill.detail))
            } else if mine.is_empty() {
                (Check::Reached, "it was not measured".to_owned())
            } else {
                return;
            };
        self.say(check, &row.name, true, text);
    }

    /// Rows that the baseline does not name: twins, and those of another build, whose
    /// wrong answers are no fault of what is judged.
    fn others(&mut self) {
        let known = |name: &str| self.baseline.row.iter().any(|row| row.name == name);
        let is_wrong = |s: &&Sample| s.status == Status::Wrong && !known(&s.row);
        let mut wrong: Vec<&Sample> = self.samples.iter().filter(is_wrong).collect();
        wrong.sort_by(|a, b| a.row.cmp(&b.row));
        wrong.dedup_by(|a, b| a.row == b.row);
        for one in wrong {
            let against = one.row.ends_with(AGAINST);
            let text = match against {
                true => format!(
                    "the other build {}: no time to compare this one with",
                    one.detail
                ),
                false => one.detail.clone(),
            };
            self.say(Check::Answers, &one.row, !against, text);
        }
    }

    /// Reports a figure that has grown beyond its limit, or changed, or is missing.
    fn figure(
        &mut self,
        (check, row, name): (Check, &str, &str),
        before: Option<u64>,
        now: Option<u64>,
        (limit, steady): (f64, f64),
    ) {
        let (fails, text) = match (before, now) {
            (Some(before), Some(now)) if now as f64 > before as f64 * limit => (
                true,
                format!("{name}: {now}, were {before} (limit × {limit})"),
            ),
            (Some(before), Some(now))
                if now as f64 > before as f64 * steady || now as f64 * steady < before as f64 =>
            {
                (
                    false,
                    format!("{name}: {now}, were {before}; --update to keep it"),
                )
            }
            (Some(before), None) => (
                true,
                format!("{name} are no longer counted (were {before})"),
            ),
            (None, Some(now)) => (
                false,
                format!("{name}: {now}, not in the baseline; --update to keep it"),
            ),
            _ => return,
        };
        self.say(check, row, fails, text);
    }

    fn counters(&mut self, row: &BaselineRow, mine: &[&Sample]) {
        let before = [row.states, row.generated, row.read_bytes, row.written_bytes];
        let metrics = [Metric::States, Metric::Moves, Metric::Read, Metric::Written];
        let good: Vec<&&Sample> = mine.iter().filter(|sample| sample.counts()).collect();
        let Some(first) = good.first() else { return };
        for at in 0..before.len() {
            let (name, now) = first.counters()[at];
            let of = |sample: &Sample| sample.counters()[at].1;
            if let Some(other) = good.iter().find(|sample| of(sample) != now) {
                let (a, b) = (now.unwrap_or(0), of(other).unwrap_or(0));
                let text = format!(
                    "{name} differ between samples, {a} and {b}: they must not depend on chance"
                );
                self.say(Check::Counters, &row.name, true, text);
                continue;
            }
            let limit = self.limit(&row.name, metrics[at]);
            let what = (Check::Counters, row.name.as_str(), name);
            self.figure(what, before[at], now, (limit, 1.0));
        }
    }

    fn memory(&mut self, row: &BaselineRow, mine: &[&Sample]) {
        let good: Vec<&Sample> = mine.iter().copied().filter(|s| s.counts()).collect();
        if row.peak_bytes.is_none() || good.is_empty() {
            return;
        }
        let limit = self.limit(&row.name, Metric::Peak);
        match peak(&good) {
            None => {
                let text = "its memory is in the baseline, and was not seen now".to_owned();
                self.say(Check::Reached, &row.name, true, text);
            }
            now => {
                let what = (Check::Memory, row.name.as_str(), "peak bytes");
                self.figure(what, row.peak_bytes, now, (limit, limit));
            }
        }
    }

    fn instructions(&mut self, row: &BaselineRow, all: &[&Sample]) {
        for (before, metric) in [
            (row.instructions_perf, "instructions-perf"),
            (row.instructions_callgrind, "instructions-callgrind"),
        ] {
            let Some(before) = before else { continue };
            let limit = self.limit(&row.name, Metric::Instructions);
            match counted(all, metric) {
                now @ Some(_) => {
                    let what = (Check::Instructions, row.name.as_str(), metric);
                    self.figure(what, Some(before), now, (limit, limit.sqrt()));
                }
                None => {
                    let mut others = all.iter().filter(|s| s.metric.starts_with("instructions"));
                    let why = others.next().map_or("nothing was counted", |other| {
                        match other.detail.as_str() {
                            "" => other.metric.as_str(),
                            why => why,
                        }
                    });
                    let text = format!("the baseline has its {metric}, and here: {why}");
                    self.say(Check::Reached, &row.name, true, text);
                }
            }
        }
    }

    /// The samples of another build that a row's time is compared with; none where both load
    /// one library, which would be compared with itself.
    fn against(&self, row: &str) -> Option<String> {
        let name = format!("{row}{AGAINST}");
        let digest = |name: &str| {
            let found = self.samples.iter().find(|sample| sample.row == name);
            found.map(|sample| sample.plugin_digest.as_str())
        };
        let other = digest(&name)?;
        (other.is_empty() || digest(row) != Some(other)).then_some(name)
    }

    /// Each row's ratio to its reference row, over that of the baseline.
    fn times(&mut self) -> Vec<Timed> {
        let mut all: Vec<Timed> = Vec::new();
        for row in &self.baseline.row {
            let limit = self.limit(&row.name, Metric::Time);
            let (reference, before, room) = match (self.against(&row.name), row.ratio) {
                (Some(name), _) => (name, 1.0, 1.0),
                (None, Some(ratio)) => {
                    if let Some(text) = blind(row, limit) {
                        self.say(Check::Time, &row.name, false, text);
                    }
                    (self.baseline.reference.clone(), ratio, room(row))
                }
                (None, None) => continue,
            };
            let measure = self.baseline.measure;
            let pairs = pairs(self.samples, &reference, self.samples, &row.name, measure);
            let one = Comparison::open(reference, row.name.clone(), self.band, measure.column());
            all.push(Timed::of(one, &pairs, before, (limit, room), self.seed));
        }
        // Holm's correction is over all rows that have a probability, for each bound by itself.
        let corrected = |bound: &dyn Fn(&Timed) -> f64| {
            let timed = all.iter().filter(|timed| timed.one.p.is_some());
            let p: Vec<f64> = timed
                .map(|timed| timed.beyond(bound(timed), self.seed))
                .collect();
            holm(&p).into_iter()
        };
        let band = self.band.unwrap_or(1.0);
        let mut beyond_limit = corrected(&|timed| timed.bound);
        let mut beyond_noise = corrected(&|timed| timed.bound.max(band * timed.room));
        let mut beyond_baseline = corrected(&|timed| timed.room);
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

    /// Why a row has no time, where that is not said already.
    fn untimed(&self, one: &Comparison) -> Option<(Check, bool, String)> {
        let ill = |name: &str| {
            let of_row = |s: &&Sample| s.row == name && !s.imported();
            let mine = || self.samples.iter().filter(of_row);
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
        Some((Check::Reached, true, format!("no time to judge: {text}")))
    }
}

impl Timed {
    fn of(
        mut one: Comparison,
        pairs: &[(f64, f64)],
        before: f64,
        (limit, room): (f64, f64),
        seed: u64,
    ) -> Self {
        let bound = limit * room;
        one.pairs = pairs.len() as u32;
        let logs = match log_ratios(pairs) {
            Err(refusal) => {
                one.detail = refusal.to_string();
                Vec::new()
            }
            Ok(logs) => logs.iter().map(|log| log - before.ln()).collect(),
        };
        let mut timed = Self {
            one,
            bound,
            logs,
            room,
        };
        if !timed.logs.is_empty() {
            let ends = interval(&timed.logs, seed);
            let p = timed.beyond(bound, seed);
            let won = timed.logs.iter().filter(|log| **log < 0.0).count();
            let one = &mut timed.one;
            one.ratio = Some(mean(&timed.logs).exp());
            (one.low, one.high) = (Some(ends.low.exp()), Some(ends.high.exp()));
            one.won = Some(won as f64 / timed.logs.len() as f64);
            one.p = Some(p);
            one.detail = format!(
                "p is that of a ratio beyond {bound:.4}: the limit, from the upper end of the baseline's interval"
            );
        }
        timed
    }

    /// Probability of ratios so far beyond a bound if the true one were no greater.
    fn beyond(&self, bound: f64, seed: u64) -> f64 {
        let beyond: Vec<f64> = self.logs.iter().map(|log| log - bound.ln()).collect();
        sign_flip(&beyond, Side::Above, seed)
    }

    /// The verdict, by the corrected probabilities of a ratio beyond the limit, beyond limit and
    /// noise, and beyond the baseline's own interval.
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
        let limit = bound / self.room;
        one.verdict = match (one.significant, beyond_noise <= ALPHA) {
            (true, true) => Outcome::Slower,
            (true, false) => Outcome::Undecided,
            _ if ratio < 1.0 / limit && high < 1.0 && one.beyond_noise => Outcome::Faster,
            _ if beyond_baseline <= ALPHA && one.beyond_noise => Outcome::SlowerWithinLimit,
            _ => Outcome::WithinNoise,
        };
        let text =
            format!("{ratio:.3} times the baseline ({low:.3} to {high:.3}), limit {bound:.3}");
        match one.verdict {
            Outcome::Slower => Some((Check::Time, true, text)),
            Outcome::Undecided => {
                let band = band.unwrap_or(1.0);
                let text = format!(
                    "{text}, but not beyond the noise of {band:.3} that rows showed against themselves: not judged; take more samples, or a quieter machine"
                );
                Some((Check::Reached, true, text))
            }
            Outcome::Faster => Some((
                Check::Time,
                false,
                format!("{text}: faster; --update to keep it"),
            )),
            Outcome::SlowerWithinLimit => Some((
                Check::Time,
                false,
                format!("{text}: slower, within the limit"),
            )),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::baseline::tests::{baseline, row};

    fn judged(ratios: &[f64], band: Option<f64>, room: f64) -> (Outcome, Option<Check>) {
        let pairs: Vec<(f64, f64)> = ratios.iter().map(|ratio| (1.0, *ratio)).collect();
        let one = Comparison::open("other".into(), "row".into(), band, "cpu_s");
        let mut timed = Timed::of(one, &pairs, 1.0, (1.1, room), 1);
        let noise = timed.bound.max(band.unwrap_or(1.0) * room);
        let p = [timed.bound, noise, room].map(|bound| timed.beyond(bound, 1));
        let found = timed.conclude(p, band);
        (timed.one.verdict, found.map(|(check, ..)| check))
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
        let same = (Outcome::WithinNoise, None);
        assert_eq!(judged(&alike, Some(1.98), 1.0), same);
        assert_eq!(judged(&alike, Some(1.001), 1.0), same);
        let fast = slow.map(|ratio| 1.0 / ratio);
        let faster = (Outcome::Faster, Some(Check::Time));
        assert_eq!(judged(&fast, Some(1.05), 1.0), faster);
        assert_eq!(judged(&fast, Some(1.98), 1.0), same);
        // Slower for sure, as far as the limit allows.
        let within = slow.map(|ratio| ratio - 0.84);
        let told = (Outcome::SlowerWithinLimit, Some(Check::Time));
        assert_eq!(judged(&within, Some(1.02), 1.0), told);
        assert_eq!(judged(&within, Some(1.2), 1.0), same);
    }

    #[test]
    fn what_the_baseline_does_not_know_is_not_held_against_a_run() {
        let slow = [1.16, 1.17, 1.15, 1.18, 1.16, 1.17, 1.15, 1.18];
        assert_eq!(judged(&slow, None, 1.0).0, Outcome::Slower);
        assert_eq!(judged(&slow, None, 1.02).0, Outcome::Slower);
        assert_eq!(judged(&slow, None, 1.08).0, Outcome::SlowerWithinLimit);
        assert_eq!(judged(&slow, None, 1.2).0, Outcome::WithinNoise);
    }

    /// The reports on one row of a run with these figures: the check, and whether it fails.
    fn figures(suite: &str, peak: u64, instructions: Option<f64>) -> Vec<(Check, bool)> {
        let text = format!(
            "[suite]\nname = \"s\"\n[[row]]\nname = \"a\"\ncommand = [\"true\"]\nexpect = \"7\"\n{suite}"
        );
        let suite = crate::suite::Suite::parse("s.toml", &text).unwrap();
        let rows = crate::suite::spread(&suite, &[]).unwrap();
        let mut old = baseline(vec![row("a")]);
        (old.row[0].ratio, old.row[0].interval) = (None, None);
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
        let found = judge(&old, &rows, &samples, None, 1);
        (found
            .findings
            .iter()
            .map(|found| (found.check, found.fails)))
        .collect()
    }

    #[test]
    fn memory_and_instructions_have_limits_of_their_own() {
        assert_eq!(figures("", 1499, Some(1020.0)), []);
        assert_eq!(
            figures("", 1501, Some(1050.0)),
            [(Check::Memory, true), (Check::Instructions, false)]
        );
        assert_eq!(
            figures("", 1000, Some(1051.0)),
            [(Check::Instructions, true)]
        );
        assert_eq!(
            figures("", 100, None),
            [(Check::Memory, false), (Check::Reached, true)]
        );
        let own = "limit = { peak = 1.1, instructions = 2, states = 1.0 }";
        assert_eq!(figures(own, 1101, Some(1400.0)), [(Check::Memory, true)]);
    }
}
