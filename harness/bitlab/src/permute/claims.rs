//! The statements of the thesis (Neeleman 2015, sections 3.1, 3.2, 4.1 and appendix A.1) about bit
//! permutations, re-derived. `claims.toml` in this folder names a derivation for each claim.
//!
//! The thesis numbers the bits of the 5x5x2 board from the most significant one, 0 to 49, and
//! counts distances positive to the right; [`Permutation`] numbers from the least significant one.
//! The half turn between the two commutes with every symmetry of the board, so the list of
//! destinations is the same and distances have the signs of the thesis. Only the operator differs:
//! `>>` there and `<<` here.

use super::cover::{self, all_minimal_covers, covers, minimal_cover, signed_sums};
use super::permutation::{Permutation, Symmetry};
use super::program::{Op, Program};
use super::strategy::{Strategy, THESIS_C, as_printed_with};
use super::survey::wrong_bits;
use crate::{Derivation, Derived};

/// The claims as TOML: the statements of the thesis, with the name of the derivation for each.
pub const TEXT: &str = include_str!("claims.toml");

/// Every derivation.
pub const DERIVATIONS: &[Derivation] = &[
    ("rotation-naive-operations", "=number:operations", || {
        naive_operations(false)
    }),
    (
        "rotation-naive-operations-with-zero",
        "=number:operations",
        || naive_operations(true),
    ),
    (
        "rotation-grouped-operations",
        "=number:operations",
        grouped_operations,
    ),
    ("rotation-saving", "=number:percent", saving),
    ("distinct-shifts", "=number:shifts", distinct_shifts),
    ("shift-grid", "=holds", shift_grid),
    ("mask18", "=number", mask18),
    ("mask19", "=text", mask19),
    ("cover-example", "=holds", cover_example),
    ("cover-minimal", "=number:shifts", cover_minimal),
    ("cover-not-unique", "=number:sets", cover_not_unique),
    ("cover-power-set", "=number:sums", cover_power_set),
    ("theorem-exists", "=holds", theorem_exists),
    ("theorem-bounds", "=holds", theorem_bounds),
    ("tool-operations", "=number:operations", tool_operations),
];

/// Derives one claim by its name in `claims.toml`; `None` for an unknown name.
pub fn derive(what: &str) -> Option<Derived> {
    let found = DERIVATIONS.iter().find(|(name, ..)| *name == what);
    found.map(|(.., derivation)| derivation())
}

/// The set V as printed: 12 is missing.
const PRINTED_V: [i32; 18] = [
    -40, -32, -28, -24, -20, -16, -12, -8, -4, 0, 4, 8, 16, 20, 24, 28, 32, 40,
];

/// The set C as printed.
const PRINTED_C: [i32; 5] = [-40, 4, 8, 16, 32];

/// The grid of shifts as printed, cell by cell.
const PRINTED_GRID: [i32; 25] = [
    8, 16, 24, 32, 40, -4, 4, 12, 20, 28, -16, -8, 0, 8, 16, -28, -20, -12, -4, 4, -40, -32, -24,
    -16, -8,
];

/// A limit that no search below reaches.
const LIMIT: u64 = 2_000_000;

fn board(symmetry: Symmetry, cell_bits: usize) -> Permutation {
    // A 5x5 board of one or two bits per cell fits a word, so there is always a permutation. The
    // turn of a single bit stands for the impossible case.
    Permutation::from_symmetry(5, 5, cell_bits, symmetry)
        .or_else(|_| Permutation::identity(1))
        .unwrap_or_else(|_| unreachable!("one bit is a permutation"))
}

fn rotation() -> Permutation {
    board(Symmetry::Rotate90, 2)
}

/// The board of 5x5 cells of two bits with the distance that the bits of each cell are moved.
fn distances(turn: &Permutation) -> String {
    let distances = (0..turn.len()).step_by(2).map(|bit| turn.distance(bit));
    let distances: Vec<String> = distances.map(|by| by.to_string()).collect();
    format!("{} | {}", ["....."; 5].join("/"), distances.join(" "))
}

fn list(values: impl IntoIterator<Item = i32>) -> String {
    let all: Vec<String> = values.into_iter().map(|v| v.to_string()).collect();
    format!("{{{}}}", all.join(", "))
}

