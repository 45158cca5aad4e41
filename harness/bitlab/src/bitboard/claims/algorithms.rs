//! Sections 4 and 5: what the operations and algorithms do, as printed and as
//! described, against the literal twins.

use std::sync::Arc;

use super::Derived;
use crate::bitboard::cases::Random;
use crate::bitboard::naive::Cells;
use crate::bitboard::naive::position::Position as Literal;
use crate::bitboard::{
    Board, Direction, Geometry, Grid, Position, filters, morphology, printed, queries, updates,
};

/// A board in both representations.
pub(super) struct Twin {
    pub(super) bits: Geometry<2>,
    cells: Arc<Cells>,
}

impl Twin {
    fn new(grid: Grid, width: usize, height: usize, separators: usize) -> Option<Self> {
        let bits = Geometry::new(grid, width, height, separators).ok()?;
        let on_board = bits.to_cells(bits.mask());
        let cells = Arc::new(Cells::new(grid, width, on_board));
        Some(Self { bits, cells })
    }

    pub(super) fn literal(&self, at: &Position<2>) -> Literal {
        let cells = |bits| self.bits.to_cells(bits);
        Literal::new(self.cells.clone(), &cells(at.player), &cells(at.opponent))
    }
}

/// Every grid on a board of that size, with one separating bit.
pub(super) fn grids(width: usize, height: usize) -> impl Iterator<Item = Twin> {
    let grids = Grid::ALL.into_iter();
    grids.filter_map(move |grid| Twin::new(grid, width, height, 1))
}

/// Whether a property holds in every position of 3x3 on every grid (19,683
/// each) and in 200 random ones of 7x6 and of 11x9 (two words).
pub(super) fn in_every_position(property: impl Fn(&Twin, &Position<2>) -> bool) -> bool {
    let small = grids(3, 3).all(|twin| {
        (0..3_u32.pow(9)).all(|code| property(&twin, &small_position(&twin.bits, code)))
    });
    let mut random = Random(4);
    small
        && grids(7, 6)
            .chain(grids(11, 9))
            .all(|twin| (0..EACH).all(|_| property(&twin, &random.position(&twin.bits))))
}

/// The position that the base-3 digits of `code` spell.
fn small_position(board: &Geometry<2>, code: u32) -> Position<2> {
    let mut at = Position::default();
    for (k, (x, y)) in board.cells().enumerate() {
        match code / 3_u32.pow(k as u32) % 3 {
            1 => at.player |= board.at(x, y),
            2 => at.opponent |= board.at(x, y),
            _ => {}
        }
    }
    at
}

/// Random positions of each larger board on each grid, and all of them.
const EACH: u64 = 200;
const POSITIONS: u64 = 2 * 4 * EACH;
const BOARDS: &str = "Positions of 7x6 and 11x9 drawn at random, beside all of 3x3,";

const EXTENT: &str = "All 19,683 positions of 3x3 on each of the four grids, and 200 random \
                      ones of 7x6 and 11x9 each, against cells handled one by one.";

/// What [`in_every_position`] found.
pub(super) fn sampled_positions(holds: bool) -> Derived {
    Derived::holds(holds, EXTENT).sampled(POSITIONS, holds, BOARDS)
}

/// A finding with an example: what an algorithm makes of a position, rows of `x` for the
/// player's pieces and `o` for the opponent's, joined by `/`.
pub(super) fn with_example(
    found: Derived,
    grid: Grid,
    rows: &str,
    show: impl FnOnce(Derived, &Geometry<2>, &Position<2>) -> Derived,
) -> Derived {
    let lines: Vec<&str> = rows.split('/').collect();
    let Ok(board) = Geometry::<2>::new(grid, lines[0].len(), lines.len(), 1) else {
        return found;
    };
    let mut at = Position::default();
    for (y, line) in lines.iter().enumerate() {
        for (x, symbol) in line.chars().enumerate() {
            match symbol {
                'x' => at.player |= board.at(x, y),
                'o' => at.opponent |= board.at(x, y),
                _ => {}
            }
        }
    }
    show(
        found.with("a-position,-the-player's-pieces-dark", rows),
        &board,
        &at,
    )
}

/// A position as rows, joined by `/`.
pub(super) fn drawn(board: &Geometry<2>, at: &Position<2>) -> String {
    let of = |bits| board.draw(bits).replace('\n', "/");
    let (player, opponent) = (of(at.player), of(at.opponent));
    let both = player.chars().zip(opponent.chars());
    both.map(|(player, opponent)| if player == 'o' { 'x' } else { opponent })
        .collect()
}

