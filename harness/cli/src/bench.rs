//! `antipode bench`: measures the rows of suites, each sample in a process of its own.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use antipode_reports::bench::{Comparison, Measure, Sample, Status, TWIN};

use super::{AS_EXPECTED, NOT_REACHED, VERIFICATION_FAILED, output};
use crate::options::{Format, Plugins};
use crate::output::told;
use antipode_bench::import::{criterion, figures, instructions, table};

use antipode_bench::judge::compare::{Sides, compare};
use antipode_bench::judge::noise;
use antipode_bench::run::{Prepared, Results, run as run_suite};
use antipode_bench::suite::{Row, keys};
use antipode_search::progress::{Stop, note};

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = keys::help())]
pub struct Args {
    /// Suites, as TOML.
    #[arg(value_name = "SUITE.toml")]
    suites: Vec<PathBuf>,
    /// Commands to compare, without a suite: `bench -- 'sort a.txt' 'sort -n a.txt'`. They run
    /// in turn, as whole processes and without a shell, and have to print the same.
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["suites", "against", "rows", "criterion", "figures"])]
    commands: Vec<String>,
    /// With commands: a text that each prints, in place of the same as the others.
    #[arg(long, value_name = "TEXT", requires = "commands")]
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
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
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

/// The page over the samples.
const PAGE: &str = "bench.html";

/// Runs the command.
///
/// # Errors
/// Bad input, in one line.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let has_figures = args.criterion.is_some() || !args.figures.is_empty();
    let mut read = Vec::new();
    for file in &args.suites {
        let mut ready = prepared(file)?;
        ready.select(&args.rows, "")?;
        read.push(ready);
    }
    let scratch;
    let mut out = args.out.clone().unwrap_or_else(|| "antipode-bench".into());
    if !args.commands.is_empty() {
        read.push(Prepared::commands(&args.commands, args.expect.as_deref())?);
        if args.out.is_none() {
            scratch = tempfile::tempdir().context("cannot make a folder for samples")?;
            scratch.path().clone_into(&mut out);
        }
    } else if args.suites.is_empty() && !has_figures {
        bail!(
            "no suite; name a SUITE.toml, commands behind --, a folder of criterion by --criterion, or --figures"
        );
    }
    let mut code = AS_EXPECTED;
    for ready in &read {
        let folder = match read.len() {
            1 => out.clone(),
            _ => out.join(ready.suite.name.get_ref()),
        };
        let mut options = ready.options(folder, &args.against, tell)?;
        options.rows.clone_from(&args.rows);
        options.samples = args.samples.unwrap_or(options.samples);
        options.seed = args.seed.unwrap_or(options.seed);
        let mut results = run_suite(&ready.suite, &ready.rows, &options, stop)?;
        if args.instructions && results.run.complete {
            let whole = instructions::add(&ready.rows, &options, &mut results, stop)?;
            if !whole {
                note(format_args!(
                    "stopped while instructions were counted; rerun the same command to continue"
                ));
                code = code.max_of(NOT_REACHED);
            }
        }
        tell_if_old(&results, &options.folder);
        code = code.max_of(exit_code(&results));
        let title = format!("Benchmark {}", ready.suite.name.get_ref());
        output::page_beside(&options.folder, PAGE, &title)?;
        let found = match args.commands.len() {
            0 => Vec::new(),
            _ => compared(ready, &results),
        };
        match args.format {
            Format::Text => print(&results, &options.folder, &found, args)?,
            Format::Json => {
                let value = serde_json::json!({
                    "run": results.run,
                    "samples": results.samples,
                    "comparisons": found,
                });
                writeln!(output::stdout(), "{value:#}")?;
            }
        }
    }
    bring_figures(args, &out, &read)?;
    Ok(code)
}

/// The first command and each of the others, by both measures.
fn compared(ready: &Prepared, results: &Results) -> Vec<Comparison> {
    let (samples, seed) = (&results.samples, results.run.seed);
    let Some((first, others)) = ready.rows.split_first() else {
        return Vec::new();
    };
    let sides = |b: &Row| Sides {
        of_a: samples,
        a: first.name.clone(),
        of_b: samples,
        b: b.name.clone(),
        metric: String::new(),
        places: None,
    };
    let sides: Vec<Sides<'_>> = others.iter().map(sides).collect();
    let by = |measure| {
        let band = noise::band(samples, measure, seed);
        compare(&sides, &band, measure, seed)
    };
    Measure::ALL.into_iter().flat_map(by).collect()
}

