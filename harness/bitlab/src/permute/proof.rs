//! Proof that a program computes a permutation for every input, not only for those tried.
//!
//! The program is run on symbols: every bit of every word is a sum over GF(2) of input bits, or
//! unknown. AND with a constant, XOR, shifts, `pext`, `pdep` and shuffles keep sums; OR keeps one
//! if at most one side is not zero. A product keeps one in columns that no carry can reach, a table
//! if it is linear, which is checked entry by entry. If the result's bits are exactly the right
//! single input bits, the program equals the permutation on all 2^n words.

use super::permutation::Permutation;
use super::program::{Op, Program};

/// A bit as the set of input bits whose sum it is; `None` if it is no known sum.
type Bit = Option<u64>;

const ZERO: Bit = Some(0);

/// Whether the program equals the permutation on every word of its length. `false` means only that
/// this method cannot decide: programs with a nonlinear step may still be right.
pub fn proves(program: &Program, perm: &Permutation) -> bool {
    let bits = symbolic(program, perm.len());
    let inverse = perm.inverse();
    (0..64).all(|j| {
        let wanted = if j < perm.len() {
            1u64 << inverse.to(j)
        } else {
            0
        };
        bits[j] == Some(wanted)
    })
}

/// Every bit of the result as a sum of input bits, given that inputs from `len` up are zero.
pub fn symbolic(program: &Program, len: usize) -> [Bit; 64] {
    let mut words: Vec<[Bit; 64]> = vec![std::array::from_fn(|i| {
        if i < len { Some(1 << i) } else { ZERO }
    })];
    for op in program.ops() {
        words.push(step(program, op, &words));
    }
    words[program.result().index()]
}

fn step(program: &Program, op: &Op, words: &[[Bit; 64]]) -> [Bit; 64] {
    let moved = |a: &[Bit; 64], from: &dyn Fn(usize) -> Option<usize>| {
        std::array::from_fn(|j| from(j).map_or(ZERO, |i| a[i]))
    };
    match *op {
        Op::And(a, m) => moved(&words[a.index()], &|j| (m >> j & 1 == 1).then_some(j)),
        Op::Or(a, b) => zip(&words[a.index()], &words[b.index()], either),
        Op::Xor(a, b) => zip(&words[a.index()], &words[b.index()], |p, q| Some(p? ^ q?)),
        Op::Shl(a, d) => moved(&words[a.index()], &|j| j.checked_sub(d as usize)),
        Op::Shr(a, d) => moved(&words[a.index()], &|j| {
            Some(j + d as usize).filter(|&i| i < 64)
        }),
        Op::Rotl(a, d) => moved(&words[a.index()], &|j| Some((j + 64 - d as usize) % 64)),
        Op::Bswap(a) => moved(&words[a.index()], &|j| Some(j ^ 56)),
        Op::Pext(a, m) => moved(&words[a.index()], &|j| nth_set(m, j)),
        Op::Pdep(a, m) => moved(&words[a.index()], &|j| {
            (m >> j & 1 == 1).then(|| (m & ((1 << j) - 1)).count_ones() as usize)
        }),
        Op::Shuffle(a, c) => {
            let control = &program.controls()[c];
            moved(&words[a.index()], &|j| Some(usize::from(control[j] & 63)))
        }
        Op::Mul(a, c) => product(&words[a.index()], c)[..64]
            .try_into()
            .unwrap_or([None; 64]),
        Op::MulHigh(a, c) => product(&words[a.index()], c)[64..]
            .try_into()
            .unwrap_or([None; 64]),
        Op::Lookup(a, t) => looked_up(&words[a.index()], &program.tables()[t]),
    }
}

fn zip(a: &[Bit; 64], b: &[Bit; 64], f: impl Fn(Bit, Bit) -> Bit) -> [Bit; 64] {
    std::array::from_fn(|j| f(a[j], b[j]))
}

fn either(a: Bit, b: Bit) -> Bit {
    match (a, b) {
        (ZERO, other) | (other, ZERO) => other,
        (a, b) if a == b => a,
        _ => None,
    }
}

fn nth_set(mut mask: u64, n: usize) -> Option<usize> {
    for _ in 0..n {
        mask &= mask.wrapping_sub(1);
    }
    (mask != 0).then(|| mask.trailing_zeros() as usize)
}

/// A column with two summands that may both be 1 carries into the next. From there on, columns are
/// unknown until one that no summand and no carry reaches. A column of `s` summands and carries
/// passes on at most half of them.
fn product(a: &[Bit; 64], factor: u64) -> Vec<Bit> {
    let mut columns = vec![ZERO; 128];
    let mut carries = 0usize;
    for (j, column) in columns.iter_mut().enumerate() {
        let summands: Vec<Bit> = (0..64)
            .filter(|&d| factor >> d & 1 == 1)
            .filter_map(|d| j.checked_sub(d).filter(|&i| i < 64).map(|i| a[i]))
            .filter(|&bit| bit != ZERO)
            .collect();
        *column = match (carries, summands.as_slice()) {
            (0, []) => ZERO,
            (0, [one]) => *one,
            _ => None,
        };
        carries = (carries + summands.len()) / 2;
    }
    columns
}

fn looked_up(index: &[Bit; 64], table: &[u64; 256]) -> [Bit; 64] {
    let linear = table[0] == 0
        && (1..256usize).all(|i| table[i] == table[i & (i - 1)] ^ table[i & i.wrapping_neg()]);
    if !linear {
        return [None; 64];
    }
    std::array::from_fn(|j| {
        (0..8)
            .filter(|&i| table[1 << i] >> j & 1 == 1)
            .try_fold(0, |sum, i| Some(sum ^ index[i]?))
    })
}
