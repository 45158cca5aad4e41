//! Figures in the table of samples that are not samples of rows: measurements of other programs,
//! read by [`read`], and the [`instructions`] of rows. Also how the table holds them, and how a new
//! measurement replaces old figures.

mod criterion;
mod figures;
pub mod instructions;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};

use antipode_reports::atomic::ensure_dir;
use antipode_reports::bench::{
    RUN_JSON, SAMPLES_CSV, SAMPLES_JSON, SCHEMA, SUITE_TOML, Sample, SampleLog, Status,
};
use antipode_reports::count;
use antipode_reports::results::{Results, as_written, clear_way};
use antipode_reports::text::{one_line, read_text};

use antipode_search::machine;

use crate::clock::{now, written};
use crate::run::VERB;

/// Figures read from elsewhere.
#[derive(Debug, Default)]
pub struct ImportedFigures {
    /// The figures, one sample each.
    pub samples: Vec<Sample>,
    /// Remarks on them, one sentence each.
    pub remarks: Vec<String>,
}

/// Reads figures: a folder of criterion, the JSON of hyperfine or Google Benchmark, or a CSV.
pub fn read(from: &Path) -> Result<ImportedFigures> {
    let name = from.display().to_string();
    if from.is_dir() {
        return criterion::read(from).with_context(|| name);
    }
    let text = read_text(from).with_context(|| format!("{name}: cannot read it"))?;
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        bail!("{name}: it is empty");
    }
    let is_json = text.trim_start().starts_with(['{', '[']) || text.trim() == "null";
    let read = match is_json {
        true => figures::exported(text),
        false => figures::listed(text),
    };
    let mut samples = read.with_context(|| name)?;
    if let Some(started) = written(from) {
        let all = samples.iter_mut();
        all.for_each(|s| s.started.clone_from(&started));
    }
    let remarks = Vec::new();
    Ok(ImportedFigures { samples, remarks })
}

const NAMED: usize = 5;

/// Imports figures into the table of a folder, and reports the changes. They replace all figures of
/// the same name and measure, so that one name never mixes two measurements. Other names stay. The
/// table is written whole, so a killed run leaves the old one or the new one.
pub fn bring(folder: &Path, new: &[Sample]) -> Result<String> {
    ensure_dir(folder)?;
    clear_way(folder, &[SAMPLES_CSV, SAMPLES_JSON], VERB, None)?;
    as_written(folder, &[SAMPLES_CSV, RUN_JSON])?;
    let (_, held) = SampleLog::open(folder.join(SAMPLES_CSV))?;
    let names: BTreeSet<(&str, &str)> = new.iter().map(name).collect();
    let measures: BTreeSet<&str> = names.iter().map(|(metric, _)| *metric).collect();
    let others = held.iter().map(name);
    let others = others.filter(|one| measures.contains(one.0) && !names.contains(one));
    let kept: Vec<&str> = others
        .map(|(_, row)| row)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let old = held.iter().filter(|sample| !names.contains(&name(sample)));
    write(folder, &old.chain(new).cloned().collect::<Vec<_>>())?;
    let mut said = format!(
        "{} of {}",
        count(new.len(), "figures"),
        count(names.len(), "names")
    );
    if !kept.is_empty() {
        let shown = &kept[..kept.len().min(NAMED)];
        said += &format!("; kept, not in the import: {}", shown.join(", "));
    }
    if kept.len() > NAMED {
        said += &format!(" and {} more", kept.len() - NAMED);
    }
    Ok(said)
}

fn write(folder: &Path, samples: &[Sample]) -> Result<()> {
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

/// The greatest figure: sums and squares of such figures are numbers, too.
const GREATEST: f64 = 1e100;

/// A figure from elsewhere, failed if there is no value; its group is the part before the last `/`.
fn figure(row: &str, metric: &str, unit: &str, value: Option<f64>) -> Result<Sample> {
    let row = one_line(row);
    if let Some(odd) = value.filter(|value| !(0.0..=GREATEST).contains(value)) {
        bail!(
            "'{row}': the value must be a number of at least 0 and at most {GREATEST:?}, not {odd:?}; leave it out if unknown"
        );
    }
    let group = row.rsplit_once('/').map_or(&*row, |(group, _)| group);
    Ok(Sample {
        schema: SCHEMA,
        suite: metric.to_owned(),
        group: group.to_owned(),
        threads: 1,
        status: value.map_or(Status::Failed, |_| Status::Ok),
        processor: machine::host().cpu,
        started: now(),
        metric: metric.to_owned(),
        unit: unit.to_owned(),
        value,
        row,
        ..Sample::default()
    })
}
