//! What the file of a baseline holds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use antipode_reports::atomic::write_atomically;

use crate::judge::compare::Measure;
use crate::suite::Row;

/// Version of the file; it rises when a field changes its meaning.
pub const SCHEMA: u32 = 1;

/// A baseline as its file holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Baseline {
    /// [`SCHEMA`] at the time of writing.
    pub schema: u32,
    /// The suite's file, from the baseline's folder.
    pub suite: String,
    /// BLAKE3 of its text.
    pub suite_blake3: String,
    /// What is compared.
    pub measure: Measure,
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
    #[serde(default)]
    pub row: Vec<BaselineRow>,
    /// Earlier reasons, the latest first.
    #[serde(default)]
    pub history: Vec<Change>,
}

/// A row of a baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// When.
    pub updated: String,
    /// Why.
    pub reason: String,
}

impl Baseline {
    /// The suite's file, where this was read from `path`.
    #[must_use]
    pub fn suite_file(&self, path: &Path) -> PathBuf {
        folder_of(path).join(&self.suite)
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

    /// Answers by row.
    #[must_use]
    pub fn answers(&self) -> BTreeMap<String, String> {
        let rows = self.row.iter();
        rows.map(|row| (row.name.clone(), row.answer.clone()))
            .collect()
    }
}

fn folder_of(baseline: &Path) -> &Path {
    match baseline.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A suite's path from a baseline's folder, where it lies below it or beside it.
///
/// # Errors
/// The folder, or the suite, is not there.
pub fn suite_from(baseline: &Path, suite: &Path) -> Result<String> {
    let absolute = |path: &Path| {
        std::fs::canonicalize(path).with_context(|| {
            format!(
                "--baseline: cannot find the folder {}; make it first",
                path.display()
            )
        })
    };
    let (folder, suite) = (absolute(folder_of(baseline))?, absolute(suite)?);
    let mut up = String::new();
    for above in folder.ancestors() {
        if let Ok(rest) = suite.strip_prefix(above) {
            return Ok(format!("{up}{}", rest.display()));
        }
        up += "../";
    }
    Ok(suite.display().to_string())
}
