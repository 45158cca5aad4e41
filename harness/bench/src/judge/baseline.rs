//! A baseline: what a suite came to when somebody last said that it was as it should be.
//!
//! Answers and counters are the same on every machine, so they are kept as they are. Times
//! are not: of each row the baseline keeps the ratio to a reference row that is measured in
//! the same rounds, then and now.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use toml::Spanned;

use antipode_reports::atomic::write_atomically;
use antipode_reports::bench::{
    AGAINST, BASELINE_SCHEMA as SCHEMA, Baseline, BaselineRow, BenchRun, Change, Measure, Sample,
    TWIN,
};
use antipode_reports::text::read_text;

use super::compare::pairs;
use super::stats::summary;
use crate::clock::now;
use crate::document::{Document, nearest};
use crate::suite::Row;

// ---- reading -----------------------------------------------------------------

/// Reads a baseline.
///
/// # Errors
/// A file of another schema, which is named, or that is no baseline; with its place.
pub fn read(path: &Path) -> Result<Baseline> {
    let file = &path.display().to_string();
    let text = &read_text(path).map_err(|error| {
        let make = match error.kind() {
            ErrorKind::NotFound => "; make one by --update --suite SUITE.toml --reason TEXT",
            _ => "",
        };
        anyhow!("cannot read the baseline {file}: {error}{make}")
    })?;
    let document = Document { file, text };
    // Before anything else is read: another schema has other fields.
    let version: Versioned = document.read()?;
    let Some(schema) = &version.schema else {
        return Err(document.fault(0, "no baseline: it has no 'schema'").into());
    };
    let number = version.number();
    if number != Some(i64::from(SCHEMA)) {
        let found = number.map_or_else(|| "unknown".to_owned(), |number| number.to_string());
        let message = format!(
            "a baseline of schema {found}, where this version reads schema {SCHEMA}; renew it: antipode regress --baseline {file} --update --suite SUITE.toml --reason TEXT"
        );
        return Err(document.fault(schema.span().start, message).into());
    }
    let baseline: Baseline = document.read()?;
    check(&baseline).map_err(|why| anyhow!("{file}: {why}"))?;
    Ok(baseline)
}

/// Whether a file is plainly a baseline of another schema, whose fields nobody here knows:
/// nothing can be kept of it.
#[must_use]
pub fn is_of_another_schema(path: &Path) -> bool {
    let found = read_text(path).ok();
    let found = found.and_then(|text| toml::from_str::<Versioned>(&text).ok()?.number());
    found.is_some_and(|found| found != i64::from(SCHEMA))
}

/// What every schema has.
#[derive(Deserialize)]
struct Versioned {
    schema: Option<Spanned<toml::Value>>,
}

impl Versioned {
    fn number(&self) -> Option<i64> {
        self.schema.as_ref()?.get_ref().as_integer()
    }
}

/// Ends of an interval are written rounded.
const ROUNDED: f64 = 1e-2;

/// What helps where a figure was changed by hand.
const RESTORE: &str = "put it back, or move the file away and make it anew by --update";

/// What more is asked of a baseline than types: the gate is only as good as what it compares
/// a run with.
fn check(baseline: &Baseline) -> Result<(), String> {
    if baseline.row.is_empty() {
        return Err("there is no [[row]]: nothing to compare a run with".to_owned());
    }
    for (key, limit) in [
        ("limit", baseline.limit),
        ("counter-limit", baseline.counter_limit),
    ] {
        if !(limit.is_finite() && limit >= 1.0) {
            return Err(format!("'{key}' takes a number of 1 or more, not {limit}"));
        }
    }
    let names: Vec<&str> = baseline.row.iter().map(|row| row.name.as_str()).collect();
    let reference = baseline.reference.as_str();
    if !reference.is_empty() && !names.contains(&reference) {
        let near = nearest(reference, names.into_iter());
        return Err(format!(
            "the reference '{reference}' is no row of this baseline; {near}"
        ));
    }
    for (at, row) in baseline.row.iter().enumerate() {
        if names[..at].contains(&row.name.as_str()) {
            return Err(format!("a second row named '{}'", row.name));
        }
        check_row(row, reference).map_err(|why| format!("row '{}' {why}", row.name))?;
    }
    Ok(())
}

