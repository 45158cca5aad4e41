//! The pages for authors, followed: their puzzles are built as shown there.

use std::fs;

use crate::make::{cargo, levels, on, passes, scratch};
use crate::support::{block, plays, read, root, sh};

#[test]
fn the_puzzle_of_the_guide_works() {
    let guide = read(root().join("docs/library.md"));
    let folder = scratch("knights");
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let package =
        "[package]\nname = \"knights\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n";
    let api = root().join("puzzle-api");
    let manifest = block(&guide, "toml", "");
    let manifest = manifest.replace("/path/to/antipode/puzzle-api", &api.display().to_string());
    fs::write(folder.join("Cargo.toml"), format!("{package}{manifest}")).expect("a manifest");
    // The versions that the workspace has fetched already.
    let lock = read(root().join("puzzles/examples/eight-puzzle/Cargo.lock"));
    let [theirs, ours] = [("eight-puzzle", "1.0.0"), ("knights", "0.1.0")]
        .map(|(name, version)| format!("\"{name}\"\nversion = \"{version}\""));
    let lock = lock.replace(&theirs, &ours);
    fs::write(folder.join("Cargo.lock"), lock).expect("a lock file");
    fs::write(folder.join("src/lib.rs"), block(&guide, "rust", "")).expect("a source");
    let library = cargo(&folder.display().to_string(), "knights");
    assert_eq!(levels(&library, "knight/5x5", "").0, [1, 8, 8, 4, 4]);
    // It has no start, no numbering and draws nothing: what it lists as solved is enough.
    for (go, distance) in [("", 4), ("--antipode", 4), ("--at 2", 2)] {
        let line = format!("explore knight/5x5 --format json {go}");
        let shown = on(&library, &line).ended(0).json();
        assert_eq!(shown["distance"], distance, "{go}");
    }
    passes(&library, "");
}

/// The page on your own claims, followed: its library, its file, its command.
#[cfg(unix)]
#[test]
fn the_claims_of_the_page_about_a_library_hold() {
    let page = read(root().join("docs/your-claim.md"));
    let (_, page) = page
        .split_once("## About your own puzzle")
        .expect("its section");
    let block = |language: &str, begin: &str| block(page, language, begin);
    let folder = scratch("page-on-claims");
    fs::create_dir_all(&folder).expect("a folder");
    let (library, file) = (folder.join("lights_out.so"), folder.join("lights.toml"));
    let compile = block("sh", "cc ").replace("lights_out.so", &library.display().to_string());
    sh(root(), &compile, &[]).ended(0);
    fs::write(&file, block("toml", "puzzle = \"lamps\"")).expect("a file");
    let certify = block("sh", "antipode certify");
    let certify = certify.trim_start_matches("antipode").trim_end();
    // The library itself brings none, and the command says so.
    plays(
        &folder,
        &format!(
            "0 {certify} | 2 claims: 2 confirmed
             2 certify lamps --plugin ./lights_out.so | no claims about 'lamps' here"
        ),
    );
}
