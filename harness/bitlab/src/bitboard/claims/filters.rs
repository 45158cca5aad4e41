//! Algorithms 1, 3, 5, 8, 9 and 10 against their literal twins.

use super::Derived;
use super::algorithms::{
    TOUCHING, Twin, drawn, grids, in_every_position, sampled_positions, with_example,
};
use crate::bitboard::naive::position::Piece;
use crate::bitboard::{Direction, Grid, Position, filters, queries, updates};

/// Algorithm 1.
pub fn empty_neighbours() -> Derived {
    let found = sampled_positions(in_every_position(|twin, at| {
        let found = filters::empty_neighbours(&twin.bits, at);
        twin.bits.to_cells(found) == twin.literal(at).empty_neighbours()
    }));
    with_example(found, Grid::Square, TOUCHING, |found, board, at| {
        found.with_cells(
            "its-empty-neighbours",
            board,
            filters::empty_neighbours(board, at),
        )
    })
}

/// Algorithm 3.
pub fn enemy_neighbours() -> Derived {
    let found = sampled_positions(in_every_position(|twin, at| {
        let literal = twin.literal(at);
        twin.bits.grid().directions().iter().all(|&d| {
            let found = filters::enemy_neighbours_towards(&twin.bits, at, d);
            twin.bits.to_cells(found) == literal.enemy_neighbours_towards(d)
        })
    }));
    with_example(found, Grid::Square, TOUCHING, |found, board, at| {
        let enemies = filters::enemy_neighbours_towards(board, at, Direction::E);
        found.with_cells("enemies-to-the-east", board, enemies)
    })
}

/// Algorithm 5, on the grid that Breakthrough is played on.
pub fn breakthrough() -> Derived {
    let found = sampled_positions(in_every_position(|twin, at| {
        let played_on = twin.bits.grid() == Grid::SquareDiagonal;
        let found = || filters::breakthrough_moves(&twin.bits, at);
        !played_on || twin.bits.to_cells(found()) == twin.literal(at).breakthrough_moves()
    }));
    with_example(
        found,
        Grid::SquareDiagonal,
        "o...o./..o.../.xxo../....x./......",
        |found, board, at| {
            found.with_cells(
                "where-the-player-may-go,-north",
                board,
                filters::breakthrough_moves(board, at),
            )
        },
    )
}

/// The plus of figure 17.
const PLUS: [(usize, usize); 5] = [(1, 0), (0, 1), (1, 1), (2, 1), (1, 2)];

/// Whether the player's pieces hold a plus, cell by cell.
fn has_plus(twin: &Twin, at: &Position<2>) -> bool {
    let pieces = twin.literal(at).all(Piece::Player);
    let (width, height) = (twin.bits.width(), twin.bits.height());
    let on = |x: usize, y: usize| pieces.get(y * width + x) == Some(&true);
    (0..height.saturating_sub(2)).any(|y| {
        (0..width.saturating_sub(2)).any(|x| PLUS.iter().all(|&(dx, dy)| on(x + dx, y + dy)))
    })
}

/// Algorithm 8, with the plus for a pattern.
pub fn pattern_matching() -> Derived {
    let found = sampled_positions(in_every_position(|twin, at| {
        let patterns = queries::translations(&twin.bits, &PLUS);
        queries::find_pattern(&patterns, at.player).is_some() == has_plus(twin, at)
    }));
    with_example(
        found,
        Grid::Square,
        "....../..xxx./.xxxx./..x.../......",
        |found, board, at| {
            let patterns = queries::translations(board, &PLUS);
            let pattern = queries::find_pattern(&patterns, at.player);
            let cells = pattern.map_or(crate::bitboard::Board::EMPTY, |nth| patterns[nth]);
            found.with_cells("the-pattern-in-it", board, cells)
        },
    )
}

/// Algorithms 9 and 10: whether player and opponent afterwards are those of the literal twin.
fn same(
    twin: &Twin,
    after: &Position<2>,
    literal: &crate::bitboard::naive::position::Position,
) -> bool {
    twin.bits.to_cells(after.player) == literal.all(Piece::Player)
        && twin.bits.to_cells(after.opponent) == literal.all(Piece::Opponent)
}

/// Algorithm 9.
pub fn flip_all() -> Derived {
    let found = sampled_positions(in_every_position(|twin, at| {
        let after = updates::flip_enemy_neighbours(&twin.bits, at);
        same(twin, &after, &twin.literal(at).flip_enemy_neighbours())
    }));
    with_example(found, Grid::Square, TOUCHING, |found, board, at| {
        let after = updates::flip_enemy_neighbours(board, at);
        found.with("the-position-after-it", drawn(board, &after))
    })
}

/// Algorithm 10, around each of the player's pieces in turn.
pub fn flip_around() -> Derived {
    let found = sampled_positions(in_every_position(|twin, at| {
        let literal = twin.literal(at);
        at.player.iter().all(|bit| {
            let Some((x, y)) = twin.bits.cell(bit) else {
                return true;
            };
            let after = updates::flip_around_move(&twin.bits, at, twin.bits.at(x, y));
            same(
                twin,
                &after,
                &literal.flip_around_move(y * twin.bits.width() + x),
            )
        })
    }));
    with_example(found, Grid::Square, TOUCHING, |found, board, at| {
        let after = updates::flip_around_move(board, at, board.at(1, 2));
        found.with(
            "the-position-after-a-move-in-the-second-column-of-the-third-row",
            drawn(board, &after),
        )
    })
}

/// Sections 4.3 and 5.3.1 without the on-board mask: cells off the board that a dilation sets.
pub fn dilation_unmasked() -> Derived {
    let (mut sets, mut spilling) = (0_u64, 0_u64);
    for twin in grids(3, 3) {
        let board = &twin.bits;
        let cells: Vec<_> = board.cells().map(|(x, y)| board.at(x, y)).collect();
        for code in 0..1_u32 << cells.len() {
            let on = (0..cells.len()).filter(|k| code >> k & 1 == 1);
            let bits = on.fold(crate::bitboard::Board::EMPTY, |all, k| all | cells[k]);
            let shifted = |d: &Direction| bits.shift(board.shift(*d));
            let directions = board.grid().directions().iter();
            let dilated = directions.fold(bits, |all, d| all | shifted(d));
            sets += 1;
            spilling += u64::from(!board.mask().contains(dilated));
        }
    }
    Derived::holds(
        spilling == 0,
        "All sets of 3x3 on each grid, dilated as printed and not masked: bits are set beside \
         the board wherever a cell of its rim is. Section 4.1 says that the mask is applied \
         implicitly to a complement; sections 4.3 and 5.3.1 do not say so.",
    )
    .with("sets", sets)
    .with("sets-that-spill", spilling)
}
