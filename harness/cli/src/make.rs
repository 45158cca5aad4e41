//! `antipode make`: boards that take a given number of moves, drawn from all there are.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use puzzle_api::UNSOLVABLE;

use antipode_check::order::{Made, Order};
use antipode_graph::{Library, clean};
use antipode_reports::count;
use antipode_reports::csv_out::write_rows_to;
use antipode_reports::html::cards_html;
use antipode_reports::json_out::record_text;
use antipode_reports::model::MadeBoards;
use antipode_reports::results::Results;
use antipode_reports::svg::sheet_svg;
use antipode_search::limit::within;
use antipode_search::memory;
use antipode_search::outcome::StopReason;
use antipode_search::progress::{Stop, tell};
use antipode_search::record::legend;

use super::drawing::Drawing;
use super::options::{How, Target, request, seconds};
use super::picture;
use super::{AS_EXPECTED, NOT_REACHED, output, results};

/// Arguments of `make`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// How many moves a board takes, such as 12 or 10..14 (both included). Every board of the
    /// instance that takes that many has the same chance; boards that symmetry turns into each
    /// other are one.
    #[arg(long, value_name = "N|A..B", value_parser = moves)]
    moves: RangeInclusive<u16>,
    /// How many boards to make.
    #[arg(long, value_name = "K", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Only boards of which no grey block (Tilt), or no car but the red one (Rush Hour), can be
    /// left out: without it, they take fewer moves or have no solution.
    #[arg(long)]
    minimal: bool,
    /// Only boards with a single shortest solution.
    #[arg(long)]
    unique: bool,
    #[command(flatten)]
    how: How,
    /// Memory for states, such as 8GiB [default: as for `analyse`].
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
    /// Seconds after which to stop.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    max_time: Option<Duration>,
    /// Folder for boards.csv, boards.json and cards.html.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: output::Force,
    /// Also write a picture: a sheet of all boards.
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
}

/// Form of printed boards.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Form {
    /// For people.
    Text,
    /// For scripts.
    Json,
    /// A table.
    Csv,
    /// Cards to print, with the solutions on their backs.
    Html,
}

/// Files of the boards.
const NAMES: [&str; 3] = ["boards.csv", "boards.json", "cards.html"];

/// Reads a number of moves, or a range of them.
fn moves(text: &str) -> Result<RangeInclusive<u16>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| text.trim().parse().ok().filter(|&moves| moves < UNSOLVABLE);
    match (number(least), number(most)) {
        (Some(least), Some(most)) if least <= most => Ok(least..=most),
        (Some(least), Some(most)) => Err(format!("ends before it begins; give {most}..{least}")),
        _ => Err("give a number of moves, such as 12, or a range, such as 10..14".to_owned()),
    }
}

/// Runs the command.
///
/// # Errors
/// Bad input, in one line.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let mut base = request(&args.target, &args.how)?;
    base.means.memory = args.memory;
    let order = Order {
        moves: args.moves.clone(),
        count: args.count as usize,
        minimal: args.minimal,
        unique: args.unique,
    };
    let library = Arc::clone(&base.library);
    let request = order.request(base)?;
    let canvas = picture::probe(args.picture.as_deref(), &library, args.force.given())?;
    if let Some(folder) = &args.out {
        output::make_folder(folder)?;
        args.force.probe(folder, &NAMES)?;
    }
    let made = match args.max_time {
        Some(time) => within(time, stop, |stop| order.make(request, stop)),
        None => order.make(request, stop),
    };
    let made = made?;
    let record = record(&made, args);
    let mut out = output::stdout();
    if record.boards.is_empty() {
        output::remove_empty_folders();
    } else {
        if let Some(folder) = &args.out {
            let mut results = Results::new(folder, "make");
            results.rows(NAMES[0], &record.boards)?;
            results.record(NAMES[1], &record)?;
            results.page(NAMES[2], cards_html(&record, &legend(&library.legend)))?;
            results.finish()?;
        }
        if let Some(canvas) = canvas {
            let boards = record.boards.iter().map(|made| made.board.as_str());
            canvas.write(args.target.name.clone(), |legend, style| {
                sheet_svg(boards, legend, style)
            })?;
        }
        match args.format {
            Form::Json => write!(out, "{}", record_text(&record)?)?,
            Form::Csv => write_rows_to(&mut out, &record.boards)?,
            Form::Html => write!(out, "{}", cards_html(&record, &legend(&library.legend))?)?,
            Form::Text => write!(results::out(), "{}", text(&record, &library))?,
        }
    }
    if made.boards.len() == order.count {
        return Ok(AS_EXPECTED);
    }
    let why = short(&made, &record, args);
    tell(format_args!("antipode: {}: {why}", args.target.name));
    Ok(NOT_REACHED)
}

