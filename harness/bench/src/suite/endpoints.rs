//! Where rows start and end, looked at before anything runs: a position that is none should
//! be refused at its place in the suite, and not by every sample.

use std::sync::Arc;

use puzzle_api::{Direction, Key};

use super::file::Verb;
use super::row::Row;
use antipode_graph::{Capabilities, Graph, Library, Opened, PluginError};
use antipode_search::open::typed_graph;

/// Key of the suite, and what is wrong with its value.
pub(super) type Fault = (&'static str, String);

/// Checks `from` and `to` of a row, and that it has them where its instance needs them.
pub(super) fn check(row: &Row, library: &Arc<Library>, opened: &Arc<Opened>) -> Result<(), Fault> {
    match library.key_words() {
        1 => endpoints::<u64>(row, library, opened),
        _ => endpoints::<u128>(row, library, opened),
    }
}

fn endpoints<K: Key>(row: &Row, library: &Arc<Library>, opened: &Arc<Opened>) -> Result<(), Fault> {
    let graph: Graph<K> =
        typed_graph(Arc::clone(opened)).map_err(|error| ("instance", error.to_string()))?;
    match &row.from {
        Some(text) => match graph.parse(text) {
            Ok(_) => {}
            Err(error) => return Err(("from", no_position(&graph, &error))),
        },
        None => start(row, &graph)?,
    }
    match (row.verb, &row.to) {
        (Verb::Solve, Some(text)) => goal(row, library, &graph, text),
        (Verb::Solve, None) => {
            let takes_goal = takes_goal(library);
            if graph.has(Capabilities::SOLVED_ROOTS) || !takes_goal {
                return Ok(());
            }
            let name = graph.opened.full_name();
            let text = format!("{name} has no solved state of its own; write to = \"…\"");
            Err(("instance", text))
        }
        (Verb::Analyse, _) => Ok(()),
    }
}

/// A row without `from` needs an instance that has somewhere to begin.
fn start<K: Key>(row: &Row, graph: &Graph<K>) -> Result<(), Fault> {
    let roots = graph.roots(Direction::Forward, 0);
    let has_start = !roots
        .map_err(|error| ("instance", error.to_string()))?
        .is_empty();
    let has_end = graph.has(Capabilities::SOLVED_ROOTS);
    let name = graph.opened.full_name();
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
fn goal<K: Key>(
    row: &Row,
    library: &Arc<Library>,
    graph: &Graph<K>,
    text: &str,
) -> Result<(), Fault> {
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

fn no_position<K: Key>(graph: &Graph<K>, error: &PluginError) -> String {
    format!("{error}{}", like(graph))
}

/// How a position of the instance is written, where one can be had at once.
fn like<K: Key>(graph: &Graph<K>) -> String {
    let root = |direction| graph.roots(direction, 0).ok()?.first().copied();
    let numbered = || {
        let is_some = graph.space(0).ok().flatten() > Some(0);
        let mut out = Vec::new();
        is_some.then(|| graph.unrank(0, &[0], &mut out).ok())??;
        out.pop()
    };
    let forward = root(Direction::Forward);
    let one = forward.or_else(numbered).or_else(|| {
        let can = graph.has(Capabilities::SOLVED_ROOTS);
        can.then(|| root(Direction::Backward)).flatten()
    });
    let drawn = one.and_then(|key| graph.draw(key).ok());
    drawn.map_or_else(String::new, |drawn| format!(", such as \"{drawn}\""))
}
