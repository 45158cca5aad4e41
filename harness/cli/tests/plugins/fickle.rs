//! Libraries whose answers are no function of the state: no verdict rests on them.

use std::path::{Path, PathBuf};

use crate::make::{c, on};
use crate::support::Text;

/// The ways in which a library's answers can vary.
const WHEN: [(&str, &str); 7] = [
    ("batch", "count > 1"),
    ("place", "i > 0"),
    ("thread", "on_main()"),
    ("threads", "!on_main()"),
    ("order", "before != 0"),
    ("repetition", "asked > 1"),
    ("handle", "*(const long *)handle > 1"),
];

fn track(name: &str, lie: &str, when: &str, more: &[&str]) -> PathBuf {
    let (lie, when) = (format!("-DLIE=\"{lie}\""), format!("-DWHEN=({when})"));
    let mut arguments = vec!["-std=gnu11", "-O1", &lie, &when];
    arguments.extend(more);
    let source = "harness/cli/tests/faulty_plugins/fickle.c";
    c(source, &arguments, &format!("track_{name}.so"))
}

const SOLVE: &str = "solve track/a --board 120";

/// Whether a run states nothing that is not so: a difference is found, or the library never lied.
fn is_sound(library: &Path, line: &str, right: &str) -> bool {
    let ran = on(library, line);
    if ran.code != 3 {
        ran.ended(0).out.has([right]);
        return false;
    }
    true
}

/// Each function lies along some of the dimensions, each of which is tried; or along all of them.
fn lies(functions: &[&'static str], all: bool) -> Vec<(&'static str, &'static str, &'static str)> {
    let each = functions.iter().enumerate().flat_map(|(at, &lie)| {
        let when = WHEN.iter().enumerate();
        let tried = when.filter(move |(number, _)| all || number % functions.len() == at);
        tried.map(move |(_, &(name, when))| (lie, name, when))
    });
    each.collect()
}

fn no_verdict(all: bool) {
    let functions = ["successors", "predecessors", "is_solved", "place", "unrank"];
    for (lie, name, when) in lies(&functions, all) {
        let library = track(&format!("{lie}_{name}"), lie, when, &[]);
        let found = is_sound(&library, SOLVE, "solved in 81 moves")
            | is_sound(&library, "verify track/a", "a proof, given the rules")
            | is_sound(&library, "test-plugin", "no check failed");
        assert!(found, "{lie} lies by {name}, and nothing says so");
    }
}

#[test]
fn what_answers_otherwise_the_second_time_carries_no_verdict() {
    no_verdict(false);
}

#[test]
#[ignore = "every function along every dimension: a CPU-minute; CI_FULL=1 .ci/run"]
fn whatever_answers_otherwise_the_second_time_carries_no_verdict() {
    no_verdict(true);
}

/// Functions that few libraries have, by the engines that ask for them.
fn no_false_table(all: bool) {
    let more = ["-DMORE"];
    let engines = ["hash", "dense --table two-bits", "sweep"];
    let analyse = |library: &Path, engine: &str| {
        let ran = on(library, &format!("analyse track/a --engine {engine}"));
        let table = ran
            .out
            .lines()
            .take_while(|line| !line.contains("core-second"));
        (ran.code, table.collect::<Vec<_>>().join("\n"), ran.err)
    };
    let honest = track("more_honest", "nothing", "1", &more);
    let right = engines.map(|engine| analyse(&honest, engine));
    for (code, table, error) in &right {
        assert_eq!(*code, 0, "{error}");
        table.has([" 81 ", "none was wrong"]);
    }
    for (lie, name, when) in lies(&["canonical", "neighbour_ranks", "sweep"], all) {
        let library = track(&format!("more_{lie}_{name}"), lie, when, &more);
        let mut found = on(&library, "test-plugin").code == 3;
        for (engine, (_, table, _)) in engines.iter().zip(&right) {
            match analyse(&library, engine) {
                (0, said, _) => assert_eq!(said, *table, "{lie} by {name}, {engine}"),
                (3, ..) => found = true,
                (code, said, error) => panic!("{lie} by {name}: {code}: {said}\n{error}"),
            }
        }
        let is_asked_once = lie == "sweep" && !["threads", "handle"].contains(&name);
        assert!(
            found || is_asked_once,
            "{lie} lies by {name}, and nothing says so"
        );
    }
}

#[test]
fn functions_that_few_libraries_have_carry_no_false_table() {
    no_false_table(false);
}

#[test]
#[ignore = "every function along every dimension: a CPU-minute; CI_FULL=1 .ci/run"]
fn no_function_that_few_libraries_have_carries_a_false_table() {
    no_false_table(true);
}

#[test]
fn a_difference_names_the_state_and_both_answers() {
    // Without roots no check runs when it is loaded.
    let library = track("named", "successors", "before != 0", &["-DREQUIRED_ONLY"]);
    let ran = on(&library, SOLVE).in_a_line(3);
    ran.err.has([
        "successors of 60 gave 1 state in this run and 2 states (one of them 20) when asked again",
    ]);
}

#[test]
fn an_honest_library_keeps_its_verdicts() {
    let library = track("honest", "nothing", "1", &[]);
    on(&library, SOLVE).ended(0).out.has(["solved in 81 moves"]);
    let out = on(&library, "verify track/a").ended(0).out;
    let text = out.split_whitespace().collect::<Vec<_>>().join(" ");
    text.has(["was asked again in a new process"]);
    for effort in ["quick", "full"] {
        on(&library, &format!("verify track/a --effort {effort}")).ended(0);
    }
    on(&library, "test-plugin").ended(0);
}

/// The members that the header calls required are enough: the board that the user names is checked.
#[test]
fn a_library_with_required_members_only_is_taken() {
    let library = track("required", "nothing", "1", &["-DREQUIRED_ONLY"]);
    for (line, code, said) in [
        (SOLVE, 0, "solved in 81 moves"),
        ("analyse track/a --from 30", 0, ""),
        ("list track", 0, ""),
        ("test-plugin --board 120", 0, "all 121 states within reach"),
        ("test-plugin", 4, "name one with --board"),
    ] {
        on(&library, line).ended(code).out.has([said]);
    }
}
