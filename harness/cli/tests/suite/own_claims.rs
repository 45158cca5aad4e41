//! Users' own claims: templates that run, faults that do not stop other claims, the schema.

use std::collections::BTreeMap;
use std::fs;

use antipode_claims::{ClaimKind, Compare, counts, least};
use serde_json::Value;

use crate::support::{
    Fresh, Ran, Text, certify, claims, folder_with, fresh, links, plays, read, root, rows, run,
    runs, sh, words,
};

/// Certifies claims about Tilt.
fn of_tilt(claims: &str, more: &str) -> (Fresh, Ran) {
    certify(&format!("puzzle = \"tilt\"\n{claims}"), more)
}

/// And so does the least claim of the kind.
#[test]
fn the_template_of_every_kind_runs_and_holds() {
    for kind in ClaimKind::ALL {
        let printed = run(&["certify", "--template", kind.name()]).ended(0);
        let ran = certify(&printed.out, "").1.ended(0);
        ran.out.has(["1 confirmed; all as expected"]);
        let ran = certify(&least(kind), "").1.ended(0);
        ran.out.has(["1 claim: 1 confirmed"]);
    }
    let odd = run(&["certify", "--template", "lenght"]).ended(2);
    odd.err.has(["length"]);
}

/// Memory beyond any machine refutes nothing, and is no fault of the claim.
#[test]
fn a_claim_that_memory_is_too_small_for_is_not_reached() {
    let keys = r#"kind = "count"; instance = "4x4"; count = "max_depth"; claimed = 80; engine = "dense"; direction = "backward""#;
    let (_folder, ran) = certify(&claims("sliding-tile", &[("big", keys)]), "--format json");
    let claim = &ran.ended(4).json()["claims"][0];
    assert_eq!(claim["verdict"], "not-reached", "{claim}");
    claim.to_string().has(["the machine can give"]);
}

/// Engine `disk` names its work folder after the settings, and these are longer than such a name.
#[test]
fn a_board_may_be_longer_than_the_name_of_a_folder() {
    let holes: Vec<String> = (0..20).map(|at| format!("n{at:03}")).collect();
    let placed = (0..).zip(&holes);
    let placed = placed.map(|(at, hole)| format!("hole {hole} {at}:0; "));
    let board = placed.collect::<String>() + "line " + &holes.join(" ");
    let keys = "kind = \"levels\"; instance = \"custom\"; engine = \"disk\"; levels = [0, 1]; \
                claimed = [1, 2]; settings = { board = \"BOARD\", from = \"n002\" }";
    let text = claims("peg-solitaire", &[("long", keys)]).replace("BOARD", &board);
    let ran = certify(&text, "").1.ended(0);
    ran.out.has(["1 confirmed; all as expected"]);
}

/// Every key of a template can be set alone, unless it names other keys that it needs. Tests a file
/// for each kind, with a claim for each key.
#[test]
#[ignore = "sixteen CPU-seconds; that they are read is tested where claims are; CI_FULL=1 .ci/run"]
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
        let ran = certify(&text, "").1;
        let taken = [0, 1, 4].contains(&ran.code);
        assert!(
            taken && text.matches("[[claim]]").count() > 8,
            "{}: {}",
            kind.name(),
            ran.err
        );
        ran.out.lacks(["a path that "]);
    }
}

/// Every figure that a count can name, and every comparison, has a true example, or a reported one.
#[test]
fn the_example_of_every_count_and_comparison_holds() {
    let mut files: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let mut add = |id: String, more: String, example: &str| {
        let (puzzle, keys) = example.split_once(": ").unwrap();
        let reported = keys.contains("\"report\"");
        let verdict = if reported { "reported" } else { "confirmed" };
        let keys = format!("{more}{keys}; expect = \"{verdict}\"");
        files.entry(puzzle.to_owned()).or_default().push((id, keys));
    };
    for [name, _, _, _, example] in counts() {
        let count = format!("kind = \"count\"; count = \"{}\"; ", name.replace('N', "3"));
        add(name.replace('_', "-").to_lowercase(), count, &example);
    }
    for compare in Compare::ALL {
        let id = format!("compared-{}", compare.name());
        add(id, String::new(), compare.example());
    }
    for (puzzle, of) in files {
        let of: Vec<_> = of.iter().map(|(id, keys)| (&**id, &**keys)).collect();
        certify(&claims(&puzzle, &of), "").1.ended(0);
    }
}

