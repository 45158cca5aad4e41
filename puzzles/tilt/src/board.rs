//! Boards as cells, their text, their key and their images: shared by both variants at the edges
//! (parsing, drawing), never in a move; images are the rulebook's.

use puzzle_api::{BadInput, turned};

/// Squares along an edge.
pub const SIDE: usize = 5;
/// Squares of the board, the hole included.
pub const SQUARES: usize = SIDE * SIDE;
/// Square of the hole; square s is at row s / 5, column s % 5.
pub const HOLE: usize = 12;

/// The content of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// The hole; only square [`HOLE`].
    Hole,
    /// A block that never moves.
    Grey,
    /// A block that slides and must not fall.
    Blue,
    /// A block that slides and has to fall.
    Green,
}

/// A board: all squares in reading order.
pub type Board = [Cell; SQUARES];

/// The board without blocks.
pub fn empty_board() -> Board {
    let mut board = [Cell::Empty; SQUARES];
    board[HOLE] = Cell::Hole;
    board
}

/// The number of squares with `cell`.
pub fn count(board: &Board, cell: Cell) -> u32 {
    board.iter().filter(|&&other| other == cell).count() as u32
}

/// Mask of the squares with `cell`: bit s for square s.
pub fn mask(board: &Board, cell: Cell) -> u32 {
    (0..SQUARES)
        .filter(|&square| board[square] == cell)
        .fold(0, |mask, square| mask | 1 << square)
}

/// Packs a board: P = grey or blue, Q = grey or green, key = P << 25 | Q.
pub fn key(board: &Board) -> u64 {
    let (grey, blue) = (mask(board, Cell::Grey), mask(board, Cell::Blue));
    let green = mask(board, Cell::Green);
    u64::from(grey | blue) << SQUARES | u64::from(grey | green)
}

/// Unpacks a key.
pub fn from_key(key: u64) -> Board {
    let mut board = empty_board();
    for square in (0..SQUARES).filter(|&square| square != HOLE) {
        let p = key >> (SQUARES + square) & 1;
        let q = key >> square & 1;
        board[square] = match (p, q) {
            (0, 0) => Cell::Empty,
            (1, 0) => Cell::Blue,
            (0, _) => Cell::Green,
            _ => Cell::Grey,
        };
    }
    board
}

/// The board with grey blocks on the squares of a mask and no others.
pub fn grey_board(grey: u32) -> Board {
    from_key(u64::from(grey) << SQUARES | u64::from(grey))
}

/// The image of a board under one of the eight symmetries of the square. Bit 0 of `index` mirrors
/// left and right, bit 1 mirrors top and bottom, bit 2 then swaps rows and columns. Thesis, section
/// 3.2.
pub fn image(board: &Board, index: u32) -> Board {
    let mut image = *board;
    for (square, &cell) in board.iter().enumerate() {
        image[turned(index as usize, (SIDE, SIDE), square)] = cell;
    }
    image
}

/// `row R, column C`, counted from 1, as error texts name a square.
pub fn square_name(square: usize) -> String {
    format!("row {}, column {}", square / SIDE + 1, square % SIDE + 1)
}

/// The contents of squares, and their symbols.
const SYMBOLS: [(Cell, char); 5] = [
    (Cell::Empty, '.'),
    (Cell::Hole, 'O'),
    (Cell::Grey, '#'),
    (Cell::Blue, 'b'),
    (Cell::Green, 'g'),
];

/// The symbol of a square's content.
pub(crate) fn symbol(cell: Cell) -> char {
    SYMBOLS[cell as usize].1
}

/// The content of a symbol.
pub(crate) fn cell_of(symbol: char) -> Option<Cell> {
    let found = SYMBOLS.iter().find(|(_, own)| *own == symbol);
    found.map(|(cell, _)| *cell)
}

/// Writes a board as five rows joined by `/`.
pub fn draw(board: &Board) -> String {
    let mut text = String::with_capacity(SQUARES + SIDE - 1);
    for (square, cell) in board.iter().enumerate() {
        if square > 0 && square % SIDE == 0 {
            text.push('/');
        }
        text.push(symbol(*cell));
    }
    text
}

/// Reads five rows joined by `/`. Counts of blocks are not checked here.
///
/// # Errors
/// One line that names the row and column and the remedy. Errors are a wrong size, an unknown
/// symbol, a hole that is missing, doubled or elsewhere, and a block in the hole.
pub fn parse(text: &str) -> Result<Board, BadInput> {
    let text = text.trim();
    if text.is_empty() {
        return Err(BadInput::new(
            "the board is empty text: write five rows joined by '/', \
             such as g..../...../..O../...../.....",
        ));
    }
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != SIDE {
        return Err(BadInput::new(format!(
            "the board has {} row(s), 5 are needed: write five rows of five squares joined by '/'",
            rows.len()
        )));
    }
    let mut board = empty_board();
    for (row, line) in rows.iter().enumerate() {
        let length = line.chars().count();
        if length != SIDE {
            return Err(BadInput::new(format!(
                "row {} ('{}') has {length} square(s), 5 are needed",
                row + 1,
                puzzle_api::shown(line)
            )));
        }
        for (column, symbol) in line.chars().enumerate() {
            let square = SIDE * row + column;
            board[square] = read_cell(square, symbol)?;
        }
    }
    Ok(board)
}

fn read_cell(square: usize, symbol: char) -> Result<Cell, BadInput> {
    let complain = |text: &str| Err(BadInput::new(format!("{}: {text}", square_name(square))));
    let Some(cell) = cell_of(symbol) else {
        return complain(&format!(
            "unknown symbol '{}': use '#' grey, 'b' blue, 'g' green, 'O' hole, '.' empty",
            symbol.escape_default()
        ));
    };
    match (square == HOLE, cell) {
        (true, Cell::Hole) | (false, Cell::Empty | Cell::Grey | Cell::Blue | Cell::Green) => {
            Ok(cell)
        }
        (true, Cell::Empty) => complain("the hole is here: write 'O' instead of '.'"),
        (true, _) => complain(&format!(
            "'{symbol}' stands in the hole: write 'O' here and put the block elsewhere"
        )),
        (false, Cell::Hole) => {
            complain("there is one hole, at row 3, column 3: write '.' or a block here")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_no_board_is_refused_by_place() {
        for (text, said) in [
            ("", "the board is empty text"),
            ("...../.....", "the board has 2 row(s), 5 are needed"),
            ("...../....../..O../...../.....", "row 2 ('......') has 6"),
            ("..x../...../..O../...../.....", "row 1, column 3: unknown"),
            ("...../...../...../...../.....", "row 3, column 3: the hole"),
            (
                "O..../...../..O../...../.....",
                "row 1, column 1: there is one",
            ),
            (
                "O..../...../...../...../.....",
                "row 1, column 1: there is one",
            ),
            (
                "...../...../..b../...../.....",
                "row 3, column 3: 'b' stands",
            ),
        ] {
            let refused = parse(text).unwrap_err().0;
            assert!(refused.starts_with(said), "{text}: {refused}");
        }
    }
}
