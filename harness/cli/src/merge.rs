//! `antipode merge`: one analysis from its shards, which other machines may have made.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use serde_json::{Value, json};

use super::options::{Format, Plugins, compare_if_small, whole};
use super::{AS_EXPECTED, NOT_REACHED, analyse, names, output};
use antipode_check::analysis::{Analysis, Redo, Request, merge, planned};
use antipode_reports::json_out::read_record;
use antipode_reports::model::{MANIFEST, Run, StopKind};
use antipode_reports::results::{MarkKind, standing};
use antipode_search::engine::QuestionKind;
use antipode_search::engines::BLOCKS;
use antipode_search::machine;
use antipode_search::progress::{Stop, note};
use antipode_search::registry::EngineId;
use antipode_search::work::{self, JOURNAL};

/// Arguments of `merge`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The --out folders of all shards.
    #[arg(value_name = "DIR", required = true)]
    shards: Vec<PathBuf>,
    /// Folder for levels.csv, antipodes.csv, run.json and a page of the whole.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Blocks of parts, drawn at random, that are walked again here and must come out the
    /// same; an instance has 512, or as many as parts.
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = whole::<u64>(0..=BLOCKS as i128))]
    redo: u64,
    /// Seed of the draw.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Worker threads [default: all cores].
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    plugins: Plugins,
    #[command(flatten)]
    force: output::Force,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Member of a merged record's `extra` with the cost of each shard.
const SHARDS: &str = "shards";

/// Runs the command.
///
/// # Errors
/// Bad input, in one line: a shard that is missing, given twice, not finished, of another run
/// or program, or not as it was written.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let runs = shards(args)?;
    let mut request = request(args, &runs[0])?;
    compare_if_small(&mut request)?;
    planned(&request)?;
    let out = Some(&*args.out);
    args.force
        .make_way(out, &output::ANALYSIS_FILES, output::Begin::anew("merge"))?;
    let before: Option<Run> = read_record(args.out.join(output::ANALYSIS_FILES[2])).ok();
    if before.is_some_and(|run| run.complete && !run.extra.contains_key(SHARDS)) {
        bail!(
            "{}: holds the finished results of another command; give another --out",
            output::shown(&args.out)
        );
    }
    let redo = Redo {
        blocks: args.redo,
        seed: args.seed,
    };
    let mut merged = merge(&request, &args.out, &args.shards, redo, stop).inspect_err(|_| {
        // Nothing was merged, so what was walked again has no meaning.
        let _ = work::clear(&args.out, false);
    })?;
    account(&mut merged, &runs, redo);
    output::analysis_results(&args.out, &merged, "merge", &request.library)?.finish()?;
    analyse::show(&merged, args.format, false)?;
    merged.clear_kept()?;
    Ok(match merged.finished {
        true => AS_EXPECTED,
        false => NOT_REACHED,
    })
}

/// The records of all shards, of one program.
fn shards(args: &Args) -> Result<Vec<Run>> {
    let mut places = BTreeMap::new();
    let mut runs: Vec<Run> = Vec::new();
    for folder in &args.shards {
        let place = std::fs::canonicalize(folder).map_err(|error| {
            let folder = output::shown(folder);
            let why = match error.kind() {
                ErrorKind::NotFound => "it does not exist".to_owned(),
                _ => format!("cannot be read: {error}"),
            };
            anyhow!("{folder}: {why}; name the --out of a shard")
        })?;
        if places.insert(place, folder).is_some() {
            bail!("{}: given twice", output::shown(folder));
        }
        let run = shard(folder)?;
        if let Some(first) = runs.first()
            && first.extra.get(output::PROGRAM) != run.extra.get(output::PROGRAM)
        {
            bail!(
                "{}: made by another executable than {}; make all shards by one",
                output::shown(folder),
                output::shown(&args.shards[0])
            );
        }
        runs.push(run);
    }
    let out = work::canonical(&args.out);
    for (place, shard) in &places {
        if out.starts_with(place) {
            bail!(
                "{}: --out lies in one of the shards; give a folder of its own",
                output::shown(shard)
            );
        }
    }
    Ok(runs)
}

