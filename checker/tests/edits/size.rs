//! How long the sources are: as the page says, and a rulebook no longer than it may be.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Most lines of a file of a rulebook.
const A_PAGE: usize = 160;

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![path],
        })
        .collect()
}

/// How the row of the page's table begins that a source is counted in.
fn row(path: &str) -> &'static str {
    match path {
        "parts.rs" | "fonts.rs" | "kinds/tilt.rs" => "`parts.rs`",
        "kinds/mod.rs" | "kinds/tables.rs" => "the core",
        "rules/mod.rs" | "rules/board.rs" | "rules/keys.rs" => "`src/rules/mod.rs`",
        path if path.starts_with("kinds/") => "`src/kinds/`",
        path if path.starts_with("rules/") => "`src/rules/`",
        path if path.starts_with("figures/") => "`src/figures/`",
        _ => "the core",
    }
}

#[test]
fn the_page_counts_the_lines() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let page = include_str!("../../README.md");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for path in sources(&folder) {
        let text = std::fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
        let inside = path.strip_prefix(&folder).unwrap();
        let row = row(inside.to_str().unwrap());
        let lines = text.lines().count();
        assert!(row != "`src/rules/`" || lines <= A_PAGE, "{inside:?}");
        *counts.entry(row).or_default() += lines;
    }
    for (row, lines) in counts {
        let told = page.lines().find_map(|line| {
            let (told, rest) = line.strip_prefix("| ")?.split_once(" | ")?;
            rest.starts_with(row).then(|| told.replace(',', ""))
        });
        let told: usize = told.unwrap_or_default().parse().expect(row);
        // The page rounds, and need not change with every line.
        let near = told.abs_diff(lines) * 50 <= lines;
        assert!(
            near,
            "{row}: the page says {told} lines, and there are {lines}"
        );
    }
}
