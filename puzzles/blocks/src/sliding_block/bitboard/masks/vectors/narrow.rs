//! The steps of a group where the processor has AVX2 and no AVX-512: four positions, or four
//! pieces, at once where shifts and bits are all it takes, and one by one where bits are counted
//! or looked up. What is listed is listed in the order of positions.

use std::arch::x86_64::*;
use std::num::NonZero;
use std::ops::Range;

use super::super::image::images_of;
use super::super::machine::{Bmi2, Machine};
use super::super::moves::between;
use super::super::{CELLS, Masks, SYMBOLS, Turned};
use super::group::{Group, Side};
use super::movers::Movers;
use super::neighbours::Neighbours;
use super::{Ahead, BIG, PLACES, Room, Row, SIDE_BY_SIDE, Table, Vectors};
use crate::sliding_block::metric::Metric;

/// Words of a vector.
const FOUR: usize = 4;
/// Vectors that are scanned in step: each waits for its own place before.
const IN_STEP: usize = 2;

/// A move of a position of a group.
#[derive(Clone, Copy)]
struct Move {
    lane: usize,
    symbol: usize,
    /// First cells before and after.
    from: u32,
    to: u32,
    /// The cells that it has for it: the holes and its own.
    free: u64,
}

impl Move {
    /// First cells that change.
    #[inline(always)]
    fn exchanged(&self) -> u64 {
        1 << self.from | 1 << self.to
    }

    /// First cells of the pieces of a symbol after it.
    #[inline(always)]
    fn stood(&self, group: &Group, symbol: usize) -> u64 {
        let is_it = u64::from(symbol == self.symbol).wrapping_neg();
        group.of[symbol % SYMBOLS][self.lane] ^ self.exchanged() & is_it
    }
}

/// Where one of the big pieces goes in an order of them, and the rank of the order that comes of
/// it: few orders follow each other in sorted keys, and half of all moves are of big pieces.
pub(super) struct Orders {
    /// The order before; what is kept of another goes when one is asked for.
    pub(super) rank: u64,
    /// By its place among the big pieces before and after; none where it was not asked for.
    after: [[Option<NonZero<u64>>; BIG]; BIG],
}

impl Orders {
    pub(super) const NONE: Self = Self {
        rank: u64::MAX,
        after: [[None; BIG]; BIG],
    };

