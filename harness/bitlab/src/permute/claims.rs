//! What the thesis (Neeleman 2015, sections 3.1, 3.2, 4.1 and appendix A.1) states about bit
//! permutations, derived again. `claims.toml` beside this file names a derivation for each claim.
//!
//! The thesis numbers the bits of the 5x5x2 board from the most significant one, 0 to 49, and
//! counts distances positive to the right; [`Permutation`] numbers from the least significant one.
//! The half turn between the two commutes with every symmetry of the board, so the list of
//! destinations is the same and distances are positive where the thesis has them positive; only
//! the operator that makes them is `>>` there and `<<` here.

mod shown;

use std::collections::BTreeSet;
use std::time::Duration;

use super::cover::{self, Limit, all_minimal_covers, covers, minimal_cover, signed_sums};
use super::permutation::{Permutation, Symmetry};
use super::program::{Op, Program};
use super::route::{Motion, Router, Routing, Token, for_each_order};
use super::strategy::{Strategy, as_printed_with, formula_counts};
use super::survey::wrong_bits;
use super::timing::time_programs;

/// The claims as TOML: what the thesis states, with the name of the derivation for each.
pub const TEXT: &str = include_str!("claims.toml");

/// What a derivation found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// Named figures; `value` is the one to compare with what is claimed.
    pub figures: Vec<(String, String)>,
    /// Why, in a sentence or two, and what is right where the claim is not.
    pub explanation: String,
}

impl Derived {
    fn new(figures: &[(&str, &dyn ToString)], explanation: impl Into<String>) -> Self {
        let named = figures.iter().map(|(n, v)| (n.to_string(), v.to_string()));
        Self {
            figures: named.collect(),
            explanation: explanation.into(),
        }
    }

    /// The figure of this name.
    pub fn figure(&self, name: &str) -> Option<&str> {
        let found = self.figures.iter().find(|(n, _)| n == name);
        found.map(|(_, v)| v.as_str())
    }
}

type Derivation = fn() -> Derived;

/// Name, what the value is (as a puzzle declares it of its derivations), and function.
const DERIVATIONS: [(&str, &str, Derivation); 17] = [
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
    ("cover-collides", "=number:sets", cover_collides),
    ("four-rotations", "=number:orders", four_rotations),
    ("theorem-exists", "=holds", theorem_exists),
    ("theorem-bounds", "=holds", theorem_bounds),
    ("tool-operations", "=number:operations", tool_operations),
];

/// Derives one claim by the name that `claims.toml` gives; `None` for a name that is not known.
/// The same figures on every machine, but for times.
pub fn derive(what: &str) -> Option<Derived> {
    let found = DERIVATIONS.iter().find(|(name, ..)| *name == what);
    found.map(|(.., derivation)| derivation())
}

/// All names that [`fn@derive`] knows, each with what its value is: `=number`, `=holds` or `=text`.
pub fn derivations() -> impl Iterator<Item = (&'static str, &'static str)> {
    DERIVATIONS.iter().map(|(name, value, _)| (*name, *value))
}

/// The set V as printed: 12 is missing.
const PRINTED_V: [i32; 18] = [
    -40, -32, -28, -24, -20, -16, -12, -8, -4, 0, 4, 8, 16, 20, 24, 28, 32, 40,
];

/// The set C as printed.
const PRINTED_C: [i32; 5] = [-40, 4, 8, 16, 32];

/// The same set in our numbering, where `>> 4` is -4.
const OUR_C: [i32; 5] = [40, -4, -8, -16, -32];

/// The grid of shifts as printed, cell by cell.
const PRINTED_GRID: [i32; 25] = [
    8, 16, 24, 32, 40, -4, 4, 12, 20, 28, -16, -8, 0, 8, 16, -28, -20, -12, -4, 4, -40, -32, -24,
    -16, -8,
];

/// Enough for every search below to end by itself.
const LIMIT: Limit = Limit::Nodes(2_000_000);

fn board(symmetry: Symmetry, cell_bits: usize) -> Permutation {
    // A 5x5 board of one or two bits a cell fits a word, so that there is always a permutation;
    // the turn of a single bit stands for the impossible.
    Permutation::from_symmetry(5, 5, cell_bits, symmetry)
        .or_else(|_| Permutation::identity(1))
        .unwrap_or_else(|_| unreachable!("one bit is a permutation"))
}

