//! Counts that others have published, derived with the algorithms at work.

use super::{Derived, Effort};
use crate::bitboard::printed::{PackingFixes, count_packings};
use crate::bitboard::uses::connect_four::ConnectFour;
use crate::bitboard::uses::{lights_out, othello};
use crate::bitboard::{Board, Direction, Geometry, Grid, life, packing, updates};

/// A glider on the 8x8 torus.
pub fn glider_return() -> Derived {
    let Ok(board) = Geometry::<1>::new(Grid::SquareDiagonal, 8, 8, 0) else {
        return Derived::not_reached("the board does not fit");
    };
    let glider = life::glider(&board, 2, 2);
    let start = life::to_word(glider);
    let after_four = (0..4).fold(start, |live, _| life::torus_step(live));
    let south_east = after_four == life::torus_shift(start, Direction::SE);
    let period = life::torus_period(start, 1000);
    Derived::new(
        period.map_or_else(|| "never".into(), |p| p.to_string()),
        "Generations of listing 2 until the board first equals the start again; every four \
         move it one cell down and one to the right.",
    )
    .with("one-south-east-after-four", south_east)
    .with_cells("glider", &board, glider)
}

/// All packings of the Soma cube.
pub fn soma_packings() -> Derived {
    let puzzle = packing::soma();
    let placements: usize = puzzle.pieces().iter().map(Vec::len).sum();
    let (mut count, mut first) = (0_u64, Vec::new());
    puzzle.solve(|packing| {
        count += 1;
        if first.is_empty() {
            first = packing.to_vec();
        }
    });
    let found = Derived::new(
        count,
        "Algorithm 13 as its text describes it, every placement of the seven pieces at all \
         rotations and translations; a packing and its turned or mirrored forms count apart.",
    )
    .with("placements", placements)
    .with("by-the-bare-search", puzzle.count_without_pruning());
    with_layers(found, "one-packing", &first)
}

/// The layers of a packing of the Soma cube, each drawn.
fn with_layers(found: Derived, what: &str, packing: &[(usize, Board<1>)]) -> Derived {
    let layers = ["bottom", "middle", "top"].into_iter().enumerate();
    layers.fold(found, |found, (z, name)| {
        found.with(&format!("{what},-{name}-layer"), layer(packing, z))
    })
}

/// A layer of a packing of the Soma cube: a letter a piece.
fn layer(packing: &[(usize, Board<1>)], z: usize) -> String {
    let letter = |cell: usize| {
        let piece = packing.iter().find(|(_, cells)| cells.get(cell));
        piece.map_or('.', |(piece, _)| char::from(b'A' + *piece as u8))
    };
    let row = |y: usize| {
        (0..3)
            .map(|x| letter(9 * z + 3 * y + x))
            .collect::<String>()
    };
    (0..3).map(row).collect::<Vec<_>>().join("/")
}

/// Packings up to the cube's 48 symmetries.
pub fn soma_distinct() -> Derived {
    let found = Derived::new(
        packing::distinct_soma_packings(),
        "The packings found were reduced to the least of their 48 images. Mirroring swaps the \
         two screw-shaped pieces, so packings are compared as partitions of the cube.",
    );
    let first = a_packing();
    // A quarter turn about the vertical axis turns each layer.
    let turned: Vec<(usize, Board<1>)> = first
        .iter()
        .map(|&(piece, cells)| (piece, cells.iter().map(quarter_turn).collect()))
        .collect();
    let found = with_layers(found, "a-packing", &first);
    with_layers(found, "the-same-turned", &turned)
}

/// Where a quarter turn of each layer takes a cell of the cube.
fn quarter_turn(cell: usize) -> usize {
    let (x, y, z) = (cell % 3, cell / 3 % 3, cell / 9);
    9 * z + 3 * x + 2 - y
}

/// The packing of the Soma cube that is found first.
fn a_packing() -> Vec<(usize, Board<1>)> {
    let mut first = Vec::new();
    packing::soma().solve(|packing| {
        if first.is_empty() {
            first = packing.to_vec();
        }
    });
    first
}

/// Algorithm 13 as printed, and with each mistake corrected alone.
pub fn algorithm_13_printed() -> Derived {
    let puzzle = packing::soma();
    let count = |critical_excludes_occupied, playable_equals_remaining| {
        count_packings(
            &puzzle,
            PackingFixes {
                critical_excludes_occupied,
                playable_equals_remaining,
            },
        )
    };
    let found = Derived::new(
        count(false, false),
        "Packings of the Soma cube that the printed pseudocode finds, reading line 15's \
         undefined `state_u` as `bits_u` and closing line 14's parenthesis. Line 9 counts \
         occupied cells as critical, since no legal placement covers them, and then no \
         placement can hold them all: correct is `critical = ~covered(bits, ~used_u) & ~bits & \
         mask`. Line 14 compares the playable unused pieces with the used ones: correct is \
         `playable(bits_u, ~used_u) == ~used_u`, over the puzzle's pieces. Either alone leaves \
         nothing; both corrected give the full count.",
    )
    .with("line-9-corrected", count(true, false))
    .with("line-14-corrected", count(false, true))
    .with("both-corrected", count(true, true));
    with_layers(found, "a-packing-that-it-misses", &a_packing())
}

