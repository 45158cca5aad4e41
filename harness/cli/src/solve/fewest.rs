//! `solve --goal fewest`: the least measure that a sequence of moves can end with.

use std::io::Write;

use antipode_check::ask::{PathRequest, Question};
use antipode_graph::{Graph, Library, clean, move_names};
use antipode_reports::model::SolutionMove;
use antipode_search::engine::FewestAnswer;
use antipode_search::progress::Stop;
use antipode_search::registry;
use antipode_search::table::rules_of;
use anyhow::{Result, bail};
use serde_json::{Value, json};

use super::answer::listed;
use super::{AS_EXPECTED, Format, NOT_REACHED, output, results};
use crate::drawing::Drawing;

/// Answers a question for the fewest, and returns the exit code.
pub(super) fn run(
    question: &Question,
    request: &PathRequest,
    format: Format,
    stop: &Stop,
) -> Result<u8> {
    let graph = &question.graph;
    if request.to.is_some() {
        bail!("--goal fewest has no goal to go to: leave out --to");
    }
    let rules = rules_of(graph)?;
    let asked = question.asked(&rules, &request.options, stop);
    let answer = registry::fewest(request.engine, &asked)?;
    antipode_check::again::confirm()?;
    let done = &answer.fewest;
    match format {
        Format::Text => print(graph, &request.library, &answer)?,
        Format::Json => {
            let mut value = json!({
                "instance": graph.opened.full_name(),
                "variant": graph.opened.variant,
                "from": graph.draw(question.start)?,
                "fewest": done.best,
                "at_least": done.at_least,
                "exact": done.is_exact(),
                "why": done.why.to_string(),
                "moves": moves(graph, &done.line)?,
            });
            let figures = json!(answer.figures);
            if let (Value::Object(value), Value::Object(figures)) = (&mut value, figures) {
                value.extend(figures);
            }
            output::print_json("solve-fewest", &value)?;
        }
    }
    Ok(match done.is_exact() {
        true => AS_EXPECTED,
        false => NOT_REACHED,
    })
}

fn moves(graph: &Graph<u128>, line: &[u128]) -> Result<Vec<SolutionMove>> {
    let names = move_names(graph, line).into_iter().zip(&line[1..]);
    let moves = names.map(|(name, &state)| {
        Ok(SolutionMove {
            r#move: name,
            state: graph.draw(state)?,
        })
    });
    moves.collect()
}

fn print(graph: &Graph<u128>, library: &Library, answer: &FewestAnswer<u128>) -> Result<()> {
    let (done, searched) = (&answer.fewest, &answer.summary);
    let (names, board) = (
        move_names(graph, &done.line),
        graph.draw(done.line[done.line.len() - 1])?,
    );
    let drawing = Drawing::new(library, &board, names.iter().map(String::as_str));
    let mut text = drawing.alone(&board);
    if !names.is_empty() {
        text += &clean(&listed(&names));
    }
    let fewest = match done.is_exact() {
        true => format!("fewest: {}, exact: {} ({searched})", done.best, done.why),
        false => format!(
            "fewest: at most {}, at least {}: {} ({searched})",
            done.best, done.at_least, done.why
        ),
    };
    writeln!(results::out(), "{text}{}", output::prose(&fewest, 0))?;
    Ok(())
}
