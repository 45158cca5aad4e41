//! Rows that are chosen, renamed, prepared and compared with another build; commands without a
//! suite.

use super::*;

static COMMANDS: LazyLock<String> = LazyLock::new(|| {
    suite(
        "name = \"commands\"; samples = 6; limit = { time = 1000, peak = 1000 }",
        &[
            (
                "first",
                r#"command = ["./mine", "1"]; prepare = ["sh", "-c", "echo p >> prepared"]; cleanup = ["sh", "-c", "echo c >> cleaned"]"#,
            ),
            (
                "second",
                r#"command = ["./mine", "{n}"]; parameters = { n = "2..3" }"#,
            ),
        ],
    )
});

fn program(at: &Path, name: &str, does: &str) {
    script(
        at.join(name),
        &format!("#!/bin/sh\n{does}\necho answer $1\n"),
    );
}

/// Processor time that no noise is as long as.
const SLOW: &str = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";

fn commands() -> Fresh {
    let folder = folder(&COMMANDS);
    program(&folder, "mine", "");
    folder
}

fn made(at: &Path, more: &str) -> Ran {
    gate(
        at,
        &format!("--update --suite suite.toml --reason x {more}"),
    )
}

/// The text of the suite with a part replaced.
fn edit(at: &Path, from: &str, to: &str) {
    let text = read(at.join("suite.toml"));
    assert!(text.contains(from), "{from}");
    fs::write(at.join("suite.toml"), text.replacen(from, to, 1)).unwrap();
}

fn lines(at: &Path, name: &str) -> usize {
    read(at.join(name)).lines().count()
}

#[test]
fn a_baseline_survives_what_changes_no_row() {
    let at = &commands();
    made(at, "").ended(0);
    // A warm-up, six samples, and as many against itself.
    assert_eq!((lines(at, "prepared"), lines(at, "cleaned")), (14, 1));
    // Remarks, line ends, samples, limits, the order of rows, and a name.
    let text = read(at.join("suite.toml"));
    let [head, first, second] = text.split("[[row]]").collect::<Vec<_>>()[..] else {
        panic!("{text}");
    };
    let text = format!("# more\n{head}[[row]]{second}\n[[row]]{first}");
    fs::write(at.join("suite.toml"), text.replace('\n', "\r\n")).unwrap();
    edit(at, "samples = 6", "samples = 7");
    let renamed = "name = \"other\"\r\nwas = \"second\"";
    edit(at, "name = \"second\"", renamed);
    gate(at, "").ended(0).out.has([" other/3 "]);
    // Some rows, with the reference among them.
    gate(at, "--rows */3 --out some").ended(0);
    let samples = crate::bench::samples(&at.join("some"));
    let mut rows: Vec<&str> = samples.iter().map(|s| &*s.row).collect();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows, ["first", "other/3", "other/3@self"]);
    let none = gate(at, "--rows third*").refused();
    none.err.has(["no row of ./suite.toml fits"]);
    let other = gate(at, "--out some").refused();
    other.err.has(["the choice of --rows differs"]);
    // Another argument is another row, which one update of that row takes in.
    edit(at, "\"1\"", "\"4\"");
    let ran = gate(at, "").refused();
    ran.err
        .has(["it runs './mine 4 after", "and ran './mine 1 after"]);
    let before = line_of(at, "ratio = ");
    made(at, "--rows first --accept-slower").ended(0);
    assert_eq!(line_of(at, "ratio = "), before);
    gate(at, "").ended(0);
}

#[test]
fn an_update_asks_before_it_hides_a_slowdown() {
    let at = &commands();
    edit(at, "time = 1000", "time = 1.5");
    made(at, "").ended(0);
    // Only the rows that are not the reference become slower.
    program(at, "mine", &format!("[ $1 = 1 ] || {{ {SLOW}; }}"));
    let before = read(at.join("base.toml"));
    let ran = made(at, "--out out").ended(1);
    ran.out.has([
        "second/2: ratio ",
        "times the old baseline: slower",
        "add --accept-slower",
    ]);
    assert_eq!(read(at.join("base.toml")), before);
    let ran = made(at, "--out out --accept-slower").ended(0);
    ran.err.has(["nothing was measured now"]);
    // What cannot be measured stays, and a line says so.
    edit(at, "\"./mine\", \"{n}\"", "\"./gone\", \"{n}\"");
    let kept = line_of(at, "ratio = ");
    let ran = made(at, "--accept-slower").ended(4);
    ran.out.has(["second/2: not measured, and kept as it was"]);
    assert_eq!(line_of(at, "ratio = "), kept);
    made(at, "--reference second/2").refused();
}

