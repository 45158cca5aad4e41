use puzzle_api::{Direction, Numbering, Puzzle, Sweep};

use super::*;
use crate::proving::{Delivered, checked, opened, proves, tells_faults};
use crate::rush_hour::Bits;

fn both(instance: &str, settings: &[(&str, &str)]) -> (CensusProof, Bits) {
    let of = (instance, settings);
    let proof = opened(of, CensusProof::open).unwrap().expect("a census");
    (proof, opened(of, Bits::open).unwrap())
}

fn swept(bits: &Bits, part: u64) -> Vec<Delivered> {
    let mut states = Vec::new();
    bits.sweep(Direction::Backward, None, part, &[], &mut |swept| {
        let each = swept.keys.iter().zip(swept.depths);
        states.extend(each.map(|(&key, &depth)| (key, depth, 1)));
        true
    });
    states
}

#[test]
fn whole_censuses_are_proven() {
    for settings in [
        &[][..],
        &[("metric", "step"), ("row", "4")],
        &[("walls", "1")],
    ] {
        let (proof, bits) = both("4x4", settings);
        proves(&proof, bits.part_count(), |part| swept(&bits, part));
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
        let (proof, bits) = both(instance, settings);
        let proven = checked(&proof, part, &swept(&bits, part));
        assert_eq!(proven.wrong, 0, "{instance} {part}: {:?}", proven.faults);
        assert!(proven.states > 0 && proven.states == proven.orbits);
    }
    let (proof, _) = both("6x6", &[]);
    assert_eq!(proof.states(), 31_106_546_110);
    assert!(proof.foundation().is_ok());
}

#[test]
fn every_planted_fault_is_told() {
    let (proof, bits) = both("4x4", &[]);
    let (part, right) = tells_faults(&proof, &[1], |part| swept(&bits, part));
    // A state of another part.
    let mut states = right.clone();
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
    assert!(
        opened(("card-1", &[]), CensusProof::open)
            .unwrap()
            .is_none()
    );
}
