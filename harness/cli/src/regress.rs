//! `antipode regress`: the gate for a CI.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use antipode_reports::bench::{Baseline, GATE_CSV, Measure, Outcome, Sample, Status};
use antipode_reports::count;
use antipode_reports::results::write_beside;

use super::bench::{prepared, tell, tell_if_old};
use super::names::nearest;
use serde_json::json;

use super::{AS_EXPECTED, NOT_REACHED, UNEXPECTED, VERIFICATION_FAILED, output, summary};
use crate::options::Format;
use crate::output::told;
use antipode_bench::judge::baseline::{self, Terms, changes, suite_from};
use antipode_bench::judge::gate::{Check, Judgement, judge, too_few};
use antipode_bench::run::{Options, Prepared, Results, run as run_suite};
use antipode_search::progress::{Stop, note};

/// Growth of a time that is let pass, unless the baseline says another.
const LIMIT: f64 = 1.10;
/// The page in --out.
const PAGE: &str = "regress.html";

/// Arguments of `regress`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The baseline.
    #[arg(long, value_name = "FILE")]
    baseline: PathBuf,
    /// A second executable, such as that of the main branch, measured in the same rounds:
    /// times are then held against its, and not against the baseline's ratios.
    #[arg(long, value_name = "PATH")]
    against: Option<PathBuf>,
    /// Folder for samples, regress.csv and a page; what was stopped there goes on [default: none is
    /// kept].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Samples of each row [default: the suite's].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    samples: Option<u32>,
    /// Seed of the order [default: the suite's].
    #[arg(long)]
    seed: Option<u64>,
    /// Measures and rewrites the baseline.
    #[arg(long, requires = "reason")]
    update: bool,
    /// Why the baseline is rewritten; kept in it.
    #[arg(long, value_name = "TEXT", requires = "update", value_parser = reason)]
    reason: Option<String>,
    /// With --update: the suite [default: that of the baseline].
    #[arg(long, value_name = "FILE", requires = "update")]
    suite: Option<PathBuf>,
    /// With --update: the row that times are ratios to [default: as before, else the first by name].
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

fn factor(text: &str) -> Result<f64, String> {
    let read: Option<f64> = text.parse().ok();
    read.filter(|factor| factor.is_finite() && (1.0..=1000.0).contains(factor))
        .ok_or_else(|| format!("'{text}' is no factor; write a number of 1 or more, such as 1.10"))
}

fn reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("it is empty; say in a few words why the baseline changes".to_owned()),
        text => Ok(text.to_owned()),
    }
}

/// What is done with the samples.
enum Aim {
    /// They are held against the baseline.
    Gate(Baseline),
    /// They become the baseline, of the suite at this path from its folder.
    Update {
        before: Option<Baseline>,
        suite: String,
    },
}

impl Aim {
    /// Everything that can be refused before anything is measured.
    fn of(args: &Args, before: Option<Baseline>, ready: &Prepared) -> Result<Self> {
        match before {
            Some(baseline) if !args.update => {
                if !ready.suite.has_digest(&baseline.suite_blake3) {
                    bail!(
                        "{}: the suite {} is no longer the one that it was written from; look at the change, then --update --reason TEXT",
                        args.baseline.display(),
                        ready.suite.file
                    );
                }
                baseline::check_rows(&baseline, &args.baseline, &ready.rows)?;
                Ok(Self::Gate(baseline))
            }
            before => {
                check_reference(args, before.as_ref(), ready)?;
                let suite = suite_from(&args.baseline, Path::new(&ready.suite.file))?;
                Ok(Self::Update { before, suite })
            }
        }
    }

    /// How many rows have a time to judge.
    fn timed(&self, args: &Args, ready: &Prepared) -> usize {
        match self {
            Self::Gate(baseline) if args.against.is_some() => baseline.row.len(),
            Self::Gate(baseline) => baseline.row.iter().filter_map(|row| row.ratio).count(),
            Self::Update { .. } => ready.able().count(),
        }
    }
}

/// Runs the verb.
///
/// # Errors
/// Bad input, in one line.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let before = earlier(args)?;
    let ready = prepared(&suite_file(args, before.as_ref())?)?;
    let aim = Aim::of(args, before, &ready)?;
    let scratch;
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => {
            scratch = tempfile::tempdir().context("cannot make a folder for samples")?;
            scratch.path().to_owned()
        }
    };
    let mut options = ready.options(folder, args.against.as_deref(), tell)?;
    options.samples = args.samples.unwrap_or(options.samples);
    options.seed = args.seed.unwrap_or(options.seed);
    if let Aim::Gate(baseline) = &aim {
        options.expect = baseline.answers();
    }
    if let Some(why) = too_few(options.samples as usize, aim.timed(args, &ready)) {
        bail!("{}: {why}", ready.suite.file);
    }
    let results = run_suite(&ready.suite, &ready.rows, &options, stop)?;
    if !results.run.complete {
        let hint = match args.out {
            Some(_) => "; the same command goes on",
            None => "",
        };
        note(format_args!("stopped{hint}"));
        return Ok(NOT_REACHED);
    }
    tell_if_old(&results, &options.folder);
    match aim {
        Aim::Gate(baseline) => gate(args, &baseline, &results, &options),
        Aim::Update { before, suite } => update(args, before, suite, &ready, &results),
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
    let hint = nearest(name, ready.able().map(|row| row.name.as_str()));
    let what = match args.reference {
        Some(_) => "--reference".to_owned(),
        None => format!("the reference row of {}", args.baseline.display()),
    };
    bail!(
        "{what} '{name}' is no row of {} that can run; {hint}name one by --reference ROW",
        ready.suite.file
    )
}

