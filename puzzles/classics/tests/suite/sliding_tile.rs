//! The fast variant against the literal rulebook.

use std::collections::{BTreeMap, BTreeSet};

use antipode_classics::sliding_tile::{Bits, Large, Rules, placed, placed_large};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{BadInput, Direction, Puzzle, Request, Settings, Xorshift};

fn try_open<P: Puzzle>(instance: &str, empty: &str) -> Result<P, BadInput> {
    let mut settings = Settings::new();
    if !empty.is_empty() {
        settings.insert("empty".to_owned(), empty.to_owned());
    }
    P::open(&Request {
        instance,
        settings: &settings,
    })
}

/// A rectangle with an empty square for the goal, and a board on it.
#[derive(Debug, Clone)]
struct Drawn {
    instance: String,
    empty: String,
    seed: u64,
}

impl Drawn {
    fn open(&self) -> (Rules, Bits, u64) {
        let (rules, bits): (Rules, Bits) = (
            try_open(&self.instance, &self.empty).expect("opens"),
            try_open(&self.instance, &self.empty).expect("opens"),
        );
        let mut random = Xorshift::for_draw(self.seed, 0);
        let key = bits.random(&mut random).expect("draws");
        (rules, bits, key)
    }
}

fn any_drawn() -> impl Strategy<Value = Drawn> {
    let sides = (2_usize..=8).prop_flat_map(|height| (Just(height), 2..=(16 / height)));
    (sides, any::<prop::sample::Index>(), any::<u64>()).prop_map(|((height, width), at, seed)| {
        let at = at.index(height * width);
        Drawn {
            instance: format!("{height}x{width}"),
            empty: format!("{},{}", at / width, at % width),
            seed,
        }
    })
}

fn literal(rules: &Rules, key: u64) -> BTreeSet<u64> {
    let mut keys = BTreeSet::new();
    rules.successors(&rules.state(key), &mut |next| {
        assert!(keys.insert(rules.key(&next)));
    });
    keys
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Boards are read with any symbol for the empty square, a blank too.
    #[test]
    fn boards_are_read_with_any_empty_square(drawn in any_drawn()) {
        let (rules, bits, key) = drawn.open();
        let board = bits.draw(&key);
        let settings = &Settings::from([("empty".to_owned(), drawn.empty.clone())]);
        let request = Request { instance: "2x2", settings };
        let numbers = |empty: &str| -> String {
            let rows = rules.state(key);
            let number = |tile: &u8| match tile {
                0 => empty.to_owned(),
                tile => tile.to_string(),
            };
            let rows = rows.chunks(rules.frame.width).map(|row| {
                row.iter().map(number).collect::<Vec<_>>().join(" ")
            });
            rows.collect::<Vec<_>>().join("/")
        };
        let texts = [" ", "0", "_", "x"].map(|empty| board.replace('.', empty));
        for text in texts.into_iter().chain(["0", "_"].map(numbers)) {
            let read = placed(&request, &text);
            let read = read.map(|read| (read.instance, read.from));
            prop_assert_eq!(read, Ok((drawn.instance.clone(), Some(board.clone()))), "'{}'", text);
        }
    }

    /// Ranks unranked in sequence, ascending or not, give the same boards as alone.
    #[test]
    fn boards_from_those_before_are_the_same(
        drawn in any_drawn(),
        part in 0_u64..2,
        gaps in prop::collection::vec(prop_oneof![0_u64..4, 0_u64..5000, any::<u64>()], 1..40),
    ) {
        let (_, bits, _) = drawn.open();
        let size = bits.space(part).expect("numbered");
        let mut rank = 0_u64;
        let ranks: Vec<u64> = gaps
            .iter()
            .map(|gap| {
                rank = rank.wrapping_add(*gap) % size;
                rank
            })
            .collect();
        let (mut keys, mut together, mut alone) = (Vec::new(), Vec::new(), Vec::new());
        bits.neighbour_ranks(Direction::Forward, part, &ranks, Some(&mut keys), &mut together);
        for &rank in &ranks {
            bits.neighbour_ranks(Direction::Forward, part, &[rank], None, &mut alone);
        }
        prop_assert_eq!(together, alone);
        let single = |&rank: &u64| bits.unrank(Placement { part, rank }).expect("numbered");
        prop_assert_eq!(keys, ranks.iter().map(single).collect::<Vec<_>>());
    }
}

/// Distances of all solvable boards from the goal, on the rulebook.
fn distances(rules: &Rules) -> BTreeMap<u64, u64> {
    let goal = rules.key(&rules.parse("goal").expect("reads"));
    let mut known = BTreeMap::from([(goal, 0)]);
    let mut level = vec![goal];
    for depth in 1.. {
        let next: Vec<u64> = level.iter().flat_map(|&key| literal(rules, key)).collect();
        level = next
            .into_iter()
            .filter(|&key| {
                known
                    .insert(key, *known.get(&key).unwrap_or(&depth))
                    .is_none()
            })
            .collect();
        if level.is_empty() {
            break;
        }
    }
    known
}

