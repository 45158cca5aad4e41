//! Numbers of positions, and the storage that they take.

use puzzle_api::rank::{binomial, low_bits};
use puzzle_api::{BadInput, Figure, Parameters};

use super::{board, explained};
use crate::board::Shape;
use crate::rules;

/// Positions of a published board.
pub(super) fn all(shape: &Shape) -> u64 {
    binomial(shape.cells(), shape.coins)
}

pub(super) fn positions(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let (_, shape) = board(parameters)?;
    Ok(explained(
        vec![
            Figure::new("value", all(&shape)),
            Figure::new("cells", shape.cells()),
            Figure::new("coins", shape.coins),
            Figure::new("the first, of rank 0", shape.draw(low_bits(shape.coins))),
            Figure::new("the last", shape.draw(last(&shape))),
        ],
        "Ways to choose the cells with a coin, coins being alike: a binomial coefficient.",
    ))
}

/// The position of the greatest rank: all coins on the last cells.
fn last(shape: &Shape) -> u64 {
    low_bits(shape.coins) << (shape.cells() - shape.coins)
}

/// Positions that no move leads to: no coin has two others next to it.
pub(super) fn no_last_move(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let (_, shape) = board(parameters)?;
    let count = sparse(&shape);
    let share = count as f64 / all(&shape) as f64;
    Ok(explained(
        vec![
            Figure::new("value", count),
            Figure::new("of", all(&shape)),
            Figure::number("share", share),
            Figure::new(
                "a position that no move leads to",
                shape.draw(one_sparse(&shape)),
            ),
        ],
        "Positions in which no coin has two others next to it, counted row by row. The coin \
         moved last has two next to it, so no move leads to such a position: it is reached \
         from no start but itself. Which others are reached depends on the start.",
    ))
}

/// One of them: coins on the first cells that allow them.
fn one_sparse(shape: &Shape) -> u64 {
    let beside = |cell: u32| rules::beside(shape, cell as usize).fold(0, |m, c| m | 1_u64 << c);
    let mut coins = 0_u64;
    for cell in 0..shape.cells() {
        let with = coins | 1 << cell;
        let crowded = |at: &u32| with >> at & 1 == 1 && (with & beside(*at)).count_ones() >= 2;
        if with.count_ones() <= shape.coins && !(0..shape.cells()).any(|at| crowded(&at)) {
            coins = with;
        }
    }
    coins
}

/// Sets of coins of which none has two others next to it, counted by rows. The state is the last
/// two rows and the number of coins so far.
pub(super) fn sparse(shape: &Shape) -> u64 {
    let rows = 1_usize << shape.width;
    let coins = shape.coins as usize;
    let at = |above: usize, row: usize, used: usize| (above * rows + row) * (coins + 1) + used;
    let mut ways = vec![0_u64; rows * rows * (coins + 1)];
    for row in 0..rows {
        let used = row.count_ones() as usize;
        if used <= coins {
            ways[at(0, row, used)] = 1;
        }
    }
    for step in 1..=shape.height {
        let last = step == shape.height;
        let mut next = vec![0; ways.len()];
        for above in 0..rows {
            for row in 0..rows {
                // Past the last row, only an empty one.
                for below in 0..if last { 1 } else { rows } {
                    if !alone(above, row, below, shape.width) {
                        continue;
                    }
                    let more = below.count_ones() as usize;
                    for used in 0..=coins.saturating_sub(more) {
                        if used + more <= coins {
                            next[at(row, below, used + more)] += ways[at(above, row, used)];
                        }
                    }
                }
            }
        }
        ways = next;
    }
    (0..rows).map(|row| ways[at(row, 0, coins)]).sum()
}

/// Whether no coin of a row has two coins next to it.
fn alone(above: usize, row: usize, below: usize, width: u32) -> bool {
    (0..width)
        .filter(|column| row >> column & 1 == 1)
        .all(|column| {
            let side = |mask: usize, column: u32| mask >> column & 1;
            let left = if column > 0 { side(row, column - 1) } else { 0 };
            left + side(row, column + 1) + side(above, column) + side(below, column) < 2
        })
}

/// Bytes of the article's arrays, in the requested unit.
pub(super) fn memory(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let (small, large) = (all(&Shape::SMALL), all(&Shape::LARGE));
    let what = parameters.one_of("what")?;
    let (bytes, text) = match what {
        "list-of-boards" => (8 * small, "eight bytes for each position on 5x7"),
        _ => (large, "one byte for each position on 5x9"),
    };
    let unit = parameters.one_of("unit")?;
    let (scale, said) = match unit {
        "GB" => (1e9, "10^9 bytes"),
        _ => ((1_u64 << 30) as f64, "2^30 bytes"),
    };
    Ok(explained(
        vec![
            Figure::number("value", bytes as f64 / scale),
            Figure::new("bytes", bytes),
            Figure::new("unit", said),
        ],
        &format!("{text}, in units of {said}."),
    ))
}
