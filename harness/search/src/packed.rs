//! Sorted keys in compact form: the first in full, then for each gap its length in seven bits and
//! its bits below the leading one. A gap of g costs log2(g) + 7 bits, which suits gaps of many
//! magnitudes, as between neighbouring positions: 2.66 bytes a state on level 60 of Climb Pro 24,
//! and 1.09 for the ranks of level 6 around A of coin sliding 5x7.

use std::fmt::Debug;

use puzzle_api::Key;

use crate::digest::key_from_number;

/// Number of bits for a gap's length.
const LENGTH_BITS: u32 = 7;
/// Length that announces a gap with all its bits.
const IN_FULL: u32 = (1 << LENGTH_BITS) - 1;
/// Bytes after the last code, so that a reader may look ahead.
const PADDING: usize = 16;

/// Packs sorted keys one after the other.
#[derive(Debug, Default)]
pub(crate) struct Packer {
    bits: BitWriter,
    last: u128,
    count: u64,
    marks: MarkPacker,
}

impl Packer {
    /// Appends a candidate: its key, and its mark after all keys, if it has one.
    #[inline]
    pub(crate) fn put_in<C: Candidate>(&mut self, candidate: C) {
        self.push(candidate.key());
        if C::MARKED {
            self.marks.push(candidate.mark().bits());
        }
    }

    /// Appends a key, which must be greater than the previous one.
    #[inline]
    pub(crate) fn push<K: Key>(&mut self, key: K) {
        let key = key.to_u128();
        if self.count == 0 {
            self.first(key, K::WORDS);
        } else {
            debug_assert!(key > self.last);
            self.gap(key - self.last - 1);
        }
        self.last = key;
        self.count += 1;
    }

    #[cold]
    fn first(&mut self, key: u128, words: usize) {
        let bytes = key.to_le_bytes();
        self.bits.append(&bytes[..words * size_of::<u64>()]);
    }

    #[inline]
    fn gap(&mut self, gap: u128) {
        let length = 128 - gap.leading_zeros();
        if length <= BitWriter::MOST - LENGTH_BITS {
            // The leading one is implied.
            let below = (gap as u64) & !(u64::MAX << length.saturating_sub(1));
            let bits = LENGTH_BITS + length.saturating_sub(1);
            self.bits
                .put(u64::from(length) | (below << LENGTH_BITS), bits);
        } else {
            self.long(gap, length);
        }
    }

    #[cold]
    fn long(&mut self, gap: u128, length: u32) {
        let said = length.min(IN_FULL);
        self.bits.put(u64::from(said), LENGTH_BITS);
        let bits = if said == IN_FULL { 128 } else { length - 1 };
        // The leading one is implied here too.
        self.bits
            .put_wide(gap & !u128::MAX.checked_shl(bits).unwrap_or(0), bits);
    }

    /// Keys so far.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Ends the run and returns its bytes. It is empty again once they are dropped by
    /// [`Packer::clear`].
    pub(crate) fn finish(&mut self) -> &[u8] {
        self.marks.finish(&mut self.bits);
        self.bits.finish()
    }

    /// Prepares for another run.
    pub(crate) fn clear(&mut self) {
        self.bits.clear();
        self.marks.clear();
        (self.last, self.count) = (0, 0);
    }
}

/// Unpacks a run.
pub(crate) struct Unpacker<'a, K> {
    bytes: &'a [u8],
    /// Bits read so far.
    at: usize,
    last: u128,
    left: u64,
    started: bool,
    key: std::marker::PhantomData<K>,
}

/// Prepares the bytes of a run for unpacking.
pub(crate) fn pad(bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&[0; PADDING]);
}

impl<'a, K: Key> Unpacker<'a, K> {
    /// Unpacks `count` keys from padded bytes.
    pub(crate) fn new(bytes: &'a [u8], count: u64) -> Self {
        Self {
            bytes,
            at: 0,
            last: 0,
            left: count,
            started: false,
            key: std::marker::PhantomData,
        }
    }

    /// 64 bits from a byte on; zeros after the end, which a run with a valid checksum does not
    /// reach.
    #[inline]
    fn word(&self, byte: usize) -> u64 {
        match self.bytes.get(byte..byte + 8) {
            Some(bytes) => u64::from_le_bytes(std::array::from_fn(|i| bytes[i])),
            None => 0,
        }
    }

    #[inline]
    fn gap(&mut self) -> u128 {
        let window = self.word(self.at / 8) >> (self.at % 8);
        let length = window as u32 & IN_FULL;
        // After a shift of at most seven, 57 bits of the window are valid.
        if length <= 57 - LENGTH_BITS {
            let below = length.saturating_sub(1);
            self.at += (LENGTH_BITS + below) as usize;
            let low = (window >> LENGTH_BITS) & !(u64::MAX << below);
            return u128::from(low | u64::from(length > 0) << below);
        }
        self.at += LENGTH_BITS as usize;
        self.long(length)
    }

