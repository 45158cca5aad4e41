//! The article's three look-ups for a rank, and the gain of the instructions that count bits.
// Functions for processors that have these instructions are called after asking for them.
#![allow(unsafe_code)]

use std::hint::black_box;
use std::time::Instant;

use puzzle_api::rank::{low_bits, naive};
use puzzle_api::{Figure, Xorshift};

use super::explained;
use crate::board::Shape;
use crate::sample;

/// Bits of the lower, the middle and the upper piece of 45 cells.
const WIDTHS: [u32; 3] = [20, 16, 9];
/// Lowest bit of each piece.
const SHIFTS: [u32; 3] = [0, 20, 36];
/// Possible numbers of ones below, with 13 coins: 0 to 13.
const BELOW: usize = Shape::LARGE.coins as usize + 1;

/// One table per piece and a number of ones below it, as the article describes them.
struct Tables([Vec<u64>; 3]);

impl Tables {
    /// By the sum over the ones of a piece, with the ones below it in the lowest places.
    fn new() -> Self {
        let table = |piece: usize| {
            let patterns = 1_u64 << WIDTHS[piece];
            let rows = if piece == 0 { 1 } else { BELOW };
            (0..rows as u32)
                .flat_map(|below| {
                    (0..patterns).map(move |pattern| share(piece, pattern, low_bits(below)))
                })
                .collect()
        };
        Self([table(0), table(1), table(2)])
    }

    /// The rank by three look-ups.
    #[inline(always)]
    fn rank(&self, mask: u64) -> u64 {
        let low = mask & low_bits(WIDTHS[0]);
        let middle = mask >> SHIFTS[1] & low_bits(WIDTHS[1]);
        let (first, both) = (low.count_ones(), (mask & low_bits(SHIFTS[2])).count_ones());
        let row = |piece: usize, below: u32| (below as usize) << WIDTHS[piece];
        self.0[0][low as usize]
            + self.0[1][row(1, first) + middle as usize]
            + self.0[2][row(2, both) + (mask >> SHIFTS[2]) as usize]
    }
}

/// The share of a piece's ones in a rank, above given ones; 0 if there would be more than 13.
fn share(piece: usize, pattern: u64, below: u64) -> u64 {
    if below.count_ones() + pattern.count_ones() > Shape::LARGE.coins {
        return 0;
    }
    naive::rank(pattern << SHIFTS[piece] | below) - naive::rank(below)
}

/// A board, and the share of each of its pieces in its rank.
fn summands(tables: &Tables) -> Vec<Figure> {
    let shape = Shape::LARGE;
    let board = sample::random_board(&shape, &mut Xorshift::for_draw(1, 0));
    let whole = Figure::new(
        format!("a board, of rank {}", tables.rank(board)),
        shape.draw(board),
    );
    let pieces = ["lower", "middle", "upper"].into_iter().enumerate();
    let piece = |(piece, name): (usize, &str)| {
        let below = board & low_bits(SHIFTS[piece]);
        let adds = share(
            piece,
            board >> SHIFTS[piece] & low_bits(WIDTHS[piece]),
            below,
        );
        let name = format!("its {name} {} bits add {adds}", WIDTHS[piece]);
        Figure::new(
            name,
            shape.draw(board & low_bits(WIDTHS[piece]) << SHIFTS[piece]),
        )
    };
    std::iter::once(whole).chain(pieces.map(piece)).collect()
}

/// Boards drawn besides.
const BOARDS: u64 = 10_000;

/// Whether three look-ups give the rank: tries each entry of each table, with the ones below a
/// piece as low and as high as possible, and then boards.
pub(super) fn piece_ranks() -> Vec<Figure> {
    let tables = Tables::new();
    let (mut entries, mut wrong) = (0_u64, 0_u64);
    for piece in 1..3 {
        for below in 0..BELOW as u32 {
            let high = low_bits(below) << (SHIFTS[piece] - below);
            for pattern in 0..1_u64 << WIDTHS[piece] {
                entries += 1;
                let entry = tables.0[piece][(below as usize) << WIDTHS[piece] | pattern as usize];
                wrong += u64::from(entry != share(piece, pattern, high));
            }
        }
    }
    let boards = (0..BOARDS).map(|draw| {
        let mask = sample::random_board(&Shape::LARGE, &mut Xorshift::for_draw(1, draw));
        u64::from(tables.rank(mask) != naive::rank(mask))
    });
    let boards_wrong: u64 = boards.sum();
    let mut figures = vec![
        Figure::new("value", wrong + boards_wrong == 0),
        Figure::new("all", entries),
        Figure::new("entries of the upper tables", entries),
        Figure::new("that depend on more than the number below", wrong),
        Figure::new("boards tried besides", BOARDS),
        Figure::new("boards wrong", boards_wrong),
    ];
    figures.extend(summands(&tables));
    explained(
        figures,
        "A rank is a sum over the ones of a board, each by its place and the number of ones below \
         it. So it is the sum of what the pieces add, and what a piece adds depends on what lies in \
         it and how many ones lie below: every entry of every table was computed with the ones below \
         as low and as high as can be, and is the same.",
    )
}

/// Ranks of many boards, added up.
#[inline(always)]
fn ranks(tables: &Tables, boards: &[u64]) -> u64 {
    boards.iter().map(|&mask| tables.rank(mask)).sum()
}

/// The same for processors that count ones in one instruction.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1")]
fn ranks_counted(tables: &Tables, boards: &[u64]) -> u64 {
    ranks(tables, boards)
}

/// Sum of ranks with the instructions; `None` if the processor lacks them.
fn with_instructions(tables: &Tables, boards: &[u64]) -> Option<u64> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("bmi1") {
        // SAFETY: the processor has both features.
        return Some(unsafe { ranks_counted(tables, boards) });
    }
    let _ = (tables, boards);
    None
}

/// Boards of a pass, and passes; the fastest pass of either kind counts.
const A_PASS: u64 = 20_000;
const PASSES: usize = 15;

/// Ratio of the time of ranks by three look-ups without the instructions to that with them.
pub(super) fn popcnt() -> Vec<Figure> {
    let tables = Tables::new();
    let board = |draw| sample::random_board(&Shape::LARGE, &mut Xorshift::for_draw(2, draw));
    let boards: Vec<u64> = (0..A_PASS).map(board).collect();
    if with_instructions(&tables, &boards).is_none() {
        return explained(Vec::new(), "This processor lacks POPCNT or TZCNT.");
    }
    let time = |pass: &dyn Fn() -> u64| {
        let clock = Instant::now();
        black_box(pass());
        clock.elapsed().as_nanos() as f64 / A_PASS as f64
    };
    let (mut plain, mut counted) = (f64::INFINITY, f64::INFINITY);
    let mut samples = Vec::new();
    for _ in 0..PASSES {
        let without = time(&|| ranks(&tables, black_box(&boards)));
        let with = time(&|| with_instructions(&tables, black_box(&boards)).unwrap_or(0));
        (plain, counted) = (plain.min(without), counted.min(with));
        samples.push(format!("{without}/{with}"));
    }
    explained(
        vec![
            Figure::new("value", format!("{:.2}", plain / counted)),
            Figure::new("ns a rank without", format!("{plain:.2}")),
            Figure::new("ns a rank with", format!("{counted:.2}")),
            Figure::new("samples", samples.join(" ")),
        ],
        "The same three look-ups compiled for any x86-64 processor, which counts ones by shifts and \
         masks, and for one with POPCNT and TZCNT. The \
         tables take 15 MiB, so part of the time is memory's. The fastest of 15 passes over 20,000 boards.",
    )
}
