//! The fast variant against the rulebook, on boards drawn at random and whole small censuses.

use std::collections::{BTreeMap, BTreeSet};

use antipode_blocks::simple_block::board::{Board, Grid};
use antipode_blocks::simple_block::{Bits, Rules};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{BadInput, Direction, Puzzle, Request, Settings};

fn try_open<P: Puzzle>(instance: &str, settings: &[(&str, &str)]) -> Result<P, BadInput> {
    let pairs = settings.iter().map(|&(k, v)| (k.to_owned(), v.to_owned()));
    let settings = &pairs.collect::<Settings>();
    P::open(&Request { instance, settings })
}

fn open<P: Puzzle>(instance: &str, settings: &[(&str, &str)]) -> P {
    try_open(instance, settings).expect("opens")
}

fn successors<P: Puzzle<Key = u64>>(puzzle: &P, key: u64) -> BTreeSet<u64> {
    let mut keys = BTreeSet::new();
    puzzle.successors(&puzzle.state(key), &mut |next| {
        assert!(keys.insert(puzzle.key(&next)), "a board twice");
    });
    keys
}

/// Everything that the variants say of a state is the same.
fn agree(rules: &Rules, bits: &Bits, key: u64) {
    let board = rules.state(key);
    let drawn = rules.draw(&board);
    assert_eq!(rules.key(&board), key, "{drawn}");
    assert_eq!(bits.draw(&key), drawn);
    assert_eq!(rules.parse(&drawn).as_ref(), Ok(&board));
    assert_eq!(bits.parse(&drawn), Ok(key));
    assert_eq!(rules.is_solved(&board), bits.is_solved(&key), "{drawn}");
    let next = successors(rules, key);
    assert_eq!(next, successors(bits, key), "{drawn}");
    let near = bits.neighbours(Want::all(Direction::Backward), &[key, key]);
    let (out, ends) = (near.keys, near.ends);
    assert_eq!(ends, [next.len(), 2 * next.len()], "{drawn}");
    assert!(out.iter().all(|other| next.contains(other)), "{drawn}");
    for &other in &next {
        assert!(
            successors(bits, other).contains(&key),
            "{drawn}: no way back"
        );
        let name = rules.describe_move(&board, &rules.state(other));
        assert!(name.is_some(), "{drawn}");
        assert_eq!(name, bits.describe_move(&key, &other));
    }
}