    #[cold]
    fn long(&mut self, length: u32) -> u128 {
        let bits = if length == IN_FULL { 128 } else { length - 1 };
        let mut gap = 0;
        for start in (0..bits).step_by(32) {
            let width = (bits - start).min(32);
            let window = self.word(self.at / 8) >> (self.at % 8);
            gap |= u128::from(window & !(u64::MAX << width)) << start;
            self.at += width as usize;
        }
        match length {
            IN_FULL => gap,
            length => gap | 1 << (length - 1),
        }
    }

    /// Appends up to `most` further keys; returns whether there were any.
    pub(crate) fn fill(&mut self, keys: &mut Vec<K>, most: usize) -> bool {
        let before = keys.len();
        keys.extend(self.by_ref().take(most));
        keys.len() > before
    }
}

impl<K: Key> Iterator for Unpacker<'_, K> {
    type Item = K;

    #[inline]
    fn next(&mut self) -> Option<K> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        if self.started {
            self.last = self.last.wrapping_add(self.gap()).wrapping_add(1);
        } else {
            self.started = true;
            self.last = u128::from(self.word(0));
            if K::WORDS == 2 {
                self.last |= u128::from(self.word(8)) << 64;
            }
            self.at = 64 * K::WORDS;
        }
        Some(key_from_number(self.last))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

// Compact marks of the keys of a run: half a byte for one bit, the most common case, one byte for
// two bits. Else a half byte announces a mask, of which each following half byte has three bits.
// (Measured on level 61 of Climb Pro 24: one bit in 58.5 % of the marks, two in 36.3 %; 0.8 bytes
// per mark, with an entropy of 0.7.)

/// Masks of one bit that have their own code; higher codes are for two bits.
const SINGLE: u32 = 10;
/// Codes of two bits have this many low halves.
const HALVES: u32 = 16;
/// Bits of masks with codes for two bits.
const PAIRED: u32 = 13;
/// Announces that a mask follows.
const FOLLOWS: u32 = 15;
/// Bits of a mask in half a byte, and the bit that announces another half byte.
const BITS: u32 = 3;
const MORE: u32 = 1 << BITS;
/// Bytes after the marks that give their length.
const LENGTH: usize = 8;

/// By byte: the mask that begins with it, with the number of its half bytes above it; 0 if more
/// follow.
const MASKS: [u32; 256] = masks();
/// Place of the number of half bytes.
const COUNT: u32 = 16;

const fn masks() -> [u32; 256] {
    let mut masks = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if byte as u32 % HALVES < SINGLE {
            masks[byte] = 1 << (byte as u32 % HALVES) | 1 << COUNT;
        }
        byte += 1;
    }
    let mut high = 1;
    while high < PAIRED {
        let mut low = 0;
        while low < high {
            masks[pair(low, high) as usize] = 1 << low | 1 << high | 2 << COUNT;
            low += 1;
        }
        high += 1;
    }
    masks
}

/// The code of two bits.
const fn pair(low: u32, high: u32) -> u32 {
    let number = high * high.wrapping_sub(1) / 2 + low;
    (SINGLE + number / HALVES) | ((number % HALVES) << 4)
}

/// Packs marks one after another.
#[derive(Debug, Default)]
struct MarkPacker {
    bits: BitWriter,
}

impl MarkPacker {
    #[inline]
    fn push(&mut self, mark: u32) {
        let (low, count) = (mark.trailing_zeros(), mark.count_ones());
        let high = u32::BITS - mark.leading_zeros();
        let most = if count == 1 { SINGLE } else { PAIRED };
        if count.wrapping_sub(1) >= 2 || high > most {
            return self.long(mark);
        }
        let two = pair(low, high.wrapping_sub(1));
        let code = if count == 1 { low } else { two };
        self.bits.put(code.into(), 4 * count);
    }

    #[cold]
    fn long(&mut self, mut mark: u32) {
        self.bits.put(FOLLOWS.into(), 4);
        loop {
            let low = mark & (MORE - 1);
            mark >>= BITS;
            if mark == 0 {
                return self.bits.put(low.into(), 4);
            }
            self.bits.put((low | MORE).into(), 4);
        }
    }

    /// Appends the packed marks with their length, and empties itself.
    fn finish(&mut self, into: &mut BitWriter) {
        if self.bits.is_empty() {
            return;
        }
        let bytes = self.bits.finish();
        into.append(bytes);
        into.append(&(bytes.len() as u64).to_le_bytes());
        self.clear();
    }

    fn clear(&mut self) {
        self.bits.clear();
    }
}

/// Unpacks the marks of a run, one for each of its keys.
pub(crate) struct MarkUnpacker<'a> {
    /// With their length at the end.
    bytes: &'a [u8],
    /// Half bytes read so far.
    at: usize,
}

