//! Every Markdown file: its links lead somewhere, and its commands are ones that the program takes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the checkout")
}

/// All Markdown files, with their text.
fn pages() -> Vec<(PathBuf, String)> {
    let (mut pages, mut folders) = (Vec::new(), vec![root()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let hidden = name.to_string_lossy().starts_with('.');
            if path.is_dir() && !hidden && name != "target" {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "md") {
                let text = fs::read_to_string(&path).expect("a page");
                pages.push((path, text));
            }
        }
    }
    assert!(pages.len() > 25, "{} pages", pages.len());
    pages
}

/// Lines of a page by whether they stand in a block of code.
fn lines(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let mut inside = false;
    text.lines().filter_map(move |line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        (!fence).then_some((inside, line))
    })
}

/// The anchors of headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = lines(text).filter(|(inside, line)| !inside && line.starts_with('#'));
    let anchor = |(_, line): (bool, &str)| -> String {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_relative_link_and_anchor_resolves() {
    let (mut broken, mut seen) = (Vec::new(), 0);
    for (page, text) in pages() {
        for (_, line) in lines(&text).filter(|(inside, _)| !inside) {
            for part in line.split("](").skip(1) {
                let link = part.split(')').next().unwrap_or_default();
                if link.contains("://") || link.starts_with("mailto:") {
                    continue;
                }
                seen += 1;
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = match file {
                    "" => page.clone(),
                    file => page.parent().expect("its folder").join(file),
                };
                let has_anchor = || {
                    let text = fs::read_to_string(&target).unwrap_or_default();
                    anchors(&text).contains(anchor)
                };
                if !target.exists() || !(anchor.is_empty() || has_anchor()) {
                    broken.push(format!("{}: {link}", page.display()));
                }
            }
        }
    }
    assert!(
        seen > 100 && broken.is_empty(),
        "{seen} links, broken: {broken:#?}"
    );
}

/// The commands in blocks of code, without prompts and remarks; those that are continued on the
/// next line in one.
fn commands(text: &str) -> Vec<String> {
    let joined = text.replace("\\\n", " ");
    let blocks = lines(&joined).filter(|(inside, _)| *inside);
    let command = |(_, line): (bool, &str)| {
        let line = line.trim().trim_start_matches("$ ");
        let line = line.split("  #").next().unwrap_or_default();
        line.starts_with("antipode ")
            .then(|| line.trim().to_owned())
    };
    blocks.filter_map(command).collect()
}

/// Commands that are only read, not run, by what they contain, and why.
const READ_ONLY: [(&str, &str); 19] = [
    ("tilt/box --out", "all of Tilt: minutes"),
    (
        "tilt/box --set grey=2",
        "leaves a folder; the help's example",
    ),
    ("coin-sliding/5x9", "20 GiB"),
    ("rush-hour/6x6 --out", "31 billion placements"),
    ("climb-pro-24", "hours, or the folder of a stopped run"),
    ("climb-15", "545 million positions"),
    ("analyse peg-solitaire/english-33", "half a minute"),
    ("diamond-41 --from", "half a minute"),
    (
        "rush-hour/5x5 --shard",
        "three searches; tests of shards run them",
    ),
    ("merge", "needs the shards"),
    ("verify sliding-block/climb-12", "a minute"),
    ("certify sliding-block", "a minute; a test certifies all"),
    (
        "certify --claims",
        "files of the page; tests of the page run them",
    ),
    ("report", "needs results"),
    ("referee", "needs a solver"),
    ("test-plugin", "needs a library; tests of plugins run them"),
    ("--plugin", "needs a library; tests of plugins run them"),
    ("my.tws", "needs a file of the reader's"),
    ("my-board.txt", "needs a file of the reader's"),
];

fn sh(line: &str, folder: &Path) -> std::process::Output {
    let own = Path::new(env!("CARGO_BIN_EXE_antipode"))
        .parent()
        .expect("a folder");
    let path = format!("{}:{}", own.display(), env::var("PATH").unwrap_or_default());
    let shell = Command::new("sh")
        .args(["-c", line])
        .env("PATH", path)
        .current_dir(folder)
        .output();
    shell.expect("a shell")
}

/// Commands that cost little are run; of all, options, their values and names are read.
#[test]
fn every_command_is_one_that_works() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut wrong, mut run, mut used) = (Vec::new(), 0, BTreeSet::new());
    for (page, text) in pages() {
        for line in commands(&text) {
            let skip = READ_ONLY.iter().position(|(part, _)| line.contains(part));
            used.extend(skip);
            // What follows a file's name or a pipe is the shell's.
            let first = line.split(" | ").next().unwrap_or_default();
            let first = first.split(" > ").next().unwrap_or_default();
            let whole = match skip {
                Some(_) => format!("{first} --help"),
                None => line.clone(),
            };
            run += usize::from(skip.is_none());
            let out = sh(&whole, folder.path());
            // A proof that there is no path is an answer too.
            let impossible = String::from_utf8_lossy(&out.stdout).contains("impossible: ");
            if !(out.status.success() || impossible) {
                let error = String::from_utf8_lossy(&out.stderr).into_owned();
                wrong.push(format!("{}: {whole}: {error}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(run >= 20, "{run} commands were run");
    let unused = (0..READ_ONLY.len()).filter(|at| !used.contains(at));
    let unused: Vec<_> = unused.map(|at| READ_ONLY[at].0).collect();
    assert!(unused.is_empty(), "no page has {unused:?}");
}

/// Other versions of what it depends on were never tested.
#[test]
fn every_install_is_locked() {
    let workflows = fs::read_dir(root().join("ci")).expect("ci").flatten();
    let workflows =
        workflows.filter_map(|entry| Some((entry.path(), fs::read_to_string(entry.path()).ok()?)));
    for (page, text) in pages().into_iter().chain(workflows) {
        for line in text.lines().filter(|line| line.contains("cargo install ")) {
            assert!(line.contains("--locked"), "{}: {line}", page.display());
        }
    }
}

/// Sizes that are not listed, as READMEs promise them; levels counted by hand or by formula.
#[test]
fn any_size_is_an_instance() {
    let folder = tempfile::tempdir().expect("a folder");
    let says = |line: &str, code: i32, words: &[&str]| {
        let out = sh(line, folder.path());
        let text = [out.stdout, out.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert_eq!(out.status.code(), Some(code), "{line}: {text}");
        for word in words {
            assert!(text.contains(word), "{line}: no {word:?} in {text}");
        }
    };
    says(
        "antipode analyse lights-out/2x3",
        0,
        &["greatest distance, 3", "unsolvable       48"],
    );
    says(
        "antipode solve lights-out/7x7 --board on",
        0,
        &["solved in 33 moves, the fewest"],
    );
    says(
        "antipode solve lights-out/8x8 --board on",
        0,
        &["solved in 40 moves, the fewest"],
    );
    let alone = "antipode solve lights-out/6x6 --board .o..../..ooo./.ooo.o/oo.o../o.oo.o/.o.o.o";
    says(alone, 0, &["solved in 10 moves, the fewest"]);
    says(
        "antipode solve sliding-tile/5x2 --board 12/34/56/7./98",
        0,
        &["solved in 1 move"],
    );
    says("antipode list sliding-tile/3x5", 0, &["3x5"]);
    says("antipode plan hanoi/5-12", 0, &["hanoi/5-12"]);
    says("antipode solve hanoi/3-9", 0, &["solved in 511 moves"]);
    says(
        "antipode solve pancake/plain-12 --board 213456789abc",
        0,
        &["solved in 1 move"],
    );
    says("antipode verify lights-out/2x3", 0, &[]);
    says(
        "antipode explore lights-out/3x4 --board on --format text",
        0,
        &[],
    );
    says(
        "antipode pairs lights-out/2x3 --from ooo/ooo --to .../...",
        0,
        &[],
    );
    // What the puzzle itself refuses is refused, with its own advice.
    says(
        "antipode solve sliding-tile/5x5",
        2,
        &["at most 16 squares"],
    );
    says(
        "antipode solve lights-out/07x7 --board on",
        2,
        &["ROWSxCOLUMNS"],
    );
    let claim = "puzzle = \"lights-out\"\n[[claim]]\nid = \"a\"\nsource = \"s\"\nstatement = \"t\"\n\
                 kind = \"length\"\ninstance = \"7x7\"\nboard = \"on\"\nclaimed = 33\n\
                 engine = \"ida\"\nexpect = \"confirmed\"\n";
    fs::write(folder.path().join("own.toml"), claim).expect("a file");
    says(
        "antipode certify --claims own.toml --out own",
        0,
        &["1 confirmed"],
    );
}
