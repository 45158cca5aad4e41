//! Criterion's folders from a real run (`tests/data/criterion`, with `ci/bench-runner.sh`, without
//! plots) imported into the table. They have names that no file system takes, groups with
//! parameters, both ways of sampling, and the folders of pages, earlier figures and changes.

use std::fs;
use std::path::Path;

use antipode_reports::bench::{Sample, read_folder};
use serde_json::Value;

use crate::support::{Fresh, Ran, Text, fresh, json, plays, root, runs, sh};

/// A copy of the real folders, which a test may change.
fn real() -> Fresh {
    let folder = fresh();
    copy(
        &root().join("harness/cli/tests/data/criterion"),
        &folder.join("criterion"),
    );
    folder
}

fn copy(from: &Path, to: &Path) {
    let line = format!("cp -R '{}' '{}'", from.display(), to.display());
    sh(".", &line, &[]).ended(0);
}

fn import(at: &Path) -> Ran {
    runs(at, "bench --criterion criterion --out out")
}

fn figures(at: &Path) -> Vec<Sample> {
    read_folder(at.join("out")).unwrap()
}

/// The folder of a bench, whose samples of the new run are the file below.
const BENCH: &str = "criterion/antipode-tilt/variants/successors/bitboard";
const SAMPLE: &str = "criterion/antipode-tilt/variants/successors/bitboard/new/sample.json";

#[test]
fn benches_have_their_real_names_and_say_whose_they_are() {
    let at = &real();
    // Links that lead back are not followed again.
    #[cfg(unix)]
    for link in ["again", "once-more"] {
        std::os::unix::fs::symlink(".", at.join("criterion").join(link)).unwrap();
    }
    import(at).ended(0).err.has(["50 figures of 5 names"]);
    let all = figures(at);
    let chain = "antipode-puzzle-api/permute/8x8-rotate90";
    let symmetry = "antipode-tilt/symmetry/symmetry, generated";
    let successors = "antipode-tilt/variants/successors";
    let (api, rules) = ("antipode-puzzle-api 0.1.0", "antipode-tilt 0.1.0");
    let wanted = [
        (chain, "chain/grouped-rotate", api),
        (chain, "chain/naive", api),
        (symmetry, "used: grey first, row tables", rules),
        (successors, "bitboard", rules),
        (successors, "reference", rules),
    ];
    let firsts: Vec<&Sample> = all.iter().filter(|sample| sample.sample == 0).collect();
    assert_eq!(firsts.len(), wanted.len());
    for (sample, (group, name, version)) in firsts.iter().zip(wanted) {
        assert_eq!(sample.row, format!("{group}/{name}"));
        assert_eq!((&*sample.group, &*sample.version), (group, version));
    }
    // The figures are those of the new run: every sample's time by its iterations.
    let new: Value = json(at.join(SAMPLE));
    let of = |field: &str, number: usize| new[field][number].as_f64().unwrap();
    let row = format!("{successors}/bitboard");
    let mine: Vec<&Sample> = all.iter().filter(|s| s.row == row).collect();
    assert_eq!(mine.len(), 10);
    for (number, sample) in mine.iter().enumerate() {
        assert_eq!(sample.sample as usize, number);
        let time = of("times", number) / of("iters", number);
        assert_eq!(sample.value, Some(time));
        assert_eq!((&*sample.metric, &*sample.unit), ("criterion", "ns"));
    }
    mine[0].detail.has([
        "criterion's slope 59711.958 ns, 59659.185 to",
        "an iteration does 4096 elements",
    ]);
    let json: Value = json(at.join("out/samples.json"));
    assert_eq!(json.as_array().unwrap().len(), 50);
    plays(
        at,
        "0 report out --out page
         page/report.html ? | used: grey first, row tables | an iteration does 4096 elements",
    );
}

