//! Browne's article on bitboards, on plain boards of cells.

mod grids;
mod soma;
mod y;

use std::cell::Cell;
use std::collections::HashSet;

use super::{Derived, exact, holds, holds_too, on_some, puzzles, sampled, timings, tried_whole};
use crate::reading::Reading;
use crate::rules::board::{Grid, WAYS, has, members, set};
use crate::rules::keys::choose;
use crate::rules::lights::Lights;
use crate::shown::Stop;

pub fn derive(reading: &Reading, what: &str) -> Result<Derived, Stop> {
    let list = |counts: Vec<u64>| {
        let counts: Vec<String> = counts.iter().map(u64::to_string).collect();
        exact(counts.join(", "))
    };
    match what {
        "xor-identity" => {
            let bits = [(0_u8, 0_u8), (0, 1), (1, 0), (1, 1)];
            holds(bits.iter().all(|&(a, b)| a ^ b == (a | b) & !(a & b)))
        }
        // Rows of cells with a bit between neighbouring rows.
        "chess-bits" => exact(9 * 8 - 1),
        "go-words" => exact((20_usize * 19 - 1).div_ceil(64)),
        // Printed after 0x; a word of 64 bits has at most 16 digits.
        "mask-left" => holds(mask("808080808080808080", 0x8080_8080_8080_8080)),
        "mask-right" => holds(mask("01010101010101011", 0x0101_0101_0101_0101)),
        "mask-top" => holds(mask("00000000000000FF", 0xff)),
        "mask-bottom" => holds(mask("FF000000000000000", 0xff << 56)),
        "carry-printed" => {
            holds((1..64).all(|by| (0..192).all(|bit| carried(bit, by) == bit.checked_sub(by))))
        }
        "carry-reach" => {
            let near = |bit: i32, by: i32| ((bit - by) / 64 - bit / 64).abs() <= 1;
            let lost = |bit: i32, by: i32| !(0..320).contains(&(bit - by));
            let all = (-64..=64).all(|by| (0..320).all(|bit| lost(bit, by) || near(bit, by)));
            on_some(holds(all))
        }
        "plus-patterns" => exact(6 * 6),
        "algorithm-2-printed" => {
            // Of the cells next to the player's pieces it keeps those without one, which the
            // opponent's may be on: own pieces on bit 0, the other's on bit 1.
            let (own, other) = (0b01_u8, 0b10);
            holds(own << 1 & !own & other == 0)
        }
        "algorithm-6-printed" => {
            // How often a line of three survives "keep what has a piece behind it".
            let line = std::iter::successors(Some(0b111_u8), |line| Some(line & line << 1));
            exact(line.skip(1).take_while(|line| *line != 0).count())
        }
        "algorithm-11-printed" => {
            let grid = Grid::new(5, 5);
            holds(grid.cells().all(|cell| grid.beside(cell).count() == 4))
        }
        // Line 14 compares the playable unused pieces with the used ones: no piece is both, and
        // one is used, so nothing is ever counted.
        "algorithm-13-printed" => {
            let counted =
                |used: &u32| (0..1 << 7).any(|playable| playable & used == 0 && playable == *used);
            exact((1..1 << 7).filter(counted).count())
        }
        "separating-bits" => on_some(holds(grids::separating())),
        "hexagonal-shifts" => on_some(holds(grids::hexagonal())),
        "square-shifts" => on_some(holds((3..=8).all(steps_are_true))),
        "life-rule" => life(),
        "glider-return" => exact(glider()),
        "lights-out-rank" => {
            let presses = Lights::new(Grid::new(5, 5)).presses.into_iter();
            exact(puzzles::rank(presses.map(|press| press as u64)))
        }
        "othello-perft" => list((1..=8).map(leaves).collect()),
        "othello-perft-9" => exact(leaves(9)),
        "othello-perft-10" => exact(leaves(10)),
        "connect-four" => list(connect_four(9)),
        "connect-four-12" => list(connect_four(12)),
        "soma-packings" => exact(soma::packings().len()),
        "soma-distinct" => exact(soma::distinct(&soma::packings())),
        "life-speed-fixed-size"
        | "life-speed-any-size"
        | "line-speed"
        | "line-speed-last-move"
        | "y-speed-11"
        | "y-speed-32"
        | "columns-speed" => timings::ratio(reading),
        "soma-seconds" | "bedlam-seconds" => timings::seconds(reading),
        "clobber-playouts" | "yavalath-playouts" => timings::speed(reading),
        "y-reduction" => y::reduction(),
        "life-operations" => exact(listing(0x0123_4567_89AB_CDEF).1),
        "connect-four-space" => exact(filled()),
        "hexagon-seams" => on_some(holds(grids::staggered_is_sealed())),
        "rhombus-seams" => holds(grids::rhombus_is_sealed()),
        "dilation-unmasked" => holds(!grids::dilation_spills()),
        _ => grids::property(what),
    }
}

