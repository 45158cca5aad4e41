//! Deep faults: far from the roots, so that a check of a few boards does not find them when the
//! library is loaded. No command makes a statement about such a library that its rulebook
//! contradicts.

use std::fs;
use std::path::{Path, PathBuf};

use crate::make::{c, on_in};
use crate::support::{Ran, Text, claims as claims_of, folder_with, fresh, rows, words};

/// A line with faults, selected by the definitions for its source.
fn line(defined: &str) -> PathBuf {
    let defines: Vec<String> = words(defined)
        .iter()
        .map(|what| format!("-D{what}"))
        .collect();
    let mut arguments = vec!["-std=gnu99", "-O1"];
    arguments.extend(defines.iter().map(String::as_str));
    let name = format!("line_{}.so", defined.replace(' ', "_"));
    c("harness/cli/tests/faulty_plugins/line.c", &arguments, &name)
}

/// Runs the command in a folder of its own, with the library loaded.
fn run(library: &Path, line: &str) -> Ran {
    on_in(fresh(), library, line)
}

/// Faults, an exit code, what is said, and claims about a line that are certified.
///
/// - A move of the fast variant leads elsewhere, and its levels are as large as the rulebook's;
///   what follows from them is neither confirmed nor refuted.
/// - One part that the rulebook counts as two does not represent all.
/// - Only the rulebook lists the solved states, and no state is drawn to say what others there are.
/// - Moves that change no level, and moves that are listed repeatedly, do not count.
/// - What no board is counts as none.
const CLAIMS: &str = r#"
    LIE_JUNK | 3 | 3 claims: 3 not reached | kind = "solvable"; engine = "disk" & kind = "unreachable"; engine = "disk" & kind = "length"; engine = "disk"; claimed = 3; compare = "at-least"
    LIE_START LAYERED | 3 | 2 claims: 2 not reached | kind = "solvable"; engine = "dfs" & kind = "length"; engine = "disk"; claimed = 3
    LIE_PARTS | 3 | 2 claims: 2 not reached | kind = "count"; count = "max_depth"; claimed = 2000 & kind = "count"; count = "max_depth"; claimed = 2000; direction = "backward"; max_depth = 3000
    LIE_PARTS FAST_HAS_NO_PARTS | 3 | part_count is 1 | kind = "count"; count = "solvable_states"; claimed = 2001 & kind = "count"; count = "level_5_states"; claimed = 1; direction = "backward"; max_depth = 9
    LIE_LIST LAST=1000 | 4 | 1 claim: 1 not reached | kind = "count"; count = "solvable_states"; claimed = 1001
    LIE_MOVES | 1 | 3 claims: 1 confirmed, 2 refuted | kind = "count"; count = "levels_back"; claimed = 499 & kind = "count"; count = "moves_per_new"; claimed = "2.5"; compare = "about" & kind = "count"; count = "levels_back"; claimed = 0
    LIE_PHANTOM TO=1000 | 3 | 1 claim: 1 not reached | kind = "count"; count = "total_states"; claimed = 2002
"#;

#[test]
fn no_claim_about_such_a_library_is_confirmed() {
    for [faults, code, said, keys] in rows(CLAIMS) {
        let ids = ["c0", "c1", "c2"].into_iter();
        let keys: Vec<String> = keys
            .split(" & ")
            .map(|keys| format!("instance = \"a\"; {keys}"))
            .collect();
        let all: Vec<_> = ids.zip(keys.iter().map(String::as_str)).collect();
        let folder = folder_with("c.toml", claims_of("line", &all));
        let certify = "certify --claims c.toml --effort full --out o";
        let ran = on_in(folder, &line(faults), certify).ended(code.parse().expect("a code"));
        if code == "2" {
            ran.out.lacks(["confirmed"]);
            ran.err.has([said]);
        } else {
            ran.out.has([said]);
        }
    }
}

/// What a command says of a library that breaks its contract, or that the rulebook contradicts.
fn refused(ran: Ran, code: i32, said: &str) {
    let ran = ran.ended(code);
    ran.err.says(said);
    ran.out.lacks(["fewest"]);
}

