//! `antipode pairs`: shortest lengths between many pairs of states at once.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::boards::{Board, File};
use super::finished::{all_parts, finished};
use super::options::{Format, Target, engine, whole};
use super::output::told;
use super::{AS_EXPECTED, NOT_REACHED, UNEXPECTED, VERIFICATION_FAILED, output};
use antipode_check::ask::KnownDistance;
use antipode_check::ask::{PathRequest, many};
use antipode_reports::count;
use antipode_search::engine::QuestionKind;
use antipode_search::many_to_many::{
    Inside, Length, PAIRS_FILES, PairsOutcome, PairsRequest, write_files,
};
use antipode_search::progress::{Stop, tell};
use antipode_search::record::legend;
use antipode_search::registry::EngineId;
use antipode_search::work::{self, begun};
use antipode_search::{machine, memory};

/// Arguments of `pairs`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// Where paths start: names or boards, joined by ',' [default: all named states].
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    from: Vec<String>,
    #[command(flatten)]
    boards: File,
    /// Where paths end: names or boards, joined by ',' [default: all named states].
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    to: Vec<String>,
    /// Search strategy for all pairs together: states by rank (dense) or by key (hash)
    /// [default: dense if it fits, else hash].
    #[arg(long, value_parser = engine(&[QuestionKind::Many]))]
    engine: Option<EngineId>,
    /// Radius of the sides backward from the targets [default: what memory and time allow].
    #[arg(long, value_name = "N")]
    radius: Option<u32>,
    /// Most states of a side, about [default: one in 10 of all, or what memory allows].
    #[arg(long, value_name = "STATES", conflicts_with = "radius")]
    side_states: Option<u64>,
    /// Most states of a search forward, about; pairs beyond it get a lower bound
    /// [default: as many as it takes].
    #[arg(long, value_name = "STATES")]
    budget: Option<u64>,
    /// Most memory to use, such as 8GiB [default: three quarters of what is free].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
    /// Worker threads [default: all cores].
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Folder for pairs.csv, sides.csv, run.json and pairs.html.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Resume a stopped run with the same --out: sources that were finished are
    /// not searched again.
    #[arg(long, requires = "out")]
    resume: bool,
    #[command(flatten)]
    force: output::Force,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the command.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let base = args.target.resolve()?;
    let boards = args.boards.read(&base)?;
    let mut request = PairsRequest {
        from: match &boards {
            Some(boards) => starts(args, &base, boards)?,
            None => args.from.clone(),
        },
        library: base.library,
        instance: base.instance,
        settings: base.settings,
        variant: base.variant,
        to: args.to.clone(),
        numbered: None,
        radius: args.radius,
        side_states: args.side_states,
        budget: args.budget,
        memory: args.memory,
        looked_at: LOOKED_AT,
        again: false,
        threads: args.threads.map_or_else(machine::cores, usize::from),
        journal: None,
        show_progress: true,
        command: machine::command_line(),
    };
    if let Some(folder) = &args.out {
        args.force.make_way(
            Some(folder),
            &PAIRS_FILES,
            output::Begin::asked("pairs", args.resume),
        )?;
        let over = |run: &Value| all_parts(run) && !begun(folder);
        if args.resume
            && let Some(run) = finished((folder, "run.json"), folder, over)?
        {
            if args.format == Format::Json {
                output::print_json("pairs", &json!({ "run": run }))?;
            }
            return Ok(AS_EXPECTED);
        }
        request.journal = Some((folder.clone(), args.resume));
    }
    let outcome = many(args.engine, &request, stop)?;
    let wrong = boards.is_some_and(|boards| any_wrong(&boards, &outcome));
    let code = match () {
        () if !outcome.disagreements.is_empty() => VERIFICATION_FAILED,
        () if wrong => UNEXPECTED,
        () if outcome.run.complete => AS_EXPECTED,
        () => NOT_REACHED,
    };
    if let Some(folder) = &args.out {
        write_files(folder, &outcome, &legend(&request.library.legend))?;
        // Finished results that `--resume` accepts are as expected.
        if code == AS_EXPECTED {
            work::clear(folder, false)?;
        }
    }
    match args.format {
        Format::Text => print(&outcome, args)?,
        Format::Json => {
            let value = json!({
                "run": outcome.run,
                "pairs": outcome.rows,
                "sides": outcome.sides,
                "inside": {
                    "forward": inside(&outcome.forward),
                    "backward": inside(&outcome.backward),
                },
                "disagreements": outcome.disagreements,
            });
            output::print_json("pairs", &value)?;
        }
    }
    Ok(code)
}

