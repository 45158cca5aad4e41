//! Pieces that can move, and their destinations.

use std::arch::x86_64::*;

use super::super::SYMBOLS;
use super::group::Group;
use super::words::{WIDE, append, load, numbers, of, store, table, write};
use super::{Ahead, CELLS, PLACES, SIDE_BY_SIDE, Vectors};
use crate::metric::Metric;

/// Pieces of a group that can move: those of a position in the order of their first cells, but not
/// consecutively.
pub(super) struct Movers {
    pub(super) count: usize,
    pub(super) lane: List,
    pub(super) cell: List,
    pub(super) symbol: List,
    /// The first cells that each can reach.
    pub(super) targets: List,
    /// Place of its first neighbour among those of the group.
    pub(super) start: List,
}

/// A word for each piece that can move, with space for a vector after the last.
pub(super) type List = [u64; SIDE_BY_SIDE * PLACES + WIDE];

pub(super) const NO_LIST: List = [0; SIDE_BY_SIDE * PLACES + WIDE];

impl Movers {
    /// Lists the pieces that can move: the first of each position, then the second, and so on. With
    /// `USED`, it leaves out used pieces.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn list<const USED: bool>(&mut self, vectors: &Vectors, group: &Group) {
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
                let cell = _mm512_popcnt_epi64(before);
                let mut some = some;
                if USED {
                    let used = load(&group.used, half * WIDE);
                    some &= _mm512_testn_epi64_mask(vectors.covers(symbol, cell), used);
                }
                append(&mut self.lane, count, some, lanes);
                append(&mut self.cell, count, some, cell);
                append(&mut self.symbol, count, some, symbol);
                count += some.count_ones() as usize;
            }
        }
        self.count = count;
    }
}

impl Vectors {
    /// Finds the pieces that can take a step; includes some at cell 0 and next to it that cannot.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn find_movers(&self, symbols: usize, ahead: &mut Ahead, group: &mut Group) {
        let (free, top) = (table(&group.of[0]), _mm512_set1_epi64(1));
        for &by in &self.aheads {
            let turn = _mm512_set1_epi64(by.into());
            let turned = free.map(|free| _mm512_rorv_epi64(free, turn));
            store(&mut ahead[usize::from(by) % CELLS], turned);
        }
        let mut movable = [_mm512_setzero_si512(); 2];
        for (symbol, steps) in (1..symbols.min(SYMBOLS)).zip(&self.steps) {
            let pieces = table(&group.of[symbol]);
            let beside_top = _mm512_set1_epi64(self.beside_top[symbol] as i64);
            for half in 0..2 {
                let is_free = _mm512_test_epi64_mask(free[half], top);
                let reaching = _mm512_mask_or_epi64(top, is_free, top, beside_top);
                let mut found = _mm512_and_si512(pieces[half], reaching);
                for step in steps {
                    let can = _mm512_set1_epi64(step.can as i64);
                    let mut open = _mm512_and_si512(pieces[half], can);
                    for &by in &step.fronts {
                        let free = load(&ahead[usize::from(by) % CELLS], half * WIDE);
                        open = _mm512_and_si512(open, free);
                    }
                    found = _mm512_or_si512(found, open);
                }
                movable[half] = _mm512_or_si512(movable[half], found);
            }
        }
        store(&mut group.movable, movable);
    }

    /// Finds the cells that represent used pieces.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn find_used(&self, used: &[u32; SIDE_BY_SIDE], group: &mut Group) {
        let beside = table(&group.of[0]).map(|holes| self.beside(holes));
        store(&mut group.used, beside);
        for (cells, &used) in group.used.iter_mut().zip(used) {
            *cells = _pdep_u64(used.into(), *cells);
        }
    }

    /// The cells of pieces next to holes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn beside(&self, holes: __m512i) -> __m512i {
        let beside = self.spread(holes, _mm512_set1_epi64(self.beside_first as i64));
        let open = _mm512_andnot_si512(holes, _mm512_set1_epi64(self.all as i64));
        _mm512_and_si512(beside, open)
    }

    /// The cells one step from some, of which `beside_top` are one step from cell 0.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn spread(&self, cells: __m512i, beside_top: __m512i) -> __m512i {
        let (row, one) = (_mm512_set1_epi64(self.width.into()), _mm512_set1_epi64(1));
        let not_first = _mm512_set1_epi64(self.not_first as i64);
        let not_last = _mm512_set1_epi64(self.not_last as i64);
        let left = _mm512_srli_epi64::<1>(_mm512_and_si512(cells, not_first));
        let right = _mm512_slli_epi64::<1>(_mm512_and_si512(cells, not_last));
        let below = _mm512_andnot_si512(one, cells);
        let (up, down) = (_mm512_srlv_epi64(below, row), _mm512_sllv_epi64(below, row));
        let sides = _mm512_or_si512(_mm512_or_si512(left, right), _mm512_or_si512(up, down));
        // Steps from and to cell 0 are not regular.
        let beside = _mm512_andnot_si512(one, sides);
        let from_top = _mm512_test_epi64_mask(cells, one);
        let beside = _mm512_mask_or_epi64(beside, from_top, beside, beside_top);
        let to_top = _mm512_test_epi64_mask(cells, beside_top);
        _mm512_mask_or_epi64(beside, to_top, beside, one)
    }

    /// The cells that pieces cover, by their symbols and first cells.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn covers(&self, symbol: __m512i, cell: __m512i) -> __m512i {
        let (shape, top) = (
            of(table(&self.shapes), symbol),
            of(table(&self.top), symbol),
        );
        let shifted = _mm512_sllv_epi64(shape, cell);
        _mm512_mask_blend_epi64(_mm512_testn_epi64_mask(cell, cell), shifted, top)
    }

    /// Finds the first cells that each piece can reach.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn flood(&self, group: &Group, metric: Metric, movers: &mut Movers) {
        let (fits, holes, one) = (table(&self.fits), table(&group.of[0]), _mm512_set1_epi64(1));
        let (tops, beside_tops) = (table(&self.top), table(&self.beside_top));
        for at in (0..movers.count).step_by(WIDE) {
            let (lane, cell) = (load(&movers.lane, at), load(&movers.cell, at));
            let symbol = load(&movers.symbol, at);
            let (top, beside_top) = (of(tops, symbol), of(beside_tops, symbol));
            let free = _mm512_or_si512(of(holes, lane), self.covers(symbol, cell));
            let mut open = _mm512_and_si512(of(fits, symbol), free);
            for further in &self.further {
                let further = of(table(further), symbol);
                open = _mm512_and_si512(open, _mm512_rorv_epi64(free, further));
            }
            let covered = _mm512_andnot_si512(free, top);
            let top_open = _mm512_testn_epi64_mask(covered, covered);
            open = _mm512_mask_or_epi64(open, top_open, open, one);
            let start = _mm512_sllv_epi64(one, cell);
            let mut reached = start;
            loop {
                let beside = self.spread(reached, beside_top);
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
