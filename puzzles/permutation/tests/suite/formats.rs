//! Texts in the forms of other programs, with the levels of those programs or of published tables.
//! Sources: `square-one`, `puck`, `two-rings` and `2x2x2.kpuzzle.json` are puzzles of twsearch's
//! samples (github.com/cubing/twsearch), with the levels that its command `-g` prints. `bicube` is
//! one of ksolve's (github.com/cubing/ksolve), whose 1,108,800 positions are on Jaap's Puzzle Page.
//! `square-one-shape` is `square-one` with pieces of a kind alike. A solver of it (sq12phase, in
//! github.com/cubing/cubing.js) has a table of 3,678 shapes, and a search written in Python for
//! this test has the same levels. The others were written here and counted by twsearch too.

use std::collections::BTreeSet;

use antipode_permutation::{Bits, Rules};
use puzzle_api::optional::*;
use puzzle_api::{Direction, Puzzle};

use crate::{defined, open, refuses};

/// Opens one of the texts.
fn text<P: Puzzle>(name: &str) -> P {
    let path = format!("{}/tests/texts/{name}", env!("CARGO_MANIFEST_DIR"));
    open("custom", &[("define", &path)])
}

/// States by distance from the solved ones, up to a depth or to the end.
fn levels(bits: &Bits, most: usize) -> Vec<usize> {
    let mut level = Vec::new();
    bits.solved_states(0, &mut |key| level.push(key));
    let mut seen: BTreeSet<u64> = level.iter().copied().collect();
    let mut counts = vec![level.len()];
    while counts.len() <= most {
        let mut next = bits.neighbours(Want::all(Direction::Forward), &level).keys;
        next.retain(|key| seen.insert(*key));
        if next.is_empty() {
            break;
        }
        counts.push(next.len());
        level = next;
    }
    counts
}

const TEXTS: [(&str, usize, &[usize]); 11] = [
    (
        "pyraminx.def",
        20,
        &[
            1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32,
        ],
    ),
    ("ring.tws", 20, &[1, 5, 15, 35, 42, 20, 2]),
    (
        "cross.tws",
        20,
        &[1, 15, 158, 1394, 9809, 46381, 97254, 34966, 102],
    ),
    (
        "two-rings.tws",
        20,
        &[
            1, 5, 25, 98, 409, 1555, 5391, 14419, 28341, 30236, 13760, 2546, 213, 21,
        ],
    ),
    (
        "loop.tws",
        20,
        &[1, 12, 96, 736, 5208, 28674, 89497, 54741, 2475],
    ),
    (
        "zero-based.tws",
        7,
        &[1, 9, 54, 321, 1847, 9992, 50136, 227536],
    ),
    (
        "square-one.tws",
        7,
        &[1, 15, 69, 212, 1141, 3933, 14029, 44188],
    ),
    (
        "square-one-shape.tws",
        20,
        &[
            1, 3, 7, 13, 34, 54, 68, 114, 242, 464, 782, 846, 650, 320, 80,
        ],
    ),
    ("puck.tws", 4, &[1, 12, 150, 1906, 24632]),
    ("2x2x2.kpuzzle.json", 4, &[1, 18, 243, 2874, 28000]),
    (
        "bicube.def",
        40,
        &[
            1, 9, 24, 54, 102, 168, 296, 583, 996, 1817, 3196, 5739, 9785, 17075, 29279, 48552,
            77828, 115384, 155444, 179617, 172952, 133159, 82486, 43199, 19613, 7781, 2833, 747,
            81,
        ],
    ),
];

#[test]
fn levels_are_those_of_the_programs_that_texts_come_from() {
    for (name, most, right) in TEXTS {
        assert_eq!(levels(&text(name), most), right, "{name}");
    }
}

/// As many as the table of the solver that is named above.
#[test]
fn square_1_has_3678_shapes() {
    assert_eq!(
        levels(&text("square-one-shape.tws"), 20)
            .iter()
            .sum::<usize>(),
        3_678
    );
}

/// The cube of 2x2x2 that may be held in any way has 24 solved states. At each distance it has 24
/// times as many states as the Pocket Cube with a fixed corner: its levels are on Jaap's Puzzle
/// Page.
#[test]
fn a_cube_in_space_has_24_solved_states() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/texts/2x2x2.kpuzzle.json"
    );
    let turned = [("define", path), ("solved", "turned")];
    let (rules, bits): (Rules, Bits) = (open("custom", &turned), open("custom", &turned));
    assert_eq!(
        levels(&bits, 5),
        [1, 9, 54, 321, 1847, 9992].map(|count| 24 * count)
    );
    let (mut own, mut literal) = (Vec::new(), Vec::new());
    bits.solved_states(0, &mut |key| own.push(key));
    rules.solved_states(0, &mut |state| literal.push(rules.key(&state)));
    assert_eq!(own, literal);
    assert_eq!(bits.symmetry_count(), rules.symmetry_count());
    for (at, &key) in own.iter().enumerate() {
        assert!(bits.is_solved(&key) && rules.is_solved(&rules.state(key)));
        for index in 0..bits.symmetry_count() {
            assert!(bits.is_solved(&bits.image(&key, index)), "{at} {index}");
        }
    }
    assert!(bits.is_solved(&bits.parse("R L'").expect("reads")));
    let turned = bits.parse("R").expect("reads");
    assert!(!bits.is_solved(&turned));
    assert_eq!(levels(&text("2x2x2.kpuzzle.json"), 2), [1, 18, 243]);
}

