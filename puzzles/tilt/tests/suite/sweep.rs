//! The sweep compared with a search on the rulebook, which uses no ranks, lines or images of masks.

use std::collections::HashMap;

use antipode_tilt::board::{self, Board, Cell, SQUARES, key};
use antipode_tilt::instances::{Limits, Span};
use antipode_tilt::rules::{Tilt, tilt};
use antipode_tilt::sweep::{Scratch, sweep_part};
use antipode_tilt::symmetry::part_greys;
use puzzle_api::{UNSOLVABLE, Xorshift};

/// The number of distinct images, if the board is its canonical image.
fn canonical(board: &Board) -> Option<u32> {
    let order = |board: &Board| (board::mask(board, Cell::Grey), key(board));
    let mut all: Vec<_> = (0..8).map(|i| order(&board::image(board, i))).collect();
    all.sort_unstable();
    all.dedup();
    (all[0] == order(board)).then_some(all.len() as u32)
}

/// All ways to put `count` pieces of a kind on empty squares.
fn place(board: &Board, kind: Cell, count: u32, from: usize, found: &mut Vec<Board>) {
    if count == 0 {
        found.push(*board);
        return;
    }
    for square in from..SQUARES {
        if board[square] == Cell::Empty {
            let mut next = *board;
            next[square] = kind;
            place(&next, kind, count - 1, square + 1, found);
        }
    }
}

fn placements(grey: u32, limits: &Limits) -> Vec<Board> {
    let ground = board::grey_board(grey);
    let (mut with_blues, mut found) = (Vec::new(), Vec::new());
    for blues in limits.blue.min..=limits.blue.max {
        place(&ground, Cell::Blue, blues, 0, &mut with_blues);
    }
    for board in with_blues {
        for greens in 0..=limits.green.max {
            place(&board, Cell::Green, greens, 0, &mut found);
        }
    }
    found
}

