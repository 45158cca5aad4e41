//! Decides every pair of start and finish of a game that can be played backward. Each is solvable,
//! with a path replayed on the rulebook, impossible with its proof, or not reached.
//!
//! A finish is a named state whose reverse is named too and measures more; the reverse is a start.
//! In peg solitaire, the finishes are the lone pegs and the starts the lone holes. Starts are
//! listed up to symmetry, and so are the finishes of a start, under the symmetries that keep it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use antipode_graph::{Capabilities, Graph, PluginError, move_names};
use antipode_reports::atomic::WriteError;
use antipode_reports::count;
use antipode_reports::html::table_html;
use antipode_reports::model::{
    Legend, LevelFigures, NamedState, PairVerdict, Record, StartFinishCell, StartFinishRow,
    StartFinishTable,
};
use antipode_reports::results::Results;
use puzzle_api::{Direction, Key};

use crate::digest::hex;
use crate::engines::find::{RECHECKED, Reduction, borne_out, check_path};
use crate::error::{EngineError, Result};
use crate::options::EngineOptions;
use crate::outcome::{NoPathProof, Outcome, StopReason};
use crate::parallel;
use crate::progress::Stop;
use crate::question::{Goal, PathQuestion};
use crate::registry::{self, EngineId};
use crate::side::SideLevel;
use crate::work;

/// A state with its name, which the puzzle reads as the state.
type EndState = (String, u128);

/// Decides all cells with an engine that finds paths. `graph` is searched, and every solution is
/// replayed on `rules`, the rulebook. `done` is called with each decided cell. The table has no
/// command line yet.
///
/// # Errors
/// [`EngineError`] if the puzzle lacks what a table needs, or fails.
pub fn decide(
    graph: &Graph<u128>,
    rules: &Graph<u128>,
    (engine, options): (EngineId, &EngineOptions),
    stop: &Stop,
    done: &(dyn Fn(usize) + Sync),
) -> Result<StartFinishTable> {
    let (starts, finishes) = ends(graph, rules)?;
    let mut todo = Vec::new();
    for (start, named) in starts.iter().enumerate() {
        // Symmetries of a loaded library decide no cell.
        let reduction = match graph.proves(Capabilities::SYMMETRY) {
            true => Reduction::keeping(graph, &Goal::State(named.1))?,
            false => Reduction::Identity,
        };
        let mut stand_in: Vec<u128> = finishes.iter().map(|finish| finish.1).collect();
        reduction.reduce(graph, &mut stand_in)?;
        let mut first = BTreeMap::new();
        for (finish, key) in stand_in.into_iter().enumerate() {
            let alike: &mut Vec<usize> = first.entry(key).or_default();
            alike.push(finish);
        }
        todo.extend(first.into_values().map(|alike| (start, alike)));
    }
    let decided = parallel::try_map(&todo, |(start, alike)| {
        let question = PathQuestion {
            graph,
            rules,
            start: starts[*start].1,
            goal: Goal::State(finishes[alike[0]].1),
            options,
            stop,
        };
        let known = known(engine, &question)?;
        let mut cells = Vec::new();
        for &finish in alike {
            let outcome = known_of(&question, finishes[finish].1, &known.0)?;
            let mut cell = cell(graph, &outcome, &known.1)?;
            cell.start = starts[*start].0.clone();
            cell.finish = finishes[finish].0.clone();
            cell.by_symmetry_of = (finish != alike[0]).then(|| finishes[alike[0]].0.clone());
            cells.push(((*start, finish), cell));
        }
        done(cells.len());
        Ok::<_, EngineError>(cells)
    })?;
    let mut cells = decided.concat();
    cells.sort_by_key(|(place, _)| *place);
    let opened = &graph.opened;
    let starts = starts.into_iter().map(|(name, key)| {
        let state = graph.draw(key)?;
        Ok(NamedState { name, state })
    });
    Ok(StartFinishTable {
        schema: StartFinishTable::SCHEMA.to_owned(),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        puzzle: opened.library.name.clone(),
        instance: opened.instance.clone(),
        settings: opened.settings.clone(),
        variant: opened.variant.clone(),
        command: Vec::new(),
        starts: starts.collect::<Result<_, PluginError>>()?,
        finishes: finishes.into_iter().map(|finish| finish.0).collect(),
        cells: cells.into_iter().map(|(_, cell)| cell).collect(),
    })
}