/// Sections 4.3 and 4.4 as printed, masked at the end.
pub fn dilation_erosion() -> Derived {
    let holds = in_every_position(|twin, at| {
        let (board, bits) = (&twin.bits, at.player);
        let shifted = |d: &Direction| bits.shift(board.shift(*d));
        let directions = board.grid().directions().iter();
        let dilated = directions.clone().fold(bits, |all, d| all | shifted(d));
        let eroded = directions.fold(bits, |all, d| all & shifted(d));
        let cells = board.to_cells(bits);
        board.to_cells(dilated & board.mask()) == twin.cells.dilate(&cells)
            && board.to_cells(eroded) == twin.cells.erode(&cells)
            && morphology::erode(board, bits) == eroded
    });
    let found = Derived::holds(
        holds,
        format!(
            "{EXTENT} Dilation needs the on-board mask afterwards, which the text leaves \
             implicit; erosion does not, because the set itself is among the factors. Note \
             that erosion \"in direction d\" keeps a cell whose neighbour in the *opposite* \
             direction is set."
        ),
    )
    .sampled(POSITIONS, holds, BOARDS);
    let rows = "....../..xx../.xxxx./..xx../......";
    with_example(found, Grid::Square, rows, |found, board, at| {
        found
            .with_cells("dilated", board, morphology::dilate(board, at.player))
            .with_cells("eroded", board, morphology::erode(board, at.player))
    })
}

/// Algorithm 2's `empty_p`.
pub fn algorithm_2_printed() -> Derived {
    let mut occupied = 0_u32;
    let mut total = 0_u32;
    for twin in grids(3, 3) {
        for code in 0..3_u32.pow(9) {
            let at = small_position(&twin.bits, code);
            for &d in twin.bits.grid().directions() {
                let cells = printed::empty_neighbours_towards(&twin.bits, &at, d);
                total += 1;
                occupied += u32::from(cells.intersects(at.full()));
            }
        }
    }
    let shown = Derived::holds(
        occupied == 0,
        "Algorithm 2 is to give empty cells, but intersects with `empty_p`, defined in section \
         3 as the cells without a piece of the player's own, and so gives the opponent's \
         pieces too; two touching pieces of different colour show it. Correct: intersect with \
         `empty`. All positions of 3x3 were tried in all directions of the four grids.",
    )
    .with("wrong", occupied)
    .with("of", total);
    two_that_touch(shown)
}

/// A piece with one of the opponent's to its east, and what algorithm 2 gives of them.
fn two_that_touch(shown: Derived) -> Derived {
    let Some(twin) = Twin::new(Grid::Square, 3, 3, 1) else {
        return shown;
    };
    let board = &twin.bits;
    let at = Position {
        player: board.at(0, 1),
        opponent: board.at(1, 1),
    };
    let towards = |d| printed::empty_neighbours_towards(board, &at, d);
    let right = |d| filters::empty_neighbours_towards(board, &at, d);
    shown
        .with("a-piece-and-its-opponent", ".../xo./...")
        .with_cells("east-of-it-as-printed", board, towards(Direction::E))
        .with_cells("east-of-it-with-empty", board, right(Direction::E))
}

/// Clobber: the piece that moves is one step back from the destination.
pub fn clobber_from_cell() -> Derived {
    let holds = in_every_position(|twin, at| {
        twin.bits.grid().directions().iter().all(|&d| {
            let to = filters::enemy_neighbours_towards(&twin.bits, at, d);
            let from = twin.bits.step(to, d.opposite());
            at.player.contains(from) && from.count() == to.count()
        })
    });
    let found = sampled_positions(holds);
    with_example(found, Grid::Square, TOUCHING, |found, board, at| {
        let to = filters::enemy_neighbours_towards(board, at, Direction::E);
        found
            .with_cells("captured-to-the-east", board, to)
            .with_cells("by-the-pieces", board, board.step(to, Direction::W))
    })
}

/// Pieces of both colours that touch.
pub(super) const TOUCHING: &str = "....../.xoo../.xo.x./..oxo./......";

