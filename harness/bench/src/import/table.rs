//! Figures that are no samples of rows, in the table of the samples: how they stand there, and
//! what happens to those that a new measurement takes the place of.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use anyhow::{Result, bail};

use antipode_reports::atomic::ensure_dir;
use antipode_reports::bench::{
    RUN_JSON, SAMPLES_CSV, SAMPLES_JSON, SCHEMA, SUITE_TOML, Sample, SampleLog, Status,
};
use antipode_reports::results::{Results, as_written, clear_way};

use antipode_search::machine;

use crate::clock::now;
use crate::run::VERB;

/// What an import did to the table.
#[derive(Debug, Default)]
pub struct Taken {
    figures: usize,
    added: usize,
    replaced: usize,
    same: usize,
    /// Names of the same measures that are not among the figures, and stay.
    kept: Vec<String>,
}

/// Names that a line lists.
const NAMED: usize = 5;

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = antipode_reports::count(self.figures, "figures");
        let (added, replaced, same) = (self.added, self.replaced, self.same);
        write!(
            f,
            "{figures} ({added} names new, {replaced} replaced, {same} as they were)"
        )?;
        let (shown, more) = self.kept.split_at(self.kept.len().min(NAMED));
        if !shown.is_empty() {
            write!(f, "; not among them, and kept: {}", shown.join(", "))?;
        }
        if !more.is_empty() {
            write!(f, " and {} more", more.len())?;
        }
        Ok(())
    }
}

/// Takes figures into the table of a folder. What the table holds of the same name and measure
/// goes, all of it: figures of two measurements are never mixed under one name. Names that are
/// not among the new ones stay. The table is written whole, so that a run that is killed leaves
/// the old one or the new one.
///
/// # Errors
/// The table is damaged, or cannot be written.
pub fn bring(folder: &Path, new: &[Sample]) -> Result<Taken> {
    ensure_dir(folder)?;
    clear_way(folder, &[SAMPLES_CSV, SAMPLES_JSON], None)?;
    as_written(folder, &[SAMPLES_CSV, RUN_JSON])?;
    let path = folder.join(SAMPLES_CSV);
    let (_, held) = SampleLog::open(&path)?;
    let mut taken = Taken {
        figures: new.len(),
        ..Taken::default()
    };
    let names: BTreeSet<(&str, &str)> = new.iter().map(name).collect();
    for one in &names {
        let of = |all: &[Sample]| -> Vec<Option<f64>> {
            let mine = all.iter().filter(|sample| name(sample) == *one);
            mine.map(|sample| sample.value).collect()
        };
        let (before, after) = (of(&held), of(new));
        match () {
            () if before.is_empty() => taken.added += 1,
            () if before == after => taken.same += 1,
            () => taken.replaced += 1,
        }
    }
    let measures: BTreeSet<&str> = new.iter().map(|sample| sample.metric.as_str()).collect();
    let others = held.iter().map(name);
    let others = others.filter(|one| measures.contains(one.0) && !names.contains(one));
    let others: BTreeSet<&str> = others.map(|(_, row)| row).collect();
    taken.kept = others.into_iter().map(str::to_owned).collect();
    let kept = held.iter().filter(|sample| !names.contains(&name(sample)));
    let all: Vec<Sample> = kept.chain(new).cloned().collect();
    write(folder, &all)?;
    Ok(taken)
}

/// Writes the whole table, in both its forms.
///
/// # Errors
/// It cannot be written.
pub fn write(folder: &Path, samples: &[Sample]) -> Result<()> {
    let mut results = Results::new(folder, VERB);
    results.rows(SAMPLES_CSV, samples)?;
    results.records(SAMPLES_JSON, samples)?;
    let kept = [RUN_JSON, SUITE_TOML].into_iter();
    for name in kept.filter(|name| folder.join(name).is_file()) {
        results.keep(name)?;
    }
    Ok(results.finish()?)
}

fn name(sample: &Sample) -> (&str, &str) {
    (&sample.metric, &sample.row)
}

/// On one line: a line of the table is a sample.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An imported figure without its value; its group is what stands before the last `/`.
pub(super) fn figure(row: &str, metric: &str) -> Sample {
    let row = one_line(row);
    let group = row.rsplit_once('/').map_or(&*row, |(group, _)| group);
    Sample {
        schema: SCHEMA,
        suite: metric.to_owned(),
        group: group.to_owned(),
        row,
        threads: 1,
        status: Status::Ok,
        processor: machine::host().cpu,
        started: now(),
        metric: metric.to_owned(),
        ..Sample::default()
    }
}

/// Sets the value of a figure; without one it failed.
///
/// # Errors
/// No value that something can take.
pub(super) fn set(sample: &mut Sample, value: Option<f64>) -> Result<()> {
    if let Some(value) = value.filter(|value| !(value.is_finite() && *value >= 0.0)) {
        bail!(
            "'{}': the value is no number of at least 0 but {value}; leave it out if there is none",
            sample.row
        );
    }
    sample.value = value;
    if value.is_none() {
        sample.status = Status::Failed;
    }
    Ok(())
}
