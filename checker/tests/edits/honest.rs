//! Unmodified folders from `certify`: kinds of claims by puzzles by forms. Nothing in them is
//! rejected, and complete counts are counted again.

use std::fmt::Write;

use antipode_checker::checker::Checker;
use antipode_checker::folder::{Files, check_files};
use antipode_checker::rules::{Settings, boards, open};
use antipode_checker::shown::{Shown, Stop, is_wrong};
use rayon::prelude::*;
use serde_json::Value;

use crate::files::{certify, is_certificate, listed, sealed};

/// Small instances, and a state of each to start from.
const INSTANCES: [(&str, &str, &str); 9] = [
    ("lights-out", "2x3", "on"),
    ("pancake", "burnt-3", "312"),
    ("hanoi", "3-3", "321/.../..."),
    ("sliding-tile", "2x3", "1.2/453"),
    ("tilt", "card-7", ""),
    ("rush-hour", "card-1", ""),
    ("unit-rush-hour", "2x3", ""),
    ("simple-block", "2x3-n1", ""),
    ("peg-solitaire", "english-33", ""),
];

const COUNTS: &str = "max_depth total_states unsolvable_orbits reachable_states solved_states \
    antipodes_orbits level_1_states pruned moves_to_unsolvable levels_back moves_wasted";

/// Keys that go with a count; those of the last rows are for any size.
const FORMS: [&str; 8] = [
    "",
    "direction = \"backward\"",
    "direction = \"forward\"",
    "direction = \"backward\"\nengine = \"reference\"",
    "direction = \"backward\"\nmax_depth = 0x40",
    "direction = \"forward\"\nmax_depth = 2",
    "direction = \"backward\"\nmax_depth = 2",
    "levels = [1, 2]",
];

/// The claims of `edges.toml` by puzzle, each puzzle's after its name.
fn edges_by_puzzle() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let puzzles = include_str!("edges.toml").split("\npuzzle = \"").skip(1);
    puzzles.map(|text| {
        let mut claims = text.split("\n[[claim]]\n");
        let puzzle = claims.next().unwrap_or_default().trim_end();
        (puzzle.trim_end_matches('"'), claims.collect())
    })
}

pub const VERDICTS: &str = "confirmed confirmed-by-sample refuted refuted-by-sample reported";

/// The files of some claims of a puzzle.
fn certified(puzzle: &str, claims: impl IntoIterator<Item = impl AsRef<str>>) -> Files {
    let claims = (0..).zip(claims);
    let claims = claims.map(|(i, lines): (u32, _)| claim(&format!("e{i}"), lines.as_ref()));
    let claims: String = claims.collect();
    certify(&format!("puzzle = '{puzzle}'\n{claims}"))
}

/// Folders of these, one per puzzle.
pub fn edges() -> impl Iterator<Item = Files> {
    edges_by_puzzle().map(|(puzzle, claims)| certified(puzzle, claims))
}

/// The same value or key, written in other ways.
const WRITTEN: [&str; 8] = [
    "board = \" on \"",
    "'board' = 'on'",
    "board = \"\"\"\non\"\"\"",
    "board = \"on\"\nmax_depth = 0o11",
    "board = \"on\"\nmax_depth = { 'quick' = 0b1001, full = 9, }",
    "board = \"\"\"\\\n  on\"\"\"",
    "board = \"\\x6fn\"",
    "board = \"on\"\nnote = \"\"\"a \"b\"\"\"\"",
];

/// Lines of a claim.
pub fn claim(id: &str, lines: &str) -> String {
    let head = "source = \"none\"\nstatement = \"s\"\nexpect = \"reported\"";
    format!("\n[[claim]]\nid = \"{id}\"\n{head}\n{lines}\n")
}

