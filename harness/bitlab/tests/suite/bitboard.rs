//! Compares `puzzle_api::bitboard` with its literal twins on every grid, on boards of one word and
//! of several, with and without separating bits. Also compares it with published counts of others.

use std::collections::BTreeSet;
use std::sync::Arc;

use antipode_bitlab::bitboard::life;
use antipode_bitlab::bitboard::naive::{self, Cells, Literal};
use antipode_bitlab::bitboard::packing::{self, Cube, Fixes, Packing, SOMA};
use antipode_bitlab::bitboard::y::{Colour, YBoard};
use proptest::prelude::*;
use puzzle_api::bitboard::*;

// ---- Board ----------------------------------------------------------------------------

fn flags<const N: usize>(board: Board<N>) -> Vec<bool> {
    (0..Board::<N>::BITS).map(|i| board.get(i)).collect()
}

fn check_shift<const N: usize>(words: [u64; N], by: isize) {
    let bits = Board::from_words(words);
    let from = |i: usize| i.checked_add_signed(by).is_some_and(|i| bits.get(i));
    let shifted: Vec<bool> = (0..Board::<N>::BITS).map(from).collect();
    assert_eq!(flags(bits.shift(by)), shifted, "{bits:?} {by}");
    if by >= 0 {
        assert_eq!(bits >> by as usize, bits.shift(by));
        assert_eq!(bits << by as usize, bits.shift(-by));
    }
}

fn check_set<const N: usize>(words: [u64; N]) {
    let bits = Board::from_words(words);
    let on: Vec<usize> = (0..Board::<N>::BITS).filter(|&i| bits.get(i)).collect();
    assert_eq!(on.iter().copied().collect::<Board<N>>(), bits);
    assert_eq!(bits.iter().collect::<Vec<_>>(), on);
    assert_eq!(
        (bits.iter().len(), bits.count() as usize),
        (on.len(), on.len())
    );
    assert_eq!(bits.lowest(), on.first().copied());
    let lowest = on.first().map_or(Board::EMPTY, |&i| Board::bit(i));
    assert_eq!(
        (bits.lowest_bit(), bits.is_empty()),
        (lowest, on.is_empty())
    );
    for i in on {
        assert_eq!(bits.without(i).with(i), bits);
    }
}

proptest! {
    #[test]
    fn shifts_carry_across_words(words in any::<[u64; 6]>(), two in any::<[u64; 2]>(), by in -500_isize..500) {
        check_shift(words, by);
        check_shift(two, by);
        check_shift([words[0]], by);
    }

    #[test]
    fn sets_agree_with_flags(words in any::<[u64; 6]>(), keep in any::<[u64; 6]>()) {
        check_set(words);
        check_set([0, words[1] & keep[1] & keep[2]]);
        check_set([words[0] & keep[0]]);
    }

    #[test]
    fn operators_work_bit_by_bit(a in any::<[u64; 3]>(), b in any::<[u64; 3]>()) {
        let (x, y) = (Board::from_words(a), Board::from_words(b));
        for i in 0..192 {
            let (p, q) = (x.get(i), y.get(i));
            prop_assert_eq!(((x & y).get(i), (x | y).get(i)), (p && q, p || q));
            prop_assert_eq!(((x ^ y).get(i), (!x).get(i)), (p != q, !p));
        }
        prop_assert_eq!(x.contains(y), x | y == x);
        prop_assert_eq!(x.intersects(y), !(x & y).is_empty());
    }
}

#[test]
fn out_of_range_is_empty_not_a_panic() {
    let full = Board::<2>::FULL;
    assert!(full.shift(isize::MIN).is_empty() && full.shift(isize::MAX).is_empty());
    assert!((full << usize::MAX).is_empty() && (full >> 128).is_empty());
    assert_eq!(
        (Board::<2>::bit(128), full.without(usize::MAX)),
        (Board::EMPTY, full)
    );
    assert_eq!(Board::<0>::FULL.lowest(), None);
}

// ---- methods --------------------------------------------------------------------------

type B = Board<6>;

/// A geometry and the array board that should behave like it.
struct Pair {
    bits: Geometry<6>,
    cells: Cells,
}

