//! Figures that other programs counted, from a small CSV of theirs: instruction counts of inner
//! loops, mostly.
//!
//! The header names the columns, in any order: `row`, `metric`, `value` and `unit` must be
//! there; `group`, `puzzle`, `instance`, `variant`, `version` and `detail` may be. An empty
//! value is a figure that could not be had, which stays in the table as such.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use antipode_reports::bench::{Sample, Status};
use antipode_reports::text::read_text;

use super::table::{figure, one_line};
use crate::clock::written;
use crate::document::nearest;

const NEEDED: [&str; 4] = ["row", "metric", "value", "unit"];
const ALLOWED: [&str; 6] = [
    "group", "puzzle", "instance", "variant", "version", "detail",
];

#[derive(Debug, Deserialize)]
struct Line {
    row: String,
    metric: String,
    value: Option<f64>,
    unit: String,
    #[serde(default)]
    group: String,
    #[serde(default)]
    puzzle: String,
    #[serde(default)]
    instance: String,
    #[serde(default)]
    variant: String,
    #[serde(default)]
    version: String,
    #[serde(default)]
    detail: String,
}

/// Reads the figures of a file.
///
/// # Errors
/// A file that cannot be read, a column that is missing or unknown, a line that does not fit,
/// a name twice; with file and line.
pub fn read(file: &Path) -> Result<Vec<Sample>> {
    let name = format!("--figures {}", file.display());
    let text = read_text(file).with_context(|| format!("{name}: cannot read it"))?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader
        .headers()
        .with_context(|| format!("{name}, line 1"))?;
    let header = header.clone();
    if let Some(column) = NEEDED.iter().find(|c| !header.iter().any(|h| h == **c)) {
        bail!(
            "{name}, line 1: no column '{column}'; the header names {}, and may name {}",
            NEEDED.join(","),
            ALLOWED.join(",")
        );
    }
    let known = || NEEDED.into_iter().chain(ALLOWED);
    if let Some(column) = header.iter().find(|h| !known().any(|k| k == *h)) {
        let near = nearest(column, known());
        bail!("{name}, line 1: no column is named '{column}'; {near}");
    }
    let started = written(file);
    let mut all: Vec<Sample> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            let line = error.position().map_or(1, csv::Position::line);
            anyhow::anyhow!("{name}, line {line}: {error}")
        })?;
        let at = record.position().map_or(1, csv::Position::line);
        let line: Line = record
            .deserialize(Some(&header))
            .map_err(|error| anyhow::anyhow!("{name}, line {at}: {error}"))?;
        let sample = line
            .sample()
            .with_context(|| format!("{name}, line {at}"))?;
        if all
            .iter()
            .any(|old| (&old.row, &old.metric) == (&sample.row, &sample.metric))
        {
            bail!("{name}, line {at}: '{}' stands there twice", sample.row);
        }
        let started = started.clone().unwrap_or(sample.started);
        all.push(Sample { started, ..sample });
    }
    if all.is_empty() {
        bail!("{name}: no figures below the header; what should have counted them has not");
    }
    Ok(all)
}

impl Line {
    fn sample(self) -> Result<Sample> {
        for (what, text) in [("row", &self.row), ("metric", &self.metric)] {
            if text.trim().is_empty() {
                bail!("an empty {what}; every figure has a name and a measure");
            }
        }
        let odd = |value: f64| !(value.is_finite() && value >= 0.0);
        if self.value.is_some_and(odd) {
            bail!("the value is no number of at least 0; leave it empty if there is none");
        }
        let mut sample = figure(&self.row, &one_line(&self.metric));
        if !self.group.is_empty() {
            sample.group = one_line(&self.group);
        }
        sample.puzzle = self.puzzle;
        sample.instance = self.instance;
        sample.variant = self.variant;
        sample.version = self.version;
        sample.detail = one_line(&self.detail);
        sample.unit = self.unit;
        sample.value = self.value;
        if self.value.is_none() {
            sample.status = Status::Failed;
        }
        Ok(sample)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Vec<Sample>, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f.csv");
        std::fs::write(&file, text).unwrap();
        read(&file).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn figures_by_the_names_of_their_columns() {
        let all = of("unit,value,row,metric,variant,detail\n\
             instructions a call,19.5,permute/flip/naive,instructions-callgrind,naive,61 operations\n\
             ns,,permute/flip/chain,time,,\n")
        .unwrap();
        assert_eq!((all[0].value, all[0].status), (Some(19.5), Status::Ok));
        assert_eq!(all[0].group, "permute/flip");
        assert_eq!(all[0].metric, "instructions-callgrind");
        assert_eq!(
            (&*all[0].variant, &*all[0].detail),
            ("naive", "61 operations")
        );
        assert_eq!((all[1].value, all[1].status), (None, Status::Failed));
    }

    #[test]
    fn faults_name_the_line() {
        for (text, said) in [
            ("row,metric,value\na,b,1\n", "line 1: no column 'unit'"),
            (
                "row,metric,value,unit,vairant\na,b,1,ns,c\n",
                "did you mean 'variant'",
            ),
            ("row,metric,value,unit\na,b,1,ns\na,b,x,ns\n", "line 3"),
            ("row,metric,value,unit\na,b,1\n", "line 2"),
            (
                "row,metric,value,unit\na,b,1,ns\na,b,2,ns\n",
                "line 3: 'a' stands there twice",
            ),
            ("row,metric,value,unit\n,b,1,ns\n", "line 2: an empty row"),
            (
                "row,metric,value,unit\na,b,nan,ns\n",
                "line 2: the value is no number",
            ),
            ("row,metric,value,unit\n", "no figures below the header"),
        ] {
            let error = of(text).unwrap_err();
            assert!(error.contains(said), "{text:?}: {error}");
        }
    }
}
