//! The figures behind claims of kind `derived`. Each name is one small function.

mod boards;
mod functions;
mod layouts;
mod methods;

use puzzle_api::{BadInput, Effort, Figure, Parameters, Request, Settings};

use crate::instances::{self, Instance};

/// Every name that [`fn@derive`] knows, with the type of its value and its parameters.
pub const NAMES: [(&str, &[&str]); 10] = [
    (
        "game-over",
        &[
            "=holds",
            "board=<instance>:diamond-41",
            "from",
            "figure=if|only-if",
        ],
    ),
    (
        "solution",
        &[
            "=number|text:{figure=jumps|moves|}",
            "name=thill|bergholt",
            "figure=jumps|moves|finish",
        ],
    ),
    (
        "layout",
        &[
            "=number|holds:{figure=||bits}",
            "board=<instance>:diamond-41",
            "right=1..63:10",
            "up=1..63:1",
            "figure=jumps|boundary|boundary-bits",
        ],
    ),
    (
        "move-formula",
        &[
            "=holds",
            "board=<instance>:diamond-41",
            "seed=0..:1",
            "count=1..10000000:20000",
        ],
    ),
    ("undo", &["=holds", "board=<instance>:diamond-41"]),
    ("bit-count", &["=holds", "board=<instance>:diamond-41"]),
    (
        "hash",
        &["=holds", "seed=0..:1", "count=1..10000000:100000"],
    ),
    (
        "table-index",
        &[
            "=holds",
            "board=<instance>:diamond-41",
            "figure=remainder|shared",
        ],
    ),
    (
        "search-gain",
        &[
            "=number:times",
            "board=<instance>:diamond-41",
            "from",
            "method=order|table|symmetry|five-left|zobrist",
            "most=1..100000000:300000",
        ],
    ),
    ("two-boards", &["=holds", "board=<instance>:diamond-41"]),
];

/// Derives the figures of a name. One figure is called `value`; claims that hold or do
/// not have the value `true` or `false`.
pub fn derive(what: &str, parameters: &Settings, _effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let parameters = Parameters::of("peg-solitaire", &NAMES, what, parameters)?;
    let mut figures = figures(&parameters)?;
    let instance = match (what, parameters.text("name", "thill")) {
        ("solution", "bergholt") => "english-33",
        ("solution", _) => "diamond-41",
        _ => parameters.text("board", "diamond-41"),
    };
    figures.push(Figure::new("instances", instance));
    Ok(figures)
}

fn figures(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    match parameters.what() {
        "game-over" => boards::game_over(parameters),
        "solution" => boards::solution(parameters),
        "layout" => layouts::layout(parameters),
        "move-formula" => layouts::move_formula(parameters),
        "undo" => layouts::undo(parameters),
        "bit-count" => functions::bit_count(parameters),
        "hash" => functions::hash(parameters),
        "search-gain" => methods::search_gain(parameters),
        "two-boards" => methods::two_boards(parameters),
        _ => functions::table_index(parameters),
    }
}

/// The named board's instance, with `from` and `to` if given. The default is the diamond of 41
/// holes.
fn instance(parameters: &Parameters<'_>) -> Result<Instance, BadInput> {
    let given = |key: &str| Some((key.to_owned(), parameters.given(key)?.to_owned()));
    let settings: Settings = ["from", "to"].into_iter().filter_map(given).collect();
    instances::open(&Request {
        instance: parameters.text("board", "diamond-41"),
        settings: &settings,
    })
}

fn explained(mut figures: Vec<Figure>, explanation: impl ToString) -> Vec<Figure> {
    figures.push(Figure::new("explanation", explanation));
    figures
}

#[cfg(test)]
mod tests;
