//! Users' own claims: templates that run, faults that do not stop other claims, the schema.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use antipode_claims::{ClaimKind, Compare, counts, least};
use serde_json::Value;

use crate::support::{Ran, run, run_in};

/// `certify --claims my.toml --out out …` on a text.
fn certify(text: &str, args: &[&str]) -> (tempfile::TempDir, Ran) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("my.toml"), text).unwrap();
    let own = ["certify", "--claims", "my.toml", "--out", "out"];
    let ran = run_in(folder.path(), &[&own[..], args].concat());
    (folder, ran)
}

#[test]
fn the_template_of_every_kind_runs_and_holds() {
    for kind in ClaimKind::ALL {
        let printed = run(&["certify", "--template", kind.name()]);
        assert_eq!(printed.code, 0, "{}", printed.err);
        let (_folder, ran) = certify(&printed.out, &[]);
        assert_eq!(ran.code, 0, "{}: {}{}", kind.name(), ran.out, ran.err);
        assert!(
            ran.out.contains("1 confirmed; all as expected"),
            "{}",
            ran.out
        );
    }
    let odd = run(&["certify", "--template", "lenght"]);
    assert_eq!(odd.code, 2);
    assert!(odd.err.contains("length"), "{}", odd.err);
}

/// Memory beyond any machine refutes nothing, and is no fault of the claim.
#[test]
fn a_claim_that_memory_is_too_small_for_is_not_reached() {
    let text = "puzzle = \"sliding-tile\"\n[[claim]]\nid = \"big\"\nkind = \"count\"\nsource = \"none\"\nstatement = \"80 moves\"\ninstance = \"4x4\"\ncount = \"max_depth\"\nclaimed = 80\nexpect = \"confirmed\"\nengine = \"dense\"\ndirection = \"backward\"\n";
    let (_folder, ran) = certify(text, &["--format", "json"]);
    assert_eq!(ran.code, 4, "{}{}", ran.out, ran.err);
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    let claim = &json["claims"][0];
    assert_eq!(claim["verdict"], "not-reached", "{claim}");
    assert!(
        claim.to_string().contains("the machine can give"),
        "{claim}"
    );
}

/// Every key of a template can be set alone, unless it names other keys that it needs. Tests a file
/// for each kind, with a claim for each key.
#[test]
fn every_remark_of_a_template_is_a_line_that_can_be_taken() {
    for kind in ClaimKind::ALL {
        let template = run(&["certify", "--template", kind.name()]).out;
        let (head, claim) = template.split_once("[[claim]]\n").unwrap();
        let claim = claim.split("#[[claim.reading]]").next().unwrap();
        let lines: Vec<&str> = claim.lines().collect();
        let mut text = head.to_owned();
        for (at, line) in lines.iter().enumerate() {
            let set = line.strip_prefix('#').filter(|set| !set.starts_with(' '));
            let Some((key, _)) = set.and_then(|set| set.split_once(" = ")) else {
                continue;
            };
            // A key that means nothing alone names the one that it needs.
            let needed = line.split_once("  # with ").map(|(_, needed)| needed);
            let name_of = |line: &str| line.split_once(" = ").map(|(name, _)| name.to_owned());
            let replaced = needed
                .and_then(name_of)
                .or((key == "instances").then(|| "instance".into()));
            let mut with = lines.clone();
            with[at] = &line[1..];
            with.retain(|line| replaced.is_none() || name_of(line) != replaced);
            with.extend(needed);
            let claim = with
                .join("\n")
                .replace("\"my-claim\"", &format!("\"line-{at}\""));
            text += &format!("[[claim]]\n{claim}\n");
        }
        let (_folder, ran) = certify(&text, &[]);
        let taken = [0, 1, 4].contains(&ran.code);
        assert!(
            taken && text.matches("[[claim]]").count() > 8,
            "{}: {}",
            kind.name(),
            ran.err
        );
    }
}

