//! Output on a terminal: widths, groups, colours, quiet, completions, pages for `man`.

use std::process::Output;

use crate::support::{Ran, Text, antipode, fresh, plays, run, runs, words};

fn printed_at(columns: usize, line: &str) -> Output {
    let folder = fresh();
    let mut command = antipode();
    command
        .current_dir(&folder)
        .env("COLUMNS", columns.to_string());
    command.args(words(line)).output().unwrap()
}

fn at(columns: usize, line: &str) -> Ran {
    printed_at(columns, line).into()
}

/// At any width that people have, lines fit it and no figure is cut.
#[test]
fn tables_fold_between_words() {
    let claims = "certify tilt-configurations tilt-a1-transpose tilt-corner-predecessors";
    for columns in [60, 100] {
        let ran = at(columns, claims).ended(0);
        let told = words(&ran.out);
        for whole in ["99,232,773,227", "tilt-configurations", "confirmed"] {
            assert!(told.contains(&whole), "{whole} at {columns}:\n{}", ran.out);
        }
        ran.out.has(["not seen:\n  tilt-a1-transpose: refuted"]);
    }
    let levels = at(60, "analyse tilt/card-7 --direction backward").ended(0);
    let told = words(&levels.out).into_iter();
    let digests = told.filter(|word| word.len() == 32).count();
    assert!(digests > 5, "{}", levels.out);
    let grouped = at(60, "permute board:5x5x2:rotate90 --no-timing").out;
    grouped.has(["grouped: #C = 5, minimal"]);
}

