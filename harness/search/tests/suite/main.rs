//! Tests that go through the registry of engines. They are not unit tests, since the registry holds
//! every engine for both widths of keys, and all of them would be compiled a second time.

mod answers;
mod ida;
mod solutions;

use antipode_graph::Graph;
use antipode_search::engine::{EngineOptions, PathQuestion};
use antipode_search::forward::Goal;
use antipode_search::progress::Stop;

/// A question on a graph that is its own rulebook.
fn question<'a, K>(
    graph: &'a Graph<K>,
    (start, goal): (K, Goal<K>),
    options: &'a EngineOptions,
    stop: &'a Stop,
) -> PathQuestion<'a, K> {
    PathQuestion {
        graph,
        rules: graph,
        start,
        goal,
        options,
        stop,
    }
}