/// All counts of an instance in all forms, in one file: neighbours share their searches.
fn counts((puzzle, instance, board): (&str, &str, &str)) -> String {
    let mut text = format!("puzzle = \"{puzzle}\"\n");
    let least = if puzzle == "peg-solitaire" { 5 } else { 0 };
    let start = format!("board = \"{board}\"");
    let forms = FORMS.iter().skip(least).copied();
    let forms = forms.chain((!board.is_empty()).then_some(start.as_str()));
    for (i, form) in forms.enumerate() {
        for count in COUNTS.split(' ') {
            let id = format!("c{i}-{}", count.replace('_', "-"));
            let lines = format!(
                "kind = \"count\"\ninstance = \"{instance}\"\ncount = \"{count}\"\n\
                 claimed = 3\ncompare = \"report\"\n{form}"
            );
            text += &claim(&id, &lines);
        }
    }
    text
}

/// Tables of kind `lengths`: of puzzles without a font, of one move and of a thousand.
const LENGTHS: &str = "\
hanoi 3-3!start,goal,7
pancake plain-4!sorted,2134,1!2134,sorted,1
lights-out 2x3!on,.../...,1000
lights-out 4x4!o.../..../..../....,..../..../..../....,4
rush-hour card-1!9 ooDoBBooDoooAADoooCCCooEoooooEoooooE 77,ooDBBo/ooDooo/AADooo/CCCooE/oooooE/oooooE,1
coin-sliding 5x7!V,Y,1
coin-sliding 5x7!V,Y,1000";

fn lengths() -> impl Iterator<Item = String> {
    LENGTHS.lines().map(|line| {
        let (of, rows) = line.split_once('!').unwrap();
        let ((puzzle, instance), rows) = (of.split_once(' ').unwrap(), rows.replace('!', "\n"));
        let table = format!("table = \"\"\"\r\n{rows}\n\"\"\"");
        let lines = format!("kind = 'lengths'\ninstance = '{instance}'\n{table}");
        format!("puzzle = '{puzzle}'\n{}", claim("pairs", &lines))
    })
}

/// Claims of Lights Out, written in all ways; the first occurs twice.
fn written() -> String {
    let mut text = "puzzle = \"lights-out\"\n".to_owned();
    for (i, form) in WRITTEN.iter().enumerate() {
        let lines = format!("kind = \"length\"\ninstance = \"3x3\"\nclaimed = 5\n{form}");
        text += &claim(&format!("w{i}"), &lines);
    }
    write!(text, "{}", &claim("w0", "kind = \"length\"")).unwrap();
    text
}

/// Lights of several states, and a press that switches a row and a column.
fn quiet() -> String {
    let mut text = "puzzle = \"lights-out\"\n".to_owned();
    for (states, torus, side) in [(3, false, 5), (5, true, 6), (7, false, 4), (7, true, 8)] {
        let given = format!("side = \"{side}\", states = \"{states}\", torus = \"{torus}\"");
        let figure = "kind = 'derived'\nderive = 'quiet'\ncompare = 'report'\nclaimed = 0";
        let lines = format!("{figure}\nparameters = {{ {given} }}");
        text += &claim(&format!("q{states}-{side}"), &lines);
    }
    let around = "settings = { pattern = \"..1../..1../11111/..1../..1..\" }";
    for (id, board, kind) in [
        ("impossible", "oo./o../...", "kind = \"unreachable\""),
        ("length", "o.o/.../o.o", "kind = \"length\"\nclaimed = 4"),
    ] {
        let lines = format!("{kind}\ninstance = \"3x3\"\nboard = \"{board}\"\n{around}");
        text += &claim(id, &lines);
    }
    text
}

