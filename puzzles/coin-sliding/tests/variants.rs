//! Moves found by hand, draws and walks through hubs, beyond the contract that the suite of
//! `antipode-check` tests, in which both variants agree.

use antipode_coin_sliding::{Bits, Rules};
use puzzle_api::optional::*;
use puzzle_api::{Direction, Puzzle, Xorshift};

fn open<P: Puzzle>(instance: &str, pairs: &[(&str, &str)]) -> P {
    P::opened(instance, pairs).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn a_coin_goes_only_where_two_other_coins_lie_beside() {
    let moves = |coins: &str, text: &str| -> Vec<String> {
        let pairs = [("width", "3"), ("height", "3"), ("coins", coins)];
        let rules: Rules = open("custom", &pairs);
        let state = rules.parse(text).unwrap();
        let mut names = Vec::new();
        rules.successors(&state, &mut |next| {
            names.push(rules.describe_move(&state, &next).unwrap());
        });
        names.sort();
        names
    };
    // a1 may not go to b1: only b2 would be left next to it. Nor b2 to c2, or c3 to c2.
    let expected = [
        "a1 to a2", "a1 to b3", "a1 to c2", "a3 to a2", "a3 to b1", "a3 to b3", "a3 to c2",
        "b2 to a2", "b2 to b3", "c3 to a2", "c3 to b1", "c3 to b3",
    ];
    assert_eq!(moves("4", "o../.o./o.o"), expected);
    // b1 has two coins next to it, but the coin on it may not be put back there.
    assert_eq!(moves("3", "oo./.o./..."), ["b1 to a2"]);
    assert!(moves("3", "ooo/.../...").is_empty());
}

#[test]
fn random_boards_reach_every_cell_evenly() {
    let bits: Bits = open("5x7", &[]);
    let mut coins = [0_u32; 35];
    for index in 0..20_000 {
        let key = bits.random(&mut Xorshift::for_draw(11, index)).unwrap();
        assert!(bits.place(&key).unwrap().rank < bits.space(0).unwrap());
        for (cell, count) in coins.iter_mut().enumerate() {
            *count += (key >> cell & 1) as u32;
        }
    }
    // 12/35 of 20,000 is 6,857; five standard deviations are 336.
    let even = coins.iter().all(|count| count.abs_diff(6_857) < 336);
    assert!(even, "{coins:?}");
}

/// Lengths are confirmed if the searches and this walk agree.
#[test]
fn the_walk_through_hubs_shares_no_code_with_the_moves() {
    for text in [
        include_str!("../src/hubs.rs"),
        include_str!("../src/hubs/flow.rs"),
    ] {
        for other in ["bitboard", "neighbours", "Pieces", "Steps"] {
            assert!(!text.contains(other), "{other}");
        }
    }
}

#[test]
fn a_walk_for_some_boards_alone_can_be_stopped() {
    let bits: Bits = open("5x7", &[]);
    let mut asked = 0;
    // The first batch comes long before the other letter is met.
    let board = |text: &str| bits.parse(text).unwrap();
    let (from, to) = (board("A"), board("B"));
    bits.sweep(Direction::Forward, Some(&from), 0, &[to], &mut |swept| {
        assert!(swept.keys.is_empty());
        asked += 1;
        false
    });
    assert_eq!(asked, 1);
}

#[test]
fn a_walk_through_hubs_stops_and_takes_what_it_says() {
    let bits: Bits = open("custom", &[("from", "o.o./.oo./oo../....")]);
    let mut shown = 0;
    bits.sweep(Direction::Forward, None, 0, &[], &mut |swept| {
        shown += swept.keys.len();
        shown < 10
    });
    assert!((10..8_008).contains(&shown), "{shown}");
    assert_eq!(bits.sweeps(Direction::Backward, None), None);
    // 18.9 GiB: a bit per board, three per hub, and the blocks.
    let bits: Bits = open("5x9", &[("from", "A")]);
    let bytes = bits.sweeps(Direction::Forward, None).unwrap();
    assert!((19_910_000_000..21_000_000_000).contains(&bytes), "{bytes}");
    let bits: Bits = open("custom", &[("width", "8"), ("height", "8"), ("coins", "3")]);
    assert_eq!(bits.sweeps(Direction::Forward, Some(&7)), None);
}
