//! The fast variant against the literal rulebook, on definitions that ship and others.

use std::collections::BTreeSet;

use antipode_permutation::{Bits, Rules, boards};
use proptest::prelude::*;
use puzzle_api::optional::*;
use puzzle_api::{BadInput, Direction, Puzzle, Request, Settings, Xorshift};

fn try_open<P: Puzzle>(instance: &str, pairs: &[(&str, &str)]) -> Result<P, BadInput> {
    let owned = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    let settings: Settings = owned.collect();
    P::open(&Request {
        instance,
        settings: &settings,
    })
}

/// Opens a definition from a separate file.
fn defined<P: Puzzle>(text: &str) -> Result<P, BadInput> {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!(
        "antipode-{}-{}.tws",
        std::process::id(),
        NUMBER.fetch_add(1, Relaxed)
    );
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).expect("writes");
    let opened = try_open("custom", &[("define", path.to_str().expect("text"))]);
    std::fs::remove_file(&path).expect("removes");
    opened
}

/// Images, representative and orbit; and that symmetries map moves to moves.
fn symmetries_agree(rules: &Rules, bits: &Bits, key: u64) {
    let around = |key: u64| {
        let mut around = BTreeSet::new();
        rules.successors(&rules.state(key), &mut |next| {
            around.insert(rules.key(&next));
        });
        around
    };
    let state = rules.state(key);
    let count = rules.symmetry_count();
    assert_eq!(bits.symmetry_count(), count);
    let orbit: Vec<u64> = (0..count)
        .map(|index| rules.key(&rules.image(&state, index)))
        .collect();
    let fast: Vec<u64> = (0..count).map(|index| bits.image(&key, index)).collect();
    assert_eq!((fast, orbit[0]), (orbit.clone(), key));
    let distinct: BTreeSet<u64> = orbit.iter().copied().collect();
    let least = *distinct.first().expect("the state");
    assert_eq!(
        bits.canonical_and_size(&key),
        (least, distinct.len() as u32)
    );
    let (mut together, mut sizes) = (orbit.clone(), vec![0; orbit.len()]);
    bits.canonical_all(&mut together, Some(&mut sizes));
    assert!(together.iter().all(|&one| one == least));
    assert!(sizes.iter().all(|&size| size == distinct.len() as u32));
    for (index, &image) in (0..).zip(&orbit) {
        assert_eq!(bits.canonical(&image), least);
        let turned = |next: &u64| bits.image(next, index);
        assert_eq!(around(image), around(key).iter().map(turned).collect());
    }
    let solved = bits.parse("solved").expect("reads");
    assert!((0..count).all(|index| bits.image(&solved, index) == solved));
}