/// Every figure that a count can name, and every comparison, has a true example, or a reported one.
#[test]
fn the_example_of_every_count_and_comparison_holds() {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut add = |id: &str, more: String, example: &str| {
        let (puzzle, keys) = example.split_once(": ").unwrap();
        let verdict = match keys.contains("\"report\"") {
            true => "reported",
            false => "confirmed",
        };
        let file = files
            .entry(puzzle.to_owned())
            .or_insert_with(|| format!("puzzle = \"{puzzle}\"\n"));
        *file += &format!(
            "[[claim]]\nid = \"{id}\"\nsource = \"s\"\nstatement = \"s\"\n{more}{}\nexpect = \"{verdict}\"\n",
            keys.replace("; ", "\n")
        );
    };
    for [name, _, _, _, example] in counts() {
        let id = name.replace('_', "-").to_lowercase();
        let name = name.replace('N', "3");
        add(
            &id,
            format!("kind = \"count\"\ncount = \"{name}\"\n"),
            &example,
        );
    }
    for compare in Compare::ALL {
        let id = format!("compared-{}", compare.name());
        add(&id, String::new(), compare.example());
    }
    for (puzzle, text) in files {
        let (_folder, ran) = certify(&text, &[]);
        assert_eq!(ran.code, 0, "{puzzle}: {}{}", ran.out, ran.err);
    }
}

/// The least claim of each kind holds.
#[test]
fn the_least_claim_of_every_kind_holds() {
    for kind in ClaimKind::ALL {
        let (_folder, ran) = certify(&least(kind), &[]);
        assert_eq!(ran.code, 0, "{}: {}{}", kind.name(), ran.out, ran.err);
        assert!(ran.out.contains("1 claim: 1 confirmed"), "{}", ran.out);
    }
}

