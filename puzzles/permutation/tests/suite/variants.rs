//! Definitions that ship and others: symmetries, numbers of states, texts that are read or refused.

use std::collections::BTreeSet;

use antipode_permutation::{Bits, Rules, boards};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{Puzzle, Request, settings};

use crate::{defined, open, placed, refuses};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn definitions_are_untrusted(text in "(Set|Move|Solved|End|Name|A|B|[0-9]{1,2}|[ \n]|#){0,60}") {
        if let Err(refused) = defined::<Bits>(&text) {
            prop_assert!(refused.0.contains("line ") && !refused.0.contains('\n'), "{refused}");
        }
    }
}

#[test]
fn rotations_and_reflections_are_found() {
    let count =
        |instance: &str, pairs: &[(&str, &str)]| open::<Bits>(instance, pairs).symmetry_count();
    for metric in ["half", "quarter"] {
        // Around the fixed corner; of a tetrahedron; of a tower on its end.
        assert_eq!(count("pocket-cube", &[("metric", metric)]), 6);
        assert_eq!(count("pyraminx", &[("metric", metric)]), 24);
        assert_eq!(count("skewb", &[("metric", metric)]), 24);
    }
    assert_eq!(count("pocket-cube", &[("symmetry", "off")]), 1);
    let alike: Bits = defined(TINY).expect("reads");
    assert_eq!(alike.symmetry_count(), 1);
    // All of a cube: six faces of 2x2x2, and the corners of `dino.tws` of twsearch.
    let faces: Bits = defined(include_str!("../texts/2x2x2.kpuzzle.json")).expect("reads");
    assert_eq!(faces.symmetry_count(), 48);
    let corners = "DFR | 1 2 5 4 7 6 3 8 9 10 11 12 | 0 0 1 0 1 0 0 0 0 0 0 0
        ULB | 1 2 3 11 5 6 7 8 9 4 10 12 | 0 0 0 1 0 0 0 0 0 0 1 0
        DLF | 1 2 3 4 5 6 12 8 7 10 11 9 | 0 0 0 0 0 0 1 0 1 0 0 0
        UBR | 1 11 3 4 5 2 7 8 9 10 6 12 | 0 1 0 0 0 1 0 0 0 0 0 0
        DRB | 1 3 8 4 5 6 7 2 9 10 11 12 | 0 0 1 0 0 0 0 1 0 0 0 0
        UFL | 4 2 3 12 5 6 7 8 9 10 11 1 | 0 0 0 1 0 0 0 0 0 0 0 1
        DBL | 1 2 3 4 5 6 7 9 10 8 11 12 | 0 0 0 0 0 0 0 0 1 1 0 0
        URF | 5 2 3 4 6 1 7 8 9 10 11 12 | 1 0 0 0 0 1 0 0 0 0 0 0";
    let moves = corners.lines().map(|line| {
        let written = line.trim().replacen(" | ", "\nE\n", 1);
        let written = written.replace(" | ", "\n");
        format!("Move {written}\nEnd\n")
    });
    let dino = format!("Set E 12 2\n{}", moves.collect::<String>());
    let dino: Bits = defined(dino).expect("reads");
    assert_eq!(dino.symmetry_count(), 48);
    // A square of four places that is turned. A reflection turns it the other way, and nothing else
    // does, as each turn of the whole is the state again.
    let text = "Set A 4\nMove a\nA\n2 3 4 1\nEnd\n";
    let square: Bits = defined(text).expect("reads");
    assert_eq!(square.symmetry_count(), 2);
}

/// Most orbits of the Pocket Cube have six states; all together they are all states.
#[test]
fn orbits_make_up_the_whole() {
    let cube: Bits = open("pocket-cube", &[("metric", "quarter")]);
    let size = cube.space(0).expect("numbered");
    let (mut orbits, mut states) = (0_u64, 0_u64);
    for rank in 0..size {
        let key = cube.unrank(Placement { part: 0, rank }).expect("numbered");
        let (least, size) = cube.canonical_and_size(&key);
        if least == key {
            orbits += 1;
            states += u64::from(size);
        }
    }
    assert_eq!(states, size);
    assert!(
        orbits > size / 6 && orbits < size / 6 * 101 / 100,
        "{orbits}"
    );
}

