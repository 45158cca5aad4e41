//! Every Markdown file: its links have targets, and the program accepts its commands.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{
    Ran, Text, blocks, claims, files, fresh, metadata, read, root, rows, sh as shell, words,
};

/// All Markdown files, with their text.
fn pages() -> Vec<(PathBuf, String)> {
    let pages = files(&["md"]).into_iter();
    let pages: Vec<_> = pages
        .map(|(path, text)| (root().join(path), text))
        .collect();
    assert!(pages.len() > 25, "{} pages", pages.len());
    pages
}

/// Lines of a page by whether they are in a code block.
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

/// A command of a block of code, and the lines that the page shows beneath it.
struct Shown {
    command: String,
    prints: Vec<String>,
}

/// The commands in code blocks, without prompts and comments; continued lines are joined. Only
/// below a prompt is printed output.
fn commands(text: &str) -> Vec<Shown> {
    let joined = text.replace("\\\n", " ");
    let (mut all, mut prompted) = (Vec::<Shown>::new(), false);
    for (inside, line) in lines(&joined) {
        let bare = line.trim().trim_start_matches("$ ");
        let bare = bare.split("  #").next().unwrap_or_default().trim();
        if inside && bare.starts_with("antipode ") {
            prompted = line.trim().starts_with("$ ");
            let (command, prints) = (bare.to_owned(), Vec::new());
            all.push(Shown { command, prints });
        } else if !inside {
            prompted = false;
        } else if let (true, Some(last)) = (prompted, all.last_mut()) {
            last.prints.push(line.trim_end().to_owned());
        }
    }
    all
}

/// Paragraphs, items of lists and rows of tables, each in one line.
fn paragraphs(text: &str) -> Vec<String> {
    let (mut all, mut goes_on) = (Vec::<String>::new(), false);
    for (_, line) in lines(text).filter(|(inside, _)| !inside) {
        let line = line.trim();
        let begins = line.is_empty() || line.starts_with(['|', '-', '#']);
        match all.last_mut().filter(|_| goes_on && !begins) {
            Some(last) => *last += &format!(" {line}"),
            None => all.push(line.to_owned()),
        }
        goes_on = !line.is_empty() && !line.starts_with('|');
    }
    all
}

/// The commands within text, each with its sentence, without code.
fn inline(text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for line in paragraphs(text) {
        let spans: Vec<&str> = line.split('`').collect();
        for (at, span) in spans.iter().enumerate().filter(|(at, _)| at % 2 == 1) {
            if !span.starts_with("antipode ") {
                continue;
            }
            let before = spans[..at].iter().step_by(2).copied().collect::<String>();
            let after = spans[at + 1..]
                .iter()
                .step_by(2)
                .copied()
                .collect::<String>();
            let begun = before.rsplit(". ").next().unwrap_or_default();
            let ended = after.split(". ").next().unwrap_or_default();
            all.push(((*span).to_owned(), format!("{begun} {ended}")));
        }
    }
    all
}

/// Whether a command of the text can be run as written: it names its subject, without placeholders.
fn is_whole(command: &str) -> bool {
    let stands_for = |word: &str| {
        let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
        !letters.is_empty() && letters.chars().all(|c| c.is_ascii_uppercase() || c == '/')
    };
    let about = command.contains('/') || command.starts_with("antipode list");
    about && !command.contains(['[', '…', '{']) && !command.split(' ').any(stands_for)
}

/// The numbers of a sentence, without commas between thousands; no years and no parts of names.
fn numbers(sentence: &str) -> Vec<String> {
    let words = sentence.split(|c: char| c.is_whitespace() || "()*;:".contains(c));
    let number = |word: &str| {
        let word = word.trim_end_matches(['.', ',']).replace(',', "");
        let digits = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
        digits.then_some(word)
    };
    words.filter_map(number).collect()
}