/// A program of masks, shifts and rotations as text, to run elsewhere. Operations are separated by
/// semicolons; each is a name, the words it reads (0 the input, i the result of the i-th operation)
/// and its constant. The last one's result is the program's.
fn text(program: &Program) -> String {
    let operation = |op: &Op| match *op {
        Op::And(a, mask) => format!("and {} {mask:#x}", a.index()),
        Op::Or(a, b) => format!("or {} {}", a.index(), b.index()),
        Op::Xor(a, b) => format!("xor {} {}", a.index(), b.index()),
        Op::Shl(a, by) => format!("shl {} {by}", a.index()),
        Op::Shr(a, by) => format!("shr {} {by}", a.index()),
        Op::Rotl(a, by) => format!("rotl {} {by}", a.index()),
        // The explicit strategies use no other operations.
        _ => "other".to_owned(),
    };
    let operations: Vec<String> = program.ops().iter().map(operation).collect();
    operations.join("; ")
}

/// The shifts of the listing's 19 terms as printed, 0 for the one that has none.
const PRINTED_TERMS: [i32; 19] = [
    -40, -32, -28, -24, -20, -16, -12, -8, -4, 0, 4, 8, 12, 16, 20, 24, 28, 32, 40,
];

/// Operations of the listing, calculated from its number of terms.
fn naive_operations(zero_counts: bool) -> Derived {
    let terms = PRINTED_TERMS.len();
    let shifts = PRINTED_TERMS.iter().filter(|&&d| zero_counts || d != 0);
    let operations = shifts.count() + terms + (terms - 1);
    let ours = Strategy::Naive.compile(&rotation()).program.counts();
    Derived::new(
        &[
            ("value", &operations),
            ("compiled", &ours.operations),
            ("terms", &terms),
            ("distance-of-each-cell", &distances(&rotation())),
        ],
        "The listing has 19 ANDs, 18 ORs and 18 shifts, because one of its 19 terms is not \
         shifted: 55. It is 56 where a shift by 0 counts.",
    )
}

/// Bits for which a program differs from the rotation: result bits that are not exactly their one
/// input bit, and input bits that do not go exactly to their one place.
fn wrong_of_both(program: &Program, turn: &Permutation) -> (usize, usize) {
    let sources = |place: usize| {
        let goes = move |bit: &usize| program.run(1 << bit) >> place & 1 == 1;
        (0..turn.len()).filter(goes).collect::<Vec<usize>>()
    };
    let inverse = turn.inverse();
    let results = (0..turn.len()).filter(|&place| sources(place) != [inverse.to(place)]);
    (results.count(), wrong_bits(program, turn))
}

fn grouped_operations() -> Derived {
    let turn = rotation();
    // A mask and a shift each, and ORs between them.
    let formula = 3 * PRINTED_C.len() - 1;
    let counts = |s: Strategy| s.compile(&turn).program.counts().operations;
    let (rotate, swaps) = (
        counts(Strategy::GroupedRotate),
        counts(Strategy::DeltaSwaps),
    );
    let fewest = match rotate <= swaps {
        true => Strategy::GroupedRotate,
        false => Strategy::DeltaSwaps,
    };
    let printed = as_printed_with(&turn, &THESIS_C);
    let (wrong, inputs) = wrong_of_both(&printed, &turn);
    let [by_formula, turned] = [printed.run(TOP_ROW), turn.apply(TOP_ROW)];
    let value = match wrong {
        0 => formula.to_string(),
        _ => format!("{formula} operations that are not the rotation"),
    };
    Derived::new(
        &[
            ("value", &value),
            ("result-bits-wrong", &wrong),
            ("input-bits-that-go-astray", &inputs),
            ("bits", &turn.len()),
            ("fewest-found", &rotate.min(swaps)),
            ("stages-of-rotations", &rotate),
            ("delta-swaps", &swaps),
            ("sheep-and-goats", &counts(Strategy::SheepAndGoats)),
            ("the top row before", &format!("{TOP_ROW:#x}")),
            ("printed the top row turned", &format!("{by_formula:#x}")),
            ("right the top row turned", &format!("{turned:#x}")),
            ("program", &text(&fewest.compile(&turn).program)),
        ],
        "The formula has 14 operations and is not the rotation. It ORs single shifts of the input, \
         so a bit that needs 4 + 8 is moved by 4 and by 8, never by 12, and the centre, which needs \
         no shift, is lost. The shifts have to be applied in sequence. With masks and \
         shifts or rotations alone the fewest operations found here are 20 (five stages of \
         rotations) and 24 (four delta swaps), with pext and pdep 12. No exhaustive search \
         excludes fewer.",
    )
}

