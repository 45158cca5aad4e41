//! Figures of Hanoi, Lights Out and Rush Hour.

use std::collections::BTreeSet;

use super::{Derived, Parameters, exact, trusting, unnamed};
use crate::parts::{NEVER, distances};
use crate::reading::Reading;
use crate::rules::board::{Grid, members, set};
use crate::rules::keys::ways;
use crate::rules::rush::Rush;
use crate::rules::{Rules, Settings};
use crate::search::{Question, search};
use crate::shown::{OrWrong, Stop, or_none};

pub fn derive(puzzle: &str, what: &str, parameters: &Parameters) -> Result<Derived, Stop> {
    let listed = |key: &str, right: &dyn Fn(usize) -> u64| {
        let numbers = parameters.text(key, "0").split(',');
        let numbers = numbers.map(str::parse::<u64>);
        exact(numbers.enumerate().all(|(n, found)| found == Ok(right(n))))
    };
    match (puzzle, what) {
        ("hanoi", "frame-stewart") => {
            let pegs = parameters.number("pegs", 4);
            listed("moves", &|discs| frame_stewart(pegs, discs))
        }
        ("lights-out", "quiet" | "quiet-list") => {
            let states = parameters.number("states", 2);
            let round = parameters.text("torus", "false") == "true";
            let quiet = |side: usize| quiet(side, states, round);
            match what {
                "quiet" => exact(quiet(parameters.number("side", 5))),
                _ => listed("numbers", &|side| quiet(side) as u64),
            }
        }
        ("rush-hour", "layouts" | "placements") => {
            let board = Grid::named(parameters.text("board", "6x6"));
            let board = board.filter(|grid| (3..=6).contains(&grid.rows));
            let boards = Boards {
                side: board.ok_or("no such board".to_owned())?.rows,
                pushed: what == "layouts",
                shared: parameters.text("row", "alone") == "shared",
            };
            let next = |cell: usize, edge: &Edge| boards.next(cell, edge);
            let ends = |edge: &Edge| boards.ends(edge);
            exact(ways(Edge::default(), boards.side.pow(2), next, ends))
        }
        _ => unnamed(),
    }
}

/// Solves the hardest board of each number of pieces, and all boards with as many if these are few.
pub fn hardest_by_pieces(reading: &Reading, parameters: &Parameters) -> Result<Derived, Stop> {
    let (found, metric) = (reading.text("found"), parameters.text("metric", "move"));
    let size = parameters.text("board", "6x6");
    let grid = Grid::named(size).ok_or("no such board")?;
    let lengths: Vec<&str> = found.split(' ').collect();
    // With more pieces, no cell is left to move to.
    let all = lengths.len() == (grid.cells().len() - 1) / 2;
    all.or_wrong(format!("{size} has other numbers of pieces"))?;
    let mut open = false;
    for (pieces, length) in (1..).zip(lengths) {
        let name = format!("{pieces} pieces, {metric}s {length}");
        let board = reading.part("figures")[name.as_str()].as_str();
        let board = board.ok_or(format!("no board of {name}"))?;
        let letters: BTreeSet<char> = board.chars().filter(char::is_ascii_uppercase).collect();
        let rules = custom(board, metric).ok_or(format!("{board} is no board"))?;
        let solved = rules.start().map(Question::solving);
        let solved = solved.and_then(|question| search(&rules, &question, false)?.met);
        let right = solved.map(|moves| moves.to_string()).as_deref() == Some(length);
        let own = Grid::drawn(board).is_some_and(|(own, marks)| {
            let red = |cell| marks.get(cell) == Some(&b'A');
            let red = grid.row(red_row(grid)).any(red);
            own.cells() == grid.cells() && own.columns == grid.columns && red
        });
        let own = own && !board.contains(['#', 'x']) && letters.len() == pieces;
        (right && own).or_wrong(format!("{board} is not of {name}"))?;
        let greatest = if open {
            None
        } else {
            greatest(grid, pieces, metric)
        };
        open = greatest.is_none();
        let same = greatest.is_none_or(|greatest| greatest.to_string() == length);
        same.or_wrong(format!(
            "the hardest board of {pieces} pieces takes {}",
            or_none(greatest)
        ))?;
    }
    let harder = "that no board of as many pieces is harder, which a census of";
    match open {
        false => exact(found),
        true => trusting(found, format!("{harder} {size} found")),
    }
}

