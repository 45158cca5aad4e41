//! A baseline: the outcome of a suite when somebody last accepted it.
//!
//! Answers and counters are the same on every machine, so they are kept as they are. Times
//! are not: of each row the baseline keeps the ratio to a reference row that is measured in
//! the same rounds, then and now.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;
use toml::Spanned;

use antipode_reports::atomic::{folder_of, write_atomically};
use antipode_reports::bench::{
    AGAINST, BASELINE_SCHEMA as SCHEMA, Baseline, BaselineRow, BenchRun, Change, Measure, Sample,
    TWIN,
};
use antipode_reports::text::read_text;

use super::compare::Sides;
use super::stats::summary;
use crate::clock::now;
use crate::document::{Document, nearest};
use crate::suite::{Metric, SuiteRow, contradiction};

/// The figures of a row in a baseline besides its time: their limit, and their names.
pub(super) const FIGURES: [(Metric, &str); 7] = [
    (Metric::States, "states expanded"),
    (Metric::Moves, "moves generated"),
    (Metric::Read, "bytes read"),
    (Metric::Written, "bytes written"),
    (Metric::Peak, "peak bytes"),
    (Metric::Instructions, "instructions-perf"),
    (Metric::Instructions, "instructions-callgrind"),
];

/// The figures of a row of a baseline, in the order of [`FIGURES`].
pub(super) const fn kept(row: &BaselineRow) -> [Option<u64>; 7] {
    [
        row.states,
        row.generated,
        row.read_bytes,
        row.written_bytes,
        row.peak_bytes,
        row.instructions_perf,
        row.instructions_callgrind,
    ]
}

/// The answer and the figures of samples of one row: counters of the first good run, the median of
/// the peaks, and counts of instructions. The median of an even number is the greater middle one.
/// Nothing without a good run.
pub(super) fn measured(mine: &[&Sample]) -> Option<BaselineRow> {
    let good = || mine.iter().filter(|sample| sample.counts());
    let first = good().find(|sample| !sample.imported())?;
    let mut peaks: Vec<u64> = good().filter_map(|sample| sample.peak_bytes).collect();
    peaks.sort_unstable();
    let [states, generated, read_bytes, written_bytes] = first.counters().map(|(_, count)| count);
    let [instructions_perf, instructions_callgrind] = [FIGURES[5].1, FIGURES[6].1].map(|metric| {
        let found = good().find(|sample| sample.metric == metric)?;
        Some(found.value? as u64)
    });
    Some(BaselineRow {
        answer: first.answer.clone(),
        states,
        generated,
        read_bytes,
        written_bytes,
        peak_bytes: peaks.get(peaks.len() / 2).copied(),
        instructions_perf,
        instructions_callgrind,
        ..BaselineRow::default()
    })
}

/// Reads a baseline.
///
/// # Errors
/// A file of another schema, which is named, or one that is no baseline; with its place.
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
    if let Some(found) = version.other() {
        let message = format!(
            "a baseline of schema {found}, where this version reads schema {SCHEMA}; renew it: antipode regress --baseline {file} --update --suite SUITE.toml --reason TEXT"
        );
        return Err(document.fault(schema.span().start, message).into());
    }
    let baseline: Baseline = document.read()?;
    check(&baseline).map_err(|why| anyhow!("{file}: {why}"))?;
    Ok(baseline)
}

/// Whether a file is plainly a baseline of another schema, whose fields are unknown here: nothing
/// of it can be kept.
pub fn is_of_another_schema(path: &Path) -> bool {
    let text = read_text(path).unwrap_or_default();
    let version = toml::from_str::<Versioned>(&text);
    version.is_ok_and(|version| version.other().is_some_and(|found| found != "unknown"))
}

/// The common part of every schema.
#[derive(Deserialize)]
struct Versioned {
    schema: Option<Spanned<toml::Value>>,
}

impl Versioned {
    fn other(&self) -> Option<String> {
        let number = self.schema.as_ref()?.get_ref().as_integer();
        let found = number.map_or_else(|| "unknown".to_owned(), |number| number.to_string());
        (found != SCHEMA.to_string()).then_some(found)
    }
}

/// Ends of an interval are written rounded.
const ROUNDED: f64 = 1e-2;

const RESTORE: &str = "put it back, or move the file away and make it anew by --update";

