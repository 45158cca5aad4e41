//! Invalid input: exit code 2, one line on stderr that names the place and the remedy, nothing on
//! stdout, no file written, no panic. Too little memory or disk is reported in the same way, with
//! exit code 4.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use antipode_graph::builtin;

use crate::support::{run_in, settings};

/// Runs the command in a folder, where it must be refused and must write nothing; returns the line.
fn refused_in(folder: &Path, args: &[&str]) -> String {
    ends_in(folder, args, 2)
}

/// Like [`refused_in`], with an exit code.
fn ends_in(folder: &Path, args: &[&str], code: i32) -> String {
    let before = files(folder);
    let ran = run_in(folder, args);
    assert_eq!(ran.code, code, "{args:?}: {}", ran.err);
    assert_eq!(ran.out, "", "{args:?}");
    assert_eq!(ran.err.lines().count(), 1, "{args:?}: {}", ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    assert_eq!(files(folder), before, "{args:?}");
    let line = ran.err.trim_end().strip_prefix("antipode: ");
    line.unwrap_or_else(|| panic!("{}", ran.err)).to_owned()
}

/// All files and folders below a folder.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        }
        found.push(path);
    }
    found.sort();
    found
}

fn refused(args: &[&str]) -> String {
    refused_in(tempfile::tempdir().unwrap().path(), args)
}

/// Cases with fragments that the line must contain: the finding, its place, and the remedy.
macro_rules! refuses {
    ($($name:ident: [$($arg:expr),+] => $($fragment:literal),+;)+) => {
        $(
            #[test]
            fn $name() {
                let line = refused(&[$($arg),+]);
                for fragment in [$($fragment),+] {
                    assert!(line.contains(fragment), "'{line}' lacks '{fragment}'");
                }
            }
        )+
    };
}

/// Cases of `solve tilt/box --board TEXT`.
macro_rules! refuses_boards {
    ($($name:ident: $board:literal => $($fragment:literal),+;)+) => {
        refuses! {
            $($name: ["solve", "tilt/box", "--board", $board] => "tilt/box: ", $($fragment),+;)+
        }
    };
}

refuses_boards! {
    a_board_of_four_rows: "...../...../..O../....." => "4 row(s), 5 are needed";
    a_row_of_six_squares: "...../....../..O../...../....." => "row 2", "6 square(s), 5 are needed";
    two_holes: "O..../...../..O../...../....." => "row 1, column 1", "one hole, at row 3, column 3";
    no_hole: "...../...../...../...../....." => "row 3, column 3", "write 'O'";
    a_piece_in_the_hole: "...../...../..g../...../....." => "row 3, column 3", "'g' stands in the hole";
    three_greens: "ggg../...../..O../...../....." => "row 1, column 3", "holds 0 to 2", "remove 1";
    seven_greys: "#####/##.../..O../...../g...." => "row 2, column 2", "holds 0 to 6", "remove 1";
    five_blues: "bbbbb/...../..O../...../g...." => "row 1, column 5", "holds 0 to 4", "remove 1";
    an_unknown_symbol: "..x../...../..O../...../....." => "row 1, column 3", "unknown symbol 'x'", "'#' grey";
    a_control_character: "..\t../...../..O../...../....." => "row 1, column 3", "unknown symbol '\\t'";
    an_empty_board: "" => "the board is empty text", "write five rows";
    a_name_of_no_board: "card-41" => "'card-41' is neither a board nor the name of one", "card-1 to card-40";
}

refuses! {
    greys_of_another_card: ["solve", "tilt/card-2", "--board", ".#.../...../..O../b..../g...."]
        => "the grey blocks stand elsewhere", "use tilt/box";
    a_goal_outside_the_instance: ["solve", "tilt/card-2", "--to", "ggg../...../..O../...../....."]
        => "needs 1 to 1", "add 1";
    a_box_without_a_board: ["solve", "tilt/box"] => "tilt/box", "give a board by --board or --from";
}