/// Algorithm 4.
pub fn line_caps() -> Derived {
    let holds = in_every_position(|twin, at| {
        let moves = filters::line_cap_moves(&twin.bits, at);
        twin.bits.to_cells(moves) == twin.literal(at).line_cap_moves()
    });
    let rows = "....../..x.../.xoo../..oo../......";
    with_example(
        sampled_positions(holds),
        Grid::SquareDiagonal,
        rows,
        |found, board, at| {
            found.with_cells(
                "where-a-move-caps-a-line",
                board,
                filters::line_cap_moves(board, at),
            )
        },
    )
}

/// Algorithm 6 on the line of three that figure 12 shows.
pub fn algorithm_6_printed() -> Derived {
    let Some(twin) = Twin::new(Grid::SquareDiagonal, 8, 8, 1) else {
        return Derived::not_reached("the board does not fit");
    };
    let line = (2..5).fold(Board::EMPTY, |all, y| all | twin.bits.at(3, y));
    let lone = twin.bits.at(3, 2);
    Derived::new(
        printed::line_length(&twin.bits, line),
        "A line of three, as in figures 12 and 13, whose length the text gives as three. The \
         printed loop counts the erosions that leave something, one fewer than the length, \
         and 0 for a single piece as for none; its `argmax` would be the axis, not the \
         length. Correct: `length = 0; while bits != 0 { length++; bits &= bits >> shift }`, \
         and the maximum over the axes.",
    )
    .with("corrected", queries::line_length(&twin.bits, line))
    .with("single-piece", printed::line_length(&twin.bits, lone))
    .with(
        "single-piece-corrected",
        queries::line_length(&twin.bits, lone),
    )
    .with_cells("line", &twin.bits, line)
}

/// One direction an axis is enough.
pub fn one_direction() -> Derived {
    let holds = in_every_position(|twin, at| {
        twin.bits.grid().axes().iter().all(|&axis| {
            let along = |d| queries::line_length_along(&twin.bits, at.player, d);
            along(axis) == along(axis.opposite())
        })
    });
    let rows = "....../..x.../...x../xxxx../....x.";
    let found = sampled_positions(holds);
    with_example(found, Grid::SquareDiagonal, rows, |found, board, at| {
        let [there, back] = [Direction::E, Direction::W]
            .map(|d| queries::line_length_along(board, at.player, d).to_string());
        let left = |d| at.player & board.step(at.player, d);
        found
            .with("longest-line-to-the-east", there)
            .with("longest-line-to-the-west", back)
            .with_cells("left-by-one-erosion-to-the-east", board, left(Direction::E))
            .with_cells("left-by-one-erosion-to-the-west", board, left(Direction::W))
    })
}

/// Random sets of each larger board on each grid.
const FOURS: u64 = 500;

/// Algorithm 7, on one separating bit.
pub fn line_of_four() -> Derived {
    let every_4x4 = grids(4, 4).all(|twin| {
        let cells: Vec<_> = twin.bits.cells().map(|(x, y)| twin.bits.at(x, y)).collect();
        (0..1_u32 << 16).all(|code| {
            let on = (0..16).filter(|k| code >> k & 1 == 1);
            let bits = on.fold(Board::EMPTY, |all, k| all | cells[k]);
            let flags: Vec<bool> = (0..16).map(|k| code >> k & 1 == 1).collect();
            queries::has_line_of_four(&twin.bits, bits) == twin.cells.has_line_of_four(&flags)
        })
    });
    let mut random = Random(5);
    let larger = grids(7, 6).chain(grids(11, 9)).all(|twin| {
        (0..FOURS).all(|_| {
            let bits = random.bits::<2>() & twin.bits.mask();
            let flags = twin.bits.to_cells(bits);
            queries::has_line_of_four(&twin.bits, bits) == twin.cells.has_line_of_four(&flags)
        })
    });
    let found = Derived::holds(
        every_4x4 && larger,
        "All 65,536 sets of 4x4 on each grid and 500 random ones of 7x6 and 11x9. One \
         separating bit a row is enough although the algorithm shifts by two steps: the pairs \
         it joins have been checked at every single step.",
    )
    .sampled(
        2 * 4 * FOURS,
        every_4x4 && larger,
        "Sets of 7x6 and 11x9 drawn at random, beside all of 4x4,",
    );
    let rows = "......./.....x./.x..x../...x.../..xx.../.......";
    with_example(found, Grid::SquareDiagonal, rows, |found, board, at| {
        // Algorithm 7 on the one axis that has a line: pairs, and pairs of pairs.
        let by = board.shift(Direction::NE);
        let pairs = at.player & at.player.shift(by);
        found
            .with_cells("pairs-along-one-diagonal,-by-one-step", board, pairs)
            .with_cells(
                "pairs-of-pairs,-by-two-steps",
                board,
                pairs & pairs.shift(2 * by),
            )
    })
}

