//! A rulebook is short enough to be read.

use std::path::Path;

use antipode_checker::folder::{Files, read};

/// Most lines of a file of a rulebook.
const A_PAGE: usize = 160;

#[test]
fn a_rulebook_is_a_page() {
    let (root, mut files) = (Path::new(env!("CARGO_MANIFEST_DIR")), Files::new());
    read(&root.join("src/rules"), "", &mut files).unwrap();
    // Code that rulebooks share is longer, and tests are not counted.
    for shared in ["mod.rs", "board.rs", "keys.rs"] {
        files.remove(shared).unwrap();
    }
    for (path, bytes) in files {
        let text = String::from_utf8(bytes).unwrap();
        let lines = text.split("#[cfg(test)]\nmod ").next().unwrap().lines();
        assert!(lines.count() <= A_PAGE, "{path}");
    }
}
