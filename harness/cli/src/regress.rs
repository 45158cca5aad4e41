//! `antipode regress`: the gate for a CI.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use antipode_reports::atomic::folder_of;
use antipode_reports::bench::{
    Baseline, BaselineRow, Comparison, ComparisonOutcome, GATE_CSV, Measure, RUN_JSON, Sample,
    Status,
};
use antipode_reports::count;
use antipode_reports::report::tables::{self, Cell, Column};
use antipode_reports::results::{Results as Files, clear_way};
use antipode_reports::text::did_you_mean;

use super::bench::{prepared, tell_if_old};
use serde_json::json;

use super::{AS_EXPECTED, NOT_REACHED, UNEXPECTED, VERIFICATION_FAILED, output, summary};
use crate::options::{Format, whole};
use crate::output::told;
use antipode_bench::import::instructions;
use antipode_bench::judge::baseline::{self, changes, suite_from};
use antipode_bench::judge::gate::{Check, Judgement, judge, too_few};
use antipode_bench::run::{Prepared, Results, run as run_suite};
use antipode_bench::suite::{Metric, SuiteRow};
use antipode_search::progress::{Stop, note};
use antipode_search::work::{AT_ONCE, hold_file};

/// The page in --out.
const PAGE: &str = "regress.html";
/// The command, as manifests name it.
const VERB: &str = "regress";

/// Arguments of `regress`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The baseline.
    #[arg(long, value_name = "FILE")]
    baseline: PathBuf,
    /// Another build, measured in the same rounds, such as that of the main branch: a second
    /// executable, or NAME=PATH in place of the library or program of that file name. Times of
    /// the rows that it runs are compared with its, and not with the baseline's ratios. May be
    /// given several times.
    #[arg(long, value_name = "[NAME=]PATH")]
    against: Vec<String>,
    /// Only rows of these names, in which * stands for any characters and ? for one, and the
    /// reference row. With --update the others stay as they are. May be given several times.
    #[arg(long, value_name = "GLOB")]
    rows: Vec<String>,
    /// Folder for samples, regress.csv and a page; a run stopped there is resumed [default: none is
    /// kept].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Samples of each row [default: the suite's].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=10_000))]
    samples: Option<u32>,
    /// Seed of the order [default: the suite's].
    #[arg(long)]
    seed: Option<u64>,
    /// Measures and rewrites the baseline.
    #[arg(long, requires = "reason")]
    update: bool,
    /// With --update: writes the baseline although a row has become slower.
    #[arg(long, requires = "update")]
    accept_slower: bool,
    /// With --update: counts the instructions of each row too, as `bench --instructions` does;
    /// the gate then compares them.
    #[arg(long, requires = "update")]
    instructions: bool,
    /// Why the baseline is rewritten; kept in it.
    #[arg(long, value_name = "TEXT", requires = "update", value_parser = reason)]
    reason: Option<String>,
    /// With --update: the suite [default: that of the baseline].
    #[arg(long, value_name = "FILE", requires = "update")]
    suite: Option<PathBuf>,
    /// With --update: the row that times are ratios to [default: as before, else the first by
    /// name].
    #[arg(long, value_name = "ROW", requires = "update")]
    reference: Option<String>,
    /// With --update: growth of a time that fails [default: as before, else 1.10].
    #[arg(long, value_name = "FACTOR", requires = "update", value_parser = factor)]
    limit: Option<f64>,
    /// With --update: growth of a counter that fails [default: as before, else 1: any].
    #[arg(long, value_name = "FACTOR", requires = "update", value_parser = factor)]
    counter_limit: Option<f64>,
    /// With --update: what is compared, cpu or wall [default: as before, else cpu]. CPU time
    /// is hardly touched by what else a shared runner does; for rows on several threads take
    /// wall.
    #[arg(long, requires = "update")]
    measure: Option<Measure>,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// A factor of growth, or the ratio of a band.
