//! `antipode analyse`: the level table of an instance.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use serde_json::Value;

use super::boards::elsewhere;
use super::crew::{self, Crew, is_first};
use super::finished::{all_parts, finished};
use super::options::{Format, How, LevelOptions, Target, compare_if_small, is_of_a_file, request};
use super::output::told;
use super::{AS_EXPECTED, NOT_REACHED, VERIFICATION_FAILED, output, supervise};
use antipode_check::analysis::{Analysis, Blocks, Shard, Which, analyse, planned};
use antipode_check::ask::PathRequest;
use antipode_graph::Library;
use antipode_reports::model::{Evidence, Run};
use antipode_search::engine::QuestionKind;
use antipode_search::machine;
use antipode_search::outcome::StopReason;
use antipode_search::progress::{Stop, note};
use antipode_search::registry::EngineId;
use antipode_search::work::{JOURNAL, begun};

/// Arguments of `analyse`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    how: How,
    #[command(flatten)]
    options: LevelOptions,
    /// Folder for levels.csv, antipodes.csv, run.json and a page.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Walk a share of the parts, such as 3 of 16, for `antipode merge`; every machine finds
    /// the same shares, of about as many states.
    #[arg(long, value_name = "I/N", requires = "out", conflicts_with = "work")]
    shard: Option<Shard>,
    /// Resume a stopped run with the same --out, with engine disk one with
    /// the same --work was.
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    force: output::Force,
    /// Ask libraries once: for samples of `bench`.
    #[arg(long, hide = true)]
    asked_once: bool,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    if args.asked_once {
        supervise::ask_once();
    }
    let mut request = request(&args.target, &args.how)?;
    let in_folder = args.how.works_in_folder();
    request.options = args.options.options();
    request.options.resume = args.resume && in_folder;
    let threads = (&mut request.threads, args.how.threads.is_some());
    let mut crew = Crew::plan(
        args.how.engine,
        QuestionKind::Levels,
        &mut request.options,
        threads,
    )?;
    let out = args.out.as_ref().filter(|_| is_first(&request.options));
    if args.resume && args.out.is_none() && !in_folder {
        bail!("--resume continues from the folder that --out names; add --out DIR");
    }
    request.direction = args.options.direction;
    let board = PathRequest {
        settings: request.settings.clone(),
        variant: request.variant.clone(),
        from: args.options.from.clone(),
        ..PathRequest::new(Arc::clone(&request.library), request.instance.clone())
    };
    let board = elsewhere(&board)?.unwrap_or(board);
    (request.instance, request.settings) = (board.instance, board.settings);
    request.from = board.from;
    request.max_depth = args.options.max_depth;
    if !args.asked_once {
        compare_if_small(&mut request)?;
    }
    request.journal = out.map(|folder| Blocks {
        folder: folder.clone(),
        resume: args.resume,
        which: args.shard.map_or(Which::All, Which::Shard),
    });
    if out.is_none() && args.format == Format::Text {
        request.antipodes = FEW;
    }
    if args.format == Format::Text {
        request.each_level = output::each_level();
    }
    planned(&request)?;
    output::apart(args.options.work.as_deref(), out)?;
    if let Some(folder) = out {
        args.force.make_way(
            Some(folder),
            &output::ANALYSIS_FILES,
            output::Begin::asked("analyse", args.resume),
        )?;
        let kept_in = request.options.work.as_ref().unwrap_or(folder);
        let is_begun = begun(kept_in);
        let over = |run: &Value| {
            let keeps = match run["stop"]["reason"].as_str() {
                Some("shard") => return is_begun,
                Some("depth") => in_folder,
                _ => request.options.keep_work,
            };
            all_parts(run) && (keeps || !is_begun)
        };
        if args.resume
            && let Some(run) = finished((folder, output::ANALYSIS_FILES[2]), kept_in, over)?
        {
            if let Some(work) = &request.options.work {
                crew::finish(crew.as_ref(), &request.options, work, stop)?;
            }
            if args.format == Format::Json {
                output::print_json("analyse", &serde_json::json!({ "run": run }))?;
            }
            return Ok(AS_EXPECTED);
        }
    }
    crew.iter_mut().try_for_each(Crew::start)?;
    let mut analysis = analyse(&request, stop)?;
    analysis.evidence.retain(Evidence::done);
    warn_of_program(&request.library, &analysis.run);
    let backward = analysis.run.direction == "backward";
    let beyond = match request.library.variants.len() {
        _ if backward => Some("predecessors and solved states were"),
        1 => None,
        _ => Some("fast variant was"),
    };
    let unchecked = !args.asked_once && analysis.evidence.is_empty();
    if let Some(what) = beyond.filter(|_| unchecked && is_of_a_file(&request.library)) {
        note(format_args!(
            "the plugin's {what} not verified, as the table is large; `antipode verify` checks it"
        ));
    }
    if args.format == Format::Json
        && let Some(line) = unverified(&analysis)
    {
        note(line);
    }
    if let Some(folder) = out {
        if args.shard.is_some() {
            let program = machine::program().unwrap_or_default();
            let extra = &mut analysis.run.extra;
            extra.insert(output::PROGRAM.to_owned(), program.into());
        }
        let mut results = output::analysis_results(folder, &analysis, "analyse", &request.library)?;
        if args.shard.is_some() && analysis.finished {
            results.keep(JOURNAL)?;
        }
        results.finish()?;
    }
    let in_blocks = analysis.run.parts_total > 1 && args.out.is_some();
    show(&analysis, args.format, in_folder || in_blocks)?;
    // Not before the results are in place.
    analysis.clear_kept()?;
    let engine = analysis.run.engine.parse().ok();
    crew::clear(crew, engine, &request.options, analysis.kept.is_some());
    Ok(if analysis.failed() {
        VERIFICATION_FAILED
    } else if analysis.finished {
        AS_EXPECTED
    } else {
        NOT_REACHED
    })
}

