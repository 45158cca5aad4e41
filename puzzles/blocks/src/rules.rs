//! The literal rulebook of the block puzzles, variant `reference`: a piece is some cells, and moves
//! by one cell at a time. Slow on purpose; the oracle of every check.

mod filling;

use puzzle_api::{BadInput, Key, Request, Xorshift};

use crate::metric::Metric;
use crate::text::moved;

pub use filling::{Counted, Filling};

/// A step, in rows down and columns to the right.
pub type Way = (i32, i32);

pub const ALONG_ROW: [Way; 2] = [(0, -1), (0, 1)];
pub const ALONG_COLUMN: [Way; 2] = [(-1, 0), (1, 0)];
pub const WAYS: [Way; 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

/// The neighbour of a cell, in reading order on a board of n rows and columns; `None` beyond the
/// edge.
pub fn beside((rows, columns): (usize, usize), cell: usize, (down, right): Way) -> Option<usize> {
    let row = (cell / columns).checked_add_signed(down as isize)?;
    let column = (cell % columns).checked_add_signed(right as isize)?;
    (row < rows && column < columns).then_some(row * columns + column)
}

/// The cells of a set that are connected by sides to its first one.
pub fn component(cells: &[usize], beside: impl Fn(usize, Way) -> Option<usize>) -> Vec<usize> {
    let mut reached: Vec<usize> = cells.first().copied().into_iter().collect();
    let mut next = 0;
    while let Some(&cell) = reached.get(next) {
        next += 1;
        for way in WAYS {
            let beside = beside(cell, way);
            let beside = beside.filter(|at| cells.contains(at) && !reached.contains(at));
            reached.extend(beside);
        }
    }
    reached
}

/// The first of some cells that is not connected to the first of all.
pub fn first_apart(cells: &[usize], beside: impl Fn(usize, Way) -> Option<usize>) -> Option<usize> {
    let reached = component(cells, beside);
    cells.iter().copied().find(|cell| !reached.contains(cell))
}

/// The cells that a piece covers after a step; `None` if one of them is not free. `ahead` returns
/// the next cell, if the piece may cover it.
pub fn step(
    cells: &[usize],
    way: Way,
    ahead: &impl Fn(usize, Way) -> Option<usize>,
) -> Option<Vec<usize>> {
    cells.iter().map(|&cell| ahead(cell, way)).collect()
}

/// All places to which one move takes a piece.
pub fn reached(
    cells: &[usize],
    ways: &[Way],
    metric: Metric,
    ahead: &impl Fn(usize, Way) -> Option<usize>,
) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    if metric != Metric::Piece {
        for &way in ways {
            let mut next = step(cells, way, ahead);
            while let Some(place) = next {
                next = match metric {
                    Metric::Line => step(&place, way, ahead),
                    _ => None,
                };
                found.push(place);
            }
        }
        return found;
    }
    let mut looked_at = 0;
    while let Some(at) = std::iter::once(cells)
        .chain(found.iter().map(Vec::as_slice))
        .nth(looked_at)
    {
        let steps: Vec<_> = ways.iter().map(|&way| step(at, way, ahead)).collect();
        for place in steps.into_iter().flatten() {
            // Returning to the same place is no move.
            if place != cells && !found.contains(&place) {
                found.push(place);
            }
        }
        looked_at += 1;
    }
    found
}

