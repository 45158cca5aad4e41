//! Sections 2 and 4.1, the constants of listing 2, and appendix B.

use super::Derived;
use crate::bitboard::printed::{self, LISTING_2_MASKS};
use crate::bitboard::{Board, Direction, Geometry, Grid};

/// Steps east and south in half cells, as seen on paper, of moving `by` bits
/// down from `(x, y)` in a layout of `pitch` bits a row with bit 0 at the
/// north-east; `lean` is how far each row stands east of the one above it.
fn moved(pitch: i64, lean: i64, by: i64) -> (i64, i64) {
    // From the middle of a wide row, so that only the step itself counts.
    let start = 50 * pitch + pitch / 2;
    let (from, to) = ((start % pitch, start / pitch), start - by);
    let (column, row) = (to.rem_euclid(pitch), to.div_euclid(pitch));
    let (east, south) = (from.0 - column, row - from.1);
    (2 * east + lean * south, south)
}

/// The printed shifts of the square grid, under each of the four layouts that
/// lay rows end to end.
pub fn square_shifts() -> Derived {
    // By the corner of bit 0: does an index fall towards the north, and does it
    // fall towards the east? The printed N = cols + 1 and E = 1 are right
    // shifts, so it must do both.
    let layouts = [
        ("north-west", true, false),
        ("north-east", true, true),
        ("south-west", false, false),
        ("south-east", false, true),
    ];
    let fitting = layouts.iter().filter(|&&(_, north, east)| north && east);
    let fitting: Vec<&str> = fitting.map(|&(corner, _, _)| corner).collect();
    let mut steps = 0;
    let cells = (3..=8).all(|cols| {
        let board = Geometry::<2>::new(Grid::Square, cols, 8, 1);
        board.is_ok_and(|board| {
            steps += 4 * board.cells().count() as u64;
            let cols = cols as isize;
            use Direction::*;
            [(N, cols + 1), (E, 1), (S, -(cols + 1)), (W, -1)]
                .iter()
                .all(|&(d, by)| raw_steps_are_true(&board, d, by))
        })
    });
    let holds = cells && fitting.len() == 1;
    let shown = Derived::holds(
        holds,
        "Every cell of 3x8 to 8x8 boards was moved by the printed shift and compared with its \
         neighbour. They fit one layout only: bit 0 in the north-east corner, indices rising \
         westward and then southward, separating bits at the east end of a row. The edge masks \
         of listing 2 use the same layout.",
    )
    .with("bit-0-corner", fitting.join(" "))
    .tried(
        steps,
        holds,
        "Steps from every cell of boards of 3x8 to 8x8",
    );
    let Ok(board) = Geometry::<1>::new(Grid::Square, 5, 5, 1) else {
        return shown;
    };
    // North, east, south and west by the printed shifts.
    let steps = [6, 1, -6, -1].map(|by| board.at(2, 2).shift(by));
    let beside = steps.into_iter().fold(Board::EMPTY, |all, step| all | step);
    shown
        .with_bits("the-bits-of-5x5,-dark-the-separating-ones", &board)
        .with_cells("a-cell", &board, board.at(2, 2))
        .with_cells(
            "it-shifted-by-one-row-and-by-one-bit,-both-ways",
            &board,
            beside & board.mask(),
        )
}

/// Whether an unmasked right shift by `by` takes each cell to its neighbour
/// in direction `d`, or off the board if there is none.
fn raw_steps_are_true(board: &Geometry<2>, d: Direction, by: isize) -> bool {
    let (dx, dy) = match d {
        Direction::N => (0, -1),
        Direction::E => (1, 0),
        Direction::S => (0, 1),
        _ => (-1, 0),
    };
    board.cells().all(|(x, y)| {
        let to = x.checked_add_signed(dx).zip(y.checked_add_signed(dy));
        let to = to.map_or(Board::EMPTY, |(x, y)| board.at(x, y));
        board.at(x, y).shift(by) & board.mask() == to
    })
}

