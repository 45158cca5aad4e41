//! What the contract of `test-plugin` does not ask of the fast variant: hints, objective and bounds as
//! the rulebook has them, and draws; on every named board.

use antipode_peg_solitaire::board::DRAWINGS;
use antipode_peg_solitaire::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Request, Settings, Xorshift};

fn open<P: Puzzle>(instance: &str, pairs: &[(&str, &str)]) -> P {
    let pairs = pairs.iter().copied();
    let settings: Settings = pairs
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    let settings = &settings;
    P::open(&Request { instance, settings }).unwrap()
}

/// Instances looked at: every board with its own finish and with any.
fn instances() -> impl Strategy<Value = (&'static str, &'static str)> {
    let names: Vec<&str> = DRAWINGS.iter().map(|drawing| drawing.name).collect();
    let finish = prop::sample::select(vec!["", "any", "0:0", "1:0", "-1:1"]);
    (prop::sample::select(names), finish)
}

/// A position: pegs anywhere, few or many.
fn word() -> impl Strategy<Value = u64> {
    (any::<u64>(), any::<u64>(), 0..3).prop_map(|(a, b, density)| match density {
        0 => a & b,
        1 => a,
        _ => a | b,
    })
}

fn full<P: Puzzle<Key = u64>>(puzzle: &P) -> u64 {
    puzzle.key(&puzzle.parse("full").unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn hints_and_bounds_are_the_rulebooks((name, to) in instances(), word in word()) {
        let settings: &[(&str, &str)] = if to.is_empty() { &[] } else { &[("to", to)] };
        let (rules, bits): (Rules, Bits) = (open(name, settings), open(name, settings));
        let key = word & full(&rules);
        let state = rules.state(key);
        let (mut order, mut literal) = (Vec::new(), Vec::new());
        bits.hint(Hint::MoveOrder, &[key], &mut order);
        rules.hint(Hint::MoveOrder, std::slice::from_ref(&state), &mut literal);
        prop_assert_eq!(order, literal);
        prop_assert_eq!(bits.objective(&key), rules.objective(&state));
        prop_assert_eq!(bits.lower_bound(&key), rules.lower_bound(&state));
    }
}

#[test]
fn random_states_are_the_same_in_all_variants_and_fill_the_board() {
    for drawing in DRAWINGS {
        let (rules, bits): (Rules, Bits) = (open(drawing.name, &[]), open(drawing.name, &[]));
        let (mut some, mut all) = (0, u64::MAX);
        for draw in 0..200 {
            let key = bits.random(&mut Xorshift::for_draw(7, draw)).unwrap();
            let other = rules.random(&mut Xorshift::for_draw(7, draw)).unwrap();
            assert_eq!(rules.key(&other), key);
            some |= key;
            all &= key;
        }
        assert_eq!((some, all), (full(&bits), 0), "{}", drawing.name);
    }
}