/// Faults, a line, an exit code, and what is said, and nothing is left in the folder; 70,000 and 4,464 are the same number in 16 bits.
#[test]
fn no_answer_about_such_a_library_contradicts_its_rulebook() {
    for [faults, asked, code, said] in rows(
        "LIE_START LAYERED | solve line/a | 3 | starts gives '1000003'
         LIE_SHORTCUT LAST=70000 FROM=70000 TO=4463 | solve line/a | 3 | 70,000 moves by variant fast; 4,464 moves by its rulebook
         LIE_SHORTCUT LAST=70000 FROM=70000 TO=4463 | solve line/a --engine reference --variant fast | 3 | 70,000 moves by variant fast; 4,464 moves by its rulebook
         LIE_SHORTCUT LAST=40 FROM=37 TO=1 | solve line/a --engine disk | 3 | its neighbour 1 on the rulebook is in no level up to 4
         LIE_GOAL | solve line/a --to x | 3 | 500 moves by its rulebook
         LIE_SHORTCUT | explore line/a --board 2000 --format text | 3 | contradicts the rulebook: 1500
         LIE_PLACE | rate line/a --board 1500 | 3 | contradicts the rulebook: 1500: lies in another part
         TWO_STARTS | analyse line/a --direction forward | 3 | starts of two parts; all lie in one
         LIE_PREDECESSORS | make line/a --moves 1500 | 3 | contradict the rulebook
         LIE_PREDECESSORS | pairs line/a --from 2000,15 --to 0 | 3 | predecessors and successors do not agree
         LIE_PREDECESSORS | pairs line/a --from 2000,15 --to 0 --radius 5 | 2 | --radius 5; or give 0",
    ) {
        let code = code.parse().expect("a code");
        let folder = fresh();
        refused(on_in(&folder, &line(faults), asked), code, said);
        let left = fs::read_dir(&folder).expect("a folder").count();
        assert_eq!(left, 0, "{faults} {asked}");
    }
}

/// An honest library with two parts is solved in the second as in the first, by every engine, and a
/// board that `place` puts in the wrong one is not called unsolvable.
#[test]
fn goals_of_all_parts_are_goals() {
    for engine in [
        "",
        "--engine beam",
        "--engine dfs",
        "--engine bidirectional",
    ] {
        let solve = format!("solve line/a --board 1000007 {engine}");
        run(&line("PARTS LAYERED"), &solve)
            .ended(0)
            .out
            .has(["7 moves"]);
    }
    let explored = run(
        &line("LIE_PLACE"),
        "explore line/a --board 1500 --format text",
    );
    explored.ended(0).out.has(["1,500 moves from solved"]);
}

/// What is compared with the rulebook is the same in shards and where they are merged.
#[test]
fn shards_of_a_library_are_merged() {
    let (folder, library) = (fresh(), line("PARTS"));
    for shard in [1, 2] {
        let analyse =
            format!("analyse line/a --direction backward --shard {shard}/2 --out s{shard}");
        on_in(&folder, &library, &analyse).ended(0);
    }
    let merged = on_in(&folder, &library, "merge s1 s2 --out all");
    merged.ended(0).out.has(["All 2,012 states"]);
}

#[test]
fn a_disagreement_stands_before_the_lengths() {
    let pairs = "pairs line/a --from 40 --to 0";
    let ran = run(&line("LIE_SHORTCUT LAST=40 FROM=37 TO=1"), pairs).ended(3);
    assert!(
        ran.out.starts_with("OUR DERIVATIONS DISAGREE"),
        "{}",
        ran.out
    );
}

#[test]
fn windows_of_a_path_are_no_proof_by_what_a_library_says() {
    let library = line("LIE_SHORTCUT LAST=40 FROM=37 TO=1 NOTHING_SOLVED");
    let path: Vec<String> = (0..=40).rev().map(|board| board.to_string()).collect();
    let folder = folder_with("path.txt", path.join("\n"));
    let improved = on_in(folder, &library, "improve line/a path.txt");
    refused(improved, 3, "5 moves by its rulebook");
}

#[test]
fn all_solutions_by_a_library_are_not_called_checked() {
    let library = line("LIE_SHORTCUT LAYERED");
    let found = run(&library, "solve line/a --goal all").ended(4);
    found.out.has(["not checked: "]);
}

#[test]
fn solutions_are_drawn_by_the_rulebook() {
    let library = line("LIE_DRAW");
    let solved = run(&library, "solve line/a --board 902 --format json").ended(0);
    let (first, second) = (solved.out.find("\"901\""), solved.out.find("\"900\""));
    assert!(first.is_some() && first < second, "{}", &solved.out[..400]);
}