/// The six printed shifts against the plane geometry of hexagons.
pub fn hexagonal_shifts() -> Derived {
    const COLUMNS: std::ops::RangeInclusive<i64> = 3..=102;
    let true_steps = [(1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)];
    let holds = |extra: i64, lean: i64| {
        COLUMNS.clone().all(|cols: i64| {
            // NE, E, SE, SW, W, NW as printed.
            let printed = [cols + 1, 1, -cols, -(cols + 1), -1, cols];
            let steps = printed.map(|by| moved(cols + extra, lean, by));
            steps == true_steps
        })
    };
    let (bare, separated) = (holds(0, 1), holds(1, -1));
    let shown = Derived::holds(
        bare && separated,
        "The six shifts are consistent: opposite directions cancel and NE = NW + E. They fit \
         two layouts. With `cols` bits a row and no separating column each row stands half a \
         cell east of the one above; with `cols + 1` bits a row, as in the text's square case, \
         each row stands half a cell west. The text does not say which; figure 3 must.",
    )
    .with("cols-bits-a-row", bare)
    .with("cols-plus-1-bits-a-row", separated)
    .tried(
        COLUMNS.count() as u64,
        bare && separated,
        "Boards of 3 to 102 columns in both layouts",
    );
    let layouts = [0, 1].map(|extra| {
        let name = match extra {
            0 => "cols-bits-a-row:-each-row-half-a-cell-east-of-the-one-above",
            _ => "cols-+-1-bits-a-row:-each-row-half-a-cell-west,-dark-the-separating-bits",
        };
        (name, staggered(5, 5, extra))
    });
    layouts
        .into_iter()
        .fold(shown, |shown, (name, layout)| shown.with(name, layout))
}

/// A board of hexagons with its bits, a cell as wide as two columns, so that each row stands half
/// a cell aside: to the east with no separating bit, to the west with one.
fn staggered(cols: usize, rows: usize, separators: usize) -> String {
    let pitch = cols + separators;
    let (mut drawn, mut numbers) = (Vec::new(), Vec::new());
    for y in 0..rows {
        let aside = if separators == 0 { y } else { rows - 1 - y };
        let bits = (y * pitch..(y + 1) * pitch).rev();
        let symbol = |at: usize| if at < cols { "." } else { "#" };
        let cells: Vec<&str> = (0..pitch).map(symbol).collect();
        drawn.push(" ".repeat(aside) + &cells.join(" "));
        numbers.extend(bits.map(|bit| bit.to_string()));
    }
    format!("{} | {}", drawn.join("/"), numbers.join(" "))
}

/// Staggered hexagons and triangles leave an off-board bit at every seam.
pub fn hexagon_seams() -> Derived {
    let mut cells = 0;
    let mut sealed = |board: Result<Geometry<8>, _>| {
        board.is_ok_and(|board| {
            cells += board.cells().count() as u64;
            board.is_sealed()
        })
    };
    let hexagons = (2..=11).all(|side| sealed(Geometry::hexagon(side)));
    let triangles = (2..=22).all(|side| sealed(Geometry::triangle(side)));
    let shown = Derived::holds(
        hexagons && triangles,
        "With bit 0 at the north-east and no separating column, no single step on a hexagon of \
         side 2 to 11 or a triangle of side 2 to 22 lands on a cell that is not the neighbour. \
         The widest row has no gap of its own; the gaps of the rows beside it stand next to it.",
    )
    .with("hexagons", hexagons)
    .with("triangles", triangles)
    .tried(
        cells,
        hexagons && triangles,
        "The cells of hexagons of side 2 to 11 and triangles of side 2 to 22",
    );
    let boards = [
        (
            "the-bits-of-a-hexagon-of-side-3,-dark-those-off-the-board",
            Geometry::<1>::hexagon(3),
        ),
        ("the-bits-of-a-triangle-of-side-5", Geometry::triangle(5)),
    ];
    boards
        .into_iter()
        .fold(shown, |shown, (name, board)| match board {
            Ok(board) => shown.with_bits(name, &board),
            Err(_) => shown,
        })
}