fn rotation() -> Permutation {
    board(Symmetry::Rotate90, 2)
}

fn list(values: impl IntoIterator<Item = i32>) -> String {
    let all: Vec<String> = values.into_iter().map(|v| v.to_string()).collect();
    format!("{{{}}}", all.join(", "))
}

/// A program of masks, shifts and rotations as text, for whoever runs it elsewhere: operations
/// with a semicolon between them, each a name, the words it reads (0 the input, i the result of
/// the i-th operation) and its constant. The last one's result is the program's.
fn text(program: &Program) -> String {
    let operation = |op: &Op| match *op {
        Op::And(a, mask) => format!("and {} {mask:#x}", a.index()),
        Op::Or(a, b) => format!("or {} {}", a.index(), b.index()),
        Op::Xor(a, b) => format!("xor {} {}", a.index(), b.index()),
        Op::Shl(a, by) => format!("shl {} {by}", a.index()),
        Op::Shr(a, by) => format!("shr {} {by}", a.index()),
        Op::Rotl(a, by) => format!("rotl {} {by}", a.index()),
        // The strategies that are written out make no others.
        _ => "other".to_owned(),
    };
    let operations: Vec<String> = program.ops().iter().map(operation).collect();
    operations.join("; ")
}

/// The shifts of the listing's 19 terms as printed, 0 for the one that has none.
const PRINTED_TERMS: [i32; 19] = [
    -40, -32, -28, -24, -20, -16, -12, -8, -4, 0, 4, 8, 12, 16, 20, 24, 28, 32, 40,
];

/// Operations of the listing, counted off its terms and again by the formula's shape.
fn naive_operations(zero_counts: bool) -> Derived {
    let terms = PRINTED_TERMS.len();
    let shifts = PRINTED_TERMS.iter().filter(|&&d| zero_counts || d != 0);
    let operations = shifts.count() + terms + (terms - 1);
    let by_shape = formula_counts(terms, usize::from(!zero_counts)).operations;
    let ours = Strategy::Naive.compile(&rotation()).program.counts();
    Derived::new(
        &[
            ("value", &operations),
            ("by-the-formula's-shape", &by_shape),
            ("compiled", &ours.operations),
            ("terms", &terms),
            ("distance-of-each-cell", &shown::distances(&rotation())),
        ],
        "The listing has 19 ANDs, 18 ORs and 18 shifts, because one of its 19 terms is not \
         shifted: 55. It is 56 where a shift by 0 counts.",
    )
}

/// Bits of a result, and bits of the input, that a program treats otherwise than the rotation:
/// result bits that are not exactly their one input bit, and input bits that do not go to
/// exactly their one place.
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
    let formula = formula_counts(PRINTED_C.len(), 0).operations;
    let counts = |s: Strategy| s.compile(&turn).program.counts().operations;
    let (rotate, swaps) = (
        counts(Strategy::GroupedRotate),
        counts(Strategy::DeltaSwaps),
    );
    let fewest = match rotate <= swaps {
        true => Strategy::GroupedRotate,
        false => Strategy::DeltaSwaps,
    };
    let printed = as_printed_with(&turn, &OUR_C);
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
        "The formula has 14 operations and is not the rotation. With masks and shifts or \
         rotations alone the fewest found here are 20 (five stages of rotations) and 24 (four \
         delta swaps), with pext and pdep 12. Four rotations are too few; other programs of fewer \
         operations were not excluded.",
    )
}

/// The first five squares of the board, of two bits each.
const TOP_ROW: u64 = 0x3FF;

/// The longest that compiling and running the two rotations may take.
const TIMING: Duration = Duration::from_secs(20);

