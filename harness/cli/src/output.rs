//! Files and tables that several commands write.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use comfy_table::{CellAlignment, LineStyle, Table, presets};
use serde::Serialize;

use antipode_reports::atomic::WriteError;
use antipode_reports::bench::{Comparison, Sample};
pub use antipode_reports::grouped;
use antipode_reports::html::{ReportHead, report_html, run_html, write_report};
use antipode_reports::json_out::printed_text;
use antipode_reports::model::{Evidence, LevelTable, MANIFEST, Run, unix_seconds};
use antipode_reports::report::{FoundBench, FoundFolders, gather, tables};
use antipode_reports::results::{
    PAGE, Results, SUMMARY_MARK, clear_way, may_replace, reopen, standing,
};
use antipode_reports::{atomic, count, counts_apart, evidence_sentence};

use crate::{fold, results};
use antipode_check::analysis::Analysis;
use antipode_graph::{Library, one_line};
use antipode_search::digest::hex;
use antipode_search::machine;
use antipode_search::progress::{EachLevel, folded};
use antipode_search::record::legend_of;
use antipode_search::work::{self, JOURNAL, hold, lock};

/// Member of a record's `extra` with the BLAKE3 of the executable that ran.
pub const PROGRAM: &str = "program";

/// `levels.csv`, `antipodes.csv`, `run.json`, `cost.csv` if levels have costs, and a page, for a
/// folder that exists. The library knows how its boards are drawn.
///
/// # Errors
/// A file that cannot be written; then no file is written.
pub fn analysis_results(
    folder: &Path,
    analysis: &Analysis,
    verb: &'static str,
    library: &Library,
) -> Result<Results> {
    let mut results = Results::new(folder, verb);
    results.levels(ANALYSIS_FILES[0], &analysis.levels)?;
    results.rows(ANALYSIS_FILES[1], &analysis.antipodes)?;
    results.record(ANALYSIS_FILES[2], &analysis.run)?;
    match analysis.costs.is_empty() {
        true => results.absent(ANALYSIS_FILES[3]),
        false => results.rows(ANALYSIS_FILES[3], &analysis.costs)?,
    }
    let page = run_html(
        &analysis.run,
        &analysis.levels,
        &analysis.antipodes,
        &analysis.evidence,
        &legend_of(&library.legend, &analysis.run.instance),
    );
    results.page(ANALYSIS_FILES[4], page)?;
    Ok(results)
}

/// Files of [`analysis_results`].
pub const ANALYSIS_FILES: [&str; 5] = [
    "levels.csv",
    "antipodes.csv",
    "run.json",
    "cost.csv",
    "levels.html",
];

/// Writes a page over the results in a folder, next to them and into their manifest if they have
/// one. Results that allow no page yet, such as those of a run that was stopped at once, get none.
pub fn page_beside(folder: &Path, name: &str, title: &str) -> Result<()> {
    let Ok(found) = gather(&[folder]) else {
        return Ok(());
    };
    may_replace(&folder.join(name), None)?;
    let head = ReportHead {
        title: title.to_owned(),
        generated_unix_s: unix_seconds(SystemTime::now()),
        tool_version: env!("CARGO_PKG_VERSION").into(),
        command: machine::command_line(),
        folder: folder.to_owned(),
        ..ReportHead::default()
    };
    if !folder.join(MANIFEST).is_file() {
        return Ok(write_report(folder.join(name), &head, &found, None)?);
    }
    let mut results = Results::new(folder, PAGE);
    let page = results.page(name, report_html(&head, &found));
    whole(folder, page.and_then(|()| results.finish()))
}

/// What is written after the rest of a result. If it cannot be, the folder loses its manifest: it is
/// no finished result.
fn whole(folder: &Path, written: Result<(), WriteError>) -> Result<()> {
    if written.is_err() {
        reopen(folder)?;
    }
    Ok(written?)
}

