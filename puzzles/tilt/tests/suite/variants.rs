//! The bitboard variant against the literal rulebook, beyond the contract that the suite of
//! `antipode-check` tests.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use antipode_tilt::{Bits, Rules, board};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Xorshift};

use crate::open;

fn both(instance: &str, pairs: &[(&str, &str)]) -> (Rules, Bits) {
    (open(instance, pairs), open(instance, pairs))
}

static RULES: LazyLock<Rules> = LazyLock::new(|| open("box", &[]));
static BITS: LazyLock<Bits> = LazyLock::new(|| open("box", &[]));

/// Keys after one move, with its name.
fn moves<P: Names<Key = u64>>(puzzle: &P, key: u64) -> BTreeSet<(u64, Option<String>)> {
    let (mut moves, from) = (BTreeSet::new(), puzzle.state(key));
    puzzle.successors(&from, &mut |next| {
        moves.insert((puzzle.key(&next), puzzle.describe_move(&from, &next)));
    });
    moves
}

fn predecessors(puzzle: &Bits, key: u64) -> BTreeSet<u64> {
    let mut keys = BTreeSet::new();
    puzzle.predecessors(&puzzle.state(key), &mut |origin| {
        keys.insert(puzzle.key(&origin));
    });
    keys
}

/// All keys of a part, by rank.
fn keys<P: Numbering<Key = u64>>(puzzle: &P, part: u64) -> Vec<u64> {
    (0..puzzle.space(part).unwrap())
        .map(|rank| puzzle.key(&puzzle.unrank(Placement { part, rank }).unwrap()))
        .collect()
}

