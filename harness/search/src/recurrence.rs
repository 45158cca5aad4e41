//! Checks whether a state is met again at another level, if a library says that none is.
//!
//! If a puzzle is declared layered or undirected, engines forget the states met two levels ago. If
//! that is wrong, a state returns as new, and on a finite graph the levels never end. For plugins
//! this property is unproven, so a few states are kept and looked for in every level: the smallest
//! of the roots, and of levels 1, 2, 4, 8 and so on. A walk that forgets ends in a cycle, and by
//! then a kept state is on it (as in Brent's cycle detection).

use std::sync::Mutex;

use antipode_graph::{Capabilities, Graph, PluginError};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use puzzle_api::{Key, UNSOLVABLE};

/// Number of parts whose states are kept at once. The others are done, or start again.
const PARTS: usize = 4096;

/// States of the levels of a search, a few of each part.
#[derive(Debug)]
pub(crate) struct Recurrence<K> {
    /// The library's statement.
    said: &'static str,
    parts: Mutex<HashMap<u64, SmallestStates<K>, FixedState>>,
}

/// The smallest state of some levels, the deepest last.
#[derive(Debug)]
struct SmallestStates<K>(Vec<(u16, K)>);

impl<K: Key> Recurrence<K> {
    /// A check for a graph whose library declares a property on which an engine would rely.
    pub(crate) fn of(graph: &Graph<K>) -> Option<Self> {
        let said = said(graph)?;
        Some(Self {
            said,
            parts: Mutex::default(),
        })
    }

    /// Checks the states of a level.
    ///
    /// # Errors
    /// [`PluginError::Broken`] with a state that is met at two levels.
    pub(crate) fn look(
        &self,
        graph: &Graph<K>,
        part: u64,
        keys: &[K],
        depth: u16,
    ) -> Result<(), PluginError> {
        let Some(&least) = keys.iter().min().filter(|_| depth != UNSOLVABLE) else {
            return Ok(());
        };
        let kept = {
            let mut parts = self.parts.lock().unwrap_or_else(|e| e.into_inner());
            if parts.len() == PARTS && !parts.contains_key(&part) {
                parts.clear();
            }
            let part = parts
                .entry(part)
                .or_insert_with(|| SmallestStates(Vec::new()));
            part.keep(least, depth);
            part.0.clone()
        };
        for &key in keys {
            let again = kept.iter().find(|kept| kept.1 == key && kept.0 != depth);
            if let Some(&(before, _)) = again {
                return Err(broken(graph, self.said, key, before.into(), depth.into()));
            }
        }
        Ok(())
    }
}

impl<K: Key> SmallestStates<K> {
    fn keep(&mut self, key: K, depth: u16) {
        match self.0.last_mut() {
            Some((last, kept)) if *last == depth => *kept = key.min(*kept),
            // A run that starts again.
            Some((last, _)) if *last > depth => {}
            _ if depth == 0 || depth.is_power_of_two() => self.0.push((depth, key)),
            _ => {}
        }
    }
}

/// A loaded library's statement about repetitions; for a built-in puzzle it is true.
pub(crate) fn said<K: Key>(graph: &Graph<K>) -> Option<&'static str> {
    if graph.proves(Capabilities::NONE) {
        None
    } else if graph.has(Capabilities::LAYERED) {
        Some("layered")
    } else {
        graph.has(Capabilities::UNDIRECTED).then_some("undirected")
    }
}

/// The error for a state that is met at two levels.
pub(crate) fn broken<K: Key>(
    graph: &Graph<K>,
    said: &str,
    key: K,
    before: usize,
    depth: usize,
) -> PluginError {
    let drawn = graph
        .draw(key)
        .unwrap_or_else(|_| format!("key {:#x}", key.to_u128()));
    let fault = format!(
        "says that the puzzle is {said}, but this state comes up after {before} moves and again, as new, after {depth}: {drawn}"
    );
    graph.opened.broken("facts", fault)
}
