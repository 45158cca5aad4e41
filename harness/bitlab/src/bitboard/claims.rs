//! The checkable statements of Browne's article, derived. `claims.toml` names a derivation for
//! each. Statements about all boards are tried on some; their claims are confirmed on a sample.

mod words;

use puzzle_api::bitboard::*;
use puzzle_api::rank::binomial;

use super::life::{self, MASKS};
use super::naive::{self, Cells, Literal, Side};
use super::packing::{self, Fixes};
use super::y::{Colour, YBoard};
use crate::permute::SplitMix64;
use crate::{Derivation, Derived};
use words::Depends;

/// The claims as TOML.
pub const TEXT: &str = include_str!("claims.toml");

/// Every derivation.
#[rustfmt::skip] // One property reads as a row of a table.
pub const DERIVATIONS: &[Derivation] = &[
    ("square-shifts", "=holds", square_shifts),
    ("hexagonal-shifts", "=holds", hexagonal_shifts),
    ("hexagon-seams", "=holds", hexagon_seams),
    ("rhombus-seams", "=holds", rhombus_seams),
    ("separating-bits", "=holds", separating_bits),
    ("go-words", "=number:words", go_words),
    ("carry-printed", "=holds", carry_printed),
    ("carry-reach", "=holds", carry_reach),
    ("masks", "=holds", masks),
    ("dilation-unmasked", "=holds", dilation_unmasked),
    ("algorithm-2-printed", "=holds", algorithm_2_printed),
    ("algorithm-6-printed", "=number:cells", || erosions(0)),
    ("algorithm-6-erosions", "=number:cells", || erosions(1)),
    ("line-of-four", "=holds", line_of_four),
    ("plus-patterns", "=number:places", plus_patterns),
    ("liberties-printed", "=holds", liberties_printed),
    ("y-reduction", "=holds", y_reduction),
    ("hex-reduction", "=holds", hex_reduction),
    ("life-operations", "=number:operations", life_operations),
    ("life-rule", "=holds", life_rule),
    ("glider-return", "=number:generations", glider_return),
    ("soma-packings", "=number:packings", soma_packings),
    ("algorithm-13-printed", "=number:packings", algorithm_13_printed),
    ("connect-four-space", "=number:positions", connect_four_space),
    // Properties of positions: an example, its result, and the property.
    ("dilation-erosion", "=holds", || property(
        (Grid::Square, BLOB), "dilated", |b, at| dilate(b, at.player),
        |t, at, l| {
            let (b, bits) = (&t.bits, at.player);
            let shifted = |d: &Direction| bits.shift(b.shift(*d));
            let all = b.grid().directions().iter();
            let dilated = all.clone().fold(bits, |all, d| all | shifted(d)) & b.mask();
            let eroded = all.fold(bits, |all, d| all & shifted(d));
            t.same(dilated, &t.cells.dilate(&l.player)) && t.same(eroded, &t.cells.erode(&l.player))
        })),
    ("empty-neighbours", "=holds", || property(
        TOUCHING, "its-empty-neighbours", empty_neighbours,
        |t, at, l| t.same(empty_neighbours(&t.bits, at), &l.empty_neighbours()))),
    ("enemy-neighbours", "=holds", || property(
        TOUCHING, "enemies-to-the-east", |b, at| enemy_neighbours_towards(b, at, Direction::E),
        |t, at, l| t.every_way(|d| {
            t.same(enemy_neighbours_towards(&t.bits, at, d), &l.enemy_neighbours_towards(d))
        }))),
    ("clobber-from-cell", "=holds", || property(
        TOUCHING, "that-capture-to-the-east",
        |b, at| b.step(enemy_neighbours_towards(b, at, Direction::E), Direction::W),
        |t, at, _| t.every_way(|d| {
            let to = enemy_neighbours_towards(&t.bits, at, d);
            let from = t.bits.step(to, d.opposite());
            at.player.contains(from) && from.count() == to.count()
        }))),
    ("line-caps", "=holds", || property(
        (Grid::SquareDiagonal, "....../..x.../.xoo../..oo../......"),
        "where-a-move-caps-a-line", line_cap_moves,
        |t, at, l| t.same(line_cap_moves(&t.bits, at), &l.line_cap_moves()))),
    ("breakthrough-moves", "=holds", || property(
        (Grid::SquareDiagonal, "o...o./..o.../.xxo../....x./......"),
        "where-the-player-may-go,-north", breakthrough_moves,
        |t, at, l| t.bits.grid() != Grid::SquareDiagonal
            || t.same(breakthrough_moves(&t.bits, at), &l.breakthrough_moves()))),
    ("one-direction-an-axis", "=holds", || property(
        (Grid::SquareDiagonal, "....../..x.../...x../xxxx../....x."),
        "left-by-one-erosion-to-the-east", |b, at| erode_towards(b, at.player, Direction::E),
        |t, at, _| t.bits.grid().axes().iter().all(|&axis| {
            let along = |d| line_length_along(&t.bits, at.player, d);
            along(axis) == along(axis.opposite())
        }))),
    ("pattern-matching", "=holds", || property(
        (Grid::Square, "....../..xxx./.xxxx./..x.../......"), "the-pattern-in-it",
        |b, at| {
            let places = translations(b, &PLUS);
            find_pattern(&places, at.player).map_or(Board::EMPTY, |nth| places[nth])
        },
        |t, at, l| {
            let found = find_pattern(&translations(&t.bits, &PLUS), at.player);
            found.is_some() == t.cells.matches(&PLUS, &l.player).next().is_some()
        })),
    ("exact-patterns", "=holds", || property(
        (Grid::Square, "xx...x/x...xx/....../.xx.../.x.x../...xx."), "corners-that-nothing-touches",
        |b, at| {
            let places = translations(b, &CORNER).into_iter();
            let exact = places.filter(|&place| matches_exactly(b, place, at.player));
            exact.fold(Board::EMPTY, |all, place| all | place)
        },
        |t, at, l| {
            let mut places = translations(&t.bits, &CORNER).into_iter();
            let found = places.any(|place| matches_exactly(&t.bits, place, at.player));
            found == t.cells.exact_match(&CORNER, &l.player).is_some()
        })),
    ("group-liberties", "=holds", || property(
        TOUCHING, "liberties-of-the-group-in-the-north-west", |b, at| liberties(b, at, b.at(1, 1)),
        |t, at, l| t.every_cell(at.player, |bit, cell| {
            t.same(liberties(&t.bits, at, bit), &l.liberties(cell))
        }))),
    ("free-pieces", "=holds", || property(
        TOUCHING, "pieces-with-a-liberty", free_pieces,
        |t, at, l| t.same(free_pieces(&t.bits, at), &l.free_pieces()))),
    ("flip-all", "=holds", || property(
        TOUCHING, "the-player's-pieces-after-it", |b, at| flip_enemy_neighbours(b, at).player,
        |t, at, l| {
            t.same_position(&flip_enemy_neighbours(&t.bits, at), &l.flip_enemy_neighbours())
        })),
    ("flip-around-move", "=holds", || property(
        TOUCHING, "the-player's-pieces-after-a-move-in-the-second-column-of-the-third-row",
        |b, at| flip_around_move(b, at, b.at(1, 2)).player,
        |t, at, l| t.every_cell(at.player, |bit, cell| {
            t.same_position(&flip_around_move(&t.bits, at, bit), &l.flip_around_move(cell))
        }))),
    ("algorithm-11-masked", "=holds", || property(
        (Grid::Square, BLOB), "after-a-press-at-the-left-edge",
        |b, at| press(b, at.player, b.at(0, 1)),
        |t, at, l| t.every_cell(t.bits.mask(), |bit, cell| {
            t.same(press(&t.bits, at.player, bit), &l.press(cell))
        }))),
    ("surround-capture", "=holds", || property(
        (Grid::Square, "xo.x./xo.../oo.../..oo./..oxo/...o."),
        "what-is-left-of-the-player's", surround_capture,
        |t, at, l| t.same(surround_capture(&t.bits, at), &l.surround_capture()))),
];

