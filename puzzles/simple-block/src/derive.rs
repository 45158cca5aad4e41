//! The figures behind claims of kind `derived`: counts of boards, by what is left open of a
//! board, without listing boards and without the numbering of the variants.

use std::collections::HashMap;

use puzzle_api::{BadInput, Effort, Figure, Parameters, Settings};

/// Every name that [`fn@derive`] knows, with the parameters it takes.
pub const NAMES: [(&str, &[&str]); 2] = [
    ("placements", &["board=4x4|3x3|3x4|2x3|2x2"]),
    (
        "just-solved",
        &["board=4x4|3x3|3x4|2x3|2x2", "goal=corner|edges"],
    ),
];

/// Cells as bits, the first lowest.
type Set = u32;

/// A board on which fillings are counted.
struct Counter {
    rows: usize,
    columns: usize,
    /// Every set of cells that hang together, by its first cell.
    pieces: Vec<Vec<Set>>,
    /// Ways to fill an open set of cells: with any pieces, any cells left empty.
    ways: HashMap<Set, u64>,
}

impl Counter {
    fn new(rows: usize, columns: usize) -> Self {
        let mut counter = Self {
            rows,
            columns,
            pieces: vec![Vec::new(); rows * columns],
            ways: HashMap::from([(0, 1)]),
        };
        for cells in 1..1 << (rows * columns) {
            if counter.hangs_together(cells) {
                counter.pieces[cells.trailing_zeros() as usize].push(cells);
            }
        }
        counter
    }

    fn members(&self, cells: Set) -> impl Iterator<Item = usize> + use<> {
        (0..self.rows * self.columns).filter(move |cell| cells >> cell & 1 == 1)
    }

    /// Whether every cell can be reached from the first by sides.
    fn hangs_together(&self, cells: Set) -> bool {
        let mut waiting = vec![cells.trailing_zeros() as usize];
        let mut left = cells & (cells - 1);
        while let Some(cell) = waiting.pop() {
            let beside = |other: &usize| {
                let rows = (cell / self.columns).abs_diff(other / self.columns);
                let columns = (cell % self.columns).abs_diff(other % self.columns);
                rows + columns == 1
            };
            let reached: Vec<usize> = self.members(left).filter(beside).collect();
            reached.iter().for_each(|cell| left &= !(1 << cell));
            waiting.extend(reached);
        }
        left == 0
    }

    /// Ways to fill open cells: the first of them stays empty or is the first of a piece.
    fn fillings(&mut self, open: Set) -> u64 {
        if let Some(&known) = self.ways.get(&open) {
            return known;
        }
        let first = open.trailing_zeros() as usize;
        let mut ways = self.fillings(open & !(1 << first));
        for at in 0..self.pieces[first].len() {
            let piece = self.pieces[first][at];
            if piece & !open == 0 {
                ways += self.fillings(open & !piece);
            }
        }
        self.ways.insert(open, ways);
        ways
    }

    /// The cells that a piece enters with a step up or left; `None` where the edge is in the
    /// way.
    fn enters(&self, piece: Set, up: bool) -> Option<Set> {
        let mut entered = 0;
        for cell in self.members(piece) {
            let (row, column) = (cell / self.columns, cell % self.columns);
            let target = match up {
                true => row.checked_sub(1)? * self.columns + column,
                false => row * self.columns + column.checked_sub(1)?,
            };
            entered |= 1 << target;
        }
        Some(entered & !piece)
    }

    /// Boards with a piece at the goal that could have come there with its last step: those on
    /// which it can go a step up or left. A board counts once for each such piece.
    fn just_solved(&mut self, corner: bool) -> u64 {
        let (rows, columns) = (self.rows, self.columns);
        let all = (1 << (rows * columns)) - 1;
        let pieces: Vec<Set> = self.pieces.concat();
        let mut boards = 0;
        for piece in pieces {
            let at_goal = match corner {
                true => piece >> (rows * columns - 1) == 1,
                false => {
                    let mut cells = self.members(piece);
                    let low = cells.any(|cell| cell / columns == rows - 1);
                    let mut cells = self.members(piece);
                    low && cells.any(|cell| cell % columns == columns - 1)
                }
            };
            if !at_goal {
                continue;
            }
            let open = all & !piece;
            let (up, left) = (self.enters(piece, true), self.enters(piece, false));
            let entered: Vec<Set> = up.into_iter().chain(left).collect();
            // The cells that it enters stay empty; where both do, it was counted twice.
            for cells in &entered {
                boards += self.fillings(open & !cells);
            }
            if let [up, left] = entered[..] {
                boards -= self.fillings(open & !up & !left);
            }
        }
        boards
    }
}

/// Derives the figures of a name. One figure is called `value`.
///
/// # Errors
/// An unknown name or parameter, or a value that does not fit, in one line.
pub fn derive(what: &str, parameters: &Settings, _effort: Effort) -> Result<Vec<Figure>, BadInput> {
    let parameters = Parameters::of("simple-block", &NAMES, what, parameters)?;
    let board = parameters.one_of("board")?.as_bytes();
    let side = |at: usize| usize::from(board[at] - b'0');
    let mut counter = Counter::new(side(0), side(2));
    let value = match what {
        "placements" => counter.fillings((1 << (counter.rows * counter.columns)) - 1),
        _ => counter.just_solved(parameters.one_of("goal")? == "corner"),
    };
    Ok(vec![Figure::new("value", value)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(what: &str, pairs: &[(&str, &str)]) -> String {
        let settings = pairs.iter().map(|&(k, v)| (k.to_owned(), v.to_owned()));
        let figures = derive(what, &settings.collect(), Effort::Quick);
        figures.expect("derives")[0].value.clone()
    }

    /// On 2x2: 12 ways to join all four cells, and with one to four cells left empty 4 * 4, then
    /// 4 * 2 + 2, then 4, then 1.
    #[test]
    fn small_boards_are_counted_by_hand() {
        assert_eq!(
            value("placements", &[("board", "2x2")]),
            (12 + 16 + 10 + 4 + 1).to_string()
        );
    }

    #[test]
    fn the_published_figures_come_out() {
        assert_eq!(value("placements", &[]), "55807716");
        assert_eq!(value("just-solved", &[]), "12295564");
        assert_eq!(value("just-solved", &[("goal", "edges")]), "12612727");
    }
}
