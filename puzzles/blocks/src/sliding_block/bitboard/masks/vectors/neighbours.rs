//! Neighbours of sixteen positions, and their keys.

use std::arch::x86_64::*;

use super::super::{Masks, SYMBOLS};
use super::group::Group;
use super::movers::Movers;
use super::words::{WIDE, append, load, numbers, of, table, write};
use super::{Row, SIDE_BY_SIDE, Vectors};

/// Neighbours of a group: the moving piece and its destination.
#[derive(Default)]
pub(super) struct Neighbours {
    pub(super) count: usize,
    pub(super) lane: Vec<u64>,
    pub(super) cell: Vec<u64>,
    pub(super) symbol: Vec<u64>,
    pub(super) target: Vec<u64>,
    pub(super) slot: Vec<u64>,
    /// The halves of its key.
    pub(super) little: Vec<u64>,
    pub(super) big: Vec<u64>,
    pub(super) holes: Vec<u64>,
    /// The bit of the moving piece, afterwards, if requested.
    pub(super) mark: Vec<u64>,
    /// By slot: the key, that bit, and the position of origin.
    pub(super) keys: Vec<(u128, u32, u8)>,
    /// Neighbours with another order of the big pieces.
    pub(super) reordered: Reordered,
}

/// Neighbours with another order of the big pieces.
#[derive(Default)]
pub(super) struct Reordered {
    pub(super) count: usize,
    pub(super) which: Vec<u64>,
    pub(super) lane: Vec<u64>,
    pub(super) symbol: Vec<u64>,
    pub(super) exchanged: Vec<u64>,
    /// First cells of all big pieces.
    pub(super) bigs: Vec<u64>,
}

impl Neighbours {
    /// Lists the destinations of pieces: the first target of each, then the second, and so on.
    /// Their slots are in the order of positions, pieces and targets.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn list(&mut self, movers: &mut Movers) {
        let mut next = [0; SIDE_BY_SIDE];
        for (&lane, targets) in movers.lane[..movers.count].iter().zip(&movers.targets) {
            next[lane as usize % SIDE_BY_SIDE] += u64::from(targets.count_ones());
        }
        let mut all = 0;
        for count in &mut next {
            all += std::mem::replace(count, all);
        }
        let moved = movers.lane[..movers.count].iter().zip(&movers.targets);
        for ((&lane, targets), start) in moved.zip(&mut movers.start) {
            *start = next[lane as usize % SIDE_BY_SIDE];
            next[lane as usize % SIDE_BY_SIDE] += u64::from(targets.count_ones());
        }
        self.count = all as usize;
        self.make_room();
        let (mut count, one) = (0, _mm512_set1_epi64(1));
        for at in (0..movers.count).step_by(WIDE) {
            let (lane, cell) = (load(&movers.lane, at), load(&movers.cell, at));
            let (symbol, mut slot) = (load(&movers.symbol, at), load(&movers.start, at));
            let mut targets = load(&movers.targets, at);
            if movers.count - at < WIDE {
                let there = u8::MAX >> (WIDE - (movers.count - at));
                targets = _mm512_maskz_mov_epi64(there, targets);
            }
            loop {
                let some = _mm512_test_epi64_mask(targets, targets);
                if some == 0 {
                    break;
                }
                let less = _mm512_sub_epi64(targets, one);
                let target = _mm512_andnot_si512(less, targets);
                targets = _mm512_and_si512(targets, less);
                append(&mut self.lane, count, some, lane);
                append(&mut self.cell, count, some, cell);
                append(&mut self.symbol, count, some, symbol);
                append(&mut self.target, count, some, target);
                append(&mut self.slot, count, some, slot);
                slot = _mm512_add_epi64(slot, one);
                count += some.count_ones() as usize;
            }
        }
    }

    /// Passes on the keys of the neighbours of the group's first positions, with the number of the
    /// position, counted from `first` on.
    #[inline]
    pub(super) fn hand_on(
        &self,
        count: usize,
        first: usize,
        emit: &mut impl FnMut(usize, u128, u32),
    ) {
        for &(key, mark, lane) in &self.keys[..self.count] {
            let lane = usize::from(lane);
            // In the order of positions: padding comes last.
            if lane >= count {
                break;
            }
            emit(first + lane, key, mark);
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn put_together(&mut self, masks: &Masks) {
        let halves = self.big[..self.count].iter().zip(&self.little);
        let places = self.lane.iter().zip(&self.slot).zip(&self.mark);
        for ((&big, &little), ((&lane, &slot), &mark)) in halves.zip(places) {
            self.keys[slot as usize] = (masks.halves.join(big, little), mark as u32, lane as u8);
        }
    }

    pub(super) fn make_room(&mut self) {
        let needed = self.count + 2 * WIDE;
        if self.keys.len() < needed {
            let reordered = &mut self.reordered;
            for list in [
                &mut self.lane,
                &mut self.cell,
                &mut self.symbol,
                &mut self.target,
                &mut self.slot,
                &mut self.little,
                &mut self.big,
                &mut self.holes,
                &mut self.mark,
                &mut reordered.which,
                &mut reordered.lane,
                &mut reordered.symbol,
                &mut reordered.exchanged,
                &mut reordered.bigs,
            ] {
                list.resize(2 * needed, 0);
            }
            self.keys.resize(2 * needed, (0, 0, 0));
        }
    }
}

/// First cells of pieces of a symbol after a move, given by the symbol that moves, its
/// position, and the cells that change.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn after_move(
    group: &Group,
    symbol: usize,
    moved: (__m512i, __m512i, __m512i),
) -> __m512i {
    let (moving, lane, exchanged) = moved;
    let is_it = _mm512_cmpeq_epi64_mask(moving, _mm512_set1_epi64(symbol as i64));
    let stood = of(table(&group.of[symbol % SYMBOLS]), lane);
    _mm512_mask_xor_epi64(stood, is_it, stood, exchanged)
}

