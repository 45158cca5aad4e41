//! One masked move per distinct distance, ORed together (thesis, 3.1: the listing with 19 terms).
//!
//! Cost: k ANDs, a shift for every distance except 0, and k - 1 ORs: 3k - 1, less one if some bits
//! stay. Depth 2 + ⌈log2 k⌉: it has more operations than the others here, but the processor can do
//! most of them in parallel.

use std::collections::BTreeMap;

use crate::permute::permutation::Permutation;
use crate::permute::program::{Program, Value};

/// By shifts.
pub fn shifts(perm: &Permutation) -> Program {
    masked_moves(perm, |distance| distance, Program::shift)
}

/// With rotations, the distances d and d - 64 are the same.
pub fn rotations(perm: &Permutation) -> Program {
    masked_moves(perm, |distance| distance.rem_euclid(64), Program::rotate)
}

fn masked_moves(
    perm: &Permutation,
    class: impl Fn(i32) -> i32,
    motion: impl Fn(&mut Program, Value, i32) -> Value,
) -> Program {
    let mut groups: BTreeMap<i32, u64> = BTreeMap::new();
    for bit in 0..perm.len() {
        *groups.entry(class(perm.distance(bit))).or_default() |= 1 << bit;
    }
    let mut program = Program::new();
    let mut words = Vec::new();
    for (distance, movers) in groups {
        let masked = match movers == perm.domain() {
            true => Value::INPUT,
            false => program.and(Value::INPUT, movers),
        };
        words.push(motion(&mut program, masked, distance));
    }
    let result = program.or_all(&words).unwrap_or(Value::INPUT);
    program.finish(result)
}