    /// The rank of the order after a move, where `bigs` are the first cells of all big pieces
    /// afterwards; `reordered` works it out.
    #[inline(always)]
    fn after(
        &mut self,
        rank: u64,
        (moved, is_big): (&Move, bool),
        bigs: u64,
        reordered: impl FnOnce() -> u64,
    ) -> u64 {
        if self.rank != rank {
            *self = Self { rank, ..Self::NONE };
        }
        // Which piece moves is not to be foretold, so it is no branch: another goes from the first
        // place to the first.
        let is_big = u64::from(is_big).wrapping_neg();
        let place = |bigs: u64, cell: u32| {
            let before = ((1 << cell) - 1) & is_big;
            (bigs & before).count_ones() as usize % BIG
        };
        let places = (
            place(bigs ^ moved.exchanged(), moved.from),
            place(bigs, moved.to),
        );
        let there = &mut self.after[places.0][places.1];
        // One more than the rank, which is less than 2^62.
        let rank = there.get_or_insert_with(|| NonZero::<u64>::MIN.saturating_add(reordered()));
        rank.get() - 1
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn load(words: &[u64], at: usize) -> __m256i {
    let words = &words[at..at + FOUR];
    // SAFETY: there are four words, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn write(words: &mut [u64], at: usize, vector: __m256i) {
    let words = &mut words[at..at + FOUR];
    // SAFETY: there is room for four words, and the store needs no alignment.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), vector) };
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn all(word: u64) -> __m256i {
    _mm256_set1_epi64x(word as i64)
}

/// Words of a group, four by four.
type Fours = [__m256i; SIDE_BY_SIDE / FOUR];

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn fours(side: &Side) -> Fours {
    [0, FOUR, 2 * FOUR, 3 * FOUR].map(|at| load(side, at))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn put(side: &mut Side, fours: Fours) {
    for (at, four) in (0..).step_by(FOUR).zip(fours) {
        write(side, at, four);
    }
}

/// One step for each four of two groups' words.
#[inline(always)]
fn each(a: Fours, b: Fours, step: impl Fn(__m256i, __m256i) -> __m256i) -> Fours {
    std::array::from_fn(|at| step(a[at], b[at]))
}

/// An entry for each of four symbols.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn of(table: &Table, symbols: [usize; FOUR]) -> __m256i {
    load(&symbols.map(|symbol| table[symbol % SYMBOLS]), 0)
}

/// Words turned to the right by so many bits, none by 0.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn turned_right(words: __m256i, by: __m256i) -> __m256i {
    // A shift by 64 or more gives zeros.
    let high = _mm256_sllv_epi64(words, _mm256_sub_epi64(all(u64::BITS.into()), by));
    _mm256_or_si256(_mm256_srlv_epi64(words, by), high)
}

/// Ones in the words in which none of the bits is set.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn where_none(words: __m256i) -> __m256i {
    _mm256_cmpeq_epi64(words, _mm256_setzero_si256())
}

impl Movers {
    /// As [`Movers::list`], position by position.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn list_narrow<const USED: bool>(&mut self, vectors: &Vectors, group: &Group) {
        let mut count = 0;
        for lane in 0..SIDE_BY_SIDE {
            let (mut movable, scanned) = (group.movable[lane], group.scanned[lane]);
            let [early, late] = [group.string[0][lane], group.string[1][lane]];
            while movable != 0 {
                let cell = movable.trailing_zeros();
                let before = movable ^ movable.wrapping_sub(1);
                let place = ((before >> 1) & scanned).count_ones();
                movable &= movable - 1;
                let string = if place < 16 { early } else { late };
                let symbol = string >> (4 * (place % 16)) & 15;
                self.lane[count] = lane as u64;
                self.cell[count] = cell.into();
                self.symbol[count] = symbol;
                // Whether a piece may move is not to be foretold, so it is no branch.
                let rests = USED && vectors.cover(symbol as usize, cell) & group.used[lane] != 0;
                count += usize::from(!rests);
            }
        }
        self.count = count;
    }
}

