//! How large forward searches are (section 3.3.2), in samples and at most.

use std::collections::HashSet;

use puzzle_api::{BadInput, Effort, Figure, Parameters, Xorshift};

use super::{explained, seed};
use crate::bitboard::symmetry::is_canonical_grey;
use crate::board::{self, Board, Cell, HOLE, SIDE, SQUARES};
use crate::instances::{Instance, Limits};
use crate::rules::{Tilt, tilt};
use crate::sample;

/// Section 3.3.2: the share of random boards whose forward search exceeds a size.
pub(super) fn search_trees(
    parameters: &Parameters<'_>,
    effort: Effort,
) -> Result<Vec<Figure>, BadInput> {
    let default = match effort {
        Effort::Quick => 2_000,
        Effort::Full => 200_000,
    };
    let count = parameters.number("count", default, 1..=100_000_000)?;
    let above = parameters.number("above", 100_000, 1..=u64::MAX)? as usize;
    let seed = seed(parameters)?;
    let whole = Instance::whole_box(Limits::BOX);
    let mut sizes: Vec<usize> = (0..count)
        .map(|index| {
            let board = sample::random_board(&whole, &mut Xorshift::for_draw(seed, index));
            tree_size(&board)
        })
        .collect();
    sizes.sort_unstable();
    let larger = sizes.iter().filter(|&&size| size > above).count();
    let quantile = |q: f64| sizes[((sizes.len() - 1) as f64 * q) as usize];
    let mean = sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
    let bound = largest_possible();
    Ok(explained(
        vec![
            Figure::new("value", larger as f64 / sizes.len() as f64),
            Figure::new("boards", sizes.len()),
            Figure::new("seed", seed),
            Figure::new(format!("larger than {above}"), larger),
            Figure::new("mean", format!("{mean:.1}")),
            Figure::new("median", quantile(0.5)),
            Figure::new("90%", quantile(0.9)),
            Figure::new("99%", quantile(0.99)),
            Figure::new("largest", quantile(1.0)),
            Figure::new("no board has more than", bound.nodes),
            Figure::new(
                "grey blocks of that bound",
                board::draw(&board::grey_board(bound.grey)),
            ),
        ],
        "Nodes are different boards within reach, start included, with nothing cut off on the \
         way; uniformly random boards of the box, by the rulebook. The bound holds for every \
         board: all but the start must be the result of some tilt, and those were counted for \
         every grey set, line by line, once for each direction. 'Not often' is read as at most \
         one board in twenty.",
    ))
}

/// Number of boards within reach of a board, itself included.
fn tree_size(start: &Board) -> usize {
    let mut seen = HashSet::from([board::key(start)]);
    let mut open = vec![*start];
    while let Some(board) = open.pop() {
        for next in Tilt::ALL.into_iter().filter_map(|way| tilt(&board, way)) {
            if seen.insert(board::key(&next)) {
                open.push(next);
            }
        }
    }
    seen.len()
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

/// One more than the most boards, for any grey set and number of blues, that a tilt in
/// some direction leaves as they are; boards settled in two directions count twice.
fn largest_possible() -> Bound {
    let table = SettledLines::new();
    let mut best = Bound { nodes: 0, grey: 0 };
    for grey in (0..1_u32 << SQUARES).filter(|&grey| {
        grey >> HOLE & 1 == 0
            && grey.count_ones() <= Limits::BOX.grey.max
            && is_canonical_grey(grey)
    }) {
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

/// How many contents of a line a tilt leaves as they are, by whether the line crosses
/// the hole, the direction along it (0 towards cell 0), and its grey cells.
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

    /// Counts a content, two bits a cell, where it is settled on its own board.
    fn add(&mut self, hole: usize, line: usize, content: usize) {
        let (mut grey, mut blues, mut greens) = (0, 0, 0);
        let mut board = board::empty_board();
        for cell in 0..SIDE {
            let square = SIDE * line + cell;
            let block = match content >> (2 * cell) & 3 {
                0 => continue,
                1 => {
                    greens += 1;
                    Cell::Green
                }
                2 => {
                    blues += 1;
                    Cell::Blue
                }
                _ => {
                    grey |= 1 << cell;
                    Cell::Grey
                }
            };
            if square == HOLE {
                return;
            }
            board[square] = block;
        }
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
        let (along_rows, way) = match direction {
            Tilt::Left => (true, 0),
            Tilt::Right => (true, 1),
            Tilt::Up => (false, 0),
            Tilt::Down => (false, 1),
        };
        let mut product = Counts::default();
        product[0][0] = 1;
        for line in 0..SIDE {
            let cells = (0..SIDE).fold(0, |cells, cell| {
                let square = if along_rows {
                    SIDE * line + cell
                } else {
                    SIDE * cell + line
                };
                cells | ((grey >> square) as usize & 1) << cell
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
