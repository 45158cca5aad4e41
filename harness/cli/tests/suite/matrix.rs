//! Every engine × variant × number of threads × direction gives the same bytes: level table with
//! digests, and antipodes. The oracle is the plain queue on the literal rules, on one thread. Engine `dense` is run with every table, and
//! with the frontier by list and by scan.
//!
//! Engine `sweep` is the bitboard variant's own loop and works backward only.

use std::collections::BTreeSet;
use std::sync::Arc;

use antipode_check::analysis::Request;
use antipode_graph::{Capabilities as Offers, builtin};
use antipode_search::engines::{Roots, Search};
use puzzle_api::Direction;

use crate::support::{analysed, choose, engine, graph, request, rows, tables};

/// The tables of an instance by an engine, or by `dense TABLE FRONTIER`.
fn found(asked: &Request, (how, variant, threads): (&str, &str, usize)) -> String {
    let mut asked = asked.clone();
    let mut words = how.split(' ');
    asked.engine = words.next().and_then(engine);
    asked.options.table = words.next().map(|table| table.parse().unwrap());
    asked.options.frontier = words.next().map(|form| form.parse().unwrap());
    asked.variant = Some(variant.to_owned());
    asked.threads = threads;
    tables(&analysed(&asked))
}

/// An instance, forward from a start; `-` takes the instance's.
fn forward(instance: &str, from: &str) -> Request {
    let mut asked = request(instance);
    asked.direction = Some(Direction::Forward);
    asked.from = (from != "-").then(|| from.to_owned());
    asked
}

/// Compares every engine on every variant, on two threads, with the oracle; `engines` does so on one.
fn agrees(asked: &Request) {
    let oracle = found(asked, ("reference", "reference", 1));
    let mut cells = Vec::new();
    for how in ["reference", "hash", "dense"] {
        cells.extend([(how.to_owned(), "reference"), (how.to_owned(), "bitboard")]);
    }
    for table in ["byte", "two-bits", "bit"] {
        for form in ["list", "scan"] {
            cells.push((format!("dense {table} {form}"), "bitboard"));
        }
    }
    if asked.direction == Some(Direction::Backward) && asked.library.name == "tilt" {
        cells.push(("sweep".to_owned(), "bitboard"));
    }
    for (how, variant) in cells {
        let Request {
            instance, settings, ..
        } = asked;
        let place = format!("{instance} {settings:?}: {how} on {variant}");
        assert_eq!(found(asked, (&how, variant, 2)), oracle, "{place}");
    }
}

fn both_ways(cases: &str) {
    for [instance, from] in rows(cases) {
        agrees(&forward(instance, from));
        agrees(&request(instance));
    }
}

/// One part; several parts, with grey blocks in no canonical place; directed, with symmetry and
/// several goals. Every listed instance has its turn in `engines`.
#[test]
fn three_shapes_have_one_table() {
    both_ways(
        "tilt/card-12 | -
         tilt/box grey=1 blue=1 green=0..2 | #...g/...../b.O../...../...g.
         coin-sliding/custom coins=8 from=oo../oo../..oo/..oo,..oo/..oo/oo../oo.. to=.oo./o..o/o..o/.oo. | -",
    );
}

/// Rows, such as that of unsolvable states, rest on what an instance offers; both variants of every
/// listed one offer the same.
#[test]
fn variants_make_the_same_rows() {
    let rows = [
        Offers::RANK,
        Offers::SOLVED_ROOTS,
        Offers::PARTS,
        Offers::SYMMETRY,
    ];
    for library in builtin::all().into_iter().map(Arc::new) {
        for instance in &library.instances {
            let offers = |variant: &String| {
                let opened = library.open(&instance.name, variant, &Default::default());
                let opened = opened.ok()?;
                Some(rows.map(|row| opened.offers(row)))
            };
            let all: BTreeSet<_> = library.variants.iter().map(offers).collect();
            assert_eq!(all.len(), 1, "{}/{}: {all:?}", library.name, instance.name);
        }
    }
}

