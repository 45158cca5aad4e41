//! Placements that wait for delivery.

use super::shapes::Word;

const KEYS: usize = 4096;

/// Takes keys and their distances; returns whether to continue.
pub(super) type Emit<'a> = &'a mut (dyn FnMut(&[u64], &[u16]) -> bool + 'a);

#[derive(Debug, Default)]
pub(super) struct Batch {
    keys: Vec<u64>,
    depths: Vec<u16>,
}

impl Batch {
    /// Drops the leftovers of a stopped search.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.depths.clear();
    }

    /// Adds the placements of a word of a shape with these keys, whose distance [`Batch::mark`]
    /// will set. Delivers the batch if it is full.
    #[inline]
    pub(super) fn push(
        &mut self,
        key: u64,
        (word, own): (&Word, &[u64]),
        mut bits: u64,
        depth: u16,
        emit: Emit<'_>,
    ) -> bool {
        if bits == word.full {
            self.keys.extend(own.iter().map(|own| key + own));
        } else {
            // Capacity first, so that it is not checked for each key.
            let first = self.keys.len();
            self.keys.resize(first + bits.count_ones() as usize, 0);
            for slot in &mut self.keys[first..] {
                *slot = key + own[bits.trailing_zeros() as usize];
                bits &= bits - 1;
            }
        }
        self.keys.len() < KEYS || {
            self.mark(depth);
            self.flush(emit)
        }
    }

    /// Sets the distance of all placements added since the last call.
    pub(super) fn mark(&mut self, depth: u16) {
        self.depths.resize(self.keys.len(), depth);
    }

    /// Delivers the batch, all of it marked.
    pub(super) fn flush(&mut self, emit: Emit<'_>) -> bool {
        let go_on = self.keys.is_empty() || emit(&self.keys, &self.depths);
        self.clear();
        go_on
    }
}
