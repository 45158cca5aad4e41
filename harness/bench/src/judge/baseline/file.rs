//! The file of a baseline, and the suite that it is of.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use antipode_reports::atomic::write_atomically;
use antipode_reports::bench::Baseline;

use crate::suite::Row;

/// The suite's file of a baseline that was read from `path`.
#[must_use]
pub fn suite_file(baseline: &Baseline, path: &Path) -> PathBuf {
    folder_of(path).join(&baseline.suite)
}

/// Holds the rows of a baseline against those of the suite, before anything is measured.
///
/// # Errors
/// A row that only one of the two has.
pub fn check_rows(baseline: &Baseline, path: &Path, rows: &[Row]) -> Result<()> {
    let name = path.display();
    let renew = "if that is as it should be, --update --reason TEXT";
    for kept in &baseline.row {
        if !rows.iter().any(|row| row.name == kept.name) {
            bail!(
                "{name}: row '{}' is not one of the suite; {renew}",
                kept.name
            );
        }
    }
    let answers = baseline.answers();
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
        if !baseline.row.iter().any(|kept| kept.name == row.name) {
            bail!(
                "{name}: row '{}' of the suite is not in the baseline, so nothing would be said of it; {renew}",
                row.name
            );
        }
    }
    Ok(())
}

/// Writes a baseline.
///
/// # Errors
/// The file cannot be written.
pub fn write(baseline: &Baseline, path: &Path) -> Result<()> {
    let text = toml::to_string(baseline).context("cannot write the baseline as TOML")?;
    let head = "# Written by `antipode regress --update`; read by `antipode regress`.\n";
    Ok(write_atomically(path, |out| {
        out.write_all(head.as_bytes())?;
        out.write_all(text.as_bytes())
    })?)
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