refuses! {
    more_blocks_than_there_are: ["merge", "shard", "--out", "out", "--redo", "99999"]
        => "'99999' for '--redo <N>'", "0..=512";
    an_unknown_instance: ["analyse", "tilt/boks", "--out", "out"]
        => "no instance of tilt 'boks'", "did you mean 'box'?";
    an_unknown_card: ["solve", "tilt/card-77"] => "no instance of tilt 'card-77'", "did you mean 'card-7'?";
    an_unknown_puzzle: ["analyse", "tlit/box", "--out", "out"]
        => "no puzzle 'tlit'", "did you mean 'tilt'?";
    a_puzzle_unlike_any: ["verify", "chess/box", "--out", "out"] => "no puzzle 'chess'", "`antipode list`";
    a_puzzle_without_an_instance: ["analyse", "tilt", "--out", "out"] => "write tilt/INSTANCE", "tilt/box";
    an_unknown_variant: ["analyse", "tilt/card-2", "--variant", "fast", "--out", "out"]
        => "no variant 'fast'", "bitboard, reference";
    an_unknown_engine: ["analyse", "tilt/card-2", "--engine", "fast", "--out", "out"]
        => "no engine 'fast'", "reference, hash, dense, disk, sweep";
    an_engine_that_is_nearly_one: ["analyse", "tilt/card-2", "--engine", "hsah", "--out", "out"]
        => "no engine 'hsah'; did you mean 'hash'?", "`antipode analyse --help`";
    a_variant_that_is_nearly_one: ["solve", "tilt/card-2", "--variant", "bitbord"]
        => "no variant 'bitbord'; did you mean 'bitboard'?";
    a_setting_that_is_nearly_one: ["verify", "tilt/box", "--set", "gray=1"]
        => "no setting 'gray'; did you mean 'grey'?", "`antipode list tilt`";
    an_unknown_option: ["solve", "tilt/card-2", "--bord", "x"]
        => "--bord", "`antipode solve --help` shows all";
    exploring_what_is_not_there: ["explore", "tilt/card-77"] => "no instance of tilt 'card-77'";
    exploring_no_board: ["explore", "tilt/box", "--board", "nonsense"] => "tilt/box: 'nonsense'";
    exploring_nothing_at_a_distance: ["explore", "--at", "3"] => "PUZZLE/INSTANCE", "antipode list";
    exploring_beyond_the_farthest: ["explore", "tilt/card-7", "--at", "300", "--format", "text"]
        => "is at distance 300", "known distances are 0 to ";
    exploring_a_folder_without_a_run: ["explore", "--from-run", "nowhere"]
        => "--from-run nowhere", "antipode analyse --out DIR";
    exploring_for_no_time: ["explore", "tilt/box", "--limit", "0"] => "'0' for '--limit", "seconds above 0";
    an_unknown_claim: ["certify", "tilt-hardest-bord", "--out", "out"]
        => "no puzzle or claim 'tilt-hardest-bord'", "did you mean 'tilt-hardest-board'";
    no_threads: ["analyse", "tilt/card-2", "--threads", "0", "--out", "out"]
        => "'0'", "--threads", "1..=1024";
    threads_in_words: ["verify", "tilt/card-2", "--threads", "two", "--out", "out"] => "'two'", "--threads";
    an_unknown_flag: ["analyse", "tilt/card-2", "--thread", "2"] => "'--thread'", "'--threads'";
    no_instance: ["analyse"] => "<PUZZLE/INSTANCE>";
    an_unknown_verb: ["analise", "tilt/box"] => "'analise'", "'analyse'";
    an_unknown_format: ["list", "--format", "xml"] => "'xml'", "text", "json";
    moves_in_words: ["make", "tilt/card-2", "--moves", "few", "--out", "out"]
        => "'few' for '--moves", "such as 12", "10..14";
    moves_that_end_too_early: ["make", "tilt/card-2", "--moves", "9..3"] => "'9..3'", "give 3..9";
    moves_below_0: ["make", "tilt/card-2", "--moves", "-1"] => "'-1'", "such as 12";
    no_board_to_make: ["make", "tilt/card-2", "--moves", "3", "--count", "0"] => "'0'", "--count", "1..=100000";
    making_without_moves: ["make", "tilt/card-2"] => "--moves";
    leaving_out_a_pancake: ["make", "pancake/plain-5", "--moves", "3", "--minimal", "--out", "out"]
        => "pancake/plain-5", "--minimal is for tilt and rush-hour";
    making_without_a_goal: ["make", "coin-sliding/5x7", "--moves", "3", "--out", "out"]
        => "coin-sliding/5x7", "--set to=GOAL";
    making_of_what_lists_nothing: ["make", "sliding-block/donkey", "--moves", "3"]
        => "sliding-block/donkey", "cannot list its solved boards", "take another instance";
    board_and_from: ["solve", "tilt/box", "--board", "card-2", "--from", "card-2"] => "--board", "--from";
}

