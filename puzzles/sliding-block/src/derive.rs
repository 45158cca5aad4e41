//! The figures behind claims of kind `derived`.

use puzzle_api::{BadInput, Effort, Figure, Settings};

/// Derives the figures of a name. One figure is called `value`.
///
/// # Errors
/// An unknown name or parameter, or a value that does not fit, in one line.
pub fn derive(what: &str, _: &Settings, _: Effort) -> Result<Vec<Figure>, BadInput> {
    Err(BadInput::new(format!("sliding-block derives no '{what}'")))
}
