//! The sweep, judged by the proof of parts, and the faults that the proof has to find;
//! `conformance` compares the sweep with engines.

use antipode_tilt::proof::BoxProof;
use antipode_tilt::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::proof::{PartProof, PartProven};
use puzzle_api::{Direction, Puzzle, Request, UNSOLVABLE};

use crate::open;

/// A delivered state: key, distance, size of its orbit.
type Delivered = (u64, u16, u32);

fn swept(bits: &Bits, part: u64) -> Vec<Delivered> {
    let mut found = Vec::new();
    bits.sweep(Direction::Backward, None, part, &[], &mut |swept| {
        assert!(!swept.keys.is_empty() && swept.keys.len() == swept.depths.len());
        let pairs = swept.keys.iter().zip(swept.depths);
        found.extend(pairs.map(|(&key, &depth)| (key, depth, swept.orbit_size)));
        true
    });
    found
}

fn proof(instance: &str, pairs: &[(&str, &str)]) -> Option<BoxProof> {
    let settings = &puzzle_api::settings(pairs);
    BoxProof::open(&Request { instance, settings }).expect("opens")
}

/// The proof's report on some states of a part.
fn checked(proof: &BoxProof, part: u64, delivered: &[Delivered]) -> PartProven {
    let mut check = proof.part(part).expect("a part");
    for &(key, depth, size) in delivered {
        check.take(&[key], &[depth], &[size]);
    }
    check.finish()
}

/// The number of states of a part, after the proof of its sweep.
fn proven(proof: &BoxProof, bits: &Bits, part: u64) -> u64 {
    let delivered = swept(bits, part);
    let proven = checked(proof, part, &delivered);
    assert_eq!(proven.wrong, 0, "{part}: {:?}", proven.faults);
    assert_eq!(proven.orbits, delivered.len() as u64);
    proven.states
}

#[test]
fn every_part_of_a_small_box_is_proven_and_all_its_states_are_counted() {
    for [grey, blue, green] in [
        ["0..2", "0..2", "0..2"],
        ["3", "1", "0..1"],
        ["1", "2..3", "0"],
    ] {
        let pairs = [("grey", grey), ("blue", blue), ("green", green)];
        let (bits, rules): (Bits, Rules) = (open("box", &pairs), open("box", &pairs));
        let proof = proof("box", &pairs).expect("a box");
        proof.foundation().expect("lines tilt by themselves");
        let states = (0..bits.part_count()).map(|part| {
            let states = proven(&proof, &bits, part);
            assert!(states >= rules.space(part).unwrap());
            states
        });
        assert_eq!(states.sum::<u64>(), proof.states());
        assert!(proof.part(bits.part_count()).is_none());
    }
}

/// Parts of the whole box, drawn among all and among those with a symmetric set of grey blocks,
/// after a sweep that was stopped.
#[test]
fn drawn_parts_are_proven() {
    let (bits, proof): (Bits, _) = (open("box", &[]), proof("box", &[]).expect("a box"));
    let mut calls = 0;
    bits.sweep(Direction::Backward, None, 1, &[], &mut |_| {
        calls += 1;
        false
    });
    assert_eq!(calls, 1);
    let symmetric = |part: &u64| {
        let greys = bits.parse(&bits.part_name(*part)).expect("a board");
        bits.orbit_size(&greys) < 8
    };
    let symmetric = (0..bits.part_count()).filter(symmetric).step_by(60);
    for part in (0..bits.part_count()).step_by(1999).chain(symmetric) {
        proven(&proof, &bits, part);
    }
}

#[test]
fn instances_with_greys_of_their_own_are_not_of_the_kind() {
    assert!(proof("thesis-a", &[]).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Every single fault in a state of one part is found.
    #[test]
    fn one_wrong_state_is_found(fault in 0..14_u32, part in 0_u64..40, at in any::<prop::sample::Index>()) {
        let pairs = [("grey", "0..2"), ("blue", "0..2"), ("green", "0..2")];
        let (bits, proof): (Bits, _) = (open("box", &pairs), proof("box", &pairs).expect("a box"));
        let mut delivered = swept(&bits, part % bits.part_count());
        let at = at.index(delivered.len());
        let (key, depth, size) = delivered[at];
        let wrong = &mut delivered[at];
        match fault {
            0 => drop(delivered.remove(at)),
            1 => delivered.push((key, depth, size)),
            2 => wrong.1 = depth.wrapping_sub(1),
            3 => wrong.1 = depth.saturating_add(1),
            4 => wrong.1 = UNSOLVABLE,
            5 => wrong.2 = if size == 8 { 4 } else { 8 },
            6 => wrong.0 = key ^ 1 << 12,
            image => wrong.0 = bits.key(&bits.image(&bits.state(key), image - 6)),
        }
        let same = fault > 1 && delivered[at] == (key, depth, size);
        let proven = checked(&proof, part % bits.part_count(), &delivered);
        prop_assert_eq!(proven.wrong == 0, same, "{:?}", fault);
    }
}
