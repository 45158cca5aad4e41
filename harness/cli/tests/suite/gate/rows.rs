//! Rows that are chosen, renamed, prepared and compared with another build; commands without a
//! suite.

use super::*;

const COMMANDS: &str = r#"
[suite]
name = "commands"
samples = 6
limit = { time = 1000, peak = 1000 }

[[row]]
name = "first"
command = ["./mine", "1"]
prepare = ["sh", "-c", "echo p >> prepared"]
cleanup = ["sh", "-c", "echo c >> cleaned"]

[[row]]
name = "second"
command = ["./mine", "{n}"]
parameters = { n = "2..3" }
"#;

fn program(at: &Path, name: &str, does: &str) {
    let file = at.join(name);
    fs::write(&file, format!("#!/bin/sh\n{does}\necho answer $1\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Processor time that no noise is as long as.
const SLOW: &str = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";

fn commands() -> TempDir {
    let folder = folder(COMMANDS);
    program(folder.path(), "mine", "");
    folder
}

fn made(at: &Path, more: &[&str]) -> Ran {
    let update = ["--update", "--suite", "suite.toml", "--reason", "x"];
    gate(at, &[&update, more].concat())
}

/// The text of the suite with a part replaced.
fn edit(at: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(at.join("suite.toml")).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(at.join("suite.toml"), text.replacen(from, to, 1)).unwrap();
}

fn lines(at: &Path, name: &str) -> usize {
    fs::read_to_string(at.join(name)).unwrap().lines().count()
}

#[test]
fn a_baseline_survives_what_changes_no_row() {
    let folder = commands();
    let at = folder.path();
    let ran = made(at, &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    // A warm-up, six samples, and equally many against itself.
    assert_eq!((lines(at, "prepared"), lines(at, "cleaned")), (14, 1));
    // Remarks, line ends, samples, limits, the order of rows, and a name.
    let text = fs::read_to_string(at.join("suite.toml")).unwrap();
    let [head, first, second] = text.split("[[row]]").collect::<Vec<_>>()[..] else {
        panic!("{text}");
    };
    let text = format!("# more\n{head}[[row]]{second}\n[[row]]{first}");
    fs::write(at.join("suite.toml"), text.replace('\n', "\r\n")).unwrap();
    edit(at, "samples = 6", "samples = 7");
    edit(
        at,
        "name = \"second\"",
        "name = \"other\"\r\nwas = \"second\"",
    );
    let ran = gate(at, &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains(" other/3 "), "{}", ran.out);
    // Some rows, with the reference among them.
    let ran = gate(at, &["--rows", "*/3", "--out", "some"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let samples = crate::bench::samples(&at.join("some"));
    let rows: std::collections::BTreeSet<&str> = samples.iter().map(|s| &*s.row).collect();
    assert_eq!(
        rows.into_iter().collect::<Vec<_>>(),
        ["first", "other/3", "other/3@self"]
    );
    for (args, said) in [
        (&["--rows", "third*"][..], "no row of ./suite.toml fits"),
        (&["--out", "some"], "the choice of --rows differs"),
    ] {
        let ran = gate(at, args);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    // Another argument makes another row, which one update of that row accepts.
    edit(at, "\"1\"", "\"4\"");
    let ran = gate(at, &[]);
    assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
    assert!(
        ran.err.contains("it runs './mine 4 after") && ran.err.contains("and ran './mine 1 after"),
        "{}",
        ran.err
    );
    let before = line_of(at, "ratio = ");
    let ran = made(at, &["--rows", "first", "--accept-slower"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(line_of(at, "ratio = "), before);
    assert_eq!(gate(at, &[]).code, 0);
}

#[test]
fn an_update_asks_before_it_hides_a_slowdown() {
    let folder = commands();
    let at = folder.path();
    edit(at, "time = 1000", "time = 1.5");
    assert_eq!(made(at, &[]).code, 0);
    // Only the rows that are not the reference become slower.
    program(at, "mine", &format!("[ $1 = 1 ] || {{ {SLOW}; }}"));
    let before = fs::read_to_string(at.join("base.toml")).unwrap();
    let ran = made(at, &["--out", "out"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    for said in [
        "second/2: ratio ",
        "times the old baseline: slower",
        "add --accept-slower",
    ] {
        assert!(ran.out.contains(said), "{said}: {}", ran.out);
    }
    assert_eq!(fs::read_to_string(at.join("base.toml")).unwrap(), before);
    let ran = made(at, &["--out", "out", "--accept-slower"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("nothing was measured now"), "{}", ran.err);
    // A row that cannot be measured stays, and a line says so.
    edit(at, "\"./mine\", \"{n}\"", "\"./gone\", \"{n}\"");
    let kept = line_of(at, "ratio = ");
    let ran = made(at, &["--accept-slower"]);
    assert_eq!(ran.code, 4, "{}{}", ran.out, ran.err);
    assert!(
        ran.out
            .contains("second/2: not measured, and kept as it was"),
        "{}",
        ran.out
    );
    assert_eq!(line_of(at, "ratio = "), kept);
    let ran = made(at, &["--reference", "second/2"]);
    assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
}

#[test]
fn the_limit_that_is_printed_is_applied_and_a_blind_one_is_told() {
    let folder = commands();
    let at = folder.path();
    assert_eq!(made(at, &[]).code, 0);
    let (ratio, interval) = (line_of(at, "ratio = "), line_of(at, "interval = "));
    let figure: f64 = ratio["ratio = ".len()..].parse().unwrap();
    rewrite(
        at,
        &interval,
        &format!("interval = [{}, {}]", figure / 2.0, figure * 40.0),
    );
    let ran = gate(at, &["--out", "out", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let bound = found["times"][0]["bound"].as_f64().unwrap();
    assert!((bound - 40_000.0).abs() < 1.0, "{bound}");
    let findings = found["findings"].to_string();
    assert!(findings.contains("only growth beyond 4000"), "{findings}");
    assert_eq!(found["complete"], true);
    assert_eq!(
        (&found["rows_judged"], &found["baseline"]["reference"]),
        (&2.into(), &"first".into())
    );
    assert!(found["greatest_load"].is_number() && found["processor"] != "unknown");
    let page = fs::read_to_string(at.join("out/regress.html")).unwrap();
    assert!(page.contains("times of 2 of 2 rows judged") && page.contains("limit of times"));
    assert!(ran.err.is_empty(), "{}", ran.err);
}

#[test]
fn another_build_of_a_command_is_measured_beside_it() {
    let folder = commands();
    let at = folder.path();
    edit(at, "time = 1000", "time = 1.5");
    assert_eq!(made(at, &[]).code, 0);
    fs::create_dir(at.join("old")).unwrap();
    program(at, "old/mine", "");
    program(at, "mine", SLOW);
    let ran = gate(at, &["--against", "mine=old/mine", "--out", "out"]);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("first@against"), "{}", ran.out);
    // The ratio to the reference row, which is now equally slow, would not show it.
    assert!(
        ran.out.contains("times of 3 of 3 rows judged"),
        "{}",
        ran.out
    );
    program(at, "old/mine", "true");
    let ran = gate(at, &["--against", "mine=old/mine", "--out", "out"]);
    assert!(
        ran.err.contains("a file of --against differs"),
        "{}",
        ran.err
    );
    let ran = gate(at, &["--against", "yours=old/mine"]);
    assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
}

/// Another file of a library replaces it in the rows that load it.
#[test]
fn another_build_of_a_library_is_measured_beside_it() {
    let suite = "[suite]\nname = \"s\"\nsamples = 3\nplugins = [\"burn.so\"]\n[[row]]\nname = \"torus\"\ninstance = \"burn/small\"\nvariant = \"tried\"\n";
    let folder = folder(suite);
    let at = folder.path();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, percent) in [("burn.so", 300), ("old.so", 100)] {
        let mut cc = Command::new("cc");
        cc.args(["-std=gnu99", "-O1", "-shared", "-fPIC", "-o"])
            .arg(at.join(name));
        cc.arg(format!("-DPERCENT={percent}"));
        cc.arg("-I").arg(root.join("../../puzzle-api/include"));
        assert!(
            cc.arg(root.join("tests/faulty_plugins/burn.c"))
                .status()
                .unwrap()
                .success()
        );
    }
    let ran = run_in(
        at,
        &[
            "bench",
            "suite.toml",
            "--out",
            "out",
            "--against",
            "burn.so=old.so",
        ],
    );
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let samples = crate::bench::samples(&at.join("out"));
    let cpu = |row: &str| {
        let mine = samples
            .iter()
            .filter(|s| s.row == row)
            .filter_map(|s| s.cpu_s);
        mine.sum::<f64>()
    };
    assert!(cpu("torus") > 1.5 * cpu("torus@against"), "{}", ran.out);
    let digest = |row: &str| {
        samples
            .iter()
            .find(|s| s.row == row)
            .unwrap()
            .plugin_digest
            .clone()
    };
    assert_ne!(digest("torus"), digest("torus@against"));
}

#[test]
fn a_file_that_an_argument_names_is_of_the_run() {
    let folder = folder(
        "[suite]\nname = \"s\"\nsamples = 2\n[[row]]\nname = \"a\"\ncommand = [\"sh\", \"-c\", \". ./part.sh > out.txt; cat out.txt\"]\n",
    );
    let at = folder.path();
    fs::write(at.join("part.sh"), "echo 7\n").unwrap();
    let bench = || run_in(at, &["bench", "suite.toml", "--out", "out"]);
    assert_eq!(bench().code, 0);
    // Written again, and so is the row's own output.
    fs::write(at.join("part.sh"), "echo 7\n").unwrap();
    fs::write(at.join("out.txt"), "8\n").unwrap();
    assert_eq!(bench().code, 0);
    fs::write(at.join("part.sh"), "echo 7 \n").unwrap();
    let ran = bench();
    assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
    assert!(
        ran.err.contains("the program of a command differs"),
        "{}",
        ran.err
    );
    // Rebuilt while a sample runs.
    fs::write(at.join("part.sh"), "echo '#' >> part.sh; echo 7\n").unwrap();
    let ran = run_in(at, &["bench", "suite.toml", "--out", "more"]);
    assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
    assert!(
        ran.err.contains("part.sh: changed while it was measured"),
        "{}",
        ran.err
    );
}

#[test]
fn commands_are_compared_without_a_suite() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    program(at, "quick", "");
    program(at, "slow", SLOW);
    let bench = |more: &[&str]| run_in(at, &[&["bench", "--samples", "8"], more].concat());
    let ran = bench(&["--", "./quick 7", "./slow 7"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("'./slow 7': ") && ran.out.contains(": slower"),
        "{}",
        ran.out
    );
    assert_eq!(fs::read_dir(at).unwrap().count(), 2);
    let ran = bench(&["--format", "json", "--", "./quick 7", "./quick 8"]);
    assert_eq!(ran.code, 3, "{}{}", ran.out, ran.err);
    assert!(serde_json::from_str::<serde_json::Value>(&ran.out).is_ok());
    let ran = bench(&["--expect", "answer", "--", "./quick 7", "./quick 8"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    for (odd, said) in [
        ("./nobody", "there is no such program"),
        ("'", "quoted as for a shell"),
    ] {
        let ran = bench(&["--", odd]);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}
