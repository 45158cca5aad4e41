//! `bench`, `compare` and `regress` from outside: what is recorded, how a stopped run resumes, how
//! baselines are kept, and what is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use antipode_bench::suite::{Metric, Suite, SuiteRow, spread};
use antipode_reports::bench::{Sample, Status, read_folder};
use serde_json::Value;

use crate::support::{
    self, Fresh, NARROW, Text, folder_with, json, plays, read, rows, runs, suite,
};

static SMALL: LazyLock<String> = LazyLock::new(|| {
    let every = format!("{NARROW}variant = \"all\"; engine = \"all\"");
    let two = format!("{NARROW}engine = \"dense\"; threads = [1, 2]");
    suite(
        "name = \"small\"; samples = 2",
        &[
            ("tilt", &*every),
            ("two", &two),
            ("path", "verb = \"solve\"; instance = \"tilt/card-7\""),
        ],
    )
});

pub(crate) fn folder(suite: &str) -> Fresh {
    folder_with("suite.toml", suite)
}

pub(crate) fn samples(folder: &Path) -> Vec<Sample> {
    read_folder(folder).unwrap()
}

/// The row and number of samples, in their order.
fn order(samples: &[Sample]) -> Vec<(String, u32)> {
    samples.iter().map(|s| (s.row.clone(), s.sample)).collect()
}

#[test]
fn every_row_is_measured_checked_and_counted_and_a_stopped_run_goes_on() {
    let folder = folder(&SMALL);
    let out = folder.join("out");
    runs(&folder, "bench suite.toml --out out").ended(0);
    let all = samples(&out);
    let mut by_row: BTreeMap<&str, Vec<&Sample>> = BTreeMap::new();
    for sample in &all {
        by_row.entry(&sample.row).or_default().push(sample);
    }
    // Two variants on seven engines, of which some are not offered; two thread counts; a path; and
    // the first row again, against itself.
    assert_eq!(by_row.len(), 18, "{:?}", by_row.keys());
    for (row, why) in [
        ("tilt/reference/sweep", "no inner loop"),
        ("tilt/reference/gpu", "no kernels"),
        ("tilt/bitboard/gpu", "no kernels"),
    ] {
        let refused = by_row.remove(row).unwrap();
        assert_eq!((refused.len(), refused[0].status), (1, Status::Refused));
        refused[0].detail.has([why]);
    }
    for (row, mine) in &by_row {
        assert_eq!(mine.len(), 2, "{row}");
        let counters = |s: &Sample| (s.states, s.generated, s.read_bytes, s.written_bytes);
        for s in mine {
            assert!(s.status == Status::Ok && s.answer == s.expected, "{row}");
            assert!(s.wall_s > Some(0.0) && s.cpu_s >= Some(0.0), "{row}");
            assert_eq!(counters(s), counters(mine[0]), "{row}");
        }
    }
    let counted = |row: &str| (by_row[row][0].states, by_row[row][0].generated);
    // Counters depend neither on threads nor on the implementation of the rules.
    assert_eq!(counted("two/1"), counted("two/2"));
    let hash = counted("tilt/bitboard/hash");
    assert_eq!(hash, counted("tilt/reference/hash"));
    // Neither engine reduces by symmetry, and both list every move of every state.
    let dense = counted("tilt/bitboard/dense");
    assert_eq!(dense, counted("tilt/bitboard/reference"));
    assert!(hash.1 < dense.1);
    assert_eq!(counted("tilt/bitboard/sweep").1, None);
    assert_eq!(by_row["path"][0].answer, "length 15");
    assert_eq!(by_row["path"][0].engine, "solve");
    let run: Value = json(out.join("run.json"));
    assert_eq!(run["complete"], true);
    assert_eq!(run["noise"].as_array().unwrap().len(), 2);

    // Nothing is left: nothing changes.
    let whole = read(out.join("samples.csv"));
    runs(&folder, "bench suite.toml --out out").ended(0);
    assert_eq!(read(out.join("samples.csv")), whole);
    // A killed run leaves whole lines and a torn one, and no manifest yet.
    let lines: Vec<&str> = whole.lines().collect();
    let kept = lines.len() - 5;
    let torn = format!("{}\n{}", lines[..kept].join("\n"), &lines[kept][..30]);
    fs::write(out.join("samples.csv"), torn).unwrap();
    fs::remove_file(out.join("manifest.json")).unwrap();
    runs(&folder, "bench suite.toml --out out").ended(0);
    assert_eq!(order(&samples(&out)), order(&all));
    let text = read(out.join("samples.csv"));
    assert!(text.starts_with(&(lines[..kept].join("\n") + "\n")));
    // Another run does not mix with it.
    let other = runs(&folder, "bench suite.toml --out out --seed 9").ended(2);
    other.err.has(["the seed differs"]);
    // A remark changes no row, and a row does.
    let suite = folder.join("suite.toml");
    fs::write(&suite, format!("{}\n# more\n", *SMALL)).unwrap();
    runs(&folder, "bench suite.toml --out out").ended(0);
    fs::write(&suite, SMALL.replacen("0..1", "0", 1)).unwrap();
    let other = runs(&folder, "bench suite.toml --out out");
    other.err.has(["the suite differs"]);

    compares(&folder);
}

