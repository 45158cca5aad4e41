//! Made-up results with the look of real ones.

use antipode_reports::html::{ReportHead, report_html};
use antipode_reports::model::{
    Antipode, ClaimResult, Evidence, Host, Legend, LegendEntry, Level, LevelTable, Picture,
    PictureKind, Plugin, Reading, Run, SCHEMA, Shape, StopKind, StopRecord, Unreached, Verdict,
};
use antipode_reports::report::{FoundFolders, FoundRun};
use std::collections::BTreeMap;

/// What a page is made of.
pub struct Page {
    pub head: ReportHead,
    pub found: FoundFolders,
}

impl Page {
    pub fn html(&self) -> String {
        report_html(&self.head, &self.found).unwrap()
    }
}

pub fn page() -> Page {
    let mut found = FoundFolders::default();
    (found.claims, found.runs) = (claims(), runs());
    let head = ReportHead {
        title: "A sample page with made-up figures".to_owned(),
        generated_unix_s: 1_795_248_000,
        tool_version: "0.1.0".to_owned(),
        command: words("antipode certify tilt --effort quick --seed 20261121"),
        effort: "quick".to_owned(),
        seed: Some(20_261_121),
        legends: BTreeMap::from([
            ("tilt".to_owned(), tilt()),
            ("sliding-block".to_owned(), climb_legend()),
        ]),
        ..ReportHead::default()
    };
    Page { head, found }
}

pub fn runs() -> Vec<FoundRun> {
    let found = |run, levels, antipodes| FoundRun {
        run: Some(run),
        levels,
        antipodes,
        ..FoundRun::default()
    };
    vec![
        found(run(), bell(37, 2.0e9), antipodes()),
        found(small_run(), bell(9, 120.0), Vec::new()),
    ]
}

pub fn tilt() -> Legend {
    let entry = |symbol, name: &str, shape, colour: &str| LegendEntry {
        symbol,
        name: name.to_owned(),
        shape,
        colour: colour.to_owned(),
    };
    Legend {
        net: None,
        entries: vec![
            entry('.', "empty", Shape::Empty, "#f3f1ea"),
            entry('#', "grey block, fixed", Shape::Block, "#8b8e94"),
            entry('b', "blue block, must stay", Shape::Block, "#2f6db3"),
            entry('g', "green block, must fall", Shape::Block, "#58b368"),
            entry('O', "hole", Shape::Hole, "#23211e"),
        ],
    }
}

fn climb_legend() -> Legend {
    const COLOURS: [&str; 6] = [
        "#c9a66b", "#b98352", "#8fa876", "#7f9fb0", "#b78b8b", "#a494b8",
    ];
    let piece = |(index, symbol): (usize, char)| LegendEntry {
        symbol,
        name: format!("piece {symbol}"),
        shape: Shape::Merge,
        colour: COLOURS[index % COLOURS.len()].to_owned(),
    };
    let mut entries: Vec<_> = ('a'..='z')
        .chain('A'..='Z')
        .enumerate()
        .map(piece)
        .collect();
    entries.push(LegendEntry {
        symbol: '#',
        name: "wall".into(),
        shape: Shape::Outside,
        colour: "#6b6760".into(),
    });
    entries.push(LegendEntry {
        symbol: '.',
        name: "empty".into(),
        shape: Shape::Empty,
        colour: String::new(),
    });
    Legend { entries, net: None }
}

pub fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

const LONG_SOLUTION: &str = "#...g/g.#.b/b.O#./..#../.#... #..../..#../..O#./g.#.g/b#..b #..../..#../..O#./.g#.g/b#..b \
    #g..g/b.#.b/..O#./..#../.#... #..gg/.b#.b/..O#./..#../.#... #b.gg/..#.b/..O#./..#../.#... \
    #.bgg/..#.b/..O#./..#../.#... #.b../..#g./..O#./..#.g/.#..b #...b/..#.g/..O#./..#.g/.#..b \
    #..../..#.b/..O#g/..#.g/.#..b #..../..#b./..O#g/..#g./.#b.. #..../..#b./..O#./..#../.#bgg \
    #..../..#.b/..O#./..#../.#bgg #..../..#../..O#./..#.b/.#bgg #..../..#../..O#./..#b./.#bgg \
    #...g/..#../..O#./..#b./.#bg. #...g/..#../..O#./..#.b/.#.bg #...g/..#.b/..O#g/..#b./.#... \
    #g.../..#b./..O#g/..#b./.#... #g.bg/..#../..O#./..#b./.#... #.gbg/..#../..O#./..#.b/.#... \
    #.gbg/..#.b/..O#./..#../.#... #gbg./..#b./..O#./..#../.#... #.bg./..#b./..O#./.g#../.#... \
    #bg../..#b./..O#./g.#../.#... #.g../..#b./..O#./.b#../g#... #g.../..#b./..O#./b.#../g#... \
    #g.b./b.#../g.O#./..#../.#... #gb../b.#../g.O#./..#../.#... #.b../..#../..O#./bg#../g#... \
    #b.../..#../..O#./bg#../g#... #b.../bg#../g.O#./..#../.#... #...b/bg#../..O#./..#../.#... \
    #b.../bg#../..O#./..#../.#... #..../..#../.bO#./.g#../b#... #..../..#../b.O#./g.#../b#... \
    #..../b.#../g.O#./b.#../.#... #..../.b#../..O#./.b#../.#...";