/// Requirements on a baseline beyond types: the gate is only as good as its reference.
fn check(baseline: &Baseline) -> Result<(), String> {
    if baseline.row.is_empty() {
        return Err("there is no [[row]]: nothing to compare a run with".to_owned());
    }
    let limits = [
        ("limit", baseline.limit),
        ("counter-limit", baseline.counter_limit),
    ];
    let is_odd = |(_, limit): &(&str, f64)| !(limit.is_finite() && *limit >= 1.0);
    if let Some((key, limit)) = limits.into_iter().find(is_odd) {
        return Err(format!("'{key}' takes a number of 1 or more, not {limit}"));
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
    let has_ratio = !reference.is_empty() && row.name != reference;
    let is_positive = |number: f64| number.is_finite() && number > 0.0;
    let is_sound = match (row.ratio, row.interval) {
        (None, _) => !has_ratio,
        (Some(ratio), None) => has_ratio && is_positive(ratio),
        (Some(ratio), Some([low, high])) => {
            let range = low * (1.0 - ROUNDED)..=high * (1.0 + ROUNDED);
            has_ratio && [low, ratio, high].into_iter().all(is_positive) && range.contains(&ratio)
        }
    };
    if is_sound && !row.answer.is_empty() {
        return Ok(());
    }
    let none = || "no ratio".to_owned();
    let ratio = (row.ratio).map_or_else(none, |ratio| format!("the ratio {ratio}"));
    let ends = |[low, high]: [f64; 2]| format!(" within {low} to {high}");
    let interval = row.interval.map_or_else(String::new, ends);
    Err(format!(
        "has the answer '{}' and {ratio}{interval}, by which it cannot be judged; {RESTORE}",
        row.answer
    ))
}

/// The suite's file of a baseline that was read from `path`.
pub fn suite_file(baseline: &Baseline, path: &Path) -> PathBuf {
    folder_of(path).join(&baseline.suite)
}

/// Gives rows the suite's present names: its key `was` names the old ones.
pub fn rename(baseline: &mut Baseline, rows: &[SuiteRow]) {
    for kept in &mut baseline.row {
        let has_name = rows.iter().any(|row| row.name == kept.name);
        let is_new = |row: &&SuiteRow| row.was.as_ref() == Some(&kept.name);
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
/// A row that only one of the two has, or that now runs something else.
pub fn check_rows(baseline: &Baseline, path: &Path, rows: &[SuiteRow]) -> Result<()> {
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
    if let Some((_, why)) = contradiction(rows, |row| answers.get(&row.name)) {
        bail!("{file}: {why}");
    }
    let is_new = |row: &&SuiteRow| row.refused.is_none() && !answers.contains_key(&row.name);
    if let Some(SuiteRow { name, .. }) = rows.iter().find(is_new) {
        bail!(
            "{file}: row '{name}' of the suite is not in the baseline, so nothing would be said of it; {renew} --rows '{name}'"
        );
    }
    Ok(())
}

/// Why a row's growth by its limit could not be seen: the uncertainty of the baseline's own ratio
/// takes more than half of it.
pub fn blind(row: &BaselineRow, limit: f64) -> Option<String> {
    let margin = margin(row);
    (margin * margin > limit).then(|| {
        format!(
            "the baseline's interval ends {margin:.3} times above its ratio, so only growth beyond {:.3} fails, where the limit is {limit}; measure it again in quiet, with more samples: --update",
            limit * margin
        )
    })
}

/// How far above a baseline's ratio its own interval ends, as a factor: a run must not fail because
/// the baseline is uncertain.
pub(super) fn margin(row: &BaselineRow) -> f64 {
    let ends = row.ratio.zip(row.interval);
    ends.map_or(1.0, |(ratio, [_, high])| (high / ratio).max(1.0))
}

/// A baseline before anything is measured, which is judged by processor time.
pub fn blank() -> Baseline {
    Baseline {
        schema: SCHEMA,
        limit: LIMIT,
        counter_limit: 1.0,
        ..Baseline::default()
    }
}

/// Allowed growth of a time, unless the baseline sets another.
const LIMIT: f64 = 1.10;

/// Updates a baseline with a run's samples. Without a reference row it takes the first row by name
/// that ended well. Rows of the suite that were not measured stay as they were.
pub fn renew(
    kept: &mut Baseline,
    rows: &[SuiteRow],
    samples: &[Sample],
    run: &BenchRun,
    reason: String,
) -> Result<()> {
    let good = names(samples);
    let name = &kept.reference;
    if name.is_empty() {
        kept.reference = good.first().cloned().unwrap_or_default();
    } else if !good.contains(name) {
        bail!("--reference {name}: no row of that name ended well");
    }
    kept.row
        .retain(|old| rows.iter().any(|row| row.name == old.name) && !good.contains(&old.name));
    for row in rows.iter().filter(|row| good.contains(&row.name)) {
        let new = of_row(samples, row, &kept.reference, kept.measure, run.seed)?;
        kept.row.push(new);
    }
    kept.row.sort_by(|a, b| a.name.cmp(&b.name));
    let updated = std::mem::replace(&mut kept.updated, now());
    let reason = std::mem::replace(&mut kept.reason, reason);
    if !updated.is_empty() {
        kept.history.insert(0, Change { updated, reason });
    }
    kept.processor.clone_from(&run.host.cpu);
    kept.version.clone_from(&run.executable.version);
    kept.build.clone_from(&run.executable.blake3);
    Ok(())
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
    row: &SuiteRow,
    reference: &str,
    measure: Measure,
    seed: u64,
) -> Result<BaselineRow> {
    let name = &row.name;
    let mine: Vec<&Sample> = samples.iter().filter(|s| s.row == *name).collect();
    let measured = measured(&mine).with_context(|| format!("row {name} has no sample"))?;
    let found = (name != reference).then(|| {
        let pairs = Sides::rows(samples, reference, name).pairs(measure);
        summary(&pairs, seed).map_err(|why| anyhow!("row {name}: {why}"))
    });
    let found = found.transpose()?;
    Ok(BaselineRow {
        name: name.clone(),
        runs: row.runs.clone(),
        ratio: found.map(|found| short_ratio(found.ratio)),
        interval: found.map(|found| [found.low, found.high].map(short_ratio)),
        ..measured
    })
}

/// A ratio to six significant digits, so that small ones keep theirs.
fn short_ratio(ratio: f64) -> f64 {
    format!("{ratio:.5e}").parse().unwrap_or(ratio)
}

/// Writes a baseline.
pub fn write(baseline: &Baseline, path: &Path) -> Result<()> {
    let text = toml::to_string(baseline).context("cannot write the baseline as TOML")?;
    let head = "# Written by `antipode regress --update`; read by `antipode regress`.\n";
    Ok(write_atomically(path, head.to_owned() + &text)?)
}

/// A suite's path from a baseline's folder, if it is below it or below a folder above.
pub fn suite_from(baseline: &Path, suite: &Path) -> Result<String> {
    let absolute = |path: &Path| {
        let found = std::fs::canonicalize(path);
        let path = path.display();
        found.with_context(|| format!("--baseline: cannot find the folder {path}; make it first"))
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

/// A line for every row that is new, gone or has another answer, for every changed counter, every
/// ratio outside its old interval, and every term of the gate. Other times are left out, as they
/// differ each time, and with them the machine and the executable.
pub fn changes(old: &Baseline, new: &Baseline) -> Vec<String> {
    let terms = |of: &Baseline| {
        [
            ("suite", of.suite.clone()),
            ("measure", of.measure.name().to_owned()),
            ("reference", of.reference.clone()),
            ("limit", of.limit.to_string()),
            ("counter-limit", of.counter_limit.to_string()),
        ]
    };
    let shown = |text: String| if text.is_empty() { "none".into() } else { text };
    let both = terms(old).into_iter().zip(terms(new));
    let other = both.filter(|(old, new)| old != new);
    let told =
        other.map(|((what, old), (_, new))| format!("{what} {} -> {}", shown(old), shown(new)));
    let mut lines: Vec<String> = told.collect();
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
        for (at, (metric, what)) in FIGURES.into_iter().enumerate() {
            let (before, after) = (kept(before)[at], kept(after)[at]);
            // Greatest difference of figures that vary from run to run.
            let steady = match metric {
                Metric::Peak => 1.1,
                Metric::Instructions => 1.01,
                _ => 1.0,
            };
            let is_same = match (before, after) {
                (Some(a), Some(b)) => a.max(b) as f64 <= a.min(b) as f64 * steady,
                _ => before == after,
            };
            if !is_same {
                let [before, after] = [before, after]
                    .map(|count| shown(count.map_or_else(String::new, |n| n.to_string())));
                lines.push(format!("{name}: {what} {before} -> {after}"));
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
        let text = "name = ''\nruns = ''\nanswer = '7'\nstates = 10\ngenerated = 20\nwritten-bytes = 40\n\
            peak-bytes = 1000\ninstructions-callgrind = 1000\nratio = 1.5\ninterval = [1.4, 1.6]\n";
        toml::from_str(&text.replacen("''", &format!("'{name}'"), 1)).unwrap()
    }

    pub(crate) fn baseline(row: Vec<BaselineRow>) -> Baseline {
        Baseline { row, ..blank() }
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
            "a: states expanded 10 -> 11",
            "a: moves generated 20 -> 19",
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
