//! The figures behind claims of kind `derived`.

use puzzle_api::{BadInput, Effort, Figure, Settings};

/// Derives the figures of a name.
///
/// # Errors
/// An unknown name, in one line.
pub fn derive(
    what: &str,
    _parameters: &Settings,
    _effort: Effort,
) -> Result<Vec<Figure>, BadInput> {
    Err(BadInput::new(format!("peg-solitaire derives no '{what}'")))
}
