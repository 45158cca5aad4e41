use std::sync::Arc;

use antipode_search::progress::Stop;

use super::*;
use crate::{ClaimSource, Context, Effort, module_sources};

const GOOD: &str = r#"
[[claim]]
id = "a-claim"
source = "somewhere"
section = "1"
statement = "there are 12"
kind = "count"
count = "parts"
instance = "box"
claimed = 12
expect = "confirmed"
"#;

fn one(text: &str) -> Result<Claim, ClaimError> {
    parse_claims("claims.toml", text)?.claims.remove(0)
}

fn error(text: &str) -> String {
    one(text).expect_err("a broken claim").to_string()
}

fn has(line: &str, fragments: &[&str]) {
    for fragment in fragments {
        assert!(line.contains(fragment), "'{line}' lacks '{fragment}'");
    }
}

/// The file says how its cases are written.
#[test]
fn every_edit_is_taken_or_refused_as_told() {
    let mut refused = 0;
    for case in include_str!("cases.txt")
        .split("\n## ")
        .flat_map(|some| some.split("\n##\n"))
    {
        let values = case.lines().find_map(|line| line.strip_prefix("? "));
        for value in values.unwrap_or_default().split(" ? ") {
            let case = case.replace("$$", value);
            let marked = |text: &str, mark: char| -> Vec<String> {
                let lines = text.lines().filter_map(|line| line.strip_prefix(mark));
                lines.map(str::to_owned).collect()
            };
            let mut text = GOOD.to_owned();
            for edit in case.split("\n\n") {
                let (old, new) = (marked(edit, '-').join("\n"), marked(edit, '+').join("\n"));
                assert!(text.contains(&old), "{case}");
                text = match (old.is_empty(), new.is_empty()) {
                    (true, true) => text,
                    (true, false) => text + &new + "\n",
                    (false, true) => text.replace(&(old + "\n"), ""),
                    (false, false) => text.replace(&old, &new),
                };
            }
            let (parts, whole) = (marked(&case, '>'), marked(&case, '='));
            if parts.is_empty() && whole.is_empty() {
                assert!(one(&text).is_ok(), "{case}");
                continue;
            }
            let told = error(&text);
            has(&told, &parts.iter().map(String::as_str).collect::<Vec<_>>());
            assert!(whole.is_empty() || whole == [told], "{case}");
            refused += 1;
        }
    }
    assert!(refused > 90, "{refused}");
}

#[test]
fn more_is_read_of_good_claims() {
    let levels = GOOD
        .replace(
            "kind = \"count\"\ncount = \"parts\"",
            "kind = \"levels\"\nlevels = [0, 2]",
        )
        .replace("claimed = 12", "claimed = [1, 8, 20]");
    assert_eq!(one(&levels).expect("good").cases[0].claimed, "1, 8, 20");
    let cited =
        format!("{GOOD}url = \"https://example.org/a?b=c\"\nquote = \"there are twelve\"\n");
    let claim = one(&cited).expect("good");
    assert_eq!(
        (claim.url.as_str(), claim.quote.as_str()),
        ("https://example.org/a?b=c", "there are twelve")
    );
    let several = GOOD.replace("instance = \"box\"", "instances = [\"a\", \"b\"]");
    let claim = one(&several).expect("good");
    assert!(claim.all_must_hold && claim.cases.len() == 2);
    assert_eq!(claim.cases[1].instance.as_deref(), Some("b"));
    let kinds = GOOD.replace("kind = \"count\"\ncount = \"parts\"\n", "")
        + "[[claim.reading]]\nname = \"a\"\nstatement = \"a\"\nkind = \"count\"\ncount = \"parts\"\n"
        + "[[claim.reading]]\nname = \"b\"\nstatement = \"b\"\nkind = \"derived\"\nderive = \"orbits\"\n";
    let claim = one(&kinds).expect("good");
    assert_eq!(claim.cases[1].kind.name(), "derived");
}

