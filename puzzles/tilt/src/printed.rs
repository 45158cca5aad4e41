//! The functions printed in the thesis' appendix A.1, with their constants exactly as
//! printed, against the literal rulebook.
//!
//! The appendix packs a board into 50 bits, two per square (00 empty, 01 green, 10 blue, 11 grey).
//! `board_to_rows` takes the top row from the highest ten bits, and `b_row_to_array` the leftmost
//! square from the highest two of a row. So square (row, column) has bits 10 (4 - row) + 2 (4 -
//! column) and the next one.
//!
//! A finding is about the text as it was printed. If a constant differs from the right one by a
//! digit, it is called possibly a printing error. The program that gave the thesis' results need
//! not have had it.

mod code;
mod generator;
mod permutation;
mod rows;
mod search;
mod whole;

use puzzle_api::{BadInput, Figure};

pub(crate) use rows::{CELLS, example_predecessors};

/// The finding about one printed function: whether it does, as printed, what its comment says, and
/// the exact figures behind the verdict.
fn finding(holds: bool, figures: Vec<Figure>, explanation: impl ToString) -> Vec<Figure> {
    let (value, why) = (
        Figure::new("value", holds),
        Figure::new("explanation", explanation),
    );
    [vec![value], figures, vec![why]].concat()
}

/// The functions that can be checked, as [`Parameters`](puzzle_api::Parameters) declare them.
pub const FUNCTIONS: &str = "function=\
    transpose|mirr_v|reverse|b_row_to_array|move_b_row|move_bc_row|asserts|\
    table_init|solved|cartesian|gen-keep|gen-memory|successors|solve|\
    retrograde|retrograde-orbits";

/// Checks one printed function (milliseconds, the searches up to a second; `cartesian`,
/// `successors` and `solve` on a fixed sample of random boards, the others
/// exhaustively). The searches of the second half are tried with `transpose` and `mirr_v`
/// corrected.
pub fn check(function: &str) -> Result<Vec<Figure>, BadInput> {
    Ok(match function {
        "transpose" => permutation::transpose(),
        "mirr_v" => permutation::mirr_v(),
        "reverse" => rows::reverse(),
        "b_row_to_array" => rows::arrays(),
        "move_b_row" => rows::move_b_row(),
        "move_bc_row" => rows::move_bc_row(),
        "asserts" => permutation::asserts(),
        "table_init" => rows::table_init(),
        "solved" => search::solved(),
        "cartesian" => search::cartesian(),
        "gen-keep" => generator::generator(generator::Valid::Keeps),
        "gen-memory" => generator::generator(generator::Valid::Remembers),
        "successors" => whole::successors(),
        "solve" => whole::solve(),
        "retrograde" => whole::retrograde(false),
        "retrograde-orbits" => whole::retrograde(true),
        _ => return Err(BadInput::new(format!("no printed function '{function}'"))),
    })
}

#[cfg(test)]
mod tests;
