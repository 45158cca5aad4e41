//! Tables of parts, made when a position of the part is first shown; the least recently used one
//! is dropped when memory is short.

use std::sync::{Arc, Mutex, PoisonError};

use antipode_check::distances::{Distances, MaybeTable, TableLimits};
use antipode_graph::{Capabilities, Graph};
use antipode_search::engines::EngineError;
use antipode_search::progress::Stop;

/// A part and a table of it, or of the states reachable from one of its states, or why it has none;
/// cheap to clone.
type TableEntry = (u64, Arc<MaybeTable>);

/// Parts whose lack of a table is remembered, in addition to the tables.
const MOST_PARTS: usize = 64;

/// The tables of an instance.
pub(crate) struct InstanceTables {
    limits: TableLimits,
    /// The last one used is last.
    held: Mutex<Vec<TableEntry>>,
}

impl InstanceTables {
    pub(crate) fn new(limits: TableLimits) -> Self {
        Self {
            limits,
            held: Mutex::default(),
        }
    }

    /// The table of the part that covers a state; made now if it is not held. One is made at a
    /// time.
    pub(crate) fn of(
        &self,
        graph: &Graph<u128>,
        rules: &Graph<u128>,
        (part, key): (u64, u128),
        stop: &Stop,
    ) -> Result<Arc<MaybeTable>, EngineError> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let covers = |table: &MaybeTable| match table {
            Ok(table) => table.covers(key),
            // A part that is too large once is not walked again at each move.
            Err(_) => true,
        };
        if let Some((_, table)) = used(&mut held, |(known, table)| *known == part && covers(table))
        {
            return Ok(Arc::clone(table));
        }
        // A program does not say which moves lead to a state: a search from its solved states may
        // miss some that can be solved.
        let backward = graph.has(Capabilities::SOLVED_ROOTS) && !graph.opened.library.is_program();
        let table = match backward {
            true => Distances::walk(graph, rules, part, &self.limits, stop)?,
            false => Distances::onward(rules, key, &self.limits, stop)?,
        };
        let table = Arc::new(table);
        // A search that the user stopped shows nothing about the part.
        if !stop.requested() {
            held.push((part, Arc::clone(&table)));
            while held.len() > 1 && (size(&held) > self.limits.orbits || held.len() > MOST_PARTS) {
                held.remove(0);
            }
        }
        Ok(table)
    }
}

/// Moves what is wanted to the end of a list, where the last one used is.
pub(crate) fn used<T>(held: &mut [T], wanted: impl Fn(&T) -> bool) -> Option<&T> {
    let at = held.iter().position(wanted)?;
    held[at..].rotate_left(1);
    held.last()
}

fn size(held: &[TableEntry]) -> usize {
    let tables = held
        .iter()
        .filter_map(|(_, table)| table.as_ref().as_ref().ok());
    tables.map(Distances::len).sum()
}