#[test]
fn readings_override_the_claim() {
    let text = format!(
        "{GOOD}\n[[claim.reading]]\nname = \"other\"\nstatement = \"13\"\nclaimed = 13\nexpect = \"refuted\"\n"
    );
    let claim = one(&text).expect("a good claim");
    let case = &claim.cases[0];
    assert_eq!(
        (case.claimed.as_str(), case.expect, case.statement.as_str()),
        ("13", Some(Verdict::Refuted), "13")
    );
}

#[test]
fn a_claim_is_bound_to_its_own_lines() {
    let hash = |text: &str| one(text).expect("a good claim").blake3;
    let changed = GOOD.replace("claimed = 12", "claimed = 13");
    assert_ne!(hash(GOOD), hash(&changed));
    let followed = format!(
        "{GOOD}\n# ---- others\n{}",
        GOOD.replace("a-claim", "other")
    );
    assert_eq!(hash(GOOD), hash(&followed));
}

#[test]
fn a_figure_keeps_the_digits_that_were_printed() {
    for (value, claimed) in [
        ("12_404_499_370", "12404499370"),
        ("0.90", "0.90"),
        ("1e11", "1e11"),
        ("\"73,629,072,143\"", "73,629,072,143"),
        (
            "123456789012345678901234567890",
            "123456789012345678901234567890",
        ),
    ] {
        let text = GOOD.replace(
            "claimed = 12",
            &format!("claimed = {value}\ncompare = \"about\""),
        );
        assert_eq!(one(&text).expect(value).cases[0].claimed, claimed);
    }
}

#[test]
fn a_fault_leaves_the_other_claims_as_they_are() {
    let text = format!(
        "{}{}{GOOD}",
        GOOD.replace("claimed", "claimd"),
        GOOD.replace("a-claim", "second")
    );
    let file = parse_claims("f", &text).expect("TOML");
    let good: Vec<bool> = file.claims.iter().map(Result::is_ok).collect();
    assert_eq!(good, [false, true, true]);
    let fault = file.claims[0].as_ref().expect_err("a fault");
    assert_eq!((fault.id.as_str(), fault.line), ("a-claim", 10));
    let twice = parse_claims("f", &format!("{GOOD}{GOOD}")).expect("TOML");
    has(
        &twice.all().expect_err("two of one name").to_string(),
        &["a second claim with the id 'a-claim'"],
    );
}

#[test]
fn a_file_holds_a_puzzle_and_claims() {
    let refused = |text: &str| {
        let first = |file: ClaimFile| file.claims.into_iter().find_map(Result::err);
        let error = parse_claims("f", text).map_or_else(Some, first);
        error.expect(text).to_string()
    };
    has(
        &refused("puzle = \"tilt\""),
        &[
            "line 1, column 1",
            "no key 'puzle'",
            "did you mean 'puzzle'?",
        ],
    );
    has(
        &refused(&GOOD.replace("[[claim]]", "[[clam]]")),
        &["line 2,", "no key 'clam'", "did you mean [[claim]]?"],
    );
    has(&refused("puzzle = 3"), &["line 1", "puzzle = \"NAME\""]);
    has(&refused("claim = 3"), &["[[claim]]"]);
}

/// The reader accepts the template of each kind, including each comment.
#[test]
fn templates_are_claims_and_so_are_their_remarks() {
    for kind in ClaimKind::ALL {
        let text = crate::template(kind.name()).expect("a template");
        let file = parse_claims("t", &text).expect("TOML");
        assert!(file.puzzle.is_some());
        file.all()
            .unwrap_or_else(|error| panic!("{}: {error}\n{text}", kind.name()));
        let takes = |name: &str| kind.keys().iter().any(|key| key.name == name);
        for field in kind
            .keys()
            .iter()
            .chain(CLAIM_KEYS.iter())
            .filter(|field| field.name != "reading")
        {
            let one = kind == ClaimKind::Lengths || !takes("instance");
            if field.name == "instances" && one {
                continue;
            }
            // A speed is only reported; a kind with no other comparison cannot do so.
            if field.name == "hardware" && !takes("compare") {
                assert!(!text.contains("hardware"), "{text}");
                continue;
            }
            let set = format!("\n{} = ", field.name);
            let remark = format!("\n#{} = ", field.name);
            assert!(
                text.contains(&set) || text.contains(&remark),
                "{} lacks {}",
                kind.name(),
                field.name
            );
        }
    }
}

