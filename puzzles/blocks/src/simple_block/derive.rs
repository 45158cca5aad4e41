//! The figures behind claims of kind `derived`: the number of boards, and the hardest of those that
//! begin in the upper left corner.

mod counts;
mod hardest;

use puzzle_api::{BadInput, Effort, Figure, Parameters, Settings};

use counts::Counter;

const BOARD: &str = "board=4x4|3x3|3x4|2x3|2x2";
const GOAL: &str = "goal=corner|edges";

/// Every name that [`fn@derive`] knows, with the type of its value and its parameters.
pub const NAMES: [(&str, &[&str]); 3] = [
    ("placements", &["=number", BOARD]),
    ("just-solved", &["=number:boards", BOARD, GOAL]),
    (
        "hardest",
        &[
            "=number|text:moves",
            BOARD,
            GOAL,
            "pieces=1..15,15",
            "begin=corner|edges|anywhere",
        ],
    ),
];

/// Derives the figures of a name. One figure is called `value`.
pub fn derive(what: &str, parameters: &Settings, _effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let parameters = Parameters::of("simple-block", &NAMES, what, parameters)?;
    let board = parameters.one_of("board")?;
    if what == "hardest" {
        // A record for each number of pieces.
        let mut pieces = parameters.numbers("pieces")?;
        if pieces.is_empty() {
            pieces.push(1);
        }
        let (begin, goal) = (parameters.one_of("begin")?, parameters.one_of("goal")?);
        let find = |pieces: u64| hardest::find(board, pieces, goal);
        let found = pieces
            .into_iter()
            .map(find)
            .collect::<Result<Vec<_>, _>>()?;
        return Ok(hardest::figures(&found, begin));
    }
    let side = |at: usize| usize::from(board.as_bytes()[at] - b'0');
    let mut counter = Counter::new(side(0), side(2));
    let value = match what {
        "placements" => counter.placements(),
        _ => counter.just_solved(parameters.one_of("goal")? == "corner"),
    };
    Ok(vec![Figure::new("value", value)])
}

#[cfg(test)]
mod tests;