/// A random state of the whole box; settled boards are as frequent as unsettled ones.
fn any_key() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0..4_usize).prop_map(|(seed, tilts)| {
        let rules = &*RULES;
        let mut random = Xorshift::for_draw(seed, 0);
        let mut state = rules.random(&mut random).unwrap();
        for _ in 0..tilts {
            let mut next = Vec::new();
            rules.successors(&state, &mut |board| next.push(board));
            if !next.is_empty() {
                state = next[random.below(next.len() as u64) as usize];
            }
        }
        rules.key(&state)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn moves_their_names_and_solved_agree(key in any_key()) {
        let (rules, bits) = (&*RULES, &*BITS);
        let found = moves(rules, key);
        prop_assert!(found.iter().all(|(_, name)| name.is_some()));
        prop_assert_eq!(found, moves(bits, key));
        prop_assert_eq!(rules.is_solved(&rules.state(key)), bits.is_solved(&bits.state(key)));
    }
}

/// In every small graph: predecessors are exactly the inverse of the successors.
#[test]
fn predecessors_are_the_inverse_of_the_rulebook_in_whole_parts() {
    let narrow: [&[(&str, &str)]; 3] = [
        &[("grey", "0"), ("blue", "0..2"), ("green", "0..2")],
        &[("grey", "1"), ("blue", "1"), ("green", "0..2")],
        &[("grey", "2"), ("blue", "1"), ("green", "0..1")],
    ];
    for pairs in narrow {
        let (rules, bits) = both("box", pairs);
        for part in 0..bits.part_count() {
            check_inverse(&rules, &bits, part);
        }
    }
}

/// The same with the grey sets of a few cards, some of them symmetric.
#[test]
fn predecessors_are_the_inverse_of_the_rulebook_on_cards() {
    for card in ["card-2", "card-6", "card-12", "card-24"] {
        let (rules, bits) = both(card, &[]);
        check_inverse(&rules, &bits, 0);
    }
    let grey = "#...#/...../..O../...../#...#";
    let bits: Bits = open("box", &[("grey", "4"), ("blue", "1")]);
    let rules: Rules = open("box", &[("grey", "4"), ("blue", "1")]);
    let part = (0..bits.part_count()).find(|&part| bits.part_name(part) == grey);
    check_inverse(&rules, &bits, part.unwrap());
}

fn check_inverse(rules: &Rules, bits: &Bits, part: u64) {
    let mut inverse: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    let all = keys(bits, part);
    for &key in &all {
        for (next, _) in moves(rules, key) {
            inverse.entry(next).or_default().insert(key);
        }
    }
    for &key in &all {
        let expected = inverse.remove(&key).unwrap_or_default();
        assert_eq!(
            predecessors(bits, key),
            expected,
            "{}",
            bits.draw(&bits.state(key))
        );
    }
    assert!(inverse.is_empty(), "moves stay within the part");
}

#[test]
fn ranks_number_the_same_states_of_a_part_once() {
    for pairs in [
        [("grey", "0"), ("blue", "0..2"), ("green", "0..2")],
        [("grey", "3"), ("blue", "1"), ("green", "0..1")],
    ] {
        let (rules, bits) = both("box", &pairs);
        for part in 0..bits.part_count() {
            let [numbered, literal] = [keys(&bits, part), keys(&rules, part)];
            let sets = [&numbered, &literal].map(|keys| keys.iter().collect::<BTreeSet<_>>());
            assert_eq!(sets[0], sets[1]);
            assert_eq!(sets[0].len(), numbered.len());
            let past = Placement {
                part,
                rank: numbered.len() as u64,
            };
            assert_eq!((bits.unrank(past), rules.unrank(past)), (None, None));
        }
    }
}

/// The orbits of the parts' states are disjoint and together are the instance.
#[test]
fn parts_cover_a_narrow_box_without_overlap() {
    let pairs = [("grey", "0..2"), ("blue", "0..1"), ("green", "0..1")];
    let bits: Bits = open("box", &pairs);
    let mut seen: BTreeMap<u64, u64> = BTreeMap::new();
    for part in 0..bits.part_count() {
        for key in keys(&bits, part) {
            for index in 0..8 {
                let image = bits.key(&bits.image(&bits.state(key), index));
                assert_eq!(*seen.entry(image).or_insert(part), part);
            }
        }
    }
    // 24 squares: 1, 24, 276 grey sets, then blues and greens on the rest.
    let placements: u64 = [(1, 24), (24, 23), (276, 22)]
        .map(|(sets, free): (u64, u64)| sets * (1 + free) + sets * free * (1 + free - 1))
        .iter()
        .sum();
    assert_eq!(seen.len() as u64, placements);
    // Orbit sizes have the same sum, also if the grey set is symmetric.
    let orbits: BTreeSet<u64> = seen
        .keys()
        .map(|&key| bits.key(&bits.canonical(&bits.state(key))))
        .collect();
    let sum: u64 = orbits
        .iter()
        .map(|&key| u64::from(bits.orbit_size(&bits.state(key))))
        .sum();
    assert_eq!(sum, placements);
}

#[test]
fn both_variants_have_the_same_parts() {
    let (rules, bits) = (&*RULES, &*BITS);
    assert_eq!(bits.part_count(), rules.part_count());
    for part in (0..bits.part_count()).step_by(997) {
        assert_eq!(bits.part_name(part), rules.part_name(part));
        assert_eq!(bits.space(part), rules.space(part));
    }
    bits.starts(&mut |_| panic!("the box has no start"));
}

#[test]
fn random_boards_belong_to_the_instance_and_fill_it_evenly() {
    let (rules, bits) = both("card-5", &[]);
    let space = bits.space(0).unwrap();
    let mut greens = [0_u64; 3];
    for index in 0..20_000 {
        let state = bits.random(&mut Xorshift::for_draw(7, index)).unwrap();
        let board = rules.random(&mut Xorshift::for_draw(7, index)).unwrap();
        assert_eq!(rules.key(&board), bits.key(&state));
        assert!(bits.place(&bits.canonical(&state)).is_some());
        greens[board::count(&board, board::Cell::Green) as usize] += 1;
    }
    // 1 grey and 3 blue blocks leave 20 squares: 1, 20, 190 ways to set the greens, so 95, 1,896
    // and 18,009 are expected. The margin is four standard deviations.
    assert_eq!(space, 1771 * (1 + 20 + 190));
    assert!((56..134).contains(&greens[0]));
    assert!((1_730..2_062).contains(&greens[1]));
}

#[test]
fn the_table_offers_both_variants_with_the_bitboard_first() {
    let table = antipode_tilt::table();
    assert_eq!((table.variant_count, table.key_words), (2, 1));
    assert_eq!(table.instance_count, 44);
}