pub(super) fn factor(text: &str) -> Result<f64, String> {
    let read: Option<f64> = text.parse().ok();
    read.filter(|factor| (1.0..=1000.0).contains(factor))
        .ok_or_else(|| format!("'{text}' is no factor; write a number of 1 or more, such as 1.10"))
}

fn reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("it is empty; say in a few words why the baseline changes".to_owned()),
        text => Ok(text.to_owned()),
    }
}

/// Runs the command.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let mut ready = prepared(&suite_file(args, earlier(args)?.as_ref())?)?;
    // Not before: where libraries are loaded, another process runs the command from its beginning.
    if args.update && folder_of(&args.baseline).is_dir() {
        hold_file(&args.baseline, "--baseline", AT_ONCE)?;
    }
    let mut before = earlier(args)?;
    if let Some(before) = &mut before {
        baseline::rename(before, &ready.rows);
    }
    let reference = args.reference.clone();
    let reference = reference.or(before.as_ref().map(|old| old.reference.clone()));
    // Everything that can be refused is refused before anything is measured.
    let suite = match &before {
        Some(baseline) if !args.update => {
            baseline::check_rows(baseline, &args.baseline, &ready.rows)?;
            String::new()
        }
        before => {
            check_reference(args, before.as_ref(), &ready)?;
            suite_from(&args.baseline, Path::new(&ready.suite.file))?
        }
    };
    let rows = ready.rows.clone();
    ready.select(&args.rows, &reference.unwrap_or_default())?;
    // The baseline that samples are compared with, as far as its rows are measured now.
    let held = before.clone().map(|mut held| {
        let is_measured = |name: &str| ready.rows.iter().any(|row| row.name == name);
        held.row.retain(|row| is_measured(&row.name));
        held
    });
    if args.update {
        check_kept(args, before.as_ref(), (&rows, &ready))?;
    }
    let scratch;
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => {
            scratch = tempfile::tempdir().context("cannot make a folder for samples")?;
            scratch.path().to_owned()
        }
    };
    clear_way(&folder, &[GATE_CSV], VERB, None)?;
    ready.aim(&folder, &args.against)?;
    ready.samples = args.samples.unwrap_or(ready.samples);
    ready.seed = args.seed.unwrap_or(ready.seed);
    let gated = before.as_ref().filter(|_| !args.update);
    if let Some(held) = held.as_ref().filter(|_| !args.update) {
        ready.expect = held.answers();
    }
    let timed = match gated {
        Some(baseline) if !args.against.is_empty() => baseline.row.len(),
        Some(baseline) => baseline.row.iter().filter_map(|row| row.ratio).count(),
        None => ready.able().count(),
    };
    if let Some(why) = too_few(ready.samples as usize, timed) {
        bail!("{}: {why}", ready.suite.file);
    }
    let mut results = run_suite(&ready, stop)?;
    let has_count =
        |row: &BaselineRow| row.instructions_perf.is_some() || row.instructions_callgrind.is_some();
    let has_counts = |held: &Baseline| held.row.iter().any(has_count);
    let is_whole = results.run.complete
        && (!(args.instructions || held.as_ref().is_some_and(has_counts))
            || instructions::add(&ready, &mut results, stop)?);
    if !is_whole {
        if matches!(args.format, Format::Json) {
            let value = json!({ "complete": false, "run": results.run });
            output::print_json("regress", &value)?;
        }
        let hint = match args.out {
            Some(_) => "; rerun the same command to continue",
            None => "",
        };
        note(format_args!("stopped{hint}"));
        return Ok(NOT_REACHED);
    }
    tell_if_old(&results, &ready.folder);
    let found = held.as_ref().map(|held| {
        let column = held.measure.column();
        let mut noise = results.run.noise.iter();
        let band = noise.find(|noise| noise.measure == column);
        let band = band.map(|noise| noise.band);
        judge(held, &ready.rows, &results.samples, band, ready.seed)
    });
    match (held, found) {
        (Some(held), Some(found)) if !args.update => gate(args, &held, results, &found),
        (_, found) => {
            ready.rows = rows;
            update(args, (before, found), suite, &ready, &results)
        }
    }
}