/// No plural follows a count of one.
#[test]
fn one_of_a_thing_is_told_as_one() {
    let folder = fresh();
    plays(
        &folder,
        r#"row.txt = | ooo
           suite.toml = | [suite]\nname = "s"\nsamples = 1\n[[row]]\nname = "r"\ninstance = "tilt/card-7"\nvariant = "bitboard"\nengine = "hash""#,
    );
    let mut wrong = Vec::new();
    for line in [
        "analyse hanoi/3-1 --threads 1",
        "verify hanoi/3-1 --threads 1",
        "solve hanoi/3-1",
        "solve hanoi/3-1 --out solved",
        "solve peg-solitaire/custom --set board=row.txt --goal all",
        "pairs hanoi/3-1 --from start --to goal --threads 1",
        "table peg-solitaire/custom --set board=row.txt --threads 1",
        "certify hanoi-four-4 --threads 1 --out claims",
        "bench suite.toml --out samples",
        "regress --baseline gate.toml --update --suite suite.toml --reason first --samples 1",
        "list hanoi",
        "list --claims hanoi",
        "referee hanoi/3-1 --command true",
    ] {
        let ran = runs(&folder, line);
        let told = format!("{}\n{}", ran.out, ran.err);
        for said in told.lines() {
            let words = words(said);
            let plural = |pair: &&[&str]| {
                let what = pair[1].trim_end_matches([',', ';', ':', '.', ')']);
                let is_word = what.chars().all(char::is_lowercase);
                let open = pair[0].trim_start_matches('(');
                let unit = ["ms", "s"].contains(&what);
                open == "1" && is_word && !unit && what.ends_with('s') && !what.ends_with("ss")
            };
            if words.windows(2).any(|pair| plural(&pair)) {
                wrong.push(format!("{line}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What the signs of a board mean follows it, as the legend has it.
#[test]
fn the_list_of_a_puzzle_explains_its_boards() {
    plays(
        ".",
        r"0 list tilt | \n    # grey block (fixed), g green block (has to fall), O hole
          0 list permutation | ~piece or turn",
    );
}

#[test]
fn the_list_of_puzzles_fits_a_screen() {
    let ran = at(80, "list");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines.len() <= 30, "{}", ran.out);
    let all = run(&["list", "--format", "json"]).json();
    for puzzle in all["puzzles"].as_array().expect("puzzles") {
        let name = puzzle["name"].as_str().expect("a name");
        let of = lines
            .iter()
            .find(|line| line.split(' ').next() == Some(name));
        assert!(of.is_some(), "no {name} in {}", ran.out);
    }
}

/// Results, notes and errors fold, whichever command and engine prints them, and are one line where
/// there is space for one.
#[test]
fn no_line_is_wider_than_the_window() {
    let mut folds = 0;
    let lines = "
        analyse hanoi/4-4 --engine dense
        analyse hanoi/3-3 --engine disk --work d
        analyse tilt/box --set grey=1 --engine sweep
        analyse coin-sliding/5x7 --max-depth 2
        solve hanoi/3-3 --engine bidirectional
        solve hanoi/3-3 --engine beam
        solve sliding-tile/3x3 --board 876/543/.21 --engine ida
        solve sliding-tile/4x4 --board 1234/5678/9abc/dfe.
        solve peg-solitaire/triangle-15 --engine dfs
        solve peg-solitaire/triangle-15 --goal all
        solve peg-solitaire/triangle-15 --goal fewest
        solve peg-solitaire/english-33 --set to=d3
        solve tilt/thesis-b
        solve hanoi/3-5
        explore rush-hour/card-1 --format text
        make sliding-tile/2x3 --moves 20
        make rush-hour/6x6 --moves 999 --max-time 1
        rate rush-hour/card-1
        verify hanoi/4-4
        plan tilt/card-7
        plan coin-sliding/5x9
        permute board:5x5x2:rotate90 --no-timing
        list tilt
        list coin-sliding hanoi
        list --claims pancake
        certify tilt-corner-predecessors
        certify coin-positions-5x9 coin-puzzles
        report --site public
        test-plugin no/such/library.so
        solve tilt/box --bord x
        solve tilt/boxx";
    for (line, columns) in lines.trim().lines().zip([60, 80, 100].into_iter().cycle()) {
        let Output { stdout, stderr, .. } = printed_at(columns, line);
        let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        // A path is one word.
        let whole = |said: &&str| said.starts_with("page: ");
        let wide = |said: &&str| said.trim_end().chars().count() > columns && !whole(said);
        let wide: Vec<&str> = out.lines().chain(err.lines()).filter(wide).collect();
        assert!(wide.is_empty(), "{line}: {wide:#?}");
        if folds < 4 {
            let once = printed_at(1000, line).stderr;
            let lines = once.split(|&byte| byte == b'\n').count() - 1;
            folds += usize::from(err.lines().count() > lines);
        }
    }
    assert!(folds > 3, "{folds}");
}

/// The first verdict waits for no count of the states of others.
#[test]
fn the_help_has_groups_and_claims_that_search_nothing_come_first() {
    plays(
        fresh(),
        r"0 --help | Look around and play: | Search: | Measure: | Options:
          0 solve --help | Example:\n  antipode solve tilt/box
          0 analyze tilt/card-7 --max-depth 2
          0 certify unit-hardest-2x7 tilt-corner-predecessors --effort full | 2> 1/2: tilt-corner-predecessors | 2> 2/2:",
    );
}

#[test]
fn quiet_leaves_errors_alone_and_colours_are_where_they_are_wanted() {
    let line = "certify tilt-corner-predecessors";
    let ran = runs(fresh(), &format!("--quiet {line}")).ended(0);
    assert_eq!(ran.err, "");
    plays(
        fresh(),
        &format!(
            "0 {line} | 2> 1/1: | ~\u{1b}
             2 solve tilt/nowhere --quiet | antipode: no instance
             0 {line} --color never | ~\u{1b}
             0 {line} --color always | \u{1b}"
        ),
    );
}

#[test]
fn shells_and_man_know_the_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]).ended(0);
        let all = ["explore", "tilt/card-7", "tilt-hardest-board", "from-run"];
        script.out.has(all);
    }
    plays(
        fresh(),
        r"0 man --out pages
          pages/antipode-solve.1 ? | .TH antipode | -solve 1
          pages/antipode.1 ?
          0 man --out pages
          mine/antipode-solve.1 = | mine
          2! man --out mine | a file exists there that is not of Antipode | --force
          no mine/antipode.1
          0 man --out mine --force
          mine/antipode-solve.1 ? | .TH antipode",
    );
}

/// The explorer's first page lists it, so it opens, and says what it lacks.
#[test]
fn an_instance_without_a_goal_can_be_explored() {
    plays(
        ".",
        "0 explore coin-sliding/5x7 --format text | No position is solved until there is a goal
         2! solve tilt/card-7 --play | --play needs a terminal",
    );
}

const LIGHTS: &str = "solve lights-out/5x5 --board on";

/// As many boards are next to each other as fit, with the moves below, in one line if that fits.
#[test]
fn a_solution_stands_side_by_side() {
    for (columns, abreast) in [(20, 1), (80, 6), (200, 16)] {
        let ran = at(columns, "solve tilt/card-7").ended(0);
        let first = ran.out.lines().next().unwrap();
        assert_eq!(first.matches(". ").count() + 1, abreast, "{}", ran.out);
        let moves = "right up left down left up right down right up right down left up right";
        let (_, below) = ran.out.rsplit_once("\n\n").unwrap();
        let printed = below.split("solved in").next().unwrap();
        assert_eq!(words(printed), words(moves), "{}", ran.out);
        assert_eq!(printed.lines().count() == 1, columns >= 80, "{printed}");
    }
    let ran = run(&["solve", "rush-hour/card-1"]).ended(0);
    ran.out
        .has(["\nC left 1, E up 3, ", ", A right 1\nsolved in 9"]);
    // No name of a move is broken.
    let names = at(30, "solve rush-hour/card-1").ended(0).out;
    names.has(["\nC left 1, E up 3, D right 3,\n  B down 3, A right 3, B up 3,\n"]);
}

/// Moves that name cells name them as the columns and rows of the board.
#[test]
fn boards_have_coordinates_if_moves_name_cells() {
    for (line, named) in [
        (LIGHTS, true),
        ("solve coin-sliding/5x7 --from V --to Y", true),
        ("solve tilt/card-7", false),
        ("solve hanoi/3-3", false),
    ] {
        let ran = at(80, line).ended(0);
        let head = ran.out.lines().nth(1).unwrap().trim_start();
        assert_eq!(head.starts_with("abc"), named, "{line}: {}", ran.out);
    }
    let ran = at(80, LIGHTS);
    ran.out.has(["1. press "]);
    let pressed = ran.out.split("press ").nth(1).unwrap();
    let (column, row) = pressed[..2].split_at(1);
    let is_cell = "abcde".contains(column) && "12345".contains(row);
    assert!(is_cell, "{pressed}");
}

/// The colours are those of the pictures, and nothing else differs.
#[test]
fn boards_have_the_colours_of_the_pictures() {
    let explore = "explore rush-hour/card-1 --format text";
    for line in [
        LIGHTS,
        "solve tilt/card-7",
        explore,
        "make sliding-tile/2x3 --moves 20",
    ] {
        let plain = at(80, line).out;
        let colour = at(80, &format!("{line} --color always")).out;
        plain.lacks(["\u{1b}"]);
        let mut parts = colour.split('\u{1b}');
        let first = parts.next().unwrap().to_owned();
        let bare = parts.map(|part| part.split_once('m').unwrap().1);
        assert_eq!(first + &bare.collect::<String>(), plain);
        colour.has(["\u{1b}["]);
    }
    // Red of the red car.
    let red = at(80, "solve rush-hour/card-1 --color always").out;
    red.has(["\u{1b}[48;5;166;38;5;231mA\u{1b}[0m"]);
}

/// Enter shows the next board, `b` the previous one, a number that move, and `q` ends.
#[test]
#[cfg(target_os = "linux")]
fn a_solution_is_played_in_a_terminal() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let command = format!(
        "{} solve tilt/card-5 --play --color never",
        env!("CARGO_BIN_EXE_antipode")
    );
    // It makes a terminal.
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]);
    let script = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut script) = script else {
        return eprintln!("skipped: there is no `script`");
    };
    let mut lines = script.stdin.take().unwrap();
    lines.write_all(b"\n3\nb\nxyz\n\n9\nq\n").unwrap();
    let ran: Ran = script.wait_with_output().unwrap().into();
    drop(lines);
    assert_eq!(ran.code, 0, "{}", ran.out);
    let shown = ran.out.split("\u{1b}[H\u{1b}[J").skip(1);
    let shown: Vec<&str> = shown
        .map(|screen| screen.lines().next().unwrap_or_default())
        .collect();
    let wanted = [
        "start", "1. right", "3. left", "2. up", "2. up", "3. left", "4. down",
    ];
    assert_eq!(shown, wanted, "{}", ran.out);
}