/// Cases of `analyse tilt/box --set TEXT … --out out`.
macro_rules! refuses_settings {
    ($($name:ident: [$($set:literal),+] => $($fragment:literal),+;)+) => {
        refuses! {
            $($name: ["analyse", "tilt/box", "--out", "out" $(, "--set", $set)+] => $($fragment),+;)+
        }
    };
}

refuses_settings! {
    seven_to_nine_greys: ["grey=7..9"] => "grey=7..9 is out of range", "0 to 6 grey blocks", "within 0..6";
    a_range_that_ends_outside: ["blue=2..5"] => "blue=2..5 is out of range", "within 0..4";
    greens_that_do_not_start_at_zero: ["green=1..2"] => "green=1..2 must start at 0", "green=0..2";
    a_range_of_words: ["grey=few"] => "grey=few is no range", "grey=A..B";
    a_range_without_an_end: ["grey=1.."] => "grey=1.. is no range", "grey=A..B";
    a_negative_number: ["blue=-1"] => "blue=-1 is no range", "blue=A..B";
    no_value: ["grey="] => "grey= is no range", "grey=A..B";
    an_empty_range: ["blue=3..1"] => "blue=3..1 is empty", "blue=1..3";
    a_setting_without_an_equals_sign: ["grey"] => "--set grey", "write KEY=VALUE";
    a_setting_given_twice: ["grey=1", "grey=2"] => "--set grey=2", "'grey' is set twice";
    an_unknown_setting: ["red=1"] => "no setting 'red'", "grey, blue and green";
}

refuses! {
    settings_on_a_card: ["analyse", "tilt/card-7", "--set", "grey=1", "--out", "out"]
        => "tilt/card-7 takes no settings", "tilt/box";
    a_sweep_with_a_greatest_depth: [
        "analyse", "tilt/card-2", "--engine", "sweep", "--direction", "backward", "--max-depth", "2",
        "--out", "out"
    ] => "engine sweep walks whole parts", "leave out --max-depth";
    a_sweep_forward: ["analyse", "tilt/card-2", "--engine", "sweep", "--out", "out"]
        => "sweep works backward only";
    a_sweep_on_the_literal_rules: [
        "analyse", "tilt/card-2", "--engine", "sweep", "--variant", "reference", "--direction",
        "backward", "--out", "out"
    ] => "variant reference has no inner loop of its own";
    the_box_forward_without_a_start: ["analyse", "tilt/box", "--direction", "forward", "--out", "out"]
        => "tilt/box: has no start of its own", "--from";
    a_start_outside_the_box: ["analyse", "tilt/box", "--from", "thesis-a", "--out", "out"]
        => "row 5, column 3", "holds 0 to 2";
    resuming_without_a_folder: ["analyse", "tilt/box", "--resume"] => "add --out DIR";
}

// ---- folders that cannot be written ------------------------------------------------

