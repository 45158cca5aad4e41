//! The figures behind claims of kind `derived`: counts of a board's pieces and strings,
//! arithmetic on what the seed prints, and walks by levels. One name, one small function.

mod checks;
mod counts;
mod seed;
mod walks;

use puzzle_api::{BadInput, Effort, Figure, Parameters, Request, Settings};

use crate::instances::{self, Instance};

/// Every name that [`fn@derive`] knows, with the parameters it takes. `board` is the name
/// of an instance, `metric` as in settings.
pub const NAMES: [(&str, &[&str]); 27] = [
    ("pieces", &["board"]),
    ("types", &["board"]),
    ("symbols", &["board"]),
    ("string-length", &["board"]),
    ("big-pieces", &["board"]),
    ("big-types", &["board"]),
    ("empty", &["board"]),
    ("huffman-bits", &["board"]),
    ("huffman-bytes", &["board"]),
    ("strings-fit", &["board"]),
    ("strings", &["board"]),
    ("placements", &["board"]),
    ("growth-table", &[]),
    ("growth", &[]),
    ("doubling", &[]),
    ("top-levels", &["unit"]),
    ("run-days", &[]),
    ("page", &[]),
    ("storage", &[]),
    ("length", &["board", "metric", "at-most"]),
    ("levels", &["board", "from", "to"]),
    ("neighbours", &["board", "figure"]),
    ("apart", &["board", "metric"]),
    ("twins", &["board", "metric"]),
    ("one-bucket", &["board"]),
    ("rate", &["board"]),
    ("complete", &["board", "metric", "figure"]),
];

/// Derives the figures of a name. One figure is called `value`; it is missing where the
/// effort does not reach it. Claims that hold or do not have the value `true` or `false`.
///
/// # Errors
/// An unknown name or parameter, or a value that does not fit, in one line.
pub fn derive(what: &str, parameters: &Settings, effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let parameters = Parameters::of("sliding-block", &NAMES, what, parameters)?;
    match what {
        "growth-table" => Ok(seed::growth_table()),
        "growth" => Ok(seed::growth()),
        "doubling" => Ok(seed::doubling()),
        "top-levels" => seed::top_levels(&parameters),
        "run-days" => Ok(seed::run_days()),
        "page" => Ok(seed::page()),
        "storage" => Ok(seed::storage()),
        "length" => walks::length(&parameters, effort),
        "levels" => walks::levels(&parameters, effort),
        "neighbours" => walks::neighbours(&parameters, effort),
        "apart" => checks::apart(&parameters),
        "twins" => checks::twins(&parameters, effort),
        "strings-fit" => checks::strings_fit(&parameters),
        "one-bucket" => walks::one_bucket(&parameters),
        "rate" => walks::rate(&parameters, effort),
        "complete" => walks::complete(&parameters, effort),
        "placements" => counts::placements(&parameters, effort),
        _ => counts::of_board(&parameters),
    }
}

/// The parameters of a derivation, with its name for error texts.
/// Levels beyond any board's.
const DEEPEST: u64 = u32::MAX as u64;

/// A depth.
fn depth(parameters: &Parameters<'_>, key: &str, default: u32) -> Result<u32, BadInput> {
    let depth = parameters.number(key, default.into(), 0..=DEEPEST)?;
    Ok(depth as u32)
}

/// A depth, if one is given.
fn bound(parameters: &Parameters<'_>, key: &str) -> Result<Option<u32>, BadInput> {
    let given = parameters.given(key);
    given.map(|_| depth(parameters, key, 0)).transpose()
}

/// The board, by default the seed's, and the metric.
fn instance(parameters: &Parameters<'_>) -> Result<Instance, BadInput> {
    let metric = parameters.text("metric", "piece").to_owned();
    instances::open(&Request {
        instance: parameters.text("board", "climb-pro-24"),
        settings: &Settings::from([("metric".to_owned(), metric)]),
    })
}

fn explained(value: impl ToString, explanation: impl Into<String>) -> Vec<Figure> {
    vec![
        Figure::new("value", value),
        Figure::new("explanation", explanation.into()),
    ]
}

/// What is reported without a value: the claim is then not reached.
fn not_reached(explanation: impl Into<String>) -> Vec<Figure> {
    vec![Figure::new("explanation", explanation.into())]
}

#[cfg(test)]
mod tests;
