//! The article's methods: ranks, their tables, and the table that finds moves.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::LazyLock;

use puzzle_api::rank::{MOST_CELLS, binomial, low_bits, naive, subsets};
use puzzle_api::{BadInput, Figure, Parameters};

use super::explained;
use crate::board::Shape;
use crate::font::{Font, Glyph};
use crate::rules;

/// Greatest number of cells for which every subset is tried.
const TRIED: u32 = 16;

/// The sum of binomials numbers the subsets of one size from 0 on without a gap.
pub(super) fn rank_range() -> Vec<Figure> {
    let mut tried = 0_u64;
    let mut wrong = 0_u64;
    for cells in 0..=TRIED {
        for members in 0..=cells {
            for (rank, mask) in (0..).zip(subsets::all(cells, members)) {
                tried += 1;
                wrong += u64::from(naive::rank(mask) != rank);
            }
        }
    }
    // The steps of an induction on the number of cells: subsets without the last cell come first,
    // C(n-1, k) of them, and those with it follow.
    let mut steps = 0_u64;
    for n in 1..=MOST_CELLS {
        for k in 1..=n {
            steps += 1;
            wrong += u64::from(binomial(n, k) != binomial(n - 1, k) + binomial(n - 1, k - 1));
        }
    }
    explained(
        vec![
            Figure::new("value", wrong == 0),
            Figure::new("all", tried + steps),
            Figure::new("subsets tried", tried),
            Figure::new("induction steps checked", steps),
        ],
        "Every subset of up to 16 cells has the next rank in order of masks. For more cells by \
         induction: subsets of k of n cells without the last one keep their ranks below \
         C(n-1, k); with it they have C(n-1, k) plus a rank below C(n-1, k-1); and the two \
         counts add up to C(n, k), checked up to 64 cells.",
    )
}

/// Of the four ways to count positions and indices from 0 or 1, those that give each subset its own
/// rank from 0 on.
pub(super) fn rank_convention() -> Vec<Figure> {
    const CELLS: u32 = 12;
    let mut tight = Vec::new();
    for position_from in 0..=1 {
        for index_from in 0..=1 {
            let rank = |mask: u64| -> u64 {
                let positions = (0..CELLS).filter(|p| mask >> p & 1 == 1);
                let terms = positions.zip(index_from..);
                terms.map(|(p, i)| binomial(p + position_from, i)).sum()
            };
            let numbers = |cells: u32, members: u32| {
                let mut ranks: Vec<u64> = subsets::all(cells, members).map(rank).collect();
                ranks.sort_unstable();
                ranks.into_iter().eq(0..binomial(cells, members))
            };
            if (1..=CELLS).all(|cells| (1..=cells).all(|members| numbers(cells, members))) {
                tight.push(format!(
                    "positions from {position_from}, indices from {index_from}"
                ));
            }
        }
    }
    let holds = tight == ["positions from 0, indices from 1"];
    let tried: u64 = (1..=CELLS).map(|cells| (1 << cells) - 1).sum();
    let first = low_bits(Shape::SMALL.coins);
    let conventions = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let ranks = conventions.map(|(position, index)| {
        let rank: u64 = (index..)
            .zip(0..Shape::SMALL.coins)
            .map(|(i, p)| binomial(p + position, i))
            .sum();
        format!("{rank} with positions from {position} and indices from {index}")
    });
    explained(
        vec![
            Figure::new("value", holds),
            Figure::new("tried", tried),
            Figure::new("wrong", u64::from(!holds)),
            Figure::new(
                "drawn",
                "Subsets of up to 12 cells, ranked by four conventions,",
            ),
            Figure::new("tight", tight.join("; ")),
            Figure::new("the first position of 5x7", Shape::SMALL.draw(first)),
            Figure::new("its rank by each convention", ranks.join("; ")),
        ],
        "All subsets of up to 12 cells, ranked by the four conventions.",
    )
}

/// Cells of a piece of the article's table for moves on 5x9, which is looked up in overlapping
/// pieces of whole rows: 2^20 entries of four bytes are 4 MiB.
const PIECE_CELLS: u32 = 20;

/// By the content of a piece: its cells with two or more coins of the piece next to them.
static ENTRIES: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let piece = Shape {
        height: PIECE_CELLS / Shape::LARGE.width,
        ..Shape::LARGE
    };
    let beside = |cell| rules::beside(&piece, cell).fold(0_u32, |all, cell| all | 1 << cell);
    let beside: Vec<u32> = (0..PIECE_CELLS as usize).map(beside).collect();
    let entry = |content: u32| {
        let crowded = |cell: &u32| (beside[*cell as usize] & content).count_ones() >= 2;
        let cells = (0..PIECE_CELLS).filter(crowded);
        cells.fold(0, |all, cell| all | 1 << cell)
    };
    (0..1 << PIECE_CELLS).map(entry).collect()
});

