//! Bits one after another, the lowest of a byte first.

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
    use proptest::prelude::*;

    use super::*;

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
