//! A batch of states sorted by their partitions.

use puzzle_api::Key;

use crate::keyset::mix;
use antipode_graph::prefetch;

/// Bytes of a cache line.
const LINE: usize = 64;
/// Lines of a piece that are prefetched.
const FETCHED_LINES: usize = 6;

/// A batch sorted by partition: the states of partition p end at `ends[p]`. The buffer is reused
/// from batch to batch: fresh pages would cost as much as the work.
pub(crate) struct Parted<I> {
    pub(super) ids: Vec<I>,
    ends: Vec<u32>,
}

impl<I> Default for Parted<I> {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<I: Key> Parted<I> {
    pub(super) fn of(ids: &[I], count: usize) -> Self {
        let mut parted = Self::default();
        parted.refill(ids, count);
        parted
    }

    /// Holds another batch.
    pub(super) fn refill(&mut self, ids: &[I], count: usize) {
        self.ends.clear();
        let Some(&any) = ids.first().filter(|_| count > 1) else {
            self.ids.clear();
            self.ids.extend_from_slice(ids);
            self.ends.resize(count.max(1), ids.len() as u32);
            return;
        };
        // All of it is overwritten.
        self.ids.resize(ids.len(), any);
        // Counted one entry higher and summed, they are starts; counted up again, ends.
        self.ends.resize(count + 1, 0);
        for &id in ids {
            self.ends[partition_of(id, count) + 1] += 1;
        }
        for at in 1..count {
            self.ends[at] += self.ends[at - 1];
        }
        for &id in ids {
            let at = &mut self.ends[partition_of(id, count)];
            self.ids[*at as usize] = id;
            *at += 1;
        }
        self.ends.truncate(count);
    }

    /// Number of states.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Memory that it takes, with spare capacity.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of::<I>() * self.ids.capacity() + size_of::<u32>() * self.ends.capacity()) as u64
    }

    pub(super) fn of_partition(&self, partition: usize) -> &[I] {
        let start = match partition {
            0 => 0,
            _ => self.ends[partition - 1],
        };
        &self.ids[start as usize..self.ends[partition] as usize]
    }

    /// Prefetches the first states of a partition: in a short piece they are most of it, before the
    /// processor prefetches by itself.
    pub(super) fn prefetch(&self, partition: usize) {
        let lines = self.of_partition(partition).chunks(LINE / size_of::<I>());
        lines
            .take(FETCHED_LINES)
            .for_each(|line| prefetch(&line[0]));
    }

    /// The partitions that occur, with their states.
    pub(super) fn partitions(&self) -> impl Iterator<Item = (usize, &[I])> {
        let all = (0..self.ends.len()).map(|at| (at, self.of_partition(at)));
        all.filter(|(_, mine)| !mine.is_empty())
    }
}

/// The partition of a state, one of n, by the high bits of its hash.
#[inline]
pub(super) fn partition_of<I: Key>(id: I, count: usize) -> usize {
    match count {
        0 | 1 => 0,
        _ => ((u128::from(mix(id.to_u128())) * count as u128) >> 64) as usize,
    }
}
