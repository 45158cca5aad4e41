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

use crate::support::{
    Ran, Text, antipode, folder_with, fresh, plays, read, rows, run_in, runs, sh, walk, words,
};

const ANALYSE: &str = "analyse tilt/card-2 --out out";
const SOLVE: &str = "solve tilt/box --board #.##./...../..O../g..../b....";
/// A claim that takes no time.
const CLAIM: &str = "tilt-a1-transpose";

fn done(folder: &Path, line: &str) -> Ran {
    let ran = runs(folder, line);
    assert!(matches!(ran.code, 0 | 4), "{line}: {}", ran.err);
    ran
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = read(path);
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
    let here = &fresh();
    for [line, files] in rows(&format!(
        "analyse tilt/card-2 | antipodes.csv levels.csv levels.html run.json
         verify tilt/card-2 | antipodes.csv checks.json levels.csv levels.html run.json
         {SOLVE} | levels.csv path.csv solve.html solve.json
         pairs tilt/box --from card-7 --to card-8 --radius 1 | pairs.csv pairs.html run.json sides.csv
         certify {CLAIM} | certificates/manifest.json claims.csv not-taken.csv report.html"
    )) {
        let out = words(line)[0];
        for _ in 0..2 {
            done(here, &format!("{line} --out {out}"));
        }
        assert_eq!(listed(&here.join(out)), words(files), "{line}");
    }
    let certificates = listed(&here.join("certify/certificates"));
    assert_eq!(certificates, [format!("{CLAIM}.json")]);
    assert_eq!(runs(here, "report .").ended(0).err, "");
    let run: Run = read_record(here.join("analyse/run.json")).unwrap();
    assert!(run.extra["symmetries"].is_u64());
}

#[test]
fn an_edited_result_is_told_by_report() {
    let here = &fresh();
    done(here, ANALYSE);
    done(here, &format!("certify {CLAIM} --out claims"));
    let claims = here.join("claims/claims.csv");
    edit(&claims, "refuted,true", "confirmed,false");
    // A table that contradicts itself is not read at all.
    plays(
        here,
        "2! report claims | claims.csv, line 2, column verdict: confirmed, but found is false",
    );
    edit(&claims, "confirmed,false", "not-reached,false");
    plays(
        here,
        "1 report claims out | 2> claims/claims.csv: it was changed after it was written
         antipode-report/report.html ? | A file is not as written | badge not-as-written",
    );
    fs::remove_file(here.join("out/antipodes.csv")).unwrap();
    let ran = runs(here, "report out").ended(1);
    assert_eq!(ran.err, "out/antipodes.csv: it is missing\n");
    edit(&here.join("out/levels.csv"), "\n0,", "\n0,0");
    let (run, effort) = (here.join("out/run.json"), "\"effort\": \"quick\"");
    edit(&run, "\"parts_done\": 1", "\"parts_done\": 7");
    let certificate = here.join(format!("claims/certificates/{CLAIM}.json"));
    edit(&certificate, effort, "\"effort\": \"full\"");
    plays(
        here,
        "2! report out | parts_done: 7 of 1 parts
         1 report claims | 2> .json: it was changed after it was written
         antipode-report/report.html ? | badge not-as-written",
    );
}

// ---- obstacles -----------------------------------------------------------------------