/// Names for claims are listed: derivations with their parameters, boards and their names.
#[test]
fn what_a_claim_can_name_is_listed() {
    let ran = run(&["list", "coin-sliding", "sliding-tile", "tilt", "permute"]).ended(0);
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
    let keys = format!(
        "kind = \"levels\"; instance = \"{instance}\"; board = \"{board}\"; levels = [0, 0]; claimed = [1]"
    );
    certify(&claims("coin-sliding", &[("a", &keys)]), "")
        .1
        .ended(0);
    let found = run(&["list", "coin-sliding", "bitboard", "--format", "json"]).json();
    let named = &found["puzzles"][0]["derivations"][0];
    let wanted = r#"{"name": "positions", "value": "number", "parameters": ["board=5x7|5x9"]}"#;
    assert_eq!(*named, serde_json::from_str::<Value>(wanted).unwrap());
    assert!(found["puzzles"][0]["board"]["board"].is_string());
    assert!(found["modules"][0]["derivations"].as_array().unwrap().len() > 10);
}

#[test]
fn the_schema_is_json() {
    let schema = run(&["certify", "--schema"]).ended(0).json();
    let draft = "https://json-schema.org/draft/2020-12/schema";
    assert_eq!(schema["$schema"], draft);
}

const GOOD: &str = "[[claim]]\nid = \"good\"\nsource = \"s\"\nstatement = \"Card 7 takes 15 moves.\"\n\
     kind = \"length\"\ninstance = \"card-7\"\nclaimed = 15\nexpect = \"confirmed\"\n";

/// A file about no puzzle still gets a line for each faulty claim.
#[test]
fn all_faults_of_a_file_are_told_at_once() {
    let typo = GOOD.replace("claimed", "claimd");
    for [puzzle, line] in rows(
        r#"puzle = "tilt" | no key 'puzle'; did you mean 'puzzle'?
           puzzle = "tlit" | no puzzle 'tlit'; did you mean 'tilt'?
            | lacks the line puzzle"#,
    ) {
        let second = typo.replace("good", "other");
        let told = certify(&format!("{puzzle}\n{typo}{second}"), "")
            .1
            .ended(2)
            .err;
        let [first, second] = ["good': no field 'claimd'", "other': no field"];
        told.has([
            line,
            &format!("claim '{first}"),
            &format!("claim '{second}"),
        ]);
        assert_eq!(told.lines().count(), 3, "{told}");
        let many = certify(&format!("{puzzle}\n{}", typo.repeat(30)), "").1;
        assert_eq!(many.ended(2).err.lines().count(), 10);
    }
}