/// Says what a search back from the solved states of a rulebook program may miss.
pub fn warn_of_program(library: &Library, run: &Run) {
    if library.is_program() && run.direction == "backward" {
        note(
            "a program does not say which moves lead to a state: states that lead to these by a move that cannot be undone are missing; `antipode verify` says whether there can be any",
        );
    }
}

/// The warning about a table that a loaded library made by itself.
fn unverified(analysis: &Analysis) -> Option<&'static str> {
    let engine = analysis.run.engine.parse::<EngineId>();
    let own = engine.is_ok_and(|engine| engine.facts().puzzles_word)
        && analysis.run.plugin.file.is_some()
        && analysis.evidence.is_empty();
    own.then_some(
        "the levels come from the plugin's own sweep and were not verified; `antipode verify` checks them, and --engine hash finds them anew",
    )
}

/// Writes the results to stdout; `kept` means that the finished work is kept in a folder.
pub fn show(analysis: &Analysis, format: Format, kept: bool) -> Result<()> {
    match format {
        Format::Text => print(analysis, kept)?,
        Format::Json => {
            let value = serde_json::json!({
                "run": analysis.run,
                "levels": analysis.levels,
                "antipodes": analysis.antipodes,
                "checks": analysis.evidence,
            });
            output::print_json("analyse", &value)?;
        }
    }
    Ok(())
}

/// Antipodes listed on a terminal; the file has all.
const FEW: usize = 8;

fn print(analysis: &Analysis, kept: bool) -> Result<()> {
    let mut out = output::stdout();
    output::print_levels(&analysis.levels, analysis.run.parts_total)?;
    if let Some(line) = unverified(analysis) {
        told!(out, "{line}")?;
    }
    if let Some(first) = analysis.antipodes.first() {
        // The table counts all of them, however many were kept.
        let rows = analysis.levels.levels.iter();
        let level = rows.rev().find(|level| level.depth == first.depth);
        let count = level.map_or(analysis.antipodes.len() as u128, |level| level.orbits);
        writeln!(
            out,
            "{} at {}, {}:",
            if count == 1 {
                "one orbit".into()
            } else {
                format!("{} orbits", output::grouped(count))
            },
            match analysis.run.complete {
                true => "the greatest distance",
                false => "the last level walked",
            },
            first.depth
        )?;
        for antipode in analysis.antipodes.iter().take(FEW) {
            writeln!(
                out,
                "  {}  (orbit of {})",
                antipode.state, antipode.orbit_size
            )?;
        }
        if count > FEW as u128 {
            writeln!(out, "  and {} more", output::grouped(count - FEW as u128))?;
        }
    }
    output::print_checks(analysis)?;
    output::print_run(&analysis.run)?;
    if analysis.limited() {
        let because = analysis.run.stopped_because.as_deref().unwrap_or_default();
        told!(out, "stopped: {because}")?;
    } else if let Some(because) = analysis.run.stopped_because.as_deref()
        && analysis.stop.as_ref().is_some_and(StopReason::names_remedy)
    {
        told!(out, "{because}")?;
    } else if !analysis.run.complete {
        told!(
            out,
            "{}: the table holds {}{}",
            analysis.run.stopped_because.as_deref().unwrap_or("stopped"),
            if analysis.run.parts_total > 1 {
                "the finished parts"
            } else {
                "the finished levels"
            },
            if kept {
                "; rerun with --resume to continue"
            } else {
                ""
            }
        )?;
    }
    Ok(())
}
