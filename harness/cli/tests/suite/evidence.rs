//! Results that were edited, places that are not to be written to, and streams that are full
//! or closed.

use std::fs::{self, OpenOptions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use antipode_reports::json_out::read_record;
use antipode_reports::model::{MANIFEST, Manifest, Run};

use crate::support::{Ran, antipode, run_in};

const ANALYSE: [&str; 4] = ["analyse", "tilt/card-2", "--out", "out"];
const BOARD: &str = "#.##./...../..O../g..../b....";
/// A claim that takes no time.
const CLAIM: &str = "tilt-a1-transpose";

/// Refused in one line, which is returned.
fn refused(ran: &Ran) -> &str {
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    &ran.err
}

fn done(folder: &Path, args: &[&str]) -> Ran {
    let ran = run_in(folder, args);
    assert!(matches!(ran.code, 0 | 4), "{args:?}: {}", ran.err);
    ran
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

fn listed(folder: &Path) -> Vec<String> {
    let manifest: Manifest = read_record(folder.join(MANIFEST)).unwrap();
    manifest.files.into_iter().map(|file| file.path).collect()
}

// ---- manifests -----------------------------------------------------------------------

#[test]
fn every_verb_leaves_a_manifest_and_may_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let analysis = ["antipodes.csv", "levels.csv", "levels.html", "run.json"];
    let checks = [
        "antipodes.csv",
        "checks.json",
        "levels.csv",
        "levels.html",
        "run.json",
    ];
    let solved = ["levels.csv", "path.csv", "solve.html", "solve.json"];
    let pairs = ["pairs.csv", "pairs.html", "run.json", "sides.csv"];
    for (args, files) in [
        (&["analyse", "tilt/card-2"][..], &analysis[..]),
        (&["verify", "tilt/card-2"], &checks),
        (&["solve", "tilt/box", "--board", BOARD], &solved),
        (
            &[
                "pairs", "tilt/box", "--from", "card-7", "--to", "card-8", "--radius", "1",
            ],
            &pairs,
        ),
        (
            &["certify", CLAIM],
            &[
                "certificates/manifest.json",
                "claims.csv",
                "not-taken.csv",
                "report.html",
            ],
        ),
    ] {
        let args = [args, &["--out", args[0]]].concat();
        for _ in 0..2 {
            let ran = run_in(here, &args);
            assert!(matches!(ran.code, 0 | 4), "{args:?}: {}", ran.err);
        }
        assert_eq!(listed(&here.join(args[0])), files, "{args:?}");
    }
    assert_eq!(
        listed(&here.join("certify/certificates")),
        [format!("{CLAIM}.json")]
    );
    let ran = run_in(here, &["report", "."]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let run: Run = read_record(here.join("analyse/run.json")).unwrap();
    assert!(run.extra["symmetries"].is_u64());
}

#[test]
fn an_edited_result_is_told_by_report() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    done(here, &ANALYSE);
    done(here, &["certify", CLAIM, "--out", "claims"]);
    edit(
        &here.join("claims/claims.csv"),
        "refuted,true",
        "confirmed,false",
    );
    let ran = run_in(here, &["report", "claims"]);
    // A table that contradicts itself is not read at all.
    assert!(
        refused(&ran).contains("claims.csv, line 2, column verdict: confirmed, but found is false")
    );
    edit(
        &here.join("claims/claims.csv"),
        "confirmed,false",
        "not-reached,false",
    );
    let ran = run_in(here, &["report", "claims", "out"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(
        ran.err
            .contains("claims/claims.csv: it was changed after it was written")
    );
    let page = fs::read_to_string(here.join("antipode-report/report.html")).unwrap();
    assert!(page.contains("A file is not as written") && page.contains("badge not-as-written"));
    fs::remove_file(here.join("out/antipodes.csv")).unwrap();
    let ran = run_in(here, &["report", "out"]);
    assert_eq!(
        (ran.code, ran.err.as_str()),
        (1, "out/antipodes.csv: it is missing\n")
    );
    edit(&here.join("out/levels.csv"), "\n0,", "\n0,0");
    edit(
        &here.join("out/run.json"),
        "\"parts_done\": 1",
        "\"parts_done\": 7",
    );
    assert!(refused(&run_in(here, &["report", "out"])).contains("parts_done: 7 of 1 parts"));
    let certificate = format!("claims/certificates/{CLAIM}.json");
    edit(
        &here.join(certificate),
        "\"effort\": \"quick\"",
        "\"effort\": \"full\"",
    );
    let ran = run_in(here, &["report", "claims"]);
    assert!(refused(&ran).contains("its digest of itself does not match"));
}

#[test]
fn finished_results_that_were_edited_are_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &ANALYSE);
    edit(
        &folder.path().join("out/run.json"),
        "\"seed\": 1",
        "\"seed\": 2",
    );
    let ran = run_in(folder.path(), &[&ANALYSE[..], &["--resume"]].concat());
    assert!(refused(&ran).contains("out/run.json: it was changed after it was written"));
}

// ---- obstacles -----------------------------------------------------------------------

#[test]
fn files_of_others_are_kept_unless_forced() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::create_dir_all(here.join("out/certificates")).unwrap();
    for (args, name) in [
        (&ANALYSE[..], "out/levels.csv"),
        (
            &["verify", "tilt/card-2", "--out", "out"],
            "out/checks.json",
        ),
        (
            &["solve", "tilt/box", "--board", BOARD, "--out", "out"],
            "out/solve.html",
        ),
        (&["certify", CLAIM, "--out", "out"], "out/claims.csv"),
        (&ANALYSE, "out/manifest.json"),
    ] {
        fs::write(here.join(name), "my taxes").unwrap();
        let ran = run_in(here, args);
        let line = refused(&ran);
        assert!(line.contains(name) && line.contains("--force"), "{line}");
        assert_eq!(fs::read_to_string(here.join(name)).unwrap(), "my taxes");
        done(here, &[args, &["--force"]].concat());
        assert_ne!(fs::read_to_string(here.join(name)).unwrap(), "my taxes");
        fs::remove_file(here.join(name)).unwrap();
    }
    fs::create_dir(here.join("page")).unwrap();
    fs::write(here.join("page/report.html"), "my page").unwrap();
    let ran = run_in(here, &["report", "out", "--out", "page"]);
    assert!(
        refused(&ran).contains("page/report.html: a file exists there that is not of Antipode")
    );
}

