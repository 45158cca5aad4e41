//! Decoded keys of sixteen positions.

use std::arch::x86_64::*;

use super::super::{Masks, SYMBOLS};
use super::words::{of, store, table};
use super::{ONES, SIDE_BY_SIDE, VectorScratch, Vectors};
use crate::bits::{Bmi2, Machine};

pub(super) type Side = [u64; SIDE_BY_SIDE];

/// Decoded positions, in whole cache lines.
#[derive(Default)]
#[repr(C, align(64))]
pub(super) struct Group {
    /// The keys, and the [`Vectors::number`] of the tables that decoded them; 0 for none.
    keys: [u128; SIDE_BY_SIDE],
    by: u64,
    /// By symbol: first cells of its pieces. Index 0 has the holes.
    pub(super) of: [Side; SYMBOLS],
    /// First cells of pieces, and holes.
    pub(super) scanned: Side,
    /// The symbols of the string, half a byte each: the first sixteen, and the others.
    pub(super) string: [Side; 2],
    pub(super) big: Side,
    /// First cells of pieces that can take a step.
    pub(super) movable: Side,
    /// Cells of pieces that are not to move, if requested.
    pub(super) used: Side,
}

/// Groups that were decoded for one question and are kept for the next. For the states of a level,
/// three questions are asked in turn: solved or not, number of images, and neighbours.
#[derive(Default)]
pub(super) struct Kept(Vec<Option<Box<Group>>>);

impl Kept {
    /// Most groups. They fit the second-level cache; a larger level gains nothing.
    const MOST: usize = 64;

    fn place(keys: &[u128; SIDE_BY_SIDE]) -> usize {
        let (low, high) = (keys[0] as u64, (keys[0] >> 64) as u64);
        let mixed = (low ^ high).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (u64::BITS - Self::MOST.ilog2())) as usize
    }

    /// Exchanges the current group for the kept one of these keys; returns whether there is one.
    pub(super) fn bring(
        &mut self,
        keys: &[u128; SIDE_BY_SIDE],
        by: u64,
        hand: &mut Box<Group>,
    ) -> bool {
        let there = self.0.get_mut(Self::place(keys));
        let there = there.and_then(Option::as_mut);
        let there = there.filter(|there| there.by == by && there.keys == *keys);
        there.is_some_and(|there| {
            std::mem::swap(there, hand);
            true
        })
    }

    /// Keeps the current group, in exchange for another.
    pub(super) fn keep(&mut self, hand: &mut Box<Group>) {
        self.0.resize_with(Self::MOST, || None);
        let there = &mut self.0[Self::place(&hand.keys)];
        std::mem::swap(there.get_or_insert_default(), hand);
    }
}

impl Vectors {
    /// Decodes keys into first cells by symbol.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn take_apart(
        &self,
        masks: &Masks,
        keys: &[u128; SIDE_BY_SIDE],
        scratch: &mut VectorScratch,
    ) {
        let group = &mut scratch.group;
        (group.keys, group.by) = (*keys, self.number);
        let symbols = masks.counts.len();
        let (mut rest, mut left) = ([0; SIDE_BY_SIDE], [masks.places; SIDE_BY_SIDE]);
        for (lane, &key) in keys.iter().enumerate() {
            (group.big[lane], rest[lane]) = masks.halves.split(key);
        }
        // Symbol by symbol: the work on one position need not wait for that on another.
        group.string = [[0; SIDE_BY_SIDE]; 2];
        for symbol in 0..masks.little {
            let (radix, count) = (masks.radices[symbol], masks.counts[symbol]);
            for lane in 0..SIDE_BY_SIDE {
                let (quotient, digit) = radix.divide(rest[lane]);
                rest[lane] = quotient;
                let places = Bmi2::deposit(masks.subsets.of(count, digit), left[lane]);
                left[lane] &= !places;
                group.of[symbol % SYMBOLS][lane] = places;
                // The string of a hole is zero.
                if symbol > 0 {
                    group.string[0][lane] |= Bmi2::deposit(places, ONES) * symbol as u64;
                    group.string[1][lane] |= Bmi2::deposit(places >> 16, ONES) * symbol as u64;
                }
            }
        }
        for (lane, &left) in left.iter().enumerate() {
            if group.big[lane] != scratch.order.rank {
                scratch.order = masks.order::<Bmi2>(group.big[lane]);
                let places = (masks.little..symbols).map(|symbol| {
                    Bmi2::deposit(scratch.order.of[symbol % SYMBOLS], ONES) * symbol as u64
                });
                scratch.big_string = places.sum();
            }
            for symbol in masks.little..symbols {
                group.of[symbol % SYMBOLS][lane] = scratch.order.of[symbol % SYMBOLS];
            }
            let first = (left & 0xffff).count_ones();
            let behind = (scratch.big_string >> (2 * first)) >> (2 * first);
            let bigs = Bmi2::deposit(left, ONES) * 15;
            group.string[0][lane] |= Bmi2::deposit(scratch.big_string, bigs);
            let bigs = Bmi2::deposit(left >> 16, ONES) * 15;
            group.string[1][lane] |= Bmi2::deposit(behind, bigs);
        }
        self.scan(masks.length, group);
        for (left, &scanned) in left.iter_mut().zip(&group.scanned) {
            *left = Bmi2::deposit(*left, scanned);
        }
        for (symbol, places) in group.of[..symbols].iter_mut().enumerate() {
            let among = match symbol < masks.little {
                true => &group.scanned,
                false => &left,
            };
            for (places, &among) in places.iter_mut().zip(among) {
                *places = Bmi2::deposit(*places, among);
            }
        }
    }

    /// Finds the first cells of pieces and holes: each symbol takes the first free cell, and
    /// those that its piece covers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn scan(&self, length: usize, group: &mut Group) {
        let (shapes, top, all) = (table(&self.shapes), table(&self.top), self.all as i64);
        let is_open = all & 1 == 1;
        let mut scanned = [_mm512_set1_epi64(i64::from(is_open)); 2];
        let mut free = [_mm512_set1_epi64(all); 2];
        let (mut low, high) = (table(&group.string[0]), table(&group.string[1]));
        if is_open {
            for half in 0..2 {
                // A key without a position must not stop the scan.
                let cover = _mm512_or_si512(of(top, low[half]), _mm512_set1_epi64(1));
                free[half] = _mm512_andnot_si512(cover, free[half]);
                low[half] = _mm512_srli_epi64::<4>(low[half]);
            }
        }
        let early = length.min(16) - usize::from(is_open);
        for (mut string, places) in [(low, early), (high, length.max(16) - 16)] {
            for _ in 0..places {
                for half in 0..2 {
                    let less = _mm512_sub_epi64(free[half], _mm512_set1_epi64(1));
                    let cell = _mm512_popcnt_epi64(_mm512_andnot_si512(free[half], less));
                    let first = _mm512_andnot_si512(less, free[half]);
                    scanned[half] = _mm512_or_si512(scanned[half], first);
                    let cover = _mm512_sllv_epi64(of(shapes, string[half]), cell);
                    free[half] = _mm512_andnot_si512(cover, free[half]);
                    string[half] = _mm512_srli_epi64::<4>(string[half]);
                }
            }
        }
        store(&mut group.scanned, scanned);
    }

    /// Whether every piece with a goal is on it in one position.
    #[inline(always)]
    pub(super) fn solves(&self, group: &Group, lane: usize) -> bool {
        let mut goals = self.goals.iter();
        goals.all(|&(symbol, cell)| group.of[usize::from(symbol) % SYMBOLS][lane] >> cell & 1 == 1)
    }
}