impl Neighbours {
    /// As [`Neighbours::list`].
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn list_narrow(&mut self, movers: &Movers) {
        let targets = &movers.targets[..movers.count];
        self.count = targets.iter().map(|all| all.count_ones() as usize).sum();
        self.make_room();
        let mut count = 0;
        for (at, &targets) in targets.iter().enumerate() {
            let mut targets = targets;
            while targets != 0 {
                self.mover[count] = at as u64;
                self.target[count] = targets & targets.wrapping_neg();
                targets &= targets - 1;
                count += 1;
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn moved(&self, movers: &Movers, at: usize) -> Move {
        let mover = self.mover[at] as usize;
        Move {
            lane: movers.lane[mover] as usize % SIDE_BY_SIDE,
            symbol: movers.symbol[mover] as usize % SYMBOLS,
            from: movers.cell[mover] as u32 % u64::BITS,
            to: self.target[at].trailing_zeros() % u64::BITS,
            free: movers.free[mover],
        }
    }
}

impl Vectors {
    /// As [`Vectors::take_apart`].
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn take_apart_narrow(
        &self,
        masks: &Masks,
        keys: &[u128; SIDE_BY_SIDE],
        room: &mut Room,
    ) {
        self.take_apart_by(masks, keys, room, |group| {
            self.scan_narrow(masks.length, group)
        });
    }

    /// As [`Vectors::scan`].
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn scan_narrow(&self, length: usize, group: &mut Group) {
        let (one, half_byte) = (all(1), all(15));
        // Bytes of a shuffle with the highest bit give zero.
        let lowest = all(0x8080_8080_8080_8000);
        let is_open = self.all & 1 == 1;
        for first in (0..SIDE_BY_SIDE).step_by(FOUR * IN_STEP) {
            let mut scanned = [all(is_open.into()); IN_STEP];
            let mut free = [all(self.all); IN_STEP];
            let places: [usize; IN_STEP] = std::array::from_fn(|at| first + at * FOUR);
            let mut low = places.map(|at| load(&group.string[0], at));
            let high = places.map(|at| load(&group.string[1], at));
            if is_open {
                for (at, &place) in places.iter().enumerate() {
                    let symbols = std::array::from_fn(|lane| {
                        (group.string[0][place + lane] % SYMBOLS as u64) as usize
                    });
                    // A key that no position has must not stop the scan.
                    let cover = _mm256_or_si256(of(&self.top, symbols), one);
                    free[at] = _mm256_andnot_si256(cover, free[at]);
                    low[at] = _mm256_srli_epi64::<4>(low[at]);
                }
            }
            let early = length.min(16) - usize::from(is_open);
            for (mut string, places) in [(low, early), (high, length.max(16) - 16)] {
                for _ in 0..places {
                    for at in 0..IN_STEP {
                        let less = _mm256_sub_epi64(free[at], one);
                        let cell = _mm256_andnot_si256(less, free[at]);
                        scanned[at] = _mm256_or_si256(scanned[at], cell);
                        let symbol = _mm256_and_si256(string[at], half_byte);
                        let symbol = _mm256_or_si256(symbol, lowest);
                        string[at] = _mm256_srli_epi64::<4>(string[at]);
                        let mut cover = cell;
                        for bytes in &self.further_bytes {
                            // SAFETY: there are sixteen bytes, and the load needs no alignment.
                            let bytes = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
                            let bytes = _mm256_broadcastsi128_si256(bytes);
                            let behind = _mm256_shuffle_epi8(bytes, symbol);
                            cover = _mm256_or_si256(cover, _mm256_sllv_epi64(cell, behind));
                        }
                        free[at] = _mm256_andnot_si256(cover, free[at]);
                    }
                }
            }
            for (scanned, at) in scanned.into_iter().zip(places) {
                write(&mut group.scanned, at, scanned);
            }
        }
    }

    /// As [`Vectors::neighbours`].
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn neighbours_narrow(
        &self,
        masks: &Masks,
        metric: Metric,
        used: Option<&[u32; SIDE_BY_SIDE]>,
        room: &mut Room,
    ) {
        self.find_movers_narrow((&mut room.ahead, &mut room.open), &mut room.group);
        match used {
            None => room.movers.list_narrow::<false>(self, &room.group),
            Some(used) => {
                self.find_used_narrow(used, &mut room.group);
                room.movers.list_narrow::<true>(self, &room.group);
            }
        }
        self.flood_narrow(&room.group, metric, &mut room.movers);
        let (group, movers) = (&room.group, &room.movers);
        let neighbours = &mut room.neighbours;
        neighbours.list_narrow(movers);
        // A piece that moves past no other leaves the order of pieces, and with it all digits but
        // that of the holes, as they are. Which do is not to be foretold, so it is no branch.
        let mut passing = 0;
        for at in 0..neighbours.count {
            let moved = neighbours.moved(movers, at);
            let covered = self.cover(moved.symbol, moved.to);
            let (digit, holes, pieces) = self.holes_after(group, &moved, covered);
            let mark = match used {
                Some(_) => self.mark_of(covered, holes),
                None => 0,
            };
            // A key that no position has may be the greatest number.
            let key = group.unholed[moved.lane].wrapping_add(digit.into());
            neighbours.keys[at] = (key, mark, moved.lane as u8);
            let reordered = &mut neighbours.reordered;
            reordered.which[passing] = at as u64;
            reordered.pieces[passing] = pieces;
            reordered.digit[passing] = digit;
            passing += usize::from(pieces & between(moved.from as usize, moved.to as usize) != 0);
        }
        for passed in 0..passing {
            let reordered = &neighbours.reordered;
            let at = reordered.which[passed] as usize;
            let (pieces, digit) = (reordered.pieces[passed], reordered.digit[passed]);
            let moved = neighbours.moved(movers, at);
            let (little, bigs) = self.little_after(masks, group, &moved, pieces);
            let reordered = || self.big_after(masks, group, &moved, bigs);
            let is_big = moved.symbol >= masks.little;
            let rank = group.big[moved.lane];
            let big = room.orders.after(rank, (&moved, is_big), bigs, reordered);
            neighbours.keys[at].0 = masks.halves.join(big, little + digit);
        }
    }

    /// As [`Vectors::find_movers`].
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn find_movers_narrow(&self, (ahead, open): (&mut Ahead, &mut Ahead), group: &mut Group) {
        let (top, free) = (all(1), fours(&group.of[0]));
        for &by in &self.aheads {
            let turned = free.map(|free| turned_right(free, all(by.into())));
            put(&mut ahead[usize::from(by) % CELLS], turned);
        }
        for (way, open) in self.ways.iter().zip(&mut **open) {
            let mut from: Fours = [all(way.can); _];
            for &by in &way.fronts {
                let free = fours(&ahead[usize::from(by) % CELLS]);
                from = each(from, free, |from, free| _mm256_and_si256(from, free));
            }
            put(open, from);
        }
        let is_free = free.map(|free| where_none(_mm256_andnot_si256(free, top)));
        let mut movable: Fours = [_mm256_setzero_si256(); _];
        let ways = self.way_of.iter().zip(&self.beside_top[1..]);
        for ((ways, &beside_top), pieces) in ways.zip(&group.of[1..]) {
            let beside_top = all(beside_top);
            let mut from =
                is_free.map(|is_free| _mm256_or_si256(top, _mm256_and_si256(is_free, beside_top)));
            for &way in ways {
                let open = fours(&open[usize::from(way) % CELLS]);
                from = each(from, open, |from, open| _mm256_or_si256(from, open));
            }
            let found = each(from, fours(pieces), |from, pieces| {
                _mm256_and_si256(from, pieces)
            });
            movable = each(movable, found, |movable, found| {
                _mm256_or_si256(movable, found)
            });
        }
        put(&mut group.movable, movable);
    }

    /// As [`Vectors::find_used`].
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn find_used_narrow(&self, used: &[u32; SIDE_BY_SIDE], group: &mut Group) {
        let cells = group.used.iter_mut().zip(&group.of[0]);
        for ((cells, &holes), &used) in cells.zip(used) {
            *cells = Bmi2::deposit(used.into(), self.beside_narrow(holes));
        }
    }

    /// As [`Vectors::beside`].
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn beside_narrow(&self, holes: u64) -> u64 {
        let (left, right) = ((holes & self.not_first) >> 1, (holes & self.not_last) << 1);
        let below = holes & !1;
        let sides = left | right | below >> self.width | below << self.width;
        // Steps from and to cell 0 are not regular.
        let from_top = self.beside_first & (holes & 1).wrapping_neg();
        let to_top = u64::from(holes & self.beside_first != 0);
        (sides & !1 | from_top | to_top) & self.all & !holes
    }

    /// As [`Vectors::covers`].
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn cover(&self, symbol: usize, cell: u32) -> u64 {
        let shifted = self.shapes[symbol % SYMBOLS] << (cell % u64::BITS);
        if cell == 0 {
            self.top[symbol % SYMBOLS]
        } else {
            shifted
        }
    }

    /// As [`Vectors::mark`], of one neighbour by the cells of the piece that moved, and the holes.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn mark_of(&self, covered: u64, holes: u64) -> u32 {
        let beside = self.beside_narrow(holes);
        let own = beside & covered;
        let before = beside & !own & own.wrapping_sub(1);
        1 << (before.count_ones() % u32::BITS)
    }

    /// As [`Vectors::flood`].
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn flood_narrow(&self, group: &Group, metric: Metric, movers: &mut Movers) {
        let (not_first, not_last) = (all(self.not_first), all(self.not_last));
        let (row, one) = (_mm_cvtsi64_si128(self.width.into()), all(1));
        for at in (0..movers.count).step_by(FOUR) {
            let symbols: [usize; FOUR] =
                std::array::from_fn(|mover| movers.symbol[at + mover] as usize % SYMBOLS);
            let holes: [u64; FOUR] = std::array::from_fn(|mover| {
                group.of[0][movers.lane[at + mover] as usize % SIDE_BY_SIDE]
            });
            let cell = load(&movers.cell, at);
            let (top, beside_top) = (of(&self.top, symbols), of(&self.beside_top, symbols));
            let shifted = _mm256_sllv_epi64(of(&self.shapes, symbols), cell);
            let own = _mm256_blendv_epi8(shifted, top, where_none(cell));
            let free = _mm256_or_si256(load(&holes, 0), own);
            let mut open = _mm256_and_si256(of(&self.fits, symbols), free);
            for further in &self.further {
                let further = turned_right(free, of(further, symbols));
                open = _mm256_and_si256(open, further);
            }
            let top_open = where_none(_mm256_andnot_si256(free, top));
            open = _mm256_or_si256(open, _mm256_and_si256(top_open, one));
            let start = _mm256_sllv_epi64(one, cell);
            let mut reached = start;
            loop {
                let left = _mm256_srli_epi64::<1>(_mm256_and_si256(reached, not_first));
                let right = _mm256_slli_epi64::<1>(_mm256_and_si256(reached, not_last));
                let below = _mm256_andnot_si256(one, reached);
                let (up, down) = (_mm256_srl_epi64(below, row), _mm256_sll_epi64(below, row));
                let sides = _mm256_or_si256(_mm256_or_si256(left, right), up);
                let beside = _mm256_or_si256(_mm256_andnot_si256(one, sides), down);
                // Without cell 0 among those reached, nothing; else what is beside it.
                let not_top = where_none(_mm256_and_si256(reached, one));
                let from_top = _mm256_andnot_si256(not_top, beside_top);
                let not_to_top = where_none(_mm256_and_si256(reached, beside_top));
                let to_top = _mm256_andnot_si256(not_to_top, one);
                let beside = _mm256_or_si256(beside, _mm256_or_si256(from_top, to_top));
                let new = _mm256_andnot_si256(reached, _mm256_and_si256(beside, open));
                reached = _mm256_or_si256(reached, new);
                if _mm256_movemask_epi8(where_none(new)) == -1 || metric == Metric::Step {
                    break;
                }
            }
            write(&mut movers.targets, at, _mm256_andnot_si256(start, reached));
            write(&mut movers.free, at, free);
        }
    }

    /// The digit of the holes after a move to some cells, the holes, and the first cells of all
    /// pieces.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn holes_after(&self, group: &Group, moved: &Move, covered: u64) -> (u64, u64, u64) {
        let (scanned, before) = (group.scanned[moved.lane], group.of[0][moved.lane]);
        let (holes, pieces) = (
            moved.free & !covered,
            (scanned & !before) ^ moved.exchanged(),
        );
        let digit = weigh(&self.fours[0], Bmi2::extract(holes, pieces | holes));
        (digit, holes, pieces)
    }

    /// The low half of the key of a position after a move, but for the digit of the holes, and the
    /// first cells of its big pieces; of those of all.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn little_after(&self, masks: &Masks, group: &Group, moved: &Move, pieces: u64) -> (u64, u64) {
        let stood = |other| moved.stood(group, other);
        half(&self.fours, 1..masks.little, pieces, stood)
    }

