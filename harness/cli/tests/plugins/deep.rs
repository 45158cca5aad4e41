//! Deep faults: far from the roots, so that a check of a few boards does not find them when the
//! library is loaded. No command makes a statement about such a library that its rulebook
//! contradicts.

use std::path::{Path, PathBuf};

use crate::make::{c, on_in};
use crate::support::{Ran, Text, folder_with};

const LINE: &str = "harness/cli/tests/faulty_plugins/line.c";

/// A line with faults, selected by the definitions for its source.
fn line(name: &str, defined: &[&str]) -> PathBuf {
    let defined: Vec<String> = defined.iter().map(|what| format!("-D{what}")).collect();
    let mut arguments = vec!["-std=gnu99", "-O1"];
    arguments.extend(defined.iter().map(String::as_str));
    c(LINE, &arguments, &format!("line_{name}.so"))
}

/// Runs the command in a folder of its own, with the library loaded.
fn run(library: &Path, line: &str) -> Ran {
    on_in(tempfile::tempdir().expect("a folder"), library, line)
}

/// Certifies claims about a line, each with its own keys.
fn certify(library: &Path, claims: &[&str]) -> Ran {
    let mut text = "puzzle = \"line\"\n".to_owned();
    for (number, keys) in claims.iter().enumerate() {
        text += &format!(
            "\n[[claim]]\nid = \"c{number}\"\nsource = \"s\"\nstatement = \"t\"\ninstance = \"a\"\nexpect = \"confirmed\"\n{keys}\n"
        );
    }
    let folder = folder_with("c.toml", text);
    on_in(
        folder,
        library,
        "certify --claims c.toml --effort full --out o",
    )
}

/// What a command says of a library that breaks its contract, or that the rulebook contradicts.
fn refused<const N: usize>(ran: Ran, code: i32, said: [&str; N]) {
    let ran = ran.ended(code);
    ran.err.has(said);
    ran.out.lacks(["fewest"]);
}

/// A move of the fast variant leads elsewhere, and its levels are as large as the rulebook's.
#[test]
fn levels_of_the_same_sizes_are_not_yet_the_same_answer() {
    let claims = [
        "kind = \"unreachable\"\nengine = \"disk\"",
        "kind = \"length\"\nengine = \"disk\"\nclaimed = 3\ncompare = \"at-least\"",
    ];
    let ran = certify(&line("junk", &["LIE_JUNK"]), &claims).ended(3);
    ran.out.has(["2 claims: 2 not reached"]);
}

#[test]
fn both_variants_start_from_one_board() {
    let library = line("start", &["LIE_START", "LAYERED"]);
    let claims = [
        "kind = \"solvable\"\nengine = \"dfs\"",
        "kind = \"length\"\nengine = \"disk\"\nclaimed = 3",
    ];
    let ran = certify(&library, &claims).ended(2);
    ran.out.lacks(["confirmed"]);
    refused(run(&library, "solve line/a"), 2, ["starts gives '1000003'"]);
}

#[test]
fn no_move_leads_from_part_to_part() {
    let library = line("parts", &["LIE_PARTS"]);
    let claims = [
        "kind = \"count\"\ncount = \"max_depth\"\nclaimed = 2000",
        "kind = \"count\"\ncount = \"max_depth\"\nclaimed = 2000\ndirection = \"backward\"\nmax_depth = 3000",
    ];
    let ran = certify(&library, &claims).ended(3);
    ran.out.has(["2 claims: 2 not reached"]);
}

/// One part that the rulebook counts as two does not represent all.
#[test]
fn a_variant_without_parts_does_not_stand_for_all_of_them() {
    let library = line("no_parts", &["LIE_PARTS", "FAST_HAS_NO_PARTS"]);
    let claims = [
        "kind = \"count\"\ncount = \"solvable_states\"\nclaimed = 2001",
        "kind = \"count\"\ncount = \"level_5_states\"\nclaimed = 1\ndirection = \"backward\"\nmax_depth = 9",
    ];
    let ran = certify(&library, &claims).ended(2);
    ran.out.lacks(["confirmed"]);
    ran.err.has(["part_count is 1"]);
}

