//! All jumps of many triples at once.
//!
//! Triples of holes in a row whose numbers differ by the same amounts make a group. A board drawn
//! in rows has one group for the rows and one for each pair of row offsets, eight on the diamond of
//! 41 holes. Within a triple, a jump is possible if the middle has a peg and exactly one end has
//! one; it flips all three. A jump back is possible if the middle is empty and exactly one end has
//! a peg. So one expression per group finds the jumps of both directions.

use puzzle_api::Direction;

use super::symmetry::is_wide;
use crate::board::Board;

/// Triples of holes whose numbers differ by the same amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Group {
    /// From the hole of the least number to both ends and the middle.
    ends: [u32; 2],
    middle: u32,
    /// Holes of the least number.
    first: u64,
    /// A triple's three bits, for first hole 0.
    triple: u64,
    /// The number of a triple among those of all groups, by its first hole.
    numbers: [u8; u64::BITS as usize],
}

impl Group {
    /// Triples with a peg on exactly one end, by their first hole.
    #[inline(always)]
    fn one_end(&self, pegs: u64) -> u64 {
        ((pegs >> self.ends[0]) ^ (pegs >> self.ends[1])) & self.first
    }
}

pub(super) const LANES: usize = 8;

/// Eight triples of holes; if there are fewer, empty ones, whose jump is never possible.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[repr(align(64))]
struct Eight {
    triple: [u64; LANES],
    ends: [u64; LANES],
    /// The first end, the hole between, and the last end.
    first: [u64; LANES],
    over: [u64; LANES],
    last: [u64; LANES],
}

/// The jumps of a board, in groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jumps {
    groups: Vec<Group>,
    /// The same triples, for processors that look at eight at once; empty for others.
    eights: Vec<Eight>,
    /// All three holes and both ends of each triple, group by group.
    triples: Vec<(u64, u64)>,
}

