//! `solve --boards FILE`: an answer a board, resumable.

use std::io::Write;
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result, bail};
use puzzle_api::Key;
use serde_json::json;

use antipode_check::ask::{self, PathReport, PathRequest, Question};
use antipode_graph::one_line;
use antipode_reports::count;
use antipode_reports::csv_out::write_rows_to;
use antipode_reports::json_out::{read_record, record_text};
use antipode_reports::model::{BoardRow, Boards, unix_seconds};
use antipode_reports::results::Results;
use antipode_search::engines::EngineError;
use antipode_search::machine;
use antipode_search::outcome::Outcome;
use antipode_search::progress::{Progress, Stop, note};
use antipode_search::work::{self, Place, Start, WorkFolder, begun};

use super::answer::outcome;
use super::{AS_EXPECTED, Args, Form, NOT_REACHED, output};
use crate::UNEXPECTED;
use crate::boards::{Board, Given};
use crate::finished::finished;

/// Files of the answers.
pub(super) const NAMES: [&str; 2] = ["boards.csv", "boards.json"];
/// Kind of a piece in the journal: the number of a board, and its row.
const PIECE: &str = "board";

/// Answers all boards of a file, and returns the exit code.
pub(super) fn run(args: &Args, base: &PathRequest, boards: &[Board], stop: &Stop) -> Result<u8> {
    if args.finder.works_in_folder() && !args.finder.only_resumes() {
        bail!(
            "solve --boards keeps its finished boards in --out: leave out --work and the options of several processes"
        );
    }
    let journal = args.out.as_ref().map(|folder| {
        output::make_folder(folder)?;
        args.force.probe(folder, &NAMES)?;
        if base.means.resume && !begun(folder) {
            let all = |record: &serde_json::Value| record["boards"].is_u64();
            if finished(folder, NAMES[1], all)?.is_some() {
                return Ok(Err(read_record::<Boards>(folder.join(NAMES[1]))?));
            }
        }
        Ok::<_, anyhow::Error>(Ok(journal(folder, base, boards)?))
    });
    let (folder, done) = match journal.transpose()? {
        Some(Err(record)) => {
            record
                .rows
                .iter()
                .try_for_each(|row| told(args.format, row))?;
            return print(args.format, &record);
        }
        Some(Ok((folder, done))) => (Some(folder), done),
        None if base.means.resume => {
            bail!("solve --boards --resume continues from a folder: name it with --out")
        }
        None => (None, Vec::new()),
    };
    let rows = match base.library.key_words() {
        1 => rows::<u64>(args.format, base, (boards, done), folder.as_ref(), stop)?,
        _ => rows::<u128>(args.format, base, (boards, done), folder.as_ref(), stop)?,
    };
    let record = Boards {
        tool_version: env!("CARGO_PKG_VERSION").into(),
        host: machine::host(),
        command: machine::command_line(),
        inputs: machine::inputs(),
        finished_unix_s: unix_seconds(SystemTime::now()),
        boards: boards.len() as u64,
        rows,
    };
    let stopped = record.rows.len() < boards.len();
    if let (Some(out), false) = (&args.out, stopped) {
        let mut results = Results::new(out, "solve");
        results.rows(NAMES[0], &record.rows)?;
        results.record(NAMES[1], &record)?;
        results.finish()?;
        drop(folder);
        // What is not decided may be with more time.
        if record.rows.iter().all(|row| row.outcome != "not-reached") {
            work::clear(out, false)?;
        }
    }
    print(args.format, &record)
}

/// Opens the journal in a folder, and returns the rows that are there.
fn journal(
    folder: &std::path::Path,
    base: &PathRequest,
    boards: &[Board],
) -> Result<(WorkFolder, Vec<Option<BoardRow>>)> {
    let all: Vec<_> = boards
        .iter()
        .map(|board| {
            (
                board.line,
                &board.placed.instance,
                &board.placed.settings,
                &board.placed.from,
            )
        })
        .collect();
    let all = serde_json::to_string(&all)?;
    let identity = json!({
        "verb": "solve --boards",
        "tool": env!("CARGO_PKG_VERSION"),
        "puzzle": base.library.name,
        "puzzle_version": base.library.version,
        "plugin": base.library.source.named().map(|(_, blake3)| blake3),
        "boards": format!("{:016x}", xxhash_rust::xxh3::xxh3_64(all.as_bytes())),
        "variant": base.variant,
        "engine": base.engine.map(|engine| engine.name()),
        "to": base.to,
    });
    let place = Place {
        path: folder.to_owned(),
        option: "--out",
        start: match base.means.resume {
            true => Start::Resume,
            false => Start::Over,
        },
    };
    let (folder, pieces) = WorkFolder::open(&place, &identity)?;
    let mut done = vec![None; boards.len()];
    for (at, row) in pieces
        .iter()
        .filter_map(|piece| piece.read::<(usize, BoardRow)>(PIECE))
    {
        if let Some(slot) = done.get_mut(at) {
            *slot = Some(row);
        }
    }
    Ok((folder, done))
}