/// A wrong key, a missing instance and a figure that the search does not have are rows each, and
/// the good claim between them is decided.
#[test]
fn a_fault_in_one_claim_stops_no_other() {
    let typo = GOOD.replace("good", "typo").replace("claimed", "claimd");
    let nowhere = GOOD.replace("good", "nowhere").replace("card-7", "card-77");
    let figure = r#"kind = "count"; instance = "card-7"; count = "reachable_states"; claimed = 15"#;
    let figure = claims("tilt", &[("figure", figure)]);
    let figure = figure.split_once("\n\n").unwrap().1;
    let text = format!("{typo}{nowhere}{GOOD}{figure}");
    let (folder, ran) = of_tilt(&text, "");
    let ran = ran.ended(2);
    for line in [
        "my.toml, line 8, column 1: claim 'typo': no field 'claimd'",
        "my.toml, line 15, column 1: claim 'nowhere': no instance of tilt 'card-77'; did you mean 'card-7'? use box, card-1 to card-40, thesis, thesis-a or thesis-b",
        "my.toml, line 32, column 1: claim 'figure': 'reachable_states' is a figure of",
        "1/1: good confirmed",
    ] {
        // Each is reported once.
        assert_eq!(ran.err.matches(line).count(), 1, "{} lacks {line}", ran.err);
        ran.out.lacks([line]);
    }
    let sum = "1 claim: 1 confirmed; all as expected; 3 not taken";
    ran.out.has(["see not-taken.csv", sum]);
    plays(
        &folder,
        "out/certificates/good.json ?
         out/report.html ? | 3 claims could not be taken
         0 report out --out again
         again/report.html ? | 3 claims could not be taken",
    );
    let table = read(folder.join("out/not-taken.csv"));
    assert!(table.starts_with("id,puzzle,fault\ntypo,tilt,"), "{table}");
    assert_eq!(table.lines().count(), 4, "{table}");
    let found = of_tilt(&text, "--format json").1.json();
    assert_eq!(found["exit"], 2);
    let faults = found["faults"].as_array().unwrap().iter();
    let faults: Vec<&str> = faults.map(|fault| fault["id"].as_str().unwrap()).collect();
    assert_eq!(faults, ["typo", "figure", "nowhere"]);
}

/// If no claim is valid, there is no folder, but still the list of faults.
#[test]
fn where_nothing_can_be_taken_the_faults_are_all_there_is() {
    let text = claims("tilt", &[("typo", "kind = \"lenght\"")]);
    let (folder, ran) = certify(&text, "--format json");
    let found = ran.ended(2).json();
    assert_eq!(found["claims"], Value::Array(Vec::new()));
    assert_eq!(found["faults"][0]["id"], "typo");
    assert_eq!(found["exit"], 2);
    assert!(!folder.join("out").exists());
    assert_eq!(certify(&text, "").1.ended(2).out, "");
}

