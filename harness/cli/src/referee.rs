//! `antipode referee`: compares solvers in any language with proven lengths.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use puzzle_api::Placed;
use serde_json::json;

use antipode_bench::referee::{MOST_OUTPUT, Solver, play, ranked};
use antipode_bench::run::process::ProcessLimits;
use antipode_check::ask::{KnownDistance, PathRequest};
use antipode_check::referee::{Game, with_start};
use antipode_graph::{Library, clean, one_line};
use antipode_reports::count;
use antipode_reports::json_out::record_text;
use antipode_reports::model::{Referee, RefereeRow, Ruling};
use antipode_reports::results::Results;
use antipode_search::engine::EngineOptions;
use antipode_search::progress::{Stop, Stopped, note, tell};
use antipode_search::{machine, memory};

use super::boards::{Board, File, Kept, elsewhere};
use super::options::{Format, Plugins, board_text, seconds, settings};
use super::output::told;
use super::{AS_EXPECTED, NOT_REACHED, UNEXPECTED, VERIFICATION_FAILED, names, output};

/// Arguments of `referee`.
#[derive(Debug, clap::Args)]
// A usage line by clap would be wider than 60 columns, and usage is not folded.
#[command(
    override_usage = "antipode referee [OPTIONS]\n       --command <COMMAND> <PUZZLE[/INSTANCE]>..."
)]
pub struct Args {
    /// Boards: an instance with a start, or a puzzle for all of its instances that have one.
    #[arg(value_name = "PUZZLE[/INSTANCE]", required = true)]
    boards: Vec<String>,
    /// A solver, as `./solver {board}` or NAME=COMMAND; `{board}`, `{instance}` and `{puzzle}`
    /// are filled in. May be given several times.
    #[arg(long, value_name = "COMMAND", required = true)]
    command: Vec<Solver>,
    /// Start of one instance, in place of its own.
    #[arg(long, value_name = "STATE|NAME", value_parser = board_text, allow_hyphen_values = true)]
    board: Option<String>,
    #[command(flatten)]
    file: File,
    /// A setting of the instances; may be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Seconds that a solver has for a board.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    time: Duration,
    /// Memory that a solver may hold, such as 2GiB [default: no limit].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
    /// Seconds that our own search has for a board; a board without an answer by then is left open.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    own_time: Duration,
    /// Folder for referee.csv, referee.json and referee.html.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Resume a stopped run with the same --out: boards that were played are not played again.
    #[arg(long, requires = "out")]
    resume: bool,
    #[command(flatten)]
    plugins: Plugins,
    #[command(flatten)]
    force: output::Force,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Files of the command.
const NAMES: [&str; 3] = ["referee.csv", "referee.json", "referee.html"];

/// Runs the command.
///
/// # Errors
/// Bad input, in one line: an unknown name, an instance without a start, a program that cannot
/// be started.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let limits = ProcessLimits {
        time: args.time,
        memory: args.memory,
        output: Some(MOST_OUTPUT),
    };
    for (place, solver) in args.command.iter().enumerate() {
        if args.command[..place]
            .iter()
            .any(|other| other.name == solver.name)
        {
            bail!(
                "--command: two solvers are called '{}'; name them as NAME=COMMAND",
                one_line(&solver.name)
            );
        }
        solver.find()?;
    }
    let games = requests(args)?;
    let boards: Vec<Board> = games.iter().map(|(_, board)| board.clone()).collect();
    let puzzle = |(request, _): &(PathRequest, Board)| {
        let blake3 = request.library.source.named().map(|(_, blake3)| blake3);
        (request.library.name.clone(), blake3.map(str::to_owned))
    };
    let solver = |one: &Solver| (one.name.clone(), one.words.clone());
    let asked = json!({
        "puzzles": games.iter().map(puzzle).collect::<BTreeSet<_>>(),
        "command": args.command.iter().map(solver).collect::<Vec<_>>(),
        "contents": args.command.iter().map(Solver::contents).collect::<Vec<_>>(),
        "time": limits.time.as_secs_f64(),
        "memory": limits.memory,
    });
    let kept = Kept::open(
        (args.out.as_deref(), args.resume),
        (&args.force, &NAMES),
        (&games[0].0, &boards),
        ("referee", &asked),
    )?;
    let find = |(request, board): &(PathRequest, Board)| {
        let Some(game) = solved(request.clone(), args.own_time, stop)? else {
            return Ok(None);
        };
        let rows = args.command.iter().map_while(|solver| {
            let row = play(solver, &game, &limits, stop);
            row.with_context(|| format!("--command: {}", one_line(&solver.name)))
                .transpose()
        });
        let rows = rows.collect::<Result<Vec<_>>>()?;
        let whole = rows.len() == args.command.len();
        let wrong = board.wrong(game.known);
        Ok(whole.then_some((wrong, rows)))
    };
    // A length that was not found may be found in more time.
    let is_final = |(_, rows): &Played| {
        let mut rows = rows.iter();
        rows.all(|row| row.ruling != Ruling::Open && !row.shortest.is_empty())
    };
    let played = kept.each(&games, (false, stop), is_final, find, |(_, rows)| {
        for row in rows {
            note(format_args!(
                "{} on {}: {}",
                row.solver, row.instance, row.ruling
            ));
        }
        Ok(())
    })?;
    if played.is_empty() {
        bail!(Stopped);
    }
    antipode_check::again::confirm()?;
    let (wrong, rows): (Vec<_>, Vec<_>) = played.into_iter().unzip();
    let of = |at: usize| rows.iter().filter_map(move |rows| rows.get(at));
    let rows: Vec<RefereeRow> = (0..args.command.len()).flat_map(of).cloned().collect();
    let record = Referee {
        made: machine::provenance(),
        time_limit_s: limits.time.as_secs_f64(),
        memory_limit_bytes: limits.memory,
        unplayed: (args.command.len() * games.len() - rows.len()) as u64,
        wrong_lengths: wrong.into_iter().flatten().collect(),
        solvers: ranked(&args.command, games.len(), &rows),
        rows,
    };
    if let Some(folder) = &args.out {
        let mut results = Results::new(folder, "referee");
        results.rows(NAMES[0], &record.rows)?;
        results.record(NAMES[1], &record)?;
        results.page(NAMES[2], antipode_reports::html::referee_html(&record))?;
        results.finish()?;
    }
    print(&record, args.format)
}

