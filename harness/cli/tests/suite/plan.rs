//! `plan`: its estimates for instances with known figures, and its refusals.

use serde_json::Value;

use crate::support::{Text, fresh, plays, refuses, rows, run, runs, words};

fn plan(line: &str) -> Value {
    run(&words(&format!("plan {line} --format json")))
        .ended(0)
        .json()
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

/// A byte per rank, lists of a rank in 512, and 16 MiB for each thread; 29 bytes per state, and 4 MiB
/// for each thread, are more than 20 GiB; 2.5 bytes per state are more than the disk of one machine,
/// and not of sixteen. Of an instance in parts, two parts of 5,358 ranks at a time.
#[test]
fn needs_are_those_of_ranks_and_of_parts_walked_at_once() {
    let coins = plan("coin-sliding/5x7 --machines 16 --cores 8 --memory 20GiB --disk 1GB");
    let parts = plan("tilt/box --set grey=2 --set blue=0..1 --cores 2 --memory 1GiB");
    assert_eq!(number(&coins, "states"), 834_451_800);
    assert_eq!(number(&parts, "states"), 235_752);
    let from = parts["from"].as_str().expect("from");
    from.has(["the largest of 44 parts has 5,358"]);
    for [of, name, key, value] in rows(
        "coins | dense --table byte | memory_bytes | 1007784480
         coins | dense --table byte | disk_bytes | 0
         coins | dense --table byte | fits | true
         coins | hash | memory_bytes | 24232656632
         coins | hash | fits | false
         coins | disk | disk_bytes | 2086129500
         coins | disk | fits | false
         coins | cluster | disk_bytes | 130383093
         coins | cluster | fits | true
         parts | disk | disk_bytes | 26790
         parts | cluster | disk_bytes | 26790
         parts | dense --table byte | memory_bytes | 5693952",
    ) {
        let plan = if of == "coins" { &coins } else { &parts };
        let row = engine(plan, name);
        let found = match key {
            "fits" => row[key].to_string(),
            _ => number(row, key).to_string(),
        };
        assert_eq!(found, value, "{of} {name} {key}");
    }
    let seconds = |name| engine(&coins, name)["seconds"].as_f64().expect("seconds");
    assert!(seconds("cluster") < seconds("disk") / 8.0);
}

/// Every engine runs with the memory that it is said to need: what fits runs, and nothing that is
/// refused fits.
#[test]
fn with_what_it_needs_each_engine_runs() {
    let folder = &fresh();
    for [instance, cores] in rows(
        "pancake/plain-8 | 2
         sliding-tile/3x3 | 1
         hanoi/3-3 | 2
         tilt/card-5 | 2",
    ) {
        let plan = plan(&format!("{instance} --cores {cores} --memory 20MiB"));
        for row in plan["engines"].as_array().expect("engines") {
            let (engine, need) = (
                row["engine"].as_str().expect("a name"),
                number(row, "memory_bytes"),
            );
            assert_eq!(row["fits"], need <= 20 << 20, "{row}");
            let work = match engine {
                // They take no --memory; several processes.
                "sweep" | "cluster" => continue,
                "disk" => format!("--work {}-{cores}", instance.replace('/', "-")),
                _ => String::new(),
            };
            let analyse = format!("analyse {instance} --threads {cores} --memory {need}");
            runs(folder, &format!("{analyse} --engine {engine} {work}")).ended(0);
        }
    }
}

/// Levels 0 to 60 of Climb Pro 24 hold 5,984,208 positions.
#[test]
fn a_run_that_was_stopped_is_carried_on() {
    let folder = &fresh();
    let analyse = "analyse sliding-block/climb-pro-24 --max-depth 40 --engine disk --threads 1";
    runs(folder, &format!("{analyse} --work w --out levels")).ended(0);
    let levels = |depth: u32| {
        let plan = "plan sliding-block/climb-pro-24 --levels levels --format json";
        runs(folder, &format!("{plan} --max-depth {depth}"))
    };
    let plan = levels(60).json();
    let states = number(&plan, "states");
    assert!((5_000_000..7_500_000).contains(&states), "{states}");
    let mut engines = plan["engines"].as_array().expect("engines").iter();
    assert!(engines.all(|row| row["engine"] != "dense --table bit"));
    levels(40).ended(2).err.has(["has level 40 already"]);
    let other = runs(folder, "plan sliding-block/donkey --levels levels").refused();
    other
        .err
        .says("holds a run of sliding-block/climb-pro-24, not of sliding-block/donkey");
    // Counting takes longer than it may.
    let uncounted = runs(folder, "plan sliding-block/climb-pro-24").ended(4);
    uncounted.err.says("its states are not numbered");
    // Its growth has no end that levels up to 40 could show.
    levels(65_000).refused().err.has(["beyond any machine"]);
}

#[test]
fn what_it_cannot_plan_is_refused_in_one_line() {
    refuses(
        ".",
        "plan sliding-block/climb-pro-24 --states 0 | --states
         plan sliding-block/climb-pro-24 --levels none | none/cost.csv
         plan sliding-block/climb-pro-24 --levels x --states 5 | cannot be used with
         plan sliding-block/climb-pro-24 --max-depth 5 | --levels
         plan coin-sliding/5x7 --machines 0 | --machines
         plan coin-sliding/5x7 --memory ten | 'ten' is no size
         plan coin-sliding/5x7 --memory 0 | '0' is no size: give at least 1 byte
         plan coin-sliding/5x7 --disk -1 | --disk
         plan coin-sliding/none | none",
    );
}

/// Every engine has a line, and those without an estimate give the reason. The Donkey has 25,955
/// states, as Klotski solvers count them; its states have no numbers.
#[test]
fn few_states_without_numbers_are_counted_and_every_engine_is_named() {
    plays(
        ".",
        "0 plan sliding-block/donkey | 25,955
         0 plan hanoi/3-3 | reference | hash | dense | disk | sweep: no: | bidirectional | beam | dfs | ida | orbits | solutions",
    );
}

/// What a limit left open is a record too.
#[test]
fn what_was_not_reached_is_printed_as_json() {
    plays(
        fresh(),
        r#"4 plan sliding-block/climb-12 --format json | "record": "antipode-printed-plan-1" | "not_reached": "
         4 rate sliding-tile/4x4 --board fedc/ba98/7654/312. --max-time 0.2 --format json | "not_reached": "the length was not found""#,
    );
}
