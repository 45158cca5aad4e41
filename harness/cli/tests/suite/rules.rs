//! Rulebooks that are programs: the examples and their page, errors of programs, and the comparison
//! of a fast variant with a rulebook in another language.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::support::{
    self, Ran, Text, antipode, arguments, block, blocks, claims, folder_with, fresh, read, root,
    rows, run_in, running, runs, sh, words,
};

fn examples() -> PathBuf {
    root().join("puzzles/examples/rulebooks")
}

/// Whether a language is installed; else the test says that it is skipped.
fn is_there(language: &str, argument: &str) -> bool {
    let output = Command::new(language).arg(argument).output();
    let there = output.is_ok_and(|output| output.status.success());
    if !there {
        // Not eprintln, which is only shown for failing tests.
        let line = format!("SKIPPED a test of rulebooks: no {language}\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
    there
}

/// Python, by the path of the interpreter: a wrapper may take longer to start than a test, and so may
/// the search for packages of others.
static PYTHON: LazyLock<Option<String>> = LazyLock::new(|| {
    if !is_there("python3", "--version") {
        return None;
    }
    let mut python = Command::new("python3");
    let output = python.args(["-c", "import sys; print(sys.executable, '-S')"]);
    let path = output.output().expect("Python").stdout;
    Some(String::from_utf8(path).expect("a path").trim().to_owned())
});

/// Runs a line on a program, among the examples.
fn rules(program: &str, line: &str) -> Ran {
    let args = [arguments(line), vec!["--rules", program]].concat();
    run_in(&examples(), &args)
}

/// The walk on numbers, with a fault.
fn liar(python: &str, fault: &str) -> String {
    let file = root().join("harness/cli/tests/data/liar.py");
    format!("{python} {} {fault}", file.display())
}

/// Runs a table on faulty walks: a fault, an exit code, a line, and what is said, or `~` and what
/// is not.
fn lies(table: &str) {
    let Some(python) = &*PYTHON else { return };
    for [fault, code, line, said] in rows(table) {
        let ran = rules(&liar(python, fault), line);
        let ran = ran.ended(code.parse().expect("a code"));
        let text = if ran.code == 2 { &ran.err } else { &ran.out };
        text.says(said);
    }
}

/// The program of the rulebook outlives the solvers, whose own processes are killed.
#[test]
fn a_solver_plays_on_a_program() {
    let Some(python) = &*PYTHON else { return };
    let program = format!("{python} lunar.py");
    let solved = rules(&program, "solve lunar/card-2 --format=json").ended(0);
    let solved = solved.json();
    let moves = solved["moves"].as_array().unwrap().iter();
    let moves: Vec<&str> = moves.map(|step| step["move"].as_str().unwrap()).collect();
    for apart in ["\\n", ", "] {
        let command = format!("a=sh -c 'sleep 60 & printf \"{}\"'", moves.join(apart));
        let referee = words("referee lunar/card-2 lunar/card-2 --rules");
        let args = [&referee[..], &[&program, "--command", &command]].concat();
        run_in(&examples(), &args).ended(0).out.has(["right"]);
    }
}

/// A program gives forward moves, but no list of solved boards, nor the look of a board.
#[test]
fn what_a_program_does_not_say_is_refused() {
    let Some(python) = &*PYTHON else { return };
    for [line, said] in rows(
        "solve lunar/card-1 --picture p.svg | does not say how its boards are drawn
         make lunar/card-1 --moves 2 | cannot list its solved boards",
    ) {
        let ran = rules(&format!("{python} lunar.py"), line);
        ran.refused().err.has([said]);
    }
}

/// Each fault with how a run ends, and what it says: in the right answer; soundly, with exit code 3,
/// or the right answer if the program never lied; or it fails in one line with exit code 2, or 4 if
/// it is late, in the first checks as later.
const FAULTS: &str = "
    none late stderr | right | solved in 40 moves
    repetition batch alone order process seed parity solved start | sound | solved in 40 moves
    crash | fails | ended with exit code 3
    signal | fails | SIGSEGV
    hang cr | stops | did not answer within 2 s: each answer must be flushed, and end with a line feed
    bom | fails | answered '\\u{feff}{
    moves-error | fails | collect-states
    open-unsupported | fails | open
    huge | fails | more than 256 MiB
    long | fails | a state of 1025 bytes
    two-lines | fails | line feed
    number | fails | `moves`
    few | fails | answered 0 of 1 elements
    junk | fails | 'Traceback'
    log | fails | thinking about 33
    twice | fails | liar.py twice
    unknown | fails | every rulebook answers it
    nameless | fails | missing field `name`
";

#[test]
fn a_program_that_breaks_the_protocol_or_lies_carries_no_verdict() {
    let Some(python) = &*PYTHON else { return };
    let mut found = 0;
    let rows = rows(FAULTS);
    let faults = rows.iter().flat_map(|[faults, end, says]| {
        words(faults)
            .into_iter()
            .map(move |fault| (fault, *end, *says))
    });
    for (fault, end, says) in faults {
        // Only one is to run into it, however busy the machine is.
        let limit = if ["hang", "cr"].contains(&fault) {
            "2"
        } else {
            "40"
        };
        let solve = format!("solve walk/a --plugin-limit {limit}");
        let ran = rules(&liar(python, fault), &solve);
        let place = format!("{fault} -> {}: {}\n{}", ran.code, ran.out, ran.err);
        match ran.code {
            0 => assert!(
                !["fails", "stops"].contains(&end) && ran.out.contains(says),
                "{place}"
            ),
            3 if end == "sound" => found += 1,
            2 | 4 => {
                let right = if ran.code == 2 { "fails" } else { "stops" };
                assert!(end == right && ran.err.contains(says), "{place}");
                let lines = ran.err.lines();
                let lines = lines.filter(|line| line.starts_with("antipode: "));
                assert_eq!(lines.count(), 1, "{place}");
            }
            _ => panic!("{place}"),
        }
    }
    // All lies except the one about a state that is asked for twice, which a run need not find.
    assert!(found >= 7, "{found} lies were found");
}

/// Backward by moves that can be undone, with an error if one cannot: it is a directed puzzle, which
/// is searched forward by itself. For a program, the predecessors of the states met are unknown.
#[test]
fn a_puzzle_with_a_move_that_cannot_be_undone_is_searched_forward() {
    lies(
        "
        long-one-way-but-not | 0 | analyse walk/a --direction backward | 280
        long-one-way-but-not | 4 | verify walk/a | Left open; ~That is a proof
        one-way | 2 | analyse walk/a --direction backward | use --direction forward
        one-way | 0 | analyse walk/a |
        one-way | 0 | test-plugin |
    ",
    );
}

/// Certifies a claim about the walk on a faulty program.
fn certify(fault: &str, keys: &str) -> Option<Ran> {
    let program = liar(PYTHON.as_ref()?, fault);
    let text = claims("walk", &[("own", keys)]);
    Some(support::certify(&text, &format!("--rules '{program}'")).1)
}

/// A search from the solved states misses the states beyond a move that cannot be undone. Nothing
/// says of those that they cannot be solved, nor that none is harder.
#[test]
fn what_leads_one_way_to_the_states_met_is_not_denied() {
    lies("
        one-way-in | 0 | explore walk/a --board 350 --format text | 350 moves; ~cannot be solved
        one-way-in | 0 | rate walk/a --board 350 | 350 moves
        one-way-in-short | 0 | solve walk/a --board 500 --to 0 | 61 moves to 0
        one-way-in-short | 2 | solve walk/a --board 500 --to 0 --engine bidirectional | a search from both ends needs predecessors
        one-way-in-short | 0 | pairs walk/a --from 500 --to 0 | 61
    ");
    let Some(python) = &*PYTHON else { return };
    let backward = "analyse walk/a --direction backward";
    let ran = rules(&liar(python, "one-way-in"), backward).ended(0);
    ran.err.has(["a move that cannot be undone are missing"]);
    let keys = "kind = \"hardest\"; instance = \"a\"; board = \"299\"; claimed = 299; expect = \"not-reached\"";
    certify("one-way-in", keys).expect("Python").ended(0);
}

/// A path whose moves have one name is not denied for leading elsewhere by another of that name.
#[test]
fn a_move_with_the_name_of_another_decides_nothing() {
    let keys = "kind = \"length\"; instance = \"a\"; board = \"2\"; claimed = 2; compare = \"at-most\"; path = \"go, go\"";
    let Some(ran) = certify("same-names", keys) else {
        return;
    };
    let said = "is 'go', the name of several moves at 2";
    ran.ended(2).err.has([said]);
}

/// A list of goals that lacks a solved state, or has one that is not, carries no result.
#[test]
fn goals_that_are_not_all_are_told() {
    lies(
        "
        goals-few | 2 | analyse walk/a --direction backward | `goals` lacks '0'
        goals-few | 2 | explore walk/a --format text | `goals` lacks '0'
        goals-few | 2 | rate walk/a | `goals` lacks '0'
        goals-few | 2 | make walk/a --moves 3 | `goals` lacks '0'
        goals-none | 2 | rate walk/a | `goals` lacks '0'
        goals-none | 2 | explore walk/a --format text | `goals` lacks '0'
        goals-none | 2 | solve walk/a | `goals` lacks '0'
        goals-none | 2 | verify walk/a | `goals` lacks '0'
        goals-more | 2 | solve walk/a | `goals` lists '7'
        goals-more | 2 | analyse walk/a | `goals` lists '7'
    ",
    );
}

/// An instance with a start is looked for among the first; and there is a limit.
#[test]
fn many_instances_are_not_all_opened() {
    lies(
        "
        crowd-9 | 0 | list walk | (last)
        crowd-300 | 0 | list walk | ~(last)
        crowd-100001 | 2 | list walk | lists 100001 instances, allowed are 1 to 100000
    ",
    );
}

/// The harness refuses settings in place of such a program, which is a fault of the program.
#[test]
fn a_program_that_opens_with_any_setting_fails_its_check() {
    lies(
        "
        none | 0 | test-plugin | ~opens an instance with any setting
        any-setting | 3 | test-plugin | opens an instance with any setting
    ",
    );
}

/// To end is no refusal, which the test says, and a search without such a text does not mind.
#[test]
fn a_program_that_ends_on_a_text_that_is_no_state_fails_its_check() {
    lies(
        "
        nonsense | 3 | test-plugin | is not refused by `error`
        nonsense | 0 | solve walk/a | solved in 40 moves
    ",
    );
}

/// Neither the program nor its child processes outlive a run, even one that is killed.
#[test]
fn nothing_that_a_program_started_outlives_the_run() {
    let Some(python) = &*PYTHON else { return };
    let seconds = format!("{}.25", 500_000 + std::process::id());
    let program = liar(python, &format!("orphan {seconds}"));
    for kill in [true, false] {
        let mut command = antipode();
        command.args(words("solve walk/a --plugin-limit 2 --rules"));
        command
            .arg(&program)
            .stderr(Stdio::null())
            .stdout(Stdio::null());
        let mut child = command.spawn().expect("antipode runs");
        if kill {
            let since = Instant::now();
            while running(&format!("sleep {seconds}")) == 0
                && since.elapsed() < Duration::from_secs(60)
            {
                std::thread::sleep(Duration::from_millis(20));
            }
            child.kill().expect("killed");
        }
        child.wait().expect("ended");
        let since = Instant::now();
        while running(&seconds) > 0 {
            assert!(since.elapsed() < Duration::from_secs(20), "some are left");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A rulebook of five pancakes in Python, with a fault.
const PANCAKES: &str = r#"
import json, sys
FAULT = sys.argv[1]
def moves(state):
    for k in range(2, 6):
        if not (FAULT == "lost" and state == "31425" and k == 3):
            if FAULT == "fewer" and k == 3:
                continue
            to = state[:k][::-1] + state[k:]
            yield to.replace("1", "one") if FAULT == "text" else to
def solved(state):
    return state == "12345" or FAULT == "solved" and state == "21345"
for line in sys.stdin:
    ask = json.loads(line)
    do, states = ask["do"], ask.get("states", [])
    print(json.dumps({
        "about": {"name": "pancake", "instances": [{"name": "plain-5"}]},
        "open": {"error": "no settings"} if ask.get("settings") else {},
        "moves": {"moves": [list(moves(state)) for state in states]},
        "solved": {"solved": [solved(state) for state in states]},
    }.get(do, {"unsupported": True})), flush=True)
"#;

#[test]
fn a_fast_variant_is_compared_with_a_rulebook_in_another_language() {
    let Some(python) = &*PYTHON else { return };
    let folder = folder_with("pancakes.py", PANCAKES);
    // No level shows those that are lost or solved.
    for [verb, fault, code, says] in rows(
        "verify | none | 0 | All 120 states
         verify | fewer | 3 | the variants do not agree
         verify | text | 2 | does not read the rulebook's state
         verify | lost | 3 | the variants do not agree
         verify | solved | 3 | the variants do not agree
         test | lost | 3 | variants-agree-on-successors
         test | solved | 3 | variants-agree-on-solved",
    ) {
        let line = match verb {
            "verify" => "verify pancake/plain-5 --from 52341",
            _ => "test-plugin --instance plain-5",
        };
        let program = format!("{python} pancakes.py {fault}");
        let ran = runs(&folder, &format!("{line} --rules '{program}'"));
        let ran = ran.ended(code.parse().expect("a code"));
        (ran.out + &ran.err).has([says]);
    }
}

/// Every command of the page is run, in a folder with the files that the page shows, and prints
/// the lines of the block beneath it.
#[test]
fn the_page_about_rulebooks_is_right_word_for_word() {
    let page = read(root().join("docs/your-puzzle.md"));
    let shown = blocks(&page);
    let of = |language: &str| block(&page, language, "");
    let example = read(examples().join("lunar.py"));
    assert_eq!(of("python"), example);
    assert!(example.lines().count() < 40);
    if PYTHON.is_none() {
        return;
    }
    let folder = fresh();
    for name in ["lunar.py", "tiles.js", "lamps.go"] {
        fs::copy(examples().join(name), folder.join(name)).expect("copied");
    }
    fs::write(folder.join("lunar.toml"), of("toml")).expect("written");
    let header = examples().join("../../../puzzle-api/include");
    let source = examples().join("../lights-out/lights_out.c");
    let built = Command::new("cc")
        .args(["-std=c99", "-O2", "-shared", "-fPIC", "-I"])
        .args([&header, &source])
        .args(["-o", "lights_out.so"])
        .current_dir(&folder)
        .status();
    let mut run = 0;
    for (at, (language, block)) in shown.iter().enumerate() {
        for line in block.lines().filter(|_| *language == "sh") {
            let needs = [("node ", "node", "--version"), ("go ", "go", "version")];
            let mut needs = needs.iter().filter(|(word, ..)| line.contains(word));
            let there = needs.all(|(_, program, argument)| is_there(program, argument));
            let go = folder.join("lamps").exists() && built.as_ref().is_ok_and(|b| b.success());
            if !there || line.starts_with("cc ") || line.contains("./lamps") && !go {
                continue;
            }
            run += 1;
            let ran = sh(&folder, line, &[]).ended(0);
            let prints = shown
                .get(at + 1)
                .filter(|(language, _)| *language == "text");
            for shown in prints.into_iter().flat_map(|(_, block)| block.lines()) {
                let printed = ran.out.lines().any(|line| line.trim_end() == shown);
                assert!(printed, "{line}: does not print {shown:?}: {}", ran.out);
            }
        }
    }
    assert!(run >= 6, "{run} commands");
}

#[test]
fn one_of_two_rulebooks_of_a_puzzle_is_refused() {
    let Some(python) = &*PYTHON else { return };
    let one = liar(python, "none");
    let ran = runs(".", &format!("list walk --rules '{one}' --rules '{one}'"));
    ran.ended(2).err.has(["a second rulebook of 'walk'"]);
}

/// A path is read by the names of the moves at each state: with commas and blanks in them, long, or
/// one of two that lead to one state. An end of line always separates.
#[test]
fn paths_are_read_by_the_names_of_moves() {
    let Some(python) = &*PYTHON else { return };
    let program = root().join("harness/cli/tests/data/names.py");
    let rules = format!("--rules '{python} {}'", program.display());
    let long = "n".repeat(600);
    let paths = [
        r"a 1\n2",
        "1,1, 2,1",
        r"r7,c5\nr1,c1,",
        r"1, 1\n2,1",
        "go far",
        "x",
        "y",
        &format!("{long}y, on"),
    ];
    let keys = |path: &str| {
        format!(
            "kind = \"length\"; instance = \"one\"; claimed = 2; compare = \"at-most\"; path = \"{path}\""
        )
    };
    let all: Vec<(String, String)> = (0..)
        .zip(paths)
        .map(|(at, path): (u32, _)| (format!("c{at}"), keys(path)))
        .collect();
    let all: Vec<(&str, &str)> = all.iter().map(|(id, keys)| (&**id, &**keys)).collect();
    let ran = support::certify(&claims("names", &all), &rules).1;
    ran.ended(0).out.has(["8 claims: 8 confirmed"]);
    let two = keys("a 1, 2");
    let ran = support::certify(&claims("names", &[("two", &two)]), &rules).1;
    ran.ended(2)
        .err
        .has(["move 1 is 'a 1' or 'a 1, 2' at a; write one move a line"]);
}

/// A path that a claim brings along is played on both variants.
#[test]
fn a_path_that_the_rulebook_alone_allows_is_no_path() {
    let Some(python) = &*PYTHON else { return };
    let keys = r#"kind = "length"; instance = "3x3"; board = "867/254/3.1"; claimed = 1; compare = "at-most"; path = "cheat""#;
    let program = root().join("harness/cli/tests/data/cheat.py");
    let rules = format!("--rules '{python} {}'", program.display());
    let ran = support::certify(&claims("sliding-tile", &[("cheat", keys)]), &rules).1;
    ran.ended(3).out.has(["DISAGREE"]);
}