/// The one list of commands that are only read, not run, by their content, with the reason. Their
/// output is checked by other tests, or by files next to the page.
const READ_ONLY: &str = "
    explore tilt/box | opens a page and waits
    tilt/box --set grey=2 | leaves a folder; the help's example
    pairs coin-sliding/5x7 | 15 CPU-minutes; BENCHMARKS.md
    analyse rush-hour/6x6 | billions of placements; measured/
    verify rush-hour/6x6 | half a CPU-hour; measured/
    climb-pro-24 | hours, or the folder of a stopped run
    climb-15 | 545 million positions
    analyse peg-solitaire/english-33 | half a minute
    diamond-41 --from | half a minute
    rush-hour/5x5 --shard | three searches; tests of shards run them
    merge | needs the shards
    certify tilt | two CPU-minutes; `published` certifies all
    certify --claims | files of the page; tests of the page run them
    report | needs results
    referee | needs a solver
    antipode bench | measures: minutes
    test-plugin | needs a library; tests of plugins run them
    --plugin | needs a library; tests of plugins run them
    --boards | needs a file of the reader's; tests of such files run them
    --rules | needs Python; tests of rules run them
    my.tws | needs a file of the reader's
    my-board.txt | needs a file of the reader's
";

fn sh(line: &str, folder: &Path) -> Ran {
    shell(folder, &format!("timeout 300 {line}"), &[])
}

/// The first difference of a command's output from the page: lines follow each other as on the
/// page, and `…` stands for any lines.
fn misprinted<'a>(shown: &'a [String], printed: &str) -> Option<&'a str> {
    let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
    let (mut at, mut anywhere) = (0, true);
    for line in shown {
        if line.trim() == "…" {
            anywhere = true;
            continue;
        }
        let found = printed[at..].iter().position(|other| other == line);
        match found.filter(|&skipped| anywhere || skipped == 0) {
            Some(skipped) => (at, anywhere) = (at + skipped + 1, false),
            None => return Some(line),
        }
    }
    None
}

