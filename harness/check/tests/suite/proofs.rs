//! The proofs of parts, on what the puzzles' own sweeps deliver and with single faults planted in
//! it.

use antipode_graph::{Capabilities, Graph, builtin};
use puzzle_api::proof::{PartProof, PartProven};
use puzzle_api::{Direction, UNSOLVABLE, Xorshift};

/// A state as delivered: key, distance, size of its orbit.
type Delivered = (u64, u16, u32);

/// An instance with its proof, if it has one.
fn open(name: &str, settings: &str) -> (Graph<u64>, Option<Box<dyn PartProof>>) {
    let pairs = settings.split("; ").filter_map(|pair| pair.split_once('='));
    let graph: Graph<u64> = builtin::graph(name, None, &pairs.collect::<Vec<_>>()).expect(name);
    let proof = builtin::proof(&graph.opened).expect(name);
    (graph, proof)
}

/// All states of a part as the sweep delivers them, in any order.
fn swept(graph: &Graph<u64>, part: u64) -> Vec<Delivered> {
    let mut found = Vec::new();
    let mut take = |swept: puzzle_api::Swept<'_, u64>| {
        let each = swept.keys.iter().zip(swept.depths);
        found.extend(each.map(|(&key, &depth)| (key, depth, swept.orbit_size)));
        true
    };
    let whole = graph.sweep(Direction::Backward, None, part, &[], &mut take);
    assert!(whole.expect("sweeps"));
    found
}

/// A proof's report on some states of a part.
fn checked(proof: &dyn PartProof, part: u64, states: &[Delivered]) -> PartProven {
    let mut check = proof.part(part).expect("a part");
    for &(key, depth, size) in states {
        check.take(&[key], &[depth], &[size]);
    }
    check.finish()
}

/// The number of states of a part, after the proof of its sweep.
fn proven(proof: &dyn PartProof, graph: &Graph<u64>, part: u64) -> u64 {
    let delivered = swept(graph, part);
    let proven = checked(proof, part, &delivered);
    assert_eq!(proven.wrong, 0, "{part}: {:?}", proven.faults);
    assert_eq!(proven.orbits, delivered.len() as u64);
    if !graph.has(Capabilities::SYMMETRY) {
        assert_eq!(graph.space(part).expect("numbered"), Some(proven.states));
    }
    proven.states
}

#[test]
fn all_parts_of_small_instances_are_proven() {
    for (name, settings) in [
        ("tilt/box", "grey=0..2; blue=0..2"),
        ("tilt/box", "grey=3; blue=1; green=0..1"),
        ("tilt/box", "grey=1; blue=2..3; green=0"),
        ("rush-hour/4x4", ""),
        ("rush-hour/4x4", "metric=step; row=4"),
        ("rush-hour/4x4", "walls=1"),
    ] {
        let (graph, proof) = open(name, settings);
        let (proof, parts) = (proof.expect(name), graph.opened.part_count);
        assert!(proof.foundation().is_ok());
        let states = (0..parts).map(|part| proven(&*proof, &graph, part));
        assert_eq!(states.sum::<u64>(), proof.states(), "{name} {settings}");
        assert!(proof.part(parts).is_none());
    }
}

/// Small parts of large instances, after a sweep that was stopped.
#[test]
fn drawn_parts_are_proven() {
    for (name, settings) in [
        ("tilt/box", ""),
        ("rush-hour/4x4", "walls=2; row=1; metric=step"),
        ("rush-hour/5x5", ""),
        ("rush-hour/5x5", "metric=step; row=2"),
        ("rush-hour/6x6", ""),
        ("rush-hour/6x6", "metric=step"),
        ("rush-hour/6x6", "walls=1"),
    ] {
        let (graph, proof) = open(name, settings);
        let stopped = graph.sweep(Direction::Backward, None, 1, &[], &mut |_| false);
        assert!(!stopped.expect("sweeps"));
        let mut random = Xorshift::for_draw(1, 0);
        let drawn = std::iter::repeat_with(|| random.below(graph.opened.part_count));
        let small = |part: &u64| {
            graph
                .space(*part)
                .is_ok_and(|space| space < Some(1_000_000))
        };
        for part in drawn.filter(small).take(4) {
            proven(&**proof.as_ref().expect(name), &graph, part);
        }
    }
}

/// A test's change to the states of a part.
type Spoil = fn(&mut Vec<Delivered>, usize);

/// A wrong distance, or another one if it is the right one.
fn other(depth: u16, wrong: u16, instead: u16) -> u16 {
    if depth == wrong { instead } else { wrong }
}

#[test]
fn every_planted_fault_is_told() {
    const FAULTS: [(&str, Spoil); 9] = [
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
        ("no state", |states, at| states[at].0 ^= 1 << 63),
        ("another state", |states, at| states[at].0 += 1),
    ];
    for (name, settings) in [("tilt/box", "grey=1..2; blue=0..2"), ("rush-hour/4x4", "")] {
        let (graph, proof) = open(name, settings);
        let proof = &*proof.expect(name);
        let has_all = |states: &[Delivered]| {
            let mut depths = [0, 1, 2, UNSOLVABLE].into_iter();
            depths.all(|depth| states.iter().any(|state| state.1 == depth))
        };
        let parts = (0..graph.opened.part_count).map(|part| (part, swept(&graph, part)));
        let (part, right) = parts
            .into_iter()
            .find(|(_, states)| has_all(states))
            .expect(name);
        let told = |states: &[Delivered]| {
            let proven = checked(proof, part, states);
            proven.wrong > 0 && !proven.faults.is_empty()
        };
        for at in (0..right.len()).step_by(1 + right.len() / 40) {
            for (what, spoil) in FAULTS {
                let mut states = right.clone();
                spoil(&mut states, at);
                assert!(told(&states), "{name}, {what}: {at}");
            }
            let key = right[at].0;
            for image in graph.images_of(&[key]).expect(name) {
                let mut states = right.clone();
                states[at].0 = image;
                assert_eq!(told(&states), image != key, "{name}, another image: {at}");
            }
        }
        assert!(checked(proof, part, &[]).wrong > 0);
        let mut states = right;
        states.push(swept(&graph, part + 1)[0]);
        let faults = checked(proof, part, &states).faults;
        let outside = |fault: &(u64, &str)| fault.1.contains("no placement of the part");
        assert!(faults.iter().any(outside), "{name}");
    }
}

#[test]
fn only_a_census_or_a_box_has_a_proof() {
    for name in ["tilt/thesis-a", "rush-hour/card-1"] {
        assert!(open(name, "").1.is_none(), "{name}");
    }
    let proof = open("rush-hour/6x6", "").1.expect("a census");
    assert_eq!(proof.states(), 31_106_546_110);
}
