//! `plan`: its estimates for instances with known figures, and its refusals.

use serde_json::Value;

use crate::support::{run, run_in};

fn plan(args: &[&str]) -> Value {
    let ran = run(&[&["plan"], args, &["--format", "json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).expect("a record")
}

fn engine<'a>(plan: &'a Value, name: &str) -> &'a Value {
    let engines = plan["engines"].as_array().expect("engines");
    let found = engines.iter().find(|engine| engine["engine"] == name);
    found.unwrap_or_else(|| panic!("{name}: {plan}"))
}

fn number(row: &Value, name: &str) -> u64 {
    row[name]
        .as_f64()
        .unwrap_or_else(|| panic!("{name}: {row}")) as u64
}

const MACHINES: [&str; 6] = ["--machines", "16", "--cores", "8", "--memory", "20GiB"];

#[test]
fn a_numbered_instance_by_its_ranks() {
    let plan = plan(&[&["coin-sliding/5x7"], &MACHINES[..], &["--disk", "1GB"]].concat());
    assert_eq!(number(&plan, "states"), 834_451_800);
    // A byte per rank, and 20 MB for the process.
    let byte = engine(&plan, "dense --table byte");
    assert_eq!(number(byte, "memory_bytes"), 854_451_800);
    assert_eq!(number(byte, "disk_bytes"), 0);
    assert_eq!(byte["fits"], true);
    // 29 bytes per state are more than 20 GiB.
    let hash = engine(&plan, "hash");
    assert_eq!(number(hash, "memory_bytes"), 24_219_102_200);
    assert_eq!(hash["fits"], false);
    // 2.5 bytes per state: more than the disk of one machine, and not of sixteen.
    let (disk, cluster) = (engine(&plan, "disk"), engine(&plan, "cluster"));
    assert_eq!(number(disk, "disk_bytes"), 2_086_129_500);
    assert_eq!(disk["fits"], false);
    assert_eq!(number(cluster, "disk_bytes"), 130_383_093);
    assert_eq!(cluster["fits"], true);
    let seconds = |row: &Value| row["seconds"].as_f64().expect("seconds");
    assert!(seconds(cluster) < seconds(disk) / 8.0);
}

#[test]
fn an_instance_in_parts_by_those_that_are_walked_at_once() {
    let target = ["tilt/box", "--set", "grey=2", "--set", "blue=0..1"];
    let plan = plan(&[&target[..], &["--cores", "2", "--memory", "1GiB"]].concat());
    assert_eq!(number(&plan, "states"), 235_752);
    let from = plan["from"].as_str().expect("from");
    assert!(from.contains("the largest of 44 parts has 5,358"), "{from}");
    // Two parts of 5,358 ranks at a time.
    for name in ["disk", "cluster"] {
        assert_eq!(number(engine(&plan, name), "disk_bytes"), 26_790, "{name}");
    }
    let byte = number(engine(&plan, "dense --table byte"), "memory_bytes");
    assert_eq!(byte, 20_010_716);
}

/// Levels 0 to 60 of Climb Pro 24 hold 5,984,208 positions.
#[test]
fn a_run_that_was_stopped_is_carried_on() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    let target = "sliding-block/climb-pro-24";
    let words = "--max-depth 40 --engine disk --threads 1 --work w --out levels";
    let args: Vec<&str> = ["analyse", target]
        .into_iter()
        .chain(words.split(' '))
        .collect();
    assert_eq!(run_in(folder, &args).code, 0);
    let levels = |depth: &str| {
        let args = ["plan", target, "--levels", "levels", "--max-depth", depth];
        run_in(folder, &[&args[..], &["--format", "json"]].concat())
    };
    let ran = levels("60");
    let plan: Value = serde_json::from_str(&ran.out).expect("a record");
    let states = number(&plan, "states");
    assert!((5_000_000..7_500_000).contains(&states), "{states}");
    let names: Vec<&Value> = plan["engines"]
        .as_array()
        .expect("engines")
        .iter()
        .collect();
    assert!(names.iter().all(|row| row["engine"] != "dense --table bit"));
    let early = levels("40");
    assert_eq!(early.code, 2);
    assert!(early.err.contains("has level 40 already"), "{}", early.err);
    // Its growth has no end that levels up to 40 could show.
    let never = levels("65000");
    assert_eq!((never.code, never.out.as_str()), (2, ""));
    assert!(never.err.contains("beyond any machine"), "{}", never.err);
}

#[test]
fn what_it_cannot_plan_is_refused_in_one_line() {
    let climb = "sliding-block/climb-pro-24";
    let cases: [(&[&str], &str); 9] = [
        (&[climb], "its states are not numbered"),
        (&[climb, "--states", "0"], "--states"),
        (&[climb, "--levels", "none"], "none/cost.csv"),
        (
            &[climb, "--levels", "x", "--states", "5"],
            "cannot be used with",
        ),
        (&[climb, "--max-depth", "5"], "--levels"),
        (&["coin-sliding/5x7", "--machines", "0"], "--machines"),
        (&["coin-sliding/5x7", "--memory", "ten"], "'ten' is no size"),
        (&["coin-sliding/5x7", "--disk", "-1"], "--disk"),
        (&["coin-sliding/none"], "none"),
    ];
    for (args, told) in cases {
        let ran = run(&[&["plan"], args].concat());
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert_eq!(ran.err.trim_end().lines().count(), 1, "{}", ran.err);
        assert!(ran.err.contains(told), "{told}: {}", ran.err);
    }
}

/// The Donkey has 25,955 states, as Klotski solvers count them; its states have no numbers.
#[test]
fn few_states_without_numbers_are_counted() {
    let ran = run(&["plan", "sliding-block/donkey", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let plan: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(plan["states"].as_f64(), Some(25_955.0), "{plan}");
}
