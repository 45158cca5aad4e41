//! `certify`: verdicts, exit codes and the files it writes; and JSON from every command.

use std::fs;
use std::path::Path;

use antipode_reports::csv_in::read_levels;
use antipode_reports::json_out::read_record;
use antipode_reports::model::{Certificate, Verdict};
use serde_json::Value;

use crate::support::{
    self, Fresh, Ran, Text, claims as claims_of, fresh, json, plays, read, rows, run, runs,
    started, words,
};

/// The claim of an id, as Tilt states it.
fn published(id: &str) -> String {
    let claims = antipode_tilt::CLAIMS.split("[[claim]]\n");
    let mut claims = claims.map(|text| text.split("\n# ----").next().unwrap().trim_end());
    let claim = claims.find(|text| text.starts_with(&format!("id = \"{id}\"\n")));
    format!("[[claim]]\n{}\n\n", claim.unwrap())
}

/// A published claim of five predecessors, with another number.
fn derived(number: u32) -> String {
    let claim = published("tilt-corner-predecessors");
    assert!(claim.contains("\"5\""), "{claim}");
    claim.replacen("\"5\"", &format!("\"{number}\""), 1)
}

/// A claim with an id and keys of its own.
fn claim(id: &str, keys: &str) -> String {
    let text = claims_of("tilt", &[(id, keys)]);
    text.split_once("\n\n").unwrap().1.to_owned()
}

/// `certify --claims FILE --out out …` on some claims of Tilt.
fn certify(claims: &[String], more: &str) -> (Fresh, Ran) {
    let text = format!("puzzle = \"tilt\"\n\n{}", claims.concat());
    support::certify(&text, &format!("--threads 2 {more}"))
}

/// Asserts the exit code, and the verdict of each claim.
fn ends(claims: &[String], code: i32, verdicts: &[&str]) {
    let (_folder, ran) = certify(claims, "--format json");
    let found = ran.ended(code).json();
    assert_eq!(found["exit"], code);
    let claims = found["claims"].as_array().unwrap().iter();
    let found: Vec<_> = claims.map(|claim| &claim["verdict"]).collect();
    assert_eq!(found, verdicts);
}

/// What a command prints as JSON.
fn printed(line: &str) -> Value {
    run(&words(&format!("{line} --format json")))
        .ended(0)
        .json()
}

/// What `solve` says of a card.
fn solved(card: &str) -> Value {
    printed(&format!("solve tilt/{card}"))
}

/// A claim about the shortest solution of a card, found in another way: by `solve`.
fn length_claim(card: &str, more: i64) -> String {
    let length = solved(card)["length"].as_i64().unwrap() + more;
    let keys = format!("kind = \"length\"; instance = \"{card}\"; claimed = {length}");
    claim(&format!("length-of-{card}"), &keys)
}

/// A claim about the level table of an instance.
fn count_claim(instance: &str, count: &str, claimed: u64) -> String {
    let keys = format!(
        "kind = \"count\"; instance = \"{instance}\"; count = \"{count}\"; claimed = {claimed}"
    );
    claim(&count.replace('_', "-"), &keys)
}

#[test]
fn figures_as_published_are_confirmed_and_changed_by_one_are_refuted() {
    // Card 2: four ways to turn the grey block, 23 squares for the blue one, 22 for a
    // green one or none.
    let placements = 4 * 23 * (1 + 22);
    let count = |n| count_claim("card-2", "total_states", n);
    let length = |more| length_claim("card-12", more);
    for (right, below, above) in [
        (derived(5), derived(4), derived(6)),
        (
            count(placements),
            count(placements - 1),
            count(placements + 1),
        ),
        (length(0), length(-1), length(1)),
    ] {
        ends(&[right], 0, &["confirmed"]);
        ends(&[below], 1, &["refuted"]);
        ends(&[above], 1, &["refuted"]);
    }
    // One that was expected is no failure.
    let expected = derived(6).replace("expect = \"confirmed\"", "expect = \"refuted\"");
    ends(&[expected], 0, &["refuted"]);
    // An unexpected verdict weighs more than one not reached.
    let late = length(0).replace("expect =", "effort = \"full\"\nexpect =");
    ends(&[late, derived(6)], 1, &["not-reached", "refuted"]);
    let (folder, ran) = certify(&[derived(6)], "");
    ran.ended(1).out.has(["not as expected"]);
    let claim = certificate(&folder, "tilt-corner-predecessors").claim;
    assert_eq!((claim.claimed.as_str(), claim.found.as_str()), ("6", "5"));
    assert_eq!(claim.verdict, Verdict::Refuted);
}