/// The error of the length given with a board, and its rows, one per solver.
type Played = (Option<String>, Vec<RefereeRow>);

/// The requested boards, with the lengths that a file gives.
fn requests(args: &Args) -> Result<Vec<(PathRequest, Board)>> {
    let libraries = args.plugins.libraries()?;
    let mut places: Vec<(Arc<Library>, String)> = Vec::new();
    for name in &args.boards {
        if name.contains('/') {
            places.push(names::find_instance(&libraries, name)?);
            continue;
        }
        let library = names::find_puzzle(&libraries, name)?;
        let started = with_start(library)?;
        if started.is_empty() {
            bail!("{name}: none of its instances has a start of its own; give one with --board");
        }
        places.extend(
            started
                .into_iter()
                .map(|instance| (Arc::clone(library), instance)),
        );
    }
    let mut named = BTreeSet::new();
    places.retain(|(library, instance)| named.insert((library.name.clone(), instance.clone())));
    if args.board.is_some() && places.len() != 1 {
        bail!(
            "--board goes with one instance; {} are asked for",
            places.len()
        );
    }
    let settings = settings(&args.settings)?;
    let request = |(library, instance)| PathRequest {
        settings: settings.clone(),
        from: args.board.clone(),
        options: EngineOptions::threads(machine::cores()),
        ..PathRequest::new(library, instance)
    };
    let placed = |request| Ok(elsewhere(&request)?.unwrap_or(request));
    let requests = places.into_iter().map(request).map(placed);
    let requests = requests.collect::<Result<Vec<PathRequest>>>()?;
    let (Some(base), Some(_)) = (requests.first(), &args.file.path) else {
        let own = |request: PathRequest| {
            let placed = Placed {
                instance: request.instance.clone(),
                settings: request.settings.clone(),
                from: request.from.clone(),
                length: None,
            };
            let (line, given) = (0, None);
            (
                request,
                Board {
                    line,
                    placed,
                    given,
                },
            )
        };
        return Ok(requests.into_iter().map(own).collect());
    };
    if requests.len() > 1 || args.board.is_some() {
        bail!("--boards goes with one instance, and without --board");
    }
    let boards = args.file.read(base)?.unwrap_or_default();
    Ok(boards
        .into_iter()
        .map(|board| (board.request(base), board))
        .collect())
}

