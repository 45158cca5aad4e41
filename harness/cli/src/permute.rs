//! `antipode permute`: strategies for one bit permutation, counted, checked and timed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use antipode_bitlab::permute::{
    KINDS, Lang, Permutation, Strategy, StrategyRow, SurveyOptions, best_row, emit, survey,
};
use antipode_reports::html::permute_html;
use antipode_reports::model::{Permute, PermuteRow};
use antipode_reports::results::Results;
use antipode_reports::text::did_you_mean;
use antipode_search::machine;
use anyhow::{Result, anyhow, bail};
use clap::ValueEnum;
use serde_json::json;

use super::options::{Format, seconds};
use super::output::{Force, told};
use super::{AS_EXPECTED, VERIFICATION_FAILED, output};

/// Arguments of `permute`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The permutation: board:5x5x2:rotate90, list:3,2,1,0, cycles:8:(0 1 2)(3 4),
    /// reverse:64, rotate:64:8, shuffle:64, random:64:SEED, inverse:SPEC.
    spec: String,
    /// A strategy by name, `all`, or `best` (the fastest one that is right).
    #[arg(long, default_value = "all")]
    strategy: String,
    /// Prints the program as source instead of the table.
    #[arg(long, value_enum)]
    emit: Option<Language>,
    /// Leaves out the timing, which compiles every program with the system's C compiler.
    #[arg(long)]
    no_timing: bool,
    /// Seconds that the timing may take.
    #[arg(long, default_value = "30", value_parser = seconds,
          conflicts_with_all = ["no_timing", "emit"])]
    time_limit: Duration,
    /// Seed of the random words that programs are checked on.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "emit")]
    format: Format,
    /// Folder for permute.csv, permute.json and permute.html.
    #[arg(long, value_name = "DIR", conflicts_with = "emit")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

/// Files of [`write()`], apart from their manifest.
const NAMES: [&str; 3] = ["permute.csv", "permute.json", "permute.html"];

/// Languages that programs are printed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// A Rust function.
    Rust,
    /// A C function.
    C,
}

/// Runs the command.
///
/// # Errors
/// An invalid specification or strategy, in one line.
pub fn run(args: &Args) -> Result<u8> {
    let permutation = permutation(&args.spec)?;
    let strategies = strategies(&args.strategy)?;
    args.force
        .make_way(args.out.as_deref(), &NAMES, output::Begin::anew("permute"))?;
    let options = SurveyOptions {
        time: !args.no_timing && args.emit.is_none(),
        time_limit: args.time_limit,
        seed: args.seed,
        ..SurveyOptions::default()
    };
    let mut rows = survey(&permutation, &strategies, &options);
    if args.strategy == "best" {
        let Some(best) = best_row(&rows) else {
            bail!("no strategy gives {}", args.spec);
        };
        rows = vec![rows.swap_remove(best)];
    }
    if let Some(language) = args.emit {
        return print_source(&rows, language);
    }
    if let Some(folder) = &args.out {
        write(folder, args, &permutation, &rows)?;
    }
    match args.format {
        Format::Text => print_table(&permutation, &rows)?,
        Format::Json => {
            let rows: Vec<PermuteRow> = rows.iter().map(row_of).collect();
            let value = json!({ "spec": args.spec, "seed": args.seed, "strategies": rows });
            output::print_json("permute", &value)?;
        }
    }
    // `as-printed` is kept because it is wrong; any other strategy must be right.
    let wrong = |row: &StrategyRow| !row.equals_naive && row.strategy != Strategy::AsPrinted;
    Ok(if rows.iter().any(wrong) {
        VERIFICATION_FAILED
    } else {
        AS_EXPECTED
    })
}

/// The permutation of a specification; for an unknown kind, the error names the nearest one.
fn permutation(spec: &str) -> Result<Permutation> {
    spec.parse().map_err(|error| {
        let kind = spec.rsplit("inverse:").next().unwrap_or(spec);
        let kind = kind.split(':').next().unwrap_or(kind);
        let hint = match KINDS.contains(&kind) {
            true => String::new(),
            false => did_you_mean(kind, KINDS),
        };
        anyhow!("{hint}{error}")
    })
}

