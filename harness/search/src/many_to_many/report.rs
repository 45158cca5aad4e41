//! The files of a search over pairs: `pairs.csv`, `sides.csv`, `run.json` and a page.

use std::collections::BTreeMap;
use std::path::Path;

use antipode_reports::atomic::WriteError;
use antipode_reports::count;
use antipode_reports::html::{Matrix, matrix_html};
use antipode_reports::model::{Legend, PairRow, Picture, PictureKind, Unit};
use antipode_reports::results::Results;

use super::{Length, MeasuredPair, PairsOutcome};

/// Writes all files of an outcome to a folder that exists.
///
/// # Errors
/// A file that cannot be written; then no file is written.
pub fn write_files(
    folder: &Path,
    outcome: &PairsOutcome,
    legend: &Legend,
) -> Result<(), WriteError> {
    let pairs: Vec<PairRow> = outcome.rows.iter().map(pair_row).collect();
    let mut results = Results::new(folder, "pairs");
    results.rows(PAIRS_FILES[0], &pairs)?;
    results.rows(PAIRS_FILES[1], &outcome.sides)?;
    results.record(PAIRS_FILES[2], &outcome.run)?;
    let (matrix, pictures) = (matrix(outcome), drawn(outcome));
    let page = matrix_html(&outcome.run, &matrix, &pictures, legend);
    results.page(PAIRS_FILES[3], page)?;
    results.finish()
}

/// Files that [`write_files`] writes, apart from their manifest.
pub const PAIRS_FILES: [&str; 4] = ["pairs.csv", "sides.csv", "run.json", "pairs.html"];

/// The row of a pair.
fn pair_row(row: &MeasuredPair) -> PairRow {
    let (length, known, radii) = match row.length {
        Length::Exactly {
            moves,
            forward,
            backward,
        } => {
            let radii = Some((forward, backward));
            (moves.to_string(), "exactly".to_owned(), radii)
        }
        Length::MoreThan {
            moves,
            forward,
            backward,
        } => {
            let radii = Some((forward, backward));
            (String::new(), format!("more than {moves}"), radii)
        }
        Length::Unreachable { closed } => {
            let known = format!("the {} side is closed", closed.name());
            ("none".to_owned(), known, None)
        }
    };
    PairRow {
        from: row.from.clone(),
        to: row.to.clone(),
        length,
        known,
        forward_radius: radii.map(|radii| radii.0),
        backward_radius: radii.map(|radii| radii.1),
        meeting_state: row.meeting.clone(),
        moves: row.moves.clone(),
        witness: row.path.clone(),
    }
}

/// Number of solutions drawn on the page.
const DRAWN: usize = 3;

fn matrix(outcome: &PairsOutcome) -> Matrix {
    let mut cells = vec![vec![String::new(); outcome.to.len()]; outcome.from.len()];
    let place =
        |names: &[String]| -> BTreeMap<String, usize> { names.iter().cloned().zip(0..).collect() };
    let (from, to) = (place(&outcome.from), place(&outcome.to));
    for row in &outcome.rows {
        cells[from[&row.from]][to[&row.to]] = row.length.to_string();
    }
    Matrix {
        rows: outcome.from.clone(),
        columns: outcome.to.clone(),
        cells,
    }
}

/// The longest solution, one of medium length and the shortest.
fn drawn(outcome: &PairsOutcome) -> Vec<Picture> {
    let mut known: Vec<&MeasuredPair> = (outcome.rows.iter())
        .filter(|row| !row.path.is_empty())
        .collect();
    known.sort_by_key(|row| (std::cmp::Reverse(row.path.len()), &row.from, &row.to));
    let last = known.len().saturating_sub(1);
    let mut at = vec![0, last / 2, last];
    at.dedup();
    let chosen = at.into_iter().take(DRAWN).filter_map(|i| known.get(i));
    chosen.map(|row| picture(row, outcome.run.unit)).collect()
}

/// A path as a picture.
pub fn picture(row: &MeasuredPair, unit: Unit) -> Picture {
    Picture {
        caption: format!(
            "{} to {}: a shortest solution, {}",
            row.from,
            row.to,
            count(row.path.len().saturating_sub(1), unit.name())
        ),
        kind: PictureKind::Strip {
            states: row.path.clone(),
            labels: row.moves.clone(),
        },
    }
}
