//! Pieces of simple sliding blocks as sets of cells.

use std::collections::BTreeSet;

use crate::rules::board::{Grid, Way, has, members, set};

/// All connected sets of cells within some cells that have this one as their last, each set once.
pub fn joined(grid: Grid, within: u128, last: usize) -> Vec<u128> {
    let within = within & ((1 << last) - 1);
    let (mut all, mut new) = (BTreeSet::new(), vec![1 << last]);
    while let Some(piece) = new.pop() {
        if all.insert(piece) {
            let beside = set(members(piece).flat_map(|cell| grid.beside(cell)));
            new.extend(members(beside & within & !piece).map(|cell| piece | 1 << cell));
        }
    }
    all.into_iter().collect()
}

/// A piece moved by one step; `None` if an edge is in the way.
pub fn step(grid: Grid, piece: u128, way: Way) -> Option<u128> {
    let moved = members(piece).map(|cell| grid.step(cell, way));
    Some(set(moved.collect::<Option<Vec<_>>>()?))
}

/// Whether a piece touches the right edge and the lower one, or covers the corner between them.
pub fn arrived(grid: Grid, piece: u128, edges: bool) -> bool {
    let open = |way| step(grid, piece, way).is_some();
    match edges {
        true => !open((1, 0)) && !open((0, 1)),
        false => has(piece, grid.cells().len() - 1),
    }
}

/// A piece pushed in one direction and another as far as the edges.
pub(super) fn pushed(grid: Grid, mut piece: u128, ways: [Way; 2]) -> u128 {
    for way in ways {
        while let Some(moved) = step(grid, piece, way) {
            piece = moved;
        }
    }
    piece
}
