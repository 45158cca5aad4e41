//! The bitboard variant against the literal rulebook.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use antipode_tilt::{Bits, Rules, board};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Request, Settings, Xorshift};

fn open<P: Puzzle>(instance: &str, pairs: &[(&str, &str)]) -> P {
    let settings: Settings = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    P::open(&Request {
        instance,
        settings: &settings,
    })
    .unwrap()
}

fn both(instance: &str, pairs: &[(&str, &str)]) -> (Rules, Bits) {
    (open(instance, pairs), open(instance, pairs))
}

static RULES: LazyLock<Rules> = LazyLock::new(|| open("box", &[]));
static BITS: LazyLock<Bits> = LazyLock::new(|| open("box", &[]));

fn successors<P: Puzzle<Key = u64>>(puzzle: &P, key: u64) -> BTreeSet<u64> {
    let mut keys = BTreeSet::new();
    puzzle.successors(&puzzle.state(key), &mut |next| {
        keys.insert(puzzle.key(&next));
    });
    keys
}

/// All keys of a part, by rank.
fn keys<P: Numbering<Key = u64>>(puzzle: &P, part: u64) -> Vec<u64> {
    (0..puzzle.space(part).unwrap())
        .map(|rank| puzzle.key(&puzzle.unrank(Placement { part, rank }).unwrap()))
        .collect()
}

/// A random state of the whole box; settled boards as often as unsettled ones.
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
    fn moves_have_the_same_names(key in any_key()) {
        let (rules, bits) = (&*RULES, &*BITS);
        for next in successors(rules, key) {
            let name = rules.describe_move(&rules.state(key), &rules.state(next));
            prop_assert!(name.is_some());
            prop_assert_eq!(name, bits.describe_move(&bits.state(key), &bits.state(next)));
        }
    }
}

/// The orbits of the parts' states are disjoint and together are the instance.
#[test]
fn parts_cover_a_narrow_box_without_overlap() {
    let pairs = [("grey", "0..2"), ("blue", "0..1"), ("green", "0..1")];
    let (rules, bits) = both("box", &pairs);
    let mut seen: BTreeMap<u64, u64> = BTreeMap::new();
    for part in 0..bits.part_count() {
        for key in keys(&bits, part) {
            for index in 0..8 {
                let image = bits.key(&bits.image(&bits.state(key), index));
                assert_eq!(*seen.entry(image).or_insert(part), part);
            }
        }
        assert_eq!(bits.part_name(part), rules.part_name(part));
        assert_eq!(bits.space(part), rules.space(part));
    }
    assert_eq!(bits.part_count(), rules.part_count());
    // 24 squares: 1, 24, 276 grey sets, then blues and greens on what is left.
    let placements: u64 = [(1, 24), (24, 23), (276, 22)]
        .map(|(sets, free): (u64, u64)| sets * (1 + free) + sets * free * (1 + free - 1))
        .iter()
        .sum();
    assert_eq!(seen.len() as u64, placements);
    // Orbit sizes add up to the same, also if the grey set is symmetric.
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
    // 1 grey and 3 blue blocks leave 20 squares: 1, 20, 190 ways to set the greens, so
    // 95, 1,896 and 18,009 are expected; the margin is four standard deviations.
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
