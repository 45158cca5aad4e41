//! Sorted numbers in compact form: blocks of a few thousand, with the gaps in Golomb-Rice code,
//! each block with its checksum. A gap of mean g costs about log2(g) + 1.5 bits. `disk::packed`
//! compares the cost of both codes on ranks and on keys.

use std::io::{self, Read, Write};

use puzzle_api::Key;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Most numbers in a block: one batch across the boundary.
pub(crate) const MOST: usize = crate::steps::BATCH;
/// Bytes before a block's payload.
const HEAD: usize = 56;
/// First bytes of every block.
const MAGIC: u32 = 0x314b_4c42;
/// A quotient of this many ones is an escape: the gap follows in full.
const ESCAPE: u32 = 24;

/// Rising numbers, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyBlock {
    count: u32,
    /// Number of low bits of a gap that are written without a code.
    shift: u32,
    first: u128,
    last: u128,
    payload: Vec<u8>,
}

impl KeyBlock {
    /// Packs ascending numbers, at least one and at most [`MOST`].
    pub(crate) fn pack<C: Key>(codes: &[C]) -> Self {
        debug_assert!(!codes.is_empty() && codes.len() <= MOST);
        debug_assert!(codes.windows(2).all(|pair| pair[0] < pair[1]));
        let numbers = || codes.iter().map(|code| code.to_u128());
        let gaps = || numbers().zip(numbers().skip(1)).map(|(a, b)| b - a - 1);
        let wide = 64 * C::WORDS as u32;
        let shift = best_shift(gaps(), wide);
        let mut bits = BitWriter::default();
        for gap in gaps() {
            let quotient = gap >> shift;
            if quotient < u128::from(ESCAPE) {
                let ones = quotient as u32;
                bits.put((1 << ones) - 1, ones + 1);
                bits.put_wide(gap & !(u128::MAX << shift), shift);
            } else {
                bits.put((1 << ESCAPE) - 1, ESCAPE);
                bits.put_wide(gap, wide);
            }
        }
        Self {
            count: codes.len() as u32,
            shift,
            first: codes[0].to_u128(),
            last: codes[codes.len() - 1].to_u128(),
            payload: in_fours(bits),
        }
    }

    /// Unpacks the numbers. Returns false if they differ from the head, which does not happen to a
    /// block with a valid checksum.
    pub(crate) fn unpack<C: Key>(&self, codes: &mut Vec<C>) -> bool {
        codes.clear();
        let wide = 64 * C::WORDS as u32;
        let mut bits = BitReader::new(&self.payload);
        let mut at = self.first;
        codes.push(C::from_u128(at));
        for _ in 1..self.count {
            let ones = bits.take_ones(ESCAPE);
            let gap = if ones == ESCAPE {
                bits.take_wide(wide)
            } else {
                (u128::from(ones) << self.shift) | bits.take_wide(self.shift)
            };
            at = at.wrapping_add(gap).wrapping_add(1);
            codes.push(C::from_u128(at));
        }
        at == self.last
    }

    /// Smallest and greatest number.
    pub(crate) fn range(&self) -> (u128, u128) {
        (self.first, self.last)
    }

    /// Bytes of the block on disk.
    pub(crate) fn bytes(&self) -> u64 {
        (HEAD + self.payload.len()) as u64
    }

    fn head(&self) -> [u8; HEAD - 8] {
        let mut head = [0; HEAD - 8];
        let words = [MAGIC, self.count, self.payload.len() as u32, self.shift];
        for (place, word) in head.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        head[16..32].copy_from_slice(&self.first.to_le_bytes());
        head[32..48].copy_from_slice(&self.last.to_le_bytes());
        head
    }

    /// Writes head, checksum and payload.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let head = self.head();
        let check = xxh3_64_with_seed(&self.payload, xxh3_64(&head));
        out.write_all(&head)?;
        out.write_all(&check.to_le_bytes())?;
        out.write_all(&self.payload)
    }
}

/// The head before a block's payload.
pub(crate) struct Head {
    block: KeyBlock,
    length: usize,
    check: u64,
    own_check: u64,
}

