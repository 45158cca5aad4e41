//! Boards of Unit Rush Hour: from their drawings, and all that the settings of a census allow.

use super::{EMPTY, LYING, STANDING, Unit, joined};
use crate::rules::board::Grid;
use crate::rules::keys::choose;
use crate::rules::{MOST, Settings, board, chosen};

/// A board of any name, or its drawing: its size, and the state that it shows.
pub(super) fn drawn(text: &str) -> Option<(Grid, u128)> {
    let text = board("unit-rush-hour", text.trim()).unwrap_or(text);
    let (grid, marks) = Grid::drawn_or_square(text)?;
    let target = marks.iter().position(|&mark| mark == b'A')?;
    let exit = grid.place(target).0;
    let content = |&mark: &u8| match mark {
        b'.' => Some(EMPTY),
        b'A' | b'-' | b'=' => Some(LYING),
        b'|' => Some(STANDING),
        _ => None,
    };
    let contents: Vec<usize> = marks.iter().map(content).collect::<Option<_>>()?;
    let alone = marks.iter().filter(|&&mark| mark == b'A').count() == 1;
    let leftmost = !contents[grid.cell((exit, 0))..target].contains(&LYING);
    let grid = sized(grid).filter(|_| alone && leftmost)?;
    Some((grid, joined(grid, contents, exit)))
}

fn sized(grid: Grid) -> Option<Grid> {
    grid.within(2..=10, 36)
}

impl Unit {
    /// The rules of an instance; a single board has fewer settings.
    pub fn open(instance: &str, settings: &Settings) -> Option<Self> {
        let text = |key: &str| settings.get(key).map(String::as_str);
        let (grid, start) = match board("unit-rush-hour", instance).or(text("board")) {
            Some(text) => drawn(text).map(|(grid, start)| (grid, Some(start)))?,
            None => (Grid::named(instance).and_then(sized)?, None),
        };
        let any = if start.is_some() { "" } else { "*" };
        let keys = [("metric", "step move"), ("exit", any), ("empty", any)];
        let [metric, ..] = chosen(instance, settings, keys)?;
        let exits = match text("exit") {
            None | Some("any") => 0..grid.rows,
            Some(row) => {
                let row = row.parse().ok();
                let row = row.filter(|row| (1..=grid.rows).contains(row))?;
                row - 1..row
            }
        };
        let most = grid.cells().len() - 1;
        let empty = match text("empty").unwrap_or("1") {
            "any" => 0..=most,
            value => {
                let (least, last) = value.split_once("..").unwrap_or((value, value));
                least.parse().ok()?..=last.parse().ok()?
            }
        };
        let some = !empty.is_empty() && *empty.end() <= most;
        some.then_some(Self {
            grid,
            exits: exits.collect(),
            empty,
            step: metric == 0,
            start,
        })
    }

    /// Whether a board of this size is a state: of the census, or with as many cars along each line
    /// as the start.
    pub(super) fn holds(&self, state: u128) -> bool {
        if let Some(start) = self.start {
            let lines = |state| (self.exit(state), self.lying(state), self.standing(state));
            return lines(start) == lines(state);
        }
        let contents = self.contents(state).into_iter();
        let empty = contents.filter(|&content| content == EMPTY).count();
        self.exits.contains(&self.exit(state)) && self.empty.contains(&empty)
    }

    /// Number of boards with any target or none.
    fn boards(&self) -> u128 {
        let cells = self.grid.cells().len();
        let of = |empty: usize| choose(cells, empty) << (cells - empty);
        self.empty.clone().map(of).sum::<u128>() * self.exits.len() as u128
    }

    /// Every state of the census; `None` for a single board, or if there are too many.
    pub(super) fn census(&self) -> Option<Vec<u128>> {
        if self.start.is_some() || self.boards() > MOST as u128 {
            return None;
        }
        let cells = self.grid.cells().len();
        // Boards so far, cell by cell, with their empty cells.
        let mut boards: Vec<(u128, usize)> = vec![(0, 0)];
        for cell in 0..cells {
            let with = |&(board, empty): &(u128, usize)| {
                let car = |content: usize| (board | (content as u128) << (2 * cell), empty);
                [(board, empty + 1), car(LYING), car(STANDING)]
            };
            let left = cells - 1 - cell;
            let can = |(_, empty): &(u128, usize)| {
                empty <= self.empty.end() && empty + left >= *self.empty.start()
            };
            boards = boards.iter().flat_map(with).filter(can).collect();
        }
        let exits = self.exits.iter().map(|&exit| (exit as u128) << (2 * cells));
        let states = exits.flat_map(|exit| boards.iter().map(move |(board, _)| board | exit));
        let with_target = states.filter(|&state| self.target(state).is_some());
        Some(with_target.collect())
    }
}
