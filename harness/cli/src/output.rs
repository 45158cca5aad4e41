//! Files and tables that several verbs write.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, presets};

use antipode_reports::model::{Evidence, LevelTable, Run};
use antipode_reports::text::group_digits;
use antipode_reports::{atomic, csv_out, evidence_sentence, json_out};

use antipode_check::analysis::Analysis;
use antipode_search::work::lock;

/// Writes `levels.csv`, `antipodes.csv` and `run.json` to a folder that exists.
///
/// # Errors
/// A file that cannot be written; nothing half-written stays.
pub fn write_analysis(folder: &Path, analysis: &Analysis) -> Result<()> {
    csv_out::write_levels(folder.join("levels.csv"), &analysis.levels)?;
    csv_out::write_rows(folder.join("antipodes.csv"), &analysis.antipodes)?;
    json_out::write_record(folder.join("run.json"), &analysis.run)?;
    if !analysis.costs.is_empty() {
        csv_out::write_rows(folder.join("cost.csv"), &analysis.costs)?;
    }
    Ok(())
}

/// Files that [`write_analysis`] writes.
pub const ANALYSIS_FILES: [&str; 3] = ["levels.csv", "antipodes.csv", "run.json"];

/// Finds out that nothing stands in the way of files that are written after long work.
///
/// # Errors
/// One line that names the obstacle and the mend.
pub fn probe_files(folder: &Path, names: &[&str]) -> Result<()> {
    for name in names {
        let path = folder.join(name);
        if path.is_dir() {
            bail!(
                "cannot write {}: a folder stands where a file is needed; move it away or choose another place",
                path.display()
            );
        }
    }
    Ok(())
}

/// Makes an output folder and finds out that it can be written to; clears away what a run
/// left there that was killed while it wrote.
///
/// # Errors
/// One line that names the folder and the mend.
pub fn make_folder(folder: &Path) -> Result<()> {
    atomic::ensure_dir(folder)?;
    // Where another run is at work, half-written files are its own.
    if let Ok(_lock) = lock(folder, "--out") {
        atomic::sweep(folder).with_context(|| format!("cannot tidy {}", folder.display()))?;
    }
    Ok(())
}

/// A number with its thousands apart.
#[must_use]
pub fn grouped(number: impl ToString) -> String {
    group_digits(&number.to_string(), ',')
}

/// A ratio or a probability as tables show it; nothing where there is none.
#[must_use]
pub fn figure(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.4}"))
}

/// An interval likewise.
#[must_use]
pub fn interval(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (Some(low), Some(high)) => format!("{low:.4} to {high:.4}"),
        _ => String::new(),
    }
}

/// An empty table in the house style.
#[must_use]
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    // One line under the header: rules between rows would double the height.
    table.load_style(presets::NOTHING.header_separator(LineStyle::none().fill('─').junction('─')));
    table.set_header(header);
    table
}

/// Columns of a table that wraps, where stdout is no terminal that has a width.
const WRAP_AT: u16 = 120;

/// Lets the cells of a table wrap to the terminal's width.
pub fn wrap(table: &mut Table) {
    table.set_content_arrangement(ContentArrangement::Dynamic);
    if !crate::results::are_on_a_terminal() {
        table.set_width(WRAP_AT);
    }
}

/// Prints a level table.
///
/// # Errors
/// Stdout is closed.
pub fn print_levels(levels: &LevelTable) -> Result<()> {
    let mut table = table(&["depth", "states", "orbits", "digest"]);
    for level in &levels.levels {
        table.add_row([
            level.depth.to_string(),
            grouped(level.states),
            grouped(level.orbits),
            level.digest.clone(),
        ]);
    }
    if let Some(rest) = &levels.unsolvable {
        table.add_row([
            "unsolvable".into(),
            grouped(rest.states),
            grouped(rest.orbits),
            rest.digest.clone(),
        ]);
    }
    for column in 0..3 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    writeln!(crate::results::out(), "{table}")?;
    Ok(())
}

/// Prints what ran and at what cost.
///
/// # Errors
/// Stdout is closed.
pub fn print_run(run: &Run) -> Result<()> {
    let settings: String = run
        .settings
        .iter()
        .map(|(k, v)| format!(" {k}={v}"))
        .collect();
    let mut out = crate::results::out();
    writeln!(
        out,
        "{}/{}{settings}: {} × {} {}, {} of {} parts, {:.1} s on {} threads, {:.1} CPU s, {:.1} M states a core-second, peak {:.0} MiB",
        run.puzzle,
        run.instance,
        run.variant,
        run.engine,
        run.direction,
        grouped(run.parts_done),
        grouped(run.parts_total),
        run.wall_s,
        run.threads,
        run.cpu_s,
        run.states_per_core_second / 1e6,
        run.peak_memory_bytes as f64 / f64::from(1 << 20),
    )?;
    Ok(())
}

/// A check and what it says, on one line. One that looked at nothing is never `ok`.
#[must_use]
pub fn check_line(evidence: &Evidence) -> String {
    let Evidence { what, text, .. } = evidence;
    if !evidence.done() {
        return format!("-      {what}: {text}");
    }
    let sign = if evidence.wrong == 0 {
        "ok    "
    } else {
        "FAILED"
    };
    let sentence = evidence_sentence(evidence);
    format!("{sign} {what}: {text} {sentence}")
}

/// Prints the checks and their faults.
///
/// # Errors
/// Stdout is closed.
pub fn print_checks(analysis: &Analysis) -> Result<()> {
    let mut out = crate::results::out();
    for evidence in &analysis.evidence {
        writeln!(out, "{}", check_line(evidence))?;
    }
    for fault in &analysis.faults {
        writeln!(out, "       {fault}")?;
    }
    Ok(())
}
