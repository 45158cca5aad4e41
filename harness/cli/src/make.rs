//! `antipode make`: boards that take a given number of moves, drawn from all there are, or chosen
//! from a file.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use puzzle_api::UNSOLVABLE;
use serde_json::json;

use antipode_check::analysis::Request;
use antipode_check::ask::{KnownDistance, PathRequest, Question};
use antipode_check::order::{BoardOrder, DrawnBoards};
use antipode_graph::{Library, clean};
use antipode_reports::count;
use antipode_reports::csv_out::write_rows_to;
use antipode_reports::html::cards_html;
use antipode_reports::json_out::record_text;
use antipode_reports::model::{BoardRow, MadeBoard, MadeBoards, MadeFrom};
use antipode_reports::results::Results;
use antipode_reports::svg::sheet_svg;
use antipode_search::engine::EngineOptions;
use antipode_search::limit::within;
use antipode_search::memory;
use antipode_search::outcome::StopReason;
use antipode_search::progress::{Stop, tell};
use antipode_search::record::legend;

use super::analyse::warn_of_program;
use super::boards::{Board, File, Kept};
use super::drawing::Drawing;
use super::options::{How, Target, compare_if_small, request, seconds, whole};
use super::picture;
use super::solve::boards as answers;
use super::{AS_EXPECTED, NOT_REACHED, output, results};

/// Arguments of `make`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// How many moves a board takes, such as 12 or 10..14 (both included). Every board of the
    /// instance that takes that many has the same chance; boards that symmetry turns into each
    /// other are one.
    #[arg(long, value_name = "N|A..B", value_parser = moves, required_unless_present = "board_file")]
    moves: Option<RangeInclusive<u16>>,
    #[command(flatten)]
    boards: File,
    /// How many boards to make.
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "board_file",
          value_parser = whole::<u32>(1..=100_000))]
    count: u32,
    /// Only boards of which no grey block (Tilt), or no car but the red one (Rush Hour), can be
    /// left out: without it, they take fewer moves or have no solution.
    #[arg(long)]
    minimal: bool,
    /// Only boards with a single shortest solution; moves to the same position count once.
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
    /// Resume a stopped run over a file with the same --out.
    #[arg(long, requires_all = ["out", "board_file"])]
    resume: bool,
    #[command(flatten)]
    force: output::Force,
    /// Also write a picture: a sheet of all boards.
    #[arg(long, value_name = "FILE.svg")]
    picture: Option<PathBuf>,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = MakeForm::Text)]
    format: MakeForm,
}

/// Form of printed boards.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum MakeForm {
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
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let mut base = request(&args.target, &args.how)?;
    compare_if_small(&mut base)?;
    base.options.memory = args.memory;
    let order = BoardOrder {
        moves: args.moves.clone().unwrap_or(0..=UNSOLVABLE - 1),
        count: args.count as usize,
        minimal: args.minimal,
        unique: args.unique,
    };
    let library = Arc::clone(&base.library);
    let each = PathRequest {
        settings: base.settings.clone(),
        variant: base.variant.clone(),
        engine: base.engine,
        options: EngineOptions {
            threads: base.threads,
            ..base.options.clone()
        },
        ..PathRequest::new(Arc::clone(&library), base.instance.clone())
    };
    let file = args.boards.read(&each)?;
    let request = match file {
        Some(_) => order.check_minimal(&base).map(|()| None)?,
        None => Some(order.request(base)?),
    };
    let canvas = picture::probe(args.picture.as_deref(), &library, args.force.given())?;
    let time = args.max_time.unwrap_or(Duration::MAX);
    let (record, why) = within(time, stop, |stop| match request {
        Some(request) => drawn(args, &order, request, stop),
        None => chosen(args, &order, (&each, &file.unwrap_or_default()), stop),
    })?;
    let mut out = output::stdout();
    let none = record.boards.is_empty();
    if none {
        output::remove_empty_folders();
    } else if let Some(canvas) = canvas {
        let boards = record.boards.iter().map(|made| made.board.as_str());
        canvas.write(args.target.name.clone(), |legend, style| {
            sheet_svg(boards, legend, style)
        })?;
    }
    match args.format {
        MakeForm::Json => write!(out, "{}", record_text(&record)?)?,
        MakeForm::Csv => write_rows_to(&mut out, &record.boards)?,
        MakeForm::Html | MakeForm::Text if none => {}
        MakeForm::Html => write!(out, "{}", cards_html(&record, &legend(&library.legend))?)?,
        MakeForm::Text => write!(results::out(), "{}", text(&record, &library))?,
    }
    let code = match &record.source {
        MadeFrom::Run(_) => AS_EXPECTED,
        MadeFrom::File(file) => answers::code(file),
    };
    if let Some(why) = &why {
        tell(format_args!("antipode: {}: {why}", args.target.name));
    }
    Ok(match code {
        AS_EXPECTED if why.is_some() => NOT_REACHED,
        code => code,
    })
}