/// Writes a summary in Markdown into a folder of results, and into its manifest if it has one.
///
/// # Errors
/// It cannot be written, or a foreign file has its name.
pub fn summary_beside(folder: &Path, name: &'static str, text: &str) -> Result<()> {
    let path = folder.join(name);
    may_replace(&path, None)?;
    let text = format!("{SUMMARY_MARK}\n{text}");
    if !folder.join(MANIFEST).is_file() {
        return Ok(atomic::write_atomically(path, text)?);
    }
    // Entries of another command stay in the manifest, so this has its own name.
    let mut results = Results::new(folder, name);
    let summary = results.bytes(name, Ok(text.into_bytes()));
    whole(folder, summary.and_then(|()| results.finish()))
}

/// A path on one line.
pub fn shown(path: &Path) -> String {
    one_line(&path.display().to_string())
}

/// Prints a command's findings as JSON; its first member, `record`, names the command and the
/// version of the form.
pub fn print_json(command: &str, found: &impl Serialize) -> Result<()> {
    let text = printed_text(&format!("antipode-printed-{command}-1"), found)?;
    Ok(stdout().write_all(text.as_bytes())?)
}

/// Stdout without any output that a terminal would interpret: names and paths can hold anything. A
/// full or closed stdout is an error, not a panic.
pub const fn stdout() -> results::Results {
    results::Results { is_clean: true }
}

/// Whether files that are not ours may be overwritten, and unfinished work discarded.
#[derive(Debug, clap::Args)]
pub struct Force {
    /// Overwrite files at --out that Antipode did not write, and discard unfinished work there.
    #[arg(long)]
    force: bool,
}

impl Force {
    /// As [`may_replace`] takes it.
    pub const fn given(&self) -> Option<bool> {
        Some(self.force)
    }

    /// Checks that nothing blocks files that a command writes after long work, or their manifest.
    ///
    /// # Errors
    /// One line that names the obstacle and the remedy.
    pub fn probe(&self, folder: &Path, names: &[&str], run: Begin) -> Result<()> {
        clear_way(
            folder,
            &[names, &[MANIFEST]].concat(),
            run.verb,
            self.given(),
        )?;
        self.begin(folder, run)
    }

    /// Checks that the command resumes the work that is kept in a folder, if there is any.
    ///
    /// # Errors
    /// One line with the remedy: it would begin anew, and --force is not given.
    pub fn begin(&self, folder: &Path, run: Begin) -> Result<()> {
        let pieces = match run.resume {
            Some(true) => 0,
            _ => work::unfinished(folder),
        };
        match pieces {
            0 => return Ok(()),
            _ if self.force => return Ok(work::clear(folder, false)?),
            _ => {}
        }
        let (what, then) = match standing(folder).lists(JOURNAL) {
            true => ("a finished shard", "leave it as it is"),
            false => ("an unfinished run", "continue it"),
        };
        let resume = run.resume.map(|_| format!("--resume to {then}, "));
        bail!(
            "{}: holds {} of {what}; add {}--force to discard it, or give another --out",
            shown(folder),
            count(pieces, "pieces"),
            resume.unwrap_or_default()
        )
    }

    /// Makes a folder for files that are written after long work, if one is named.
    ///
    /// # Errors
    /// As for [`make_folder`] and [`Self::probe`].
    pub fn make_way(&self, folder: Option<&Path>, names: &[&str], run: Begin) -> Result<()> {
        folder.map_or(Ok(()), |folder| {
            make_folder(folder, "--out")?;
            self.probe(folder, names, run)
        })
    }
}

/// How a command begins in a folder of results.
#[derive(Debug, Clone, Copy)]
pub struct Begin {
    /// The command, as manifests name it.
    pub verb: &'static str,
    /// Whether it resumes what is kept there; `None` if it never can.
    pub resume: Option<bool>,
}

impl Begin {
    /// A command that never resumes.
    pub const fn anew(verb: &'static str) -> Self {
        Self { verb, resume: None }
    }

    /// A command that resumes if asked to.
    pub const fn asked(verb: &'static str, resume: bool) -> Self {
        Self {
            verb,
            resume: Some(resume),
        }
    }
}