#[test]
fn a_claim_for_full_effort_is_not_reached_at_quick_effort() {
    let claim = derived(5).trim_end().to_owned() + "\neffort = \"full\"\n";
    ends(std::slice::from_ref(&claim), 4, &["not-reached"]);
    certify(&[claim], "--effort full").1.ended(0);
}

#[test]
fn claims_are_chosen_by_id_and_by_puzzle() {
    let claims = [
        derived(5),
        published("tilt-row-configurations"),
        length_claim("card-12", 0),
    ];
    let all = "tilt-corner-predecessors tilt-row-configurations length-of-card-12";
    for (names, chosen) in [
        ("", all),
        ("tilt", all),
        ("tilt-row-configurations", "tilt-row-configurations"),
        (
            "length-of-card-12 tilt-row-configurations",
            "tilt-row-configurations length-of-card-12",
        ),
    ] {
        let (folder, ran) = certify(&claims, names);
        ran.ended(0);
        let table = read(folder.join("out/claims.csv"));
        let rows = table.lines().skip(1);
        let ids: Vec<&str> = rows.map(|line| line.split(',').next().unwrap()).collect();
        assert_eq!(ids, words(chosen));
    }
    // And those that are built in.
    plays(
        fresh(),
        "0 certify tilt-a1-reverse tilt-row-configurations
         antipode-out/report.html ?",
    );
}

// ---- files ---------------------------------------------------------------------------

fn certificate(folder: &Path, id: &str) -> Certificate {
    read_record(folder.join(format!("out/certificates/{id}.json"))).unwrap()
}

#[test]
fn every_claim_gets_a_certificate_that_binds_its_text_and_its_analysis_leaves_its_tables() {
    let claims = [derived(5), count_claim("card-2", "max_depth", 0)];
    let (folder, ran) = certify(&claims, "--seed 5");
    ran.ended(1);
    let derived = certificate(&folder, "tilt-corner-predecessors");
    assert!(derived.run().is_none());
    let counted = certificate(&folder, "max-depth");
    assert_eq!(counted.claim.verdict, Verdict::Refuted);
    assert_ne!(counted.claim_blake3, derived.claim_blake3);
    let hash = blake3::hash(counted.text.as_bytes());
    assert_eq!(counted.claim_blake3, hash.to_hex().as_str());
    let run = counted.run().unwrap();
    assert_eq!((run.instance.as_str(), run.seed), ("card-2", 5));
    let deepest = counted.levels().unwrap().max_depth().unwrap();
    assert_eq!(counted.claim.found, deepest.to_string());
    let case = &counted.cases[0];
    assert!(case.antipodes.iter().all(|state| state.depth == deepest));
    let checks: Vec<&str> = case.checks.iter().map(|check| &*check.what).collect();
    assert_eq!(checks, ["inclusiveness", "exclusiveness", "consistency"]);
    let certificates = folder.join("out/certificates");
    let files = fs::read_dir(&certificates).unwrap();
    // With the level table of the count, and their manifest.
    assert_eq!(files.count(), claims.len() + 2);
    let [(name, table)] = &counted.level_tables().collect::<Vec<_>>()[..] else {
        panic!("one level table");
    };
    assert_eq!(read_levels(certificates.join(name)).unwrap(), **table);
    let out = folder.join("out");
    for [name, head] in rows(
        r"tilt-card-2/levels.csv | depth,states,orbits,digest\n0,
          tilt-card-2/antipodes.csv | depth,state,orbit_size\n",
    ) {
        let text = read(out.join(name));
        assert!(text.starts_with(head), "{text}");
    }
    // A stable header.
    let text = read(out.join("claims.csv"));
    let head = "id,puzzle,instance,origin,source,section,kind,expect,verdict,as_expected,\
                text_at_hand,claimed,found,unit,readings,effort,variant,engine,statement,table,\
                wall_s,compare\ntilt-corner-predecessors,tilt,,";
    assert!(text.starts_with(head), "{text}");
    assert_eq!(json(out.join("tilt-card-2/run.json"))["complete"], true);
}

