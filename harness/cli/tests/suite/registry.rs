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
                    let mut remedy = ["leave out --", "use --", "use dfs"].into_iter();
                    let fits = !refuses || remedy.any(|remedy| uses.contains(remedy));
                    assert!(fits, "{} {engine}: {uses}", puzzle["name"]);
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
    let several = format!("pairs {coins} --to .../ooo/oo./...,..o/.oo/oo./...");
    let one = format!("solve {coins} --to .../ooo/oo./...");
    for (line, kind, what, least) in [
        (
            "analyse tilt/card-2 --direction backward",
            Levels,
            "levels",
            6,
        ),
        ("solve tilt/card-7", Path, "length", 5),
        (&one, Path, "length", 5),
        (&several, Many, "pairs", 2),
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
                let mut value = ran.json()[what].take();
                for pair in value
                    .as_array_mut()
                    .into_iter()
                    .flatten()
                    .filter(|_| kind == Many)
                {
                    *pair = pair["length"]["moves"].take();
                }
                found.push((engine, value));
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

#[test]
fn claims_of_levels_and_of_moves_rest_on_the_engine_that_was_named() {
    for keys in [
        "kind = \"levels\"; levels = [0, 2]; claimed = [1, 8, 10]",
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
         0 analyse tilt/box --set grey=0 --set blue=0..1 --memory 1GiB | tilt/box blue=0..1 grey=0: | ~× sweep
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
