//! Keys of the images of sixteen positions.

use std::arch::x86_64::*;

use super::super::{BySymbol, CELLS, Masks, SYMBOLS, Turned, by_symbol};
use super::group::{Group, Side};
use super::neighbours::{Neighbours, digit};
use super::words::{WIDE, load, of, store, table, write};
use super::{Row, SIDE_BY_SIDE, Vectors};

impl Turned {
    /// By symbol and first cell: the image's first cell, as a mask, in this module's numbers of
    /// cells.
    #[inline]
    pub(super) fn by_bits(&self) -> &[[u64; CELLS]; SYMBOLS] {
        self.renumbered.as_ref().unwrap_or(&self.targets)
    }
}

impl Vectors {
    /// Renumbers the images' first cells, by symbol and first cell, from the numbers of [`Masks`]
    /// to this module's; `None` if all numbers are equal.
    pub fn renumbered(&self, targets: &[[u64; CELLS]; SYMBOLS]) -> Option<BySymbol<u64>> {
        let bits: Vec<u32> = (0..u64::BITS)
            .filter(|bit| self.all >> bit & 1 == 1)
            .collect();
        if bits.iter().zip(0..).all(|(&bit, number)| bit == number) {
            return None;
        }
        let mut renumbered = by_symbol(0);
        for (renumbered, targets) in renumbered.iter_mut().zip(targets) {
            for (&bit, target) in bits.iter().zip(targets) {
                let image = bits.get(target.trailing_zeros() as usize);
                renumbered[bit as usize % CELLS] = image.map_or(0, |image| 1 << image);
            }
        }
        Some(renumbered)
    }

    /// Like [`Masks::images`] for each position, in memory for groups of images.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn images(
        &self,
        masks: &Masks,
        group: &Group,
        turned: &Turned,
        image: &mut Group,
    ) -> [u128; SIDE_BY_SIDE] {
        self.turn(masks, group, turned, image);
        let little = digits(masks, image, (&self.terms, 0..masks.little, image.scanned));
        let mut keys = [0; SIDE_BY_SIDE];
        for lane in 0..SIDE_BY_SIDE {
            keys[lane] = masks.halves.join(image.big[lane], little[lane]);
        }
        keys
    }

    /// Makes the group of the images of positions: first cells, and the high half of the key.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn turn(&self, masks: &Masks, group: &Group, turned: &Turned, image: &mut Group) {
        let targets = turned.by_bits();
        let (mut scanned, mut bigs) = ([_mm512_setzero_si512(); 2], [_mm512_setzero_si512(); 2]);
        for symbol in 0..masks.counts.len() {
            let cells = table(&group.of[symbol % SYMBOLS]);
            let target = usize::from(turned.symbols[symbol % SYMBOLS]);
            let mut there = [_mm512_setzero_si512(); 2];
            for half in 0..2 {
                there[half] = images_of(cells[half], &targets[symbol % SYMBOLS]);
                scanned[half] = _mm512_or_si512(scanned[half], there[half]);
                if target >= masks.little {
                    bigs[half] = _mm512_or_si512(bigs[half], there[half]);
                }
            }
            store(&mut image.of[target % SYMBOLS], there);
        }
        store(&mut image.scanned, scanned);
        let mut among: Side = [0; SIDE_BY_SIDE];
        store(&mut among, bigs);
        let symbols = masks.little..masks.counts.len();
        image.big = digits(masks, image, (&self.big_terms, symbols, among));
    }

    /// Converts neighbours to those of the positions' images, by the images of the moves.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn turn_moves(
        &self,
        neighbours: &Neighbours,
        turned: &Turned,
        image: &mut Neighbours,
    ) {
        let targets = turned.by_bits().as_flattened();
        let symbols = turned.symbols.map(u64::from);
        image.count = neighbours.count;
        image.make_room();
        let one = _mm512_set1_epi64(1);
        for at in (0..neighbours.count).step_by(WIDE) {
            let symbol = load(&neighbours.symbol, at);
            let row = _mm512_slli_epi64::<6>(symbol);
            let to = _mm512_popcnt_epi64(_mm512_sub_epi64(load(&neighbours.target, at), one));
            // The words after the last neighbour are arbitrary.
            let there = match neighbours.count - at {
                few @ ..WIDE => u8::MAX >> (WIDE - few),
                _ => u8::MAX,
            };
            let from = look_up(
                there,
                _mm512_add_epi64(row, load(&neighbours.cell, at)),
                targets,
            );
            let to = look_up(there, _mm512_add_epi64(row, to), targets);
            write(&mut image.lane, at, load(&neighbours.lane, at));
            write(&mut image.symbol, at, of(table(&symbols), symbol));
            write(
                &mut image.cell,
                at,
                _mm512_popcnt_epi64(_mm512_sub_epi64(from, one)),
            );
            write(&mut image.target, at, to);
        }
    }
}

/// The values of some symbols within their half of the keys of a group; `among` are the first cells
/// of them and of those above.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn digits(
    masks: &Masks,
    group: &Group,
    (terms, symbols, among): (&[Row], std::ops::Range<usize>, Side),
) -> Side {
    let (mut rows, mut sum) = (terms, [_mm512_setzero_si512(); 2]);
    let mut left = table(&among);
    for symbol in symbols {
        let own = table(&group.of[symbol % SYMBOLS]);
        for half in 0..2 {
            let more = digit(
                &mut rows.iter(),
                masks.counts[symbol],
                own[half],
                left[half],
            );
            sum[half] = _mm512_add_epi64(sum[half], more);
            left[half] = _mm512_andnot_si512(own[half], left[half]);
        }
        rows = &rows[masks.counts[symbol].into()..];
    }
    let mut sums: Side = [0; SIDE_BY_SIDE];
    store(&mut sums, sum);
    sums
}

/// The images of some first cells of one symbol, in each of eight positions.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn images_of(mut cells: __m512i, targets: &[u64; CELLS]) -> __m512i {
    let (mut image, one) = (_mm512_setzero_si512(), _mm512_set1_epi64(1));
    loop {
        let some = _mm512_test_epi64_mask(cells, cells);
        if some == 0 {
            return image;
        }
        let less = _mm512_sub_epi64(cells, one);
        let at = _mm512_popcnt_epi64(_mm512_andnot_si512(cells, less));
        cells = _mm512_and_si512(cells, less);
        let turned = look_up(some, at, targets);
        image = _mm512_or_si512(image, turned);
    }
}

/// The wanted words of a table, at some places; the others are not read.
#[inline]
#[target_feature(enable = "avx512f,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn look_up(wanted: u8, at: __m512i, table: &[u64]) -> __m512i {
    let inside = _mm512_cmplt_epu64_mask(at, _mm512_set1_epi64(table.len() as i64));
    // SAFETY: only places inside the table are read.
    unsafe {
        let (none, words) = (_mm512_setzero_si512(), table.as_ptr().cast());
        _mm512_mask_i64gather_epi64::<8>(none, wanted & inside, at, words)
    }
}
