//! Libraries whose answers are no function of the state: no verdict rests on them.

use std::path::{Path, PathBuf};
use std::process::Output;

use crate::make::{antipode, c, stdout};

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
    c(
        "harness/cli/tests/faulty_plugins/fickle.c",
        &arguments,
        &format!("track_{name}.so"),
    )
}

fn run(library: &Path, arguments: &[&str]) -> Output {
    let mut command = antipode();
    command.args(arguments);
    match arguments[0] {
        "test-plugin" => command.arg(library),
        _ => command.arg("--plugin").arg(library),
    };
    command.output().expect("antipode runs")
}

/// Whether a run states nothing false: a difference is found, or the library never lied.
fn is_sound(library: &Path, arguments: &[&str], right: &str) -> bool {
    let run = run(library, arguments);
    let (out, code) = (String::from_utf8_lossy(&run.stdout), run.status.code());
    let error = String::from_utf8_lossy(&run.stderr);
    match code {
        Some(0) => assert!(out.contains(right), "{arguments:?}: {out}\n{error}"),
        Some(3) => return true,
        _ => panic!("{arguments:?}: {code:?}: {out}\n{error}"),
    }
    false
}

#[test]
fn what_answers_otherwise_the_second_time_carries_no_verdict() {
    for lie in ["successors", "predecessors", "is_solved", "place", "unrank"] {
        for (name, when) in WHEN {
            let library = track(&format!("{lie}_{name}"), lie, when, &[]);
            let solve = ["solve", "track/a", "--board", "120"];
            let verify = ["verify", "track/a"];
            let found = is_sound(&library, &solve, "solved in 81 moves")
                | is_sound(&library, &verify, "a proof, given the rules")
                | is_sound(&library, &["test-plugin"], "no check failed");
            assert!(found, "{lie} lies by {name}, and nothing says so");
        }
    }
}

/// Functions that few libraries have, by the engines that call them.
#[test]
fn functions_that_few_libraries_have_carry_no_false_table() {
    let more = ["-DMORE"];
    let engines = ["hash", "dense --table two-bits", "sweep"];
    let analyse = |library: &Path, engine: &str| {
        let line = format!("analyse track/a --engine {engine}");
        let ran = run(library, &line.split(' ').collect::<Vec<_>>());
        let out = String::from_utf8_lossy(&ran.stdout).into_owned();
        let table = out.lines().take_while(|line| !line.contains("core-second"));
        let error = String::from_utf8_lossy(&ran.stderr).into_owned();
        (
            ran.status.code(),
            table.collect::<Vec<_>>().join("\n"),
            error,
        )
    };
    let honest = track("more_honest", "nothing", "1", &more);
    let right = engines.map(|engine| analyse(&honest, engine));
    for (engine, (code, table, error)) in engines.iter().zip(&right) {
        assert_eq!(*code, Some(0), "{error}");
        let told = table.replace('\n', " ").contains("were not verified");
        assert_eq!(told, *engine == "sweep", "{table}");
        assert!(table.contains(" 81 "), "{table}");
    }
    for lie in ["canonical", "neighbour_ranks", "sweep"] {
        for (name, when) in WHEN {
            let library = track(&format!("more_{lie}_{name}"), lie, when, &more);
            let mut found = run(&library, &["test-plugin"]).status.code() == Some(3);
            for (engine, (_, table, _)) in engines.iter().zip(&right) {
                match analyse(&library, engine) {
                    // Its own sweep is an assertion of the library, which `verify` compares with
                    // the rules.
                    (Some(0), said, _) if lie == "sweep" && said != *table => {
                        let verify = ["verify", "track/a", "--engine", "sweep"];
                        assert_eq!(run(&library, &verify).status.code(), Some(3), "{name}");
                        found = true;
                    }
                    (Some(0), said, _) => assert_eq!(said, *table, "{lie} by {name}, {engine}"),
                    (Some(3), ..) => found = true,
                    (code, said, error) => panic!("{lie} by {name}: {code:?}: {said}\n{error}"),
                }
            }
            let is_asked_once = lie == "sweep" && !["threads", "handle"].contains(&name);
            assert!(
                found || is_asked_once,
                "{lie} lies by {name}, and nothing says so"
            );
        }
    }
}

#[test]
fn a_difference_names_the_state_and_both_answers() {
    // Without roots no check runs when it is loaded.
    let library = track("named", "successors", "before != 0", &["-DREQUIRED_ONLY"]);
    let run = run(&library, &["solve", "track/a", "--board", "120"]);
    let error = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(3), "{error}");
    assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    let line =
        "successors of 60 gave 1 state in this run and 2 states (one of them 20) when asked again";
    assert!(error.contains(line), "{error}");
    assert!(run.stdout.is_empty());
}

#[test]
fn an_honest_library_keeps_its_verdicts() {
    let library = track("honest", "nothing", "1", &[]);
    let out = stdout(&run(&library, &["solve", "track/a", "--board", "120"]), 0);
    assert!(out.contains("solved in 81 moves"), "{out}");
    let out = stdout(&run(&library, &["verify", "track/a"]), 0);
    let text = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("was asked again in a new process"), "{out}");
    for effort in ["quick", "full"] {
        stdout(
            &run(&library, &["verify", "track/a", "--effort", effort]),
            0,
        );
    }
    stdout(&run(&library, &["test-plugin"]), 0);
}

/// The members that the header calls required are enough: the board that the user names is checked.
#[test]
fn a_library_with_required_members_only_is_taken() {
    let library = track("required", "nothing", "1", &["-DREQUIRED_ONLY"]);
    let out = stdout(&run(&library, &["solve", "track/a", "--board", "120"]), 0);
    assert!(out.contains("solved in 81 moves"), "{out}");
    stdout(&run(&library, &["analyse", "track/a", "--from", "30"]), 0);
    stdout(&run(&library, &["list", "track"]), 0);
    let out = stdout(&run(&library, &["test-plugin", "--board", "120"]), 0);
    assert!(out.contains("all 121 states within reach"), "{out}");
    let out = stdout(&run(&library, &["test-plugin"]), 4);
    assert!(out.contains("name one with --board"), "{out}");
}