/// Refuses a folder of results that is also that of the finished work.
///
/// # Errors
/// One line with the remedy.
pub fn apart(work: Option<&Path>, out: Option<&PathBuf>) -> Result<()> {
    match (work, out) {
        (Some(work), Some(out)) if work::canonical(work) == work::canonical(out) => {
            bail!("--work and --out name the same folder; give each one of its own")
        }
        _ => Ok(()),
    }
}

/// Makes nested folders within an output folder.
///
/// # Errors
/// One line that names the obstacle: a link, which results do not follow.
pub fn make_inner(out: &Path, inner: &Path) -> Result<()> {
    let mut folder = out.to_owned();
    let parts = inner.strip_prefix(out).unwrap_or(inner);
    for part in parts {
        folder.push(part);
        if folder.is_symlink() {
            bail!(
                "{}: a link exists there, and results are not written through links; remove it, or choose another --out",
                folder.display()
            );
        }
    }
    make(&folder)?;
    tidy(&folder)
}

/// Output folders that were not there before.
static MADE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the new output folders, if they are empty: refused input leaves nothing behind.
pub fn remove_empty_folders() {
    let made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    for folder in &*made {
        // Fails if it is not empty, and then it stays.
        let _ = std::fs::remove_dir(folder);
    }
}

/// Makes a writable output folder, which `option` named, and keeps other processes out of it until
/// this one ends. Removes the leftovers of a run that was killed while it wrote.
///
/// # Errors
/// One line that names the folder and the remedy.
pub fn make_folder(folder: &Path, option: &str) -> Result<()> {
    make(folder)?;
    hold(folder, option)?;
    tidy(folder)
}

fn make(folder: &Path) -> Result<()> {
    let is_new = !folder.exists();
    atomic::ensure_dir(folder)?;
    if is_new {
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        made.push(folder.to_owned());
    }
    Ok(())
}

fn tidy(folder: &Path) -> Result<()> {
    // If another run is at work, half-written files are its own.
    if let Ok(_lock) = lock(folder, "--out") {
        atomic::sweep(folder).with_context(|| format!("cannot tidy {}", folder.display()))?;
    }
    Ok(())
}

/// Refuses an `--out` that looks like the file that is written into it.
///
/// # Errors
/// One line that names the folder to give.
pub fn no_file(out: &Path, extension: &str) -> Result<()> {
    let is_file = out.extension().is_some_and(|found| found == extension);
    if !is_file || out.is_dir() {
        return Ok(());
    }
    let folder = match out.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    bail!(
        "--out {}: it names a folder, and the files in it have names of their own; give --out {}",
        shown(out),
        shown(folder)
    )
}

/// An empty table in the house style.
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    // One line under the header: rules between rows would double the height.
    table.load_style(presets::NOTHING.header_separator(LineStyle::none().fill('─').junction('─')));
    table.set_header(header);
    table
}

