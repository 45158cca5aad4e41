//! The fast variant against the rulebook, on drawn boards, walks, and whole small censuses.

use std::collections::{BTreeMap, BTreeSet};

use antipode_blocks::rush_hour::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Direction, Puzzle, Request, Settings};

fn open<P: Puzzle>(instance: &str, settings: &[(&str, &str)]) -> P {
    let pairs = settings.iter().map(|&(k, v)| (k.to_owned(), v.to_owned()));
    let settings: Settings = pairs.collect();
    let request = Request {
        instance,
        settings: &settings,
    };
    P::open(&request).expect("an instance that ships")
}

fn successors<P: Puzzle<Key = u64>>(puzzle: &P, key: u64) -> BTreeSet<u64> {
    let mut keys = BTreeSet::new();
    puzzle.successors(&puzzle.state(key), &mut |next| {
        keys.insert(puzzle.key(&next));
    });
    keys
}

/// Everything that the variants say of a state is the same.
fn agree(rules: &Rules, bits: &Bits, key: u64) {
    let (slow, fast) = (rules.state(key), bits.state(key));
    let drawn = rules.draw(&slow);
    assert_eq!(rules.key(&slow), key, "{drawn}");
    assert_eq!(bits.key(&fast), key, "{drawn}");
    assert_eq!(drawn, bits.draw(&fast));
    assert_eq!(rules.parse(&drawn).map(|s| rules.key(&s)), Ok(key));
    assert_eq!(bits.parse(&drawn).map(|s| bits.key(&s)), Ok(key));
    assert_eq!(rules.is_solved(&slow), bits.is_solved(&fast), "{drawn}");
    let next = successors(rules, key);
    assert_eq!(next, successors(bits, key), "{drawn}");
    let near = bits.neighbours(Want::all(Direction::Backward), &[key, key]);
    let (out, ends) = (near.keys, near.ends);
    assert_eq!(ends, [out.len() / 2, out.len()], "{drawn}");
    assert_eq!(
        out.iter().copied().collect::<BTreeSet<_>>(),
        next,
        "{drawn}"
    );
    for &other in &next {
        assert!(
            successors(bits, other).contains(&key),
            "{drawn}: no way back"
        );
        let (a, b) = (rules.state(other), bits.state(other));
        let name = rules.describe_move(&slow, &a);
        assert!(name.is_some(), "{drawn}");
        assert_eq!(name, bits.describe_move(&fast, &b));
    }
    let (a, b) = (rules.place(&slow), bits.place(&fast));
    assert_eq!(
        a.map(|place| place.part),
        b.map(|place| place.part),
        "{drawn}"
    );
    for (place, unranked) in [
        (a, a.and_then(|p| rules.unrank(p)).map(|s| rules.key(&s))),
        (b, b.and_then(|p| bits.unrank(p)).map(|s| bits.key(&s))),
    ] {
        if place.is_some() {
            assert_eq!(unranked, Some(key), "{drawn}");
        }
    }
}

const SETTINGS: [(&str, &[(&str, &str)]); 7] = [
    ("4x4", &[]),
    ("4x4", &[("walls", "2"), ("row", "4")]),
    ("5x5", &[("metric", "step")]),
    ("5x5", &[("walls", "1")]),
    ("6x6", &[]),
    ("6x6", &[("metric", "step"), ("row", "1")]),
    ("card-33", &[]),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn variants_agree_on_drawn_boards(which in 0..SETTINGS.len(), seed: u64) {
        let (instance, settings) = SETTINGS[which];
        let rules: Rules = open(instance, settings);
        let bits: Bits = open(instance, settings);
        let mut draw = puzzle_api::Xorshift::for_draw(seed, 0);
        let state = bits.random(&mut draw).expect("small enough to be drawn");
        agree(&rules, &bits, bits.key(&state));
    }

    #[test]
    fn variants_agree_on_walks(
        board in prop_oneof![Just("card-40"), Just("fogleman-1"), Just("fogleman-21")],
        step: bool,
        choices in prop::collection::vec(any::<u16>(), 0..40),
    ) {
        let settings = [("metric", if step { "step" } else { "move" })];
        let rules: Rules = open(board, &settings);
        let bits: Bits = open(board, &settings);
        let mut start = Vec::new();
        rules.starts(&mut |state| start.push(rules.key(&state)));
        let mut key = start[0];
        for choice in choices {
            let next = successors(&rules, key);
            let chosen = next.iter().nth(usize::from(choice) % next.len());
            key = *chosen.expect("a move can be undone, so there is one");
        }
        agree(&rules, &bits, key);
    }
}

