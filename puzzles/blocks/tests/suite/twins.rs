//! The property of all four puzzles: the fast variant agrees with the rulebook.

use std::collections::{BTreeSet, HashSet};

use puzzle_api::optional::*;
use puzzle_api::{BadInput, Direction, Puzzle, Request, Settings};

pub fn try_open<P: Puzzle>(instance: &str, settings: &[(&str, &str)]) -> Result<P, BadInput> {
    let pairs = settings.iter().map(|&(k, v)| (k.to_owned(), v.to_owned()));
    let settings = &pairs.collect::<Settings>();
    P::open(&Request { instance, settings })
}

pub fn open<P: Puzzle>(instance: &str, settings: &[(&str, &str)]) -> P {
    try_open(instance, settings).unwrap_or_else(|error| panic!("{instance} {settings:?}: {error}"))
}

/// Both variants of an instance.
pub fn both<R: Puzzle, B: Puzzle>(instance: &str, settings: &[(&str, &str)]) -> (R, B) {
    (open(instance, settings), open(instance, settings))
}

/// Both variants' message about a refused instance or refused settings.
pub fn refused<R: Puzzle, B: Puzzle>(instance: &str, settings: &[(&str, &str)]) -> String {
    let said = try_open::<R>(instance, settings).err().expect(instance).0;
    let fast = try_open::<B>(instance, settings).err().expect(instance).0;
    assert_eq!(said, fast);
    assert!(!said.contains('\n'), "{said}");
    said
}

/// The one start.
pub fn start<P: Puzzle>(puzzle: &P) -> P::Key {
    let mut starts = Vec::new();
    puzzle.starts(&mut |state| starts.push(puzzle.key(&state)));
    assert_eq!(starts.len(), 1);
    starts[0]
}

pub fn successors<P: Puzzle>(puzzle: &P, key: P::Key) -> BTreeSet<P::Key> {
    let mut keys = BTreeSet::new();
    puzzle.successors(&puzzle.state(key), &mut |next| {
        keys.insert(puzzle.key(&next));
    });
    keys
}

/// Sets of neighbours of several keys, as engines request them.
pub fn together<P: Expand>(puzzle: &P, keys: &[P::Key]) -> Vec<BTreeSet<P::Key>> {
    let near = puzzle.neighbours(Want::all(Direction::Backward), keys);
    assert_eq!(near.ends.len(), keys.len());
    assert_eq!(near.ends.last(), Some(&near.keys.len()));
    let starts = std::iter::once(0).chain(near.ends.iter().copied());
    let parts = starts.zip(&near.ends);
    parts
        .map(|(start, &end)| near.keys[start..end].iter().copied().collect())
        .collect()
}

/// Compares everything that the variants compute for a state.
pub fn agree<R, B>(rules: &R, bits: &B, key: R::Key)
where
    R: Puzzle + Names + Undirected,
    B: Puzzle<Key = R::Key> + Expand + Names + Undirected,
{
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
    assert_eq!(together(bits, &[key, key]), [next.clone(), next.clone()]);
    for &other in &next {
        let back = successors(bits, other);
        assert!(back.contains(&key), "{drawn}: no move back");
        let name = rules.describe_move(&slow, &rules.state(other));
        assert!(name.is_some(), "{drawn}");
        assert_eq!(name, bits.describe_move(&fast, &bits.state(other)));
    }
}

/// The key at the end of a walk from the start by the rulebook, each move chosen by a number.
pub fn walk<R: Puzzle>(rules: &R, choices: &[u16]) -> R::Key {
    let mut key = start(rules);
    for &choice in choices {
        let next = successors(rules, key);
        let chosen = next.iter().nth(usize::from(choice) % next.len());
        key = *chosen.expect("a move can be undone, so there is one");
    }
    key
}