#[test]
fn the_page_needs_no_network_and_the_same_claims_give_the_same_verdicts_twice() {
    let claims = [
        published("tilt-a1-transpose"),
        length_claim("card-12", 0),
        count_claim("card-4", "max_depth", 3),
    ];
    let certified = || {
        let (folder, _) = certify(&claims, "");
        let out = folder.join("out");
        let mut reader = csv::Reader::from_path(out.join("claims.csv")).unwrap();
        let rows = reader.records().map(Result::unwrap);
        // All but the last column, the time.
        let rows = rows.map(|row| row.iter().take(15).map(str::to_owned).collect());
        let rows: Vec<Vec<String>> = rows.collect();
        let levels = read(out.join("tilt-card-4/levels.csv"));
        ((rows, levels), read(out.join("report.html")))
    };
    let (table, page) = certified();
    assert_eq!(table, certified().0);
    page.has(["length-of-card-12", "<svg"]);
    page.replace("http://www.w3.org/", "").lacks([
        "http:", "https:", "src=\"/", "href=\"/", "//cdn", "@import", "url(",
    ]);
}

// ---- solve ---------------------------------------------------------------------------

#[test]
fn a_board_without_a_solution_has_no_length_and_exit_code_0() {
    // A lone green block circles from corner to corner.
    let board = "solve tilt/box --board g..../...../..O../...../.....";
    let found = printed(board);
    assert_eq!(found["outcome"], "impossible");
    assert_eq!(found["length"], Value::Null);
    assert_eq!(found["moves"], Value::Array(Vec::new()));
    assert_eq!(found["states_seen"], 4);
    let ran = run(&words(board)).ended(0);
    assert!(ran.out.starts_with("unsolvable: "), "{}", ran.out);
    // A solved one takes no moves.
    let board = "solve tilt/box --board b..../...../..O../...../....#";
    assert_eq!(printed(board)["length"], 0);
}

/// Boards that a text on each puzzle calls unsolvable, with the content of each proof.
#[test]
fn what_is_proven_impossible_prints_its_proof_and_what_is_not_decided_exits_4() {
    let folder = fresh();
    for (question, shown) in [
        // Anderson and Feil 1998: the corner alone.
        (
            "lights-out/5x5 --board o..../...../...../...../.....",
            &[
                "quiet pattern",
                "pattern:\n   ",
                "to be switched:\n   o....\n",
            ][..],
        ),
        // Loyd's 14-15 puzzle.
        (
            "sliding-tile/4x4 --board 1234/5678/9abc/dfe.",
            &["parity of the permutation", "from (unequal):\n   1234\n"],
        ),
        (
            "peg-solitaire/diamond-41 --set from=0:0 --set to=any",
            &["rule of three", "holes marked 1", "\n           1\n"],
        ),
        (
            "tilt/box --board g..../...../..O../...../.....",
            &["all 4 reachable states were searched"],
        ),
    ] {
        let ran = runs(&folder, &format!("solve {question} --out o --force")).ended(0);
        ran.out.has(shown);
        let kept = json(folder.join("o/solve.json"));
        assert_eq!(kept["outcome"], "impossible");
        let page = read(folder.join("o/solve.html"));
        let drawn = page.contains("Why there is no solution");
        assert_eq!(drawn, !kept["proof"].is_null() || shown.len() == 1);
    }
    let cut = "solve tilt/card-7 --engine reference --max-states 5 --format json";
    assert_eq!(run(&words(cut)).ended(4).json()["outcome"], "not-reached");
}