/// The value of a symbol within its half of the key, where `among` are the first cells of it and of
/// those above.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn digit(
    rows: &mut std::slice::Iter<'_, Row>,
    count: u8,
    mut own: __m512i,
    among: __m512i,
) -> __m512i {
    let mut sum = _mm512_setzero_si512();
    for Row(terms) in rows.by_ref().take(count.into()) {
        let less = _mm512_sub_epi64(own, _mm512_set1_epi64(1));
        let ahead = _mm512_and_si512(_mm512_andnot_si512(own, less), among);
        let place = _mm512_popcnt_epi64(ahead);
        own = _mm512_and_si512(own, less);
        let early = of([load(terms, 0), load(terms, WIDE)], place);
        let late = of([load(terms, 2 * WIDE), load(terms, 3 * WIDE)], place);
        let is_late = _mm512_test_epi64_mask(place, _mm512_set1_epi64(16));
        sum = _mm512_add_epi64(sum, _mm512_mask_blend_epi64(is_late, early, late));
    }
    sum
}

impl Vectors {
    /// Finds the bit of the moving piece in the position after the move.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn mark(&self, neighbours: &mut Neighbours) {
        let one = _mm512_set1_epi64(1);
        for at in (0..neighbours.count).step_by(WIDE) {
            let (symbol, target) = (load(&neighbours.symbol, at), load(&neighbours.target, at));
            let to = _mm512_popcnt_epi64(_mm512_sub_epi64(target, one));
            let beside = self.beside(load(&neighbours.holes, at));
            let own = _mm512_and_si512(beside, self.covers(symbol, to));
            let before = _mm512_andnot_si512(own, _mm512_sub_epi64(own, one));
            let number = _mm512_popcnt_epi64(_mm512_and_si512(before, beside));
            write(&mut neighbours.mark, at, _mm512_sllv_epi64(one, number));
        }
    }

    /// Like [`Neighbours::put_together`] for the images of neighbours, whose keys replace greater
    /// ones.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn put_if_less(
        &self,
        masks: &Masks,
        (group, images): (&Group, &mut Neighbours),
        neighbours: &mut Neighbours,
    ) {
        self.halves(masks, group, images);
        for at in 0..neighbours.count {
            let key = &mut neighbours.keys[neighbours.slot[at] as usize].0;
            *key = masks
                .halves
                .join(images.big[at], images.little[at])
                .min(*key);
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn halves(&self, masks: &Masks, group: &Group, neighbours: &mut Neighbours) {
        self.little_halves(masks, group, neighbours);
        self.big_halves(masks, group, neighbours);
    }

    /// The low halves of keys, and the neighbours whose high half changes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn little_halves(&self, masks: &Masks, group: &Group, neighbours: &mut Neighbours) {
        let holes = table(&group.of[0]);
        let (scanned, bigs) = (table(&group.scanned), table(&group.big));
        let (one, first_big) = (_mm512_set1_epi64(1), _mm512_set1_epi64(masks.little as i64));
        let reordered = &mut neighbours.reordered;
        reordered.count = 0;
        for at in (0..neighbours.count).step_by(WIDE) {
            let (lane, from) = (load(&neighbours.lane, at), load(&neighbours.cell, at));
            let (symbol, target) = (load(&neighbours.symbol, at), load(&neighbours.target, at));
            let to = _mm512_popcnt_epi64(_mm512_sub_epi64(target, one));
            let (before, start) = (of(holes, lane), _mm512_sllv_epi64(one, from));
            let pieces = _mm512_xor_si512(of(scanned, lane), before);
            let exchanged = _mm512_or_si512(start, target);
            let free = _mm512_or_si512(before, self.covers(symbol, from));
            let after = _mm512_andnot_si512(self.covers(symbol, to), free);
            let mut left = _mm512_or_si512(_mm512_xor_si512(pieces, exchanged), after);
            let mut sum = digit(&mut self.terms.iter(), masks.counts[0], after, left);
            left = _mm512_xor_si512(left, after);
            let mut rows = self.terms[masks.counts[0].into()..].iter();
            for other in 1..masks.little {
                let own = after_move(group, other, (symbol, lane, exchanged));
                let more = digit(&mut rows, masks.counts[other], own, left);
                (sum, left) = (_mm512_add_epi64(sum, more), _mm512_xor_si512(left, own));
            }
            write(&mut neighbours.little, at, sum);
            write(&mut neighbours.big, at, of(bigs, lane));
            write(&mut neighbours.holes, at, after);
            // Only big pieces between the two cells can change the order.
            let (low, high) = (
                _mm512_min_epu64(start, target),
                _mm512_max_epu64(start, target),
            );
            let behind_low = _mm512_sub_epi64(_mm512_add_epi64(low, low), one);
            let between = _mm512_andnot_si512(behind_low, _mm512_sub_epi64(high, one));
            let passing = _mm512_test_epi64_mask(left, between);
            let mut wanted = passing & _mm512_cmpge_epu64_mask(symbol, first_big);
            if neighbours.count - at < WIDE {
                wanted &= u8::MAX >> (WIDE - (neighbours.count - at));
            }
            let count = reordered.count;
            append(&mut reordered.which, count, wanted, numbers(at));
            append(&mut reordered.lane, count, wanted, lane);
            append(&mut reordered.symbol, count, wanted, symbol);
            append(&mut reordered.exchanged, count, wanted, exchanged);
            append(&mut reordered.bigs, count, wanted, left);
            reordered.count += wanted.count_ones() as usize;
        }
    }

    /// The high halves of keys that change.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn big_halves(&self, masks: &Masks, group: &Group, neighbours: &mut Neighbours) {
        let reordered = &neighbours.reordered;
        for at in (0..reordered.count).step_by(WIDE) {
            let (lane, symbol) = (load(&reordered.lane, at), load(&reordered.symbol, at));
            let exchanged = load(&reordered.exchanged, at);
            let (mut sum, mut left) = (_mm512_setzero_si512(), load(&reordered.bigs, at));
            let mut rows = self.big_terms.iter();
            for other in masks.little..masks.counts.len() {
                let own = after_move(group, other, (symbol, lane, exchanged));
                let more = digit(&mut rows, masks.counts[other], own, left);
                (sum, left) = (_mm512_add_epi64(sum, more), _mm512_xor_si512(left, own));
            }
            let mut bigs = [0; WIDE];
            write(&mut bigs, 0, sum);
            for (&which, big) in reordered.which[at..reordered.count].iter().zip(bigs) {
                neighbours.big[which as usize] = big;
            }
        }
    }
}
