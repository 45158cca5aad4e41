//! Texts without an end, and the scripts of `ci`.

use super::*;

/// `/dev/zero` fits no memory, and a pipe without a writer is waited for; the standard input is the
/// user's own.
#[test]
fn devices_are_refused_and_the_standard_input_is_read() {
    let folder = with_baseline();
    let line = "cat suite.toml | antipode bench /dev/stdin --samples 1 --out piped";
    sh(&folder, line, &[]).ended(0);
    plays(
        &folder,
        "2! regress --baseline /dev/full | it is a device or a pipe
         2! bench /dev/zero | it is a device or a pipe
         2! bench --figures /dev/zero | it is a device or a pipe
         2! report piped --splice /dev/zero | it is a device or a pipe",
    );
}

/// A script of the folder `ci`, started from a separate folder.
fn ci(at: &Path, name: &str, variables: &[(&str, &str)]) -> Ran {
    let script = root().join("ci").join(name);
    let argument = match name {
        "update-baseline.sh" => "-reason",
        "forget.sh" => "listed",
        _ => "",
    };
    let line = format!("exec '{}' {argument}", script.display());
    sh(at, &line, variables)
}

#[test]
fn the_script_of_the_gate_takes_names_that_look_like_options() {
    let at = &folder(&GATE);
    fs::rename(at.join("suite.toml"), at.join("-suite.toml")).unwrap();
    let names = [
        ("BASELINE", "-base.toml"),
        ("SUITE", "-suite.toml"),
        ("OUT", "-o3"),
    ];
    ci(at, "update-baseline.sh", &names).ended(0);
    let base = read(at.join("-base.toml"));
    base.has(["reason = \"-reason\""]);
    // Times of rows so short say nothing.
    let wide = base.replacen("\nlimit = 1.1\n", "\nlimit = 1000.0\n", 1);
    fs::write(at.join("-base.toml"), wide).unwrap();
    let out = at.join("-o3");
    fs::create_dir_all(out.join("regress")).unwrap();
    fs::write(out.join("regress/notes"), "mine").unwrap();
    for _ in 0..2 {
        let ran = ci(at, "regress.sh", &names).ended(0);
        ran.out.has(["answers: ok"]);
        ran.err.lacks(["nothing was measured now"]);
        for file in ["regress/samples.csv", "report.html"] {
            assert!(out.join(file).exists(), "{file}");
        }
    }
    fs::write(out.join("report.html"), "mine").unwrap();
    ci(at, "regress.sh", &names).ended(2);
    for file in ["regress/notes", "report.html"] {
        assert_eq!(read(out.join(file)), "mine");
    }
    // The worst code counts, and bad input is no growth.
    let history = [("HISTORY", "of-no-commit.csv"), ("GIT_DIR", "none")];
    ci(at, "regress.sh", &[&names[..], &history].concat()).ended(2);
    let wrong = format!("\n[[row]]\nexpect = \"{:032}\"\n", 0);
    let wrong = read(at.join("-suite.toml")).replacen("\n[[row]]\n", &wrong, 1);
    fs::write(at.join("-suite.toml"), wrong).unwrap();
    ci(at, "regress.sh", &names).ended(3);
}

/// A suite without pairs of rulebook and fast rules has its tables too.
#[test]
fn the_script_of_the_tables_takes_any_suite() {
    let at = &with_baseline();
    let names = [("SUITE", "suite.toml"), ("OUT", "out")];
    let which = |code| ci(at, "which.sh", &names).ended(code);
    which(2).err.has(["README.md: no marked table"]);
    assert!(!at.join("out").exists());
    let marks = "<!-- antipode:table rows -->\n<!-- antipode:end -->";
    fs::write(at.join("README.md"), marks).unwrap();
    which(0).err.has(["left out: the comparison"]);
    read(at.join("README.md")).has(["| queue |"]);
}

/// A manifest may be of somebody else.
#[test]
fn a_folder_is_forgotten_within_its_bounds() {
    let outside = "\"record\": \"antipode-manifest-1\",\n \"path\": \"../mine\",\n \"bytes\": 1,\n";
    let at = folder_with("mine", "1");
    fs::create_dir(at.join("listed")).unwrap();
    for path in ["..", "link"] {
        let text = outside.replace("..", path);
        fs::write(at.join("listed/manifest.json"), text).unwrap();
        ci(&at, "forget.sh", &[]).refused();
        assert_eq!(read(at.join("mine")), "1");
        let _ = std::os::unix::fs::symlink("..", at.join("listed/link"));
    }
    fs::rename(at.join("listed"), at.join("-x")).unwrap();
    fs::write(at.join("-x/manifest.json"), "\"antipode-manifest-1\"").unwrap();
    let script = root().join("ci/forget.sh");
    sh(&at, &format!("sh '{}' -x", script.display()), &[]).ended(0);
    assert!(!at.join("-x/manifest.json").exists());
}

#[test]
fn the_scripts_say_where_the_command_is_missing() {
    let folder = fresh();
    for script in words("claims.sh regress.sh which.sh inner-loops.sh update-baseline.sh") {
        let ran = ci(&folder, script, &[("ANTIPODE", "./no-such-antipode")]).refused();
        ran.err.has([script, "./no-such-antipode", "ANTIPODE=PATH"]);
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

/// A part of the golden record equals the program's present answers, and a changed line is
/// detected.
#[test]
fn the_golden_record_sees_a_changed_line() {
    let record = root().join(".ci/golden");
    let folder = fresh();
    let compare = |record: &Path, only: &str| {
        let line = format!("exec '{}'", root().join(".ci/golden.sh").display());
        let variables = [("GOLDEN", record.to_str().unwrap()), ("ONLY", only)];
        sh(&folder, &line, &variables)
    };
    for only in ["hanoi/4-8", "lights-out", "tilt/card-7", "pancake/plain-5"] {
        compare(&record, only).ended(0);
    }
    let row = "tilt/card-7,forward,,levels,";
    let mut changed = read(record.join("levels.csv"));
    let at = changed.find(row).unwrap() + row.len();
    changed.insert(at, '9');
    fs::write(folder.join("levels.csv"), changed).unwrap();
    fs::copy(record.join("solves.csv"), folder.join("solves.csv")).unwrap();
    let ran = compare(&folder, "tilt/card-7").ended(1);
    ran.out.has([&format!("-{row}9"), "--renew levels"]);
}
