//! Upper bounds on the size of forward searches (section 3.3.2).

use std::collections::HashSet;

use puzzle_api::{BadInput, Figure, Parameters, decimal};

use super::{explained, seed};
use crate::board::{self, Board, Cell, HOLE, SIDE};
use crate::instances::Limits;
use crate::printed::CELLS;
use crate::rules::{self, Tilt, tilt};
use crate::sample;
use crate::symmetry::part_greys;

/// Section 3.3.2: a bound on the size of every forward search.
pub(super) fn search_trees() -> Vec<Figure> {
    let bound = largest_possible();
    let figures = vec![
        Figure::new("value", bound.nodes),
        Figure::new("bound", "above"),
        Figure::new(
            "grey blocks of that bound",
            board::draw(&board::grey_board(bound.grey)),
        ),
    ];
    explained(
        figures,
        "No board has a larger search. Nodes are different boards within reach, start included. The bound holds for every \
         board: all but the start must be the result of some tilt, and those were counted for \
         every grey set, line by line, once for each direction.",
    )
}

const BLUES: usize = Limits::BOX.blue.max as usize + 1;
const GREENS: usize = Limits::BOX.green.max as usize + 1;
/// Numbers of lines, or boards, by blues and greens.
type Counts = [[u64; GREENS]; BLUES];

/// A bound on the size of a forward search.
struct Bound {
    nodes: u64,
    grey: u32,
}

/// One more than the most boards, for any grey set and number of blues, that a tilt in some
/// direction leaves unchanged. Boards settled in two directions count twice.
fn largest_possible() -> Bound {
    let table = SettledLines::new();
    let mut best = Bound { nodes: 0, grey: 0 };
    for grey in part_greys(0, Limits::BOX.grey.max) {
        let mut sum = Counts::default();
        for direction in Tilt::ALL {
            let boards = table.boards(grey, direction);
            for (sum, boards) in sum.iter_mut().flatten().zip(boards.iter().flatten()) {
                *sum += boards;
            }
        }
        for greens in &sum {
            let nodes = 1 + greens.iter().sum::<u64>();
            if nodes > best.nodes {
                best = Bound { nodes, grey };
            }
        }
    }
    best
}

/// The number of contents of a line that a tilt leaves unchanged, by whether the line crosses the
/// hole, the direction along it (0 towards cell 0), and its grey cells.
struct SettledLines([[[Counts; 32]; 2]; 2]);

impl SettledLines {
    fn new() -> Self {
        let mut table = Self([[[Counts::default(); 32]; 2]; 2]);
        for (hole, line) in [(0, 0), (1, SIDE / 2)] {
            for content in 0..1 << (2 * SIDE) {
                table.add(hole, line, content);
            }
        }
        table
    }

    /// Counts a content, two bits per cell, if it is settled on its own board.
    fn add(&mut self, hole: usize, line: usize, content: usize) {
        let mut board = board::empty_board();
        for cell in 0..SIDE {
            let block = CELLS[content >> (2 * cell) & 3];
            match (SIDE * line + cell, block) {
                (_, Cell::Empty) => {}
                (HOLE, _) => return,
                (square, _) => board[square] = block,
            }
        }
        let grey = board::mask(&board, Cell::Grey) as usize >> (SIDE * line);
        let [blues, greens] =
            [Cell::Blue, Cell::Green].map(|block| board::count(&board, block) as usize);
        if blues >= BLUES || greens >= GREENS {
            return;
        }
        for (way, direction) in [Tilt::Left, Tilt::Right].into_iter().enumerate() {
            if tilt(&board, direction) == Some(board) {
                self.0[hole][way][grey][blues][greens] += 1;
            }
        }
    }

    /// Boards with a grey set that a tilt leaves as they are: the product of the lines.
    fn boards(&self, grey: u32, direction: Tilt) -> Counts {
        let (axis, way) = match direction {
            Tilt::Left => (Tilt::Left, 0),
            Tilt::Right => (Tilt::Left, 1),
            Tilt::Up => (Tilt::Up, 0),
            Tilt::Down => (Tilt::Up, 1),
        };
        let mut product = Counts::default();
        product[0][0] = 1;
        for line in 0..SIDE {
            let cells = (0..SIDE).fold(0, |cells, cell| {
                cells | ((grey >> axis.square(line, cell)) as usize & 1) << cell
            });
            let hole = usize::from(line == SIDE / 2);
            product = multiply(&product, &self.0[hole][way][cells]);
        }
        product
    }
}

fn multiply(a: &Counts, b: &Counts) -> Counts {
    let mut product = Counts::default();
    for (blues, row) in product.iter_mut().enumerate() {
        for (greens, slot) in row.iter_mut().enumerate() {
            for i in 0..=blues {
                for j in 0..=greens {
                    *slot += a[i][j] * b[blues - i][greens - j];
                }
            }
        }
    }
    product
}

/// The bound of [`search_trees`].
pub(super) const LARGEST: f64 = 86_103.0;

/// Boards that a breadth-first search forward expands until it meets a solved one, or all.
fn taken_up(start: &Board) -> u64 {
    let mut seen = HashSet::from([board::key(start)]);
    let mut queue = vec![*start];
    let mut at = 0;
    while let Some(board) = queue.get(at).copied() {
        at += 1;
        if rules::is_solved(&board) {
            break;
        }
        let next = Tilt::ALL.into_iter().filter_map(|way| tilt(&board, way));
        queue.extend(next.filter(|next| seen.insert(board::key(next))));
    }
    at as u64
}

/// Sections 2.3 and 3.3.2: the cost of forward searches, in expanded boards. A backward search from
/// all final states expands each board once.
pub(super) fn forward_work(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let figure = parameters.one_of("figure")?;
    let (seed, count) = (seed(parameters)?, parameters.number("count")?);
    let work = sample::of_box(seed, count).map(|board| taken_up(&board));
    let work: Vec<u64> = work.collect();
    let (n, sum) = (count as f64, work.iter().sum::<u64>() as f64);
    let (mean, log) = (sum / n, (4.0 / 0.05_f64).ln());
    let squares: u128 = work.iter().map(|&work| u128::from(work).pow(2)).sum();
    let variance = (squares as f64 - sum * mean) / (n - 1.0);
    // Maurer and Pontil's bound of a mean, on both sides. No search is larger than the largest.
    let off = (2.0 * variance * log / n).sqrt() + 7.0 * (LARGEST - 1.0) * log / (3.0 * (n - 1.0));
    let (low, high) = ((mean - off).max(1.0), (mean + off).min(LARGEST));
    let figured = |mean: f64| match figure {
        "for-each-board" => decimal(mean),
        _ => decimal(100.0 * mean / 10_000.0),
    };
    Ok(explained(
        vec![
            Figure::new("value", figured(mean)),
            Figure::new("low", figured(low)),
            Figure::new("high", figured(high)),
            Figure::new("boards drawn", count),
            Figure::new("mean of boards taken up", format!("{mean:.1}")),
            Figure::new("most", work.iter().max().copied().unwrap_or(0)),
            Figure::new("seed", seed),
        ],
        "Boards drawn uniformly from the box, each searched forward by the rulebook until a \
         solved board is met or none is left. The search backward takes up each board that can \
         be solved once, up to symmetry, for all of them together. With 95% confidence the mean \
         over all boards lies from low to high; more boards narrow it.",
    ))
}
