//! The command line, and folders on a disk.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions, create_dir_all, remove_file, write};
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use antipode_checker::checker::Checker;
use antipode_checker::folder::{Files, Report, check, check_files};
use antipode_checker::shown::{Shown, Stop, is_wrong};

use crate::files::{certified_in, listed, tiles};
use crate::honest::claim;

fn outcome<'a>(report: &'a Report, name: &str) -> &'a Shown {
    &report.iter().find(|one| one.0 == name).unwrap().1
}

#[test]
fn the_command_takes_options_as_others_do() {
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    for (line, code, said) in [
        ("--version", 0, "antipode-checker 0."),
        ("--parts=5 --seed=1 none", 2, "none: cannot be read"),
        ("--parts=x none", 2, "--parts needs a number"),
        ("-- --none", 2, "--none: cannot be read"),
        ("--none", 2, "no option --none"),
        ("--help", 0, "usage: "),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_antipode-checker"));
        command.args(line.split(' '));
        let ran = command.output().unwrap();
        let text = String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap();
        assert_eq!(ran.status.code(), Some(code), "{line}: {text}");
        assert!(text.starts_with(said), "{line}: {text}");
        let code = if code == 0 { 4 } else { code };
        let status = command.stdout(full()).status().unwrap();
        assert_eq!(status.code(), Some(code), "{line}");
    }
}

/// A file that would fill the memory is read by nobody.
#[test]
fn long_files_and_odd_names_end_in_a_reason() {
    let scratch = tempfile::tempdir().unwrap();
    let at = |name: &str| scratch.path().join(name);
    create_dir_all(at("certificates")).unwrap();
    for (path, bytes) in tiles() {
        write(at(&path), bytes).unwrap();
    }
    let long = |name: &str| File::create(at(name)).unwrap().set_len(1 << 36).unwrap();
    let check = || check(scratch.path(), 1, 1);
    let manifest = || outcome(&check().unwrap(), "manifest.json").clone();
    assert_eq!(manifest(), Ok(vec![]));
    long("foreign.bin");
    assert_eq!(manifest(), Err("foreign.bin is in no manifest".into()));
    remove_file(at("foreign.bin")).unwrap();
    long("claims.csv");
    let why = "claims.csv is not as manifest.json lists it";
    assert_eq!(manifest(), Err(why.into()));
    for name in ["manifest.json", "certificates/manifest.json"] {
        remove_file(at(name)).unwrap();
    }
    let (code, why) = check().unwrap_err();
    assert_eq!((code, &why[..16]), (4, "claims.csv: with"), "{why}");
    remove_file(at("claims.csv")).unwrap();
    File::create(scratch.path().join(OsStr::from_bytes(b"a\xff"))).unwrap();
    let (code, why) = check().unwrap_err();
    assert_eq!((code, &why[..5]), (2, "a\u{fffd}:"), "{why}");
}

/// The tables of a search belong to a later certificate only as far as that has them.
#[test]
fn tables_of_an_earlier_run_are_compared_with_what_is_there() {
    let scratch = tempfile::tempdir().unwrap();
    let (out, file) = (
        scratch.path().join("out"),
        scratch.path().join("claims.toml"),
    );
    let certified = |lines: &str| {
        let claim = claim("one", &format!("instance = '2x3'\nkind = {lines}"));
        write(&file, format!("puzzle = 'lights-out'\n{claim}")).unwrap();
        certified_in(&out, &["--claims", file.to_str().unwrap()])
    };
    let of_moves = "'count'\ncount = 'moves_known'\nclaimed = 0\ncompare = 'report'";
    certified("'hardest'\nboard = 'on'");
    let mut files = certified(&format!("{of_moves}\ndirection = 'backward'"));
    let edited = |files: &Files, table: &str, edit: &dyn Fn(&str) -> String| {
        let mut files = files.clone();
        let path = format!("lights-out-2x3/{table}.csv");
        let text = String::from_utf8(files[&path].clone()).unwrap();
        files.insert(path, edit(&text).into_bytes());
        listed(&mut files);
        let report = check_files(&files, &Checker::new(1, 1)).unwrap();
        outcome(&report, "lights-out-2x3/").clone()
    };
    let open = Err(Stop::Unknown(
        "no certificate here has its antipodes".into(),
    ));
    assert_eq!(edited(&files, "levels", &str::to_owned), open);
    let head = |text: &str| text.split_inclusive('\n').next().unwrap().to_owned();
    assert_eq!(edited(&files, "antipodes", &head), open);
    let forged = edited(&files, "levels", &|text| text.replace(",7,", ",8,"));
    assert!(is_wrong(&forged), "{forged:?}");
    files = certified(&format!("{of_moves}\nboard = 'on'"));
    let none = Err(Stop::Unknown("no certificate here rests on it".into()));
    assert_eq!(edited(&files, "levels", &str::to_owned), none);
}