/// Lights Out on 5x5.
pub fn lights_out_rank() -> Derived {
    let Ok(board) = Geometry::<1>::new(Grid::Square, 5, 5, 1) else {
        return Derived::not_reached("the board does not fit");
    };
    let rank = lights_out::rank(&board);
    let counted = lights_out::reachable_by_enumeration(&board);
    Derived::new(
        rank,
        "Rank over the field of two elements of the 25 presses of algorithm 11. All 2^25 sets \
         of presses were then made in Gray-code order and the positions they give counted.",
    )
    .with("reachable-by-rank", 1_u64 << rank)
    .with("reachable-counted", counted.unwrap_or(0))
    .with("positions", 1_u64 << board.mask().count())
    .with_cells(
        "a-press-in-the-middle",
        &board,
        press(&board, board.at(2, 2)),
    )
    .with_cells("a-press-in-a-corner", &board, press(&board, board.at(0, 0)))
}

/// What a press does to a board that is all off.
fn press(board: &Geometry<1>, cell: Board<1>) -> Board<1> {
    updates::press(board, Board::EMPTY, cell)
}

fn leaves(depth: u32) -> Option<othello::Leaves> {
    let board = othello::board().ok()?;
    Some(othello::perft(&board, &othello::start(&board), depth))
}

fn list(counts: impl IntoIterator<Item = u64>) -> String {
    let counts: Vec<String> = counts.into_iter().map(|n| n.to_string()).collect();
    counts.join(", ")
}

/// Perft of Othello, plies 1 to 8.
pub fn othello_perft() -> Derived {
    let counts = (1..=8).filter_map(leaves).map(othello::Leaves::total);
    Derived::new(
        list(counts),
        "Leaves at plies 1 to 8 from the usual start, moves by algorithm 4; a pass is a ply.",
    )
    .with("start", othello_start())
}

/// The usual start, black `x`.
fn othello_start() -> String {
    let Ok(board) = othello::board() else {
        return String::new();
    };
    let start = othello::start(&board);
    let of = |bits, disc: &str| board.draw(bits).replace('o', disc).replace('\n', "/");
    let (black, white) = (of(start.player, "x"), of(start.opponent, "o"));
    let both = black.chars().zip(white.chars());
    both.map(|(black, white)| if black == '.' { white } else { black })
        .collect()
}

/// Perft of Othello at one depth.
pub fn othello_leaves(depth: u32) -> Derived {
    let Some(leaves) = leaves(depth) else {
        return Derived::not_reached("the board does not fit");
    };
    Derived::new(
        leaves.total(),
        format!(
            "Leaves at ply {depth}; a pass is a ply, and a game that ended earlier stays a leaf. \
             Tables that drop such games give the figure `of-exactly-that-length`."
        ),
    )
    .with("of-exactly-that-length", leaves.full)
    .with("ended-earlier", leaves.ended)
    .with("start", othello_start())
}

/// As [`othello_leaves`], at full effort alone.
pub fn othello_leaves_at(depth: u32, effort: Effort) -> Derived {
    match effort {
        Effort::Full => othello_leaves(depth),
        Effort::Quick => Derived::not_reached("takes some seconds; run at full effort"),
    }
}

fn connect_four_plies(plies: usize) -> Option<Vec<u64>> {
    let game = ConnectFour::new(7, 6).ok()?;
    Some(game.positions_by_ply(plies))
}

/// With a position after so many plies, the first player's discs dark.
fn one_position(found: Derived, plies: usize) -> Derived {
    let game = ConnectFour::new(7, 6).ok();
    match game.and_then(|game| game.one_after(plies)) {
        Some(drawn) => found.with(&format!("one-after-{plies}-plies"), drawn),
        None => found,
    }
}

/// Positions of Connect Four, plies 0 to 12: some seconds and 500 MB.
pub fn connect_four_12() -> Derived {
    let found = Derived::new(
        list(connect_four_plies(12).unwrap_or_default()),
        "Distinct positions of 7x6 after 0 to 12 plies, mirror images apart, no moves after \
         four in a row (algorithm 7).",
    );
    one_position(found, 12)
}

/// Positions of 7x6 that gravity and the turns allow, reachable or not, counted in two ways.
pub fn connect_four_space() -> Derived {
    let binomial = |n: u64, k: u64| (0..k).fold(1_u64, |ways, i| ways * (n - i) / (i + 1));
    let (columns, height) = (7_u32, 6_u64);
    // By the heights of all columns: of n pieces half, rounded up, are the first player's.
    let by_heights: u64 = (0..(height + 1).pow(columns))
        .map(|code| {
            let digits = (0..columns).map(|c| code / (height + 1).pow(c) % (height + 1));
            let pieces: u64 = digits.sum();
            binomial(pieces, pieces.div_ceil(2))
        })
        .sum();
    // Column by column: ways to have so many pieces of each side.
    let most = (u64::from(columns) * height) as usize + 1;
    let mut ways = vec![vec![0_u64; most]; most];
    ways[0][0] = 1;
    for _ in 0..columns {
        let mut next = vec![vec![0_u64; most]; most];
        for (first, row) in ways.iter().enumerate() {
            for (second, &have) in row.iter().enumerate().filter(|(_, have)| **have > 0) {
                for pieces in 0..=height {
                    for own in 0..=pieces {
                        let (a, b) = (first + own as usize, second + (pieces - own) as usize);
                        next[a][b] += have * binomial(pieces, own);
                    }
                }
            }
        }
        ways = next;
    }
    let by_columns: u64 = (0..most)
        .flat_map(|first| [(first, first), (first, first.wrapping_sub(1))])
        .filter(|&(_, second)| second < most)
        .map(|(first, second)| ways[first][second])
        .sum();
    Derived::new(
        by_heights,
        "Ways to fill the columns from below with as many pieces of either side, or one more of \
         the first: a bound from above, since many such positions come after four in a row. \
         Counted by the heights of the columns, and column by column. Others counted the \
         positions that games reach: 4,531,985,219,092 (Edelkamp and Kissmann 2008; OEIS A212693).",
    )
    .with("column-by-column", by_columns)
}