const TINY: &str = include_str!("../texts/tiny.tws");

#[test]
fn pieces_that_look_alike_and_a_solved_state_of_its_own() {
    let bits: Bits = defined(TINY).expect("reads");
    let solved = bits.parse("solved").expect("reads");
    assert_eq!(bits.draw(&solved), "2134/1000/112");
    assert!(bits.is_solved(&solved));
    let (mut reached, mut waiting) = (BTreeSet::from([solved]), vec![solved]);
    while let Some(key) = waiting.pop() {
        bits.successors(&key, &mut |next| {
            waiting.extend(reached.insert(next).then_some(next))
        });
    }
    // Three places in six orders with four sums of turns, times three of B.
    assert_eq!((bits.space(0), reached.len()), (Some(72), 6 * 4 * 3));
}

#[test]
fn every_rank_is_a_state() {
    let text = "Set A 4 2\nMove a\nA\n2 3 1 4\n1 1 0 0\nEnd\nMove b\nA\n2 1 3 4\nEnd\n";
    let bits: Bits = defined(text).expect("reads");
    let size = bits.space(0).expect("numbered");
    let keys = (0..size).map(|rank| bits.unrank(Placement { part: 0, rank }));
    let keys: BTreeSet<Option<u64>> = keys.collect();
    assert!(!keys.contains(&None));
    assert_eq!((keys.len() as u64, size), (24, 24));
    for (instance, size) in [("pocket-cube", 3_674_160), ("pyraminx", 933_120)] {
        assert_eq!(open::<Bits>(instance, &[]).space(0), Some(size));
    }
    let eleven: Bits = defined(include_str!("../texts/eleven.tws")).expect("reads");
    assert!(eleven.space(0).is_some_and(|size| size > 39_916_800));
}

#[test]
fn scrambles_are_read_and_impossible_states_refused() {
    let cube: Bits = open("pocket-cube", &[]);
    let solved = cube.parse("solved").expect("reads");
    assert_eq!(cube.parse("U U'"), Ok(solved));
    assert_eq!(cube.parse("R2 F R2 R2 F' R2"), Ok(solved));
    assert_ne!(cube.parse("R U F"), Ok(solved));
    let table = "U X | 'X' is no move: use U R F, or rows like 12345678/00000000
        12345678/10000000 | the sum of turns
        12345687/00000000 | place 8
        12345677/00000000 | other pieces
        12345678 | no move
        12345678/0000000 | takes 8 of 012
        12345678/0??00000 | place 2 of CORNERS has '?'
        12345678/0??00000 | : write a number from 0 to 2
        1 2 3 4 5 6 7 8/0,0,0,0,0,0,0,0 | is written 12345678/00000000";
    refuses(table, |text| cube.parse(text));
    let skewb: Bits = open("skewb", &[]);
    let table = "1234/0000/1234/0000/213456 | exchanges two of CENTRES";
    refuses(table, |text| skewb.parse(text));
}

/// A move of a scramble without an effect is refused: where half turns are moves, most people read
/// `R2` as one.
#[test]
fn moves_that_turn_nothing_are_refused() {
    for (instance, names, least) in [
        ("tower", "U D R F", 2),
        ("pocket-cube", "U R F", 4),
        ("pyraminx", "U L R B", 3),
    ] {
        let bits: Bits = open(instance, &[]);
        let solved = bits.parse("solved").expect("reads");
        let mut first = 99;
        for (name, times) in names
            .split(' ')
            .flat_map(|name| (0..=12).map(move |n| (name, n)))
        {
            for text in [
                format!("{name}{times}"),
                format!("{name}{times}'"),
                format!("{name}'{times}"),
            ] {
                match bits.parse(&text) {
                    Ok(state) => assert_ne!(state, solved, "{instance} {text}"),
                    Err(refused) => {
                        assert!(refused.0.contains("turns nothing"), "{refused}");
                        first = if times > 0 { first.min(times) } else { first };
                    }
                }
            }
        }
        assert_eq!(first, least, "{instance}");
    }
    let tower: Bits = open("tower", &[]);
    let table = "U R2 F2 D | 'R2' turns nothing: R is a half turn here; write R";
    refuses(table, |text| tower.parse(text));
}

