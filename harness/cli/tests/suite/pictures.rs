//! Findings: pages open with them, the README shows their pictures, and a site has a page of each.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{run, run_in};

/// The claims whose pictures the findings show.
const DRAWN: [&str; 6] = [
    "tilt-thesis-board-length",
    "peg-centre-impossible",
    "rush-fogleman-1",
    "coin-lengths-5x7",
    "sliding-climb-pro-24-length",
    "tilt-a1-transpose",
];

/// Folder of the pictures that the README shows.
fn kept() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports/pictures")
}

fn pictures(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut files: Vec<_> = entries
        .map(|entry| {
            let text = fs::read_to_string(entry.path()).unwrap();
            (entry.file_name().into_string().unwrap(), text)
        })
        .collect();
    files.sort();
    files
}

/// Renewed by the two commands that reports/README.md gives.
#[test]
fn the_pictures_of_the_readme_are_what_the_claims_give() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let certify = [&["certify", "--out", "found"][..], &DRAWN].concat();
    let ran = run_in(here, &certify);
    assert!(matches!(ran.code, 0 | 4), "{}", ran.err);
    let ran = run_in(
        here,
        &["report", "found", "--pictures", "drawn", "--site", "site"],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let drawn = pictures(&here.join("drawn"));
    let names = |files: &[(String, String)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&drawn), names(&pictures(&kept())));
    assert_eq!(drawn.len(), 8);
    for ((name, drawn), (_, kept)) in drawn.iter().zip(pictures(&kept())) {
        assert!(*drawn == kept, "{name} is stale: see reports/README.md");
    }
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(readme).unwrap();
    for name in names(&drawn) {
        assert!(
            readme.contains(&format!("reports/pictures/{name}")),
            "{name}"
        );
    }
    the_site_has_what_it_names(&here.join("site"));
    // The copies are unchanged, and can be reported on again.
    let ran = run_in(here, &["report", "site/data", "--out", "again"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page = fs::read_to_string(here.join("again/report.html")).unwrap();
    assert!(
        page.contains("id=\"rush-fogleman-1\"")
            && page.contains("../site/data/found/certificates/")
    );
}

fn the_site_has_what_it_names(site: &Path) {
    let index = fs::read_to_string(site.join("index.html")).unwrap();
    for needle in [
        "class=\"findings\"",
        "claim-rush-fogleman-1.html",
        "puzzle-tilt.html",
    ] {
        assert!(index.contains(needle), "{needle}");
    }
    let pages = fs::read_dir(site)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let pages = pages.filter(|path| path.extension().is_some_and(|e| e == "html"));
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for href in text
            .split(" href=\"")
            .skip(1)
            .filter_map(|rest| rest.split('"').next())
        {
            let is_local = !href.starts_with('#') && !href.contains(':');
            let file = href.split(['#', '?']).next().unwrap_or_default();
            assert!(
                !is_local || site.join(file).is_file(),
                "{}: {href}",
                page.display()
            );
        }
    }
}

#[test]
fn pictures_of_other_claims_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let ran = run_in(here, &["certify", "coin-puzzles", "--out", "found"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = run_in(here, &["report", "found", "--pictures", "drawn"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err
            .contains("--pictures drawn: none of the claims with a picture"),
        "{}",
        ran.err
    );
    assert!(!here.join("drawn").exists());
}

/// A solution is a picture that plays without script; the file at its place is checked first.
#[test]
fn a_solution_is_kept_as_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (args, moves) in [
        (&["solve", "tilt/card-7"][..], 15),
        (&["solve", "rush-hour/card-1"], 9),
        (&["solve", "lights-out/5x5", "--board", "on"], 15),
        (&["solve", "peg-solitaire/triangle-15"], 13),
        (&["solve", "hanoi/3-3"], 7),
        (&["solve", "pancake/burnt-4", "--board", "3-12-4"], 6),
        (&["solve", "sliding-tile/2x3", "--board", "543/21."], 14),
        // Proven impossible: the board.
        (&["solve", "sliding-tile/2x3", "--board", "213/45."], 0),
        (&["explore", "tilt/box"], 0),
        (
            &["make", "rush-hour/4x4", "--moves", "6", "--count", "5"],
            0,
        ),
    ] {
        let ran = run_in(here, &[args, &["--picture", "p.svg"]].concat());
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        let svg = fs::read_to_string(here.join("p.svg")).unwrap();
        assert_eq!(svg.matches("@keyframes t").count(), moves, "{args:?}");
        assert!(!svg.contains("<script") && svg.starts_with("<svg class=\"board\""));
    }
    assert!(
        fs::read_to_string(here.join("p.svg"))
            .unwrap()
            .contains(">5.</text>")
    );
    fs::write(here.join("mine.svg"), "<svg/>").unwrap();
    for (picture, said) in [
        ("mine.svg", "mine.svg: a file exists there"),
        ("p.png", "name a file that ends in .svg"),
    ] {
        for args in [&["solve", "tilt/card-7"][..], &["explore", "tilt/box"]] {
            let ran = run_in(here, &[args, &["--picture", picture]].concat());
            assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
            assert!(ran.err.contains(said), "{}", ran.err);
        }
    }
    assert_eq!(fs::read_to_string(here.join("mine.svg")).unwrap(), "<svg/>");
}

/// A program does not describe the look of its boards.
#[test]
#[cfg(target_os = "linux")]
fn boards_without_a_look_have_no_picture() {
    let rulebooks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles/examples/rulebooks");
    let program = format!("python3 {}", rulebooks.join("lunar.py").display());
    let ran = run(&[
        "solve",
        "lunar/card-1",
        "--rules",
        &program,
        "--picture",
        "p.svg",
    ]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    assert!(
        ran.err.contains("does not say how its boards are drawn"),
        "{}",
        ran.err
    );
}