/// Only the rulebook lists the solved states, and no state is drawn to say what others there are.
#[test]
fn solved_states_that_only_the_fast_variant_lists_prove_nothing() {
    let claims = ["kind = \"count\"\ncount = \"solvable_states\"\nclaimed = 1001"];
    let ran = certify(&line("list", &["LIE_LIST", "LAST=1000"]), &claims);
    ran.out.has(["1 claim: 1 not reached"]);
}

/// Moves that change no level, and moves that are listed repeatedly, do not count.
#[test]
fn moves_are_counted_on_the_rulebook() {
    let claims = [
        "kind = \"count\"\ncount = \"levels_back\"\nclaimed = 499",
        "kind = \"count\"\ncount = \"moves_per_new\"\nclaimed = \"2.5\"\ncompare = \"about\"",
        "kind = \"count\"\ncount = \"levels_back\"\nclaimed = 0",
    ];
    let ran = certify(&line("moves", &["LIE_MOVES"]), &claims);
    ran.out.has(["3 claims: 1 confirmed, 2 refuted"]);
}

#[test]
fn what_no_board_is_counts_as_none() {
    let library = line("phantom", &["LIE_PHANTOM", "TO=1000"]);
    let claims = ["kind = \"count\"\ncount = \"total_states\"\nclaimed = 2002"];
    let ran = certify(&library, &claims).ended(3);
    ran.out.has(["1 claim: 1 not reached"]);
}

/// 70,000 and 4,464 are the same number in 16 bits.
#[test]
fn long_solutions_are_not_cut_to_short_ones() {
    let defined = ["LIE_SHORTCUT", "LAST=70000", "FROM=70000", "TO=4463"];
    let library = line("long", &defined);
    for more in ["", "--engine reference --variant fast"] {
        let solved = run(&library, &format!("solve line/a {more}"));
        refused(
            solved,
            3,
            ["70000 moves by variant fast", "4464 moves by its rulebook"],
        );
    }
}

#[test]
fn a_goal_is_what_the_rules_call_solved() {
    let solved = run(&line("goal", &["LIE_GOAL"]), "solve line/a --to x");
    refused(solved, 3, ["500 moves by its rulebook"]);
}

#[test]
fn windows_of_a_path_are_no_proof_by_what_a_library_says() {
    let defined = [
        "LIE_SHORTCUT",
        "LAST=40",
        "FROM=37",
        "TO=1",
        "NOTHING_SOLVED",
    ];
    let path: Vec<String> = (0..=40).rev().map(|board| board.to_string()).collect();
    let folder = folder_with("path.txt", path.join("\n"));
    let improved = on_in(folder, &line("window", &defined), "improve line/a path.txt");
    refused(improved, 3, ["5 moves by its rulebook"]);
}

#[test]
fn a_table_of_distances_is_held_against_the_rulebook() {
    let library = line("table", &["LIE_SHORTCUT"]);
    let shown = run(&library, "explore line/a --board 2000 --format text");
    refused(shown, 3, ["contradicts the rulebook: 1500"]);
}

#[test]
fn pairs_do_not_rest_on_predecessors() {
    let library = line("predecessors", &["LIE_PREDECESSORS"]);
    let pairs = "pairs line/a --from 2000,15 --to 0";
    refused(
        run(&library, pairs),
        2,
        ["predecessors and successors do not agree"],
    );
    let with = run(&library, &format!("{pairs} --radius 5"));
    refused(with, 2, ["--radius 5", "or give 0"]);
}

#[test]
fn all_solutions_by_a_library_are_not_called_checked() {
    let library = line("all", &["LIE_SHORTCUT", "LAYERED"]);
    let found = run(&library, "solve line/a --goal all").ended(4);
    found.out.has(["not checked: "]);
}

#[test]
fn solutions_are_drawn_by_the_rulebook() {
    let library = line("draw", &["LIE_DRAW"]);
    let solved = run(&library, "solve line/a --board 902 --format json").ended(0);
    let (first, second) = (solved.out.find("\"901\""), solved.out.find("\"900\""));
    assert!(first.is_some() && first < second, "{}", &solved.out[..400]);
}
