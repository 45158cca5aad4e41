//! `certify`: verdicts, exit codes and the files it writes; and JSON from every command.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use antipode_reports::csv_in::read_levels;
use antipode_reports::model::{Certificate, Verdict};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Ran, run, run_in};

/// The claim of an id, as Tilt states it.
fn published(id: &str) -> String {
    let claims = antipode_tilt::CLAIMS.split("[[claim]]\n");
    let mut claims = claims.map(|text| text.split("\n# ----").next().unwrap().trim_end());
    let claim = claims.find(|text| text.starts_with(&format!("id = \"{id}\"\n")));
    format!("[[claim]]\n{}\n\n", claim.unwrap())
}

/// A claim with one text replaced, which must occur in it.
fn changed(claim: &str, from: &str, to: &str) -> String {
    assert!(claim.contains(from), "'{from}' in {claim}");
    claim.replacen(from, to, 1)
}

/// `certify --claims FILE --out out …` on some claims of Tilt.
fn certify(claims: &[String], args: &[&str]) -> (TempDir, Ran) {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("puzzle = \"tilt\"\n\n{}", claims.concat());
    fs::write(folder.path().join("my.toml"), text).unwrap();
    let own = [
        "certify",
        "--claims",
        "my.toml",
        "--out",
        "out",
        "--threads",
        "2",
    ];
    let ran = run_in(folder.path(), &[&own[..], args].concat());
    (folder, ran)
}

/// Exit code, and id with verdict of each claim.
fn verdicts(claims: &[String]) -> (i32, Vec<(String, String)>) {
    let (_folder, ran) = certify(claims, &["--format", "json"]);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["exit"], ran.code);
    let claims = found["claims"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let pair = |claim: &Value| (text(&claim["id"]), text(&claim["verdict"]));
    (ran.code, claims.map(pair).collect())
}

/// Exit code and verdict of a single claim.
fn verdict(claim: String) -> (i32, String) {
    let (code, mut verdicts) = verdicts(&[claim]);
    assert_eq!(verdicts.len(), 1);
    (code, verdicts.remove(0).1)
}

/// A claim about the shortest solution of a card, found in another way: by `solve`.
fn length_claim(card: &str, more: i64) -> String {
    let solved = run(&["solve", &format!("tilt/{card}"), "--format", "json"]);
    let solved: Value = serde_json::from_str(&solved.out).unwrap();
    let length = solved["length"].as_i64().unwrap() + more;
    format!(
        "[[claim]]\nid = \"length-of-{card}\"\nsource = \"none\"\nsection = \"1\"\n\
         statement = \"It takes {length} moves.\"\nkind = \"length\"\ninstance = \"{card}\"\n\
         claimed = {length}\nexpect = \"confirmed\"\n\n"
    )
}

/// A claim about the level table of an instance.
fn count_claim(instance: &str, count: &str, claimed: u64) -> String {
    format!(
        "[[claim]]\nid = \"{count}\"\nsource = \"none\"\nsection = \"1\"\n\
         statement = \"There are {claimed}.\"\nkind = \"count\"\ninstance = \"{instance}\"\n\
         count = \"{count}\"\nclaimed = {claimed}\nexpect = \"confirmed\"\n\n"
    )
    .replacen("max_depth\"\nsource", "max-depth\"\nsource", 1)
    .replacen("total_states\"\nsource", "total-states\"\nsource", 1)
}

#[test]
fn a_derived_figure_as_published_is_confirmed() {
    let claim = published("tilt-corner-predecessors");
    assert_eq!(verdict(claim), (0, "confirmed".into()));
}

#[test]
fn a_derived_figure_changed_by_one_is_refuted() {
    for wrong in ["4", "6"] {
        let claim = published("tilt-corner-predecessors");
        let claim = changed(&claim, "claimed = \"5\"", &format!("claimed = \"{wrong}\""));
        assert_eq!(verdict(claim), (1, "refuted".into()));
    }
}

#[test]
fn a_solution_length_changed_by_one_is_refuted() {
    assert_eq!(verdict(length_claim("card-12", 0)), (0, "confirmed".into()));
    assert_eq!(verdict(length_claim("card-12", 1)), (1, "refuted".into()));
    assert_eq!(verdict(length_claim("card-12", -1)), (1, "refuted".into()));
}