/// Key to (distance, orbit size) of the canonical placements of a part.
fn literal_part(grey: u32, limits: &Limits) -> HashMap<u64, (u16, u32)> {
    let boards = placements(grey, limits);
    let number: HashMap<Board, usize> = boards.iter().copied().zip(0..).collect();
    let results: Vec<Vec<usize>> = boards
        .iter()
        .map(|board| {
            let all = Tilt::ALL.iter();
            all.filter_map(|&towards| Some(number[&tilt(board, towards)?]))
                .collect()
        })
        .collect();
    let mut distance: Vec<u16> = boards
        .iter()
        .map(|board| match board.contains(&Cell::Green) {
            true => UNSOLVABLE,
            false => 0,
        })
        .collect();
    for level in 1.. {
        let previous = distance.clone();
        let mut changed = false;
        for (board, results) in results.iter().enumerate() {
            if distance[board] == UNSOLVABLE && results.iter().any(|&r| previous[r] == level - 1) {
                distance[board] = level;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    boards
        .iter()
        .zip(distance)
        .filter_map(|(board, distance)| Some((key(board), (distance, canonical(board)?))))
        .collect()
}

fn swept_part(grey: u32, limits: &Limits, scratch: &mut Scratch) -> HashMap<u64, (u16, u32)> {
    let mut found = HashMap::new();
    let finished = sweep_part(grey, limits, scratch, &mut |keys, depths, orbit| {
        assert!(keys.len() == depths.len() && keys.len() <= 2048 && !keys.is_empty());
        for (&key, &depth) in keys.iter().zip(depths) {
            assert_eq!(
                found.insert(key, (depth, orbit)),
                None,
                "{key:#x} came twice"
            );
        }
        true
    });
    assert!(finished);
    found
}

fn assert_part(grey: u32, limits: &Limits, scratch: &mut Scratch) {
    let expected = literal_part(grey, limits);
    let found = swept_part(grey, limits, scratch);
    assert_eq!(found.len(), expected.len(), "grey {grey:#x} {limits:?}");
    for (key, expected) in &expected {
        assert_eq!(
            found.get(key),
            Some(expected),
            "grey {grey:#x} key {key:#x}"
        );
    }
}

fn limits(fewest: u32, most: u32, greens: u32) -> Limits {
    Limits {
        blue: Span::new(fewest, most),
        green: Span::new(0, greens),
        ..Limits::BOX
    }
}

#[test]
fn agrees_with_the_literal_twin_on_random_greys() {
    let mut scratch = Scratch::new();
    let mut random = Xorshift::for_draw(1, 0);
    let few = (0..=6).map(|greys| (greys, 6, limits(0, 2, 2)));
    for (greys, draws, limits) in few.chain([(6, 2, limits(3, 4, 2))]) {
        let parts = part_greys(greys, greys);
        for _ in 0..draws {
            let grey = parts[random.below(parts.len() as u64) as usize];
            assert_part(grey, &limits, &mut scratch);
        }
    }
}

#[test]
fn agrees_with_the_literal_twin_on_symmetric_greys() {
    let symmetric =
        |grey: &u32| canonical(&board::grey_board(*grey)).is_some_and(|orbit| orbit < 8);
    let mut random = Xorshift::for_draw(1, 0);
    let mut scratch = Scratch::new();
    let parts: Vec<u32> = part_greys(0, 6).into_iter().filter(symmetric).collect();
    for _ in 0..25 {
        let grey = parts[random.below(parts.len() as u64) as usize];
        assert_part(grey, &limits(0, 2, 2), &mut scratch);
    }
    let square = 1 | 1 << 4 | 1 << 20 | 1 << 24;
    assert_part(square, &limits(0, 3, 2), &mut scratch);
}

#[test]
fn agrees_with_the_literal_twin_on_crowded_boards_and_under_other_limits() {
    let mut scratch = Scratch::new();
    for greys in [14, 18, 23, 24] {
        for grey in part_greys(greys, greys).into_iter().rev().take(4) {
            assert_part(grey, &limits(0, 10, 2), &mut scratch);
        }
    }
    let others = [(1, 1, 2), (2, 3, 1), (0, 3, 0), (2, 1, 2)];
    for grey in part_greys(5, 5).into_iter().step_by(997) {
        for (fewest, most, greens) in others {
            assert_part(grey, &limits(fewest, most, greens), &mut scratch);
        }
    }
}

#[test]
fn orbit_sizes_add_up_to_the_size_of_the_box() {
    let choose = |n: u64, k: u64| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    let mut scratch = Scratch::new();
    for (greys, blues) in [(0, 4), (1, 3), (2, 2), (3, 2), (4, 1), (6, 0)] {
        let mut placements = 0;
        for grey in part_greys(greys, greys) {
            sweep_part(
                grey,
                &limits(0, blues, 2),
                &mut scratch,
                &mut |keys, _, orbit| {
                    placements += keys.len() as u64 * u64::from(orbit);
                    true
                },
            );
        }
        let (a, open) = (u64::from(greys), 24 - u64::from(greys));
        let expected: u64 = (0..=u64::from(blues))
            .flat_map(|b| (0..=2).map(move |c| (b, c)))
            .map(|(b, c)| choose(24, a) * choose(open, b) * choose(open - b, c))
            .sum();
        assert_eq!(placements, expected, "{greys} greys, up to {blues} blues");
    }
}

#[test]
fn parts_are_the_canonical_greys_in_order() {
    let parts = part_greys(0, 6);
    assert!(parts.is_sorted_by_key(|grey| (grey.count_ones(), *grey)));
    // Burnside: fixed sets of each size by cycle type on the 24 squares.
    let choose = |n: usize, k: usize| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    let expected = |size: usize| {
        let whole = |cycle: usize| {
            let fixed = choose(24 / cycle, size / cycle);
            if size.is_multiple_of(cycle) { fixed } else { 0 }
        };
        let reflected: usize = (0..=size / 2)
            .filter(|pairs| size - 2 * pairs <= 4)
            .map(|pairs| choose(10, pairs) * choose(4, size - 2 * pairs))
            .sum();
        (whole(1) + whole(2) + 2 * whole(4) + 4 * reflected) / 8
    };
    for size in 0..=6 {
        let of_size = |grey: &&u32| grey.count_ones() as usize == size;
        assert_eq!(parts.iter().filter(of_size).count(), expected(size));
    }
}

#[test]
fn a_refused_batch_stops_the_sweep_and_leaves_no_trace() {
    let mut scratch = Scratch::new();
    let mut calls = 0;
    let finished = sweep_part(7, &limits(0, 2, 2), &mut scratch, &mut |_, _, _| {
        calls += 1;
        false
    });
    assert!(!finished);
    assert_eq!(calls, 1);
    assert_part(1 << 6, &limits(0, 1, 2), &mut scratch);
}