/// Derives the figures of one claim; `None` for an unknown name.
pub fn derive(what: &str) -> Option<Derived> {
    let known = DERIVATIONS.iter().find(|(name, ..)| *name == what);
    known.map(|(.., derivation)| derivation())
}

/// A grid, and a position on it as rows: `x` for the player's pieces, `o` for the opponent's.
type Example = (Grid, &'static str);

const TOUCHING: Example = (Grid::Square, "....../.xoo../.xo.x./..oxo./......");
const BLOB: &str = "....../..xx../.xxxx./..xx../......";

/// The plus of figure 17.
const PLUS: [(usize, usize); 5] = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)];
const CORNER: [(usize, usize); 3] = [(0, 0), (1, 0), (0, 1)];

type Twin = naive::Twin<2>;

impl Twin {
    fn every_way(&self, holds: impl FnMut(Direction) -> bool) -> bool {
        self.bits.grid().directions().iter().copied().all(holds)
    }

    /// Whether something holds for every cell of a set: for its bit, and for its place in the
    /// arrays.
    fn every_cell(&self, of: Board<2>, holds: impl Fn(Board<2>, usize) -> bool) -> bool {
        of.iter().all(|index| {
            let cell = self.cell(index);
            cell.is_some_and(|cell| holds(Board::bit(index), cell))
        })
    }
}

