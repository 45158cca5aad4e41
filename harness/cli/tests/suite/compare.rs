//! `compare` on samples that were changed, or that are too few: a verdict must not rest on data
//! that nobody measured.

use std::fs;
use std::path::Path;

use antipode_reports::bench::Sample;
use antipode_reports::csv_out::write_rows;

use crate::bench::{folder, samples};
use crate::support::{Text, read, runs};

const TWO: &str = r#"
[suite]
name = "two"
samples = 8

[[row]]
name = "hash"
instance = "tilt/box"
set = { grey = 0, blue = "0..1" }
engine = "hash"

[[row]]
name = "dense"
instance = "tilt/box"
set = { grey = 0, blue = "0..1" }
engine = "dense"
"#;

/// Copies the tables of a results folder with changed samples.
fn copied(from: &Path, to: &Path, change: impl Fn(&mut Sample)) {
    fs::create_dir_all(to).unwrap();
    let mut all = samples(from);
    all.iter_mut().for_each(change);
    write_rows(to.join("samples.csv"), &all).unwrap();
    fs::copy(from.join("run.json"), to.join("run.json")).unwrap();
}

#[test]
fn comparisons_say_what_they_cannot_tell() {
    let folder = folder(TWO);
    let at = folder.path();
    runs(at, "bench suite.toml --out out").ended(0);
    let out = at.join("out");
    let compared = |line: &str, code: i32, needles: &[&str]| {
        let ran = runs(at, &format!("compare {line}")).ended(code);
        format!("{}{}", ran.out, ran.err).has(needles);
    };

    // A faster wrong answer is no improvement, even if every sample says that it is ok.
    copied(&out, &at.join("fast"), |sample| {
        if sample.row == "dense" {
            (sample.answer, sample.expected) = ("00aa".into(), "00aa".into());
            sample.cpu_s = Some(1e-6);
        }
    });
    let right = &samples(&out)[0].answer;
    let differ = format!("dense in out says {right}, dense in fast says 00aa");
    compared("out fast", 3, &["wrong", &differ]);
    compared(
        "hash dense --results fast",
        3,
        &["the answers differ: hash says"],
    );

    // Rows of one name with different questions.
    copied(&out, &at.join("other"), |sample| {
        sample.settings = "grey=1".into();
        sample.answer = "00aa".into();
        sample.expected = "00aa".into();
    });
    let another = "the row asks another question in each, so neither can be the faster: tilt/box blue=0..1 grey=0; and tilt/box grey=1";
    compared("out other", 4, &["refused", another]);

    // A time of 0 is one that the clock could not distinguish from 0.
    copied(&out, &at.join("short"), |sample| {
        if sample.row == "dense" && sample.sample == 2 {
            sample.cpu_s = Some(0.0);
        }
    });
    let short = "sample 2 of 'dense' took cpu_s = 0, too short for the clock";
    compared("hash dense --results short", 4, &["refused", short]);
    compared("hash dense --results short --measure wall", 0, &[]);

    // The band of one folder is not that of another.
    copied(&out, &at.join("plain"), |sample| {
        sample.row = sample.row.replace("@self", "-again");
    });
    let only = [
        "note: only in out: hash@self",
        "note: only in plain: hash-again",
    ];
    let none =
        "no noise band, so no verdict: 0 rows with `self = true` ran the same program in both";
    compared("out plain", 0, &[only[0], only[1], none]);
    compared("out gone", 2, &["gone: there is no such file or folder"]);
    compared(
        "out gone --results out",
        2,
        &["no row 'out'; it is a file or folder"],
    );
    compared(
        "a b",
        2,
        &["--results antipode-bench: there is no such folder"],
    );

    // Between folders, a difference needs a band between runs, which may be given.
    copied(&out, &at.join("slow"), |sample| {
        let factor = if sample.row == "dense" { 3.0 } else { 1.0 };
        sample.cpu_s = sample.cpu_s.map(|time| time * factor);
    });
    compared("out slow", 0, &["undecided", "and it takes 3 to see"]);
    compared("out slow --band 2", 0, &["  slower"]);
    compared("out slow --band 4", 0, &["  within the noise"]);
    compared("out slow --band 0.9", 2, &["'0.9' is no factor"]);

    // Several in one table, with their geometric means; one of them stopped.
    let record = read(at.join("slow/run.json"));
    let stopped = record.replace("\"complete\": true", "\"complete\": false");
    fs::write(at.join("slow/run.json"), stopped).unwrap();
    compared(
        "out out slow --band 2 --out many",
        0,
        &[
            "note: slow: incomplete",
            "1.732 over 2 rows",
            "3.000 (3.000 to 3.000), slower",
        ],
    );
    let many = read(at.join("many/comparison.md"));
    let head = "**1 slower** of 4 comparisons against out\n\n| row | out | slow |";
    assert!(many.contains(head), "{many}");
    compared("out slow gone", 2, &["gone: there is no such"]);

    // All rows of two executables in the same rounds.
    copied(&out, &at.join("both"), |sample| {
        sample.row = sample.row.replace("@self", "@against");
    });
    compared("@against both --band 9", 0, &["hash@against"]);
    compared("@against out", 2, &["no row was measured with a second"]);

    // Over commits.
    let history = |folder: &str, commit: &str| {
        let line = format!("report {folder} --history h.csv --commit {commit}");
        runs(at, &line).ended(0).out
    };
    assert_eq!(history("out", "first"), "h.csv: 1 commit\n");
    let grown = history("slow", "second");
    grown.has(["  second: dense: time 3.000 times ("]);
    assert_eq!(history("slow", "second"), grown);
    let rows = read(at.join("h.csv"));
    assert_eq!(rows.lines().count(), 5, "{rows}");
    assert!(at.join("h.svg").is_file());
    // Nothing is written over.
    for (file, said) in [("p.svg", "name it FILE.csv"), ("p.csv", "move it away")] {
        fs::write(at.join("p.svg"), "somebody's").expect("a file");
        let line = format!("report out --history {file} --commit first");
        runs(at, &line).ended(2).err.has([said]);
        assert_eq!(read(at.join("p.svg")), "somebody's");
        assert!(!at.join("p.csv").exists());
    }

    // Samples of another suite, and more than there can be.
    copied(&out, &at.join("foreign"), |sample| {
        sample.suite = "small".into()
    });
    let line = "samples.csv, line 2, column suite: the suite is small, but run.json has two";
    compared("out foreign", 2, &[line]);
    copied(&out, &at.join("more"), |sample| sample.sample += 1);
    compared(
        "out more",
        2,
        &["column sample: the number of the sample is 8"],
    );
}

#[test]
fn a_folder_whose_record_is_gone_or_damaged() {
    let hint = "remove the folder and measure again, or choose another --out";
    let folder = folder(TWO);
    let at = folder.path();
    let bench = "bench suite.toml --out out";
    runs(at, bench).ended(0);
    // With it, the manifest detects the change.
    fs::remove_file(at.join("out/manifest.json")).unwrap();
    let refused = |line: &str| runs(at, line).refused().err.has(["out/run.json", hint]);
    let compare = "compare hash dense --results out";
    for damaged in ["", "{}", "[1]", "{\"suite\": 1}"] {
        fs::write(at.join("out/run.json"), damaged).unwrap();
        refused(compare);
        refused("report out");
        refused(bench);
    }
    fs::remove_file(at.join("out/run.json")).unwrap();
    refused(bench);
    let ran = runs(at, compare).ended(0);
    ran.err
        .has(["out: no run.json: nothing says which run these samples are of"]);
}
