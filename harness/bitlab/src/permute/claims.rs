//! What the thesis (Neeleman 2015, sections 3.1, 3.2, 4.1 and appendix A.1) states about bit
//! permutations, derived again. `claims.toml` beside this file names a derivation for each claim.
//!
//! The thesis numbers the bits of the 5x5x2 board from the most significant one, 0 to 49, and
//! counts distances positive to the right; [`Permutation`] numbers from the least significant one.
//! The half turn between the two commutes with every symmetry of the board, so the list of
//! destinations is the same and distances are positive where the thesis has them positive; only
//! the operator that makes them is `>>` there and `<<` here.

use std::collections::BTreeSet;

use super::cover::{self, Limit, all_minimal_covers, covers, minimal_cover, signed_sums};
use super::permutation::{Permutation, Symmetry};
use super::program::{Op, Program};
use super::route::{Motion, Router, Routing, Token, for_each_order};
use super::strategy::{Strategy, as_printed_with, formula_counts};
use super::survey::wrong_bits;

/// The claims as TOML: what the thesis states, with the name of the derivation for each.
pub const TEXT: &str = include_str!("claims.toml");

/// What a derivation found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// Named figures; `value` is the one to compare with what is claimed.
    pub figures: Vec<(String, String)>,
    /// What the derivation itself concludes.
    pub verdict_hint: VerdictHint,
    /// Why, in a sentence or two, and what is right where the claim is not.
    pub explanation: String,
}

/// A derivation's own conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictHint {
    /// The statement holds.
    Confirmed,
    /// It does not; the figures or the explanation say what does.
    Refuted,
    /// It holds in one reading and not in another.
    Ambiguous,
    /// It cannot be derived here.
    NotReached,
}