/// No solved cube with two stickers exchanged or a corner twisted is read as a board, and the
/// refusal says how the text was read.
#[test]
fn stickers_of_no_cube_are_refused_as_stickers() {
    let refused = |text: &str, words: [&str; 2]| {
        let why = placed("pocket-cube", text).expect_err(text).0;
        let all = words.iter().all(|word| why.contains(word));
        assert!(all && !why.contains('\n'), "{why}");
    };
    let solved: Vec<char> = "UUUURRRRFFFFDDDDLLLLBBBB".chars().collect();
    let text = |stickers: &[char]| stickers.iter().collect::<String>();
    assert!(placed("pocket-cube", &text(&solved)).is_ok());
    for (one, other) in (0..24).flat_map(|one| (0..one).map(move |other| (one, other))) {
        let mut stickers = solved.clone();
        stickers.swap(one, other);
        if solved[one] != solved[other] {
            refused(&text(&stickers), ["reads as 24 stickers, but ", "colours"]);
        }
    }
    let as_stickers = |text: &str, word: &str| refused(text, ["reads as 24 stickers", word]);
    for corner in [[3, 4, 9], [2, 8, 17], [13, 11, 6], [14, 23, 18]] {
        let mut stickers = solved.clone();
        for at in 0..3 {
            stickers[corner[at]] = solved[corner[(at + 1) % 3]];
        }
        as_stickers(&text(&stickers), "a corner is twisted");
    }
    as_stickers("UUUURRRRFFFFDDDDLLLLBBBU", "'U' 5 times");
    as_stickers(&"U".repeat(24), "'U' 24 times");
    let why = placed("skewb", &"R".repeat(30)).expect_err("stickers").0;
    assert!(why.contains("is 30 stickers, which"), "{why}");
    let large: String = "URFDLB".chars().flat_map(|face| [face; 9]).collect();
    refused(&large, ["is a cube of 3x3x3", "--board 12345678/00000000"]);
    let twisted = large.replacen("UR", "RU", 1);
    refused(&twisted, ["reads as 54 stickers", "no corner has"]);
}

#[test]
fn scrambles_of_twsearch_count_from_1_or_0() {
    let read = |text: &str| placed("pocket-cube", text);
    let turned = read("Scramble s/CORNERS/2 1 3 4 5 6 7 8/1 2 0 0 0 0 0 0/End");
    assert_eq!(turned, Ok(Some("21345678/12000000".to_owned())));
    for head in ["ScrambleState", "StartState"] {
        let text = format!("{head} s/CORNERS/1 0 2 3 4 5 6 7/1 2 0 0 0 0 0 0/End");
        assert_eq!(read(&text), turned);
    }
    assert_eq!(read("1,2,3,4,5,6,7,8/0 0 0 0 0 0 0 0"), read("solved"));
    // The name is the rest of the line, or nothing.
    for name in ["", " two words", " R/U"] {
        assert_eq!(read(&format!("ScrambleAlg{name}\nR U\nEnd")), read("R U"));
    }
    let table = "CPOS abcdefgh | CPOS of twsearch is not supported
        Scramble s//CORNERS/1 2 3 4 5 6 7 8/0 ? 0 0 0 0 0 0/End | line 3: place 2 of CORNERS
        Scramble s/EDGE/1 2/End | line 2: 'EDGE' is no set
        Scramble s/CORNERS/1 2 3/End | line 3: it takes 8 numbers
        Scramble s/CORNERS/1 2 3 4 5 6 7 8/1 0 0 0 0 0 0 0/End | line 2: no move changes the sum
        Scramble s/CORNERS/1 1 2 3 4 5 6 7/End | line 2: CORNERS has other pieces
        Scramble s/End/U | line 3: a scramble ends at its 'End'
        ScrambleAlg s/R/End/U/End | line 4: a scramble ends at its 'End'
        ScrambleAlg R U/End | line 1: there is no move
        ScrambleAlg s/R U | line 1: there is no 'End'
        Scramble all short algs/CORNERS/1 ?2 3 4 5 6 7 8/End | '?2': pieces that ksolve ignores
        Scramble s/CORNERS/1 2 3 4 5 6 7 8/0 ?1 0 0 0 0 0 0/End | '?1': pieces that ksolve ignores
        ScrambleAlg s/R Q/End | line 2: 'Q' is no move";
    refuses(table, read);
    let square = |text: &str| placed("square-1-shapes", text);
    assert_eq!(square("S"), Ok(Some("312231231312313123122312".to_owned())));
    let table = "(1,0)/ | it takes 1 row, or moves with blanks between them, such as S S_0_1
        (1,0)/ | ; solved is 31231";
    refuses(table, square);
    // Letters of 2 pieces are enough to draw what is solved, not the 40th piece.
    let row = |last: u8| format!("{}{last}", "1 ".repeat(39));
    let turn: String = (2..=40).map(|place| format!("{place} ")).collect();
    let (two, all) = (row(2), row(40));
    let text = format!("Set A 40\nSolved\nA\n{two}\nEnd\nMove a\nA\n{turn}1\nEnd\n");
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(&file, text).expect("writes");
    let settings = &settings(&[("define", file.path().to_str().expect("text"))]);
    let large = Request {
        instance: "custom",
        settings,
    };
    let refused = boards::placed(&large, &format!("Scramble s/A/{all}/End"));
    let refused = refused.expect_err("the 40th");
    assert!(refused.0.contains("A has other pieces"), "{refused}");
}

