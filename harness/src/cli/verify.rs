//! `antipode verify`: an analysis together with every check that fits it.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;

use super::options::{Dense, Format, How, Target, request};
use super::{AS_EXPECTED, NOT_REACHED, VERIFICATION_FAILED, output};
use crate::analysis::{Checks, analyse, check};
use crate::claim::Effort;
use crate::progress::Stop;

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    dense: Dense,
    /// States drawn for the inclusiveness check.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    inclusion: u64,
    /// One state in N is solved forward for the exclusiveness check.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    exclusion: u64,
    /// `quick` checks the consistency of 24 parts drawn at random, `full` of all.
    #[arg(long, value_enum, default_value_t = Effort::Quick)]
    effort: Effort,
    /// Folder for levels.csv, antipodes.csv, run.json and checks.json.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the verb.
///
/// # Errors
/// Bad input, in one line.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let mut request = request(&args.target, &args.how)?;
    request.dense = args.dense.options(&args.how)?;
    request.checks = Checks {
        inclusion: args.inclusion,
        exclusion_one_in: args.exclusion,
        consistency: args.effort.consistency(args.how.seed),
    };
    request.direction = Some(puzzle_api::Direction::Backward);
    check(&request)?;
    if let Some(folder) = &args.out {
        output::make_folder(folder)?;
    }
    let analysis = analyse(&request, stop)?;
    if let Some(folder) = &args.out {
        output::write_analysis(folder, &analysis)?;
        antipode_reports::json_out::write_json(folder.join("checks.json"), &analysis.evidence)?;
    }
    match args.format {
        Format::Text => {
            output::print_run(&analysis.run)?;
            output::print_checks(&analysis)?;
        }
        Format::Json => {
            let value = serde_json::json!({
                "run": analysis.run,
                "checks": analysis.evidence,
                "faults": analysis.faults,
            });
            writeln!(std::io::stdout(), "{value:#}")?;
        }
    }
    Ok(if analysis.failed() {
        VERIFICATION_FAILED
    } else if analysis.run.complete {
        AS_EXPECTED
    } else {
        NOT_REACHED
    })
}