/// Boards of one size on every grid, with one separating bit.
fn twins(width: usize, height: usize) -> impl Iterator<Item = Twin> {
    Grid::ALL
        .into_iter()
        .filter_map(move |grid| Some(Twin::of(Geometry::new(grid, width, height, 1).ok()?)))
}

/// All positions of a board of at most 20 cells.
fn all_positions(board: &Geometry<2>) -> impl Iterator<Item = Position<2>> {
    let bits: Vec<usize> = board.mask().iter().collect();
    (0..3_u32.pow(bits.len() as u32)).map(move |mut code| {
        let mut at = Position::default();
        for &bit in &bits {
            match code % 3 {
                1 => at.player = at.player.with(bit),
                2 => at.opponent = at.opponent.with(bit),
                _ => {}
            }
            code /= 3;
        }
        at
    })
}

fn random_bits(random: &mut SplitMix64) -> Board<2> {
    Board::from_words([random.next_word(), random.next_word()])
}

/// A random position: each side on some third of the cells.
fn random_position(board: &Geometry<2>, random: &mut SplitMix64) -> Position<2> {
    let mut bits = || random_bits(random) & board.mask();
    let (occupied, player) = (bits() | bits() & bits(), bits());
    Position {
        player: occupied & player,
        opponent: occupied & !player,
    }
}

/// Random positions of each larger board on each grid.
const EACH: u64 = 200;

/// Tries a property in every position of 3x3 on every grid (19,683 each) and in random ones of 7x6
/// and of 11x9 (two words).
fn property(
    (grid, rows): Example,
    shown: &str,
    show: fn(&Geometry<2>, &Position<2>) -> Board<2>,
    holds: fn(&Twin, &Position<2>, &Literal) -> bool,
) -> Derived {
    let on = |twin: &Twin, at: &Position<2>| holds(twin, at, &twin.literal(at));
    let small = twins(3, 3).all(|twin| all_positions(&twin.bits).all(|at| on(&twin, &at)));
    let mut random = SplitMix64::new(4);
    let larger = twins(7, 6)
        .chain(twins(11, 9))
        .all(|twin| (0..EACH).all(|_| on(&twin, &random_position(&twin.bits, &mut random))));
    let found = Derived::holds(
        small && larger,
        "All 19,683 positions of 3x3 on each of the four grids, and 200 random ones of 7x6 and \
         11x9 each, against cells handled one by one.",
    )
    .on(
        "sampled",
        2 * 4 * EACH,
        "Positions of 7x6 and 11x9 drawn at random, in addition to all of 3x3,",
    )
    .with("a-position,-the-player's-pieces-dark", rows);
    let lines: Vec<&str> = rows.split('/').collect();
    let Ok(board) = Geometry::new(grid, lines[0].len(), lines.len(), 1) else {
        return found;
    };
    let all = |symbol| {
        board.from_cells(
            &rows
                .replace('/', "")
                .chars()
                .map(|c| c == symbol)
                .collect::<Vec<_>>(),
        )
    };
    let at = Position {
        player: all('x'),
        opponent: all('o'),
    };
    found.with(shown, drawn(&board, show(&board, &at)))
}

/// A set of cells as rows of `#` and `.`, joined by `/`.
fn drawn<const N: usize>(board: &Geometry<N>, bits: Board<N>) -> String {
    board.draw(bits).replace('o', "#").replace('\n', "/")
}

// ---- section 2 and appendix B ---------------------------------------------------------

/// The printed shifts of the square grid.
fn square_shifts() -> Derived {
    use Direction::*;
    let mut steps = 0;
    let holds = (3..=8).all(|cols| {
        let by = |d: Direction| match d {
            N => cols as isize + 1,
            S => -(cols as isize + 1),
            E => 1,
            _ => -1,
        };
        let board = Geometry::<2>::new(Grid::Square, cols, 8, 1);
        board.is_ok_and(|board| {
            let cells = Cells::of(&board);
            board.cells().enumerate().all(|(cell, (x, y))| {
                [N, E, S, W].into_iter().all(|d| {
                    let to = cells.neighbour(cell, d).map(|to| (to % cols, to / cols));
                    let to = to.map_or(Board::EMPTY, |(x, y)| board.at(x, y));
                    steps += 1;
                    board.at(x, y).shift(by(d)) & board.mask() == to
                })
            })
        })
    });
    Derived::holds(
        holds,
        "Every cell of 3x8 to 8x8 boards was moved by the printed shift and compared with its \
         neighbour. They fit one layout only: bit 0 in the north-east corner, indices rising \
         westward and then southward, separating bits at the east end of a row. The edge masks of \
         listing 2 use the same layout.",
    )
    .on(
        "tried",
        steps,
        "Steps from every cell of boards of 3x8 to 8x8",
    )
}

