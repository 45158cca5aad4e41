//! A baseline made of what a suite came to.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

use antipode_reports::bench::{
    AGAINST, BASELINE_SCHEMA, Baseline, BaselineRow, BenchRun, Change, Measure, Sample, TWIN,
};

use crate::clock::now;
use crate::judge::compare::pairs;
use crate::judge::stats::summary;
use crate::suite::Suite;

/// What a baseline is written with.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The suite's file, from the baseline's folder.
    pub suite: String,
    /// What is compared.
    pub measure: Measure,
    /// Reference row; `None` takes the first by name that ended well.
    pub reference: Option<String>,
    /// Limit of times.
    pub limit: f64,
    /// Limit of counters.
    pub counter_limit: f64,
    /// Why.
    pub reason: String,
    /// The state before.
    pub before: Option<Baseline>,
}

/// The baseline that a run's samples amount to.
///
/// # Errors
/// A reference row that did not end well.
pub fn made(suite: &Suite, samples: &[Sample], run: &BenchRun, terms: Terms) -> Result<Baseline> {
    let good = names(samples);
    let reference = match &terms.reference {
        Some(name) if good.contains(name) => name.clone(),
        Some(name) => bail!("--reference {name}: no row of that name ended well"),
        None => good.first().cloned().unwrap_or_default(),
    };
    let rows: Result<Vec<BaselineRow>> = good
        .iter()
        .map(|name| row(samples, name, &reference, &terms, run.seed))
        .collect();
    let mut history = Vec::new();
    if let Some(before) = terms.before {
        history.push(Change {
            updated: before.updated,
            reason: before.reason,
        });
        history.extend(before.history);
    }
    Ok(Baseline {
        schema: BASELINE_SCHEMA,
        suite: terms.suite,
        suite_blake3: suite.blake3.clone(),
        measure: terms.measure,
        reference,
        limit: terms.limit,
        counter_limit: terms.counter_limit,
        processor: run.host.cpu.clone(),
        version: run.executable.version.clone(),
        build: run.executable.blake3.clone(),
        reason: terms.reason,
        updated: now(),
        row: rows?,
        history,
    })
}

/// Rows all of whose samples ended well, in the order of their names.
fn names(samples: &[Sample]) -> Vec<String> {
    let plain = |s: &&Sample| !s.imported() && !s.row.ends_with(TWIN) && !s.row.ends_with(AGAINST);
    let mut all: BTreeMap<&str, bool> = BTreeMap::new();
    for sample in samples.iter().filter(plain) {
        *all.entry(&sample.row).or_insert(true) &= sample.counts();
    }
    all.into_iter()
        .filter(|(_, good)| *good)
        .map(|(row, _)| row.to_owned())
        .collect()
}

fn row(
    samples: &[Sample],
    name: &str,
    reference: &str,
    terms: &Terms,
    seed: u64,
) -> Result<BaselineRow> {
    let Some(first) = samples.iter().find(|s| s.row == name && s.counts()) else {
        bail!("row {name} has no sample");
    };
    let found = match name == reference {
        true => None,
        false => {
            let pairs = pairs(samples, reference, samples, name, terms.measure);
            Some(summary(&pairs, seed).with_context(|| format!("row {name}"))?)
        }
    };
    let [states, generated, read_bytes, written_bytes] = first.counters().map(|(_, count)| count);
    Ok(BaselineRow {
        name: name.to_owned(),
        answer: first.answer.clone(),
        states,
        generated,
        read_bytes,
        written_bytes,
        ratio: found.map(|found| short_ratio(found.ratio)),
        interval: found.map(|found| [short_ratio(found.low), short_ratio(found.high)]),
    })
}

/// A ratio to six significant digits, so that small ones keep theirs.
fn short_ratio(ratio: f64) -> f64 {
    format!("{ratio:.5e}").parse().unwrap_or(ratio)
}