/// Boards that no census has: wide, high, walled in, and too large to be numbered.
#[test]
fn boards_of_other_sizes_agree() {
    for (board, numbered) in [
        ("BBCDD/..C../AA#E./...E.", true),
        ("AA.B..../...B..CC", true),
        ("BB./AA./..C/..C/D../D../DEE/...", true),
        (
            "BB....CC/DD....EE/FF....GG/AA....../HH....II/JJ....KK/LL....MM/NN....PP",
            false,
        ),
    ] {
        let rules: Rules = open("custom", &[("board", board)]);
        let bits: Bits = open("custom", &[("board", board)]);
        let mut starts = Vec::new();
        bits.starts(&mut |state| starts.push(bits.key(&state)));
        agree(&rules, &bits, starts[0]);
        for key in successors(&rules, starts[0]) {
            agree(&rules, &bits, key);
        }
        assert_eq!(bits.space(0).is_some(), numbered);
        assert_eq!(rules.space(0), bits.space(0));
        assert_eq!(bits.lists_solved_states(), numbered);
        assert_eq!(rules.lists_solved_states(), numbered);
    }
}

/// Part by part, both number the same states, and the solved ones are those that say so.
#[test]
fn small_censuses_are_numbered_alike() {
    for settings in [&[][..], &[("walls", "1"), ("row", "1")]] {
        let rules: Rules = open("4x4", settings);
        let bits: Bits = open("4x4", settings);
        assert_eq!(rules.part_count(), bits.part_count());
        for part in 0..rules.part_count() {
            assert_eq!(rules.part_name(part), bits.part_name(part));
            let keys: [BTreeMap<u64, bool>; 2] = [numbered(&rules, part), numbered(&bits, part)];
            assert_eq!(keys[0], keys[1], "{}", rules.part_name(part));
            for solved in [listed(&rules, part), listed(&bits, part)] {
                let named: BTreeSet<u64> = keys[0]
                    .iter()
                    .filter(|(_, s)| **s)
                    .map(|(&k, _)| k)
                    .collect();
                assert_eq!(solved, named, "{}", rules.part_name(part));
            }
        }
        assert_eq!(rules.space(rules.part_count()), None);
        assert_eq!(bits.space(bits.part_count()), None);
    }
}

/// The states of a part with whether they are solved.
fn numbered<P: Numbering<Key = u64>>(puzzle: &P, part: u64) -> BTreeMap<u64, bool> {
    let space = puzzle.space(part).expect("numbered");
    let states: BTreeMap<u64, bool> = (0..space)
        .map(|rank| {
            let placement = Placement { part, rank };
            let state = puzzle.unrank(placement).expect("a rank of the part");
            assert_eq!(puzzle.place(&state), Some(placement));
            (puzzle.key(&state), puzzle.is_solved(&state))
        })
        .collect();
    assert_eq!(states.len() as u64, space);
    assert!(puzzle.unrank(Placement { part, rank: space }).is_none());
    states
}

fn listed<P: SolvedStates<Key = u64>>(puzzle: &P, part: u64) -> BTreeSet<u64> {
    let mut keys = BTreeSet::new();
    puzzle.solved_states(part, &mut |state| assert!(keys.insert(puzzle.key(&state))));
    keys
}
