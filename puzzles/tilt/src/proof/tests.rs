use proptest::prelude::*;
use puzzle_api::proof::{PartProof, PartProven};
use puzzle_api::{Direction, Numbering, Puzzle, Request, Sweep, Symmetry, UNSOLVABLE};

use super::BoxProof;
use crate::{Bits, Rules};

/// A delivered state: key, distance, size of its orbit.
type Delivered = (u64, u16, u32);

fn opened<T>(open: impl Fn(&Request<'_>) -> T) -> T {
    let pairs = [("grey", "0..2"), ("blue", "0..2"), ("green", "0..2")];
    let (instance, settings) = ("box", &puzzle_api::settings(&pairs));
    open(&Request { instance, settings })
}

fn swept(bits: &Bits, part: u64) -> Vec<Delivered> {
    let mut found = Vec::new();
    bits.sweep(Direction::Backward, None, part, &[], &mut |swept| {
        let pairs = swept.keys.iter().zip(swept.depths);
        found.extend(pairs.map(|(&key, &depth)| (key, depth, swept.orbit_size)));
        true
    });
    found
}

fn prove(proof: &BoxProof, part: u64, delivered: &[Delivered]) -> PartProven {
    let mut check = proof.part(part).expect("a part");
    for chunk in delivered.chunks(1000) {
        let keys: Vec<u64> = chunk.iter().map(|state| state.0).collect();
        let depths: Vec<u16> = chunk.iter().map(|state| state.1).collect();
        let sizes: Vec<u32> = chunk.iter().map(|state| state.2).collect();
        check.take(&keys, &depths, &sizes);
    }
    check.finish()
}

#[test]
fn every_part_of_a_small_box_is_proven_and_all_its_states_are_counted() {
    let (bits, rules) = (opened(Bits::open).unwrap(), opened(Rules::open).unwrap());
    let proof = opened(BoxProof::open).unwrap().expect("a box");
    proof.foundation().expect("lines tilt by themselves");
    let mut states = 0;
    for part in 0..bits.part_count() {
        let delivered = swept(&bits, part);
        let proven = prove(&proof, part, &delivered);
        assert_eq!(proven.wrong, 0, "{:?}", proven.faults);
        assert_eq!(proven.orbits, delivered.len() as u64);
        let of_orbits: u64 = delivered.iter().map(|state| u64::from(state.2)).sum();
        assert_eq!(proven.states, of_orbits);
        assert!(proven.states >= rules.space(part).unwrap());
        states += proven.states;
    }
    assert_eq!(states, proof.states());
    assert!(proof.part(bits.part_count()).is_none());
}

#[test]
fn instances_with_greys_of_their_own_are_not_of_the_kind() {
    let (instance, settings) = ("thesis-a", &puzzle_api::settings(&[]));
    let proof = BoxProof::open(&Request { instance, settings });
    assert!(proof.unwrap().is_none());
}

/// A single fault in the states that a part delivers.
#[derive(Debug, Clone, Copy)]
enum Fault {
    Left,
    Twice,
    Nearer,
    Further,
    Unsolvable,
    Image(u32),
    Orbit,
    Elsewhere,
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        Just(Fault::Left),
        Just(Fault::Twice),
        Just(Fault::Nearer),
        Just(Fault::Further),
        Just(Fault::Unsolvable),
        (1_u32..8).prop_map(Fault::Image),
        Just(Fault::Orbit),
        Just(Fault::Elsewhere),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Every single fault in a state of one part is found.
    #[test]
    fn one_wrong_state_is_found(fault in fault(), part in 0_u64..40, at in any::<prop::sample::Index>()) {
        let bits = opened(Bits::open).unwrap();
        let proof = opened(BoxProof::open).unwrap().expect("a box");
        let mut delivered = swept(&bits, part % bits.part_count());
        let at = at.index(delivered.len());
        let (key, depth, size) = delivered[at];
        match fault {
            Fault::Left => drop(delivered.remove(at)),
            Fault::Twice => delivered.push((key, depth, size)),
            Fault::Nearer => delivered[at].1 = depth.wrapping_sub(1),
            Fault::Further => delivered[at].1 = depth.saturating_add(1),
            Fault::Unsolvable => delivered[at].1 = UNSOLVABLE,
            Fault::Image(index) => delivered[at].0 = bits.image(&bits.state(key), index).0,
            Fault::Orbit => delivered[at].2 = if size == 8 { 4 } else { 8 },
            Fault::Elsewhere => delivered[at].0 = key ^ 1 << 12,
        }
        let same = delivered.get(at) == Some(&(key, depth, size)) && !matches!(fault, Fault::Left | Fault::Twice);
        let proven = prove(&proof, part % bits.part_count(), &delivered);
        prop_assert_eq!(proven.wrong == 0, same, "{:?}", fault);
    }
}
