use super::words;
use antipode_reports::html::RunWithTables;
use antipode_reports::model::{
    Antipode, Host, Level, LevelTable, Plugin, Run, SCHEMA, StopKind, StopRecord, Unreached,
};
use std::collections::BTreeMap;

pub fn runs() -> Vec<RunWithTables> {
    vec![
        RunWithTables {
            run: run(),
            levels: bell(37, 2.0e9),
            antipodes: antipodes(),
        },
        RunWithTables {
            run: small_run(),
            levels: bell(9, 120.0),
            antipodes: Vec::new(),
        },
    ]
}

fn run() -> Run {
    Run {
        schema: SCHEMA,
        tool_version: "0.1.0".to_owned(),
        puzzle: "tilt".to_owned(),
        instance: "box".to_owned(),
        settings: BTreeMap::from([
            ("grey".into(), "6".into()),
            ("blue".into(), "4".into()),
            ("green".into(), "2".into()),
        ]),
        variant: "bitboard".to_owned(),
        engine: "hash".to_owned(),
        direction: "backward".to_owned(),
        from: None,
        max_depth: None,
        threads: 8,
        seed: 20_261_121,
        plugin: Plugin {
            name: "tilt".into(),
            version: "0.1.0".into(),
            file: None,
            blake3: None,
            abi: 1,
        },
        started_unix_s: 1_795_240_000,
        wall_s: 1273.4,
        cpu_s: 9871.2,
        peak_memory_bytes: 13_958_643_712,
        states_per_core_second: 1_219_842.7,
        parts_done: 105,
        parts_total: 105,
        complete: true,
        stopped_because: None,
        stop: None,
        host: Host {
            os: "linux".into(),
            arch: "x86_64".into(),
            cpu: "A processor of some make".into(),
            cores: 8,
        },
        command: words("antipode analyse tilt/box --engine hash --threads 8"),
        inputs: Default::default(),
        extra: BTreeMap::from([("hash_table_growths".to_owned(), serde_json::json!(14))]),
    }
}

fn small_run() -> Run {
    Run {
        instance: "one-part".to_owned(),
        settings: BTreeMap::new(),
        engine: "dense".to_owned(),
        direction: "forward".to_owned(),
        from: Some("#...g/g.#.b/b.O#./..#../.#...".to_owned()),
        plugin: Plugin {
            name: "tilt-in-c".into(),
            version: "0.3.0".into(),
            file: Some("libtilt_in_c.so".into()),
            blake3: Some("af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262".into()),
            abi: 1,
        },
        complete: false,
        stopped_because: Some("the time limit of 2 s was over".to_owned()),
        stop: Some(StopRecord {
            reason: StopKind::Time,
            limit: Some(2000),
        }),
        parts_done: 3,
        wall_s: 2.003,
        cpu_s: 15.9,
        command: words(
            "antipode analyse tilt/one-part --from #...g/g.#.b/b.O#./..#../.#... --plugin libtilt_in_c.so",
        ),
        inputs: Default::default(),
        ..run()
    }
}

/// Levels that swell and shrink as real ones do.
fn bell(deepest: u32, largest: f64) -> LevelTable {
    let level = |depth: u32| {
        let from_peak = (f64::from(depth) / f64::from(deepest) - 0.45) * 6.4;
        let states = (largest * (-from_peak * from_peak).exp()).max(1.0) as u128 * 8;
        Level {
            depth,
            states,
            orbits: states.div_ceil(8),
            digest: digest(u128::from(depth) + 1),
        }
    };
    let unsolvable = Unreached {
        states: 31_415_926_535,
        orbits: 3_926_990_817,
        digest: digest(999),
    };
    LevelTable {
        levels: (0..=deepest).map(level).collect(),
        unsolvable: Some(unsolvable),
    }
}

fn digest(number: u128) -> String {
    format!(
        "{:032x}",
        number.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
    )
}

fn antipodes() -> Vec<Antipode> {
    let states = [
        "#...g/g.#.b/b.O#./..#../.#...",
        "...g#/b.#.g/.#O.b/..#../...#.",
        "#.#gg/...b#/..O#./..#../.....",
    ];
    states
        .iter()
        .map(|state| Antipode {
            depth: 37,
            state: (*state).to_owned(),
            orbit_size: 8,
        })
        .collect()
}
