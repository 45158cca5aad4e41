//! Claims that are questions to the engines: their findings, their refusals, and their
//! certificates.

use antipode_reports::json_out::read_record;
use antipode_reports::model::{Certificate, PictureKind, Verdict};
use tempfile::TempDir;

use crate::support::{Ran, Text, folder_with, peg_board, run, runs};

/// A claim `q` of a puzzle with the given lines.
fn claim(puzzle: &str, lines: &str) -> String {
    format!(
        "puzzle = \"{puzzle}\"\n\n[[claim]]\nid = \"q\"\nsource = \"none\"\nstatement = \"s\"\n\
         expect = \"confirmed\"\n{lines}\n"
    )
}

fn certify(text: &str) -> (TempDir, Ran) {
    let folder = folder_with("my.toml", text);
    let ran = runs(&folder, "certify --claims my.toml --out out --threads 2");
    (folder, ran)
}

/// The certificate of a claim; checks that nothing of the work is left.
fn certificate(puzzle: &str, lines: &str) -> Certificate {
    let (folder, ran) = certify(&claim(puzzle, lines));
    let file = folder.path().join("out/certificates/q.json");
    assert!(!folder.path().join("out/work").exists());
    read_record(file).unwrap_or_else(|error| panic!("{error}: {}", ran.err))
}

fn refused(puzzle: &str, lines: &str) -> String {
    certify(&claim(puzzle, lines)).1.ended(2).err
}

/// Sizes of the levels in a certificate.
fn sizes(certificate: &Certificate) -> Vec<u128> {
    let levels = &certificate.levels().unwrap().levels;
    levels.iter().map(|level| level.states).collect()
}

/// The Donkey is solved in 81 moves: complete levels exceed a bound of 80, and the goal is met
/// within a bound of 81.
#[test]
fn a_bound_that_complete_levels_pass_is_refuted() {
    let of = |most: u32| {
        let lines = format!(
            "kind = \"length\"\nengine = \"disk\"\ninstance = \"donkey\"\ncompare = \"at-most\"\nclaimed = {most}"
        );
        certificate("sliding-block", &lines)
    };
    let passed = of(80);
    assert_eq!(passed.claim.verdict, Verdict::Refuted);
    assert_eq!(passed.claim.found, "more than 80");
    assert_eq!(sizes(&passed).len(), 81);
    for most in [81, 300] {
        let met = of(most);
        assert_eq!(met.claim.verdict, Verdict::Confirmed);
        assert_eq!(met.claim.found, "81");
    }
}

/// The same length by every engine, with a path of that many moves and the levels up to it.
#[test]
fn a_length_leaves_its_path_its_levels_and_its_run() {
    let mut tables = Vec::new();
    for engine in ["", "engine = \"disk\"\n"] {
        let lines = format!("kind = \"length\"\n{engine}instance = \"donkey\"\nclaimed = 81");
        let found = certificate("sliding-block", &lines);
        assert_eq!(found.claim.verdict, Verdict::Confirmed);
        let PictureKind::Strip { states, labels } = &found.claim.witnesses[0].kind else {
            panic!("no path in {:?}", found.claim.witnesses);
        };
        assert_eq!((states.len(), labels.len()), (82, 81));
        let run = found.run().unwrap();
        assert_eq!(
            (run.instance.as_str(), run.direction.as_str()),
            ("donkey", "forward")
        );
        assert_eq!(sizes(&found).len(), 82);
        tables.push(sizes(&found));
    }
    assert_eq!(tables[0], tables[1]);
}

#[test]
fn a_length_beyond_the_depth_allowed_is_not_reached() {
    let lines = "kind = \"length\"\nengine = \"disk\"\nmax_depth = { quick = 30 }\ninstance = \"donkey\"\nclaimed = 81";
    let found = certificate("sliding-block", lines);
    assert_eq!(found.claim.verdict, Verdict::NotReached);
    assert_eq!(sizes(&found).len(), 31);
    // A claim that those levels contradict is refuted all the same.
    let found = certificate("sliding-block", &lines.replace("81", "30"));
    assert_eq!(found.claim.verdict, Verdict::Refuted);
}

