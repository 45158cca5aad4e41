//! Browne's article on bitboards, on plain boards of cells.

mod grids;
mod soma;

use std::cell::Cell;

use super::{Derived, exact, holds, holds_too, on_some, sampled, tried_whole};
use crate::rules::board::{members, reached, set};
use crate::rules::keys::choose;
use crate::shown::Stop;

/// Listing 2's masks L, R, T and B: the digits printed after 0x, and the intended value.
const MASKS: [(&str, u64); 4] = [
    ("808080808080808080", 0x8080_8080_8080_8080),
    ("01010101010101011", 0x0101_0101_0101_0101),
    ("00000000000000FF", 0xff),
    ("FF000000000000000", 0xff << 56),
];

pub fn derive(what: &str) -> Result<Derived, Stop> {
    // A piece next to one of the other player's.
    let (own, other) = (0b01_u8, 0b10);
    // A line of three cells: the number of erosions by the printed loop, which keeps cells with a
    // piece behind.
    let line = std::iter::successors(Some(0b111_u8), |line| Some(line & line << 1));
    let erosions = line.skip(1).take_while(|line| *line != 0).count();
    match what {
        // Rows of cells with a bit between neighbouring rows.
        "go-words" => exact((20_usize * 19 - 1).div_ceil(64)),
        "masks" => {
            let right = |(text, mask)| u128::from_str_radix(text, 16) == Ok(u128::from(mask));
            holds(MASKS.into_iter().all(right))
        }
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
        // Among the cells next to the player's pieces, it keeps those without one of the player's
        // pieces; the opponent's may be there.
        "algorithm-2-printed" => holds(own << 1 & !own & other == 0),
        "algorithm-6-printed" => exact(erosions),
        "algorithm-6-erosions" => exact(erosions + 1),
        // With the opponent's cell empty, line 1 returns the piece, and the liberty is that cell.
        "liberties-printed" => holds((other | other >> 1) & own == other),
        // Line 14 compares the playable unused pieces with the used ones. No piece is both, and one
        // is used, so nothing is ever counted.
        "algorithm-13-printed" => {
            let counted =
                |used: &u32| (0..1 << 7).any(|playable| playable & used == 0 && playable == *used);
            exact((1..1 << 7).filter(counted).count())
        }
        "separating-bits" => on_some(holds(grids::separating())),
        "hexagonal-shifts" => on_some(holds(grids::hexagonal())),
        "square-shifts" => on_some(holds(grids::square())),
        "hexagon-seams" => on_some(holds(grids::staggered_is_sealed())),
        "rhombus-seams" => holds(grids::rhombus_is_sealed()),
        "dilation-unmasked" => holds(!grids::dilation_spills()),
        "life-rule" => life(),
        "life-operations" => exact(listing(0x0123_4567_89AB_CDEF).1),
        "glider-return" => exact(glider()),
        "soma-packings" => exact(soma::packings()),
        "y-reduction" => reduction(4, 32, false),
        "hex-reduction" => reduction(3, 16, true),
        "connect-four-space" => exact(filled()),
        _ => grids::property(what),
    }
}

