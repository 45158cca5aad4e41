//! Boards with a name: the challenge cards and the two readings of the thesis' board.

use crate::board::{self, Board};

/// The 40 challenge cards of ThinkFun's Tilt, in order, from one public transcription (which gives
/// no solution lengths).
pub(crate) fn cards() -> impl Iterator<Item = &'static str> {
    include_str!("cards.txt").lines()
}

/// The board of section 3.1 as encoded before the rotation. It has three green blocks, one more
/// than the box.
pub const THESIS_A: &str = "#..g./..#b./.#O#b/.#g../.#g.b";

/// The board of section 3.1 as encoded after the rotation, turned back by 90 degrees.
/// It differs from [`THESIS_A`] at row 5, column 3: blue, not green.
pub const THESIS_B: &str = "#..g./..#b./.#O#b/.#g../.#b.b";

/// The board with a name: `card-1` to `card-40`, `thesis` (the reading that fits the box),
/// `thesis-a`, `thesis-b`.
pub fn named_board(name: &str) -> Option<Board> {
    let text = match name {
        "thesis" | "thesis-b" => THESIS_B,
        "thesis-a" => THESIS_A,
        _ => {
            let number = name.strip_prefix("card-")?;
            // "card-07" and "card-+7" are not names.
            if number.starts_with(['0', '+']) {
                return None;
            }
            cards().nth(number.parse::<usize>().ok()?.checked_sub(1)?)?
        }
    };
    board::parse(text).ok()
}
