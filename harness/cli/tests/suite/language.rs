//! How the project writes: phrases to avoid, and *where* for conditions. Looks at comments and
//! texts of all sources, at Markdown, and at claims.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::LazyLock;

use crate::support::{files, rows};

/// Phrases to avoid, and what to write. `*` stands for up to five words of the same sentence.
static PHRASES: LazyLock<Vec<[&str; 2]>> = LazyLock::new(|| {
    let forms = rows(
        "held against; hold * against; holds * against; holding * against | compare with, check against
         told; tells; telling | report, name, call, show, detect
         come to; comes to; came to; coming to | reach, amount to, be
         go on; goes on; gone on; going on; went on | continue, resume
         give back; gives back; given back; gave back | return
         bear * out; bears * out; borne out; bore out | confirm, support
         of ours; of yours | our, your
         by sample; by samples | on a sample
         on paper | estimated
         way back; ways back | path reconstruction, a move back
         so many; so much; so few | n, a number of, that much, as few
         whoever | a caller, a reader, somebody who
         whom | who, or an active verb
         beside | next to, with, in addition to
         heed; heeds; heeded | obey, use
         mend; mends; mended | fix, repair
         derive * again; derives * again; derived again; derives again | re-derive
         come of; comes of; came of | result from; the outcome
         go by; goes by | use, depend on
         no fewer | exactly, optimal
         at hand | our copy, available
         nought | zero",
    );
    let each = |[phrases, instead]: [&'static str; 2]| {
        phrases.split("; ").map(move |phrase| [phrase, instead])
    };
    forms.into_iter().flat_map(each).collect()
});

/// Words before a phrase that make it right: verdicts have this name.
const RIGHT_AFTER: [(&str, &str); 3] = [
    ("confirmed", "by sample"),
    ("refuted", "by sample"),
    ("also", "by sample"),
];

/// Exceptions: the end of a path, a phrase, how often, and why.
const EXCEPTIONS: [(&str, &str, usize, &str); 1] = [(
    "reports/src/report/tables.rs",
    "by sample",
    1,
    "a column, beneath `confirmed`",
)];

/// Comments of a Rust source, neighbouring lines in one, and its string literals; each with its
/// first line.
#[derive(Debug, Default)]
struct Prose {
    comments: Vec<(usize, String)>,
    strings: Vec<(usize, String)>,
}

fn prose(text: &str) -> Prose {
    let mut prose = Prose::default();
    let chars: Vec<char> = text.chars().collect();
    let starts = |at: usize, what: &str| {
        chars[at..]
            .iter()
            .copied()
            .take(what.len())
            .eq(what.chars())
    };
    let (mut at, mut line, mut last) = (0, 1, 0);
    while at < chars.len() {
        let before = at.checked_sub(1).map(|before| chars[before]);
        let in_name = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let hashes = match chars[at] {
            'r' => chars[at + 1..].iter().take_while(|c| **c == '#').count(),
            _ => 0,
        };
        if starts(at, "//") {
            let code = chars[..at].iter().rev().take_while(|c| **c != '\n');
            let alone = code.into_iter().all(|c| c.is_whitespace());
            let end = chars[at..].iter().position(|c| *c == '\n');
            let end = end.map_or(chars.len(), |end| at + end);
            let words: String = chars[at..end].iter().collect();
            let words = words.trim_start_matches(['/', '!']).trim();
            match prose
                .comments
                .last_mut()
                .filter(|_| last + 1 == line && alone)
            {
                Some((_, comment)) if !words.is_empty() => *comment += &format!(" {words}"),
                _ => prose.comments.push((line, words.to_owned())),
            }
            (at, last) = (end, line);
        } else if chars[at] == 'r' && !in_name && chars.get(at + 1 + hashes) == Some(&'"') {
            let (begin, close) = (at + hashes + 2, format!("\"{}", "#".repeat(hashes)));
            let end = (begin..chars.len()).find(|&end| starts(end, &close));
            let end = end.unwrap_or(chars.len());
            prose
                .strings
                .push((line, chars[begin..end].iter().collect()));
            line += chars[at..end].iter().filter(|c| **c == '\n').count();
            at = end + close.len();
        } else if chars[at] == '"' {
            let (first, mut literal) = (line, String::new());
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                match (chars[at], chars.get(at + 1)) {
                    ('\\', Some('\n')) => {
                        line += 1;
                        at += 1;
                        while chars.get(at + 1).is_some_and(|c| *c == ' ') {
                            at += 1;
                        }
                    }
                    ('\\', _) => {
                        literal.push(' ');
                        at += 1;
                    }
                    ('{', Some(c)) if c.is_alphabetic() => {
                        // A placeholder is a name of the code.
                        let end = chars[at..].iter().position(|c| ['}', '"'].contains(c));
                        at += end.unwrap_or(1) - 1;
                    }
                    (c, _) => {
                        line += usize::from(c == '\n');
                        literal.push(c);
                    }
                }
                at += 1;
            }
            prose.strings.push((first, literal));
            at += 1;
        } else if chars[at] == '\'' && chars.get(at + 2) == Some(&'\'') {
            at += 3;
        } else if chars[at] == '\'' && chars.get(at + 1) == Some(&'\\') {
            let end = chars[at + 3..].iter().position(|c| *c == '\'');
            at += 4 + end.unwrap_or_default();
        } else {
            line += usize::from(chars[at] == '\n');
            at += 1;
        }
    }
    prose
}