/// Steps east and south, in half cells, of moving `by` bits down. The layout has `pitch` bits per
/// row with bit 0 at the north-east; `lean` is how far each row stands east of the one above it.
fn moved(pitch: i64, lean: i64, by: i64) -> (i64, i64) {
    // From the middle of a wide row, so that only the step itself matters.
    let start = 50 * pitch + pitch / 2;
    let (from, to) = ((start % pitch, start / pitch), start - by);
    let (column, row) = (to.rem_euclid(pitch), to.div_euclid(pitch));
    let (east, south) = (from.0 - column, row - from.1);
    (2 * east + lean * south, south)
}

/// The six printed shifts against the plane geometry of hexagons.
fn hexagonal_shifts() -> Derived {
    let columns = 3..=102_i64;
    let holds = |extra: i64, lean: i64| {
        columns.clone().all(|cols| {
            // NE, E, SE, SW, W, NW as printed.
            let printed = [cols + 1, 1, -cols, -(cols + 1), -1, cols];
            let steps = printed.map(|by| moved(cols + extra, lean, by));
            steps == [(1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1)]
        })
    };
    let (bare, separated) = (holds(0, 1), holds(1, -1));
    Derived::holds(
        bare && separated,
        "The six shifts are consistent. They fit two layouts. With `cols` bits a row each row \
         stands half a cell east of the one above; with `cols + 1` bits a row, as in the square \
         case, half a cell west. The text does not say which; figure 3 must.",
    )
    .on(
        "tried",
        columns.count() as u64,
        "Boards of 3 to 102 columns in both layouts",
    )
}

/// Staggered hexagons and triangles leave an off-board bit at every seam.
fn hexagon_seams() -> Derived {
    let mut cells = 0;
    let mut sealed = |board: Result<Geometry<8>, _>| {
        board.is_ok_and(|board| {
            cells += board.cells().count() as u64;
            board.is_sealed()
        })
    };
    let hexagons = (2..=11).all(|side| sealed(Geometry::hexagon(side)));
    let triangles = (2..=22).all(|side| sealed(Geometry::triangle(side)));
    let found = Derived::holds(
        hexagons && triangles,
        "No single step on a hexagon of side 2 to 11 or a triangle of side 2 to 22 lands on a cell \
         that is not the neighbour. The widest row has no gap of its own; the gaps of the neighbouring \
         rows stand next to it.",
    );
    let which = "The cells of hexagons of side 2 to 11 and triangles of side 2 to 22";
    let found = found.on("tried", cells, which);
    match Geometry::<1>::hexagon(3) {
        Ok(board) => found.with("a-hexagon-of-side-3", drawn(&board, board.mask())),
        Err(_) => found,
    }
}

/// Hex is played on a rhombus, whose rows fill the array.
fn rhombus_seams() -> Derived {
    let rhombus = |separators| {
        let board = Geometry::<3>::new(Grid::Hexagonal, 11, 11, separators);
        board.is_ok_and(|board| board.is_sealed())
    };
    let said =
        "A single step on the rhombus of side 11 may land on a cell that is not the neighbour.";
    Derived::holds(rhombus(0), said).with("with-a-separating-bit", rhombus(1))
}

/// One separating bit for single steps, two for double steps.
fn separating_bits() -> Derived {
    let mut boards = 0;
    let mut rule = |grid, width, height| {
        let sealed = |separators, steps| {
            let board = Geometry::<6>::new(grid, width, height, separators);
            board.is_ok_and(|board| board.steps_are_sealed(steps))
        };
        boards += 4;
        (1..=4).all(|n| sealed(n, n) && !sealed(n - 1, n))
    };
    let holds = Grid::ALL.into_iter().all(|grid| {
        let mut sizes = (5..=9).flat_map(|width| (5..=9).map(move |height| (width, height)));
        sizes.all(|(width, height)| rule(grid, width, height))
    });
    Derived::holds(
        holds,
        "On boards of 5x5 to 9x9 of all four grids, n separating bits a row keep unmasked steps of \
         distance n from wrapping, and n - 1 do not, for n from 1 to 4.",
    )
    .on(
        "tried",
        boards,
        "Boards of 5x5 to 9x9 on four grids, with steps of 1 to 4,",
    )
}

/// Words of a 19x19 board with a bit between rows.
fn go_words() -> Derived {
    let bits: usize = 20 * 19 - 1;
    Derived::new(
        &[
            ("value", &bits.div_ceil(64)),
            ("bits", &bits),
            ("words-without", &(19_usize * 19).div_ceil(64)),
        ],
        "19 rows of 19 cells and the bits between them. The 361 cells alone take six words too, so \
         on this board the separating bits are free.",
    )
}

