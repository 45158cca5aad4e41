//! Claims that are questions to the engines: their findings, their refusals, and their
//! certificates.

use antipode_reports::json_out::read_record;
use antipode_reports::model::{Certificate, PictureKind, Verdict};

use crate::support::{self, claims, fresh, peg_board, run};

/// The certificate of a claim; checks that nothing of the work is left.
fn certificate(puzzle: &str, keys: &str) -> Certificate {
    let (folder, ran) = support::certify(&claims(puzzle, &[("q", keys)]), "--threads 2");
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
    let levels = &certificate.level_tables().next().unwrap().1.levels;
    levels.iter().map(|level| level.states).collect()
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
        let run = found
            .cases
            .iter()
            .find_map(|case| case.run.as_ref())
            .unwrap();
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
    let drawings = antipode_peg_solitaire::DRAWINGS.iter();
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
    // The checks of `verify` take half a minute on the first.
    for (rows, read, lines) in [
        (
            rows,
            "read as 49 cells: 48 o (peg), 1 . (empty hole)",
            &["solve --max-states 10", "plan --states 10"][..],
        ),
        (
            "ooo\nooo\nooo",
            "read as 9 cells: 8 o (peg), 1 . (empty hole)",
            &[
                "verify --max-depth 2",
                "analyse --max-depth 2",
                "explore --format text --limit 2",
            ],
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