fn agree(rules: &Rules, bits: &Bits, key: u64) {
    let state = rules.state(key);
    assert_eq!(rules.key(&state), key);
    let mut literal = Vec::new();
    rules.successors(&state, &mut |next| literal.push(rules.key(&next)));
    let found = bits.neighbours(Want::all(Direction::Forward), &[key]).keys;
    assert_eq!(found, literal);
    let mut singly = Vec::new();
    bits.successors(&key, &mut |next| singly.push(next));
    assert_eq!(singly, literal);
    for next in found {
        let name = bits.describe_move(&key, &next);
        assert!(name.is_some());
        assert_eq!(name, rules.describe_move(&state, &rules.state(next)));
        let mut back = Vec::new();
        bits.successors(&next, &mut |other| back.push(other));
        assert!(back.contains(&key), "every move can be undone");
    }
    symmetries_agree(rules, bits, key);
    let text = rules.draw(&state);
    assert_eq!(bits.draw(&key), text);
    assert_eq!(bits.parse(&text), Ok(key));
    if let Some(at) = bits.place(&key) {
        assert!(at.rank < bits.space(0).expect("numbered"));
        assert_eq!(bits.unrank(at), Some(key));
        // The one that follows may be found from it.
        let next = (at.rank + 1) % bits.space(0).expect("numbered");
        let asked = [at.rank, next, at.rank];
        let keys = asked.map(|rank| bits.unrank(Placement { rank, ..at }).expect("a state"));
        let mut around = Vec::new();
        for key in keys {
            rules.successors(&rules.state(key), &mut |next| {
                around.push(bits.place(&rules.key(&next)).expect("numbered").rank);
            });
        }
        let (mut given, mut ranks) = (Vec::new(), Vec::new());
        bits.neighbour_ranks(Direction::Backward, 0, &asked, Some(&mut given), &mut ranks);
        assert_eq!((given, ranks), (keys.to_vec(), around));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn variants_agree(
        instance in prop::sample::select(&["pocket-cube", "pyraminx", "skewb", "tower"][..]),
        metric in prop::sample::select(&["half", "quarter"][..]),
        seed: u64,
    ) {
        let pairs = [("metric", metric)];
        let rules: Rules = try_open(instance, &pairs).expect("opens");
        let bits: Bits = try_open(instance, &pairs).expect("opens");
        let key = bits.random(&mut Xorshift::for_draw(seed, 0)).expect("draws");
        agree(&rules, &bits, key);
    }

    #[test]
    fn definitions_are_untrusted(text in "(Set|Move|Solved|End|Name|A|B|[0-9]{1,2}|[ \n]|#){0,60}") {
        if let Err(refused) = defined::<Bits>(&text) {
            prop_assert!(refused.0.contains("line ") && !refused.0.contains('\n'), "{refused}");
        }
    }
}

#[test]
fn rotations_and_reflections_are_found() {
    let count = |instance: &str, pairs: &[(&str, &str)]| {
        let bits: Bits = try_open(instance, pairs).expect("opens");
        bits.symmetry_count()
    };
    for metric in ["half", "quarter"] {
        // Around the fixed corner; of a tetrahedron; of a tower on its end.
        assert_eq!(count("pocket-cube", &[("metric", metric)]), 6);
        assert_eq!(count("pyraminx", &[("metric", metric)]), 24);
        assert_eq!(count("skewb", &[("metric", metric)]), 24);
    }
    assert_eq!(count("pocket-cube", &[("symmetry", "off")]), 1);
    let refused = try_open::<Bits>("skewb", &[("symmetry", "yes")])
        .err()
        .expect("unknown");
    assert!(refused.0.contains("symmetry=on or symmetry=off"));
    let alike: Bits = defined(TINY).expect("reads");
    assert_eq!(alike.symmetry_count(), 1);
    // A square of four places that is turned. A reflection turns it the other way, and nothing else
    // does, as each turn of the whole is the state again.
    let text = "Set A 4\nMove a\nA\n2 3 4 1\nEnd\n";
    let square: Bits = defined(text).expect("reads");
    assert_eq!(square.symmetry_count(), 2);
}

/// Most orbits of the Pocket Cube have six states; all together they are all states.
#[test]
fn orbits_make_up_the_whole() {
    let cube: Bits = try_open("pocket-cube", &[("metric", "quarter")]).expect("opens");
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

const TINY: &str = "Set A 4 2\nSet B 3\nSolved\nA\n2 1 3 4\n1 0 0 0\nB\n1 1 2\nEnd\n\
    Move a\nA\n2 3 1 4\n1 1 0 0\nEnd\nMove b # with a remark\nB\n2 3 1\nA\n2 1 3 4\nEnd\n";

#[test]
fn pieces_that_look_alike_and_a_solved_state_of_its_own() {
    let (rules, bits): (Rules, Bits) =
        (defined(TINY).expect("reads"), defined(TINY).expect("reads"));
    let solved = bits.parse("solved").expect("reads");
    assert_eq!(bits.draw(&solved), "2134/1000/112");
    assert!(bits.is_solved(&solved));
    assert_eq!(bits.space(0), Some(6 * 4 * 3));
    let (mut reached, mut waiting) = (BTreeSet::from([solved]), vec![solved]);
    while let Some(key) = waiting.pop() {
        agree(&rules, &bits, key);
        bits.successors(&key, &mut |next| {
            if reached.insert(next) {
                waiting.push(next);
            }
        });
    }
    // Three places in six orders with four sums of turns, times three of B.
    assert_eq!(reached.len(), 6 * 4 * 3);
}

#[test]
fn every_rank_is_a_state() {
    let text = "Set A 4 2\nMove a\nA\n2 3 1 4\n1 1 0 0\nEnd\nMove b\nA\n2 1 3 4\nEnd\n";
    let (rules, bits): (Rules, Bits) =
        (defined(text).expect("reads"), defined(text).expect("reads"));
    let size = bits.space(0).expect("numbered");
    let keys: BTreeSet<u64> = (0..size)
        .map(|rank| bits.unrank(Placement { part: 0, rank }).expect("numbered"))
        .collect();
    assert_eq!((keys.len() as u64, size), (size, 24));
    keys.into_iter().for_each(|key| agree(&rules, &bits, key));
    let cube: Bits = try_open("pocket-cube", &[]).expect("opens");
    assert_eq!(cube.space(0), Some(3_674_160));
    let pyraminx: Bits = try_open("pyraminx", &[]).expect("opens");
    assert_eq!(pyraminx.space(0), Some(933_120));
}

#[test]
fn orders_too_many_for_a_table_are_ranked_by_way_of_the_states() {
    let text = "Set A 11\nSet B 2 3\nMove a\nA\n2 3 4 5 6 7 8 9 10 11 1\nEnd\n\
        Move b\nA\n2 1 3 4 5 6 7 8 9 10 11\nB\n2 1\n1 1\nEnd\n";
    let (rules, bits): (Rules, Bits) =
        (defined(text).expect("reads"), defined(text).expect("reads"));
    assert!(bits.space(0).is_some_and(|size| size > 39_916_800));
    let mut random = Xorshift::for_draw(1, 0);
    for _ in 0..50 {
        agree(&rules, &bits, bits.random(&mut random).expect("draws"));
    }
}

#[test]
fn scrambles_are_read_and_impossible_states_refused() {
    let cube: Bits = try_open("pocket-cube", &[]).expect("opens");
    let solved = cube.parse("solved").expect("reads");
    assert_eq!(cube.parse("U U'"), Ok(solved));
    assert_eq!(cube.parse("R2 F R2 R2 F' R2"), Ok(solved));
    assert_ne!(cube.parse("R U F"), Ok(solved));
    for (text, word) in [
        (
            "U X",
            "'X' is no move: use U R F, or rows like 12345678/00000000",
        ),
        ("12345678/10000000", "the sum of turns"),
        ("12345687/00000000", "place 8"),
        ("12345677/00000000", "other pieces"),
        ("12345678", "no move"),
        ("12345678/0000000", "takes 8 of 012"),
        (
            "12345678/0??00000",
            "place 2 of CORNERS has '?', but that piece has a turn in the solved state: write a \
             number from 0 to 2",
        ),
        (
            "1 2 3 4 5 6 7 8/0,0,0,0,0,0,0,0",
            "is written 12345678/00000000",
        ),
    ] {
        let refused = cube.parse(text).expect_err(text);
        assert!(refused.0.contains(word), "{refused}");
    }
    let skewb: Bits = try_open("skewb", &[]).expect("opens");
    let refused = skewb.parse("1234/0000/1234/0000/213456").expect_err("odd");
    assert!(refused.0.contains("exchanges two of CENTRES"), "{refused}");
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
        let bits: Bits = try_open(instance, &[]).expect("opens");
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
    let tower: Bits = try_open("tower", &[]).expect("opens");
    let refused = tower.parse("U R2 F2 D").expect_err("half turns");
    assert!(
        refused
            .0
            .contains("'R2' turns nothing: R is a half turn here; write R"),
        "{refused}"
    );
}

/// No solved cube with two stickers exchanged or a corner twisted is read as a board, and the
/// refusal says how the text was read.
#[test]
fn stickers_of_no_cube_are_refused_as_stickers() {
    let settings = &Settings::new();
    let request = Request {
        instance: "pocket-cube",
        settings,
    };
    let refused = |text: &str, words: [&str; 2]| {
        let why = boards::placed(&request, text).expect_err(text).0;
        assert!(
            words.iter().all(|word| why.contains(word)) && !why.contains('\n'),
            "{why}"
        );
    };
    let solved: Vec<char> = "UUUURRRRFFFFDDDDLLLLBBBB".chars().collect();
    let text = |stickers: &[char]| stickers.iter().collect::<String>();
    assert!(boards::placed(&request, &text(&solved)).is_ok());
    for (one, other) in (0..24).flat_map(|one| (0..one).map(move |other| (one, other))) {
        let mut stickers = solved.clone();
        stickers.swap(one, other);
        if solved[one] != solved[other] {
            refused(&text(&stickers), ["reads as 24 stickers, but ", "colours"]);
        }
    }
    for corner in [[3, 4, 9], [2, 8, 17], [13, 11, 6], [14, 23, 18]] {
        let mut stickers = solved.clone();
        for at in 0..3 {
            stickers[corner[at]] = solved[corner[(at + 1) % 3]];
        }
        refused(
            &text(&stickers),
            ["reads as 24 stickers", "a corner is twisted"],
        );
    }
    refused(
        "UUUURRRRFFFFDDDDLLLLBBBU",
        ["reads as 24 stickers", "'U' 5 times"],
    );
    refused(&"U".repeat(24), ["reads as 24 stickers", "'U' 24 times"]);
    let skewb = Request {
        instance: "skewb",
        settings,
    };
    let why = boards::placed(&skewb, &"R".repeat(30))
        .expect_err("stickers")
        .0;
    assert!(why.contains("is 30 stickers, which"), "{why}");
    let large: String = "URFDLB".chars().flat_map(|face| [face; 9]).collect();
    refused(&large, ["is a cube of 3x3x3", "--board 12345678/00000000"]);
    refused(
        &large.replacen("UR", "RU", 1),
        ["reads as 54 stickers", "no corner has"],
    );
}

#[test]
fn scrambles_of_twsearch_count_from_1_or_0() {
    let settings = &Settings::new();
    let request = Request {
        instance: "pocket-cube",
        settings,
    };
    let read = |text: &str| boards::placed(&request, text).map(|read| read.from);
    let turned = read("Scramble s/CORNERS/2 1 3 4 5 6 7 8/1 2 0 0 0 0 0 0/End");
    assert_eq!(turned, Ok(Some("21345678/12000000".to_owned())));
    for head in ["ScrambleState", "StartState"] {
        let text = format!("{head} s/CORNERS/1 0 2 3 4 5 6 7/1 2 0 0 0 0 0 0/End");
        assert_eq!(read(&text), turned);
    }
    assert_eq!(read("1,2,3,4,5,6,7,8/0 0 0 0 0 0 0 0"), read("solved"));
    for (text, word) in [
        ("CPOS abcdefgh", "CPOS of twsearch is not supported"),
        (
            "Scramble s//CORNERS/1 2 3 4 5 6 7 8/0 ? 0 0 0 0 0 0/End",
            "line 3: place 2 of CORNERS has '?', but",
        ),
        ("Scramble s/EDGE/1 2/End", "line 2: 'EDGE' is no set"),
        ("Scramble s/CORNERS/1 2 3/End", "line 3: it takes 8 numbers"),
        (
            "Scramble s/CORNERS/1 2 3 4 5 6 7 8/1 0 0 0 0 0 0 0/End",
            "line 2: no move changes the sum of turns of CORNERS",
        ),
        (
            "Scramble s/CORNERS/1 1 2 3 4 5 6 7/End",
            "line 2: CORNERS has other pieces",
        ),
        ("Scramble s/End/U", "line 1: write 'Scramble NAME'"),
        ("ScrambleAlg s/R/End/U/End", "and only there"),
        ("ScrambleAlg R U/End", "write 'ScrambleAlg NAME'"),
        ("ScrambleAlg s/R U", "'End' as the last"),
        ("ScrambleAlg s/R Q/End", "line 2: 'Q' is no move"),
    ] {
        let refused = read(text).expect_err(text);
        assert!(refused.0.contains(word), "{refused}");
    }
    let square = Request {
        instance: "square-1-shapes",
        settings,
    };
    let read = |text: &str| boards::placed(&square, text).map(|read| read.from);
    let twisted = Ok(Some("312231231312313123122312".to_owned()));
    assert_eq!(read("S"), twisted);
    // Letters of 2 pieces are enough to draw what is solved, not the 40th piece.
    let row = |last: u8| format!("{}{last}", "1 ".repeat(39));
    let turn: String = (2..=40).map(|place| format!("{place} ")).collect();
    let text = format!(
        "Set A 40\nSolved\nA\n{}\nEnd\nMove a\nA\n{turn}1\nEnd\n",
        row(2)
    );
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), text).expect("writes");
    let settings = [("define", file.path().to_str().expect("text"))];
    let settings = settings.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let large = Request {
        instance: "custom",
        settings: &Settings::from(settings),
    };
    let refused = boards::placed(&large, &format!("Scramble s/A/{}/End", row(40)));
    let refused = refused.expect_err("the 40th");
    assert!(refused.0.contains("A has other pieces"), "{refused}");
    let word =
        "it takes 1 row, or moves with blanks between them, such as S S_0_1; solved is 31231";
    let refused = read("(1,0)/").expect_err("two rows");
    assert!(refused.0.contains(word), "{refused}");
}