fn check_row(row: &BaselineRow, reference: &str) -> Result<(), String> {
    if row.answer.is_empty() {
        return Err("has an empty answer, which would match nothing".to_owned());
    }
    let has_ratio = !reference.is_empty() && row.name != reference;
    let ratio = match row.ratio {
        None if has_ratio => {
            return Err(format!(
                "has no 'ratio', so its time would not be compared with anything; {RESTORE}"
            ));
        }
        None => return Ok(()),
        Some(_) if !has_ratio => {
            return Err("has a ratio, and there is no other row that it is to".to_owned());
        }
        Some(ratio) if ratio.is_finite() && ratio > 0.0 => ratio,
        Some(ratio) => return Err(format!(": 'ratio' takes a number above 0, not {ratio}")),
    };
    let Some(ends @ [low, high]) = row.interval else {
        return Ok(());
    };
    if !(0.0 < low && low <= high && high.is_finite()) {
        return Err(format!(
            ": 'interval' takes two numbers above 0, the lower first, not {ends:?}"
        ));
    }
    let is_within = low * (1.0 - ROUNDED) <= ratio && ratio <= high * (1.0 + ROUNDED);
    let message =
        || format!("has the ratio {ratio} outside its interval, {low} to {high}; {RESTORE}");
    is_within.then_some(()).ok_or_else(message)
}

// ---- against its suite ---------------------------------------------------------

/// The suite's file of a baseline that was read from `path`.
#[must_use]
pub fn suite_file(baseline: &Baseline, path: &Path) -> PathBuf {
    folder_of(path).join(&baseline.suite)
}

/// Gives rows the names that the suite has for them now: its key `was` tells of the old ones.
pub fn rename(baseline: &mut Baseline, rows: &[Row]) {
    for kept in &mut baseline.row {
        let has_name = rows.iter().any(|row| row.name == kept.name);
        let is_new = |row: &&Row| row.was.as_ref() == Some(&kept.name);
        if let Some(row) = rows.iter().find(is_new).filter(|_| !has_name) {
            if baseline.reference == kept.name {
                baseline.reference.clone_from(&row.name);
            }
            kept.name.clone_from(&row.name);
        }
    }
}

/// Compares the rows of a baseline with those of the suite, before anything is measured.
///
/// # Errors
/// A row that only one of the two has, or that runs something else now.
pub fn check_rows(baseline: &Baseline, path: &Path, rows: &[Row]) -> Result<()> {
    let file = path.display();
    let renew = "if that is as it should be, --update --reason TEXT";
    for kept in &baseline.row {
        let name = &kept.name;
        match rows.iter().find(|row| row.name == *name) {
            None => bail!(
                "{file}: row '{name}' is not one of the suite; {renew}, or write was = \"{name}\" in the row that it is now"
            ),
            Some(row) if row.runs != kept.runs => bail!(
                "{file}: row '{name}' is no longer the one that was measured: it runs '{}', and ran '{}'; {renew}",
                row.runs,
                kept.runs
            ),
            Some(_) => {}
        }
    }
    let answers = baseline.answers();
    for (row, other) in rows.iter().flat_map(|a| rows.iter().map(move |b| (a, b))) {
        if let (Some(a), Some(b)) = (answers.get(&row.name), answers.get(&other.name))
            && row.group == other.group
            && a != b
            && row.command.is_none()
            && other.command.is_none()
        {
            bail!(
                "{file}: rows '{}' and '{}' answer the same question ({}), and the answers are {a} and {b}; one of them is wrong",
                row.name,
                other.name,
                row.group
            );
        }
    }
    let able = rows.iter().filter(|row| row.refused.is_none());
    for row in able {
        if !answers.contains_key(&row.name) {
            bail!(
                "{file}: row '{0}' of the suite is not in the baseline, so nothing would be said of it; {renew} --rows '{0}'",
                row.name
            );
        }
    }
    Ok(())
}

/// Why a row's growth by its limit could not be seen: what the baseline does not know of its
/// own ratio takes more than half of it.
#[must_use]
pub fn blind(row: &BaselineRow, limit: f64) -> Option<String> {
    let room = room(row);
    (room * room > limit).then(|| {
        format!(
            "the baseline's interval ends {room:.3} times above its ratio, so only growth beyond {:.3} fails, where the limit is {limit}; measure it again in quiet, with more samples: --update",
            limit * room
        )
    })
}

/// How far above a baseline's ratio its own interval ends, as a factor: a run must not fail
/// because the baseline is uncertain.
pub(super) fn room(row: &BaselineRow) -> f64 {
    let ends = row.ratio.zip(row.interval);
    ends.map_or(1.0, |(ratio, [_, high])| (high / ratio).max(1.0))
}

// ---- making --------------------------------------------------------------------

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

