//! The figures behind claims of kind `derived`: counts of a board's pieces and strings, and
//! arithmetic on the seed's printed numbers. Each name is one small function.

mod checks;
mod counts;
mod seed;

use puzzle_api::{BadInput, Effort, Figure, Parameters, Request, Settings};

use crate::sliding_block::instances::{self, Instance};

const BOARD: &str = "board=<instance>:climb-pro-24";

/// Every name that [`fn@derive`] knows, with the type of its value and its parameters. `board` is
/// the name of an instance.
pub const NAMES: [(&str, &[&str]); 11] = [
    ("types", &["=number:types", BOARD]),
    ("big-types", &["=number:types", BOARD]),
    ("huffman-bits", &["=number:bits", BOARD]),
    ("strings-fit", &["=holds", BOARD]),
    ("steps-undone", &["=holds"]),
    ("strings", &["=number:positions", BOARD]),
    ("placements", &["=number:positions", BOARD]),
    ("growth-table", &["=holds"]),
    ("doubling", &["=number:levels"]),
    ("top-levels", &["=number:{unit}", "unit=TB|TiB"]),
    ("io-factor", &["=number:times"]),
];

/// Derives the figures of a name. One figure is called `value`; it is missing if the
/// effort does not reach it. Claims that hold or do not have the value `true` or `false`.
pub fn derive(what: &str, parameters: &Settings, effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let parameters = Parameters::of("sliding-block", &NAMES, what, parameters)?;
    let mut figures = figures(&parameters, effort)?;
    let instance = parameters.text("board", "climb-pro-24");
    figures.push(Figure::new("instances", instance));
    Ok(figures)
}

fn figures(parameters: &Parameters<'_>, effort: Effort) -> Result<Vec<Figure>, BadInput> {
    match parameters.what() {
        "growth-table" => Ok(seed::growth_table()),
        "doubling" => Ok(seed::doubling()),
        "top-levels" => seed::top_levels(parameters),
        "io-factor" => Ok(seed::io_factor()),
        "steps-undone" => checks::steps_undone(),
        "strings-fit" => checks::strings_fit(parameters),
        "placements" => counts::placements(parameters, effort),
        _ => counts::of_board(parameters),
    }
}

/// The board, by default the seed's.
fn instance(parameters: &Parameters<'_>) -> Result<Instance, BadInput> {
    instances::open(&Request {
        instance: parameters.text("board", "climb-pro-24"),
        settings: &Settings::new(),
    })
}

fn explained(value: impl ToString, explanation: impl Into<String>) -> Vec<Figure> {
    vec![
        Figure::new("value", value),
        Figure::new("explanation", explanation.into()),
    ]
}

/// The report without a value: the claim is then not reached.
fn not_reached(explanation: impl Into<String>) -> Vec<Figure> {
    vec![Figure::new("explanation", explanation.into())]
}

#[cfg(test)]
mod tests;