/// Our own answer, within a time; `None` if a stop came first.
fn solved(request: PathRequest, time: Duration, stop: &Stop) -> Result<Option<Game>> {
    let game = Game::solve(request, time, stop)?;
    if stop.requested() {
        return Ok(None);
    }
    let said = match game.known {
        KnownDistance::Exactly(moves) => {
            format!("{}, the fewest possible", count(moves, game.unit()))
        }
        KnownDistance::Unsolvable => "no solution".to_owned(),
        KnownDistance::AtLeast(_) => format!("not known here within --own-time: {}", game.open),
    };
    note(format_args!("{}: {said}", game.instance));
    Ok(Some(game))
}

/// Prints a record, and returns the exit code.
fn print(record: &Referee, format: Format) -> Result<u8> {
    record.wrong_lengths.iter().for_each(tell);
    let mut out = output::stdout();
    if format == Format::Json {
        write!(out, "{}", record_text(record)?)?;
        return Ok(exit_code(record));
    }
    let mut rows = output::table(&[
        "board", "solver", "said", "shortest", "ruling", "time", "why",
    ]);
    // Boards of a file may belong to one instance.
    let names: BTreeSet<&str> = record.rows.iter().map(|row| &*row.instance).collect();
    let by_name = names.len() * record.solvers.len() >= record.rows.len();
    for row in &record.rows {
        let replayed = if row.replayed { " replayed" } else { "" };
        rows.add_row([
            match by_name {
                true => row.instance.clone(),
                false => row.board.clone(),
            },
            row.solver.clone(),
            format!("{}{replayed}", row.said),
            row.shortest.clone(),
            row.ruling.to_string(),
            format!("{:.3} s", row.wall_s),
            clean(&row.why),
        ]);
    }
    writeln!(out, "{}", output::wrapped(&mut rows))?;
    for solver in &record.solvers {
        let place = match solver.rank {
            Some(rank) => format!("{rank}."),
            None => "not ranked:".to_owned(),
        };
        told!(
            out,
            "{place} {}: {}{}",
            solver.solver,
            solver.summary,
            match solver.right_s {
                0.0 => String::new(),
                right => format!(" ({right:.3} s where right)"),
            }
        )?;
    }
    if record.unplayed > 0 {
        let games = count(record.unplayed, "games");
        told!(out, "stopped: {games} not played")?;
    }
    Ok(exit_code(record))
}

fn exit_code(record: &Referee) -> u8 {
    let any = |ruling| record.rows.iter().any(|row| row.ruling == ruling);
    let all_right = record.rows.iter().all(|row| row.ruling == Ruling::Right);
    if any(Ruling::RefutesOurs) {
        VERIFICATION_FAILED
    } else if any(Ruling::Wrong) || !record.wrong_lengths.is_empty() {
        UNEXPECTED
    } else if all_right && record.unplayed == 0 {
        AS_EXPECTED
    } else {
        NOT_REACHED
    }
}
