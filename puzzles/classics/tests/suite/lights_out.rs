//! Proofs, bounds and quiet patterns against searches, and the forms in which boards are read.

use std::collections::{BTreeMap, BTreeSet};

use antipode_classics::lights_out::algebra::{Fewest, Stairs};
use antipode_classics::lights_out::derive::derive;
use antipode_classics::lights_out::rules::chased;
use antipode_classics::lights_out::{Bits, Rules, placed};
use puzzle_api::optional::*;
use puzzle_api::{Direction, Effort, Puzzle, Request, Settings, Xorshift};

use crate::{refuses, refuses_to_open, rows};

/// Settings, with blanks between them.
fn settings(given: &str) -> Settings {
    let pairs: Vec<_> = given
        .split(' ')
        .filter_map(|pair| pair.split_once('='))
        .collect();
    puzzle_api::settings(&pairs)
}

fn open<P: Puzzle>(instance: &str, given: &str) -> P {
    let settings = &settings(given);
    let opened = P::open(&Request { instance, settings });
    opened.unwrap_or_else(|why| panic!("{why}"))
}

/// Exactly the boards that presses do not reach are refuted, and bounds are distances.
#[test]
fn bounds_are_distances_and_what_is_refuted_is_not_reached() {
    let boards = "2x2 | \n 3x3 | \n 4x4 | \n 2x5 | \n 1x5 | \n 3x3 | torus=true
        2x4 | torus=true\n 3x4 | pattern=o.o/.o./o.o\n 2x3 | states=3\n 3x3 | states=3 torus=true
        2x3 | states=4\n 1x4 | states=6 pattern=121\n 2x2 | states=8 pattern=426
        2x3 | states=6 torus=true\n 3x3 | pattern=.o./.oo/...\n 2x3 | states=4 pattern=2.2";
    for (instance, given) in rows(boards) {
        let (rules, bits): (Rules, Bits) = (open(instance, given), open(instance, given));
        let size = bits.space(0).expect("numbered");
        let (mut reached, mut level) = (BTreeMap::from([(0, 0)]), vec![0]);
        for depth in 1.. {
            let before = bits.neighbours(Want::all(Direction::Backward), &level).keys;
            level = before
                .into_iter()
                .filter(|key| !reached.contains_key(key))
                .collect();
            level.sort_unstable();
            level.dedup();
            reached.extend(level.iter().map(|&key| (key, depth)));
            if level.is_empty() {
                break;
            }
        }
        let fewest = Fewest::new(&rules);
        // Only every 97th of very many states, to save time.
        for rank in (0..size).step_by(if size > 20_000 { 97 } else { 1 }) {
            let key = bits.unrank(Placement { part: 0, rank }).expect("numbered");
            let (state, distance) = (rules.state(key), reached.get(&key).copied());
            assert_eq!(fewest.of(&state), distance, "{instance} {given} {key:x}");
            assert_eq!(
                bits.refute(&key, None).is_none(),
                distance.is_some(),
                "{instance} {given} {key:x}"
            );
            if given.is_empty() {
                assert_eq!(chased(&rules, &state), distance);
            }
        }
    }
}

/// A bound falls by at most one, so it is the distance if some press always lowers it.
#[test]
fn bounds_lead_out_of_boards_with_thousands_of_quiet_patterns() {
    let bits: Bits = open("5x5", "states=3 torus=true");
    let next = |key| bits.neighbours(Want::all(Direction::Forward), &[key]).keys;
    let mut random = Xorshift::for_draw(1, 0);
    for presses in [5, 12, 30] {
        let mut key = bits
            .parse(&[["....."; 5]].concat().join("/"))
            .expect("a board");
        for _ in 0..presses {
            let around = next(key);
            key = around[random.below(around.len() as u64) as usize];
        }
        let mut left = bits.lower_bound(&key);
        // With three states, two more presses undo one.
        assert!((1..=2 * presses).contains(&left), "{presses}: {left}");
        while left > 0 {
            let lower = next(key)
                .into_iter()
                .find(|key| bits.lower_bound(key) < left);
            key = lower.expect("a press");
            left -= 1;
        }
        assert!(bits.is_solved(&key));
    }
}

