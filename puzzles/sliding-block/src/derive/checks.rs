//! Statements that hold of a whole board or do not, on boards small enough to try all.

use puzzle_api::{BadInput, Figure, Parameters};

use super::{explained, instance, not_reached};
use crate::placements::placements;

/// Most strings that are tried.
const MOST: usize = 500_000;

/// Whether every string of symbols stands for one position at most, and every way to place
/// the pieces has one: all strings are tried, and those that fit are counted.
pub(super) fn strings_fit(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let board = instance(parameters)?.board;
    let total = board.alphabet.total();
    if total > MOST as u128 {
        return Ok(not_reached(format!(
            "The board has {total} strings; at most {MOST} are tried."
        )));
    }
    let (mut fit, mut wrong) = (0_u128, 0);
    for rank in 0..total {
        let string = board.alphabet.unrank(rank);
        if let Some(cells) = board.cells_of_string(&string) {
            fit += 1;
            wrong += u64::from(board.string(&cells) != string);
        }
    }
    let Some(ways) = placements(&board, MOST) else {
        return Ok(not_reached("Too many ways to place the pieces to count."));
    };
    let mut figures = explained(
        wrong == 0 && fit == ways,
        "All strings tried; those that fit, against the ways to place the pieces, counted \
         without strings.",
    );
    figures.push(Figure::new("strings", total));
    figures.push(Figure::new("strings_that_fit", fit));
    figures.push(Figure::new("placements", ways));
    Ok(figures)
}
