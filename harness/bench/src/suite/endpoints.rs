//! Where rows start and end, looked at before anything runs: a position that is none should
//! be refused at its place in the suite, and not by every sample.

use std::sync::Arc;

use puzzle_api::Direction;

use super::file::Verb;
use super::row::Row;
use antipode_graph::{Capabilities, Library, Opened, PluginError};
use antipode_search::open::{AnyGraph, any_graph};

/// Key of the suite, and what is wrong with its value.
pub(super) type Fault = (&'static str, String);

/// Checks `from` and `to` of a row, and that it has them where its instance needs them.
pub(super) fn check(row: &Row, library: &Arc<Library>, opened: &Arc<Opened>) -> Result<(), Fault> {
    let graph = any_graph(Arc::clone(opened)).map_err(|error| ("instance", error.to_string()))?;
    let graph = &*graph;
    match &row.from {
        Some(text) => match graph.parse(text) {
            Ok(_) => {}
            Err(error) => return Err(("from", no_position(graph, &error))),
        },
        None => start(row, graph)?,
    }
    match (row.verb, &row.to) {
        (Verb::Solve, Some(text)) => goal(row, library, graph, text),
        (Verb::Solve, None) => {
            let takes_goal = takes_goal(library);
            if graph.has(Capabilities::SOLVED_ROOTS) || !takes_goal {
                return Ok(());
            }
            let name = graph.opened().full_name();
            let text = format!("{name} has no solved state of its own; write to = \"…\"");
            Err(("instance", text))
        }
        (Verb::Analyse, _) => Ok(()),
    }
}

/// A row without `from` needs an instance that has somewhere to begin.
fn start(row: &Row, graph: &dyn AnyGraph) -> Result<(), Fault> {
    let roots = graph.roots(Direction::Forward, 0);
    let has_start = !roots
        .map_err(|error| ("instance", error.to_string()))?
        .is_empty();
    let has_end = graph.has(Capabilities::SOLVED_ROOTS);
    let name = graph.opened().full_name();
    let lacks = |what: &str| {
        format!(
            "{name} {what}; write from = \"…\", a position{}",
            like(graph)
        )
    };
    match (row.verb, row.direction) {
        (Verb::Solve, _) if !has_start => Err(("instance", lacks("has no start of its own"))),
        (Verb::Analyse, Some(Direction::Forward)) if !has_start => {
            Err(("direction", lacks("has no start of its own")))
        }
        (Verb::Analyse, Some(Direction::Backward)) if !has_end => {
            Err(("direction", lacks("cannot list its solved states")))
        }
        (Verb::Analyse, None) if !has_start && !has_end => {
            Err(("instance", lacks("has no start of its own")))
        }
        _ => Ok(()),
    }
}

fn takes_goal(library: &Library) -> bool {
    library.settings.iter().any(|setting| setting.key == "to")
}

/// As `solve` reads `--to`: as a goal, where the puzzle has a setting for one, else as a position.
fn goal(row: &Row, library: &Arc<Library>, graph: &dyn AnyGraph, text: &str) -> Result<(), Fault> {
    let as_position = graph.parse(text);
    if !takes_goal(library) || row.settings.contains_key("to") {
        let refused = |error| ("to", no_position(graph, &error));
        return as_position.map(drop).map_err(refused);
    }
    let mut settings = row.settings.clone();
    settings.insert("to".to_owned(), text.to_owned());
    match (
        library.open(&row.instance, &row.variant, &settings),
        as_position,
    ) {
        (Ok(_), _) | (_, Ok(_)) => Ok(()),
        (Err(error), Err(_)) => Err(("to", error.to_string())),
    }
}

fn no_position(graph: &dyn AnyGraph, error: &PluginError) -> String {
    format!("{error}{}", like(graph))
}

/// How a position of the instance is written, where one can be had at once.
fn like(graph: &dyn AnyGraph) -> String {
    let numbered = || {
        let is_some = graph.space(0).ok().flatten() > Some(0);
        is_some.then(|| graph.unrank(0, 0).ok().flatten()).flatten()
    };
    let solved = || {
        let can = graph.has(Capabilities::SOLVED_ROOTS);
        can.then(|| graph.first_root(Direction::Backward)).flatten()
    };
    let start = graph.first_root(Direction::Forward);
    let one = start.or_else(numbered).or_else(solved);
    let drawn = one.and_then(|key| graph.draw(key).ok());
    drawn.map_or_else(String::new, |drawn| format!(", such as \"{drawn}\""))
}
