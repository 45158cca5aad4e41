//! `compare` on samples that were changed, or that are too few: a verdict must not rest on data
//! that nobody measured.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use antipode_reports::bench::Sample;
use antipode_reports::csv_out::write_rows;

use crate::bench::{folder, samples};
use crate::support::{NARROW, fresh, plays, runs, suite};

static TWO: LazyLock<String> = LazyLock::new(|| {
    let [hash, dense] = ["hash", "dense"].map(|name| format!("{NARROW}engine = \"{name}\""));
    let rows = [("hash", &*hash), ("dense", &dense)];
    suite("name = \"two\"; samples = 8", &rows)
});

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
    let folder = folder(&TWO);
    let at = &folder;
    runs(at, "bench suite.toml --out out").ended(0);
    let out = at.join("out");
    // A faster wrong answer is no improvement, even if every sample says that it is ok.
    copied(&out, &at.join("fast"), |sample| {
        if sample.row == "dense" {
            (sample.answer, sample.expected) = ("00aa".into(), "00aa".into());
            sample.cpu_s = Some(1e-6);
        }
    });
    // Rows of one name with different questions.
    copied(&out, &at.join("other"), |sample| {
        sample.settings = "grey=1".into();
        sample.answer = "00aa".into();
        sample.expected = "00aa".into();
    });
    // A time of 0 is one that the clock could not distinguish from 0.
    copied(&out, &at.join("short"), |sample| {
        if sample.row == "dense" && sample.sample == 2 {
            sample.cpu_s = Some(0.0);
        }
    });
    // The band of one folder is not that of another.
    copied(&out, &at.join("plain"), |sample| {
        sample.row = sample.row.replace("@self", "-again");
    });
    copied(&out, &at.join("slow"), |sample| {
        let factor = if sample.row == "dense" { 3.0 } else { 1.0 };
        sample.cpu_s = sample.cpu_s.map(|time| time * factor);
    });
    // Counters do not depend on chance, and a report names those of another build.
    copied(&out, &at.join("more-states"), |sample| {
        sample.states = sample.states.map(|states| states + 1);
    });
    copied(&out, &at.join("built"), |sample| {
        sample.states = sample.states.map(|states| states + 1);
        sample.build = "0".repeat(64);
    });
    let right = &samples(&out)[0].answer;
    // Between folders, a difference needs a band between runs, which may be given.
    plays(
        at,
        &format!(
            "3 compare out fast | wrong | dense in out says {right}, dense in fast says 00aa
             3 compare hash dense --results fast | the answers differ: hash says
             4 compare out other | refused | the row asks another question in each, so neither can be the faster: tilt/box blue=0..1 grey=0; and tilt/box grey=1
             4 compare hash dense --results short | refused | sample 2 of 'dense' took cpu_s = 0, too short for the clock
             0 compare hash dense --results short --measure wall
             3 compare out more-states | wrong | states expanded differ between samples
             0 compare out/samples.csv built/samples.csv | states expanded: | , were 
             0 compare out plain | 2> note: only in out: hash@self | 2> note: only in plain: hash-again | no noise band, so no verdict: 0 rows with `self = true` ran the same program in both
             2 compare out gone | gone: there is no such file or folder
             2 compare out gone --results out | no row 'out'; it is a file or folder
             2 compare a b | --results antipode-bench: there is no such folder
             0 compare out slow | undecided | and it takes 3 to see
             0 compare out slow --band 2 | slower
             0 compare out slow --band 4 --out cmp | within the noise
             cmp/manifest.json ? | comparison.csv | comparison.html | comparison.md
             0 compare out slow --band 4 --out cmp
             2 compare out slow --band 0.9 | '0.9' is no factor"
        ),
    );

    // Several in one table, with their geometric means; one of them stopped.
    plays(
        at,
        r#"slow/run.json ~ | "complete": true | "complete": false
           0 compare out out slow --band 2 --out many | 2> note: slow: incomplete | geometric mean, cpu_s slow: 1.732 over 2 rows | slower
           2 compare out slow gone | gone: there is no such
           many/comparison.md ? | **1 slower** of 4 comparisons against out\n\n| judged"#,
    );

    // All rows of two executables in the same rounds; samples of another suite, and more than there
    // can be.
    copied(&out, &at.join("both"), |sample| {
        sample.row = sample.row.replace("@self", "@against");
    });
    copied(&out, &at.join("foreign"), |sample| {
        sample.suite = "small".into()
    });
    copied(&out, &at.join("more"), |sample| sample.sample += 1);
    plays(
        at,
        r"0 compare @against both --band 9 | hash@against
          2 compare @against out | no row was measured with a second
          2 compare out foreign | samples.csv, line 2, column suite: the suite is small, but run.json has two
          2 compare out more | column sample: the number of the sample is 8
          0 report out --history h.csv --commit first | h.csv: 1 commit\n
          0 report slow --history h.csv --commit second |   second: dense: time 3.000 times (
          0 report slow --history h.csv --commit second |   second: dense: time 3.000 times (
          h.svg ?
          p.svg = | somebody's
          2 report out --history p.svg --commit first | name it FILE.csv
          2 report out --history p.csv --commit first | move it away
          p.svg ? | somebody's
          no p.csv",
    );
    // Rows that nobody measured, or whose end is lost, are not carried on.
    for [change, said] in crate::support::rows(
        r#"awk -F, -v OFS=, '{$6=0}1' | line 6, column ratio: 0 cannot be
           awk -F, -v OFS=, '{$2="2026x-11-30T00:00:00Z"}1' | line 6, column started: '2026x-11-30T00:00:00Z' is no time
           cut -d, -f1-12|sed 's/$/,"AMD, 2/' | line 6: the text in quotes has no end"#,
    ) {
        plays(
            at,
            &format!(
                "0 $ cp h.csv bad.csv && tail -1 h.csv|{change} >>bad.csv
                 2! report out --history bad.csv --commit x | {said}"
            ),
        );
    }
    plays(
        at,
        r"0 $ wc -l <h.csv | 5\n
          0 $ for n in 1 2 3 4 5 6; do antipode report out --history many.csv --commit c$n || echo failed & done; wait | ~failed
          0 $ wc -l <many.csv | 13\n",
    );
}

/// With it, the manifest detects the change.
#[test]
fn a_folder_whose_record_is_gone_or_damaged() {
    let at = &folder(&TWO.replace("samples = 8", "samples = 2"));
    let bench = "bench suite.toml --out out";
    let compare = "compare hash dense --results out";
    plays(at, &format!("0 {bench}\n0 $ rm out/manifest.json"));
    let said = "out/run.json | remove the folder and measure again, or choose another --out";
    for damaged in ["", "{}", "[1]", "{\"suite\": 1}"] {
        plays(
            at,
            &format!(
                "out/run.json = | {damaged}
                 2! {compare} | {said}
                 2! report out | {said}
                 2! {bench} | {said}"
            ),
        );
    }
    plays(
        at,
        &format!(
            "0 $ rm out/run.json
             2! {bench} | {said}
             0 {compare} | 2> out: no run.json: nothing says which run these samples are of"
        ),
    );
}

/// Figures of one name in several measures differ in a column.
#[test]
fn rows_of_several_measures_name_theirs() {
    plays(
        fresh(),
        r"f.csv = | row,metric,value,unit\na,real,1,s\na,processor,2,s\n
          0 bench --figures f.csv --out one
          0 bench --figures f.csv --out two
          0 compare one two --band 1.1 | measure | processor, real compared",
    );
}