/// The record of a finished shard, as it was written.
fn shard(folder: &Path) -> Result<Run> {
    let file = output::ANALYSIS_FILES[2];
    if !folder.join(MANIFEST).is_file() {
        bail!(
            "{}: has no {MANIFEST}: no folder of a shard, or one that is not finished; its own command with --resume finishes it",
            output::shown(folder)
        );
    }
    let standing = standing(folder);
    if let Some(mark) = standing.marks.first() {
        bail!(
            "{}: {}; run the shard again by its own command",
            output::shown(&mark.path()),
            mark.kind.text()
        );
    }
    if !folder.join(file).is_file() {
        let folder = output::shown(folder);
        bail!("{folder}: is no shard: it has no {file}");
    }
    let added = |name: &&&str| !standing.lists(name) && folder.join(name).exists();
    if let Some(name) = [file, JOURNAL].iter().find(added) {
        bail!(
            "{}: {}; run the shard again by its own command",
            output::shown(&folder.join(name)),
            MarkKind::Unlisted.text()
        );
    }
    let run: Run = read_record(folder.join(file))?;
    let reason = run.stop.map(|stop| stop.reason);
    if reason != Some(StopKind::Shard) {
        bail!(
            "{}: {}",
            output::shown(folder),
            match run.complete {
                true => "is no shard: its run is complete in itself".to_owned(),
                false => format!(
                    "is not finished ({}); its own command with --resume finishes it",
                    run.stopped_because.as_deref().unwrap_or("stopped")
                ),
            }
        );
    }
    Ok(run)
}

/// The request that a shard is a share of. Whether the others are of the same is decided by the
/// identity of their blocks.
fn request(args: &Args, run: &Run) -> Result<Request> {
    let libraries = args.plugins.libraries()?;
    let name = format!("{}/{}", run.puzzle, run.instance);
    let (library, instance) = names::find_instance(&libraries, &name)?;
    let engine = EngineId::named(&run.engine, QuestionKind::Levels);
    let engine = engine.map_err(|unknown| anyhow!("{name}: {unknown}"))?;
    let direction = match run.direction.as_str() {
        "forward" => puzzle_api::Direction::Forward,
        _ => puzzle_api::Direction::Backward,
    };
    Ok(Request {
        settings: run.settings.clone(),
        variant: Some(run.variant.clone()),
        engine: Some(engine),
        direction: Some(direction),
        from: run.from.clone(),
        max_depth: run.max_depth.map(u16::try_from).transpose()?,
        threads: args.threads.map_or_else(machine::cores, usize::from),
        seed: run.seed,
        show_progress: true,
        command: machine::command_line(),
        ..Request::new(library, instance)
    })
}

/// The total cost: that of its shards, without the cost of merging.
fn account(merged: &mut Analysis, runs: &[Run], redo: Redo) {
    let run = &mut merged.run;
    run.wall_s = runs.iter().map(|run| run.wall_s).fold(0.0, f64::max);
    run.cpu_s = runs.iter().map(|run| run.cpu_s).sum();
    let memory = runs.iter().map(|run| run.peak_memory_bytes);
    run.peak_memory_bytes = memory.max().unwrap_or_default();
    let expanded = runs
        .iter()
        .map(|run| run.states_per_core_second * run.cpu_s);
    let expanded: f64 = expanded.sum();
    if run.cpu_s > 0.0 {
        run.states_per_core_second = expanded / run.cpu_s;
    }
    let of = |run: &Run| {
        json!({
            "shard": run.stopped_because,
            "parts": run.parts_done,
            "wall_s": run.wall_s,
            "cpu_s": run.cpu_s,
            "threads": run.threads,
            "host": run.host,
        })
    };
    let shards: Vec<Value> = runs.iter().map(of).collect();
    run.extra.insert(SHARDS.to_owned(), shards.into());
    let again = json!({ "blocks": redo.blocks, "seed": redo.seed });
    run.extra.insert("walked_again".to_owned(), again);
    let again = match redo.blocks {
        0 => "none of their blocks was walked again".to_owned(),
        blocks => format!(
            "of their blocks {blocks} drawn with seed {} (all where there are fewer) were walked again and are the same",
            redo.seed
        ),
    };
    note(format_args!("{} shards; {again}", runs.len()));
}
