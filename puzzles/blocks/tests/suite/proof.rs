//! The sweep of Rush Hour, judged by the proof of parts, and the faults that the proof has to find;
//! `conformance` compares the sweep with engines.

use antipode_blocks::rush_hour::{Bits, proof::CensusProof};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::proof::{PartProof, PartProven};
use puzzle_api::{Direction, Request, UNSOLVABLE};

use crate::boards::LARGE;
use crate::twins::open;

/// A state as delivered: key, distance, size of its orbit.
type Delivered = (u64, u16, u32);

/// All states of a part as the sweep delivers them, in any order.
fn swept(bits: &Bits, part: u64) -> Vec<Delivered> {
    let mut found = Vec::new();
    bits.sweep(Direction::Backward, None, part, &[], &mut |swept| {
        let each = swept.keys.iter().zip(swept.depths);
        found.extend(each.map(|(&key, &depth)| (key, depth, swept.orbit_size)));
        true
    });
    found
}

fn proof(instance: &str, settings: &[(&str, &str)]) -> Option<CensusProof> {
    let settings = &puzzle_api::settings(settings);
    CensusProof::open(&Request { instance, settings }).expect("opens")
}

/// A proof's report on the states of a part.
fn checked(proof: &CensusProof, part: u64, states: &[Delivered]) -> PartProven {
    let mut check = proof.part(part).expect("a part");
    for &(key, depth, size) in states {
        check.take(&[key], &[depth], &[size]);
    }
    check.finish()
}

/// The number of states of a part, after the proof of its sweep.
fn proven(proof: &CensusProof, bits: &Bits, part: u64) -> u64 {
    let proven = checked(proof, part, &swept(bits, part));
    assert_eq!(proven.wrong, 0, "{part}: {:?}", proven.faults);
    assert_eq!(proven.states, proven.orbits);
    assert_eq!(bits.space(part), Some(proven.states));
    proven.states
}

#[test]
fn whole_censuses_are_proven() {
    for settings in [
        &[][..],
        &[("metric", "step"), ("row", "4")],
        &[("walls", "1")],
    ] {
        let (proof, bits): (_, Bits) = (proof("4x4", settings).unwrap(), open("4x4", settings));
        assert!(proof.foundation().is_ok());
        let parts = 0..bits.part_count();
        let states: u64 = parts.clone().map(|part| proven(&proof, &bits, part)).sum();
        assert_eq!(proof.states(), states);
        assert!(proof.part(parts.end).is_none());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// Parts with many filled rows are small, so most draws are of those.
    #[test]
    fn drawn_parts_are_proven(which in 0..6_usize, draw: u64) {
        let (instance, settings): (&str, &[(&str, &str)]) = [
            ("4x4", &[("walls", "2"), ("row", "1"), ("metric", "step")][..]),
            ("5x5", &[]),
            ("5x5", &[("metric", "step"), ("row", "2")]),
            ("6x6", &[]),
            ("6x6", &[("metric", "step")]),
            ("6x6", &[("walls", "1")]),
        ][which];
        let bits: Bits = open(instance, settings);
        let part = draw % bits.part_count();
        prop_assume!(bits.space(part).expect("numbered") < 300_000);
        proven(&proof(instance, settings).expect("a census"), &bits, part);
    }
}

#[test]
fn a_sweep_that_is_stopped_leaves_nothing_behind() {
    let (proof, bits): (_, Bits) = (proof("5x5", &[]).unwrap(), open("5x5", &[]));
    bits.sweep(Direction::Backward, None, 1, &[], &mut |_| false);
    proven(&proof, &bits, 0);
    let large: Bits = open("custom", &[("board", LARGE)]);
    assert_eq!(large.sweeps(Direction::Backward, None), None);
    assert!(large.space(0).is_none() && !large.lists_solved_states());
}

/// A wrong distance, or another one if it is the right one.
fn other(depth: u16, wrong: u16, instead: u16) -> u16 {
    if depth == wrong { instead } else { wrong }
}

/// A test's change to the states of a part.
type Spoil = fn(&mut Vec<Delivered>, usize);

#[test]
fn every_planted_fault_is_told() {
    let proof = proof("4x4", &[]).expect("a census");
    let bits: Bits = open("4x4", &[]);
    let has_all = |states: &Vec<Delivered>| {
        let mut depths = [0, 1, 2, UNSOLVABLE].into_iter();
        depths.all(|depth| states.iter().any(|state| state.1 == depth))
    };
    let parts = (0..bits.part_count()).map(|part| (part, swept(&bits, part)));
    let (part, right) = parts
        .into_iter()
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
            states[at].1 = other(states[at].1, 0, 7)
        }),
        ("unsolvable", |states, at| {
            states[at].1 = other(states[at].1, UNSOLVABLE, 5)
        }),
        ("orbit too large", |states, at| states[at].2 *= 3),
        ("no state", |states, at| states[at].0 += 1 << 40),
        ("another state", |states, at| states[at].0 += 1),
    ];
    for (what, spoil) in faults {
        for at in (0..right.len()).step_by(1 + right.len() / 100) {
            let mut states = right.clone();
            spoil(&mut states, at);
            let proven = checked(&proof, part, &states);
            let told = proven.wrong > 0 && !proven.faults.is_empty();
            assert!(told, "{what}: {at}");
        }
    }
    assert!(checked(&proof, part, &[]).wrong > 0);
    let mut states = right;
    states.push(swept(&bits, part + 1)[0]);
    let faults = checked(&proof, part, &states).faults;
    assert!(
        faults
            .iter()
            .any(|fault| fault.1.contains("no placement of the part"))
    );
}

#[test]
fn only_a_census_has_the_proof() {
    assert!(proof("card-1", &[]).is_none());
    assert_eq!(
        proof("6x6", &[]).expect("a census").states(),
        31_106_546_110
    );
}
