//! The printed functions on single rows, for all possible rows.

use puzzle_api::Figure;

use super::code::{self, ILLEGAL_ROW, ROWS, Row, Tables};
use super::finding;
use super::permutation::bit_of;
use crate::board::{self, Board, Cell, SIDE};
use crate::instances::THESIS_B;
use crate::rules::{Tilt, tilt};

/// The contents of a square by its two printed bits.
pub(crate) const CELLS: [Cell; 4] = [Cell::Empty, Cell::Green, Cell::Blue, Cell::Grey];

fn cell(bits: Row) -> Cell {
    CELLS[bits as usize & 3]
}

/// The two bits of a square; the hole is empty.
fn bits(cell: Cell) -> Row {
    CELLS.iter().position(|&own| own == cell).unwrap_or(0) as Row
}

/// A board in the printed packing.
pub(super) fn pack(board: &Board) -> u64 {
    (0..SIDE * SIDE).fold(0, |packed, square| {
        packed | u64::from(bits(board[square])) << bit_of(square / SIDE, square % SIDE)
    })
}

/// A board from the printed packing; `None` for a block in the hole.
pub(super) fn unpack(packed: u64) -> Option<Board> {
    let mut unpacked = board::empty_board();
    for (square, slot) in unpacked.iter_mut().enumerate() {
        let found = cell((packed >> bit_of(square / SIDE, square % SIDE)) as Row);
        match (*slot, found) {
            (Cell::Hole, Cell::Empty) => {}
            (Cell::Hole, _) => return None,
            _ => *slot = found,
        }
    }
    Some(unpacked)
}

/// Rows that show the effect of the row functions, one below the other; another one for the row of
/// the hole.
const SHOWN: &str = "..g.b/g.#.b/b..g#/.g#b./#.b.g";
const SHOWN_MIDDLE: &str = ".gO../#.O.g/.#Og./b.Og#/..O#b/g.Ob.";

/// Rows drawn one below the other, in printed bits.
fn rows_of(drawn: &str) -> Vec<Row> {
    let cell_of = |symbol| board::cell_of(symbol).unwrap_or(Cell::Empty);
    let row = |row: &str| row.chars().fold(0, |row, c| row << 2 | bits(cell_of(c)));
    drawn.split('/').map(row).collect()
}

/// Rows drawn one below the other; `middle` for those that cross the hole, whose mark of a
/// forbidden tilt is a grey block in the hole.
fn drawn(rows: &[Row], middle: bool) -> String {
    let row = |row: &Row| {
        let cells = code::to_array(*row).into_iter().enumerate();
        let symbol = |(at, bits): (usize, Row)| match cell(bits) {
            Cell::Empty if middle && at == SIDE / 2 => 'O',
            cell => board::symbol(cell),
        };
        cells.map(symbol).collect::<String>()
    };
    rows.iter().map(row).collect::<Vec<_>>().join("/")
}

/// Some rows, and each of them after a printed function.
fn shown(name: &str, rows: &str, middle: bool, function: fn(Row) -> Row) -> [Figure; 2] {
    let after: Vec<Row> = rows_of(rows).into_iter().map(function).collect();
    [
        Figure::new("some rows", rows),
        Figure::new(name, drawn(&after, middle)),
    ]
}

/// A row tilted by the rulebook, on an otherwise empty board.
fn literal(row: Row, line: usize, direction: Tilt) -> Option<Row> {
    let before = unpack(u64::from(row) << (10 * (SIDE - 1 - line)))?;
    let after = tilt(&before, direction)?;
    Some((pack(&after) >> (10 * (SIDE - 1 - line))) as Row & 0x3FF)
}

fn middle_rows() -> impl Iterator<Item = Row> {
    (0..ROWS).filter(|row| row & 0x30 == 0)
}

/// A finding about something that was counted wrong or right over all rows.
fn counted(
    checked: usize,
    wrong: &[Row],
    more: impl IntoIterator<Item = Figure>,
    explanation: &str,
) -> Vec<Figure> {
    let texts: Vec<String> = wrong.iter().map(|row| format!("{row:010b}")).collect();
    let mut figures = vec![
        Figure::new("all", checked),
        Figure::new("rows wrong", wrong.len()),
        Figure::new("wrong rows", texts.join(" ")),
    ];
    figures.extend(more);
    finding(wrong.is_empty(), figures, explanation)
}

/// `reverse`, on all rows.
pub(super) fn reverse() -> Vec<Figure> {
    let wrong: Vec<Row> = (0..ROWS)
        .filter(|&row| {
            let mut cells = code::to_array(row);
            cells.reverse();
            code::reverse(row) != code::to_row(cells)
        })
        .collect();
    counted(
        ROWS as usize,
        &wrong,
        shown("each of them reversed", SHOWN, false, code::reverse),
        "All five terms and masks are right: every row is reversed square by square.",
    )
}