/// Also a folder or a link in the place of a result is found before the work, even by force.
#[test]
fn files_of_others_are_kept_unless_forced() {
    let here = &fresh();
    fs::create_dir_all(here.join("out/certificates")).unwrap();
    for [line, name] in rows(&format!(
        "{ANALYSE} | out/levels.csv
         verify tilt/card-2 --out out | out/checks.json
         {SOLVE} --out solved | solved/solve.html
         certify {CLAIM} --out out | out/claims.csv
         {ANALYSE} | out/manifest.json"
    )) {
        let file = here.join(name);
        let _ = fs::remove_file(&file);
        fs::create_dir_all(&file).unwrap();
        let said = format!("cannot write {name}: a folder exists where");
        runs(here, line).refused().err.has([said]);
        fs::remove_dir(&file).unwrap();
        symlink("../precious", &file).unwrap();
        let said = format!("{name}: a link exists there");
        runs(here, &format!("{line} --force"))
            .refused()
            .err
            .has([said]);
        fs::remove_file(&file).unwrap();
        fs::write(&file, "my taxes").unwrap();
        runs(here, line).refused().err.has([name, "--force"]);
        assert_eq!(read(&file), "my taxes");
        done(here, &format!("{line} --force"));
        assert_ne!(read(&file), "my taxes");
    }
    let certificate = format!("a/certificates/{CLAIM}.json");
    fs::create_dir_all(here.join(&certificate)).unwrap();
    fs::create_dir(here.join("b")).unwrap();
    symlink("../out/certificates", here.join("b/certificates")).unwrap();
    plays(
        here,
        &format!(
            "no precious
             2! certify {CLAIM} --out a | cannot write {certificate}: a folder exists where
             2! certify {CLAIM} --out b | b/certificates: a link exists there
             page/report.html = | my page
             2! report out --out page | page/report.html: a file exists there that is not of Antipode"
        ),
    );
}

/// Names of files that runs keep there, in a folder where none was at work.
#[test]
fn files_named_like_unfinished_work_are_kept() {
    let boards = "321/.../...\n";
    for line in [
        ANALYSE,
        "analyse hanoi/3-3 --engine disk --work out",
        "pairs sliding-tile/2x3 --from 123/4.5 --to goal --out out",
        "solve hanoi/3-3 --boards boards --out out",
    ] {
        for name in [
            "progress.jsonl",
            "part-list.index",
            "backward-x.segment",
            "a link",
        ] {
            let here = &folder_with("boards", boards);
            fs::create_dir(here.join("out")).unwrap();
            let (file, said) = match name {
                "a link" => {
                    symlink("../boards", here.join("out/progress.jsonl")).unwrap();
                    (
                        here.join("boards"),
                        "out/progress.jsonl: is no regular file",
                    )
                }
                _ => (here.join("out").join(name), name),
            };
            fs::write(&file, boards).unwrap();
            // Engine hash keeps nothing there.
            if line != ANALYSE {
                runs(here, line).ended(2).err.has([said]);
            } else if name != "a link" {
                done(here, line);
            }
            assert_eq!(read(file), boards);
        }
    }
}

/// Each table of another run keeps a name of its own, and somebody else's file its place.
#[test]
fn certificates_that_are_moved_away_replace_none() {
    let table = "out/certificates/mine.levels.csv";
    let row = "depth,states,orbits,digest";
    let mine = "out/certificates/mine.json";
    let earlier = "out/certificates/earlier";
    plays(
        fresh(),
        &format!(
            "0 certify {CLAIM} --out out
             {table} = | {row}
             {mine} = | of a
             0 certify {CLAIM} --out out | 2> earlier: 1 file not of this run moved there
             {table} = | {row}
             0 certify {CLAIM} --out out | 2> earlier: 1 file not of this run moved there
             0 certify tilt-corner-predecessors --out out
             no out/certificates/{CLAIM}.json
             {earlier}/{CLAIM}.json ?
             {mine} ? | of a
             {earlier}/mine.levels.csv ? | {row}
             {earlier}/2-mine.levels.csv ? | {row}"
        ),
    );
}

/// A limit of the size of a file, as a full disk: `levels.csv` fits, `run.json` and the page do not.
#[test]
fn a_disk_that_runs_full_leaves_what_was_there() {
    let here = &fresh();
    done(here, ANALYSE);
    done(here, "certify tilt-corner-predecessors --out claims");
    let whole = |out: &str| -> Vec<_> {
        let files = walk(&here.join(out))
            .into_iter()
            .filter(|path| path.is_file());
        files.map(|path| (fs::read(&path).unwrap(), path)).collect()
    };
    for (most, out, line) in [
        (1, "out", "analyse tilt/card-3"),
        (
            16,
            "claims",
            "certify tilt-row-predecessors tilt-corner-predecessors",
        ),
    ] {
        let before = whole(out);
        let line = format!("ulimit -f {most}; exec antipode {line} --out {out} --quiet");
        let ran = sh(here, &line, &[]).ended(4);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        ran.err.has([
            format!("cannot write {out}/"),
            "larger than files may be".into(),
        ]);
        assert!(whole(out) == before, "{out}");
    }
    // The journal of a search that processes share.
    let line = "ulimit -f 40; exec antipode solve hanoi/3-6 --engine cluster --work work";
    let ran = sh(here, line, &[]).ended(4);
    ran.err.has(["larger than files may be"]);
    runs(here, "report out claims").ended(0);
}

