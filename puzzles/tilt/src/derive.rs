//! derive
use puzzle_api::{BadInput, Effort, Figure, Settings};
/// Derives.
///
/// # Errors
/// Unknown name.
pub fn derive(what: &str, _p: &Settings, _e: Effort) -> Result<Vec<Figure>, BadInput> {
    Err(BadInput::new(format!("tilt derives no '{what}'")))
}