/// Placements of the plus in figure 17.
pub fn plus_patterns() -> Derived {
    let plus = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)];
    let count = |side| {
        let board = Geometry::<2>::new(Grid::Square, side, side, 1);
        board.map(|board| queries::translations(&board, &plus).len())
    };
    let Ok(board) = Geometry::<2>::new(Grid::Square, 8, 8, 1) else {
        return Derived::not_reached("the board does not fit");
    };
    let places = queries::translations(&board, &plus);
    Derived::new(
        places.len(),
        "Translations of a plus of five cells on 8x8. The board's size is in the lost figure; \
         8x8 is the only square board on which the count is 36. (Printed line 3 returns `n`, \
         which is the number of patterns; the index of the matching one is meant.)",
    )
    .with("on-7x7", count(7).unwrap_or(0))
    .with("on-9x9", count(9).unwrap_or(0))
    .with_cells(
        "the-plus-in-a-corner",
        &board,
        places.first().copied().unwrap_or(Board::EMPTY),
    )
}

/// Algorithm 11 without the mask.
pub fn algorithm_11_printed() -> Derived {
    let Some(twin) = Twin::new(Grid::Square, 5, 5, 1) else {
        return Derived::not_reached("the board does not fit");
    };
    let board = &twin.bits;
    let cells: Vec<_> = board.mask().iter().map(Board::bit).collect();
    let strays = |press: fn(&Geometry<2>, Board<2>, Board<2>) -> Board<2>| {
        let spills = |&&cell: &&Board<2>| !board.mask().contains(press(board, Board::EMPTY, cell));
        cells.iter().filter(spills).count()
    };
    let printed = strays(printed::press_unmasked);
    let corner = board.at(0, 4);
    let pressed = printed::press_unmasked(board, Board::EMPTY, corner);
    let off: Vec<String> = (pressed & !board.mask())
        .iter()
        .map(|bit| bit.to_string())
        .collect();
    Derived::holds(
        printed == 0,
        "Presses of the 5x5 board that toggle bits off the board when the dilation is the \
         printed, unmasked one: all along the west, south and east edges; along the north edge \
         the bits fall off the end. The board then never becomes zero. Correct: \
         `bits ^= (bits_m dilated by 1) & mask`.",
    )
    .with("presses-that-spill", printed)
    .with("masked", strays(updates::press))
    .with_bits("the-bits-of-5x5,-dark-the-separating-ones", board)
    .with_cells(
        "a-press-in-a-corner,-on-the-board",
        board,
        pressed & board.mask(),
    )
    .with("bits-that-it-sets-off-the-board", off.join(" "))
}

/// Algorithm 11 with the mask.
pub fn algorithm_11_masked() -> Derived {
    let found = sampled_positions(in_every_position(|twin, at| {
        twin.bits.mask().iter().all(|bit| {
            let Some((x, y)) = twin.bits.cell(bit) else {
                return true;
            };
            let pressed = updates::press(&twin.bits, at.player, twin.bits.at(x, y));
            let cells = twin.bits.to_cells(at.player);
            twin.bits.to_cells(pressed) == twin.cells.press(&cells, y * twin.bits.width() + x)
        })
    }));
    let rows = "...../.xx../..xx./...../.....";
    with_example(found, Grid::Square, rows, |found, board, at| {
        let pressed = updates::press(board, at.player, board.at(0, 1));
        found.with_cells("after-a-press-at-the-left-edge", board, pressed)
    })
}

/// Algorithm 12.
pub fn surround_capture() -> Derived {
    let holds = in_every_position(|twin, at| {
        let kept = updates::surround_capture(&twin.bits, at);
        twin.bits.to_cells(kept) == twin.literal(at).surround_capture()
    });
    let rows = "xo.x./xo.../oo.../..oo./..oxo/...o.";
    let found = sampled_positions(holds);
    with_example(found, Grid::Square, rows, |found, board, at| {
        let after = Position {
            player: updates::surround_capture(board, at),
            ..*at
        };
        found.with("what-is-left", drawn(board, &after))
    })
}