/// Appendix B's rule as printed: word `i` takes `bits_{i-1} >> w` *and* `bits_{i+1} >> w` with
/// `w = 64 - shift_d`. `None` if the printed shift leaves the word.
fn printed_shift(bits: Board<3>, by: isize) -> Option<Board<3>> {
    let inner = u32::try_from(by).ok().filter(|&by| by < 64)?;
    let words = bits.words();
    let carried = |word: Option<&u64>| {
        word.and_then(|word| word.checked_shr(64 - inner))
            .unwrap_or(0)
    };
    let word = |i: usize| {
        let previous = i.checked_sub(1).and_then(|i| words.get(i));
        words[i] >> inner | carried(previous) | carried(words.get(i + 1))
    };
    Some(Board::from_words([0, 1, 2].map(word)))
}

fn carry_printed() -> Derived {
    let cases = (-63..=63).flat_map(|by: isize| (0..192).map(move |i| (i, by)));
    let is_wrong = |&(i, by): &(usize, isize)| {
        let bit = Board::bit(i);
        printed_shift(bit, by) != Some(bit.shift(by))
    };
    let wrong: Vec<_> = cases.clone().filter(is_wrong).collect();
    let found = Derived::holds(
        wrong.is_empty(),
        "Every single bit of three words, shifted by -63 to 63. The printed rule takes \
         `bits_(i-1) >> w` and `bits_(i+1) >> w` with `w = B - shift_d`. Correct: for a right \
         shift by s include `bits_(i+1) << (B - s)` alone; for a left shift by s include \
         `bits_(i-1) >> (B - s)` alone.",
    )
    .with("wrong", wrong.len())
    .with("of", cases.count());
    let Some(&(i, by)) = wrong.iter().find(|(_, by)| *by > 0) else {
        return found;
    };
    let (bit, name) = (Board::bit(i), |edition: &str| {
        format!("{edition} bit {i} shifted right by {by}")
    });
    let printed = printed_shift(bit, by).unwrap_or(Board::EMPTY);
    found
        .with(&name("printed"), format!("{printed:?}"))
        .with(&name("right"), format!("{:?}", bit.shift(by)))
}

/// Shifts of at most a word reach only the neighbouring words.
fn carry_reach() -> Derived {
    let near = (-64..=64).all(|by| {
        (0..320).all(|i| {
            let to = Board::<5>::bit(i).shift(by).lowest();
            to.is_none_or(|to| (to / 64).abs_diff(i / 64) <= 1)
        })
    });
    let which = "Single bits of boards of five words, shifted by -64 to 64,";
    Derived::holds(
        near,
        "Every single bit of five words, shifted by -64 to 64.",
    )
    .on("tried", 320 * 129, which)
}

/// The edge masks of listing 2.
fn masks() -> Derived {
    let right =
        |(_, printed, meant): &(&str, &str, u64)| u64::from_str_radix(printed, 16) == Ok(*meant);
    let found = Derived::holds(
        MASKS.iter().all(right),
        "L is printed with 18 digits, R and B with 17, the last perhaps a suffix `L` misread; a \
         Java long has at most 16. T is right.",
    );
    MASKS.iter().fold(found, |found, mask| {
        let (name, printed, meant) = mask;
        found
            .with(&format!("{name}-printed"), format!("0x{printed}"))
            .with(&format!("{name}-meant"), format!("{meant:#018x}"))
    })
}

// ---- section 5 as printed -------------------------------------------------------------

/// Section 4.3 without the on-board mask: cells off the board that a dilation sets.
fn dilation_unmasked() -> Derived {
    let (mut sets, mut spilling) = (0_u64, 0_u64);
    for twin in twins(3, 3) {
        let board = &twin.bits;
        for at in all_positions(board).filter(|at| at.opponent.is_empty()) {
            let shifted = |d: &Direction| at.player.shift(board.shift(*d));
            let directions = board.grid().directions().iter();
            let dilated = directions.fold(at.player, |all, d| all | shifted(d));
            sets += 1;
            spilling += u64::from(!board.mask().contains(dilated));
        }
    }
    Derived::holds(
        spilling == 0,
        "All sets of 3x3 on each grid, dilated as printed and not masked: bits are set outside the \
         board. Section 4.1 says that the mask is applied implicitly to a complement; sections 4.3 \
         and 5.3.1 do not say so. A press of algorithm 11 so toggles bits off the board, which \
         then never becomes zero.",
    )
    .with("sets", sets)
    .with("sets-that-spill", spilling)
}

