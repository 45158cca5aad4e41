//! Boards of Rush Hour: from their drawings, and all with the pieces of an instance, each on its
//! line.

use super::{Board, LETTERS, Rush};
use crate::rules::board::{Grid, set};
use crate::rules::keys::pack;
use crate::rules::{MOST, Settings, board, chosen};

/// The drawing in a line of Fogleman's database: moves, board, number of boards. The last or both
/// figures may be missing, and the board may have a name.
fn drawing(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let figures = |words: &[&str]| words.iter().all(|word| word.parse::<u64>().is_ok());
    let drawing = match words[..] {
        [drawing] => drawing,
        [moves, drawing] if figures(&[moves]) => drawing,
        [moves, drawing, boards] if figures(&[moves, boards]) => drawing,
        _ => return None,
    };
    Some(board("rush-hour", drawing).unwrap_or(drawing))
}

impl Board {
    /// A board from its drawing, the state that it shows, and the letters of its pieces.
    pub(super) fn read(text: &str) -> Option<(Self, u128, Vec<u8>)> {
        let (grid, marks) = Grid::drawn_or_square(drawing(text)?)?;
        grid.within(1..=8, 64)?;
        let lines = grid.lines();
        let mut placed = Vec::new();
        for (letter, cells) in grid.pieces(&marks, b".o#x") {
            let known = LETTERS.contains(&letter) && (2..=3).contains(&cells.len());
            let first = |line: &Vec<usize>| line.windows(cells.len()).position(|own| own == cells);
            let mut places = (0..).zip(lines.iter().map(first));
            let (line, first) = places.find_map(|(line, first)| Some((line, first?)))?;
            placed.push((letter != b'A', line, first, cells.len(), letter));
            known.then_some(())?;
        }
        placed.sort_unstable();
        let &(other, line, _, length, _) = placed.first()?;
        let opened = Self {
            grid,
            walls: set(grid.cells().filter(|&cell| b"#x".contains(&marks[cell]))),
            pieces: placed.iter().map(|one| (one.1, one.3)).collect(),
            lines,
        };
        let state = pack(3, placed.iter().map(|one| one.2));
        let letters = placed.iter().map(|one| one.4).collect();
        (!other && line < grid.rows && length == 2).then_some((opened, state, letters))
    }
}

impl Rush {
    /// The rules of an instance.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let [metric] = chosen(instance, settings, [("metric", "move step")])?;
        let custom = settings.get("board").map(String::as_str);
        let (board, start, letters) = Board::read(custom.or(board("rush-hour", instance))?)?;
        let lines = 0..board.lines.len();
        Some(Self {
            reach: lines.map(|line| board.reach(line, start)).collect(),
            board,
            start,
            letters,
            step: metric == 1,
        })
    }
}

/// Passes on every board; returns false, passing none, if there are too many.
pub(super) fn each(rush: &Rush, take: &mut dyn FnMut(u128)) -> bool {
    let mut count = 0;
    let few = placed(rush, 0, (0, 0), &mut |_| {
        count += 1;
        count <= MOST
    });
    few && placed(rush, 0, (0, 0), &mut |state| {
        take(state);
        true
    })
}

/// Places the pieces of a line and of later lines without overlaps; ends as soon as a board is not
/// accepted.
fn placed(
    rush: &Rush,
    line: usize,
    (state, taken): (u128, u128),
    take: &mut dyn FnMut(u128) -> bool,
) -> bool {
    let Some((own, all)) = rush.reach.get(line) else {
        return take(state);
    };
    all.iter().all(|firsts| {
        let places = own.iter().zip(firsts);
        let with = places.fold(state, |state, (&piece, &first)| {
            state | pack(3, [first]) << (3 * piece)
        });
        let cells = own
            .iter()
            .flat_map(|&piece| rush.board.covered(with, piece));
        let cells = set(cells.copied());
        cells & taken != 0 || placed(rush, line + 1, (with, taken | cells), take)
    })
}
