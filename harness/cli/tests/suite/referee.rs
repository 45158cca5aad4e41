//! External solvers: right, wrong and hostile ones.

use std::process::Command;
use std::time::{Duration, Instant};

use antipode_reports::model::{Referee, RefereeRow, Ruling};

#[cfg(target_os = "linux")]
use crate::support::running;
use crate::support::{Ran, Text, fresh, plays, read, refuses, root, rows, run, words};

fn example(name: &str) -> String {
    let file = root().join("puzzles/examples/solvers").join(name);
    file.display().to_string()
}

/// Judges a solver, given as `NAME=COMMAND`.
fn judged(boards: &str, solver: &str, more: &str) -> (Referee, Ran) {
    let line = format!("referee --format=json {boards} {more} --command");
    let ran = run(&[&words(&line)[..], &[solver]].concat());
    let record = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
    (record, ran)
}

/// The one row of a solver that runs a shell script on the easiest card.
fn scripted(script: &str, more: &str) -> (RefereeRow, Ran) {
    let (record, ran) = judged("rush-hour/card-1", &format!("s=sh -c '{script}'"), more);
    (record.rows[0].clone(), ran)
}

fn python() -> Option<&'static str> {
    let found = Command::new("python3").arg("--version").output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: there is no python3");
    }
    found.then_some("python3")
}

#[test]
fn the_python_example_is_right() {
    let Some(python) = python() else { return };
    let solver = format!("bfs={python} {} {{board}}", example("rush_hour.py"));
    let boards = "rush-hour/card-1 rush-hour/card-4 rush-hour/card-9";
    let (record, ran) = judged(boards, &solver, "");
    ran.ended(0);
    assert_eq!(record.rows.len(), 3);
    let right = |row: &RefereeRow| row.ruling == Ruling::Right && row.replayed;
    assert!(record.rows.iter().all(right));
    assert_eq!(record.solvers[0].rank, Some(1));
}

#[test]
fn the_c_example_is_right_by_the_names_of_moves_and_the_page_shows_it() {
    let folder = fresh();
    let mut cc = Command::new("cc");
    cc.current_dir(&folder)
        .args(["-O2", "-o", "tilt", &example("tilt.c")]);
    // If there is a C compiler, as for the plugins.
    let Ok(status) = cc.status() else {
        return eprintln!("skipped: there is no cc");
    };
    assert!(status.success(), "the example does not compile");
    plays(
        &folder,
        "0 referee tilt/card-7 tilt/card-40 --command './tilt {board}' --out out | right on 2 of 2
         out/referee.html ? | tilt/card-40 | replayed",
    );
    let table = read(folder.join("out/referee.csv"));
    assert_eq!(table.lines().count(), 3);
}

/// The output of `solve` for programs is an answer, whose moves are replayed on the rulebook.
#[test]
fn antipode_itself_is_right() {
    let solver = format!(
        "own={} solve {{puzzle}}/{{instance}} --format json",
        env!("CARGO_BIN_EXE_antipode")
    );
    let (record, ran) = judged("rush-hour/card-2 tilt/card-40 tilt/thesis", &solver, "");
    ran.ended(0);
    assert!(record.rows.iter().all(|row| row.replayed));
}

#[test]
fn wrong_answers_are_told_with_what_is_wrong() {
    // The last takes the red car through the wall of cars.
    for [script, said, why] in rows(
        r#"echo 7 | 7 | says 7, the shortest is 9
           echo unsolvable | unsolvable | there is one of 9 moves
           echo "$ANTIPODE_BOARD" |  | path of 0 moves ends at
           echo A right 3 |  | 'A right 3' is no move from
           echo ..B.CC/..B.../..B.AA/DDD..E/.....E/.....E |  | is no move from"#,
    ) {
        let (row, ran) = scripted(script, "");
        ran.ended(1);
        assert_eq!((row.ruling, &*row.said), (Ruling::Wrong, said), "{script}");
        row.why.has([why]);
    }
}