/// An opened instance, as the rulebook plays it.
pub trait Game: Sized + Send + Sync + 'static {
    type Key: Key;
    type Board: Clone;
    /// Parts and ranks, or other data of the variant.
    type Numbers: Send + Sync;

    /// Opens an instance.
    fn open(request: &Request<'_>) -> Result<Self, BadInput>;

    fn numbers(&self) -> Self::Numbers;

    fn metric(&self) -> Metric;

    fn start(&self) -> Option<Self::Board>;

    fn pieces(&self, board: &Self::Board) -> usize;

    /// The cells that a piece covers; none if there is no such piece.
    fn covered(&self, board: &Self::Board, piece: usize) -> impl AsRef<[usize]>;

    /// The directions in which a piece steps.
    fn ways(&self, board: &Self::Board, piece: usize) -> &'static [Way];

    /// The next cell, if the piece may cover it: it is on the board, no wall, and free of other
    /// pieces.
    fn ahead<'a>(
        &'a self,
        board: &'a Self::Board,
        piece: usize,
    ) -> impl Fn(usize, Way) -> Option<usize> + 'a;

    /// The board with a piece put on other cells.
    fn put(&self, board: &Self::Board, piece: usize, cells: &[usize]) -> Self::Board;

    fn is_solved(&self, board: &Self::Board) -> bool;

    fn key(&self, board: &Self::Board) -> Self::Key;

    fn board(&self, key: Self::Key) -> Self::Board;

    /// Reads a board of the instance.
    fn parse(&self, text: &str) -> Result<Self::Board, BadInput>;

    /// Cells of a row, as cells are numbered.
    fn columns(&self) -> usize;

    /// The mark of a piece in a drawing.
    fn mark(&self, board: &Self::Board, piece: usize) -> char;

    /// A piece in the names of moves.
    fn name(&self, board: &Self::Board, piece: usize) -> String {
        self.mark(board, piece).to_string()
    }

    /// Rows joined by `/`.
    fn draw(&self, board: &Self::Board) -> String;

    /// A player's name of the move between two boards: the piece, and how far it goes ("B down 2
    /// right 1"). `None` if not exactly one piece moved.
    fn describe_move(&self, from: &Self::Board, to: &Self::Board) -> Option<String> {
        // Pieces that look alike may change their numbers, so they are identified by their cells.
        let places = |board: &Self::Board| -> Vec<Vec<usize>> {
            let moves = |piece: &usize| !self.ways(board, *piece).is_empty();
            let covered = |piece| self.covered(board, piece).as_ref().to_vec();
            (0..self.pieces(board)).filter(moves).map(covered).collect()
        };
        let (before, after) = (places(from), places(to));
        let mut left = before.iter().filter(|cells| !after.contains(cells));
        let mut come = after.iter().filter(|cells| !before.contains(cells));
        let (Some(left), None) = (left.next(), left.next()) else {
            return None;
        };
        let (Some(come), None) = (come.next(), come.next()) else {
            return None;
        };
        let is_it = |&piece: &usize| self.covered(from, piece).as_ref() == left.as_slice();
        let piece = (0..self.pieces(from)).find(is_it)?;
        let at = |cell: usize| (cell / self.columns(), cell % self.columns());
        Some(moved(&self.name(from, piece), at(left[0]), at(come[0])))
    }

    /// Names of boards that `parse` reads.
    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The pieces of a board drawn on its cells, whose own marks are given: rows joined by `/`.
pub fn drawn_on<G: Game>(game: &G, board: &G::Board, mut marks: Vec<char>) -> String {
    for piece in 0..game.pieces(board) {
        let mark = game.mark(board, piece);
        let covered = game.covered(board, piece);
        covered.as_ref().iter().for_each(|&cell| marks[cell] = mark);
    }
    let rows = marks.chunks(game.columns()).map(String::from_iter);
    rows.collect::<Vec<_>>().join("/")
}

/// A game whose boards are drawn.
pub trait Drawn: Game {
    /// A board drawn uniformly from all of the instance, without any move; `None` if that takes too
    /// long, or the few boards are numbered.
    fn random(&self, random: &mut Xorshift) -> Option<Self::Board>;
}

/// The board after a piece takes one step; `None` if it is blocked.
pub fn stepped<G: Game>(game: &G, board: &G::Board, piece: usize, way: Way) -> Option<G::Board> {
    let cells = game.covered(board, piece);
    let to = step(cells.as_ref(), way, &game.ahead(board, piece))?;
    Some(game.put(board, piece, &to))
}

/// All boards after one move of a piece.
pub fn moves_of<G: Game>(game: &G, board: &G::Board, piece: usize) -> Vec<G::Board> {
    let cells = game.covered(board, piece);
    let (ways, ahead) = (game.ways(board, piece), game.ahead(board, piece));
    let places = reached(cells.as_ref(), ways, game.metric(), &ahead);
    let put = |cells: &Vec<usize>| game.put(board, piece, cells);
    places.iter().map(put).collect()
}