/// Algorithm 2's `empty_p`.
fn algorithm_2_printed() -> Derived {
    let printed = |board: &Geometry<2>, at: &Position<2>, d| {
        board.step(at.player, d) & board.complement(at.player)
    };
    let (mut occupied, mut total) = (0_u32, 0_u32);
    for board in twins(3, 3).map(|twin| twin.bits) {
        for at in all_positions(&board) {
            for &d in board.grid().directions() {
                total += 1;
                occupied += u32::from(printed(&board, &at, d).intersects(at.full()));
            }
        }
    }
    let found = Derived::holds(
        occupied == 0,
        "Algorithm 2 is to give empty cells, but intersects with `empty_p`, defined in section 3 \
         as the cells without a piece of the player's own, and so gives the opponent's pieces too. \
         Correct: intersect with `empty`. All positions of 3x3 were tried in all directions of the \
         four grids.",
    )
    .with("wrong", occupied)
    .with("of", total);
    let Ok(board) = Geometry::new(Grid::Square, 3, 3, 1) else {
        return found;
    };
    let at = Position {
        player: board.at(0, 1),
        opponent: board.at(1, 1),
    };
    let right = empty_neighbours_towards(&board, &at, Direction::E);
    found
        .with("a-piece-and-its-opponent", ".../xo./...")
        .with(
            "east-of-it-as-printed",
            drawn(&board, printed(&board, &at, Direction::E)),
        )
        .with("east-of-it-with-empty", drawn(&board, right))
}

/// Algorithm 6 on the line of three of figure 12: its erosions that leave something, and `more`.
fn erosions(more: u32) -> Derived {
    let line = Geometry::<2>::new(Grid::SquareDiagonal, 8, 8, 1).map(|board| {
        let line = (2..5).fold(Board::EMPTY, |all, y| all | board.at(3, y));
        (drawn(&board, line), line_length(&board, line))
    });
    let (rows, length) = line.unwrap_or_default();
    Derived::new(
        &[
            ("value", &(length.saturating_sub(1) + more)),
            ("line", &rows),
        ],
        "A line of three, as in figures 12 and 13. The printed loop counts the erosions that leave \
         something, one fewer than the length, and 0 for a single piece as for none; its `argmax` \
         would be the axis, not the length. The prose counts erosions, of which the one that \
         leaves nothing is the third.",
    )
}

/// Algorithm 7, on one separating bit.
fn line_of_four() -> Derived {
    let agrees = |twin: &Twin, bits| {
        has_line_of_four(&twin.bits, bits)
            == (twin.cells.line_length(&twin.bits.to_cells(bits)) >= 4)
    };
    let every_4x4 = twins(4, 4).all(|twin| {
        let cells: Vec<usize> = twin.bits.mask().iter().collect();
        (0..1_u32 << 16).all(|code| {
            let on = (0..16).filter(|k| code >> k & 1 == 1);
            agrees(&twin, on.map(|k| cells[k]).collect())
        })
    });
    let mut random = SplitMix64::new(5);
    let larger = twins(7, 6)
        .chain(twins(11, 9))
        .all(|twin| (0..EACH).all(|_| agrees(&twin, random_bits(&mut random) & twin.bits.mask())));
    Derived::holds(
        every_4x4 && larger,
        "All 65,536 sets of 4x4 on each grid and 200 random ones of 7x6 and 11x9. One separating \
         bit a row is enough although the algorithm shifts by two steps: the pairs it joins have \
         been checked at every single step.",
    )
    .on(
        "sampled",
        2 * 4 * EACH,
        "Sets of 7x6 and 11x9 drawn at random, in addition to all of 4x4,",
    )
}

/// Placements of the plus in figure 17.
fn plus_patterns() -> Derived {
    let count = |side| {
        let board = Geometry::<2>::new(Grid::Square, side, side, 1);
        board.map_or(0, |board| translations(&board, &PLUS).len())
    };
    Derived::new(
        &[
            ("value", &count(8)),
            ("on-7x7", &count(7)),
            ("on-9x9", &count(9)),
        ],
        "Translations of a plus of five cells on 8x8. The size of the board is in the lost figure; \
         8x8 is the only square board on which the count is 36.",
    )
}

/// Line 1 of algorithm 12.
fn free_pieces(board: &Geometry<2>, at: &Position<2>) -> Board<2> {
    dilate(board, at.empty(board)) & at.player
}

