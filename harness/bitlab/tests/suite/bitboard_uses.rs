//! The puzzles against their counts on arrays, and the cases against each
//! other before anybody times them.

use std::collections::BTreeSet;

use antipode_bitlab::bitboard::naive::games;
use antipode_bitlab::bitboard::uses::connect_four::ConnectFour;
use antipode_bitlab::bitboard::uses::{lights_out, othello};
use antipode_bitlab::bitboard::{Board, Direction, Geometry, Grid, Position, cases, life};

#[test]
fn othello_perft_agrees_with_arrays() {
    let board = othello::board().expect("64 bits");
    for depth in 0..=6 {
        let bits = othello::perft(&board, &othello::start(&board), depth);
        let arrays = games::othello_perft(&games::othello_start(), depth);
        assert_eq!((bits.full, bits.ended), arrays, "depth {depth}");
    }
}

/// Late positions, where passes and ends of games occur.
#[test]
fn othello_passes_and_ends_agree_with_arrays() {
    use antipode_bitlab::bitboard::naive::{Cells, position};
    let board = othello::board().expect("64 bits");
    let cells = std::sync::Arc::new(Cells::new(Grid::SquareDiagonal, 8, vec![true; 64]));
    let mut random = cases::Random(8);
    let mut passed = 0;
    for _ in 0..300 {
        // Five or so empty cells.
        let empty = random.bits() & random.bits() & random.bits::<1>() & random.bits();
        let player = random.bits::<1>() & board.mask() & !empty;
        let opponent = board.mask() & !empty & !player;
        let at = Position { player, opponent };
        let flags = |bits| board.to_cells(bits);
        let literal = position::Position::new(cells.clone(), &flags(player), &flags(opponent));
        for depth in 1..=3 {
            let bits = othello::perft(&board, &at, depth);
            assert_eq!(
                (bits.full, bits.ended),
                games::othello_perft(&literal, depth)
            );
            passed += u32::from(bits.ended > 0);
        }
    }
    assert!(
        passed > 50,
        "the sample has hardly any ends of games: {passed}"
    );
}

#[test]
fn connect_four_agrees_with_columns() {
    for (width, height, plies) in [(7, 6, 6), (4, 4, 16), (5, 4, 8), (2, 3, 7), (1, 6, 7)] {
        let bits = ConnectFour::new(width, height).expect("fits");
        let arrays = games::connect_four_positions(width, height, plies);
        let counted = bits.positions_by_ply(plies);
        assert_eq!(counted, arrays[..counted.len()], "{width}x{height}");
        assert!(arrays[counted.len()..].iter().all(|&n| n == 0));
    }
    assert!(ConnectFour::new(8, 8).is_err() && ConnectFour::new(usize::MAX, usize::MAX).is_err());
}

#[test]
fn lights_out_rank_agrees_with_enumeration() {
    for (width, height) in [(1, 1), (2, 3), (3, 3), (4, 4), (5, 3), (5, 4)] {
        for separators in 0..2 {
            let board = Geometry::new(Grid::Square, width, height, separators).expect("fits");
            let rank = lights_out::rank(&board);
            assert_eq!(
                lights_out::reachable_by_enumeration(&board),
                Some(1 << rank)
            );
        }
    }
    let large = Geometry::<1>::new(Grid::Square, 8, 8, 0).expect("fits");
    assert_eq!(lights_out::reachable_by_enumeration(&large), None);
    // 19x19, six words: no press is redundant on the board's rank alone.
    let go = Geometry::<6>::new(Grid::Square, 19, 19, 1).expect("fits");
    assert_eq!(lights_out::rank(&go), 345);
}

#[test]
fn a_glider_crosses_tori_of_any_size() {
    for (side, separators) in [(8, 0), (8, 1), (11, 1), (19, 1)] {
        let board = Geometry::<6>::new(Grid::SquareDiagonal, side, side, separators).expect("fits");
        let start = life::glider(&board, 0, 0);
        let step = |live: &Board<6>| Some(life::step_on_torus(&board, *live));
        let generations: Vec<_> = std::iter::successors(Some(start), step)
            .take(4 * side + 1)
            .collect();
        let distinct: BTreeSet<_> = generations[..4 * side].iter().collect();
        assert_eq!(distinct.len(), 4 * side, "{side}");
        assert_eq!(generations[4 * side], start, "{side}");
    }
    let live = cases::Random(9).word();
    assert_eq!(
        life::torus_shift(life::torus_shift(live, Direction::NE), Direction::SW),
        live
    );
}

#[test]
fn both_sides_of_every_case_give_the_same_results() {
    let mut all = cases::all().expect("the boards fit");
    all.push(cases::lines_against_neighbours(true).expect("fits"));
    all.extend([5, 32].into_iter().filter_map(cases::y_against_union_find));
    for case in &mut all {
        // Both walk through the same inputs in the same order. Through the
        // last move the longest line is at most the longest of all.
        let calls = if case.name.starts_with("soma") {
            1
        } else {
            200
        };
        for _ in 0..calls {
            let (bits, naive) = ((case.bits)(), (case.naive)());
            let last_move = case.name.starts_with("lines-last-move");
            assert!(bits == naive || last_move && naive <= bits, "{}", case.name);
        }
    }
}

#[test]
fn playouts_end_where_the_games_do() {
    use antipode_bitlab::bitboard::naive::{Cells, position::Position as Literal};
    use antipode_bitlab::bitboard::uses::playouts::{Ending, clobber, play_clobber, play_yavalath};
    let (board, start) = clobber().expect("a word");
    assert_eq!((start.player.count(), start.opponent.count()), (32, 32));
    let cells = std::sync::Arc::new(Cells::new(Grid::Square, 8, vec![true; 64]));
    let mut random = cases::Random(1);
    for _ in 0..200 {
        let (end, moves) = play_clobber(&board, &start, &mut random);
        assert_eq!(end.full().count() + moves, 64);
        let literal = Literal::new(
            cells.clone(),
            &board.to_cells(end.player),
            &board.to_cells(end.opponent),
        );
        for &d in board.grid().directions() {
            assert!(!literal.enemy_neighbours_towards(d).contains(&true));
        }
    }
    let board = Geometry::<2>::hexagon(5).expect("two words");
    let cells = Cells::new(Grid::Hexagonal, board.width(), board.to_cells(board.mask()));
    let mut seen = [false; 2];
    for _ in 0..200 {
        let (sides, ending) = play_yavalath(&board, &mut random);
        let longest = sides.map(|side| cells.line_length(&board.to_cells(side)));
        assert!(longest[1] <= 2);
        match ending {
            Ending::Won => assert!(longest[0] >= 4),
            Ending::Lost => assert_eq!(longest[0], 3),
            Ending::Drawn => assert_eq!((sides[0] | sides[1]).count(), 61),
        }
        seen[usize::from(ending == Ending::Lost)] = true;
    }
    assert_eq!(seen, [true; 2]);
}