/// Images of a state, and the representative.
pub fn images_agree<R, B>(rules: &R, bits: &B, key: R::Key)
where
    R: Symmetry,
    B: Symmetry<Key = R::Key>,
{
    let (slow, fast) = (rules.state(key), bits.state(key));
    let drawn = rules.draw(&slow);
    let stands = rules.canonical_and_size(&slow);
    assert_eq!(rules.symmetry_count(), bits.symmetry_count());
    for index in 0..rules.symmetry_count() {
        let image = rules.image(&slow, index);
        let other = rules.key(&image);
        assert_eq!(other, bits.key(&bits.image(&fast, index)), "{drawn}");
        assert_eq!(rules.is_solved(&image), rules.is_solved(&slow), "{drawn}");
        let canonical = rules.canonical(&image);
        assert_eq!(rules.key(&canonical), rules.key(&stands.0), "{drawn}");
        let of_next = |next| rules.key(&rules.image(&rules.state(next), index));
        let next = successors(rules, key).into_iter().map(of_next);
        let moved: BTreeSet<R::Key> = next.collect();
        assert_eq!(moved, successors(rules, other), "{drawn}");
    }
    let (canonical, size) = bits.canonical_and_size(&fast);
    assert_eq!(rules.key(&stands.0), bits.key(&canonical), "{drawn}");
    assert_eq!(stands.1, size, "{drawn}");
}

/// Keys of the states of a part by their ranks.
pub fn numbered<P: Numbering>(puzzle: &P, part: u64) -> Vec<P::Key> {
    let space = puzzle.space(part).expect("numbered");
    let key = |rank| {
        let placement = Placement { part, rank };
        let state = puzzle.unrank(placement).expect("a rank of the part");
        assert_eq!(puzzle.place(&state), Some(placement));
        puzzle.key(&state)
    };
    let keys = (0..space).map(key).collect();
    assert!(puzzle.unrank(Placement { part, rank: space }).is_none());
    keys
}

/// The solved states of a part, each once.
pub fn listed<P: SolvedStates>(puzzle: &P, part: u64) -> BTreeSet<P::Key> {
    let mut keys = BTreeSet::new();
    puzzle.solved_states(part, &mut |state| assert!(keys.insert(puzzle.key(&state))));
    keys
}

/// Part by part, both number the same states (in one order, if `ordered`), moves stay in a part,
/// and the listed solved states are solved. Returns the keys of each part.
pub fn censuses_agree<R, B>(rules: &R, bits: &B, ordered: bool) -> Vec<Vec<R::Key>>
where
    R: Numbering + SolvedStates,
    B: Numbering + SolvedStates + Puzzle<Key = R::Key>,
{
    let parts = rules.part_count();
    assert_eq!(parts, bits.part_count());
    assert_eq!(rules.space(parts), None);
    assert_eq!(bits.space(parts), None);
    let keys_of = |part| {
        let name = rules.part_name(part);
        assert_eq!(name, bits.part_name(part));
        let (keys, fast) = (numbered(rules, part), numbered(bits, part));
        let all: BTreeSet<R::Key> = keys.iter().copied().collect();
        assert_eq!(all.len(), keys.len(), "{name}");
        match ordered {
            true => assert_eq!(keys, fast, "{name}"),
            false => assert_eq!(all, fast.into_iter().collect(), "{name}"),
        }
        let next = keys.iter().flat_map(|&key| successors(bits, key));
        assert!(next.into_iter().all(|next| all.contains(&next)), "{name}");
        let is_solved = |key: &R::Key| rules.is_solved(&rules.state(*key));
        let solved: BTreeSet<R::Key> = keys.iter().copied().filter(is_solved).collect();
        assert_eq!(listed(rules, part), solved, "{name}");
        assert_eq!(listed(bits, part), solved, "{name}");
        keys
    };
    (0..parts).map(keys_of).collect()
}

/// Sizes of the levels that solved states of all parts lead to.
pub fn levels<P: Numbering + SolvedStates>(puzzle: &P) -> Vec<usize> {
    let mut sizes = Vec::new();
    for part in 0..puzzle.part_count() {
        let mut level = listed(puzzle, part);
        let mut seen = level.clone();
        for depth in 0.. {
            if level.is_empty() {
                break;
            }
            sizes.resize(sizes.len().max(depth + 1), 0);
            sizes[depth] += level.len();
            let next = level.iter().flat_map(|&key| successors(puzzle, key));
            level = next.filter(|&key| seen.insert(key)).collect();
        }
    }
    sizes
}

/// Fewest moves from the start to a solved state.
pub fn fewest<P: Expand>(puzzle: &P) -> u32 {
    let mut level = vec![start(puzzle)];
    let mut seen: HashSet<P::Key> = level.iter().copied().collect();
    let mut depth = 0;
    while !level
        .iter()
        .any(|&key| puzzle.is_solved(&puzzle.state(key)))
    {
        let next = puzzle.neighbours(Want::all(Direction::Forward), &level);
        level = next.keys;
        level.retain(|&key| seen.insert(key));
        assert!(!level.is_empty(), "no solution");
        depth += 1;
    }
    depth
}
