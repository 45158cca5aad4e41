//! The page over a table of starts and finishes: one section per start, one row per finish.

use super::picture_view::{self, BoardView, KeyEntry};
use crate::model::{Legend, NamedState, PairVerdict, StartFinishCell, StartFinishTable};
use crate::wording;
use askama::Template;
use std::io;

/// The text of the page. Boards are drawn by the legend, or shown as text without one.
///
/// # Errors
/// If the template fails.
pub fn table_html(table: &StartFinishTable, legend: &Legend) -> io::Result<String> {
    let legend = (!legend.entries.is_empty()).then_some(legend);
    let view = TableView {
        title: title(table),
        tool_version: &table.tool_version,
        lead: lead(table),
        command: wording::command_line(&table.command),
        variant: &table.variant,
        starts: table
            .starts
            .iter()
            .map(|start| StartView::new(start, table, legend))
            .collect(),
    };
    view.render().map_err(io::Error::other)
}

#[derive(Template)]
#[template(path = "table.html")]
struct TableView<'a> {
    title: String,
    tool_version: &'a str,
    lead: String,
    command: String,
    variant: &'a str,
    starts: Vec<StartView<'a>>,
}

struct StartView<'a> {
    name: &'a str,
    key: Vec<KeyEntry<'a>>,
    board: BoardView,
    rows: Vec<RowView<'a>>,
}

struct RowView<'a> {
    cell: &'a StartFinishCell,
    /// Colour of the verdict.
    class: &'a str,
    moves: String,
    /// The board after the last move.
    end: Option<BoardView>,
}

impl<'a> StartView<'a> {
    fn new(start: &'a NamedState, table: &'a StartFinishTable, legend: Option<&'a Legend>) -> Self {
        let cells = table.cells.iter().filter(|cell| cell.start == start.name);
        let title = format!("start {}", start.name);
        StartView {
            name: &start.name,
            key: picture_view::key(std::iter::once(start.state.as_str()), legend),
            board: BoardView::new(&start.state, &title, legend),
            rows: cells.map(|cell| RowView::new(cell, legend)).collect(),
        }
    }
}

impl<'a> RowView<'a> {
    fn new(cell: &'a StartFinishCell, legend: Option<&Legend>) -> Self {
        let end = cell.end.as_ref();
        RowView {
            cell,
            class: match cell.verdict {
                PairVerdict::NotReached => "undecided",
                decided => decided.label(),
            },
            moves: cell.witness.as_deref().unwrap_or_default().join("; "),
            end: end.map(|end| BoardView::new(end, "after the last move", legend)),
        }
    }
}

fn title(table: &StartFinishTable) -> String {
    format!(
        "{}/{}: every start against every finish",
        table.puzzle, table.instance
    )
}

fn lead(table: &StartFinishTable) -> String {
    format!(
        "{} starts up to symmetry, {} finishes: {} pairs solvable, {} impossible, {} not reached.",
        table.starts.len(),
        table.finishes.len(),
        table.count(PairVerdict::Solvable),
        table.count(PairVerdict::Impossible),
        table.count(PairVerdict::NotReached)
    )
}
