//! `solve --goal all`: the states that lie on a solution, level by level, and the number of
//! different solutions.

use std::io::Write;

use antipode_check::ask::{PathRequest, Question};
use antipode_graph::Capabilities;
use antipode_reports::count;
use antipode_reports::proof::proof_text;
use antipode_search::machine;
use antipode_search::outcome::{NoPathProof, OnSolutions, Outcome, Solutions};
use antipode_search::progress::Stop;
use antipode_search::registry;
use antipode_search::table::rules_of;
use anyhow::Result;
use serde_json::json;

use super::{AS_EXPECTED, Format, NOT_REACHED, output};
use output::told;

/// Finds all solutions, and returns the exit code.
pub(super) fn run(
    question: &Question,
    request: &PathRequest,
    format: Format,
    stop: &Stop,
) -> Result<u8> {
    let graph = &question.graph;
    let rules = rules_of(graph)?;
    let asked = question.asked(&rules, &request.options, stop);
    let pool = machine::pool(request.options.threads)?;
    let answer = pool.install(|| registry::solutions(request.engine, &asked))?;
    antipode_check::again::confirm()?;
    let (outcome, found) = (answer.outcome, answer.solutions);
    let expanded = answer.spent.expanded;
    let proven = graph.proves(Capabilities::NONE);
    let text = match (&found, &outcome) {
        (Some(found), _) if !proven => text(found, graph.opened.unit(), expanded) + NOT_CHECKED,
        (Some(found), _) => text(found, graph.opened.unit(), expanded),
        (None, Outcome::Unreachable(proof)) => {
            let steps = match proof {
                NoPathProof::Puzzle(text) => proof_text(text),
                NoPathProof::Exhausted { .. } | NoPathProof::OtherParts => String::new(),
            };
            format!("impossible: {proof}\n{steps}")
        }
        (None, outcome) => match outcome.stop() {
            Some(why) => format!(
                "{why}; not decided ({} expanded)\n",
                count(expanded, "states")
            ),
            None => "not decided\n".to_owned(),
        },
    };
    match format {
        Format::Text => {
            let mut out = output::stdout();
            text.lines().try_for_each(|line| told!(out, "{line}"))?;
        }
        Format::Json => {
            let value = json!({
                "instance": graph.opened.full_name(),
                "variant": graph.opened.variant,
                "from": graph.draw(question.start)?,
                "length": found.as_ref().map(|found| found.levels.len() - 1),
                // Many readers take a number of JSON as one of 53 bits.
                "solutions": found.as_ref().and_then(|found| found.lines).map(|n| n.to_string()),
                "levels": found.iter().flat_map(|found| &found.levels).enumerate().map(row).collect::<Vec<_>>(),
                "states_expanded": expanded,
                "outcome": match (&found, &outcome) {
                    (Some(_), _) => "path",
                    (None, Outcome::Unreachable(_)) => "impossible",
                    (None, _) => "not-reached",
                },
                "summary": match found {
                    Some(_) => text.lines().last(),
                    None => text.lines().next(),
                },
            });
            output::print_json("solve-all", &value)?;
        }
    }
    let decided = found.is_some() || matches!(outcome, Outcome::Unreachable(_));
    Ok(match decided && proven {
        true => AS_EXPECTED,
        false => NOT_REACHED,
    })
}

/// Of a loaded library.
const NOT_CHECKED: &str = "not checked: that all solutions are equally long, and the predecessors of a state, are only stated by the puzzle\n";

fn row((depth, level): (usize, &OnSolutions)) -> serde_json::Value {
    json!({ "depth": depth, "states": level.states, "orbits": level.orbits })
}

fn text(found: &Solutions, unit: &str, expanded: u64) -> String {
    let mut text = String::from("level  states on a solution  up to symmetry\n");
    for (depth, level) in found.levels.iter().enumerate() {
        let (states, orbits) = (output::grouped(level.states), output::grouped(level.orbits));
        text += &format!("{depth:>5}  {states:>20}  {orbits:>14}\n");
    }
    let levels = found.levels.iter();
    let (states, orbits) = levels.fold((0, 0), |(states, orbits), level| {
        (states + level.states, orbits + level.orbits)
    });
    let lines = match found.lines {
        Some(1) => "1 solution".to_owned(),
        Some(lines) => format!("{} different solutions", output::grouped(lines)),
        None => "2^128 and more different solutions".to_owned(),
    };
    text + &format!(
        "{lines} of {}, through {} ({} up to the symmetries that keep start and goal; {} expanded)\n",
        count(found.levels.len() - 1, unit),
        count(states, "states"),
        output::grouped(orbits),
        count(expanded, "states")
    )
}
