//! Inside a crate: circles among its uppermost modules. Between crates a circle does not compile;
//! between modules it does, so this reads the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{fresh, root, walk};

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The text after each `start`: a name, or all names at the head of a group in braces.
fn named_after(text: &str, start: &str) -> Vec<String> {
    let name = |text: &str| {
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
        text[..end.unwrap_or(text.len())].to_owned()
    };
    let mut found = Vec::new();
    for (at, _) in text.match_indices(start) {
        let rest = &text[at + start.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            found.push(name(rest));
            continue;
        };
        let (mut depth, mut head) = (0, true);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => head = true,
                c if head && !c.is_whitespace() => {
                    found.push(name(&group[at..]));
                    head = false;
                }
                _ => {}
            }
        }
    }
    found
}

/// A source without comments and without the tests at its end.
fn plain(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source");
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let is_test = |path: &Path| {
        let mut inside = path.strip_prefix(folder).expect("below it").iter();
        inside.any(|part| part == "tests" || part == "tests.rs")
    };
    let mut all = walk(folder);
    all.retain(|path| path.extension().is_some_and(|end| end == "rs") && !is_test(path));
    all
}

/// The uppermost module of a file; none for the root.
fn module_of(file: &Path, src: &Path) -> Option<String> {
    let inside = file.strip_prefix(src).ok()?.with_extension("");
    let first = inside.iter().next()?.to_str()?.to_owned();
    (!["lib", "main"].contains(&first.as_str())).then_some(first)
}

/// The uppermost modules of a crate that each one uses.
fn arrows(src: &Path) -> Arrows {
    let files = sources(src);
    let modules: BTreeSet<String> = files
        .iter()
        .filter_map(|file| module_of(file, src))
        .collect();
    // Names that the root re-exports belong to the modules from which they come.
    let mut homes: BTreeMap<String, String> = BTreeMap::new();
    for root in ["lib.rs", "main.rs"].map(|name| src.join(name)) {
        let text = match root.exists() {
            true => plain(&root),
            false => String::new(),
        };
        for line in text.split(';').filter(|line| line.contains("use ")) {
            let path = line.rsplit("use ").next().unwrap_or_default();
            let Some((module, names)) = path.trim().split_once("::") else {
                continue;
            };
            if modules.contains(module) {
                let names = names.split(|c: char| !c.is_alphanumeric() && c != '_');
                homes.extend(names.map(|name| (name.to_owned(), module.to_owned())));
            }
        }
    }
    let mut arrows = Arrows::new();
    for file in &files {
        let Some(from) = module_of(file, src) else {
            continue;
        };
        let text = plain(file);
        let mut names = named_after(&text, "crate::");
        if file.parent() == Some(src) {
            names.extend(named_after(&text, "use super::"));
        }
        let to = names
            .into_iter()
            .filter_map(|name| match modules.contains(&name) {
                true => Some(name),
                false => homes.get(&name).cloned(),
            });
        let to = to.filter(|to| *to != from);
        arrows.entry(from.clone()).or_default().extend(to);
    }
    arrows
}

/// Modules that lead back to themselves.
fn in_circles(arrows: &Arrows) -> BTreeSet<String> {
    let reached = |from: &str| {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut next = vec![from];
        while let Some(module) = next.pop() {
            let to = arrows.get(module).into_iter().flatten().map(String::as_str);
            next.extend(to.filter(|to| seen.insert(to)));
        }
        seen.contains(from)
    };
    arrows
        .keys()
        .filter(|module| reached(module))
        .cloned()
        .collect()
}

#[test]
fn modules_use_each_other_in_no_circle() {
    let mut crates = Vec::new();
    for folder in ["harness", "puzzles", "."] {
        let entries = fs::read_dir(root().join(folder)).expect("a folder");
        let inside = entries.map(|entry| entry.expect("an entry").path());
        crates.extend(inside.filter(|path| path.join("src").is_dir()));
    }
    assert!(crates.len() > 15, "{crates:?}");
    for path in crates {
        let circles = in_circles(&arrows(&path.join("src")));
        assert!(circles.is_empty(), "{}: {circles:?}", path.display());
    }
}

#[test]
fn a_circle_is_seen_through_groups_and_names_that_the_root_hands_on() {
    let folder = fresh();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("write");
    write("lib.rs", "mod a;\nmod b;\nmod c;\npub use b::{One, Two};\n");
    write("a.rs", "use crate::{b::Three, c};\n// crate::d\n");
    write(
        "b.rs",
        "fn f() {}\n#[cfg(test)]\nmod tests { use crate::a; }\n",
    );
    write("c.rs", "fn f() -> crate::One { todo!() }\n");
    assert!(in_circles(&arrows(&folder)).is_empty());
    write("b.rs", "use super::a;\n");
    let all = ["a", "b", "c"].map(str::to_owned).into();
    assert_eq!(in_circles(&arrows(&folder)), all);
}
