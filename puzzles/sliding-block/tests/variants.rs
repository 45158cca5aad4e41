//! The fast variant against the rulebook, on positions that a walk from the start meets.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use antipode_sliding_block::instances::NAMED;
use antipode_sliding_block::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Direction, Puzzle, Request, Settings};

fn open<P: Puzzle>(instance: &str, metric: &str) -> P {
    let settings = Settings::from([("metric".to_owned(), metric.to_owned())]);
    let request = Request {
        instance,
        settings: &settings,
    };
    P::open(&request).expect("an instance that ships")
}

fn start<P: Puzzle>(puzzle: &P) -> P::State {
    let mut starts = Vec::new();
    puzzle.starts(&mut |state| starts.push(state));
    assert_eq!(starts.len(), 1);
    starts.remove(0)
}

fn successors<P: Puzzle>(puzzle: &P, key: P::Key) -> BTreeSet<P::Key> {
    let mut keys = BTreeSet::new();
    puzzle.successors(&puzzle.state(key), &mut |next| {
        keys.insert(puzzle.key(&next));
    });
    keys
}

/// A walk of `steps` moves on the rulebook, each chosen by a number.
fn walk(rules: &Rules, choices: &[u16]) -> u128 {
    let mut key = rules.key(&start(rules));
    for &choice in choices {
        let next = successors(rules, key);
        key = *next
            .iter()
            .nth(usize::from(choice) % next.len())
            .expect("every move can be undone, so there is one");
    }
    key
}