// ---- streams and limits --------------------------------------------------------------

#[test]
fn a_name_that_is_no_text_is_a_name() {
    let folder = fresh();
    let name = std::ffi::OsStr::from_bytes(b"o\xff\x1b[31m\nut");
    for line in [&["certify", CLAIM, "--out"], &["report", "--out", "p"]] {
        let mut command = antipode();
        command.current_dir(&folder).args(line).arg(name);
        let ran = Ran::from(command.output().unwrap()).ended(0);
        ran.out.lacks(["\u{1b}"]);
    }
    assert!(folder.join(name).join("claims.csv").is_file());
}

#[test]
fn echoes_are_one_line_without_control_characters() {
    let folder = fresh();
    let long = "x".repeat(100_000);
    for verb in ["analyse", "report", "certify"] {
        for name in ["ti\u{1b}[31m\u{9b}31mlt/bo\nx", &long] {
            let line = run_in(&folder, &[verb, name]).refused().err;
            let line = line.trim_end();
            assert!(!line.contains(char::is_control), "{line:?}");
            assert!(line.len() < 20_000, "{}", line.len());
        }
    }
}

#[test]
fn full_and_closed_streams_are_no_panic() {
    let here = &fresh();
    done(here, ANALYSE);
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let command = |line: &str| {
        let mut command = antipode();
        command.current_dir(here).args(words(line));
        command
    };
    // A note on stderr, and nobody to read it.
    let resumed = format!("{ANALYSE} --resume");
    for (line, code) in [(&*resumed, 0), (SOLVE, 0), ("analyse tilt/nowhere", 2)] {
        let mut command = command(line);
        command.env("ANTIPODE_LOG", "trace");
        let status = command.stderr(full()).stdout(Stdio::null()).status();
        assert_eq!(status.unwrap().code(), Some(code), "{line}");
    }
    for line in ["list", ANALYSE, "permute reverse:8 --no-timing"] {
        let ran: Ran = command(line).stdout(full()).output().unwrap().into();
        ran.ended(4).err.has(["the disk is full; free some space"]);
    }
    for closed in [">&-", "2>&-", ">&- 2>&-"] {
        sh(here, &format!("antipode {ANALYSE} {closed}"), &[]).ended(0);
    }
}

/// The limit of processes does not bind the superuser, who is somebody else for it.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_cannot_be_had_are_told() {
    /// The user with a limit on processes, instead of the superuser.
    const NOBODY: u32 = 65_534;
    let here = &fresh();
    fs::set_permissions(here, PermissionsExt::from_mode(0o755)).unwrap();
    let exe = here.join("antipode");
    let built = env!("CARGO_BIN_EXE_antipode");
    fs::hard_link(built, &exe)
        .or_else(|_| fs::copy(built, &exe).map(drop))
        .unwrap();
    for verb in [
        "analyse tilt/card-2",
        "solve coin-sliding/5x7 --from A --to B",
        "pairs coin-sliding/5x7 --from A --to B --radius 1",
    ] {
        let script = format!("ulimit -u 1; exec ./antipode {verb} --threads 7");
        // A plain shell may not know this limit.
        let mut command = Command::new("bash");
        command.current_dir(here).args(["-c", &script]);
        if fs::metadata("/proc/self").unwrap().uid() == 0 {
            command.uid(NOBODY).gid(NOBODY);
        }
        let ran = Ran::from(command.output().unwrap()).ended(2);
        ran.err.lacks(["panicked"]);
        let line = ran.err.lines().last().unwrap();
        line.has(["cannot start 7 threads", "--threads"]);
    }
}