/// Line 1 of algorithm 12, applied to all liberties.
fn liberties_printed() -> Derived {
    let (mut wrong, mut of) = (0_u32, 0_u32);
    for twin in twins(3, 3) {
        for at in all_positions(&twin.bits) {
            of += 1;
            let all = twin.literal(&at).all_liberties();
            wrong += u32::from(!twin.same(free_pieces(&twin.bits, &at), &all));
        }
    }
    Derived::holds(
        wrong == 0,
        "Line 1 is `(empty dilated by 1) & bits_p`: pieces, never empty cells. The liberties \
         themselves are `(bits_p dilated by 1) & empty`. All positions of 3x3 on the four grids \
         were tried.",
    )
    .with("wrong", wrong)
    .with("of", of)
}

// ---- connection games -----------------------------------------------------------------

/// Whether reduction gives the colour that connects its sides, cell by cell, on a `width` board.
fn reduces(board: &YBoard, cells: &Cells, width: usize, sides: [&[Side]; 2]) -> bool {
    let owner = |cell: usize| board.get(cell % width, cell / width);
    let all = [Colour::White, Colour::Black].into_iter().zip(sides);
    let mut won = all.map(|(colour, sides)| {
        let own = cells.select(|cell| owner(cell) == Some(colour));
        cells.connects(&own, sides).then_some(colour)
    });
    let [white, black] = [won.next().flatten(), won.next().flatten()];
    board.winner() == white.or(black)
}

/// Tries all fills of sides 1 to `small`, empty cells included, and `FILLS` of each larger side.
fn reduction(small: usize, most: usize, is_hex: bool, explanation: &str) -> Derived {
    const FILLS: u64 = 40;
    const Y: [Side; 3] = [
        |_, at| at.0 == 0,
        |_, at| at.1 == 0,
        |w, at| at.0 + at.1 + 1 == w,
    ];
    const ACROSS: [Side; 2] = [|_, at| at.0 == 0, |w, at| at.0 + 1 == w];
    const DOWN: [Side; 2] = [|_, at| at.1 == 0, |w, at| at.1 + 1 == w];
    let agrees = |side: usize, fill: &mut dyn FnMut() -> u64| {
        let on = |c: usize, r: usize| is_hex || c + r < side;
        let geometry = Geometry::<16>::shaped(Grid::Hexagonal, side, side, 0, on);
        let board = if is_hex {
            YBoard::hex(side)
        } else {
            YBoard::new(side)
        };
        let (Ok(geometry), Some(mut board)) = (geometry, board) else {
            return false;
        };
        for (c, r) in geometry.cells().filter(|&(c, r)| on(c, r)) {
            let owner = [None, Some(Colour::White), Some(Colour::Black)][fill() as usize % 3];
            board.set(c, r, owner);
        }
        let sides: [&[Side]; 2] = if is_hex { [&ACROSS, &DOWN] } else { [&Y, &Y] };
        reduces(&board, &Cells::of(&geometry), side, sides)
    };
    let exhaustive = (1..=small).all(|side| {
        let cells = if is_hex {
            side * side
        } else {
            side * (side + 1) / 2
        };
        (0..3_u64.pow(cells as u32)).all(|mut code| {
            agrees(side, &mut || {
                let digit = code % 3;
                code /= 3;
                digit
            })
        })
    });
    let mut random = SplitMix64::new(6);
    let larger = (small + 1..=most)
        .all(|side| (0..FILLS).all(|_| agrees(side, &mut || 1 + (random.next_word() >> 63))));
    let which = format!(
        "Fills of larger sides to {most} drawn at random, in addition to all positions of sides 1 to {small},"
    );
    let drawn = FILLS * (most - small) as u64;
    Derived::holds(exhaustive && larger, explanation).on("sampled", drawn, &which)
}

fn y_reduction() -> Derived {
    reduction(
        4,
        32,
        false,
        "The winner by reduction is the colour with a chain to all three sides, found cell by \
         cell. Exact in positions not yet full too: each colour's bit plane reduces on its own. \
         (The code of listing 1 is missing from the text; this one follows its description.)",
    )
}

fn hex_reduction() -> Derived {
    reduction(
        3,
        16,
        true,
        "A board of Hex is one of Y with two corners filled, one by each side. The winner by \
         reduction is the colour with a chain between its two sides, found cell by cell.",
    )
}

// ---- Life, packing, counts ------------------------------------------------------------

/// Operations of listing 2, counted while it runs.
fn life_operations() -> Derived {
    let (_, operations) = Depends::run(life::step);
    Derived::new(
        &[("value", &operations)],
        "Listing 2 run on a word that counts: every &, |, ^, ~, << and >> is one operation, \
         constants and assignments none. 4 + 4 to shift rows, 6 x 5 to shift columns, 8 x 5 to \
         add, 4 to decide. The `& T` and `& B` before shifts by 56 change nothing, so 80 would do.",
    )
}