/// A staggered rhombus, the board of Hex, has no such gaps.
pub fn rhombus_seams() -> Derived {
    let sealed = |separators| {
        let board = Geometry::<3>::new(Grid::Hexagonal, 11, 11, separators);
        board.is_ok_and(|board| board.is_sealed())
    };
    let shown = Derived::holds(
        sealed(0),
        "On an 11x11 rhombus every row fills its array row, so a step east from the eastern \
         edge lands in the row above. It needs one separating bit a row like a square board.",
    )
    .with("with-one-separating-bit", sealed(1));
    match Geometry::<1>::new(Grid::Hexagonal, 5, 5, 0) {
        Ok(board) => shown.with_bits(
            "the-bits-of-a-rhombus-of-side-5,-none-off-the-board",
            &board,
        ),
        Err(_) => shown,
    }
}

/// One separating bit for single steps, two for double steps.
pub fn separating_bits() -> Derived {
    let mut boards = 0;
    let mut rule = |grid, width, height| {
        let sealed = |separators, steps| {
            let board = Geometry::<6>::new(grid, width, height, separators);
            board.is_ok_and(|board| board.steps_are_sealed(steps))
        };
        boards += 4;
        (1..=4).all(|n| sealed(n, n) && !sealed(n - 1, n))
    };
    let sizes = (5..=9).flat_map(|width| (5..=9).map(move |height| (width, height)));
    let holds = Grid::ALL.into_iter().all(|grid| {
        let mut sizes = sizes.clone();
        sizes.all(|(width, height)| rule(grid, width, height))
    });
    let shown = Derived::holds(
        holds,
        "On boards of 5x5 to 9x9 of all four grids, n separating bits a row keep unmasked steps \
         of distance n from wrapping, and n - 1 do not, for n from 1 to 4.",
    )
    .tried(
        boards,
        holds,
        "Boards of 5x5 to 9x9 on four grids, with steps of 1 to 4,",
    );
    let Ok(board) = Geometry::<2>::new(Grid::Square, 7, 6, 1) else {
        return shown;
    };
    // Two steps east from the eastern edge land on the western edge of the row above.
    let (from, by) = (board.at(6, 2), 2 * board.shift(Direction::E));
    shown
        .with_bits("the-bits-of-7x6,-dark-the-separating-ones", &board)
        .with_cells("a-cell", &board, from)
        .with_cells(
            "two-steps-east-of-it,-with-one-separating-bit",
            &board,
            from.shift(by) & board.mask(),
        )
}

/// Bits of a `width` by `height` board with a separating bit between rows.
fn separated_bits(width: usize, height: usize) -> usize {
    (width + 1) * height - 1
}

/// An 8x8 board with separating bits exceeds a word.
pub fn chess_bits() -> Derived {
    let one_word = Geometry::<1>::new(Grid::Square, 8, 8, 0).is_ok();
    let shown = Derived::new(
        separated_bits(8, 8),
        "Eight rows of eight cells with a bit between neighbouring rows; without those bits \
         the board fits one word exactly.",
    )
    .with("fits-without", one_word);
    in_words(shown, 8)
}

/// The cells of a square board with a separating bit between rows, by the word of their bits.
fn in_words(shown: Derived, side: usize) -> Derived {
    let pitch = side + 1;
    let word = |x: usize, y: usize| {
        let bit = y * pitch + side - 1 - x;
        char::from(b'A' + (bit / 64 % 7) as u8)
    };
    let row = |y: usize| (0..side).map(|x| word(x, y)).collect::<String>();
    let rows: Vec<String> = (0..side).map(row).collect();
    shown.with("the-cells-by-the-word-of-their-bit", rows.join("/"))
}

/// Words of a 19x19 board.
pub fn go_words() -> Derived {
    let bits = separated_bits(19, 19);
    let shown = Derived::new(
        bits.div_ceil(64),
        "19 rows of 19 cells and the bits between them. The 361 cells alone take six words \
         too, so on this board the separating bits are free.",
    )
    .with("bits", bits)
    .with("words-without", (19_usize * 19).div_ceil(64));
    in_words(shown, 19)
}

