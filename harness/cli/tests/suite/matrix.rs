//! Every engine × variant × number of threads × direction gives the same bytes: level table with
//! digests, and antipodes. The oracle is the plain queue on the literal rules, on one thread; its
//! own cell shows that a second run repeats the first. Engine `dense` is run with every table, and
//! with the frontier by list and by scan.
//!
//! Engine `sweep` is the bitboard variant's own sweep and works backward only, so it has
//! two cells per instance.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use antipode_check::analysis::Request;
use antipode_graph::Library;
use puzzle_api::Direction;

use crate::support::{analysed, choose, coin_sliding, engine, request, tables, tilt, try_analyse};

/// A search to be made in many ways.
struct Case {
    library: fn() -> Arc<Library>,
    instance: &'static str,
    settings: &'static [(&'static str, &'static str)],
    /// Start of the forward search; `None` takes the instance's.
    from: Option<&'static str>,
}

impl Case {
    fn request(&self, way: Direction) -> Request {
        let mut request = request(&(self.library)(), self.instance, self.settings);
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

    fn oracle(&self, way: Direction) -> String {
        self.tables(way, ("reference", "reference", 1))
    }
}

macro_rules! cells {
    ($way:ident: $($name:ident = $engine:literal, $variant:literal, $threads:literal;)+) => {
        static ORACLE: LazyLock<String> = LazyLock::new(|| CASE.oracle(Direction::$way));
        $(
            #[test]
            fn $name() {
                let found = CASE.tables(Direction::$way, ($engine, $variant, $threads));
                assert_eq!(found, *ORACLE);
            }
        )+
    };
}

macro_rules! general_engines {
    ($way:ident) => {
        cells! { $way:
            reference_engine_on_reference_1_thread = "reference", "reference", 1;
            reference_engine_on_reference_2_threads = "reference", "reference", 2;
            reference_engine_on_bitboard_1_thread = "reference", "bitboard", 1;
            reference_engine_on_bitboard_2_threads = "reference", "bitboard", 2;
            hash_on_reference_1_thread = "hash", "reference", 1;
            hash_on_reference_2_threads = "hash", "reference", 2;
            hash_on_bitboard_1_thread = "hash", "bitboard", 1;
            hash_on_bitboard_2_threads = "hash", "bitboard", 2;
            dense_on_reference_1_thread = "dense", "reference", 1;
            dense_on_reference_2_threads = "dense", "reference", 2;
            dense_on_bitboard_1_thread = "dense", "bitboard", 1;
            dense_on_bitboard_2_threads = "dense", "bitboard", 2;
            dense_bytes_by_list_1_thread = "dense byte list", "bitboard", 1;
            dense_bytes_by_list_2_threads = "dense byte list", "bitboard", 2;
            dense_bytes_by_scan_1_thread = "dense byte scan", "bitboard", 1;
            dense_bytes_by_scan_2_threads = "dense byte scan", "bitboard", 2;
            dense_two_bits_by_list_1_thread = "dense two-bits list", "bitboard", 1;
            dense_two_bits_by_list_2_threads = "dense two-bits list", "bitboard", 2;
            dense_two_bits_by_scan_1_thread = "dense two-bits scan", "bitboard", 1;
            dense_two_bits_by_scan_2_threads = "dense two-bits scan", "bitboard", 2;
            dense_bits_by_list_1_thread = "dense bit list", "bitboard", 1;
            dense_bits_by_list_2_threads = "dense bit list", "bitboard", 2;
            dense_bits_by_scan_1_thread = "dense bit scan", "bitboard", 1;
            dense_bits_by_scan_2_threads = "dense bit scan", "bitboard", 2;
        }
    };
}

macro_rules! instance {
    ($name:ident, $instance:literal, $settings:expr, from $from:expr) => {
        mod $name {
            use super::*;

            const CASE: Case = Case {
                library: tilt,
                instance: $instance,
                settings: &$settings,
                from: $from,
            };

            mod forward {
                use super::*;
                general_engines!(Forward);
            }

            mod backward {
                use super::*;
                general_engines!(Backward);

                #[test]
                fn sweep_on_bitboard_1_thread() {
                    let found = CASE.tables(Direction::Backward, ("sweep", "bitboard", 1));
                    assert_eq!(found, *ORACLE);
                }

                #[test]
                fn sweep_on_bitboard_2_threads() {
                    let found = CASE.tables(Direction::Backward, ("sweep", "bitboard", 2));
                    assert_eq!(found, *ORACLE);
                }
            }
        }
    };
}

// Cards: one part each. Grey blocks in canonical place and symmetric (2, 4), in canonical
// place (13), elsewhere (12, 20, 33).
instance!(card_2, "card-2", [], from None);
instance!(card_4, "card-4", [], from None);
instance!(card_12, "card-12", [], from None);
instance!(card_13, "card-13", [], from None);
instance!(card_20, "card-20", [], from None);
instance!(card_33, "card-33", [], from None);

// Narrow boxes with several parts: forward from a board with its grey blocks in canonical place,
// from one without, and from a board that is its own image.
instance!(
    few_of_each, "box", [("grey", "0..1"), ("blue", "0..1"), ("green", "0..1")],
    from Some("g..../...../..Ob./...../....#")
);
instance!(
    two_greens, "box", [("grey", "1"), ("blue", "1"), ("green", "0..2")],
    from Some("#...g/...../b.O../...../...g.")
);
instance!(
    two_greys, "box", [("grey", "2"), ("blue", "0"), ("green", "0..1")],
    from Some("...../.#.../..O../...../.#..g")
);
instance!(
    no_grey, "box", [("grey", "0"), ("blue", "0..1"), ("green", "0..2")],
    from Some("g...g/...../..O../...../.....")
);

/// The board of section 3.1 as printed: too large for every cell.
mod thesis {
    use super::*;

