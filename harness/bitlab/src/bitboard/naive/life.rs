//! Conway's Life, cell by cell.

use super::{Cells, Set, has};

/// One generation of the 8x8 torus, eight neighbours counted for each cell.
pub fn torus_step(live: &[[bool; 8]; 8]) -> [[bool; 8]; 8] {
    let mut next = [[false; 8]; 8];
    for y in 0..8 {
        for x in 0..8 {
            let mut count = 0;
            for dy in [7, 0, 1] {
                for dx in [7, 0, 1] {
                    if (dx, dy) != (0, 0) && live[(y + dy) % 8][(x + dx) % 8] {
                        count += 1;
                    }
                }
            }
            next[y][x] = count == 3 || live[y][x] && count == 2;
        }
    }
    next
}

/// A word of the 8x8 torus as cells; bit 0 is the north-east cell.
pub fn from_word(live: u64) -> [[bool; 8]; 8] {
    std::array::from_fn(|y| std::array::from_fn(|x| live >> (8 * y + 7 - x) & 1 == 1))
}

/// The reverse of [`from_word`].
pub fn to_word(cells: &[[bool; 8]; 8]) -> u64 {
    let bit = |y: usize, x: usize| u64::from(cells[y][x]) << (8 * y + 7 - x);
    (0..64).map(|i| bit(i / 8, i % 8)).sum()
}

/// One generation on a board whose surroundings are dead.
pub fn step(board: &Cells, live: &[bool]) -> Set {
    board.select(|cell| {
        let around = board.directions().iter();
        let around = around.filter_map(|&d| board.neighbour(cell, d));
        let count = around.filter(|&to| has(live, to)).count();
        count == 3 || has(live, cell) && count == 2
    })
}

/// One generation on a `width` by `height` torus in reading order.
pub fn step_on_torus(width: usize, height: usize, live: &[bool]) -> Set {
    let at = |x: usize, y: usize| has(live, y % height * width + x % width);
    let next = |i: usize| {
        let (x, y) = (i % width + width, i / width + height);
        let mut count = 0;
        for (ny, nx) in [
            (y - 1, x - 1),
            (y - 1, x),
            (y - 1, x + 1),
            (y, x - 1),
            (y, x + 1),
            (y + 1, x - 1),
            (y + 1, x),
            (y + 1, x + 1),
        ] {
            count += u32::from(at(nx, ny));
        }
        count == 3 || at(x, y) && count == 2
    };
    (0..width * height).map(next).collect()
}
