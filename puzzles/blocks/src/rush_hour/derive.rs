//! The figures behind claims of kind `derived`: counts of boards, cell by cell, without
//! listing them and without the numbering of the variants.

mod counts;

use puzzle_api::{BadInput, Effort, Figure, Parameters, Puzzle, Settings};

use crate::rules::{Game, stepped};
use crate::rush_hour::board::{Board, LETTERS, Piece};
use crate::rush_hour::rules::Rules;
use counts::{Counted, count};

const BOARD: &str = "board=6x6|5x5|4x4";

/// Every name that [`fn@derive`] knows, with the type of its value and its parameters.
pub const NAMES: [(&str, &[&str]); 3] = [
    ("placements", &["=number:states", BOARD, "row=alone|shared"]),
    ("layouts", &["=number:layouts", BOARD]),
    ("hardest-by-pieces", &["=text", BOARD, "metric=move|step"]),
];

/// Derives the figures of a name. One figure is called `value`.
pub fn derive(what: &str, parameters: &Settings, _effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let parameters = Parameters::of("rush-hour", &NAMES, what, parameters)?;
    let board = parameters.one_of("board")?;
    if what == "hardest-by-pieces" {
        return Ok(hardest_by_pieces(board, parameters.one_of("metric")?));
    }
    let side = usize::from(board.as_bytes()[0] - b'0');
    let counted = match what {
        "layouts" => Counted::Pushed,
        _ if parameters.one_of("row")? == "alone" => Counted::All,
        _ => Counted::Shared,
    };
    let mut figures = vec![
        Figure::new("value", count(side, 0, (side - 1) / 2, counted)),
        Figure::new("instances", board),
    ];
    if counted == Counted::Pushed {
        let (before, after) = pushed(side as u8);
        figures.push(Figure::new(
            "a board that is no layout",
            before.draw_by(LETTERS),
        ));
        figures.push(Figure::new(
            "its pieces pushed left and up",
            after.draw_by(LETTERS),
        ));
    }
    Ok(figures)
}

/// The greatest distance by number of pieces, from the table that the censuses left.
fn hardest_by_pieces(census: &str, metric: &str) -> Vec<Figure> {
    const TABLE: &str = include_str!("../../measured/rush-hour/hardest-by-pieces.csv");
    let rows = TABLE.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let rows: Vec<_> = rows
        .filter(|row| row[..2] == [census, metric])
        .map(|row| (row[2], row[3], row[5]))
        .collect();
    let depths: Vec<&str> = rows.iter().map(|row| row.1).collect();
    let boards = rows.iter().map(|&(pieces, depth, board)| {
        Figure::new(format!("{pieces} pieces, {metric}s {depth}"), board)
    });
    let head = [
        Figure::new("value", depths.join(" ")),
        Figure::new("instances", census),
    ];
    head.into_iter().chain(boards).collect()
}

/// A board with a piece along each edge, and its layout after every piece has gone left or up as
/// far as possible.
fn pushed(side: u8) -> (Board, Board) {
    let car = |upright, row, column| Piece {
        upright,
        row,
        column,
        length: 2,
    };
    let others = vec![car(true, side - 2, side - 1), car(false, side - 1, 1)];
    let red = car(false, (side - 1) / 2, side - 3);
    let before = Board::new(side, side, 0, red, others);
    let game = Rules::opened("custom", &[("board", &before.draw_by(LETTERS))]);
    let mut after = before.clone();
    let back = |board: &Board| {
        let game = &game.as_ref().ok()?.game;
        let pieces = 0..board.pieces.len();
        pieces
            .flat_map(|piece| [(piece, (0, -1)), (piece, (-1, 0))])
            .filter(|&(piece, way)| game.ways(board, piece).contains(&way))
            .find_map(|(piece, way)| stepped(game, board, piece, way))
    };
    while let Some(next) = back(&after) {
        after = next;
    }
    (before, after)
}

pub(crate) fn placements(side: usize, walls: u32, red_row: u8) -> u64 {
    count(side, walls, red_row.into(), Counted::All)
}

#[cfg(test)]
mod tests;
