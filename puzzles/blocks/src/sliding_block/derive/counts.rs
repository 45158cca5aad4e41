//! Counts of a board's pieces, symbols, strings and placements.

use puzzle_api::{BadInput, Effort, Figure, Parameters};

use super::{explained, instance, not_reached};
use crate::sliding_block::board::{Board, Kind};
use crate::sliding_block::grid::Shape;
use crate::sliding_block::huffman;
use crate::sliding_block::placements;

/// Most partial boards held at once: below a gigabyte.
const MOST_PARTIAL: usize = 8_000_000;
/// The same at quick effort: under a second, which is enough for the small boards.
const MOST_PARTIAL_QUICK: usize = 20_000;

/// The different shapes of a choice of kinds. Kinds may share a shape, if a piece has a goal.
fn shapes<'a>(kinds: impl Iterator<Item = &'a Kind>) -> Vec<&'a Shape> {
    let mut shapes: Vec<&Shape> = Vec::new();
    for kind in kinds {
        if !shapes.contains(&&kind.shape) {
            shapes.push(&kind.shape);
        }
    }
    shapes
}

fn big(board: &Board) -> impl Iterator<Item = &Kind> {
    board.kinds.iter().filter(|kind| !kind.shape.is_little())
}

fn listed(shapes: &[&Shape]) -> String {
    let names: Vec<String> = shapes.iter().map(|shape| shape.describe()).collect();
    format!("The shapes: {}.", names.join("; "))
}

/// The figures shown by a board's drawing.
pub(super) fn of_board(parameters: &Parameters<'_>) -> Result<Vec<Figure>, BadInput> {
    let board = &instance(parameters)?.board;
    let all = shapes(board.kinds.iter());
    Ok(match parameters.what() {
        "types" => {
            let mut figures = explained(all.len(), listed(&all));
            figures.push(Figure::new("symbols, with the empty cell's", all.len() + 1));
            figures
        }
        "big-types" => {
            let shapes = shapes(big(board));
            explained(shapes.len(), listed(&shapes))
        }
        "huffman-bits" => huffman_bits(board),
        _ => explained(
            board.alphabet.total,
            "Arrangements of the symbols in a string: a bound from above, since most of them \
             leave no room for some piece.",
        ),
    })
}

fn huffman_bits(board: &Board) -> Vec<Figure> {
    let bits = huffman::bits(&board.alphabet.counts);
    let rank = u128::BITS - (board.alphabet.total - 1).leading_zeros();
    let mut figures = explained(
        bits,
        "Every position has the same symbols, so every position takes the same bits.",
    );
    figures.push(Figure::new("bytes", bits.div_ceil(8)));
    figures.push(Figure::new("bits_of_the_rank", rank));
    figures
}

/// All ways to place the pieces, counted exactly.
pub(super) fn placements(
    parameters: &Parameters<'_>,
    effort: Effort,
) -> Result<Vec<Figure>, BadInput> {
    let most = match effort {
        Effort::Quick => MOST_PARTIAL_QUICK,
        Effort::Full => MOST_PARTIAL,
    };
    let board = instance(parameters)?.board;
    Ok(match placements::placements(&board, most) {
        Some(ways) => explained(
            ways,
            "All ways to place the pieces, whether or not moves lead there: a bound from above \
             on the positions that can be reached.",
        ),
        None => not_reached(format!(
            "Counting all placements takes more than {most} partial boards in memory; a full \
             effort holds {MOST_PARTIAL}."
        )),
    })
}
