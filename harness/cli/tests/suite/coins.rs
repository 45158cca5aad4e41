//! Coin sliding on small boards: every engine × variant × number of threads × direction gives the
//! same bytes (level table with digests, and antipodes). The built-in puzzle keeps the contract
//! that `test-plugin` checks.
//!
//! The oracle is the plain queue on the literal rules, on one thread. Distances do not depend on
//! whether the search uses symmetry. So a symmetric case is also compared with the sizes that a
//! search without symmetry finds.

use std::sync::{Arc, LazyLock};

use antipode_check::analysis::Request;
use antipode_check::conformance::{self, Event, Scope, TestPlan, Verdict};
use antipode_claims::{ClaimFile, parse_claims};
use antipode_graph::Library;
use antipode_search::progress::Stop;
use puzzle_api::Direction;

use crate::support::{analysed, choose, engine, request, settings, tables};

fn coins() -> Arc<Library> {
    static COINS: LazyLock<Arc<Library>> =
        LazyLock::new(|| Arc::new(Library::built_in(antipode_coin_sliding::table())));
    Arc::clone(&COINS)
}

type Pairs = &'static [(&'static str, &'static str)];

fn prepared(pairs: Pairs, way: Direction) -> Request {
    let mut request = request(&coins(), "custom", pairs);
    request.direction = Some(way);
    request
}

fn found(pairs: Pairs, way: Direction, (name, variant, threads): (&str, &str, usize)) -> String {
    let mut request = prepared(pairs, way);
    request.engine = engine(name);
    request.variant = Some(variant.to_owned());
    request.threads = threads;
    tables(&analysed(&request))
}

macro_rules! cells {
    ($($name:ident = $engine:literal, $variant:literal, $threads:literal;)+) => {
        $(
            #[test]
            fn $name() {
                assert_eq!(found(BOARD, WAY, ($engine, $variant, $threads)), *ORACLE);
            }
        )+
    };
}

macro_rules! direction {
    ($way:ident) => {
        use super::*;

        const WAY: Direction = Direction::$way;
        static ORACLE: LazyLock<String> =
            LazyLock::new(|| found(BOARD, WAY, ("reference", "reference", 1)));

        cells! {
            reference_engine_on_reference_1_thread = "reference", "reference", 1;
            reference_engine_on_bitboard_1_thread = "reference", "bitboard", 1;
            hash_on_reference_1_thread = "hash", "reference", 1;
            hash_on_reference_2_threads = "hash", "reference", 2;
            hash_on_bitboard_1_thread = "hash", "bitboard", 1;
            hash_on_bitboard_2_threads = "hash", "bitboard", 2;
            dense_on_reference_1_thread = "dense", "reference", 1;
            dense_on_reference_2_threads = "dense", "reference", 2;
            dense_on_bitboard_1_thread = "dense", "bitboard", 1;
            dense_on_bitboard_2_threads = "dense", "bitboard", 2;
        }
    };
}

macro_rules! board {
    ($name:ident, $pairs:expr) => {
        mod $name {
            use super::*;

            const BOARD: Pairs = &$pairs;

            mod forward {
                direction!(Forward);
            }

            mod backward {
                direction!(Backward);
            }
        }
    };
}

board!(
    square_4x4_with_6_coins_without_symmetry,
    [
        ("from", "ooo./o.../o.../...o"),
        ("to", "..../.oo./..oo/.oo.")
    ]
);
board!(
    square_4x4_with_8_coins_and_all_symmetries,
    [
        ("coins", "8"),
        ("from", "oo../oo../..oo/..oo,..oo/..oo/oo../oo.."),
        ("to", ".oo./o..o/o..o/.oo.")
    ]
);
board!(
    tall_3x5_with_5_coins_mirrored,
    [
        ("width", "3"),
        ("height", "5"),
        ("coins", "5"),
        ("from", "o.o/.o./o.o/.../..."),
        ("to", "ooo/.o./.o./.../...")
    ]
);
board!(
    wide_6x3_with_4_coins_several_goals,
    [
        ("width", "6"),
        ("height", "3"),
        ("coins", "4"),
        ("from", "oo..../oo..../......"),
        ("to", "....oo/....oo/......,oo..../o.o.../......")
    ]
);
board!(
    published_width_5x4_with_5_coins,
    [
        ("width", "5"),
        ("coins", "5"),
        ("from", "ooo../o..../o..../....."),
        ("to", "...../..o../.ooo./..o..")
    ]
);

