//! From an opened instance to a graph whose keys have a known width: the only place that chooses
//! the width.

use std::sync::Arc;

use crate::error::{EngineError, Result};
use antipode_graph::ledger::{Function, Input};
use antipode_graph::{Capabilities, Graph, Library, Opened, PluginError};
use puzzle_api::{Direction, Key};

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

/// A graph whose keys are numbers, whatever their width, for callers that use single states.
pub trait AnyGraph: Send + Sync {
    /// The opened instance.
    fn opened(&self) -> &Arc<Opened>;

    /// The states from which a search begins.
    fn roots(&self, direction: Direction, part: u64) -> Result<Vec<u128>, PluginError>;

    /// Number of ranks of a part; `None` without a numbering.
    fn space(&self, part: u64) -> Result<Option<u64>, PluginError>;

    /// The state with a rank.
    fn unrank(&self, part: u64, rank: u64) -> Result<Option<u128>, PluginError>;

    /// Reads a state.
    ///
    /// # Errors
    /// [`PluginError`] for a text that is no state.
    fn parse(&self, text: &str) -> Result<u128, PluginError>;

    /// A state as text.
    fn draw(&self, key: u128) -> Result<String, PluginError>;

    /// Names that states have.
    fn names(&self) -> Result<Vec<String>, PluginError>;

    /// Repeats a question whose answer was recorded.
    fn ask_again(
        &self,
        function: Function,
        inputs: &[Input],
        text: Option<&str>,
    ) -> Result<(), PluginError>;
}

impl dyn AnyGraph + '_ {
    /// Whether the instance offers a capability.
    pub fn has(&self, capability: Capabilities) -> bool {
        self.opened().offers(capability)
    }

    /// The first state from which a search forward begins, or a backward search from the solved
    /// states.
    pub fn first_root(&self, direction: Direction) -> Option<u128> {
        self.roots(direction, 0).ok()?.first().copied()
    }
}

impl<K: Key> AnyGraph for Graph<K> {
    fn opened(&self) -> &Arc<Opened> {
        &self.opened
    }

    fn roots(&self, direction: Direction, part: u64) -> Result<Vec<u128>, PluginError> {
        let roots = self.roots(direction, part)?;
        Ok(roots.into_iter().map(K::to_u128).collect())
    }

    fn space(&self, part: u64) -> Result<Option<u64>, PluginError> {
        self.space(part)
    }

    fn unrank(&self, part: u64, rank: u64) -> Result<Option<u128>, PluginError> {
        let mut keys: Vec<K> = Vec::new();
        self.unrank(part, &[rank], &mut keys)?;
        Ok(keys.first().map(|key| key.to_u128()))
    }

    fn parse(&self, text: &str) -> Result<u128, PluginError> {
        self.parse(text).map(K::to_u128)
    }

    fn draw(&self, key: u128) -> Result<String, PluginError> {
        self.draw(K::from_u128(key))
    }

    fn names(&self) -> Result<Vec<String>, PluginError> {
        self.names()
    }

    fn ask_again(
        &self,
        function: Function,
        inputs: &[Input],
        text: Option<&str>,
    ) -> Result<(), PluginError> {
        self.ask_again(function, inputs, text)
    }
}

/// The graph of an opened instance, whatever the width of its keys.
pub fn any_graph(opened: Arc<Opened>) -> Result<Box<dyn AnyGraph>> {
    struct Open(Arc<Opened>);
    impl AnyWidth for Open {
        type Output = Result<Box<dyn AnyGraph>>;

        fn with<K: Key>(self) -> Self::Output {
            Ok(Box::new(typed_graph::<K>(self.0)?))
        }
    }
    let library = Arc::clone(&opened.library);
    with_keys_of(&library, Open(opened))
}
