//! Every algorithm against its literal twin, on every grid, on boards of one
//! word and of several, with and without separating bits.

use std::sync::Arc;

use antipode_bitlab::bitboard::naive::position::{Piece, Position as Literal};
use antipode_bitlab::bitboard::naive::{self, Cells};
use antipode_bitlab::bitboard::{
    Board, Direction, Geometry, Grid, Position, filters, life, morphology, queries, updates,
};
use proptest::prelude::*;

/// Width and height; 19 by 19 takes six words, 11 by 11 two or three.
const SIZES: [(usize, usize); 9] = [
    (1, 1),
    (1, 6),
    (9, 1),
    (5, 5),
    (7, 6),
    (8, 8),
    (11, 11),
    (19, 19),
    (3, 20),
];

type B = Board<6>;

/// A geometry and the array board that should behave like it.
struct Pair {
    bits: Geometry<6>,
    cells: Arc<Cells>,
}

fn pair(bits: Geometry<6>) -> Pair {
    let on_board = bits.to_cells(bits.mask());
    let cells = Arc::new(Cells::new(bits.grid(), bits.width(), on_board));
    Pair { bits, cells }
}

fn boards() -> Vec<Pair> {
    let mut all = Vec::new();
    for (width, height) in SIZES {
        for grid in Grid::ALL {
            for separators in 0..3 {
                // 19 rows of 21 bits are more than six words hold.
                all.extend(Geometry::new(grid, width, height, separators));
            }
        }
    }
    all.extend((1..9).filter_map(|side| Geometry::hexagon(side).ok()));
    all.extend((1..12).filter_map(|side| Geometry::triangle(side).ok()));
    // A ragged shape: every fourth cell is missing.
    let ragged = |x: usize, y: usize| (3 * x + 5 * y) % 4 != 1;
    for grid in Grid::ALL {
        all.extend(Geometry::shaped(grid, 9, 9, 0, ragged));
        all.extend(Geometry::shaped(grid, 9, 9, 1, ragged));
    }
    all.into_iter().map(pair).collect()
}

fn any_board() -> impl Strategy<Value = Arc<Pair>> {
    let all: Vec<_> = boards().into_iter().map(Arc::new).collect();
    proptest::sample::select(all)
}

impl std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (grid, pitch) = (self.bits.grid(), self.bits.pitch());
        write!(
            f,
            "{grid:?} {}x{} pitch {pitch}",
            self.bits.width(),
            self.bits.height()
        )
    }
}

impl Pair {
    fn masked(&self, words: [u64; 6]) -> B {
        Board::from_words(words) & self.bits.mask()
    }

    fn position(&self, a: [u64; 6], b: [u64; 6]) -> Position<6> {
        let player = self.masked(a);
        Position {
            player,
            opponent: self.masked(b) & !player,
        }
    }

    fn literal(&self, at: &Position<6>) -> Literal {
        Literal::new(
            self.cells.clone(),
            &self.bits.to_cells(at.player),
            &self.bits.to_cells(at.opponent),
        )
    }

    fn same(&self, bits: B, cells: &[bool]) {
        assert_eq!(bits & !self.bits.mask(), Board::EMPTY, "bits off the board");
        assert_eq!(
            self.bits.to_cells(bits),
            cells,
            "\n{}",
            self.bits.draw(bits)
        );
    }