/// A board of a size that is drawn cell by cell: each empty, of the piece beside it, or of a new
/// one.
fn any_board() -> impl Strategy<Value = String> {
    let sizes = prop_oneof![
        Just((4, 4)),
        Just((3, 5)),
        Just((5, 3)),
        Just((2, 8)),
        Just((3, 3))
    ];
    (sizes, prop::collection::vec(0..6_u8, 16), 0..16_usize).prop_filter_map(
        "a goal piece and an empty cell",
        |((rows, columns), choices, goal)| {
            let grid = Grid { rows, columns };
            let mut marks: Vec<usize> = vec![0; grid.cells()];
            for cell in 0..grid.cells() {
                let beside = |down, right| grid.beside(cell, down, right).map(|at| marks[at]);
                marks[cell] = match choices[cell] {
                    0 => 0,
                    1 | 2 => beside(-1, 0).unwrap_or(cell + 1),
                    3 | 4 => beside(0, -1).unwrap_or(cell + 1),
                    _ => cell + 1,
                };
            }
            let goal = marks[goal % marks.len()];
            let mut letters = BTreeMap::from([(0, '.'), (goal, 'A')]);
            for mark in &marks {
                let letter = char::from(b'A' + letters.len() as u8);
                letters.entry(*mark).or_insert(letter);
            }
            let row = |row: &[usize]| row.iter().map(|mark| letters[mark]).collect::<String>();
            let rows: Vec<String> = marks.chunks(columns).map(row).collect();
            (goal > 0 && marks.contains(&0)).then(|| rows.join("/"))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn variants_agree_on_drawn_boards(text in any_board(), edges: bool) {
        let board = Board::parse(&text).expect("a board");
        let goal = if edges { "edges" } else { "corner" };
        let (rows, columns) = (board.grid.rows, board.grid.columns);
        let census = format!("{rows}x{columns}-n{}", board.pieces());
        for (instance, settings) in [
            ("custom", vec![("board", text.as_str()), ("goal", goal)]),
            (census.as_str(), vec![("goal", goal)]),
        ] {
            // What is refused is refused for its goal piece alone.
            let rules = try_open::<Rules>(instance, &settings);
            let Some(rules) = rules.ok().filter(|rules| rules.parse(&text).is_ok()) else {
                prop_assert!(!edges);
                continue;
            };
            let bits: Bits = open(instance, &settings);
            agree(&rules, &bits, board.key());
            for key in successors(&rules, board.key()) {
                agree(&rules, &bits, key);
            }
        }
    }
}

/// The states of a part with whether they are solved.
fn numbered<P: Numbering<Key = u64>>(puzzle: &P, part: u64) -> BTreeMap<u64, bool> {
    let space = puzzle.space(part).expect("numbered");
    let states: BTreeMap<u64, bool> = (0..space)
        .map(|rank| {
            let placement = Placement { part, rank };
            let state = puzzle.unrank(placement).expect("a rank of the part");
            assert_eq!(puzzle.place(&state), Some(placement));
            (puzzle.key(&state), puzzle.is_solved(&state))
        })
        .collect();
    assert_eq!(states.len() as u64, space);
    assert!(puzzle.unrank(Placement { part, rank: space }).is_none());
    states
}

fn listed<P: SolvedStates<Key = u64>>(puzzle: &P, part: u64) -> BTreeSet<u64> {
    let mut keys = BTreeSet::new();
    puzzle.solved_states(part, &mut |state| assert!(keys.insert(puzzle.key(&state))));
    keys
}

/// Part by part, both number the same boards in the same order, moves stay in a part, and the
/// solved boards are those that say so.
fn censuses_agree(instance: &str, settings: &[(&str, &str)]) -> u64 {
    let rules: Rules = open(instance, settings);
    let bits: Bits = open(instance, settings);
    assert_eq!(rules.part_count(), bits.part_count());
    let mut total = 0;
    for part in 0..rules.part_count() {
        let name = rules.part_name(part);
        assert_eq!(name, bits.part_name(part));
        let states = numbered(&bits, part);
        assert_eq!(numbered(&rules, part), states, "{name}");
        let solved = states.iter().filter(|(_, solved)| **solved);
        let solved: BTreeSet<u64> = solved.map(|(&key, _)| key).collect();
        assert_eq!(listed(&rules, part), solved, "{name}");
        assert_eq!(listed(&bits, part), solved, "{name}");
        for &key in states.keys() {
            assert!(
                successors(&bits, key)
                    .iter()
                    .all(|next| states.contains_key(next))
            );
            assert_eq!(bits.place(&key), rules.place(&rules.state(key)));
        }
        total += states.len() as u64;
    }
    assert_eq!(rules.space(rules.part_count()), None);
    assert_eq!(bits.space(bits.part_count()), None);
    total
}

#[test]
fn small_censuses_are_numbered_alike() {
    for instance in [
        "2x2-n1", "2x3-n3", "3x3-n1", "3x3-n3", "3x3-n8", "4x3-n1", "3x4-n10",
    ] {
        let corner = censuses_agree(instance, &[]);
        let edges = censuses_agree(instance, &[("goal", "edges")]);
        assert!(0 < corner && corner <= edges, "{instance}");
    }
}

/// With any goal piece, each placement is there once for each of its pieces, and placements are
/// counted by `derive` in another way.
#[test]
fn every_placement_is_in_a_census() {
    let mut placements = 0;
    for pieces in 1..=8 {
        let bits: Bits = open(&format!("3x3-n{pieces}"), &[("goal", "edges")]);
        let states: u64 = (0..bits.part_count())
            .filter_map(|part| bits.space(part))
            .sum();
        assert_eq!(states % pieces, 0);
        placements += states / pieces;
    }
    let settings = Settings::from([("board".to_owned(), "3x3".to_owned())]);
    let counted = antipode_blocks::simple_block::derive::derive(
        "placements",
        &settings,
        puzzle_api::Effort::Quick,
    );
    let counted: u64 = counted.expect("derives")[0]
        .value
        .parse()
        .expect("a number");
    // Besides, there is the empty board, and boards without an empty cell, of which moves know
    // nothing: 1,434 ways to join nine cells.
    assert_eq!(counted - placements - 1, 1_434);
}

/// Distances of a census from its solved boards, by part.
fn deepest<P: Numbering<Key = u64> + SolvedStates>(puzzle: &P) -> (usize, Vec<usize>) {
    let mut levels = Vec::new();
    for part in 0..puzzle.part_count() {
        let mut level = listed(puzzle, part);
        let mut seen = level.clone();
        for depth in 0.. {
            if level.is_empty() {
                break;
            }
            if levels.len() == depth {
                levels.push(0);
            }
            levels[depth] += level.len();
            let mut next = BTreeSet::new();
            for &key in &level {
                next.extend(
                    successors(puzzle, key)
                        .into_iter()
                        .filter(|&key| seen.insert(key)),
                );
            }
            level = next;
        }
    }
    (levels.len() - 1, levels)
}

/// The published figures of the smallest numbers of pieces, which are also those of boards that
/// begin anywhere.
#[test]
fn the_hardest_of_few_pieces_and_of_many() {
    for (pieces, moves) in [(1, 1), (2, 4), (15, 21)] {
        let bits: Bits = open(&format!("4x4-n{pieces}"), &[]);
        assert_eq!(deepest(&bits).0, moves, "{pieces}");
    }
    let rules: Rules = open("3x3-n4", &[]);
    let bits: Bits = open("3x3-n4", &[]);
    assert_eq!(deepest(&rules), deepest(&bits));
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for (instance, settings, part) in [
        ("4x4", vec![], "ROWSxCOLUMNS-nPIECES"),
        ("4x4-n16", vec![], "fewer pieces"),
        ("4x4-n05", vec![], "no instance"),
        ("4x5-n3", vec![], "at most 16 cells"),
        (
            "4x4-n5",
            vec![("board", "A")],
            "no setting 'board': use goal",
        ),
        ("4x4-n5", vec![("goal", "left")], "corner or edges"),
        ("custom", vec![], "--set board="),
        ("custom", vec![("board", "AA/A.")], "goal=edges"),
    ] {
        let refused = try_open::<Bits>(instance, &settings).err().expect(instance);
        assert!(refused.0.contains(part), "{refused}");
    }
    let bits: Bits = open("3x3-n2", &[]);
    let custom: Bits = open("custom", &[("board", "A.B/...")]);
    for (refused, part) in [
        (bits.parse("A./B."), "2 rows of 2 cells"),
        (bits.parse("A../.../..."), "1 pieces"),
        (custom.parse("A.B/..B"), "not those of A.B/..."),
    ] {
        let refused = refused.expect_err(part);
        assert!(refused.0.contains(part), "{refused}");
    }
    assert!(custom.parse("B.A/...").is_ok());
}