#[test]
fn a_claim_in_a_list_is_not_taken() {
    let keys = GOOD.trim().lines().skip(1).collect::<Vec<_>>().join(", ");
    let inline = format!("claim = [\n{{ {keys} }}]");
    has(
        &error(&inline),
        &["line 2, column 1", "begin it with [[claim]]"],
    );
}

/// A claim that is not TOML leaves the others as they are, places included.
#[test]
fn a_slip_of_toml_is_the_fault_of_its_claim_alone() {
    let other = |id: &str| GOOD.replace("a-claim", id);
    let twice = other("twice").replace("claimed", "source = \"again\"\nclaimed");
    let unclosed = other("unclosed").replace("there are 12\"", "there are 12");
    let text = [&other("first"), &twice, &unclosed, &other("last")]
        .map(String::as_str)
        .concat();
    let claims = parse_claims("claims.toml", &text).expect("a file").claims;
    let told: Vec<String> = claims
        .iter()
        .map(|claim| match claim {
            Ok(claim) => format!("{} at {}", claim.id, claim.at.0),
            Err(error) => format!("{} wrong at {}", error.id, error.line),
        })
        .collect();
    let line_of = |what: &str, header: usize| {
        let before = text.match_indices(what).nth(header).expect("there").0;
        text[..before].matches('\n').count() + 1
    };
    let second_source = line_of("source = \"again\"", 0);
    let wanted = [
        "first at 2".to_owned(),
        format!("twice wrong at {second_source}"),
        format!(
            "unclosed wrong at {}",
            line_of("statement = \"there are 12\n", 0)
        ),
        format!("last at {}", line_of("[[claim]]", 3)),
    ];
    assert_eq!(told, wanted);
    let last = claims.last().expect("four").as_ref().expect("a good claim");
    assert_eq!(last.lines, one(&other("last")).expect("the same").lines);
}

/// An unclosed text would continue to the end of the file, or to the next quotes.
#[test]
fn a_text_left_open_is_the_fault_of_its_claim_alone() {
    let other = |id: &str| GOOD.replace("a-claim", id);
    let open = other("open").replace("\"there are 12\"", "\"\"\"there are 12");
    let quotes = other("quotes").replace("\"there are 12\"", "\"\"\"\nthere are 12\"\"\"");
    let note = format!(
        "{}note = \"\"\"\n[[claim]]\nid = \"evil\"\n\"\"\"\n",
        other("note")
    );
    let headed = |header| other("header").replace("[[claim]]", header);
    for (between, last, taken) in [
        (other("between"), other("last"), [true, true]),
        (other("between"), quotes, [true, true]),
        (note.clone(), other("last"), [true, true]),
        (headed("[[ claim ]]"), note, [false, true]),
        (headed("[[\"claim\"]]"), headed("[misc]"), [false, false]),
    ] {
        let text = [other("first"), open.clone(), between, last].concat();
        let claims = parse_claims("claims.toml", &text).expect("a file").claims;
        let found: Vec<bool> = claims.iter().map(Result::is_ok).collect();
        assert_eq!(found, [&[true, false][..], &taken].concat(), "{claims:?}");
        let error = claims[1].as_ref().expect_err("open");
        assert_eq!(error.id, "open");
    }
}