impl Derived {
    fn new(
        hint: VerdictHint,
        figures: &[(&str, &dyn ToString)],
        explanation: impl Into<String>,
    ) -> Self {
        let named = figures.iter().map(|(n, v)| (n.to_string(), v.to_string()));
        Self {
            figures: named.collect(),
            verdict_hint: hint,
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

const DERIVATIONS: [(&str, Derivation); 22] = [
    ("rotation-naive-operations", naive_operations),
    ("rotation-grouped-operations", grouped_operations),
    ("rotation-grouped-formula", grouped_formula),
    ("rotation-saving", saving),
    ("distinct-shifts-text", || distinct_shifts(20)),
    ("distinct-shifts-code", || distinct_shifts(19)),
    ("distinct-shifts-set", distinct_shifts_set),
    ("shift-grid", shift_grid),
    ("mask18", mask18),
    ("mask19", mask19),
    ("cover-example", cover_example),
    ("cover-minimal", cover_minimal),
    ("cover-not-unique", cover_not_unique),
    ("cover-power-set", cover_power_set),
    ("cover-collides", cover_collides),
    ("theorem-exists", theorem_exists),
    ("theorem-bounds", theorem_bounds),
    ("tool-operations", tool_operations),
    ("printed-transpose", printed_transpose),
    ("printed-mirror", printed_mirror),
    ("printed-reverse", printed_reverse),
    ("symmetry-saving", symmetry_saving),
];

/// Derives one claim by the name that `claims.toml` gives; `None` for a name that is not known.
/// Pure: the same figures on every machine.
pub fn derive(what: &str) -> Option<Derived> {
    let found = DERIVATIONS.iter().find(|(name, _)| *name == what);
    found.map(|(_, derivation)| derivation())
}

/// All names that [`derive`] knows.
pub fn derivations() -> impl Iterator<Item = &'static str> {
    DERIVATIONS.iter().map(|(name, _)| *name)
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

use VerdictHint::{Ambiguous, Confirmed, NotReached, Refuted};

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

fn yes(holds: bool) -> VerdictHint {
    if holds { Confirmed } else { Refuted }
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

fn naive_operations() -> Derived {
    let terms = rotation().distances().len();
    let printed = formula_counts(terms, 1).operations;
    let shifted = formula_counts(terms, 0).operations;
    let ours = Strategy::Naive.compile(&rotation()).program.counts();
    Derived::new(
        Ambiguous,
        &[
            ("value", &printed),
            ("with-shift-by-zero", &shifted),
            ("compiled", &ours.operations),
            ("terms", &terms),
        ],
        "The listing has 19 ANDs, 18 ORs and 18 shifts, because one of its 19 terms is not \
         shifted: 55. It is 56 where a shift by 0 counts.",
    )
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
    let wrong = wrong_bits(&as_printed_with(&turn, &OUR_C), &turn);
    Derived::new(
        Refuted,
        &[
            ("value", &rotate.min(swaps)),
            ("formula", &formula),
            ("formula-wrong-bits", &wrong),
            ("stages-of-rotations", &rotate),
            ("delta-swaps", &swaps),
            ("sheep-and-goats", &counts(Strategy::SheepAndGoats)),
            ("program", &text(&fewest.compile(&turn).program)),
        ],
        "The formula has 14 operations but is not the rotation. With masks and shifts or \
         rotations alone the fewest found here are 20 (five stages of rotations) and 24 (four \
         delta swaps); with pext and pdep 12.",
    )
}

fn grouped_formula() -> Derived {
    let turn = rotation();
    let wrong = wrong_bits(&as_printed_with(&turn, &OUR_C), &turn);
    let singles = turn.distances();
    let right: BTreeSet<&i32> = singles.iter().filter(|d| PRINTED_C.contains(d)).collect();
    let value = if wrong == 0 { "holds" } else { "fails" };
    Derived::new(
        yes(wrong == 0),
        &[
            ("value", &value),
            ("wrong-bits", &wrong),
            ("bits", &turn.len()),
            ("distances-served", &list(right.into_iter().copied())),
        ],
        "It ORs single shifts of the input, so a bit that needs 4 + 8 is moved by 4 and by 8, \
         never by 12, and the centre, which needs no shift, is lost. It is right exactly where \
         every distance is itself in C. The shifts have to be applied one after the other, each to \
         what the one before left.",
    )
}

fn saving() -> Derived {
    let turn = rotation();
    let programs = [Strategy::Naive, Strategy::GroupedRotate];
    let programs = programs.map(|strategy| strategy.compile(&turn).program);
    let [naive, grouped] = [0, 1].map(|i| programs[i].counts());
    let saved = 100.0 - 100.0 * grouped.operations as f64 / naive.operations as f64;
    Derived::new(
        Refuted,
        &[
            ("value", &format!("{saved:.1}")),
            ("naive-operations", &naive.operations),
            ("grouped-operations", &grouped.operations),
            ("naive-depth", &naive.depth),
            ("grouped-depth", &grouped.depth),
            ("program", &text(&programs[1])),
            ("program-naive", &text(&programs[0])),
        ],
        "14 of 56 operations are 75% fewer, but the 14 do not make the rotation; 20 of 55 are \
         64% fewer. The time falls less than the operations, since the naive terms are \
         independent of each other and the stages are not (depth 7 against 15).",
    )
}

fn distinct_shifts(claimed: usize) -> Derived {
    let all = rotation().distances();
    let moving = all.iter().filter(|d| **d != 0).count();
    Derived::new(
        yes(all.len() == claimed),
        &[
            ("value", &all.len()),
            ("without-zero", &moving),
            ("set", &list(all.iter().copied())),
        ],
        "The figure of pair-wise shifts has 19 distinct values: nine each way and 0. The listing \
         has one term for each of them.",
    )
}

fn distinct_shifts_set() -> Derived {
    let all = rotation().distances();
    let missing = all.iter().copied().filter(|d| !PRINTED_V.contains(d));
    Derived::new(
        Refuted,
        &[
            ("value", &all.len()),
            ("printed", &PRINTED_V.len()),
            ("missing", &list(missing)),
        ],
        "The printed V lacks 12, which is in the figure and in the listing. C serves it all the \
         same, 12 = 4 + 8.",
    )
}

fn shift_grid() -> Derived {
    let turn = rotation();
    let agree = (0..50).all(|bit| turn.distance(bit) == PRINTED_GRID[bit / 2]);
    Derived::new(
        yes(agree && turn.distance(38) == 4),
        &[
            ("value", &if agree { "holds" } else { "fails" }),
            ("bit-38", &turn.distance(38)),
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
        yes(mask == 0b11),
        &[("value", &format!("{mask:b}"))],
        "Only the top right cell moves by 40; it lands on the two least significant bits.",
    )
}

fn mask19() -> Derived {
    let all = rotation().distances();
    let subset_sums = signed_sums(&[4, 8, 16, 32]);
    let needing = all.iter().filter(|d| !subset_sums.contains(d)).count();
    Derived::new(
        Refuted,
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
        yes(holds),
        &[
            ("value", &if holds { "holds" } else { "fails" }),
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
    let minimal = found.is_minimal() && found.upper == 5 && printed.lower == 5;
    Derived::new(
        yes(serves && minimal),
        &[
            ("value", &found.upper),
            ("lower-bound", &cover::size_bound(&all)),
            ("sums", &signed_sums(&PRINTED_C).len()),
        ],
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
        yes(all.sets.len() > 1),
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
        Refuted,
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
    let tokens: Vec<Token> = (0..turn.len())
        .map(|bit| Token {
            from: bit as u8,
            to: turn.to(bit) as u8,
        })
        .collect();
    let all = all_minimal_covers(&turn.distances(), 100_000, LIMIT);
    let (mut orders, mut working, mut proven) = (0, 0, all.complete);
    for set in &all.sets {
        let router = Router::new(&tokens, set, Motion::Shift);
        for_each_order(set.len(), &mut |order| {
            orders += 1;
            match router.route(order, &mut { 1_000_000 }) {
                Routing::Found(_) => working += 1,
                Routing::Impossible => {}
                Routing::Unknown => proven = false,
            }
            true
        });
    }
    Derived::new(
        if proven { yes(working > 0) } else { NotReached },
        &[
            ("value", &working),
            ("sets", &all.sets.len()),
            ("orders", &orders),
            ("exhaustive", &proven),
        ],
        "Every minimal C was tried in every order of its shifts with every choice of subsets: each \
         time two bits meet, or one leaves the 64-bit word. Five shifts cannot make this rotation \
         in one word. Five rotations can, and for one bit a cell (25 bits in 64) five shifts can.",
    )
}

/// All sets of distances from -3 to 3.
fn small_sets() -> impl Iterator<Item = Vec<i32>> {
    (1u32..1 << 7).map(|bits| (-3..=3).filter(|d| bits >> (d + 3) & 1 == 1).collect())
}

fn theorem_exists() -> Derived {
    let holds = small_sets().all(|v| covers(&v, &v));
    Derived::new(
        yes(holds),
        &[("value", &if holds { "holds" } else { "fails" })],
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
        yes(holds),
        &[
            ("value", &if holds { "holds" } else { "fails" }),
            ("sets-checked", &sets),
            ("sets-with-sharper-bound", &sharper),
        ],
        "#C shifts have at most 2^#C subset sums, one of which is 0; so the lower bound may count 0 \
         among V even where no bit stays, and the upper one need not.",
    )
}

fn tool_operations() -> Derived {
    let turn = board(Symmetry::Rotate90, 1);
    let counts = |s: Strategy| s.compile(&turn).program.counts().operations;
    let (grouped, swaps) = (counts(Strategy::Grouped), counts(Strategy::DeltaSwaps));
    Derived::new(
        NotReached,
        &[
            ("value", &grouped.min(swaps)),
            ("grouped-in-64-bits", &grouped),
            ("delta-swaps-in-32-bits", &swaps),
            ("benes-network", &counts(Strategy::Benes)),
        ],
        "The tool's own answer is a picture of a web page and cannot be derived. What can: its 30 \
         is not the least. For 25 bits, masks and shifts alone do with 24 operations inside the 25 \
         bits, and with 17 where 64 bits give the stages room; 14 does not work.",
    )
}

/// A listing of masked shifts, positive to the left, as a program.
fn listing(terms: &[(i32, u64)]) -> Program {
    let mut program = Program::new();
    let mut words = Vec::new();
    for &(shift, mask) in terms {
        let moved = program.shift(super::Value::INPUT, shift);
        words.push(program.and(moved, mask));
    }
    let result = program.or_all(&words).unwrap_or(super::Value::INPUT);
    program.finish(result)
}

/// Compares a printed listing with a permutation of single bits.
fn compare_listing(terms: &[(i32, u64)], perm: &Permutation, explanation: &str) -> Derived {
    let wrong = wrong_bits(&listing(terms), perm);
    Derived::new(
        yes(wrong == 0),
        &[
            ("value", &if wrong == 0 { "holds" } else { "fails" }),
            ("wrong-bits", &wrong),
            ("bits", &perm.len()),
        ],
        explanation,
    )
}

/// `transpose` of appendix A.1.
const PRINTED_TRANSPOSE: [(i32, u64); 9] = [
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

fn printed_transpose() -> Derived {
    compare_listing(
        &PRINTED_TRANSPOSE,
        &board(Symmetry::Transpose, 2),
        "A zero slipped in the first two masks, which lie one hexadecimal digit too high: the left \
         shifts by 32 and 24 need 0x030000000000 and 0x0C00C0000000. The other seven are right.",
    )
}

/// `mirr_v` of appendix A.1.
const PRINTED_MIRROR: [(i32, u64); 3] = [
    (8, 0xF03C_0C03_C0F0),
    (-4, 0xC030_0C03_00C0),
    (-8, 0x0300_C030_0C03),
];

fn printed_mirror() -> Derived {
    compare_listing(
        &PRINTED_MIRROR,
        &board(Symmetry::MirrorH, 2),
        "Five terms are needed and three are printed, one of them with the mask of a term that is \
         missing. Right is (b << 8 & 0x300C0300C0300) | (b << 4 & 0xC0300C0300C0) | \
         (b & 0x300C0300C030) | (b >> 4 & 0xC0300C0300C) | (b >> 8 & 0x300C0300C03).",
    )
}

/// `reverse` of appendix A.1, on a row of five cells.
const PRINTED_REVERSE: [(i32, u64); 5] = [(-8, 0x3), (-4, 0xC), (0, 0x30), (4, 0xC0), (8, 0x300)];

fn printed_reverse() -> Derived {
    let row = Permutation::from_symmetry(5, 1, 2, Symmetry::MirrorH);
    let row = row.unwrap_or_else(|_| board(Symmetry::MirrorH, 2));
    compare_listing(
        &PRINTED_REVERSE,
        &row,
        "The five cells of a row change places end to end.",
    )
}

/// Boards that are not the least of their orbit, of all four-valued boards with a hole in the
/// centre, by Burnside's lemma.
fn symmetry_saving() -> Derived {
    let cycles = |s: Symmetry| {
        let perm = board(s, 1);
        let mut seen = 1u64 << 12;
        let mut count = 0;
        for start in 0..25 {
            let mut cell = start;
            count += u32::from(seen >> start & 1 == 0);
            while seen >> cell & 1 == 0 {
                seen |= 1 << cell;
                cell = perm.to(cell);
            }
        }
        count
    };
    let fixed: u128 = Symmetry::ALL.iter().map(|&s| 4u128.pow(cycles(s))).sum();
    let (orbits, boards) = (fixed / 8, 4u128.pow(24));
    let saved = 100.0 * (boards - orbits) as f64 / boards as f64;
    Derived::new(
        yes((87.4..87.5).contains(&saved)),
        &[
            ("value", &format!("{saved:.6}")),
            ("boards", &boards),
            ("orbits", &orbits),
        ],
        "Over all boards of four values on 24 cells, reachable or not, all but one board of an \
         orbit can go; boards that are their own image keep the share just below seven eighths.",
    )
}
