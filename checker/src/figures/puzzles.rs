//! Figures of Hanoi, Lights Out and Rush Hour.

use std::collections::HashMap;

use super::{Derived, Parameters, exact, trusting, unnamed};
use crate::reading::Reading;
use crate::rules::board::Grid;
use crate::rules::rush::Rush;
use crate::rules::{Rules, Settings};
use crate::search::{Question, search};
use crate::shown::{OrWrong, Stop};

pub fn derive(puzzle: &str, what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    let listed = |key: &str, right: &dyn Fn(usize) -> u64| {
        let numbers = parameters.text(key, "0").split(',');
        let numbers = numbers.map(|text| text.trim().parse::<u64>());
        exact(numbers.enumerate().all(|(n, found)| found == Ok(right(n))))
    };
    match (puzzle, what) {
        ("hanoi", "frame-stewart") => {
            let pegs = parameters.number("pegs", 4);
            listed("moves", &|discs| frame_stewart(pegs, discs))
        }
        ("lights-out", "quiet" | "quiet-list") => {
            let quiet = match parameters.text("torus", "false") {
                "true" => quiet_round,
                _ => quiet,
            };
            match what {
                "quiet" => exact(quiet(parameters.number("side", 5))),
                _ => listed("numbers", &|side| quiet(side) as u64),
            }
        }
        ("rush-hour", "layouts" | "placements") => {
            let board = Grid::named(parameters.text("board", "6x6"));
            let board = board.filter(|grid| (3..=6).contains(&grid.rows));
            let mut counted = Counted {
                side: board.ok_or("no such board".to_owned())?.rows,
                pushed: what == "layouts",
                shared: parameters.text("row", "alone") == "shared",
                known: HashMap::new(),
            };
            exact(counted.ways(0, Edge::default()))
        }
        _ => unnamed(),
    }
}

/// Solves the hardest board of each number of pieces. That none is harder is left to the census.
pub fn hardest_by_pieces(reading: &Reading, parameters: &Parameters) -> Result<Derived, Stop> {
    let (found, metric) = (reading.text("found"), parameters.text("metric", "move"));
    for (pieces, length) in (1..).zip(found.split(' ')) {
        let name = format!("{pieces} pieces, {metric}s {length}");
        let board = reading.part("figures")[name.as_str()].as_str();
        let board = board.ok_or(format!("no board of {name}"))?;
        let mut letters: Vec<char> = board.chars().filter(|c| c.is_ascii_uppercase()).collect();
        letters.sort_unstable();
        letters.dedup();
        let settings = [("metric", metric), ("board", board)];
        let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let rules = Rush::open("custom", &Settings::from(settings));
        let rules = rules.ok_or(format!("{board} is no board"))?;
        let solved = rules.start().map(Question::solving);
        let solved = solved.and_then(|question| search(&rules, &question, false)?.met);
        let right = solved.map(|moves| moves.to_string()).as_deref() == Some(length);
        let own = board.len() == 41 && !board.contains(['#', 'x']);
        (right && own && letters.len() == pieces).or_wrong(format!("{board} is not of {name}"))?;
    }
    trusting(
        found,
        "that no board of as many pieces is harder, which a census of 6x6 found",
    )
}

/// Moves the upper discs aside using all pegs, the others to the last peg using one peg fewer, then the upper ones
/// after them, with the best number of upper discs.
fn frame_stewart(pegs: usize, discs: usize) -> u64 {
    if pegs == 3 || discs < 2 {
        return (1 << discs) - 1;
    }
    let split = |upper| 2 * frame_stewart(pegs, upper) + frame_stewart(pegs - 1, discs - upper);
    (1..discs).map(split).min().unwrap_or(0)
}

/// Independent sets of presses that switch nothing on a square board: presses of the first row
/// decide all others, row by row, and those that would be needed beyond the last must be none.
fn quiet(side: usize) -> usize {
    // Each press as a sum over the field of two elements of those of the first row.
    let (mut above, mut row) = (
        vec![0_u64; side],
        (0..side).map(|i| 1 << i).collect::<Vec<_>>(),
    );
    for _ in 0..side {
        let at = |i: Option<usize>| i.and_then(|i| row.get(i)).copied().unwrap_or(0);
        let below = |i: usize| above[i] ^ row[i] ^ at(i.checked_sub(1)) ^ at(Some(i + 1));
        let next = (0..side).map(below).collect();
        above = std::mem::replace(&mut row, next);
    }
    side - rank(row)
}

