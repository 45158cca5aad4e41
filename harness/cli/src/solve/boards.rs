//! `solve --boards FILE`: an answer per board, resumable.

use std::io::Write;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::json;

use antipode_check::ask::{self, KnownDistance, PathReport, PathRequest, Question};
use antipode_graph::one_line;
use antipode_reports::count;
use antipode_reports::csv_out::write_rows_to;
use antipode_reports::json_out::record_text;
use antipode_reports::model::{BoardRow, Boards};
use antipode_reports::results::Results;
use antipode_search::engines::EngineError;
use antipode_search::machine;
use antipode_search::outcome::Outcome;
use antipode_search::progress::{Stop, note};
use antipode_search::work;

use super::answer::outcome;
use super::{AS_EXPECTED, Args, NOT_REACHED, SolveForm, output};
use crate::UNEXPECTED;
use crate::boards::{Board, Kept, word};
use crate::output::told;

/// Files of the answers.
const NAMES: [&str; 2] = ["boards.csv", "boards.json"];

/// Answers all boards of a file, and returns the exit code.
pub(super) fn run(args: &Args, base: &PathRequest, boards: &[Board], stop: &Stop) -> Result<u8> {
    if args.finder.works_in_folder() && !args.finder.only_resumes() {
        bail!(
            "solve --boards keeps its finished boards in --out: leave out --work and the options of several processes"
        );
    }
    check(base, boards)?;
    let text = args.format == SolveForm::Text;
    let kept = Kept::open(
        (args.out.as_deref(), base.options.resume),
        (&args.force, &NAMES),
        (base, boards),
        ("solve", &json!({ "to": base.to })),
    )?;
    let rows = rows(text, base, (boards, kept), stop)?;
    let record = record(boards.len(), rows);
    if let (Some(out), 0) = (&args.out, left(&record)) {
        let mut results = Results::new(out, "solve");
        results.rows(NAMES[0], &record.rows)?;
        results.record(NAMES[1], &record)?;
        results.finish()?;
    }
    print(args.format, &record)
}

/// Refuses, before any board is asked, what none can be asked, and an option that the engine of
/// one does not take.
fn check(base: &PathRequest, boards: &[Board]) -> Result<()> {
    let (mut refused, mut some) = (None, false);
    for board in boards {
        let place = || format!("line {}", board.line);
        match ask::planned(&alone(base, board)) {
            Err(error @ EngineError::NotTaken(_)) => return Err(error).with_context(place),
            Err(error) => {
                refused.get_or_insert_with(|| anyhow!(error).context(place()));
            }
            Ok(_) => some = true,
        }
        if some && base.options.given().is_empty() {
            return Ok(());
        }
    }
    refused.filter(|_| !some).map_or(Ok(()), Err)
}

/// The record of answers.
pub(crate) fn record(boards: usize, rows: Vec<BoardRow>) -> Boards {
    Boards {
        made: machine::provenance(),
        boards: boards as u64,
        rows,
    }
}

/// Whether nothing is left to find for a board.
pub(crate) fn is_decided(row: &BoardRow) -> bool {
    row.outcome != "not-reached"
}

fn rows(
    text: bool,
    base: &PathRequest,
    (boards, kept): (&[Board], Kept<BoardRow>),
    stop: &Stop,
) -> Result<Vec<BoardRow>> {
    let mut last = None::<Question>;
    let find = |board: &Board| Ok(row(base, board, &mut last, stop)?.map(|(row, _)| row));
    let unit = base.library.unit(&base.settings);
    kept.each(boards, (!text, stop), is_decided, find, |row| {
        told(text, unit, row)
    })
}

/// The question of a board by itself: what is resumed and shown is the run of all.
fn alone(base: &PathRequest, board: &Board) -> PathRequest {
    let mut request = board.request(base);
    request.options.resume = false;
    request.options.show_progress = false;
    request
}

/// The question of a board: in the instance that is opened, if it belongs there.
fn question(request: &PathRequest, last: &mut Option<Question>) -> Result<(), EngineError> {
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

/// The answer for a board, with the known bounds on its length; `None` if a stop came first.
pub(crate) fn row(
    base: &PathRequest,
    board: &Board,
    last: &mut Option<Question>,
    stop: &Stop,
) -> Result<Option<(BoardRow, KnownDistance)>> {
    let found = answer(&alone(base, board), board, last, stop);
    let found = found.with_context(|| format!("line {}", board.line))?;
    // If the search was cut short by the stop, it is not the board's answer.
    Ok(Some(found).filter(|(row, _)| is_decided(row) || !stop.requested()))
}

fn answer(
    request: &PathRequest,
    board: &Board,
    last: &mut Option<Question>,
    stop: &Stop,
) -> Result<(BoardRow, KnownDistance), EngineError> {
    let clock = Instant::now();
    question(request, last)?;
    let Some(question) = &*last else {
        return Err(EngineError::CannotHold("no question".to_owned()));
    };
    let mut known = KnownDistance::AtLeast(0);
    let given = board.given.map_or(String::new(), word);
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
        // What is too much for one board may be enough for the others.
        Err(
            error @ (EngineError::Memory(_)
            | EngineError::Disk(_)
            | EngineError::TooDeep(_)
            | EngineError::CannotHold(_)),
        ) => row.why = one_line(&error.to_string()),
        Err(error) => return Err(error),
        Ok(report) => {
            known = report.known();
            fill(&mut row, board, &report)?;
        }
    }
    row.wall_s = clock.elapsed().as_secs_f64();
    Ok((row, known))
}