#[test]
fn a_count_changed_by_one_is_refuted() {
    // Card 2: four ways to turn the grey block, 23 squares for the blue one, 22 for a
    // green one or none.
    let placements = 4 * 23 * (1 + 22);
    let claim = |n| count_claim("card-2", "total_states", n);
    assert_eq!(verdict(claim(placements)), (0, "confirmed".into()));
    assert_eq!(verdict(claim(placements + 1)), (1, "refuted".into()));
    assert_eq!(verdict(claim(placements - 1)), (1, "refuted".into()));
}

#[test]
fn a_refuted_claim_says_what_was_found() {
    let claim = changed(&published("tilt-corner-predecessors"), "\"5\"", "\"6\"");
    let (folder, ran) = certify(&[claim], &[]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("not as expected"), "{}", ran.out);
    let certificate = certificate(folder.path(), "tilt-corner-predecessors");
    assert_eq!(certificate.claim.claimed, "6");
    assert_eq!(certificate.claim.found, "5");
    assert_eq!(certificate.claim.verdict, Verdict::Refuted);
}

#[test]
fn a_refutation_that_was_expected_is_no_failure() {
    let claim = changed(&published("tilt-corner-predecessors"), "\"5\"", "\"6\"");
    let claim = changed(&claim, "expect = \"confirmed\"", "expect = \"refuted\"");
    assert_eq!(verdict(claim), (0, "refuted".into()));
}

#[test]
fn a_claim_for_full_effort_is_not_reached_at_quick_effort() {
    let claim = published("tilt-corner-predecessors") + "effort = \"full\"\n";
    let claim = claim.replace("\n\neffort", "\neffort");
    assert_eq!(verdict(claim.clone()), (4, "not-reached".into()));
    let (_folder, ran) = certify(&[claim], &["--effort", "full"]);
    assert_eq!(ran.code, 0);
}

#[test]
fn an_unexpected_verdict_weighs_more_than_one_not_reached() {
    let wrong = changed(&published("tilt-corner-predecessors"), "\"5\"", "\"6\"");
    let late = length_claim("card-12", 0).replace("expect =", "effort = \"full\"\nexpect =");
    let (code, verdicts) = verdicts(&[late, wrong]);
    assert_eq!(code, 1);
    assert_eq!(verdicts[0].1, "not-reached");
    assert_eq!(verdicts[1].1, "refuted");
}

#[test]
fn claims_are_chosen_by_id_and_by_puzzle() {
    let claims = [
        published("tilt-corner-predecessors"),
        published("tilt-row-configurations"),
        length_claim("card-12", 0),
    ];
    let ids = |names: &[&str]| -> Vec<String> {
        let (folder, ran) = certify(&claims, names);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let table = fs::read_to_string(folder.path().join("out/claims.csv")).unwrap();
        let lines = table.lines().skip(1);
        lines
            .map(|line| line.split(',').next().unwrap().to_owned())
            .collect()
    };
    let all = [
        "tilt-corner-predecessors",
        "tilt-row-configurations",
        "length-of-card-12",
    ];
    assert_eq!(ids(&[]), all);
    assert_eq!(ids(&["tilt"]), all);
    assert_eq!(ids(&["tilt-row-configurations"]), all[1..2]);
    assert_eq!(
        ids(&["length-of-card-12", "tilt-row-configurations"]),
        all[1..]
    );
}

#[test]
fn built_in_claims_are_chosen_by_id() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run_in(
        folder.path(),
        &["certify", "tilt-a1-reverse", "tilt-row-configurations"],
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page = folder.path().join("antipode-out/report.html");
    assert!(page.exists());
}

// ---- files ---------------------------------------------------------------------------