/// The boards of a file as the states where paths start.
fn starts(args: &Args, base: &PathRequest, boards: &[Board]) -> Result<Vec<String>> {
    if !args.from.is_empty() {
        bail!("--boards goes without --from: its boards are where paths start");
    }
    if let Some(board) = boards.iter().find(|board| board.given.is_some())
        && args.to.len() != 1
    {
        bail!(
            "line {}: a length given with a board needs one target: name it by --to",
            board.line
        );
    }
    let here = |board: &&Board| {
        (&board.placed.instance, &board.placed.settings) == (&base.instance, &base.settings)
    };
    let states = boards.iter().map(|board| {
        let state = Some(board).filter(here).and_then(|board| board.placed.from.clone());
        state.with_context(|| {
            let own = board.placed.settings.iter();
            let own = own.filter(|(key, value)| base.settings.get(*key) != Some(value));
            let sets: String = own.map(|(key, _)| format!(" --set {key}=…")).collect();
            format!(
                "line {}: the board belongs to {}/{}{sets}, and pairs are states of one instance: ask for that, or use solve",
                board.line, base.library.name, board.placed.instance
            )
        })
    });
    let mut states: Vec<String> = states.collect::<Result<_>>()?;
    let mut seen = BTreeSet::new();
    states.retain(|state| seen.insert(state.clone()));
    Ok(states)
}

/// Whether a source that lacks a pair with a target is that target, as it is finished.
fn is_target(outcome: &PairsOutcome, from: &str) -> bool {
    let finished = outcome.run.parts_done as usize;
    let mut finished = outcome.forward.iter().take(finished);
    finished.any(|(name, _)| name == from)
}

/// Whether a length given with a board differs from that to the one target; prints each that does.
fn any_wrong(boards: &[Board], outcome: &PairsOutcome) -> bool {
    let mut wrong = false;
    for board in boards.iter().filter(|board| board.given.is_some()) {
        let from = board.placed.from.as_ref();
        let row = outcome.rows.iter().find(|row| from == Some(&row.from));
        let counted = |moves: u32| u16::try_from(moves).unwrap_or(u16::MAX);
        let known = match row.map(|row| &row.length) {
            Some(&Length::Exactly { moves, .. }) => KnownDistance::Exactly(counted(moves)),
            Some(Length::Unreachable { .. }) => KnownDistance::Unsolvable,
            Some(&Length::MoreThan { moves, .. }) => KnownDistance::AtLeast(counted(moves + 1)),
            None if from.is_some_and(|from| is_target(outcome, from)) => KnownDistance::Exactly(0),
            None => continue,
        };
        if let Some(line) = board.wrong(known) {
            tell(line);
            wrong = true;
        }
    }
    wrong
}

/// States inside each side that the rulebook checks.
const LOOKED_AT: usize = 256;

/// Most columns of a table of lengths that a terminal shows.
const MOST_COLUMNS: usize = 16;

