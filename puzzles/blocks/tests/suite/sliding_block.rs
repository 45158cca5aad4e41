//! The fast variant against the rulebook, on positions that a walk from the start meets.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

use antipode_blocks::sliding_block::instances::NAMED;
use antipode_blocks::sliding_block::{Bits, Rules};
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
    for hint in [Hint::Bucket, Hint::Stratum] {
        let (mut literal, mut found) = (Vec::new(), Vec::new());
        rules.hint(hint, std::slice::from_ref(&slow), &mut literal);
        bits.hint(hint, &[fast], &mut found);
        assert_eq!(found, literal);
    }
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
    let near = bits.neighbours(Want::all(Direction::Forward), keys);
    let (out, ends) = (near.keys, near.ends);
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

/// Both variants on a board of a file.
fn open_text(text: &str, metric: &str) -> (Rules, Bits) {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("written");
    let settings = Settings::from([
        ("board".to_owned(), file.path().display().to_string()),
        ("metric".to_owned(), metric.to_owned()),
    ]);
    let request = Request {
        instance: "custom",
        settings: &settings,
    };
    let rules = Rules::open(&request).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let bits = Bits::open(&request).expect("a board");
    (rules, bits)
}

/// A board of random pieces, walls and gates; its piece `*` stands on its goal.
fn random_board(width: usize, height: usize, choices: &[u8]) -> Option<String> {
    let mut cells = vec![' '; width * height];
    let mut letters = std::iter::once('*').chain('a'..='z');
    for (cell, &choice) in choices.iter().enumerate().take(cells.len()) {
        if cells[cell] != ' ' {
            continue;
        }
        let size = match choice {
            0..=3 => continue,
            4 => [0, 0],
            5 => [0, 1],
            6 => [1, 1],
            7 => [1, 2],
            8 => [2, 1],
            _ => [2, 2],
        };
        if size[0] == 0 {
            cells[cell] = if size[1] == 0 { '-' } else { '#' };
            continue;
        }
        let (row, column) = (cell / width, cell % width);
        let rows = row..row + size[0];
        let covered = rows.flat_map(|row| (column..column + size[1]).map(move |c| (row, c)));
        let covered: Vec<_> = covered.collect();
        let is_free =
            |&(r, c): &(usize, usize)| r < height && c < width && cells[r * width + c] == ' ';
        if covered.iter().all(is_free) {
            let letter = letters.next()?;
            covered
                .iter()
                .for_each(|(r, c)| cells[r * width + c] = letter);
        }
    }
    let star = cells.iter().position(|&cell| cell == '*')?;
    let rows = cells.chunks(width).map(String::from_iter);
    let goal = format!("goal: * {},{}", star / width, star % width);
    Some(rows.chain([goal]).collect::<Vec<_>>().join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn gates_are_the_same_to_all_encodings(
        width in 3..6_usize,
        height in 3..6_usize,
        metric in 0..3_usize,
        choices in prop::collection::vec(0..10_u8, 25),
    ) {
        let text = random_board(width, height, &choices);
        prop_assume!(text.is_some());
        let text = text.unwrap_or_default();
        let (rules, bits) = open_text(&text, ["piece", "line", "step"][metric]);
        let drawn: String = text.lines().take(height).collect();
        let mut known = BTreeSet::from([rules.key(&start(&rules))]);
        let mut queue: VecDeque<u128> = known.iter().copied().collect();
        while let Some(key) = queue.pop_front() {
            agree(&rules, &bits, key);
            let position = rules.draw(&rules.state(key)).replace('/', "");
            for (was, is) in drawn.chars().zip(position.chars()) {
                let fits = match was {
                    '-' => is == '-' || is == '*',
                    '#' => is == '#',
                    _ => is != '-' && is != '#',
                };
                prop_assert!(fits, "{text}\n{position}");
            }
            let next = successors(&rules, key);
            let fresh = next.into_iter().filter(|&next| known.len() < 200 && known.insert(next));
            queue.extend(fresh.collect::<Vec<_>>());
        }
        let keys: Vec<u128> = known.iter().copied().collect();
        let expected: Vec<_> = keys.iter().map(|&key| successors(&rules, key)).collect();
        prop_assert_eq!(together(&bits, &keys), expected, "{}", text);
    }
}

/// Levels of GNOME Klotski as its source draws them, with the fewest moves that it names
/// (`gnome-klotski.c` of 2.x, `minimum_moves`).
#[test]
fn levels_of_gnome_klotski_take_the_moves_that_it_names() {
    const LEVELS: [(&str, usize); 7] = [
        (
            "######\n#a**b#\n#m**n#\n#cdef#\n#ghij#\n#k  l#\n##--##\n    ..\n    ..\n",
            18,
        ),
        (
            "######\n#a**b#\n#a**b#\n#cdde#\n#cfge#\n#h  i#\n##--##\n    ..\n    ..\n",
            81,
        ),
        (
            "######\n#**aa#\n#**bb#\n#de  #\n#fghh#\n#fgii#\n#--###\n    ..\n    ..\n",
            59,
        ),
        (
            "######\n#abc*#\n# dd*#\n# ee*#\n# fgh#\n##-###\n     .\n     .\n     .\n",
            14,
        ),
        // Blanks at the ends of rows are missing.
        ("..\n.\n#####--\n#**aab-\n#*ccde#\n#fgh  #\n#######\n", 30),
        // Its source says 32; a plain search by the source's rules finds 31.
        (
            "######\n#abcd#\n#**ee#\n#f*g #\n#fh i-\n####--\n    ..\n     .\n",
            31,
        ),
        (
            "##..##\n#a..c#\n#abcc#\n#ddfg#\n#d**g#\n#e**h#\n######\n",
            30,
        ),
    ];
    for (text, moves) in LEVELS {
        let (_, bits) = open_text(text, "piece");
        let mut known = HashSet::from([bits.key(&start(&bits))]);
        let mut level: Vec<u128> = known.iter().copied().collect();
        let mut depth = 0;
        while !level.iter().any(|key| bits.is_solved(key)) {
            assert!(
                depth < moves && !level.is_empty(),
                "{text}: more than {depth} moves"
            );
            let mut next = Vec::new();
            bits.expand_all(&level, &mut |_, key| {
                next.extend(known.insert(key).then_some(key))
            });
            level = next;
            depth += 1;
        }
        assert_eq!(depth, moves, "{text}");
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
