//! Pieces that can move, and where to.

use std::arch::x86_64::*;

use super::super::SYMBOLS;
use super::group::Group;
use super::words::{WIDE, append, load, numbers, of, store, table, write};
use super::{PLACES, SIDE_BY_SIDE, Vectors};
use crate::metric::Metric;

/// Pieces that can move, of a group: those of a position in the order of their first cells,
/// though not one behind the other.
pub(super) struct Movers {
    pub(super) count: usize,
    pub(super) lane: List,
    pub(super) cell: List,
    pub(super) symbol: List,
    /// The first cells that each can reach.
    pub(super) targets: List,
    /// Where its first neighbour stands among those of the group.
    pub(super) start: List,
}

/// A word for each piece that can move, with room for a vector behind the last.
pub(super) type List = [u64; SIDE_BY_SIDE * PLACES + WIDE];

pub(super) const NO_LIST: List = [0; SIDE_BY_SIDE * PLACES + WIDE];

impl Movers {
    /// Lists what can move: the first of each position, then the second, and so on.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn list(&mut self, group: &Group) {
        let (movable, scanned) = (table(&group.movable), table(&group.scanned));
        let strings = [table(&group.string[0]), table(&group.string[1])];
        let (one, half_byte) = (_mm512_set1_epi64(1), _mm512_set1_epi64(15));
        let mut count = 0;
        for half in 0..2 {
            let lanes = numbers(half * WIDE);
            let mut movable = movable[half];
            loop {
                let some = _mm512_test_epi64_mask(movable, movable);
                if some == 0 {
                    break;
                }
                let less = _mm512_sub_epi64(movable, one);
                let before = _mm512_andnot_si512(movable, less);
                movable = _mm512_and_si512(movable, less);
                let place = _mm512_popcnt_epi64(_mm512_and_si512(before, scanned[half]));
                let late = _mm512_test_epi64_mask(place, _mm512_set1_epi64(16));
                let string = _mm512_mask_blend_epi64(late, strings[0][half], strings[1][half]);
                let shift = _mm512_slli_epi64::<2>(_mm512_and_si512(place, half_byte));
                let symbol = _mm512_and_si512(_mm512_srlv_epi64(string, shift), half_byte);
                append(&mut self.lane, count, some, lanes);
                append(&mut self.cell, count, some, _mm512_popcnt_epi64(before));
                append(&mut self.symbol, count, some, symbol);
                count += some.count_ones() as usize;
            }
        }
        self.count = count;
    }
}

impl Vectors {
    /// Finds the pieces that can take a step; at the edge of the board some that cannot.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn find_movers(&self, symbols: usize, group: &mut Group) {
        let (free, top) = (table(&group.of[0]), _mm512_set1_epi64(1));
        let mut movable = [_mm512_setzero_si512(); 2];
        for symbol in 1..symbols.min(SYMBOLS) {
            let pieces = table(&group.of[symbol]);
            let beside_top = _mm512_set1_epi64(self.beside_top[symbol] as i64);
            for half in 0..2 {
                let is_free = _mm512_test_epi64_mask(free[half], top);
                let reaching = _mm512_mask_or_epi64(top, is_free, top, beside_top);
                let mut steps = _mm512_and_si512(pieces[half], reaching);
                for front in &self.fronts[symbol - 1] {
                    let mut open = pieces[half];
                    for &ahead in front {
                        let ahead = _mm512_set1_epi64(ahead as i64);
                        open = _mm512_and_si512(open, _mm512_rorv_epi64(free[half], ahead));
                    }
                    steps = _mm512_or_si512(steps, open);
                }
                movable[half] = _mm512_or_si512(movable[half], steps);
            }
        }
        store(&mut group.movable, movable);
    }

    /// Finds the first cells that each piece can reach.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn flood(&self, group: &Group, metric: Metric, movers: &mut Movers) {
        let (shapes, fits, holes) = (table(&self.shapes), table(&self.fits), table(&group.of[0]));
        let (tops, beside_tops) = (table(&self.top), table(&self.beside_top));
        let not_first = _mm512_set1_epi64(self.not_first as i64);
        let not_last = _mm512_set1_epi64(self.not_last as i64);
        let (row, one) = (_mm512_set1_epi64(self.width.into()), _mm512_set1_epi64(1));
        for at in (0..movers.count).step_by(WIDE) {
            let (lane, cell) = (load(&movers.lane, at), load(&movers.cell, at));
            let symbol = load(&movers.symbol, at);
            let (top, beside_top) = (of(tops, symbol), of(beside_tops, symbol));
            let shifted = _mm512_sllv_epi64(of(shapes, symbol), cell);
            let at_top = _mm512_testn_epi64_mask(cell, cell);
            let own = _mm512_mask_blend_epi64(at_top, shifted, top);
            let free = _mm512_or_si512(of(holes, lane), own);
            let mut open = _mm512_and_si512(of(fits, symbol), free);
            for further in &self.further {
                let further = of(table(further), symbol);
                open = _mm512_and_si512(open, _mm512_rorv_epi64(free, further));
            }
            let covered = _mm512_andnot_si512(free, top);
            let top_open = _mm512_testn_epi64_mask(covered, covered);
            open = _mm512_mask_or_epi64(open, top_open, open, one);
            let start = _mm512_sllv_epi64(_mm512_set1_epi64(1), cell);
            let mut reached = start;
            loop {
                let left = _mm512_srli_epi64::<1>(_mm512_and_si512(reached, not_first));
                let right = _mm512_slli_epi64::<1>(_mm512_and_si512(reached, not_last));
                let below = _mm512_andnot_si512(one, reached);
                let up = _mm512_andnot_si512(one, _mm512_srlv_epi64(below, row));
                let down = _mm512_sllv_epi64(below, row);
                let sides = _mm512_andnot_si512(one, _mm512_or_si512(left, right));
                let beside = _mm512_or_si512(sides, _mm512_or_si512(up, down));
                let from_top = _mm512_test_epi64_mask(reached, one);
                let beside = _mm512_mask_or_epi64(beside, from_top, beside, beside_top);
                let to_top = _mm512_test_epi64_mask(reached, beside_top);
                let beside = _mm512_mask_or_epi64(beside, to_top, beside, one);
                let more = _mm512_or_si512(reached, _mm512_and_si512(beside, open));
                let still = _mm512_cmpeq_epi64_mask(more, reached);
                reached = more;
                if still == u8::MAX || metric == Metric::Step {
                    break;
                }
            }
            let targets = _mm512_andnot_si512(start, reached);
            write(&mut movers.targets, at, targets);
        }
    }
}