impl<'a> MarkUnpacker<'a> {
    /// Unpacks the marks after the keys of a run; zeros for a run without marks.
    pub(crate) fn new(run: &'a [u8]) -> Self {
        let bytes = run
            .split_last_chunk::<LENGTH>()
            .and_then(|(marks, length)| {
                let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
                run.get(marks.len().checked_sub(length)?..)
            });
        Self {
            bytes: bytes.unwrap_or_default(),
            at: 0,
        }
    }

    /// Appends n marks.
    pub(crate) fn fill(&mut self, marks: &mut Vec<u32>, count: usize) {
        let first = marks.len();
        marks.resize(first + count, 0);
        for (place, mark) in marks[first..].iter_mut().zip(self) {
            *place = mark;
        }
    }

    /// The next two half bytes; zeros after the end, which a run with a valid checksum does not
    /// reach.
    #[inline]
    fn byte(&self) -> u32 {
        let bytes = self.bytes.get(self.at / 2..self.at / 2 + 2);
        let word = bytes.map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
        u32::from(word >> (4 * (self.at % 2)) & 0xff)
    }

    #[cold]
    fn long(&mut self) -> u32 {
        let (mut mark, mut shift) = (0_u32, 0);
        loop {
            self.at += 1;
            let half = self.byte() % HALVES;
            mark |= (half & (MORE - 1)).checked_shl(shift).unwrap_or(0);
            shift += BITS;
            if half & MORE == 0 {
                self.at += 1;
                return mark;
            }
        }
    }
}

impl Iterator for MarkUnpacker<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let byte = self.byte();
        if byte % HALVES == FOLLOWS {
            return Some(self.long());
        }
        let mask = MASKS[byte as usize];
        self.at += (mask >> COUNT) as usize;
        Some(mask & ((1 << COUNT) - 1))
    }
}

// States on their way into a level: a key alone, or a key with its marks.
//
// If a puzzle names groups of moves ([`puzzle_api::Form::Unused`]), a state is marked with the
// groups that have a move back to the level before. All states there that lead to it contribute
// marks (frontier search: Korf, Zhang, Thayer, Hohwald). No move of a marked group is tried, and
// no state is lost. If a move leads from p to c, all moves of the group that has the move back
// lead from c to p or to a neighbour of p, which is in the level of c at the latest. And every
// move from a level to the previous one is marked. Let c of level n lead to p of level n-1. Had p
// not tried the move to c, its group would be marked. Then c would be a state of level n-2 or its
// neighbour, and so lie in level n-1. So p did try it, and marked c. So the tried moves lead to
// the current level or the next, and are compared only with the current one.
//
// A puzzle's groups are an assertion. `conformance` compares them with all moves, and the samples
// of each level (`disk::sample`) detect a neighbour lost by them.

/// Groups of moves that are useless from a state, one bit each, in as many bytes as needed.
pub(crate) trait UsedOperators: Copy + Ord + Default + Debug + Send + Sync {
    /// Whether the mark is not empty.
    const THERE: bool;

    fn of(bits: u32) -> Self;

    fn bits(self) -> u32;

    /// All groups of both marks.
    fn join(self, other: Self) -> Self;
}

impl UsedOperators for () {
    const THERE: bool = false;

    #[inline]
    fn of(_: u32) {}

    #[inline]
    fn bits(self) -> u32 {
        0
    }

    #[inline]
    fn join(self, (): ()) {}
}

impl UsedOperators for u32 {
    const THERE: bool = true;

    #[inline]
    fn of(bits: u32) -> Self {
        bits
    }

    #[inline]
    fn bits(self) -> u32 {
        self
    }

    #[inline]
    fn join(self, other: Self) -> Self {
        self | other
    }
}

/// A state on its way into a level.
pub(crate) trait Candidate: Copy + Ord + Debug + Send + Sync {
    type Key: Key;

    /// The mark of the candidate.
    type Mark: UsedOperators;

    /// Whether it has a mark.
    const MARKED: bool = Self::Mark::THERE;

    fn new(key: Self::Key, mark: Self::Mark) -> Self;

    fn key(self) -> Self::Key;

    fn mark(self) -> Self::Mark;

    /// Adds the groups of another mark.
    #[inline]
    fn joined(self, mark: Self::Mark) -> Self {
        Self::new(self.key(), self.mark().join(mark))
    }
}

impl<K: Key> Candidate for K {
    type Key = K;
    type Mark = ();

    #[inline]
    fn new(key: K, (): ()) -> Self {
        key
    }

    #[inline]
    fn key(self) -> K {
        self
    }

    #[inline]
    fn mark(self) {}
}

/// A key with its mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Marked<K> {
    key: K,
    mark: u32,
}

