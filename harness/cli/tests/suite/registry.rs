//! The one list of engines. `list` shows every row of it, and the help of the commands whose
//! questions it answers. It runs there or says in one line why it cannot.

use antipode_search::engine::{Opt, QuestionKind};
use antipode_search::registry::{EngineId, engines};
use serde_json::Value;

use crate::support::{Ran, folder_with, json, rows, run, run_in, runs, words};

/// All engines by name.
fn all() -> Vec<EngineId> {
    let rows = engines::<u64>();
    rows.iter()
        .map(|row| row.facts().name.parse().unwrap())
        .collect()
}

/// Commands that take an engine, with the kinds of questions that they ask.
const VERBS: [(&str, &[QuestionKind]); 6] = [
    ("analyse", &[QuestionKind::Levels]),
    ("make", &[QuestionKind::Levels]),
    ("verify", &[QuestionKind::Levels]),
    (
        "solve",
        &[
            QuestionKind::Path,
            QuestionKind::Fewest,
            QuestionKind::Solutions,
        ],
    ),
    ("pairs", &[QuestionKind::Many]),
    (
        "certify",
        &[QuestionKind::Levels, QuestionKind::Path, QuestionKind::Many],
    ),
];

#[test]
fn names_are_unique_and_every_engine_answers_something() {
    let mut names: Vec<&str> = all().into_iter().map(EngineId::name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    for engine in all() {
        assert!(
            QuestionKind::ALL
                .into_iter()
                .any(|kind| engine.answers(kind))
        );
        assert!(!engine.facts().summary.is_empty());
        for kind in QuestionKind::ALL {
            assert_eq!(EngineId::all(kind).contains(&engine), engine.answers(kind));
        }
    }
}

#[test]
fn the_list_shows_every_engine_for_every_variant() {
    let listed = run(&["list", "--format", "json"]);
    let listed = listed.json();
    for puzzle in listed["puzzles"].as_array().unwrap() {
        for variant in puzzle["variants"].as_array().unwrap() {
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
                }
            }
        }
    }
}

