//! The sweep against a queue on the other functions of the fast variant, state by state.

use std::collections::HashMap;

use antipode_blocks::rush_hour::Bits;
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Direction, Puzzle, UNSOLVABLE};

fn open(instance: &str, settings: &[(&str, &str)]) -> Bits {
    crate::twins::open(instance, settings)
}

/// Distances from the sweep.
fn swept(bits: &Bits, part: u64) -> HashMap<u64, u16> {
    let mut found = HashMap::new();
    bits.sweep(Direction::Backward, None, part, &[], &mut |swept| {
        assert_eq!(swept.orbit_size, 1);
        for (&key, &depth) in swept.keys.iter().zip(swept.depths) {
            let before = found.insert(key, depth);
            assert_eq!(before, None, "{}", bits.draw(&bits.state(key)));
        }
        true
    });
    found
}

/// The same by breadth first.
fn queued(bits: &Bits, part: u64) -> HashMap<u64, u16> {
    let space = bits.space(part).expect("numbered");
    let key = |rank| {
        let state = bits.unrank(Placement { part, rank });
        bits.key(&state.expect("a rank of the part"))
    };
    let mut found: HashMap<u64, u16> = (0..space).map(|rank| (key(rank), UNSOLVABLE)).collect();
    let mut level = Vec::new();
    bits.solved_states(part, &mut |state| level.push(bits.key(&state)));
    for &key in &level {
        found.insert(key, 0);
    }
    for depth in 1.. {
        let mut next = Vec::new();
        for key in level {
            bits.successors(&bits.state(key), &mut |after| {
                let after = bits.key(&after);
                let own = found.get_mut(&after).expect("a state of the part");
                if *own == UNSOLVABLE {
                    *own = depth;
                    next.push(after);
                }
            });
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    found
}

#[test]
fn whole_small_censuses_are_swept_right() {
    for settings in [
        &[][..],
        &[("metric", "step")],
        &[("walls", "1")],
        &[("walls", "2"), ("row", "1"), ("metric", "step")],
    ] {
        let bits = open("4x4", settings);
        for part in 0..bits.part_count() {
            let name = bits.part_name(part);
            assert_eq!(
                swept(&bits, part),
                queued(&bits, part),
                "{settings:?} {name}"
            );
        }
    }
}

#[test]
fn boards_are_swept_right() {
    for board in [
        "BB.CDE/AA.CDE/..FF../G..HH./G.IIJ./....J.",
        "BB./AA./..C/..C/D../D../DEE/...",
    ] {
        let bits = open("custom", &[("board", board)]);
        assert_eq!(swept(&bits, 0), queued(&bits, 0), "{board}");
    }
    let large = "BB....CC/DD....EE/FF....GG/AA....../HH....II/JJ....KK/LL....MM/NN....PP";
    let large = open("custom", &[("board", large)]);
    assert_eq!(large.sweeps(Direction::Backward, None), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Parts with many filled rows are small, so most draws are of those.
    #[test]
    fn drawn_parts_are_swept_right(which in 0..5_usize, draw: u64) {
        let (instance, settings): (&str, &[(&str, &str)]) = [
            ("5x5", &[][..]),
            ("5x5", &[("metric", "step"), ("row", "2")]),
            ("6x6", &[]),
            ("6x6", &[("metric", "step")]),
            ("6x6", &[("walls", "1")]),
        ][which];
        let bits = open(instance, settings);
        let part = draw % bits.part_count();
        prop_assume!(bits.space(part).expect("numbered") < 300_000);
        prop_assert!(swept(&bits, part) == queued(&bits, part), "{}", bits.part_name(part));
    }
}

#[test]
fn a_sweep_that_is_stopped_leaves_nothing_behind() {
    let bits = open("5x5", &[]);
    let part = 1;
    bits.sweep(Direction::Backward, None, part, &[], &mut |_| false);
    assert_eq!(swept(&bits, 0), queued(&bits, 0));
}
