//! Every engine × variant × number of threads × direction gives the same bytes: level table with
//! digests, and antipodes. The oracle is the plain queue on the literal rules, on one thread; its
//! own cell shows that a second run repeats the first. Engine `dense` is run with every table, and
//! with the frontier by list and by scan.
//!
//! Engine `sweep` is the bitboard variant's own loop and works backward only.

use std::collections::BTreeSet;
use std::sync::Arc;

use antipode_check::analysis::Request;
use antipode_graph::Library;
use puzzle_api::Direction;

use crate::support::{analysed, choose, coin_sliding, engine, request, rows, tables, tilt};

/// A search to be made in many ways.
struct Case {
    library: Arc<Library>,
    instance: &'static str,
    settings: Vec<(&'static str, &'static str)>,
    /// Start of the forward search; `None` takes the instance's.
    from: Option<&'static str>,
}

impl Case {
    /// Settings have blanks between them; `-` stands for none.
    fn of(name: &'static str, settings: &'static str, from: &'static str) -> Self {
        let (puzzle, instance) = name.split_once('/').unwrap();
        Self {
            library: if puzzle == "tilt" {
                tilt()
            } else {
                coin_sliding()
            },
            instance,
            settings: settings
                .split(' ')
                .filter_map(|pair| pair.split_once('='))
                .collect(),
            from: (from != "-").then_some(from),
        }
    }

    fn request(&self, way: Direction) -> Request {
        let mut request = request(&self.library, self.instance, &self.settings);
        request.direction = Some(way);
        if way == Direction::Forward {
            request.from = self.from.map(str::to_owned);
        }
        request
    }

    /// `how` is an engine, or `dense TABLE FRONTIER`.
    fn tables(&self, way: Direction, (how, variant, threads): (&str, &str, usize)) -> String {
        let mut request = self.request(way);
        let mut words = how.split(' ');
        request.engine = words.next().and_then(engine);
        request.options.table = words.next().map(|table| table.parse().unwrap());
        if let Some(form) = words.next() {
            request.options.frontier = Some(form.parse().unwrap());
        }
        request.variant = Some(variant.to_owned());
        request.threads = threads;
        tables(&analysed(&request))
    }

    /// Compares every engine on every variant, on one thread and on two, with the oracle.
    fn agrees(&self, way: Direction) {
        let oracle = self.tables(way, ("reference", "reference", 1));
        let compare = |how: &str, variant| {
            for threads in [1, 2] {
                let found = self.tables(way, (how, variant, threads));
                let Self {
                    instance, settings, ..
                } = self;
                let place = format!("{instance} {settings:?} {way:?}: {how} on {variant}");
                assert_eq!(found, oracle, "{place}, {threads} threads");
            }
        };
        for how in ["reference", "hash", "dense"] {
            compare(how, "reference");
            compare(how, "bitboard");
        }
        for table in ["byte", "two-bits", "bit"] {
            compare(&format!("dense {table} list"), "bitboard");
            compare(&format!("dense {table} scan"), "bitboard");
        }
        if way == Direction::Backward && self.library.name == "tilt" {
            compare("sweep", "bitboard");
        }
    }
}

fn both_ways(cases: &str) {
    for [name, settings, from] in rows(cases) {
        let case = Case::of(name, settings, from);
        case.agrees(Direction::Forward);
        case.agrees(Direction::Backward);
    }
}

/// One part each. Grey blocks in canonical place and symmetric (2, 4), in canonical place (13),
/// elsewhere (12, 20, 33).
#[test]
fn cards_have_one_table() {
    both_ways(
        "tilt/card-2 | - | -
         tilt/card-4 | - | -
         tilt/card-12 | - | -
         tilt/card-13 | - | -
         tilt/card-20 | - | -
         tilt/card-33 | - | -",
    );
}

/// Several parts; forward from a board whose grey blocks stand in canonical place, from one whose
/// do not, and from a board that is its own image.
#[test]
fn narrow_boxes_have_one_table() {
    both_ways(
        "tilt/box | grey=0..1 blue=0..1 green=0..1 | g..../...../..Ob./...../....#
         tilt/box | grey=1 blue=1 green=0..2 | #...g/...../b.O../...../...g.
         tilt/box | grey=2 blue=0 green=0..1 | ...../.#.../..O../...../.#..g
         tilt/box | grey=0 blue=0..1 green=0..2 | g...g/...../..O../...../.....",
    );
}

/// One part, directed (few of its moves can be undone at once), without symmetry, with all of it,
/// and mirrored; several goals; the board whose numbers were published.
#[test]
fn coins_have_one_table() {
    both_ways(
        "coin-sliding/custom | coins=8 to=o.o./.o.o/o.o./.o.o | oo../oo../..oo/..oo
         coin-sliding/custom | from=ooo./o.../o.../...o to=..../.oo./..oo/.oo. | -
         coin-sliding/custom | coins=8 from=oo../oo../..oo/..oo,..oo/..oo/oo../oo.. to=.oo./o..o/o..o/.oo. | -
         coin-sliding/custom | width=3 height=5 coins=5 from=o.o/.o./o.o/.../... to=ooo/.o./.o./.../... | -
         coin-sliding/custom | width=6 height=3 coins=4 from=oo..../oo..../...... to=....oo/....oo/......,oo..../o.o.../...... | -
         coin-sliding/custom | width=5 coins=5 from=ooo../o..../o..../..... to=...../..o../.ooo./..o.. | -",
    );
}