#[test]
fn faults_name_line_and_column() {
    for (text, word) in [
        ("", "line 1, column 1: no set"),
        ("Set A 3\n", "no move"),
        ("Set A 3\n Mve x\n", "line 2, column 2: 'Mve'"),
        ("Set A 256\n", "line 1, column 7: '256'"),
        (
            "Name X\nSet A 2\n  Name Y\n",
            "line 3, column 3: there is a name already",
        ),
        (
            "Set A 2 2\nSolved\nA\n1 2\n? 0\nEnd\nSolved\nA\n2 1\nEnd\n",
            "line 7, column 1: every solved state has '?'",
        ),
        (
            "Set A 2\n# a\0b\n",
            "line 2, column 4: a control character, \\u{0}",
        ),
        ("Set A 3 1 1\n", "line 1, column 1: a set is written"),
        ("Set A 2\nSet A 2\n", "line 2, column 5: there is a set"),
        (
            "Set A 3\nMove a\nA\n1 2\nEnd\n",
            "line 4, column 1: it takes 3 numbers",
        ),
        (
            "Set A 3\nMove a\nA\n1 2 2\nEnd\n",
            "line 4, column 5: place 2 comes twice",
        ),
        (
            "Set A 3\nMove a\nA\n1 2 4\nEnd\n",
            "line 4, column 5: '4' is out of range",
        ),
        (
            "Set A 3 2\nMove a\nA\n1 3 2\n0 2 0\nEnd\n",
            "line 5, column 3: '2'",
        ),
        (
            "Set A 3\nMove a\nB\n1 3 2\nEnd\n",
            "line 3, column 1: 'B' is no set",
        ),
        (
            "Set A 3\nMove a\nA\n1 3 2\n",
            "line 2, column 1: there is no 'End'",
        ),
        (
            "Set A 3\nMove x!\nA\n1 3 2\nEnd\n",
            "line 2, column 6: 'x!' is no name",
        ),
        (
            "Set A 30\nMove a\nEnd\nSet B 2\n",
            "line 4, column 1: sets come before",
        ),
        (
            "Set A 24 2\nMove a\nA\n2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 1\n\
             1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nEnd\n",
            "states, more than a key of 64 bits",
        ),
        (
            "Set A 3\nForbiddenPairs\nx x\nEnd\n",
            "line 2, column 1: 'ForbiddenPairs' of ksolve is not supported",
        ),
        (
            "Set A 2\nIllegal A 1 2\n Illegal A 2 1 2\nMove a\nA\n2 1\nEnd\n",
            "line 3, column 2: a solved state has one of the pieces there",
        ),
        (
            "Set A 3\nMoveSequence b a z\nMove a\nA\n2 3 1\nEnd\n",
            "line 2, column 14: 'z' is no move",
        ),
        (
            "Set A 3\nMove Rv\nA\n2 3 1\nEnd\n",
            "no move: all names are those of rotations",
        ),
        (
            "Set A 3 2\nSolved\nA\n1 1 2\n0 ? 0\nEnd\n",
            "line 3, column 1: piece 1 has a turn on one place and '?' on another",
        ),
        (
            "{\"orbits\": [],\n \"moves\": {]",
            "line 2, column 12: ']' is no JSON here",
        ),
        ("{\"orbits\": 3}", "line 1, column 12: a list"),
        (
            "Set A 4\nMove a\nA\n2 3 4 1\nEnd\nMove a2\nA\n2 1 3 4\nEnd\n",
            "two different moves are written 'a2'",
        ),
        (
            "Set A 3\nMove a\nA\n2 3 1\nEnd\nMove a'\nA\n2 1 3\nEnd\n",
            "two different moves are written 'a\\''",
        ),
    ] {
        let refused = defined::<Rules>(text).expect_err(text);
        assert!(refused.0.contains(word), "{refused}");
    }
    // Each member that is misspelt, unknown or there twice would make another puzzle.
    let whole = r#"{"name":"t","orbits":[{"orbitName":"P","numPieces":3,"numOrientations":2}],
"defaultPattern":{"P":{"pieces":[0,1,2],"orientation":[0,0,0]}},
"moves":{"A":{"P":{"permutation":[1,0,2],"orientationDelta":[1,0,0]}}},"derivedMoves":{"B":"A"}}"#;
    defined::<Rules>(whole).expect("reads");
    let more = whole.replace(r#"{"A":{"P""#, r#"{"A":{"EQUATOR":{"permutation":[0]},"P""#);
    defined::<Rules>(&more).expect("reads");
    for (right, wrong, word) in [
        (
            r#"{"A":{"P""#,
            r#"{"A":{"p""#,
            "'p' is none of the members P",
        ),
        ("orientationDelta", "orientation", "'orientation' is none"),
        (
            r#""orientation":"#,
            r#""orientations":"#,
            "'orientations' is none",
        ),
        (r#"{"P":{"pieces"#, r#"{"p":{},"P":{"pieces"#, "'p' is none"),
        ("numOrient", "numorient", "'numorientations' is none"),
        (
            "derived",
            "experimentalDerived",
            "'experimentalDerivedMoves'",
        ),
        (
            r#""moves":"#,
            r#""moves":{},"moves":"#,
            "'moves' comes twice",
        ),
        (
            r#""permutation":"#,
            r#""permutation":[],"permutation":"#,
            "'permutation' comes twice",
        ),
        (r#"{"A":{"P""#, r#"{"A":{"P":{},"P""#, "'P' comes twice"),
        (r#""B":"A""#, r#""B":"A","B":"A""#, "'B' comes twice"),
    ] {
        let refused = defined::<Rules>(&whole.replacen(right, wrong, 1)).expect_err(wrong);
        assert!(refused.0.contains(word), "{refused}");
        assert!(refused.0.contains("line "), "{refused}");
    }
    let refused = try_open::<Bits>("custom", &[]).err().expect("no file");
    assert!(refused.0.contains("define=FILE"));
    let refused = try_open::<Bits>("skewb", &[("metric", "slice")])
        .err()
        .expect("unknown");
    assert!(refused.0.contains("half or metric=quarter"));
}