/// A table that is no claim, and bytes that are not UTF-8, do not affect the claims.
#[test]
fn what_is_beside_the_claims_leaves_them_as_they_are() {
    for other in [
        "[other]\nkey = 1\n",
        "\n# remark\n\n [[ \"other\" ]]\nkey = 1\n[[other]]\n",
        "[other.some]\nkey = { a = [{}] }\n",
    ] {
        let odd = format!("puzzle = \"p\"\n{GOOD}{other}{}", GOOD.replace("a-", "b-"));
        let claims = parse_claims("claims.toml", &odd).expect("a file").claims;
        assert_eq!(claims.len(), 3);
        for good in [&claims[0], &claims[2]] {
            let lines = &good.as_ref().expect("good").lines;
            assert!(lines.ends_with("\"confirmed\"\n"), "{lines}");
        }
        let told = claims[1].as_ref().expect_err("no claim").to_string();
        has(&told, &["no key 'other'"]);
        let reading = "[[claim.reading]]\nname = \"a\"\nstatement = \"a\"\n";
        has(
            &error(&format!("{GOOD}{other}{reading}")),
            &["begin it with [[claim.reading]]", "in its claim"],
        );
    }
    let latin = GOOD
        .replace("a-claim", "latin")
        .replace("there", "th\u{fffd}re");
    let text = format!("# caf\u{fffd}\n{GOOD}{latin}");
    let claims = parse_claims("claims.toml", &text).expect("a file").claims;
    assert!(claims[0].is_ok());
    let error = claims[1].as_ref().expect_err("no UTF-8");
    assert!(error.message.contains("save the file in UTF-8"), "{error}");
    let line = |at: usize| text.lines().nth(at - 1).expect("a line");
    assert!(line(error.line).starts_with("statement"), "{error}");
}

/// An unclosed text must not continue in a claim after the one that was left out.
#[test]
fn a_text_that_does_not_end_with_its_claim_is_never_taken() {
    let open = GOOD
        .replace("a-claim", "open")
        .replace("\"there are 12\"", "\"\"\"there");
    let closes = format!(
        "{}note = \"\"\"\n[[claim]]\nid = \"evil\"\n\"\"\"\n",
        GOOD.replace("a-claim", "closes")
    );
    for text in [
        format!("{open}{closes}"),
        format!("{closes}{open}{closes}{GOOD}"),
    ] {
        let Ok(file) = parse_claims("claims.toml", &text) else {
            continue;
        };
        for claim in file.claims.into_iter().flatten() {
            assert!(
                ["closes", "a-claim"].contains(&claim.id.as_str()),
                "{}",
                claim.id
            );
            assert!(DeTable::parse(&claim.lines).is_ok(), "{}", claim.lines);
        }
    }
    let header = GOOD
        .replace("[[claim]]", "[[claim]")
        .replace("a-claim", "header");
    let claims = parse_claims("claims.toml", &format!("{GOOD}{header}"))
        .expect("a file")
        .claims;
    assert!(claims[0].is_ok() && claims[1].is_err());
    let stray = format!("{GOOD}@@@\n").repeat(super::diagnostics::MOST_DIAGNOSTICS + 1);
    let why = parse_claims("claims.toml", &stray).expect_err("too many");
    has(
        &why.to_string(),
        &["line 12, column ", "more than 100 claims are no TOML"],
    );
}

/// The claims that ship.
fn shipped() -> impl Iterator<Item = Claim> {
    let libraries = antipode_graph::builtin::all().into_iter().map(Arc::new);
    let own = libraries.filter_map(|library| ClaimSource::of_library(&library));
    own.chain(module_sources()).flat_map(|source| {
        let file = parse_claims(&source.file, &source.text).expect("claims that are read");
        file.all().expect("claims without a fault")
    })
}

/// Else `certify` over all that ships ends as if something were not as expected.
#[test]
fn what_ships_for_full_effort_says_what_comes_of_it_at_quick() {
    let full = shipped().filter(|claim| claim.full_only && claim.expect != Verdict::NotReached);
    let mut for_full = 0;
    for claim in full {
        for_full += 1;
        let quick = claim.expect_quick;
        assert_eq!(quick, Some(Verdict::NotReached), "{}", claim.id);
    }
    assert!(for_full > 20, "{for_full}");
}

