//! The fast variant against the literal rulebook.

use std::collections::BTreeSet;

use antipode_classics::hanoi::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{BadInput, Direction, Puzzle, Request, Settings, Xorshift};

fn try_open<P: Puzzle>(instance: &str) -> Result<P, BadInput> {
    let settings = &Settings::new();
    P::open(&Request { instance, settings })
}

fn any_instance() -> impl Strategy<Value = String> {
    (3..=6_usize, 1..=20_usize).prop_map(|(pegs, discs)| format!("{pegs}-{discs}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn moves_images_drawings_and_ranks_agree(instance in any_instance(), seed: u64) {
        let rules: Rules = try_open(&instance).expect("opens");
        let bits: Bits = try_open(&instance).expect("opens");
        let key = bits.random(&mut Xorshift::for_draw(seed, 0)).expect("draws");
        let state = rules.state(key);
        prop_assert_eq!(rules.key(&state), key);
        let mut literal = BTreeSet::new();
        rules.successors(&state, &mut |next| {
            assert!(literal.insert(rules.key(&next)));
        });
        let found = bits.neighbours(Want::all(Direction::Forward), &[key]).keys;
        prop_assert_eq!(found.len(), literal.len());
        for next in found {
            prop_assert!(literal.contains(&next));
            let name = bits.describe_move(&key, &next);
            prop_assert!(name.is_some());
            prop_assert_eq!(name, rules.describe_move(&state, &rules.state(next)));
        }
        let images: Vec<u64> = (0..bits.symmetry_count()).map(|i| bits.image(&key, i)).collect();
        let literal: Vec<u64> = (0..rules.symmetry_count())
            .map(|i| rules.key(&rules.image(&state, i)))
            .collect();
        prop_assert_eq!(&images, &literal);
        let orbit: BTreeSet<u64> = images.into_iter().collect();
        let least = *orbit.first().expect("the position itself");
        prop_assert_eq!(bits.canonical_and_size(&key), (least, orbit.len() as u32));
        prop_assert_eq!(rules.key(&rules.canonical(&state)), least);
        let text = rules.draw(&state);
        prop_assert_eq!(&bits.draw(&key), &text);
        prop_assert_eq!(bits.parse(&text), Ok(key));
        let at = bits.place(&key).expect("numbered");
        prop_assert_eq!(rules.place(&state), Some(at));
        prop_assert_eq!(bits.unrank(at), Some(key));
        prop_assert_eq!(rules.unrank(at), Some(state));
    }
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for instance in ["2-3", "7-3", "4-0", "4-21", "4", "04-3"] {
        let refused = try_open::<Bits>(instance).err().expect(instance);
        assert!(refused.0.contains("PEGS-DISCS"), "{refused}");
    }
    let bits: Bits = try_open("3-3").expect("opens");
    for (text, word) in [
        ("321/...", "3 pegs"),
        ("321/../...", "3 places"),
        ("123/.../...", "not larger"),
        ("32./3../1..", "twice"),
        ("32./.../...", "missing"),
        ("32x/.../...", "no disc"),
        ("3.1/2../...", "no disc '.'"),
    ] {
        let refused = bits.parse(text).expect_err(text);
        assert!(
            refused.0.contains(word) && refused.0.contains("321/.../..."),
            "{refused}"
        );
    }
}
