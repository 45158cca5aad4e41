//! `antipode bench`: measures the rows of suites, each sample in a process of its own.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use antipode_reports::bench::{AGAINST, Comparison, Measure, Sample, Status, TWIN};
use antipode_reports::report::tables;

use super::{AS_EXPECTED, NOT_REACHED, VERIFICATION_FAILED, output};
use crate::options::{Format, Plugins, whole};
use crate::output::told;
use antipode_bench::import::{self, ImportedFigures, instructions};

use antipode_bench::judge::compare::{Sides, compare};
use antipode_bench::judge::noise;
use antipode_bench::run::{Prepared, Results, run as run_suite};
use antipode_bench::suite::{SuiteRow, keys};
use antipode_search::progress::{self, Stop, note};

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = keys::help())]
pub struct Args {
    /// Suites, as TOML.
    #[arg(value_name = "SUITE.toml")]
    suites: Vec<PathBuf>,
    /// Commands to compare, without a suite: `bench -- 'sort a.txt' 'sort -n a.txt'`. They run
    /// in turn, as whole processes and without a shell, and have to print the same.
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = NOT_OF_COMMANDS)]
    commands: Vec<String>,
    /// With commands: a text that each prints, in place of the same as the others.
    #[arg(long, value_name = "TEXT", requires = "commands", conflicts_with_all = NOT_OF_COMMANDS)]
    expect: Option<String>,
    /// Results folder; with several suites, a folder in it for each. The same command continues
    /// with what was stopped there [default: antipode-bench, and none for commands].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Another build, measured in the same rounds (rows NAME@against): a second executable, or
    /// NAME=PATH in place of the library or program of that file name. May be given several
    /// times.
    #[arg(long, value_name = "[NAME=]PATH")]
    against: Vec<String>,
    /// Only rows of these names, in which * stands for any characters and ? for one. May be
    /// given several times.
    #[arg(long, value_name = "GLOB")]
    rows: Vec<String>,
    /// Samples of each row [default: the suite's].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=10_000))]
    samples: Option<u32>,
    /// Seed of the order [default: the suite's].
    #[arg(long)]
    seed: Option<u64>,
    /// Adds the figures that criterion benches left in this folder (target/criterion), in place
    /// of earlier ones of the same names.
    #[arg(long, value_name = "DIR")]
    criterion: Option<PathBuf>,
    /// Adds figures that another program measured, in place of earlier ones of the same names: the
    /// JSON of hyperfine or Google Benchmark, or a CSV with the columns row, metric, value and
    /// unit, and what else of group, puzzle, instance, variant, version and detail is known. May
    /// be given several times.
    #[arg(long, value_name = "FILE")]
    figures: Vec<PathBuf>,
    /// Adds the instructions that each row takes, in user space, counted once: by `perf`, else
    /// by `valgrind --tool=callgrind`, which gets 60 times the row's time and 1 GiB more memory.
    /// The two are not comparable.
    #[arg(long)]
    instructions: bool,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What goes without commands. Clap does not miss an option that is required and conflicts.
const NOT_OF_COMMANDS: [&str; 5] = ["suites", "against", "rows", "criterion", "figures"];

/// The page over the samples.
const PAGE: &str = "bench.html";

