//! The noise of a machine, measured: rows that ran against themselves in the same rounds.

use std::collections::BTreeSet;

use antipode_reports::bench::{Measure, Noise, Sample, TWIN};
use antipode_reports::count;

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::statistics::Statistics;

use super::compare::Sides;
use super::stats::{Summary, log_ratios, mean, summary};

/// Every row that was measured against itself, with the ratio of its twin to it.
pub fn twins(samples: &[Sample], measure: Measure, seed: u64) -> Vec<(&str, Summary)> {
    let of = |row| summary(&with_twin(samples, row, measure), seed).ok();
    let rows = doubled(samples).into_iter();
    rows.filter_map(|row| Some((row, of(row)?))).collect()
}

fn doubled(samples: &[Sample]) -> BTreeSet<&str> {
    let runs = samples.iter().filter(|sample| !sample.imported());
    runs.filter_map(|sample| sample.row.strip_suffix(TWIN))
        .collect()
}

fn with_twin(samples: &[Sample], row: &str, measure: Measure) -> Vec<(f64, f64)> {
    Sides::rows(samples, row, format!("{row}{TWIN}")).pairs(measure)
}

/// Upper end of the noise band, or why there is none.
///
/// # Errors
/// The reason, to be put behind "no noise band: ".
pub fn band(samples: &[Sample], by: Measure, seed: u64) -> Band {
    if let Some(noise) = measure(samples, by, seed) {
        return Ok(noise.band);
    }
    let pairs = |row| (with_twin(samples, row, by).len(), row);
    Err(match doubled(samples).into_iter().map(pairs).max() {
        None => "no row was measured against itself".to_owned(),
        Some((pairs @ 0..2, row)) => format!(
            "row '{row}' was measured against itself, but in {}, and at least two are needed",
            count(pairs, "pairs of good samples")
        ),
        Some((pairs, row)) => format!(
            "row '{row}' was measured against itself in {pairs} pairs, but some took a time of 0, too short for the clock"
        ),
    })
}

/// Greatest probability that a band between runs is too narrow for any of the rows.
const BEYOND: f64 = 0.01;
/// Rows that a band between runs needs: with fewer it would be too wide to be useful.
const LEAST: usize = 3;

/// Upper end of a noise band, or why there is none.
pub type Band = Result<f64, String>;

/// Upper end of the band between two runs for each row. Rows measured against themselves, with the
/// same program in both runs (controls), show the noise between the runs. If log-ratios of equal
/// rows are normal around 0, a further one of any row lies within the band 99 times in 100
/// (Student's t, Bonferroni). A row that varies more within the runs than the controls has a band
/// wider by as much. A row that writes files has none unless a control does: the cost of a file
/// system changes from run to run. No band is narrower than that of either run. `programs` says
/// whether programs of rows with a command are the same.
pub fn between(all: &[Sides<'_>], by: Measure, seed: u64, programs: bool) -> Vec<Band> {
    let is_control = |sides: &&Sides<'_>| {
        let twin = format!("{}{TWIN}", sides.a);
        let has = |samples: &[Sample]| samples.iter().any(|sample| sample.row == twin);
        sides.metric.is_empty()
            && has(sides.of_a)
            && has(sides.of_b)
            && sides.same_program(programs)
    };
    let logs = |sides: &Sides<'_>| log_ratios(&sides.pairs(by)).ok();
    let controls = all.iter().filter(is_control);
    let writing = controls.clone().any(Sides::writes);
    let controls: Vec<Vec<f64>> = controls.filter_map(logs).collect();
    if controls.len() < LEAST {
        let why = format!(
            "{} with `self = true` ran the same program in both, and it takes {LEAST} to see how far two runs lie apart",
            count(controls.len(), "rows")
        );
        return vec![Err(why); all.len()];
    }
    let freedom = controls.len() as f64;
    let t = StudentsT::new(0.0, 1.0, freedom).expect("some degrees of freedom");
    let far = t.inverse_cdf(1.0 - BEYOND / 2.0 / all.len() as f64);
    let apart = far * controls.iter().map(|logs| mean(logs)).quadratic_mean();
    let spread = |logs: &Vec<f64>| logs.population_std_dev();
    let usual = controls.iter().map(spread).quadratic_mean();
    let within = |run| measure(run, by, seed).map_or(1.0, |noise| noise.band);
    let least = within(all[0].of_a).max(within(all[0].of_b));
    let of = |sides: &Sides<'_>| {
        if sides.writes() && !writing {
            return Err("it writes files, and no row with `self = true` does".to_owned());
        }
        let wider = logs(sides).map_or(1.0, |logs| (spread(&logs) / usual).max(1.0));
        Ok((apart * wider).exp().max(least).min(1e9))
    };
    all.iter().map(of).collect()
}

