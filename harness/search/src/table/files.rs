//! A table as files: `table.csv`, `table.json`, `table.html`.

use std::path::Path;

use puzzle_api::Key;

use antipode_reports::atomic::WriteError;
use antipode_reports::html::table_html;
use antipode_reports::model::{
    Legend, LevelFigures, NamedState, Record, StartFinishCell, StartFinishRow, StartFinishTable,
};
use antipode_reports::results::Results;

use super::{PairCell, PairTable};
use crate::digest::hex;
use crate::outcome::{NoPathProof, Outcome};
use antipode_graph::{Graph, PluginError, move_names};

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

/// The full record, with whole certificates.
///
/// # Errors
/// A state that the puzzle cannot draw.
pub fn record<K: Key>(
    graph: &Graph<K>,
    table: &PairTable<K>,
    command: Vec<String>,
) -> Result<StartFinishTable, PluginError> {
    let opened = &graph.opened;
    let starts = table.starts.iter().map(|start| {
        Ok(NamedState {
            name: start.name.clone(),
            state: graph.draw(start.key)?,
        })
    });
    let finishes = table.finishes.iter().map(|finish| finish.name.clone());
    let cells = table.cells.iter().map(|one| cell(graph, table, one));
    Ok(StartFinishTable {
        schema: StartFinishTable::SCHEMA.to_owned(),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        puzzle: opened.library.name.clone(),
        instance: opened.instance.clone(),
        settings: opened.settings.clone(),
        variant: opened.variant.clone(),
        command,
        starts: starts.collect::<Result<_, PluginError>>()?,
        finishes: finishes.collect(),
        cells: cells.collect::<Result<_, PluginError>>()?,
    })
}

fn cell<K: Key>(
    graph: &Graph<K>,
    table: &PairTable<K>,
    cell: &PairCell<K>,
) -> Result<StartFinishCell, PluginError> {
    let name = |finish: usize| table.finishes[finish].name.clone();
    let mut record = StartFinishCell {
        start: table.starts[cell.start].name.clone(),
        finish: name(cell.finish),
        verdict: cell.known.verdict(),
        proof: cell.known.why(),
        by_symmetry_of: cell.by_symmetry_of.map(name),
        witness: None,
        end: None,
        certificate: None,
        levels: None,
    };
    match &cell.known.outcome {
        Outcome::Path(path) => {
            record.witness = Some(move_names(graph, &path.states));
            let end = path.states.last().map(|&state| graph.draw(state));
            record.end = end.transpose()?;
        }
        Outcome::Unreachable(NoPathProof::Puzzle(text)) => record.certificate = Some(text.clone()),
        Outcome::Unreachable(_) => {
            let levels = cell.known.levels.iter().map(|level| LevelFigures {
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