/// Runs the command.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    // Before anything is measured: a file that cannot be read costs no run.
    let figures = figures(args)?;
    let mut read = Vec::new();
    for file in &args.suites {
        let mut ready = prepared(file)?;
        ready.select(&args.rows, "")?;
        read.push(ready);
    }
    let scratch;
    let mut out = args.out.clone().unwrap_or_else(|| "antipode-bench".into());
    if !args.commands.is_empty() {
        read.push(Prepared::commands(
            &args.commands,
            args.expect.as_deref(),
            tell,
        )?);
        if args.out.is_none() {
            scratch = tempfile::tempdir().context("cannot make a folder for samples")?;
            scratch.path().clone_into(&mut out);
        }
    } else if args.suites.is_empty() && figures.is_empty() {
        bail!(
            "no suite; name a SUITE.toml, commands behind --, a folder of criterion by --criterion, or --figures"
        );
    }
    let mut code = AS_EXPECTED;
    let is_alone = read.len() == 1;
    for ready in &mut read {
        let folder = match is_alone {
            true => out.clone(),
            false => out.join(ready.suite.name.get_ref()),
        };
        ready.aim(&folder, &args.against)?;
        ready.samples = args.samples.unwrap_or(ready.samples);
        ready.seed = args.seed.unwrap_or(ready.seed);
        let mut results = run_suite(ready, stop)?;
        if args.instructions
            && results.run.complete
            && !instructions::add(ready, &mut results, stop)?
        {
            note(format_args!(
                "stopped while instructions were counted; rerun the same command to continue"
            ));
            code = worse(code, NOT_REACHED);
        }
        tell_if_old(&results, &folder);
        code = worse(code, exit_code(&results));
        let title = format!("Benchmark {}", ready.suite.name.get_ref());
        output::page_beside(&folder, PAGE, &title)?;
        let found = compared(ready, &results, !args.commands.is_empty());
        match args.format {
            Format::Text => print(&results, &folder, &found, args)?,
            Format::Json => {
                let value = serde_json::json!({
                    "run": results.run,
                    "samples": results.samples,
                    "comparisons": found,
                });
                output::print_json("bench", &value)?;
            }
        }
    }
    Ok(worse(code, bring_figures(&figures, &out)?))
}

/// The first command and each of the others, and each row on another build and on this one, by
/// both measures.
fn compared(ready: &Prepared, results: &Results, commands: bool) -> Vec<Comparison> {
    let (samples, seed) = (&results.samples, results.run.seed);
    let sides = |a: &str, b: &SuiteRow| Sides::rows(samples, a, b.name.as_str());
    let others = ready.rows.iter().skip(1);
    let sides: Vec<Sides<'_>> = match ready.rows.first().filter(|_| commands) {
        Some(first) => others.map(|row| sides(&first.name, row)).collect(),
        None => {
            let both = ready
                .rows
                .iter()
                .map(|row| (format!("{}{AGAINST}", row.name), row));
            let is_there = |name: &str| samples.iter().any(|sample| sample.row == name);
            let both = both.filter(|(other, _)| is_there(other));
            both.map(|(other, row)| sides(&other, row)).collect()
        }
    };
    let by = |measure| {
        let band = noise::band(samples, measure, seed);
        compare(&sides, &vec![band; sides.len()], measure, seed)
    };
    Measure::ALL.into_iter().flat_map(by).collect()
}

/// Reads the measurements of criterion and other programs, with the places that they are from.
fn figures(args: &Args) -> Result<Vec<(&Path, ImportedFigures)>> {
    let options = [
        ("--criterion", args.criterion.as_slice()),
        ("--figures", &args.figures),
    ];
    let options = options.into_iter();
    let files = options.flat_map(|(name, files)| files.iter().map(move |file| (name, file)));
    files
        .map(|(option, file)| Ok((&**file, import::read(file).context(option)?)))
        .collect()
}

/// Imports them into the folder, which other processes are kept out of. One that failed is not
/// reached.
fn bring_figures(figures: &[(&Path, ImportedFigures)], out: &Path) -> Result<u8> {
    if !figures.is_empty() {
        output::make_folder(out, "--out")?;
    }
    let mut code = AS_EXPECTED;
    for (file, read) in figures {
        let failed = || read.samples.iter().filter(|sample| !sample.counts());
        if failed().next().is_some() {
            code = NOT_REACHED;
        }
        for remark in &read.remarks {
            note(format_args!("note: {remark}"));
        }
        let names: BTreeSet<_> = failed().map(|one| (&one.row, &one.metric)).collect();
        for (row, metric) in names {
            let mut details = failed().filter(|one| (&one.row, &one.metric) == (row, metric));
            let why = details.find_map(|one| Some(&*one.detail).filter(|text| !text.is_empty()));
            progress::tell(format_args!(
                "{}: {row}, {metric}: {}",
                file.display(),
                why.unwrap_or("no value")
            ));
        }
        let taken = import::bring(out, &read.samples)?;
        note(format_args!(
            "{}: {}: {taken}",
            out.display(),
            file.display()
        ));
    }
    Ok(code)
}