/// Another run of one bench, with fewer samples; the others are not there any more.
#[test]
fn a_new_run_takes_the_place_of_the_old_one() {
    let at = &real();
    let import = "bench --criterion criterion --out out";
    plays(
        at,
        &format!(
            r#"0 {import}
               0 $ cp out/samples.csv kept
               0 {import} | 2> 50 figures of 5 names
               0 $ cmp out/samples.csv kept
               {SAMPLE} = | {{"sampling_mode":"Flat","iters":[2.0,2.0],"times":[10.0,12.0]}}
               0 $ rm -r criterion/antipode-puzzle-api criterion/antipode-tilt/symmetry
               0 {import} | 2> 12 figures of 2 names"#
        ),
    );
    let all = figures(at);
    assert_eq!(all.len(), 4 * 10 + 2);
    let mine = all
        .iter()
        .filter(|s| s.row.ends_with("successors/bitboard"));
    let values: Vec<Option<f64>> = mine.map(|sample| sample.value).collect();
    assert_eq!(values, [Some(5.0), Some(6.0)]);
}

/// Figures of two runs are compared; folders that are empty, old or gone are named.
#[test]
fn two_runs_are_compared_and_what_is_left_of_others_is_named() {
    let at = &real();
    import(at).ended(0);
    let mut value = json(at.join(SAMPLE));
    for time in value["times"].as_array_mut().unwrap() {
        *time = (time.as_f64().unwrap() * 2.0).into();
    }
    fs::write(at.join(SAMPLE), value.to_string()).unwrap();
    let import = "bench --criterion criterion --out slow";
    let old = BENCH.replace("bitboard", "reference/new/estimates.json");
    plays(
        at,
        &format!(
            "0 $ mkdir -p criterion/hollow/new && touch -t 197001020000 {old}
             0 {import} | 2> criterion/hollow: left out; successors/reference' was measured 
             0 compare out slow --band 1.1 | criterion compared
             0 $ antipode compare out slow --band 1.1|grep ' 2.000 ' |  slower
             0 $ antipode compare out slow|grep ' 2.000 ' |  undecided
             0 $ rm -r criterion/antipode-tilt
             0 {import} | 2> kept, not in the import: antipode-tilt/symmetry
             0 $ mv criterion/antipode-puzzle-api moved
             2 {import}"
        ),
    );
}

/// The same times in another unit are the same; figures whose unit nobody knows are not compared.
#[test]
fn units_are_those_of_the_times() {
    let at = &fresh();
    for (name, unit, scale) in [("us", "us", 1.0), ("ns", "ns", 1000.0)] {
        let times = (0..12).map(|at| scale * (1.0 + f64::from(at % 3) / 100.0));
        let rows = times.map(|time| {
            format!("{{\"name\":\"x\",\"real_time\":{time},\"time_unit\":\"{unit}\"}}")
        });
        let rows = rows.collect::<Vec<_>>().join(",");
        let text = format!("\u{feff}{{\"benchmarks\":[{rows}]}}");
        fs::write(at.join(format!("{name}.json")), text).unwrap();
        let text = format!("row,metric,value,unit\nx,mine,{scale},{unit}\n");
        fs::write(at.join(format!("{name}.csv")), text).unwrap();
        for form in ["json", "csv"] {
            let line = format!("bench --figures {name}.{form} --out {name}-{form}");
            runs(at, &line).ended(0);
        }
    }
    plays(
        at,
        r#"0 compare us-json ns-json --band 1.1 | 1.000 | within the noise
           2! compare us-csv ns-csv --band 1.1 | 'x' is in us in us-csv, and in ns in ns-csv
           nan.json = | {"benchmarks":[{"name":"x","real_time":NaN}]}
           failed.json = | {"results":[{"command":"a","mean":1,"times":[1,2],"exit_codes":[0,1]}]}
           4 bench --figures failed.json --quiet --out failed | 2> failed.json: a, hyperfine: exit code 1
           2! bench --figures us.csv --figures nan.json --out n | nan.json: JSON has no NaN: write null
           no n"#,
    );
}

#[test]
fn benches_of_one_name_and_damaged_files_are_refused() {
    let import = "2 bench --criterion criterion --out out";
    plays(
        real(),
        &format!(
            r#"0 $ cp -R {BENCH} criterion/antipode-tilt/variants/again
               {import} | a second bench with the name
               no out/samples.csv
               0 $ rm -r criterion/antipode-tilt/variants/again
               {SAMPLE} = | {{"iters":[1.0,1.0],"times":[10.0,-5.0]}}
               {import} | at most 1e100, not -5
               {SAMPLE} = | {{"iters":[1.0],
               {import} | bitboard/new/sample.json
               no out/samples.csv"#
        ),
    );
}
