//! `antipode table`: every start against every finish of a game that can be played
//! backward.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;

use super::options::{Format, Target, engine, seconds, whole};
use super::output::told;
use super::{AS_EXPECTED, NOT_REACHED, output};
use antipode_graph::Graph;
use antipode_reports::count;
use antipode_reports::json_out::record_text;
use antipode_reports::model::{PairVerdict, StartFinishTable};
use antipode_search::engine::{Ask, EngineOptions, Opt, QuestionKind};
use antipode_search::forward::Goal;
use antipode_search::machine;
use antipode_search::progress::{Progress, Stop};
use antipode_search::record::legend;
use antipode_search::registry::{EngineId, choose};
use antipode_search::table;

/// Arguments of `table`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// Folder for table.csv, table.json and table.html.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Search strategy [default: the one that suits the puzzle; beam through layered graphs].
    #[arg(long, value_parser = engine(&[QuestionKind::Path]))]
    engine: Option<EngineId>,
    /// Most states of a level that engine beam keeps in the search of a pair; a search that keeps
    /// them all and finds nothing is a proof [default: 128000].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1 << 30))]
    width: Option<u64>,
    /// Seconds after which to give up on a pair; the result then depends on the machine.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
    /// Seed of the choice between equally promising states [default: 1].
    #[arg(long)]
    seed: Option<u64>,
    /// Worker threads [default: all cores].
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    force: output::Force,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let of = args.target.resolve()?;
    let library = of.library;
    let variant = of.variant.as_ref().unwrap_or(&library.variants[0]);
    let opened = library.open(&of.instance, variant, &of.settings)?;
    let threads = args.threads.map_or_else(machine::cores, usize::from);
    let pool = machine::pool(threads)?;
    pool.install(|| decide(args, &Graph::of(opened), stop))
}

/// Decides the pairs of an instance.
fn decide(args: &Args, graph: &Graph<u128>, stop: &Stop) -> Result<u8> {
    let size = table::size(graph)?;
    let ask = Ask::Path {
        start: None,
        goal: &Goal::Solved,
    };
    let mut options = options(args);
    let engine = choose(args.engine, graph, &ask, &options)?;
    if engine.takes(QuestionKind::Path, Opt::Width) {
        options.width.get_or_insert(WIDTH);
    }
    args.force.make_way(
        args.out.as_deref(),
        &table::FILES,
        output::Begin::anew("table"),
    )?;
    let progress = Progress::bar(&graph.opened.full_name(), size as u64, stop);
    let done = |cells: usize| progress.parts(cells as u64);
    let rules = table::rules_of(graph)?;
    let mut table = table::decide(graph, &rules, (engine, &options), stop, &done)?;
    drop(progress);
    antipode_check::again::confirm()?;
    if let Some(folder) = &args.out {
        let legend = legend(&graph.opened.library.legend);
        table.command = machine::command_line();
        table::write(folder, &table, &legend)?;
        // The standard output names no folder.
        table.command.clear();
    }
    match args.format {
        Format::Text => print(graph, &table)?,
        Format::Json => write!(output::stdout(), "{}", record_text(&table)?)?,
    }
    Ok(match table.count(PairVerdict::NotReached) {
        0 => AS_EXPECTED,
        _ => NOT_REACHED,
    })
}

/// Default number of states of a level that beam keeps; small, since a table has many cells.
const WIDTH: u64 = 128_000;

/// Limits of the search of a pair.
fn options(args: &Args) -> EngineOptions {
    EngineOptions {
        width: args.width,
        seed: args.seed,
        max_time: args.max_time,
        ..EngineOptions::threads(1)
    }
}

/// Finishes of a start that share a proof are listed together.
fn print(graph: &Graph<u128>, table: &StartFinishTable) -> Result<()> {
    let mut rows = output::table(&["start", "verdict", "finishes", "why"]);
    for start in &table.starts {
        let mut groups: Vec<(PairVerdict, &str, Vec<&str>)> = Vec::new();
        for cell in table.cells.iter().filter(|cell| cell.start == start.name) {
            let (verdict, why) = (cell.verdict, cell.proof.as_str());
            match groups
                .iter_mut()
                .find(|group| (group.0, group.1) == (verdict, why))
            {
                Some(group) => group.2.push(&cell.finish),
                None => groups.push((verdict, why, vec![&cell.finish])),
            }
        }
        groups.sort_by_key(|group| group.0);
        for (verdict, why, finishes) in groups {
            rows.add_row([&start.name, verdict.label(), &finishes.join(" "), why]);
        }
    }
    let mut out = output::stdout();
    writeln!(out, "{}", output::wrapped(&mut rows))?;
    told!(
        out,
        "{}: {}, {}, {}: {} solvable, {} impossible, {} not reached",
        graph.opened.full_name(),
        count(table.starts.len(), "starts up to symmetry"),
        match table.finishes.len() {
            1 => "1 finish".to_owned(),
            finishes => count(finishes, "finishes"),
        },
        count(table.cells.len(), "pairs"),
        table.count(PairVerdict::Solvable),
        table.count(PairVerdict::Impossible),
        table.count(PairVerdict::NotReached)
    )?;
    Ok(())
}
