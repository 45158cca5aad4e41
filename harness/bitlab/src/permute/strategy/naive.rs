//! One masked move per distinct distance, ORed together (thesis, 3.1: the listing with 19 terms).
//!
//! Cost: k ANDs, a shift for every distance except 0, and k - 1 ORs: 3k - 1, less one if some bits
//! stay. Depth 2 + ⌈log2 k⌉: it has more operations than the others here, but the processor can do
//! most of them in parallel.

use std::collections::BTreeMap;

use crate::permute::permutation::Permutation;
use crate::permute::program::{Program, Value};
use crate::permute::route::Motion;

/// By shifts, or by rotations, for which the distances d and d - 64 are the same.
pub fn compile(perm: &Permutation, motion: Motion) -> Program {
    let mut program = Program::new();
    let moves = moves(perm, motion, perm.domain());
    let words = emit(&mut program, perm, motion, &moves);
    let result = program.or_all(&words).unwrap_or(Value::INPUT);
    program.finish(result)
}

/// The moves of some bits, as distance and mask of starts.
pub(super) fn moves(perm: &Permutation, motion: Motion, bits: u64) -> Vec<(i32, u64)> {
    let mut moves: BTreeMap<i32, u64> = BTreeMap::new();
    for bit in (0..perm.len()).filter(|bit| bits >> bit & 1 == 1) {
        let distance = match motion {
            Motion::Shift => perm.distance(bit),
            Motion::Rotate => perm.distance(bit).rem_euclid(64),
        };
        *moves.entry(distance).or_default() |= 1 << bit;
    }
    moves.into_iter().collect()
}

/// The input moved by each distance, under its mask.
pub(super) fn emit(
    program: &mut Program,
    perm: &Permutation,
    motion: Motion,
    moves: &[(i32, u64)],
) -> Vec<Value> {
    let mut words = Vec::new();
    for &(distance, movers) in moves {
        let masked = match movers == perm.domain() {
            true => Value::INPUT,
            false => program.and(Value::INPUT, movers),
        };
        words.push(motion.emit(program, masked, distance));
    }
    words
}