/// Number of cells that [`decide`] will decide.
pub fn size(graph: &Graph<u128>) -> Result<usize> {
    let (starts, finishes) = ends(graph, &rules_of(graph)?)?;
    Ok(starts.len() * finishes.len())
}

/// Starts and finishes.
type Ends = (Vec<EndState>, Vec<EndState>);

/// One start of each orbit, and all finishes, in the order of their names.
fn ends(graph: &Graph<u128>, rules: &Graph<u128>) -> Result<Ends> {
    let refuse = |lacks: &str| {
        let why = format!(
            "{lacks}, so there is no table of starts and finishes; solve takes one at a time"
        );
        Err(EngineError::refused(&graph.opened, why))
    };
    if !graph.has(Capabilities::TIME_REVERSAL) {
        return refuse("it has no time reversal, such as the complement in peg solitaire");
    }
    if !graph.has(Capabilities::LAYERED) {
        return refuse("its games do not all have the same number of moves");
    }
    if !graph.has(Capabilities::OBJECTIVE) {
        return refuse("it does not say which end of a game is the finish");
    }
    // The last of several names is the plainest: `start` comes before the explicit name.
    let mut names = BTreeMap::new();
    for (at, name) in graph.names()?.into_iter().enumerate() {
        let key = graph.parse(&name)?;
        if rules.parse(&name)? != key {
            let (own, other) = (graph.draw(key)?, rules.draw(rules.parse(&name)?)?);
            let fault = format!("reads '{name}' as '{own}', and the rulebook as '{other}'");
            return Err(graph.opened.disagrees("parse", fault).into());
        }
        names.insert(key, (at, name));
    }
    let keys: Vec<u128> = names.keys().copied().collect();
    let mut turned = keys.clone();
    graph.time_reversed(&mut turned)?;
    let (here, there) = (graph.objective(&keys)?, graph.objective(&turned)?);
    let mut pairs = Vec::new();
    for (i, (&finish, &start)) in keys.iter().zip(&turned).enumerate() {
        if here[i] < there[i]
            && let (Some(finish_name), Some(start_name)) = (names.get(&finish), names.get(&start))
        {
            pairs.push((start_name, start, finish_name, finish));
        }
    }
    if pairs.is_empty() {
        return refuse("it names no finish together with its reverse");
    }
    pairs.sort_unstable();
    let named = |name: &(usize, String), key| (name.1.clone(), key);
    let mut orbits: Vec<u128> = pairs.iter().map(|pair| pair.1).collect();
    // Symmetries of a loaded library merge no starts.
    if graph.proves(Capabilities::SYMMETRY) {
        graph.canonical(&mut orbits, None)?;
    }
    let is_first = |i: &usize| !orbits[..*i].contains(&orbits[*i]);
    let first = (0..pairs.len()).filter(is_first);
    let starts = first.map(|i| named(pairs[i].0, pairs[i].1)).collect();
    let finishes = pairs.iter().map(|pair| named(pair.2, pair.3)).collect();
    Ok((starts, finishes))
}

/// How a start and a finish are decided, and all levels, if the search went forward and found no
/// path.
type Known = (Outcome<u128>, Vec<SideLevel>);

fn known(engine: EngineId, question: &PathQuestion<'_, u128>) -> Result<Known> {
    let (start, goal) = (question.start, question.goal);
    if let Some(proof) = question.graph.refute(start, goal.state())? {
        let proof = NoPathProof::Puzzle(proof);
        return Ok((Outcome::Unreachable(proof), Vec::new()));
    }
    let searched = registry::answer(engine, question)?.sound()?;
    let unreachable = matches!(searched.outcome, Outcome::Unreachable(_));
    if unreachable && !borne_out(question, &searched.outcome)? {
        let unchecked = StopReason::Unchecked(RECHECKED);
        return Ok((Outcome::NotReached(unchecked), Vec::new()));
    }
    if let (Some(folder), true) = (&searched.kept, searched.outcome.is_answer()) {
        work::clear(folder, true)?;
    }
    let exhausted = matches!(
        searched.outcome,
        Outcome::Unreachable(NoPathProof::Exhausted { .. } | NoPathProof::OtherParts)
    );
    let mut levels = searched.levels;
    levels.retain(|level| exhausted && level.side == Direction::Forward);
    Ok((searched.outcome, levels))
}

