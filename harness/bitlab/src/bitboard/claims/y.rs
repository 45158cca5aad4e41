//! Section 5.2.3: who wins a game of Y, by reduction.

use super::Derived;
use crate::bitboard::cases::{Random, random_y};
use crate::bitboard::naive;
use crate::bitboard::y::{Colour, YBoard};

/// Whether reduction and union-find agree on a board.
fn y_agrees(board: &YBoard) -> bool {
    let mut forest = naive::y::UnionFind::default();
    board.winner() == forest.winner(&naive::y::triangle(board))
}

/// Random fills of each side.
const FILLS: u64 = 40;

/// Y reduction.
pub fn y_reduction() -> Derived {
    let owner = |digit: u32| [None, Some(Colour::White), Some(Colour::Black)][digit as usize % 3];
    let exhaustive = (1..=4).all(|side| {
        let cells = (side * (side + 1) / 2) as u32;
        (0..3_u32.pow(cells)).all(|code| {
            YBoard::new(side).is_some_and(|mut board| {
                for (k, (c, r)) in board.cells().enumerate() {
                    board.set(c, r, owner(code / 3_u32.pow(k as u32)));
                }
                y_agrees(&board)
            })
        })
    });
    let mut random = Random(6);
    let sides = 5..=32;
    let drawn = sides.clone().count() as u64 * FILLS;
    let larger = sides.into_iter().all(|side| {
        (0..FILLS).all(|_| random_y(side, &mut random).is_some_and(|board| y_agrees(&board)))
    });
    let found = Derived::holds(
        exhaustive && larger,
        "The winner by reduction is the colour with a chain to all three sides, by union-find, \
         in every position of sides 1 to 4, empty cells included, and on 40 random fills of \
         each side from 5 to 32. Exact in positions not yet full too: each colour's bit plane \
         reduces on its own. (The code of listing 1 is missing from the text; this one follows \
         its description.)",
    )
    .sampled(
        drawn,
        exhaustive && larger,
        "Fills of sides 5 to 32 drawn at random, beside all positions of sides 1 to 4,",
    );
    let Some(filled) = random_y(5, &mut Random(6)) else {
        return found;
    };
    let winner = match filled.winner() {
        Some(Colour::Black) => "black",
        Some(Colour::White) => "white",
        None => "nobody",
    };
    let found = found.with("winner-of-the-boards-shown", winner);
    let boards = std::iter::successors(Some(filled), YBoard::reduced);
    let boards = boards.take_while(|board| board.side() > 2);
    boards.fold(found, |found, board| {
        found.with(
            &format!("a-board-of-side-{}", board.side()),
            y_drawn(&board),
        )
    })
}

/// A board of Y, `x` black and `o` white.
fn y_drawn(board: &YBoard) -> String {
    let mut rows = vec![String::new(); board.side()];
    for (column, row) in board.cells() {
        rows[column].push(match board.get(column, row) {
            Some(Colour::Black) => 'x',
            Some(Colour::White) => 'o',
            None => '.',
        });
    }
    rows.join("/")
}
