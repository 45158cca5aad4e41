//! The content of a suite: positions as they are written, and the help.

use std::path::Path;

use antipode_bench::suite::keys::{ROW_KEYS, SUITE_KEYS};
use antipode_bench::suite::{Metric, Suite, spread};

use crate::bench::folder;
use crate::support::run_in;

/// A word that is not a position on coins: the message shows an example of one.
#[test]
fn a_position_of_a_suite_that_is_none_is_told_with_one_that_is() {
    let row = "[suite]\nname = \"c\"\n[[row]]\nname = \"coins\"\ninstance = \"coin-sliding/custom\"\nset = { width = 4, height = 5, coins = 7 }\nfrom = \"zzz\"\n";
    let refused = |suite: &str| {
        let folder = folder(suite);
        let ran = run_in(folder.path(), &["bench", "suite.toml"]);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        assert!(!ran.err.contains("another engine"), "{}", ran.err);
        ran.err
    };
    let line = refused(row);
    for text in [
        "suite.toml, line 7, column 8: ",
        "'zzz'",
        ", such as \"oooo/ooo./",
    ] {
        assert!(line.contains(text), "'{line}' lacks '{text}'");
    }
    let line = refused(&row.replace("coins = 7", "coins = 99"));
    assert!(line.contains("suite.toml, line 6, column 40: "), "{line}");
    // One refusal, not one for each row of the list.
    let line = refused(&row.replace("from = \"zzz\"", "engine = [\"hash\", \"dense\"]"));
    assert!(
        line.contains("line 5, column 12: ") && line.contains("write from = \"…\""),
        "{line}"
    );
}

#[test]
fn the_help_explains_every_key_of_a_suite() {
    let ran = run_in(Path::new("."), &["bench", "--help"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for (head, keys) in [
        ("Keys of [suite]:", SUITE_KEYS),
        ("Keys of a [[row]]:", ROW_KEYS),
    ] {
        let (_, list) = ran.out.split_once(head).unwrap();
        let list = list.split("\n\n").next().unwrap();
        // The help folds between words.
        let words =
            |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        assert_eq!(words(list), words(keys));
        for line in keys.trim().lines() {
            let (_, text) = line.trim().split_once(char::is_whitespace).unwrap();
            assert!(!text.trim().is_empty(), "{line}");
        }
    }
}

const BOX: &str = "[suite]\nname = \"s\"\nsamples = 1\n[[row]]\nname = \"a\"\ninstance = \"tilt/box\"\nset = { grey = 0, blue = \"0..1\" }\n";
const CARD: &str = "[suite]\nname = \"s\"\nsamples = 1\n[[row]]\nname = \"a\"\ninstance = \"tilt/card-7\"\nverb = \"solve\"\n";

/// The line that refuses a suite.
fn refused(suite: &str) -> String {
    let folder = folder(suite);
    let ran = run_in(folder.path(), &["bench", "suite.toml"]);
    let told = (ran.code, ran.err.lines().count());
    assert_eq!(told, (2, 1), "{suite}: {}{}", ran.out, ran.err);
    ran.err
}

#[test]
fn an_expected_answer_that_no_row_can_give_is_refused() {
    let digest = "0123456789abcdef0123456789abcdef";
    for (row, odd, form) in [
        (BOX, "0123", "32 lowercase hexadecimal digits"),
        (
            BOX,
            &digest.to_uppercase(),
            "32 lowercase hexadecimal digits",
        ),
        (BOX, "length 14", "32 lowercase hexadecimal digits"),
        (BOX, "", "32 lowercase hexadecimal digits"),
        (CARD, digest, "\"length N\" or \"unsolvable\""),
        (CARD, "length  14", "\"length N\""),
        (CARD, "length +14", "\"length N\""),
        (CARD, "length 014", "\"length N\""),
        (CARD, "Unsolvable", "\"unsolvable\""),
    ] {
        let line = refused(&format!("{row}expect = \"{odd}\"\n"));
        assert!(
            line.contains("suite.toml, line 8, column 10: expect: ") && line.contains(form),
            "{line}"
        );
    }
    let folder = folder(&format!("{CARD}expect = \"length 15\"\n"));
    let ran = run_in(folder.path(), &["bench", "suite.toml"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn a_table_is_that_of_engine_dense() {
    for engine in [
        "",
        "engine = \"hash\"\n",
        "engine = [\"hash\", \"reference\"]\n",
    ] {
        let line = refused(&format!("{BOX}table = \"bit\"\n{engine}"));
        assert!(
            line.contains("suite.toml, line 8, column 9: ")
                && line.contains("'table' is that of engine dense, and this row runs "),
            "{line}"
        );
    }
    let folder = folder(&format!(
        "{BOX}table = \"bit\"\nengine = [\"hash\", \"dense\"]\n"
    ));
    let ran = run_in(folder.path(), &["bench", "suite.toml", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn parameters_stand_for_rows_and_limits_for_metrics() {
    let suite = |row: &str| {
        let text = format!(
            "[suite]\nname = \"s\"\nlimit = {{ time = 1.2, peak = 2 }}\n[[row]]\nname = \"a\"\n{row}"
        );
        Suite::parse("s.toml", &text)
    };
    let row = "was = \"b\"\ncommand = [\"true\", \"{n}:{m}\"]\nparameters = { n = \"8..10:2\", m = [\"x\", 3] }\nlimit = { time = 1.5 }";
    let rows = spread(&suite(row).unwrap(), &[]).unwrap();
    let of = |row: &antipode_bench::suite::SuiteRow| {
        let word = row.command.as_ref().unwrap()[1].clone();
        (row.name.clone(), row.was.clone().unwrap(), word)
    };
    let found: Vec<_> = rows.iter().map(of).collect();
    let row = |name: &str, word: &str| (format!("a/{name}"), format!("b/{name}"), word.to_owned());
    let wanted = [
        row("x/8", "8:x"),
        row("x/10", "10:x"),
        row("3/8", "8:3"),
        row("3/10", "10:3"),
    ];
    assert_eq!(found, wanted);
    let limit = |metric| rows[0].limit.get(&metric).copied();
    let limits = [Metric::Time, Metric::Peak, Metric::States].map(limit);
    assert_eq!(limits, [Some(1.5), Some(2.0), None]);
    for (row, said) in [
        (
            "command = [\"true\"]\nparameters = { n = 1 }",
            "line 7, column 20: parameter 'n' does not occur in the row",
        ),
        (
            "command = [\"{n}\"]\nparameters = { n = 1.5 }",
            "'n' takes one value",
        ),
        (
            "command = [\"{n}\"]\nparameters = { n = \"1..9999\" }",
            "more than 1000",
        ),
        (
            "command = [\"{n}\"]\nparameters = { n = \"3..1\" }",
            "makes no row",
        ),
        (
            "command = [\"true\"]\nlimit = { tme = 1 }",
            "no limit 'tme'; did you mean 'time'?",
        ),
        (
            "command = [\"true\"]\nlimit = { time = 0.5 }",
            "'time' takes a factor from 1 to 1000, not",
        ),
        ("command = [\"true\"]\nprepare = []", "write [\"PROGRAM\""),
        (
            "command = [\"true\"]\nset = { a = 1 }",
            "'set' says nothing",
        ),
    ] {
        let error = suite(row).unwrap_err().to_string();
        assert!(error.contains(said), "{error}\nlacks {said}");
    }
}