/// On small boards, by trying all sets of presses.
#[test]
fn quiet_patterns_are_those_found_by_trying() {
    for (height, width) in [(1, 1), (1, 2), (2, 3), (3, 3), (4, 4), (2, 5), (1, 11)] {
        let rules = Rules::plain(height, width, false);
        let all: Vec<Vec<u8>> = (0..1_u64 << rules.lights())
            .map(|key| rules.state(key))
            .collect();
        let quiet = all.into_iter().filter(|presses| {
            let mut lights = vec![0; rules.lights()];
            (0..)
                .zip(presses)
                .for_each(|(light, &times)| rules.press(&mut lights, light, times));
            rules.is_solved(&lights)
        });
        let mut spanned = BTreeSet::from([0]);
        for pattern in Stairs::new(rules.presses(), 2).quiet {
            let more: Vec<u64> = spanned
                .iter()
                .map(|other| other ^ rules.key(&pattern))
                .collect();
            spanned.extend(more);
        }
        assert_eq!(
            spanned,
            quiet.map(|presses| rules.key(&presses)).collect(),
            "{height}x{width}"
        );
    }
}

/// The sets of presses that switch nothing are exactly as many as the sums of the patterns found.
#[test]
fn independent_patterns_are_those_of_a_basis() {
    let boards = [(2, 5), (2, 7), (2, 3), (3, 3), (3, 2)];
    for ((side, states), torus) in boards.into_iter().flat_map(|b| [(b, true), (b, false)]) {
        let rules = Rules {
            states,
            ..Rules::plain(side, side, torus)
        };
        let lights = rules.lights() as u32;
        let presses = |set: u32| (0..lights).map(move |at| set / u32::from(states).pow(at));
        let is_quiet = |set: &u32| {
            let mut all = vec![0; rules.lights()];
            for (at, times) in presses(*set).enumerate() {
                rules.press(&mut all, at, (times % u32::from(states)) as u8);
            }
            rules.is_solved(&all)
        };
        let sets = 0..u32::from(states).pow(lights);
        let basis = Stairs::new(rules.presses(), states).quiet.len() as u32;
        assert_eq!(
            sets.filter(is_quiet).count() as u32,
            u32::from(states).pow(basis),
            "{side} {states} {torus}"
        );
    }
}

#[test]
fn a_proof_shows_its_pattern() {
    let proof = |instance: &str, given: &str, board: &str| {
        let rules: Rules = open(instance, given);
        rules.refute(&rules.parse(board).expect("reads"), None)
    };
    let corner = "o..../...../...../...../.....";
    let found = proof("5x5", "", corner).expect("one light cannot be put out");
    assert!(
        found.contains("\npattern: ") && found.contains(", 1 lies on it"),
        "{found}"
    );
    assert_eq!(proof("5x5", "", "on"), None);
    let found = proof("2x2", "states=3", "1./..").expect("three lights a press");
    assert!(
        found.contains("a multiple of 3") && found.contains("\nweights: "),
        "{found}"
    );
}

#[test]
fn bad_input_is_refused_in_one_line() {
    refuses_to_open::<Bits>(
        "0x3 | ROWSxCOLUMNS
         8x9 | at most 64 lights
         3 | ROWSxCOLUMNS
         3x03 | ROWSxCOLUMNS
         6x6 states=3 | at most 32 lights of 3 states
         3x3 states=9 | 2 to 8
         3x3 torus=yes | true or false
         3x3 pattern=oo | odd numbers
         3x3 pattern=... | odd numbers
         3x3 pattern=2 | 2 is too much
         3x3 pattern=o/oo/o | odd numbers
         3x3 colour=red | states, torus or pattern",
    );
    let table = "ooo | 2 rows\nooo/oo | 3 lights\nooo/ox. | 'x'\no1o/ooo | '1'";
    refuses::<Bits>("2x3", "ooo/ooo", table);
    let bits: Bits = open("1x3", "states=3");
    assert!(bits.parse("o..").is_err() && bits.parse("3..").is_err() && bits.parse("21.").is_ok());
    let (instance, settings) = ("2x2", &settings("states=4"));
    let read = |text: &str| placed(&Request { instance, settings }, text);
    assert_eq!(
        read("3 0 1/0 2 0").map(|read| read.from),
        Ok(Some("3.1/.2.".to_owned()))
    );
    assert!(read("41/11").is_err());
}