/// The baseline as it is; none where it is to be made anew.
fn earlier(args: &Args) -> Result<Option<Baseline>> {
    if !args.update {
        return baseline::read(&args.baseline).map(Some);
    }
    // A link that leads nowhere, or a folder that may not be looked into, is no free place.
    if matches!(args.baseline.try_exists(), Ok(false)) {
        return Ok(None);
    }
    match baseline::read(&args.baseline) {
        Ok(baseline) => Ok(Some(baseline)),
        // It can be renewed, but then the suite has to be named.
        Err(error) if baseline::is_of_another_schema(&args.baseline) => match args.suite {
            Some(_) => Ok(None),
            None => Err(error),
        },
        // What it holds, its reasons or something else altogether, would be lost.
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
    before: Option<Baseline>,
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
    let old = before.as_ref();
    let kept = old.map(|old| old.reference.clone());
    let terms = Terms {
        suite,
        measure: args
            .measure
            .or(old.map(|old| old.measure))
            .unwrap_or(Measure::Cpu),
        reference: args
            .reference
            .clone()
            .or(kept)
            .filter(|name| !name.is_empty()),
        limit: args.limit.or(old.map(|old| old.limit)).unwrap_or(LIMIT),
        counter_limit: args
            .counter_limit
            .or(old.map(|old| old.counter_limit))
            .unwrap_or(1.0),
        reason: args.reason.clone().unwrap_or_default(),
        before: before.clone(),
    };
    let baseline = baseline::made(&ready.suite, &results.samples, &results.run, terms)?;
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
    if let Some(before) = &before {
        let changed = changes(before, &baseline);
        for line in &changed {
            told!(out, "  {line}")?;
        }
        if changed.is_empty() {
            told!(out, "  no change except times within their old intervals")?;
        }
    }
    Ok(AS_EXPECTED)
}

fn gate(args: &Args, baseline: &Baseline, results: &Results, options: &Options) -> Result<u8> {
    let column = baseline.measure.column();
    let mut noise = results.run.noise.iter();
    let band = noise
        .find(|noise| noise.measure == column)
        .map(|noise| noise.band);
    let against = options.against.is_some();
    let found = judge(baseline, &results.samples, against, band, options.seed);
    if let Some(folder) = &args.out {
        write_beside(&folder.join(GATE_CSV), "regress", &found.times)?;
        output::page_beside(folder, PAGE, "Regression check")?;
        output::summary_beside(folder, "summary.md", &summary::gate(&found))?;
    }
    match args.format {
        Format::Text => print(&found, baseline, results, against)?,
        Format::Json => {
            let mut value = serde_json::to_value(&found)?;
            value["baseline"] = json!({
                "file": args.baseline,
                "processor": baseline.processor,
                "reference": baseline.reference,
            });
            value["processor"] = json!(results.run.host.cpu);
            value["warnings"] = json!(results.run.warnings);
            value["rows_judged"] = json!(found.times.len());
            writeln!(output::stdout(), "{value:#}")?;
        }
    }
    Ok(match () {
        () if found.fails(Check::Answers) => VERIFICATION_FAILED,
        () if found.fails(Check::Counters) || found.fails(Check::Time) => UNEXPECTED,
        () if found.fails(Check::Reached) => NOT_REACHED,
        () => AS_EXPECTED,
    })
}

fn print(found: &Judgement, baseline: &Baseline, results: &Results, against: bool) -> Result<()> {
    let mut out = output::stdout();
    let mut table = output::table(&[
        "row",
        "reference row",
        "pairs",
        "ratio to the baseline",
        "95% interval",
        "p",
        "time",
    ]);
    for time in &found.times {
        table.add_row([
            time.b.clone(),
            time.a.clone(),
            time.pairs.to_string(),
            output::figure(time.ratio),
            output::interval(time.low, time.high),
            output::figure(time.p_adjusted),
            match time.verdict {
                Outcome::WithinNoise => "ok".to_owned(),
                Outcome::Undecided => "not judged".to_owned(),
                verdict => verdict.label().to_owned(),
            },
        ]);
    }
    writeln!(out, "{}", output::fitted(&mut table))?;
    let open = [Outcome::Refused, Outcome::Undecided];
    let judged = found
        .times
        .iter()
        .filter(|one| !open.contains(&one.verdict));
    let judged = judged.count();
    for check in Check::ALL {
        let share = match check {
            Check::Time => format!(", {judged} of {} judged", count(found.times.len(), "rows")),
            _ => String::new(),
        };
        let verdict = match check {
            _ if found.fails(check) => "FAILED",
            Check::Time if judged == 0 => "nothing said",
            _ => "ok",
        };
        told!(out, "{}: {verdict}{share}", check.name())?;
        for one in found.findings.iter().filter(|one| one.check == check) {
            told!(out, "  {}: {}", one.row, one.text)?;
        }
    }
    let band = match found.band {
        None => "not known, since no row was measured against itself".to_owned(),
        Some(band) => {
            let percent = (band - 1.0) * 100.0;
            format!("{percent:.2} % either way, as rows against themselves showed")
        }
    };
    if found.times.iter().any(|one| one.a == baseline.reference) {
        told!(
            out,
            "times are ratios to {0}, whose own time is not judged: a change that slows {0} makes all others look faster",
            baseline.reference
        )?;
    }
    told!(out, "limit of times: {}; noise: {band}", found.limit)?;
    let processor = &results.run.host.cpu;
    if !against && *processor != baseline.processor {
        told!(
            out,
            "note: the baseline's ratios are of another processor ({}); they shift from one to the next, so give the limit room or use --against",
            baseline.processor
        )?;
    }
    for warning in &results.run.all_warnings() {
        told!(out, "warning: {warning}")?;
    }
    Ok(())
}