/// The result of the piece that starts at a row, as cells of the board.
#[inline]
fn piece(coins: u64, start: u32) -> u64 {
    let shift = start * Shape::LARGE.width;
    let content = coins >> shift & low_bits(PIECE_CELLS);
    u64::from(ENTRIES[content as usize]) << shift
}

/// Rows of each piece that are counted completely, whatever the rest of the board holds.
pub(super) fn lookup_rows(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let starts: [u32; 4] = match parameters.one_of("starts")? {
        "0,2,4,6" => [0, 2, 4, 6],
        _ => [0, 2, 4, 5],
    };
    let found: Vec<String> = starts.into_iter().map(rows_in_full).collect();
    let mut figures = vec![
        Figure::new("value", found.join(" ")),
        Figure::new("contents tried of each piece", 1_u64 << PIECE_CELLS),
    ];
    figures.extend((1..).zip(&found).map(|(nth, rows)| {
        let cells = rows.split('/').filter_map(|row| row.parse::<u32>().ok());
        let width = Shape::LARGE.width;
        let cells = cells.fold(0, |all, row| all | low_bits(width) << (row * width));
        Figure::new(
            format!("rows that piece {nth} gives in full"),
            Shape::LARGE.draw(cells),
        )
    }));
    Ok(explained(
        figures,
        "For every content of each piece of four rows, with the rows beyond it once empty and \
         once full (which are the extremes), every cell was compared with a count on the whole \
         board. A row is listed where all its cells always agree.",
    ))
}

/// The rows of the piece that starts at a row of 5x9, among those that agree with the rule.
fn rows_in_full(start: u32) -> String {
    let shape = Shape::LARGE;
    let width = shape.width;
    let beside: Vec<u64> = (0..shape.cells() as usize)
        .map(|cell| rules::beside(&shape, cell).fold(0, |m, c| m | 1 << c))
        .collect();
    let last = shape.height.min(start + PIECE_CELLS / width);
    let inside = (start * width..last * width).fold(0_u64, |mask, cell| mask | 1 << cell);
    let mut agree = inside;
    // Contents beyond the board's last row do not occur.
    for content in 0..1_u64 << inside.count_ones() {
        for rest in [0, shape.mask() & !inside] {
            let board = content << (start * width) | rest;
            let said = piece(board, start);
            let mut left = agree;
            while left != 0 {
                let cell = left.trailing_zeros();
                let crowded = (board & beside[cell as usize]).count_ones() >= 2;
                if crowded != (said >> cell & 1 == 1) {
                    agree &= !(1 << cell);
                }
                left &= left - 1;
            }
        }
    }
    let row = |row: &u32| (agree >> (row * width)).trailing_ones() >= width;
    let rows: Vec<String> = (start..last)
        .filter(row)
        .map(|row| row.to_string())
        .collect();
    rows.join("/")
}

/// Whether joining the results of overlapping pieces is right for every board: each row is counted
/// completely by some piece, and no piece adds a wrong cell.
pub(super) fn lookup_join() -> Vec<Figure> {
    let starts = [0, 2, 4, 6];
    let full: Vec<String> = starts.into_iter().map(rows_in_full).collect();
    let covered = (0..9_u32).all(|row| {
        let named = row.to_string();
        full.iter().any(|rows| rows.split('/').any(|r| r == named))
    });
    let mut figures = vec![
        Figure::new("value", covered),
        Figure::new("all", starts.len() << PIECE_CELLS),
        Figure::new("rows in full by piece", full.join(" ")),
    ];
    figures.extend(joined(starts));
    explained(
        figures,
        "Every row is counted in full by some piece. At its edges a piece misses coins but \
         invents none, since a count within the piece is never more than a count on the board; \
         so the join of all pieces is right on every board.",
    )
}