/// The worse exit code of two: a wrong answer before something not reached.
fn worse(one: u8, other: u8) -> u8 {
    match [one, other].contains(&VERIFICATION_FAILED) {
        true => VERIFICATION_FAILED,
        false => one.max(other),
    }
}

/// A suite with its rows, checked against the built-in puzzles and those of its libraries.
pub(super) fn prepared(file: &Path) -> Result<Prepared> {
    Prepared::read(file, tell, |files| Plugins::of(files.to_vec()).libraries())
}

/// Says so if nothing was measured, and the figures are those of an earlier run.
pub(super) fn tell_if_old(results: &Results, folder: &Path) {
    if results.taken == 0 && results.run.complete {
        note(format_args!(
            "nothing was measured now: {} holds all samples, begun {}",
            folder.display(),
            results.run.started
        ));
    }
}

/// A line per sample on stderr.
pub(super) fn tell(sample: &Sample) {
    let time = sample
        .cpu_s
        .map_or_else(String::new, |s| format!(" {s:.3} CPU s"));
    let detail = match sample.detail.as_str() {
        "" => String::new(),
        detail => format!(": {detail}"),
    };
    if std::io::stderr().is_terminal() || !sample.counts() {
        let (row, number, status) = (&sample.row, sample.sample, sample.status);
        note(format_args!("{row} #{number} {status}{time}{detail}"));
    }
}

fn exit_code(results: &Results) -> u8 {
    // A failed count is no failure of a row, but a wrong answer is one everywhere.
    let wrong = |sample: &Sample| sample.status == Status::Wrong;
    if results.samples.iter().any(wrong) || !noise::unsteady(&results.samples).is_empty() {
        return VERIFICATION_FAILED;
    }
    let rows = || results.samples.iter().filter(|sample| !sample.imported());
    let any = |status| rows().any(|sample| sample.status == status);
    let ended = [Status::Failed, Status::Timeout, Status::Memory];
    let nothing = rows().all(|sample| sample.status == Status::Refused);
    if nothing || !results.run.complete || ended.into_iter().any(any) {
        return NOT_REACHED;
    }
    AS_EXPECTED
}

/// The rows, the comparisons, and remarks on the figures.
fn print(results: &Results, folder: &Path, found: &[Comparison], args: &Args) -> Result<()> {
    let mut out = output::stdout();
    let rows = tables::rows(&output::found(&results.samples, Vec::new()));
    let mut table = output::of_page(
        &rows,
        "row|status|samples|processor time|time|peak memory|states|moves generated",
    );
    writeln!(out, "{}", output::fitted(&mut table))?;
    match args.out.is_none() && !args.commands.is_empty() {
        true => told!(out, "times are medians; --out DIR keeps all samples")?,
        false => told!(
            out,
            "times are medians; {} holds all samples",
            folder.display()
        )?,
    }
    if !found.is_empty() {
        let page = tables::comparison(&output::found(&[], found.to_vec()));
        let columns = "judged|against|pairs|measure|ratio|95% interval|verdict";
        let mut table = output::of_page(&page, columns);
        writeln!(out, "{}", output::fitted(&mut table))?;
    }
    let seed = results.run.seed;
    for measure in Measure::ALL {
        for (row, twin) in noise::twins(&results.samples, measure, seed) {
            told!(
                out,
                "noise, {}: {row} against itself ({row}{TWIN}), {} pairs: ratio {:.4} ({:.4} to {:.4})",
                measure.name(),
                twin.pairs,
                twin.ratio,
                twin.low,
                twin.high
            )?;
        }
    }
    for noise in &results.run.noise {
        let percent = (noise.band - 1.0) * 100.0;
        told!(
            out,
            "noise band of {}: {percent:.2} % either way",
            noise.measure
        )?;
    }
    for line in noise::unsteady(&results.samples) {
        told!(out, "wrong: {line}")?;
    }
    for warning in &results.run.all_warnings() {
        told!(out, "warning: {warning}")?;
    }
    if !results.run.complete {
        told!(out, "stopped; rerun the same command to continue")?;
    }
    Ok(())
}
