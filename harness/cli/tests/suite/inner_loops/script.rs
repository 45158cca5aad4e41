//! `ci/inner-loops.sh`, with a cargo that does the script's requests at once.

use super::{PERF, PERF_COUNTS, Place, VALGRIND, VALGRIND_COUNTS};
use crate::support::{Ran, Text, read, root, sh};
use std::fs;

/// Runs `ci/inner-loops.sh` with only these programs and the system's own.
fn inner_loops(place: &Place, variables: &[(&str, &str)]) -> Ran {
    let script = root().join("ci/inner-loops.sh");
    let line = format!(
        "PATH=$PWD/bin:/usr/bin:/bin SUITE=suite.toml OUT=out CARGO_TARGET_DIR=target exec {}",
        script.display()
    );
    sh(place.at(), &line, variables)
}

#[test]
fn the_script_says_what_a_folder_lacks_and_does_the_rest() {
    let place = Place::new();
    place.put("perf", PERF, PERF_COUNTS);
    place.put("cargo", "#!/bin/sh\n", "exit 101\n");
    let out = place.at().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("suite.toml"), "mine").unwrap();
    inner_loops(&place, &[]).ended(2);
    assert_eq!(read(out.join("suite.toml")), "mine");
    fs::remove_dir_all(&out).unwrap();
    let ran = inner_loops(&place, &[]).ended(0);
    ran.err.has(["no cargo workspace in"]);
    assert_eq!(place.counts().len(), 2);
    assert!(place.at().join("out/report.html").exists());
    // A workspace without benches, and without the examples that count.
    place.put("cargo", "#!/bin/sh\n", "echo '{\"packages\":[]}'\n");
    let ran = inner_loops(&place, &[("COUNTS", "mine:counts")]).ended(0);
    ran.err
        .has(["benches: the workspace has none", "no such example"]);
    assert_eq!(place.counts().len(), 2);
}

#[test]
fn the_script_brings_benches_and_counts_into_one_table() {
    let place = Place::new();
    place.put("perf", PERF, PERF_COUNTS);
    place.put("valgrind", VALGRIND, VALGRIND_COUNTS);
    // Cargo starts each bench by the runner that the script names, with its package's variables.
    let cargo = r#"#!/bin/sh
case $1 in
metadata) echo '{"targets":[{"kind":["bench"],"name":"variants"},{"kind":["example"],"name":"counts"}]}' ;;
bench)
    case $* in *"-p mine --bench"*"-- --sample-size 10") ;; *) echo "asked: $*" >&2; exit 1 ;; esac
    for argument; do case $argument in *runner*) runner=${argument#*\'/}; runner=/${runner%\'*} ;; esac; done
    CARGO_PKG_NAME=my-tilt CARGO_PKG_VERSION=9.1.0
    export CARGO_PKG_NAME CARGO_PKG_VERSION
    exec "$runner" "$PWD/bin/variants-0123" ;;
run) printf 'row,metric,value,unit\nmine/step,instructions-callgrind,17,instructions a call\n' ;;
esac
"#;
    place.put("cargo", cargo, "");
    let data = root().join("harness/cli/tests/data/criterion");
    let bench =
        "#!/bin/sh\nexec cp -R \"$DATA/antipode-tilt/variants/successors\" \"$CRITERION_HOME\"\n";
    place.put("variants-0123", bench, "");
    let variables = [
        ("DATA", data.to_str().unwrap()),
        ("PACKAGES", "-p mine"),
        ("BENCH_ARGS", "--sample-size 10"),
        ("COUNTS", "mine:counts"),
        ("SAMPLES", "1"),
    ];
    for _ in 0..2 {
        let ran = inner_loops(&place, &variables).ended(0);
        ran.err.lacks(["left out"]);
        let all = place.counts();
        assert_eq!(all.len(), 2 * 10 + 1 + 2);
        let bench = all
            .iter()
            .find(|s| s.row == "my-tilt/variants/successors/bitboard");
        assert_eq!(bench.unwrap().version, "my-tilt 9.1.0");
        let count = all.iter().find(|s| s.row == "mine/step").unwrap();
        assert_eq!(count.value, Some(17.0));
        assert_eq!(fs::read_dir(place.at().join("target")).unwrap().count(), 0);
    }
}