/// Comparisons of the folder that was measured.
fn compares(folder: &Path) {
    let json_of = |rows: &str, code: i32| {
        let line = format!("compare {rows} --results out --format json");
        runs(folder, &line).ended(code).json()["comparisons"].take()
    };
    let by_name = json_of("tilt/reference/hash tilt/bitboard/hash", 0);
    assert_eq!(by_name.as_array().unwrap().len(), 1);
    assert_eq!(by_name[0]["pairs"], 2);
    assert!(by_name[0]["low"].as_f64() <= by_name[0]["ratio"].as_f64());
    // Two pairs cannot show anything at the level of 0.05, however different; of several rows,
    // some are refused, but are rows of the table next to others.
    for [rows, code, verdict, detail] in support::rows(
        "tilt/reference/hash tilt/bitboard/hash | 0 | undecided | too few
         tilt/bitboard/sweep tilt/reference/sweep | 4 | refused | tilt/reference/sweep: refused:
         tilt/bitboard/hash path | 4 | refused | the rows answer different questions, so neither can be the faster: tilt/box blue=0..1 grey=0 backward; and tilt/card-7 path",
    ) {
        let found = json_of(rows, code.parse().unwrap());
        assert_eq!(found[0]["verdict"], verdict);
        found[0]["detail"].as_str().unwrap().has([detail]);
    }
    // Five engines, dense once more by another row, and two that are refused.
    for (rows, count) in [("reference bitboard", 8), ("hash dense", 3)] {
        let found = json_of(rows, 0);
        assert_eq!(found.as_array().unwrap().len(), count, "{found}");
    }
    let folders = json_of("out out", 0);
    let ratios = folders.as_array().unwrap().iter();
    let ratios: Vec<f64> = ratios.filter_map(|one| one["ratio"].as_f64()).collect();
    assert!(ratios.len() > 5 && ratios.iter().all(|ratio| *ratio == 1.0));
    plays(
        folder,
        "2 compare tilt/bitboard/hsh path --results out | did you mean 'tilt/bitboard/hash'
         2! compare a b --results nowhere",
    );
}

#[test]
fn one_sample_is_refused_with_the_reason() {
    let one = SMALL.replace("samples = 2", "samples = 1");
    plays(
        folder(&one.replace("variant = \"all\"\nengine = \"all\"", "engine = \"reference\"")),
        "0 bench suite.toml --out out
         4 compare two/1 two/2 --results out | refused | one pair where at least two | no noise band: row 'tilt' was measured against itself, but in 1 pair of good samples,",
    );
}

#[test]
fn a_suite_of_rows_that_cannot_run_reaches_nothing() {
    let (head, rows) = SMALL.split_once("[[row]]").unwrap();
    let row = rows.split_once("[[row]]").unwrap().0;
    let one = "\"reference\"\nengine = [\"sweep\"]";
    let row = row.replace("\"all\"\nengine = \"all\"", one);
    let folder = folder(&format!("{head}[[row]]{row}"));
    plays(folder, "4 bench suite.toml --out out | refused");
}

