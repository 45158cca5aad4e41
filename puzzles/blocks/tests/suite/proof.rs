//! What the proof of parts of Rush Hour proves, and the faults that it has to find.

use antipode_blocks::rush_hour::{Bits, proof::CensusProof};
use puzzle_api::optional::*;
use puzzle_api::proof::{PartProof, PartProven};
use puzzle_api::{Request, UNSOLVABLE};

use crate::sweep::{Delivered, swept};
use crate::twins::open;

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

#[test]
fn whole_censuses_and_drawn_parts_of_greater_ones_are_proven() {
    for (instance, settings, parts) in [
        ("4x4", &[][..], None),
        ("4x4", &[("metric", "step"), ("row", "4")], None),
        ("4x4", &[("walls", "1")], None),
        ("5x5", &[], Some(77)),
        ("5x5", &[("metric", "step")], Some(300)),
        ("6x6", &[], Some(20_000)),
        ("6x6", &[("walls", "1")], Some(123_456)),
    ] {
        let proof = proof(instance, settings).expect("a census");
        let bits: Bits = open(instance, settings);
        assert!(proof.foundation().is_ok());
        let all = 0..bits.part_count();
        let mut states = 0;
        for part in parts.map_or(all.clone(), |part| part..part + 1) {
            let proven = checked(&proof, part, &swept(&bits, part));
            assert_eq!(proven.wrong, 0, "{instance} {part}: {:?}", proven.faults);
            assert_eq!(proven.states, proven.orbits);
            states += proven.states;
        }
        match parts {
            None => assert_eq!(proof.states(), states),
            Some(_) => assert!(states > 0 && proof.states() > states),
        }
        assert!(proof.part(all.end).is_none());
    }
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