impl<K: Key> Candidate for Marked<K> {
    type Key = K;
    type Mark = u32;

    #[inline]
    fn new(key: K, mark: u32) -> Self {
        Self { key, mark }
    }

    #[inline]
    fn key(self) -> K {
        self.key
    }

    #[inline]
    fn mark(self) -> u32 {
        self.mark
    }
}

/// Sorts candidates, each key once with all its marks.
pub(crate) fn settle<C: Candidate>(candidates: &mut Vec<C>) {
    candidates.sort_unstable();
    candidates.dedup_by(|later, first| {
        let same = later.key() == first.key();
        if same {
            *first = first.joined(later.mark());
        }
        same
    });
}

// Bits one after another, the lowest of a byte first.

/// Bytes that are written at a time.
const WORD: usize = 8;

/// Writes bits. The number of bits cannot be predicted, so no branch depends on it.
#[derive(Debug, Default)]
struct BitWriter {
    /// The bytes written, and space after them.
    bytes: Vec<u8>,
    /// Number of whole bytes written.
    whole: usize,
    /// The bits that are not a whole byte yet, and their number.
    rest: u64,
    filled: u32,
}

impl BitWriter {
    /// Most bits that are written at a time.
    const MOST: u32 = u64::BITS - u8::BITS;

    /// Appends the lowest `width` bits of a value that has no others, at most [`BitWriter::MOST`].
    #[inline]
    fn put(&mut self, value: u64, width: u32) {
        debug_assert!(width <= Self::MOST && value >> width == 0);
        self.rest |= value << self.filled;
        if self.bytes.len() < self.whole + WORD {
            self.grow(WORD);
        }
        self.bytes[self.whole..self.whole + WORD].copy_from_slice(&self.rest.to_le_bytes());
        self.filled += width;
        self.whole += (self.filled / u8::BITS) as usize;
        self.rest >>= self.filled & !(u8::BITS - 1);
        self.filled %= u8::BITS;
    }

    /// Appends the lowest `width` bits of a number that has no others.
    fn put_wide(&mut self, value: u128, width: u32) {
        for start in (0..width).step_by(u32::BITS as usize) {
            let piece = (value >> start) as u32;
            self.put(piece.into(), (width - start).min(u32::BITS));
        }
    }

    #[cold]
    fn grow(&mut self, bytes: usize) {
        self.bytes.resize(2 * (self.whole + bytes), 0);
    }

    /// Fills the last byte with zeros.
    fn align(&mut self) {
        let missing = (u8::BITS - self.filled) % u8::BITS;
        self.put(0, missing);
    }

    /// Appends whole bytes, after zeros that fill the last one.
    fn append(&mut self, bytes: &[u8]) {
        self.align();
        let end = self.whole + bytes.len();
        if self.bytes.len() < end {
            self.grow(bytes.len());
        }
        self.bytes[self.whole..end].copy_from_slice(bytes);
        self.whole = end;
    }

    /// Whether nothing was written.
    fn is_empty(&self) -> bool {
        self.whole == 0 && self.filled == 0
    }

    /// All bytes written, the last one filled with zeros.
    fn finish(&mut self) -> &[u8] {
        self.align();
        &self.bytes[..self.whole]
    }

    /// Prepares for more data, from the start.
    fn clear(&mut self) {
        (self.whole, self.rest, self.filled) = (0, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The packed marks, after other bytes.
    fn finished(packer: &mut MarkPacker, before: &[u8]) -> Vec<u8> {
        let mut run = BitWriter::default();
        run.append(before);
        packer.finish(&mut run);
        run.finish().to_vec()
    }

    proptest! {
        #[test]
        fn marks_go_round(
            before in prop::collection::vec(any::<u8>(), 0..40),
            bits in prop::collection::vec((0_u32..32, 0_u32..32), 0..300),
            any in prop::collection::vec(any::<u32>(), 0..100),
        ) {
            let few = bits.into_iter().map(|(one, other)| 1 << one | 1 << other);
            let marks: Vec<u32> = few.chain(any).chain([0, 1]).collect();
            let mut packer = MarkPacker::default();
            for _ in 0..2 {
                marks.iter().for_each(|&mark| packer.push(mark));
                let run = finished(&mut packer, &before);
                prop_assert_eq!(&run[..before.len()], &before[..]);
                let back: Vec<u32> = MarkUnpacker::new(&run).take(marks.len()).collect();
                prop_assert_eq!(&back, &marks);
            }
        }
    }

    #[test]
    fn what_most_have_takes_little_room() {
        for (mark, bytes) in [(1 << 3, 50), (1 << 9, 50), (0b101, 100), (1 << 12 | 1, 100)] {
            let mut packer = MarkPacker::default();
            (0..100).for_each(|_| packer.push(mark));
            assert_eq!(finished(&mut packer, &[]).len(), bytes + LENGTH);
        }
    }
}