#[test]
fn the_help_of_a_verb_offers_the_engines_that_answer_its_questions_and_no_others() {
    for (verb, kinds) in VERBS {
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

/// Runs a command with an engine, in a folder where it may work.
fn with(args: &[&str], engine: EngineId, kind: QuestionKind) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let mut args = [args, &["--engine", engine.name()]].concat();
    if engine.takes(kind, Opt::Work) {
        args.extend(["--work", "work"]);
    }
    run_in(folder.path(), &args)
}

/// Every engine that the help offers runs, or is refused; what each finds is the same, as
/// `engines.rs` shows of the library on many instances.
#[test]
fn what_is_asked_is_the_same_with_every_engine_that_does_not_refuse() {
    let coins =
        "coin-sliding/custom --set width=3 --set height=4 --set coins=5 --from o.o/.o./o.o/...";
    let stuck = "coin-sliding/custom --set width=4 --set height=3 --set coins=2 \
                 --from o.o./..../.... --to .o../.o../....";
    let levels: fn(&Value) -> Value = |found| found["levels"].clone();
    let length: fn(&Value) -> Value = |found| {
        [&found["length"], &found["outcome"]]
            .into_iter()
            .cloned()
            .collect()
    };
    let pairs: fn(&Value) -> Value = |found| {
        let rows = found["pairs"].as_array().unwrap().iter();
        rows.map(|row| row["length"]["moves"].clone()).collect()
    };
    let verified: fn(&Value) -> Value = |found| found["faults"].clone();
    for (line, kind, of, least) in [
        (
            "analyse tilt/card-2 --direction backward",
            QuestionKind::Levels,
            levels,
            6,
        ),
        (
            "verify tilt/card-2 --inclusion 200",
            QuestionKind::Levels,
            verified,
            6,
        ),
        ("solve tilt/card-7", QuestionKind::Path, length, 5),
        (
            &format!("solve {coins} --to .../ooo/oo./..."),
            QuestionKind::Path,
            length,
            5,
        ),
        (&format!("solve {stuck}"), QuestionKind::Path, length, 2),
        (
            &format!("pairs {coins} --to .../ooo/oo./...,..o/.oo/oo./..."),
            QuestionKind::Many,
            pairs,
            2,
        ),
    ] {
        let mut found: Vec<(EngineId, Value)> = Vec::new();
        for engine in EngineId::all(kind) {
            let ran = with(
                &words(&format!("{line} --threads 1 --format json")),
                engine,
                kind,
            );
            if ran_or_refused(&ran, engine.name()) {
                found.push((engine, of(&ran.json())));
            }
        }
        assert!(found.len() >= least, "{line}: {found:?}");
        if kind == QuestionKind::Levels {
            // Tilt has no kernels for engine gpu.
            assert_eq!(found.len() + 1, EngineId::all(kind).len(), "{line}");
        }
        for (engine, value) in &found {
            assert_eq!(*value, found[0].1, "{line}: {engine}");
        }
    }
}

/// A claim about levels and one about a path, certified with each engine.
#[test]
fn claims_are_certified_with_every_engine_that_does_not_refuse() {
    let claims = "puzzle = \"tilt\"\n\n\
        [[claim]]\nid = \"solutions\"\nsource = \"this test\"\nsection = \"none\"\n\
        statement = \"Card 2 can be solved.\"\nkind = \"solvable\"\ninstance = \"card-2\"\n\
        expect = \"confirmed\"\n";
    let of_claims = |engine: &EngineId| {
        engine.answers(QuestionKind::Levels) || engine.answers(QuestionKind::Path)
    };
    for engine in all().into_iter().filter(of_claims) {
        let folder = folder_with("c.toml", claims);
        let line = format!("certify --claims c.toml --out out --threads 1 --engine {engine}");
        let ran = runs(&folder, &line);
        let fits = !["dfs", "ida", "orbits"].contains(&engine.name());
        assert_eq!(ran_or_refused(&ran, engine.name()), fits, "{}", ran.err);
    }
}

/// The statement of a certificate of the claims file below about one of its runs.
fn certified(claim: &str, engine: EngineId, what: &str) -> Option<Value> {
    let folder = tempfile::tempdir().unwrap();
    let text = format!(
        "puzzle = \"sliding-block\"\n\n[[claim]]\nid = \"c\"\nsource = \"this test\"\n\
         statement = \"As many.\"\ninstance = \"donkey\"\nexpect = \"confirmed\"\n{claim}"
    );
    std::fs::write(folder.path().join("c.toml"), text).unwrap();
    let name = engine.name();
    let line = format!("certify --claims c.toml --out out --threads 1 --engine {name}");
    let ran = runs(&folder, &line);
    if !ran_or_refused(&ran, name) {
        return None;
    }
    let file = folder.path().join("out/certificates/c.json");
    let certificate: Value = json(file);
    Some(certificate["cases"][0][what].clone())
}

#[test]
fn claims_of_levels_and_of_moves_rest_on_the_engine_that_was_named() {
    for claim in [
        "kind = \"levels\"\nlevels = [0, 2]\nclaimed = [1, 8, 10]\n",
        "kind = \"count\"\ncount = \"level_2_states\"\nmax_depth = 3\nclaimed = 10\n",
        "kind = \"count\"\ncount = \"moves_known\"\nlevels = [1, 3]\nmax_depth = 4\ncompare = \"at-most\"\nclaimed = 1\n",
    ] {
        let mut by = Vec::new();
        for engine in EngineId::all(QuestionKind::Levels) {
            if let Some(run) = certified(claim, engine, "run") {
                by.push((engine.name(), run["engine"].clone()));
            }
        }
        assert!(by.len() >= 3, "{claim}: {by:?}");
        assert!(
            by.iter().all(|(named, ran)| ran == named),
            "{claim}: {by:?}"
        );
    }
}

/// One search counted as two would be no second derivation.
#[test]
fn the_plain_queue_is_no_second_derivation_of_itself() {
    let claim = "kind = \"length\"\nclaimed = 81\n";
    let variants = certified(claim, EngineId::REFERENCE, "variant").unwrap();
    assert_eq!(variants, "reference and bitboard");
}

#[test]
fn an_option_that_the_engine_does_not_take_is_refused_by_name() {
    for [args, line] in rows(
        "analyse tilt/card-2 --engine reference --memory 1GiB | --memory belongs to engines hash, dense, disk and cluster; add --engine hash, dense, disk or cluster
         solve tilt/card-2 --engine hash --width 7 | --width belongs to engine beam; add --engine beam
         solve tilt/card-2 --engine disk --table bits | --table belongs to engine bidirectional; add --engine bidirectional
         verify tilt/card-2 --work w | --work belongs to engines disk and cluster; add --engine disk or cluster",
    ) {
        let ran = run(&words(args)).ended(2);
        assert_eq!(ran.err.trim_end(), format!("antipode: {line}"));
    }
}

#[test]
fn engine_gpu_says_what_is_missing() {
    let no_kernels = "analyse tilt/card-2 --engine gpu | tilt/card-2: engine gpu has no kernels for variant bitboard of this puzzle; use --engine dense";
    let no_driver = "analyse sliding-tile/3x3 --engine gpu | sliding-tile/3x3: engine gpu has no NVIDIA driver here: neither libcuda.so.1 nor nvcuda.dll is found; use --engine dense";
    // With a driver, this would search.
    let driver = std::path::Path::new("/proc/driver/nvidia").exists();
    for [args, line] in [no_kernels, no_driver]
        .into_iter()
        .take(2 - usize::from(driver))
        .flat_map(rows)
    {
        let ran = run(&words(args)).ended(2);
        assert_eq!(ran.err.trim_end(), format!("antipode: {line}"));
    }
}

#[test]
fn what_ended_a_run_is_written_as_a_line_and_as_a_record() {
    let stopped = run(&words(
        "analyse peg-solitaire/diamond-41 --engine hash --memory 200KiB --format json",
    ));
    let value = stopped.json();
    let because = value["run"]["stopped_because"].as_str().unwrap();
    assert_eq!(
        because,
        "the next level does not fit the 200.00 KiB of memory allowed"
    );
    assert_eq!(value["run"]["stop"]["reason"], "memory");
    assert_eq!(value["run"]["stop"]["limit"], 200 << 10);
    let limited = run(&words("analyse tilt/card-2 --max-depth 2 --format json"));
    let value = limited.json();
    assert_eq!(value["run"]["stop"]["reason"], "depth");
    let whole = run(&["analyse", "tilt/card-2", "--format", "json"]);
    let value = whole.json();
    assert_eq!(value["run"].get("stop"), None);
}