/// A reader who doubts a claim looks it up. If the address of a source is known, every claim gives
/// it and quotes a few words; a claim whose text was not seen says so.
#[test]
fn what_ships_names_the_address_of_its_source_and_quotes_it() {
    // Our own claims have no source but the repository.
    let own = ["Antipode, the census", "This project:"];
    // Handed on as texts, without the address that they were found at.
    let no_address = ["Julian Neeleman,", "Dogon 2011,"];
    for claim in shipped() {
        let one_of = |sources: &[&str]| sources.iter().any(|s| claim.source.starts_with(s));
        let (id, is_own) = (&claim.id, one_of(&own));
        let has_url = !claim.url.is_empty();
        assert_eq!(has_url, !is_own && !one_of(&no_address), "{id}: url");
        // Books and pages known through others, tables that came only as figures, and boards that
        // came without a text.
        let unseen = is_own || claim.source.contains("not seen");
        assert!(unseen || !claim.quote.is_empty(), "{id}: quote");
    }
}

/// Places and lines of a claim's errors, with the text at each place.
fn unfit(puzzle: &str, lines: &str) -> Vec<(String, String)> {
    let text = format!(
        "[[claim]]\nid = \"c\"\nsource = \"s\"\nstatement = \"s\"\nexpect = \"confirmed\"\n{lines}\n"
    );
    let library = Arc::new(antipode_graph::builtin::named(puzzle).expect("a built-in puzzle"));
    let source = ClaimSource::about(&library, "my.toml".into(), text.clone());
    let context = Context::new(Effort::Quick, 1, 1, Stop::default());
    let claim = one(&text).expect("a claim that can be read");
    let faults = crate::check(&source, &claim, &context).into_iter();
    let there = |(line, column): (usize, usize)| {
        let line = text.lines().nth(line - 1).expect("a line");
        let word = line[column - 1..].trim_start_matches('"');
        let word = word.split([' ', '"']).next();
        word.expect("a word").to_owned()
    };
    let faults = faults.map(|fault| (there(fault.at), fault.error.to_string()));
    faults.collect()
}

/// Every mistake is reported, each at its place.
#[test]
fn what_is_at_fault_is_told_at_its_own_place() {
    let derived = "kind = \"derived\"\nderive = \"predecessor-counts\"\nclaimed = 3\n\
                   parameters = { seed = \"x\", cout = \"3\", count = \"0\" }";
    let length =
        "kind = \"length\"\ninstance = \"card-7\"\nclaimed = 15\nboard = \"x\"\nto = \"y\"";
    let donkey = "kind = \"length\"\ninstance = \"donkey\"\nclaimed = 81\n";
    let board = format!("{donkey}settings = {{ metric = \"leap\", board = \"donkey\" }}");
    let metric = format!("{donkey}settings = {{ metric = \"leap\" }}");
    type Told<'a> = &'a [(&'a str, &'a str)];
    let several =
        "kind = \"count\"\ncount = \"max_depth\"\nclaimed = 12\ninstances = [\"box\", \"nowhere\"]";
    let cases: [(&str, &str, Told<'_>); 5] = [
        ("tilt", several, &[("nowhere", "no instance of tilt")]),
        (
            "tilt",
            derived,
            &[
                ("count", "count=0 is out of range"),
                ("cout", "takes no parameter 'cout'"),
                ("seed", "seed=x is out of range"),
                ("claimed", "compare = \"holds\""),
            ],
        ),
        (
            "tilt",
            length,
            &[("board", "'x' is neither"), ("to", "'y' is neither")],
        ),
        (
            "sliding-block",
            &board,
            &[("board", "custom with board=FILE")],
        ),
        ("sliding-block", &metric, &[("metric", "leap")]),
    ];
    for (puzzle, lines, expected) in cases {
        let found = unfit(puzzle, lines);
        assert_eq!(found.len(), expected.len(), "{lines}: {found:?}");
        for ((there, line), (key, why)) in found.iter().zip(expected) {
            assert_eq!(there, key, "{line}");
            has(line, &[why]);
        }
    }
}
