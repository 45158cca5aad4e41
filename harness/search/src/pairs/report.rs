//! The files of a search over pairs: `pairs.csv`, `balls.csv`, `run.json` and a page.

use std::collections::BTreeMap;
use std::path::Path;

use antipode_reports::atomic::WriteError;
use antipode_reports::html::{Matrix, MatrixPage, write_matrix_page};
use antipode_reports::model::{Legend, Picture, PictureKind};
use antipode_reports::{csv_out, json_out};

use super::{BallRow, Length, Outcome, Row};

/// Writes all files of an outcome to a folder that exists.
///
/// # Errors
/// A file that cannot be written; nothing half-written stays.
pub fn write_files(folder: &Path, outcome: &Outcome, legend: Legend) -> Result<(), WriteError> {
    let pairs = outcome.rows.iter().map(pair_cells);
    csv_out::write_table(folder.join("pairs.csv"), PAIR_HEADER, pairs)?;
    let balls = outcome.balls.iter().map(ball_cells);
    csv_out::write_table(folder.join("balls.csv"), BALL_HEADER, balls)?;
    json_out::write_json(folder.join("run.json"), &outcome.run)?;
    write_matrix_page(folder.join("pairs.html"), &page(outcome, legend))
}

/// How many pairs have each length, and how many have none known.
#[must_use]
pub fn histogram(rows: &[Row]) -> BTreeMap<Option<u32>, usize> {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry(row.length.exactly()).or_insert(0) += 1;
    }
    counts
}

const PAIR_HEADER: [&str; 9] = [
    "from",
    "to",
    "length",
    "known",
    "forward_radius",
    "backward_radius",
    "meeting_state",
    "moves",
    "witness",
];

/// `length` is a number, `none` where there is no path, or empty where only a bound is
/// known; `known` says why. The witness is the states of a path, joined by blanks.
fn pair_cells(row: &Row) -> [String; 9] {
    let none = String::new;
    let (length, known, forward, backward) = match row.length {
        Length::Exactly {
            moves,
            forward,
            backward,
        } => {
            let radii = (forward.to_string(), backward.to_string());
            (moves.to_string(), "exactly".to_owned(), radii.0, radii.1)
        }
        Length::MoreThan {
            moves,
            forward,
            backward,
        } => {
            let radii = (forward.to_string(), backward.to_string());
            (none(), format!("more than {moves}"), radii.0, radii.1)
        }
        Length::Unreachable { closed } => {
            let known = format!("the {} ball is closed", closed.name());
            ("none".to_owned(), known, none(), none())
        }
    };
    [
        row.from.clone(),
        row.to.clone(),
        length,
        known,
        forward,
        backward,
        row.meeting.clone().unwrap_or_default(),
        row.moves.join("; "),
        row.path.join(" "),
    ]
}

const BALL_HEADER: [&str; 6] = ["name", "direction", "radius", "states", "digest", "closed"];

fn ball_cells(ball: &BallRow) -> [String; 6] {
    [
        ball.name.clone(),
        ball.direction.clone(),
        ball.radius.to_string(),
        ball.states.to_string(),
        ball.digest.clone(),
        ball.closed.to_string(),
    ]
}

/// Solutions drawn on the page.
const DRAWN: usize = 3;

fn page(outcome: &Outcome, legend: Legend) -> MatrixPage {
    let run = &outcome.run;
    MatrixPage {
        title: format!("{}/{}: shortest lengths", run.puzzle, run.instance),
        tool_version: run.tool_version.clone(),
        run: run.clone(),
        matrix: matrix(outcome),
        pictures: drawn(&outcome.rows),
        legend,
    }
}

fn matrix(outcome: &Outcome) -> Matrix {
    let mut cells = vec![vec![String::new(); outcome.to.len()]; outcome.from.len()];
    let place =
        |names: &[String]| -> BTreeMap<String, usize> { names.iter().cloned().zip(0..).collect() };
    let (from, to) = (place(&outcome.from), place(&outcome.to));
    for row in &outcome.rows {
        cells[from[&row.from]][to[&row.to]] = match row.length {
            Length::Exactly { moves, .. } => moves.to_string(),
            Length::MoreThan { moves, .. } => format!(">{moves}"),
            Length::Unreachable { .. } => "none".into(),
        };
    }
    Matrix {
        rows: outcome.from.clone(),
        columns: outcome.to.clone(),
        cells,
    }
}

/// The longest solution, one of middling length and the shortest.
fn drawn(rows: &[Row]) -> Vec<Picture> {
    let mut known: Vec<&Row> = rows.iter().filter(|row| !row.path.is_empty()).collect();
    known.sort_by_key(|row| (std::cmp::Reverse(row.path.len()), &row.from, &row.to));
    let last = known.len().saturating_sub(1);
    let mut at = vec![0, last / 2, last];
    at.dedup();
    let chosen = at.into_iter().take(DRAWN).filter_map(|i| known.get(i));
    chosen.map(|row| picture(row)).collect()
}

/// A path as a picture.
pub fn picture(row: &Row) -> Picture {
    Picture {
        caption: format!(
            "{} to {}: a shortest solution, {} moves",
            row.from,
            row.to,
            row.path.len().saturating_sub(1)
        ),
        kind: PictureKind::Strip {
            states: row.path.clone(),
            labels: row.moves.clone(),
        },
    }
}