/// The words of a text in small letters, without code in backticks; `.` ends a sentence.
fn words(text: &str) -> Vec<String> {
    let plain: String = text
        .split('`')
        .step_by(2)
        .collect::<Vec<_>>()
        .join(" code ");
    let mut words = Vec::new();
    for word in plain.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        words.extend((!bare.is_empty()).then(|| bare.to_lowercase()));
        let ends = word.ends_with(['.', ':', ';', '?', '!', '|']);
        words.extend(ends.then(|| ".".to_owned()));
    }
    words
}

/// Number of words of a phrase at the beginning of some words, if it is there.
fn stands(phrase: &[&str], words: &[String]) -> bool {
    match phrase {
        [] => true,
        ["*", rest @ ..] => (0..=5.min(words.len()))
            .any(|gap| words[..gap].iter().all(|word| word != ".") && stands(rest, &words[gap..])),
        [first, rest @ ..] => {
            words.first().is_some_and(|word| word == first) && stands(rest, &words[1..])
        }
    }
}

/// The phrases of a text.
fn found(text: &str) -> Vec<&'static str> {
    let words = words(text);
    let mut all = Vec::new();
    for [phrase, _] in &*PHRASES {
        let parts: Vec<&str> = phrase.split(' ').collect();
        for at in 0..words.len() {
            let before = at
                .checked_sub(1)
                .map_or("", |before| words[before].as_str());
            if stands(&parts, &words[at..]) && !RIGHT_AFTER.contains(&(before, *phrase)) {
                all.push(*phrase);
            }
        }
    }
    all
}

/// Texts of the project: path, line and words.
fn texts() -> Vec<(String, usize, String)> {
    let mut all = Vec::new();
    for (path, text) in files(&["rs"]) {
        if path.ends_with("suite/language.rs") {
            continue;
        }
        let prose = prose(&text);
        for (line, words) in prose.comments.into_iter().chain(prose.strings) {
            all.push((path.clone(), line, words));
        }
    }
    for (path, text) in files(&["md"]) {
        let mut inside = false;
        for (line, words) in (1..).zip(text.lines()) {
            inside ^= words.trim_start().starts_with("```");
            if !inside {
                all.push((path.clone(), line, words.to_owned()));
            }
        }
    }
    for (path, text) in files(&["toml"]) {
        for (line, words) in (1..).zip(text.lines()) {
            let ours = ["statement", "note", "section", "#"];
            // Other people's texts are in `quote`.
            if ours.iter().any(|key| words.starts_with(key)) {
                all.push((path.clone(), line, words.to_owned()));
            }
        }
    }
    all
}