    /// The high half, where a big piece moves past another.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn big_after(&self, masks: &Masks, group: &Group, moved: &Move, bigs: u64) -> u64 {
        let symbols = masks.little..masks.counts.len();
        half(&self.fours, symbols, bigs, |other| {
            moved.stood(group, other)
        })
        .0
    }

    /// As [`Vectors::put_images_wide`].
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn put_images_narrow(&self, masks: &Masks, turned: &Turned, room: &mut Room) {
        self.turn_narrow(masks, &room.group, turned, &mut room.image);
        let neighbours = &mut room.neighbours;
        for at in 0..neighbours.count {
            let moved = neighbours.moved(&room.movers, at);
            let (lane, targets) = (moved.lane, &turned.by_bits()[moved.symbol]);
            let there = |cell: u32| targets[cell as usize % CELLS].trailing_zeros() % u64::BITS;
            let symbol = usize::from(turned.symbols[moved.symbol]) % SYMBOLS;
            let (from, to) = (there(moved.from), there(moved.to));
            let free = room.image.of[0][lane] | self.cover(symbol, from);
            let image = Move {
                lane,
                symbol,
                from,
                to,
                free,
            };
            let covered = self.cover(image.symbol, image.to);
            let (digit, _, pieces) = self.holes_after(&room.image, &image, covered);
            let (little, bigs) = self.little_after(masks, &room.image, &image, pieces);
            // Only big pieces between the two cells can change the order.
            let passed = bigs & between(image.from as usize, image.to as usize);
            let big = match image.symbol >= masks.little && passed != 0 {
                true => self.big_after(masks, &room.image, &image, bigs),
                false => room.image.big[lane],
            };
            let image = masks.halves.join(big, little + digit);
            let key = &mut neighbours.keys[at].0;
            *key = image.min(*key);
        }
    }

    /// As [`Vectors::images_wide`].
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn images_narrow(
        &self,
        masks: &Masks,
        group: &Group,
        turned: &Turned,
        image: &mut Group,
    ) -> [u128; SIDE_BY_SIDE] {
        self.turn_narrow(masks, group, turned, image);
        std::array::from_fn(|lane| {
            let stood = |symbol: usize| image.of[symbol % SYMBOLS][lane];
            let scanned = image.scanned[lane];
            let (little, _) = half(&self.fours, 0..masks.little, scanned, stood);
            masks.halves.join(image.big[lane], little)
        })
    }

    /// As [`Vectors::turn`].
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn turn_narrow(&self, masks: &Masks, group: &Group, turned: &Turned, image: &mut Group) {
        let targets = turned.by_bits();
        (image.scanned, image.big) = Default::default();
        for symbol in 0..masks.counts.len() {
            let target = usize::from(turned.symbols[symbol % SYMBOLS]);
            for lane in 0..SIDE_BY_SIDE {
                let cells = group.of[symbol % SYMBOLS][lane];
                let there = images_of(cells, &targets[symbol % SYMBOLS]);
                image.of[target % SYMBOLS][lane] = there;
                image.scanned[lane] |= there;
                if target >= masks.little {
                    image.big[lane] |= there;
                }
            }
        }
        for lane in 0..SIDE_BY_SIDE {
            let (symbols, bigs) = (masks.little..masks.counts.len(), image.big[lane]);
            let stood = |symbol: usize| image.of[symbol % SYMBOLS][lane];
            (image.big[lane], _) = half(&self.fours, symbols, bigs, stood);
        }
    }
}

/// What some symbols add to their half of a key, where `left` are the first cells of them and of
/// those above; and those of the ones above.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn half(
    fours: &[Vec<[Row; 4]>],
    symbols: Range<usize>,
    mut left: u64,
    stood: impl Fn(usize) -> u64,
) -> (u64, u64) {
    let mut sum = 0;
    for (fours, symbol) in fours[symbols.clone()].iter().zip(symbols) {
        let own = stood(symbol);
        sum += weigh(fours, Bmi2::extract(own, left));
        left &= !own;
    }
    (sum, left)
}

/// The sum of one term for each place.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn weigh(fours: &[[Row; 4]], mut places: u64) -> u64 {
    let mut sum = 0;
    for four in fours {
        for Row(terms) in four {
            sum += terms[places.trailing_zeros() as usize % PLACES];
            places &= places.wrapping_sub(1);
        }
    }
    sum
}