/// What is known of a finish to which a symmetry of the start maps that of the question.
fn known_of(
    question: &PathQuestion<'_, u128>,
    to: u128,
    known: &Outcome<u128>,
) -> Result<Outcome<u128>> {
    let (graph, from, mut own) = (question.graph, question.start, known.clone());
    match &mut own {
        Outcome::Path(path) => {
            path.states = turned(graph, &path.states, from, to)?;
            check_path(question.rules, &path.states, Some(&Goal::State(to)))?;
        }
        // A proof names holes, so each finish gets its own proof.
        Outcome::Unreachable(NoPathProof::Puzzle(proof)) if question.goal != Goal::State(to) => {
            if let Some(named) = graph.refute(from, Some(to))? {
                *proof = named;
            }
        }
        _ => {}
    }
    Ok(own)
}

/// The image of a path under the symmetry that keeps its start and maps its end to `to`.
fn turned(
    graph: &Graph<u128>,
    path: &[u128],
    start: u128,
    to: u128,
) -> Result<Vec<u128>, PluginError> {
    let last = path[path.len() - 1];
    if last == to {
        return Ok(path.to_vec());
    }
    let (starts, ends) = (graph.images(start)?, graph.images(last)?);
    let index = (0..starts.len()).find(|&i| starts[i] == start && ends[i] == to);
    let Some(index) = index else {
        let fault = "gives images that do not form a group";
        return Err(graph.opened.broken("images", fault));
    };
    let images = graph.images_of(path)?;
    Ok(images
        .into_iter()
        .skip(index)
        .step_by(starts.len())
        .collect())
}

/// The graph of the rulebook of an opened instance.
///
/// # Errors
/// [`EngineError`] if it cannot be opened.
pub fn rules_of<K: Key>(graph: &Graph<K>) -> Result<Graph<K>> {
    let opened = Arc::clone(&graph.opened);
    let reference = opened.library.reference_variant();
    let rules = opened
        .library
        .open(&opened.instance, reference, &opened.settings)?;
    crate::open::typed_graph(rules)
}

// A table as files: `table.csv`, `table.json`, `table.html`.

/// Writes the three files to a folder that exists.
///
/// # Errors
/// A file that cannot be written; then no file is written.
pub fn write(folder: &Path, table: &StartFinishTable, legend: &Legend) -> Result<(), WriteError> {
    let rows: Vec<StartFinishRow> = table.cells.iter().map(StartFinishRow::from).collect();
    let mut results = Results::new(folder, "table");
    results.rows(FILES[0], &rows)?;
    results.record(FILES[1], table)?;
    results.page(FILES[2], table_html(table, legend))?;
    results.finish()
}

/// Files that [`fn@write`] writes, apart from their manifest.
pub const FILES: [&str; 3] = ["table.csv", "table.json", "table.html"];

/// The record of a cell, with whole certificates; its names are left out.
fn cell(
    graph: &Graph<u128>,
    outcome: &Outcome<u128>,
    levels: &[SideLevel],
) -> Result<StartFinishCell, PluginError> {
    let (verdict, proof) = match outcome {
        Outcome::Path(path) => {
            let moves = count(path.moves(), graph.opened.unit());
            (PairVerdict::Solvable, format!("a solution of {moves}"))
        }
        Outcome::Unreachable(proof) => (PairVerdict::Impossible, proof.to_string()),
        Outcome::NotReached(reason) => (PairVerdict::NotReached, reason.to_string()),
        Outcome::Levels => {
            let why = "levels were walked and no path was found";
            (PairVerdict::NotReached, why.to_owned())
        }
    };
    let mut record = StartFinishCell {
        start: String::new(),
        finish: String::new(),
        verdict,
        proof,
        by_symmetry_of: None,
        witness: None,
        end: None,
        certificate: None,
        levels: None,
    };
    match outcome {
        Outcome::Path(path) => {
            record.witness = Some(move_names(graph, &path.states));
            let end = path.states.last().map(|&state| graph.draw(state));
            record.end = end.transpose()?;
        }
        Outcome::Unreachable(NoPathProof::Puzzle(text)) => record.certificate = Some(text.clone()),
        Outcome::Unreachable(_) => {
            let levels = levels.iter().map(|level| LevelFigures {
                depth: level.depth.into(),
                states: level.states,
                digest: hex(level.digest.unwrap_or_default()),
            });
            record.levels = Some(levels.collect());
        }
        Outcome::Levels | Outcome::NotReached(_) => {}
    }
    Ok(record)
}
