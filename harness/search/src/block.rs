//! Sorted numbers in blocks of a few thousand, packed ([`crate::packed`]), each block with its
//! checksum.

use std::io::{self, Read, Write};

use puzzle_api::Key;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::packed::{Packer, Unpacker, pad};

/// Most numbers in a block: one batch across the boundary.
pub(crate) const MOST: usize = crate::steps::BATCH;
/// Bytes before a block's payload.
const HEAD: usize = 52;
/// First bytes of every block.
const MAGIC: u32 = 0x324b_4c42;

/// Rising numbers, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyBlock {
    count: u32,
    first: u128,
    last: u128,
    payload: Vec<u8>,
}

impl KeyBlock {
    /// Packs ascending numbers, at least one and at most [`MOST`].
    pub(crate) fn pack<C: Key>(codes: &[C]) -> Self {
        debug_assert!(!codes.is_empty() && codes.len() <= MOST);
        let mut packer = Packer::default();
        codes.iter().for_each(|&code| packer.push(code));
        let mut payload = packer.finish().to_vec();
        pad(&mut payload);
        Self {
            count: codes.len() as u32,
            first: codes[0].to_u128(),
            last: codes[codes.len() - 1].to_u128(),
            payload,
        }
    }

    /// Unpacks the numbers. Returns false if they differ from the head, which does not happen to a
    /// block with a valid checksum.
    pub(crate) fn unpack<C: Key>(&self, codes: &mut Vec<C>) -> bool {
        codes.clear();
        codes.extend(Unpacker::<C>::new(&self.payload, self.count.into()));
        codes.last().map(|code| code.to_u128()) == Some(self.last)
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
        let words = [MAGIC, self.count, self.payload.len() as u32];
        for (place, word) in head.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        head[12..28].copy_from_slice(&self.first.to_le_bytes());
        head[28..44].copy_from_slice(&self.last.to_le_bytes());
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
    pub(crate) block: KeyBlock,
    /// Bytes of the payload.
    pub(crate) length: usize,
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
                first: wide(12),
                last: wide(28),
                payload: Vec::new(),
            },
            length: word(2) as usize,
            check: u64::from_le_bytes(std::array::from_fn(|j| bytes[HEAD - 8 + j])),
            own_check: xxh3_64(&bytes[..HEAD - 8]),
        };
        let sane = word(0) == MAGIC
            && (1..=MOST).contains(&(head.block.count as usize))
            && head.length <= MOST * 32;
        match sane {
            true => Ok(Some(head)),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use proptest::prelude::*;

    fn goes_round<C: Key>(codes: &[C]) -> Result<(), TestCaseError> {
        let mut file = Vec::new();
        KeyBlock::pack(codes).write(&mut file).expect("memory");
        let input = &mut file.as_slice();
        let head = Head::read(input).expect("sound").expect("a block");
        let range = (codes[0].to_u128(), codes[codes.len() - 1].to_u128());
        prop_assert_eq!(head.block.range(), range);
        let mut back: Vec<C> = Vec::new();
        prop_assert!(head.finish(input).expect("sound").unpack(&mut back));
        prop_assert_eq!(back.as_slice(), codes);
        Ok(())
    }

    proptest! {
        #[test]
        fn keys_of_any_size_go_round(
            near in prop::collection::btree_set(any::<u16>(), 0..50),
            far in prop::collection::btree_set(any::<u128>(), 1..50),
            shifts in prop::collection::vec(0_u32..128, 0..50),
        ) {
            let mut all: BTreeSet<u128> = near.into_iter().map(u128::from).chain(far).collect();
            // Gaps of every length.
            let mut at = 0_u128;
            for shift in shifts {
                at = at.saturating_add(1 << shift);
                all.insert(at);
            }
            let short: BTreeSet<u64> = all.iter().map(|&code| (code >> 64) as u64).collect();
            goes_round(&all.into_iter().collect::<Vec<_>>())?;
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
    fn the_greatest_gaps_go_round() {
        goes_round(&[0, u128::MAX]).expect("goes round");
        goes_round(&[0, u128::MAX - 1, u128::MAX]).expect("goes round");
        goes_round(&[0, u64::MAX]).expect("goes round");
    }
}
