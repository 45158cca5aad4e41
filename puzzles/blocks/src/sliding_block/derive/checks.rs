//! Statements that are true or false of a whole board: proven for every board from its shapes, and
//! tried in full on the small ones.

use puzzle_api::{BadInput, Figure, Parameters};

use super::{explained, instance, not_reached};
use crate::metric::Metric;
use crate::rules::{Game, WAYS, Way, stepped};
use crate::sliding_block::board::{Board, Cell};
use crate::sliding_block::instances::{self, Instance, shipped};
use crate::sliding_block::placements::placements;

/// Most strings that are tried.
const MOST: usize = 500_000;

/// Whether every string of symbols stands for at most one position, and every way to place the
/// pieces has one. Tries all strings and counts those that fit.
pub(super) fn strings_fit(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let instance = &instance(parameters)?;
    let board = &instance.board;
    let total = board.alphabet.total;
    if total > MOST as u128 {
        return Ok(not_reached(format!(
            "The board has {total} strings; at most {MOST} are tried."
        )));
    }
    let (mut fit, mut wrong) = (0_u128, 0);
    for rank in 0..total {
        let string = board.alphabet.unrank(rank);
        if let Some(cells) = board.cells_of_string(&string) {
            fit += 1;
            wrong += u64::from(board.string(&cells) != string);
        }
    }
    let Some(ways) = placements(board, MOST) else {
        return Ok(not_reached("Too many ways to place the pieces to count."));
    };
    let (boards, shapes, behind) = first_cells();
    let mut figures = explained(
        wrong == 0 && fit == ways && behind == 0,
        "Of a string the first symbol not yet used belongs to the first cell not yet covered: \
         that cell is empty or some piece's, and then its first one in scanning order, since an \
         earlier one would be covered. So a string leads back to one position, on every board \
         whose shapes have no cell before their first; those of all boards were looked at. All \
         strings of this board were tried besides, and those that fit counted against the ways \
         to place the pieces, counted without strings.",
    );
    figures.push(Figure::new("all", total));
    figures.push(Figure::new("boards", boards));
    figures.push(Figure::new("shapes", shapes));
    figures.push(Figure::new("shapes_with_a_cell_before", behind));
    figures.push(Figure::new("strings", total));
    figures.push(Figure::new("strings_that_fit", fit));
    figures.push(Figure::new("placements", ways));
    let string = board.string(&board.start);
    figures.push(Figure::new("a_position", instance.draw(&board.start)));
    figures.push(Figure::new("its_string", symbols(&string)));
    let again = board.cells_of_string(&string);
    let again = again.map_or_else(String::new, |cells| instance.draw(&cells));
    figures.push(Figure::new("the_position_of_that_string", again));
    Ok(figures)
}

/// A string: 0 for an empty cell, else the number of the shape.
fn symbols(string: &[u8]) -> String {
    let symbols: Vec<String> = string.iter().map(ToString::to_string).collect();
    symbols.join(" ")
}

fn boards() -> impl Iterator<Item = Board> {
    shipped().filter_map(|named| instances::named(named.name))
}

/// Boards, their shapes, and the number of these with a cell before their first.
fn first_cells() -> (usize, usize, usize) {
    let boards: Vec<Board> = boards().collect();
    let kinds = || boards.iter().flat_map(|board| &board.kinds);
    let leads = |offsets: &[(i32, i32)]| {
        offsets.first() == Some(&(0, 0)) && offsets.iter().all(|&cell| cell >= (0, 0))
    };
    let behind = kinds().filter(|kind| !leads(kind.shape.offsets()));
    (boards.len(), kinds().count(), behind.count())
}

/// A board as the rulebook plays it.
fn game(board: Board) -> Instance {
    let metric = Metric::Step;
    Instance { board, metric }
}

/// A step that can be made from the start of the Donkey, and the step back.
fn a_step() -> Vec<Figure> {
    let Some(board) = instances::named("donkey") else {
        return Vec::new();
    };
    let start = board.start.clone();
    let game = game(board);
    let ways = (0..game.board.pieces()).flat_map(|piece| WAYS.map(|way| (piece, way)));
    let step = |(piece, (down, right)): (usize, Way)| {
        let moved = stepped(&game, &start, piece, (down, right))?;
        let back = stepped(&game, &moved, piece, (-down, -right))?;
        Some([start.clone(), moved, back])
    };
    let found = ways.filter_map(step).next().into_iter().flatten();
    let names = ["the Donkey", "after a step", "after the step back"];
    let figures = names.into_iter().zip(found);
    figures
        .map(|(name, cells)| Figure::new(name, game.draw(&cells)))
        .collect()
}

/// Whether every step of the rulebook can be undone, on every board: tries each shape at each place
/// of the empty board, in each direction.
pub(super) fn steps_undone() -> Result<Vec<Figure>, BadInput> {
    let (mut steps, mut wrong) = (0_u64, 0_u64);
    for game in boards().map(game) {
        let board = &game.board;
        for (kind, anchor) in (0..board.kinds.len())
            .flat_map(|kind| board.grid.open.iter().map(move |&cell| (kind, cell)))
        {
            let shape = &board.kinds[kind].shape;
            let Some(places) = shape.cells(&board.grid, anchor) else {
                continue;
            };
            let piece = board.first_piece(kind);
            let mut alone = board.bare.clone();
            for place in places {
                alone[place] = Cell::Piece(piece);
            }
            for (down, right) in WAYS {
                let Some(moved) = stepped(&game, &alone, piece.into(), (down, right)) else {
                    continue;
                };
                steps += 1;
                let back = stepped(&game, &moved, piece.into(), (-down, -right));
                wrong += u64::from(back.as_ref() != Some(&alone));
            }
        }
    }
    let mut figures = explained(
        steps > 0 && wrong == 0,
        "Every step of every shape on every board is undone by the step the other way. Other \
         pieces do not matter to that: a step moves no cell but its piece's, and the cells that \
         the piece left are free. A move is a chain of steps, so it is undone by the chain \
         backward; then neighbours are never more than one level apart.",
    );
    figures.push(Figure::new("boards", shipped().count()));
    figures.push(Figure::new("all", steps));
    figures.push(Figure::new("not_undone", wrong));
    figures.extend(a_step());
    Ok(figures)
}
