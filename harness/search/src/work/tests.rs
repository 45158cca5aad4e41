use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::*;
use crate::error::Result;

#[derive(Serialize)]
struct Asked {
    instance: &'static str,
    seed: u64,
    setting: std::collections::BTreeMap<&'static str, &'static str>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Level {
    depth: u16,
    seconds: f64,
}

fn asked(grey: &'static str) -> Asked {
    Asked {
        instance: "tilt/box",
        seed: 1,
        setting: [("grey", grey)].into(),
    }
}

fn open(
    folder: &Path,
    start: Start,
    grey: &'static str,
) -> Result<(WorkFolder, Vec<JournalPiece>)> {
    let place = FolderPlace {
        path: folder.to_owned(),
        option: "--work",
        start,
    };
    WorkFolder::open(&place, &asked(grey))
}

fn level(depth: u16) -> Level {
    Level {
        depth,
        seconds: f64::from(depth) / 3.0,
    }
}

fn depths(pieces: &[JournalPiece]) -> Vec<u16> {
    let levels = pieces.iter().map(|piece| piece.read::<Level>("level"));
    levels.map(|level| level.expect("a level").depth).collect()
}

/// A folder with six levels.
fn filled() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let (work, none) = open(folder.path(), Start::New, "3").expect("opens");
    assert!(none.is_empty());
    for depth in 0..6 {
        work.finish("level", &level(depth)).expect("room");
    }
    folder
}

fn change(folder: &Path, change: impl FnOnce(&mut Vec<String>)) {
    let journal = folder.join(JOURNAL);
    let text = fs::read_to_string(&journal).expect("a journal");
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    change(&mut lines);
    fs::write(&journal, lines.concat()).expect("room");
}

#[test]
fn any_flipped_bit_costs_its_line_and_no_other() {
    let clean = filled();
    let bytes = fs::read(clean.path().join(JOURNAL)).expect("a journal");
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
    for at in (0..bytes.len()).step_by(7) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 7);
        fs::write(folder.path().join(JOURNAL), &flipped).expect("room");
        let line = ends.iter().position(|&end| at <= end).expect("within");
        let (_, pieces) = open(folder.path(), Start::Resume, "3").expect("opens");
        // A flipped line end spoils the lines on both sides of it.
        let lost = if ends.contains(&at) {
            [line, line + 1]
        } else {
            [line, line]
        };
        let left = (0..6).filter(|depth| !lost.contains(&(usize::from(*depth) + 1)));
        assert_eq!(depths(&pieces), left.collect::<Vec<u16>>(), "byte {at}");
        // The rest is whole from here on.
        let (_, again) = open(folder.path(), Start::Resume, "3").expect("opens");
        assert_eq!(depths(&again), depths(&pieces));
    }
}

#[test]
fn lines_of_another_run_are_not_believed() {
    let (folder, other) = (filled(), tempfile::tempdir().expect("a folder"));
    drop(open(other.path(), Start::New, "4").expect("opens"));
    let foreign = fs::read_to_string(folder.path().join(JOURNAL)).expect("a journal");
    change(other.path(), |lines| {
        lines.push(foreign.lines().nth(2).expect("a line").to_owned() + "\n");
    });
    let (_, pieces) = open(other.path(), Start::Resume, "4").expect("opens");
    assert!(pieces.is_empty());
}

#[test]
fn a_file_that_is_no_journal_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in ["my own notes\n", "{\"level\":1}\n{\"level\":2}\n", "no end"] {
        fs::write(folder.path().join(JOURNAL), text).expect("room");
        let error = open(folder.path(), Start::Resume, "3")
            .expect_err("nobody's")
            .to_string();
        assert!(error.contains("does not say whose it is"), "{error}");
        assert_eq!(
            fs::read_to_string(folder.path().join(JOURNAL)).expect("a file"),
            text
        );
    }
}

#[test]
fn paths_to_one_place_are_one() {
    let here = tempfile::tempdir().expect("a folder");
    let at = |path: &str| here.path().join(path);
    fs::create_dir_all(at("a/b")).expect("room");
    std::os::unix::fs::symlink("a/b", at("link")).expect("room");
    for path in ["a/b", "link", "none/../a/b", "link/../b", "./a/./b"] {
        assert_eq!(canonical(&at(path)), canonical(&at("a/b")), "{path}");
    }
    for path in ["a", "b", "none/b", "link/b"] {
        assert_ne!(canonical(&at(path)), canonical(&at("a/b")), "{path}");
    }
}

#[test]
fn leftovers_are_swept_and_what_others_keep_there_stays() {
    let folder = filled();
    let ours = [
        "part-000000-level-00001-p00-0.segment",
        "forward-00003.part",
        ".antipode-x1.part",
    ];
    let theirs = ["notes.txt", "party.segment.txt", "my.part"];
    for name in ours.iter().chain(&theirs) {
        fs::write(folder.path().join(name), "x").expect("room");
    }
    let (work, _) = open(folder.path(), Start::Resume, "3").expect("opens");
    work.sweep(&|name| name == ours[0]).expect("removable");
    let there = |name: &str| folder.path().join(name).exists();
    assert!(there(ours[0]) && !there(ours[1]) && !there(ours[2]));
    clear(folder.path(), true).expect("removable");
    assert!(!there(ours[0]) && theirs.iter().all(|name| there(name)));
    for name in theirs {
        fs::remove_file(folder.path().join(name)).expect("there");
    }
    clear(folder.path(), true).expect("removable");
    assert!(!folder.path().exists());
    clear(folder.path(), true).expect("gone already");
    // The folder of all processes goes with the last of theirs.
    let process = folder.path().join("process-0-of-1");
    fs::create_dir_all(&process).expect("room");
    clear(&process, true).expect("removable");
    assert!(!folder.path().exists());
}
