//! Proofs against searches, solutions that others count, and draws, beyond the contract that the
//! suite of `antipode-check` tests, in which both variants agree.

use std::collections::HashMap;

use antipode_peg_solitaire::{Bits, DRAWINGS, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Xorshift};

fn open<P: Puzzle>(instance: &str, pairs: &[(&str, &str)]) -> P {
    P::opened(instance, pairs).unwrap_or_else(|why| panic!("{why}"))
}

/// Paths from a position to a solved one, in jumps.
fn solutions<P: Puzzle<Key = u64>>(puzzle: &P, key: u64, known: &mut HashMap<u64, u64>) -> u64 {
    if let Some(&ways) = known.get(&key) {
        return ways;
    }
    let state = puzzle.state(key);
    let (mut ways, mut after) = (u64::from(puzzle.is_solved(&state)), Vec::new());
    puzzle.successors(&state, &mut |next| after.push(puzzle.key(&next)));
    for next in after {
        ways += solutions(puzzle, next, known);
    }
    known.insert(key, ways);
    ways
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// If a proof shows that no single peg can be reached, none can.
    #[test]
    fn no_position_that_is_refuted_can_be_solved(word in 0_u64..1 << 15, hole in 0_u32..15) {
        let to = (hole + 1).to_string();
        let bits: Bits = open("triangle-15", &[("to", &to)]);
        if bits.refute(&word, None).is_some() {
            prop_assert_eq!(solutions(&bits, word, &mut HashMap::new()), 0);
        }
    }
}

#[test]
fn random_states_fill_the_board() {
    for drawing in DRAWINGS {
        let bits: Bits = open(drawing.name, &[]);
        let draw = |draw| bits.random(&mut Xorshift::for_draw(7, draw)).unwrap();
        let (some, all) = (0..200)
            .map(draw)
            .fold((0, u64::MAX), |(some, all), key| (some | key, all & key));
        let full = bits.parse("full").unwrap();
        assert_eq!((some, all), (full, 0), "{}", drawing.name);
    }
}

/// The 438,984 solutions of a solver of its own, all starts together (a README on GitHub,
/// "TrianglePegGame": a depth-first search in C++), and those that a Python program written for
/// this test counts from each hole.
#[test]
fn the_triangle_of_15_has_as_many_solutions_as_others_count() {
    let mut all = 0;
    for hole in 1..=15 {
        let from = hole.to_string();
        let given = [("from", &*from)];
        let (rules, bits): (Rules, Bits) =
            (open("triangle-15", &given), open("triangle-15", &given));
        let start = bits.parse("start").unwrap();
        let found = solutions(&bits, start, &mut HashMap::new());
        assert_eq!(found, solutions(&rules, start, &mut HashMap::new()));
        let right = match hole {
            1 | 11 | 15 => 29_760,
            4 | 6 | 13 => 85_258,
            5 | 8 | 9 => 1_550,
            _ => 14_880,
        };
        assert_eq!(found, right, "from {hole}");
        all += found;
    }
    assert_eq!(all, 438_984);
}
