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

/// The error of the good claim with lines added to it.
fn with(lines: &str) -> String {
    error(&format!("{GOOD}{lines}\n"))
}

fn has(line: &str, fragments: &[&str]) {
    for fragment in fragments {
        assert!(line.contains(fragment), "'{line}' lacks '{fragment}'");
    }
}

#[test]
fn reads_a_plain_claim() {
    let claim = one(GOOD).expect("a good claim");
    assert_eq!(claim.cases[0].claimed, "12");
    assert_eq!(claim.cases[0].compare, Compare::Equal);
    assert!(claim.lines.starts_with("[[claim]]") && claim.lines.ends_with("\"confirmed\"\n"));
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
fn readings_of_two_kinds_have_the_keys_of_both_at_hand() {
    let text = GOOD.replace("kind = \"count\"\ncount = \"parts\"\n", "")
        + "[[claim.reading]]\nname = \"a\"\nstatement = \"a\"\nkind = \"count\"\ncount = \"parts\"\n"
        + "[[claim.reading]]\nname = \"b\"\nstatement = \"b\"\nkind = \"derived\"\nderive = \"orbits\"\n";
    let claim = one(&text).expect("a good claim");
    assert_eq!(claim.cases[1].kind.name(), "derived");
    let odd = text.replace("derive = \"orbits\"", "derive = \"orbits\"\nboard = \"x\"");
    has(
        &error(&odd),
        &["line 20, column 1", "kind = \"derived\" takes no 'board'"],
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
fn errors_name_line_and_column() {
    let broken = GOOD.replace("claimed = 12", "claimed = = 12");
    has(&error(&broken), &["claims.toml, line 10, column 11:"]);
    let typo = GOOD.replace("claimed = 12", "claimd = 12");
    assert_eq!(
        error(&typo),
        "claims.toml, line 10, column 1: claim 'a-claim': no field 'claimd'; did you mean 'claimed'?"
    );
    let missing = GOOD.replace("count = \"parts\"\n", "");
    has(
        &error(&missing),
        &["line 2, column 1", "lacks the field 'count'"],
    );
    let verdict = GOOD.replace("confirmed", "confirmd");
    has(
        &error(&verdict),
        &["line 11, column 1", "confirmd", "did you mean 'confirmed'?"],
    );
    let source = GOOD.replace("source = \"somewhere\"\n", "");
    has(&error(&source), &["lacks the field 'source'"]);
}

/// The column is that of the faulty key, also in braces, and of one instance among several.
#[test]
fn columns_are_those_of_the_key_at_fault() {
    let indented = GOOD.replace("claimed = 12", "  claimd = 12");
    has(&error(&indented), &["line 10, column 3:"]);
    let depth = GOOD.replace("\"parts\"", "\"max_depth\"");
    let depths = |value: &str| error(&format!("{depth}max_depth = {value}\n"));
    has(
        &depths("{ quick = 3, full = 99999999 }"),
        &["line 12, column 26:", "from 0 to 65533"],
    );
    has(&depths("{ quick = 3, fll = 4 }"), &["line 12, column 26:"]);
    has(
        &error(&format!("{depth}settings = {{ grey = \"1\", blue = 2 }}\n")),
        &["line 12, column 26:"],
    );
    let several = depth.replace("instance = \"box\"", "instances = [\"box\", \"nowhere\"]");
    let claim = one(&several).expect("well written");
    let told = |text: &str, claim: &Claim| {
        let library = Arc::new(antipode_graph::builtin::named("tilt").expect("ours"));
        let source = ClaimSource::about(&library, "my.toml".into(), text.to_owned());
        let stop = antipode_search::progress::Stop::default();
        let context = crate::Context::new(crate::Effort::Quick, 1, 2, stop);
        let unfit = crate::check(&source, claim, &context);
        unfit.iter().map(|unfit| unfit.at).collect::<Vec<_>>()
    };
    assert_eq!(told(&several, &claim), [(9, 21)]);
    let derived = GOOD.replace("count = \"parts\"", "derive = \"predecessor-counts\"");
    let derived = derived
        .replace("\"count\"", "\"derived\"")
        .replace("instance = \"box\"\n", "");
    let derived = derived.replace("claimed = 12", "compare = \"holds\"")
        + "parameters = { seed = \"1\", count = \"0\" }\n";
    let claim = one(&derived).expect("well written");
    assert_eq!(told(&derived, &claim), [(11, 28)]);
}

/// A number that is no level of any search is refused when the claim is read.
#[test]
fn a_level_must_be_within_reach() {
    let level = |name: &str, more: &str| GOOD.replace("\"parts\"", &format!("\"{name}\"")) + more;
    has(
        &error(&level("level_99999999_states", "")),
        &["line 8, column 1", "no level is deeper than 65533"],
    );
    has(
        &error(&level("level_9_states", "max_depth = 3\n")),
        &[
            "line 12, column 1",
            "give at least 9, or leave 'max_depth' out",
        ],
    );
    for good in ["", "max_depth = 9\n", "max_depth = { quick = 3 }\n"] {
        assert!(one(&level("level_9_states", good)).is_ok(), "{good}");
    }
}

/// A key that a kind does not use is an error with the keys that it does use.
#[test]
fn keys_of_other_kinds_are_refused() {
    has(
        &with("derive = \"orbits\""),
        &[
            "line 12, column 1",
            "kind = \"count\" takes no 'derive'",
            "instance, count, claimed",
        ],
    );
    let length = GOOD.replace("kind = \"count\"\ncount = \"parts\"", "kind = \"length\"");
    has(
        &error(&(length.clone() + "count = \"parts\"\n")),
        &["kind = \"length\" takes no 'count'"],
    );
    has(
        &error(&(length + "derive = \"x\"\n")),
        &["takes no 'derive'"],
    );
    let derived = GOOD.replace(
        "kind = \"count\"\ncount = \"parts\"",
        "kind = \"derived\"\nderive = \"orbits\"",
    );
    has(
        &error(&(derived + "board = \"x\"\n")),
        &["takes no 'board'"],
    );
    let solvable = GOOD.replace("kind = \"count\"\ncount = \"parts\"", "kind = \"solvable\"");
    has(
        &error(&solvable),
        &["line 9, column 1", "takes no 'claimed'"],
    );
}

#[test]
fn what_holds_or_not_has_no_unit() {
    let derived = GOOD.replace(
        "kind = \"count\"\ncount = \"parts\"",
        "kind = \"derived\"\nderive = \"d\"",
    );
    let derived = derived.replace("claimed = 12\n", "compare = \"holds\"\n");
    assert!(one(&derived).is_ok());
    has(
        &error(&format!("{derived}unit = \"bits\"\n")),
        &["'unit' says nothing with compare = \"holds\""],
    );
}

#[test]
fn tolerances_are_shares_and_only_for_about() {
    has(
        &with("within = 0.1"),
        &["'within' says nothing with compare = \"equal\"", "about"],
    );
    for share in [
        "1e12", "1.0", "0.51", "0.0", "-0.1", "inf", "nan", "1", "\"0.1\"",
    ] {
        let line = with(&format!("compare = \"about\"\nwithin = {share}"));
        has(
            &line,
            &[
                "line 13, column 1",
                "within = ",
                "more than 0 and at most 0.5",
            ],
        );
    }
    has(&with("sense = \"at-least\""), &["no field 'sense'"]);
    has(
        &with("hardware = \"a laptop\""),
        &["'hardware' says nothing"],
    );
}

#[test]
fn figures_that_cannot_be_held_are_refused() {
    let claimed = |value: &str| error(&GOOD.replace("claimed = 12", &format!("claimed = {value}")));
    for value in ["\"1,5\"", "\"many\"", "1.5", "-1", "\"\""] {
        has(
            &claimed(value),
            &["line 10, column 1", "cannot be compared with a figure"],
        );
    }
    // A blank is not a thousands separator.
    has(&claimed("\"3 528\""), &["line 10, column 1", "',' or '_'"]);
    for value in ["3.1e3", "3000", "\"10^x\"", "0"] {
        let power = format!("claimed = {value}\ncompare = \"magnitude\"");
        let line = error(&GOOD.replace("claimed = 12", &power));
        has(
            &line,
            &["line 10, column 1", "write a power of ten, such as 1e16"],
        );
    }
    for value in ["1e16", "\"10^16\"", "1000"] {
        let power = format!("claimed = {value}\ncompare = \"magnitude\"");
        assert!(
            one(&GOOD.replace("claimed = 12", &power)).is_ok(),
            "{value}"
        );
    }
    let long = "1".repeat(60);
    has(&claimed(&long), &["below 2^128"]);
    has(&claimed(&format!("\"{long}\"")), &["below 2^128"]);
    for value in ["[12]", "true", "{ quick = 12 }", "1979-05-27"] {
        has(
            &claimed(value),
            &["line 10, column 1", "is not a number or a text"],
        );
    }
    for value in ["1e400", "\"10^400\"", "-1e999"] {
        let derived = GOOD.replace(
            "kind = \"count\"\ncount = \"parts\"",
            "kind = \"derived\"\nderive = \"orbits\"",
        );
        let line = error(&derived.replace("claimed = 12", &format!("claimed = {value}")));
        has(&line, &["line 10, column 1", "at most 1.7e308"]);
    }
    let precise = GOOD.replace(
        "claimed = 12",
        "claimed = 0.12345678901234567\ncompare = \"about\"",
    );
    has(&error(&precise), &["12 significant digits"]);
}

/// No machine refutes another one's measurement.
#[test]
fn speeds_are_only_reported() {
    for count in ["states_per_second", "billions_per_hour", "seconds"] {
        let text = GOOD.replace("\"parts\"", &format!("\"{count}\""));
        let report = text.replace("claimed", "compare = \"report\"\nclaimed");
        assert!(one(&report).is_ok(), "{count}");
        for compare in ["equal", "about", "at-most", "at-least", "magnitude"] {
            let judged = text.replace(
                "claimed = 12",
                &format!("claimed = 10\ncompare = \"{compare}\""),
            );
            has(
                &error(&judged),
                &[
                    "line 8, column 1",
                    "measured on this machine",
                    "compare = \"report\"",
                ],
            );
        }
    }
}

#[test]
fn levels_have_a_size_each() {
    let levels = GOOD
        .replace(
            "kind = \"count\"\ncount = \"parts\"",
            "kind = \"levels\"\nlevels = [0, 2]",
        )
        .replace("claimed = 12", "claimed = [1, 8, 20]");
    assert_eq!(one(&levels).expect("good").cases[0].claimed, "1, 8, 20");
    let few = levels.replace("[1, 8, 20]", "[1, 8]");
    has(&error(&few), &["2 sizes for the 3 levels from 0 to 2"]);
    let odd = levels.replace("[1, 8, 20]", "[1, 8, -20]");
    has(&error(&odd), &["line 10", "whole numbers, one a level"]);
    has(
        &error(&(levels + "compare = \"about\"\n")),
        &["takes no 'compare'"],
    );
}

#[test]
fn sources_have_addresses_and_short_quotations() {
    let good = format!("{GOOD}url = \"https://example.org/a?b=c\"\nquote = \"there are twelve\"\n");
    let claim = one(&good).expect("good");
    assert_eq!(
        (claim.url.as_str(), claim.quote.as_str()),
        ("https://example.org/a?b=c", "there are twelve")
    );
    for url in [
        "javascript:alert(1)",
        "https://",
        "https://a b",
        "example.org",
    ] {
        has(
            &with(&format!("url = \"{url}\"")),
            &["line 12", "begins with https://"],
        );
    }
    has(
        &with(&format!("quote = \"{}\"", "word ".repeat(16))),
        &["at most 15 words"],
    );
}

#[test]
fn instances_stand_alone() {
    let several = GOOD.replace("instance = \"box\"", "instances = [\"a\", \"b\"]");
    let claim = one(&several).expect("good");
    assert!(claim.all_must_hold && claim.cases.len() == 2);
    assert_eq!(claim.cases[1].instance.as_deref(), Some("b"));
    has(
        &error(&(several.clone() + "instance = \"c\"\n")),
        &["one instance, or several"],
    );
    has(
        &error(&several.replace("[\"a\", \"b\"]", "[]")),
        &["one instance, or several"],
    );
    let reading = "[[claim.reading]]\nname = \"a\"\nstatement = \"a\"\n";
    has(
        &error(&several.replace("[\"a\", \"b\"]", "[\"a\", \"b\", \"a\"]")),
        &["line 9, column 1", "'a' twice"],
    );
    has(&error(&(several + reading)), &["not both"]);
    has(
        &error(&format!("{GOOD}{reading}{reading}")),
        &["line 16, column 1", "a second reading with the name 'a'"],
    );
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

/// Each claim leaves a certificate of its name, next to our files.
#[test]
fn an_id_names_a_file_that_can_be_written() {
    let named = |id: &str| GOOD.replace("a-claim", id);
    has(
        &error(&named("manifest")),
        &["line 3, column 1", "manifest.json", "choose another id"],
    );
    has(
        &error(&named("Manifest")),
        &["line 3, column 1", "lower-case letters"],
    );
    has(
        &error(&named(&"a".repeat(101))),
        &["line 3, column 1", "101 characters", "shorten it to 100"],
    );
    for good in ["manifest-2", &"a".repeat(100)] {
        assert!(one(&named(good)).is_ok(), "{good}");
    }
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
    has(
        &error(&format!("{GOOD}reading = 3\n")),
        &["[[claim.reading]]"],
    );
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
            .chain(&CLAIM_KEYS)
            .filter(|field| field.name != "reading")
        {
            if field.name == "instances" && !takes("instance") {
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

/// The schema and the reader are made from the same rows: the listed values are accepted.
#[test]
fn the_schema_has_every_key_of_every_kind() {
    let schema = crate::schema();
    let kinds = schema["properties"]["claim"]["items"]["allOf"]
        .as_array()
        .expect("kinds");
    assert_eq!(kinds.len(), ClaimKind::ALL.len());
    for (kind, rules) in ClaimKind::ALL.iter().zip(kinds) {
        let keys = rules["then"]["properties"].as_object().expect("keys");
        assert_eq!(
            keys.len(),
            kind.keys().len() + CLAIM_KEYS.len(),
            "{}",
            kind.name()
        );
        assert!(keys.values().all(|key| key["description"].is_string()));
        assert_eq!(rules["then"]["additionalProperties"], false);
    }
}

#[test]
fn a_claim_is_written_in_the_form_that_its_certificate_quotes() {
    let other = GOOD.replace("[[claim]]", "[[ claim ]]");
    has(
        &error(&other),
        &["line 2, column 1", "begin it with [[claim]]"],
    );
    let keys = GOOD.trim().lines().skip(1).collect::<Vec<_>>().join(", ");
    let inline = format!("claim = [\n{{ {keys} }}]");
    has(
        &error(&inline),
        &["line 2, column 1", "begin it with [[claim]]"],
    );
    let readings = with(r#"reading = [{ name = "a", statement = "a" }]"#);
    has(&readings, &["line 12,", "begin it with [[claim.reading]]"]);
    for table in ["settings.grey = \"1\"", "[claim.settings]\ngrey = \"1\""] {
        has(&with(table), &["line 12,", "in braces: settings = { … }"]);
    }
    let braces = GOOD.replace("\"parts\"", "\"max_depth\"") + "settings = { grey = \"1\" }\n";
    assert!(one(&braces).is_ok());
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
    for last in [other("last"), quotes] {
        let text = [other("first"), open.clone(), other("between"), last].concat();
        let claims = parse_claims("claims.toml", &text).expect("a file").claims;
        let taken: Vec<bool> = claims.iter().map(Result::is_ok).collect();
        assert_eq!(taken, [true, false, true, true]);
        let error = claims[1].as_ref().expect_err("open");
        assert_eq!(error.id, "open");
    }
}

/// A table that is no claim, and bytes that are not UTF-8, do not affect the claims.
#[test]
fn what_is_beside_the_claims_leaves_them_as_they_are() {
    let odd = format!("puzzle = \"p\"\n{GOOD}[other]\nkey = 1\n");
    let claims = parse_claims("claims.toml", &odd).expect("a file").claims;
    assert_eq!(claims.len(), 2);
    assert!(claims[0].is_ok());
    let error = claims[1].as_ref().expect_err("no claim");
    assert!(error.message.contains("no key 'other'"), "{error}");
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

/// An author who corrects a claim wants to see every mistake.
#[test]
fn all_that_is_wrong_with_a_claim_is_told_in_one_line() {
    let several = GOOD
        .replace("claimed = 12", "claimd = 12")
        .replace("\"confirmed\"", "\"confirmd\"")
        .replace("source = \"somewhere\"\n", "");
    assert_eq!(
        error(&several),
        "claims.toml, line 2, column 1: claim 'a-claim' lacks the field 'source'; \
         line 9, column 1: claim 'a-claim': no field 'claimd'; did you mean 'claimed'?; \
         line 10, column 1: claim 'a-claim': expect = \"confirmd\" is not one of confirmed, \
         confirmed-by-sample, refuted, refuted-by-sample, ambiguous, not-reached, reported; \
         did you mean 'confirmed'?"
    );
    let readings = "[[claim.reading]]\nname = \"one\"\nstatement = \"1\"\nclaimed = \"1,5\"\n\
                    [[claim.reading]]\nname = \"two\"\nstatement = \"2\"\nclaimed = -2\n";
    has(
        &with(readings),
        &["line 15, column 1", "'1,5'", "; line 19, column 1", "'-2'"],
    );
    let missing = GOOD
        .replace("count = \"parts\"\n", "")
        .replace("instance = \"box\"\n", "");
    has(
        &error(&missing),
        &["lacks the field 'instance'", "lacks the field 'count'"],
    );
}

#[test]
fn a_fault_names_its_claim_and_its_reading() {
    has(
        &error(&GOOD.replace("kind = \"count\"", "kind = \"cuont\"")),
        &[
            "line 7, column 1: claim 'a-claim': no kind of claim 'cuont'",
            "did you mean 'count'?",
        ],
    );
    has(
        &with("[[claim.reading]]\nstatement = \"1\"\n[[claim.reading]]\nname = \"two\""),
        &[
            "line 12, column 1: claim 'a-claim', reading 1 lacks the field 'name'",
            "line 14, column 1: claim 'a-claim', reading 'two' lacks the field 'statement'",
        ],
    );
    has(
        &with("[[claim.reading]]\nname = \"two\"\nstatement = \"2\"\nclaimd = 1"),
        &["line 15, column 1: claim 'a-claim', reading 'two': no field 'claimd'"],
    );
    has(
        &with("source = \"again\""),
        &["line 12, column 1: claim 'a-claim': the key 'source' a second time"],
    );
}

/// Figures that a search cannot have are detected from the keys alone.
#[test]
fn figures_of_other_searches_are_refused_when_a_claim_is_read() {
    let count = |name: &str| GOOD.replace("\"parts\"", &format!("\"{name}\""));
    for (text, why) in [
        (count("reachable_states"), "give direction = \"forward\""),
        (
            count("parts") + "direction = \"forward\"\n",
            "give direction = \"backward\"",
        ),
        (
            count("solved_states") + "max_depth = 3\n",
            "direction = \"backward\"",
        ),
        (
            count("solved_states") + "direction = \"backward\"\nboard = \"b\"\n",
            "leave 'board' out",
        ),
        (
            count("total_states") + "direction = \"forward\"\n",
            "reachable_states",
        ),
    ] {
        has(&error(&text), &["line 8, column 1", "is a figure of", why]);
    }
    let forward = count("reachable_states") + "direction = \"forward\"\n";
    assert!(one(&forward).is_ok());
}

#[test]
fn a_claim_says_something_and_levels_are_those_of_moves() {
    has(
        &error(&GOOD.replace("there are 12", " ")),
        &["claim 'a-claim' lacks the field 'statement'"],
    );
    has(
        &with("levels = [1, 2]"),
        &["line 12,", "'levels' says nothing of parts", "max_depth"],
    );
}

/// Else `certify` over all that ships ends as if something were not as expected.
#[test]
fn what_ships_for_full_effort_says_what_comes_of_it_at_quick() {
    let libraries = antipode_graph::builtin::all().into_iter().map(Arc::new);
    let own = libraries.filter_map(|library| ClaimSource::of_library(&library));
    let mut for_full = 0;
    for source in own.chain(module_sources()) {
        let file = parse_claims(&source.file, &source.text).expect("claims that are read");
        for claim in file.all().expect("claims without a fault") {
            if claim.full_only && claim.expect != Verdict::NotReached {
                for_full += 1;
                let quick = claim.expect_quick;
                assert_eq!(quick, Some(Verdict::NotReached), "{}", claim.id);
            }
        }
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
    let libraries = antipode_graph::builtin::all().into_iter().map(Arc::new);
    let shipped = libraries.filter_map(|library| ClaimSource::of_library(&library));
    for source in shipped.chain(module_sources()) {
        let file = parse_claims(&source.file, &source.text).expect("claims that are read");
        for claim in file.all().expect("claims without a fault") {
            let one_of = |sources: &[&str]| sources.iter().any(|s| claim.source.starts_with(s));
            let (id, is_own) = (&claim.id, one_of(&own));
            let has_url = !claim.url.is_empty();
            assert_eq!(has_url, !is_own && !one_of(&no_address), "{id}: url");
            // Books and pages known through others, tables that came only as figures, and boards
            // that came without a text.
            let unseen = is_own || claim.source.contains("not seen");
            assert!(unseen || !claim.quote.is_empty(), "{id}: quote");
        }
    }
}

/// Places and lines of a claim's errors, with the text at each place.
fn unfit(puzzle: &str, lines: &str) -> Vec<(String, String)> {
    let text = format!(
        "[[claim]]\nid = \"c\"\nsource = \"s\"\nstatement = \"s\"\nexpect = \"confirmed\"\n{lines}\n"
    );
    let mut libraries = antipode_graph::builtin::all().into_iter();
    let library = libraries.find(|library| library.name == puzzle);
    let library = Arc::new(library.expect("a built-in puzzle"));
    let source = ClaimSource::about(&library, "my.toml".into(), text.clone());
    let context = Context::new(Effort::Quick, 1, 1, Stop::default());
    let claim = one(&text).expect("a claim that can be read");
    let faults = crate::check(&source, &claim, &context).into_iter();
    let there = |(line, column): (usize, usize)| {
        let line = text.lines().nth(line - 1).expect("a line");
        let word = line[column - 1..].split([' ', '"']).next();
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
    let cases: [(&str, &str, Told<'_>); 4] = [
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