#[test]
fn faults_name_line_and_column() {
    let table = r#"
        Set A 3\n | no move
        Set A 3\n Mve x\n | line 2, column 2: 'Mve'
        Set A 256\n | line 1, column 7: '256'
        Name X\nSet A 2\n  Name Y\n | line 3, column 3: there is a name already
        Set A 2 2\nSolved\nA\n1 2\n? 0\nEnd\nSolved\nA\n2 1\nEnd\n | line 7, column 1: every
        Set A 2\n# a\0b\n | line 2, column 4: a control character, \u{0}
        Set A 3 1 1\n | line 1, column 1: a set is written
        Set A 2\nSet A 2\n | line 2, column 5: there is a set
        Set A 3\nMove a\nA\n1 2\nEnd\n | line 4, column 1: it takes 3 numbers
        Set A 3\nMove a\nA\n1 2 2\nEnd\n | line 4, column 5: place 2 comes twice
        Set A 3\nMove a\nA\n1 2 4\nEnd\n | line 4, column 5: '4' is out of range
        Set A 3 2\nMove a\nA\n1 3 2\n0 2 0\nEnd\n | line 5, column 3: '2'
        Set A 3 2\nMove a\nA\n1 3 2\n-1 0 0\nEnd\n | line 5, column 1: '-1' is out of range
        Set End 3\n | 'End' is no name of a set: begin it with a letter; End closes a block
        Set A 3\nMove a\nB\n1 3 2\nEnd\n | line 3, column 1: 'B' is no set
        Set A 3\nMove a\nA\n1 3 2\n | line 2, column 1: there is no 'End'
        Set A 3\nMove x!\nA\n1 3 2\nEnd\n | line 2, column 6: 'x!' is no name
        Set A 30\nMove a\nEnd\nSet B 2\n | line 4, column 1: sets come before
        Set A 3\nForbiddenPairs\nx x\nEnd\n | line 2, column 1: 'ForbiddenPairs' of ksolve
        Set A 2\nIllegal A 1 2\n Illegal A 2 1 2\nMove a\nA\n2 1\nEnd\n | line 3, column 2: a solved
        Set A 3\nMoveSequence b a z\nMove a\nA\n2 3 1\nEnd\n | line 2, column 14: 'z' is no move
        Set A 3\nMove Rv\nA\n2 3 1\nEnd\n | no move: all names are those of rotations
        Set A 3 2\nSolved\nA\n1 1 2\n0 ? 0\nEnd\n | line 3, column 1: piece 1 has
        {"orbits": [],\n "moves": {] | line 2, column 12: ']' is no JSON here
        {"orbits": 3} | line 1, column 12: a list
        Set A 4\nMove a\nA\n2 3 4 1\nEnd\nMove a2\nA\n2 1 3 4\nEnd\n | moves are written 'a2'
        Set A 3\nMove a\nA\n2 3 1\nEnd\nMove a'\nA\n2 1 3\nEnd\n | moves are written 'a\''"#;
    refuses(table, |text| defined::<Rules>(text));
    let turn: String = (2..=24).map(|place| format!("{place} ")).collect();
    let turned = format!("1{}", " 0".repeat(23));
    let many = format!("Set A 24 2\nMove a\nA\n{turn}1\n{turned}\nEnd\n");
    let turn: String = (2..=200).map(|place| format!("{place} ")).collect();
    let endless = format!("Set A 200\nMove a\nA\n{turn}1\nEnd\n");
    // Dials of a clock.
    let dials = (1..=20).map(|dial| {
        let row = |own: [usize; 2]| -> String {
            let cell = |place| format!("{} ", own[usize::from(place == dial)]);
            (1..=20).map(cell).collect()
        };
        let places: String = (1..=20).map(|place| format!("{place} ")).collect();
        format!("Move d{dial}\nA\n{places}\n{}\nEnd\n", row([0, 1]))
    });
    let dials = format!("Set A 20 12\n{}", dials.collect::<String>());
    for (text, word) in [
        ("", "line 1, column 1: no set"),
        (&many, "states, more than a key of 64 bits"),
        (&many, "give equal numbers to pieces"),
        (&dials, "turns alone make as many, so leave out sets"),
        (&endless, "over 1e308 states, more than"),
    ] {
        let refused = defined::<Rules>(text).expect_err(word);
        assert!(refused.0.contains(word), "{refused}");
    }
    // Each member that is misspelt, unknown or there twice would make another puzzle.
    let whole = r#"{"name":"t","orbits":[{"orbitName":"P","numPieces":3,"numOrientations":2}],
"defaultPattern":{"P":{"pieces":[0,1,2],"orientation":[0,0,0]}},
"moves":{"A":{"P":{"permutation":[1,0,2],"orientationDelta":[1,0,0]}}},"derivedMoves":{"B":"A"}}"#;
    defined::<Rules>(whole).expect("reads");
    let again = whole.replace(r#"{"B":"A"}"#, r#"{"A":"_","B":"A"}"#);
    defined::<Rules>(&again).expect("reads");
    let more = whole.replace(r#"{"A":{"P""#, r#"{"A":{"EQUATOR":{"permutation":[0]},"P""#);
    defined::<Rules>(&more).expect("reads");
    let table = r#"{"A":{"P" > {"A":{"p" | 'p' is none of the members P
        orientationDelta > orientation | 'orientation' is none
        "orientation": > "orientations": | 'orientations' is none
        {"P":{"pieces > {"p":{},"P":{"pieces | 'p' is none
        numOrient > numorient | 'numorientations' is none
        derived > experimentalDerived | 'experimentalDerivedMoves'
        "moves": > "moves":{},"moves": | 'moves' comes twice
        "permutation": > "permutation":[],"permutation": | 'permutation' comes twice
        {"A":{"P" > {"A":{"P":{},"P" | 'P' comes twice
        "B":"A" > "B":"A","B":"A" | 'B' comes twice"#;
    refuses(table, |change| {
        let (right, wrong) = change.split_once(" > ").expect("a change");
        let changed = defined::<Rules>(whole.replacen(right, wrong, 1));
        changed.inspect_err(|refused| assert!(refused.0.contains("line "), "{refused}"))
    });
    let table = "custom | define=FILE
        skewb metric=slice | half or metric=quarter
        skewb symmetry=yes | symmetry=on or symmetry=off";
    refuses(table, |text| {
        let (instance, given) = text.split_once(' ').unwrap_or((text, ""));
        Bits::opened(
            instance,
            &given.split_once('=').map_or(vec![], |pair| vec![pair]),
        )
    });
}
