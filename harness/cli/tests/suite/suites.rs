//! The content of a suite: positions as they are written, and the help.

use std::path::Path;

use antipode_bench::suite::keys::{ROW_KEYS, SUITE_KEYS};
use antipode_bench::suite::{Metric, Suite, spread};

use crate::bench::folder;
use crate::support::{Text, rows, runs, words};

/// A word that is not a position on coins: the message shows an example of one.
#[test]
fn a_position_of_a_suite_that_is_none_is_told_with_one_that_is() {
    let row = "[suite]\nname = \"c\"\n[[row]]\nname = \"coins\"\ninstance = \"coin-sliding/custom\"\nset = { width = 4, height = 5, coins = 7 }\nfrom = \"zzz\"\n";
    // Not as many refused rows, though a list is given.
    for [from, to, said] in rows(
        r#"coins = 7 | coins = 7 | suite.toml, line 7, column 8: ; 'zzz'; , such as "oooo/ooo./
           coins = 7 | coins = 99 | suite.toml, line 6, column 40:
           from = "zzz" | engine = ["hash", "dense"] | line 5, column 12: ; write from = "…""#,
    ) {
        let line = refused(&row.replace(from, to));
        line.lacks(["another engine"]);
        line.has(said.split("; "));
    }
}

#[test]
fn the_help_explains_every_key_of_a_suite() {
    let ran = runs(Path::new("."), "bench --help").ended(0);
    for (head, keys) in [
        ("Keys of [suite]:", SUITE_KEYS),
        ("Keys of a [[row]]:", ROW_KEYS),
    ] {
        let (_, list) = ran.out.split_once(head).unwrap();
        let list = list.split("\n\n").next().unwrap();
        // The help folds between words.
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
    runs(folder(suite), "bench suite.toml").refused().err
}

#[test]
fn an_expected_answer_that_no_row_can_give_is_refused() {
    let digest = "0123456789abcdef0123456789abcdef";
    let upper = digest.to_uppercase();
    let form = "32 lowercase hexadecimal digits";
    let of_box = ["0123", &upper, "length 14", ""].map(|odd| (BOX, odd, form));
    let form = "\"length N\" or \"unsolvable\"";
    let of_card = [
        digest,
        "length  14",
        "length +14",
        "length 014",
        "Unsolvable",
    ];
    for (suite, odd, form) in of_box
        .into_iter()
        .chain(of_card.map(|odd| (CARD, odd, form)))
    {
        let line = refused(&format!("{suite}expect = \"{odd}\"\n"));
        line.has(["suite.toml, line 8, column 10: expect: ", form]);
    }
    let folder = folder(&format!("{CARD}expect = \"length 15\"\n"));
    runs(&folder, "bench suite.toml").ended(0);
}

#[test]
fn a_table_is_that_of_engine_dense() {
    let hash = "engine = \"hash\"\n";
    for engine in ["", hash, "engine = [\"hash\", \"reference\"]\n"] {
        let line = refused(&format!("{BOX}table = \"bit\"\n{engine}"));
        line.has([
            "suite.toml, line 8, column 9: ",
            "'table' is that of engine dense, and this row runs ",
        ]);
    }
    let folder = folder(&format!(
        "{BOX}table = \"bit\"\nengine = [\"hash\", \"dense\"]\n"
    ));
    runs(&folder, "bench suite.toml --format json").ended(0);
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
    let spread_rows = spread(&suite(row).unwrap(), &[]).unwrap();
    let of = |row: &antipode_bench::suite::SuiteRow| {
        let word = row.command.as_ref().unwrap()[1].clone();
        (row.name.clone(), row.was.clone().unwrap(), word)
    };
    let found: Vec<_> = spread_rows.iter().map(of).collect();
    let row = |name: &str, word: &str| (format!("a/{name}"), format!("b/{name}"), word.to_owned());
    let wanted = [
        ("x/8", "8:x"),
        ("x/10", "10:x"),
        ("3/8", "8:3"),
        ("3/10", "10:3"),
    ];
    assert_eq!(found, wanted.map(|(name, word)| row(name, word)));
    let limit = |metric| spread_rows[0].limit.get(&metric).copied();
    let limits = [Metric::Time, Metric::Peak, Metric::States].map(limit);
    assert_eq!(limits, [Some(1.5), Some(2.0), None]);
    for [row, said] in rows(
        r#"
        command = ["true"]\nparameters = { n = 1 } | line 7, column 20: parameter 'n' does not occur in the row
        command = ["{n}"]\nparameters = { n = 1.5 } | 'n' takes one value
        command = ["{n}"]\nparameters = { n = "1..9999" } | more than 1000
        command = ["{n}"]\nparameters = { n = "3..1" } | makes no row
        command = ["true"]\nlimit = { tme = 1 } | no limit 'tme'; did you mean 'time'?
        command = ["true"]\nlimit = { time = 0.5 } | 'time' takes a factor from 1 to 1000, not
        command = ["true"]\nprepare = [] | write ["PROGRAM"
        command = ["true"]\nset = { a = 1 } | 'set' says nothing
    "#,
    ) {
        suite(row).unwrap_err().to_string().has([said]);
    }
}
