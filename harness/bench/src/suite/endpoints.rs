//! Start and end of rows, checked before anything runs: an invalid position should be refused at
//! its place in the suite, and not by every sample.

use std::fmt::Display;
use std::sync::Arc;

use puzzle_api::Direction;

use super::file::Verb;
use super::row::SuiteRow;
use antipode_graph::{Capabilities, Graph, Library, Opened, PluginError};

/// Key of the suite, and the error of its value.
pub(super) type EndpointFault = (&'static str, String);

/// Checks `from` and `to` of a row, and that it has them if its instance needs them.
pub(super) fn check(
    row: &SuiteRow,
    library: &Arc<Library>,
    opened: &Arc<Opened>,
) -> Result<(), EndpointFault> {
    let instance = |error: &dyn Display| ("instance", error.to_string());
    let graph = &Graph::of(Arc::clone(opened));
    let name = opened.full_name();
    let no_position = |error: &PluginError| format!("{error}{}", like(graph));
    let has_end = graph.has(Capabilities::SOLVED_ROOTS);
    if let Some(text) = &row.from {
        let parsed = graph.parse(text);
        parsed.map_err(|error| ("from", no_position(&error)))?;
    } else {
        let has_start = match row.verb {
            Verb::Analyse => graph
                .roots(Direction::Forward, 0)
                .map(|starts| !starts.is_empty()),
            Verb::Solve => graph.start().map(|start| start.is_some()),
        };
        let has_start = has_start.map_err(|error| instance(&error))?;
        let lacks = match (row.verb, row.direction) {
            (Verb::Analyse, Some(Direction::Backward)) => {
                (!has_end).then_some(("direction", "cannot list its solved states"))
            }
            (Verb::Analyse, None) if has_end => None,
            (_, None) => (!has_start).then_some(("instance", "has no start of its own")),
            (_, Some(_)) => (!has_start).then_some(("direction", "has no start of its own")),
        };
        if let Some((key, what)) = lacks {
            let like = like(graph);
            let text = format!("{name} {what}; write from = \"…\", a position{like}");
            return Err((key, text));
        }
    }
    // As `solve` reads `--to`: as a goal, if the puzzle has a setting for one, else as a position.
    let takes_goal = library.settings.iter().any(|setting| setting.key == "to");
    match &row.to {
        None if row.verb == Verb::Solve && takes_goal && !has_end => {
            let text = format!("{name} has no solved state of its own; write to = \"…\"");
            Err(("instance", text))
        }
        None => Ok(()),
        Some(text) => {
            let Err(error) = graph.parse(text) else {
                return Ok(());
            };
            if !takes_goal || row.settings.contains_key("to") {
                return Err(("to", no_position(&error)));
            }
            let mut settings = row.settings.clone();
            settings.insert("to".to_owned(), text.to_owned());
            let opened = library.open(&row.instance, &row.variant, &settings);
            opened.map(drop).map_err(|error| ("to", error.to_string()))
        }
    }
}

/// The form of a position of the instance, if an example is available at once.
fn like(graph: &Graph<u128>) -> String {
    let numbered = || {
        graph.space(0).ok().flatten().filter(|count| *count > 0)?;
        let mut keys = Vec::new();
        graph.unrank(0, &[0], &mut keys).ok()?;
        keys.pop()
    };
    let has_end = graph.has(Capabilities::SOLVED_ROOTS);
    let first = |direction| graph.roots(direction, 0).ok()?.first().copied();
    let solved = || has_end.then(|| first(Direction::Backward)).flatten();
    let start = first(Direction::Forward);
    let one = start.or_else(numbered).or_else(solved);
    let drawn = one.and_then(|key| graph.draw(key).ok());
    drawn.map_or_else(String::new, |drawn| format!(", such as \"{drawn}\""))
}