/// Takes in what criterion and other programs measured.
fn bring_figures(args: &Args, out: &Path, read: &[Prepared]) -> Result<()> {
    if let Some(folder) = &args.criterion {
        let plugins = read
            .iter()
            .flat_map(|ready| ready.plugins().iter().cloned());
        let plugins: std::collections::BTreeSet<PathBuf> = plugins.collect();
        let puzzles = Plugins::of(plugins.into_iter().collect()).libraries()?;
        let read = criterion::read(folder, &puzzles)?;
        for remark in &read.remarks {
            note(format_args!("note: {remark}"));
        }
        let taken = table::bring(out, &read.samples)?;
        note(format_args!("{}: criterion's {taken}", out.display()));
    }
    for file in &args.figures {
        let taken = table::bring(out, &figures::read(file)?)?;
        note(format_args!(
            "{}: {}'s {taken}",
            out.display(),
            file.display()
        ));
    }
    Ok(())
}

/// A worse exit code of two: a wrong answer before something not reached.
trait Worse {
    fn max_of(self, other: Self) -> Self;
}

impl Worse for u8 {
    fn max_of(self, other: Self) -> Self {
        match (self, other) {
            (VERIFICATION_FAILED, _) | (_, VERIFICATION_FAILED) => VERIFICATION_FAILED,
            (a, b) => a.max(b),
        }
    }
}

/// A suite with its rows, checked against the built-in puzzles and those of its libraries.
pub(super) fn prepared(file: &Path) -> Result<Prepared> {
    Prepared::read(file, |files| Plugins::of(files.to_vec()).libraries())
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

/// A line a sample on stderr.
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
    // What cannot be counted here is no failure of a row, but a wrong answer is one anywhere.
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

/// A row of the printed table: the result of its samples.
fn print(results: &Results, folder: &Path, found: &[Comparison], args: &Args) -> Result<()> {
    let mut table = output::table(&[
        "row", "status", "samples", "CPU s", "wall s", "peak MiB", "states", "moves",
    ]);
    let mut rows: Vec<&str> = Vec::new();
    for sample in results.samples.iter().filter(|sample| !sample.imported()) {
        if !rows.contains(&sample.row.as_str()) {
            rows.push(&sample.row);
        }
    }
    rows.sort_unstable();
    for row in rows {
        let mine = || {
            results
                .samples
                .iter()
                .filter(|s| s.row == row && !s.imported())
        };
        let ill = mine().find(|sample| !sample.counts());
        let good: Vec<&Sample> = mine().filter(|sample| sample.counts()).collect();
        let seconds = |of: fn(&Sample) -> Option<f64>| {
            let times = good.iter().filter_map(|s| of(s));
            median(times.collect()).map_or_else(String::new, |s| format!("{s:.4}"))
        };
        let count = |of: fn(&Sample) -> Option<u64>| {
            let first = good.first().and_then(|s| of(s));
            first.map_or_else(String::new, output::grouped)
        };
        let peak = good.iter().filter_map(|s| s.peak_bytes).max();
        table.add_row([
            row.to_owned(),
            ill.map_or("ok", |sample| sample.status.id()).to_owned(),
            good.len().to_string(),
            seconds(|s| s.cpu_s),
            seconds(|s| s.wall_s),
            peak.map_or_else(String::new, |p| {
                format!("{:.1}", p as f64 / f64::from(1 << 20))
            }),
            count(|s| s.states),
            count(|s| s.generated),
        ]);
    }
    for column in 2..8 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(comfy_table::CellAlignment::Right);
        }
    }
    let mut out = output::stdout();
    writeln!(out, "{}", output::fitted(&mut table))?;
    match args.out.is_none() && !args.commands.is_empty() {
        true => told!(out, "times are medians; --out DIR keeps all samples")?,
        false => told!(
            out,
            "times are medians; {} holds all samples",
            folder.display()
        )?,
    }
    for one in found {
        let ratio = one.ratio.map(|ratio| {
            let interval = output::interval(one.low, one.high);
            format!(
                "{ratio:.3} times {} of '{}' ({interval})",
                one.measure, one.a
            )
        });
        let detail = match one.detail.as_str() {
            "" => String::new(),
            detail => format!("; {detail}"),
        };
        let ratio = ratio.unwrap_or_else(|| format!("{} against '{}'", one.measure, one.a));
        told!(out, "'{}': {ratio}: {}{detail}", one.b, one.verdict)?;
    }
    let seed = results.run.seed;
    for measure in Measure::ALL {
        for twin in noise::twins(&results.samples, measure, seed) {
            told!(
                out,
                "noise, {}: {} against itself ({}{TWIN}), {} pairs: ratio {:.4} ({:.4} to {:.4})",
                measure.name(),
                twin.row,
                twin.row,
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

/// The middle value; of an even number, the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let (below, above) = (values.len().checked_sub(1)? / 2, values.len() / 2);
    Some(f64::midpoint(values[below], values[above]))
}
