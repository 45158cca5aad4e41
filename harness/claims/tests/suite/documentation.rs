//! The reference in `README.md` is what the program takes: made from the same rows as the reader,
//! the templates and the schema.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use antipode_claims::field::Field;
use antipode_claims::{
    CLAIM_KEYS, Compare, FILE_KEYS, Kind, READING_KEYS, counts, least, parse_claims,
};

const RENEW: &str = "ANTIPODE_RENEW_REFERENCE";
const BEGIN: &str = "<!-- reference: made from the program's own rows; a test holds the two against each other -->\n";
const END: &str = "<!-- reference: end -->";

fn rows(fields: &[Field]) -> String {
    let mut text = String::from("| key | | takes | says | such as |\n|---|---|---|---|---|\n");
    for field in fields {
        let needed = if field.needed { "needed" } else { "" };
        let example = field.example.replace('\n', " ⏎ ");
        let takes = field.takes.describe();
        let (name, about) = (field.name, field.about);
        writeln!(
            text,
            "| `{name}` | {needed} | {takes} | {about} | `{example}` |"
        )
        .unwrap();
    }
    text
}

fn reference() -> String {
    let mut text = String::from("\n### Keys of a file, before its first claim\n\n");
    text += &rows(&FILE_KEYS);
    text += "\n### Keys of every claim\n\n";
    text += &rows(&CLAIM_KEYS);
    text += "\n### Keys of a reading\n\nA reading may also set any key of its kind.\n\n";
    text += &rows(&READING_KEYS);
    for kind in Kind::ALL {
        let about = kind.about();
        write!(text, "\n### Kind `{}`\n\n{about}\n\n", kind.name()).unwrap();
        text += &rows(kind.keys());
        write!(
            text,
            "\nThe least, which holds:\n\n```toml\n{}```\n",
            least(kind)
        )
        .unwrap();
    }
    text += "\n### Comparisons\n\n| `compare` | holds where | such as |\n|---|---|---|\n";
    for compare in Compare::ALL {
        let (name, about, example) = (compare.name(), compare.about(), compare.example());
        writeln!(text, "| `{name}` | {about} | `{example}` |").unwrap();
    }
    text += "\n### Counts\n\nFigures that kind `count` can name; those of states and of orbits (states up to symmetry) come in pairs, and N stands for a depth.\n\n";
    text += "What a search that was cut off, or went another way, does not know is refused or not reached: the third column says which searches know a figure, and how far they go.\n\n";
    text +=
        "| `count` | unit | known to a search | what it is | such as |\n|---|---|---|---|---|\n";
    for [name, unit, about, known_by, example] in counts() {
        writeln!(
            text,
            "| `{name}` | {unit} | {known_by} | {about} | `{example}` |"
        )
        .unwrap();
    }
    text + "\n"
}

#[test]
fn the_reference_is_what_the_program_takes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let page = fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once(BEGIN).expect("where the reference begins");
    let (found, tail) = rest.split_once(END).expect("where the reference ends");
    let wanted = reference();
    if env::var_os(RENEW).is_some() {
        fs::write(&path, [head, BEGIN, &wanted, END, tail].concat()).unwrap();
        return;
    }
    assert!(
        found == wanted,
        "harness/claims/README.md is stale. Renew and commit it:\n    {RENEW}=1 cargo test -p antipode-claims --features cluster --test suite documentation::"
    );
}

/// Every file on the page can be read.
#[test]
fn the_examples_are_claims() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let page = fs::read_to_string(path).unwrap();
    let examples = page.split("```toml\n").skip(1);
    let mut count = 0;
    for example in examples {
        let text = example.split("```").next().unwrap();
        let file = parse_claims("README.md", text).unwrap();
        count += file.all().unwrap().len();
    }
    assert_eq!(count, 4 + Kind::ALL.len());
}