/// Rows that are not measured now keep ratios to their former row: no other may replace it.
fn check_kept(
    args: &Args,
    before: Option<&Baseline>,
    (rows, ready): (&[SuiteRow], &Prepared),
) -> Result<()> {
    let Some(before) = before else { return Ok(()) };
    let is_measured = |name: &str| ready.able().any(|row| row.name == name);
    let is_kept = |row: &&BaselineRow| {
        rows.iter().any(|known| known.name == row.name) && !is_measured(&row.name)
    };
    let kept = before.row.iter().find(is_kept);
    let is_other = args
        .reference
        .as_ref()
        .is_some_and(|name| *name != before.reference)
        || args
            .measure
            .is_some_and(|measure| measure != before.measure);
    match kept {
        Some(row) if is_other => bail!(
            "{}: row '{}' is not measured now, and its time is a ratio to '{}'; leave out --reference and --measure, or measure all rows",
            args.baseline.display(),
            row.name,
            before.reference
        ),
        _ => Ok(()),
    }
}

/// The row that times will be ratios to must be there before anything is measured.
fn check_reference(args: &Args, before: Option<&Baseline>, ready: &Prepared) -> Result<()> {
    let kept = before.map(|old| &old.reference);
    let Some(name) = args.reference.as_ref().or(kept).filter(|n| !n.is_empty()) else {
        return Ok(());
    };
    let mut able = ready.able().map(|row| row.name.as_str());
    if able.any(|row| row == name) {
        return Ok(());
    }
    let hint = did_you_mean(name, ready.able().map(|row| row.name.as_str()));
    let what = match args.reference {
        Some(_) => "--reference".to_owned(),
        None => format!("the reference row of {}", args.baseline.display()),
    };
    bail!(
        "{what} '{name}' is no row of {} that can run; {hint}name one by --reference ROW",
        ready.suite.file
    )
}

/// The old baseline; `None` if it is to be made again.
fn earlier(args: &Args) -> Result<Option<Baseline>> {
    if !args.update {
        return baseline::read(&args.baseline).map(Some);
    }
    // A link that leads nowhere, or an unreadable folder, is no free place.
    if matches!(args.baseline.try_exists(), Ok(false)) {
        return Ok(None);
    }
    match baseline::read(&args.baseline) {
        Ok(baseline) => Ok(Some(baseline)),
        // It can be renewed, but then the suite must be named.
        Err(error) if baseline::is_of_another_schema(&args.baseline) => match args.suite {
            Some(_) => Ok(None),
            None => Err(error),
        },
        // Its content, reasons or something else altogether, would be lost.
        Err(error) => {
            bail!("{error:#}; --update keeps what it cannot read: correct it, or move it away")
        }
    }
}

fn suite_file(args: &Args, before: Option<&Baseline>) -> Result<PathBuf> {
    match (&args.suite, before) {
        (Some(file), _) => Ok(file.clone()),
        (None, Some(baseline)) => Ok(baseline::suite_file(baseline, &args.baseline)),
        (None, None) => bail!(
            "{}: there is no baseline yet; name its suite by --suite SUITE.toml",
            args.baseline.display()
        ),
    }
}

