//! The noise of a machine, measured: rows that ran against themselves in the same rounds.

use std::collections::BTreeSet;

use antipode_reports::bench::{Measure, Noise, Sample, TWIN};

use super::compare::pairs;
use super::stats::summary;

/// What a row showed against its twin.
#[derive(Debug, Clone, PartialEq)]
pub struct Twin {
    /// The row.
    pub row: String,
    /// Pairs.
    pub pairs: usize,
    /// Ratio of the twin to the row.
    pub ratio: f64,
    /// Its 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Every row that was measured against itself, with what it showed.
#[must_use]
pub fn twins(samples: &[Sample], measure: Measure, seed: u64) -> Vec<Twin> {
    let found = doubled(samples).into_iter().filter_map(|row| {
        let found = summary(&with_twin(samples, row, measure), seed).ok()?;
        Some(Twin {
            row: row.to_owned(),
            pairs: found.pairs,
            ratio: found.ratio,
            low: found.low,
            high: found.high,
        })
    });
    found.collect()
}

/// Rows that have samples of a twin.
fn doubled(samples: &[Sample]) -> BTreeSet<&str> {
    let names = samples.iter().filter(|sample| !sample.imported());
    names
        .filter_map(|sample| sample.row.strip_suffix(TWIN))
        .collect()
}

fn with_twin(samples: &[Sample], row: &str, measure: Measure) -> Vec<(f64, f64)> {
    pairs(samples, row, samples, &format!("{row}{TWIN}"), measure)
}

/// Upper end of the noise band, or why there is none.
///
/// # Errors
/// The reason, to be put behind "no noise band: ".
pub fn band(samples: &[Sample], by: Measure, seed: u64) -> Result<f64, String> {
    if let Some(noise) = measure(samples, by, seed) {
        return Ok(noise.band);
    }
    let rows = doubled(samples).into_iter();
    let most = rows
        .map(|row| (with_twin(samples, row, by), row))
        .max_by_key(|(pairs, _)| pairs.len());
    Err(match most {
        None => "no row was measured against itself".to_owned(),
        Some((pairs, row)) if pairs.len() < 2 => format!(
            "row '{row}' was measured against itself, but in {} good pair{}, and at least two are needed",
            pairs.len(),
            if pairs.len() == 1 { "" } else { "s" }
        ),
        Some((pairs, row)) => format!(
            "row '{row}' was measured against itself in {} pairs, but some took a time of 0, too short for the clock",
            pairs.len()
        ),
    })
}

/// The noise band of a measure: the far end of the 95 % interval that lies furthest from 1
/// among the rows measured against themselves. A difference within it is one that the machine
/// shows between equals. `None` where no row has two pairs.
#[must_use]
pub fn measure(samples: &[Sample], measure: Measure, seed: u64) -> Option<Noise> {
    let twins = twins(samples, measure, seed);
    let far = |ratio: f64| ratio.max(1.0 / ratio);
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(1.0, f64::max);
    (!twins.is_empty()).then(|| Noise {
        measure: measure.column().to_owned(),
        rows: twins.len() as u32,
        pairs: twins.iter().map(|twin| twin.pairs as u32).sum(),
        greatest: most(&mut twins.iter().map(|twin| far(twin.ratio))),
        band: most(&mut twins.iter().map(|twin| far(twin.low).max(far(twin.high)))),
        how: "the end furthest from 1 of the 95% intervals that rows showed against themselves in the same rounds".to_owned(),
    })
}

/// Rows whose counters differ between good samples, a sentence each: states and moves are the
/// same in every run, whatever else is noise. Bytes are, too, on one thread.
#[must_use]
pub fn unsteady(samples: &[Sample]) -> Vec<String> {
    let good = || samples.iter().filter(|s| s.counts() && !s.imported());
    let rows: BTreeSet<&str> = good().map(|sample| sample.row.as_str()).collect();
    let mut told = Vec::new();
    for row in rows {
        for at in 0..4 {
            let mine = good().filter(|s| s.row == row).map(|s| s.counters()[at]);
            let mut counts = mine.filter_map(|(name, count)| Some((name, count?)));
            let Some((name, first)) = counts.next() else {
                continue;
            };
            if let Some((_, other)) = counts.find(|(_, count)| *count != first) {
                told.push(format!(
                    "{row}: {name} differ between samples, {first} and {other}: they must not depend on chance"
                ));
            }
        }
    }
    told
}

/// The noise of all measures.
#[must_use]
pub fn measure_all(samples: &[Sample], seed: u64) -> Vec<Noise> {
    let all = Measure::ALL.into_iter();
    all.filter_map(|by| measure(samples, by, seed)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use antipode_reports::bench::Status;

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
        // Which worker gets which partition decides where pages are cut.
        assert_eq!(unsteady(&bytes(2)), [""; 0]);
    }
}