    fn same_position(&self, bits: &Position<6>, cells: &Literal) {
        self.same(bits.player, &cells.all(Piece::Player));
        self.same(bits.opponent, &cells.all(Piece::Opponent));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn steps_dilations_and_erosions(at in any_board(), words in any::<[u64; 6]>(), more in any::<[u64; 6]>()) {
        let bits = at.masked(words) | at.masked(more);
        let cells = at.bits.to_cells(bits);
        at.same(at.bits.from_cells(&cells), &cells);
        at.same(morphology::dilate(&at.bits, bits), &at.cells.dilate(&cells));
        at.same(morphology::erode(&at.bits, bits), &at.cells.erode(&cells));
        for &d in at.bits.grid().directions() {
            at.same(morphology::dilate_towards(&at.bits, bits, d), &at.cells.dilate_towards(&cells, d));
            at.same(morphology::erode_towards(&at.bits, bits, d), &at.cells.erode_towards(&cells, d));
        }
    }

    #[test]
    fn filters_of_algorithms_1_to_5(at in any_board(), a in any::<[u64; 6]>(), b in any::<[u64; 6]>(), c in any::<[u64; 6]>()) {
        let position = at.position(std::array::from_fn(|i| a[i] & c[i]), b);
        let literal = at.literal(&position);
        at.same(filters::empty_neighbours(&at.bits, &position), &literal.empty_neighbours());
        at.same(filters::line_cap_moves(&at.bits, &position), &literal.line_cap_moves());
        for &d in at.bits.grid().directions() {
            at.same(filters::empty_neighbours_towards(&at.bits, &position, d), &literal.empty_neighbours_towards(d));
            at.same(filters::enemy_neighbours_towards(&at.bits, &position, d), &literal.enemy_neighbours_towards(d));
        }
        if at.bits.grid() == Grid::SquareDiagonal {
            at.same(filters::breakthrough_moves(&at.bits, &position), &literal.breakthrough_moves());
        }
        for cell in position.empty(&at.bits).iter().take(5) {
            let mut flips = literal.line_cap_flips(reading_order(&at.bits, cell));
            flips.sort_unstable();
            let cells = at.cells.select(|i| flips.binary_search(&i).is_ok());
            at.same(filters::line_cap_flips(&at.bits, &position, Board::bit(cell)), &cells);
        }
    }

    #[test]
    fn queries_of_algorithms_6_to_8(at in any_board(), a in any::<[u64; 6]>(), b in any::<[u64; 6]>(), dense in any::<bool>()) {
        let bits = if dense { at.masked(a) | at.masked(b) } else { at.masked(a) };
        let cells = at.bits.to_cells(bits);
        prop_assert_eq!(queries::line_length(&at.bits, bits), at.cells.line_length(&cells));
        prop_assert_eq!(queries::has_line_of_four(&at.bits, bits), at.cells.has_line_of_four(&cells));
        for &axis in at.bits.grid().axes() {
            let length = queries::line_length_along(&at.bits, bits, axis);
            prop_assert_eq!(length, at.cells.line_length_along(&cells, axis));
            // One direction an axis is enough (section 5.2.1).
            prop_assert_eq!(length, queries::line_length_along(&at.bits, bits, axis.opposite()));
        }
        let shape = [(0, 0), (1, 0), (1, 1)];
        let patterns = queries::translations(&at.bits, &shape);
        let literal: Vec<_> = patterns.iter().map(|&p| at.bits.to_cells(p)).collect();
        prop_assert_eq!(queries::find_pattern(&patterns, bits), at.cells.find_pattern(&literal, &cells));
        let rare = at.masked(std::array::from_fn(|i| a[i] & b[i] & a[i].rotate_left(9)));
        prop_assert_eq!(
            queries::find_exact_pattern(&at.bits, &patterns, rare),
            at.cells.find_exact_pattern(&literal, &at.bits.to_cells(rare))
        );
    }

    #[test]
    fn updates_of_algorithms_9_to_12(at in any_board(), a in any::<[u64; 6]>(), b in any::<[u64; 6]>(), c in any::<[u64; 6]>()) {
        let sparse = at.position(std::array::from_fn(|i| a[i] & c[i]), b);
        let dense = at.position(std::array::from_fn(|i| a[i] | b[i]), c);
        for position in [sparse, dense] {
            let literal = at.literal(&position);
            at.same_position(&updates::flip_enemy_neighbours(&at.bits, &position), &literal.flip_enemy_neighbours());
            at.same(updates::surround_capture(&at.bits, &position), &literal.surround_capture());
            for cell in at.bits.mask().iter().take(7) {
                let last = reading_order(&at.bits, cell);
                let bit = Board::bit(cell);
                at.same_position(&updates::flip_around_move(&at.bits, &position, bit), &literal.flip_around_move(last));
                let lit = at.bits.to_cells(position.player);
                at.same(updates::press(&at.bits, position.player, bit), &at.cells.press(&lit, last));
            }
        }
    }

    #[test]
    fn life_on_boards_and_tori(at in any_board(), a in any::<[u64; 6]>(), b in any::<[u64; 6]>()) {
        for live in [at.masked(a), at.masked(std::array::from_fn(|i| a[i] & b[i]))] {
            let cells = at.bits.to_cells(live);
            at.same(life::step(&at.bits, live), &naive::life::step(&at.cells, &cells));
            if at.bits.mask().count() as usize == at.bits.width() * at.bits.height() {
                let next = naive::life::step_on_torus(at.bits.width(), at.bits.height(), &cells);
                at.same(life::step_on_torus(&at.bits, live), &next);
            }
        }
    }

    #[test]
    fn life_on_the_8x8_torus(a in any::<u64>(), b in any::<u64>(), thin in 0..3) {
        let live = [a, a & b, a & b & a.rotate_left(17)][thin as usize];
        let expected = naive::life::to_word(&naive::life::torus_step(&naive::life::from_word(live)));
        prop_assert_eq!(life::torus_step(live), expected);
        prop_assert_eq!(life::torus_step_by_rows(live), expected);
    }
}

fn reading_order(board: &Geometry<6>, index: usize) -> usize {
    let (x, y) = board.cell(index).expect("an on-board index");
    y * board.width() + x
}

/// Words of one `u64` behave as the first word of six do.
#[test]
fn one_word_boards_agree_with_wide_ones() {
    for grid in Grid::ALL {
        let one = Geometry::<1>::new(grid, 7, 6, 1).expect("48 bits");
        let six = Geometry::<6>::new(grid, 7, 6, 1).expect("48 bits");
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..500 {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let narrow = Board::from_words([word]) & one.mask();
            let wide = Board::from_words([word, 0, 0, 0, 0, 0]) & six.mask();
            let (a, b) = (
                morphology::dilate(&one, narrow),
                morphology::dilate(&six, wide),
            );
            assert_eq!(a.words()[0], b.words()[0]);
            assert_eq!(
                queries::line_length(&one, narrow),
                queries::line_length(&six, wide)
            );
        }
    }
}

#[test]
fn one_separating_bit_seals_every_rectangle() {
    for Pair { bits, .. } in boards() {
        let full = bits.mask().count() as usize == bits.width() * bits.height();
        let separated = bits.pitch() > bits.width();
        assert!(!(full && separated) || bits.is_sealed(), "{bits:?}");
    }
}

#[test]
fn cells_and_indices_are_inverse() {
    for Pair { bits, .. } in boards() {
        for (x, y) in bits.cells() {
            if let Some(index) = bits.index(x, y) {
                assert_eq!(bits.cell(index), Some((x, y)));
            }
        }
        assert_eq!(bits.index(bits.width(), 0), None);
        assert_eq!(bits.cell(B::BITS), None);
        assert_eq!(bits.white_mask() | bits.black_mask(), bits.mask());
        assert!(!bits.white_mask().intersects(bits.black_mask()));
    }
}

#[test]
fn edges_of_a_square_board() {
    let board = Geometry::<2>::new(Grid::SquareDiagonal, 8, 8, 1).expect("72 bits");
    assert_eq!(board.edge(Direction::N).count(), 8);
    assert_eq!(board.edge(Direction::NE).count(), 15);
    assert!(board.edge(Direction::W).contains(board.at(0, 3)));
    assert_eq!(board.white_mask().count(), 32);
}

#[test]
fn boards_that_do_not_fit_say_so() {
    assert!(Geometry::<1>::new(Grid::Square, 8, 8, 0).is_ok());
    let error = Geometry::<1>::new(Grid::Square, 8, 8, 1).expect_err("72 bits");
    assert!(error.to_string().contains("8x8"), "{error}");
    assert!(Geometry::<1>::new(Grid::Square, 0, 8, 1).is_err());
    assert!(Geometry::<1>::new(Grid::Square, usize::MAX, 2, usize::MAX).is_err());
    assert!(Geometry::<1>::hexagon(0).is_err());
    assert!(Geometry::<1>::hexagon(usize::MAX).is_err());
}
