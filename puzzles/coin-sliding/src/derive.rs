//! The figures behind claims of kind `derived`. One name, one small function.

use puzzle_api::{BadInput, Effort, Figure, Settings};

/// Derives the figures of a name. One figure is called `value`.
///
/// # Errors
/// An unknown name, in one line.
pub fn derive(
    what: &str,
    _parameters: &Settings,
    _effort: Effort,
) -> Result<Vec<Figure>, BadInput> {
    match what {
        "positions" => Ok(vec![Figure::new(
            "value",
            puzzle_api::rank::binomial(35, 12),
        )]),
        other => Err(BadInput::new(format!("coin-sliding derives no '{other}'"))),
    }
}
