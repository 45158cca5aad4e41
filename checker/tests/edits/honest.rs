//! Unmodified folders from `certify`: kinds of claims by puzzles by forms. Nothing in them is
//! rejected, and complete counts are counted again.

use antipode_checker::checker::Checker;
use antipode_checker::folder::{Files, check_files};
use antipode_checker::rules::{Settings, boards, open};
use antipode_checker::shown::{Shown, Stop, is_wrong};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::files::{certify, claims, is_certificate, listed, sealed};
use crate::forged::forge;

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

/// Questions without an answer, or with one from no search.
const EDGES: &str = include_str!("edges.txt");

pub const VERDICTS: &str = "confirmed confirmed-by-sample refuted refuted-by-sample reported";

/// A file of some claims of a puzzle.
fn file(puzzle: &str, claims: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let claims = (0..).zip(claims);
    let claims = claims.map(|(i, lines): (u32, _)| claim(&format!("e{i}"), lines.as_ref()));
    format!("puzzle = '{puzzle}'\n{}", claims.collect::<String>())
}

/// Folders of these, one per puzzle.
pub fn edges() -> impl Iterator<Item = Files> {
    let edges = claims(EDGES).into_iter();
    edges.map(|(puzzle, claims)| certify(&file(puzzle, claims)))
}

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

/// The claims of `honest.txt`: tables of kind `lengths`, values and keys written in other ways, lights
/// of several states, a press that switches a row and a column. The first id of a file occurs twice.
fn written() -> impl Iterator<Item = String> {
    let written = claims(include_str!("honest.txt")).into_iter();
    written.map(|(puzzle, claims)| file(puzzle, claims) + &claim("e0", "kind = 'length'"))
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
    let texts = INSTANCES.map(counts).into_iter().chain(written());
    let texts: Vec<String> = texts.chain(forms()).collect();
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
    let mut said = json!({ "verdict": verdict });
    if value["rows"].is_array() {
        said["/rows/0/verdict"] = verdict.into();
        said["found"] = format!("1 {}", verdict.replace('-', " ")).into();
    }
    let mut other = value.clone();
    forge(&mut other, &said.to_string()).unwrap();
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
    let all: usize = claims(EDGES).iter().map(|(_, claims)| claims.len()).sum();
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
    let files = certify(&file(puzzle, &claims));
    let certificates = files.keys().filter(is_certificate);
    assert_eq!(certificates.count(), claims.len(), "{puzzle}");
    let mut report = outcomes(&files);
    report.retain(|one| one.1 != Ok(vec![]));
    assert!(report.is_empty(), "{puzzle}: {report:?}");
}

#[test]
fn a_folder_is_of_one_effort() {
    let count = "kind = 'count'\ninstance = '3-3'\ncount = 'total_states'\nclaimed = 27";
    let mut files = certify(&file("hanoi", [count, count]));
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
