use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use puzzle_api::rank::subsets;
use puzzle_api::{Puzzle, Sweep, Symmetry};

use super::*;
use crate::{Bits, rules};

fn shape(width: u32, height: u32, coins: u32) -> Shape {
    Shape::new(width, height, coins).unwrap()
}

/// Boards after one move, or before one move, by the rulebook.
fn moves(shape: &Shape, way: Direction, coins: u64) -> BTreeSet<u64> {
    let board = rules::board(shape, coins);
    let cells = || 0..board.len();
    let pairs = cells().flat_map(|from| cells().map(move |to| (from, to)));
    match way {
        Direction::Forward => pairs
            .filter_map(|(from, to)| rules::slide(shape, &board, from, to))
            .map(|next| rules::mask(&next))
            .collect(),
        Direction::Backward => pairs
            .filter(|&(from, to)| board[to] && !board[from])
            .map(|(from, to)| coins ^ 1 << from ^ 1 << to)
            .filter(|&before| moves(shape, Direction::Forward, before).contains(&coins))
            .collect(),
    }
}

/// Distances by the rulebook, one board after another.
fn by_rules(shape: &Shape, way: Direction, roots: &[u64]) -> BTreeMap<u64, u16> {
    let mut found = BTreeMap::new();
    let mut level: BTreeSet<u64> = roots.iter().copied().collect();
    for depth in 0.. {
        found.extend(level.iter().map(|&board| (board, depth)));
        level = level
            .iter()
            .flat_map(|&board| moves(shape, way, board))
            .collect();
        level.retain(|board| !found.contains_key(board));
        if level.is_empty() {
            break;
        }
    }
    if way == Direction::Backward {
        for board in subsets::all(shape.cells(), shape.coins) {
            found.entry(board).or_insert(UNSOLVABLE);
        }
    }
    found
}

/// Distances by the walk.
fn by_hubs(shape: &Shape, low: u32, way: Direction, roots: &[u64]) -> BTreeMap<u64, u16> {
    let tables = Tables::of(shape, low);
    let mut found = BTreeMap::new();
    sweep(
        &tables,
        None,
        way,
        roots,
        way == Direction::Backward,
        &mut |swept| {
            for (&board, &depth) in swept.keys.iter().zip(swept.depths) {
                assert_eq!(found.insert(board, depth), None, "delivered twice");
            }
            true
        },
    );
    found
}

/// With symmetries that keep the root, its orbits; else each board alone.
#[test]
fn a_walk_from_a_board_is_the_rulebooks() {
    let given = [
        ("coins", "4"),
        ("from", "o..o/..../..../o..o"),
        ("to", "..../.oo./.oo./...."),
    ];
    let bits = Bits::opened("custom", &given).unwrap();
    let shape = shape(4, 4, 4);
    let own = [0b1001_0000_0000_1001, 0b0110_0110_0000];
    for root in subsets::all(16, 4).step_by(301).chain(own) {
        for way in WAYS {
            let mut known = by_rules(&shape, way, &[root]);
            known.retain(|_, depth| *depth != UNSOLVABLE);
            let (mut boards, mut most) = (0, 0);
            bits.sweep(way, Some(&root), 0, &[], &mut |swept| {
                for (key, depth) in swept.keys.iter().zip(swept.depths) {
                    assert_eq!(known.get(key), Some(depth));
                    assert!(swept.orbit_size == 1 || bits.canonical(key) == *key);
                    boards += swept.orbit_size as usize;
                }
                most = most.max(swept.orbit_size);
                true
            });
            assert_eq!(boards, known.len(), "{root:x} {way:?}");
            assert_eq!(most > 1, own.contains(&root) && boards > 1);
        }
    }
}

const WAYS: [Direction; 2] = [Direction::Forward, Direction::Backward];

