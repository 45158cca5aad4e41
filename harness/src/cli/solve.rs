//! `antipode solve`: a shortest solution of one board, drawn move by move.

use std::io::Write;

use anyhow::{Result, bail};
use puzzle_api::{Direction, Key};
use serde_json::json;

use super::options::{Format, Target};
use super::{AS_EXPECTED, NOT_REACHED};
use crate::analysis::typed_graph;
use crate::plugin::Graph;
use crate::progress::Stop;
use crate::verify::{ForwardSolver, Goal, Path};

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    target: Target,
    /// Where to start: a board, or the name of one [default: the instance's start].
    #[arg(long, value_name = "STATE|NAME")]
    from: Option<String>,
    /// The same as --from.
    #[arg(long, value_name = "TEXT", conflicts_with = "from")]
    board: Option<String>,
    /// Where to go: a board, or the name of one [default: any solved state].
    #[arg(long, value_name = "STATE|NAME")]
    to: Option<String>,
    /// Form of the result on stdout.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Runs the verb.
///
/// # Errors
/// Bad input, in one line.
pub fn run(args: &Args, stop: &Stop) -> Result<u8> {
    let (library, instance, settings) = args.target.resolve()?;
    let variant = args.target.variant.as_deref();
    let variant = variant.unwrap_or_else(|| library.variants[0].as_str());
    let opened = library.open(&instance, variant, &settings)?;
    match library.key_words() {
        1 => solve::<u64>(args, typed_graph(opened)?, stop),
        _ => solve::<u128>(args, typed_graph(opened)?, stop),
    }
}

fn solve<K: Key>(args: &Args, graph: Graph<K>, stop: &Stop) -> Result<u8> {
    let start = match args.from.as_ref().or(args.board.as_ref()) {
        Some(text) => graph.parse(text)?,
        None => match graph.roots(Direction::Forward, 0)?.first() {
            Some(&start) => start,
            None => bail!(
                "{}: has no start of its own; give a board by --board or --from",
                graph.opened.full_name()
            ),
        },
    };
    let goal = match &args.to {
        Some(text) => Goal::State(graph.parse(text)?),
        None => Goal::Solved,
    };
    let solver = ForwardSolver::new(graph);
    let path = solver.shortest(start, &goal, &mut || stop.requested())?;
    if path.states.is_none() && stop.requested() {
        let (levels, seen) = (path.levels.len(), path.seen);
        eprintln!("stopped after {levels} levels and {seen} states without an answer");
        return Ok(NOT_REACHED);
    }
    match args.format {
        Format::Text => print_text(solver.graph(), &path)?,
        Format::Json => print_json(solver.graph(), start, &path)?,
    }
    Ok(if path.states.is_some() {
        AS_EXPECTED
    } else {
        NOT_REACHED
    })
}

/// Names of the moves along a path; a move without a name is its number.
pub fn move_names<K: Key>(graph: &Graph<K>, states: &[K]) -> Vec<String> {
    states
        .windows(2)
        .enumerate()
        .map(|(i, pair)| {
            let name = graph.describe_move(pair[0], pair[1]);
            name.unwrap_or_else(|| format!("move {}", i + 1))
        })
        .collect()
}

fn print_text<K: Key>(graph: &Graph<K>, path: &Path<K>) -> Result<()> {
    let mut out = std::io::stdout();
    let Some(states) = &path.states else {
        writeln!(
            out,
            "unsolvable: none of the {} states that can be reached is a goal",
            path.seen
        )?;
        return Ok(());
    };
    let names = move_names(graph, states);
    for (i, &state) in states.iter().enumerate() {
        if i > 0 {
            writeln!(out, "{i}. {}", names[i - 1])?;
        }
        for row in graph.draw(state)?.split('/') {
            writeln!(out, "   {row}")?;
        }
    }
    let moves = states.len() - 1;
    let unit = if moves == 1 { "move" } else { "moves" };
    writeln!(
        out,
        "solved in {moves} {unit}, the fewest possible ({} states seen)",
        path.seen
    )?;
    Ok(())
}

fn print_json<K: Key>(graph: &Graph<K>, start: K, path: &Path<K>) -> Result<()> {
    let states = path.states.as_deref().unwrap_or(&[]);
    let names = move_names(graph, states);
    let mut moves = Vec::new();
    for (i, name) in names.iter().enumerate() {
        moves.push(json!({ "move": name, "state": graph.draw(states[i + 1])? }));
    }
    let value = json!({
        "instance": graph.opened.full_name(),
        "variant": graph.opened.variant,
        "from": graph.draw(start)?,
        "length": path.states.as_ref().map(|states| states.len() - 1),
        "moves": moves,
        "states_seen": path.seen,
    });
    writeln!(std::io::stdout(), "{value:#}")?;
    Ok(())
}