/// Aligns columns of figures.
pub fn figures(table: &mut Table, columns: Range<usize>) {
    for column in table
        .column_iter_mut()
        .take(columns.end)
        .skip(columns.start)
    {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// A table in the form of pages and READMEs, as text: only the columns of these names, separated by
/// `|`.
pub fn of_page(page: &tables::ReportTable, names: &str) -> Table {
    let names: Vec<&str> = names.split('|').collect();
    let place = |name: &&str| page.columns.iter().position(|column| column.name == *name);
    let places: Vec<usize> = names.iter().filter_map(place).collect();
    let mut text = table(&names);
    for row in &page.rows {
        text.add_row(places.iter().map(|&at| row[at].text.as_str()));
    }
    for (column, &at) in text.column_iter_mut().zip(&places) {
        if page.columns[at].is_figure {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    text
}

/// A benchmark in the form that pages use.
pub fn found(samples: &[Sample], comparisons: Vec<Comparison>) -> FoundFolders {
    let mut found = FoundFolders::default();
    found.benches.push(FoundBench {
        folder: String::new(),
        run: None,
        samples: samples.to_vec(),
        comparisons,
    });
    found
}

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Colour {
    /// On a terminal, unless $NO_COLOR is set.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

static COLOUR: OnceLock<Colour> = OnceLock::new();

/// Sets the user's choice of colours; to be called once.
pub fn use_colour(colour: Colour) {
    let _ = COLOUR.set(colour);
}

/// Whether to use colours, in a place that is a terminal or not.
pub fn colours(on_a_terminal: bool) -> bool {
    match COLOUR.get().copied().unwrap_or_default() {
        Colour::Auto => {
            on_a_terminal && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty())
        }
        Colour::Always => true,
        Colour::Never => false,
    }
}

/// Columns of a table of prose, if its width is not given.
const WRAP_AT: usize = 120;

/// The width of the output: that of the terminal, else `COLUMNS`.
fn width() -> Option<usize> {
    if crate::results::are_on_a_terminal()
        && let Some((width, _)) = terminal_size::terminal_size()
    {
        return Some(usize::from(width.0).max(1));
    }
    let said = std::env::var("COLUMNS").ok()?;
    said.parse().ok().filter(|&width| width > 0)
}

/// Columns that boards next to each other may take.
pub fn columns() -> usize {
    width().unwrap_or(80)
}

/// The width of the help, as clap decides it: the terminal, else `COLUMNS`, else as wide as
/// necessary.
pub fn help_width() -> usize {
    let terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(said).unwrap_or(usize::MAX)
}

/// The text of a table, folded between words if the place that it is shown in is narrower.
pub fn fitted(table: &mut Table) -> String {
    coloured(table);
    match width() {
        Some(width) => fold::folded(table, width),
        None => table.to_string(),
    }
}

/// Like [`fitted`], for a table of prose, which is always folded.
pub fn wrapped(table: &mut Table) -> String {
    coloured(table);
    fold::folded(table, width().unwrap_or(WRAP_AT))
}

/// A line of prose with n blanks before it, folded between words if it is too wide. Further lines
/// are indented by two more blanks.
pub fn prose(text: &str, blanks: usize) -> String {
    let (first, others) = (" ".repeat(blanks), " ".repeat(blanks + 2));
    let width = width().unwrap_or(usize::MAX);
    folded(text.trim(), (&first, &others), width)
}

/// Writes a line like [`prose`], with its leading blanks.
macro_rules! told {
    ($out:expr, $($line:tt)*) => {
        writeln!($out, "{}", $crate::output::indented(&format!($($line)*)))
    };
}
pub(crate) use told;

/// A line like [`prose`], with its leading blanks.
pub fn indented(text: &str) -> String {
    prose(text, text.len() - text.trim_start().len())
}

/// A line, cut to the width of its place.
pub fn cut(line: &str) -> String {
    let width = width().unwrap_or(usize::MAX);
    match line.chars().count() <= width {
        true => line.to_owned(),
        false => line.chars().take(width - 1).chain(['…']).collect(),
    }
}

/// A name and its description, the latter in its own column: `column` characters after n blanks.
pub fn entry(name: &str, column: usize, text: &str, blanks: usize) -> String {
    let first = match text.is_empty() {
        true => return format!("{}{name}", " ".repeat(blanks)),
        false => format!("{}{name:column$} ", " ".repeat(blanks)),
    };
    let width = width().unwrap_or(usize::MAX);
    // If little space is left after the name, the text continues below it.
    let others = match 2 * first.len() <= width {
        true => first.len(),
        false => blanks + 4,
    };
    folded(text.trim(), (&first, &" ".repeat(others)), width)
}

fn coloured(table: &mut Table) {
    match colours(crate::results::are_on_a_terminal()) {
        true => table.enforce_styling(),
        false => table.force_no_tty(),
    };
}

/// Prints a level of a run over one part, after the header of its table.
fn print_level(depth: &str, states: u128, orbits: u128, digest: &str) -> std::io::Result<()> {
    let mut out = crate::results::out();
    let row = |[depth, states, orbits, digest]: [&str; 4]| {
        format!(" {depth:>10}   {states:>14}   {orbits:>14}   {digest}")
    };
    if LEVELS_PRINTED.load(Relaxed) == 0 {
        let header = row(["depth", "states", "orbits", "digest"]);
        writeln!(out, "{header}\n{}", "─".repeat(LEVEL_WIDTH))?;
    }
    writeln!(
        out,
        "{}",
        row([depth, &grouped(states), &grouped(orbits), digest])
    )?;
    LEVELS_PRINTED.fetch_add(1, Relaxed);
    Ok(())
}

/// Levels that are printed before the run is over, from the first on.
static LEVELS_PRINTED: AtomicUsize = AtomicUsize::new(0);
/// Width in characters of a level in a table whose other rows are not known yet.
const LEVEL_WIDTH: usize = 80;

/// Prints each level as soon as it is complete, if its row fits.
pub fn each_level() -> Option<EachLevel> {
    let wide = width().is_none_or(|width| width >= LEVEL_WIDTH);
    wide.then_some(|depth, sum| {
        // Output that is not printed now is printed at the end, with the reason if that fails.
        let (depth, digest) = (depth.to_string(), hex(sum.digest));
        let _ = print_level(&depth, sum.states.into(), sum.orbits.into(), &digest);
    })
}

/// Prints the rest of the level table of a run; for several parts, a table as wide as its figures.
pub fn print_levels(levels: &LevelTable, parts: u64) -> Result<()> {
    let printed = LEVELS_PRINTED.load(Relaxed);
    let known = levels.levels.iter().skip(printed).map(|level| {
        let depth = level.depth.to_string();
        (depth, level.states, level.orbits, &level.digest)
    });
    let rest = levels.unsolvable.iter();
    let rest = rest.map(|rest| ("unsolvable".into(), rest.states, rest.orbits, &rest.digest));
    let mut rows = known.chain(rest);
    if printed > 0 || parts == 1 && each_level().is_some() {
        return Ok(rows.try_for_each(|(depth, states, orbits, digest)| {
            print_level(&depth, states, orbits, digest)
        })?);
    }
    let mut table = table(&["depth", "states", "orbits", "digest"]);
    for (depth, states, orbits, digest) in rows {
        table.add_row([depth, grouped(states), grouped(orbits), digest.clone()]);
    }
    figures(&mut table, 0..3);
    // Its cells are figures, and the terminal is to interpret its colours.
    writeln!(crate::results::out(), "{}", fitted(&mut table))?;
    Ok(())
}

/// Prints what ran and at what cost.
pub fn print_run(run: &Run) -> Result<()> {
    let settings: String = run
        .settings
        .iter()
        .map(|(k, v)| format!(" {k}={v}"))
        .collect();
    told!(
        stdout(),
        "{}/{}{settings}: {} × {} {}, {} of {}, {:.1} s on {}, {:.1} CPU s, {:.1} M states per core-second, peak {:.0} MiB",
        run.puzzle,
        run.instance,
        run.variant,
        run.engine,
        run.direction,
        grouped(run.parts_done),
        count(run.parts_total, "parts"),
        run.wall_s,
        count(run.threads, "threads"),
        run.cpu_s,
        run.states_per_core_second / 1e6,
        run.peak_memory_bytes as f64 / f64::from(1 << 20),
    )?;
    Ok(())
}

/// A check and its result, on one line. A check that examined nothing is never `ok`.
pub fn check_line(evidence: &Evidence) -> String {
    let what = &evidence.what;
    let text = counts_apart(&evidence.text);
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
pub fn print_checks(analysis: &Analysis) -> Result<()> {
    let mut out = stdout();
    for evidence in &analysis.evidence {
        told!(out, "{}", check_line(evidence))?;
    }
    for fault in &analysis.faults {
        writeln!(out, "{}", prose(&fault.to_string(), 7))?;
    }
    Ok(())
}
