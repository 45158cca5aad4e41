//! `certify`: verdicts, exit codes and the files it writes; proofs that there is no path.

use std::path::Path;

use antipode_reports::csv_in::read_levels;
use antipode_reports::json_out::read_record;
use antipode_reports::model::{Certificate, Verdict};

use crate::support::{
    self, Fresh, Ran, Text, claims as claims_of, fresh, json, plays, read, rows, run, runs,
    started, words,
};

/// The claim of an id, as Tilt states it.
fn published(id: &str) -> String {
    let about = <antipode_tilt::TiltPuzzle as puzzle_api::Family>::about();
    let claims = about.claims.split("[[claim]]\n");
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
fn ends(claims: &[String], code: i32, verdicts: &str) {
    let (_folder, ran) = certify(claims, "--format json");
    let found = ran.ended(code).json();
    assert_eq!(found["exit"], code);
    let claims = found["claims"].as_array().unwrap().iter();
    let found: Vec<_> = claims.map(|claim| &claim["verdict"]).collect();
    assert_eq!(found, words(verdicts));
}

/// A claim about the level table of an instance.
fn count_claim(instance: &str, count: &str, claimed: u64) -> String {
    let keys = format!(
        "kind = \"count\"; instance = \"{instance}\"; count = \"{count}\"; claimed = {claimed}"
    );
    claim(&format!("{}-{claimed}", count.replace('_', "-")), &keys)
}

#[test]
fn figures_as_published_are_confirmed_and_changed_by_one_are_refuted() {
    // Card 2: four ways to turn the grey block, 23 squares for the blue one, 22 for a
    // green one or none.
    let placements = 4 * 23 * (1 + 22);
    let count = |n| count_claim("card-2", "total_states", n);
    let solved = run(&words("solve tilt/card-12 --format json"))
        .ended(0)
        .json();
    let length = |more: i64| {
        let claimed = solved["length"].as_i64().unwrap() + more;
        let keys = format!("kind = \"length\"; instance = \"card-12\"; claimed = {claimed}");
        claim(&format!("length-{claimed}"), &keys)
    };
    let as_published = [derived(5), count(placements), length(0)];
    ends(&as_published, 0, "confirmed confirmed confirmed");
    let counts = [count(placements - 1), count(placements + 1)];
    let changed = [&[derived(4), length(-1), length(1)][..], &counts].concat();
    ends(&changed, 1, "refuted refuted refuted refuted refuted");
    // One that was expected is no failure.
    let expected = derived(6).replace("expect = \"confirmed\"", "expect = \"refuted\"");
    ends(&[expected], 0, "refuted");
    // An unexpected verdict weighs more than one not reached.
    let late = length(0).replace("expect =", "effort = \"full\"\nexpect =");
    ends(&[late, derived(6)], 1, "not-reached refuted");
}

/// Ten holes in a triangle: nobody numbers its states, and jumps cannot be undone. A plain search of
/// all sets of pegs finds 332 states, at most 8 jumps away.
#[test]
fn figures_of_states_that_nobody_numbers_are_by_sample() {
    let board = "hole 1 0:0; hole 2 -1:-1; hole 3 1:-1; hole 4 -2:-2; hole 5 0:-2; hole 6 2:-2; hole 7 -3:-3; hole 8 -1:-3; hole 9 1:-3; hole 10 3:-3; line 4 5 6; line 7 8 9 10; line 1 2 4 7; line 3 5 8; line 1 3 6 10; line 2 5 9";
    let count = |id, count, claimed: u32| {
        format!(
            "[[claim]]\nid = \"{id}\"\nsource = \"s\"\nstatement = \"s\"\nkind = \"count\"\ninstance = \"custom\"\ncount = \"{count}\"\nclaimed = {claimed}\ndirection = \"backward\"\nsettings = {{ from = \"2\", to = \"any\", board = \"{board}\" }}\nexpect = \"confirmed\"\n"
        )
    };
    let [a, b, c] = [
        count("a", "max_depth", 8),
        count("b", "solvable_states", 332),
        count("c", "max_depth", 9),
    ];
    let text = format!("puzzle = \"peg-solitaire\"\n{a}{b}{c}");
    let (_folder, ran) = support::certify(&text, "");
    let summary = "3 claims: 2 confirmed by sample, 1 refuted by sample";
    ran.ended(1).out.has([summary]);
}

/// And those that are built in.
#[test]
fn claims_are_chosen_by_id_and_by_puzzle() {
    let claims = [derived(5), published("tilt-row-configurations")];
    let (folder, ran) = certify(&claims, "");
    ran.ended(0);
    let ids = "0 $ tail -n +2 out/claims.csv|cut -d, -f1|xargs | tilt-";
    plays(
        &folder,
        &format!(
            "{ids}corner-predecessors tilt-row-configurations
             0 certify --claims my.toml --out out tilt
             {ids}corner-predecessors tilt-row-configurations
             0 certify --claims my.toml --out out tilt-row-configurations
             {ids}row-configurations | ~tilt-corner-predecessors
             0 certify tilt-a1-reverse tilt-row-configurations
             antipode-out/report.html ?"
        ),
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
    assert!(derived.cases.iter().all(|case| case.run.is_none()));
    let counted = certificate(&folder, "max-depth-0");
    assert_eq!(counted.claim.verdict, Verdict::Refuted);
    assert_ne!(counted.claim_blake3, derived.claim_blake3);
    let hash = blake3::hash(counted.text.as_bytes());
    assert_eq!(counted.claim_blake3, hash.to_hex().as_str());
    let case = &counted.cases[0];
    let run = case.run.as_ref().unwrap();
    assert_eq!((run.instance.as_str(), run.seed), ("card-2", 5));
    let deepest = case.levels.as_ref().unwrap().max_depth().unwrap();
    assert_eq!(counted.claim.found, deepest.to_string());
    assert!(case.antipodes.iter().all(|state| state.depth == deepest));
    let checks: Vec<&str> = case.checks.iter().map(|check| &*check.what).collect();
    assert_eq!(checks, ["inclusiveness", "exclusiveness", "consistency"]);
    let (name, table) = counted.level_tables().next().expect("a level table");
    let kept = folder.join("out/certificates").join(name);
    assert_eq!(read_levels(kept).unwrap(), *table);
    // Stable headers.
    plays(
        &folder,
        r#"out/claims.csv ? | id,puzzle,instance,origin,source,section,kind,expect,verdict,as_expected,text_at_hand,claimed,found,unit,readings,effort,variant,engine,statement,table,wall_s,compare\ntilt-corner-predecessors,tilt,,
           out/tilt-card-2/levels.csv ? | depth,states,orbits,digest\n0,
           out/tilt-card-2/antipodes.csv ? | depth,state,orbit_size\n
           out/tilt-card-2/run.json ? | "complete": true"#,
    );
}

#[test]
fn the_page_needs_no_network() {
    let claims = [
        published("tilt-a1-transpose"),
        count_claim("card-4", "max_depth", 3),
    ];
    let page = read(certify(&claims, "").0.join("out/report.html"));
    page.has(["max-depth-3", "<svg"]);
    page.replace("http://www.w3.org/", "").lacks([
        "http:", "https:", "src=\"/", "href=\"/", "//cdn", "@import", "url(",
    ]);
}

/// Boards that a text on each puzzle calls unsolvable, with the content of each proof: Anderson and
/// Feil 1998 on the corner alone, Loyd's 14-15 puzzle.
#[test]
fn what_is_proven_impossible_prints_its_proof_and_what_is_not_decided_exits_4() {
    for [question, shown, drawn] in rows(
        r"lights-out/5x5 --board o..../...../...../...../..... | quiet pattern; pattern:\n   ; switched:\n   o....\n | Why there is no solution
          sliding-tile/4x4 --board 1234/5678/9abc/dfe. | parity of the permutation; from (unequal):\n   1234\n | Why there is no solution
          peg-solitaire/diamond-41 --set from=0:0 --set to=any | rule of three; holes marked 1; \n           1\n | Why there is no solution
          tilt/box --board g..../...../..O../...../..... | all 4 reachable states were searched | Why there is no solution",
    ) {
        let folder = fresh();
        let ran = runs(&folder, &format!("solve {question} --out o")).ended(0);
        ran.out.says(shown);
        assert_eq!(json(folder.join("o/solve.json"))["outcome"], "impossible");
        read(folder.join("o/solve.html")).has([drawn]);
    }
    let cut = "solve tilt/card-7 --engine reference --max-states 5 --format json";
    assert_eq!(run(&words(cut)).ended(4).json()["outcome"], "not-reached");
}

/// The file says of each check what it is, and is otherwise the same.
#[test]
fn verify_gives_json_and_files() {
    let folder = fresh();
    let line = "verify tilt/box --set grey=1..2 --set blue=0 --inclusion 200 --exclusion 10 \
                --effort full --out out --format json";
    let found = runs(&folder, line).ended(0).json();
    let mut checks = found["checks"].clone();
    let names = ["inclusiveness", "exclusiveness", "consistency"];
    for (check, name) in checks.as_array_mut().unwrap().iter_mut().zip(names) {
        assert!(check["what"] == name && (check["wrong"] == 0 || check["wrong"] == "0"));
        check["record"] = "antipode-check-1".into();
    }
    assert_eq!(json(folder.join("out/checks.json")), checks);
    assert_eq!(
        (
            found["faults"].as_array().unwrap().len(),
            checks.as_array().unwrap().len()
        ),
        (0, 3)
    );
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