    const CASE: Case = Case {
        library: tilt,
        instance: "thesis",
        settings: &[],
        from: None,
    };

    #[test]
    fn backward_hash_dense_and_sweep_agree() {
        let cells = [
            ("hash", "bitboard", 2),
            ("dense", "bitboard", 1),
            ("dense", "reference", 2),
        ];
        let sweep = CASE.tables(Direction::Backward, ("sweep", "bitboard", 1));
        for cell in cells {
            assert_eq!(CASE.tables(Direction::Backward, cell), sweep, "{cell:?}");
        }
    }

    mod forward {
        use super::*;
        general_engines!(Forward);
    }
}

/// Coin sliding: one part, directed (few of its moves can be undone at once). 12,870 boards.
mod coins {
    use super::*;

    const CASE: Case = Case {
        library: coin_sliding,
        instance: "custom",
        settings: &[("coins", "8"), ("to", "o.o./.o.o/o.o./.o.o")],
        from: Some("oo../oo../..oo/..oo"),
    };

    mod forward {
        use super::*;
        general_engines!(Forward);
    }

    mod backward {
        use super::*;
        general_engines!(Backward);
    }

    /// Lists of at most 4,096 ranks: levels outgrow them here and shrink again, so the frontier
    /// switches to a scan and back.
    mod wide {
        use super::*;

        const CASE: Case = Case {
            library: coin_sliding,
            instance: "custom",
            settings: &[("width", "5"), ("height", "5"), ("coins", "7")],
            from: Some("o.o.o/...../o.o../...../o...o"),
        };

        static ORACLE: LazyLock<String> =
            LazyLock::new(|| CASE.tables(Direction::Forward, ("hash", "bitboard", 1)));

        #[test]
        fn levels_are_longer_than_a_list_and_shorter_again() {
            let levels: Vec<u64> = ORACLE
                .lines()
                .skip(1)
                .map_while(|row| row.split(',').nth(1)?.parse().ok())
                .collect();
            let widest = levels.iter().max().unwrap();
            assert!(
                *widest > 4096 && levels.last().unwrap() * 4 < 4096,
                "{levels:?}"
            );
        }

        #[test]
        fn dense_goes_from_list_to_scan_and_back_with_every_table_on_1_and_2_threads() {
            for table in ["byte", "two-bits", "bit"] {
                for threads in [1, 2] {
                    let how = format!("dense {table} auto");
                    let found = CASE.tables(Direction::Forward, (&how, "bitboard", threads));
                    assert_eq!(found, *ORACLE, "{how}, {threads} threads");
                }
            }
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

#[test]
fn an_engine_that_does_not_fit_says_why() {
    let refused = |way, name: &str, variant: &str| {
        let mut request = request(&tilt(), "card-2", &[]);
        request.direction = Some(way);
        request.engine = engine(name);
        request.variant = Some(variant.to_owned());
        try_analyse(&request).unwrap_err().to_string()
    };
    assert_eq!(
        refused(Direction::Forward, "sweep", "bitboard"),
        "tilt/card-2: sweep works backward only"
    );
    assert_eq!(
        refused(Direction::Backward, "sweep", "reference"),
        "tilt/card-2: variant reference has no inner loop of its own for this instance"
    );
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
