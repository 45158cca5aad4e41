//! The number of boards: all ways to place the pieces of a board, whether or not moves reach them.
//! Counted exactly, cell by cell.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::sliding_block::board::Board;

/// Cells taken (low half) and pieces used (high half), with the number of ways.
type Ways = HashMap<(u128, u128), u128, FixedState>;

/// The number of ways to place all pieces of a board, pieces of a kind being interchangeable.
/// `None` if more than `most` partial boards would have to be held at once (a hundred bytes each).
///
/// The first free cell in scanning order is left empty or gets the first cell of a piece, as in
/// reading the key's string. The possible continuations depend on the cells taken beyond and on the
/// pieces used, so boards that agree in both are counted together.
pub fn placements(board: &Board, most: usize) -> Option<u128> {
    let open = board.grid.open.len();
    let counts = &board.alphabet.counts;
    let holes = (0..open).map(|cell| 1_u128 << cell).collect();
    let of_kinds = (0..board.kinds.len()).map(|kind| board.covers(kind));
    // By symbol and open cell: the cells that it takes; none if it does not fit.
    let covers: Vec<Vec<u128>> = std::iter::once(holes).chain(of_kinds).collect();
    let mut waiting: Vec<Ways> = (0..=open).map(|_| Ways::default()).collect();
    waiting[0].insert((0, 0), 1);
    let (mut held, lanes) = (1, lanes(counts)?);
    for cell in 0..open {
        let now = std::mem::take(&mut waiting[cell]);
        held -= now.len();
        for ((taken, used), ways) in now {
            for (symbol, &(shift, full)) in lanes.iter().enumerate() {
                let cover = covers[symbol][cell];
                if (used >> shift) & full == u128::from(counts[symbol])
                    || cover == 0
                    || cover & taken != 0
                {
                    continue;
                }
                let taken = taken | cover;
                let first = (!taken).trailing_zeros() as usize;
                let slot = waiting[first].entry((taken, used + (1 << shift)));
                held += usize::from(matches!(slot, std::collections::hash_map::Entry::Vacant(_)));
                *slot.or_insert(0) += ways;
            }
        }
        if held > most {
            return None;
        }
    }
    // With every cell taken, all pieces are used: their cells and the holes add up.
    Some(waiting[open].values().sum())
}

/// Place of each symbol's counter among the pieces used, and its greatest value; `None` if the
/// counters do not fit one word.
fn lanes(counts: &[u8]) -> Option<Vec<(u32, u128)>> {
    let (mut lanes, mut shift) = (Vec::new(), 0);
    for &count in counts {
        let bits = u8::BITS - count.leading_zeros();
        lanes.push((shift, (1_u128 << bits) - 1));
        shift += bits;
    }
    (shift < u128::BITS).then_some(lanes)
}