/// The needs of an engine, the subject of a derivation and the limits of an instance are checked
/// before the first claim is run. Errors name the key by its line.
#[test]
fn what_a_claim_cannot_be_asked_is_told_before_the_first_verdict() {
    let cases = rows(
        r#"
        tilt | kind = "length"; instance = "card-7"; claimed = 15; engine = "ida" | line 10, column 1: claim 'c': tilt/card-7: engine ida does not fit: ida needs a lower bound for the moves that are left; leave out 'engine'
        tilt | kind = "solvable"; instance = "card-7"; engine = "dfs" | line 9, column 1: claim 'c': tilt/card-7: engine dfs does not fit
        tilt | kind = "levels"; instance = "card-7"; levels = [0, 1]; claimed = [1, 4]; engine = "sweep" | line 11, column 1: claim 'c': tilt/card-7: engine sweep does not fit: sweep works backward only
        tilt | kind = "count"; instance = "card-7"; count = "max_depth"; claimed = 3; engine = "sweep"; direction = "backward"; max_depth = { quick = 3 } | leave out 'max_depth', or use engine = "hash"
        sliding-block | kind = "count"; instance = "donkey"; count = "max_depth"; claimed = 3; engine = "dense" | line 11, column 1: claim 'c': sliding-block/donkey: engine dense does not fit
        coin-sliding | kind = "count"; instance = "5x7"; count = "max_depth"; claimed = 3 | line 9, column 1: claim 'c': coin-sliding/5x7: cannot list its solved states
        coin-sliding | kind = "hardest"; instance = "5x7"; board = "V" | line 8, column 1: claim 'c': coin-sliding/5x7: cannot list its solved states
        coin-sliding | kind = "derived"; derive = "positions"; instance = "5x9"; claimed = 3 | line 9, column 1: claim 'c': derivation 'positions' with these parameters speaks of 5x7, not of '5x9'
        coin-sliding | kind = "derived"; derive = "positions"; instances = ["5x7", "5x9"]; claimed = 3 | not of '5x9'
        coin-sliding | kind = "derived"; derive = "position"; claimed = 3 | line 8, column 1: claim 'c': coin-sliding derives no 'position'; did you mean 'positions'? see `antipode list coin-sliding`
        coin-sliding | kind = "derived"; derive = "positions"; claimed = 3; parameters = { board = "5x8" } | line 10, column 16: claim 'c': positions: board=5x8 is unknown
        hanoi | kind = "lengths"; instances = ["4-3", "5-3"]; table = "start,goal,5" | claim 'c': a table of lengths is of one instance and one reading: write a claim for each
        hanoi | kind = "lengths"; instance = "3-3"; table = "start,321/.../...,0" | leads nowhere: both are one state
        sliding-block | kind = "count"; instance = "donkey"; count = "total_states"; claimed = 3 | line 9, column 1: claim 'c':
        rush-hour | kind = "length"; instance = "card-1"; claimed = 9; settings = { metric = "leap" } | line 10, column 14: claim 'c':
        tilt | kind = "length"; instance = "card-7"; claimed = 9; board = "b/b" | line 10, column 1: claim 'c':
        tilt | kind = "hardest"; instance = "box"; board = "....x/...../..O../...../....." | unknown symbol 'x'
        tilt | kind = "length"; instance = "card-7"; claimed = 2; path = "down, dwn" | claim 'c': tilt/card-7: path: move 2 is 'dwn', which names no move
        tilt | kind = "count"; instance = "box"; count = "moves_kept"; claimed = 1 | claim 'c': tilt/box: has no start of its own; the claim needs a board: board =
        coin-sliding | kind = "length"; instance = "5x7"; settings = { from = "V,T", to = "Y" }; claimed = 9 | claim 'c': coin-sliding/5x7: has 2 starts
        coin-sliding | kind = "unreachable"; instance = "5x7"; settings = { from = "V,T" }; to = "Y" | has 2 starts
        tilt | kind = "derived"; compare = "holds"; derive = "printed"; parameters = { function = "transpos" } | column 16: claim 'c': printed: function=transpos is unknown: use one of transpose
        tilt | kind = "derived"; derive = "corner-predecessors"; claimed = 5; parameters = { bord = "5x7" } | takes no parameters, but 'bord' was given
        tilt | kind = "derived"; derive = "corner-predecessors"; claimed = inf; compare = "at-most" | 'inf' cannot be compared
        sliding-block | kind = "length"; instance = "donkey"; claimed = 81; engine = "meat" | engine = "meat" is not one of reference, hash, dense, disk, sweep, bidirectional, beam, dfs, ida, orbits, cluster
        sliding-block | kind = "length"; instance = "donkey"; claimed = 81; max_depth = { slow = 1 } | max_depth = { … } is not a whole number of at most 65533, or { quick
        sliding-block | kind = "length"; instance = "donkey"; claimed = 81; board = "nowhere" | 1 rows of 7 cells
        sliding-block | kind = "levels"; instance = "donkey"; levels = [3, 1]; claimed = "1" | levels = [3, 1] is not two depths
        sliding-block | kind = "count"; instance = "donkey"; count = "parts"; direction = "up"; claimed = 1 | direction = "up" is not one of forward, backward
        sliding-block | kind = "count"; instance = "donkey"; count = "level_20_states"; max_depth = 5; claimed = 0 | never reaches the level
        sliding-block | kind = "count"; instance = "donkey"; count = "solvable_states"; engine = "hash"; claimed = 1 | count reachable_states
        sliding-block | kind = "lengths"; instance = "donkey"; table = "a,b,1"; budget = 0 | budget = 0 is not a whole number from 1
        sliding-block | kind = "lengths"; instance = "donkey"; table = "a,b,1"; refuted = 3 | refuted = 3 is not a list
    "#,
    );
    for [puzzle, keys, needle] in cases {
        let (folder, ran) = certify(&claims(puzzle, &[("c", keys)]), "");
        let ran = ran.ended(2);
        ran.err.has([needle, "my.toml, "]);
        ran.err.lacks(["1/1: "]);
        // If nothing is left to decide, nothing is written.
        let written = folder.join("out").exists();
        assert!(ran.out.is_empty() && !written, "{}", ran.out);
    }
    // The engine that a run is given is checked against every claim that it would answer, too.
    let keys = r#"kind = "levels"; instance = "card-7"; levels = [0, 1]; claimed = [1, 4]"#;
    let ran = certify(&claims("tilt", &[("forward", keys)]), "--engine sweep").1;
    ran.ended(2).err.has(["sweep works backward only"]);
}

/// A claim that is not as expected because it was not searched says so.
#[test]
fn a_claim_left_to_full_effort_says_why_it_is_not_as_expected() {
    let (folder, ran) = of_tilt(&format!("{GOOD}effort = \"full\"\n"), "");
    let said = "good: not reached (it asks for --effort full)";
    ran.ended(4).out.has([said]);
    runs(&folder, "certify --claims my.toml --out out --effort full").ended(0);
    // The reason of a derivation has its counts grouped, as on the page.
    let keys = r#"kind = "derived"; derive = "placements"; claimed = 3; unit = "positions""#;
    let ran = certify(&claims("sliding-block", &[("c", keys)]), "").1;
    ran.ended(4)
        .out
        .has(["takes more than 20,000 partial boards"]);
}

/// A refutation of our copy of the text is separate from one of its source.
#[test]
fn refutations_of_a_text_at_hand_are_a_list_of_their_own() {
    let wrong = GOOD
        .replace("15", "14")
        .replace("\"confirmed\"", "\"refuted\"");
    let at_hand = wrong.replace("good", "copied") + "text = \"at-hand\"\n";
    let ran = of_tilt(&format!("{wrong}{at_hand}"), "").1.ended(0);
    let (_, lists) = ran.out.split_once("\nrefuted:\n").unwrap();
    let heading = "refuted as printed in our copy; the original was not seen:\n";
    let (refuted, copied) = lists.split_once(heading).unwrap();
    refuted.has(["good: "]);
    refuted.lacks(["copied: "]);
    copied.has(["copied: "]);
}

/// A file without a valid claim is also a row, and the others are decided.
#[test]
fn a_file_that_cannot_be_taken_stops_no_other() {
    let folder = fresh();
    let write = |name: &str, text: &[u8]| fs::write(folder.join(name), text).unwrap();
    write("good.toml", format!("puzzle = \"tilt\"\n{GOOD}").as_bytes());
    let latin = GOOD
        .replace("good", "latin")
        .replace("takes", "n\u{e9}cessite");
    let latin = format!("puzzle = \"tilt\"\n{latin}");
    let latin: Vec<u8> = latin.chars().map(|c| c as u8).collect();
    write("latin.toml", &latin);
    write("lacks.toml", GOOD.replace("good", "lacks").as_bytes());
    write("none.toml", b"puzzle = \"tilt\"\n");
    write("bytes.toml", &[0xff, 0xfe, 0]);
    let files = "certify --out out --claims lacks.toml --claims latin.toml --claims nowhere.toml --claims none.toml --claims bytes.toml --claims good.toml";
    let ran = runs(&folder, files).ended(2);
    ran.err.has([
        "lacks.toml, line 1, column 1: lacks the line puzzle",
        "latin.toml, line 5, column 22: claim 'latin': a byte that is no UTF-8; save the file in UTF-8",
        "nowhere.toml: cannot be read",
        "none.toml: holds no claim",
        "bytes.toml: is no text in UTF-8",
        "1/1: good confirmed",
    ]);
    // What has no id is named by its file.
    ran.out.has(["5 not taken", "lacks.toml", "nowhere.toml"]);
    // The name may stand in the file that could not be taken.
    let ran = runs(&folder, &format!("{files} lacks")).ended(2);
    ran.err.has(["lacks the line puzzle"]);
}

/// What is not asked for is no fault of what is. Two certificates cannot have one name: the second
/// claim of it is not taken.
#[test]
fn a_fault_in_a_claim_that_is_not_named_does_not_count_and_an_id_is_taken_once() {
    let typo = GOOD.replace("good", "typo").replace("claimed", "claimd");
    let text = format!("{typo}{GOOD}");
    of_tilt(&text, "good").1.ended(0);
    let named = of_tilt(&text, "typo").1.ended(2);
    named.err.has(["no field 'claimd'"]);
    let twice = of_tilt(&format!("{GOOD}{GOOD}"), "").1.ended(2);
    let second = "my.toml, line 10, column 1: a second claim with the id 'good'";
    twice.err.has([second]);
    twice.out.has(["1 claim: 1 confirmed"]);
}

/// Figures come with their unit, and with what they differ by; a bound says which side it is of,
/// and how far the figure found lies from it says nothing.
#[test]
fn figures_are_told_with_units_deviations_and_sides() {
    let text = GOOD.replace("15", "20");
    let ran = of_tilt(&text, "").1.ended(1);
    ran.out.has(["20 moves", "15 moves (25% below)"]);
    let (folder, ran) = of_tilt(&format!("{text}compare = \"at-most\"\n"), "");
    let ran = ran.ended(0);
    ran.out.has(["at most 20 moves"]);
    ran.out.lacks(["%"]);
    let page = "out/report.html ? | <dd>at most 20 moves</dd> | ~below)";
    plays(folder, page);
}

#[test]
fn several_files_are_one_set_of_claims() {
    let tilt = |claim: &str| format!("puzzle = \"tilt\"\n{claim}");
    let folder = folder_with("a.toml", tilt(GOOD));
    let second = |claim: &str| fs::write(folder.join("b.toml"), tilt(claim)).unwrap();
    second(&GOOD.replace("good", "other"));
    plays(
        &folder,
        "0 certify --claims a.toml --claims b.toml --out out | 2 claims: 2 confirmed
         0 certify --claims a.toml --claims b.toml --out out other | 1 claim: 1 confirmed",
    );
    second(GOOD);
    let twice = runs(&folder, "certify --claims a.toml --claims b.toml --out out").ended(2);
    let said = "two claims have the id 'good', one in a.toml and one in b.toml";
    twice.err.has([said]);
    twice.err.lacks(["or name the puzzle"]);
    let sum = "1 claim: 1 confirmed; all as expected; 1 not taken";
    twice.out.has([sum]);
    // A row of a table has an id too.
    let table = r#"instance = "plain-3"; kind = "lengths"; table = "123,132,3""#;
    let length = r#"instance = "plain-3"; kind = "length"; claimed = 3"#;
    let text = claims("pancake", &[("lens", table), ("lens-123-132", length)]);
    fs::write(folder.join("c.toml"), text).unwrap();
    let twice = runs(&folder, "certify --claims c.toml --out out").ended(2);
    twice.err.has(["two claims have the id 'lens-123-132'"]);
}

const POSITIONS: &str =
    "kind = \"derived\"; derive = \"positions\"; parameters = { board = \"5x7\" }";

/// The derivations that the script for a repository of claims makes for a change.
#[cfg(unix)]
#[test]
fn the_script_derives_the_claims_that_a_change_touches() {
    let at = &fresh();
    let script = root().join("ci/claims.sh").display().to_string();
    let sh = |line: &str| {
        sh(at, line, &[("SCRIPT", &script), ("BASE", "base")]).ended(0);
    };
    let commit = "git add -- '*.claims.toml' && git -c user.name=n -c user.email=e commit -qm c";
    let claim = |id: &str, claimed: &str, expect: &str| {
        let keys = format!("claimed = {claimed}; expect = \"{expect}\"");
        let keys = format!("{POSITIONS}; {keys}");
        let text = claims("coin-sliding", &[(id, &keys)]);
        text.split_once("\n\n").unwrap().1.to_owned()
    };
    let write = |text: &str| fs::write(at.join("my.claims.toml"), text).unwrap();
    let summary = |text: &str| {
        write(text);
        sh(&format!("rm -rf antipode-claims; {commit} && \"$SCRIPT\""));
        read(at.join("antipode-claims/SUMMARY.md"))
    };
    let head = "puzzle = \"coin-sliding\"\n\n";
    let one = claim("one", "834_451_800", "confirmed");
    let two = claim("two", "834_451_801", "refuted");
    let two = two.replace("kind", "note = \"\"\"\n#.\"\"\"\nkind");
    write(&format!("{head}{one}{two}"));
    sh(&format!("git init -q . && {commit} && git branch base"));

    let said = summary(&format!("{head}\n{one}\n{two}\n"));
    said.has(["No claim of it was touched"]);
    // A line that begins with `#` may be part of a board.
    for (from, to) in [("801", "802"), ("#.", ".#")] {
        let said = summary(&format!("{head}{one}{}", two.replace(from, to)));
        said.has(["| two |"]);
        said.lacks(["| one |"]);
    }
    let of_all = "puzzle = 'coin-sliding'\n\n";
    summary(&format!("{of_all}{one}{two}")).has(["| two |", "| one |"]);
    write(&format!("{head}{one}{two}"));
    sh(&format!("{commit} && git branch -f base"));
    let new = claim("--help", "834_451_800", "confirmed");
    let said = summary(&format!("{head}{one}{two}{new}"));
    said.has(["| --help |"]);
    said.lacks(["| one |", "| two |"]);
    // Each file has a folder of its own, whatever it is called and from wherever it is named.
    let copies = "mkdir a && for copy in 'a/\u{f6} x' a- -x; do cp my.claims.toml \"./$copy.claims.toml\"; done";
    let there = "cd antipode-claims && test -e 'a/\u{f6} x.claims.toml/claims.csv' && test -e -x.claims.toml/claims.csv";
    sh(&format!("{copies}; {commit} && \"$SCRIPT\" && {there}"));
    sh("cd a && OUT=-o \"$SCRIPT\" && test -e './-o/\u{f6} x.claims.toml/claims.csv'");
    sh("printf '#!/bin/sh\\nkill -9 $$' >killed; chmod +x killed");
    for bad in words("BASE=none GIT_DIR=none OUT=my.claims.toml ANTIPODE=./killed") {
        sh(&format!("{bad} \"$SCRIPT\"; test $? -eq 2"));
    }
    sh(
        "echo mine >mine; cp mine antipode-claims/SUMMARY.md; ! \"$SCRIPT\" && cmp mine antipode-claims/SUMMARY.md",
    );
}

/// For many claims the page is an index and each has a page. Every link leads to a file, and a
/// later run of fewer claims removes the pages, but no other files.
#[test]
fn the_page_of_many_claims_is_an_index() {
    let card = |n: usize| GOOD.replace("good", &format!("card-{n}"));
    let many: String = (1..=41).map(card).collect();
    let (folder, ran) = of_tilt(&many, "");
    ran.ended(0).out.has(["--effort full"]);
    let full = runs(&folder, "certify --claims my.toml --out out --effort full");
    full.ended(0).out.lacks(["--effort full"]);
    let out = folder.join("out");
    let pages = out.join("pages");
    runs(&folder, "report out --out made").ended(0);
    let [index, page, made] = [
        "out/report.html",
        "out/pages/claim-card-41.html",
        "made/pages/claim-card-41.html",
    ]
    .map(|page| links(&folder.join(page)));
    let to_pages = index
        .iter()
        .filter(|link| link.starts_with("pages/claim-card-"));
    assert_eq!(to_pages.count(), 41);
    for (links, link) in [
        (&page, "../report.html"),
        (&page, "../certificates/card-41.json"),
        (&made, "../../out/certificates/card-41.json"),
    ] {
        assert!(links.contains(link), "{link}");
    }
    fs::write(pages.join("mine.txt"), "mine").unwrap();
    let one = format!("puzzle = \"tilt\"\n{}", card(1));
    fs::write(folder.join("my.toml"), one).unwrap();
    runs(&folder, "certify --claims my.toml --out out").ended(0);
    let left = fs::read_dir(&pages).unwrap();
    let left: Vec<_> = left.map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["mine.txt"]);
    plays(folder, r#"out/report.html ? | id="card-1" | ~pages/"#);
}