/// Boards drawn from all there are, and why there are too few.
fn drawn(
    args: &Args,
    order: &BoardOrder,
    request: Request,
    stop: &Stop,
) -> Result<(MadeBoards, Option<String>)> {
    args.force.make_way(
        args.out.as_deref(),
        &NAMES,
        output::Begin::asked("make", args.resume),
    )?;
    let library = Arc::clone(&request.library);
    let unit = library.unit(&request.settings);
    let made = order.make(request, stop)?;
    warn_of_program(&library, &made.analysis.run);
    let levels = made.analysis.levels.levels.iter();
    let depth = |depth| u16::try_from(depth).is_ok_and(|depth| order.moves.contains(&depth));
    let asked_for = levels.filter(|level| depth(level.depth));
    let all = asked_for.map(|level| level.orbits).sum();
    let source = MadeFrom::Run(Box::new(made.analysis.run.clone()));
    let figures = (order.count as u64, all, made.looked_at as u64);
    let record = record(order, (source, unit), figures, made.boards.clone());
    if !record.boards.is_empty() {
        write_files(args, &record, &library)?;
    }
    let why = (made.boards.len() < order.count).then(|| short(&made, &record, args));
    Ok((record, why))
}

fn record(
    order: &BoardOrder,
    (source, unit): (MadeFrom, &str),
    (count, drawn_from, looked_at): (u64, u128, u64),
    boards: Vec<MadeBoard>,
) -> MadeBoards {
    MadeBoards {
        source,
        unit: unit.into(),
        least: (*order.moves.start()).into(),
        most: (*order.moves.end()).into(),
        count,
        minimal: order.minimal,
        unique: order.unique,
        drawn_from,
        looked_at,
        boards,
    }
}

/// A board of a file: its answer, and the board if it matches the request.
type Looked = (BoardRow, Option<MadeBoard>);

/// The boards of a file that match the request, and why there are none.
fn chosen(
    args: &Args,
    order: &BoardOrder,
    (base, boards): (&PathRequest, &[Board]),
    stop: &Stop,
) -> Result<(MadeBoards, Option<String>)> {
    let text = matches!(args.format, MakeForm::Text);
    let asked = json!({
        "moves": format!("{}..{}", order.moves.start(), order.moves.end()),
        "minimal": order.minimal,
        "unique": order.unique,
    });
    let kept = Kept::open(
        (args.out.as_deref(), args.resume),
        (&args.force, &NAMES),
        (base, boards),
        ("make", &asked),
    )?;
    let looked = looked(text, order, (base, boards, kept), stop)?;
    let (rows, made): (Vec<_>, Vec<_>) = looked.into_iter().unzip();
    let file = answers::record(boards.len(), rows);
    let figures = (file.boards, file.boards.into(), file.rows.len() as u64);
    let source = MadeFrom::File(Box::new(file));
    let unit = base.library.unit(&base.settings);
    let record = record(
        order,
        (source, unit),
        figures,
        made.into_iter().flatten().collect(),
    );
    if record.looked_at == record.count {
        write_files(args, &record, &base.library)?;
    }
    let none = record.boards.is_empty();
    let why = none.then(|| format!("no board of {} is as asked", record.looked_at));
    Ok((record, why))
}

