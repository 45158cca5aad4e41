//! From an opened instance to a graph whose keys have a known width: the only place that chooses
//! the width.

use std::sync::Arc;

use crate::error::{EngineError, Result};
use antipode_graph::{Graph, Library, Opened};
use puzzle_api::Key;

/// The typed graph of an opened instance.
///
/// # Errors
/// [`EngineError::CannotHold`] if the keys have another width.
pub fn typed_graph<K: Key>(opened: Arc<Opened>) -> Result<Graph<K>> {
    let library = Arc::clone(&opened.library);
    Graph::new(opened).ok_or_else(|| {
        let words = library.key_words();
        EngineError::CannotHold(format!("keys of {words} words are not handled here"))
    })
}

/// Work that is written once for keys of any width.
pub trait AnyWidth {
    /// The result of the work.
    type Output;

    /// Does the work with keys of one width.
    fn with<K: Key>(self) -> Self::Output;
}

/// Does work with keys of a library's width.
pub fn with_keys_of<W: AnyWidth>(library: &Library, work: W) -> W::Output {
    match library.key_words() {
        1 => work.with::<u64>(),
        _ => work.with::<u128>(),
    }
}