fn mask(printed: &str, meant: u64) -> bool {
    u128::from_str_radix(printed, 16) == Ok(meant.into())
}

/// Where the printed rule sends a bit of three words for a right shift; `None` if it is lost
/// or goes to two places.
fn carried(bit: usize, by: usize) -> Option<usize> {
    let (word, at) = (bit / 64, bit % 64);
    let own = at.checked_sub(by).map(|at| 64 * word + at);
    // The neighbouring words take it by `>> w` both.
    let words = [word.checked_sub(1), Some(word + 1).filter(|word| *word < 3)];
    let carried = at.checked_sub(64 - by);
    let beside = words
        .into_iter()
        .flatten()
        .filter_map(|word| Some(64 * word + carried?));
    let all: Vec<usize> = own.into_iter().chain(beside).collect();
    match all[..] {
        [place] => Some(place),
        _ => None,
    }
}

/// Whether the printed shifts N = width + 1, W = -1, E = 1, S = -(width + 1), as right shifts,
/// take each cell to its neighbour or off the board: bit 0 in the north-east, indices rising
/// westward and then southward, one bit between rows.
fn steps_are_true(width: i32) -> bool {
    let grid = Grid::new(8, width as usize);
    let bit = |cell: usize| {
        let (row, column) = grid.place(cell);
        row as i32 * (width + 1) + width - 1 - column as i32
    };
    let shifts = [width + 1, -1, 1, -(width + 1)];
    grid.cells().all(|cell| {
        WAYS.iter().zip(shifts).all(|(&way, by)| {
            let landed = bit(cell) - by;
            match grid.step(cell, way) {
                Some(to) => bit(to) == landed,
                None => !grid.cells().any(|cell| bit(cell) == landed),
            }
        })
    })
}

/// A generation on the 8x8 torus, cell by cell.
fn generation(live: u64) -> u64 {
    let at = |row: usize, column: usize| live >> (row % 8 * 8 + column % 8) & 1;
    (0..64).fold(0, |next, cell| {
        let (row, column) = (cell / 8 + 8, cell % 8 + 8);
        let near = (0..9).filter(|i| *i != 4);
        let near: u64 = near.map(|i| at(row + i / 3 - 1, column + i % 3 - 1)).sum();
        next | u64::from(near == 3 || near == 2 && live >> cell & 1 == 1) << cell
    })
}

/// Listing 2, with its masks corrected, and its operations: each &, |, ^, ~, << and >> is one.
fn listing(live: u64) -> (u64, u32) {
    let count = Cell::new(0);
    let one = |word: u64| {
        count.set(count.get() + 1);
        word
    };
    // Both parts of a row or a column shifted, and joined.
    let joined = |a: u64, b: u64| one(a | b);
    let (left, right) = (0x8080_8080_8080_8080, 0x0101_0101_0101_0101);
    let west = |x: u64| joined(one(one(x & !left) << 1), one(one(x & left) >> 7));
    let east = |x: u64| joined(one(one(x & !right) >> 1), one(one(x & right) << 7));
    let up = joined(one(live >> 8), one(one(live & 0xFF) << 56));
    let down = joined(one(live << 8), one(one(live & 0xFF << 56) >> 56));
    let near = [
        up,
        down,
        west(live),
        east(live),
        west(up),
        east(up),
        west(down),
        east(down),
    ];
    let (mut ones, mut twos, mut fours) = (0, 0, 0);
    for add in near {
        let carry = one(ones & add);
        ones = one(ones ^ add);
        fours = one(fours | one(twos & carry));
        twos = one(twos ^ carry);
    }
    let next = one(one(one(live | ones) & twos) & one(!fours));
    (next, count.get())
}