/// Solves the boards of a file, and checks whether each matches the request.
fn looked(
    text: bool,
    order: &BoardOrder,
    (base, boards, kept): (&PathRequest, &[Board], Kept<Looked>),
    stop: &Stop,
) -> Result<Vec<Looked>> {
    let unit = base.library.unit(&base.settings);
    let mut last = None::<Question>;
    let find = |board: &Board| {
        let Some((mut row, known)) = answers::row(base, board, &mut last, stop)? else {
            return Ok(None);
        };
        let (KnownDistance::Exactly(_), Some(question)) = (known, &last) else {
            if let Some(moves) = row.length.take_if(|_| known != KnownDistance::Unsolvable) {
                row.outcome = "not-reached".to_owned();
                row.moves.clear();
                row.why = format!("no proof that {} are the fewest", count(moves, unit));
            }
            return Ok(Some((row, None)));
        };
        let accepted = order.accept(question, &board.request(base), &row.moves, stop);
        let accepted = accepted.with_context(|| format!("line {}", board.line))?;
        Ok(accepted.map(|made| (row, made)))
    };
    let is_final = |(row, _): &Looked| answers::is_decided(row);
    kept.each(boards, (!text, stop), is_final, find, |(row, _)| {
        answers::told(text, unit, row)
    })
}

fn write_files(args: &Args, record: &MadeBoards, library: &Library) -> Result<()> {
    let Some(folder) = &args.out else {
        return Ok(());
    };
    let mut results = Results::new(folder, "make");
    results.rows(NAMES[0], &record.boards)?;
    results.record(NAMES[1], record)?;
    results.page(NAMES[2], cards_html(record, &legend(&library.legend)))?;
    Ok(results.finish()?)
}

/// Why there are fewer boards than requested.
fn short(made: &DrawnBoards, record: &MadeBoards, args: &Args) -> String {
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
            "only {found} of {} of {moves} are as asked",
            count(all, "boards")
        ),
        (all, _) => format!(
            "no more than {} of {moves} exist, up to symmetry",
            count(all, "boards")
        ),
    }
}

/// The requested number of moves of a board.
fn in_words(record: &MadeBoards) -> String {
    match (record.least, record.most) {
        (least, most) if least == most => count(least, record.unit.name()),
        (0, most) if most + 1 == u32::from(UNSOLVABLE) => "any length".to_owned(),
        (least, most) => format!("{least} to {}", count(most, record.unit.name())),
    }
}

/// Boards next to each other as drawings, then one per line to copy.
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
        let moves = count(made.length, record.unit.name());
        text += &clean(&format!("{number:>3}. {moves:>9}  {}\n", made.board));
    }
    let filters = [(record.minimal, " minimal"), (record.unique, " unique")];
    let filters = filters.into_iter().filter(|(given, _)| *given);
    let filters: Vec<&str> = filters.map(|(_, word)| word).collect();
    let all = output::grouped(record.drawn_from);
    let line = format!(
        "{} of {}{}, {}",
        count(record.boards.len(), "boards"),
        in_words(record),
        match filters.join(" and") {
            none if none.is_empty() => none,
            filters => format!(", {}", filters.trim_start()),
        },
        match &record.source {
            MadeFrom::Run(run) => format!(
                "drawn from {all} up to symmetry (seed {}); each was solved again on the rulebook",
                run.seed
            ),
            MadeFrom::File(_) => format!("from {all} in the file"),
        }
    );
    text + &output::prose(&line, 0) + "\n"
}
