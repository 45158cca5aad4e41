//! The sweep compared with a literal twin: cells, blocks that slide step by step, and a search that
//! uses no ranks, lines or images.

use std::collections::HashMap;

use antipode_tilt::sweep::{Limits, Scratch, UNSOLVABLE, part_greys, sweep_part};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Cell {
    Empty,
    Grey,
    Blue,
    Green,
}

type Board = [Cell; 25];

const HOLE: usize = 12;
const TILTS: [(i32, i32); 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];

fn neighbour(square: usize, (down, right): (i32, i32)) -> Option<usize> {
    let row = (square / 5) as i32 + down;
    let column = (square % 5) as i32 + right;
    ((0..5).contains(&row) && (0..5).contains(&column)).then_some((row * 5 + column) as usize)
}

/// One tilt in steps of one square; `None` if a blue falls.
fn tilt(mut board: Board, towards: (i32, i32)) -> Option<Board> {
    loop {
        let mut moved = false;
        for square in 0..25 {
            if !matches!(board[square], Cell::Blue | Cell::Green) {
                continue;
            }
            let Some(next) = neighbour(square, towards) else {
                continue;
            };
            if next == HOLE {
                if board[square] == Cell::Blue {
                    return None;
                }
                board[square] = Cell::Empty;
                moved = true;
            } else if board[next] == Cell::Empty {
                board.swap(square, next);
                moved = true;
            }
        }
        if !moved {
            return Some(board);
        }
    }
}

fn key(board: &Board) -> u64 {
    let mask = |kinds: [Cell; 2]| {
        (0..25)
            .filter(|&s| kinds.contains(&board[s]))
            .fold(0u64, |mask, s| mask | 1 << s)
    };
    mask([Cell::Grey, Cell::Blue]) << 25 | mask([Cell::Grey, Cell::Green])
}

fn grey_mask(board: &Board) -> u32 {
    (0..25)
        .filter(|&s| board[s] == Cell::Grey)
        .fold(0, |mask, s| mask | 1 << s)
}

fn turned(board: &Board) -> Board {
    std::array::from_fn(|s| board[5 * (s % 5) + 4 - s / 5])
}

fn mirrored(board: &Board) -> Board {
    std::array::from_fn(|s| board[5 * (s / 5) + 4 - s % 5])
}

fn images(board: &Board) -> Vec<Board> {
    let mut images = vec![*board, mirrored(board)];
    for _ in 0..3 {
        let last = images[images.len() - 2];
        images.push(turned(&last));
        images.push(mirrored(&turned(&last)));
    }
    images
}

/// The key if the board is its canonical image, and the number of distinct images.
fn canonical(board: &Board) -> Option<u32> {
    let own = (grey_mask(board), key(board));
    let mut all: Vec<(u32, u64)> = images(board)
        .iter()
        .map(|image| (grey_mask(image), key(image)))
        .collect();
    all.sort_unstable();
    all.dedup();
    (all[0] == own).then_some(all.len() as u32)
}

/// All ways to put `count` pieces of a kind on empty squares.
fn place(board: &Board, kind: Cell, count: u8, from: usize, found: &mut Vec<Board>) {
    if count == 0 {
        found.push(*board);
        return;
    }
    for square in from..25 {
        if square != HOLE && board[square] == Cell::Empty {
            let mut next = *board;
            next[square] = kind;
            place(&next, kind, count - 1, square + 1, found);
        }
    }
}

fn placements(grey: u32, limits: &Limits) -> Vec<Board> {
    let ground: Board = std::array::from_fn(|s| {
        if grey >> s & 1 == 1 {
            Cell::Grey
        } else {
            Cell::Empty
        }
    });
    let mut found = Vec::new();
    for blues in limits.blue.0..=limits.blue.1 {
        let mut with_blues = Vec::new();
        place(&ground, Cell::Blue, blues, 0, &mut with_blues);
        for board in with_blues {
            for greens in 0..=limits.green_max {
                place(&board, Cell::Green, greens, 0, &mut found);
            }
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
            TILTS
                .iter()
                .filter_map(|&towards| tilt(*board, towards).map(|result| number[&result]))
                .collect()
        })
        .collect();
    let mut distance: Vec<u16> = boards
        .iter()
        .map(|board| {
            if board.contains(&Cell::Green) {
                UNSOLVABLE
            } else {
                0
            }
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

/// A fixed stream of numbers (xorshift), so that failures repeat.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

fn limits(fewest: u8, most: u8, green_max: u8) -> Limits {
    Limits {
        blue: (fewest, most),
        green_max,
    }
}

#[test]
fn agrees_with_the_literal_twin_on_random_greys() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut scratch = Scratch::new();
    for greys in 0..=6 {
        let parts = part_greys(greys, greys);
        for _ in 0..6 {
            let grey = parts[numbers.below(parts.len())];
            assert_part(grey, &limits(0, 2, 2), &mut scratch);
        }
    }
}

#[test]
fn agrees_with_the_literal_twin_on_four_blues() {
    let mut numbers = Numbers(0xD1B5_4A32_D192_ED03);
    let mut scratch = Scratch::new();
    let parts = part_greys(6, 6);
    for _ in 0..2 {
        let grey = parts[numbers.below(parts.len())];
        assert_part(grey, &limits(3, 4, 2), &mut scratch);
    }
}

#[test]
fn agrees_with_the_literal_twin_on_symmetric_greys() {
    let symmetric = |grey: &u32| {
        let board = std::array::from_fn(|s| {
            if grey >> s & 1 == 1 {
                Cell::Grey
            } else {
                Cell::Empty
            }
        });
        canonical(&board).is_some_and(|orbit| orbit < 8)
    };
    let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
    let mut scratch = Scratch::new();
    let parts: Vec<u32> = part_greys(0, 6).into_iter().filter(symmetric).collect();
    for _ in 0..25 {
        let grey = parts[numbers.below(parts.len())];
        assert_part(grey, &limits(0, 2, 2), &mut scratch);
    }
    let square = 1 | 1 << 4 | 1 << 20 | 1 << 24;
    assert_part(square, &limits(0, 3, 2), &mut scratch);
}

#[test]
fn agrees_with_the_literal_twin_on_crowded_boards() {
    let mut scratch = Scratch::new();
    for greys in [14, 18, 23, 24] {
        for grey in part_greys(greys, greys).into_iter().rev().take(4) {
            assert_part(grey, &limits(0, 10, 2), &mut scratch);
        }
    }
}

#[test]
fn agrees_with_the_literal_twin_under_other_limits() {
    let mut scratch = Scratch::new();
    for grey in part_greys(5, 5).into_iter().step_by(997) {
        for limits in [
            limits(1, 1, 2),
            limits(2, 3, 1),
            limits(0, 3, 0),
            limits(2, 1, 2),
        ] {
            assert_part(grey, &limits, &mut scratch);
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