#[test]
fn a_folder_below_a_file() {
    for verb in [
        ["analyse", "tilt/card-2"],
        ["verify", "tilt/card-2"],
        ["certify", "tilt-corner-predecessors"],
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("plain"), "a file").unwrap();
        let line = refused_in(folder.path(), &[verb[0], verb[1], "--out", "plain/below"]);
        assert!(line.starts_with("cannot write plain/below: "), "{line}");
        assert!(
            line.contains("a file exists where a folder is needed"),
            "{line}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_no_one_can_make() {
    let line = refused(&["analyse", "tilt/card-2", "--out", "/proc/x"]);
    assert!(line.starts_with("cannot write /proc/x: "), "{line}");
    assert!(line.contains("choose another place"), "{line}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path().join("progress.jsonl")).unwrap();
    let args = ["analyse", "tilt/box", "--set", "grey=1", "--out", "."];
    let ran = run_in(folder.path(), &args);
    assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
    assert!(ran.err.contains("progress.jsonl"), "{}", ran.err);
    assert!(!folder.path().join("levels.csv").exists());
}

/// Too little memory or disk is a limit and no fault of the input, whichever subcommand searches.
#[test]
fn a_limit_of_memory_or_disk_is_not_reached() {
    let tiles = "sliding-tile/3x3 --from 867/254/3.1 --to 123/456/78.";
    for line in [
        "solve tilt/card-7 --engine dense --memory 1MiB --out out",
        "solve tilt/card-7 --engine disk --memory 1MiB --work work",
        "solve tilt/card-7 --engine cluster --memory 1MiB --work work --processes 1",
        "solve coin-sliding/5x7 --from A --to B --table bits --memory 1MiB",
        "analyse tilt/card-7 --engine dense --memory 1MiB --out out",
        "analyse tilt/card-7 --engine disk --memory 1MiB --work work",
        "verify tilt/card-7 --engine dense --memory 1MiB --out out",
        &format!("pairs {tiles} --memory 1MiB --out out"),
        &format!("pairs {tiles} --memory 1MiB --engine dense"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        let said = ends_in(folder.path(), &words, 4);
        assert!(said.contains("iB"), "{line}: '{said}' says not how much");
        let option = said.contains("--") || said.contains("free some");
        assert!(option, "{line}: '{said}' lacks a remedy");
    }
}

/// A value beyond the machine's memory is invalid for an option.
#[test]
fn more_memory_than_there_is_cannot_be_asked_for() {
    for line in [
        "pairs coin-sliding/5x7 --memory 900TiB",
        "solve peg-solitaire/english-33 --engine dfs --table-size 900TiB",
    ] {
        let said = refused(&line.split(' ').collect::<Vec<_>>());
        assert!(said.contains("--") && said.contains("less"), "{said}");
    }
}

/// The user's path and the remedy, once, whatever the system and the temporary file report.
#[test]
#[cfg(target_os = "linux")]
fn results_that_cannot_be_written_or_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("plain"), "a file").unwrap();
    let suite = "[suite]\nname = \"s\"\nsamples = 2\n[[row]]\nname = \"r\"\ninstance = \"tilt/card-7\"\nvariant = [\"bitboard\", \"reference\"]\nengine = \"hash\"\n";
    fs::write(at.join("suite.toml"), suite).unwrap();
    assert_eq!(run_in(at, &["bench", "suite.toml", "--out", "res"]).code, 0);
    let compare = ["compare", "bitboard", "reference", "--results", "res"];
    let report = ["report", "res"];
    let bench = ["bench", "suite.toml"];
    let regress = ["regress", "--baseline", "none.toml"];
    for (verb, out, remedy) in [
        (
            &compare[..],
            "plain/x",
            "a file exists where a folder is needed",
        ),
        (
            &compare,
            "/dev/full",
            "a file exists where a folder is needed",
        ),
        (&compare, "/proc/x", "choose another place"),
        (&report, "plain/x", "a file exists where a folder is needed"),
        (
            &report,
            "/dev/full",
            "a file exists where a folder is needed",
        ),
        (&bench, "plain/x", "a file exists where a folder is needed"),
        (&bench, "plain", "a file exists where a folder is needed"),
        (&bench, "/proc/x", "choose another place"),
    ] {
        let line = refused_in(at, &[verb, &["--out", out]].concat());
        let start = format!("cannot write {out}: ");
        assert!(line.starts_with(&start), "'{line}' is not of {out}");
        assert!(line.contains(remedy), "'{line}' lacks '{remedy}'");
        once(&line);
    }
    for (args, start) in [
        (
            &["compare", "a", "b", "--results", "none"][..],
            "--results none: ",
        ),
        (&["compare", "res", "none"], "none: "),
        (&["report", "none"], "cannot read the folder none: "),
        (&["bench", "none.toml"], "cannot read none.toml: "),
        (
            &["bench", "suite.toml", "--against", "none"],
            "--against none: ",
        ),
        (&regress, "cannot read the baseline none.toml"),
    ] {
        let line = refused_in(at, args);
        assert!(line.starts_with(start), "'{line}' is not of {start}");
        once(&line);
    }
}

/// Says nothing twice, and does not mention temporary files.
fn once(line: &str) {
    assert!(line.matches("(os error").count() <= 1, "{line}");
    assert!(
        !line.contains(".part") && !line.contains(".antipode-"),
        "{line}"
    );
    let parts: Vec<&str> = line.split(": ").collect();
    let mut distinct = parts.clone();
    distinct.dedup();
    assert_eq!(parts, distinct, "{line}");
}

// ---- plugins ---------------------------------------------------------------------

#[test]
fn a_plugin_that_is_missing() {
    let line = refused(&["list", "--plugin", "nowhere.so"]);
    assert!(line.starts_with("nowhere.so: cannot be read"), "{line}");
}

#[test]
fn a_plugin_that_is_no_library() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.so"), "not a library").unwrap();
    for args in [
        &["list"][..],
        &["analyse", "tilt/card-2", "--out", "out"],
        &["certify", "--out", "out"],
    ] {
        let args = [args, &["--plugin", "notes.so"]].concat();
        let line = refused_in(folder.path(), &args);
        let expected = "notes.so: is not a shared library that loads here: ";
        assert!(line.starts_with(expected), "{line}");
    }
}