/// `a ^ b == (a | b) & ~(a & b)`.
pub fn xor_identity() -> Derived {
    let truth_table = [(0_u8, 0_u8), (0, 1), (1, 0), (1, 1)];
    let holds = truth_table
        .iter()
        .all(|&(a, b)| a ^ b == (a | b) & !(a & b));
    Derived::holds(
        holds,
        "All four cases of one bit; the operators work bit by bit.",
    )
    .with("all", truth_table.len())
}

/// Appendix B's rule for carrying bits across words, as printed.
pub fn carry_printed() -> Derived {
    let mut wrong = 0_u32;
    let mut total = 0_u32;
    let mut first = None;
    for by in -63..=63_isize {
        for i in 0..192 {
            let bit = Board::<3>::bit(i);
            total += 1;
            if printed::shift_right(bit, by) != Some(bit.shift(by)) {
                wrong += 1;
                first = first.or((by > 0).then_some((i, by)));
            }
        }
    }
    let example = first.map_or_else(String::new, |(i, by)| format!("bit {i} by {by}"));
    let found = Derived::holds(
        wrong == 0,
        "Every single bit of three words, shifted by -63 to 63. The printed rule takes \
         `bits_(i-1) >> w` and `bits_(i+1) >> w` with `w = B - shift_d`, both as right shifts \
         and both at once. Correct: for a right shift by s > 0 include `bits_(i+1) << (B - s)` \
         alone; for a left shift by s > 0 include `bits_(i-1) >> (B - s)` alone; words counted \
         from 0, as the printed conditions do and the printed numbering 1..I does not.",
    )
    .with("wrong", wrong)
    .with("of", total)
    .with("first-wrong-right-shift", example);
    let Some((i, by)) = first else {
        return found;
    };
    let bit = Board::<3>::bit(i);
    let printed = printed::shift_right(bit, by).unwrap_or(Board::EMPTY);
    let words = printed.words().into_iter().zip(bit.shift(by).words());
    words
        .enumerate()
        .fold(found, |found, (word, (printed, right))| {
            let name =
                |edition: &str| format!("{edition} word {word}, bit {i} shifted right by {by}");
            found
                .with(&name("printed"), format!("{printed:#x}"))
                .with(&name("right"), format!("{right:#x}"))
        })
}

/// Shifts of at most a word reach only the neighbouring words.
pub fn carry_reach() -> Derived {
    let near = (-64..=64).all(|by| {
        (0..320).all(|i| {
            let to = Board::<5>::bit(i).shift(by).lowest();
            to.is_none_or(|to| (to / 64).abs_diff(i / 64) <= 1)
        })
    });
    let words = |bits: Board<3>| bits.words().map(|word| format!("{word:#x}"));
    let second = Board::<3>::from_words([0, u64::MAX, 0]);
    let [.., last] = words(second.shift(-56));
    Derived::holds(
        near,
        "Every single bit of five words, shifted by -64 to 64.",
    )
    .tried(
        320 * 129,
        near,
        "Single bits of boards of five words, shifted by -64 to 64,",
    )
    .with("a-word-before-a-shift-by-56-to-the-left", &words(second)[1])
    .with("the-same-word-after-it", &words(second.shift(-56))[1])
    .with("what-has-gone-over-into-the-next-word", last)
}

/// One edge mask of listing 2.
pub fn listing_2_mask(name: &str) -> Derived {
    let named = LISTING_2_MASKS.iter().find(|(n, _, _)| *n == name);
    let Some(&(_, digits, correct)) = named else {
        return Derived::not_reached("listing 2 has no such mask");
    };
    let value = u128::from_str_radix(digits, 16);
    let holds = value == Ok(u128::from(correct));
    let note = match holds {
        true => format!("Printed 0x{digits}, which is the mask."),
        false => format!(
            "Printed 0x{digits}, {} hexadecimal digits where a Java long has at most 16; \
             0x{correct:016X}L is meant. Digits with which a doubled byte or a lost suffix \
             would read so suggest a fault of printing, not of the program.",
            digits.len()
        ),
    };
    Derived::holds(holds, note)
        .with("all", 1)
        .with("printed-digits", digits.len())
        .with("printed mask", format!("0x{digits}"))
        .with("right mask", format!("0x{correct:016x}"))
}