/// A board of up to 14 cells with roots on it, and a number of low cells.
fn any_case() -> impl Strategy<Value = (Shape, u32, Vec<u64>)> {
    let shapes = (1..=7_u32, 1..=14_u32)
        .prop_filter("small", |(width, height)| width * height <= 14)
        .prop_flat_map(|(width, height)| {
            (1..=width * height).prop_map(move |coins| shape(width, height, coins))
        });
    (
        shapes,
        1..=20_u32,
        prop::collection::vec(any::<prop::sample::Index>(), 1..3),
    )
        .prop_map(|(shape, low, roots)| {
            let all: Vec<u64> = subsets::all(shape.cells(), shape.coins).collect();
            (
                shape,
                low,
                roots.iter().map(|root| *root.get(&all)).collect(),
            )
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// With any boundary between low and high cells.
    #[test]
    fn levels_are_those_of_the_rulebook((shape, low, roots) in any_case()) {
        for way in WAYS {
            prop_assert_eq!(by_hubs(&shape, low, way, &roots), by_rules(&shape, way, &roots));
        }
    }

    /// Only some boards are shown, each at its distance, and none that cannot be met.
    #[test]
    fn boards_are_met_at_their_distance((shape, low, roots) in any_case(), picked: [u8; 5]) {
        let tables = Tables::of(&shape, low);
        for way in WAYS {
            let mut known = by_rules(&shape, way, &roots);
            known.retain(|_, depth| *depth != UNSOLVABLE);
            let all: Vec<u64> = subsets::all(shape.cells(), shape.coins).collect();
            let only: BTreeSet<u64> = picked.iter().map(|&at| all[usize::from(at) % all.len()]).collect();
            known.retain(|board, _| only.contains(board));
            let mut found = BTreeMap::new();
            let only: Vec<u64> = only.into_iter().collect();
            meet(&tables, way, &roots, &only, &mut |swept| {
                let met = swept.keys.iter().copied().zip(swept.depths.iter().copied());
                met.for_each(|(board, depth)| assert_eq!(found.insert(board, depth), None));
                true
            });
            prop_assert_eq!(found, known);
        }
    }

    /// Coins lifted and put within a block, against single boards.
    #[test]
    fn a_block_flows_as_its_boards_do(
        (shape, low, _) in any_case(), above: u64, marks: [u64; 64], bound: bool,
    ) {
        let tables = Tables::of(&shape, low);
        let (low, cells) = (tables.low, low_bits(tables.low));
        let above = above & shape.mask() & !cells;
        let next_to = |cell: u32, coins: u64| (tables.beside[cell as usize] & coins).count_ones() >= 2;
        for coins in 1..=low {
            let (hubs, boards) = (&tables.sets[coins as usize - 1], &tables.sets[coins as usize]);
            let drawn = |sets: &[u32]| {
                let mut bits = marks.to_vec();
                bits[sets.len() / 64] &= low_bits(sets.len() as u32 % 64);
                bits[sets.len() / 64 + 1..].fill(0);
                bits
            };
            let at = At { cells: low, coins, hub: 0, board: 0, above };
            let is_set = |bits: &[u64], at: usize| bits[at / 64] >> (at % 64) & 1 == 1;
            for lift in [false, true] {
                let mut bits = [drawn(hubs), drawn(boards)];
                bits[usize::from(!lift)].fill(0);
                let [from_hubs, from_boards] = bits.clone();
                let [to_hubs, to_boards] = &mut bits;
                let mut pair = Pair { hubs: to_hubs, boards: to_boards };
                match lift {
                    true => tables.flow::<true>(&mut pair, at, bound),
                    false => tables.flow::<false>(&mut pair, at, bound),
                }
                let mut expected = [from_hubs.clone(), from_boards.clone()];
                for (h, &hub) in hubs.iter().enumerate() {
                    for (b, &board) in boards.iter().enumerate() {
                        let coin = board & !hub;
                        if coin.count_ones() != 1 || bound && !next_to(coin.trailing_zeros(), above | u64::from(hub)) {
                            continue;
                        }
                        if lift && is_set(&from_boards, b) {
                            expected[0][h / 64] |= 1 << (h % 64);
                        } else if !lift && is_set(&from_hubs, h) {
                            expected[1][b / 64] |= 1 << (b % 64);
                        }
                    }
                }
                prop_assert_eq!(&bits, &expected);
            }
        }
    }
}