/// Each of the four small squares has two moves: i right by 1 or 2, g down by 1 or around the
/// corner under h, and their mirror images.
#[test]
fn sizes_of_levels_are_held_against_those_claimed() {
    let of = |claimed: &str| {
        let lines = format!(
            "kind = \"levels\"\nlevels = [0, 1]\nmax_depth = 1\ninstance = \"donkey\"\nclaimed = \"{claimed}\""
        );
        certificate("sliding-block", &lines).claim
    };
    assert_eq!(of("1, 8").verdict, Verdict::Confirmed);
    let wrong = of("1, 7");
    assert_eq!(
        (wrong.verdict, wrong.found.as_str()),
        (Verdict::Refuted, "1, 8")
    );
}

#[test]
fn what_is_out_of_reach_is_refuted_by_a_path_and_shown_by_a_proof() {
    let of = |from: &str| {
        let lines = format!(
            "kind = \"unreachable\"\nengine = \"dfs\"\ninstance = \"diamond-41\"\nsettings = {{ from = \"{from}\", to = \"any\" }}"
        );
        certificate("peg-solitaire", &lines)
    };
    let centre = of("0:0");
    assert_eq!(centre.claim.verdict, Verdict::Confirmed);
    let proof = centre.cases[0].proof.as_ref().unwrap();
    antipode_peg_solitaire::proof::check::check(proof).unwrap();
    let solvable = of("-1:3");
    assert_eq!(solvable.claim.verdict, Verdict::Refuted);
    assert_eq!(solvable.claim.found, "39 moves");
}

/// Each named board from its start, except for the largest, which takes longer; the path is
/// replayed on the rulebook before there is a verdict.
#[test]
fn named_peg_boards_can_be_solved() {
    let drawings = antipode_peg_solitaire::board::DRAWINGS.iter();
    let names: Vec<String> = drawings
        .filter(|drawing| drawing.name != "wiegleb-45")
        .map(|drawing| format!("\"{}\"", drawing.name))
        .collect();
    let lines = format!(
        "kind = \"solvable\"\nengine = \"dfs\"\ninstances = [{}]",
        names.join(", ")
    );
    let found = certificate("peg-solitaire", &lines).claim;
    assert_eq!(found.verdict, Verdict::Confirmed, "{found:?}");
    assert_eq!(found.readings.len(), names.len());
    assert_eq!(found.witnesses.len(), names.len());
}

/// An English board drawn with dots outside, which are holes.
#[test]
fn every_subcommand_says_how_a_drawing_was_read() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "..ooo..\n..ooo..\nooooooo\nooo.ooo\nooooooo\n..ooo..\n..ooo..\n";
    let lines = [
        "verify --max-depth 2",
        "solve --max-states 10",
        "analyse --max-depth 2",
        "plan --states 10",
        "explore --format text --limit 2",
    ];
    let small = "ooo\nooo\nooo";
    for (rows, read, lines) in [
        // The checks of `verify` take half a minute here.
        (
            rows,
            "read as 49 cells: 48 o (peg), 1 . (empty hole)",
            &lines[1..],
        ),
        (
            small,
            "read as 9 cells: 8 o (peg), 1 . (empty hole)",
            &lines[..],
        ),
    ] {
        let board = format!("board={}", peg_board(folder.path(), rows));
        for line in lines {
            let mut words: Vec<&str> = line.split(' ').collect();
            words.splice(1..1, ["peg-solitaire/custom", "--set", &board]);
            let ran = run(&words);
            let lines: Vec<&str> = ran.err.lines().filter(|one| one.contains(read)).collect();
            assert_eq!(lines, [format!("{board}: {read}")], "{line}: {}", ran.err);
        }
    }
}

