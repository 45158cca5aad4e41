//! Figures of claims that need no search.

use puzzle_api::{BadInput, Effort, Figure, Parameters, Puzzle, Settings};

use super::Rules;
use super::algebra::Stairs;

/// Every name that [`fn@derive`] knows, with the type of its value and its parameters.
///
/// For side 40, the matrix takes some seconds.
pub const NAMES: [(&str, &[&str]); 2] = [
    (
        "quiet",
        &[
            "=number:patterns",
            "side=0..40:5",
            "states=2|3|5|7",
            "torus=false|true",
        ],
    ),
    (
        "quiet-list",
        &[
            "=holds",
            "numbers=0..,41",
            "states=2|3|5|7",
            "torus=false|true",
        ],
    ),
];

/// Derives the figures of a name: the number of independent quiet patterns of a square board, or
/// whether a list of these numbers, for boards of side 0 and up, is right. The number of states of
/// a light is prime, so independent patterns are the basis of a space.
///
/// # Errors
/// An unknown name or parameter, or a value that does not fit, in one line.
pub fn derive(what: &str, parameters: &Settings, _effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let parameters = Parameters::of("lights-out", &NAMES, what, parameters)?;
    let torus = parameters.one_of("torus")? == "true";
    let states: u8 = parameters.one_of("states")?.parse().unwrap_or(2);
    let board = |side: usize| Rules {
        states,
        ..Rules::plain(side, side, torus)
    };
    let quiet = |side: usize| Stairs::new(board(side).presses(), states).quiet;
    if what == "quiet" {
        let side = parameters.number("side")? as usize;
        let quiet = quiet(side);
        let mut figures = vec![Figure::new("value", quiet.len())];
        let drawn = quiet.iter().filter(|_| side * side <= 64).zip(1..);
        figures.extend(drawn.map(|(pattern, nth)| {
            Figure::new(format!("quiet pattern {nth}"), board(side).draw(pattern))
        }));
        return Ok(figures);
    }
    let numbers = parameters.numbers("numbers")?;
    let found = (0..numbers.len()).map(|side| quiet(side).len() as u64);
    let wrong = found
        .zip(&numbers)
        .enumerate()
        .find(|(_, (found, given))| found != *given);
    let mut figures = vec![Figure::new("value", wrong.is_none())];
    if let Some((side, (found, given))) = wrong {
        let text =
            format!("the board of side {side} has {found} independent quiet patterns, not {given}");
        figures.push(Figure::new("explanation", text));
    }
    figures.push(Figure::new("all", numbers.len()));
    Ok(figures)
}
