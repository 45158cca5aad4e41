//! The figures behind claims of kind `derived`: counts by closed formulas or exact enumeration,
//! memory, and properties of the article's methods. Each name is one small function.

mod counts;
mod fonts;
mod methods;
mod ranks;

use puzzle_api::{BadInput, Effort, Figure, Parameters, Settings};

use crate::board::Shape;

/// Every name that [`fn@derive`] knows, with the type of its value and its parameters.
pub const NAMES: [(&str, &[&str]); 13] = [
    ("positions", &["=number:positions", "board=5x7|5x9"]),
    ("no-last-move", &["=number:positions", "board=5x7|5x9"]),
    (
        "memory",
        &[
            "=number:{unit}",
            "what=list-of-boards|byte-a-rank",
            "unit=GiB|GB",
        ],
    ),
    ("puzzles", &["=number:puzzles"]),
    ("glyphs", &["=holds"]),
    ("circles", &["=holds"]),
    ("rank-range", &["=holds"]),
    ("rank-convention", &["=holds"]),
    ("piece-ranks", &["=holds"]),
    ("lookup-rows", &["=text", "starts=0,2,4,6|0,2,4,5"]),
    ("lookup-join", &["=holds"]),
    ("popcnt", &["=number:times"]),
    ("path-back", &["=holds"]),
];

/// Derives the figures of a name. One figure is called `value`; claims that hold or do
/// not have the value `true` or `false`.
///
/// # Errors
/// An unknown name or parameter, or a value that does not fit, in one line.
pub fn derive(what: &str, parameters: &Settings, _effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let parameters = Parameters::of("coin-sliding", &NAMES, what, parameters)?;
    let mut figures = figures(&parameters)?;
    figures.push(Figure::new("instances", instances(&parameters)));
    Ok(figures)
}

/// The instances that a derivation is about.
fn instances<'a>(parameters: &Parameters<'a>) -> &'a str {
    match parameters.what() {
        "positions" | "no-last-move" => parameters.text("board", "5x7"),
        "memory" => match parameters.text("what", "") {
            "byte-a-rank" => "5x9",
            _ => "5x7",
        },
        "piece-ranks" | "popcnt" | "lookup-rows" | "lookup-join" => "5x9",
        "puzzles" | "glyphs" | "circles" => "5x7 5x9",
        _ => "",
    }
}

fn figures(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    match parameters.what() {
        "positions" => counts::positions(parameters),
        "no-last-move" => counts::no_last_move(parameters),
        "memory" => counts::memory(parameters),
        "puzzles" => Ok(fonts::puzzles()),
        "glyphs" => Ok(fonts::glyphs()),
        "circles" => Ok(fonts::circles()),
        "rank-range" => Ok(methods::rank_range()),
        "rank-convention" => Ok(methods::rank_convention()),
        "piece-ranks" => Ok(ranks::piece_ranks()),
        "popcnt" => Ok(ranks::popcnt()),
        "path-back" => Ok(methods::path_back()),
        "lookup-rows" => methods::lookup_rows(parameters),
        _ => Ok(methods::lookup_join()),
    }
}

/// A published board.
fn board<'a>(parameters: &Parameters<'a>) -> Result<(&'a str, Shape), BadInput> {
    let name = parameters.one_of("board")?;
    let shape = match name {
        "5x7" => Shape::SMALL,
        _ => Shape::LARGE,
    };
    Ok((name, shape))
}

fn explained(mut figures: Vec<Figure>, explanation: &str) -> Vec<Figure> {
    figures.push(Figure::new("explanation", explanation));
    figures
}

#[cfg(test)]
mod tests;
