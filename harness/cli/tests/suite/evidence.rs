//! Results that were edited, places that are not to be written to, and streams that are full
//! or closed.

use std::fs::{self};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use antipode_reports::json_out::read_record;
use antipode_reports::model::{MANIFEST, Manifest, Run};

use crate::support::{Ran, Text, folder_with, fresh, plays, rows, run_in, runs, words};

const ANALYSE: &str = "analyse tilt/card-2 --out out";
const SOLVE: &str = "solve tilt/box --board #.##./...../..O../g..../b....";
/// A claim that takes no time.
const CLAIM: &str = "tilt-a1-transpose";

fn done(folder: &Path, line: &str) -> Ran {
    let ran = runs(folder, line);
    assert!(matches!(ran.code, 0 | 4), "{line}: {}", ran.err);
    ran
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

/// A table that contradicts itself is not read at all.
#[test]
fn an_edited_result_is_told_by_report() {
    plays(
        fresh(),
        &format!(
            r#"0 {ANALYSE}
               0 certify {CLAIM} --out claims
               claims/claims.csv ~ | refuted,true | confirmed,false
               2! report claims | claims.csv, line 2, column verdict: confirmed, but found is false
               claims/claims.csv ~ | confirmed,false | not-reached,false
               1 report claims out | 2> claims/claims.csv: it was changed after it was written
               antipode-report/report.html ? | A file is not as written | badge not-as-written
               0 $ rm out/antipodes.csv
               1 report out | 2> out/antipodes.csv: it is missing\n
               out/levels.csv ~ | \n0, | \n0,0
               out/run.json ~ | "parts_done": 1 | "parts_done": 7
               claims/certificates/{CLAIM}.json ~ | "effort": "quick" | "effort": "full"
               2! report out | parts_done: 7 of 1 parts
               1 report claims | 2> .json: it was changed after it was written
               antipode-report/report.html ? | badge not-as-written"#
        ),
    );
}

// ---- obstacles -----------------------------------------------------------------------

/// Also a folder or a link in the place of a result is found before the work, even by force.
#[test]
fn files_of_others_are_kept_unless_forced() {
    let here = &fresh();
    for [line, name] in rows(&format!(
        "{ANALYSE} | out/levels.csv
         verify tilt/card-2 --out out | out/checks.json
         {SOLVE} --out solved | solved/solve.html
         certify {CLAIM} --out out | out/claims.csv
         {ANALYSE} | out/manifest.json"
    )) {
        plays(
            here,
            &format!(
                "0 $ rm -f {name}; mkdir -p {name}
                 2! {line} | cannot write {name}: a folder exists where
                 0 $ rmdir {name} && ln -s ../precious {name}
                 2! {line} --force | {name}: a link exists there
                 0 $ rm {name}
                 {name} = | my taxes
                 2! {line} | {name} | --force
                 {name} ? | my taxes
                 0 {line} --force
                 {name} ? | ~my taxes"
            ),
        );
    }
    plays(
        here,
        &format!(
            "no precious
             0 $ mkdir -p a/certificates/{CLAIM}.json b && ln -s ../out/certificates b/certificates
             2! certify {CLAIM} --out a | cannot write a/certificates/{CLAIM}.json: a folder exists where
             2! certify {CLAIM} --out b | b/certificates: a link exists there
             page/report.html = | my page
             2! report out --out page | page/report.html: a file exists there that is not of Antipode"
        ),
    );
}

/// Names of files that runs keep there, in a folder where none was at work; engine hash keeps
/// nothing there.
#[test]
fn files_named_like_unfinished_work_are_kept() {
    let table = "progress.jsonl | cp
                 part-list.index | cp
                 backward-x.segment | cp
                 progress.jsonl | ln -s";
    for line in [
        ANALYSE,
        "analyse hanoi/3-3 --engine disk --work out",
        "pairs sliding-tile/2x3 --from 123/4.5 --to goal --out out",
        "solve hanoi/3-3 --boards boards --out out",
    ] {
        for [name, puts] in rows(table) {
            let ran = match (line, puts) {
                (ANALYSE, "cp") => format!("0 {line}"),
                (ANALYSE, _) => continue,
                (_, "cp") => format!("2 {line} | {name}"),
                _ => format!("2 {line} | out/{name}: is no regular file"),
            };
            plays(
                folder_with("boards", "321/.../...\n"),
                &format!(
                    "0 $ mkdir out && {puts} $PWD/boards out/{name}
                     {ran}
                     0 $ cmp boards out/{name} && test $(wc -c <boards) = 12"
                ),
            );
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
    plays(
        here,
        &format!("0 {ANALYSE}\n0 certify tilt-corner-predecessors --out claims"),
    );
    for [most, out, line] in rows(
        "1 | out | analyse tilt/card-3
         16 | claims | certify tilt-row-predecessors tilt-corner-predecessors",
    ) {
        let line = format!("ulimit -f {most}; exec antipode {line} --out {out} --quiet >/dev/null");
        plays(
            here,
            &format!(
                "0 $ cp -R {out} kept
                 4! $ {line} | cannot write {out}/ | larger than files may be
                 0 $ diff -r {out} kept && rm -r kept"
            ),
        );
    }
    // The journal of a search that processes share.
    let line = "ulimit -f 40; exec antipode solve hanoi/3-6 --engine cluster --work work";
    plays(here, &format!("4 $ {line} | 2> larger than files may be"));
    // The page of a benchmark is larger than its samples, and without it they are not finished.
    plays(
        here,
        "4 $ ulimit -f 30; exec antipode bench --out b -- true | 2> cannot write b/bench.html
         no b/manifest.json
         0 bench --out b -- true
         b/manifest.json ? | bench.html",
    );
    runs(here, "report out claims").ended(0);
}

// ---- streams and limits --------------------------------------------------------------

#[test]
fn a_name_that_is_no_text_is_a_name() {
    let line = format!(
        r#"0 $ name=$(printf 'o\377\033[31m\012ut') && antipode certify {CLAIM} --out "$name" && antipode report --out p "$name" && test -f "$name/claims.csv""#
    );
    plays(fresh(), &(line + " | ~\u{1b}"));
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

/// A note on stderr, and nobody to read it.
#[test]
fn full_and_closed_streams_are_no_panic() {
    plays(
        fresh(),
        &format!(
            "0 $ antipode {ANALYSE} >&-
             0 $ antipode {ANALYSE} 2>&-
             0 $ antipode {ANALYSE} >&- 2>&-
             0 $ ANTIPODE_LOG=trace antipode {ANALYSE} --resume 2>/dev/full
             0 $ ANTIPODE_LOG=trace antipode solve tilt/card-7 2>/dev/full
             2 $ ANTIPODE_LOG=trace antipode analyse tilt/nowhere 2>/dev/full
             4 $ antipode --version >/dev/full | 2> the disk is full; free some space
             4 $ antipode list >/dev/full | 2> the disk is full; free some space
             4 $ antipode {ANALYSE} >/dev/full | 2> the disk is full; free some space
             4 $ antipode permute reverse:8 --no-timing >/dev/full | 2> the disk is full; free some space"
        ),
    );
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
        let ran = Ran::from(command.output().unwrap()).ended(4);
        ran.err.lacks(["panicked"]);
        let line = ran.err.lines().last().unwrap();
        line.has(["cannot start 7 threads", "--threads"]);
    }
}
