//! Boards of simple sliding blocks from their drawings.

use super::{Simple, joined};
use crate::rules::Settings;
use crate::rules::board::{Grid, set};

/// A board if it is of a size that is known here.
fn sized(grid: Grid) -> Option<Grid> {
    grid.within(2..=8, 16)
}

/// Reads a drawing: the pieces, the goal piece first.
pub(super) fn drawn(text: &str) -> Option<(Grid, Vec<u128>)> {
    let (grid, marks) = Grid::drawn_or_square(text)?;
    let (grid, mut pieces) = (sized(grid)?, Vec::new());
    for (letter, cells) in grid.pieces(&marks, b".") {
        let whole = set(cells.iter().copied());
        let hangs = joined(grid, whole, *cells.last()?).contains(&whole);
        (hangs && letter.is_ascii_alphabetic()).then_some(())?;
        pieces.push((letter != b'A', whole));
    }
    pieces.sort_by_key(|piece| piece.0);
    let whole = marks.contains(&b'.') && marks.contains(&b'A');
    whole.then(|| (grid, pieces.into_iter().map(|piece| piece.1).collect()))
}

impl Simple {
    /// The rules of an instance.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let known = |key: &str| key == "goal" || key == "board" && instance == "custom";
        settings.keys().all(|key| known(key)).then_some(())?;
        let edges = match settings.get("goal").map(String::as_str) {
            None | Some("corner") => false,
            Some("edges") => true,
            _ => return None,
        };
        let opened = |grid, pieces| Self {
            grid,
            pieces,
            edges,
            start: None,
        };
        if let Some(text) = settings.get("board") {
            let (grid, pieces) = drawn(text)?;
            let rules = opened(grid, pieces.len());
            let start = Some(rules.state(&pieces));
            return rules.admits(pieces[0]).then_some(Self { start, ..rules });
        }
        let (size, pieces) = instance.split_once("-n")?;
        let (grid, pieces) = (Grid::named(size).and_then(sized)?, pieces.parse().ok()?);
        let some_empty = (1..grid.cells().len()).contains(&pieces);
        some_empty.then_some(opened(grid, pieces))
    }
}