/// Three pieces with two turns each, solved in two ways.
#[test]
fn several_solved_states_are_written_one_after_the_other() {
    let text = "Set P 3 2\nSolved\nP\n1 2 3\nEnd\nSolved\nP\n2 3 1\nEnd\n\
        Move A\nP\n2 1 3\n1 0 0\nEnd\nMove B\nP\n1 3 2\nEnd\n";
    let bits: Bits = defined(text).expect("reads");
    let rules: Rules = defined(text).expect("reads");
    let found = levels(&bits, 20);
    assert_eq!(found[0], 2);
    assert_eq!(found.iter().sum::<usize>(), 48);
    // Counted again state by state: the lesser of the distances from both.
    let from = |goal: &str| {
        let mut distances = std::collections::BTreeMap::new();
        let mut level = vec![rules.parse(goal).expect("reads")];
        for depth in 0.. {
            level.retain(|state| match distances.contains_key(&rules.key(state)) {
                true => false,
                false => distances.insert(rules.key(state), depth).is_none(),
            });
            if level.is_empty() {
                return distances;
            }
            let mut next = Vec::new();
            for state in &level {
                rules.successors(state, &mut |other| next.push(other));
            }
            level = next;
        }
        distances
    };
    let (one, other) = (from("123/000"), from("231/000"));
    let mut right = vec![0; found.len()];
    for (key, depth) in &one {
        right[(*depth).min(other[key])] += 1;
    }
    assert_eq!(found, right);
    let table =
        "Solved\\nP\\n1 1 2\\nEnd | a solved state is out of reach of the first, so remove one of the two: P has other pieces
        Solved\\nP\\n1 2 3\\n0 ? 0\\nEnd | every solved state has '?'";
    refuses(table, |more| {
        defined::<Bits>(text.replacen("Move A", &format!("{more}\nMove A"), 1))
    });
}

/// Symmetries that map a solved state to an unsolved one are left out.
#[test]
fn symmetries_keep_the_solved_states() {
    let text = include_str!("../../definitions/pocket-cube.tws");
    let one: Bits = defined(text).expect("reads");
    let turned = one.draw(&one.parse("R2").expect("reads"));
    let (pieces, turns) = turned.split_once('/').expect("two rows");
    let spaced = |row: &str| row.chars().map(|c| format!("{c} ")).collect::<String>();
    let also = format!(
        "Solved\nCORNERS\n{}\n{}\nEnd\n",
        spaced(pieces),
        spaced(turns)
    );
    let text = format!("{text}\n{also}");
    let (bits, rules): (Bits, Rules) = (
        defined(&text).expect("reads"),
        defined(&text).expect("reads"),
    );
    assert!(one.symmetry_count() == 6 && (1..6).contains(&bits.symmetry_count()));
    let mut goals = Vec::new();
    bits.solved_states(0, &mut |key| goals.push(key));
    assert_eq!(goals.len(), 2);
    for (&goal, index) in goals
        .iter()
        .flat_map(|goal| (0..bits.symmetry_count()).map(move |i| (goal, i)))
    {
        let image = bits.image(&goal, index);
        assert!(goals.contains(&image));
        assert_eq!(image, rules.key(&rules.image(&rules.state(goal), index)));
    }
}

#[test]
fn states_are_counted_by_what_can_be_told_apart() {
    let space = |name: &str| text::<Bits>(name).space(0);
    assert_eq!(space("pyraminx.def"), Some(933_120));
    assert_eq!(space("two-rings.tws"), Some(97_020));
    assert_eq!(space("loop.tws"), Some(181_440));
    assert_eq!(space("zero-based.tws"), Some(3_674_160));
    assert_eq!(space("2x2x2.kpuzzle.json"), Some(88_179_840));
    // Some numbers of these represent states with a piece at a forbidden place.
    assert_eq!(space("square-one.tws"), None);
}