/// The place to which the printed rule sends a bit of three words in a right shift; `None` if it is
/// lost or goes to two places.
fn carried(bit: usize, by: usize) -> Option<usize> {
    let (word, at) = (bit / 64, bit % 64);
    let own = at.checked_sub(by).map(|at| 64 * word + at);
    // Both neighbouring words get it by `>> w`.
    let words = [word.checked_sub(1), Some(word + 1).filter(|word| *word < 3)];
    let carried = at.checked_sub(64 - by);
    let words = words.into_iter().flatten();
    let beside = words.filter_map(|word| Some(64 * word + carried?));
    let all: Vec<usize> = own.into_iter().chain(beside).collect();
    match all[..] {
        [place] => Some(place),
        _ => None,
    }
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
    let (left, right) = (MASKS[0].1, MASKS[1].1);
    let west = |x: u64| joined(one(one(x & !left) << 1), one(one(x & left) >> 7));
    let east = |x: u64| joined(one(one(x & !right) >> 1), one(one(x & right) << 7));
    let up = joined(one(live >> 8), one(one(live & 0xFF) << 56));
    let down = joined(one(live << 8), one(one(live & 0xFF << 56) >> 56));
    let sides = [live, up, down].map(|row| [west(row), east(row)]);
    let near = [[up, down]].into_iter().chain(sides).flatten();
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

fn glider() -> usize {
    let start = set([19, 28, 34, 35, 36]) as u64;
    let later = std::iter::successors(Some(generation(start)), |&live| Some(generation(live)));
    1 + later.take_while(|&live| live != start).count()
}

/// Ways to fill the columns of Connect Four from below, with as many pieces of the second player as
/// of the first, or one fewer. Counted by heights of the columns, then the pieces' colours.
fn filled() -> u128 {
    let mut heights = vec![1_u128];
    for _ in 0..7 {
        let with = |n: usize| (0..=6.min(n)).filter_map(|top| heights.get(n - top)).sum();
        heights = (0..heights.len() + 6).map(with).collect();
    }
    let ways = heights.iter().enumerate();
    ways.map(|(n, ways)| ways * choose(n, n / 2)).sum()
}

/// Whether a colour is left when every three mutually adjacent cells become one, of the colour of
/// two of them, until one cell is left. Columns with one bit per cell of the colour.
fn reduces(mut cells: Vec<u64>) -> bool {
    while cells.len() > 1 {
        let three = |pair: &[u64]| {
            let (own, above, right) = (pair[0], pair[0] >> 1, pair[1]);
            own & above | right & (own | above)
        };
        cells = cells.windows(2).map(three).collect();
    }
    cells[0] & 1 == 1
}

/// Whether a chain of cells leads from the first column to the last of Hex, or touches all three
/// sides of Y.
fn connects(cells: &[u64], is_hex: bool) -> bool {
    let side = cells.len() as i32;
    let has = |&(c, r): &(i32, i32)| {
        (0..side).contains(&c) && (0..side).contains(&r) && cells[c as usize] >> r & 1 == 1
    };
    let near = |&(c, r): &(i32, i32)| {
        let near = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)];
        let near = near.map(|(dc, dr)| (c + dc, r + dr));
        near.into_iter().filter(has)
    };
    let first = (0..side).map(|r| (0, r)).filter(has);
    first.into_iter().any(|start| {
        let chain: Vec<(i32, i32)> = reached([start], near).map(|one| one.0).collect();
        match is_hex {
            true => chain.iter().any(|cell| cell.0 == side - 1),
            false => {
                let ends = [|(_, r), _| r == 0, |(c, r), side| c + r == side - 1];
                let mut ends = ends.into_iter();
                ends.all(|end: fn((i32, i32), i32) -> bool| chain.iter().any(|&at| end(at, side)))
            }
        }
    })
}

/// Whether reduction finds the winner. Tries all sets of cells for sides up to `small` (each colour
/// alone, as they do not mix), and fills of larger sides. A board of Hex is one of Y with a corner
/// of either colour.
fn reduction(small: usize, most: usize, is_hex: bool) -> Result<Derived, Stop> {
    let length = |side: usize, c: usize| if is_hex { side } else { side - c };
    let agree = |side: usize, mut cells: Vec<u64>| {
        let connected = connects(&cells, is_hex);
        if is_hex {
            cells.extend((1..side).rev().map(|length| (1 << length) - 1));
        }
        connected == reduces(cells)
    };
    let every = (1..=small).all(|side| {
        let count: usize = (0..side).map(|c| length(side, c)).sum();
        (0_u64..1 << count).all(|code| {
            let mut left = code;
            let column = |c: usize| {
                let own = left & ((1 << length(side, c)) - 1);
                left >>= length(side, c);
                own
            };
            agree(side, (0..side).map(column).collect())
        })
    });
    let larger = format!("reduction on fills to side {most}");
    let drawn = sampled(1000, &larger, |draw| {
        let side = small + 1 + draw.below(most - small);
        let column = |c| draw.word() & ((1 << length(side, c)) - 1);
        agree(side, (0..side).map(column).collect())
    });
    holds_too(every, drawn)
}