fn custom(board: &str, metric: &str) -> Option<Rush> {
    let settings = [("metric", metric), ("board", board)];
    let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned()));
    Rush::open("custom", &Settings::from(settings))
}

fn red_row(grid: Grid) -> usize {
    (grid.rows - 1) / 2
}

/// The greatest distance of the boards with some number of pieces, the red car alone in its row;
/// `None` if there are too many.
fn greatest(grid: Grid, pieces: usize, metric: &str) -> Option<u32> {
    const MOST_BOARDS: usize = 50_000;
    let lines = grid.lines();
    let places = |line: usize, length: usize| {
        let places = lines[line].windows(length).enumerate();
        let at =
            |(first, cells): (usize, &[usize])| (line, first, length, set(cells.iter().copied()));
        places.map(at).collect::<Vec<_>>()
    };
    let red = places(red_row(grid), 2);
    let others = (0..lines.len()).filter(|line| *line != red_row(grid));
    let mut others: Vec<_> = others
        .flat_map(|line| [places(line, 2), places(line, 3)].concat())
        .collect();
    others.sort_unstable();
    // The pieces of a board, and where the next one can be.
    let mut boards: Vec<(Vec<(usize, u128)>, usize)> =
        red.iter().map(|red| (vec![(0, red.3)], 0)).collect();
    for _ in 1..pieces {
        let mut more = Vec::new();
        for (own, least) in boards {
            let taken = own.iter().fold(0, |taken, piece| taken | piece.1);
            let free = (least..others.len()).filter(|&at| others[at].3 & taken == 0);
            more.extend(free.map(|at| ([&own[..], &[(at, others[at].3)]].concat(), at + 1)));
            if more.len() > MOST_BOARDS {
                return None;
            }
        }
        boards = more;
    }
    let (mut known, mut most) = (BTreeSet::new(), 0);
    for (own, _) in boards {
        let kind = own[1..].iter().map(|&(at, _)| (others[at].0, others[at].2));
        if !known.insert(kind.collect::<Vec<_>>()) {
            continue;
        }
        let mut marks = vec![b'.'; grid.cells().len()];
        for ((_, cells), letter) in own.iter().zip(b'A'..) {
            members(*cells).for_each(|cell| marks[cell] = letter);
        }
        let (rules, mut states) = (custom(&grid.draw(&marks), metric)?, Vec::new());
        rules.each_state(&mut |state| states.push(state));
        let next = |&state: &u128| rules.next(state);
        let depths = distances(&states, next, |&state| rules.solved(state));
        let depths = depths.into_iter().filter(|&depth| depth != NEVER);
        most = most.max(depths.max().unwrap_or(0));
    }
    Some(most)
}

/// Moves the upper discs aside using all pegs, the others to the last peg using one peg fewer, then
/// the upper ones after them. The number of upper discs is the best one.
fn frame_stewart(pegs: usize, discs: usize) -> u64 {
    // By number of discs, with three pegs and then with one more each time.
    let mut moves: Vec<u64> = (0..=discs as u32).map(|discs| (1 << discs) - 1).collect();
    for _ in 3..pegs {
        let fewer = moves.clone();
        for discs in 2..=discs {
            let split = |upper: usize| (2 * moves[upper]).saturating_add(fewer[discs - upper]);
            moves[discs] = (1..discs).map(split).min().unwrap_or(0);
        }
    }
    moves[discs]
}