/// Each step is the named move, by the rules; the last board is solved.
#[test]
fn a_solution_can_be_replayed_on_the_rules() {
    use antipode_tilt::{board, rules};
    for card in ["card-5", "card-20", "card-40", "thesis"] {
        let found = solved(card);
        let mut state = board::parse(found["from"].as_str().unwrap()).unwrap();
        let moves = found["moves"].as_array().unwrap();
        assert_eq!(found["length"], moves.len());
        for step in moves {
            assert!(!rules::is_solved(&state));
            let mut all = rules::Tilt::ALL.into_iter();
            let tilt = all.find(|tilt| tilt.name() == step["move"].as_str().unwrap());
            state = rules::tilt(&state, tilt.unwrap()).unwrap();
            assert_eq!(board::draw(&state), step["state"].as_str().unwrap());
        }
        assert!(rules::is_solved(&state), "{card}");
        let by_rules = printed(&format!("solve tilt/{card} --variant reference"));
        assert_eq!(by_rules["length"], found["length"], "{card}");
    }
}

#[test]
fn text_draws_every_board_of_a_solution() {
    let found = solved("card-12");
    let length = &found["length"];
    let text = run(&["solve", "tilt/card-12"]).ended(0).out;
    let flat = format!("{text} ").replace('\n', " ");
    for (number, made) in (1..).zip(found["moves"].as_array().unwrap()) {
        flat.has([format!("{number}. {} ", made["move"].as_str().unwrap())]);
        text.has(made["state"].as_str().unwrap().split('/'));
    }
    text.has([format!("solved in {length} moves, the fewest possible")]);
}

#[test]
fn verify_gives_json_and_files() {
    let folder = fresh();
    let line = "verify tilt/box --set grey=1..2 --set blue=0 --inclusion 200 --exclusion 10 \
                --effort full --out out --format json";
    let found = runs(&folder, line).ended(0).json();
    let checks = found["checks"].as_array().unwrap();
    let what: Vec<_> = checks.iter().map(|check| &check["what"]).collect();
    assert_eq!(what, ["inclusiveness", "exclusiveness", "consistency"]);
    let mut wrong = checks.iter().map(|check| &check["wrong"]);
    assert!(wrong.all(|wrong| *wrong == 0 || *wrong == "0"));
    assert_eq!(found["faults"], Value::Array(Vec::new()));
    // The file says of each check what it is, and is otherwise the same.
    let mut kept = json(folder.join("out/checks.json"));
    for check in kept.as_array_mut().unwrap() {
        let name = check.as_object_mut().unwrap().remove("record");
        assert_eq!(name.unwrap(), "antipode-check-1");
    }
    assert_eq!(kept.as_array(), Some(checks));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let ended = |folder: &Path, args: &[&str]| {
        let mut child = started(folder, args);
        drop(child.stdout.take());
        Ran::from(child.wait_with_output().unwrap())
    };
    let ran = ended(Path::new("."), &["list"]).ended(0);
    assert_eq!(ran.err, "");
    // Nor does it hide a wrong answer, or lose a file.
    let folder = fresh();
    let wrong = ["rush-hour/card-1", "--command=echo 8", "--out=out"];
    ended(&folder, &[&["referee"], &wrong[..]].concat()).ended(1);
    assert!(folder.join("out/referee.json").exists());
}
