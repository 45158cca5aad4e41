//! Permutations of bits, and the code printed in the Tilt thesis' appendix: 50 bits, two a
//! square (00 empty, 01 green, 10 blue, 11 grey), the first square highest.

use std::collections::BTreeSet;

use super::covers::{covers, fives, routes, smallest, sums};
use super::{Derived, exact, sampled, unknown};
use crate::certificate::Stop;
use crate::rules::tilt::{Board, tilt, unpack};
use crate::rules::turn;

/// A printed term: the board shifted (positive: left), then masked.
type Term = (i32, u64);

const TRANSPOSE: [Term; 9] = [
    (32, 0x3000_0000_0000),
    (24, 0xC00C_0000_0000),
    (16, 0x3003_0030_0000),
    (8, 0xC00C_00C0_0C00),
    (0, 0x3_0030_0300_3003),
    (-8, 0xC0_0C00_C00C),
    (-16, 0x3003_0030),
    (-24, 0xC_00C0),
    (-32, 0x300),
];
const MIRROR: [Term; 3] = [
    (8, 0xF03C_0C03_C0F0),
    (-4, 0xC030_0C03_00C0),
    (-8, 0x0300_C030_0C03),
];
const REVERSE: [Term; 5] = [(-8, 0x3), (-4, 0xC), (0, 0x30), (4, 0xC0), (8, 0x300)];

fn run(terms: &[Term], word: u64) -> u64 {
    let term = |&(by, mask): &Term| (if by >= 0 { word << by } else { word >> -by }) & mask;
    terms.iter().map(term).fold(0, |all, part| all | part)
}

/// The place of each of so many bits after the squares of a grid are turned, two bits a square.
fn turned(index: usize, (rows, columns): (usize, usize)) -> Vec<usize> {
    let last = rows * columns - 1;
    (0..2 * (last + 1))
        .map(|bit| {
            let square = last - bit / 2;
            let (row, column) = turn(index, (rows, columns), (square / columns, square % columns));
            2 * (last - (row * columns + column)) + bit % 2
        })
        .collect()
}

/// Whether printed terms make a permutation, on every single bit (they are linear in the bits).
fn makes(terms: &[Term], to: &[usize]) -> bool {
    to.iter()
        .enumerate()
        .all(|(bit, to)| run(terms, 1 << bit) == 1 << to)
}

/// A row of ten bits tilted on a line of its own; none where a blue block falls.
pub fn tilted(row: u32, line: usize, way: usize) -> Option<u32> {
    let mut board: Board = unpack(0);
    for i in 0..5 {
        let block = b".gb#"[(row >> (8 - 2 * i) & 3) as usize];
        match (board[5 * line + i], block) {
            (b'O', b'.') => {}
            (b'O', _) => return None,
            _ => board[5 * line + i] = block,
        }
    }
    let after = tilt(&board, way)?;
    let bits = |cell: u8| b".gb#".iter().position(|&c| c == cell).unwrap_or(0) as u32;
    Some((0..5).fold(0, |row, i| row | bits(after[5 * line + i]) << (8 - 2 * i)))
}

/// `move_b_row` as printed.
pub fn move_row(row: u32) -> u32 {
    let mut cells: [u32; 5] = std::array::from_fn(|i| row >> (8 - 2 * i) & 3);
    let mut change = true;
    while change {
        change = false;
        for i in 0..4 {
            if cells[i] == 0 && (cells[i + 1] == 1 || cells[i + 1] == 2) {
                cells.swap(i, i + 1);
                change = true;
            }
        }
    }
    cells.iter().fold(0, |row, cell| row << 2 | cell)
}

/// `move_bc_row` as printed; 0x30 where a blue block falls.
pub fn move_middle(row: u32) -> u32 {
    let mut cells: [u32; 5] = std::array::from_fn(|i| row >> (8 - 2 * i) & 3);
    if cells[3] == 2 || cells[4] == 2 && cells[3] != 3 {
        return 0x30;
    }
    if cells[0] == 0 && cells[1] != 3 {
        cells.swap(0, 1);
    }
    if cells[3] != 3 {
        cells[3] = 0;
        if cells[4] != 3 {
            cells[4] = 0;
        }
    }
    cells.iter().fold(0, |row, cell| row << 2 | cell)
}

/// `reverse` as printed.
pub fn reverse(row: u32) -> u32 {
    run(&REVERSE, row.into()) as u32
}

