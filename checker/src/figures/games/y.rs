//! The game of Y on a triangle: cell (c, r) with c + r below the side touches (c, r +- 1),
//! (c +- 1, r), (c + 1, r - 1) and (c - 1, r + 1); its sides are c = 0, r = 0 and the slope.

use crate::figures::{Derived, holds_too, sampled};
use crate::rules::board::reached;
use crate::shown::Stop;

/// Columns with one bit a cell: the cells of one colour.
type Cells = Vec<u64>;

/// Whether a colour is left when every three cells that touch each other become one, of the
/// colour of two of them, until one cell is left.
fn reduces(mut cells: Cells) -> bool {
    while cells.len() > 1 {
        let three = |pair: &[u64]| {
            let (own, above, right) = (pair[0], pair[0] >> 1, pair[1]);
            own & above | right & (own | above)
        };
        cells = cells.windows(2).map(three).collect();
    }
    cells[0] & 1 == 1
}

/// Whether a chain of cells touches all three sides.
fn connects(cells: &Cells) -> bool {
    let side = cells.len() as i32;
    let has = |(c, r): (i32, i32)| {
        (0..side).contains(&c) && (0..side - c).contains(&r) && cells[c as usize] >> r & 1 == 1
    };
    let near = |&(c, r): &(i32, i32)| {
        let near = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)];
        let near = near.map(|(dc, dr)| (c + dc, r + dr)).into_iter();
        near.filter(|&cell| has(cell))
    };
    // A chain that touches all sides touches the first.
    let first = (0..side).map(|r| (0, r)).filter(|&cell| has(cell));
    first.into_iter().any(|start| {
        let chain: Vec<(i32, i32)> = reached([start], near).map(|one| one.0).collect();
        chain.iter().any(|cell| cell.1 == 0) && chain.iter().any(|(c, r)| c + r == side - 1)
    })
}

/// Whether reduction finds the winner: all sets of cells of sides 1 to 4 (the colours do not mix, so
/// each is tried alone), and fills of sides 5 to 32.
pub fn reduction() -> Result<Derived, Stop> {
    let agree = |cells: Cells| connects(&cells) == reduces(cells);
    let small = (1..=4_usize).all(|side| {
        (0_u64..1 << (side * (side + 1) / 2)).all(|code| {
            let mut left = code;
            let column = |c: usize| {
                let own = left & ((1 << (side - c)) - 1);
                left >>= side - c;
                own
            };
            agree((0..side).map(column).collect())
        })
    });
    let drawn = sampled(1000, "reduction on fills of sides 5 to 32", |draw| {
        let side = 5 + draw.below(28);
        let full = (0..side).map(|c| (1 << (side - c)) - 1);
        let white: Cells = full.clone().map(|column| draw.word() & column).collect();
        let black = white.iter().zip(full).map(|(white, full)| full & !white);
        agree(black.collect()) && agree(white)
    });
    holds_too(small, drawn)
}
