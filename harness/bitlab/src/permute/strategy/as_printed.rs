//! The thesis's formula for grouped shifting, exactly as printed, so that it can be tested.
//!
//! `b' = ((b << 40) & mask19) | ((b >> 4) & mask20) | …` ORs *single* shifts of the input; the
//! masks are said to be the unions of the naive masks, which sit on the destinations. A bit whose
//! distance is 12 = 4 + 8 is therefore moved by 4 and by 8, never by 12. The formula is right
//! exactly when every distance is itself in C. No sum of two or more is needed, and no bit stays (0
//! is the empty sum, which has no term). Applying the shifts one after another, each to the
//! previous result, is what [`Grouped`](super::Strategy::Grouped) does.

use super::Compiled;
use crate::permute::cover;
use crate::permute::permutation::Permutation;
use crate::permute::program::{Program, Value};

/// The thesis's own C for the rotation of the 5x5 board, {-40, 4, 8, 16, 32}, in our numbering,
/// where its `>> 4` is -4.
pub const THESIS_C: [i32; 5] = [40, -4, -8, -16, -32];

/// With the thesis's own C if that serves and is minimal, else with the first minimal C that the
/// search finds.
pub fn compile(perm: &Permutation) -> Compiled {
    let distances = perm.distances();
    let found = cover::minimal_cover(&distances, 20_000);
    let own = cover::covers(&THESIS_C, &distances) && found.set.len() == THESIS_C.len();
    let set = if own { &THESIS_C[..] } else { &found.set };
    let program = with_set(perm, set);
    Compiled {
        program,
        note: format!(
            "C = {set:?}{}; the formula as printed",
            if found.is_minimal() {
                ", minimal"
            } else {
                ", not proven minimal"
            }
        ),
    }
}

/// With this C: for every shift, the destinations of the bits whose subset contains it. Among
/// several subsets for a distance the smallest is taken (the thesis does not say).
pub fn with_set(perm: &Permutation, set: &[i32]) -> Program {
    let mut masks = vec![0u64; set.len()];
    for bit in 0..perm.len() {
        let subset = smallest_subset(set, perm.distance(bit));
        for (i, mask) in masks.iter_mut().enumerate() {
            *mask |= u64::from(subset >> i & 1) << perm.to(bit);
        }
    }
    let mut program = Program::new();
    let mut words = Vec::new();
    for (&shift, &mask) in set.iter().zip(&masks) {
        let moved = program.shift(Value::INPUT, shift);
        words.push(program.and(moved, mask));
    }
    let result = match program.or_all(&words) {
        Some(word) => word,
        None => program.and(Value::INPUT, 0),
    };
    program.finish(result)
}

/// The bits of the smallest subset of `set` with this sum (0 if there is none).
fn smallest_subset(set: &[i32], sum: i32) -> u32 {
    let subsets = 0u32..1 << set.len();
    let total = |subset: u32| -> i32 {
        let chosen = set.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
        chosen.map(|(_, c)| c).sum()
    };
    let hits = subsets.filter(|&s| total(s) == sum);
    hits.min_by_key(|s| s.count_ones()).unwrap_or(0)
}