/// The nine cells of the torus on which a cell's next state may depend, including itself.
fn neighbourhood(cell: usize) -> u64 {
    let all = (0..9).map(|k| (cell / 8 + 7 + k / 3) % 8 * 8 + (cell + 7 + k % 3) % 8);
    all.fold(0, |all, cell| all | 1 << cell)
}

/// Listing 2 on every neighbourhood at every place of the torus, on which alone it can depend.
fn life_rule() -> Derived {
    let agrees =
        |live: u64| naive::from_word(life::step(live)) == naive::life(&naive::from_word(live));
    let neighbourhoods = (0..64).map(neighbourhood).all(|near| {
        let cells: Vec<u64> = (0..64)
            .map(|bit| 1 << bit)
            .filter(|bit| near & bit != 0)
            .collect();
        (0..512).all(|pattern| {
            let on = (0..9).filter(|k| pattern >> k & 1 == 1);
            agrees(on.map(|k| cells[k]).sum())
        })
    });
    let (sources, _) = Depends::run(life::step);
    let mut sources = sources.into_iter().enumerate();
    let local = sources.all(|(cell, sources)| sources & !neighbourhood(cell) == 0);
    Derived::holds(
        neighbourhoods && local,
        "Run on a word that keeps of each bit which bits it is made of, every cell of listing 2's \
         result is made of the nine cells around it alone. All 512 contents of these were tried at \
         all 64 places of the torus, with the masks corrected: that is every board, as far as any \
         cell can tell.",
    )
    .with("all", 512 * 64)
    .with("local", local)
}

/// A glider on the 8x8 torus.
fn glider_return() -> Derived {
    let start: u64 = [(3, 2), (4, 3), (2, 4), (3, 4), (4, 4)]
        .map(|(x, y)| 1 << (8 * y + 7 - x))
        .iter()
        .sum();
    let mut live = start;
    let period = (1..=1000).find(|_| {
        live = life::step(live);
        live == start
    });
    Derived::new(
        &[
            (
                "value",
                &period.map_or("never".into(), |period: u32| period.to_string()),
            ),
            ("glider", &format!("{start:#018x}")),
        ],
        "Generations of listing 2 until the board first equals the start again.",
    )
}

/// All packings of the Soma cube.
fn soma_packings() -> Derived {
    let (mut count, mut first) = (0_u64, String::new());
    packing::soma().solve(Fixes::BOTH, |packing| {
        count += 1;
        if count == 1 {
            let letter = |cell: usize| {
                let piece = packing.iter().find(|(_, cells)| cells.get(cell));
                piece.map_or('.', |(piece, _)| char::from(b'A' + *piece as u8))
            };
            let rows = (0..9).map(|row| (0..3).map(|x| letter(3 * row + x)).collect::<String>());
            first = rows.collect::<Vec<_>>().join("/");
        }
    });
    Derived::new(
        &[("value", &count), ("one-packing,-layer-by-layer", &first)],
        "Algorithm 13 as its text describes it, every placement of the seven pieces at all \
         rotations and translations; a packing and its turned or mirrored forms count apart.",
    )
}

/// Algorithm 13 as printed, and with each mistake corrected alone.
fn algorithm_13_printed() -> Derived {
    let count = |line_9, line_14| packing::soma().count(Fixes { line_9, line_14 });
    Derived::new(
        &[
            ("value", &count(false, false)),
            ("line-9-corrected", &count(true, false)),
            ("line-14-corrected", &count(false, true)),
        ],
        "Packings of the Soma cube that the printed pseudocode finds, reading line 15's undefined \
         `state_u` as `bits_u` and closing line 14's parenthesis. Line 9 counts occupied cells as \
         critical, since no legal placement covers them, and then no placement can hold them all: \
         correct is `critical = ~covered(bits, ~used_u) & ~bits & mask`. Line 14 compares the \
         playable unused pieces with the used ones: correct is `playable(bits_u, ~used_u) == \
         ~used_u`. Either alone leaves nothing; both corrected give the full count.",
    )
}

/// Positions of 7x6 that gravity and the turns allow, reachable or not.
fn connect_four_space() -> Derived {
    // By the heights of all columns: half of n pieces, rounded up, are the first player's.
    let by_heights = (0..7_u64.pow(7)).map(|code| {
        let pieces = (0..7).map(|c| (code / 7_u64.pow(c) % 7) as u32).sum();
        binomial(pieces, u32::div_ceil(pieces, 2))
    });
    Derived::new(
        &[("value", &by_heights.sum::<u64>())],
        "Ways to fill the columns from below with as many pieces of either side, or one more of \
         the first: a bound from above, since many such positions come after four in a row. Others \
         counted the positions that games reach: 4,531,985,219,092 (Edelkamp and Kissmann 2008; \
         OEIS A212693).",
    )
}