#[test]
fn every_number_of_alike_pieces_is_a_state() {
    let text = b"Set A 6 3\nSet B 3\nSolved\nA\n1 1 2 3 3 3\n0 0 ? 0 0 0\nB\n1 2 3\nEnd\n\
        Move a\nA\n2 3 4 5 6 1\n1 0 0 0 2 0\nEnd\nMove b\nB\n2 3 1\nEnd\n";
    let bits: Bits = defined(text).expect("reads");
    let table = "112333/00?000/123 | is written 112333/000000/123
        112333/0?0000/123 | place 2 of A has '?', but";
    refuses(table, |text| bits.parse(text));
    // 60 orders, five pieces with visible turns, whose sum depends on the sixth; 3 even orders.
    let size = bits.space(0).expect("numbered");
    assert_eq!(size, 60 * 243 * 3);
    let key = |rank| bits.unrank(Placement { part: 0, rank }).expect("a state");
    let mut keys = BTreeSet::new();
    for rank in 0..size {
        let key = key(rank);
        assert_eq!(bits.place(&key).map(|at| at.rank), Some(rank));
        assert!(keys.insert(key));
        assert_eq!(bits.parse(&bits.draw(&key)), Ok(key));
    }
}

#[test]
fn remarks_ends_of_lines_and_orders_are_as_people_leave_them() {
    let text = b"Name K\r\n# von K\xe5re, \x1b$B\r\nSet P 4 1\r\nSolved\r\nP\r\n1 2 3 4\r\nEnd\r\n\
        Move A\r\nP\r\n2 3 4 1\r\nEnd\r\nMove B\r\nP\r\n2 1 3 4\r\nEnd";
    assert_eq!(levels(&defined(text).expect("reads"), 9), [1, 4, 6, 10, 3]);
    let old: Vec<u8> = text.iter().copied().filter(|byte| *byte != b'\n').collect();
    assert_eq!(levels(&defined(&old).expect("reads"), 9), [1, 4, 6, 10, 3]);
    let name = text
        .iter()
        .map(|byte| if *byte == b'B' { 0xe5 } else { *byte });
    let refused = defined::<Bits>(name.collect::<Vec<_>>())
        .err()
        .expect("odd");
    assert!(refused.0.contains("line 12, column 6"), "{refused}");
    // A cycle of 4 and one of 7: all 28 powers, and their names. With two rows, moves are no row.
    let text = b"Set P 11\nSet Q 1\nMove F2\nP\n2 3 4 1 6 7 8 9 10 11 5\nEnd\n";
    let bits: Bits = defined(text).expect("reads");
    assert_eq!(levels(&bits, 9), [1, 27]);
    let back = bits.parse("(F2)13'").expect("reads");
    let solved = bits.parse("solved").expect("reads");
    assert_eq!(
        bits.describe_move(&solved, &back).as_deref(),
        Some("(F2)13'")
    );
    assert_eq!(bits.parse("(F2)15"), Ok(back));
    // With an order that is too large for all powers, in the quarter-turn metric.
    let cycles = [16, 9, 5, 7, 11];
    let mut row = Vec::new();
    for length in cycles {
        let first = row.len() + 1;
        row.extend((1..length).map(|nth| (first + nth).to_string()));
        row.push(first.to_string());
    }
    let text = format!("Set P 48\nMove R\nP\n{}\nEnd\n", row.join(" "));
    let opened = defined::<Bits>(text);
    let refused = opened.err().expect("more than a key holds");
    assert!(refused.0.contains("states"), "{refused}");
}

#[test]
fn moves_are_read_as_people_write_them() {
    let cube: Bits = text("2x2x2.kpuzzle.json");
    let state = |text: &str| cube.parse(text);
    for (one, other) in [
        ("R2'", "R2"),
        ("R'2", "R R"),
        ("R5", "R"),
        ("(R U)2", "R U R U"),
        ("(R U)2'", "U' R' U' R'"),
        ("[R, U]", "R U R' U'"),
        ("[R: U]2", "R U2 R'"),
        ("RU'R2'", "R U' R2"),
        ("R\u{2019} U\u{b4} F`", "R' U' F\u{2032}"),
        ("x R x'", "R"),
        ("x U x'", "F"),
        ("Rv U Rv'", "x U x'"),
        ("", "solved"),
        ("R ()9223372036854775807", "R"),
    ] {
        assert_eq!(state(one), state(other), "{one}");
        assert!(state(one).is_ok(), "{one}");
    }
    let deep = format!(
        "{}R{} | more than 100 brackets",
        "([".repeat(50_000),
        "])".repeat(50_000)
    );
    refuses(&deep, state);
    let table = "R Q | 'Q' is no move: use U L F
        (R | there is no ')'
        R) | closes nothing
        [R U] | write [A, B] or [A: B]
        (R U)99999 | more than 10000 moves
        R (R U)9223372036854775807 | more than 10000 moves
        R99999999999999999999 | a number of times is too large";
    refuses(table, state);
    let loops: Bits = text("loop.tws");
    // Where a state has one row, moves look like one, and are read only by another way.
    let table = "1H | is written 312456789\n3 1 2 4 5 6 7 8 9 | is written 312456789";
    refuses(table, |text| loops.parse(text));
    let square: Bits = text("square-one.tws");
    assert!(square.parse("U S D3 S").is_ok());
    refuses("U2 S | 'U2' cannot be made from", |text| square.parse(text));
}