fn fill(row: &mut BoardRow, board: &Board, report: &PathReport) -> Result<(), EngineError> {
    row.outcome = outcome(report).to_owned();
    row.length = report.length().map(|moves| moves as u64);
    let right = board.ruling(report.known(), row.length);
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
pub(crate) fn told(text: bool, unit: &str, row: &BoardRow) -> Result<()> {
    if !text {
        return Ok(());
    }
    let found = match (row.outcome.as_str(), row.length) {
        ("path", Some(moves)) => count(moves, unit),
        ("impossible", _) => "no solution".to_owned(),
        _ => format!("not decided: {}", row.why),
    };
    let given = match (row.ruling.as_str(), &row.given) {
        ("right", _) => ", as given".to_owned(),
        ("wrong", given) => format!(", and not {given} as given"),
        _ => String::new(),
    };
    told!(
        output::stdout(),
        "line {}: {found}{given}: {} {}",
        row.line,
        row.instance,
        row.board
    )?;
    Ok(())
}

/// Prints the rest, and returns the exit code.
fn print(format: SolveForm, record: &Boards) -> Result<u8> {
    let mut out = output::stdout();
    let rows = &record.rows;
    let of = |outcome: &str| rows.iter().filter(|row| row.outcome == outcome).count();
    let ruled = |ruling: &str| rows.iter().filter(|row| row.ruling == ruling).count();
    let (right, wrong) = (ruled("right"), ruled("wrong"));
    match format {
        SolveForm::Json => write!(out, "{}", record_text(record)?)?,
        SolveForm::Csv => write_rows_to(&mut out, rows)?,
        SolveForm::Text => {
            let lengths = match right + wrong {
                0 => String::new(),
                all => format!("; {wrong} of {} wrong", count(all, "lengths given")),
            };
            told!(
                out,
                "{}: {} solved, {} without a solution, {} not decided{lengths}",
                count(rows.len(), "boards"),
                of("path"),
                of("impossible"),
                of("not-reached")
            )?;
        }
    }
    Ok(code(record))
}

/// Boards that were not solved, since a stop was requested.
fn left(record: &Boards) -> usize {
    record.boards as usize - record.rows.len()
}

/// The exit code of answers; the number of missing ones goes to stderr.
pub(crate) fn code(record: &Boards) -> u8 {
    let left = left(record);
    if left > 0 {
        note(format_args!(
            "stopped: {} of {} not asked; with --out, --resume continues",
            output::grouped(left),
            count(record.boards, "boards")
        ));
    }
    let open = not_judged(&record.rows);
    if open > 0 {
        note(format_args!(
            "{} given not judged: no proof that the paths found are shortest; use --engine reference",
            count(open as u64, "lengths")
        ));
    }
    if record.rows.iter().any(|row| row.ruling == "wrong") {
        UNEXPECTED
    } else if left > 0 || open > 0 || !record.rows.iter().all(is_decided) {
        NOT_REACHED
    } else {
        AS_EXPECTED
    }
}

/// Lengths given with boards that the paths found neither confirm nor refute.
fn not_judged(rows: &[BoardRow]) -> usize {
    let open = |row: &&BoardRow| !row.given.is_empty() && row.ruling.is_empty();
    let open = rows.iter().filter(open);
    open.filter(|row| row.outcome == "path").count()
}

#[cfg(test)]
mod tests {
    use super::{BoardRow, not_judged};

    #[test]
    fn only_the_length_of_a_path_that_was_found_is_not_judged() {
        for (outcome, given, ruling, open) in [
            ("path", "9", "", 1),
            ("path", "9", "right", 0),
            ("path", "", "", 0),
            ("not-reached", "9", "", 0),
        ] {
            let row = BoardRow {
                line: 1,
                instance: "hanoi/3-3".into(),
                board: String::new(),
                outcome: outcome.into(),
                length: None,
                given: given.into(),
                ruling: ruling.into(),
                moves: Vec::new(),
                why: String::new(),
                wall_s: 0.0,
            };
            assert_eq!(not_judged(&[row]), open, "{outcome} {given} {ruling}");
        }
    }
}
