//! The one list of engines. `list` shows every row of it, and the help of the commands whose
//! questions it answers. It runs there or says in one line why it cannot.

use antipode_search::engine::{Opt, QuestionKind};
use antipode_search::registry::{EngineId, engines};
use serde_json::Value;

use crate::support::{Ran, run, run_in};

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
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
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

#[test]
fn levels_are_the_same_with_every_engine_that_does_not_refuse() {
    let args = [
        "analyse",
        "tilt/card-2",
        "--direction",
        "backward",
        "--format",
        "json",
        "--threads",
        "1",
    ];
    let mut tables: Vec<(EngineId, Value)> = Vec::new();
    for engine in EngineId::all(QuestionKind::Levels) {
        let ran = with(&args, engine, QuestionKind::Levels);
        if ran_or_refused(&ran, engine.name()) {
            let value: Value = serde_json::from_str(&ran.out).unwrap();
            tables.push((engine, value["levels"].clone()));
        }
    }
    assert_eq!(tables.len(), EngineId::all(QuestionKind::Levels).len());
    for (engine, table) in &tables {
        assert_eq!(*table, tables[0].1, "{engine}");
    }
}

#[test]
fn every_engine_for_levels_is_verified() {
    let args = [
        "verify",
        "tilt/card-2",
        "--threads",
        "1",
        "--inclusion",
        "200",
    ];
    for engine in EngineId::all(QuestionKind::Levels) {
        assert!(ran_or_refused(
            &with(&args, engine, QuestionKind::Levels),
            engine.name()
        ));
    }
}

#[test]
fn paths_are_equally_short_with_every_engine_that_does_not_refuse() {
    let card = ["solve", "tilt/card-7", "--format", "json", "--threads", "1"];
    let coins = [
        "solve",
        "coin-sliding/custom",
        "--set",
        "width=3",
        "--set",
        "height=4",
        "--set",
        "coins=5",
        "--from",
        "o.o/.o./o.o/...",
        "--to",
        ".../ooo/oo./...",
        "--format",
        "json",
    ];
    for (args, least) in [(&card[..], 5), (&coins[..], 5)] {
        let mut lengths: Vec<(EngineId, Value)> = Vec::new();
        for engine in EngineId::all(QuestionKind::Path) {
            let ran = with(args, engine, QuestionKind::Path);
            if ran_or_refused(&ran, engine.name()) {
                let value: Value = serde_json::from_str(&ran.out).unwrap();
                lengths.push((engine, value["length"].clone()));
            }
        }
        assert!(lengths.len() >= least, "{lengths:?}");
        assert!(lengths[0].1.as_u64() > Some(0));
        for (engine, length) in &lengths {
            assert_eq!(*length, lengths[0].1, "{engine}");
        }
    }
}

#[test]
fn what_cannot_be_reached_is_said_so_with_every_engine_that_does_not_refuse() {
    let args = [
        "solve",
        "coin-sliding/custom",
        "--set",
        "width=4",
        "--set",
        "height=3",
        "--set",
        "coins=2",
        "--from",
        "o.o./..../....",
        "--to",
        ".o../.o../....",
        "--format",
        "json",
    ];
    for engine in EngineId::all(QuestionKind::Path) {
        let ran = with(&args, engine, QuestionKind::Path);
        if ran.code == 2 {
            assert!(!ran_or_refused(&ran, engine.name()));
            continue;
        }
        let value: Value = serde_json::from_str(&ran.out).unwrap();
        let said = (ran.code, &value["length"], &value["outcome"]);
        assert_eq!(said, (0, &Value::Null, &"impossible".into()), "{engine}");
    }
}

#[test]
fn lengths_of_pairs_are_the_same_with_every_engine_that_does_not_refuse() {
    let args = [
        "pairs",
        "coin-sliding/custom",
        "--set",
        "width=3",
        "--set",
        "height=4",
        "--set",
        "coins=5",
        "--from",
        "o.o/.o./o.o/...",
        "--to",
        ".../ooo/oo./...,..o/.oo/oo./...",
        "--format",
        "json",
    ];
    let mut found = Vec::new();
    for engine in EngineId::all(QuestionKind::Many) {
        let ran = with(&args, engine, QuestionKind::Many);
        if ran_or_refused(&ran, engine.name()) {
            let value: Value = serde_json::from_str(&ran.out).unwrap();
            let rows = value["pairs"].as_array().unwrap().iter();
            let moves = rows.map(|row| row["length"]["moves"].clone());
            found.push(moves.collect::<Vec<_>>());
        }
    }
    assert!(found.len() > 1 && found.iter().all(|moves| *moves == found[0]));
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
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("c.toml"), claims).unwrap();
        let args = [
            "certify",
            "--claims",
            "c.toml",
            "--out",
            "out",
            "--threads",
            "1",
            "--engine",
            engine.name(),
        ];
        let ran = run_in(folder.path(), &args);
        assert_eq!(
            ran_or_refused(&ran, engine.name()),
            !["dfs", "ida", "orbits"].contains(&engine.name()),
            "{}",
            ran.err
        );
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
    let ran = run_in(folder.path(), &line.split(' ').collect::<Vec<_>>());
    if !ran_or_refused(&ran, name) {
        return None;
    }
    let file = folder.path().join("out/certificates/c.json");
    let certificate: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
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
    for (args, line) in [
        (
            &[
                "analyse",
                "tilt/card-2",
                "--engine",
                "reference",
                "--memory",
                "1GiB",
            ][..],
            "--memory belongs to engines hash, dense, disk and cluster; add --engine hash, dense, disk or cluster",
        ),
        (
            &["solve", "tilt/card-2", "--engine", "hash", "--width", "7"][..],
            "--width belongs to engine beam; add --engine beam",
        ),
        (
            &[
                "solve",
                "tilt/card-2",
                "--engine",
                "disk",
                "--table",
                "bits",
            ][..],
            "--table belongs to engine bidirectional; add --engine bidirectional",
        ),
        (
            &["verify", "tilt/card-2", "--work", "w"][..],
            "--work belongs to engines disk and cluster; add --engine disk or cluster",
        ),
    ] {
        let ran = run(args);
        assert_eq!(ran.code, 2, "{}", ran.out);
        assert_eq!(ran.err.trim_end(), format!("antipode: {line}"));
    }
}

#[test]
fn what_ended_a_run_is_written_as_a_line_and_as_a_record() {
    let stopped = run(&[
        "analyse",
        "peg-solitaire/diamond-41",
        "--engine",
        "hash",
        "--memory",
        "200KiB",
        "--format",
        "json",
    ]);
    let value: Value = serde_json::from_str(&stopped.out).unwrap();
    let because = value["run"]["stopped_because"].as_str().unwrap();
    assert_eq!(
        because,
        "the next level does not fit the 200.00 KiB of memory allowed"
    );
    assert_eq!(value["run"]["stop"]["reason"], "memory");
    assert_eq!(value["run"]["stop"]["limit"], 200 << 10);
    let limited = run(&[
        "analyse",
        "tilt/card-2",
        "--max-depth",
        "2",
        "--format",
        "json",
    ]);
    let value: Value = serde_json::from_str(&limited.out).unwrap();
    assert_eq!(value["run"]["stop"]["reason"], "depth");
    let whole = run(&["analyse", "tilt/card-2", "--format", "json"]);
    let value: Value = serde_json::from_str(&whole.out).unwrap();
    assert_eq!(value["run"].get("stop"), None);
}
