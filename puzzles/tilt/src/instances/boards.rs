//! Boards with a name: the challenge cards and the two readings of the thesis' board.

use crate::board::{self, Board};

/// The 40 challenge cards of ThinkFun's Tilt, in order, from one public transcription (which gives
/// no solution lengths).
pub(crate) const CARDS: [&str; 40] = [
    "g#.../...../..O../...../..#..",
    "#gb../...../..O../...../.....",
    "bg#../...../..O../...../bg...",
    "#...g/...../..O../...../b...g",
    "bgb../b#g../..O../...../.....",
    ".#b.g/.#.../##O../...../....g",
    "#.##./...../..O../g..../b....",
    "g.#../g##../b#O../b..../b....",
    "..#bb/...../..O../...../gb...",
    "...../...../..Obb/..###/...bg",
    "b#.../gg#.#/..O../...../.....",
    ".#.../.g#g./..O#./...../.#...",
    "###../.##../..O../...../gg..b",
    "...../...../..O../..##./..bg#",
    "#b..b/....g/..O.#/...../.....",
    "#..#./g.#../b.O../...../.....",
    "...../...../.#O../...../#gb..",
    "b#.../b..#./##O#./g..../.....",
    "..#gg/..bbb/..O../.#.../.....",
    "#b.../g.#../b.O../..#../..#..",
    "#.#.#/...../.#O../..#.g/..#.b",
    "..#gb/.#..g/..O../...../....b",
    "..#../g..../#.O../...../#b..#",
    "#..../..#gg/..O##/...bb/.....",
    "#..../....#/..O#g/..#bg/...bb",
    "#.#../...../..O../..bbb/..#gb",
    "##.../..#../b.O../##.../bg...",
    ".#b.b/.#b.g/..O#b/.###./.....",
    "#bgb#/.##../..O../...../.b#..",
    ".##../...../.#O../#b#../bgb.#",
    ".##../...../..O../.g#b./.#bg.",
    "##..#/gg.../b.O../...../..#..",
    "...../...../..O#./..#gb/#.##g",
    ".#.#./...../.#O../.gb#./.gb#.",
    ".g#b./gb#../#.O../b..../.....",
    ".#.bg/.#.gb/..O#b/...../...#.",
    "..#bg/.#.bg/.#O../..#../.....",
    "#b#../g..../g.O.#/....#/..#..",
    "#.#gg/...b#/..O#./..#../.....",
    "#...g/g.#.b/b.O#./..#../.#...",
];

/// The board of section 3.1 as encoded before the rotation. It has three green blocks, one more
/// than the box.
pub const THESIS_A: &str = "#..g./..#b./.#O#b/.#g../.#g.b";

/// The board of section 3.1 as encoded after the rotation, turned back by 90 degrees.
/// It differs from [`THESIS_A`] at row 5, column 3: blue, not green.
pub const THESIS_B: &str = "#..g./..#b./.#O#b/.#g../.#b.b";

/// The board with a name: `card-1` to `card-40`, `thesis` (the reading that fits the box),
/// `thesis-a`, `thesis-b`.
#[must_use]
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
            CARDS.get(number.parse::<usize>().ok()?.checked_sub(1)?)?
        }
    };
    board::parse(text).ok()
}