fn life() -> Result<Derived, Stop> {
    let block = |pattern: u128, place: usize| {
        let at = |k: usize| (place / 8 + k / 3) % 8 * 8 + (place % 8 + k % 3) % 8;
        set(members(pattern).map(at)) as u64
    };
    let right = |live: u64| listing(live).0 == generation(live);
    let patterns = (0..512).all(|pattern| (0..64).all(|place| right(block(pattern, place))));
    let beyond = "listing 2 on boards beyond all 512 neighbourhoods";
    let drawn = sampled(5_000, beyond, |draw| right(draw.word()));
    tried_whole(holds_too(patterns, drawn))
}

/// Generations until a glider is back where it began.
fn glider() -> usize {
    let start = set([19, 28, 34, 35, 36]) as u64;
    let later = std::iter::successors(Some(generation(start)), |&live| Some(generation(live)));
    1 + later.take_while(|&live| live != start).count()
}

/// Ways to fill the columns of Connect Four from below, as many pieces of the second as of the
/// first or one fewer: by heights of the columns, then the pieces' colours.
fn filled() -> u128 {
    let mut heights = vec![1_u128];
    for _ in 0..7 {
        let with = |n: usize| (0..=6.min(n)).filter_map(|top| heights.get(n - top)).sum();
        heights = (0..heights.len() + 6).map(with).collect();
    }
    let ways = heights.iter().enumerate();
    ways.map(|(n, ways)| ways * choose(n, n / 2)).sum()
}

/// The board of Othello.
const EIGHT: Grid = Grid::new(8, 8);

/// Othello: pieces of the one to move, and of the other; bit 8 * row + column.
fn flips(own: u64, other: u64, cell: usize) -> u64 {
    let mut all = 0;
    for way in grids::ALL {
        let next = |&cell: &usize| EIGHT.step(cell, way);
        let ray = std::iter::successors(next(&cell), next);
        let is_other = |cell: &usize| has(other.into(), *cell);
        let end = ray.clone().find(|cell| !is_other(cell));
        if end.is_some_and(|end| has(own.into(), end)) {
            all |= set(ray.take_while(is_other)) as u64;
        }
    }
    all
}

fn leaves(depth: u32) -> u64 {
    fn go(own: u64, other: u64, depth: u32, passed: bool) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = (0..64).filter(|cell| (own | other) >> cell & 1 == 0);
        let moves: Vec<(usize, u64)> = moves
            .map(|cell| (cell, flips(own, other, cell)))
            .filter(|(_, flips)| *flips != 0)
            .collect();
        match moves.len() {
            // A game that has ended stays a leaf; a pass is a ply.
            0 if passed => 1,
            0 => go(other, own, depth - 1, true),
            count if depth == 1 => count as u64,
            _ => moves
                .iter()
                .map(|(cell, flips)| go(other & !flips, own | flips | 1 << cell, depth - 1, false))
                .sum(),
        }
    }
    go(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, depth, false)
}

/// Positions of Connect Four by ply: pieces of both, bit 8 * column + row.
fn connect_four(plies: usize) -> Vec<u64> {
    let won = |own: u64| {
        [1, 8, 7, 9]
            .iter()
            .any(|by| own & own >> by & own >> (2 * by) & own >> (3 * by) != 0)
    };
    let mut level: HashSet<(u64, u64)> = HashSet::from([(0, 0)]);
    let mut counts = vec![1];
    for _ in 0..plies {
        let going = level.iter().filter(|(_, last)| !won(*last));
        let drop = |&(own, other): &(u64, u64)| {
            (0..7).filter_map(move |column| {
                let row = (0..6).find(|row| (own | other) >> (8 * column + row) & 1 == 0)?;
                Some((other, own | 1 << (8 * column + row)))
            })
        };
        level = going.flat_map(drop).collect();
        counts.push(level.len() as u64);
    }
    counts
}