/// The first five squares of the board, of two bits each.
const TOP_ROW: u64 = 0x3FF;

/// By count: the time itself is measured by `antipode permute`.
fn saving() -> Derived {
    let turn = rotation();
    let [naive, grouped] =
        [Strategy::Naive, Strategy::GroupedRotate].map(|s| s.compile(&turn).program);
    let (many, few) = (naive.counts(), grouped.counts());
    let saved = 100.0 - 100.0 * few.operations as f64 / many.operations as f64;
    Derived::new(
        &[
            ("value", &format!("{saved:.1}")),
            // A shorter program would save more.
            ("bound", &"below"),
            ("naive-operations", &many.operations),
            ("grouped-operations", &few.operations),
            ("naive-depth", &many.depth),
            ("grouped-depth", &few.depth),
            ("program", &text(&grouped)),
        ],
        "Percent of the operations that the grouped rotation saves, the one that is right. The time \
         in a chain of calls falls less, since the naive terms are independent of each other and \
         the stages are not.",
    )
}

fn distinct_shifts() -> Derived {
    let all = rotation().distances();
    let missing = all.iter().copied().filter(|d| !PRINTED_V.contains(d));
    Derived::new(
        &[
            ("value", &all.len()),
            ("set", &list(all.iter().copied())),
            ("printed-set", &PRINTED_V.len()),
            ("missing-in-the-printed-set", &list(missing)),
            ("distance-of-each-cell", &distances(&rotation())),
        ],
        "The figure of pair-wise shifts has 19 distinct values: nine each way and 0. The listing \
         has one term for each of them. The printed V lacks 12, which is in the figure and in the \
         listing; C serves it all the same, 12 = 4 + 8.",
    )
}

fn shift_grid() -> Derived {
    let turn = rotation();
    let is_right = |&bit: &usize| turn.distance(bit) == PRINTED_GRID[bit / 2];
    let right = (0..50)
        .filter(is_right)
        .fold(0u64, |all, bit| all | 1 << bit);
    let agree = right.count_ones() == 50;
    let explanation =
        "Every cell's distance under a clockwise quarter turn is as printed; bit 38 moves by 4.";
    Derived::holds(agree, explanation)
        .with("all", turn.len())
        .with("bit-38", turn.distance(38))
        .with("bits-as-printed", format!("{right:#x}"))
}

/// The mask of the naive term for this distance, on the destinations, bit 0 of the board topmost.
fn naive_mask(distance: i32) -> u64 {
    let turn = rotation();
    let movers = (0..50).filter(|&bit| turn.distance(bit) == distance);
    movers.fold(0, |mask, bit| mask | 1 << (49 - turn.to(bit)))
}

fn mask18() -> Derived {
    let mask = naive_mask(40);
    Derived::new(
        &[
            ("value", &format!("{mask:b}")),
            ("mask", &format!("{mask:#x}")),
        ],
        "Only the top right cell moves by 40; it lands on the two least significant bits.",
    )
}

fn mask19() -> Derived {
    let all = rotation().distances();
    let subset_sums = signed_sums(&[4, 8, 16, 32]);
    let needing = all.iter().filter(|d| !subset_sums.contains(d)).count();
    Derived::new(
        &[
            ("value", &format!("mask0 to mask{}", needing - 1)),
            ("distances-that-need-40", &needing),
            ("mask9", &format!("0x{:x}", naive_mask(0))),
        ],
        "-40 is needed by the nine distances to the left, mask0 to mask8. mask9 is the centre, \
         which does not move. And the naive masks sit on the bits' destinations, while after the \
         shift by 40 bits that need further shifts are elsewhere: the mask has to be made for the \
         places after that stage.",
    )
}

fn cover_example() -> Derived {
    let found = minimal_cover(&[4, 8, 12], LIMIT);
    let holds = covers(&[4, 8], &[4, 8, 12]) && found.lower == 2;
    let explanation = "4, 8 and 4 + 8; one shift has only two subset sums, so two are needed.";
    Derived::holds(holds, explanation)
        .with("all", 3)
        .with("minimal-size", found.upper)
}