/// Names for claims are listed: derivations with their parameters, boards and their names.
#[test]
fn what_a_claim_can_name_is_listed() {
    let ran = run(&["list", "coin-sliding", "sliding-tile", "tilt", "permute"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = ran.out.lines().map(words).collect();
    for line in [
        "positions board = 5x7 | 5x9",
        "or by name: goal",
        "keep",
        "permute (no puzzle, but claims about bits)",
    ] {
        assert!(
            lines.iter().any(|found| found == line),
            "{line}: {}",
            ran.out
        );
    }
    // The board shown is valid.
    let mut of_coins = lines
        .iter()
        .skip_while(|line| !line.starts_with("coin-sliding "));
    let shown = of_coins.find_map(|line| {
        let (board, instance) = line.strip_prefix('"')?.split_once("\" (")?;
        Some((board.to_owned(), instance.strip_suffix(')')?.to_owned()))
    });
    let (board, instance) = shown.unwrap();
    let puzzle = "coin-sliding";
    let claim = format!(
        "puzzle = \"{puzzle}\"\n[[claim]]\nid = \"a\"\nsource = \"s\"\nstatement = \"s\"\nkind = \"levels\"\n\
         instance = \"{instance}\"\nboard = \"{board}\"\nlevels = [0, 0]\nclaimed = [1]\nexpect = \"confirmed\"\n"
    );
    let (_folder, ran) = certify(&claim, &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let ran = run(&["list", "coin-sliding", "bitboard", "--format", "json"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    let named = &found["puzzles"][0]["derivations"][0];
    assert_eq!(
        *named,
        serde_json::json!({ "name": "positions", "value": "number", "parameters": ["board=5x7|5x9"] })
    );
    assert!(found["puzzles"][0]["board"]["board"].is_string());
    assert!(found["modules"][0]["derivations"].as_array().unwrap().len() > 10);
}

#[test]
fn the_schema_is_json() {
    let ran = run(&["certify", "--schema"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let schema: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        schema["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
}

const GOOD: &str = "[[claim]]\nid = \"good\"\nsource = \"s\"\nstatement = \"Card 7 takes 15 moves.\"\n\
     kind = \"length\"\ninstance = \"card-7\"\nclaimed = 15\nexpect = \"confirmed\"\n";

/// A wrong key, a missing instance and a figure that the search does not have are rows each, and
/// the good claim between them is decided.
#[test]
fn a_fault_in_one_claim_stops_no_other() {
    let typo = GOOD.replace("good", "typo").replace("claimed", "claimd");
    let nowhere = GOOD.replace("good", "nowhere").replace("card-7", "card-77");
    let figure = "[[claim]]\nid = \"figure\"\nsource = \"s\"\nstatement = \"?\"\nkind = \"count\"\n\
        instance = \"card-7\"\ncount = \"reachable_states\"\nclaimed = 15\nexpect = \"confirmed\"\n";
    let text = format!("puzzle = \"tilt\"\n{typo}{nowhere}{GOOD}{figure}");
    let (folder, ran) = certify(&text, &[]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    for line in [
        "my.toml, line 8, column 1: claim 'typo': no field 'claimd'",
        "my.toml, line 15, column 1: claim 'nowhere': no instance of tilt 'card-77'; did you mean 'card-7'? use box, card-1 to card-40, thesis, thesis-a or thesis-b",
        "my.toml, line 32, column 1: claim 'figure': 'reachable_states' is a figure of",
        "claim 1 of 1: good confirmed",
    ] {
        assert_eq!(ran.err.matches(line).count(), 1, "{} lacks {line}", ran.err);
        // Each is reported once.
        assert!(!ran.out.contains(line), "{}", ran.out);
    }
    assert!(ran.out.contains("see not-taken.csv"), "{}", ran.out);
    assert!(
        ran.out
            .contains("1 claim: 1 confirmed; all as expected; 3 not taken"),
        "{}",
        ran.out
    );
    assert!(folder.path().join("out/certificates/good.json").is_file());
    let page = fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(page.contains("3 claims could not be taken"));
    let table = fs::read_to_string(folder.path().join("out/not-taken.csv")).unwrap();
    assert!(table.starts_with("id,puzzle,fault\ntypo,tilt,"), "{table}");
    assert_eq!(table.lines().count(), 4, "{table}");
    let again = run_in(folder.path(), &["report", "out", "--out", "again"]);
    assert_eq!(again.code, 0, "{}", again.err);
    let page = fs::read_to_string(folder.path().join("again/report.html")).unwrap();
    assert!(page.contains("3 claims could not be taken"));
    let (_folder, ran) = certify(&text, &["--format", "json"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["exit"], 2);
    let faults: Vec<&str> = found["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| fault["id"].as_str().unwrap())
        .collect();
    assert_eq!(faults, ["typo", "figure", "nowhere"]);
}

/// If no claim is valid, there is no folder, but still the list of faults.
#[test]
fn where_nothing_can_be_taken_the_faults_are_all_there_is() {
    let text = "puzzle = \"tilt\"\n[[claim]]\nid = \"typo\"\nsource = \"s\"\nstatement = \"s\"\nkind = \"lenght\"\nexpect = \"confirmed\"\n";
    let (folder, ran) = certify(text, &["--format", "json"]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["claims"], Value::Array(Vec::new()));
    assert_eq!(found["faults"][0]["id"], "typo");
    assert_eq!(found["exit"], 2);
    assert!(!folder.path().join("out").exists());
    let (_folder, ran) = certify(text, &[]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
}

/// The needs of an engine, the subject of a derivation and the limits of an instance are checked
/// before the first claim is run. Errors name the key by its line.
#[test]
fn what_a_claim_cannot_be_asked_is_told_before_the_first_verdict() {
    let cases = [
        (
            "tilt",
            "kind = \"length\"\ninstance = \"card-7\"\nclaimed = 15\nengine = \"ida\"",
            "line 10, column 1: claim 'c': tilt/card-7: engine ida does not fit: ida needs a lower bound for the moves that are left; leave out 'engine'",
        ),
        (
            "tilt",
            "kind = \"solvable\"\ninstance = \"card-7\"\nengine = \"dfs\"",
            "line 9, column 1: claim 'c': tilt/card-7: engine dfs does not fit",
        ),
        (
            "tilt",
            "kind = \"levels\"\ninstance = \"card-7\"\nlevels = [0, 1]\nclaimed = [1, 4]\nengine = \"sweep\"",
            "line 11, column 1: claim 'c': tilt/card-7: engine sweep does not fit: sweep works backward only",
        ),
        (
            "tilt",
            "kind = \"count\"\ninstance = \"card-7\"\ncount = \"max_depth\"\nclaimed = 3\nengine = \"sweep\"\ndirection = \"backward\"\nmax_depth = { quick = 3 }",
            "leave out 'max_depth', or use engine = \"hash\"",
        ),
        (
            "sliding-block",
            "kind = \"count\"\ninstance = \"donkey\"\ncount = \"max_depth\"\nclaimed = 3\nengine = \"dense\"",
            "line 11, column 1: claim 'c': sliding-block/donkey: engine dense does not fit",
        ),
        (
            "coin-sliding",
            "kind = \"count\"\ninstance = \"5x7\"\ncount = \"max_depth\"\nclaimed = 3",
            "line 9, column 1: claim 'c': coin-sliding/5x7: cannot list its solved states",
        ),
        (
            "coin-sliding",
            "kind = \"hardest\"\ninstance = \"5x7\"\nboard = \"V\"",
            "line 8, column 1: claim 'c': coin-sliding/5x7: cannot list its solved states",
        ),
        (
            "coin-sliding",
            "kind = \"derived\"\nderive = \"positions\"\ninstance = \"5x9\"\nclaimed = 3",
            "line 9, column 1: claim 'c': derivation 'positions' with these parameters speaks of 5x7, not of '5x9'",
        ),
        (
            "coin-sliding",
            "kind = \"derived\"\nderive = \"position\"\nclaimed = 3",
            "line 8, column 1: claim 'c': coin-sliding derives no 'position'; did you mean 'positions'? `antipode list coin-sliding` shows all",
        ),
        (
            "coin-sliding",
            "kind = \"derived\"\nderive = \"positions\"\nclaimed = 3\nparameters = { board = \"5x8\" }",
            "line 10, column 16: claim 'c': positions: board=5x8 is unknown",
        ),
        (
            "hanoi",
            "kind = \"lengths\"\ninstance = \"3-3\"\ntable = \"start,321/.../...,0\"",
            "leads nowhere: both are one state",
        ),
        (
            "sliding-block",
            "kind = \"count\"\ninstance = \"donkey\"\ncount = \"total_states\"\nclaimed = 3",
            "line 9, column 1: claim 'c': ",
        ),
        (
            "rush-hour",
            "kind = \"length\"\ninstance = \"card-1\"\nclaimed = 9\nsettings = { metric = \"leap\" }",
            "line 10, column 14: claim 'c': ",
        ),
        (
            "tilt",
            "kind = \"length\"\ninstance = \"card-7\"\nclaimed = 9\nboard = \"b/b\"",
            "line 10, column 1: claim 'c': ",
        ),
    ];
    for (puzzle, lines, needle) in cases {
        let text = format!(
            "puzzle = \"{puzzle}\"\n\n[[claim]]\nid = \"c\"\nsource = \"s\"\nstatement = \"s\"\n{lines}\nexpect = \"confirmed\"\n"
        );
        let (folder, ran) = certify(&text, &[]);
        assert_eq!(ran.code, 2, "{lines}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(needle), "{} lacks {needle}", ran.err);
        assert!(!ran.err.contains("claim 1 of"), "{}", ran.err);
        // If nothing is left to decide, nothing is written.
        assert!(
            ran.out.is_empty() && !folder.path().join("out").exists(),
            "{}",
            ran.out
        );
    }
}

/// The engine of a run is also checked against every claim that it would answer.
#[test]
fn an_engine_of_the_command_that_does_not_fit_is_told_before_the_first_verdict() {
    let forward = "[[claim]]\nid = \"forward\"\nsource = \"s\"\nstatement = \"s\"\nkind = \"levels\"\n\
        instance = \"card-7\"\nlevels = [0, 1]\nclaimed = [1, 4]\nexpect = \"confirmed\"\n";
    let (_folder, ran) = certify(
        &format!("puzzle = \"tilt\"\n{forward}"),
        &["--engine", "sweep"],
    );
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("sweep works backward only"), "{}", ran.err);
    assert!(!ran.err.contains("claim 1 of"), "{}", ran.err);
}

/// A claim that is not as expected because it was not searched says so.
#[test]
fn a_claim_left_to_full_effort_says_why_it_is_not_as_expected() {
    let text = format!("puzzle = \"tilt\"\n{GOOD}effort = \"full\"\n");
    let (_folder, ran) = certify(&text, &[]);
    assert_eq!(ran.code, 4, "{}{}", ran.out, ran.err);
    let line = "good: not reached (it asks for --effort full)";
    assert!(ran.out.contains(line), "{}", ran.out);
}

/// A refutation of our copy of the text is separate from one of its source.
#[test]
fn refutations_of_a_text_at_hand_are_a_list_of_their_own() {
    let wrong = GOOD
        .replace("15", "14")
        .replace("\"confirmed\"", "\"refuted\"");
    let at_hand = wrong.replace("good", "copied") + "text = \"at-hand\"\n";
    let (_folder, ran) = certify(&format!("puzzle = \"tilt\"\n{wrong}{at_hand}"), &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let (_, lists) = ran.out.split_once("\nrefuted:\n").unwrap();
    let heading = "refuted as printed in our copy; the original was not seen:\n";
    let (refuted, copied) = lists.split_once(heading).unwrap();
    assert!(
        refuted.contains("good: ") && !refuted.contains("copied: "),
        "{}",
        ran.out
    );
    assert!(copied.contains("copied: "), "{}", ran.out);
}

/// A file without a valid claim is also a row, and the others are decided.
#[test]
fn a_file_that_cannot_be_taken_stops_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text).unwrap();
    write("good.toml", format!("puzzle = \"tilt\"\n{GOOD}").as_bytes());
    let latin = GOOD
        .replace("good", "latin")
        .replace("takes", "n\u{e9}cessite");
    let latin: Vec<u8> = format!("puzzle = \"tilt\"\n{latin}")
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    write("latin.toml", &latin);
    write("lacks.toml", GOOD.replace("good", "lacks").as_bytes());
    let files =
        ["lacks.toml", "latin.toml", "nowhere.toml", "good.toml"].map(|file| ["--claims", file]);
    let args = [&["certify", "--out", "out"][..], &files.concat()].concat();
    let ran = run_in(folder.path(), &args);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    for line in [
        "lacks.toml, line 1, column 1: lacks the line puzzle",
        "latin.toml, line 5, column 22: claim 'latin': a byte that is no UTF-8; save the file in UTF-8",
        "nowhere.toml: cannot be read",
        "claim 1 of 1: good confirmed",
    ] {
        assert!(ran.err.contains(line), "{} lacks {line}", ran.err);
    }
    assert!(ran.out.contains("3 not taken"), "{}", ran.out);
    // A claim without an id is named by its file.
    for shown in ["lacks.toml", "nowhere.toml"] {
        assert!(ran.out.contains(shown), "{}", ran.out);
    }
    // The name may be in the invalid file.
    let ran = run_in(folder.path(), &[&args[..], &["lacks"]].concat());
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("lacks the line puzzle"), "{}", ran.err);
}

/// A faulty claim that was not requested does not fail the requested ones.
#[test]
fn a_fault_in_a_claim_that_is_not_named_does_not_count() {
    let typo = GOOD.replace("good", "typo").replace("claimed", "claimd");
    let text = format!("puzzle = \"tilt\"\n{typo}{GOOD}");
    let (_folder, ran) = certify(&text, &["good"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let (_folder, ran) = certify(&text, &["typo"]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("no field 'claimd'"), "{}", ran.err);
}

/// Two certificates cannot have one name: the second claim with it is refused.
#[test]
fn an_id_given_twice_is_taken_once() {
    let (_folder, ran) = certify(&format!("puzzle = \"tilt\"\n{GOOD}{GOOD}"), &[]);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    let line = "my.toml, line 10, column 1: a second claim with the id 'good'";
    assert!(ran.err.contains(line), "{}", ran.err);
    assert!(ran.out.contains("1 claim: 1 confirmed"), "{}", ran.out);
}

/// Figures have their unit, and their difference.
#[test]
fn figures_are_told_with_units_and_deviations() {
    let text = format!("puzzle = \"tilt\"\n{}", GOOD.replace("15", "20"));
    let (_folder, ran) = certify(&text, &[]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("20 moves"), "{}", ran.out);
    assert!(ran.out.contains("15 moves (25% below)"), "{}", ran.out);
}

/// A bound names its side; the distance of the figure found from it has no meaning.
#[test]
fn bounds_are_told_with_their_side() {
    let text = format!(
        "puzzle = \"tilt\"\n{}compare = \"at-most\"\n",
        GOOD.replace("15", "20")
    );
    let (folder, ran) = certify(&text, &[]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("at most 20 moves"), "{}", ran.out);
    assert!(!ran.out.contains('%'), "{}", ran.out);
    let page = std::fs::read_to_string(folder.path().join("out/report.html")).expect("a page");
    assert!(page.contains("<dd>at most 20 moves</dd>"));
    assert!(!page.contains("below)"));
}

/// The subject of a derivation, moves of a path, boards and starts are checked before the first
/// claim is run.
#[test]
fn all_that_can_be_looked_up_is_told_before_the_first_verdict() {
    let claim = |id: &str, kind: &str, rest: &str| {
        format!(
            "[[claim]]\nid = \"{id}\"\nsource = \"s\"\nstatement = \"?\"\nkind = \"{kind}\"\n\
             expect = \"confirmed\"\n{rest}"
        )
    };
    let text = [
        "puzzle = \"tilt\"\n".to_owned(),
        GOOD.to_owned(),
        claim(
            "value",
            "derived",
            "compare = \"holds\"\nderive = \"printed\"\nparameters = { function = \"transpos\" }\n",
        ),
        claim(
            "move",
            "length",
            "instance = \"card-7\"\nclaimed = 2\npath = \"down, dwn\"\n",
        ),
        claim(
            "start",
            "count",
            "instance = \"box\"\ncount = \"moves_kept\"\nclaimed = 1\n",
        ),
        claim(
            "board",
            "levels",
            "instance = \"card-7\"\nboard = \"b/b\"\nlevels = [0, 1]\nclaimed = [1, 2]\n",
        ),
    ];
    let (_folder, ran) = certify(&text.concat(), &[]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    let lines: Vec<&str> = ran.err.lines().collect();
    for (line, needle) in lines.iter().zip([
        "line 18, column 16: claim 'value': printed: function=transpos is unknown: use one of transpose",
        "claim 'move': tilt/card-7: path: move 2 is 'dwn', which names no move",
        "claim 'start': tilt/box: has no start of its own; the claim needs a board: board = ",
        "claim 'board': tilt/card-7: ",
        "claim 1 of 1: good confirmed",
    ]) {
        assert!(line.contains(needle), "'{line}' lacks '{needle}'");
    }
}

#[test]
fn several_files_are_one_set_of_claims() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let other = GOOD.replace("good", "other");
    fs::write(at.join("a.toml"), format!("puzzle = \"tilt\"\n{GOOD}")).unwrap();
    fs::write(at.join("b.toml"), format!("puzzle = \"tilt\"\n{other}")).unwrap();
    let both = [
        "certify", "--claims", "a.toml", "--claims", "b.toml", "--out", "out",
    ];
    let ran = run_in(at, &both);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("2 claims: 2 confirmed"), "{}", ran.out);
    let one = run_in(at, &[&both[..], &["other"]].concat());
    assert!(one.out.contains("1 claim: 1 confirmed"), "{}", one.out);
    fs::write(at.join("b.toml"), format!("puzzle = \"tilt\"\n{GOOD}")).unwrap();
    let twice = run_in(at, &both);
    assert_eq!(twice.code, 2);
    assert!(
        twice
            .err
            .contains("two claims have the id 'good', one in a.toml and one in b.toml"),
        "{}",
        twice.err
    );
    assert!(
        twice
            .out
            .contains("1 claim: 1 confirmed; all as expected; 1 not taken"),
        "{}",
        twice.out
    );
}

/// The derivations that the script for a repository of claims makes for a change.
#[cfg(unix)]
#[test]
fn the_script_derives_the_claims_that_a_change_touches() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci/claims.sh");
    let sh = |line: &str| {
        let ran = std::process::Command::new("sh")
            .args(["-c", line])
            .env("ANTIPODE", env!("CARGO_BIN_EXE_antipode"))
            .env("SCRIPT", &script)
            .env("BASE", "base")
            .current_dir(at)
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{line}: {err}");
    };
    let commit = "git add my.claims.toml && git -c user.name=n -c user.email=e commit -qm c";
    let claim = |id: &str, claimed: &str, expect: &str| {
        format!(
            "# Of {id}.\n[[claim]]\nid = \"{id}\"\nsource = \"s\"\nstatement = \"t\"\nkind = \"derived\"\nderive = \"positions\"\nparameters = {{ board = \"5x7\" }}\nclaimed = {claimed}\nexpect = \"{expect}\"\n\n"
        )
    };
    let write = |text: &str| fs::write(at.join("my.claims.toml"), text).unwrap();
    let summary = |text: &str| {
        write(text);
        sh(&format!("rm -rf antipode-claims; {commit} && \"$SCRIPT\""));
        fs::read_to_string(at.join("antipode-claims/SUMMARY.md")).unwrap()
    };
    let head = "puzzle = \"coin-sliding\"\n\n";
    let one = claim("one", "834_451_800", "confirmed");
    let two = claim("two", "834_451_801", "refuted");
    write(&format!("{head}{one}{two}"));
    sh(&format!("git init -q . && {commit} && git branch base"));

    let said = summary(&format!("{head}# A remark.\n{one}{two}"));
    assert!(said.contains("No claim of it was touched"), "{said}");

    let other = two.replace("801", "802");
    let said = summary(&format!("{head}{one}{other}"));
    assert!(
        said.contains("| two |") && !said.contains("| one |"),
        "{said}"
    );

    let of_all = "puzzle = 'coin-sliding'\n\n";
    let said = summary(&format!("{of_all}{one}{two}"));
    assert!(
        said.contains("| two |") && said.contains("| one |"),
        "{said}"
    );

    write(&format!("{head}{one}{two}"));
    sh(&format!("{commit} && git branch -f base"));
    let new = claim("three", "834_451_800", "confirmed");
    let said = summary(&format!("{head}{one}{two}{new}"));
    let ids = ["one", "two", "three"].map(|id| said.contains(&format!("| {id} |")));
    assert_eq!(ids, [false, false, true], "{said}");
}

/// A search from one board knows nothing about other parts, nor about the solved states.
#[test]
fn figures_of_all_parts_and_of_solved_states_are_not_of_one_board() {
    for (count, keys) in [
        ("parts", "direction = \"forward\""),
        ("parts", "direction = \"backward\"\nboard = \"card-7\""),
        (
            "solved_states",
            "direction = \"backward\"\nboard = \"card-7\"",
        ),
    ] {
        let text = format!(
            "puzzle = \"tilt\"\n[[claim]]\nid = \"c\"\nsource = \"s\"\nstatement = \"t\"\nkind = \"count\"\ncount = \"{count}\"\ninstance = \"card-7\"\nclaimed = 1\nexpect = \"confirmed\"\n{keys}\n"
        );
        let (_folder, ran) = certify(&text, &[]);
        assert_eq!(ran.code, 2, "{count} {keys}: {}{}", ran.out, ran.err);
        assert!(
            ran.err.contains(&format!("'{count}' is a figure of")),
            "{}",
            ran.err
        );
    }
}

/// For many claims the page is an index and each has a page. Every link leads to a file, and a
/// later run of fewer claims removes the pages, but no other files.
#[test]
fn the_page_of_many_claims_is_an_index() {
    let claim = |n: usize| {
        format!(
            "[[claim]]\nid = \"card-{n}\"\nkind = \"length\"\nsource = \"none\"\nstatement = \"15 moves\"\ninstance = \"card-7\"\nclaimed = 15\nexpect = \"confirmed\"\n"
        )
    };
    let claims: String = (1..=41).map(claim).collect();
    let (folder, ran) = certify(&format!("puzzle = \"tilt\"\n{claims}"), &[]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let out = folder.path().join("out");
    let pages = out.join("pages");
    let mut links = BTreeSet::new();
    let made = run_in(folder.path(), &["report", "out", "--out", "made"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let made = folder.path().join("made/pages");
    for (from, page) in [
        (&out, out.join("report.html")),
        (&pages, pages.join("claim-card-41.html")),
        (&made, made.join("claim-card-41.html")),
    ] {
        let html = fs::read_to_string(page).unwrap();
        let hrefs = html.split("href=\"").skip(1);
        for href in hrefs.filter_map(|rest| rest.split(['"', '?', '#']).next()) {
            let is_file = !href.is_empty() && !href.contains(':');
            assert!(!is_file || from.join(href).is_file(), "{href}");
            links.insert(href.to_owned());
        }
    }
    let to_pages = links
        .iter()
        .filter(|href| href.starts_with("pages/claim-card-"));
    assert_eq!(to_pages.count(), 41);
    for link in [
        "../report.html",
        "../certificates/card-41.json",
        "../../out/certificates/card-41.json",
    ] {
        assert!(links.contains(link), "{link}");
    }
    fs::write(pages.join("mine.txt"), "mine").unwrap();
    fs::write(
        folder.path().join("my.toml"),
        format!("puzzle = \"tilt\"\n{}", claim(1)),
    )
    .unwrap();
    let fewer = run_in(
        folder.path(),
        &["certify", "--claims", "my.toml", "--out", "out"],
    );
    assert_eq!(fewer.code, 0, "{}", fewer.err);
    let left: Vec<_> = fs::read_dir(&pages)
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    assert_eq!(left, ["mine.txt"]);
    let whole = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(whole.contains("id=\"card-1\"") && !whole.contains("pages/"));
}