fn agree(rules: &Rules, bits: &Bits, key: u128) {
    let (slow, fast) = (rules.state(key), bits.state(key));
    assert_eq!(rules.key(&slow), key);
    assert_eq!(bits.key(&fast), key);
    assert_eq!(rules.draw(&slow), bits.draw(&fast));
    let drawn = rules.draw(&slow);
    assert_eq!(bits.parse(&drawn).map(|s| bits.key(&s)), Ok(key));
    assert_eq!(rules.parse(&drawn).map(|s| rules.key(&s)), Ok(key));
    assert_eq!(rules.is_solved(&slow), bits.is_solved(&fast), "{drawn}");
    assert_eq!(rules.bucket(&slow), bits.bucket(&fast));
    assert_eq!(rules.stratum(&slow), bits.stratum(&fast));
    assert_eq!(rules.symmetry_count(), bits.symmetry_count());
    for index in 0..rules.symmetry_count() {
        let image = rules.key(&rules.image(&slow, index));
        assert_eq!(image, bits.key(&bits.image(&fast, index)), "{drawn}");
    }
    let next = successors(rules, key);
    assert_eq!(next, successors(bits, key), "{drawn}");
    for &other in &next {
        assert!(
            successors(bits, other).contains(&key),
            "{drawn}: a move cannot be undone"
        );
        let (a, b) = (rules.state(other), bits.state(other));
        let name = rules.describe_move(&slow, &a);
        assert!(name.is_some(), "{drawn}");
        assert_eq!(name, bits.describe_move(&fast, &b));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn variants_agree_on_walks(
        board in 0..NAMED.len(),
        metric in 0..3_usize,
        choices in prop::collection::vec(any::<u16>(), 0..60),
    ) {
        let metric = ["piece", "line", "step"][metric];
        let rules: Rules = open(NAMED[board].name, metric);
        let bits: Bits = open(NAMED[board].name, metric);
        agree(&rules, &bits, walk(&rules, &choices));
    }
}

/// Sets of neighbours of several keys, as engines ask for them.
fn together(bits: &Bits, keys: &[u128]) -> Vec<BTreeSet<u128>> {
    let (mut out, mut ends) = (Vec::new(), Vec::new());
    bits.neighbour_keys(Direction::Forward, keys, &mut out, &mut ends);
    assert_eq!(ends.len(), keys.len());
    assert_eq!(ends.last(), Some(&out.len()));
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let parts = starts.zip(&ends);
    parts
        .map(|(start, &end)| out[start..end].iter().copied().collect())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// A batch holds positions with equal and with different orders of the big pieces.
    #[test]
    fn batches_agree_with_the_rulebook(
        board in 0..NAMED.len(),
        metric in 0..3_usize,
        choices in prop::collection::vec(any::<u16>(), 0..60),
    ) {
        let metric = ["piece", "line", "step"][metric];
        let rules: Rules = open(NAMED[board].name, metric);
        let bits: Bits = open(NAMED[board].name, metric);
        let mut keys = vec![rules.key(&start(&rules))];
        let last = walk(&rules, &choices);
        keys.extend(successors(&rules, last));
        let solved = keys.iter().filter(|&&key| rules.is_solved(&rules.state(key))).count();
        let expected: Vec<_> = keys.iter().map(|&key| successors(&rules, key)).collect();
        prop_assert_eq!(&together(&bits, &keys), &expected);
        prop_assert_eq!(bits.expand_all(&keys, &mut |_, _| ()), solved as u64);
        // The path for greater boards, on these.
        for (&key, expected) in keys.iter().zip(&expected) {
            let mut next = BTreeSet::new();
            bits.expand_window(key, &mut |key| {
                next.insert(key);
            });
            prop_assert_eq!(&next, expected);
        }
    }
}

/// More cells than a word has bits, more holes than tables list sets for, no big piece.
#[test]
fn custom_boards_agree_with_the_rulebook() {
    let rest = "..........\n".repeat(6);
    let wide = format!("aab..c..de\n..b..c.fff\n{rest}goal: a 5,5\n");
    let holes = "aabbc...\n........\n........\ndd......\ngoal: a 0,4\n";
    let little = "a..\nbb.\n...\ngoal: a 2,2\n";
    for text in [wide.as_str(), holes, little] {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        let settings = Settings::from([("board".to_owned(), file.path().display().to_string())]);
        let request = Request {
            instance: "custom",
            settings: &settings,
        };
        let rules = Rules::open(&request).expect("a board");
        let bits = Bits::open(&request).expect("a board");
        let choices = [3, 14, 15, 92, 65, 35, 89, 79, 32, 38];
        for length in 0..choices.len() {
            agree(&rules, &bits, walk(&rules, &choices[..length]));
        }
        let keys: Vec<u128> = successors(&rules, walk(&rules, &choices))
            .into_iter()
            .collect();
        let expected: Vec<_> = keys.iter().map(|&key| successors(&rules, key)).collect();
        assert_eq!(together(&bits, &keys), expected, "{text}");
    }
}

#[test]
fn starts_look_as_printed() {
    for named in NAMED {
        let printed: Vec<&str> = named
            .text
            .lines()
            .filter(|l| !l.starts_with("goal"))
            .collect();
        let rules: Rules = open(named.name, "piece");
        assert_eq!(rules.draw(&start(&rules)), printed.join("/"));
        let bits: Bits = open(named.name, "piece");
        assert_eq!(bits.draw(&start(&bits)), printed.join("/"));
    }
}

fn levels<P: Puzzle<Key = u128>>(puzzle: &P) -> Vec<BTreeSet<u128>> {
    let first = puzzle.key(&start(puzzle));
    let mut depths = BTreeMap::from([(first, 0_usize)]);
    let mut queue = VecDeque::from([first]);
    let mut levels = vec![BTreeSet::from([first])];
    while let Some(key) = queue.pop_front() {
        let depth = depths[&key] + 1;
        for next in successors(puzzle, key) {
            if let std::collections::btree_map::Entry::Vacant(free) = depths.entry(next) {
                free.insert(depth);
                if levels.len() == depth {
                    levels.push(BTreeSet::new());
                }
                levels[depth].insert(next);
                queue.push_back(next);
            }
        }
    }
    levels
}

#[test]
fn donkey_has_the_same_levels_by_both_variants() {
    for metric in ["piece", "line", "step"] {
        let slow = levels(&open::<Rules>("donkey", metric));
        let fast = levels(&open::<Bits>("donkey", metric));
        assert_eq!(slow, fast);
        // The number of positions that can be reached does not depend on the metric.
        assert_eq!(fast.iter().map(BTreeSet::len).sum::<usize>(), 25_955);
    }
}

#[test]
fn mirrors_are_found_where_they_are() {
    let has = |name: &str| {
        let bits: Bits = open(name, "piece");
        bits.symmetry_count() > 1
    };
    assert!(has("donkey"));
    // The two corner pieces of Climb 12 are half a turn apart, not mirror images.
    assert!(!has("climb-12"));
}

/// All positions that a queue from the start meets, with the neighbours of each by the rulebook
/// held against those of the fast variant.
fn agree_everywhere(instance: &str, metric: &str) -> usize {
    let (rules, bits): (Rules, Bits) = (open(instance, metric), open(instance, metric));
    let mut known = HashSet::from([rules.key(&start(&rules))]);
    let mut queue: Vec<u128> = known.iter().copied().collect();
    let (mut fast, mut slow) = (Vec::new(), Vec::new());
    while let Some(key) = queue.pop() {
        fast.clear();
        slow.clear();
        let solved = bits.expand(key, &mut |next| fast.push(next));
        let state = rules.state(key);
        rules.successors(&state, &mut |next| slow.push(rules.key(&next)));
        for keys in [&mut fast, &mut slow] {
            keys.sort_unstable();
            keys.dedup();
        }
        assert_eq!(fast, slow, "{}", rules.draw(&state));
        assert_eq!((rules.key(&state), rules.is_solved(&state)), (key, solved));
        queue.extend(slow.iter().filter(|&&next| known.insert(next)));
    }
    known.len()
}

#[test]
fn variants_agree_on_all_of_two_boards() {
    for (board, metric, positions) in [
        ("donkey", "piece", 25_955),
        ("donkey", "line", 25_955),
        ("donkey", "step", 25_955),
        ("block-10-v11", "piece", 397_655),
    ] {
        assert_eq!(
            agree_everywhere(board, metric),
            positions,
            "{board} {metric}"
        );
    }
}