fn certificate(folder: &Path, id: &str) -> Certificate {
    let file = folder.join(format!("out/certificates/{id}.json"));
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

#[test]
fn every_claim_gets_a_certificate_that_binds_its_text() {
    let claims = [
        published("tilt-corner-predecessors"),
        count_claim("card-2", "max_depth", 0),
    ];
    let (folder, ran) = certify(&claims, &["--seed", "5"]);
    assert_eq!(ran.code, 1);
    let derived = certificate(folder.path(), "tilt-corner-predecessors");
    assert!(derived.run().is_none());
    let counted = certificate(folder.path(), "max-depth");
    assert_eq!(counted.claim.verdict, Verdict::Refuted);
    assert_ne!(counted.claim_blake3, derived.claim_blake3);
    assert_eq!(counted.claim_blake3.len(), 64);
    assert_eq!(
        counted.claim_blake3,
        blake3::hash(counted.text.as_bytes()).to_hex().as_str()
    );
    let run = counted.run().unwrap();
    assert_eq!((run.instance.as_str(), run.seed), ("card-2", 5));
    let deepest = counted.levels().unwrap().max_depth().unwrap();
    assert_eq!(counted.claim.found, deepest.to_string());
    let case = &counted.cases[0];
    assert!(case.antipodes.iter().all(|state| state.depth == deepest));
    let checks: Vec<_> = case
        .checks
        .iter()
        .map(|check| check.what.as_str())
        .collect();
    assert_eq!(checks, ["inclusiveness", "exclusiveness", "consistency"]);
    let certificates = folder.path().join("out/certificates");
    let files = fs::read_dir(&certificates).unwrap();
    // With the level table of the count, and their manifest.
    assert_eq!(files.count(), claims.len() + 2);
    let [(name, table)] = &counted.level_tables().collect::<Vec<_>>()[..] else {
        panic!("one level table");
    };
    assert_eq!(read_levels(certificates.join(name)).unwrap(), **table);
}

#[test]
fn an_analysis_behind_a_claim_leaves_its_tables() {
    let (folder, ran) = certify(&[count_claim("card-2", "total_states", 2116)], &[]);
    assert_eq!(ran.code, 0);
    let folder = folder.path().join("out/tilt-card-2");
    let levels = fs::read_to_string(folder.join("levels.csv")).unwrap();
    assert!(levels.starts_with("depth,states,orbits,digest\n0,"));
    let antipodes = fs::read_to_string(folder.join("antipodes.csv")).unwrap();
    assert!(antipodes.starts_with("depth,state,orbit_size\n"));
    let run: Value = serde_json::from_slice(&fs::read(folder.join("run.json")).unwrap()).unwrap();
    assert_eq!(run["complete"], true);
}

#[test]
fn the_table_of_claims_has_a_stable_header() {
    let (folder, _) = certify(&[published("tilt-corner-predecessors")], &[]);
    let table = fs::read_to_string(folder.path().join("out/claims.csv")).unwrap();
    assert_eq!(
        table.lines().next().unwrap(),
        "id,puzzle,instance,origin,source,section,kind,expect,verdict,as_expected,text_at_hand,\
         claimed,found,unit,readings,effort,variant,engine,statement,table,wall_s"
    );
    let row = "tilt-corner-predecessors,tilt,,";
    assert!(table.lines().nth(1).unwrap().starts_with(row), "{table}");
}

#[test]
fn the_page_needs_no_network() {
    let claims = [
        published("tilt-a1-transpose"),
        length_claim("card-12", 0),
        count_claim("card-2", "max_depth", 3),
    ];
    let (folder, _) = certify(&claims, &[]);
    let page = fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(page.contains("length-of-card-12") && page.contains("<svg"));
    let text = page.replace("http://www.w3.org/", "");
    for outside in [
        "http:", "https:", "src=\"/", "href=\"/", "//cdn", "@import", "url(",
    ] {
        let found = text
            .find(outside)
            .map(|at| &text[at.saturating_sub(40)..at + 40]);
        assert_eq!(found, None, "{outside}");
    }
}

#[test]
fn the_same_claims_give_the_same_table_of_verdicts_twice() {
    let claims = [
        published("tilt-a1-transpose"),
        count_claim("card-4", "max_depth", 3),
    ];
    let table = || {
        let (folder, _) = certify(&claims, &[]);
        let mut reader = csv::Reader::from_path(folder.path().join("out/claims.csv")).unwrap();
        let rows = reader.records().map(Result::unwrap);
        // All columns except the last, the time.
        let rows = rows.map(|row| row.iter().take(15).map(str::to_owned).collect());
        let levels = fs::read_to_string(folder.path().join("out/tilt-card-4/levels.csv"));
        (rows.collect::<Vec<Vec<String>>>(), levels.unwrap())
    };
    assert_eq!(table(), table());
}

// ---- solve ---------------------------------------------------------------------------

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.out))
}