#[test]
fn a_plugin_that_is_a_folder() {
    let line = refused(&["list", "--plugin", "."]);
    assert!(line.starts_with(".: is not a file"), "{line}");
}

// ---- claims files ------------------------------------------------------------------

const CLAIMS: &str = r#"puzzle = "tilt"

[[claim]]
id = "a-claim"
source = "somewhere"
section = "1"
statement = "A lone blue block in a corner came from five squares."
kind = "derived"
derive = "corner-predecessors"
claimed = 5
expect = "confirmed"
"#;

/// The line with which `certify` refuses a claims file.
fn refused_claims(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("my.toml"), text).unwrap();
    refused_in(
        folder.path(),
        &["certify", "--claims", "my.toml", "--out", "out"],
    )
}

macro_rules! refuses_claims {
    ($($name:ident: $from:literal => $to:literal => $($fragment:literal),+;)+) => {
        $(
            #[test]
            fn $name() {
                assert!(CLAIMS.contains($from));
                let line = refused_claims(&CLAIMS.replace($from, $to));
                for fragment in [$($fragment),+] {
                    assert!(line.contains(fragment), "'{line}' lacks '{fragment}'");
                }
            }
        )+
    };
}

refuses_claims! {
    claims_with_a_syntax_error: "claimed = 5" => "claimed = = 5"
        => "my.toml, line 10, column 11: ";
    claims_with_an_unclosed_string: "section = \"1\"" => "section = \"1"
        => "my.toml, line 6, column ";
    claims_with_an_unknown_field: "claimed = 5" => "claimd = 5"
        => "my.toml, line 10, column 1: ", "no field 'claimd'", "did you mean 'claimed'?";
    claims_without_a_figure: "claimed = 5\n" => ""
        => "my.toml, line 3, column 1: ", "lacks the field 'claimed'";
    claims_without_a_source: "source = \"somewhere\"\n" => ""
        => "my.toml, line 3, column 1: ", "source";
    claims_without_an_expectation: "expect = \"confirmed\"\n" => ""
        => "my.toml, line 3, column 1: ", "lacks the field 'expect'";
    claims_with_an_unknown_verdict: "\"confirmed\"" => "\"confirmd\""
        => "my.toml, line ", "confirmd", "confirmed";
    claims_with_an_unknown_kind: "\"derived\"" => "\"deriv\""
        => "my.toml, line ", "deriv", "derived";
    claims_with_a_bad_id: "a-claim" => "A Claim"
        => "my.toml, line 4, column 1: ", "'A Claim'", "lower-case";
    claims_for_an_unknown_puzzle: "\"tilt\"" => "\"tlit\""
        => "my.toml", "line 1", "no puzzle 'tlit'", "did you mean 'tilt'?";
    claims_for_no_puzzle: "puzzle = \"tilt\"\n" => ""
        => "my.toml, line 1, column 1", "puzzle = \"NAME\"";
    claims_with_an_unknown_derivation: "corner-predecessors" => "corner-successors"
        => "'a-claim'", "corner-successors";
    claims_with_a_figure_that_holds_ignores: "claimed = 5" => "claimed = 5\ncompare = \"holds\""
        => "my.toml, line 10, column 1: claim 'a-claim': 'claimed' says nothing with compare = \"holds\"", "leave it out";
    claims_with_a_figure_that_solvable_ignores: "kind = \"derived\"\nderive = \"corner-predecessors\"" => "kind = \"solvable\"\ninstance = \"card-7\""
        => "my.toml, line 10, column 1: claim 'a-claim': kind = \"solvable\" takes no 'claimed'; it takes instance, board";
    claims_with_an_endless_tolerance: "claimed = 5" => "claimed = 5\ncompare = \"about\"\nwithin = inf"
        => "my.toml, line 12, column 1: claim 'a-claim': within = inf is not a number more than 0 and at most 0.5";
    claims_with_no_tolerance: "claimed = 5" => "claimed = 5\ncompare = \"about\"\nwithin = nan"
        => "my.toml, line 12, column 1: ", "within = nan is not a number";
    claims_with_a_tolerance_for_equals: "claimed = 5" => "claimed = 5\nwithin = 0.1"
        => "my.toml, line 11, column 1: claim 'a-claim': 'within' says nothing with compare = \"equal\"";
    claims_with_a_key_of_another_kind: "claimed = 5" => "claimed = 5\ncount = \"parts\""
        => "my.toml, line 11, column 1: claim 'a-claim': kind = \"derived\" takes no 'count'; it takes derive, parameters";
    claims_with_unknown_parameters: "claimed = 5" => "claimed = 5\nparameters = { bord = \"5x7\" }"
        => "'a-claim'", "takes no parameters, but 'bord' was given";
    claims_with_more_digits_than_a_number_has: "claimed = 5" => "claimed = 1111111111111111111111111111111111111111"
        => "my.toml, line 10, column 1: claim 'a-claim': ", "below 2^128";
    claims_with_a_comma_in_a_figure: "claimed = 5" => "claimed = \"1,5\""
        => "my.toml, line 10, column 1: claim 'a-claim': '1,5' cannot be compared", "groups of three digits";
    claims_with_an_endless_figure: "claimed = 5" => "claimed = inf\ncompare = \"at-most\""
        => "my.toml, line 10, column 1: ", "'inf' cannot be compared";
    claims_with_an_unknown_count: "kind = \"derived\"\nderive = \"corner-predecessors\"" => "kind = \"count\"\ninstance = \"box\"\ncount = \"orbits\""
        => "my.toml, line 10, column 1: claim 'a-claim': count = \"orbits\" is not one of ", "total_orbits", "level_N_states";
    claims_with_an_unknown_instance: "kind = \"derived\"\nderive = \"corner-predecessors\"" => "kind = \"count\"\ninstance = \"boks\"\ncount = \"parts\""
        => "'a-claim'", "no instance of tilt 'boks'";
    claims_with_a_misspelt_board: "kind = \"derived\"\nderive = \"corner-predecessors\"" => "kind = \"hardest\"\ninstance = \"box\"\nboard = \"....x/...../..O../...../.....\""
        => "'a-claim'", "row 1, column 5", "unknown symbol 'x'";
    claims_that_cannot_be_compared: "claimed = 5" => "claimed = \"few\"\ncompare = \"about\""
        => "'a-claim'", "'few'";
}