/// The baseline that a run's samples amount to; rows of the suite that were not measured stay
/// as they were.
///
/// # Errors
/// A reference row that did not end well.
pub fn made(rows: &[Row], samples: &[Sample], run: &BenchRun, terms: Terms) -> Result<Baseline> {
    let good = names(samples);
    let reference = match &terms.reference {
        Some(name) if good.contains(name) => name.clone(),
        Some(name) => bail!("--reference {name}: no row of that name ended well"),
        None => good.first().cloned().unwrap_or_default(),
    };
    let measured = rows.iter().filter(|row| good.contains(&row.name));
    let mut row = measured
        .map(|row| of_row(samples, row, &reference, terms.measure, run.seed))
        .collect::<Result<Vec<BaselineRow>>>()?;
    let mut history = Vec::new();
    if let Some(before) = terms.before {
        let is_left = |kept: &BaselineRow| {
            rows.iter().any(|row| row.name == kept.name) && !good.contains(&kept.name)
        };
        row.extend(before.row.into_iter().filter(is_left));
        history.push(Change {
            updated: before.updated,
            reason: before.reason,
        });
        history.extend(before.history);
    }
    row.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Baseline {
        schema: SCHEMA,
        suite: terms.suite,
        measure: terms.measure,
        reference,
        limit: terms.limit,
        counter_limit: terms.counter_limit,
        processor: run.host.cpu.clone(),
        version: run.executable.version.clone(),
        build: run.executable.blake3.clone(),
        reason: terms.reason,
        updated: now(),
        row,
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
    let good = all.into_iter().filter(|(_, good)| *good);
    good.map(|(row, _)| row.to_owned()).collect()
}

fn of_row(
    samples: &[Sample],
    row: &Row,
    reference: &str,
    measure: Measure,
    seed: u64,
) -> Result<BaselineRow> {
    let name = &row.name;
    let mine: Vec<&Sample> = (samples.iter())
        .filter(|sample| sample.row == *name && sample.counts())
        .collect();
    let Some(first) = mine.iter().find(|sample| !sample.imported()) else {
        bail!("row {name} has no sample");
    };
    let found = match name == reference {
        true => None,
        false => {
            let pairs = pairs(samples, reference, samples, name, measure);
            Some(summary(&pairs, seed).with_context(|| format!("row {name}"))?)
        }
    };
    let [states, generated, read_bytes, written_bytes] = first.counters().map(|(_, count)| count);
    Ok(BaselineRow {
        name: name.clone(),
        runs: row.runs.clone(),
        answer: first.answer.clone(),
        states,
        generated,
        read_bytes,
        written_bytes,
        peak_bytes: peak(&mine),
        instructions_perf: counted(&mine, "instructions-perf"),
        instructions_callgrind: counted(&mine, "instructions-callgrind"),
        ratio: found.map(|found| short_ratio(found.ratio)),
        interval: found.map(|found| [short_ratio(found.low), short_ratio(found.high)]),
    })
}

/// The median of a row's peaks of memory; of an even number the greater one in the middle.
pub(super) fn peak(mine: &[&Sample]) -> Option<u64> {
    let mut peaks: Vec<u64> = mine.iter().filter_map(|s| s.peak_bytes).collect();
    peaks.sort_unstable();
    peaks.get(peaks.len() / 2).copied()
}

/// The instructions of a row by the counter of this metric.
pub(super) fn counted(mine: &[&Sample], metric: &str) -> Option<u64> {
    let found = mine.iter().find(|s| s.metric == metric && s.counts());
    found.and_then(|s| s.value).map(|value| value as u64)
}

/// A ratio to six significant digits, so that small ones keep theirs.
fn short_ratio(ratio: f64) -> f64 {
    format!("{ratio:.5e}").parse().unwrap_or(ratio)
}

// ---- writing -------------------------------------------------------------------

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

// ---- what changed ---------------------------------------------------------------

/// A line for every row that is new, is gone or answers otherwise, for every counter that is
/// another, for every ratio outside its old interval, and for every term of the gate. Other times
/// are left out: they are another each time, and with them the machine and the executable.
#[must_use]
pub fn changes(old: &Baseline, new: &Baseline) -> Vec<String> {
    let mut lines = Vec::new();
    let mut term = |what: &str, old: &dyn Display, new: &dyn Display| {
        let named = |text: String| if text.is_empty() { "none".into() } else { text };
        let (old, new) = (named(old.to_string()), named(new.to_string()));
        if old != new {
            lines.push(format!("{what} {old} -> {new}"));
        }
    };
    term("suite", &old.suite, &new.suite);
    term("measure", &old.measure.name(), &new.measure.name());
    term("reference", &old.reference, &new.reference);
    term("limit", &old.limit, &new.limit);
    term("counter-limit", &old.counter_limit, &new.counter_limit);
    for before in &old.row {
        let name = &before.name;
        let Some(after) = new.row.iter().find(|row| row.name == *name) else {
            lines.push(format!("{name}: row gone"));
            continue;
        };
        if before.answer != after.answer {
            let (before, after) = (&before.answer, &after.answer);
            lines.push(format!("{name}: answer {before} -> {after}"));
        }
        if let (Some(ratio), Some(now), Some([low, high])) =
            (before.ratio, after.ratio, before.interval)
            && (&old.reference, old.measure) == (&new.reference, new.measure)
            && !(low..=high).contains(&now)
        {
            let what = if now > high { "slower" } else { "faster" };
            lines.push(format!("{name}: ratio {ratio:.3} -> {now:.3}, outside its old interval {low:.3} to {high:.3}: {what}"));
        }
        let shown = |count: Option<u64>| count.map_or_else(|| "none".to_owned(), |n| n.to_string());
        for (what, before, after, steady) in [
            ("states", before.states, after.states, 1.0),
            ("moves", before.generated, after.generated, 1.0),
            ("bytes read", before.read_bytes, after.read_bytes, 1.0),
            (
                "bytes written",
                before.written_bytes,
                after.written_bytes,
                1.0,
            ),
            ("peak bytes", before.peak_bytes, after.peak_bytes, 1.1),
            (
                "instructions (perf)",
                before.instructions_perf,
                after.instructions_perf,
                1.01,
            ),
            (
                "instructions (callgrind)",
                before.instructions_callgrind,
                after.instructions_callgrind,
                1.01,
            ),
        ] {
            let apart = before
                .zip(after)
                .map(|(a, b)| (a.max(b) as f64, a.min(b) as f64));
            let is_same = apart.map_or(before == after, |(more, less)| more <= less * steady);
            if !is_same {
                lines.push(format!(
                    "{name}: {what} {} -> {}",
                    shown(before),
                    shown(after)
                ));
            }
        }
    }
    let is_new = |row: &&BaselineRow| !old.row.iter().any(|before| before.name == row.name);
    for row in new.row.iter().filter(is_new) {
        lines.push(format!("{}: row new, answer {}", row.name, row.answer));
    }
    lines
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn row(name: &str) -> BaselineRow {
        BaselineRow {
            name: name.into(),
            runs: String::new(),
            answer: "7".into(),
            states: Some(10),
            generated: Some(20),
            read_bytes: None,
            written_bytes: Some(40),
            peak_bytes: Some(1000),
            instructions_perf: None,
            instructions_callgrind: Some(1000),
            ratio: Some(1.5),
            interval: Some([1.4, 1.6]),
        }
    }

    pub(crate) fn baseline(row: Vec<BaselineRow>) -> Baseline {
        Baseline {
            schema: SCHEMA,
            suite: "s.toml".into(),
            measure: Measure::Cpu,
            reference: String::new(),
            limit: 1.1,
            counter_limit: 1.0,
            processor: "one".into(),
            version: "1".into(),
            build: "aa".into(),
            reason: "first".into(),
            updated: "then".into(),
            row,
            history: Vec::new(),
        }
    }

    #[test]
    fn every_change_has_its_line_and_times_within_their_interval_are_none() {
        let old = baseline(vec![row("a"), row("b"), row("gone")]);
        let mut new = old.clone();
        (new.row[0].ratio, new.row[1].interval) = (Some(1.55), None);
        (new.processor, new.reason) = ("two".into(), "second".into());
        (new.row[0].peak_bytes, new.row[0].instructions_callgrind) = (Some(1090), Some(1009));
        assert!(changes(&old, &new).is_empty());
        new.row[2] = row("new");
        new.row[0].answer = "8".into();
        (new.row[0].states, new.row[0].generated) = (Some(11), Some(19));
        (new.row[1].read_bytes, new.row[1].written_bytes) = (Some(3), None);
        (new.row[1].peak_bytes, new.row[0].ratio) = (Some(2000), Some(3.0));
        new.limit = 1.2;
        let mut told = vec![
            "limit 1.1 -> 1.2",
            "a: answer 7 -> 8",
            "a: ratio 1.500 -> 3.000, outside its old interval 1.400 to 1.600: slower",
            "a: states 10 -> 11",
            "a: moves 20 -> 19",
            "b: bytes read none -> 3",
            "b: bytes written 40 -> none",
            "b: peak bytes 1000 -> 2000",
            "gone: row gone",
            "new: row new, answer 7",
        ];
        assert_eq!(changes(&old, &new), told);
        // Ratios to two rows are not compared.
        new.reference = "b".into();
        told.retain(|line| !line.contains("ratio"));
        told.insert(0, "reference none -> b");
        assert_eq!(changes(&old, &new), told);
    }

    #[test]
    fn a_baseline_that_cannot_see_its_limit_is_told() {
        let mut one = row("a");
        assert!(blind(&one, 1.2).is_none());
        assert!(blind(&one, 1.1).unwrap().contains("beyond 1.173"));
        one.interval = Some([1.0, 3.0]);
        assert!(blind(&one, 1.5).unwrap().contains("beyond 3.000"));
    }
}