#[test]
fn a_board_without_a_solution_has_no_length_and_exit_code_0() {
    // A lone green block circles from corner to corner.
    let board = "g..../...../..O../...../.....";
    let ran = run(&["solve", "tilt/box", "--board", board, "--format", "json"]);
    let found = json(&ran);
    assert_eq!(ran.code, 0);
    assert_eq!(found["outcome"], "impossible");
    assert_eq!(found["length"], Value::Null);
    assert_eq!(found["moves"], Value::Array(Vec::new()));
    assert_eq!(found["states_seen"], 4);
    let ran = run(&["solve", "tilt/box", "--board", board]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.starts_with("unsolvable: "), "{}", ran.out);
}

/// Boards that a text on each puzzle calls unsolvable, with the content of each proof.
#[test]
fn what_is_proven_impossible_prints_its_proof_and_what_is_not_decided_exits_4() {
    let folder = tempfile::tempdir().unwrap();
    for (question, shown) in [
        // Anderson and Feil 1998: the corner alone.
        (
            &["lights-out/5x5", "--board", "o..../...../...../...../....."][..],
            &[
                "quiet pattern",
                "pattern:\n   ",
                "to be switched:\n   o....\n",
            ][..],
        ),
        // Loyd's 14-15 puzzle.
        (
            &["sliding-tile/4x4", "--board", "1234/5678/9abc/dfe."],
            &["parity of the permutation", "from (unequal):\n   1234\n"],
        ),
        (
            &[
                "peg-solitaire/diamond-41",
                "--set",
                "from=0:0",
                "--set",
                "to=any",
            ],
            &["rule of three", "holes marked 1", "\n           1\n"],
        ),
        (
            &["tilt/box", "--board", "g..../...../..O../...../....."],
            &["all 4 reachable states were searched"],
        ),
    ] {
        let ran = run_in(
            folder.path(),
            &[&["solve"], question, &["--out", "o", "--force"]].concat(),
        );
        assert_eq!(ran.code, 0, "{}", ran.err);
        for words in shown {
            assert!(ran.out.contains(words), "{words}: {}", ran.out);
        }
        let read = |name: &str| fs::read_to_string(folder.path().join("o").join(name)).unwrap();
        let kept: Value = serde_json::from_str(&read("solve.json")).unwrap();
        assert_eq!(kept["outcome"], "impossible");
        let drawn = read("solve.html").contains("Why there is no solution");
        assert_eq!(drawn, !kept["proof"].is_null() || shown.len() == 1);
    }
    let cut = "solve tilt/card-7 --engine reference --max-states 5 --format json";
    let ran = run(&cut.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert_eq!(json(&ran)["outcome"], "not-reached");
}

#[test]
fn a_solved_board_takes_no_moves() {
    let board = "b..../...../..O../...../....#";
    let ran = run(&["solve", "tilt/box", "--board", board, "--format", "json"]);
    assert_eq!((ran.code, json(&ran)["length"].as_u64()), (0, Some(0)));
}

/// Each step is the named move, by the rules; the last board is solved.
#[test]
fn a_solution_can_be_replayed_on_the_rules() {
    use antipode_tilt::{board, rules};
    for card in ["card-5", "card-20", "card-40", "thesis"] {
        let name = format!("tilt/{card}");
        let found = json(&run(&["solve", &name, "--format", "json"]));
        let mut state = board::parse(found["from"].as_str().unwrap()).unwrap();
        let moves = found["moves"].as_array().unwrap();
        assert_eq!(found["length"], moves.len());
        for step in moves {
            assert!(!rules::is_solved(&state));
            let tilt = rules::Tilt::ALL
                .into_iter()
                .find(|tilt| tilt.name() == step["move"].as_str().unwrap());
            state = rules::tilt(&state, tilt.unwrap()).unwrap();
            assert_eq!(board::draw(&state), step["state"].as_str().unwrap());
        }
        assert!(rules::is_solved(&state), "{card}");
        let by_rules = run(&["solve", &name, "--variant", "reference", "--format", "json"]);
        assert_eq!(json(&by_rules)["length"], found["length"], "{card}");
    }
}

#[test]
fn text_draws_every_board_of_a_solution() {
    let found = json(&run(&["solve", "tilt/card-12", "--format", "json"]));
    let length = found["length"].as_u64().unwrap();
    let text = run(&["solve", "tilt/card-12"]).out;
    let moves = found["moves"].as_array().unwrap();
    for (number, made) in (1..).zip(moves) {
        let caption = format!("{number}. {} ", made["move"].as_str().unwrap());
        assert!(
            format!("{text} ").replace('\n', " ").contains(&caption),
            "{text}"
        );
        let board = made["state"].as_str().unwrap();
        assert!(board.split('/').all(|row| text.contains(row)), "{board}");
    }
    assert!(text.contains(&format!("solved in {length} moves, the fewest possible")));
}

// ---- JSON from every command --------------------------------------------------------------

#[test]
fn list_gives_json() {
    let found = json(&run(&["list", "--format", "json"]));
    let tilt = &found["puzzles"][0];
    assert_eq!(tilt["name"], "tilt");
    assert_eq!(tilt["instances"].as_array().unwrap().len(), 44);
    assert_eq!(tilt["variants"][0]["engines"]["sweep"], "backward");
}

#[test]
fn analyse_gives_json() {
    let ran = run(&["analyse", "tilt/card-12", "--format", "json"]);
    let found = json(&ran);
    assert_eq!(ran.code, 0);
    assert_eq!(found["run"]["direction"], "forward");
    assert_eq!(found["levels"]["levels"][0]["depth"], 0);
    assert!(!found["antipodes"].as_array().unwrap().is_empty());
}

#[test]
fn verify_gives_json_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let args = [
        "verify",
        "tilt/box",
        "--set",
        "grey=1..2",
        "--set",
        "blue=0",
        "--inclusion",
        "200",
        "--exclusion",
        "10",
        "--effort",
        "full",
        "--out",
        "out",
        "--format",
        "json",
    ];
    let ran = run_in(folder.path(), &args);
    let found = json(&ran);
    assert_eq!(ran.code, 0);
    let checks = found["checks"].as_array().unwrap();
    let what: Vec<_> = checks
        .iter()
        .map(|check| check["what"].as_str().unwrap())
        .collect();
    assert_eq!(what, ["inclusiveness", "exclusiveness", "consistency"]);
    assert!(
        checks
            .iter()
            .all(|check| check["wrong"] == 0 || check["wrong"] == "0")
    );
    assert_eq!(found["faults"], Value::Array(Vec::new()));
    let file = fs::read(folder.path().join("out/checks.json")).unwrap();
    // The file explains each check, and is otherwise the same.
    let mut kept: Vec<Value> = serde_json::from_slice(&file).unwrap();
    for check in &mut kept {
        let name = check.as_object_mut().unwrap().remove("record");
        assert_eq!(name.unwrap(), "antipode-check-1");
    }
    assert_eq!(&kept, checks);
}

#[test]
fn certify_gives_json() {
    let (_folder, ran) = certify(
        &[published("tilt-corner-predecessors")],
        &["--format", "json"],
    );
    let found = json(&ran);
    assert_eq!((ran.code, &found["exit"]), (0, &Value::from(0)));
    assert_eq!(found["claims"][0]["found"], "5");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut command = crate::support::antipode();
    command
        .args(["list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn the_command_analyses_to_the_same_files_twice() {
    let files = || {
        let folder = tempfile::tempdir().unwrap();
        let ran = run_in(folder.path(), &["analyse", "tilt/thesis", "--out", "out"]);
        assert_eq!(ran.code, 0);
        let read = |name| fs::read(folder.path().join("out").join(name)).unwrap();
        [read("levels.csv"), read("antipodes.csv")]
    };
    assert_eq!(files(), files());
}
