//! Marks of the keys of a run, in little room: half a byte for one of the smallest masks, which
//! most are, and else half a byte that says so and three bits of the mask in each that follows.

/// Says that a mask follows.
const FOLLOWS: u32 = 15;
/// Bits of a mask in half a byte, and the bit that says that more of them follow.
const BITS: u32 = 3;
const MORE: u32 = 1 << BITS;
/// Bytes that say how long marks are, behind them.
const LENGTH: usize = 8;

/// Packs marks one after the other.
#[derive(Debug, Default)]
pub(super) struct MarkPacker {
    bytes: Vec<u8>,
    /// Half bytes that are not written yet, and how many there are.
    word: u64,
    filled: u32,
}

impl MarkPacker {
    #[inline]
    pub(super) fn push(&mut self, mark: u32) {
        if mark < FOLLOWS {
            self.half(mark);
        } else {
            self.long(mark);
        }
    }

    #[cold]
    fn long(&mut self, mut mark: u32) {
        self.half(FOLLOWS);
        loop {
            let low = mark & (MORE - 1);
            mark >>= BITS;
            if mark == 0 {
                return self.half(low);
            }
            self.half(low | MORE);
        }
    }

    #[inline]
    fn half(&mut self, half: u32) {
        self.word |= u64::from(half) << (4 * self.filled);
        self.filled += 1;
        if self.filled == 16 {
            self.bytes.extend_from_slice(&self.word.to_le_bytes());
            (self.word, self.filled) = (0, 0);
        }
    }

    /// Appends what was packed, with its length, and is empty again.
    pub(super) fn finish(&mut self, into: &mut Vec<u8>) {
        if self.bytes.is_empty() && self.filled == 0 {
            return;
        }
        let used = self.filled.div_ceil(2) as usize;
        let bytes = self.word.to_le_bytes();
        self.bytes.extend_from_slice(&bytes[..used]);
        into.extend_from_slice(&self.bytes);
        into.extend_from_slice(&(self.bytes.len() as u64).to_le_bytes());
        self.clear();
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        (self.word, self.filled) = (0, 0);
    }
}

/// Unpacks the marks of a run, one for each of its keys.
#[derive(Debug)]
pub(super) struct MarkUnpacker<'a> {
    bytes: &'a [u8],
    /// Half bytes read so far.
    at: usize,
}

impl<'a> MarkUnpacker<'a> {
    /// Unpacks the marks behind the keys of a run of so many bytes; of one without marks, zeros.
    pub(super) fn new(run: &'a [u8]) -> Self {
        let bytes = run.split_last_chunk::<LENGTH>().and_then(|(run, length)| {
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            run.get(run.len().checked_sub(length)?..)
        });
        Self {
            bytes: bytes.unwrap_or_default(),
            at: 0,
        }
    }

    /// Zero behind the end, which a run whose checksum held does not reach.
    #[inline]
    fn half(&mut self) -> u32 {
        let byte = self.bytes.get(self.at / 2).copied().unwrap_or(0);
        let half = u32::from(byte) >> (4 * (self.at % 2)) & 15;
        self.at += 1;
        half
    }

    #[cold]
    fn long(&mut self) -> u32 {
        let (mut mark, mut shift) = (0_u32, 0);
        loop {
            let half = self.half();
            mark |= (half & (MORE - 1)).checked_shl(shift).unwrap_or(0);
            shift += BITS;
            if half & MORE == 0 {
                return mark;
            }
        }
    }
}

impl Iterator for MarkUnpacker<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match self.half() {
            FOLLOWS => Some(self.long()),
            mark => Some(mark),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn marks_go_round(
            before in prop::collection::vec(any::<u8>(), 0..40),
            small in prop::collection::vec(0_u32..40, 0..100),
            large in prop::collection::vec(any::<u32>(), 0..100),
        ) {
            let marks: Vec<u32> = small.into_iter().chain(large).collect();
            let mut packer = MarkPacker::default();
            for _ in 0..2 {
                marks.iter().for_each(|&mark| packer.push(mark));
                let mut run = before.clone();
                packer.finish(&mut run);
                prop_assert_eq!(&run[..before.len()], &before[..]);
                let back: Vec<u32> = MarkUnpacker::new(&run).take(marks.len()).collect();
                prop_assert_eq!(&back, &marks);
            }
        }
    }
}