#[test]
fn links_in_the_folder_are_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::create_dir(here.join("out")).unwrap();
    fs::write(here.join("precious"), "mine").unwrap();
    symlink("../precious", here.join("out/levels.csv")).unwrap();
    let ran = run_in(here, &[&ANALYSE[..], &["--force"]].concat());
    assert!(refused(&ran).contains("out/levels.csv: a link exists there"));
    fs::create_dir(here.join("elsewhere")).unwrap();
    symlink("../elsewhere", here.join("out/certificates")).unwrap();
    let ran = run_in(here, &["certify", CLAIM, "--out", "out"]);
    assert!(refused(&ran).contains("out/certificates: a link exists there"));
    assert_eq!(fs::read_to_string(here.join("precious")).unwrap(), "mine");
    assert_eq!(fs::read_dir(here.join("elsewhere")).unwrap().count(), 0);
}

/// A limit of the size of a file, as a full disk: `run.json` does not fit, `levels.csv` does.
#[test]
fn a_disk_that_runs_full_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    done(here, &ANALYSE);
    let before = fs::read_to_string(here.join("out/levels.csv")).unwrap();
    let manifest = fs::read_to_string(here.join("out/manifest.json")).unwrap();
    let script = format!(
        "ulimit -f 1; exec {} analyse tilt/card-3 --out out",
        env!("CARGO_BIN_EXE_antipode")
    );
    let mut command = Command::new("sh");
    command.current_dir(here).args(["-c", &script]);
    let mut ran: Ran = command.output().unwrap().into();
    // Levels are printed as they are done, before anything is written.
    assert!(ran.out.contains("depth"), "{}", ran.out);
    ran.out.clear();
    assert!(
        refused(&ran).contains("cannot write out/run.json: larger than files may be"),
        "{}",
        ran.err
    );
    assert_eq!(
        fs::read_to_string(here.join("out/levels.csv")).unwrap(),
        before
    );
    assert_eq!(
        fs::read_to_string(here.join("out/manifest.json")).unwrap(),
        manifest
    );
    assert_eq!(run_in(here, &["report", "out"]).code, 0);
}

