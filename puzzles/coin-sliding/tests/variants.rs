//! What the contract of `test-plugin` does not ask: moves found by hand, names, roots, draws.

use std::collections::BTreeSet;

use antipode_coin_sliding::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{BadInput, Puzzle, Request, Settings, Xorshift};

fn try_open<P: Puzzle>(instance: &str, pairs: &[(&str, &str)]) -> Result<P, BadInput> {
    let settings: Settings = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    P::open(&Request {
        instance,
        settings: &settings,
    })
}

fn open<P: Puzzle>(instance: &str, pairs: &[(&str, &str)]) -> P {
    try_open(instance, pairs).unwrap()
}

/// Successors, each listed once.
fn successors<P: Puzzle<Key = u64>>(puzzle: &P, key: u64) -> BTreeSet<u64> {
    let mut keys = BTreeSet::new();
    puzzle.successors(&puzzle.state(key), &mut |next| {
        assert!(
            keys.insert(puzzle.key(&next)),
            "a neighbour is listed twice"
        );
    });
    keys
}

/// A board of some size with a random state on it, coins often close together.
#[derive(Debug, Clone)]
struct Drawn {
    width: u32,
    height: u32,
    key: u64,
}

impl Drawn {
    fn open<P: Puzzle>(&self) -> Result<P, BadInput> {
        let [width, height] = [self.width, self.height].map(|n| n.to_string());
        let coins = self.key.count_ones().to_string();
        let pairs = [("width", &*width), ("height", &*height), ("coins", &*coins)];
        try_open("custom", &pairs)
    }
}

fn any_drawn() -> impl Strategy<Value = Drawn> {
    let sizes = (1..=64_u32).prop_flat_map(|width| (Just(width), 1..=(64 / width)));
    let fonts = prop_oneof![
        Just((5, 7)),
        Just((5, 9)),
        Just((8, 8)),
        Just((6, 10)),
        Just((4, 4))
    ];
    (prop_oneof![sizes, fonts], any::<[u64; 3]>(), 0..3_u8).prop_map(
        |((width, height), [a, b, c], density)| {
            let board = puzzle_api::rank::low_bits(width * height);
            let key = match density {
                0 => a & b,
                1 => a & (b | c),
                _ => a,
            } & board;
            let key = if key == 0 { 1 } else { key };
            Drawn { width, height, key }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn moves_have_the_same_names(drawn in any_drawn()) {
        let (rules, bits): (Rules, Bits) = (drawn.open().unwrap(), drawn.open().unwrap());
        for next in successors(&rules, drawn.key) {
            let name = bits.describe_move(&drawn.key, &next).unwrap();
            let literal = rules.describe_move(&rules.state(drawn.key), &rules.state(next));
            prop_assert_eq!(Some(&name), literal.as_ref());
            prop_assert!(name.split_once(" to ").is_some());
        }
    }
}

/// All keys by rank.
fn keys<P: Numbering<Key = u64>>(puzzle: &P) -> Vec<u64> {
    (0..puzzle.space(0).unwrap())
        .map(|rank| puzzle.key(&puzzle.unrank(Placement { part: 0, rank }).unwrap()))
        .collect()
}

/// Moves found by hand.
#[test]
fn a_coin_goes_only_where_two_other_coins_lie_beside() {
    let moves = |coins: &str, text: &str| -> Vec<String> {
        let pairs = [("width", "3"), ("height", "3"), ("coins", coins)];
        let rules: Rules = open("custom", &pairs);
        let state = rules.parse(text).unwrap();
        let mut names = Vec::new();
        rules.successors(&state, &mut |next| {
            names.push(rules.describe_move(&state, &next).unwrap());
        });
        names.sort();
        names
    };
    // a1 may not go to b1: only b2 is left next to it. Nor b2 to c2, or c3 to c2.
    let expected = [
        "a1 to a2", "a1 to b3", "a1 to c2", "a3 to a2", "a3 to b1", "a3 to b3", "a3 to c2",
        "b2 to a2", "b2 to b3", "c3 to a2", "c3 to b1", "c3 to b3",
    ];
    assert_eq!(moves("4", "o../.o./o.o"), expected);
    // b1 has two coins next to it, but the coin on it may not be put back there.
    assert_eq!(moves("3", "oo./.o./..."), ["b1 to a2"]);
    assert!(moves("3", "ooo/.../...").is_empty());
}

/// Forward and backward balls differ: not every move can be undone.
#[test]
fn some_move_cannot_be_undone() {
    let rules: Rules = open("custom", &[("coins", "5")]);
    let one_way = keys(&rules).into_iter().any(|key| {
        let next = successors(&rules, key);
        next.iter()
            .any(|&next| !successors(&rules, next).contains(&key))
    });
    assert!(one_way);
}

/// Keys of the states that a search starts from, each way.
fn roots<P: SolvedStates<Key = u64>>(puzzle: &P) -> [BTreeSet<u64>; 2] {
    let mut roots = [BTreeSet::new(), BTreeSet::new()];
    puzzle.starts(&mut |state| {
        roots[0].insert(puzzle.key(&state));
    });
    puzzle.solved_states(0, &mut |state| {
        roots[1].insert(puzzle.key(&state));
    });
    roots
}

#[test]
fn starts_and_goals_are_the_roots() {
    let pairs = [("from", "A,B"), ("to", "O")];
    let (rules, bits): (Rules, Bits) = (open("5x7", &pairs), open("5x7", &pairs));
    let named = [&["A", "B"][..], &["O"][..]]
        .map(|names| BTreeSet::from_iter(names.iter().map(|name| bits.parse(name).unwrap())));
    assert_eq!(roots(&rules), named);
    assert_eq!(roots(&bits), named);
    assert!(rules.lists_solved_states() && bits.lists_solved_states());
    assert!(bits.is_solved(&bits.parse("O").unwrap()));
    assert!(!bits.is_solved(&bits.parse("A").unwrap()));
    let plain: Bits = open("5x7", &[]);
    assert_eq!(roots(&plain), [BTreeSet::new(), BTreeSet::new()]);
    assert!(!plain.lists_solved_states());
    assert!(!plain.is_solved(&plain.parse("O").unwrap()));
}

#[test]
fn random_boards_are_the_same_and_reach_every_cell_evenly() {
    let (rules, bits): (Rules, Bits) = (open("5x7", &[]), open("5x7", &[]));
    let mut coins = [0_u32; 35];
    const DRAWS: u32 = 20_000;
    for index in 0..DRAWS {
        let draw = || Xorshift::for_draw(11, index.into());
        let key = bits.random(&mut draw()).unwrap();
        assert_eq!(rules.key(&rules.random(&mut draw()).unwrap()), key);
        assert!(bits.place(&key).unwrap().rank < bits.space(0).unwrap());
        for (cell, count) in coins.iter_mut().enumerate() {
            *count += (key >> cell & 1) as u32;
        }
    }
    // 12/35 of 20,000 is 6,857; five standard deviations are 336.
    assert!(
        coins.iter().all(|count| count.abs_diff(6_857) < 336),
        "{coins:?}"
    );
}

#[test]
fn the_table_offers_two_variants() {
    let table = antipode_coin_sliding::table();
    assert_eq!((table.variant_count, table.key_words), (2, 1));
    assert_eq!(table.instance_count, 3);
}