fn update(
    args: &Args,
    (before, found): (Option<Baseline>, Option<Judgement>),
    suite: String,
    ready: &Prepared,
    results: &Results,
) -> Result<u8> {
    let mut out = output::stdout();
    let wrong = results.samples.iter().find(|s| s.status == Status::Wrong);
    if let Some(wrong) = wrong {
        told!(
            out,
            "{}: {}; the baseline is left as it is",
            wrong.row,
            wrong.detail
        )?;
        return Ok(VERIFICATION_FAILED);
    }
    // A baseline without them would let everything pass that happens to them.
    let ended_ill =
        |s: &&Sample| !matches!(s.status, Status::Ok | Status::Refused | Status::Skipped);
    let mut ill = results.samples.iter().filter(ended_ill).peekable();
    if ill.peek().is_some() {
        for one in ill {
            told!(out, "{}: {}: {}", one.row, one.status, one.detail)?;
        }
        told!(
            out,
            "the baseline is left as it is; give these rows more time or memory, or take them out of the suite"
        )?;
        return Ok(NOT_REACHED);
    }
    let mut baseline = before.clone().unwrap_or_else(baseline::blank);
    baseline.suite = suite;
    baseline.measure = args.measure.unwrap_or(baseline.measure);
    baseline.limit = args.limit.unwrap_or(baseline.limit);
    baseline.counter_limit = args.counter_limit.unwrap_or(baseline.counter_limit);
    if let Some(name) = &args.reference {
        baseline.reference.clone_from(name);
    }
    let reason = args.reason.clone().unwrap_or_default();
    baseline::renew(
        &mut baseline,
        &ready.rows,
        &results.samples,
        &results.run,
        reason,
    )?;
    let changed = before.as_ref().map(|before| changes(before, &baseline));
    let slower = before
        .as_ref()
        .map_or_else(Vec::new, |before| slower(before, &baseline, found));
    if !slower.is_empty() && !args.accept_slower {
        for line in changed.iter().flatten().chain(&slower) {
            told!(out, "  {line}")?;
        }
        let hint = match args.out {
            Some(_) => "",
            None => "; with --out DIR nothing has to be measured again",
        };
        told!(
            out,
            "{}: left as it is; if that is as it should be, add --accept-slower{hint}",
            args.baseline.display()
        )?;
        return Ok(UNEXPECTED);
    }
    baseline::write(&baseline, &args.baseline)?;
    if let Some(folder) = &args.out {
        output::page_beside(folder, PAGE, "Baseline")?;
    }
    told!(
        out,
        "{}: {}, times against {}, limit {}",
        args.baseline.display(),
        count(baseline.row.len(), "rows"),
        baseline.reference,
        baseline.limit
    )?;
    for line in changed.iter().flatten().chain(&slower) {
        told!(out, "  {line}")?;
    }
    if changed.is_some_and(|changed| changed.is_empty()) {
        told!(out, "  no change except times within their old intervals")?;
    }
    for row in &baseline.row {
        let of_suite = ready.rows.iter().find(|known| known.name == row.name);
        let limit = of_suite.and_then(|known| known.limit.get(&Metric::Time));
        let limit = limit.copied().unwrap_or(baseline.limit);
        if let Some(why) = baseline::blind(row, limit) {
            told!(out, "  warning: {}: {why}", row.name)?;
        }
    }
    let is_kept = |row: &&SuiteRow| {
        row.refused.is_some() && baseline.row.iter().any(|kept| kept.name == row.name)
    };
    let mut code = AS_EXPECTED;
    for row in ready.rows.iter().filter(is_kept) {
        let why = row.refused.as_deref().unwrap_or_default();
        told!(
            out,
            "  {}: not measured, and kept as it was: {why}",
            row.name
        )?;
        code = NOT_REACHED;
    }
    Ok(code)
}

/// Rows that take longer than before, as judged by the gate, a sentence each.
fn slower(old: &Baseline, new: &Baseline, found: Option<Judgement>) -> Vec<String> {
    if (&old.reference, old.measure) != (&new.reference, new.measure) {
        return vec!["times are ratios to another row or of another measure than before, so nothing says which rows are slower".to_owned()];
    }
    let worse = [
        ComparisonOutcome::Slower,
        ComparisonOutcome::SlowerWithinLimit,
        ComparisonOutcome::Undecided,
    ];
    let times = found.into_iter().flat_map(|found| found.times);
    let slower = times.filter(|timed| worse.contains(&timed.one.verdict));
    slower
        .map(|timed| {
            let (row, ratio) = (timed.one.b, timed.one.ratio.unwrap_or(1.0));
            format!("{row}: {ratio:.3} times the old baseline: slower")
        })
        .collect()
}