/// The whole graph of the Donkey, and the results of its moves.
#[test]
fn figures_of_a_search_are_those_of_its_levels_and_moves() {
    let of = |lines: &str| {
        let lines = format!("kind = \"count\"\ninstance = \"donkey\"\nengine = \"hash\"\n{lines}");
        certificate("sliding-block", &lines).claim
    };
    let all = of("count = \"reachable_states\"\nclaimed = 25955");
    assert_eq!(all.verdict, Verdict::Confirmed);
    let back = of("count = \"levels_back\"\nclaimed = 1");
    assert_eq!(back.verdict, Verdict::Confirmed);
    assert!(back.notes[0].contains("94,302 moves"), "{:?}", back.notes);
    let part = of("count = \"reachable_states\"\nmax_depth = 5\nclaimed = 25955");
    assert_eq!(part.verdict, Verdict::NotReached);
    // A level beyond the searched ones is not empty, and is never reached.
    let levels = |depth: &str| {
        format!(
            "kind = \"count\"\ninstance = \"donkey\"\ncount = \"level_20_states\"\nmax_depth = {depth}\nclaimed = 0"
        )
    };
    let beyond = certificate("sliding-block", &levels("{ quick = 5, full = 20 }")).claim;
    assert_eq!(beyond.verdict, Verdict::NotReached);
    assert!(refused("sliding-block", &levels("5")).contains("never reaches the level"));
    // Reached states need not be solvable, and level 0 is the start.
    for figure in ["solvable_states", "solved_states"] {
        let lines = format!(
            "kind = \"count\"\ninstance = \"donkey\"\nengine = \"hash\"\ncount = \"{figure}\"\nclaimed = 1"
        );
        assert!(refused("sliding-block", &lines).contains("count reachable_states"));
    }
    let ignored = "kind = \"count\"\ninstance = \"donkey\"\ncount = \"max_depth\"\nboard = \"rubbish\"\nclaimed = 1";
    assert!(refused("sliding-block", ignored).contains("board"));
}

/// Moves that cannot be undone: some lead from boards that can be solved to others.
#[test]
fn moves_into_dead_ends_are_counted() {
    let lines = "kind = \"count\"\ncount = \"moves_to_unsolvable\"\ndirection = \"backward\"\ninstance = \"thesis\"\nclaimed = 0";
    let found = certificate("tilt", lines).claim;
    assert_eq!(found.verdict, Verdict::Refuted);
    assert!(found.found.parse::<u64>().unwrap() > 0);
}

#[test]
fn keys_that_cannot_be_read_are_named() {
    let length = "kind = \"length\"\ninstance = \"donkey\"\nclaimed = 81\n";
    for (lines, wanted) in [
        (format!("{length}engine = \"meat\""), "engine = \"meat\" is not one of reference, hash, dense, disk, sweep, bidirectional, beam, dfs, ida, orbits, cluster"),
        (format!("{length}max_depth = -1"), "max_depth = -1 is not a whole number"),
        (format!("{length}max_depth = {{ slow = 1 }}"), "max_depth = { … } is not a whole number of at most 65533, or { quick"),
        (format!("{length}board = \"nowhere\""), "nowhere"),
        (
            "kind = \"levels\"\ninstance = \"donkey\"\nlevels = [3, 1]\nclaimed = \"1\"".to_owned(),
            "levels = [3, 1] is not two depths",
        ),
        (
            "kind = \"count\"\ninstance = \"donkey\"\ncount = \"parts\"\ndirection = \"up\"\nclaimed = 1".to_owned(),
            "direction = \"up\" is not one of forward, backward",
        ),
        (
            "kind = \"lengths\"\ninstance = \"donkey\"\ntable = \"a,b,1\"\nrefuted = 3".to_owned(),
            "refuted = 3 is not a list",
        ),
    ] {
        let said = refused("sliding-block", &lines);
        assert!(said.contains(wanted), "{said}");
        said.has(["my.toml, "]);
    }
}
