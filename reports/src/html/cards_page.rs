//! Boards made to order, as cards to print: the solution is on the back of each.

use super::picture_view::BoardView;
use crate::count;
use crate::model::{Legend, MadeBoards, MadeFrom};
use askama::Template;
use std::io;

/// Cards on a side of a sheet, in two columns.
const ON_A_SHEET: usize = 8;
/// Letters of moves that fit a card in print of the usual size.
const SHORT: usize = 400;

/// The text of the page.
///
/// # Errors
/// If the template fails.
pub fn cards_html(made: &MadeBoards, legend: &Legend) -> io::Result<String> {
    let legend = (!legend.entries.is_empty()).then_some(legend);
    let cards = (1..).zip(&made.boards).map(|(number, made)| {
        let view = BoardView::new(&made.board, &format!("board {number}"), legend);
        CardView {
            number,
            svg: view.svg,
            rows: view.rows,
            length: count(made.length, "moves"),
            moves: made.moves.join(", "),
        }
    });
    let mut cards: Vec<CardView> = cards.collect();
    let longest = cards.iter().map(|card| card.moves.len()).max();
    let mut sheets = Vec::new();
    while !cards.is_empty() {
        let rest = cards.split_off(ON_A_SHEET.min(cards.len()));
        sheets.push(std::mem::replace(&mut cards, rest));
    }
    let (name, tool_version) = match &made.source {
        MadeFrom::Run(run) => (
            format!("{}/{}", run.puzzle, run.instance),
            &run.tool_version,
        ),
        MadeFrom::File(file) => {
            let name = file.rows.first().map_or("", |row| &row.instance);
            (name.to_owned(), &file.tool_version)
        }
    };
    let view = CardsView {
        title: format!("{name}: {}", count(made.boards.len(), "boards")),
        tool_version,
        size: if longest > Some(SHORT) { 7 } else { 11 },
        sheets,
    };
    view.render().map_err(io::Error::other)
}

struct CardView {
    number: usize,
    svg: Option<String>,
    rows: String,
    length: String,
    moves: String,
}

#[derive(Template)]
#[template(path = "cards.html")]
struct CardsView<'a> {
    title: String,
    tool_version: &'a str,
    /// Size of the letters of moves, in points.
    size: u32,
    sheets: Vec<Vec<CardView>>,
}
