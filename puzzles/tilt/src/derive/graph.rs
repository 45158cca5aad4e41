//! The thesis' statements about moves and their inverses.

use std::collections::BTreeSet;

use puzzle_api::{BadInput, Figure, Parameters, Predecessors, Puzzle};

use super::{explained, seed};
use crate::board::{self, Board, Cell, SIDE, SQUARES};
use crate::instances::{THESIS_A, THESIS_B};
use crate::printed::{self, CELLS};
use crate::rules::{Tilt, tilt};
use crate::{Bits, sample};

/// The ten predecessors listed in section 3.4.1, as printed there.
const LISTED: [&str; 10] = [
    "01 10 00 00 00",
    "01 00 10 00 00",
    "01 00 00 10 00",
    "01 00 00 00 10",
    "00 01 10 00 00",
    "00 01 00 10 00",
    "00 01 00 00 10",
    "00 00 01 10 00",
    "00 00 01 00 10",
    "00 00 00 01 10",
];

/// Section 3.4.1: are the rows listed exactly the predecessors of `01 10 00 00 00`?
pub(super) fn row_predecessors() -> Vec<Figure> {
    let found = printed::example_predecessors();
    let as_set = |rows: &[String]| -> BTreeSet<String> { rows.iter().cloned().collect() };
    let listed = as_set(&LISTED.map(str::to_owned));
    explained(
        vec![
            Figure::new("value", as_set(&found) == listed),
            Figure::new("all", 1024),
            Figure::new("found", found.len()),
            Figure::new("rows, one under the other", drawn(&found)),
        ],
        "All 1,024 rows were tilted to the left by the rulebook, on a row that does not cross \
         the hole. The listed rows are the ways to put a green block left of a blue one on five \
         squares. The first of them is the row itself: a predecessor of the row, though not of \
         a board that does not change otherwise.",
    )
}

/// Rows in the printed notation as symbols, one below the other.
fn drawn(rows: &[String]) -> String {
    let symbol = |cell: &str| board::symbol(CELLS[usize::from_str_radix(cell, 2).unwrap_or(0)]);
    let row = |row: &String| row.split(' ').map(symbol).collect::<String>();
    rows.iter().map(row).collect::<Vec<_>>().join("/")
}

/// Section 2.3: the possible origins of a blue block in the top right corner.
pub(super) fn corner_predecessors() -> Vec<Figure> {
    let mut corner = board::empty_board();
    corner[SIDE - 1] = Cell::Blue;
    let free = |board: &Board| -> Vec<usize> {
        (0..SQUARES)
            .filter(|&square| board[square] == Cell::Empty)
            .collect()
    };
    let (mut squares, mut boards) = (BTreeSet::new(), 0);
    // One blue block anywhere, and none, one or two greens anywhere.
    for blue in free(&board::empty_board()) {
        let mut alone = board::empty_board();
        alone[blue] = Cell::Blue;
        for first in [None].into_iter().chain(free(&alone).into_iter().map(Some)) {
            for second in [None].into_iter().chain(free(&alone).into_iter().map(Some)) {
                if second.is_some() && (first.is_none() || second <= first) {
                    continue;
                }
                let mut before = alone;
                for green in [first, second].into_iter().flatten() {
                    before[green] = Cell::Green;
                }
                if tilt(&before, Tilt::Right) == Some(corner) {
                    squares.insert(blue);
                    boards += 1;
                }
            }
        }
    }
    explained(
        vec![
            Figure::new("value", squares.len()),
            Figure::new("the block in the corner", board::draw(&corner)),
            Figure::new("boards, with greens that fall in the same tilt", boards),
        ],
        "The blue block may have stood on any of the five squares of its row. The text leaves \
         out that up to two greens on the two squares left of the hole may have fallen in the \
         same tilt: in the box the board has that many predecessors to the right, itself \
         included.",
    )
}

fn random_boards(parameters: &Parameters<'_>) -> Result<Vec<Board>, BadInput> {
    let (seed, count) = (seed(parameters)?, parameters.number("count")?);
    Ok(sample::of_box(seed, count).collect())
}

