//! Unit Rush Hour: random boards, walks, and whole small censuses.

use antipode_blocks::unit_rush_hour::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Xorshift};

use crate::twins::{agree, both, censuses_agree, fewest, images_agree, levels, open, start, walk};

/// The checks of every puzzle; also, ranks are the same, and representatives are numbered.
fn all_agree(rules: &Rules, bits: &Bits, key: u64) {
    agree(rules, bits, key);
    images_agree(rules, bits, key);
    let (slow, fast) = (rules.state(key), bits.state(key));
    assert!(bits.place(&bits.canonical(&fast)).is_some());
    let place = rules.place(&slow);
    assert_eq!(place, bits.place(&fast));
    if let Some(place) = place {
        assert_eq!(rules.unrank(place), Some(slow));
        assert_eq!(bits.unrank(place), Some(fast));
    }
}

const SETTINGS: [(&str, &[(&str, &str)]); 9] = [
    ("2x2", &[("empty", "any")]),
    ("3x4", &[]),
    ("4x3", &[("empty", "2..5"), ("metric", "move")]),
    ("4x4", &[("empty", "any"), ("exit", "2")]),
    ("5x5", &[]),
    ("5x5", &[("empty", "4"), ("exit", "3"), ("metric", "move")]),
    ("3x10", &[("empty", "1..2")]),
    ("10x2", &[("exit", "10")]),
    ("4x9", &[("empty", "any")]),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn variants_agree_on_drawn_boards(which in 0..SETTINGS.len(), seed: u64) {
        let (instance, settings) = SETTINGS[which];
        let (rules, bits): (Rules, Bits) = both(instance, settings);
        let draw = || Xorshift::for_draw(seed, 0);
        let state = bits.random(&mut draw()).expect("a census is drawn from");
        let drawn = rules.random(&mut draw()).expect("a census is drawn from");
        prop_assert_eq!(rules.key(&drawn), bits.key(&state));
        all_agree(&rules, &bits, bits.key(&state));
    }

    #[test]
    fn variants_agree_on_walks(
        board in prop_oneof![
            Just("tromp-5x5"),
            Just("tromp-6x6"),
            Just("--./|A|/..|"),
            Just(".A.-.|-|/|..|.--./..|-|..."),
        ],
        metric in prop_oneof![Just("step"), Just("move")],
        choices in prop::collection::vec(any::<u16>(), 0..60),
    ) {
        let (rules, bits): (Rules, Bits) = both("custom", &[("board", board), ("metric", metric)]);
        prop_assert_eq!(start(&rules), start(&bits));
        all_agree(&rules, &bits, walk(&rules, &choices));
    }
}

/// Both number the same states in the order of their digits. A state in no part is the image of a
/// state in one.
#[test]
fn small_censuses_are_numbered_alike() {
    for (instance, settings) in [
        ("2x2", &[("empty", "any")][..]),
        ("3x2", &[("empty", "0..3")]),
        ("2x4", &[]),
        ("3x3", &[]),
        ("3x3", &[("exit", "1"), ("empty", "2")]),
        ("custom", &[("board", "|-./A|-/|.|")]),
        ("tromp-4x4", &[]),
    ] {
        let (rules, bits): (Rules, Bits) = both(instance, settings);
        let (mut states, mut of_orbits) = (0, 0);
        for ranks in censuses_agree(&rules, &bits, true) {
            let drawn = ranks.iter().map(|&key| rules.draw(&rules.state(key)));
            assert!(drawn.map(|drawn| digits(&drawn)).is_sorted());
            for &key in &ranks {
                let (canonical, size) = bits.canonical_and_size(&bits.state(key));
                of_orbits += u64::from(size) * u64::from(bits.key(&canonical) == key);
            }
            states += ranks.len() as u64;
        }
        let all = match bits.symmetry_count() {
            1 => states,
            _ => keys(&rules, instance).len() as u64,
        };
        assert_eq!(of_orbits, all, "{instance}");
    }
}

/// A drawing as the digits of ranks.
fn digits(drawn: &str) -> String {
    let digit = |symbol| match symbol {
        '.' => '0',
        '|' => '2',
        _ => '1',
    };
    drawn.replace('/', "").chars().map(digit).collect()
}

/// Keys of all placements of a census, by trying every number: a number is a key if its drawing
/// reads back as the same state.
fn keys(rules: &Rules, instance: &str) -> Vec<u64> {
    let sides = instance
        .split('x')
        .map(|side| side.parse().expect("a census"));
    let sides: Vec<u32> = sides.collect();
    let all = 0..u64::from(sides[0]) * 3_u64.pow(sides[0] * sides[1]);
    all.filter(|&key| {
        let state = rules.state(key);
        rules.parse(&rules.draw(&state)).as_ref() == Ok(&state)
    })
    .collect()
}

/// The greatest distance of a census, by the rulebook; images of parts have the same distance.
fn farthest(instance: &str, settings: &[(&str, &str)]) -> usize {
    levels(&open::<Rules>(instance, settings)).len() - 1
}

/// The greatest distances of the source's table (its width and height are columns and rows here),
/// and those with more empty cells.
#[test]
fn greatest_distances_are_those_of_the_source() {
    for (instance, steps) in [("2x2", 3), ("2x3", 6), ("3x2", 5), ("3x3", 12)] {
        assert_eq!(farthest(instance, &[]), steps, "{instance}");
    }
    assert_eq!(farthest("3x3", &[("empty", "any")]), 15);
    let far = [("empty", "any"), ("metric", "move")];
    assert_eq!(farthest("3x3", &far), 12);
}

/// The published boards take as many steps as their authors state.
#[test]
fn published_boards_take_their_steps() {
    for (name, _, steps) in antipode_blocks::unit_rush_hour::boards::TROMP {
        assert_eq!(fewest(&open::<Bits>(name, &[])), steps, "{name}");
    }
}