fn record(made: &Made, args: &Args) -> MadeBoards {
    let (least, most) = (u32::from(*args.moves.start()), u32::from(*args.moves.end()));
    let levels = made.analysis.levels.levels.iter();
    let asked_for = levels.filter(|level| (least..=most).contains(&level.depth));
    MadeBoards {
        run: made.analysis.run.clone(),
        least,
        most,
        count: args.count.into(),
        minimal: args.minimal,
        unique: args.unique,
        drawn_from: asked_for.map(|level| level.orbits).sum(),
        looked_at: made.looked_at as u64,
        boards: made.boards.clone(),
    }
}

/// Why there are fewer boards than were asked for.
fn short(made: &Made, record: &MadeBoards, args: &Args) -> String {
    let (found, moves) = (made.boards.len(), in_words(record));
    if let (Some(because), false) = (&made.analysis.run.stopped_because, made.analysis.finished) {
        let given = args
            .max_time
            .filter(|_| made.analysis.stop == Some(StopReason::Requested));
        return match given {
            Some(time) => format!(
                "the distances of all boards were not found within {} s; give more --max-time",
                time.as_secs_f64()
            ),
            None => format!("{because}, before the distances of all boards were found"),
        };
    }
    let far = |depth: u32| record.least.saturating_sub(depth) + depth.saturating_sub(record.most);
    let depths = made.analysis.levels.levels.iter().map(|level| level.depth);
    match (record.drawn_from, depths.min_by_key(|&depth| far(depth))) {
        (0, None) => "no board can be solved".to_owned(),
        (0, Some(nearest)) => {
            format!("no board takes {moves}; the nearest that there are take {nearest}")
        }
        (all, _) if u128::from(record.looked_at) < all => {
            format!("stopped after {found} of {}", count(args.count, "boards"))
        }
        (all, _) if record.minimal || record.unique => format!(
            "as asked are {found} of {} of {moves}, and no more",
            count(all, "boards")
        ),
        (all, _) => format!(
            "there is no more than {} of {moves}, up to symmetry",
            count(all, "boards")
        ),
    }
}

/// The moves that a board was to take.
fn in_words(record: &MadeBoards) -> String {
    match record.least == record.most {
        true => count(record.least, "moves"),
        false => format!("{} to {}", record.least, count(record.most, "moves")),
    }
}

/// Boards next to each other as they are drawn, then one a line to copy.
fn text(record: &MadeBoards, library: &Library) -> String {
    let numbered = (1..).zip(&record.boards);
    let moves = record.boards.iter().flat_map(|made| &made.moves);
    let board = record.boards.first().map_or("", |made| &made.board);
    let drawing = Drawing::new(library, board, moves.map(String::as_str));
    let drawn = numbered
        .clone()
        .filter(|(_, made)| made.board.contains('/'));
    let mut text =
        drawing.abreast(drawn.map(|(number, made)| (format!("{number}."), &*made.board)));
    for (number, made) in numbered {
        let moves = count(made.length, "moves");
        text += &clean(&format!("{number:>3}. {moves:>9}  {}\n", made.board));
    }
    let filters = [(record.minimal, " minimal"), (record.unique, " unique")];
    let filters = filters.into_iter().filter(|(given, _)| *given);
    let filters: Vec<&str> = filters.map(|(_, word)| word).collect();
    let line = format!(
        "{} of {}{}, drawn from {} up to symmetry (seed {}); each was solved again on the rulebook",
        count(record.boards.len(), "boards"),
        in_words(record),
        match filters.join(" and") {
            none if none.is_empty() => none,
            filters => format!(", {}", filters.trim_start()),
        },
        output::grouped(record.drawn_from),
        record.run.seed
    );
    text + &output::prose(&line, 0) + "\n"
}
