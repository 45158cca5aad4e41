//! The fast variant against the rulebook, on drawn boards, walks, and whole small censuses; and
//! small censuses against a queue.

use std::collections::{BTreeMap, BTreeSet};

use antipode_blocks::unit_rush_hour::{Bits, Rules};
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
        assert!(keys.insert(puzzle.key(&next)));
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
    assert_eq!(rules.parse(&drawn), Ok(slow.clone()));
    assert_eq!(bits.parse(&drawn), Ok(fast));
    assert_eq!(rules.is_solved(&slow), bits.is_solved(&fast), "{drawn}");
    let next = successors(rules, key);
    assert_eq!(next, successors(bits, key), "{drawn}");
    let near = bits.neighbours(Want::all(Direction::Backward), &[key, key]);
    let (out, ends) = (near.keys, near.ends);
    assert_eq!(ends, [next.len(), 2 * next.len()], "{drawn}");
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
    images_agree(rules, bits, key);
    let place = rules.place(&slow);
    assert_eq!(place, bits.place(&fast), "{drawn}");
    if let Some(place) = place {
        assert_eq!(rules.unrank(place), Some(slow));
        assert_eq!(bits.unrank(place), Some(fast));
    }
}

/// Images, and the one that stands for all, which is always numbered.
fn images_agree(rules: &Rules, bits: &Bits, key: u64) {
    let (slow, fast) = (rules.state(key), bits.state(key));
    let drawn = rules.draw(&slow);
    assert_eq!(rules.symmetry_count(), bits.symmetry_count());
    for index in 0..rules.symmetry_count() {
        let (a, b) = (rules.image(&slow, index), bits.image(&fast, index));
        assert_eq!(rules.key(&a), bits.key(&b), "{drawn}");
        assert_eq!(rules.is_solved(&a), rules.is_solved(&slow), "{drawn}");
        assert_eq!(rules.canonical(&a), rules.canonical(&slow), "{drawn}");
        let moved: BTreeSet<u64> = successors(rules, key)
            .into_iter()
            .map(|next| rules.key(&rules.image(&rules.state(next), index)))
            .collect();
        assert_eq!(moved, successors(rules, rules.key(&a)), "{drawn}");
    }
    let (a, b) = (
        rules.canonical_and_size(&slow),
        bits.canonical_and_size(&fast),
    );
    assert_eq!((rules.key(&a.0), a.1), (bits.key(&b.0), b.1), "{drawn}");
    assert!(bits.place(&b.0).is_some(), "{drawn}");
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
        let rules: Rules = open(instance, settings);
        let bits: Bits = open(instance, settings);
        let draw = || puzzle_api::Xorshift::for_draw(seed, 0);
        let state = bits.random(&mut draw()).expect("a census is drawn from");
        let drawn = rules.random(&mut draw()).expect("a census is drawn from");
        prop_assert_eq!(rules.key(&drawn), bits.key(&state));
        agree(&rules, &bits, bits.key(&state));
    }

    #[test]
    fn variants_agree_on_walks(
        board in prop_oneof![
            Just("tromp-5x5"),
            Just("tromp-6x6"),
            Just("--./|A|/..|"),
            Just(".A.-.|-|/|..|.--./..|-|..."),
        ],
        far: bool,
        choices in prop::collection::vec(any::<u16>(), 0..60),
    ) {
        let settings = [("board", board), ("metric", if far { "move" } else { "step" })];
        let rules: Rules = open("custom", &settings);
        let bits: Bits = open("custom", &settings);
        let mut start = Vec::new();
        rules.starts(&mut |state| start.push(rules.key(&state)));
        bits.starts(&mut |state| start.push(bits.key(&state)));
        prop_assert_eq!(start[0], start[1]);
        let mut key = start[0];
        for choice in choices {
            let next = successors(&rules, key);
            let chosen = next.iter().nth(usize::from(choice) % next.len());
            key = *chosen.expect("a move can be undone, so there is one");
        }
        agree(&rules, &bits, key);
    }
}