impl Jumps {
    pub fn new(board: &Board) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for jump in board.jumps().iter().filter(|jump| jump.from < jump.to) {
            let first = jump.from.min(jump.over);
            let apart = |hole: usize| (hole - first) as u32;
            let (ends, middle) = ([apart(jump.from), apart(jump.to)], apart(jump.over));
            let same = |group: &&mut Group| (group.ends, group.middle) == (ends, middle);
            match groups.iter_mut().find(same) {
                Some(group) => group.first |= 1 << first,
                None => groups.push(Group {
                    ends,
                    middle,
                    first: 1 << first,
                    triple: 1 << ends[0] | 1 << ends[1] | 1 << middle,
                    numbers: [0; u64::BITS as usize],
                }),
            }
        }
        let mut triples = Vec::new();
        for group in &mut groups {
            let ends = group.triple & !(1 << group.middle);
            for first in (0..u64::BITS).filter(|first| group.first >> first & 1 == 1) {
                // At most 128: 64 holes are the first of as many in a row, and in a column.
                group.numbers[first as usize] = triples.len() as u8;
                triples.push((group.triple << first, ends << first));
            }
        }
        let eights = match is_wide() {
            true => triples.chunks(LANES).map(eight).collect(),
            false => Vec::new(),
        };
        Self {
            groups,
            eights,
            triples,
        }
    }

    /// Appends the positions after or before one jump, each once.
    #[inline]
    pub fn extend(&self, pegs: u64, direction: Direction, out: &mut Vec<u64>) {
        #[cfg(target_arch = "x86_64")]
        if !self.eights.is_empty() {
            // SAFETY: such lists exist only if the processor has the features that it is compiled
            // for.
            #[allow(unsafe_code)]
            return unsafe { self.extend_wide(pegs, direction, out) };
        }
        self.each(pegs, direction, &mut |next| out.push(next));
    }

    /// Like [`Jumps::extend`], without a branch per jump: no processor can predict whether there is
    /// one.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,popcnt")]
    #[allow(unsafe_code)]
    fn extend_wide(&self, pegs: u64, direction: Direction, out: &mut Vec<u64>) {
        use std::arch::x86_64::*;
        out.reserve(LANES * self.eights.len());
        let all = _mm512_set1_epi64(pegs as i64);
        let turned = turned(direction) as u8;
        for eight in &self.eights {
            let (triple, ends) = (load(&eight.triple), load(&eight.ends));
            let jumps = possible(all, triple, ends, turned);
            let next = _mm512_maskz_compress_epi64(jumps, _mm512_xor_si512(all, triple));
            let length = out.len();
            // SAFETY: there is room for all lanes of all lists, of which earlier ones have taken at
            // most eight each. Of what is written, as many words count as there are jumps.
            unsafe {
                _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), next);
                out.set_len(length + jumps.count_ones() as usize);
            }
        }
    }

    /// The images of all triples under each of eight symmetries; empty for processors that do not
    /// handle eight triples at once.
    pub(super) fn images(&self, images_of: impl Fn(u64) -> [u64; LANES]) -> Vec<Images> {
        let of_eight = |eight: &Eight| {
            let by_triple = eight.triple.map(&images_of);
            Images(std::array::from_fn(|index| {
                by_triple.map(|images| images[index])
            }))
        };
        self.eights.iter().map(of_eight).collect()
    }

    /// Like [`Jumps::extend_wide`], with the least of eight images of each position in its place.
    /// An image of a position after a jump is the image of the position, except for the images of
    /// the three holes. Both `images` are of the same symmetries: of the triples, and of `pegs`.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,popcnt")]
    #[inline]
    #[allow(unsafe_code)]
    pub(super) fn extend_least(
        &self,
        (pegs, of_pegs): (u64, [u64; LANES]),
        of_triples: &[Images],
        direction: Direction,
        out: &mut Vec<u64>,
    ) {
        use std::arch::x86_64::*;
        out.reserve(LANES * self.eights.len());
        let all = _mm512_set1_epi64(pegs as i64);
        let turned = turned(direction) as u8;
        // Uses numbered loops throughout: the code behind iterators and `map` of an array is not
        // compiled for these registers, and would be called for each word.
        let mut images = [_mm512_setzero_si512(); LANES];
        for index in 0..LANES {
            images[index] = _mm512_set1_epi64(of_pegs[index] as i64);
        }
        for at in 0..self.eights.len().min(of_triples.len()) {
            let (eight, of_triples) = (&self.eights[at], &of_triples[at].0);
            let jumps = possible(all, load(&eight.triple), load(&eight.ends), turned);
            if jumps == 0 {
                continue;
            }
            let mut least = _mm512_xor_si512(images[0], load(&of_triples[0]));
            for index in 1..LANES {
                let image = _mm512_xor_si512(images[index], load(&of_triples[index]));
                least = _mm512_min_epu64(least, image);
            }
            let length = out.len();
            // SAFETY: as in `extend_wide`.
            unsafe {
                let least = _mm512_maskz_compress_epi64(jumps, least);
                _mm512_storeu_si512(out.as_mut_ptr().add(length).cast(), least);
                out.set_len(length + jumps.count_ones() as usize);
            }
        }
    }

    pub(super) fn triples(&self) -> &[(u64, u64)] {
        &self.triples
    }

    /// The triples over which a jump is possible, one bit each in the order of [`Jumps::triples`],
    /// and those with a peg on their last end. Triples beyond 64 are left out.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,popcnt")]
    #[inline]
    pub(super) fn possible_from(&self, pegs: u64) -> (u64, u64) {
        use std::arch::x86_64::*;
        let all = _mm512_set1_epi64(pegs as i64);
        let (mut jumps, mut on_last) = (0, 0);
        for at in 0..self.eights.len().min(u64::BITS as usize / LANES) {
            let eight = &self.eights[at];
            let first = _mm512_test_epi64_mask(all, load(&eight.first));
            let over = _mm512_test_epi64_mask(all, load(&eight.over));
            let last = _mm512_test_epi64_mask(all, load(&eight.last));
            jumps |= u64::from(over & (first ^ last)) << (LANES * at);
            on_last |= u64::from(last) << (LANES * at);
        }
        (jumps, on_last)
    }

    /// Passes on the number of every triple over which a jump is possible, and whether the peg is on
    /// its last end, in the order of [`Jumps::each`].
    #[inline(always)]
    pub(super) fn each_triple(
        &self,
        pegs: u64,
        direction: Direction,
        mut emit: impl FnMut(usize, bool),
    ) {
        let turned = turned(direction);
        for group in &self.groups {
            let mut left = ((pegs >> group.middle) ^ turned) & group.one_end(pegs);
            let last = pegs >> group.ends[1];
            while left != 0 {
                let first = left.trailing_zeros() as usize % group.numbers.len();
                emit(group.numbers[first].into(), last >> first & 1 == 1);
                left &= left - 1;
            }
        }
    }

    #[inline]
    pub fn count(&self, pegs: u64) -> u32 {
        let possible = |group: &Group| ((pegs >> group.middle) & group.one_end(pegs)).count_ones();
        self.groups.iter().map(possible).sum()
    }

    /// Passes on the positions after or before one jump, each once.
    #[inline]
    pub fn each(&self, pegs: u64, direction: Direction, emit: &mut (impl FnMut(u64) + ?Sized)) {
        let turned = turned(direction);
        for group in &self.groups {
            let mut left = ((pegs >> group.middle) ^ turned) & group.one_end(pegs);
            while left != 0 {
                emit(pegs ^ (group.triple << left.trailing_zeros()));
                left &= left - 1;
            }
        }
    }
}

/// The images of eight triples, by symmetry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Images([[u64; LANES]; LANES]);

/// Ones if the middles of triples must be empty.
fn turned(direction: Direction) -> u64 {
    match direction {
        Direction::Forward => 0,
        Direction::Backward => u64::MAX,
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,popcnt")]
#[inline]
#[allow(unsafe_code)]
fn load(words: &[u64; LANES]) -> std::arch::x86_64::__m512i {
    // SAFETY: there are eight words, and the load needs no alignment.
    unsafe { std::arch::x86_64::_mm512_loadu_si512(words.as_ptr().cast()) }
}

/// Which of eight triples a jump is possible over.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,popcnt")]
#[inline]
fn possible(
    all: std::arch::x86_64::__m512i,
    triple: std::arch::x86_64::__m512i,
    ends: std::arch::x86_64::__m512i,
    turned: u8,
) -> u8 {
    use std::arch::x86_64::*;
    let there = _mm512_and_si512(all, ends);
    let some = _mm512_test_epi64_mask(there, there);
    let one = some & _mm512_cmpneq_epi64_mask(there, ends);
    let over = _mm512_test_epi64_mask(all, _mm512_xor_si512(triple, ends));
    one & (over ^ turned)
}

fn eight(some: &[(u64, u64)]) -> Eight {
    let mut eight = Eight::default();
    for (lane, &(triple, ends)) in some.iter().enumerate() {
        (eight.triple[lane], eight.ends[lane]) = (triple, ends);
        eight.first[lane] = ends & ends.wrapping_neg();
        eight.over[lane] = triple & !ends;
        eight.last[lane] = ends & !eight.first[lane];
    }
    eight
}
