//! Permutations of bits, and printed terms that make them.

use std::collections::BTreeSet;

use super::covers::{covers, fives, smallest, sums};
use super::{Derived, bounded, exact, holds, on_some, unnamed};
use crate::rules::board::{Grid, image, members, set};
use crate::rules::tilt::GRID;
use crate::search::hash;
use crate::shown::{OrWrong, Stop};

/// A printed term: the board shifted (positive: left), then masked.
type Term = (i32, u64);

pub const TRANSPOSE: [Term; 9] = [
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
pub const MIRROR: [Term; 3] = [
    (8, 0xF03C_0C03_C0F0),
    (-4, 0xC030_0C03_00C0),
    (-8, 0x0300_C030_0C03),
];
pub const REVERSE: [Term; 5] = [(-8, 0x3), (-4, 0xC), (0, 0x30), (4, 0xC0), (8, 0x300)];

pub fn run(terms: &[Term], word: u64) -> u64 {
    let term = |&(by, mask): &Term| (if by >= 0 { word << by } else { word >> -by }) & mask;
    terms.iter().map(term).fold(0, |all, part| all | part)
}

/// The place of each bit after the squares of a grid are turned: two bits per square, the first
/// square highest.
pub fn turned(index: usize, grid: Grid) -> Vec<usize> {
    let (to, last) = (grid.turn(index), grid.cells().len() - 1);
    let bits = 0..2 * (last + 1);
    bits.map(|bit| 2 * (last - to[last - bit / 2]) + bit % 2)
        .collect()
}

/// Whether printed terms make a permutation, on every single bit (they are linear in the bits).
pub fn makes(terms: &[Term], to: &[usize]) -> bool {
    (0..to.len()).all(|bit| run(terms, 1 << bit) == 1 << to[bit])
}

const PRINTED_V: [i32; 18] = [
    -40, -32, -28, -24, -20, -16, -12, -8, -4, 0, 4, 8, 16, 20, 24, 28, 32, 40,
];
const PRINTED_C: [i32; 5] = [-40, 4, 8, 16, 32];
const PRINTED_GRID: [i32; 25] = [
    8, 16, 24, 32, 40, -4, 4, 12, 20, 28, -16, -8, 0, 8, 16, -28, -20, -12, -4, 4, -40, -32, -24,
    -16, -8,
];

/// Runs a program on a word; `None` if an operation is unknown. Operations are separated by
/// semicolons; each is a name, the words it reads (0 the input, i the result of the i-th operation)
/// and its constant. The last one's result is the program's.
fn execute(program: &str, input: u64) -> Option<u64> {
    let mut words = vec![input];
    for operation in program.split("; ") {
        let [name, a, last] = operation.split(' ').collect::<Vec<_>>()[..] else {
            return None;
        };
        let word = |text: &str| words.get(text.parse::<usize>().ok()?).copied();
        let by = || last.parse::<u32>().ok().filter(|by| (1..64).contains(by));
        let mask = || u64::from_str_radix(last.strip_prefix("0x")?, 16).ok();
        let a = word(a)?;
        words.push(match name {
            "and" => a & mask()?,
            "or" => a | word(last)?,
            "xor" => a ^ word(last)?,
            "shl" => a << by()?,
            "shr" => a >> by()?,
            "rotl" => a.rotate_left(by()?),
            _ => return None,
        });
    }
    words.pop()
}

/// Operations of a program that makes a permutation: run on every single bit, no bit, all bits and
/// random words. (Bits may meet, so single ones alone would not do.)
fn operations(program: Option<&str>, to: &[usize]) -> Result<usize, Stop> {
    let program = program.ok_or(Stop::Wrong("the program's text is missing".into()))?;
    let words = (0..50).map(|bit| 1 << bit).chain([0, (1 << 50) - 1]);
    for word in words.chain((0..1000).map(|i| hash(i) as u64 >> 14)) {
        let found = execute(program, word);
        (found.map(u128::from) == Some(image(word.into(), to)))
            .or_wrong(format!("the program makes {found:x?} of {word:x}"))?;
    }
    Ok(program.split("; ").count())
}

/// Claims about the thesis' permutations; `figure` is the certificate's.
pub fn permute<'a>(what: &str, figure: impl Fn(&str) -> Option<&'a str>) -> Result<Derived, Stop> {
    // A quarter turn clockwise, and how far each bit moves in it. The square equally near the other
    // end moves as far the other way.
    let to = turned(6, GRID);
    let moves: Vec<i32> = (0..).zip(&to).map(|(bit, &to)| to as i32 - bit).collect();
    let all: BTreeSet<i32> = moves.iter().copied().collect();
    match what {
        // One AND for each term, a shift for each (except for shift 0), and ORs between them.
        "rotation-naive-operations" => exact(3 * all.len() - 2),
        "rotation-naive-operations-with-zero" => exact(3 * all.len() - 1),
        "distinct-shifts" => exact(all.len()),
        "shift-grid" => {
            holds((0..50).all(|bit| moves[bit] == PRINTED_GRID[bit / 2]) && moves[38] == 4)
        }
        "mask18" => {
            // For the bits as the text numbers them, the first square lowest.
            let far = (0..50).filter(|&bit| moves[bit] == 40);
            exact(format!("{:b}", set(far.map(|bit| 49 - to[bit]))))
        }
        "mask19" => {
            let without = sums(&[4, 8, 16, 32]);
            let masks = all.iter().filter(|by| !without.contains(by)).count();
            exact(format!("mask0 to mask{}", masks - 1))
        }
        "rotation-grouped-operations" => {
            operations(figure("program"), &to)?;
            // An AND and a shift for each member of C, and ORs between them; it ORs single shifts
            // if the rotation needs their sums.
            let count = 3 * PRINTED_C.len() - 1;
            match moves.iter().all(|by| PRINTED_C.contains(by)) {
                true => exact(count),
                false => exact(format!("{count} operations that are not the rotation")),
            }
        }
        // The program shown against a term a distance. A shorter one would save more.
        "rotation-saving" => {
            let few = operations(figure("program"), &to)? as f64;
            let saved = 100.0 - 100.0 * few / (3 * all.len() - 2) as f64;
            bounded(format!("{saved:.1}"), "below")
        }
        "cover-example" => holds(covers(&[4, 8], &BTreeSet::from([4, 8, 12]))),
        "cover-minimal" => {
            let serves = covers(&PRINTED_C, &all) && covers(&PRINTED_C, &PRINTED_V.into());
            // Four shifts have at most 16 sums.
            let five = serves && all.len() > 16 && PRINTED_V.len() > 16;
            exact(if five { "5" } else { "" })
        }
        "cover-power-set" => exact(1 << PRINTED_C.len()),
        "theorem-exists" | "theorem-bounds" => {
            let well = |bits: u128| {
                let wanted: BTreeSet<i32> = members(bits).map(|bit| bit as i32 - 3).collect();
                let shifts: Vec<i32> = wanted.iter().copied().collect();
                let least = wanted.len().next_power_of_two().ilog2() as usize;
                let fits = |size| least <= size && size <= wanted.len();
                covers(&shifts, &wanted) && smallest(&wanted).is_some_and(fits)
            };
            on_some(holds((1..1 << 7).all(well)))
        }
        "cover-not-unique" => exact(fives(&all).len()),
        _ => unnamed(),
    }
}