fn boards() -> Vec<Pair> {
    let mut all = Vec::new();
    // 19 by 19 takes six words, 11 by 11 two or three.
    for (width, height) in [
        (1, 1),
        (1, 6),
        (9, 1),
        (5, 5),
        (7, 6),
        (8, 8),
        (11, 11),
        (19, 19),
        (3, 20),
    ] {
        for grid in Grid::ALL {
            // 19 rows of 21 bits are more than six words hold.
            all.extend((0..3).filter_map(|bits| Geometry::new(grid, width, height, bits).ok()));
        }
    }
    all.extend((1..9).filter_map(|side| Geometry::hexagon(side).ok()));
    all.extend((1..12).filter_map(|side| Geometry::triangle(side).ok()));
    // A ragged shape: every fourth cell is missing.
    let ragged = |x: usize, y: usize| (3 * x + 5 * y) % 4 != 1;
    for (grid, bits) in Grid::ALL
        .into_iter()
        .flat_map(|grid| [(grid, 0), (grid, 1)])
    {
        all.extend(Geometry::shaped(grid, 9, 9, bits, ragged));
    }
    let pair = |bits: Geometry<6>| Pair {
        cells: Cells::of(&bits),
        bits,
    };
    all.into_iter().map(pair).collect()
}

fn any_board() -> impl Strategy<Value = Arc<Pair>> {
    let all: Vec<_> = boards().into_iter().map(Arc::new).collect();
    proptest::sample::select(all)
}

impl std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (bits, pitch) = (&self.bits, self.bits.pitch());
        write!(
            f,
            "{:?} {}x{} pitch {pitch}",
            bits.grid(),
            bits.width(),
            bits.height()
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

    fn literal(&self, at: &Position<6>) -> Literal<'_> {
        Literal {
            board: &self.cells,
            player: self.bits.to_cells(at.player),
            opponent: self.bits.to_cells(at.opponent),
        }
    }

    /// The place of a bit in the arrays.
    fn cell(&self, index: usize) -> usize {
        let (x, y) = self.bits.cell(index).expect("an on-board index");
        y * self.bits.width() + x
    }

    fn same(&self, bits: B, cells: &[bool]) {
        assert!(self.bits.mask().contains(bits), "bits off the board");
        assert_eq!(
            self.bits.to_cells(bits),
            cells,
            "\n{}",
            self.bits.draw(bits)
        );
    }

    fn same_position(&self, bits: &Position<6>, cells: &Literal) {
        self.same(bits.player, &cells.player);
        self.same(bits.opponent, &cells.opponent);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn dilations_and_erosions(at in any_board(), words in any::<[u64; 6]>(), more in any::<[u64; 6]>()) {
        let (b, bits) = (&at.bits, at.masked(words) | at.masked(more));
        let cells = b.to_cells(bits);
        at.same(b.from_cells(&cells), &cells);
        at.same(dilate(b, bits), &at.cells.dilate(&cells));
        at.same(erode(b, bits), &at.cells.erode(&cells));
        for &d in b.grid().directions() {
            at.same(erode_towards(b, bits, d), &at.cells.erode_towards(&cells, d));
        }
    }

    #[test]
    fn filters_of_algorithms_1_to_5(at in any_board(), a in any::<[u64; 6]>(), o in any::<[u64; 6]>(), c in any::<[u64; 6]>()) {
        let b = &at.bits;
        let position = at.position(std::array::from_fn(|i| a[i] & c[i]), o);
        let literal = at.literal(&position);
        at.same(empty_neighbours(b, &position), &literal.empty_neighbours());
        at.same(line_cap_moves(b, &position), &literal.line_cap_moves());
        for &d in b.grid().directions() {
            at.same(empty_neighbours_towards(b, &position, d), &literal.empty_neighbours_towards(d));
            at.same(enemy_neighbours_towards(b, &position, d), &literal.enemy_neighbours_towards(d));
        }
        if b.grid() == Grid::SquareDiagonal {
            at.same(breakthrough_moves(b, &position), &literal.breakthrough_moves());
        }
        for cell in position.empty(b).iter().take(5) {
            let flips = literal.line_cap_flips(at.cell(cell));
            let cells = at.cells.select(|i| flips.contains(&i));
            at.same(line_cap_flips(b, &position, Board::bit(cell)), &cells);
        }
        for stone in position.player.iter().take(5) {
            at.same(liberties(b, &position, Board::bit(stone)), &literal.liberties(at.cell(stone)));
            let group = connected(b, Board::bit(stone), position.player);
            at.same(group, &at.cells.group(&literal.player, at.cell(stone)));
        }
    }

    #[test]
    fn queries_of_algorithms_6_to_8(at in any_board(), a in any::<[u64; 6]>(), c in any::<[u64; 6]>(), dense in any::<bool>()) {
        let b = &at.bits;
        let bits = if dense { at.masked(a) | at.masked(c) } else { at.masked(a) };
        let cells = b.to_cells(bits);
        prop_assert_eq!(line_length(b, bits), at.cells.line_length(&cells));
        prop_assert_eq!(has_line_of_four(b, bits), at.cells.line_length(&cells) >= 4);
        for &axis in b.grid().axes() {
            prop_assert_eq!(line_length_along(b, bits, axis), at.cells.line_length_along(&cells, axis));
        }
        let shape = [(0, 0), (1, 0), (1, 1)];
        let set = |found: &Vec<usize>| at.cells.select(|cell| found.contains(&cell));
        let patterns = translations(b, &shape);
        let all: Vec<Vec<usize>> = at.cells.matches(&shape, &cells).collect();
        match find_pattern(&patterns, bits) {
            Some(nth) => at.same(patterns[nth], &set(&all[0])),
            None => prop_assert!(all.is_empty()),
        }
        let rare = at.masked(std::array::from_fn(|i| a[i] & c[i] & a[i].rotate_left(9)));
        let exact = patterns.iter().find(|&&pattern| matches_exactly(b, pattern, rare));
        let literal = at.cells.exact_match(&shape, &b.to_cells(rare));
        prop_assert_eq!(exact.map(|&pattern| b.to_cells(pattern)), literal.as_ref().map(set));
    }

    #[test]
    fn updates_of_algorithms_9_to_12(at in any_board(), a in any::<[u64; 6]>(), o in any::<[u64; 6]>(), c in any::<[u64; 6]>()) {
        let b = &at.bits;
        let sparse = at.position(std::array::from_fn(|i| a[i] & c[i]), o);
        let dense = at.position(std::array::from_fn(|i| a[i] | o[i]), c);
        for position in [sparse, dense] {
            let literal = at.literal(&position);
            at.same_position(&flip_enemy_neighbours(b, &position), &literal.flip_enemy_neighbours());
            at.same(surround_capture(b, &position), &literal.surround_capture());
            for index in b.mask().iter().take(7) {
                let (cell, bit) = (at.cell(index), Board::bit(index));
                at.same_position(&flip_around_move(b, &position, bit), &literal.flip_around_move(cell));
                at.same(press(b, position.player, bit), &literal.press(cell));
            }
        }
    }

    #[test]
    fn life_on_the_torus(a in any::<u64>(), b in any::<u64>(), thin in 0..3) {
        let live = [a, a & b, a & b & a.rotate_left(17)][thin as usize];
        prop_assert_eq!(naive::from_word(life::step(live)), naive::life(&naive::from_word(live)));
    }
}

