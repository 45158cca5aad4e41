//! Pieces that can move, and where to.

use std::arch::x86_64::*;

use super::super::SYMBOLS;
use super::group::Group;
use super::words::{WIDE, append, load, numbers, of, store, table, write};
use super::{Ahead, CELLS, PLACES, SIDE_BY_SIDE, Vectors};
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
    /// Finds the pieces that can take a step, and those that have a number without.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn find_movers(&self, symbols: usize, ahead: &mut Ahead, group: &mut Group) {
        let free = table(&group.of[0]);
        let found: [__m512i; 2] = std::array::from_fn(|half| {
            let pieces = |symbol: usize| load(&group.of[symbol % SYMBOLS], half * WIDE);
            self.numbered(symbols, free[half], ahead, pieces)
        });
        store(&mut group.movable, found);
    }

    /// As [`Masks::numbered`] of eight positions, given by their holes and, by symbol, the first
    /// cells of their pieces.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn numbered(
        &self,
        symbols: usize,
        free: __m512i,
        ahead: &mut Ahead,
        pieces: impl Fn(usize) -> __m512i,
    ) -> __m512i {
        for &by in &self.aheads {
            let turned = _mm512_rorv_epi64(free, _mm512_set1_epi64(by.into()));
            write(&mut ahead[usize::from(by) % CELLS], 0, turned);
        }
        let first = _mm512_set1_epi64(self.first as i64);
        let is_free = _mm512_test_epi64_mask(free, first);
        let mut numbered = _mm512_setzero_si512();
        for (symbol, steps) in (1..symbols.min(SYMBOLS)).zip(&self.steps) {
            let pieces = pieces(symbol);
            let beside = _mm512_set1_epi64(self.beside_first[symbol] as i64);
            let either = _mm512_mask_or_epi64(first, is_free, first, beside);
            numbered = _mm512_or_si512(numbered, _mm512_and_si512(pieces, either));
            for step in steps {
                let mut open = _mm512_and_si512(pieces, _mm512_set1_epi64(step.can as i64));
                for &by in &step.fronts {
                    let free = load(&ahead[usize::from(by) % CELLS], 0);
                    open = _mm512_and_si512(open, free);
                }
                numbered = _mm512_or_si512(numbered, open);
            }
        }
        numbered
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
