//! The guide for authors, followed: its Rust puzzle is built as it stands there.

use std::fs;

use crate::make::{cargo, levels, passes, root, scratch};

/// The first block of a language in the guide, without its indentation.
fn block(language: &str) -> String {
    let guide = fs::read_to_string(root().join("puzzle-api/README.md")).expect("the guide");
    let fence = format!("```{language}\n");
    let (_, rest) = guide.split_once(&fence).expect("a block");
    let (code, _) = rest.split_once("```").expect("its end");
    let lines = code
        .lines()
        .map(|line| line.strip_prefix("   ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_puzzle_of_the_guide_works() {
    let folder = scratch("knights");
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let package =
        "[package]\nname = \"knights\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n";
    let api = root().join("puzzle-api");
    let manifest =
        block("toml").replace("/path/to/antipode/puzzle-api", &api.display().to_string());
    fs::write(folder.join("Cargo.toml"), format!("{package}{manifest}")).expect("a manifest");
    // The versions that the workspace has fetched already.
    let lock = root().join("puzzles/examples/eight-puzzle/Cargo.lock");
    let lock = fs::read_to_string(lock).expect("a lock file");
    let lock = lock.replace(
        "\"eight-puzzle\"\nversion = \"1.0.0\"",
        "\"knights\"\nversion = \"0.1.0\"",
    );
    fs::write(folder.join("Cargo.lock"), lock).expect("a lock file");
    fs::write(folder.join("src/lib.rs"), block("rust")).expect("a source");
    let library = cargo(&folder.display().to_string(), "knights");
    assert_eq!(levels(&library, "knight/5x5", &[]).0, [1, 8, 8, 4, 4]);
    passes(&library, &[]);
}
