//! Tilt: 5x5 squares with a hole in the middle. A tilt lets every blue and green block slide until
//! an edge, a grey block or another block stops it. Green blocks fall into the hole and are gone. A
//! tilt in which a blue block falls is not allowed. Solved: no green block.

mod squares;

use super::{Rules, Settings, board};
pub use squares::{Board, GRID, HOLE, count, greys, image, pack, read, unpack};

/// The number of square i of line l, seen from where blocks slide to.
fn square(direction: usize, line: usize, i: usize) -> usize {
    GRID.cell([(line, i), (line, 4 - i), (i, line), (4 - i, line)][direction])
}

const NAMES: [&str; 4] = ["left", "right", "up", "down"];

/// The board after a tilt; `None` if a blue block falls.
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
                    b'.' => (board[at], board[to], at) = (b'.', block, to),
                    b'O' if block == b'b' => return None,
                    b'O' => {
                        board[at] = b'.';
                        break;
                    }
                    _ => break,
                }
            }
        }
    }
    Some(board)
}

/// The boards after the allowed tilts to the left, right, up and down, each with its number.
pub fn tilts(board: &Board) -> impl Iterator<Item = (usize, Board)> {
    (0..4).filter_map(|way| Some((way, tilt(board, way)?)))
}

/// The allowed number of blocks of each colour on a board, and the grey squares.
#[derive(Debug, Clone)]
pub struct Tilt {
    /// Least and most grey, blue and green blocks.
    pub limits: [(usize, usize); 3],
    start: Option<u128>,
}

impl Tilt {
    /// All boards of the game's six grey, four blue and two green blocks.
    pub const BOX: Self = Self {
        limits: [(0, 6), (0, 4), (0, 2)],
        start: None,
    };

    /// The rules of an instance.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        settings.is_empty().then_some(())?;
        if instance == "box" {
            return Some(Self::BOX);
        }
        let start = read(board("tilt", instance)?)?;
        let [grey, blue, green] = b"#bg".map(|block| count(&start, block));
        Some(Self {
            limits: [(grey, grey), (blue, blue), (0, green)],
            start: Some(pack(&start)),
        })
    }

    fn admits(&self, board: &Board) -> bool {
        let mut limits = b"#bg".iter().zip(&self.limits);
        let fits =
            limits.all(|(&block, (least, most))| (least..=most).contains(&&count(board, block)));
        let own = |start: u128| (0..8).any(|i| greys(pack(&image(board, i))) == greys(start));
        fits && self.start.is_none_or(own)
    }
}

impl Rules for Tilt {
    fn read(&self, text: &str) -> Option<u128> {
        let found = read(board("tilt", text).unwrap_or(text))?;
        self.admits(&found).then(|| pack(&found))
    }
    fn draw(&self, state: u128) -> String {
        GRID.draw(&unpack(state))
    }
    fn next(&self, state: u128) -> Vec<u128> {
        let board = unpack(state);
        let other = tilts(&board).filter(|(_, after)| *after != board);
        other.map(|(_, after)| pack(&after)).collect()
    }
    fn before(&self, _state: u128) -> Option<Vec<u128>> {
        None
    }
    fn solved(&self, state: u128) -> bool {
        !unpack(state).contains(&b'g')
    }
    fn start(&self) -> Option<u128> {
        self.start
    }
    fn images(&self, state: u128) -> Vec<u128> {
        let board = unpack(state);
        (0..8).map(|index| pack(&image(&board, index))).collect()
    }
    fn name(&self, from: u128, to: u128) -> Option<String> {
        let to = unpack(to);
        let (way, _) = tilts(&unpack(from)).find(|(_, after)| *after == to)?;
        Some(NAMES[way].to_owned())
    }
    fn order(&self, state: u128) -> u128 {
        greys(state) << 50 | state
    }
}