fn saving() -> Derived {
    let turn = rotation();
    let naive = Strategy::Naive.compile(&turn).program;
    let grouped = Strategy::GroupedRotate.compile(&turn).program;
    let (few, many) = (grouped.counts(), naive.counts());
    let saved = |before: f64, after: f64| format!("{:.1}", 100.0 - 100.0 * after / before);
    let by_count = saved(many.operations as f64, few.operations as f64);
    let programs = [text(&grouped), text(&naive)];
    let figures: [(&str, &dyn ToString); 7] = [
        ("saved-of-operations", &by_count),
        ("naive-operations", &many.operations),
        ("grouped-operations", &few.operations),
        ("naive-depth", &many.depth),
        ("grouped-depth", &few.depth),
        ("program", &programs[0]),
        ("program-naive", &programs[1]),
    ];
    match time_programs(&[&naive, &grouped], TIMING).as_deref() {
        Ok([before, after]) => {
            let value = saved(before.latency, after.latency);
            let apart = saved(before.throughput, after.throughput);
            let mut all: Vec<(&str, &dyn ToString)> =
                vec![("value", &value), ("saved-on-independent-words", &apart)];
            all.extend(figures);
            Derived::new(
                &all,
                "Percent of the time of the naive rotation, compiled as C. The time falls less \
                 than the operations, since the naive terms are independent of each other and the \
                 stages are not.",
            )
        }
        Ok(_) | Err(_) => Derived::new(
            &figures,
            "There is no C compiler here to time the two rotations with (set CC to choose one).",
        ),
    }
}

fn distinct_shifts() -> Derived {
    let all = rotation().distances();
    let moving = all.iter().filter(|d| **d != 0).count();
    let missing = all.iter().copied().filter(|d| !PRINTED_V.contains(d));
    Derived::new(
        &[
            ("value", &all.len()),
            ("without-zero", &moving),
            ("set", &list(all.iter().copied())),
            ("missing-in-the-printed-set", &list(missing)),
            ("distance-of-each-cell", &shown::distances(&rotation())),
        ],
        "The figure of pair-wise shifts has 19 distinct values: nine each way and 0. The listing \
         has one term for each of them. The printed V lacks 12; C serves it all the same, \
         12 = 4 + 8.",
    )
}

fn shift_grid() -> Derived {
    let turn = rotation();
    let is_right = |&bit: &usize| turn.distance(bit) == PRINTED_GRID[bit / 2];
    let right = (0..50)
        .filter(is_right)
        .fold(0u64, |all, bit| all | 1 << bit);
    let agree = right.count_ones() == 50;
    Derived::new(
        &[
            ("value", &if agree { "holds" } else { "fails" }),
            ("all", &turn.len()),
            ("bit-38", &turn.distance(38)),
            ("bits-as-printed", &format!("{right:#x}")),
        ],
        "Every cell's distance under a clockwise quarter turn is as printed; bit 38 moves by 4.",
    )
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
    Derived::new(
        &[
            ("value", &if holds { "holds" } else { "fails" }),
            ("all", &3),
            ("minimal-size", &found.upper),
        ],
        "4, 8 and 4 + 8; one shift has only two subset sums, so two are needed.",
    )
}

