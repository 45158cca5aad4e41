//! The one list of engines. `list` shows every row of it, and the help of the commands whose
//! questions it answers. It runs there or says in one line why it cannot.

use antipode_search::engine::{Opt, QuestionKind};
use antipode_search::registry::{EngineId, engines};
use serde_json::Value;

use crate::support::{Ran, certify, claims, fresh, json, plays, run, runs, words};

/// All engines by name.
fn all() -> Vec<EngineId> {
    let rows = engines::<u64>();
    rows.iter()
        .map(|row| row.facts().name.parse().unwrap())
        .collect()
}

/// Commands that take an engine, with the kinds of questions that they ask.
fn verbs() -> [(&'static str, Vec<QuestionKind>); 6] {
    use QuestionKind::{Fewest, Levels, Many, Path, Solutions};
    [
        ("analyse", vec![Levels]),
        ("make", vec![Levels]),
        ("verify", vec![Levels]),
        ("solve", vec![Path, Fewest, Solutions]),
        ("pairs", vec![Many]),
        ("certify", vec![Levels, Path, Many]),
    ]
}

#[test]
fn names_are_unique_and_every_engine_answers_something() {
    let mut names: Vec<&str> = all().into_iter().map(EngineId::name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    for engine in all() {
        let mut kinds = QuestionKind::ALL.into_iter();
        assert!(kinds.any(|kind| engine.answers(kind)));
        assert!(!engine.facts().summary.is_empty());
        for kind in QuestionKind::ALL {
            assert_eq!(EngineId::all(kind).contains(&engine), engine.answers(kind));
        }
    }
}

#[test]
fn the_list_shows_every_engine_for_every_variant() {
    let listed = run(&["list", "--format", "json"]).json();
    let array = |value: &Value| value.as_array().unwrap().clone();
    for puzzle in array(&listed["puzzles"]) {
        for variant in array(&puzzle["variants"]) {
            for (key, kind) in [
                ("engines", QuestionKind::Levels),
                ("paths", QuestionKind::Path),
            ] {
                let engines = variant[key].as_object().unwrap();
                let able = EngineId::all(kind);
                assert_eq!(engines.len(), able.len(), "{}", puzzle["name"]);
                for engine in able {
                    let uses = engines[engine.name()].as_str().unwrap();
                    assert!(!uses.is_empty(), "{} {engine}", puzzle["name"]);
                    // A refusal names a remedy.
                    let refuses = uses.contains("no: ") || uses.contains("not backward: ");
                    let remedy = ["leave out --", "use --", "use dfs"];
                    let has_remedy = remedy.iter().any(|&remedy| uses.contains(remedy));
                    assert!(
                        !refuses || has_remedy,
                        "{} {engine}: {uses}",
                        puzzle["name"]
                    );
                }
            }
        }
    }
}

#[test]
fn the_help_of_a_verb_offers_the_engines_that_answer_its_questions_and_no_others() {
    for (verb, kinds) in verbs() {
        let help = run(&[verb, "--help"]).out;
        for engine in all() {
            let line = format!("- {engine}:");
            let offered = help.lines().any(|shown| shown.trim().starts_with(&line));
            let answers = kinds.iter().any(|&kind| engine.answers(kind));
            assert_eq!(offered, answers, "{verb} {engine}\n{help}");
        }
    }
}

/// Ran well, or was refused in one line with the reason.
fn ran_or_refused(ran: &Ran, what: &str) -> bool {
    match ran.code {
        0 => true,
        2 => {
            assert_eq!(ran.err.trim_end().lines().count(), 1, "{what}: {}", ran.err);
            assert!(ran.err.len() > 20, "{what}: {}", ran.err);
            false
        }
        code => panic!("{what}: exit {code}, {}", ran.err),
    }
}

/// Every engine that the help offers runs, or is refused; what each finds is the same, as
/// `engines.rs` shows of the library on many instances.
#[test]
fn what_is_asked_is_the_same_with_every_engine_that_does_not_refuse() {
    use QuestionKind::{Levels, Many, Path};
    let coins =
        "coin-sliding/custom --set width=3 --set height=4 --set coins=5 --from o.o/.o./o.o/...";
    let stuck = "coin-sliding/custom --set width=4 --set height=3 --set coins=2 \
                 --from o.o./..../.... --to .o../.o../....";
    let levels: fn(&Value) -> Value = |found| found["levels"].clone();
    let length: fn(&Value) -> Value =
        |found| Value::from(vec![found["length"].clone(), found["outcome"].clone()]);
    let pairs: fn(&Value) -> Value = |found| {
        let rows = found["pairs"].as_array().unwrap().iter();
        rows.map(|row| row["length"]["moves"].clone()).collect()
    };
    let verified: fn(&Value) -> Value = |found| found["faults"].clone();
    let [to, also] = [".../ooo/oo./...", "..o/.oo/oo./..."];
    for (line, kind, of, least) in [
        (
            "analyse tilt/card-2 --direction backward",
            Levels,
            levels,
            6,
        ),
        ("verify tilt/card-2 --inclusion 200", Levels, verified, 6),
        ("solve tilt/card-7", Path, length, 5),
        (&format!("solve {coins} --to {to}"), Path, length, 5),
        (&format!("solve {stuck}"), Path, length, 2),
        (&format!("pairs {coins} --to {to},{also}"), Many, pairs, 2),
    ] {
        let mut found: Vec<(EngineId, Value)> = Vec::new();
        for engine in EngineId::all(kind) {
            let folder = fresh();
            let work = match engine.takes(kind, Opt::Work) {
                true => "--work work",
                false => "",
            };
            let line = format!("{line} --threads 1 --format json --engine {engine} {work}");
            let ran = runs(&folder, &line);
            if ran_or_refused(&ran, engine.name()) {
                found.push((engine, of(&ran.json())));
            }
        }
        assert!(found.len() >= least, "{line}: {found:?}");
        if kind == Levels {
            // Tilt has no kernels for engine gpu.
            assert_eq!(found.len() + 1, EngineId::all(kind).len(), "{line}");
        }
        for (engine, value) in &found {
            assert_eq!(*value, found[0].1, "{line}: {engine}");
        }
    }
}

/// What a certificate of a claim, made with an engine, says of its run; `None` if it is refused.
fn certified(puzzle: &str, claim: &str, engine: EngineId, what: &str) -> Option<Value> {
    let more = format!("--threads 1 --engine {engine}");
    let (folder, ran) = certify(&claims(puzzle, &[("c", claim)]), &more);
    ran_or_refused(&ran, engine.name()).then(|| {
        let certificate = json(folder.join("out/certificates/c.json"));
        certificate["cases"][0][what].clone()
    })
}

/// A claim about a path is certified with each engine that finds levels or paths.
#[test]
fn claims_are_certified_with_every_engine_that_does_not_refuse() {
    let claim = "kind = \"solvable\"; instance = \"card-2\"";
    for engine in all() {
        let kinds = [QuestionKind::Levels, QuestionKind::Path];
        if kinds.into_iter().any(|kind| engine.answers(kind)) {
            let fits = !["dfs", "ida", "orbits"].contains(&engine.name());
            let certified = certified("tilt", claim, engine, "run").is_some();
            assert_eq!(certified, fits, "{engine}");
        }
    }
}

#[test]
fn claims_of_levels_and_of_moves_rest_on_the_engine_that_was_named() {
    for keys in [
        "kind = \"levels\"; levels = [0, 2]; claimed = [1, 8, 10]",
        "kind = \"count\"; count = \"level_2_states\"; max_depth = 3; claimed = 10",
        "kind = \"count\"; count = \"moves_known\"; levels = [1, 3]; max_depth = 4; compare = \"at-most\"; claimed = 1",
    ] {
        let keys = format!("instance = \"donkey\"; {keys}");
        let mut by = Vec::new();
        for engine in EngineId::all(QuestionKind::Levels) {
            if let Some(run) = certified("sliding-block", &keys, engine, "run") {
                by.push((engine.name(), run["engine"].clone()));
            }
        }
        let named = by.iter().all(|(named, ran)| ran == named);
        assert!(by.len() >= 3 && named, "{keys}: {by:?}");
    }
}

/// One search counted as two would be no second derivation.
#[test]
fn the_plain_queue_is_no_second_derivation_of_itself() {
    let claim = "kind = \"length\"; instance = \"donkey\"; claimed = 81";
    let variants = certified("sliding-block", claim, EngineId::REFERENCE, "variant");
    assert_eq!(variants.unwrap(), "reference and bitboard");
}

#[test]
fn an_option_that_the_engine_does_not_take_is_refused_by_name() {
    plays(
        ".",
        "2! analyse tilt/card-2 --engine reference --memory 1GiB | antipode: --memory belongs to engines hash, dense, disk and cluster; add --engine hash, dense, disk or cluster
         2! solve tilt/card-2 --engine hash --width 7 | antipode: --width belongs to engine beam; add --engine beam
         2! solve tilt/card-2 --engine disk --table bits | antipode: --table belongs to engine bidirectional; add --engine bidirectional
         2! verify tilt/card-2 --work w | antipode: --work belongs to engines disk and cluster; add --engine disk or cluster
         2! analyse tilt/card-2 --engine gpu | antipode: tilt/card-2: engine gpu has no kernels for variant bitboard of this puzzle; use --engine dense",
    );
    // With a driver, this would search.
    if !std::path::Path::new("/proc/driver/nvidia").exists() {
        let gpu = "2! analyse sliding-tile/3x3 --engine gpu | antipode: sliding-tile/3x3: engine gpu has no NVIDIA driver here: neither libcuda.so.1 nor nvcuda.dll is found; use --engine dense";
        plays(".", gpu);
    }
}

#[test]
fn what_ended_a_run_is_written_as_a_line_and_as_a_record() {
    let analysed = |line: &str| {
        let ran = run(&words(&format!("analyse {line} --format json")));
        ran.json()["run"].take()
    };
    let run = analysed("peg-solitaire/diamond-41 --engine hash --memory 200KiB");
    let because =
        "the next level does not fit the 200.00 KiB of memory allowed; allow more by --memory";
    assert_eq!(run["stopped_because"], because);
    assert_eq!(run["stop"]["reason"], "memory");
    assert_eq!(run["stop"]["limit"], 200 << 10);
    plays(
        ".",
        "4 solve sliding-tile/3x3 --board 867/254/3.1 --engine reference --max-states 12345 | 2> the limit of 12,345 states; not decided (16 levels",
    );
    let run = analysed("tilt/card-2 --max-depth 2");
    assert_eq!(run["stop"]["reason"], "depth");
    assert_eq!(analysed("tilt/card-2").get("stop"), None);
}
