//! The pages for authors, followed: their puzzles are built as shown there.

use std::fs;

use crate::make::{antipode, cargo, levels, passes, root, scratch, stdout};

/// The first block of a language on the page about libraries.
fn block(language: &str) -> String {
    let guide = fs::read_to_string(root().join("docs/library.md")).expect("the guide");
    let fence = format!("```{language}\n");
    let (_, rest) = guide.split_once(&fence).expect("a block");
    let (code, _) = rest.split_once("```").expect("its end");
    code.to_owned()
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
    // It has no start and no numbering, and draws no states: its list of solved states is enough.
    for (go, distance) in [(&[][..], 4), (&["--antipode"], 4), (&["--at", "2"], 2)] {
        let ran = antipode()
            .args(["explore", "knight/5x5", "--format", "json", "--plugin"])
            .arg(&library)
            .args(go)
            .output();
        let shown: serde_json::Value =
            serde_json::from_str(&stdout(&ran.expect("antipode runs"), 0)).expect("JSON");
        assert_eq!(shown["distance"], distance, "{go:?}");
    }
    passes(&library, &[]);
}

/// The page on your own claims, followed: its library, its file, its command.
#[cfg(unix)]
#[test]
fn the_claims_of_the_page_about_a_library_hold() {
    let page = fs::read_to_string(root().join("docs/your-claim.md")).expect("the page");
    let (_, page) = page
        .split_once("## About your own puzzle")
        .expect("its section");
    let block = |language: &str, begin: &str| {
        let fence = format!("```{language}\n");
        let blocks = page.split(&fence).skip(1);
        let mut blocks = blocks.map(|rest| rest.split("```").next().unwrap_or_default());
        let block = blocks.find(|block| block.starts_with(begin));
        block.expect(begin).to_owned()
    };
    let folder = scratch("page-on-claims");
    fs::create_dir_all(&folder).expect("a folder");
    let (library, file) = (folder.join("lights_out.so"), folder.join("lights.toml"));
    let compile = block("sh", "cc ").replace("lights_out.so", &library.display().to_string());
    let built = std::process::Command::new("sh")
        .args(["-c", &compile])
        .current_dir(root())
        .output();
    stdout(&built.expect("a shell"), 0);
    fs::write(&file, block("toml", "puzzle = \"lamps\"")).expect("a file");
    let certify = block("sh", "antipode certify");
    let words: Vec<&str> = certify.split_whitespace().skip(1).collect();
    let ran = antipode().args(&words).current_dir(&folder).output();
    let out = stdout(&ran.expect("antipode runs"), 0);
    assert!(out.contains("2 claims: 2 confirmed"), "{out}");
    // The library itself has no claims, and the command says so.
    let none = ["certify", "lamps", "--plugin", "./lights_out.so"];
    let ran = antipode().args(none).current_dir(&folder).output();
    let ran = ran.expect("antipode runs");
    stdout(&ran, 2);
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(err.contains("no claims about 'lamps' here"), "{err}");
}