impl Head {
    /// Reads the next head; `None` at the end of the file.
    ///
    /// # Errors
    /// `InvalidData` if it is no head, `UnexpectedEof` for half of one.
    pub(crate) fn read(input: &mut dyn Read) -> io::Result<Option<Self>> {
        let mut bytes = [0; HEAD];
        let mut filled = 0;
        while filled < HEAD {
            match input.read(&mut bytes[filled..])? {
                0 if filled == 0 => return Ok(None),
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => filled += read,
            }
        }
        let word = |i: usize| u32::from_le_bytes(std::array::from_fn(|j| bytes[4 * i + j]));
        let wide = |i: usize| u128::from_le_bytes(std::array::from_fn(|j| bytes[i + j]));
        let head = Self {
            block: KeyBlock {
                count: word(1),
                shift: word(3),
                first: wide(16),
                last: wide(32),
                payload: Vec::new(),
            },
            length: word(2) as usize,
            check: u64::from_le_bytes(std::array::from_fn(|j| bytes[48 + j])),
            own_check: xxh3_64(&bytes[..48]),
        };
        let sane = word(0) == MAGIC
            && (1..=MOST).contains(&(head.block.count as usize))
            && head.block.shift < 128
            && head.length <= MOST * 32;
        match sane {
            true => Ok(Some(head)),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Smallest and greatest number of the block.
    pub(crate) fn range(&self) -> (u128, u128) {
        self.block.range()
    }

    /// Bytes of the payload that follows.
    pub(crate) fn payload_bytes(&self) -> u64 {
        self.length as u64
    }

    /// Reads the payload and verifies the checksum.
    ///
    /// # Errors
    /// `InvalidData` if it does not match, `UnexpectedEof` for a file cut short.
    pub(crate) fn finish(mut self, input: &mut dyn Read) -> io::Result<KeyBlock> {
        self.block.payload.resize(self.length, 0);
        input.read_exact(&mut self.block.payload)?;
        if xxh3_64_with_seed(&self.block.payload, self.own_check) != self.check {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(self.block)
    }
}

/// The shift that packs gaps best, given their lengths in bits.
fn best_shift(gaps: impl Iterator<Item = u128>, wide: u32) -> u32 {
    let mut lengths = [0_u32; 129];
    for gap in gaps {
        lengths[(128 - gap.leading_zeros()) as usize] += 1;
    }
    let cost = |shift: u32| -> f64 {
        let each = lengths.iter().zip(0_u32..).filter(|(count, _)| **count > 0);
        each.map(|(&count, length)| {
            // A gap of this length is about three quarters of the greatest one.
            let quotient = 0.75 * f64::from(length as i32 - shift as i32).exp2();
            let bits = match length <= shift {
                true => f64::from(shift + 1),
                false if quotient < f64::from(ESCAPE) => f64::from(shift + 1) + quotient,
                false => f64::from(ESCAPE + wide),
            };
            bits * f64::from(count)
        })
        .sum()
    };
    let shifts = (0..wide).map(|shift| (cost(shift), shift));
    let best = shifts.min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(0, |(_, shift)| shift)
}

/// The bytes written, padded to whole pieces of four bytes.
fn in_fours(mut bits: BitWriter) -> Vec<u8> {
    let mut bytes = bits.finish().to_vec();
    bytes.resize(bytes.len().next_multiple_of(size_of::<u32>()), 0);
    bytes
}

/// Reads the result of [`in_fours`] in pieces of four bytes; zeros after the end.
struct BitReader<'a> {
    bytes: &'a [u8],
    word: u64,
    filled: u32,
}

impl<'a> BitReader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            word: 0,
            filled: 0,
        }
    }

    /// Ensures that 32 bits are available.
    fn fill(&mut self) {
        if self.filled < 32 {
            if let Some((four, rest)) = self.bytes.split_first_chunk() {
                self.word |= u64::from(u32::from_le_bytes(*four)) << self.filled;
                self.bytes = rest;
            }
            self.filled += 32;
        }
    }

    fn take(&mut self, bits: u32) -> u64 {
        self.fill();
        let value = self.word & !(u64::MAX << bits);
        self.word >>= bits;
        self.filled -= bits;
        value
    }

    /// Counts ones up to a zero, which is consumed too, or `most` ones.
    fn take_ones(&mut self, most: u32) -> u32 {
        self.fill();
        let ones = self.word.trailing_ones().min(most);
        self.take(if ones == most { most } else { ones + 1 });
        ones
    }

    fn take_wide(&mut self, bits: u32) -> u128 {
        let mut value = 0;
        let mut at = 0;
        while at < bits {
            let piece = (bits - at).min(32);
            value |= u128::from(self.take(piece)) << at;
            at += piece;
        }
        value
    }
}

// Bits one after another, the lowest of a byte first.

/// Bytes that are written at a time.
const WORD: usize = 8;