const LONG_MOVES: &str = "down right up right up right down right down left down right down left up right up left up right up \
    left down left down left up left down left up right left down left up right";
const SHORT_SOLUTION: &str = "g#.../...../..O../...../..#.. .#.../...../..O../...../g.#.. .#.../...../..O../...../.g#.. .#.../.g.../..O../...../..#.. .#.../....g/..O../...../..#.. .#..g/...../..O../...../..#.. .#g../...../..O../...../..#.. .#.../...../..O../...../..#..";
const SHORT_MOVES: &str = "down right up right up left down";

pub fn claims() -> Vec<ClaimResult> {
    vec![
        hardest(),
        space_size(),
        box_levels(),
        card_one(),
        rotation_cost(),
        speed(),
        climb(),
        climb_bound(),
    ]
}

fn blank(id: &str, statement: &str, expect: Verdict, verdict: Verdict) -> ClaimResult {
    ClaimResult {
        id: id.to_owned(),
        puzzle: "tilt".to_owned(),
        instance: Some("box".to_owned()),
        source: "A thesis on Tilt and retrograde analysis".to_owned(),
        section: "section 5.2".to_owned(),
        statement: statement.to_owned(),
        kind: "greatest distance".to_owned(),
        expect,
        verdict,
        effort: "quick".to_owned(),
        variant: "bitboard".to_owned(),
        engine: "hash".to_owned(),
        wall_s: 73.4,
        ..ClaimResult::default()
    }
}

fn checked(
    what: &str,
    sampled: u128,
    population: Option<u128>,
    wrong: u128,
    bound: Option<f64>,
    text: &str,
) -> Evidence {
    Evidence {
        what: what.to_owned(),
        sampled,
        population,
        wrong,
        confidence: if bound.is_some() { 0.95 } else { 1.0 },
        bound,
        text: text.to_owned(),
    }
}

fn hardest() -> ClaimResult {
    let statement =
        "No position that can be laid out with the blocks in the box needs more than 37 moves.";
    ClaimResult {
        claimed: "37 moves".into(),
        found: "37 moves, by 2 positions up to symmetry".into(),
        evidence: vec![inclusiveness(), exclusiveness()],
        witnesses: vec![Picture {
            caption: "A shortest solution of one of the farthest positions, 37 moves".to_owned(),
            kind: strip(LONG_SOLUTION, LONG_MOVES),
        }],
        notes: vec![
            "The source shows the position as a picture only; it was matched by eye.".to_owned(),
        ],
        ..blank(
            "tilt/hardest",
            statement,
            Verdict::Confirmed,
            Verdict::Confirmed,
        )
    }
}

fn space_size() -> ClaimResult {
    let statement = "The blocks in the box can be laid out in about 10^11 ways, all numbers of blocks taken together.";
    ClaimResult {
        claimed: "100000000000".into(),
        found: "127440294825".into(),
        kind: "count".into(),
        section: "section 2.1, the sum over binomial coefficients".into(),
        evidence: vec![checked(
            "count",
            105,
            Some(105),
            0,
            None,
            "Every term of the sum was worked out a second time by laying out blocks one by one.",
        )],
        wall_s: 0.012,
        ..blank(
            "tilt/space-size",
            statement,
            Verdict::Confirmed,
            Verdict::Confirmed,
        )
    }
}

fn box_levels() -> ClaimResult {
    let statement = "Pruning leaves about 12 billion positions, almost 90% fewer than there are.";
    let reading = |name: &str, statement: &str, found: &str, verdict, note: &str| Reading {
        name: name.to_owned(),
        statement: statement.to_owned(),
        claimed: "12,000,000,000".into(),
        bound: None,
        unit: String::new(),
        found: found.to_owned(),
        verdict,
        note: note.to_owned(),
    };
    ClaimResult {
        claimed: "12,000,000,000".into(),
        found: "depends on the reading".into(),
        kind: "count".into(),
        readings: vec![
            reading(
                "up to symmetry",
                "Boards that a rotation or reflection turns into each other count once.",
                "15934811207",
                Verdict::Refuted,
                "",
            ),
            reading(
                "at rest",
                "As above, and only boards on which no block can slide in the direction of the last tilt.",
                "12004118230",
                Verdict::Confirmed,
                "This is what the printed program does.",
            ),
        ],
        ..blank(
            "tilt/pruned-size",
            statement,
            Verdict::Ambiguous,
            Verdict::Ambiguous,
        )
    }
}