/// Boards in the forms that puzzles read: puzzle, instance, settings and boards, with `!` between.
const BOARDS: &str = "\
rush-hour!card-1!!card-1!9 ooDoBBooDoooAADoooCCCooEoooooEoooooE 77!9 card-1 77! 9 card-1
rush-hour!custom!board = ' 9 card-1 77'!card-1
rush-hour!custom!board = 'BBoC/AAxC/D.../D.EE'!BBoC/AAxC/D.../D.EE!cc.q/AA#q/zooo/zoyy
rush-hour!card-1!metric = ' step '!9 ooDoBBooDoooAADoooCCCooEoooooEoooooE 77
unit-rush-hour!custom!board = ' tromp-4x4 '!tromp-4x4
unit-rush-hour!custom!board = ' A.|| '! A.|| !A./||
unit-rush-hour!custom!board = '|=|/A.='!|=|/A.-!|-|/A.=
simple-block!2x2-n2!!A..B! A./.B !A./.z
simple-block!custom!board = ' A..B '!A..B
sliding-block!donkey!metric = ' step '!zaay/zaay/dffe/dghe/i..j
sliding-tile!3x3!empty = ' 1 , 1 '!goal!123/456/7.8
lights-out!2x3!states = '2', torus = 'false'!on
pancake!burnt-3!!sorted! sorted ! -312 
hanoi!3-3!!start! goal !32./1../...
coin-sliding!5x7!from = '/, A'!/! slash !A
peg-solitaire!english-33!!ooo/ ooo /ooooooo/ ooo.ooo/ooooooo/  ooo/ooo!0: 0! d4 ; d2 != d4!centre
peg-solitaire!english-33!to = ' any '! =0:-1; d2
peg-solitaire!triangle-15!!o/o o/o o o/o o . o/o o o o o!0:0!centre!=5; 6
permutation!pocket-cube!!12345678 / 00000000!RUF![R: U2]!R\u{2019} U\u{b4}
permutation!pocket-cube!metric = ' quarter'!(R U)2 R2'![R, U]!R'2 (U)'!(R U2)3'!R3 U3
permutation!pocket-cube!symmetry = 'off '!solved
tilt!box!grey = '0..6', green = ' 0..2 '!thesis! card-1 ";

/// Claims that boards lead to themselves in no move.
fn forms() -> impl Iterator<Item = String> {
    BOARDS.lines().map(|line| {
        let mut words = line.split('!');
        let [puzzle, instance, settings] = [(); 3].map(|()| words.next().unwrap());
        let asked = |(i, board): (usize, &str)| {
            let lines = format!(
                "kind = \"length\"\ninstance = \"{instance}\"\nsettings = {{ {settings} }}\n\
                 board = \"{board}\"\nto = \"{board}\"\nclaimed = 0"
            );
            claim(&format!("board{i}"), &lines)
        };
        let claims: String = words.enumerate().map(asked).collect();
        format!("puzzle = \"{puzzle}\"\n{claims}")
    })
}

fn outcomes(files: &Files) -> Vec<(String, Shown)> {
    check_files(files, &Checker::new(24, 1)).unwrap()
}

