//! The sweep of Rush Hour against a queue on the other functions of the fast variant, state by
//! state, on parts that are drawn; `conformance` has whole small censuses.

use antipode_blocks::rush_hour::Bits;
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Direction, Puzzle, UNSOLVABLE};

use crate::boards::LARGE;
use crate::twins::{open, walked};

/// A state as delivered: key, distance, size of its orbit.
pub type Delivered = (u64, u16, u32);

/// All states of a part as the sweep delivers them, in any order.
pub fn swept(bits: &Bits, part: u64) -> Vec<Delivered> {
    let mut found = Vec::new();
    bits.sweep(Direction::Backward, None, part, &[], &mut |swept| {
        let each = swept.keys.iter().zip(swept.depths);
        found.extend(each.map(|(&key, &depth)| (key, depth, swept.orbit_size)));
        true
    });
    found
}

/// A sweep finds the distances of a queue, and delivers every state once.
fn agrees(bits: &Bits, part: u64) {
    let (mut found, mut solved) = (swept(bits, part), Vec::new());
    bits.solved_states(part, &mut |state| solved.push(bits.key(&state)));
    let queued = walked(bits, solved, u16::MAX);
    found.sort_unstable();
    let space = bits.space(part).expect("numbered");
    let key = |rank| {
        let state = bits.unrank(Placement { part, rank });
        bits.key(&state.expect("a rank of the part"))
    };
    let depth = |key| queued.get(&key).copied().unwrap_or(UNSOLVABLE);
    let mut expected: Vec<Delivered> = (0..space)
        .map(key)
        .map(|key| (key, depth(key), 1))
        .collect();
    expected.sort_unstable();
    assert!(found == expected, "{}", bits.part_name(part));
}

#[test]
fn a_board_is_swept_and_one_too_large_is_not() {
    let board = "BB.CDE/AA.CDE/..FF../G..HH./G.IIJ./....J.";
    agrees(&open("custom", &[("board", board)]), 0);
    let large: Bits = open("custom", &[("board", LARGE)]);
    assert_eq!(large.sweeps(Direction::Backward, None), None);
    assert!(large.space(0).is_none() && !large.lists_solved_states());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// Parts with many filled rows are small, so most draws are of those.
    #[test]
    fn drawn_parts_are_swept_right(which in 0..6_usize, draw: u64) {
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
        agrees(&bits, part);
    }
}

#[test]
fn a_sweep_that_is_stopped_leaves_nothing_behind() {
    let bits: Bits = open("5x5", &[]);
    bits.sweep(Direction::Backward, None, 1, &[], &mut |_| false);
    agrees(&bits, 0);
}