/// The noise band of a measure: the far end of the 95 % interval that lies furthest from 1 among
/// the rows measured against themselves. A difference within it is one that the machine shows
/// between equals. `None` if no row has two pairs.
pub fn measure(samples: &[Sample], measure: Measure, seed: u64) -> Option<Noise> {
    let twins = twins(samples, measure, seed);
    let far = |ratio: f64| ratio.max(1.0 / ratio);
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(1.0, f64::max);
    (!twins.is_empty()).then(|| Noise {
        measure: measure.column().to_owned(),
        rows: twins.len() as u32,
        pairs: twins.iter().map(|(_, twin)| twin.pairs as u32).sum(),
        greatest: most(&mut twins.iter().map(|(_, twin)| far(twin.ratio))),
        band: most(&mut twins.iter().map(|(_, twin)| far(twin.low).max(far(twin.high)))),
        how: "the end furthest from 1 of the 95% intervals that rows showed against themselves in the same rounds".to_owned(),
    })
}

/// Rows whose counters differ between good samples, a sentence each: states and moves are the same
/// in every run, while all else is noise. So are bytes, on one thread.
pub fn unsteady(samples: &[Sample]) -> Vec<String> {
    let good = || samples.iter().filter(|s| s.counts() && !s.imported());
    let rows: BTreeSet<&str> = good().map(|sample| sample.row.as_str()).collect();
    let of_row = |row: &'_ &str| {
        let mine: Vec<&Sample> = good().filter(|s| s.row == *row).collect();
        let said = (0..4).filter_map(|at| changing(&mine, at));
        let said: Vec<String> = said.map(|text| format!("{row}: {text}")).collect();
        said
    };
    rows.iter().flat_map(of_row).collect()
}

