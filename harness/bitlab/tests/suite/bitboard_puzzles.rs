//! Y reduction and packing against their twins.

use antipode_bitlab::bitboard::naive;
use antipode_bitlab::bitboard::packing::{self, Cube, Packing, SOMA};
use antipode_bitlab::bitboard::printed::{self, PackingFixes};
use antipode_bitlab::bitboard::y::{Colour, YBoard};
use proptest::prelude::*;

fn fill(side: usize, mut owner: impl FnMut() -> Option<Colour>) -> YBoard {
    let mut board = YBoard::new(side).expect("a side of 1 to 32");
    for (c, r) in board.cells() {
        assert!(board.set(c, r, owner()));
    }
    board
}

fn check_winner(board: &YBoard) {
    let cells = naive::y::triangle(board);
    let winner = board.winner();
    assert_eq!(naive::y::winner_by_reduction(&cells), winner);
    assert_eq!(naive::y::UnionFind::default().winner(&cells), winner);
}

fn colour(code: u64) -> Option<Colour> {
    [None, Some(Colour::White), Some(Colour::Black)][(code % 3) as usize]
}

#[test]
fn y_reduction_finds_the_connection_on_every_small_board() {
    for side in 1..=4 {
        let cells = side * (side + 1) / 2;
        for code in 0..3_u64.pow(cells as u32) {
            let mut rest = code;
            check_winner(&fill(side, || {
                let owner = colour(rest);
                rest /= 3;
                owner
            }));
        }
    }
}

#[test]
fn y_boards_refuse_what_is_off_them() {
    assert!(YBoard::new(0).is_none() && YBoard::new(33).is_none());
    let mut board = YBoard::new(5).expect("side 5");
    assert!(!board.set(2, 3, Some(Colour::White)));
    assert!(!board.set(usize::MAX, 0, None));
    assert_eq!(board.get(0, usize::MAX), None);
}

proptest! {
    #[test]
    fn y_reduction_agrees_on_random_boards(side in 1_usize..=32, seed in any::<u64>(), full in any::<bool>()) {
        let mut state = seed;
        check_winner(&fill(side, || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if full { colour(1 + (state >> 63)) } else { colour(state >> 40) }
        }));
    }
}

/// A flat box as a puzzle, its bits laid over `N` words from `first` up.
fn flat<const N: usize>(size: Cube, pieces: &[&[Cube]], first: usize) -> Packing<N> {
    let placed = pieces
        .iter()
        .map(|piece| packing::placements::<N>(size, piece));
    let raise = |piece: Vec<_>| piece.into_iter().map(|p| p << first).collect();
    let volume = size.iter().product::<usize>();
    let mask = (first..first + volume).collect();
    Packing::new(mask, placed.map(raise).collect()).expect("few pieces")
}

const DOMINO: &[Cube] = &[[0, 0, 0], [1, 0, 0]];
const BAR: &[Cube] = &[[0, 0, 0], [1, 0, 0], [2, 0, 0]];
const CORNER: &[Cube] = &[[0, 0, 0], [1, 0, 0], [0, 1, 0]];

#[test]
fn packings_agree_with_trial_and_error() {
    let cases: [(Cube, &[&[Cube]]); 5] = [
        ([2, 2, 2], &[DOMINO; 4]),
        ([3, 3, 1], &[BAR; 3]),
        ([3, 2, 2], &[BAR, BAR, CORNER, CORNER]),
        ([4, 3, 1], &[DOMINO, DOMINO, DOMINO, BAR, BAR]),
        ([3, 3, 1], &[DOMINO, BAR, CORNER]),
    ];
    for (size, pieces) in cases {
        let expected = naive::packing::count(size, pieces);
        assert_eq!(flat::<1>(size, pieces, 0).count(), expected, "{size:?}");
        // The same bits across the boundary of two words.
        let wide = flat::<2>(size, pieces, 60);
        assert_eq!(wide.count(), expected, "{size:?}");
        assert_eq!(wide.count_without_pruning(), expected, "{size:?}");
        let corrected = PackingFixes {
            critical_excludes_occupied: true,
            playable_equals_remaining: true,
        };
        assert_eq!(
            printed::count_packings(&wide, corrected),
            expected,
            "{size:?}"
        );
    }
}

#[test]
fn soma_by_three_searches() {
    let cubes: usize = SOMA.iter().map(|piece| piece.len()).sum();
    assert_eq!(cubes, 27);
    let expected = naive::packing::count([3, 3, 3], &SOMA);
    assert_eq!(packing::soma().count(), expected);
    assert_eq!(packing::soma().count_without_pruning(), expected);
    let screws = packing::soma().pieces()[4..6]
        .iter()
        .map(Vec::len)
        .collect::<Vec<_>>();
    assert_eq!(screws, [96, 96]);
    assert_eq!(expected % 48, 0);
    assert_eq!(packing::distinct_soma_packings() as u64 * 48, expected);
}

#[test]
fn too_many_pieces_or_too_large_a_box_is_refused() {
    use antipode_bitlab::bitboard::Board;
    assert!(Packing::<1>::new(Board::FULL, vec![Vec::new(); 65]).is_none());
    assert!(packing::placements::<1>([5, 5, 5], DOMINO).is_empty());
    assert!(packing::placements::<1>([usize::MAX, 2, 2], DOMINO).is_empty());
    assert!(packing::placements::<1>([3, 3, 3], &[]).is_empty());
    assert!(packing::placements::<1>([3, 3, 3], &[[usize::MAX, 0, 0]]).is_empty());
    assert_eq!(naive::packing::count([usize::MAX; 3], &SOMA), 0);
    assert_eq!(
        Packing::<1>::new(Board::bit(0), Vec::new()).map(|p| p.count()),
        Some(0)
    );
}

#[test]
fn the_bedlam_cube_is_thirteen_pieces_that_fill_it() {
    let puzzle = packing::bedlam();
    let cells: usize = packing::BEDLAM.iter().map(|piece| piece.len()).sum();
    assert_eq!((puzzle.pieces().len(), cells), (13, 64));
    // No two pieces are the same: they would have the same placements.
    let different: std::collections::BTreeSet<_> = puzzle.pieces().iter().collect();
    assert_eq!(different.len(), 13);
    assert_eq!(puzzle.first(1), 1);
}