fn card_one() -> ClaimResult {
    let statement = "Challenge card 1 takes nine moves.";
    ClaimResult {
        claimed: "9 moves".into(),
        found: format!("{} moves", words(SHORT_MOVES).len()),
        kind: "solution length".into(),
        source: "https://example.org/tilt/cards".into(),
        section: "card 1".into(),
        engine: "reference".into(),
        variant: "reference".into(),
        witnesses: vec![
            Picture {
                caption: "The card".to_owned(),
                kind: PictureKind::Board {
                    state: words(SHORT_SOLUTION)[0].clone(),
                },
            },
            Picture {
                caption: "A shorter solution".to_owned(),
                kind: strip(SHORT_SOLUTION, SHORT_MOVES),
            },
        ],
        wall_s: 0.0004,
        ..blank("tilt/card-1", statement, Verdict::Refuted, Verdict::Refuted)
    }
}

fn rotation_cost() -> ClaimResult {
    let statement = "A 5x5 bitboard can be rotated by a quarter turn in 14 operations.";
    ClaimResult {
        instance: None,
        claimed: "14".into(),
        found: "16".into(),
        kind: "operation count".into(),
        evidence: vec![checked(
            "random boards",
            1_000_000,
            Some(1 << 25),
            212_040,
            Some(0.212_71),
            "The printed sequence of shifts was run on random boards and compared with a rotation cell by cell.",
        )],
        ..blank(
            "tilt/rotate-cost",
            statement,
            Verdict::Confirmed,
            Verdict::Refuted,
        )
    }
}

fn speed() -> ClaimResult {
    let statement = "The search evaluates around ten million positions per second on eight cores.";
    ClaimResult {
        claimed: "10,000,000".into(),
        found: "31,400,000".into(),
        kind: "speed".into(),
        notes: vec!["Measured on another processor, so no verdict is due.".to_owned()],
        ..blank(
            "tilt/speed",
            statement,
            Verdict::Reported,
            Verdict::Reported,
        )
    }
}

fn climb() -> ClaimResult {
    let statement =
        "From the start of Climb Pro 24, exactly 15,766,282,793 positions lie at distance 142.";
    ClaimResult {
        puzzle: "sliding-block".into(),
        instance: Some("climb-pro-24".to_owned()),
        source: "Notes on Climb Pro 24 on disk".into(),
        section: "table of levels".into(),
        claimed: "15,766,282,793".into(),
        found: "levels up to 61".into(),
        kind: "level size".into(),
        engine: "disk".into(),
        witnesses: vec![Picture {
            caption: "The start".to_owned(),
            kind: PictureKind::Board {
                state: "###.###/aa...bb/ccdddee/ccfggee/hhffgnn/ihklmno/ijkLmpo/jjqqqpp/rrstuvv/rrtttvv".to_owned(),
            },
        }],
        wall_s: 5025.0,
        ..blank("climb-pro-24/level-142", statement, Verdict::Confirmed, Verdict::NotReached)
    }
}

fn climb_bound() -> ClaimResult {
    let statement =
        "Every one of 100,000 random solvable positions is met by the search from the solved ones.";
    ClaimResult {
        claimed: "none missed".into(),
        found: "none missed".into(),
        kind: "completeness".into(),
        section: "section 3.3".into(),
        evidence: vec![inclusiveness()],
        ..blank(
            "tilt/inclusive",
            statement,
            Verdict::ConfirmedBySample,
            Verdict::ConfirmedBySample,
        )
    }
}

fn inclusiveness() -> Evidence {
    checked(
        "inclusiveness",
        100_000,
        Some(127_440_294_825),
        0,
        Some(2.995_687_3e-5),
        "Positions drawn at random were solved forward by the literal rules; each solvable one must turn up in \
               the search at the same distance.",
    )
}

fn exclusiveness() -> Evidence {
    checked(
        "exclusiveness",
        1_204_118,
        Some(12_041_180_230),
        0,
        Some(2.487_9e-6),
        "One in 10,000 of the positions met was solved forward by the literal rules, and the distances compared.",
    )
}

fn strip(states: &str, moves: &str) -> PictureKind {
    PictureKind::Strip {
        states: words(states),
        labels: words(moves),
    }
}

pub fn run() -> Run {
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
        threads: 8,
        seed: 20_261_121,
        plugin: Plugin {
            name: "tilt".into(),
            version: "0.1.0".into(),
            abi: 1,
            ..Plugin::default()
        },
        started_unix_s: 1_795_240_000,
        wall_s: 1273.4,
        cpu_s: 9871.2,
        peak_memory_bytes: 13_958_643_712,
        states_per_core_second: 1_219_842.7,
        parts_done: 105,
        parts_total: 105,
        complete: true,
        host: Host {
            os: "linux".into(),
            arch: "x86_64".into(),
            cpu: "A processor of some make".into(),
            cores: 8,
        },
        command: words("antipode analyse tilt/box --engine hash --threads 8"),
        extra: BTreeMap::from([("hash_table_growths".to_owned(), serde_json::json!(14))]),
        ..Run::default()
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