/// The fault of a row's counter, if it differs between good samples.
pub(super) fn changing(good: &[&Sample], at: usize) -> Option<String> {
    let mut counts = good.iter().filter_map(|sample| sample.counters()[at].1);
    let first = counts.next()?;
    let other = counts.find(|count| *count != first)?;
    let name = good[0].counters()[at].0;
    Some(format!(
        "{name} differ between samples, {first} and {other}: they must not depend on chance"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::compare::compare;
    use crate::judge::stats::tests::about_normal;
    use antipode_reports::bench::{ComparisonOutcome, Status};

    /// A sample whose other fields do not matter here.
    fn sample(row: &str, threads: u32, states: u64, bytes: u64) -> Sample {
        Sample {
            row: row.to_owned(),
            status: Status::Ok,
            threads,
            states: Some(states),
            read_bytes: Some(bytes),
            ..Sample::default()
        }
    }

    /// A run of rows `0` to `11`, the first four against themselves. Log-times are normal and
    /// differ by 5 % between runs, by another 3 % between rows and by 1 % between samples, row 10
    /// by eight times as much. `slower` is the extra time of row 11.
    fn run(number: u64, slower: f64) -> Vec<Sample> {
        let mut random = puzzle_api::Xorshift::for_draw(11, number);
        let mut normal = || about_normal(&mut random);
        let shift = 0.05 * normal();
        let mut all = Vec::new();
        for row in 0..12 {
            let noise = if row == 10 { 0.08 } else { 0.01 };
            let log = shift + 3.0 * noise * normal() + if row == 11 { slower.ln() } else { 0.0 };
            for twin in ["", TWIN].into_iter().take(1 + usize::from(row < 4)) {
                all.extend((0..10).map(|at| Sample {
                    sample: at,
                    cpu_s: Some((log + noise * normal()).exp()),
                    ..sample(&format!("{row}{twin}"), 1, 7, 5)
                }));
            }
        }
        all
    }

    fn verdicts(of_a: &[Sample], of_b: &[Sample], programs: bool) -> Vec<ComparisonOutcome> {
        let sides = (0..12).map(|row: u32| Sides {
            of_b,
            places: Some(["a", "b"].map(str::to_owned)),
            ..Sides::rows(of_a, row.to_string(), row.to_string())
        });
        let sides: Vec<Sides<'_>> = sides.collect();
        let band = between(&sides, Measure::Cpu, 1, programs);
        let found = compare(&sides, &band, Measure::Cpu, 1);
        found.iter().map(|one| one.verdict).collect()
    }

    /// Two runs differ by more than each shows within itself, and equals must not be judged by
    /// that.
    #[test]
    fn runs_of_one_program_are_called_equal_and_a_slow_row_is_not() {
        let runs: Vec<Vec<Sample>> = (0..11).map(|number| run(number, 1.0)).collect();
        let is_decided = |one: &ComparisonOutcome| {
            matches!(one, ComparisonOutcome::Faster | ComparisonOutcome::Slower)
        };
        let mut wrong = 0;
        for (at, a) in runs.iter().enumerate() {
            for b in &runs[at + 1..] {
                wrong += u32::from(verdicts(a, b, false).iter().any(is_decided));
            }
        }
        assert!(wrong <= 1, "{wrong} of 55");
        let slow = verdicts(&runs[0], &run(20, 4.0), false);
        assert_eq!(slow[11], ComparisonOutcome::Slower);
        let mut on_disk = run(20, 4.0);
        let of_11 = on_disk.iter_mut().filter(|sample| sample.row == "11");
        of_11.for_each(|sample| sample.written_bytes = Some(1));
        assert!(!verdicts(&runs[0], &on_disk, false).iter().any(is_decided));
        // For another build, nobody knows what the run alone would have changed.
        let mut other = run(20, 4.0);
        other.iter_mut().for_each(|s| s.build = "other".to_owned());
        assert!(!verdicts(&runs[0], &other, false).iter().any(is_decided));
        let mut commands = runs[0].clone();
        (commands.iter_mut()).for_each(|s| s.engine = "command".to_owned());
        let of = |programs| verdicts(&commands, &run(20, 4.0), programs);
        assert!(!of(false).iter().any(is_decided));
        assert_eq!(of(true)[11], ComparisonOutcome::Slower);
    }

    #[test]
    fn counters_that_change_are_told() {
        let steady = [
            sample("a", 1, 7, 5),
            sample("a", 1, 7, 5),
            sample("b", 1, 8, 6),
        ];
        assert_eq!(unsteady(&steady), [""; 0]);
        let states = [sample("a", 1, 7, 5), sample("a", 1, 8, 5)];
        let told = unsteady(&states);
        assert_eq!(told.len(), 1);
        assert!(told[0].starts_with("a: states expanded differ between samples, 7 and 8"));
        let bytes = |threads| [sample("a", threads, 7, 5), sample("a", threads, 7, 6)];
        assert!(unsteady(&bytes(1))[0].starts_with("a: bytes read differ"));
        // The assignment of partitions to workers decides where pages are cut.
        assert_eq!(unsteady(&bytes(2)), [""; 0]);
    }
}
