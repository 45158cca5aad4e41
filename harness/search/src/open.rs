//! From an opened instance to a graph with keys of a known width.

use std::sync::Arc;

use crate::error::EngineError;
use antipode_graph::{Graph, Opened};
use puzzle_api::Key;

/// The typed graph of an opened instance.
///
/// # Errors
/// [`EngineError::CannotHold`] where the key has another width.
pub fn typed_graph<K: Key>(opened: Arc<Opened>) -> Result<Graph<K>, EngineError> {
    let words = opened.library.key_words();
    Graph::new(opened).ok_or_else(|| {
        EngineError::CannotHold(format!("keys of {words} words are not handled here"))
    })
}