/// On every board, neither bound is more than the distance, and the pattern bound is at least the
/// Manhattan distance.
#[test]
fn bounds_are_never_more_than_the_distance() {
    for (instance, empty) in [("2x3", ""), ("2x4", "0,1"), ("3x3", ""), ("3x3", "1,1")] {
        let rules: Rules = try_open(instance, empty).expect("opens");
        let bits: Bits = try_open(instance, empty).expect("opens");
        for (key, distance) in distances(&rules) {
            let (patterns, manhattan) =
                (bits.lower_bound(&key), rules.lower_bound(&rules.state(key)));
            assert!(manhattan <= patterns && patterns <= distance, "{key:x}");
            assert_eq!((patterns + distance) % 2, 0, "{key:x}");
        }
    }
}

/// Both bounds change by one along every move, and are 0 at the goal, so they never exceed the
/// distance.
#[test]
fn bounds_change_by_one_a_move() {
    for (instance, empty) in [("3x4", ""), ("2x7", "1,3"), ("5x3", "2,1"), ("4x4", "0,0")] {
        let rules: Rules = try_open(instance, empty).expect("opens");
        let bits: Bits = try_open(instance, empty).expect("opens");
        let of = |key: u64| [bits.lower_bound(&key), rules.lower_bound(&rules.state(key))];
        assert_eq!(of(bits.parse("goal").expect("reads")), [0, 0]);
        for draw in 0..2000 {
            let key = bits
                .random(&mut Xorshift::for_draw(7, draw))
                .expect("draws");
            assert!(of(key)[0] >= of(key)[1], "{key:x}");
            for next in literal(&rules, key) {
                for (here, there) in of(key).into_iter().zip(of(next)) {
                    assert_eq!(here.abs_diff(there), 1, "{key:x}");
                }
            }
        }
    }
}

#[test]
fn a_proof_of_impossibility_is_given_for_the_other_parity_alone() {
    let bits: Bits = try_open("3x3", "").expect("opens");
    let rules: Rules = try_open("3x3", "").expect("opens");
    let (goal, swapped) = ("123/456/78.", "123/456/87.");
    let read = |text: &str| bits.parse(text).expect("reads");
    let proof = bits.refute(&read(swapped), None).expect("other parity");
    assert!(proof.contains("from: 123/456/87., unequal"), "{proof}");
    assert_eq!(rules.refute(&rules.state(read(swapped)), None), Some(proof));
    assert_eq!(bits.refute(&read(goal), None), None);
    assert_eq!(bits.refute(&read("123/456/7.8"), Some(&read(goal))), None);
}

/// The same for large boards.
#[test]
fn bounds_of_large_boards_change_by_one_a_move() {
    for (instance, empty) in [("5x5", ""), ("3x6", "1,2")] {
        let rules: Rules<u128> = try_open(instance, empty).expect("opens");
        let large: Large = try_open(instance, empty).expect("opens");
        let of = |key: u128| {
            [
                large.lower_bound(&key),
                rules.lower_bound(&rules.state(key)),
            ]
        };
        assert_eq!(of(large.parse("goal").expect("reads")), [0, 0]);
        for draw in 0..500 {
            let drawn = large.random(&mut Xorshift::for_draw(7, draw));
            let key = drawn.expect("draws");
            assert!(of(key)[0] >= of(key)[1], "{key:x}");
            large.successors(&key, &mut |next| {
                for (here, there) in of(key).into_iter().zip(of(next)) {
                    assert_eq!(here.abs_diff(there), 1, "{key:x}");
                }
            });
        }
    }
}

#[test]
fn large_boards_are_read_from_lists_of_numbers() {
    let settings = &Settings::new();
    let request = Request {
        instance: "5x5",
        settings,
    };
    let read = |text: &str| placed_large(&request, text);
    let board = read("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 0 24");
    let board = board.expect("reads");
    assert_eq!(board.instance, "5x5");
    assert_eq!(board.from.as_deref(), Some("12345/6789a/bcdef/ghijk/lmn.o"));
    let refused = read("1 2 3 4 5 6 7 8 0").expect_err("small");
    assert!(refused.0.contains("sliding-tile/3x3 is one"), "{refused}");
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for (instance, empty, word) in [
        ("1x9", "", "from 2"),
        ("5x4", "", "at most 16"),
        ("5x5", "", "large-tile/5x5 is one"),
        ("03x3", "", "ROWSxCOLUMNS"),
        ("3x3", "3,0", "0,0 to 2,2"),
        ("3x3", "-1,0", "ROW,COLUMN"),
        ("3x3", "9223372036854775807,1", "0,0 to 2,2"),
    ] {
        let refused = try_open::<Bits>(instance, empty).err().expect(instance);
        assert!(
            refused.0.contains(word) && !refused.0.contains('\n'),
            "{refused}"
        );
    }
    let bits: Bits = try_open("3x3", "").expect("opens");
    for (text, word) in [
        ("", "3 rows of 3"),
        ("123/456/789", "no tile '9'"),
        ("123/456/77.", "'7' is there twice"),
        ("123/456/7\u{e9}.", "no tile"),
        ("123/456/78./", "3 rows"),
    ] {
        let refused = bits.parse(text).expect_err(text);
        assert!(
            refused.0.contains(word) && refused.0.contains("123/456/78."),
            "{refused}"
        );
    }
}