// ---- streams and limits --------------------------------------------------------------

#[test]
fn a_name_that_is_no_text_is_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"o\xff\x1b[31m\nut");
    let mut command = antipode();
    command.current_dir(folder.path());
    command.args(["certify", CLAIM, "--out"]).arg(name);
    let ran: Ran = command.output().unwrap().into();
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!ran.out.contains('\u{1b}'), "{}", ran.out);
    assert!(folder.path().join(name).join("claims.csv").is_file());
    let mut command = antipode();
    command.current_dir(folder.path());
    command.args(["report", "--out", "p"]).arg(name);
    assert_eq!(command.status().unwrap().code(), Some(0));
}

#[test]
fn echoes_are_one_line_without_control_characters() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(100_000);
    for name in [
        "tilt/bo\nx",
        "ti\u{1b}[31mlt/box",
        "tilt/\u{9b}31m",
        long.as_str(),
    ] {
        for args in [
            &["analyse", name][..],
            &["report", name],
            &["certify", name],
        ] {
            let ran = run_in(folder.path(), args);
            let line = refused(&ran).trim_end();
            assert!(!line.contains(char::is_control), "{line:?}");
            assert!(line.len() < 20_000, "{}", line.len());
        }
    }
}

#[test]
fn full_and_closed_streams_are_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    done(here, &ANALYSE);
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let resumed = [&ANALYSE[..], &["--resume"]].concat();
    // A note on stderr that nobody can read.
    for (args, code) in [
        (&resumed[..], 0),
        (&["solve", "tilt/box", "--board", BOARD], 0),
        (&["analyse", "tilt/nowhere"], 2),
    ] {
        let mut command = antipode();
        command
            .current_dir(here)
            .args(args)
            .env("ANTIPODE_LOG", "trace");
        let status = command.stderr(full()).stdout(Stdio::null()).status();
        assert_eq!(status.unwrap().code(), Some(code), "{args:?}");
    }
    for args in [
        &["list"][..],
        &ANALYSE,
        &["permute", "reverse:8", "--no-timing"],
    ] {
        let mut command = antipode();
        command.current_dir(here).args(args).stdout(full());
        let ran: Ran = command.output().unwrap().into();
        assert!(
            refused(&ran).contains("No space left on device"),
            "{}",
            ran.err
        );
    }
    let exe = env!("CARGO_BIN_EXE_antipode");
    for closed in [">&-", "2>&-", ">&- 2>&-"] {
        let script = format!("{exe} analyse tilt/card-2 --out out {closed}");
        let status = Command::new("sh")
            .current_dir(here)
            .args(["-c", &script])
            .status();
        assert_eq!(status.unwrap().code(), Some(0), "{closed}");
    }
}

/// The limit of processes does not bind the superuser, who is somebody else for it.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_cannot_be_had_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::set_permissions(here, PermissionsExt::from_mode(0o755)).unwrap();
    let exe = here.join("antipode");
    let built = env!("CARGO_BIN_EXE_antipode");
    fs::hard_link(built, &exe)
        .or_else(|_| fs::copy(built, &exe).map(drop))
        .unwrap();
    let solve = "solve coin-sliding/5x7 --from A --to B";
    let pairs = "pairs coin-sliding/5x7 --from A --to B --radius 1";
    for verb in ["analyse tilt/card-2", solve, pairs] {
        let script = format!("ulimit -u 1; exec ./antipode {verb} --threads 7");
        // A plain shell may not know this limit.
        let mut command = Command::new("bash");
        command.current_dir(here).args(["-c", &script]);
        if fs::metadata("/proc/self").unwrap().uid() == 0 {
            command.uid(NOBODY).gid(NOBODY);
        }
        let ran: Ran = command.output().unwrap().into();
        let line = ran.err.lines().last().unwrap();
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        assert!(
            line.contains("cannot start 7 threads") && line.contains("--threads"),
            "{line}"
        );
    }
}

/// The user with a limit on processes, instead of the superuser.
#[cfg(target_os = "linux")]
const NOBODY: u32 = 65_534;