/// Writes bits. The number of bits cannot be predicted, so no branch depends on it.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
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
    pub(crate) const MOST: u32 = u64::BITS - u8::BITS;

    /// Appends the lowest `width` bits of a value that has no others, at most [`BitWriter::MOST`].
    #[inline]
    pub(crate) fn put(&mut self, value: u64, width: u32) {
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
    pub(crate) fn put_wide(&mut self, value: u128, width: u32) {
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
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        self.align();
        let end = self.whole + bytes.len();
        if self.bytes.len() < end {
            self.grow(bytes.len());
        }
        self.bytes[self.whole..end].copy_from_slice(bytes);
        self.whole = end;
    }

    /// Whether nothing was written.
    pub(crate) fn is_empty(&self) -> bool {
        self.whole == 0 && self.filled == 0
    }

    /// All bytes written, the last one filled with zeros.
    pub(crate) fn finish(&mut self) -> &[u8] {
        self.align();
        &self.bytes[..self.whole]
    }

    /// Prepares for more data, from the start.
    pub(crate) fn clear(&mut self) {
        (self.whole, self.rest, self.filled) = (0, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    fn goes_round<C: Key>(codes: &[C]) -> Result<(), TestCaseError> {
        let block = KeyBlock::pack(codes);
        let mut file = Vec::new();
        block.write(&mut file).expect("memory");
        prop_assert_eq!(file.len() as u64, block.bytes());
        let input = &mut file.as_slice();
        let head = Head::read(input).expect("sound").expect("a block");
        let range = (codes[0].to_u128(), codes[codes.len() - 1].to_u128());
        prop_assert_eq!(head.range(), range);
        let read = head.finish(input).expect("sound");
        prop_assert_eq!(&read, &block);
        let mut back: Vec<C> = Vec::new();
        prop_assert!(read.unpack(&mut back));
        prop_assert_eq!(back.as_slice(), codes);
        Ok(())
    }

    proptest! {
        #[test]
        fn ranks_go_round(codes in prop::collection::btree_set(0_u64..1 << 20, 1..2000)) {
            goes_round(&codes.into_iter().collect::<Vec<_>>())?;
        }

        #[test]
        fn keys_of_any_size_go_round(
            near in prop::collection::btree_set(any::<u16>(), 0..50),
            far in prop::collection::btree_set(any::<u128>(), 1..50),
        ) {
            let all: BTreeSet<u128> = near.into_iter().map(u128::from).chain(far).collect();
            let all: Vec<u128> = all.into_iter().collect();
            goes_round(&all)?;
            let short: BTreeSet<u64> = all.iter().map(|&code| (code >> 64) as u64).collect();
            goes_round(&short.into_iter().collect::<Vec<_>>())?;
        }

        #[test]
        fn any_flipped_bit_and_any_cut_is_found(
            codes in prop::collection::btree_set(any::<u64>(), 1..100),
            at in any::<prop::sample::Index>(),
            bit in 0_u8..8,
        ) {
            let codes: Vec<u64> = codes.into_iter().collect();
            let mut file = Vec::new();
            KeyBlock::pack(&codes).write(&mut file).expect("memory");
            let mut flipped = file.clone();
            flipped[at.index(file.len())] ^= 1 << bit;
            let cut = &file[..1 + at.index(file.len() - 1)];
            for mut input in [&flipped[..], cut] {
                let head = Head::read(&mut input);
                let read = head.and_then(|head| head.expect("not empty").finish(&mut input));
                prop_assert!(read.is_err());
            }
        }
    }

    #[test]
    fn evenly_spread_numbers_cost_little_more_than_their_entropy() {
        let mut random = puzzle_api::Xorshift::for_draw(1, 0);
        let codes: BTreeSet<u64> = (0..4096).map(|_| random.below(4096 * 300)).collect();
        let codes: Vec<u64> = codes.into_iter().collect();
        let bits = 8.0 * KeyBlock::pack(&codes).bytes() as f64 / codes.len() as f64;
        // log2(300) + log2(e) = 9.67 bits, and 0.11 for the head.
        assert!(bits < 10.0, "{bits}");
    }

    /// The bits of bytes, the lowest of each first.
    fn spelled(bytes: &[u8]) -> impl Iterator<Item = bool> {
        let bits = |byte: &u8| {
            let byte = *byte;
            (0..u8::BITS).map(move |at| byte >> at & 1 == 1)
        };
        bytes.iter().flat_map(bits)
    }

    proptest! {
        #[test]
        fn bits_lie_one_behind_the_other(
            parts in prop::collection::vec((any::<u128>(), 0..=u128::BITS), 0..60),
            behind in prop::collection::vec(any::<u8>(), 0..20),
        ) {
            let mut writer = BitWriter::default();
            for _ in 0..2 {
                let mut bits = Vec::new();
                for &(value, width) in &parts {
                    let value = value & !u128::MAX.checked_shl(width).unwrap_or(0);
                    match width <= BitWriter::MOST {
                        true => writer.put(value as u64, width),
                        false => writer.put_wide(value, width),
                    }
                    bits.extend((0..width).map(|at| value >> at & 1 == 1));
                }
                prop_assert_eq!(writer.is_empty(), bits.is_empty());
                writer.append(&behind);
                bits.resize(bits.len().next_multiple_of(8), false);
                bits.extend(spelled(&behind));
                let written: Vec<bool> = spelled(writer.finish()).collect();
                prop_assert_eq!(written, bits);
                writer.clear();
            }
        }
    }
}