/// Independent quiet patterns of a square: the presses of the first row determine those of the rows
/// below; on a torus, so does the row above it. The rows after the last have to be empty, or these
/// two rows again.
fn quiet(side: usize, states: u32, round: bool) -> usize {
    let unknown = if round { 2 * side } else { side };
    // A press as a sum of unknown ones.
    let unit = |at: usize| (0..unknown).map(|i| u32::from(i == at)).collect();
    let none = || vec![vec![0; unknown]; side];
    let first = |from: usize| (from..from + side).map(unit).collect::<Vec<Vec<u32>>>();
    let (mut above, mut row) = match round {
        true => (first(0), first(side)),
        false => (none(), first(0)),
    };
    for _ in 0..side {
        let beside = |i: usize, step: usize| match (i + side + step - 1) % side.max(1) {
            at if round || at + 1 == i + step => Some(at),
            _ => None,
        };
        let below = |i: usize| -> Vec<u32> {
            let parts = [Some(i), beside(i, 0), beside(i, 2)];
            let of_row = parts.into_iter().flatten().map(|at| &row[at]);
            let sum = |k: usize| above[i][k] + of_row.clone().map(|part| part[k]).sum::<u32>();
            (0..unknown)
                .map(|k| (4 * states - sum(k)) % states)
                .collect()
        };
        let next = (0..side).map(below).collect();
        above = std::mem::replace(&mut row, next);
    }
    let mut rows = row;
    if round {
        rows.extend(above);
        let again = first(side).into_iter().chain(first(0));
        for (found, wanted) in rows.iter_mut().zip(again) {
            for (found, wanted) in found.iter_mut().zip(wanted) {
                *found = (*found + states - wanted) % states;
            }
        }
    }
    // Elimination over the field of that many elements.
    let mut rank = 0;
    for column in 0..unknown {
        let Some(at) = (rank..rows.len()).find(|&at| rows[at][column] > 0) else {
            continue;
        };
        rows.swap(rank, at);
        let (pivots, others) = rows.split_at_mut(rank + 1);
        let pivot = &pivots[rank];
        for other in others {
            while other[column] > 0 {
                for (cell, part) in other.iter_mut().zip(pivot) {
                    *cell = (*cell + part) % states;
                }
            }
        }
        rank += 1;
    }
    unknown - rank
}

/// The state of the count: the effect of the cells done so far on the rest.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Edge {
    /// Missing cells of the piece that stands in each column, and of the one that lies.
    standing: [usize; 6],
    lying: usize,
    /// By column: whether the last cell done is covered, and whether standing pieces cover all
    /// cells.
    taken: [bool; 6],
    upright: [bool; 6],
    /// Whether lying pieces cover the row so far.
    flat: bool,
    red: bool,
    others: bool,
}

/// Boards of Rush Hour, counted cell by cell.
struct Boards {
    side: usize,
    /// Only boards with a second piece on which no piece can go left or up, and no line is full of
    /// pieces along it.
    pushed: bool,
    /// Whether others may lie in the row of the red car.
    shared: bool,
}

impl Boards {
    fn ends(&self, edge: &Edge) -> bool {
        let ended = edge.lying == 0 && edge.standing == [0; 6];
        ended && edge.red && (edge.others || !self.pushed)
    }

    fn next(&self, cell: usize, edge: &Edge) -> Vec<Edge> {
        let (side, pushed) = (self.side, self.pushed);
        let (row, column) = (cell / side, cell % side);
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
        let with = |(lies, stands, red, other): (usize, usize, bool, bool)| {
            let mut next = *edge;
            next.lying = lies.saturating_sub(1);
            next.standing[column] = stands.saturating_sub(1);
            next.taken[column] = lies + stands > 0;
            next.flat = lies > 0 && (column == 0 || edge.flat);
            next.upright[column] = stands > 0 && (row == 0 || edge.upright[column]);
            next.red |= red;
            next.others |= other;
            let full = next.flat && column + 1 == side || next.upright[column] && row + 1 == side;
            (!(pushed && full)).then_some(next)
        };
        all.into_iter().filter_map(with).collect()
    }
}
