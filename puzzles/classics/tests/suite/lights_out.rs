//! The fast variant against the literal rulebook, and proofs against searches.

use std::collections::BTreeSet;

use antipode_classics::lights_out::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{BadInput, Direction, Puzzle, Request, Settings};

fn try_open<P: Puzzle>(instance: &str) -> Result<P, BadInput> {
    let settings = &Settings::new();
    P::open(&Request { instance, settings })
}

fn any_instance() -> impl Strategy<Value = (String, u64)> {
    let sides = (1..=64_usize).prop_flat_map(|height| (Just(height), 1..=(64 / height)));
    let squares = (1..=8_usize).prop_map(|side| (side, side));
    (prop_oneof![sides, squares], any::<u64>()).prop_map(|((height, width), lit)| {
        let lit = lit & u64::MAX >> (64 - height * width);
        (format!("{height}x{width}"), lit)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn presses_images_drawings_and_ranks_agree((instance, key) in any_instance()) {
        let rules: Rules = try_open(&instance).expect("opens");
        let bits: Bits = try_open(&instance).expect("opens");
        let state = rules.state(key);
        prop_assert_eq!(rules.key(&state), key);
        let mut literal = Vec::new();
        rules.successors(&state, &mut |next| literal.push(rules.key(&next)));
        let found = bits.neighbours(Want::all(Direction::Forward), &[key]).keys;
        prop_assert_eq!(&found, &literal);
        for next in found {
            let name = bits.describe_move(&key, &next);
            prop_assert!(name.is_some());
            prop_assert_eq!(name, rules.describe_move(&state, &rules.state(next)));
        }
        prop_assert_eq!(bits.symmetry_count(), rules.symmetry_count());
        for index in 0..bits.symmetry_count() {
            prop_assert_eq!(bits.image(&key, index), rules.key(&rules.image(&state, index)));
        }
        let text = rules.draw(&state);
        prop_assert_eq!(&bits.draw(&key), &text);
        prop_assert_eq!(bits.parse(&text), Ok(key));
        prop_assert_eq!(bits.space(0), rules.space(0));
        prop_assert_eq!(bits.lower_bound(&key), rules.lower_bound(&state));
        prop_assert_eq!(rules.place(&state), bits.place(&key));
    }
}

/// Exactly the boards that presses do not reach are refuted.
#[test]
fn what_is_refuted_is_what_is_not_reached() {
    for instance in ["2x2", "3x3", "4x4", "2x3", "1x5", "2x5"] {
        let bits: Bits = try_open(instance).expect("opens");
        let size = bits.space(0).expect("numbered");
        let (mut reached, mut waiting) = (BTreeSet::from([0]), vec![0]);
        while let Some(key) = waiting.pop() {
            bits.successors(&key, &mut |next| {
                if reached.insert(next) {
                    waiting.push(next);
                }
            });
        }
        // Every 97th, for time.
        for key in (0..size).step_by(if size > 4096 { 97 } else { 1 }) {
            let proof = bits.refute(&key, None);
            assert_eq!(proof.is_none(), reached.contains(&key), "{instance} {key}");
        }
    }
}

#[test]
fn a_proof_shows_its_pattern() {
    let rules: Rules = try_open("5x5").expect("opens");
    let board = rules.parse("o..../...../...../...../.....").expect("reads");
    let proof = rules
        .refute(&board, None)
        .expect("one light cannot be put out");
    assert!(
        proof.contains("\npattern: ") && proof.contains(", 1 lies on it"),
        "{proof}"
    );
    assert_eq!(rules.refute(&rules.parse("on").expect("reads"), None), None);
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for instance in ["0x3", "8x9", "3", "3x03", "x"] {
        let refused = try_open::<Bits>(instance).err().expect(instance);
        assert!(refused.0.contains("ROWSxCOLUMNS"), "{refused}");
    }
    let bits: Bits = try_open("2x3").expect("opens");
    for (text, word) in [
        ("ooo", "2 rows"),
        ("ooo/oo", "3 lights"),
        ("ooo/ox.", "'x'"),
    ] {
        let refused = bits.parse(text).expect_err(text);
        assert!(
            refused.0.contains(word) && refused.0.contains("ooo/ooo"),
            "{refused}"
        );
    }
}