/// The rows of a retrograde search add up to all positions.
#[test]
fn levels_and_unsolvable_positions_add_up() {
    for (pairs, cells, members) in [
        (&[("to", "..../.oo./..oo/.oo.")][..], 16, 6),
        (&[("coins", "8"), ("to", ".oo./o..o/o..o/.oo.")][..], 16, 8),
        (
            &[
                ("width", "5"),
                ("coins", "4"),
                ("to", "oo.../oo.../...../....."),
            ][..],
            20,
            4,
        ),
    ] {
        let levels = analysed(&request(&coins(), "custom", pairs)).levels;
        let unsolvable = levels.unsolvable.as_ref().unwrap().states;
        assert_eq!(
            levels.total_states() + unsolvable,
            choose(cells, members),
            "{pairs:?}"
        );
    }
}

/// With symmetry or without, the numbers of states at each distance are the same. A start given by
/// `from` keeps its own symmetries; one given by `--from` uses none.
#[test]
fn a_symmetric_start_has_the_balls_that_it_has_without_symmetry() {
    let sizes = |request: &Request| -> (Vec<u128>, Vec<u128>) {
        let levels = analysed(request).levels;
        let rows = levels.levels.iter();
        rows.map(|row| (row.states, row.orbits)).unzip()
    };
    let mut plain = request(&coins(), "custom", &[]);
    plain.direction = Some(Direction::Forward);
    plain.from = Some("o..o/.oo./..../.oo.".to_owned());
    let with = prepared(&[("from", "o..o/.oo./..../.oo.")], Direction::Forward);
    let (plain, with) = (sizes(&plain), sizes(&with));
    assert_eq!(plain.0, with.0);
    assert_eq!(
        plain.0, plain.1,
        "no symmetry without a start of the instance"
    );
    assert!(with.1.iter().sum::<u128>() * 3 < with.0.iter().sum::<u128>() * 2);
    assert!(with.0.len() > 3);
}

fn keeps_the_contract(instance: &str, pairs: &[(&str, &str)], variants: &[&str]) {
    let plan = TestPlan {
        after: None,
        boards: Vec::new(),
        instances: vec![(instance.to_owned(), settings(pairs))],
        variants: variants.iter().map(|&name| name.to_owned()).collect(),
        scope: Scope {
            deep: 0,
            exhaustive: 5_000,
            sample: 400,
            seed: 1,
        },
        checks: usize::MAX,
        claims: Some(|file, text| {
            let claims = parse_claims(file, text).and_then(ClaimFile::all);
            claims
                .map(|all| all.len())
                .map_err(|error| error.to_string())
        }),
    };
    let mut checks = 0;
    let mut watch = |event: Event| {
        if let Event::Found(finding) = event {
            let failed = matches!(finding.verdict, Verdict::Failed { .. });
            assert!(!failed, "{finding:?}");
            checks += 1;
        }
    };
    conformance::test(&coins(), &plan, &Stop::default(), &mut watch).unwrap();
    assert!(checks > 30 * variants.len());
}

const ALL: [&str; 2] = ["bitboard", "reference"];

#[test]
fn a_small_board_keeps_the_contract() {
    keeps_the_contract("custom", &[("coins", "4")], &ALL);
}

#[test]
fn a_small_board_with_start_and_goal_keeps_the_contract() {
    let pairs = [
        ("coins", "4"),
        ("from", "oo../oo../..../...."),
        ("to", "..../.oo./.oo./...."),
    ];
    keeps_the_contract("custom", &pairs, &ALL);
}

#[test]
fn a_small_board_with_a_symmetric_goal_keeps_the_contract() {
    keeps_the_contract(
        "custom",
        &[("coins", "4"), ("to", "..../.oo./.oo./....")],
        &ALL,
    );
}

#[test]
fn both_published_boards_keep_the_contract() {
    for instance in ["5x7", "5x9"] {
        keeps_the_contract(instance, &[], &ALL);
        keeps_the_contract(instance, &[("from", "A"), ("to", "O,X")], &["bitboard"]);
    }
}

#[test]
fn the_largest_boards_keep_the_contract() {
    let square = [("width", "8"), ("height", "8"), ("coins", "20")];
    keeps_the_contract("custom", &square, &["bitboard"]);
    let row = [("width", "64"), ("height", "1"), ("coins", "30")];
    keeps_the_contract("custom", &row, &["bitboard"]);
}
