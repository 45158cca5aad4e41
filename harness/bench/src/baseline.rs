//! A baseline: what a suite came to when somebody last said that it was as it should be.
//!
//! Answers and counters are the same on every machine, so they are kept as they are. Times
//! are not: of each row the baseline keeps the ratio to a reference row that is measured in
//! the same rounds, then and now.

pub mod changes;
mod read;

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use toml::de::DeTable;

use antipode_reports::atomic::write_atomically;
use antipode_reports::bench::{AGAINST, Sample, TWIN};
use antipode_reports::text::read_text;

use super::compare::{Measure, pairs};
use super::folder::now;
use super::rows::Row;
use super::session::Results;
use super::suite::Suite;
use crate::stats::summary;

/// Version of the file; it rises when a field changes its meaning.
pub const SCHEMA: u32 = 1;

/// A baseline as its file holds it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Baseline {
    /// [`SCHEMA`] at the time of writing.
    pub schema: u32,
    /// The suite's file, from the baseline's folder.
    pub suite: String,
    /// BLAKE3 of its text.
    pub suite_blake3: String,
    /// What is compared: `cpu` or `wall`.
    pub measure: String,
    /// The row that times are ratios to; empty where there is none, so that times are only
    /// gated against a second executable.
    pub reference: String,
    /// A time fails where it has grown by more than this factor.
    pub limit: f64,
    /// A counter fails where it has grown by more than this factor.
    pub counter_limit: f64,
    /// Processor it was measured on, for the reader: nothing is compared with it.
    pub processor: String,
    /// Version of the tool.
    pub version: String,
    /// BLAKE3 of the executable.
    pub build: String,
    /// Why it was written.
    pub reason: String,
    /// When.
    pub updated: String,
    /// The rows.
    pub row: Vec<BaselineRow>,
    /// Earlier reasons, the latest first.
    pub history: Vec<Change>,
}

/// A row of a baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct BaselineRow {
    /// Name.
    pub name: String,
    /// Answer.
    pub answer: String,
    /// States expanded.
    pub states: Option<u64>,
    /// Moves generated.
    pub generated: Option<u64>,
    /// Bytes read.
    pub read_bytes: Option<u64>,
    /// Bytes written.
    pub written_bytes: Option<u64>,
    /// Ratio of its time to that of the reference row; none for the reference itself.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio; the gate counts from its upper end.
    pub interval: Option<[f64; 2]>,
}

/// An earlier state.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// When.
    pub updated: String,
    /// Why.
    pub reason: String,
}

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

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// A file of another schema, which is named, or that is no baseline; with line and column.
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display();
        let text = read_text(path).map_err(|error| {
            let make = match error.kind() {
                ErrorKind::NotFound => "; make one by --update --suite SUITE.toml --reason TEXT",
                _ => "",
            };
            anyhow!("cannot read the baseline {name}: {error}{make}")
        })?;
        Ok(read::parse(&name.to_string(), &text)?)
    }

    /// Whether a file is plainly a baseline of another schema, whose fields nobody here knows:
    /// nothing can be kept of it.
    #[must_use]
    pub fn is_of_another_schema(path: &Path) -> bool {
        let Ok(text) = read_text(path) else {
            return false;
        };
        let Ok(root) = DeTable::parse(&text) else {
            return false;
        };
        let fields = root.get_ref().iter();
        let mut schemas = fields.filter(|(key, _)| key.get_ref() == "schema");
        let found = schemas
            .next()
            .and_then(|(_, value)| value.get_ref().as_integer());
        found.is_some_and(|found| found.as_str() != SCHEMA.to_string())
    }

    /// Holds the rows against those of the suite, before anything is measured.
    ///
    /// # Errors
    /// A row that only one of the two has.
    pub fn check_rows(&self, path: &Path, rows: &[Row]) -> Result<()> {
        let name = path.display();
        let renew = "if that is as it should be, --update --reason TEXT";
        for kept in &self.row {
            if !rows.iter().any(|row| row.name == kept.name) {
                bail!(
                    "{name}: row '{}' is not one of the suite; {renew}",
                    kept.name
                );
            }
        }
        let answers = self.answers();
        for (row, other) in rows.iter().flat_map(|a| rows.iter().map(move |b| (a, b))) {
            if let (Some(a), Some(b)) = (answers.get(&row.name), answers.get(&other.name))
                && row.group == other.group
                && a != b
            {
                bail!(
                    "{name}: rows '{}' and '{}' answer the same question ({}), and the answers are {a} and {b}; one of them is wrong",
                    row.name,
                    other.name,
                    row.group
                );
            }
        }
        let able = rows.iter().filter(|row| row.refused.is_none());
        for row in able {
            if !self.row.iter().any(|kept| kept.name == row.name) {
                bail!(
                    "{name}: row '{}' of the suite is not in the baseline, so nothing would be said of it; {renew}",
                    row.name
                );
            }
        }
        Ok(())
    }

    /// The baseline that results amount to.
    ///
    /// # Errors
    /// A reference row that did not end well.
    pub fn of(suite: &Suite, results: &Results, terms: Terms) -> Result<Self> {
        let samples = &results.samples;
        let good = names(samples);
        let reference = match &terms.reference {
            Some(name) if good.contains(name) => name.clone(),
            Some(name) => bail!("--reference {name}: no row of that name ended well"),
            None => good.first().cloned().unwrap_or_default(),
        };
        let rows: Result<Vec<BaselineRow>> = good
            .iter()
            .map(|name| row(samples, name, &reference, &terms, results.run.seed))
            .collect();
        let mut history = Vec::new();
        if let Some(before) = terms.before {
            history.push(Change {
                updated: before.updated,
                reason: before.reason,
            });
            history.extend(before.history);
        }
        Ok(Self {
            schema: SCHEMA,
            suite: terms.suite,
            suite_blake3: suite.blake3.clone(),
            measure: terms.measure.name().to_owned(),
            reference,
            limit: terms.limit,
            counter_limit: terms.counter_limit,
            processor: results.run.host.cpu.clone(),
            version: results.run.executable.version.clone(),
            build: results.run.executable.blake3.clone(),
            reason: terms.reason,
            updated: now(),
            row: rows?,
            history,
        })
    }

    /// Writes it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = toml::to_string(self).context("cannot write the baseline as TOML")?;
        let head = "# Written by `antipode regress --update`; read by `antipode regress`.\n";
        Ok(write_atomically(path, |out| {
            out.write_all(head.as_bytes())?;
            out.write_all(text.as_bytes())
        })?)
    }

    /// The measure.
    #[must_use]
    pub fn measure(&self) -> Measure {
        self.measure.parse().unwrap_or(Measure::Cpu)
    }

    /// Answers by row.
    #[must_use]
    pub fn answers(&self) -> BTreeMap<String, String> {
        let rows = self.row.iter();
        rows.map(|row| (row.name.clone(), row.answer.clone()))
            .collect()
    }
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
