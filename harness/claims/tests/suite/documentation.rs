//! The reference in `docs/claim-keys.md` matches the program: it is made from the same rows as the
//! reader, the templates and the schema.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use antipode_claims::field::{Choice, Field, Takes};
use antipode_claims::{
    CLAIM_KEYS, ClaimKind, Compare, FILE_KEYS, READING_KEYS, counts, parse_claims,
};

const RENEW: &str = "ANTIPODE_RENEW_REFERENCE";
const BEGIN: &str =
    "<!-- reference: generated from the program's own rows; a test compares the two -->\n";
const END: &str = "<!-- reference: end -->";

/// The name of a key, in bold if it is needed.
fn name(field: &Field) -> String {
    match field.needed {
        true => format!("**`{}`**", field.name),
        false => format!("`{}`", field.name),
    }
}

/// The values of a key; counts and comparisons have their own lists.
fn values(field: &Field) -> String {
    match field.takes {
        Takes::OneOf(Choice::Count) => "one of the [counts](#counts)".into(),
        Takes::OneOf(Choice::Compare(_)) => "one of the [comparisons](#comparisons)".into(),
        takes => takes.describe(),
    }
}

/// The values of a key, with an example unless the words have one.
fn takes(field: &Field) -> String {
    let takes = values(field);
    match takes.starts_with("one of ") || takes.contains(" such as ") {
        true => takes,
        false => format!("{takes}: `{}`", field.example.replace('\n', " ⏎ ")),
    }
}

/// Whether two rows differ at most in their requirement and example.
fn says_the_same(one: &Field, other: &Field) -> bool {
    let row = |field: &Field| (field.name, field.about, values(field));
    row(one) == row(other)
}

fn rows<'f>(fields: impl IntoIterator<Item = &'f Field>) -> String {
    let mut text = String::from("| key | takes | says |\n|---|---|---|\n");
    let mut before = None;
    for field in fields {
        let repeated = matches!(field.takes, Takes::OneOf(_)) && before == Some(field.takes);
        before = Some(field.takes);
        let takes = match repeated {
            true => "the same".into(),
            false => self::takes(field),
        };
        writeln!(text, "| {} | {takes} | {} |", name(field), field.about).unwrap();
    }
    text
}

/// Keys of all kinds, a row for each name; the values of a key for one kind are in its template.
fn keys_of_kinds() -> String {
    let mut rows: Vec<(&Field, Vec<String>)> = Vec::new();
    for kind in ClaimKind::ALL {
        for field in kind.keys() {
            let shown = match field.needed {
                true => format!("**{}**", kind.name()),
                false => kind.name().to_owned(),
            };
            match rows.iter_mut().find(|row| row.0.name == field.name) {
                Some((_, kinds)) => kinds.push(shown),
                None => rows.push((field, vec![shown])),
            }
        }
    }
    let mut text = String::from("| key | kinds | says |\n|---|---|---|\n");
    for (field, kinds) in rows {
        let kinds = match kinds.len() == ClaimKind::ALL.len() {
            true => "all".to_owned(),
            false => kinds.join(", "),
        };
        let (name, about) = (field.name, field.about);
        writeln!(text, "| `{name}` | {kinds} | {about} |").unwrap();
    }
    text
}

fn comparisons() -> String {
    let mut text = String::from("| `compare` | kinds | holds if |\n|---|---|---|\n");
    for compare in Compare::ALL {
        let takes = |field: &Field| match field.takes {
            Takes::OneOf(Choice::Compare(some)) => some.contains(&compare),
            _ => false,
        };
        let kinds = ClaimKind::ALL.into_iter();
        let kinds = kinds.filter(|kind| kind.keys().iter().any(takes));
        let kinds: Vec<&str> = kinds.map(ClaimKind::name).collect();
        let (name, about) = (compare.name(), compare.about());
        writeln!(text, "| `{name}` | {} | {about} |", kinds.join(", ")).unwrap();
    }
    text
}

/// The counts, below the searches that know them; a count of states and its twin of orbits share a
/// row.
fn list_of_counts() -> String {
    let (mut groups, mut text) = (Vec::<(String, Vec<[String; 3]>)>::new(), String::new());
    for [name, unit, about, known_by, _] in counts() {
        let name = format!("`{name}`");
        let twin = about == "The same up to symmetry.";
        let at = match groups.iter().position(|group| group.0 == known_by) {
            Some(at) => at,
            None => {
                groups.push((known_by, Vec::new()));
                groups.len() - 1
            }
        };
        match groups[at].1.last_mut().filter(|_| twin) {
            Some([names, units, _]) => {
                *names += &format!(", {name}");
                *units += &format!(", {unit}");
            }
            None => groups[at].1.push([name, unit, about]),
        }
    }
    for (known_by, rows) in groups {
        write!(text, "\nKnown to a search: {known_by}\n\n").unwrap();
        for [name, unit, about] in rows {
            writeln!(text, "- {name} ({unit}): {about}").unwrap();
        }
    }
    text
}

fn reference() -> String {
    let mut text = String::from("\nA key in bold is needed.\n");
    text += "\n### Keys of a file, before its first claim\n\n";
    text += &rows(FILE_KEYS.iter());
    text += "\n### Keys of every claim\n\n";
    text += &rows(CLAIM_KEYS.iter());
    text += "\n### Keys of a reading\n\n";
    let of_claim = |field: &&Field| CLAIM_KEYS.iter().any(|key| says_the_same(key, field));
    let (same, own): (Vec<&Field>, Vec<&Field>) = READING_KEYS.iter().partition(of_claim);
    text += &rows(own);
    let same: Vec<String> = same.into_iter().map(name).collect();
    text += "\nA reading may also set any key of its kind, and these keys of a claim: ";
    text += &same.join(", ");
    text += ".\n\n### Kinds\n\n";
    for kind in ClaimKind::ALL {
        writeln!(text, "- `{}`: {}", kind.name(), kind.about()).unwrap();
    }
    text += "\n### Keys of kinds\n\nA kind in bold needs the key. `antipode certify --template KIND` prints all keys of a kind, with what each takes and an example.\n\n";
    text += &keys_of_kinds();
    text += "\n### Comparisons\n\n";
    text += &comparisons();
    text += "\n### Counts\n\nWhat kind `count` can name. `orbits` are states up to symmetry; N is a depth. A figure that the search cannot know is refused, or not reached if it was cut off.\n";
    text + &list_of_counts() + "\n"
}

#[test]
fn the_reference_is_what_the_program_takes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/claim-keys.md");
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
        "docs/claim-keys.md is stale. Renew and commit it:\n    {RENEW}=1 cargo test -p antipode-claims --test suite documentation::"
    );
}

/// Every file on the page can be read.
#[test]
fn the_examples_are_claims() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/your-claim.md");
    let page = fs::read_to_string(path).unwrap();
    let examples = page.split("```toml\n").skip(1);
    let mut count = 0;
    for example in examples {
        let text = example.split("```").next().unwrap();
        let file = parse_claims("your-claim.md", text).unwrap();
        count += file.all().unwrap().len();
    }
    assert_eq!(count, 4);
}