/// One word behaves as the first word of six does.
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
            assert_eq!(
                dilate(&one, narrow).words()[0],
                dilate(&six, wide).words()[0]
            );
            assert_eq!(line_length(&one, narrow), line_length(&six, wide));
        }
    }
}

#[test]
fn geometries_name_their_cells() {
    for Pair { bits, .. } in boards() {
        for (x, y) in bits.cells() {
            if let Some(index) = bits.index(x, y) {
                assert_eq!(bits.cell(index), Some((x, y)));
            }
        }
        assert_eq!(
            (bits.index(bits.width(), 0), bits.cell(B::BITS)),
            (None, None)
        );
        // One separating bit seals every rectangle.
        let full = bits.mask().count() as usize == bits.width() * bits.height();
        assert!(
            !(full && bits.pitch() > bits.width()) || bits.is_sealed(),
            "{bits:?}"
        );
    }
    let board = Geometry::<2>::new(Grid::SquareDiagonal, 8, 8, 1).expect("72 bits");
    let edge = |d| board.edge(d).count();
    assert_eq!([edge(Direction::N), edge(Direction::NE)], [8, 15]);
    assert!(board.edge(Direction::W).contains(board.at(0, 3)));
}

#[test]
fn boards_that_do_not_fit_say_so() {
    assert!(Geometry::<1>::new(Grid::Square, 8, 8, 0).is_ok());
    let error = Geometry::<1>::new(Grid::Square, 8, 8, 1).expect_err("72 bits");
    assert!(error.to_string().contains("8x8"), "{error}");
    assert!(Geometry::<1>::new(Grid::Square, 0, 8, 1).is_err());
    assert!(Geometry::<1>::new(Grid::Square, usize::MAX, 2, usize::MAX).is_err());
    assert!(Geometry::<1>::hexagon(0).is_err() && Geometry::<1>::hexagon(usize::MAX).is_err());
}