fn cover_minimal() -> Derived {
    let all = rotation().distances();
    let found = minimal_cover(&all, LIMIT);
    let printed = minimal_cover(&PRINTED_V, LIMIT);
    let serves = covers(&PRINTED_C, &all) && covers(&PRINTED_C, &PRINTED_V);
    // The least size of all sets that serve is the printed set's only if that serves.
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

fn cover_collides() -> Derived {
    let turn = rotation();
    let all = all_minimal_covers(&turn.distances(), 100_000, LIMIT);
    let [orders, working, unknown] = routed(&turn, &all.sets, Motion::Shift);
    let proven = all.complete && unknown == 0;
    let meeting = shown::meeting(&turn, &OUR_C);
    let (bits, place) = (meeting.bits(), meeting.place());
    let sets = all.sets.len();
    let figures: [(&str, &dyn ToString); 6] = [
        ("value", &working),
        ("sets", &sets),
        ("orders", &orders),
        ("exhaustive", &proven),
        (
            "two bits that meet, moved by the printed C in its order",
            &bits,
        ),
        ("the place where they meet", &place),
    ];
    // That none works is no figure as long as some were not tried to their end.
    Derived::new(
        &figures[usize::from(!proven)..],
        "Every minimal C was tried in every order of its shifts with every choice of subsets: each \
         time two bits meet, or one leaves the 64-bit word. Five shifts cannot make this rotation \
         in one word. Five rotations can, and for one bit a cell (25 bits in 64) five shifts can.",
    )
}

/// In every order of each set of stages: how many orders there are, how many of them make the
/// permutation within one word, and of how many that is not known.
fn routed(turn: &Permutation, sets: &[Vec<i32>], motion: Motion) -> [u64; 3] {
    let tokens: Vec<Token> = (0..turn.len())
        .map(|bit| Token {
            from: bit as u8,
            to: turn.to(bit) as u8,
        })
        .collect();
    let [mut orders, mut working, mut unknown] = [0; 3];
    for set in sets {
        let router = Router::new(&tokens, set, motion);
        for_each_order(set.len(), &mut |order| {
            orders += 1;
            match router.route(order, &mut { 1_000_000 }) {
                Routing::Found(_) => working += 1,
                Routing::Impossible => {}
                Routing::Unknown => unknown += 1,
            }
            true
        });
    }
    [orders, working, unknown]
}

/// All sets of four rotations whose sums serve the rotation's distances, in every order.
fn four_rotations() -> Derived {
    let turn = rotation();
    let needed: BTreeSet<i32> = (turn.distances().iter()).map(|by| by & 63).collect();
    let mut sets = Vec::new();
    for chosen in (0_u64..1 << 16).filter(|chosen| chosen & 1 == 0 && chosen.count_ones() == 4) {
        let set: Vec<i32> = (0..16)
            .filter(|by| chosen >> by & 1 == 1)
            .map(|by| 4 * by)
            .collect();
        let sums: BTreeSet<i32> = (0..16)
            .map(|some: i32| {
                let parts = (0..4).filter(|at| some >> at & 1 == 1);
                parts.map(|at| set[at as usize]).sum::<i32>() & 63
            })
            .collect();
        if needed.is_subset(&sums) {
            sets.push(set);
        }
    }
    let [orders, working, unknown] = routed(&turn, &sets, Motion::Rotate);
    let count = sets.len();
    let figures: [(&str, &dyn ToString); 4] = [
        ("value", &working),
        ("sets", &count),
        ("orders", &orders),
        ("distances-in-the-word", &needed.len()),
    ];
    // That none works is no figure as long as some were not tried to their end.
    Derived::new(
        &figures[usize::from(unknown > 0)..],
        "The 19 distances are 16 different rotations of the word, all multiples of 4, and four \
         rotations have 16 sums. So each sum is one of them, and so is each of the four: all such \
         sets were tried in every order, with the one choice that each bit then has. Five rotations \
         do, in 20 operations.",
    )
}

/// All sets of distances from -3 to 3.
fn small_sets() -> impl Iterator<Item = Vec<i32>> {
    (1u32..1 << 7).map(|bits| (-3..=3).filter(|d| bits >> (d + 3) & 1 == 1).collect())
}

const SMALL_SETS: &str = "All sets of distances from -3 to 3";

fn theorem_exists() -> Derived {
    let holds = small_sets().all(|v| covers(&v, &v));
    Derived::new(
        &[
            ("value", &if holds { "holds" } else { "fails" }),
            ("tried", &small_sets().count()),
            ("wrong", &u64::from(!holds)),
            ("drawn", &SMALL_SETS),
        ],
        "C = V serves, since every v is the sum of {v}; sizes are natural numbers, so one of the \
         sets that serve is smallest. Checked on all 127 sets of distances from -3 to 3.",
    )
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
    Derived::new(
        &[
            ("value", &if holds { "holds" } else { "fails" }),
            ("tried", &sets),
            ("wrong", &u64::from(!holds)),
            ("drawn", &SMALL_SETS),
            ("sets-with-sharper-bound", &sharper),
        ],
        "#C shifts have at most 2^#C subset sums, one of which is 0; so the lower bound may count 0 \
         among V even where no bit stays, and the upper one need not.",
    )
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
         was not run here. Ours: for 25 bits, masks and shifts alone do with 24 operations inside \
         32 bits, and with 17 where 64 bits give the stages room.",
    )
}