/// A line that is no step leaves open what is claimed, and so does what contradicts itself.
#[test]
fn an_answer_is_judged_by_all_of_it() {
    // Two presses solve the board.
    for [printed, ruling, why] in rows(
        r#"press a1\npress c3 | right |
           press a1, press c3 | right |
           press a1\nnodes: 29\npress c3\n2 moves | right |
           oo./o.o/.oo\n29 states seen\n2 | right |
           oo./o.o/.oo\n.../..o/.oo\n.../.../...\n2 move | right |
           press a1\npress b9 | wrong | 'press b9' is no move
           press a1\npress c3\nTime: 0.5 s | no answer | not understood: 'Time: 0.5 s' is
           searching\npress a1\npress c3 | no answer | 'searching' is no board, move or length
           press a1\n3 nodes | no answer | '3 nodes' is no
           press a1\nsolved in 2 moves, the fewest possible (9 states seen) | no answer | 'the fewest
           nothing\nat all | no answer | 'at all' is no
           Moves: | no answer | heading
           oo./o.o/.oo\n.../..o/.oo\n2 | no answer | says length 2 and lists 1 move
           press a1\n2 | no answer | says length 2 and lists 1 move
           press a1\nunsolvable | no answer | no solution and lists 1 move
           {"length": 1, "moves": ["press a1", "press c3"]} | no answer | says length 1 and lists 2 moves
           {"length": null, "moves": ["press a1", "press c3"]} | no answer | no solution and lists 2 moves
           {"moves": [{"move": "press a1", "state": ".../..o/.oo"}, "press c3"]} | right |
           {"moves": [{"move": "press a2", "state": ".../..o/.oo"}, "press c3"]} | no answer | does not lead
           {"moves": [{"move": "the corner", "state": ".../..o/.oo"}, "press c3"]} | no answer | 'the corner' is no"#,
    ) {
        let solver = format!("s=sh -c 'echo \"{}\"'", printed.replace('"', "\\\""));
        let (record, _) = judged("lights-out/3x3", &solver, "--board=oo./o.o/.oo");
        let row = &record.rows[0];
        assert_eq!(row.ruling.to_string(), ruling, "{printed}: {}", row.why);
        row.why.has([why]);
    }
    // Boards of digits alone.
    for [place, board, printed, ruling] in rows(
        r"pancake/plain-6 | 654321 | 654321\n123456 | right
          pancake/plain-6 | 654321 | 123456 | right
          pancake/plain-6 | 654321 | 1 | right
          pancake/plain-6 | 654321 | 213456 | wrong
          pancake/plain-6 | 654321 | 234561\n123456 | no answer
          pancake/plain-6 | 654321 | searching\n1 | right
          sliding-tile/3x3 | 123456078 | 123456708\n123456780 | right
          sliding-tile/3x3 | 123456078 | 123456708\n123456780\n2 | right
          sliding-tile/3x3 | 123456078 | 123456708\n123456780\n3 | no answer
          lights-out/3x3 | 110100000 | 000000000 | right
          lights-out/5x5 | 1100010000000000000000000 | 0000000000000000000000000 | right",
    ) {
        let solver = format!("s=sh -c 'echo \"{printed}\"'");
        let (record, _) = judged(place, &solver, &format!("--board={board}"));
        let row = &record.rows[0];
        assert_eq!(row.ruling.to_string(), ruling, "{printed}: {}", row.why);
    }
    // Names of moves that are boards, too.
    for board in ["RU", "R2"] {
        let own = env!("CARGO_BIN_EXE_antipode");
        let solver =
            format!("s={own} solve {{puzzle}}/{{instance}} --board {{board}} --format json");
        let (record, _) = judged(
            "permutation/pocket-cube",
            &solver,
            &format!("--board={board}"),
        );
        assert_eq!(
            record.rows[0].ruling,
            Ruling::Right,
            "{}",
            record.rows[0].why
        );
    }
}

#[test]
fn hostile_solvers_end_in_a_row() {
    use Ruling::{NoAnswer, NotFinished};
    // Nothing random among them: the test must know how each is read.
    for (script, ruling, why) in [
        ("yes", NotFinished, "of output"),
        ("yes >&2", NotFinished, "of output"),
        ("sleep 60", NotFinished, "killed after 1s"),
        (
            "while :; do sleep 60 & sleep 0.01; done",
            NotFinished,
            "killed after 1s",
        ),
        ("exit 3", NoAnswer, "exit code 3"),
        ("kill -SEGV $$", NoAnswer, "signal 11"),
        ("echo why >&2; exit 1", NoAnswer, "why"),
        ("echo 9; exit 1", NoAnswer, "exit code 1: it printed '9'"),
        ("true", NoAnswer, "printed nothing"),
        ("echo nonsense", NoAnswer, "'nonsense' is no board"),
        ("printf \"\\033[2J\\n{\"", NoAnswer, "JSON"),
        (
            "yes \"$(printf '\\\\377\\\\001x')\" | head -c 1000000",
            NoAnswer,
            "is no board",
        ),
        ("printf {; yes | head -c 1000000", NoAnswer, "JSON"),
    ] {
        let clock = Instant::now();
        let (row, ran) = scripted(script, "--time=1");
        assert_eq!(row.ruling, ruling, "{script}: {}", row.why);
        row.why.has([why]);
        ran.out.lacks(["\u{1b}"]);
        assert!(clock.elapsed() < Duration::from_secs(50), "{script}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_left_its_group_is_killed_too() {
    let (row, _) = scripted("setsid sleep 987654 & sleep 0.3; echo 9", "--time=5");
    assert_eq!(row.ruling, Ruling::NoAnswer, "{}", row.why);
    assert_eq!(running("sleep 987654"), 0);
}

#[test]
fn bad_input_is_one_line() {
    let quoted = run(&["referee", "rush-hour/card-1", "--command=a 'b"]);
    quoted.ended(2).err.has(["quoted"]);
    plays(
        fresh(),
        "4 referee tilt/card-7 tilt/card-1 --out out --command ./{instance}-solver
         out/referee.csv ? | card-7 | no answer",
    );
    refuses(
        ".",
        "referee rush-hour/card-1 | --command
         referee rush-hour/card-99 --command=true | card-99
         referee nothing --command=true | nothing
         referee rush-hour/card-1 --command= | program
         referee rush-hour/card-1 --command=/no/such/program | /no/such/program
         referee rush-hour/card-1 --command=true --command=true | NAME=COMMAND
         referee rush-hour/5x5 --command=true | start
         referee rush-hour/card-1 --command=true --time=0 | --time
         referee rush-hour/card-1 tilt/card-1 --command=true --board=x | --board",
    );
}