#[test]
fn no_text_has_a_phrase_that_stops_its_reader() {
    let (mut bad, mut excepted) = (String::new(), [0; EXCEPTIONS.len()]);
    for (path, line, text) in texts() {
        for phrase in found(&text) {
            let exception = EXCEPTIONS
                .iter()
                .position(|(end, known, ..)| path.ends_with(end) && *known == phrase);
            if let Some(exception) = exception {
                excepted[exception] += 1;
                continue;
            }
            let instead = PHRASES.iter().find(|[known, _]| *known == phrase);
            let instead = instead.expect("known")[1];
            let _ = writeln!(bad, "{path}:{line}: '{phrase}': write {instead}");
        }
    }
    assert!(bad.is_empty(), "{} phrases:\n{bad}", bad.lines().count());
    for ((path, phrase, times, why), found) in EXCEPTIONS.into_iter().zip(excepted) {
        assert_eq!(found, times, "{path}: '{phrase}', {why}");
    }
}

/// *Where* is for places, *if* for conditions.
#[test]
fn no_crate_writes_where_more_often_than_if() {
    let mut crates = BTreeMap::<String, [usize; 2]>::new();
    for (path, text) in files(&["rs"]) {
        let parts: Vec<&str> = path.split('/').collect();
        let deep = usize::from(["harness", "puzzles"].contains(&parts[0]));
        let counts = crates.entry(parts[..=deep].join("/")).or_default();
        for (_, comment) in prose(&text).comments {
            for word in words(&comment) {
                counts[0] += usize::from(word == "where");
                counts[1] += usize::from(word == "if");
            }
        }
    }
    let bad: Vec<_> = crates
        .into_iter()
        .filter(|(_, [wheres, ifs])| wheres > ifs)
        .collect();
    assert!(bad.is_empty(), "[where, if]: {bad:#?}");
}

/// Planted phrases are found, and right ones are not.
#[test]
fn planted_phrases_are_found() {
    for (text, phrase) in [
        ("Two rows are held against each other.", "held against"),
        (
            "Holds the tables of a run against the rulebook.",
            "holds * against",
        ),
        ("confirmed on paper, by sample", "by sample"),
        ("It is told so", "told"),
    ] {
        assert!(found(text).contains(&phrase), "{text}");
    }
    for right in [
        "confirmed by sample",
        "What it holds. Against that, nothing.",
        "the module `way back`",
    ] {
        assert!(found(right).is_empty(), "{right}: {:?}", found(right));
    }
    let source = "/// One\n/// two.\nlet a = 'x'; // three\nlet b = \"four // five\"; let c = r#\"six \"x\"\"#;\n";
    let prose = prose(source);
    let lines = |texts: &[(usize, String)]| -> Vec<String> {
        texts
            .iter()
            .map(|(line, text)| format!("{line} {text}"))
            .collect()
    };
    assert_eq!(lines(&prose.comments), ["1 One two.", "3 three"]);
    assert_eq!(lines(&prose.strings), ["4 four // five", "4 six \"x\""]);
}

/// Pages of the book are short; the reference of keys is made by the program.
#[test]
fn pages_of_the_book_are_short() {
    let mut pages = 0;
    for (path, text) in files(&["md"]) {
        let most = match path.as_str() {
            "README.md" => 700,
            "docs/claim-keys.md" => 2_000,
            _ if path.starts_with("docs/") => 900,
            _ => 2_000,
        };
        let words = text.split_whitespace().count();
        assert!(words <= most, "{path}: {words} words, more than {most}");
        pages += usize::from(path.starts_with("docs/"));
    }
    assert!(pages >= 10, "{pages} pages");
}