/// The functions of the appendix.
pub fn appendix(function: &str) -> Result<Derived, Stop> {
    let middle = || (0..1024_u32).filter(|row| row & 0x30 == 0);
    let outer_is_right = || (0..1024).all(|row| tilted(row, 0, 0) == Some(move_row(row)));
    let middle_is_right =
        || middle().all(|row| tilted(row, 2, 0).unwrap_or(0x30) == move_middle(row));
    match function {
        "transpose" => exact(makes(&TRANSPOSE, &turned(4, (5, 5)))),
        "mirr_v" => exact(makes(&MIRROR, &turned(1, (5, 5)))),
        "reverse" => exact(makes(&REVERSE, &turned(1, (1, 5)))),
        // Shifts by 8, 6, 4, 2, 0 and masks of two bits, there and back.
        "b_row_to_array" => exact((0..1024_u32).all(|row| {
            (0..5)
                .map(|i| (row >> (8 - 2 * i) & 3) << (8 - 2 * i))
                .sum::<u32>()
                == row
        })),
        "move_b_row" => exact(outer_is_right()),
        "move_bc_row" => exact(middle_is_right()),
        // The lists are the rows that each function gives the index for, also mirrored.
        "table_init" => {
            let right =
                |row: u32, moved: u32, line| tilted(row, line, 1).unwrap_or(0x30) == reverse(moved);
            let mirrored = (0..1024).all(|row| right(row, move_row(reverse(row)), 0))
                && middle().all(|row| right(row, move_middle(reverse(row)), 2));
            exact(outer_is_right() && middle_is_right() && mirrored)
        }
        // A tilt up goes through `transpose` twice, which loses this block.
        "move" | "predecessors" => {
            let lost = (0..50).any(|bit| run(&TRANSPOSE, run(&TRANSPOSE, 1 << bit)) != 1 << bit);
            exact(!lost)
        }
        "solved" => sampled(
            10_000,
            "that rows without green are a board without",
            |draw| {
                let board = draw.word() >> 14;
                let green =
                    |word: u64, cells: u64| (0..cells).filter(|i| word >> (2 * i) & 3 == 1).count();
                let rows = (0..5).all(|row| green(board >> (10 * row) & 0x3FF, 5) == 0);
                rows == (green(board, 25) == 0)
            },
        ),
        "asserts" => exact(
            [0x4000_0000_0000_0000_u64, 0x4_0000_0000_0000]
                .iter()
                .all(|&bound| bound == 1 << 50),
        ),
        "draw_board" => {
            exact((0..25).all(|s| 2 * (s / 5) + 10 * (s % 5) == 10 * (4 - s / 5) + 2 * (4 - s % 5)))
        }
        _ => super::appendix::derive(function),
    }
}

/// How far each of the 50 bits moves in a quarter turn clockwise; positive to the right where
/// the first square is highest.
fn distances() -> Vec<i32> {
    // Swap rows and columns, then mirror left and right: of (row, column) to (column, 4 - row).
    (0..50)
        .map(|bit| {
            let square = bit / 2;
            let (row, column) = (square / 5, square % 5);
            2 * (5 * column + 4 - row) - 2 * square
        })
        .collect()
}

const PRINTED_V: [i32; 18] = [
    -40, -32, -28, -24, -20, -16, -12, -8, -4, 0, 4, 8, 16, 20, 24, 28, 32, 40,
];
const PRINTED_C: [i32; 5] = [-40, 4, 8, 16, 32];
const GRID: [i32; 25] = [
    8, 16, 24, 32, 40, -4, 4, 12, 20, 28, -16, -8, 0, 8, 16, -28, -20, -12, -4, 4, -40, -32, -24,
    -16, -8,
];

/// Runs a program on a word: operations with a semicolon between them, each a name, the words it
/// reads (0 the input, i the result of the i-th operation) and its constant; none where one is
/// unknown. The last one's result is the program's.
fn execute(program: &str, input: u64) -> Option<u64> {
    let mut words = vec![input];
    for operation in program.split("; ") {
        let parts: Vec<&str> = operation.split(' ').collect();
        let (name, a) = (
            *parts.first()?,
            *words.get(parts.get(1)?.parse::<usize>().ok()?)?,
        );
        let last = *parts.get(2)?;
        let by = || last.parse::<u32>().ok().filter(|by| (1..64).contains(by));
        let mask = || u64::from_str_radix(last.strip_prefix("0x")?, 16).ok();
        let b = || words.get(last.parse::<usize>().ok()?).copied();
        words.push(match name {
            "and" => a & mask()?,
            "or" => a | b()?,
            "xor" => a ^ b()?,
            "shl" => a << by()?,
            "shr" => a >> by()?,
            "rotl" => a.rotate_left(by()?),
            _ => return None,
        });
    }
    words.pop()
}

/// Operations of a program that makes the quarter turn of 50 bits: run on every single bit, no
/// bit, all bits and random words. (Bits may meet, so single ones alone would not do.)
fn operations(program: Option<&str>) -> Result<usize, Stop> {
    let program = program.ok_or(Stop::Wrong("the program's text is missing".into()))?;
    let distances = distances();
    let turned = |word: u64| {
        (0..50)
            .filter(|bit| word >> bit & 1 == 1)
            .fold(0_u64, |turned, bit| {
                turned | 1 << (bit as i32 + distances[bit])
            })
    };
    let words = (0..50)
        .map(|bit| 1 << bit)
        .chain([0, (1 << 50) - 1])
        .chain((0..1000).map(|i| crate::search::hash(i) as u64 >> 14));
    for word in words {
        let found = execute(program, word);
        crate::certificate::ensure(
            found == Some(turned(word)),
            format!("the program makes {found:x?} of {word:x}"),
        )?;
    }
    Ok(program.split("; ").count())
}

