//! The fast variants against the literal rulebook.

use std::collections::{BTreeMap, BTreeSet};

use antipode_coin_sliding::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{BadInput, Direction, Puzzle, Request, Settings, UNSOLVABLE, Xorshift};

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

/// Neighbours in one direction, each listed once.
fn listed<P: Predecessors<Key = u64>>(puzzle: &P, way: Direction, key: u64) -> BTreeSet<u64> {
    let mut keys = Vec::new();
    let mut emit = |next: P::State| keys.push(puzzle.key(&next));
    match way {
        Direction::Forward => puzzle.successors(&puzzle.state(key), &mut emit),
        Direction::Backward => puzzle.predecessors(&puzzle.state(key), &mut emit),
    }
    let set: BTreeSet<u64> = keys.iter().copied().collect();
    assert_eq!(set.len(), keys.len(), "a neighbour is listed twice");
    set
}

fn successors<P: Predecessors<Key = u64>>(puzzle: &P, key: u64) -> BTreeSet<u64> {
    listed(puzzle, Direction::Forward, key)
}

fn predecessors<P: Predecessors<Key = u64>>(puzzle: &P, key: u64) -> BTreeSet<u64> {
    listed(puzzle, Direction::Backward, key)
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
    fn bitboard_agrees_with_the_rulebook_on_boards_of_any_shape(drawn in any_drawn()) {
        let (rules, bits): (Rules, Bits) = (drawn.open().unwrap(), drawn.open().unwrap());
        let key = drawn.key;
        prop_assert_eq!(successors(&rules, key), successors(&bits, key));
        prop_assert_eq!(predecessors(&rules, key), predecessors(&bits, key));
        prop_assert_eq!(rules.place(&rules.state(key)), bits.place(&key));
        let text = rules.draw(&rules.state(key));
        prop_assert_eq!(&bits.draw(&key), &text);
        prop_assert_eq!(bits.parse(&text), Ok(key));
    }

    #[test]
    fn ranks_of_neighbours_by_addition_are_those_of_their_boards(drawn in any_drawn()) {
        let bits: Bits = drawn.open().unwrap();
        let rank = |key: u64| bits.place(&key).unwrap().rank;
        for (way, listed) in [
            (Direction::Forward, successors(&bits, drawn.key)),
            (Direction::Backward, predecessors(&bits, drawn.key)),
        ] {
            let mut found = Vec::new();
            bits.neighbour_ranks(way, 0, &[rank(drawn.key)], None, &mut found);
            let (mut keys, mut same) = (Vec::new(), Vec::new());
            bits.neighbour_ranks(way, 0, &[rank(drawn.key)], Some(&mut keys), &mut same);
            prop_assert_eq!((keys, &same), (vec![drawn.key], &found));
            let expected: Vec<u64> = listed.into_iter().map(rank).collect();
            // Listed by key, and so by rank.
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }

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

/// On a whole board: moves and ranks of all variants, and predecessors as the exact
/// inverse of the rulebook's moves.
fn check_whole_board(width: &str, height: &str, coins: &str) {
    let pairs = [("width", width), ("height", height), ("coins", coins)];
    let rules: Rules = open("custom", &pairs);
    let bits: Bits = open("custom", &pairs);
    let all = keys(&rules);
    assert_eq!(all, keys(&bits));
    assert!(all.is_sorted_by(|a, b| a < b));
    let mut inverse: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for (rank, &key) in (0..).zip(&all) {
        let place = Some(Placement { part: 0, rank });
        assert_eq!(rules.place(&rules.state(key)), place);
        assert_eq!(bits.place(&key), place);
        let next = successors(&rules, key);
        assert_eq!(next, successors(&bits, key));
        for next in next {
            inverse.entry(next).or_default().insert(key);
        }
    }
    for &key in &all {
        let expected = inverse.remove(&key).unwrap_or_default();
        assert_eq!(predecessors(&rules, key), expected);
        assert_eq!(predecessors(&bits, key), expected);
    }
    assert!(inverse.is_empty(), "moves keep the number of coins");
    check_ranks_of_neighbours(&bits, &all);
    let past = Placement {
        part: 0,
        rank: all.len() as u64,
    };
    assert_eq!(rules.unrank(past), None);
    assert_eq!(bits.unrank(past), None);
    let elsewhere = Placement { part: 1, rank: 0 };
    assert_eq!(rules.unrank(elsewhere), None);
    assert_eq!((bits.unrank(elsewhere), bits.space(1)), (None, None));
}

/// The ranks of the neighbours of all boards, requested in order and with gaps.
fn check_ranks_of_neighbours(bits: &Bits, all: &[u64]) {
    let ranks: Vec<u64> = (0..all.len() as u64).filter(|rank| rank % 5 != 3).collect();
    for way in [Direction::Forward, Direction::Backward] {
        let mut found = Vec::new();
        bits.neighbour_ranks(way, 0, &ranks, None, &mut found);
        let keys = ranks.iter().map(|&rank| all[rank as usize]);
        let neighbours = keys.flat_map(|key| listed(bits, way, key));
        let mut expected: Vec<u64> = neighbours
            .map(|key| bits.place(&key).unwrap().rank)
            .collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}

macro_rules! whole_boards {
    ($($name:ident = $width:literal, $height:literal, $coins:literal;)+) => {
        $(
            #[test]
            fn $name() {
                check_whole_board($width, $height, $coins);
            }
        )+
    };
}

whole_boards! {
    all_of_4x4_with_3_coins = "4", "4", "3";
    all_of_4x4_with_6_coins = "4", "4", "6";
    all_of_4x4_with_15_coins = "4", "4", "15";
    all_of_3x5_with_5_coins = "3", "5", "5";
    all_of_5x3_with_7_coins = "5", "3", "7";
    all_of_6x4_with_4_coins = "6", "4", "4";
    all_of_2x7_with_8_coins = "2", "7", "8";
    all_of_7x2_with_8_coins = "7", "2", "8";
    all_of_1x9_with_4_coins = "1", "9", "4";
    all_of_9x1_with_4_coins = "9", "1", "4";
    all_of_5x5_with_4_coins = "5", "5", "4";
    all_of_2x2_full = "2", "2", "4";
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
    // a1 may not go to b1: only b2 would be left next to it. Nor b2 to c2, or c3 to c2.
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

/// Keys of the states from which a search starts, in each direction.
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

/// Images, canonical forms and orbit sizes, on a square and on a rectangle.
#[test]
fn symmetries_agree() {
    let square = [("coins", "8"), ("to", ".oo./o..o/o..o/.oo.")];
    let half = [("coins", "4"), ("to", "o..o/..../..../o..o")];
    let upright = [
        ("width", "3"),
        ("height", "5"),
        ("coins", "4"),
        ("from", "o.o/.../.../.../o.o"),
    ];
    let cases: [&[(&str, &str)]; 3] = [&square, &half, &upright];
    for pairs in cases {
        let (rules, bits): (Rules, Bits) = (open("custom", pairs), open("custom", pairs));
        assert_eq!(rules.symmetry_count(), bits.symmetry_count());
        assert!(bits.symmetry_count() >= 4);
        for key in keys(&bits).into_iter().step_by(3) {
            let board = rules.state(key);
            for index in 0..bits.symmetry_count() {
                let image = bits.image(&key, index);
                assert_eq!(image, rules.key(&rules.image(&board, index)));
                assert_eq!(bits.is_solved(&image), bits.is_solved(&key));
                let moved: BTreeSet<u64> = successors(&bits, key)
                    .into_iter()
                    .map(|next| bits.image(&next, index))
                    .collect();
                assert_eq!(moved, successors(&bits, image));
            }
            assert_eq!(bits.canonical(&key), rules.key(&rules.canonical(&board)));
            assert_eq!(bits.orbit_size(&key), rules.orbit_size(&board));
        }
    }
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

/// Distances and orbit sizes of representatives, by the rulebook or by the walk through hubs.
type Distances = BTreeMap<u64, (u16, u32)>;

fn by_rules(rules: &Rules, way: Direction, roots: &BTreeSet<u64>, complete: bool) -> Distances {
    let mut found = BTreeMap::new();
    let mut level = roots.clone();
    for depth in 0.. {
        found.extend(level.iter().map(|&key| (key, depth)));
        level = level
            .iter()
            .flat_map(|&key| listed(rules, way, key))
            .collect();
        level.retain(|key| !found.contains_key(key));
        if level.is_empty() {
            break;
        }
    }
    if complete {
        for key in keys(rules) {
            found.entry(key).or_insert(UNSOLVABLE);
        }
    }
    let image = |key: u64, index| rules.key(&rules.image(&rules.state(key), index));
    let closed = |index| {
        roots
            .iter()
            .all(|&root| roots.contains(&image(root, index)))
    };
    let reduce = (0..rules.symmetry_count()).all(closed);
    let sized = found.into_iter().filter_map(|(key, depth)| {
        let board = rules.state(key);
        let own = rules.key(&rules.canonical(&board)) == key;
        match reduce {
            true => own.then(|| (key, (depth, rules.orbit_size(&board)))),
            false => Some((key, (depth, 1))),
        }
    });
    sized.collect()
}

fn by_hubs(bits: &Bits, way: Direction, from: Option<u64>) -> Distances {
    assert!(bits.sweeps(way, from.as_ref()).is_some());
    let mut found = BTreeMap::new();
    bits.sweep(way, from.as_ref(), 0, &[], &mut |swept| {
        assert_eq!(swept.keys.len(), swept.depths.len());
        for (&key, &depth) in swept.keys.iter().zip(swept.depths) {
            assert_eq!(found.insert(key, (depth, swept.orbit_size)), None);
        }
        true
    });
    found
}

/// With and without symmetries, from the instance's own roots and from others. The largest has
/// coins above the lowest 20 cells.
#[test]
fn the_walk_through_hubs_is_the_rulebooks() {
    let square = [
        ("coins", "5"),
        ("from", ".o../o.o./.oo./...."),
        ("to", ".oo./o..o/..../..o."),
    ];
    let mirrored = [
        ("coins", "4"),
        ("from", "o..o/.oo./..../...."),
        ("to", ".oo./o..o/..../...."),
    ];
    let whole = [
        ("coins", "4"),
        ("from", "o..o/..../..../o..o"),
        ("to", "..../.oo./.oo./...."),
    ];
    let high = [
        ("width", "4"),
        ("height", "6"),
        ("coins", "3"),
        (
            "from",
            "oo../o.../..../..../..../....,..../..../..../..../...o/..oo",
        ),
        ("to", "..../..../.oo./.o../..../...."),
    ];
    let mut sizes = BTreeSet::new();
    for pairs in [&square[..], &mirrored, &whole, &high] {
        let (rules, bits): (Rules, Bits) = (open("custom", pairs), open("custom", pairs));
        for (way, roots) in [Direction::Forward, Direction::Backward]
            .into_iter()
            .zip(roots(&rules))
        {
            let expected = by_rules(&rules, way, &roots, way == Direction::Backward);
            sizes.extend(expected.values().map(|(_, size)| *size));
            assert_eq!(by_hubs(&bits, way, None), expected, "{pairs:?} {way:?}");
            for root in keys(&rules).into_iter().step_by(701).chain(roots) {
                let expected = by_rules(&rules, way, &BTreeSet::from([root]), false);
                assert_eq!(
                    by_hubs(&bits, way, Some(root)),
                    expected,
                    "{pairs:?} {way:?} {root}"
                );
            }
        }
    }
    assert_eq!(sizes, BTreeSet::from([1, 2, 4, 8]));
}

/// Lengths are confirmed if the searches and this walk agree.
#[test]
fn the_walk_through_hubs_shares_no_code_with_the_moves() {
    for text in [
        include_str!("../src/hubs.rs"),
        include_str!("../src/hubs/flow.rs"),
    ] {
        for other in ["bitboard", "neighbours", "Pieces", "Steps"] {
            assert!(!text.contains(other), "{other}");
        }
    }
}

#[test]
fn a_walk_for_some_boards_alone_can_be_stopped() {
    let bits: Bits = open("5x7", &[]);
    let mut asked = 0;
    // The first batch comes long before the other letter is met.
    let board = |text: &str| bits.parse(text).unwrap();
    let (from, to) = (board("A"), board("B"));
    bits.sweep(Direction::Forward, Some(&from), 0, &[to], &mut |swept| {
        assert!(swept.keys.is_empty());
        asked += 1;
        false
    });
    assert_eq!(asked, 1);
}

#[test]
fn a_walk_through_hubs_stops_and_takes_what_it_says() {
    let bits: Bits = open("custom", &[("from", "o.o./.oo./oo../....")]);
    let mut shown = 0;
    bits.sweep(Direction::Forward, None, 0, &[], &mut |swept| {
        shown += swept.keys.len();
        shown < 10
    });
    assert!((10..8_008).contains(&shown), "{shown}");
    assert_eq!(bits.sweeps(Direction::Backward, None), None);
    // 18.9 GiB: a bit per board, three per hub, and the blocks.
    let bits: Bits = open("5x9", &[("from", "A")]);
    let bytes = bits.sweeps(Direction::Forward, None).unwrap();
    assert!((19_910_000_000..21_000_000_000).contains(&bytes), "{bytes}");
    let bits: Bits = open("custom", &[("width", "8"), ("height", "8"), ("coins", "3")]);
    assert_eq!(bits.sweeps(Direction::Forward, Some(&7)), None);
}
