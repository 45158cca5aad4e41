//! Claims that are questions to the engines: their findings, their refusals, and their
//! certificates.

use antipode_reports::json_out::read_record;
use antipode_reports::model::{Certificate, PictureKind, Verdict};

use crate::support::{self, Fresh, Ran, Text, claims, fresh, peg_board, rows, run};

fn certify(puzzle: &str, keys: &str) -> (Fresh, Ran) {
    support::certify(&claims(puzzle, &[("q", keys)]), "--threads 2")
}

/// The certificate of a claim; checks that nothing of the work is left.
fn certificate(puzzle: &str, keys: &str) -> Certificate {
    let (folder, ran) = certify(puzzle, keys);
    let file = folder.join("out/certificates/q.json");
    assert!(!folder.join("out/work").exists());
    read_record(file).unwrap_or_else(|error| panic!("{error}: {}", ran.err))
}

/// The same of a claim about the Donkey.
fn of_donkey(keys: &str) -> Certificate {
    certificate("sliding-block", &format!("instance = \"donkey\"; {keys}"))
}

fn verdict(found: &Certificate) -> (Verdict, &str) {
    (found.claim.verdict, &found.claim.found)
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
    for (most, wanted) in [
        (80, (Verdict::Refuted, "more than 80")),
        (81, (Verdict::Confirmed, "81")),
        (300, (Verdict::Confirmed, "81")),
    ] {
        let found = of_donkey(&format!(
            "kind = \"length\"; engine = \"disk\"; compare = \"at-most\"; claimed = {most}"
        ));
        assert_eq!(verdict(&found), wanted);
        assert!(most != 80 || sizes(&found).len() == 81);
    }
}

/// The same length by every engine, with a path of that many moves and the levels up to it.
#[test]
fn a_length_leaves_its_path_its_levels_and_its_run() {
    let mut tables = Vec::new();
    for engine in ["", "; engine = \"disk\""] {
        let found = of_donkey(&format!("kind = \"length\"; claimed = 81{engine}"));
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
    let keys = r#"kind = "length"; engine = "disk"; max_depth = { quick = 30 }; claimed = 81"#;
    let found = of_donkey(keys);
    assert_eq!(found.claim.verdict, Verdict::NotReached);
    assert_eq!(sizes(&found).len(), 31);
    // A claim that those levels contradict is refuted all the same.
    let found = of_donkey(&keys.replace("81", "30"));
    assert_eq!(found.claim.verdict, Verdict::Refuted);
}

/// Each of the four small squares has two moves: i right by 1 or 2, g down by 1 or around the
/// corner under h, and their mirror images.
#[test]
fn sizes_of_levels_are_held_against_those_claimed() {
    for (claimed, wanted) in [
        ("1, 8", (Verdict::Confirmed, "1, 8")),
        ("1, 7", (Verdict::Refuted, "1, 8")),
    ] {
        let found = of_donkey(&format!(
            "kind = \"levels\"; levels = [0, 1]; max_depth = 1; claimed = \"{claimed}\""
        ));
        assert_eq!(verdict(&found), wanted);
    }
}

#[test]
fn what_is_out_of_reach_is_refuted_by_a_path_and_shown_by_a_proof() {
    let of = |from: &str| {
        let keys = format!(
            "kind = \"unreachable\"; engine = \"dfs\"; instance = \"diamond-41\"; settings = {{ from = \"{from}\", to = \"any\" }}"
        );
        certificate("peg-solitaire", &keys)
    };
    let centre = of("0:0");
    assert_eq!(centre.claim.verdict, Verdict::Confirmed);
    let proof = centre.cases[0].proof.as_ref().unwrap();
    antipode_peg_solitaire::proof::check::check(proof).unwrap();
    assert_eq!(verdict(&of("-1:3")), (Verdict::Refuted, "39 moves"));
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
        "kind = \"solvable\"; engine = \"dfs\"; instances = [{}]",
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
    let folder = fresh();
    let rows = "..ooo..\n..ooo..\nooooooo\nooo.ooo\nooooooo\n..ooo..\n..ooo..\n";
    let lines = [
        "verify --max-depth 2",
        "solve --max-states 10",
        "analyse --max-depth 2",
        "plan --states 10",
        "explore --format text --limit 2",
    ];
    let small = "ooo\nooo\nooo";
    // The checks of `verify` take half a minute on the first.
    for (rows, read, lines) in [
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
        let board = format!("board={}", peg_board(&folder, rows));
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
    let of = |keys: &str| of_donkey(&format!("kind = \"count\"; engine = \"hash\"; {keys}")).claim;
    let back = of("count = \"levels_back\"; claimed = 1");
    assert!(back.notes[0].contains("94,302 moves"), "{:?}", back.notes);
    let level = "count = \"level_20_states\"; claimed = 0";
    for (verdict, keys) in [
        (
            Verdict::Confirmed,
            "count = \"reachable_states\"; claimed = 25955",
        ),
        (Verdict::Confirmed, "count = \"levels_back\"; claimed = 1"),
        (
            Verdict::NotReached,
            "count = \"reachable_states\"; max_depth = 5; claimed = 25955",
        ),
        // A level beyond the searched ones is not empty.
        (
            Verdict::NotReached,
            &format!("{level}; max_depth = {{ quick = 5, full = 20 }}"),
        ),
    ] {
        assert_eq!(of(keys).verdict, verdict, "{keys}");
    }
}

/// Moves that cannot be undone: some lead from boards that can be solved to others.
#[test]
fn moves_into_dead_ends_are_counted() {
    let keys = r#"kind = "count"; count = "moves_to_unsolvable"; direction = "backward"; instance = "thesis"; claimed = 0"#;
    let found = certificate("tilt", keys).claim;
    assert_eq!(found.verdict, Verdict::Refuted);
    assert!(found.found.parse::<u64>().unwrap() > 0);
}

/// Reached states need not be solvable, level 0 is the start, and a level beyond the searched ones
/// is never reached.
#[test]
fn keys_that_cannot_be_read_are_named() {
    for [keys, wanted] in rows(
        r#"kind = "length"; claimed = 81; engine = "meat" | engine = "meat" is not one of reference, hash, dense, disk, sweep, bidirectional, beam, dfs, ida, orbits, cluster
           kind = "length"; claimed = 81; max_depth = -1 | max_depth = -1 is not a whole number
           kind = "length"; claimed = 81; max_depth = { slow = 1 } | max_depth = { … } is not a whole number of at most 65533, or { quick
           kind = "length"; claimed = 81; board = "nowhere" | nowhere
           kind = "levels"; levels = [3, 1]; claimed = "1" | levels = [3, 1] is not two depths
           kind = "count"; count = "parts"; direction = "up"; claimed = 1 | direction = "up" is not one of forward, backward
           kind = "count"; count = "level_20_states"; max_depth = 5; claimed = 0 | never reaches the level
           kind = "count"; count = "solvable_states"; engine = "hash"; claimed = 1 | count reachable_states
           kind = "count"; count = "solved_states"; engine = "hash"; claimed = 1 | count reachable_states
           kind = "count"; count = "max_depth"; board = "rubbish"; claimed = 1 | board
           kind = "lengths"; table = "a,b,1"; budget = 0 | budget = 0 is not a whole number from 1
           kind = "lengths"; table = "a,b,1"; refuted = 3 | refuted = 3 is not a list"#,
    ) {
        let keys = format!("instance = \"donkey\"; {keys}");
        let said = certify("sliding-block", &keys).1.ended(2).err;
        said.has([wanted, "my.toml, "]);
    }
}