fn cover_minimal() -> Derived {
    let all = rotation().distances();
    let found = minimal_cover(&all, LIMIT);
    let printed = minimal_cover(&PRINTED_V, LIMIT);
    let serves = covers(&PRINTED_C, &all) && covers(&PRINTED_C, &PRINTED_V);
    // The printed set has the least size of all valid sets only if it is valid itself.
    let value = match serves {
        true => found.upper.to_string(),
        false => "none: the printed set does not serve".to_owned(),
    };
    let minimal = found.is_minimal() && printed.is_minimal();
    let (bound, sums) = (cover::size_bound(&all), signed_sums(&PRINTED_C).len());
    let figures: [(&str, &dyn ToString); 3] =
        [("value", &value), ("lower-bound", &bound), ("sums", &sums)];
    Derived::new(
        &figures[usize::from(!minimal)..],
        "Its 26 distinct subset sums are the multiples of 4 from -40 to 60, which hold V with and \
         without the 12 that is missing in print; four shifts have at most 16 sums.",
    )
}

fn cover_not_unique() -> Derived {
    let all = all_minimal_covers(&rotation().distances(), 100_000, LIMIT);
    let printed = all_minimal_covers(&PRINTED_V, 100_000, LIMIT);
    let by_four = all
        .sets
        .iter()
        .filter(|s| s.iter().all(|c| c % 4 == 0))
        .count();
    Derived::new(
        &[
            ("value", &all.sets.len()),
            ("multiples-of-4", &by_four),
            ("for-the-printed-set", &printed.sets.len()),
            ("complete", &(all.complete && printed.complete)),
        ],
        "All sets of five shifts from -63 to 63 whose subset sums hold V were listed.",
    )
}

fn cover_power_set() -> Derived {
    let subsets = 1 << PRINTED_C.len();
    Derived::new(
        &[
            ("value", &subsets),
            ("printed-set", &PRINTED_V.len()),
            ("true-set", &rotation().distances().len()),
            ("distinct-sums", &signed_sums(&PRINTED_C).len()),
        ],
        "C has 32 subsets with 26 distinct sums; V has 18 elements as printed and 19 in truth. \
         What holds is that #C meets its lower bound, 5 = ⌈log2 18⌉ = ⌈log2 19⌉.",
    )
}

/// All sets of distances from -3 to 3.
fn small_sets() -> impl Iterator<Item = Vec<i32>> {
    (1u32..1 << 7).map(|bits| (-3..=3).filter(|d| bits >> (d + 3) & 1 == 1).collect())
}

const SMALL_SETS: &str = "All sets of distances from -3 to 3";

fn theorem_exists() -> Derived {
    let holds = small_sets().all(|v| covers(&v, &v));
    Derived::holds(
        holds,
        "C = V serves, since every v is the sum of {v}; sizes are natural numbers, so one of the \
         sets that serve is smallest. Checked on all 127 sets of distances from -3 to 3.",
    )
    .on("tried", small_sets().count() as u64, SMALL_SETS)
}

fn theorem_bounds() -> Derived {
    let (mut holds, mut sets, mut sharper) = (true, 0, 0);
    for v in small_sets() {
        let bound = v.len().next_power_of_two().ilog2() as usize;
        let found = minimal_cover(&v, LIMIT);
        holds &= found.is_minimal() && bound <= found.upper && found.upper <= v.len();
        holds &= covers(&found.set, &v);
        sharper += usize::from(cover::size_bound(&v) > bound);
        sets += 1;
    }
    Derived::holds(
        holds,
        "#C shifts have at most 2^#C subset sums, one of which is 0; so the lower bound may count 0 \
         among V even where no bit stays, and the upper one need not.",
    )
    .on("tried", sets, SMALL_SETS)
    .with("sets-with-sharper-bound", sharper)
}

fn tool_operations() -> Derived {
    let turn = board(Symmetry::Rotate90, 1);
    let counts = |s: Strategy| s.compile(&turn).program.counts().operations;
    Derived::new(
        &[
            ("grouped-in-64-bits", &counts(Strategy::Grouped)),
            ("delta-swaps-in-32-bits", &counts(Strategy::DeltaSwaps)),
            ("benes-network", &counts(Strategy::Benes)),
        ],
        "The thesis shows the tool's answer as a picture of a web page. Its source is public and \
         was not run here. Ours: for 25 bits, masks and shifts alone need 24 operations inside \
         32 bits, and 17 with the larger space of 64 bits.",
    )
}