/// `b_row_to_array` and `array_to_b_row`, on all rows.
pub(super) fn arrays() -> Vec<Figure> {
    let wrong: Vec<Row> = (0..ROWS)
        .filter(|&row| code::to_row(code::to_array(row)) != row)
        .collect();
    counted(
        ROWS as usize,
        &wrong,
        [
            Figure::new("a board", THESIS_B),
            Figure::new(
                "its rows in bits, a square two of them",
                format!(
                    "{:#x}",
                    board::parse(THESIS_B).map_or(0, |board| pack(&board))
                ),
            ),
        ],
        "The two conversions undo each other on every row. Arrays are released with delete \
         where C++ asks for delete[]; no figure depends on it.",
    )
}

/// `move_b_row` against the rulebook, on all rows.
pub(super) fn move_b_row() -> Vec<Figure> {
    let wrong: Vec<Row> = (0..ROWS)
        .filter(|&row| literal(row, 0, Tilt::Left) != Some(code::move_b_row(row)))
        .collect();
    counted(
        ROWS as usize,
        &wrong,
        shown(
            "each of them tilted to the left",
            SHOWN,
            false,
            code::move_b_row,
        ),
        "Agrees with the rulebook on every row, also on those that hold more blocks than the \
         box.",
    )
}

/// Compares `move_bc_row` with the rulebook, on all rows with an empty hole.
pub(super) fn move_bc_row() -> Vec<Figure> {
    let wrong: Vec<Row> = middle_rows()
        .filter(|&row| literal(row, 2, Tilt::Left).unwrap_or(ILLEGAL_ROW) != code::move_bc_row(row))
        .collect();
    counted(
        middle_rows().count(),
        &wrong,
        shown(
            "each of them tilted to the left, a grey block in the hole where that is forbidden",
            SHOWN_MIDDLE,
            true,
            code::move_bc_row,
        ),
        "Agrees with the rulebook on every row, falls and forbidden falls included. The mark \
         for a forbidden row is 0x30, that is `0000110000`; its comment prints nine \
         digits, `000010000`, possibly a printing error. The early return does not release the \
         array.",
    )
}

/// `table_init`: are the lists exactly the rows that each tilt turns into the index?
pub(super) fn table_init() -> Vec<Figure> {
    let tables = Tables::init();
    let mut wrong = Vec::new();
    for after in 0..ROWS {
        let at = after as usize;
        let outer = |direction| -> Vec<Row> {
            (0..ROWS)
                .filter(|&row| literal(row, 0, direction) == Some(after))
                .collect()
        };
        let middle = |direction| -> Vec<Row> {
            middle_rows()
                .filter(|&row| literal(row, 2, direction).unwrap_or(ILLEGAL_ROW) == after)
                .collect()
        };
        let right = tables.left[at] == outer(Tilt::Left)
            && tables.right[at] == outer(Tilt::Right)
            && rows_of_list(&tables.left_c[at]) == middle(Tilt::Left)
            && rows_of_list(&tables.right_c[at]) == middle(Tilt::Right);
        if !right {
            wrong.push(after);
        }
    }
    counted(
        ROWS as usize,
        &wrong,
        [
            Figure::new(
                "the list of a row, the row itself first",
                drawn(&highest_first(tables.left[EXAMPLE as usize].clone()), false),
            ),
            Figure::new(
                "the list of a row that crosses the hole",
                drawn(&rows_of_list(&tables.left_c[EXAMPLE_MIDDLE as usize]), true),
            ),
        ],
        "Every list holds exactly the rows that the tilt turns into its index; forbidden rows \
         are gathered under 0x30, which no board has in its middle row. All 1,024 rows get an \
         entry, also the 107 that the box cannot fill, which costs time and no correctness.",
    )
}

fn rows_of_list(list: &[(Row, i32)]) -> Vec<Row> {
    list.iter().map(|row| row.0).collect()
}

/// The row of section 3.4.1, and one for the list of rows that cross the hole.
const EXAMPLE: Row = 0b01_10_00_00_00;
const EXAMPLE_MIDDLE: Row = 0b10_11_00_00_00;

/// A row to which blocks were pushed is higher than the row from which they came.
fn highest_first(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_unstable_by(|a, b| b.cmp(a));
    rows
}

/// The rows that a tilt to the left turns into `01 10 00 00 00` (section 3.4.1), by
/// the rulebook, in the printed notation.
pub(crate) fn example_predecessors() -> Vec<String> {
    let rows = (0..ROWS).filter(|&row| literal(row, 0, Tilt::Left) == Some(EXAMPLE));
    highest_first(rows.collect())
        .into_iter()
        .map(|row| {
            code::to_array(row)
                .map(|cell| format!("{cell:02b}"))
                .join(" ")
        })
        .collect()
}
