//! Coin sliding on small boards: symmetry changes no number, and the built-in puzzle keeps the
//! contract that `test-plugin` checks. `matrix.rs` compares its tables by every engine.
//!
//! Distances of states come out the same whether the search uses symmetry or not, so a symmetric
//! case is compared with the sizes that a search without symmetry finds.

use antipode_check::analysis::Request;
use antipode_check::conformance::{self, Event, Scope, TestPlan, Verdict};
use antipode_claims::{ClaimFile, parse_claims};
use antipode_search::progress::Stop;
use puzzle_api::Direction;

use crate::support::{analysed, choose, coin_sliding, request, settings};

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
        let levels = analysed(&request(&coin_sliding(), "custom", pairs)).levels;
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
    let board = "o..o/.oo./..../.oo.";
    let mut plain = request(&coin_sliding(), "custom", &[]);
    plain.direction = Some(Direction::Forward);
    plain.from = Some(board.to_owned());
    let mut with = request(&coin_sliding(), "custom", &[("from", board)]);
    with.direction = Some(Direction::Forward);
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
    conformance::test(&coin_sliding(), &plan, &Stop::default(), &mut watch).unwrap();
    assert!(checks > 30 * variants.len());
}

const ALL: [&str; 2] = ["bitboard", "reference"];

#[test]
fn small_boards_keep_the_contract() {
    let (from, to) = (
        ("from", "oo../oo../..../...."),
        ("to", "..../.oo./.oo./...."),
    );
    for pairs in [
        &[("coins", "4")][..],
        &[("coins", "4"), from, to],
        &[("coins", "4"), to],
    ] {
        keeps_the_contract("custom", pairs, &ALL);
    }
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