fn print(outcome: &PairsOutcome, args: &Args) -> Result<()> {
    let mut out = output::stdout();
    for line in &outcome.disagreements {
        told!(out, "OUR DERIVATIONS DISAGREE: {line}")?;
    }
    let few = outcome.from.len() <= 4 * MOST_COLUMNS || args.boards.path.is_some();
    if outcome.to.len() <= MOST_COLUMNS && few {
        print_matrix(outcome)?;
    }
    print_histogram(outcome)?;
    for (way, sides) in [
        ("forward", &outcome.forward),
        ("backward", &outcome.backward),
    ] {
        print_insides(way, sides)?;
    }
    let run = &outcome.run;
    told!(
        out,
        "{}/{}: {}, {} of {}, {:.1} s on {}, {:.1} CPU s, {:.2} M states per core-second, peak {}",
        run.puzzle,
        run.instance,
        count(outcome.rows.len(), "pairs"),
        output::grouped(run.parts_done),
        count(run.parts_total, "sources"),
        run.wall_s,
        count(run.threads, "threads"),
        run.cpu_s,
        run.states_per_core_second / 1e6,
        memory::human(run.peak_memory_bytes),
    )?;
    if run.parts_done < run.parts_total {
        let resumable = match args.out.as_deref().is_some_and(begun) {
            true => "; rerun with --resume to continue",
            false => "",
        };
        told!(
            out,
            "stopped: the rows hold the finished sources{resumable}"
        )?;
    } else if let Some(because) = &run.stopped_because {
        told!(
            out,
            "not complete: {because}; a larger --budget or --memory goes further"
        )?;
    }
    if let Some(folder) = &args.out {
        writeln!(out, "page: {}", output::shown(&folder.join(PAIRS_FILES[3])))?;
    }
    Ok(())
}

/// The rulebook's check of the inside of each side.
fn inside(sides: &[(String, Inside)]) -> Value {
    let rows = sides.iter().map(|(name, inside)| {
        json!({
            "name": name,
            "states": inside.states,
            "looked_at": inside.looked_at,
            "wrong": inside.wrong,
        })
    });
    rows.collect()
}

/// How much of the half-searches that do not meet was compared with the rulebook.
fn print_insides(way: &str, sides: &[(String, Inside)]) -> Result<()> {
    let sum = |of: fn(&Inside) -> u64| sides.iter().map(|(_, inside)| of(inside)).sum::<u64>();
    let (states, looked_at) = (sum(|inside| inside.states), sum(|inside| inside.looked_at));
    if states == 0 {
        return Ok(());
    }
    let part = match looked_at == states {
        true => "all".to_owned(),
        false => format!("{} of", output::grouped(looked_at)),
    };
    told!(
        output::stdout(),
        "{way} sides on the rulebook: {part} {} inside them looked at, {} wrong",
        count(states, "states"),
        sum(|inside| inside.wrong)
    )?;
    Ok(())
}

fn print_matrix(outcome: &PairsOutcome) -> Result<()> {
    let mut header = vec!["from \\ to"];
    header.extend(outcome.to.iter().map(String::as_str));
    let mut table = output::table(&header);
    for from in &outcome.from {
        let cell = |to: &String| {
            let row = outcome.rows.iter();
            let row = row
                .into_iter()
                .find(|row| row.from == *from && row.to == *to);
            match row {
                Some(row) => row.length.to_string(),
                None if is_target(outcome, from) => "0".to_owned(),
                None => String::new(),
            }
        };
        let mut cells = vec![from.clone()];
        cells.extend(outcome.to.iter().map(cell));
        table.add_row(cells);
    }
    output::figures(&mut table, 1..outcome.to.len() + 1);
    writeln!(output::stdout(), "{}", output::fitted(&mut table))?;
    Ok(())
}

fn print_histogram(outcome: &PairsOutcome) -> Result<()> {
    let mut table = output::table(&[outcome.run.unit.name(), "pairs"]);
    // Lengths in order, then pairs without a path, then those not known.
    let mut counts = BTreeMap::new();
    for row in &outcome.rows {
        let key = match row.length {
            Length::Exactly { moves, .. } => (0, moves, moves.to_string()),
            Length::Unreachable { .. } => (1, 0, "none".to_owned()),
            Length::MoreThan { .. } => (2, 0, "not known, or none".to_owned()),
        };
        *counts.entry(key).or_insert(0) += 1;
    }
    for ((.., length), pairs) in counts {
        table.add_row([length, u64::to_string(&pairs)]);
    }
    output::figures(&mut table, 0..2);
    writeln!(output::stdout(), "{}", output::fitted(&mut table))?;
    Ok(())
}