/// Part by part, both number the same states in the same order, and the solved ones are those
/// that say so. What no part has is the image of what one has.
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
        let rules: Rules = open(instance, settings);
        let bits: Bits = open(instance, settings);
        assert_eq!(rules.part_count(), bits.part_count());
        let (mut states, mut of_orbits) = (0, 0);
        for part in 0..rules.part_count() {
            assert_eq!(rules.part_name(part), bits.part_name(part));
            let ranks = numbered(&rules, part);
            assert_eq!(ranks, numbered(&bits, part), "{}", rules.part_name(part));
            let mut orders: Vec<String> = Vec::new();
            let mut solved = BTreeSet::new();
            for &key in &ranks {
                let state = rules.state(key);
                orders.push(digits(&rules.draw(&state)));
                if rules.is_solved(&state) {
                    solved.insert(key);
                }
                states += 1;
                let (canonical, size) = bits.canonical_and_size(&bits.state(key));
                if bits.key(&canonical) == key {
                    of_orbits += u64::from(size);
                }
            }
            assert!(orders.is_sorted(), "{}", rules.part_name(part));
            assert_eq!(listed(&rules, part), solved, "{}", rules.part_name(part));
            assert_eq!(listed(&bits, part), solved, "{}", rules.part_name(part));
        }
        assert_eq!(rules.space(rules.part_count()), None);
        assert_eq!(bits.space(bits.part_count()), None);
        let all = match bits.symmetry_count() {
            1 => states,
            _ => keys(&rules, instance).len() as u64,
        };
        assert_eq!(of_orbits, all, "{instance}");
    }
}

/// A drawing as the digits that ranks go by.
fn digits(drawn: &str) -> String {
    let digit = |symbol| match symbol {
        '.' => '0',
        '|' => '2',
        _ => '1',
    };
    drawn.replace('/', "").chars().map(digit).collect()
}

/// Keys of the states of a part by their ranks.
fn numbered<P: Numbering<Key = u64>>(puzzle: &P, part: u64) -> Vec<u64> {
    let space = puzzle.space(part).expect("numbered");
    let states: Vec<u64> = (0..space)
        .map(|rank| {
            let placement = Placement { part, rank };
            let state = puzzle.unrank(placement).expect("a rank of the part");
            assert_eq!(puzzle.place(&state), Some(placement));
            puzzle.key(&state)
        })
        .collect();
    assert!(puzzle.unrank(Placement { part, rank: space }).is_none());
    states
}

fn listed<P: SolvedStates<Key = u64>>(puzzle: &P, part: u64) -> BTreeSet<u64> {
    let mut keys = BTreeSet::new();
    puzzle.solved_states(part, &mut |state| assert!(keys.insert(puzzle.key(&state))));
    keys
}

/// Keys of all placements of a census, by trying every number: what reads back is a state, as the
/// target is drawn and the rest is as it is set.
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

/// How many placements there are at each distance, by a queue over all of a census that knows
/// nothing of parts and images; and how many cannot be solved.
fn levels(instance: &str, settings: &[(&str, &str)]) -> (Vec<usize>, usize) {
    let rules: Rules = open(instance, settings);
    let mut distances: BTreeMap<u64, Option<usize>> = keys(&rules, instance)
        .into_iter()
        .map(|key| (key, None))
        .collect();
    let solved = distances.keys().copied();
    let mut level: Vec<u64> = solved
        .filter(|&key| rules.is_solved(&rules.state(key)))
        .collect();
    let mut sizes = Vec::new();
    for &key in &level {
        distances.insert(key, Some(0));
    }
    while !level.is_empty() {
        sizes.push(level.len());
        let mut next = Vec::new();
        for key in level {
            for other in successors(&rules, key) {
                let distance = distances.get_mut(&other).expect("a move leads to a state");
                if distance.is_none() {
                    *distance = Some(sizes.len());
                    next.push(other);
                }
            }
        }
        level = next;
    }
    let unsolvable = distances.values().filter(|d| d.is_none()).count();
    (sizes, unsolvable)
}

/// The greatest distances of the source's table (width and height there are columns and rows
/// here), and what more empty cells do to them.
#[test]
fn greatest_distances_are_those_of_the_source() {
    for (instance, steps) in [("2x2", 3), ("2x3", 6), ("3x2", 5), ("3x3", 12)] {
        assert_eq!(levels(instance, &[]).0.len() - 1, steps, "{instance}");
    }
    assert_eq!(levels("3x3", &[("empty", "any")]).0.len() - 1, 15);
    let far = [("empty", "any"), ("metric", "move")];
    assert_eq!(levels("3x3", &far).0.len() - 1, 12);
}

/// The published boards take as many steps as their authors say.
#[test]
fn published_boards_take_their_steps() {
    for (name, text, steps) in antipode_blocks::unit_rush_hour::boards::TROMP {
        let bits: Bits = open(name, &[]);
        let mut level = Vec::new();
        bits.starts(&mut |state| level.push(bits.key(&state)));
        let mut seen: BTreeSet<u64> = level.iter().copied().collect();
        let mut depth = 0;
        while !level.iter().any(|&key| bits.is_solved(&bits.state(key))) {
            let next = level.iter().flat_map(|&key| successors(&bits, key));
            level = next.filter(|&key| seen.insert(key)).collect();
            assert!(!level.is_empty(), "{text}");
            depth += 1;
        }
        assert_eq!(depth, steps, "{text}");
    }
}
