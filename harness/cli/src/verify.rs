//! `antipode verify`: an analysis together with every check that fits it.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use puzzle_api::Direction;
use serde_json::json;

use antipode_reports::model::{Check, Evidence};

use super::crew::{self, Crew, is_first};
use super::options::{Format, How, LevelOptions, Target, effort, request};
use super::output::told;
use super::{AS_EXPECTED, NOT_REACHED, VERIFICATION_FAILED, output};
use antipode_check::analysis::{
    Analysis, Checks, Request, analyse, lists_solved, numbered_states, one_in, planned,
};
use antipode_check::verify::Proof;
use antipode_claims::{Effort, consistency};
use antipode_search::engine::QuestionKind;
use antipode_search::progress::Stop;

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    options: LevelOptions,
    /// States drawn for the inclusiveness check, and walks of the playouts [default: 10000, in
    /// small instances as many as they have states, but 1000 at least].
    #[arg(long, value_name = "N")]
    inclusion: Option<u64>,
    /// Measures one visited state in N on the rules, for the exclusiveness check; if
    /// the puzzle numbers no states, at least one in this many [default: 10000, in small
    /// instances fewer, so that about 10000 states are measured].
    #[arg(long, value_name = "N")]
    exclusion: Option<u64>,
    /// `quick` checks the consistency of 24 parts drawn at random (of all, if there are
    /// few states), `full` of all. If a proof leaves something open, and at `full` without
    /// one, the exit code is 4.
    #[arg(long, value_parser = effort(), default_value = "quick")]
    effort: Effort,
    /// Folder for levels.csv, antipodes.csv, run.json, checks.json and a page.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: output::Force,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The checks as records.
const CHECKS: &str = "checks.json";

/// Most states drawn, and the approximate number that the exclusiveness check measures in a small
/// instance; and one state in n in a large one.
const SPOTS: u64 = 10_000;
/// Fewest states drawn unless the user asks for fewer: they are likely to hold all of a hundred.
const FEWEST: u64 = 1_000;

/// Runs the command.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let mut request = request_of(args)?;
    let threads = (&mut request.threads, args.how.threads.is_some());
    let mut crew = Crew::plan(
        args.how.engine,
        QuestionKind::Levels,
        &mut request.options,
        threads,
    )?;
    let out = args.out.as_ref().filter(|_| is_first(&request.options));
    if args.effort == Effort::Full {
        antipode_check::again::ask_all();
    }
    planned(&request)?;
    output::apart(args.options.work.as_deref(), out)?;
    if let Some(folder) = out {
        let names = [&output::ANALYSIS_FILES[..], &[CHECKS]].concat();
        let begin = output::Begin::anew("verify");
        args.force.make_way(Some(folder), &names, begin)?;
    }
    crew.iter_mut().try_for_each(Crew::start)?;
    let analysis = analyse(&request, stop)?;
    let checks: Vec<Check> = analysis.evidence.iter().map(Check::from).collect();
    if let Some(folder) = out {
        let mut results = output::analysis_results(folder, &analysis, "verify", &request.library)?;
        results.records(CHECKS, &checks)?;
        results.finish()?;
    }
    analysis.clear_kept()?;
    let engine = analysis.run.engine.parse().ok();
    crew::clear(crew, engine, &request.options, analysis.kept.is_some());
    match args.format {
        Format::Text => {
            output::print_run(&analysis.run)?;
            if let Some(because) = &analysis.run.stopped_because {
                told!(output::stdout(), "stopped: {because}")?;
            }
            output::print_checks(&analysis)?;
        }
        Format::Json => {
            let value = json!({
                "run": analysis.run,
                "checks": checks,
                "faults": analysis.faults,
            });
            output::print_json("verify", &value)?;
        }
    }
    Ok(exit_code(&analysis, args.effort))
}

fn request_of(args: &Args) -> Result<Request> {
    let mut request = request(&args.target, &args.how)?;
    request.options = args.options.options();
    request.from.clone_from(&args.options.from);
    request.max_depth = args.options.max_depth;
    request.direction = args.options.direction;
    if request.direction.is_none()
        && request.from.is_none()
        && lists_solved(&request.library, &request.instance, &request.settings)?
    {
        request.direction = Some(Direction::Backward);
    }
    let states = numbered_states(&request.library, &request.instance, &request.settings)?;
    let exclusion_one_in = match args.exclusion {
        Some(given) => given,
        None => one_in(states, SPOTS, SPOTS),
    };
    let drawn = match states {
        0 => SPOTS,
        states => states.clamp(FEWEST, SPOTS),
    };
    request.checks = Checks {
        inclusion: args.inclusion.unwrap_or(drawn),
        exclusion_one_in,
        consistency: consistency(args.effort, args.how.seed, states),
    };
    Ok(request)
}

/// A proof that leaves something open counts as not reached, as does none at full effort.
fn exit_code(analysis: &Analysis, effort: Effort) -> u8 {
    let proven = match (&analysis.proof, effort) {
        (Proof::Complete, _) => true,
        (Proof::Open(_), _) => false,
        (Proof::None, effort) => effort == Effort::Quick,
    };
    if analysis.failed() {
        VERIFICATION_FAILED
    } else if proven && analysis.finished && analysis.evidence.iter().any(Evidence::done) {
        AS_EXPECTED
    } else {
        NOT_REACHED
    }
}