/// The board of section 3.1 as it stands: too large for every cell backward.
#[test]
fn the_thesis_has_one_table() {
    let thesis = Case::of("tilt/thesis", "-", "-");
    thesis.agrees(Direction::Forward);
    let sweep = thesis.tables(Direction::Backward, ("sweep", "bitboard", 1));
    for cell in [
        ("hash", "bitboard", 2),
        ("dense", "bitboard", 1),
        ("dense", "reference", 2),
    ] {
        assert_eq!(thesis.tables(Direction::Backward, cell), sweep, "{cell:?}");
    }
}

/// Lists of at most 4,096 ranks: here levels outgrow them and shrink again, so that the frontier
/// goes over to a scan and comes back.
#[test]
fn dense_goes_from_list_to_scan_and_back() {
    let from = "o.o.o/...../o.o../...../o...o";
    let wide = Case::of("coin-sliding/custom", "width=5 height=5 coins=7", from);
    let oracle = wide.tables(Direction::Forward, ("hash", "bitboard", 1));
    let sizes = oracle
        .lines()
        .skip(1)
        .map_while(|row| row.split(',').nth(1)?.parse().ok());
    let levels: Vec<u64> = sizes.collect();
    let widest = levels.iter().max().unwrap();
    assert!(
        *widest > 4096 && levels.last().unwrap() * 4 < 4096,
        "{levels:?}"
    );
    for table in ["byte", "two-bits", "bit"] {
        for threads in [1, 2] {
            let how = format!("dense {table} auto");
            let found = wide.tables(Direction::Forward, (&how, "bitboard", threads));
            assert_eq!(found, oracle, "{how}, {threads} threads");
        }
    }
}

/// The cards above have the stated properties.
#[test]
fn the_cards_cover_grey_blocks_in_and_out_of_canonical_place() {
    let library = tilt();
    let placed = |instance: &str| {
        let opened = library.open(instance, "bitboard", &Default::default());
        let graph = antipode_search::open::typed_graph::<u64>(opened.unwrap()).unwrap();
        let start = graph.parse(instance).unwrap();
        let mut place = Vec::new();
        graph.place(&[start], &mut place).unwrap();
        place[0].is_some()
    };
    assert_eq!(["card-2", "card-4", "card-13"].map(placed), [true; 3]);
    assert_eq!(["card-12", "card-20", "card-33"].map(placed), [false; 3]);
}

/// Levels and the unsolvable states add up to all placements, counted by formula.
#[test]
fn all_rows_of_a_box_add_up_to_its_number_of_placements() {
    let all = |grey: [u128; 2], blue: [u128; 2], green: u128| -> u128 {
        let mut sum = 0;
        for a in grey[0]..=grey[1] {
            for b in blue[0]..=blue[1] {
                let greens = (0..=green).map(|c| choose(24 - a - b, c)).sum::<u128>();
                sum += choose(24, a) * choose(24 - a, b) * greens;
            }
        }
        sum
    };
    let boxes = [
        (("0..1", "0..1", "0..1"), all([0, 1], [0, 1], 1)),
        (("1", "2", "0..2"), all([1, 1], [2, 2], 2)),
        (("2..3", "0..1", "0..2"), all([2, 3], [0, 1], 2)),
        (("0", "0..3", "0..2"), all([0, 0], [0, 3], 2)),
        (("6", "0", "0..1"), all([6, 6], [0, 0], 1)),
    ];
    for ((grey, blue, green), placements) in boxes {
        let pairs = [("grey", grey), ("blue", blue), ("green", green)];
        let levels = analysed(&request(&tilt(), "box", &pairs)).levels;
        let unsolvable = levels.unsolvable.as_ref().unwrap().states;
        assert_eq!(levels.total_states() + unsolvable, placements, "{pairs:?}");
    }
}

/// A card's graph holds its grey blocks in every orientation.
#[test]
fn all_rows_of_a_card_add_up_to_its_number_of_placements() {
    // Images of the grey blocks, squares left, blues, most greens.
    let cards = [
        ("card-2", 4, 23, 1, 1),
        ("card-4", 4, 23, 1, 2),
        ("card-12", 8, 20, 0, 2),
        ("card-20", 8, 20, 2, 1),
        ("card-33", 8, 19, 1, 2),
    ];
    for (card, images, free, blues, greens) in cards {
        let levels = analysed(&request(&tilt(), card, &[])).levels;
        let unsolvable = levels.unsolvable.as_ref().unwrap().states;
        let sets = (0..=greens).map(|c| choose(free - blues, c)).sum::<u128>();
        let placements = images * choose(free, blues) * sets;
        assert_eq!(levels.total_states() + unsolvable, placements, "{card}");
    }
}

/// Equal bytes would mean little if the instances were all alike.
#[test]
fn the_instances_of_the_matrix_differ() {
    let cards = [
        "card-2", "card-4", "card-12", "card-13", "card-20", "card-33",
    ];
    let found: BTreeSet<String> = cards
        .map(|card| tables(&analysed(&request(&tilt(), card, &[]))))
        .into();
    assert_eq!(found.len(), cards.len());
}
