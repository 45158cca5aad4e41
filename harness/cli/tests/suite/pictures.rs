//! Findings: pages open with them, the README shows their pictures, and a site has a page of each.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Text, fresh, plays, read, refuses, root, rows, runs};

/// The claims whose pictures the findings show.
const DRAWN: &str = "tilt-thesis-board-length peg-centre-impossible rush-fogleman-1 \
                     coin-lengths-5x7 sliding-climb-pro-24-length tilt-a1-transpose";

/// Folder of the pictures that the README shows.
fn kept() -> PathBuf {
    root().join("reports/pictures")
}

fn pictures(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let file = |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), read(entry.path()));
    let mut files: Vec<_> = entries.map(file).collect();
    files.sort();
    files
}

/// Renewed by the two commands that reports/README.md gives.
#[test]
fn the_pictures_of_the_readme_are_what_the_claims_give() {
    let here = &fresh();
    let ran = runs(here, &format!("certify --out found {DRAWN}"));
    assert!(matches!(ran.code, 0 | 4), "{}", ran.err);
    runs(here, "report found --pictures drawn --site site").ended(0);
    let drawn = pictures(&here.join("drawn"));
    let names = |files: &[(String, String)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(&drawn), names(&pictures(&kept())));
    assert_eq!(drawn.len(), 8);
    for ((name, drawn), (_, kept)) in drawn.iter().zip(pictures(&kept())) {
        assert!(*drawn == kept, "{name} is stale: see reports/README.md");
    }
    let readme = read(root().join("README.md"));
    let shown = names(&drawn).into_iter();
    readme.has(shown.map(|name| format!("reports/pictures/{name}")));
    // What was copied is as it was written, and can be reported on again.
    plays(
        here,
        r#"0 report site/data --out again
           again/report.html ? | id="rush-fogleman-1" | ../site/data/found/certificates/"#,
    );
}

#[test]
fn pictures_of_other_claims_are_refused_in_one_line() {
    plays(
        fresh(),
        "0 certify coin-puzzles --out found
         2! report found --pictures drawn | --pictures drawn: none of the claims with a picture
         no drawn",
    );
}

/// A solution is a picture that plays without script; the file at its place is checked first.
#[test]
fn a_solution_is_kept_as_a_picture() {
    let here = &fresh();
    // The seventh is proven impossible: the board.
    for [line, moves] in rows(
        "solve tilt/card-7 | 15
         solve rush-hour/card-1 | 9
         solve lights-out/5x5 --board on | 15
         solve peg-solitaire/triangle-15 | 13
         solve hanoi/3-3 | 7
         solve pancake/burnt-4 --board 3-12-4 | 6
         solve sliding-tile/2x3 --board 213/45. | 0
         solve sliding-tile/2x3 --board 543/21. | 14
         explore tilt/box | 0
         make rush-hour/4x4 --moves 6 --count 5 | 0",
    ) {
        runs(here, &format!("{line} --picture p.svg")).ended(0);
        let svg = read(here.join("p.svg"));
        let found = svg.matches("@keyframes t").count().to_string();
        assert_eq!(found, moves, "{line}");
        assert!(!svg.contains("<script") && svg.starts_with("<svg class=\"board\""));
    }
    read(here.join("p.svg")).has([">5.</text>"]);
    fs::write(here.join("mine.svg"), "<svg/>").unwrap();
    refuses(
        here,
        "solve tilt/card-7 --picture mine.svg | mine.svg: a file exists there
         explore tilt/box --picture mine.svg | mine.svg: a file exists there
         solve tilt/card-7 --picture p.png | name a file that ends in .svg
         explore tilt/box --picture p.png | name a file that ends in .svg",
    );
    assert_eq!(read(here.join("mine.svg")), "<svg/>");
}