#[test]
fn claims_that_are_missing() {
    let line = refused(&["certify", "--claims", "nowhere.toml", "--out", "out"]);
    assert!(line.starts_with("nowhere.toml: cannot be read"), "{line}");
}

#[test]
fn claims_that_hold_no_claim() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("my.toml"), "puzzle = \"tilt\"\n").unwrap();
    let line = refused_in(folder.path(), &["certify", "--claims", "my.toml"]);
    assert!(line.starts_with("my.toml: holds no claim"), "{line}");
}

#[test]
fn claims_that_are_no_text() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("my.toml"), [0xff, 0xfe, 0]).unwrap();
    let line = refused_in(folder.path(), &["certify", "--claims", "my.toml"]);
    assert!(line.starts_with("my.toml: is no text in UTF-8"), "{line}");
}

/// Numbers that no board has, and texts that are not numbers.
const ODD: [&str; 9] = [
    "18446744073709551615",
    "9223372036854775807,1",
    "1,9223372036854775807",
    "4294967295x4294967295",
    "-1",
    "99999999999999999999",
    "",
    "[[",
    "\u{e9}\u{202e}\u{0}",
];

#[test]
fn every_setting_refuses_odd_values_in_a_line() {
    let mut refused = 0;
    for library in builtin::all().into_iter().map(Arc::new) {
        let listed = library.instances.iter().map(|one| one.name.clone());
        let names = listed.take(2).chain(["custom".to_owned()]);
        for (name, variant) in names.flat_map(|name| {
            let with = |variant: &String| (name.clone(), variant.clone());
            library.variants.iter().map(with).collect::<Vec<_>>()
        }) {
            for (set, value) in library
                .settings
                .iter()
                .flat_map(|set| ODD.map(|odd| (set, odd)))
            {
                let of = format!("{}/{name} {}={value}", library.name, set.key);
                let opened = library.open(&name, &variant, &settings(&[(&*set.key, value)]));
                if let Err(why) = opened.map_err(|why| why.to_string()) {
                    assert!(
                        !why.contains("panicked") && !why.contains('\n'),
                        "{of}: {why}"
                    );
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 500, "{refused} refused");
}