/// A board, the cells with two coins next to them from each look-up, and their union.
fn joined(starts: [u32; 4]) -> Vec<Figure> {
    let font = Font::large();
    let Some(Glyph { coins, .. }) = font.glyphs().first() else {
        return Vec::new();
    };
    let pieces = starts.map(|start| piece(*coins, start) & Shape::LARGE.mask());
    let all = pieces.iter().fold(0, |all, piece| all | piece);
    let named = (1..).zip(pieces).map(|(nth, cells)| {
        Figure::new(
            format!("cells with two coins next to them, by piece {nth}"),
            Shape::LARGE.draw(cells),
        )
    });
    let board = Figure::new("a board", Shape::LARGE.draw(*coins));
    let joined = Figure::new("the four joined", Shape::LARGE.draw(all));
    std::iter::once(board)
        .chain(named)
        .chain([joined])
        .collect()
}

/// A small board, and three starts on it that many positions can be reached from.
const SMALL: Shape = Shape {
    width: 4,
    height: 4,
    coins: 6,
};
const STARTS: [u64; 3] = [0b0111_0111, 0b0011_0110_0011, 0b0001_0011_0110_0100];

/// The level of each position that can be reached from a start.
fn levels(start: u64) -> HashMap<u64, u32> {
    let mut found = HashMap::from([(start, 0)]);
    let mut level = vec![start];
    for depth in 1.. {
        let mut next = Vec::new();
        for mask in level {
            for after in moves(mask) {
                if let Entry::Vacant(place) = found.entry(after) {
                    place.insert(depth);
                    next.push(after);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    found
}

fn cells() -> impl Iterator<Item = usize> + Clone {
    0..SMALL.cells() as usize
}

/// Positions after one move, by the rulebook.
fn moves(mask: u64) -> Vec<u64> {
    let board = rules::board(&SMALL, mask);
    let ways = cells().flat_map(|from| cells().map(move |to| (from, to)));
    let after = ways.filter_map(|(from, to)| rules::slide(&SMALL, &board, from, to));
    after.map(|board| rules::mask(&board)).collect()
}

/// Positions before one move, by the article's reverse moves: a coin with two others next to it is
/// lifted, and put on any other empty cell.
fn reverse_moves(mask: u64) -> Vec<u64> {
    let board = rules::board(&SMALL, mask);
    let supported = cells().filter(|&at| board[at] && rules::coins_beside(&SMALL, &board, at) >= 2);
    let ways = supported.flat_map(|at| cells().map(move |to| (at, to)));
    ways.filter(|&(_, to)| mask >> to & 1 == 0)
        .map(|(at, to)| mask & !(1 << at) | 1 << to)
        .collect()
}

/// A farthest position, and a path back from it to the start by reverse moves.
fn reconstruct_path(found: &HashMap<u64, u32>) -> Vec<Figure> {
    let deepest = found.values().max().copied().unwrap_or(0);
    let farthest = found.iter().filter(|&(_, &level)| level == deepest);
    let mut at = farthest.map(|(&mask, _)| mask).min();
    let mut figures = Vec::new();
    for level in (0..=deepest).rev() {
        let Some(mask) = at else { break };
        let name = match level {
            0 => "level 0, the start".to_owned(),
            level => format!("level {level}"),
        };
        figures.push(Figure::new(name, SMALL.draw(mask)));
        let mut before = reverse_moves(mask).into_iter();
        at = before.find(|before| found.get(before).is_some_and(|&of| of + 1 == level));
    }
    figures
}

/// Whether reverse moves lead back level by level: from every position reached.
pub(super) fn path_back() -> Vec<Figure> {
    let (mut positions, mut stuck, mut nearer, mut deepest) = (0_u64, 0_u64, 0_u64, 0);
    let mut shown = Vec::new();
    for start in STARTS {
        let found = levels(start);
        if found.values().any(|&level| level > deepest) {
            shown = reconstruct_path(&found);
        }
        for (&mask, &level) in &found {
            positions += 1;
            deepest = deepest.max(level);
            let before = reverse_moves(mask);
            let least = before.iter().filter_map(|mask| found.get(mask)).min();
            let back = level == 0 || least.is_some_and(|&least| least + 1 == level);
            stuck += u64::from(!back);
            nearer += u64::from(least.is_some_and(|&least| least + 1 < level));
        }
    }
    let mut figures = vec![
        Figure::new("value", positions > 0 && stuck == 0 && nearer == 0),
        Figure::new("tried", positions),
        Figure::new("wrong", stuck + nearer),
        Figure::new(
            "drawn",
            "Positions of 4x4 with six coins, after three starts,",
        ),
        Figure::new("deepest level", deepest),
    ];
    figures.extend(shown);
    explained(
        figures,
        "Levels by the rulebook's moves; reverse moves by their own rule. Every position of level \
         N > 0 has a reverse move to one of level N-1 and none to a lower one, so N steps lead to \
         the start.",
    )
}
