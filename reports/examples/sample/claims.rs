use super::words;
use antipode_reports::model::{
    ClaimResult, Evidence, Origin, Picture, PictureKind, Reading, Verdict,
};

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
        origin: Origin::Published,
        source: "A thesis on Tilt and retrograde analysis".to_owned(),
        section: "section 5.2".to_owned(),
        url: String::new(),
        quote: String::new(),
        statement: statement.to_owned(),
        kind: "greatest distance".to_owned(),
        expect,
        verdict,
        readings: Vec::new(),
        claimed: String::new(),
        bound: None,
        found: String::new(),
        unit: String::new(),
        effort: "quick".to_owned(),
        variant: "bitboard".to_owned(),
        engine: "hash".to_owned(),
        evidence: Vec::new(),
        witnesses: Vec::new(),
        notes: Vec::new(),
        text_at_hand: false,
        wall_s: 73.4,
    }
}

fn hardest() -> ClaimResult {
    let statement =
        "No position that can be laid out with the blocks in the box needs more than 37 moves.";
    ClaimResult {
        claimed: "37 moves".to_owned(),
        found: "37 moves, by 2 positions up to symmetry".to_owned(),
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
        claimed: "100000000000".to_owned(),
        found: "127440294825".to_owned(),
        kind: "count".to_owned(),
        section: "section 2.1, the sum over binomial coefficients".to_owned(),
        evidence: vec![Evidence {
            what: "count".to_owned(),
            sampled: 105,
            population: Some(105),
            wrong: 0,
            confidence: 1.0,
            bound: None,
            text: "Every term of the sum was worked out a second time by laying out blocks one by one.".to_owned(),
        }],
        wall_s: 0.012,
        ..blank("tilt/space-size", statement, Verdict::Confirmed, Verdict::Confirmed)
    }
}

fn box_levels() -> ClaimResult {
    let statement = "Pruning leaves about 12 billion positions, almost 90% fewer than there are.";
    let reading = |name: &str, statement: &str, found: &str, verdict, note: &str| Reading {
        name: name.to_owned(),
        statement: statement.to_owned(),
        claimed: "12,000,000,000".to_owned(),
        bound: None,
        unit: String::new(),
        found: found.to_owned(),
        verdict,
        note: note.to_owned(),
    };
    ClaimResult {
        claimed: "12,000,000,000".to_owned(),
        found: "depends on the reading".to_owned(),
        kind: "count".to_owned(),
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
        claimed: "9 moves".to_owned(),
        found: format!("{} moves", words(SHORT_MOVES).len()),
        kind: "solution length".to_owned(),
        source: "https://example.org/tilt/cards".to_owned(),
        section: "card 1".to_owned(),
        engine: "reference".to_owned(),
        variant: "reference".to_owned(),
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
        claimed: "14".to_owned(),
        found: "16".to_owned(),
        kind: "operation count".to_owned(),
        evidence: vec![Evidence {
            what: "random boards".to_owned(),
            sampled: 1_000_000,
            population: Some(1 << 25),
            wrong: 212_040,
            confidence: 0.95,
            bound: Some(0.212_71),
            text: "The printed sequence of shifts was run on random boards and compared with a rotation cell by cell."
                .to_owned(),
        }],
        ..blank("tilt/rotate-cost", statement, Verdict::Confirmed, Verdict::Refuted)
    }
}

fn speed() -> ClaimResult {
    let statement = "The search evaluates around ten million positions per second on eight cores.";
    ClaimResult {
        claimed: "10,000,000".to_owned(),
        found: "31,400,000".to_owned(),
        kind: "speed".to_owned(),
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
        puzzle: "sliding-block".to_owned(),
        instance: Some("climb-pro-24".to_owned()),
        source: "Notes on Climb Pro 24 on disk".to_owned(),
        section: "table of levels".to_owned(),
        claimed: "15,766,282,793".to_owned(),
        found: "levels up to 61".to_owned(),
        kind: "level size".to_owned(),
        engine: "disk".to_owned(),
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
        claimed: "none missed".to_owned(),
        found: "none missed".to_owned(),
        kind: "completeness".to_owned(),
        section: "section 3.3".to_owned(),
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
    Evidence {
        what: "inclusiveness".to_owned(),
        sampled: 100_000,
        population: Some(127_440_294_825),
        wrong: 0,
        confidence: 0.95,
        bound: Some(2.995_687_3e-5),
        text: "Positions drawn at random were solved forward by the literal rules; each solvable one must turn up in \
               the search at the same distance."
            .to_owned(),
    }
}

fn exclusiveness() -> Evidence {
    Evidence {
        what: "exclusiveness".to_owned(),
        sampled: 1_204_118,
        population: Some(12_041_180_230),
        wrong: 0,
        confidence: 0.95,
        bound: Some(2.487_9e-6),
        text: "One in 10,000 of the positions met was solved forward by the literal rules, and the distances compared."
            .to_owned(),
    }
}

fn strip(states: &str, moves: &str) -> PictureKind {
    PictureKind::Strip {
        states: words(states),
        labels: words(moves),
    }
}
