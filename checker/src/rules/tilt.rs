//! Tilt: 5x5 squares with a hole in the middle. A tilt lets every blue and green block slide
//! until an edge, a grey block or another block stops it. Green blocks fall into the hole and
//! are gone; a tilt in which a blue block falls is not allowed. Solved: no green block.
//!
//! State and key: bit s of P for a grey or blue block on square s in reading order, of Q for a
//! grey or green one; key = P * 2^25 + Q. Canonical is, of the eight images, the one of the
//! smallest mask of grey squares, and among these the one of the smallest key.

use super::{Rules, Settings, board, turn};

pub const HOLE: usize = 12;
const MASK: u128 = (1 << 25) - 1;
const EMPTY: u8 = b'.';

/// Squares in reading order: `.`, `O`, `#`, `b`, `g`.
pub type Board = [u8; 25];

/// The way that square i of line l is numbered, seen from where blocks slide to.
fn square(direction: usize, line: usize, i: usize) -> usize {
    [
        5 * line + i,
        5 * line + 4 - i,
        5 * i + line,
        5 * (4 - i) + line,
    ][direction]
}

pub const NAMES: [&str; 4] = ["left", "right", "up", "down"];

/// The board after a tilt; none where a blue block falls.
#[must_use]
pub fn tilt(board: &Board, direction: usize) -> Option<Board> {
    let mut board = *board;
    for line in 0..5 {
        for i in 1..5 {
            let mut at = square(direction, line, i);
            let block = board[at];
            if block != b'b' && block != b'g' {
                continue;
            }
            for j in (0..i).rev() {
                let to = square(direction, line, j);
                match board[to] {
                    EMPTY => (board[at], board[to], at) = (EMPTY, block, to),
                    b'O' if block == b'b' => return None,
                    b'O' => {
                        board[at] = EMPTY;
                        break;
                    }
                    _ => break,
                }
            }
        }
    }
    Some(board)
}

#[must_use]
pub fn pack(board: &Board) -> u128 {
    let of = |blocks: [u8; 2]| {
        (0..25).fold(0_u128, |mask, s| {
            mask | u128::from(blocks.contains(&board[s])) << s
        })
    };
    of([b'#', b'b']) << 25 | of([b'#', b'g'])
}

#[must_use]
pub fn unpack(state: u128) -> Board {
    std::array::from_fn(|s| match (state >> (25 + s) & 1, state >> s & 1) {
        _ if s == HOLE => b'O',
        (0, 0) => EMPTY,
        (1, 0) => b'b',
        (0, _) => b'g',
        _ => b'#',
    })
}

/// Mask of the grey squares.
#[must_use]
pub fn greys(state: u128) -> u32 {
    (state >> 25 & state & MASK) as u32
}

#[must_use]
pub fn image(board: &Board, index: usize) -> Board {
    let mut image = *board;
    for (s, &block) in board.iter().enumerate() {
        let (row, column) = turn(index, (5, 5), (s / 5, s % 5));
        image[5 * row + column] = block;
    }
    image
}

/// How many blocks of each colour a board may hold, and which grey squares.
#[derive(Debug, Clone)]
pub struct Tilt {
    /// Least and most grey, blue and green blocks.
    pub limits: [(usize, usize); 3],
    start: Option<u128>,
}

/// The six grey, four blue and two green blocks of the game.
pub const BOX: [(usize, usize); 3] = [(0, 6), (0, 4), (0, 2)];

impl Tilt {
    /// # Errors
    /// An unknown instance.
    pub fn open(instance: &str, settings: &Settings) -> Result<Self, String> {
        if instance == "box" {
            return match settings.is_empty() {
                true => Ok(Self {
                    limits: BOX,
                    start: None,
                }),
                false => Err("settings of tilt/box are not read here".into()),
            };
        }
        let text = board("tilt", instance).ok_or(format!("no instance tilt/{instance}"))?;
        let start = read(text)?;
        let count = |block| start.iter().filter(|&&b| b == block).count();
        let (grey, blue, green) = (count(b'#'), count(b'b'), count(b'g'));
        let limits = [(grey, grey), (blue, blue), (0, green)];
        Ok(Self {
            limits,
            start: Some(pack(&start)),
        })
    }

    /// Whether a board belongs to the instance.
    fn admits(&self, board: &Board) -> bool {
        let count = |block| board.iter().filter(|&&b| b == block).count();
        let fits =
            |(block, &(least, most)): (u8, &(usize, usize))| (least..=most).contains(&count(block));
        let own = |start: u128| (0..8).any(|i| greys(pack(&image(board, i))) == greys(start));
        b"#bg".iter().copied().zip(&self.limits).all(fits) && self.start.is_none_or(own)
    }
}

/// A board of five rows joined by `/`.
fn read(text: &str) -> Result<Board, String> {
    let cells: Vec<u8> = text.split('/').flat_map(str::bytes).collect();
    let shaped = text.split('/').count() == 5 && text.split('/').all(|row| row.len() == 5);
    let known = |(s, c): (usize, &u8)| {
        if s == HOLE {
            *c == b'O'
        } else {
            b".#bg".contains(c)
        }
    };
    match Board::try_from(cells) {
        Ok(board) if shaped && board.iter().enumerate().all(known) => Ok(board),
        _ => Err(format!("{text:?} is no board of Tilt")),
    }
}

impl Rules for Tilt {
    fn read(&self, text: &str) -> Result<u128, String> {
        let found = read(board("tilt", text).unwrap_or(text))?;
        match self.admits(&found) {
            true => Ok(pack(&found)),
            false => Err(format!("{text} is no board of this instance")),
        }
    }
    fn draw(&self, state: u128) -> String {
        let rows = unpack(state);
        rows.chunks(5)
            .map(String::from_utf8_lossy)
            .collect::<Vec<_>>()
            .join("/")
    }
    fn next(&self, state: u128, out: &mut Vec<u128>) {
        let board = unpack(state);
        let after = (0..4).filter_map(|direction| tilt(&board, direction));
        out.extend(
            after
                .filter(|after| *after != board)
                .map(|after| pack(&after)),
        );
    }
    fn solved(&self, state: u128) -> bool {
        !unpack(state).contains(&b'g')
    }
    fn start(&self) -> Option<u128> {
        self.start
    }
    fn images(&self, state: u128) -> Vec<u128> {
        (0..8)
            .map(|index| pack(&image(&unpack(state), index)))
            .collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let to = unpack(to);
        let found = (0..4).find(|&direction| tilt(&unpack(from), direction) == Some(to));
        found.map(|direction| NAMES[direction].to_owned())
    }
    fn order(&self, state: u128) -> u128 {
        u128::from(greys(state)) << 50 | state
    }
}