/// Lists of at most 4,096 ranks: here levels outgrow them and shrink again, so that the frontier
/// goes over to a scan and comes back.
#[test]
fn dense_goes_from_list_to_scan_and_back() {
    let from = "o.o.o/...../o.o../...../o...o";
    let wide = forward("coin-sliding/custom width=5 height=5 coins=7", from);
    let oracle = found(&wide, ("hash", "bitboard", 1));
    let sizes = oracle.lines().skip(1);
    let sizes = sizes.map_while(|row| row.split(',').nth(1)?.parse().ok());
    let levels: Vec<u64> = sizes.collect();
    let widest = levels.iter().max().unwrap();
    let shrinks = levels.last().unwrap() * 4 < 4096;
    assert!(*widest > 4096 && shrinks, "{levels:?}");
    for table in ["byte", "two-bits", "bit"] {
        let how = format!("dense {table} auto");
        assert_eq!(found(&wide, (&how, "bitboard", 2)), oracle, "{how}");
    }
}

/// Levels and the unsolvable states add up to all placements, counted by formula. A card's graph
/// holds its grey blocks in every orientation.
#[test]
fn all_rows_add_up_to_the_number_of_placements() {
    let greens = |free: u128, most: u128| (0..=most).map(|c| choose(free, c)).sum::<u128>();
    // Of a box the least and most grey and blue blocks, and the most green ones; of a card the
    // images of its grey blocks, squares left, blues, and most greens; cells and coins.
    for [instance, of] in rows(
        "tilt/box grey=0..1 blue=0..1 green=0..1 | 0 1 0 1 1
         tilt/box grey=1 blue=2 green=0..2 | 1 1 2 2 2
         tilt/box grey=0 blue=0..2 green=0..2 | 0 0 0 2 2
         tilt/box grey=6 blue=0 green=0..1 | 6 6 0 0 1
         tilt/card-2 | 4 23 1 1
         tilt/card-4 | 4 23 1 2
         tilt/card-12 | 8 20 0 2
         tilt/card-20 | 8 20 2 1
         coin-sliding/custom to=..../.oo./..oo/.oo. | 16 6
         coin-sliding/custom coins=8 to=.oo./o..o/o..o/.oo. | 16 8
         coin-sliding/custom width=5 coins=4 to=oo.../oo.../...../..... | 20 4",
    ) {
        let counts: Vec<u128> = of.split(' ').map(|n| n.parse().unwrap()).collect();
        let placements: u128 = match counts[..] {
            [a, b, c, d, most] => {
                let pairs = (a..=b).flat_map(|a| (c..=d).map(move |b| (a, b)));
                let of = |(a, b)| choose(24, a) * choose(24 - a, b) * greens(24 - a - b, most);
                pairs.map(of).sum()
            }
            [images, free, blues, most] => {
                images * choose(free, blues) * greens(free - blues, most)
            }
            [cells, coins] => choose(cells, coins),
            _ => panic!("{of}"),
        };
        let levels = analysed(&request(instance)).levels;
        let unsolvable = levels.unsolvable.as_ref().unwrap().states;
        assert_eq!(levels.total_states() + unsolvable, placements, "{instance}");
    }
}

/// With symmetry or without, the numbers of states at each distance are the same. A start given by
/// `from` keeps its own symmetries; one given by `--from` uses none.
#[test]
fn a_symmetric_start_has_the_balls_that_it_has_without_symmetry() {
    let sizes = |asked: &Request| -> (Vec<u128>, Vec<u128>) {
        let levels = analysed(asked).levels;
        let rows = levels.levels.iter();
        rows.map(|row| (row.states, row.orbits)).unzip()
    };
    let board = "o..o/.oo./..../.oo.";
    let plain = sizes(&forward("coin-sliding/custom", board));
    let with = sizes(&forward(&format!("coin-sliding/custom from={board}"), "-"));
    assert_eq!(plain.0, with.0);
    let without = "no symmetry without a start of the instance";
    assert_eq!(plain.0, plain.1, "{without}");
    assert!(with.1.iter().sum::<u128>() * 3 < with.0.iter().sum::<u128>() * 2);
    assert!(with.0.len() > 3);
}

/// A search from one board uses symmetry only if the board is its own image.
#[test]
fn a_board_that_is_its_own_image_is_searched_with_symmetry() {
    for (board, reduced) in [
        ("b...b/...../..O../...../b...b", true),
        ("g..../...../..O../...../.....", false),
        ("g...g/...../..O../...../.....", false),
    ] {
        let graph = graph::<u64>("tilt/box", "bitboard");
        let root = Roots::State(graph.parse(board).unwrap());
        let search = Search::new(graph, Direction::Forward, root, None).unwrap();
        assert_eq!(search.symmetry, reduced, "{board}");
    }
}