/// Section 2.3: one successor per move, but many or no predecessors.
pub(super) fn predecessor_counts(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    // One that no tilt makes and one that many do, whatever else is drawn.
    let of_blue = |square: usize| {
        let mut board = board::empty_board();
        board[square] = Cell::Blue;
        board
    };
    let mut boards = vec![of_blue(SIDE + 1), of_blue(SIDE - 1)];
    boards.extend(random_boards(parameters)?);
    let bits = Bits::opened("box", &[("grey", "0")])?;
    let (mut none, mut most, mut most_board) = (0_u64, 0_u64, board::empty_board());
    let (mut right, mut made_by_none) = (true, 0_u64);
    for board in &boards {
        let rest = |way| tilt(board, way) == Some(*board);
        let mut count = 0;
        bits.predecessors(&bits.state(board::key(board)), &mut |before| {
            let before = board::from_key(bits.key(&before));
            right &= Tilt::ALL
                .iter()
                .any(|&way| tilt(&before, way) == Some(*board));
            count += 1;
        });
        // The result of a tilt does not change under the same tilt.
        let rests = Tilt::ALL.into_iter().any(rest);
        right &= rests || count == 0;
        made_by_none += u64::from(!rests);
        none += u64::from(count == 0);
        if count > most {
            (most, most_board) = (count, *board);
        }
    }
    Ok(explained(
        vec![
            Figure::new("value", right && made_by_none > 0 && most > 4),
            // A board of each kind is enough.
            Figure::new("all", 2),
            Figure::new("boards", boards.len()),
            Figure::new("without predecessor", none),
            Figure::new("most predecessors", most),
            Figure::new("board with most", board::draw(&most_board)),
            Figure::new("seed", seed(parameters)?),
        ],
        "A tilt is a function, so there is one successor per move (or none where it is forbidden). \
         Of uniformly random boards most were produced by no tilt at all, and some by very many \
         boards. The rulebook tilts each of these into the board; and a board that none of its \
         tilts leaves as it is was produced by none.",
    ))
}

/// Whether a move has a property: board before, board after, direction.
type Test = fn(&Board, &Board, Tilt) -> bool;

/// Properties that every move has, tried on random boards and all their successors.
pub(super) fn invariants(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let (test, explanation): (Test, &str) = match parameters.one_of("property")? {
        "grey-fixed" => (
            |before, after, _| board::mask(before, Cell::Grey) == board::mask(after, Cell::Grey),
            "No tilt changed the set of grey squares: the rulebook moves blue and green blocks \
             only. So boards with different grey sets are never on one path.",
        ),
        "blue-kept" => (
            |before, after, _| board::count(before, Cell::Blue) == board::count(after, Cell::Blue),
            "No legal tilt changed the number of blue blocks.",
        ),
        _ => (
            lines_apart,
            "Each row (or column) of the board after a tilt is what the rulebook makes of that \
             row alone.",
        ),
    };
    let boards = random_boards(parameters)?;
    let (mut moves, mut failed) = (0_u64, 0_u64);
    for board in &boards {
        let mut holds = true;
        for direction in Tilt::ALL {
            if let Some(after) = tilt(board, direction) {
                moves += 1;
                holds &= test(board, &after, direction);
            }
        }
        failed += u64::from(!holds);
    }
    Ok(explained(
        vec![
            Figure::new("value", failed == 0),
            Figure::new("moves tried", moves),
            Figure::new("sampled", boards.len()),
            Figure::new("wrong", failed),
            Figure::new(
                "drawn",
                "Boards of the box drawn uniformly, with all their moves,",
            ),
            Figure::new("seed", seed(parameters)?),
            Figure::new("a board", THESIS_B),
            Figure::new("a board after a tilt to the right", right_of(THESIS_B)),
        ],
        explanation,
    ))
}

/// A board after a tilt to the right; unchanged if that is forbidden.
fn right_of(text: &str) -> String {
    let before = board::parse(text).unwrap_or_else(|_| board::empty_board());
    board::draw(&tilt(&before, Tilt::Right).unwrap_or(before))
}

/// Whether every line of the tilted board equals the line tilted on its own board.
fn lines_apart(before: &Board, after: &Board, direction: Tilt) -> bool {
    (0..SIDE).all(|line| {
        let squares = || (0..SIDE).map(|distance| direction.square(line, distance));
        let mut alone = board::empty_board();
        squares().for_each(|square| alone[square] = before[square]);
        let tilted = tilt(&alone, direction);
        tilted.is_some_and(|tilted| squares().all(|square| tilted[square] == after[square]))
    })
}

/// Section 3.1: the drawing before the rotation compared with the one after it, turned back.
pub(super) fn thesis_drawings() -> Vec<Figure> {
    let drawn = |text| board::parse(text).unwrap_or_else(|_| board::empty_board());
    let (before, after) = (drawn(THESIS_A), drawn(THESIS_B));
    let differ: Vec<String> = (0..SQUARES)
        .filter(|&square| before[square] != after[square])
        .map(board::square_name)
        .collect();
    let greens = |board: &Board| board::count(board, Cell::Green);
    explained(
        vec![
            Figure::new("value", differ.is_empty()),
            Figure::new("before the rotation", THESIS_A),
            Figure::new("after it, turned back", THESIS_B),
            Figure::new("squares that differ", differ.join("; ")),
            Figure::new("green blocks before", greens(&before)),
            Figure::new("green blocks after", greens(&after)),
        ],
        "One digit of the drawing before the rotation is misprinted: it has three green blocks \
         where the box holds two, and the one after it has two.",
    )
}