/// A row for each board, until a stop is requested.
fn rows<K: Key>(
    format: Form,
    base: &PathRequest,
    (boards, done): (&[Board], Vec<Option<BoardRow>>),
    folder: Option<&WorkFolder>,
    stop: &Stop,
) -> Result<Vec<BoardRow>> {
    let progress = Progress::shown(format != Form::Text, "boards", boards.len() as u64, stop);
    let (mut rows, mut last) = (Vec::with_capacity(boards.len()), None::<Question<K>>);
    let mut done = done.into_iter();
    for (at, board) in boards.iter().enumerate() {
        let known = done.next().flatten();
        if known.is_none() && stop.requested() {
            break;
        }
        let row = match known {
            Some(row) => row,
            None => {
                let mut request = board.request(base);
                request.means.resume = false;
                request.means.show_progress = false;
                let row = row(&request, board, &mut last, stop);
                let row = row.with_context(|| format!("line {}", board.line))?;
                // If the search was cut short by the stop, it is not the board's answer.
                if row.outcome == "not-reached" && stop.requested() {
                    break;
                }
                if let Some(folder) = folder.filter(|_| row.outcome != "not-reached") {
                    folder.finish_in_passing(PIECE, &(at, &row))?;
                }
                row
            }
        };
        told(format, &row)?;
        progress.parts(1);
        rows.push(row);
    }
    Ok(rows)
}

/// The question of a board: in the instance that is opened, if it belongs there.
fn question<K: Key>(
    request: &PathRequest,
    last: &mut Option<Question<K>>,
) -> Result<(), EngineError> {
    let same = last.as_ref().filter(|last| {
        let opened = &last.graph.opened;
        request.to.is_none()
            && (&opened.instance, &opened.settings) == (&request.instance, &request.settings)
    });
    let next = match (same, &request.from) {
        (Some(same), Some(text)) => Question {
            graph: same.graph.clone(),
            start: antipode_check::board::read(&same.graph, text)?,
            goal: same.goal,
            goal_by_rules: same.goal_by_rules,
        },
        _ => ask::question(request)?,
    };
    *last = Some(next);
    Ok(())
}

fn row<K: Key>(
    request: &PathRequest,
    board: &Board,
    last: &mut Option<Question<K>>,
    stop: &Stop,
) -> Result<BoardRow, EngineError> {
    let clock = Instant::now();
    question(request, last)?;
    let Some(question) = &*last else {
        return Err(EngineError::CannotHold("no question".to_owned()));
    };
    let given = board.given.map_or(String::new(), Given::word);
    let mut row = BoardRow {
        line: board.line,
        instance: question.graph.opened.full_name(),
        board: question.graph.draw(question.start)?,
        outcome: "not-reached".to_owned(),
        length: None,
        given,
        ruling: String::new(),
        moves: Vec::new(),
        why: String::new(),
        wall_s: 0.0,
    };
    match ask::path_of(question, request, stop) {
        // Too little memory for one board may be enough for the others.
        Err(error @ (EngineError::Memory(_) | EngineError::Disk(_))) => {
            row.why = one_line(&error.to_string());
        }
        Err(error) => return Err(error),
        Ok(report) => fill(&mut row, board, &report)?,
    }
    row.wall_s = clock.elapsed().as_secs_f64();
    Ok(row)
}

fn fill(row: &mut BoardRow, board: &Board, report: &PathReport) -> Result<(), EngineError> {
    row.outcome = outcome(report).to_owned();
    row.length = report.length().map(|moves| moves as u64);
    let right = board
        .given
        .and_then(|given| given.is_right(report.known(), row.length));
    row.ruling = right
        .map_or("", |right| if right { "right" } else { "wrong" })
        .to_owned();
    row.moves = report.moves.clone();
    row.why = report.summary.clone();
    match &report.kept {
        Some(folder) if !matches!(report.outcome, Outcome::Levels) => work::clear(folder, true),
        _ => Ok(()),
    }
}

/// Prints a row, if people read.
fn told(format: Form, row: &BoardRow) -> Result<()> {
    if format != Form::Text {
        return Ok(());
    }
    let found = match (row.outcome.as_str(), row.length) {
        ("path", Some(moves)) => count(moves, "moves"),
        ("impossible", _) => "no solution".to_owned(),
        _ => format!("not decided: {}", row.why),
    };
    let given = match (row.ruling.as_str(), &row.given) {
        ("right", _) => ", as given".to_owned(),
        ("wrong", given) => format!(", and not {given} as given"),
        _ => String::new(),
    };
    writeln!(
        output::stdout(),
        "line {}: {found}{given}: {} {}",
        row.line,
        row.instance,
        row.board
    )?;
    Ok(())
}

/// Prints what is left to print, and returns the exit code.
fn print(format: Form, record: &Boards) -> Result<u8> {
    let mut out = output::stdout();
    let rows = &record.rows;
    let of = |outcome: &str| rows.iter().filter(|row| row.outcome == outcome).count();
    let ruled = |ruling: &str| rows.iter().filter(|row| row.ruling == ruling).count();
    let (right, wrong) = (ruled("right"), ruled("wrong"));
    let left = record.boards as usize - rows.len();
    match format {
        Form::Json => write!(out, "{}", record_text(record)?)?,
        Form::Csv => write_rows_to(&mut out, rows)?,
        Form::Text => {
            let lengths = match right + wrong {
                0 => String::new(),
                all => format!("; {wrong} of {} wrong", count(all, "given lengths")),
            };
            writeln!(
                out,
                "{}: {} solved, {} without a solution, {} not decided{lengths}",
                count(rows.len(), "boards"),
                of("path"),
                of("impossible"),
                of("not-reached")
            )?;
        }
    }
    if left > 0 {
        note(format_args!(
            "stopped: {left} of {} not asked; with --out, --resume continues",
            count(record.boards, "boards")
        ));
    }
    Ok(match (wrong, left + of("not-reached")) {
        (1.., _) => UNEXPECTED,
        (0, 1..) => NOT_REACHED,
        (0, 0) => AS_EXPECTED,
    })
}