#[test]
fn suites_with_faults_are_refused_with_line_and_column() {
    let cases = rows(
        r#"
        samples = 2 | warmups = 0 | has no 'expect'
        engine = "dense" | engin = "dense" | did you mean 'engine'?
        engine = "dense" | engine = "dens" | no engine 'dens'; did you mean 'dense'?
        "tilt/box" | "tilt/boxx" | line 8, column 12: no instance of tilt 'boxx'; did you mean 'box'?
        "tilt/box" | "tlt/box" | no puzzle 'tlt'; did you mean 'tilt'?
        variant = "all" | variant = "bitbord" | tilt has no variant 'bitbord'; did you mean 'bitboard'?
        threads = [1, 2] | timeout = "soon" | write a time such as 30s
        threads = [1, 2] | memory = "much" | write a number and a unit
        threads = [1, 2] | variant = "reference"\nto = "A" | 'to' says nothing with verb = "analyse"
        name = "two" | name = "tilt" | a second row named 'tilt'
        name = "two" | name = "a@self" | nor hold '@'
        name = "small" | name = "../../esc" | line 3, column 8: '../../esc' is no name of a suite: write letters
        name = "small" | name = ".small" | line 3, column 8:
        name = "small" | name = "" | line 3, column 8:
        samples = 2 | plugins = ["a.so"] | line 4, column 12: plugins: a.so: there is no such file
        samples = 2 | plugins = "suite.toml" | line 4, column 11: plugins:
        instance = "tilt/card-7" | instance = "tilt/card-7"\nfrom = "zzz" | line 24, column 8: row 'path': tilt/card-7: 'zzz' is neither
        instance = "tilt/card-7" | instance = "coin-sliding/5x7"\nset = { from = "V,T", to = "Y" } | has 2 starts
        instance = "tilt/card-7" | instance = "coin-sliding/5x7"\nfrom = "A"\nto = "??" | line 25, column 6: row 'path': coin-sliding: to=??:
        engine = "dense" | engine = "dense"\nfrom = "x/y" | line 18, column 8: row 'two/1': tilt/box:
        threads = [1, 2] | direction = "forward" | line 18, column 13: row 'two': tilt/box has no start of its own; write from = "…", a position, such as "
        blue = "0..1" }\nvariant | blue = "0..9" }\nvariant | line 9, column 7: row 'tilt
        threads = [1, 2] | to = "A" | line 18, column 6: 'to' says nothing
        grey = 0 | grey = 9 | row 'tilt
        engine = "dense"\nthreads = [1, 2] | engine = "sweep"\nvariant = "reference" | no inner loop
        engine = "dense"\nthreads = [1, 2] | engine = ["hash", "reference"]\ntable = "bit" | 'table' is that of engine dense, and this row runs
        instance = "tilt/card-7" | instance = "coin-sliding/custom"\nset = { width = 4, height = 5, coins = 7 }\nfrom = "zzz" | , such as "oooo/ooo./
        instance = "tilt/card-7" | instance = "coin-sliding/custom"\nset = { width = 4, height = 5, coins = 99 } | column 7:
        engine = "dense"\nthreads = [1, 2] | engine = "dense"\nexpect = "0123" | column 10: expect: ; 32 lowercase hexadecimal digits
        engine = "dense"\nthreads = [1, 2] | engine = "dense"\nexpect = "" | 32 lowercase hexadecimal digits
        engine = "dense"\nthreads = [1, 2] | engine = "dense"\nexpect = "0123456789ABCDEF0123456789abcdef" | 32 lowercase hexadecimal digits
        instance = "tilt/card-7" | instance = "tilt/card-7"\nexpect = "length  14" | "length N" or "unsolvable"
        instance = "tilt/card-7" | instance = "tilt/card-7"\nexpect = "length +14" | "length N" or "unsolvable"
        instance = "tilt/card-7" | instance = "tilt/card-7"\nexpect = "length 014" | "length N" or "unsolvable"
        instance = "tilt/card-7" | instance = "tilt/card-7"\nexpect = "Unsolvable" | "length N" or "unsolvable"
    "#,
    );
    for [from, to, fragment] in cases {
        let text = SMALL.replacen(from, to, 1);
        assert_ne!(text, *SMALL, "{from}");
        let folder = folder(&text);
        let line = runs(&folder, "bench suite.toml").refused().err;
        line.says(&format!("suite.toml, line; {fragment}"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
}

/// Rows of other programs: right if they print the expected answer, refused if there is no such
/// program. They do not decide the expected answers of our own rows.
#[test]
fn rows_of_other_programs_are_timed_where_they_are_right() {
    let of_card = |keys: &str| format!("instance = \"tilt/card-7\"; verb = \"solve\"; {keys}");
    let says = |program: &str, text: &str| {
        let command = format!("command = [\"{program}\", \"found {text}\"]");
        of_card(&format!("{command}; expect = \"15 moves\""))
    };
    let rows = [
        ("own", &*of_card("")),
        ("right", &says("echo", "15 moves")),
        ("wrong", &says("echo", "14 moves")),
        ("missing", &says("./nobody", "")),
    ];
    let folder = folder(&suite("name = \"others\"; samples = 2", &rows));
    runs(&folder, "bench suite.toml --out out").ended(3);
    let all = samples(&folder.join("out"));
    for (name, count, status, answer) in [
        ("own", 2, Status::Ok, "length 15"),
        ("right", 2, Status::Ok, "15 moves"),
        ("wrong", 2, Status::Wrong, "found 14 moves"),
        ("missing", 1, Status::Refused, ""),
    ] {
        let mine: Vec<_> = all.iter().filter(|s| s.row == name).collect();
        let as_told = mine
            .iter()
            .all(|s| (s.status, &*s.answer) == (status, answer));
        assert!(mine.len() == count && as_told, "{mine:?}");
        assert_eq!(mine[0].engine == "command", name != "own");
        let why = if name == "missing" {
            "no such program"
        } else {
            ""
        };
        mine[0].detail.has([why]);
    }
    for [keys, why] in support::rows(
        r#"command = ["echo"]; expect = " " | leave 'expect' out
           command = []; expect = "x" | PROGRAM
           command = ["echo"]; expect = "x"; threads = 2 | 'threads' says nothing to another program"#,
    ) {
        let suite = suite("name = \"o\"", &[("odd", &of_card(keys))]);
        let ran = runs(crate::bench::folder(&suite), "bench suite.toml");
        ran.refused().err.has([why]);
    }
}

#[test]
fn parameters_stand_for_rows_and_limits_for_metrics() {
    let parsed = |row: &str| {
        let text = format!(
            "[suite]\nname = \"s\"\nlimit = {{ time = 1.2, peak = 2 }}\n[[row]]\nname = \"a\"\n{row}"
        );
        Suite::parse("s.toml", &text)
    };
    let row = "was = \"b\"\ncommand = [\"true\", \"{n}:{m}\"]\nparameters = { n = \"8..10:2\", m = [\"x\", 3] }\nlimit = { time = 1.5 }";
    let spread_rows = spread(&parsed(row).unwrap(), &[]).unwrap();
    let of = |row: &SuiteRow| {
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
    for [row, said] in support::rows(
        r#"
        command = ["true"]\nparameters = { n = 1 } | line 7, column 20: parameter 'n' does not occur in the row
        command = ["{n}"]\nparameters = { n = "1..9999" } | more than 1000
        command = ["{n}"]\nparameters = { n = "3..1" } | makes no row
        command = ["true"]\nlimit = { tme = 1 } | no limit 'tme'; did you mean 'time'?
        command = ["true"]\nlimit = { time = 0.5 } | 'time' takes a factor from 1 to 1000, not
        command = ["true"]\nprepare = [] | write ["PROGRAM"
        command = ["true"]\nset = { a = 1 } | 'set' says nothing
    "#,
    ) {
        parsed(row).unwrap_err().to_string().has([said]);
    }
}