/// A board in any form and with any signs is read as itself or refused; with a third sign it is
/// refused.
#[test]
fn boards_are_read_as_they_are_written_or_refused() {
    let settings = &Settings::new();
    let request = Request {
        instance: "3x3",
        settings,
    };
    let read = |text: &str| placed(&request, text);
    let signs = ["oOxX*#1", ".-_0 "];
    let all = |kind: usize| signs[kind].chars();
    let pairs = all(0).flat_map(|on| all(1).map(move |out| (on, out)));
    // Blanks between digits are not lights.
    let pairs: Vec<(char, char)> = pairs.filter(|pair| *pair != ('1', ' ')).collect();
    let mut refused = 0;
    for (size, (height, width)) in [(4, (2, 2)), (6, (2, 3)), (9, (3, 3)), (8, (4, 2))] {
        for (lights, &(on, out)) in
            (0..1_u32 << size).flat_map(|n| pairs.iter().map(move |p| (n, p)))
        {
            let draw = |on: char, out: char, odd: Option<(usize, char)>| -> Vec<String> {
                let sign = |at: usize| match odd {
                    Some((place, sign)) if place == at => sign,
                    _ if lights >> at & 1 == 1 => on,
                    _ => out,
                };
                let row = |row: usize| (row * width..(row + 1) * width).map(sign).collect();
                (0..height).map(row).collect()
            };
            let right = (format!("{height}x{width}"), draw('o', '.', None).join("/"));
            let rows = draw(on, out, None);
            let spaced = |row: &String| row.split("").collect::<Vec<_>>().join(" ");
            let spaced: Vec<String> = rows.iter().map(spaced).collect();
            for text in [rows.join("/"), spaced.join("/")] {
                match read(&text) {
                    _ if out == ' ' && text.len() > size + height => {}
                    Ok(board) => {
                        assert_eq!(
                            (board.instance, board.from),
                            (right.0.clone(), Some(right.1.clone())),
                            "'{text}'"
                        );
                    }
                    Err(why) => {
                        // Refused only if blanks can have two meanings.
                        assert!(
                            text.contains(' ') && why.0.contains("blanks"),
                            "'{text}': {why}"
                        );
                        refused += 1;
                    }
                }
            }
            for (place, kind) in (0..size).map(|at| (at, usize::from(lights >> at & 1 == 0))) {
                let own = if kind == 0 { on } else { out };
                let count = [lights.count_ones(), size as u32 - lights.count_ones()][kind];
                for other in
                    all(kind).filter(|sign| *sign != own && *sign != ' ' && count > 1 && own != ' ')
                {
                    let text = draw(on, out, Some((place, other))).join("/");
                    let why = read(&text).expect_err(&text);
                    assert!(!why.0.contains('\n'), "{why}");
                }
            }
        }
    }
    assert!(refused > 0);
    let table = "XOX/OOO/XOX | 'X' and 'O' would both be lights that are on
        1x0/000/000 | '1' and 'x'
        O.O.O/.X.X./..... | 'O' and 'X'
        o.-/... | '.' and '-' would both be lights that are out
        # #/# # | blanks may be lights that are out
        #  / # /  # | blanks may be lights that are out
        oo//oo | rows differ in length";
    for (text, word) in rows(table) {
        let refused = read(text).expect_err(text).0;
        assert!(
            refused.contains(word) && refused.contains("'/'"),
            "{refused}"
        );
    }
    let (instance, settings) = ("1x3", &self::settings("states=3"));
    for text in ["o..", "12-", "12 /1  ", "1.0", "x00"] {
        assert!(
            placed(&Request { instance, settings }, text).is_err(),
            "{text}"
        );
    }
}

#[test]
fn figures_are_those_of_the_board() {
    let derived = |what: &str, given: &str| derive(what, &settings(given), Effort::Quick);
    let value = |what: &str, given: &str| derived(what, given).expect("reads")[0].value.clone();
    assert_eq!(
        (value("quiet", "side=5"), value("quiet", "side=9")),
        ("2".into(), "8".into())
    );
    assert_eq!(value("quiet", "side=5 torus=true"), "8");
    assert_eq!(value("quiet", "side=5 states=3"), "3");
    assert_eq!(value("quiet-list", "numbers=0,0,0,0,4,2"), "true");
    let wrong = derived("quiet-list", "numbers=0,0,0,0,4,3").expect("reads");
    assert!(wrong[1].value.contains("side 5 has 2"), "{wrong:?}");
    assert!(derived("quiet-list", "numbers=0,x").is_err() && derived("quiet", "side=41").is_err());
}