/// The same round a torus: two rows decide all others, and after the last these two must come again.
fn quiet_round(side: usize) -> usize {
    let first = |from: usize| (from..from + side).map(|i| 1_u128 << i).collect::<Vec<_>>();
    let (mut above, mut row) = (first(0), first(side));
    for _ in 0..side {
        let sides = |i: usize| row[(i + side - 1) % side] ^ row[(i + 1) % side];
        let next = (0..side).map(|i| above[i] ^ row[i] ^ sides(i)).collect();
        above = std::mem::replace(&mut row, next);
    }
    let met = above
        .into_iter()
        .chain(row)
        .zip(first(0).into_iter().chain(first(side)));
    2 * side - rank(met.map(|(found, wanted)| found ^ wanted))
}

/// Rank of vectors over the field of two elements.
pub(super) fn rank(vectors: impl IntoIterator<Item = impl Into<u128>>) -> usize {
    let mut basis: Vec<u128> = Vec::new();
    for vector in vectors {
        let vector = vector.into();
        let left = basis
            .iter()
            .fold(vector, |left, other| left.min(left ^ other));
        if left != 0 {
            basis.push(left);
        }
    }
    basis.len()
}

/// The state of the count: what the cells done so far mean for the rest.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Edge {
    /// Cells still missing of the piece that stands in each column, and of the one that lies.
    standing: [usize; 6],
    lying: usize,
    /// By column: whether the last cell done is taken, and whether all are by standing pieces.
    taken: [bool; 6],
    upright: [bool; 6],
    /// Whether the row so far is taken by lying pieces.
    flat: bool,
    red: bool,
    others: bool,
}

/// Boards of Rush Hour, counted cell by cell.
struct Counted {
    side: usize,
    /// Only boards with a second piece on which no piece can go left or up, and no line is full of
    /// pieces along it.
    pushed: bool,
    /// Whether others may lie in the row of the red car.
    shared: bool,
    known: HashMap<(usize, Edge), u64>,
}

impl Counted {
    fn ways(&mut self, cell: usize, edge: Edge) -> u64 {
        let side = self.side;
        if cell == side * side {
            let ended = edge.lying == 0 && edge.standing == [0; 6];
            return u64::from(ended && edge.red && (edge.others || !self.pushed));
        }
        if let Some(&ways) = self.known.get(&(cell, edge)) {
            return ways;
        }
        let (row, column, pushed) = (cell / side, cell % side, self.pushed);
        let red_row = row == (side - 1) / 2;
        let mut all = Vec::new();
        if edge.lying > 0 || edge.standing[column] > 0 {
            // Two pieces would overlap.
            if edge.lying == 0 || edge.standing[column] == 0 {
                all.push((edge.lying, edge.standing[column], false, false));
            }
        } else {
            all.push((0, 0, false, false));
            let free_left = column > 0 && !edge.taken[column - 1];
            let free_above = row > 0 && !edge.taken[column];
            for length in [2, 3] {
                if column + length <= side && !(pushed && free_left) {
                    if red_row && length == 2 && !edge.red {
                        all.push((length, 0, true, false));
                    }
                    if !red_row || self.shared {
                        all.push((length, 0, false, true));
                    }
                }
                if row + length <= side && !(pushed && free_above) {
                    all.push((0, length, false, true));
                }
            }
        }
        let mut ways = 0;
        for (lies, stands, red, other) in all {
            let mut next = edge;
            next.lying = lies.saturating_sub(1);
            next.standing[column] = stands.saturating_sub(1);
            next.taken[column] = lies + stands > 0;
            next.flat = lies > 0 && (column == 0 || edge.flat);
            next.upright[column] = stands > 0 && (row == 0 || edge.upright[column]);
            next.red |= red;
            next.others |= other;
            let full = next.flat && column + 1 == side || next.upright[column] && row + 1 == side;
            if !(pushed && full) {
                ways += self.ways(cell + 1, next);
            }
        }
        self.known.insert((cell, edge), ways);
        ways
    }
}