#[test]
fn no_honest_folder_is_rejected() {
    let texts = INSTANCES.map(counts).into_iter().chain(lengths());
    let texts: Vec<String> = texts.chain([written(), quiet()]).chain(forms()).collect();
    let faults: Vec<String> = texts
        .par_iter()
        .flat_map(|text| {
            let puzzle = text.lines().next().unwrap_or_default();
            let report = outcomes(&certify(text));
            assert!(report.len() > 4, "{puzzle}: {report:?}");
            let wrong = |outcome: &Shown| match outcome {
                Err(Stop::Wrong(_)) => true,
                // Whole results are searched again.
                Err(Stop::Unknown(why)) => !why.contains("from a board"),
                _ => false,
            };
            let wrong = report.into_iter().filter(|one| wrong(&one.1));
            wrong
                .map(|one| format!("{puzzle}: {one:?}"))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
}

/// The text of a certificate of one reading with another verdict.
pub fn with_verdict(value: &Value, verdict: &str) -> String {
    let mut other = value.clone();
    other["claim"]["verdict"] = verdict.into();
    other["cases"][0]["verdict"] = verdict.into();
    if value["rows"].is_array() {
        other["rows"][0]["verdict"] = verdict.into();
        let found = format!("1 {}", verdict.replace('-', " "));
        other["claim"]["found"] = found.as_str().into();
        other["cases"][0]["found"] = found.into();
    }
    String::from_utf8(sealed(&other)).unwrap()
}

/// The certificates of these are accepted, completely except for samples, and none of them shows
/// another verdict.
#[test]
fn questions_at_the_edge_have_one_answer() {
    let checker = Checker::new(24, 1);
    let (mut read, mut forged) = (0, 0);
    for files in edges() {
        for (name, outcome) in check_files(&files, &checker).unwrap() {
            assert!(outcome.is_ok(), "{name}: {outcome:?}");
        }
        for (path, bytes) in files.iter().filter(|(path, _)| is_certificate(path)) {
            let value: Value = serde_json::from_slice(bytes).unwrap();
            read += 1;
            for verdict in VERDICTS.split(' ') {
                let (own, of_table) = (&value["claim"]["verdict"], value["rows"].is_array());
                // Whether the sides of a pair were compared in whole is not known here.
                if own == verdict || of_table && verdict == "refuted" {
                    continue;
                }
                let outcome = checker.certificate(&with_verdict(&value, verdict), None);
                let rejected = is_wrong(&outcome);
                assert!(rejected, "{path}: {verdict} for {own}: {outcome:?}");
                forged += 1;
            }
        }
    }
    let all: usize = edges_by_puzzle().map(|(_, claims)| claims.len()).sum();
    assert_eq!(read, all);
    assert!(forged >= 4 * read, "{forged}");
}

/// The copies of published boards are those of the puzzles: each leads to itself. Permutation
/// puzzles have exactly the puzzle's moves.
#[test]
fn boards_are_those_of_the_puzzles() {
    let tables = "tilt rush-hour unit-rush-hour sliding-block peg-solitaire coin-sliding-5x7 \
        coin-sliding-5x9";
    for table in tables.split(' ') {
        let puzzle = table.split("-5x").next().unwrap();
        let start = ["sliding-block", "peg-solitaire"].contains(&table);
        let claims = boards(table).map(|(name, _)| {
            let instance = table.strip_prefix("coin-sliding-").unwrap_or(name);
            let board = if start { "start" } else { name };
            let ends = format!("board = '{board}'\nto = '{board}'");
            format!("kind = 'length'\ninstance = '{instance}'\n{ends}\nclaimed = 0")
        });
        are_accepted(puzzle, claims.collect());
    }
    let definitions = boards("permutation").flat_map(|(name, text)| {
        let quarter = "settings = { metric = 'quarter' }\nboard = 'solved'";
        let head = format!("instance = '{name}'\n{quarter}");
        let moves = text.split(' ').filter_map(|word| word.split_once(':'));
        let moves = moves.map(|(one, _)| format!("kind = 'length'\nto = '{one}'\npath = '{one}'"));
        let moves = moves.map(|one| format!("{one}\nclaimed = 1"));
        let all = "kind = 'levels'\nlevels = [0, 1]\nclaimed = [1, 1]".to_owned();
        let lines = moves.chain([all]).map(|one| format!("{head}\n{one}"));
        lines.collect::<Vec<_>>()
    });
    are_accepted("permutation", definitions.collect());
    let cube = open("permutation", "pocket-cube", &Settings::new()).unwrap();
    // As on the puzzle's page.
    assert_eq!(cube.key(cube.read("solved").unwrap()), 0xac_9ec4_9860);
}

/// All claims of a puzzle are certified and shown completely.
fn are_accepted(puzzle: &str, claims: Vec<String>) {
    let files = certified(puzzle, &claims);
    let certificates = files.keys().filter(is_certificate);
    assert_eq!(certificates.count(), claims.len(), "{puzzle}");
    let mut report = outcomes(&files);
    report.retain(|one| one.1 != Ok(vec![]));
    assert!(report.is_empty(), "{puzzle}: {report:?}");
}

#[test]
fn a_folder_is_of_one_effort() {
    let mut files = certify(&written());
    let of = |path: &&String| is_certificate(path);
    let path = files.keys().find(of).unwrap().clone();
    let mut value: Value = serde_json::from_slice(&files[&path]).unwrap();
    value["claim"]["effort"] = "full".into();
    files.insert(path, sealed(&value));
    let table = String::from_utf8(files["claims.csv"].clone()).unwrap();
    let table = table.replacen(",quick,", ",full,", 1);
    files.insert("claims.csv".into(), table.into_bytes());
    listed(&mut files);
    let mut report = outcomes(&files);
    report.retain(|one| is_wrong(&one.1));
    assert!(
        report.len() == 1 && report[0].0 == "claims.csv",
        "{report:?}"
    );
}
