//! The fast variant against the literal rulebook.

use std::collections::BTreeSet;

use antipode_classics::pancake::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{BadInput, Direction, Puzzle, Request, Settings, Xorshift};

fn try_open<P: Puzzle>(instance: &str) -> Result<P, BadInput> {
    let settings = &Settings::new();
    P::open(&Request { instance, settings })
}

fn open(instance: &str) -> (Rules, Bits) {
    let rules = try_open(instance).expect("opens");
    (rules, try_open(instance).expect("opens"))
}

fn any_instance() -> impl Strategy<Value = String> {
    (any::<bool>(), 1..=12_usize)
        .prop_map(|(burnt, count)| format!("{}-{count}", if burnt { "burnt" } else { "plain" }))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn moves_drawings_and_ranks_agree(instance in any_instance(), seed: u64) {
        let (rules, bits) = open(&instance);
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
fn numberings_are_one_to_one() {
    for instance in ["plain-1", "plain-6", "burnt-1", "burnt-4"] {
        let (_, bits) = open(instance);
        let size = bits.space(0).expect("numbered");
        let unranked = |rank| bits.unrank(Placement { part: 0, rank }).expect("numbered");
        let keys: BTreeSet<u64> = (0..size).map(unranked).collect();
        assert_eq!(keys.len() as u64, size, "{instance}");
        assert_eq!(
            bits.unrank(Placement {
                part: 0,
                rank: size
            }),
            None
        );
    }
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for instance in ["plain-0", "plain-13", "raw-3", "plain-03", "plain"] {
        let refused = try_open::<Bits>(instance).err().expect(instance);
        assert!(refused.0.contains("plain-N or burnt-N"), "{refused}");
    }
    let (plain, burnt): (Bits, Bits) = (
        try_open("plain-3").expect("opens"),
        try_open("burnt-3").expect("opens"),
    );
    for (text, word) in [
        ("12", "3 pancakes"),
        ("1-23", "'-'"),
        ("122", "twice"),
        ("124", "'4'"),
    ] {
        let refused = plain.parse(text).expect_err(text);
        assert!(
            refused.0.contains(word) && refused.0.contains("123"),
            "{refused}"
        );
    }
    for (text, word) in [
        ("12-", "3 pancakes"),
        ("1--23", "'-'"),
        ("123-", "3 pancakes"),
    ] {
        let refused = burnt.parse(text).expect_err(text);
        assert!(refused.0.contains(word), "{refused}");
    }
    assert!(burnt.parse("-3-12").is_ok());
}
