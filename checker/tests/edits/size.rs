//! A rulebook is short enough to be read.

use std::path::Path;

/// Most lines of a file of a rulebook.
const A_PAGE: usize = 160;

#[test]
fn a_rulebook_is_a_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    // Code that rulebooks share is longer, and tests are not counted.
    let shared = ["mod.rs", "board.rs", "keys.rs"].map(|name| folder.join(name));
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let lines = text.split("#[cfg(test)]\nmod ").next().unwrap().lines();
            assert!(
                shared.contains(&path) || lines.count() <= A_PAGE,
                "{path:?}"
            );
        }
    }
}