/// Commands that cost little are run, and print what the page says; for all others, options, values
/// and names are checked.
#[test]
fn every_command_works_and_prints_what_the_page_says() {
    let folder = fresh();
    let read_only = rows::<2>(READ_ONLY);
    let (mut wrong, mut run, mut used) = (Vec::new(), 0, BTreeSet::new());
    let mut check = |page: &Path, shown: &Shown, sentence: &str| {
        let line = &shown.command;
        let skip = read_only.iter().position(|[part, _]| line.contains(part));
        used.extend(skip);
        // The text after a file's name or a pipe belongs to the shell, and after `--` are other
        // commands.
        let ends = [" | ", " > ", " -- "].into_iter();
        let first = ends.fold(&**line, |first, end| {
            first.split(end).next().unwrap_or_default()
        });
        let whole = match skip {
            Some(_) => format!("{first} --help"),
            None => line.clone(),
        };
        run += usize::from(skip.is_none());
        let ran = sh(&whole, &folder);
        let mut faults = Vec::new();
        if ran.code != 0 {
            faults.push(ran.err);
        } else if skip.is_some() {
            let shows = shown.prints.iter().any(|line| line.trim() != "…");
            faults.extend(shows.then(|| "shows what it prints, and is not run".to_owned()));
        } else {
            let other = misprinted(&shown.prints, &ran.out);
            faults.extend(other.map(|line| format!("no {line:?} there: {}", ran.out)));
            let printed = numbers(&ran.out);
            let missing = numbers(sentence).into_iter();
            let missing = missing.filter(|number| !printed.contains(number));
            faults.extend(missing.map(|number| format!("does not print {number}")));
        }
        let place = |fault| format!("{}: {whole}: {fault}", page.display());
        wrong.extend(faults.into_iter().map(place));
    };
    for (page, text) in pages() {
        for shown in commands(&text) {
            check(&page, &shown, "");
        }
        for (command, sentence) in inline(&text) {
            if is_whole(&command) {
                let prints = Vec::new();
                check(&page, &Shown { command, prints }, &sentence);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(run >= 25, "{run} commands were run");
    let unused = (0..read_only.len()).filter(|at| !used.contains(at));
    let unused: Vec<_> = unused.map(|at| read_only[at][0]).collect();
    assert!(unused.is_empty(), "no page has {unused:?}");
}

/// Commands that are only mentioned have an existing command and existing flags.
#[test]
fn every_flag_that_a_page_names_is_one() {
    let folder = fresh();
    let (mut wrong, mut helps) = (Vec::new(), BTreeMap::new());
    for (page, text) in pages() {
        for (command, _) in inline(&text).into_iter().filter(|(one, _)| !is_whole(one)) {
            let mut words = command.split(|c: char| c.is_whitespace() || "[]|,".contains(c));
            let verb = words.nth(1).unwrap_or_default().to_owned();
            let help = helps.entry(verb.clone()).or_insert_with(|| {
                let ran = sh(&format!("antipode {verb} --help"), &folder);
                (ran.code == 0).then_some(ran.out)
            });
            let help = help.as_deref().unwrap_or_default();
            // Another program's text is in quotes.
            let own = words.take_while(|word| !word.starts_with('\''));
            let flags = own.filter(|word| word.starts_with("--"));
            if let Some(flag) = flags.map(str::to_owned).find(|flag| !help.contains(flag)) {
                wrong.push(format!("{}: {command}: no {flag}", page.display()));
            }
            if help.is_empty() {
                wrong.push(format!("{}: {command}: no verb", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Figures of a table or a text that belong to a command elsewhere: page, text, command, and its
/// output.
const FIGURES: &str = "
    tilt | 33 moves              65 moves | solve tilt/thesis-a | solved in 33 moves
    tilt | 33 moves              65 moves | solve tilt/thesis-b | solved in 65 moves
    blocks | **40 steps** | solve unit-rush-hour/tromp-4x4 | solved in 40 steps
    blocks | that of 5x5 **199** | solve unit-rush-hour/tromp-5x5 | solved in 199 steps
    blocks | that of 6x6 **732** | solve unit-rush-hour/tromp-6x6 | solved in 732 steps
    blocks | 132 moves, of `AABE/CFBB/CDGH/.DI.` | solve simple-block/custom --set board=AABE/CFBB/CDGH/.DI. | solved in 132 moves
    blocks | 81 moves, 116 with `metric=step` | solve sliding-block/donkey | solved in 81 moves
    blocks | 81 moves, 116 with `metric=step` | solve sliding-block/donkey --set metric=step | solved in 116 steps
    permutation | (2x2x3, 241,920 states, at most 14 moves) | analyse permutation/tower | greatest distance, 14
";

#[test]
fn figures_of_tables_are_what_commands_print() {
    let folder = fresh();
    let page = |puzzle: &str| read(root().join("puzzles").join(puzzle).join("README.md"));
    let prints = |command: &str, figure: &str| {
        sh(&format!("antipode {command}"), &folder)
            .out
            .has([figure]);
    };
    for [puzzle, text, command, figure] in rows(FIGURES) {
        page(puzzle).has([text]);
        prints(command, figure);
    }
    // The lengths of the challenge cards, in order.
    let page = page("tilt");
    let (_, cards) = page
        .split_once("Moves, in order from card 1:")
        .expect("a list");
    let lengths = words(blocks(cards)[0].1);
    assert_eq!(lengths.len(), 40);
    for (card, length) in (1..).zip(lengths).step_by(3) {
        let solved = format!("solved in {length} moves");
        prints(&format!("solve tilt/card-{card}"), &solved);
    }
}

/// The level tables that took hours are files, and the page agrees with them.
#[test]
fn figures_of_long_searches_are_those_of_the_files() {
    let here = root().join("puzzles/blocks");
    let page = read(here.join("README.md")).replace("\n  ", " ");
    for (table, unit) in [
        ("6x6-move", "moves"),
        ("6x6-step", "steps"),
        ("6x6-wall-move", "moves"),
        ("6x6-wall-step", "steps"),
    ] {
        let rows = read(here.join(format!("measured/rush-hour/{table}/levels.csv")));
        let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split(',').collect()).collect();
        let column = |name| rows[0].iter().position(|at| *at == name).expect(name);
        let (depth, states) = (column("depth"), column("states"));
        let of = |row: &[&str]| row[states].parse::<u128>().expect("a number");
        let total: u128 = rows[1..].iter().map(|row| of(row)).sum();
        let is_level = |row: &&Vec<&str>| row[depth].parse::<u32>().is_ok();
        let deepest = rows[1..].iter().rfind(is_level).expect("levels");
        let unsolvable = rows[1..].iter().find(|row| !is_level(row));
        let unsolvable = of(unsolvable.expect("a row"));
        let said = [total, of(&rows[1]), unsolvable];
        page.has(said.map(|figure| antipode_reports::counts_apart(&figure.to_string())));
        page.has([format!("**{} {unit}**", deepest[depth])]);
    }
}

/// The exit codes have one text.
#[test]
fn the_help_has_the_exit_codes_of_the_page() {
    let page = read(root().join("docs/first-board.md"));
    let codes = page.lines().find(|line| line.starts_with("Exit codes: "));
    let help = sh("antipode --help", &root()).out;
    words(&help).join(" ").has([codes.expect("a line")]);
}

/// Targets of cargo, and scripts that a page names, exist.
#[test]
fn every_target_and_script_is_there() {
    let metadata = metadata();
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let name = |value: &serde_json::Value| value["name"].as_str().unwrap_or_default().to_owned();
    let (mut packages, mut targets) = (BTreeSet::new(), BTreeSet::new());
    for package in list(&metadata["packages"]) {
        packages.insert(name(&package));
        for target in list(&package["targets"]) {
            let kind = target["kind"][0].as_str().unwrap_or_default().to_owned();
            targets.insert((kind, name(&target)));
        }
    }
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (page, text) in pages() {
        let blocks = lines(&text).filter(|(inside, _)| *inside);
        let text = paragraphs(&text);
        let spans = text
            .iter()
            .flat_map(|line| line.split('`').skip(1).step_by(2));
        for line in blocks.map(|(_, line)| line).chain(spans) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let script = words.first().filter(|word| {
                let word = word.trim_start_matches("$ ");
                word.ends_with(".sh") && word.contains('/') && !word.starts_with('.')
            });
            if let Some(script) = script {
                seen += 1;
                if !root().join(script).exists() {
                    wrong.push(format!("{}: {script}", page.display()));
                }
            }
            if !words.contains(&"cargo") {
                continue;
            }
            for pair in words.windows(2) {
                let kind = pair[0].trim_start_matches('-');
                let known = match pair[0] {
                    _ if pair[1].chars().all(|c| !c.is_lowercase()) => true,
                    "-p" => pair[1].starts_with("my") || packages.contains(pair[1]),
                    "--bench" | "--test" | "--example" => {
                        targets.contains(&(kind.to_owned(), pair[1].to_owned()))
                    }
                    _ => continue,
                };
                seen += 1;
                if !known {
                    wrong.push(format!("{}: {line}", page.display()));
                }
            }
        }
    }
    assert!(seen > 20 && wrong.is_empty(), "{seen}, wrong: {wrong:#?}");
}

/// Other versions of its dependencies were never tested.
#[test]
fn every_install_is_locked() {
    let folders = ["ci", ".ci"].map(|name| fs::read_dir(root().join(name)).expect(name));
    let workflows = folders.into_iter().flatten().flatten();
    let workflows =
        workflows.filter_map(|entry| Some((entry.path(), fs::read_to_string(entry.path()).ok()?)));
    for (page, text) in pages().into_iter().chain(workflows) {
        for line in text.lines().filter(|line| line.contains("cargo install ")) {
            assert!(line.contains("--locked"), "{}: {line}", page.display());
        }
    }
}

/// Unlisted sizes, as READMEs promise them; levels counted by hand or by formula. Input that the
/// puzzle itself refuses is refused with its own advice.
#[test]
fn any_size_is_an_instance() {
    let folder = fresh();
    let claim = r#"kind = "length"; instance = "7x7"; board = "on"; claimed = 33; engine = "ida""#;
    let claims = claims("lights-out", &[("a", claim)]);
    fs::write(folder.join("own.toml"), claims).expect("a file");
    for [code, line, said] in rows(
        "0 | analyse lights-out/2x3 | greatest distance, 3
         0 | analyse lights-out/2x3 | unsolvable 48
         0 | solve lights-out/7x7 --board on | solved in 33 moves, the fewest
         0 | solve lights-out/8x8 --board on | solved in 40 moves, the fewest
         0 | solve lights-out/6x6 --board .o..../..ooo./.ooo.o/oo.o../o.oo.o/.o.o.o | solved in 10 moves, the fewest
         0 | solve sliding-tile/5x2 --board 12/34/56/7./98 | solved in 1 move
         0 | list sliding-tile/3x5 | 3x5
         0 | plan hanoi/5-12 | hanoi/5-12
         0 | solve hanoi/3-9 | solved in 511 moves
         0 | solve pancake/plain-12 --board 213456789abc | solved in 1 move
         0 | verify lights-out/2x3 |
         0 | explore lights-out/3x4 --board on --format text |
         0 | pairs lights-out/2x3 --from ooo/ooo --to .../... |
         2 | solve sliding-tile/5x5 | at most 16 squares
         2 | solve lights-out/07x7 --board on | ROWSxCOLUMNS
         0 | certify --claims own.toml --out own | 1 confirmed",
    ) {
        let ran = sh(&format!("antipode {line}"), &folder);
        let ran = ran.ended(code.parse().expect("a code"));
        words(&(ran.out + &ran.err)).join(" ").has([said]);
    }
}
