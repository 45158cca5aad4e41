//! Tests of the proofs of parts: what each has to prove, and which faults it has to find.

use std::collections::HashMap;
use std::hash::Hash;

use puzzle_api::proof::{PartProof, PartProven};
use puzzle_api::{Request, Settings, UNSOLVABLE, Xorshift};

/// A state as delivered: key, distance, size of its orbit.
pub type Delivered = (u64, u16, u32);

/// Opens something on an instance.
pub fn opened<T>(
    (instance, settings): (&str, &[(&str, &str)]),
    open: impl Fn(&Request<'_>) -> T,
) -> T {
    let pair = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
    let settings: &Settings = &settings.iter().map(pair).collect();
    open(&Request { instance, settings })
}

/// A proof's report on the states of a part.
pub fn checked(proof: &dyn PartProof, part: u64, states: &[Delivered]) -> PartProven {
    let mut check = proof.part(part).expect("a part");
    for &(key, depth, size) in states {
        check.take(&[key], &[depth], &[size]);
    }
    check.finish()
}

/// A census is proven if every part is delivered unchanged.
pub fn proves(proof: &dyn PartProof, parts: u64, states_of: impl Fn(u64) -> Vec<Delivered>) {
    proof.foundation().unwrap();
    let mut states = 0;
    for part in 0..parts {
        let proven = checked(proof, part, &states_of(part));
        assert_eq!(proven.wrong, 0, "{part}: {:?}", proven.faults);
        states += proven.states;
    }
    assert_eq!(proof.states(), states);
    assert!(proof.part(parts).is_none());
}

/// A test's change to the states of a part.
type Spoil = fn(&mut Vec<Delivered>, usize);

/// Every single fault in the states of the first part that has all kinds of them is found; returns
/// that part.
pub fn tells_faults(
    proof: &dyn PartProof,
    sizes: &[u32],
    states_of: impl Fn(u64) -> Vec<Delivered>,
) -> (u64, Vec<Delivered>) {
    let has_all = |states: &[Delivered]| {
        let mut depths = [0, 1, 2, UNSOLVABLE].into_iter();
        let mut sizes = sizes.iter();
        depths.all(|depth| states.iter().any(|state| state.1 == depth))
            && sizes.all(|&size| states.iter().any(|state| state.2 == size))
    };
    let parts = (0..).map(|part| (part, states_of(part)));
    let (part, right) = parts
        .take(1000)
        .find(|(_, states)| has_all(states))
        .unwrap();
    let faults: [(&str, Spoil); 9] = [
        ("left out", |states, at| {
            states.remove(at);
        }),
        ("twice", |states, at| states.push(states[at])),
        ("further", |states, at| {
            states[at].1 = states[at].1.wrapping_add(1)
        }),
        ("closer", |states, at| {
            states[at].1 = states[at].1.wrapping_sub(1)
        }),
        ("at the goal", |states, at| {
            states[at].1 = if states[at].1 == 0 { 7 } else { 0 }
        }),
        ("unsolvable", |states, at| {
            states[at].1 = if states[at].1 == UNSOLVABLE {
                5
            } else {
                UNSOLVABLE
            }
        }),
        ("orbit too large", |states, at| states[at].2 *= 3),
        ("no state", |states, at| states[at].0 += 1 << 40),
        ("another state", |states, at| states[at].0 += 1),
    ];
    for (what, spoil) in faults {
        for at in (0..right.len()).step_by(1 + right.len() / 100) {
            let mut states = right.clone();
            spoil(&mut states, at);
            let proven = checked(proof, part, &states);
            assert!(
                proven.wrong > 0 && !proven.faults.is_empty(),
                "{what}: {at}"
            );
        }
    }
    // None of a part's states.
    assert!(checked(proof, part, &[]).wrong > 0);
    (part, right)
}

/// Each of n boards is drawn equally often: chi-squared is within five standard deviations of its
/// mean.
pub fn draws_are_uniform<T: Eq + Hash>(
    boards: u32,
    draws: u32,
    draw: impl Fn(&mut Xorshift) -> Option<T>,
) {
    let boards = f64::from(boards);
    let mut drawn = HashMap::<T, u32>::new();
    let mut random = Xorshift::for_draw(1, 0);
    for _ in 0..draws {
        *drawn.entry(draw(&mut random).unwrap()).or_default() += 1;
    }
    let mean = f64::from(draws) / boards;
    let missing = boards - drawn.len() as f64;
    let seen = drawn.values();
    let seen = seen.map(|&n| (f64::from(n) - mean).powi(2) / mean);
    let chi_squared = seen.sum::<f64>() + missing * mean;
    let off = (chi_squared - boards) / (2.0 * boards).sqrt();
    assert!(off.abs() < 5.0, "{chi_squared}");
}
