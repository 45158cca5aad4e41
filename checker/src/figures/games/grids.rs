//! Sets of cells as words: rows end to end from the north-east, with bits between them.

use crate::certificate::Stop;
use crate::figures::{Derived, Draw, sampled};

use super::Cell;

/// Steps of the text's four grids, in rows and columns: lines, squares by edges, hexagons (going
/// north along a column is the north-west step), squares by edges and corners.
const GRIDS: [&[Cell]; 4] = [
    &[(0, 1), (0, -1)],
    &[(-1, 0), (0, 1), (1, 0), (0, -1)],
    &[(-1, 1), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0)],
    &[
        (-1, 0),
        (-1, 1),
        (0, 1),
        (1, 1),
        (1, 0),
        (1, -1),
        (0, -1),
        (-1, -1),
    ],
];

/// A rectangle of cells with some bits between its rows.
struct Board {
    width: i32,
    height: i32,
    pitch: i32,
}

impl Board {
    fn new(width: i32, height: i32, between: i32) -> Self {
        let pitch = width + between;
        Self {
            width,
            height,
            pitch,
        }
    }
    fn has(&self, (row, column): Cell) -> bool {
        (0..self.height).contains(&row) && (0..self.width).contains(&column)
    }
    fn bit(&self, (row, column): Cell) -> u128 {
        1 << (row * self.pitch + self.width - 1 - column)
    }
    fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.height).flat_map(|row| (0..self.width).map(move |column| (row, column)))
    }
    fn mask(&self) -> u128 {
        self.cells().map(|cell| self.bit(cell)).sum()
    }
    /// A set shifted as a word, so many steps at once; nothing is cut off but at the ends.
    fn shifted(&self, set: u128, (down, right): Cell, steps: i32) -> u128 {
        let by = (down * self.pitch - right) * steps;
        if by >= 0 { set << by } else { set >> -by }
    }
    /// A set moved cell by cell.
    fn moved(&self, set: u128, (down, right): Cell, steps: i32) -> u128 {
        let to = |(row, column): Cell| (row + down * steps, column + right * steps);
        let there = self
            .cells()
            .filter(|&cell| set & self.bit(cell) != 0 && self.has(to(cell)));
        there.map(|cell| self.bit(to(cell))).sum()
    }
    fn drawn(&self, draw: &mut Draw) -> u128 {
        (u128::from(draw.word()) << 64 | u128::from(draw.word())) & self.mask()
    }
    /// Cells of the longest line of a set along a direction.
    fn line(&self, mut set: u128, way: Cell) -> u32 {
        let mut length = 0;
        while set != 0 {
            length += 1;
            set &= self.moved(set, way, 1);
        }
        length
    }
}

/// Whether n bits between rows keep steps of n from wrapping, and n - 1 do not, for n up to 4.
pub fn separating() -> bool {
    let sealed = |grid: &[Cell], between: i32, steps: i32| {
        let board = Board::new(7, 6, between);
        let mask = board.mask();
        grid.iter()
            .all(|&way| board.shifted(mask, way, steps) & mask == board.moved(mask, way, steps))
    };
    GRIDS
        .iter()
        .all(|grid| (1..=4).all(|n| sealed(grid, n, n) && !sealed(grid, n - 1, n)))
}

/// Whether the six printed shifts are the steps of hexagons, in a layout without bits between
/// rows, each half a cell east of the one above, and in one with a bit, half a cell west.
pub fn hexagonal() -> bool {
    let fits = |cols: i32, pitch: i32, lean: i32| {
        let steps = [(1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)];
        let printed = [cols + 1, 1, -cols, -(cols + 1), -1, cols];
        steps.into_iter().zip(printed).all(|(step, by)| {
            let from = 50 * pitch + pitch / 2;
            let (east, south) = (
                from % pitch - (from - by) % pitch,
                (from - by) / pitch - from / pitch,
            );
            (2 * east + lean * south, south) == step
        })
    };
    (3..=19).all(|cols| fits(cols, cols, 1) && fits(cols, cols + 1, -1))
}

/// Properties of all sets of 3x3, and of random ones of 7x6 and 11x9, on the four grids.
pub fn property(what: &str) -> Result<Derived, Stop> {
    let holds = |board: &Board, grid: &[Cell], own: u128, other: u128| match what {
        "dilation-erosion" => {
            let shifts = || grid.iter().map(|&way| board.shifted(own, way, 1));
            let moves = || grid.iter().map(|&way| board.moved(own, way, 1));
            let (wide, narrow) = (
                shifts().fold(own, |all, set| all | set),
                shifts().fold(own, |all, set| all & set),
            );
            wide & board.mask() == moves().fold(own, |all, set| all | set)
                && narrow == moves().fold(own, |all, set| all & set)
        }
        // A piece of the other's beside one of its own: one step back is that one.
        "clobber-from-cell" => grid.iter().all(|&(down, right)| {
            let to = board.shifted(own, (down, right), 1) & board.mask() & other;
            let from = board.shifted(to, (-down, -right), 1) & board.mask();
            from & !own == 0 && from.count_ones() == to.count_ones()
        }),
        "one-direction-an-axis" => grid.iter().all(|&(down, right)| {
            board.line(own, (down, right)) == board.line(own, (-down, -right))
        }),
        // Pairs along a step, then pairs of these along two.
        _ => {
            let by_shifts = grid.iter().any(|&way| {
                let pairs = own & board.shifted(own, way, 1);
                pairs & board.shifted(pairs, way, 2) != 0
            });
            by_shifts == grid.iter().any(|&way| board.line(own, way) >= 4)
        }
    };
    let small = Board::new(3, 3, 1);
    let cells: Vec<u128> = small.cells().map(|cell| small.bit(cell)).collect();
    let digits = |code: u32, digit: u32| {
        (0..9)
            .filter(|k| code / 3_u32.pow(*k) % 3 == digit)
            .map(|k| cells[k as usize])
            .sum::<u128>()
    };
    let every = (0..3_u32.pow(9)).all(|code| {
        GRIDS
            .iter()
            .all(|grid| holds(&small, grid, digits(code, 1), digits(code, 2)))
    });
    let found = sampled(
        1000,
        &format!("{what}, beyond all positions of 3x3"),
        |draw| {
            [Board::new(7, 6, 1), Board::new(11, 9, 1)]
                .iter()
                .all(|board| {
                    let own = board.drawn(draw);
                    let other = board.drawn(draw) & !own;
                    GRIDS.iter().all(|grid| holds(board, grid, own, other))
                })
        },
    )?;
    let value = if every && found.value == "true" {
        "holds"
    } else {
        "fails"
    };
    Ok(Derived {
        value: value.to_owned(),
        ..found
    })
}