// ---- published counts ------------------------------------------------------------------

/// Leaves of the game tree of Othello, a pass being a ply.
fn othello(board: &Geometry<1>, at: &Position<1>, depth: u32) -> u64 {
    let moves = line_cap_moves(board, at);
    if depth == 0 || moves.is_empty() && line_cap_moves(board, &at.swapped()).is_empty() {
        return 1;
    }
    if moves.is_empty() {
        return othello(board, &at.swapped(), depth - 1);
    }
    let after = moves.iter().map(Board::bit).map(|cell| {
        let flips = line_cap_flips(board, at, cell);
        let next = Position {
            player: at.player | flips | cell,
            opponent: at.opponent & !flips,
        };
        othello(board, &next.swapped(), depth - 1)
    });
    after.sum()
}

/// <https://aartbik.blogspot.com/2009/02/perft-for-reversi.html>
#[test]
fn othello_has_the_published_leaves() {
    let board = Geometry::<1>::new(Grid::SquareDiagonal, 8, 8, 0).expect("64 bits");
    let start = Position {
        player: board.at(4, 3) | board.at(3, 4),
        opponent: board.at(3, 3) | board.at(4, 4),
    };
    let published = [4, 12, 56, 244, 1396, 8200, 55092, 390_216];
    for (depth, leaves) in (1..).zip(published) {
        assert_eq!(othello(&board, &start, depth), leaves, "ply {depth}");
    }
}

/// OEIS A212693.
#[test]
fn connect_four_has_the_published_positions() {
    let board = Geometry::<1>::new(Grid::SquareDiagonal, 7, 6, 1).expect("48 bits");
    let mut level = BTreeSet::from([[Board::<1>::EMPTY; 2]]);
    for positions in [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184_275] {
        assert_eq!(level.len(), positions);
        let mut next = BTreeSet::new();
        for &[player, other] in level.iter().filter(|at| !has_line_of_four(&board, at[1])) {
            let full = player | other;
            let floor = board.edge(Direction::S) | board.step(full, Direction::N);
            let landing = floor & board.complement(full);
            next.extend(landing.iter().map(|cell| [other, player.with(cell)]));
        }
        level = next;
    }
}

// ---- Y, Hex and packing ---------------------------------------------------------------

#[test]
fn y_boards_refuse_what_is_off_them() {
    assert!(YBoard::new(0).is_none() && YBoard::new(33).is_none());
    assert!(YBoard::hex(0).is_none() && YBoard::hex(17).is_none());
    let mut board = YBoard::new(5).expect("side 5");
    assert!(!board.set(2, 3, Some(Colour::White)) && !board.set(usize::MAX, 0, None));
    assert!(board.set(1, 1, Some(Colour::Black)));
    assert_eq!(
        (board.get(1, 1), board.get(0, usize::MAX)),
        (Some(Colour::Black), None)
    );
    let hex = YBoard::hex(3).expect("side 3");
    assert_eq!((hex.side(), hex.winner()), (5, None));
}

/// A flat box as a puzzle, with its bits in `N` words from `first` up.
fn flat<const N: usize>(size: Cube, pieces: &[&[Cube]], first: usize) -> Packing<N> {
    let placed = pieces
        .iter()
        .map(|piece| packing::placements::<N>(size, piece));
    let raise = |piece: Vec<_>| piece.into_iter().map(|p| p << first).collect();
    let mask = (first..first + size.iter().product::<usize>()).collect();
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
        let expected = naive::packings(size, pieces);
        assert_eq!(
            flat::<1>(size, pieces, 0).count(Fixes::BOTH),
            expected,
            "{size:?}"
        );
        // The same bits across the boundary of two words.
        assert_eq!(
            flat::<2>(size, pieces, 60).count(Fixes::BOTH),
            expected,
            "{size:?}"
        );
    }
    let soma = packing::soma();
    assert_eq!(soma.count(Fixes::BOTH), naive::packings([3, 3, 3], &SOMA));
    assert_eq!(
        soma.pieces()[4..6].iter().map(Vec::len).collect::<Vec<_>>(),
        [96, 96]
    );
    assert!(Packing::<1>::new(Board::FULL, vec![Vec::new(); 65]).is_none());
    assert!(packing::placements::<1>([5, 5, 5], DOMINO).is_empty());
}