fn gate(args: &Args, baseline: &Baseline, mut results: Results, found: &Judgement) -> Result<u8> {
    let notes = notes(found, baseline, &results);
    if let Some(folder) = &args.out {
        results.run.gate.clone_from(&notes);
        let times: Vec<Comparison> = found.times.iter().map(|timed| timed.one.clone()).collect();
        let mut files = Files::new(folder, VERB);
        files.rows(GATE_CSV, &times)?;
        files.record(RUN_JSON, &results.run)?;
        files.finish()?;
        output::page_beside(folder, PAGE, "Regression check")?;
        output::summary_beside(folder, "summary.md", &summary::gate(found))?;
    }
    match args.format {
        Format::Text => print(found, &notes, &results)?,
        Format::Json => {
            let mut value = serde_json::to_value(found)?;
            value["complete"] = json!(true);
            value["baseline"] = json!({
                "file": args.baseline,
                "processor": baseline.processor,
                "reference": baseline.reference,
            });
            value["processor"] = json!(results.run.host.cpu);
            let loads = results.samples.iter().filter_map(|sample| sample.load1);
            value["greatest_load"] = json!(loads.fold(0.0, f64::max));
            value["warnings"] = json!(results.run.all_warnings());
            value["notes"] = json!(notes);
            output::print_json("regress", &value)?;
        }
    }
    let shut = [
        Check::Counters,
        Check::Memory,
        Check::Instructions,
        Check::Time,
    ];
    Ok(match () {
        () if found.fails(Check::Answers) => VERIFICATION_FAILED,
        () if shut.into_iter().any(|check| found.fails(check)) => UNEXPECTED,
        () if found.fails(Check::Reached) => NOT_REACHED,
        () => AS_EXPECTED,
    })
}

/// Remarks on the whole, one sentence each.
fn notes(found: &Judgement, baseline: &Baseline, results: &Results) -> Vec<String> {
    let rows = count(found.times.len(), "rows");
    let band = match found.band {
        None => "not known, since no row was measured against itself".to_owned(),
        Some(band) => {
            let percent = (band - 1.0) * 100.0;
            format!("{percent:.2} % either way, as rows against themselves showed")
        }
    };
    let mut notes = vec![
        format!("times of {} of {rows} judged", found.rows_judged),
        format!("limit of times: {}; noise: {band}", found.limit),
    ];
    if found
        .times
        .iter()
        .any(|timed| timed.one.a == baseline.reference)
    {
        notes.push(format!(
            "times are ratios to {0}, whose own time is not judged: a change that slows {0} makes all others look faster",
            baseline.reference
        ));
        if results.run.host.cpu != baseline.processor {
            notes.push(format!(
                "note: the baseline's ratios are of another processor ({}); they shift from one to the next, so give the limit room or use --against",
                baseline.processor
            ));
        }
    }
    notes
}

fn print(found: &Judgement, notes: &[String], results: &Results) -> Result<()> {
    let mut out = output::stdout();
    let times = found.times.iter().map(|timed| Comparison {
        detail: String::new(),
        ..timed.one.clone()
    });
    let mut page = tables::comparison(&output::found(&[], times.collect()));
    page.columns.push(Column {
        name: "limit",
        is_figure: true,
    });
    for (row, timed) in page.rows.iter_mut().zip(&found.times) {
        row.push(Cell::figure(Some(timed.bound), |bound| {
            format!("{bound:.3}")
        }));
    }
    let mut table = output::of_page(
        &page,
        "judged|against|pairs|ratio|95% interval|limit|p, corrected|verdict",
    );
    writeln!(out, "{}", output::fitted(&mut table))?;
    for (check, name) in Check::ALL {
        let verdict = match check {
            _ if found.fails(check) => "FAILED",
            Check::Time if found.rows_judged == 0 => "nothing said",
            _ => "ok",
        };
        told!(out, "{name}: {verdict}")?;
        for one in found.findings.iter().filter(|one| one.check == check) {
            told!(out, "  {}: {}", one.row, one.text)?;
        }
    }
    for note in notes {
        told!(out, "{note}")?;
    }
    for warning in &results.run.all_warnings() {
        told!(out, "warning: {warning}")?;
    }
    Ok(())
}
