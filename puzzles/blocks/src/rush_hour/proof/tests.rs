use puzzle_api::{Puzzle, Settings, Sweep};

use super::*;
use crate::rush_hour::Bits;

type States = Vec<(u64, u16)>;

fn opened(instance: &str, pairs: &[(&str, &str)]) -> (CensusProof, Bits) {
    let pairs = pairs.iter().map(|&(k, v)| (k.to_owned(), v.to_owned()));
    let settings: Settings = pairs.collect();
    let request = Request {
        instance,
        settings: &settings,
    };
    let proof = CensusProof::open(&request).unwrap().expect("a census");
    (proof, Bits::open(&request).unwrap())
}

fn swept(bits: &Bits, part: u64) -> States {
    let mut states = Vec::new();
    bits.sweep(part, &mut |swept| {
        states.extend(swept.keys.iter().copied().zip(swept.depths.iter().copied()));
        true
    });
    states
}

fn checked(proof: &CensusProof, part: u64, states: &States) -> puzzle_api::proof::PartProven {
    let mut check = proof.part(part).expect("a part");
    for &(key, depth) in states {
        check.take(&[key], &[depth], &[1]);
    }
    check.finish()
}

#[test]
fn whole_censuses_are_proven() {
    for settings in [
        &[][..],
        &[("metric", "step"), ("row", "4")],
        &[("walls", "1")],
    ] {
        let (proof, bits) = opened("4x4", settings);
        assert!(proof.foundation().is_ok());
        let mut states = 0;
        for part in 0..puzzle_api::Numbering::part_count(&bits) {
            let proven = checked(&proof, part, &swept(&bits, part));
            assert_eq!(proven.wrong, 0, "{settings:?} {part}: {:?}", proven.faults);
            assert_eq!(proven.states, proven.orbits);
            states += proven.states;
        }
        assert_eq!(proof.states(), states);
        assert!(
            proof
                .part(puzzle_api::Numbering::part_count(&bits))
                .is_none()
        );
    }
}

#[test]
fn drawn_parts_of_greater_boards_are_proven() {
    for (instance, settings, part) in [
        ("5x5", &[][..], 77),
        ("5x5", &[("metric", "step")], 300),
        ("6x6", &[], 20_000),
        ("6x6", &[("walls", "1")], 123_456),
    ] {
        let (proof, bits) = opened(instance, settings);
        let proven = checked(&proof, part, &swept(&bits, part));
        assert_eq!(proven.wrong, 0, "{instance} {part}: {:?}", proven.faults);
        assert!(proven.states > 0 && proven.states == proven.orbits);
    }
    let (proof, _) = opened("6x6", &[]);
    assert_eq!(proof.states(), 31_106_546_110);
    assert!(proof.foundation().is_ok());
}

/// Every single thing that can be wrong is found.
#[test]
fn faults_are_named() {
    let (proof, bits) = opened("4x4", &[]);
    let part = (0..64).find(|&part| {
        let states = swept(&bits, part);
        [0, 1, 2, UNSOLVABLE]
            .iter()
            .all(|&d| states.iter().any(|&(_, own)| own == d))
    });
    let part = part.expect("a part with all kinds of states");
    let right = swept(&bits, part);
    let faults = |spoil: &dyn Fn(&mut States)| {
        let mut states = right.clone();
        spoil(&mut states);
        let proven = checked(&proof, part, &states);
        assert!(proven.wrong > 0);
        let named = proven.faults.iter().map(|(_, what)| *what);
        named.collect::<Vec<_>>().join("; ")
    };
    let change = |from: u16, to: u16| {
        faults(&|states: &mut States| {
            let own = states.iter_mut().find(|(_, depth)| *depth == from);
            own.expect("such a state").1 = to;
        })
    };
    assert!(change(0, 1).contains("is solved, but not at distance 0"));
    assert!(change(1, 0).contains("is at distance 0, but not solved"));
    assert!(change(2, UNSOLVABLE).contains("counts as unsolvable, but has a solvable successor"));
    assert!(change(UNSOLVABLE, 9).contains("counts as solvable, but no successor is"));
    assert!(change(2, 1).contains("has no successor one closer"));
    assert!(change(1, 3).contains("has a successor more than one closer"));
    assert!(change(1, 300).contains("beyond what the proof counts"));
    let missing = faults(&|states| states.truncate(states.len() - 1));
    assert!(missing.contains("was not delivered"));
    let twice = faults(&|states| states.push(states[0]));
    assert!(twice.contains("more than once"));
    let stray = swept(&bits, part + 1)[0];
    assert!(faults(&|states| states.push(stray)).contains("no placement of the part"));
}

#[test]
fn only_a_census_has_the_proof() {
    let settings = Settings::new();
    let request = Request {
        instance: "card-1",
        settings: &settings,
    };
    assert!(CensusProof::open(&request).unwrap().is_none());
}

const UNSOLVABLE: u16 = puzzle_api::UNSOLVABLE;