/// The files of a survey.
fn write(
    folder: &Path,
    args: &Args,
    permutation: &Permutation,
    rows: &[StrategyRow],
) -> Result<()> {
    let record = Permute {
        made: machine::provenance(),
        spec: args.spec.clone(),
        bits: permutation.len() as u64,
        distances: permutation.distances().len() as u64,
        seed: args.seed,
        rows: rows.iter().map(row_of).collect(),
    };
    let mut results = Results::new(folder, "permute");
    results.rows(NAMES[0], &record.rows)?;
    results.record(NAMES[1], &record)?;
    results.page(NAMES[2], permute_html(&record))?;
    Ok(results.finish()?)
}

fn row_of(row: &StrategyRow) -> PermuteRow {
    PermuteRow {
        strategy: row.strategy.name().into(),
        operations: row.operations as u64,
        masks: row.masks as u64,
        depth: row.depth as u64,
        table_bytes: row.table_bytes as u64,
        nanoseconds_chained: row.nanoseconds,
        nanoseconds_independent: row.throughput_nanoseconds,
        equals_naive: row.equals_naive,
        proven: row.proven,
        note: row.note.clone(),
    }
}

fn strategies(name: &str) -> Result<Vec<Strategy>> {
    if matches!(name, "all" | "best") {
        return Ok(Strategy::ALL.to_vec());
    }
    let known = || Strategy::ALL.into_iter().map(Strategy::name);
    match Strategy::ALL.into_iter().find(|s| s.name() == name) {
        Some(strategy) => Ok(vec![strategy]),
        None => bail!(
            "--strategy {name}: {}use all, best or one of {}",
            did_you_mean(name, known()),
            known().collect::<Vec<_>>().join(", ")
        ),
    }
}

fn print_source(rows: &[StrategyRow], language: Language) -> Result<u8> {
    let [row] = rows else {
        bail!("--emit prints one program: name one by --strategy, or say --strategy best");
    };
    let language = match language {
        Language::Rust => Lang::Rust,
        Language::C => Lang::C,
    };
    let mut out = output::stdout();
    if !row.equals_naive {
        writeln!(out, "/* {}: {} */", row.strategy.name(), row.note)?;
    }
    writeln!(out, "{}", emit(&row.program, language))?;
    Ok(match row.equals_naive {
        true => AS_EXPECTED,
        false => VERIFICATION_FAILED,
    })
}

fn print_table(permutation: &Permutation, rows: &[StrategyRow]) -> Result<()> {
    let mut table = output::table(&[
        "strategy",
        "operations",
        "masks",
        "depth",
        "ns chained",
        "ns indep.",
        "right",
    ]);
    let time = |ns: Option<f64>| ns.map_or_else(|| "–".into(), |ns| format!("{ns:.2}"));
    for row in rows {
        table.add_row([
            row.strategy.name().to_owned(),
            row.operations.to_string(),
            row.masks.to_string(),
            row.depth.to_string(),
            time(row.nanoseconds),
            time(row.throughput_nanoseconds),
            row_of(row).right().to_owned(),
        ]);
    }
    output::figures(&mut table, 1..6);
    let mut out = output::stdout();
    writeln!(out, "{}", output::fitted(&mut table))?;
    for row in rows.iter().filter(|row| !row.note.is_empty()) {
        told!(out, "{}: {}", row.strategy.name(), row.note)?;
    }
    let distances = permutation.distances();
    told!(
        out,
        "{} bits, {} distinct distances; best: {}",
        permutation.len(),
        distances.len(),
        best_row(rows).map_or("none", |best| rows[best].strategy.name()),
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{KINDS, permutation};

    #[test]
    fn a_kind_that_there_is_not_is_refused_with_the_nearest() {
        for spec in ["rotat", "rotat:64:8", "inverse:rotat:64:8"] {
            let error = permutation(spec).unwrap_err().to_string();
            assert!(error.starts_with("did you mean 'rotate'? "), "{error}");
            assert!(!error.contains('\n'));
        }
        let error = permutation("rotate:64").unwrap_err().to_string();
        assert!(!error.contains("did you mean"), "{error}");
        assert!(KINDS.iter().all(|kind| {
            let error = permutation(&format!("{kind}:")).unwrap_err().to_string();
            !error.contains("is no kind")
        }));
    }
}