#[test]
fn the_limit_that_is_printed_is_applied_and_a_blind_one_is_told() {
    let at = &commands();
    made(at, "").ended(0);
    let (ratio, interval) = (line_of(at, "ratio = "), line_of(at, "interval = "));
    let figure: f64 = ratio["ratio = ".len()..].parse().unwrap();
    let wide = format!("interval = [{}, {}]", figure / 2.0, figure * 40.0);
    rewrite(at, &interval, &wide);
    let ran = gate(at, "--out out --format json").ended(0);
    let found = ran.json();
    let bound = found["times"][0]["bound"].as_f64().unwrap();
    assert!((bound - 40_000.0).abs() < 1.0, "{bound}");
    let findings = found["findings"].to_string();
    findings.has(["only growth beyond 4000"]);
    assert_eq!(found["complete"], true);
    assert_eq!(found["rows_judged"], 2);
    assert_eq!(found["baseline"]["reference"], "first");
    assert!(found["greatest_load"].is_number() && found["processor"] != "unknown");
    let page = read(at.join("out/regress.html"));
    page.has(["times of 2 of 2 rows judged", "limit of times"]);
    assert!(ran.err.is_empty(), "{}", ran.err);
}

#[test]
fn another_build_of_a_command_is_measured_beside_it() {
    let at = &commands();
    edit(at, "time = 1000", "time = 1.5");
    made(at, "").ended(0);
    fs::create_dir(at.join("old")).unwrap();
    program(at, "old/mine", "");
    program(at, "mine", SLOW);
    let ran = gate(at, "--against mine=old/mine --out out").ended(1);
    // The ratio to the reference row, which is as slow now, would not show it.
    ran.out
        .has(["first@against", "times of 3 of 3 rows judged"]);
    program(at, "old/mine", "true");
    let ran = gate(at, "--against mine=old/mine --out out");
    ran.err.has(["a file of --against differs"]);
    gate(at, "--against yours=old/mine").refused();
}

/// Another file of a library replaces it in the rows that load it.
#[test]
fn another_build_of_a_library_is_measured_beside_it() {
    let suite = "[suite]\nname = \"s\"\nsamples = 3\nplugins = [\"burn.so\"]\n[[row]]\nname = \"torus\"\ninstance = \"burn/small\"\nvariant = \"tried\"\n";
    let at = &folder(suite);
    for (name, percent) in [("burn.so", 300), ("old.so", 100)] {
        let line = format!(
            "cc -std=gnu99 -O1 -shared -fPIC -o {name} -DPERCENT={percent} -I $ROOT/puzzle-api/include $ROOT/harness/cli/tests/faulty_plugins/burn.c"
        );
        let root = root().display().to_string();
        sh(at, &line, &[("ROOT", &root)]).ended(0);
    }
    let ran = runs(at, "bench suite.toml --out out --against burn.so=old.so").ended(0);
    let samples = crate::bench::samples(&at.join("out"));
    let of = |row: &'static str| samples.iter().filter(move |s| s.row == row);
    let cpu = |row| of(row).filter_map(|s| s.cpu_s).sum::<f64>();
    assert!(cpu("torus") > 1.5 * cpu("torus@against"), "{}", ran.out);
    let digests = ["torus", "torus@against"].map(|row| &of(row).next().unwrap().plugin_digest);
    assert_ne!(digests[0], digests[1]);
}

#[test]
fn a_file_that_an_argument_names_is_of_the_run() {
    // Written again, and so is what the row itself writes; at last rebuilt while a sample runs.
    plays(
        folder(
            "[suite]\nname = \"s\"\nsamples = 2\n[[row]]\nname = \"a\"\ncommand = [\"sh\", \"-c\", \". ./part.sh > out.txt; cat out.txt\"]\n",
        ),
        r"part.sh = | echo 7
          0 bench suite.toml --out out
          part.sh = | echo 7
          out.txt = | 8
          0 bench suite.toml --out out
          part.sh = | echo 7 \n
          2! bench suite.toml --out out | the program of a command differs
          part.sh = | echo '#' >> part.sh; echo 7
          2! bench suite.toml --out more | part.sh: changed while it was measured",
    );
}

#[test]
fn commands_are_compared_without_a_suite() {
    let at = &fresh();
    program(at, "quick", "");
    program(at, "slow", SLOW);
    let bench = |more: &[&str]| run_in(at, &[&["bench", "--samples", "8"], more].concat());
    let ran = bench(&["--", "./quick 7", "./slow 7"]).ended(0);
    ran.out.has(["./slow 7", "slower"]);
    assert_eq!(fs::read_dir(at).unwrap().count(), 2);
    let ran = bench(&["--format", "json", "--", "./quick 7", "./quick 8"]).ended(3);
    assert!(serde_json::from_str::<serde_json::Value>(&ran.out).is_ok());
    bench(&["--expect", "answer", "--", "./quick 7", "./quick 8"]).ended(0);
    for (odd, said) in [
        ("./nobody", "there is no such program"),
        ("'", "quoted as for a shell"),
    ] {
        bench(&["--", odd]).refused().err.has([said]);
    }
}