/// Claims about the thesis' permutations; `figure` gives the certificate's.
pub fn permute<'a>(what: &str, figure: impl Fn(&str) -> Option<&'a str>) -> Result<Derived, Stop> {
    let moves = distances();
    let all: BTreeSet<i32> = moves.iter().copied().collect();
    let holds = |yes: bool| exact(if yes { "holds" } else { "fails" });
    match what {
        // One AND for each term, a shift for each (but the one by 0), and ORs between them.
        "rotation-naive-operations" => exact(3 * all.len() - 2),
        "rotation-naive-operations-with-zero" => exact(3 * all.len() - 1),
        "distinct-shifts-text" | "distinct-shifts-code" | "distinct-shifts-set" => exact(all.len()),
        "shift-grid" => holds((0..50).all(|bit| moves[bit] == GRID[bit / 2]) && moves[38] == 4),
        "mask18" => {
            let mask = (0..50)
                .filter(|&bit| moves[bit] == 40)
                .fold(0_u64, |mask, bit| mask | 1 << (49 - (bit as i32 + 40)));
            exact(format!("{mask:b}"))
        }
        "mask19" => {
            let without = sums(&[4, 8, 16, 32]);
            exact(format!(
                "mask0 to mask{}",
                all.iter().filter(|by| !without.contains(by)).count() - 1
            ))
        }
        "rotation-grouped-formula" => {
            // It ORs the single shifts of C: a bit is right where its distance is itself in C.
            holds(moves.iter().all(|by| PRINTED_C.contains(by)))
        }
        "rotation-grouped-operations" => {
            operations(figure("program"))?;
            // An AND and a shift for each member of C, and ORs between them; it ORs single shifts
            // where the rotation needs their sums.
            let count = 3 * PRINTED_C.len() - 1;
            let wrong = !moves.iter().all(|by| PRINTED_C.contains(by));
            exact(match wrong {
                true => format!("{count} operations that are not the rotation"),
                false => count.to_string(),
            })
        }
        "rotation-saving" => {
            operations(figure("program"))?;
            operations(figure("program-naive"))?;
            exact(figure("value").unwrap_or_default()).map(|derived| Derived {
                trusted: vec!["the clock".into()],
                ..derived
            })
        }
        "cover-example" => holds(covers(&[4, 8], &BTreeSet::from([4, 8, 12]))),
        "cover-minimal" => {
            let serves = covers(&PRINTED_C, &all) && covers(&PRINTED_C, &PRINTED_V.into());
            // Four shifts have at most 16 sums.
            exact(if serves && all.len() > 16 && PRINTED_V.len() > 16 {
                "5"
            } else {
                ""
            })
        }
        "cover-power-set" => exact(1 << PRINTED_C.len()),
        "theorem-exists" | "theorem-bounds" => {
            let sets = (1_u32..1 << 7).map(|bits| {
                (-3..=3)
                    .filter(|d| bits >> (d + 3) & 1 == 1)
                    .collect::<Vec<i32>>()
            });
            let well = |set: Vec<i32>| {
                let wanted: BTreeSet<i32> = set.iter().copied().collect();
                let least = set.len().next_power_of_two().ilog2() as usize;
                covers(&set, &wanted)
                    && smallest(&wanted).is_some_and(|size| least <= size && size <= set.len())
            };
            holds(sets.into_iter().all(well))
        }
        "printed-transpose" => holds(makes(&TRANSPOSE, &turned(4, (5, 5)))),
        "printed-mirror" => holds(makes(&MIRROR, &turned(1, (5, 5)))),
        "printed-reverse" => holds(makes(&REVERSE, &turned(1, (1, 5)))),
        "symmetry-saving" => {
            let cycles = |index: usize| {
                let mut seen = [false; 25];
                seen[12] = true;
                (0..25)
                    .filter(|&start| {
                        let mut square = start;
                        let new = !seen[start];
                        while !std::mem::replace(&mut seen[square], true) {
                            let (row, column) = turn(index, (5, 5), (square / 5, square % 5));
                            square = 5 * row + column;
                        }
                        new
                    })
                    .count() as u32
            };
            let (orbits, boards) = (
                (0..8).map(|index| 4_u128.pow(cycles(index))).sum::<u128>() / 8,
                4_u128.pow(24),
            );
            exact(format!(
                "{:.6}",
                100.0 * (boards - orbits) as f64 / boards as f64
            ))
        }
        "cover-not-unique" => exact(fives(&all).len()),
        "cover-collides" => exact(
            fives(&all)
                .iter()
                .map(|five| routes(five, &moves))
                .sum::<usize>(),
        ),
        _ => unknown("no derivation of this name is known here"),
    }
}
