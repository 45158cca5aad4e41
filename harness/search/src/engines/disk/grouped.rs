//! Expanding a partition bucket by bucket.
//!
//! A puzzle's keys may keep the states of a bucket together. Those of sliding blocks do: their high
//! digits are the bucket. Neighbours that stay in their bucket are then compared with the known
//! states of that bucket alone, which appear in the same order. A table of a few thousand words, in
//! the nearest cache, replaces a set for the partition. New states are in order as soon as they are
//! sorted bucket by bucket. The order is not trusted: a bucket that comes again among smaller keys
//! is detected, and the partition is done with the set ([`super::step`]). Sorting the neighbours
//! and comparing them with the known states one by one took half as long again as this table.

use std::iter::Peekable;
use std::sync::atomic::Ordering::Relaxed;

use antipode_graph::prefetch;
use puzzle_api::Key;

use super::folder::DiskLevel;
use super::segment::{Candidates, candidates, keys};
use super::step::{Expander, Halt};
use crate::digest::key_from_number;
use crate::packed::{Candidate, Packer, Unpacker, UsedOperators};

/// States of a batch: with their neighbours and the data on these, they fit the second-level cache
/// of most processors.
const TOGETHER: usize = 512;

/// A key as its offset from [`Group::base`], with its mark if it has one.
#[derive(Debug, Clone, Copy, Default)]
struct GroupEntry<M> {
    /// From 1.
    offset: u64,
    mark: M,
}

/// Neighbours of one bucket's states that are in the bucket themselves.
pub(super) struct BucketGroup<C: Candidate> {
    bucket: u64,
    entries: Vec<GroupEntry<C::Mark>>,
    /// One less than the least key that has an offset.
    base: u128,
    /// The least and the greatest offset.
    least: u64,
    most: u64,
    /// Whether a key is too far from the others for an offset.
    is_wide: bool,
    /// Known states and new ones with all marks that they were met with; offset 0 if the slot is
    /// empty. A power of two.
    table: Vec<GroupEntry<C::Mark>>,
    /// Known states between the smallest and the greatest of the keys.
    between: Vec<GroupEntry<C::Mark>>,
    /// The slots of new states, with their offsets in the higher bits if both fit.
    fresh: Vec<u64>,
    /// The greatest key of the earlier groups.
    last: Option<C::Key>,
    stayed: u64,
}

impl<C: Candidate> BucketGroup<C> {
    pub(super) fn new() -> Self {
        Self {
            bucket: 0,
            entries: Vec::new(),
            base: 0,
            least: 0,
            most: 0,
            is_wide: false,
            table: Vec::new(),
            between: Vec::new(),
            fresh: Vec::new(),
            last: None,
            stayed: 0,
        }
    }

    fn start(&mut self) {
        self.entries.clear();
        (self.last, self.stayed) = (None, 0);
    }

    /// Adds a key.
    #[inline]
    fn push(&mut self, candidate: C) {
        let key = candidate.key().to_u128();
        if self.entries.is_empty() {
            // As much space before it as after it.
            self.base = key.saturating_sub(1 << 63).wrapping_sub(1);
            (self.least, self.most) = (u64::MAX, 0);
            self.is_wide = false;
        }
        let offset = key.wrapping_sub(self.base);
        self.is_wide |= offset == 0 || offset > u64::MAX.into();
        let offset = offset as u64;
        (self.least, self.most) = (self.least.min(offset), self.most.max(offset));
        let mark = candidate.mark();
        self.entries.push(GroupEntry { offset, mark });
    }

    /// Packs the new states, and empties the group. Returns whether it lies after all earlier
    /// groups, and is compact enough.
    fn close(&mut self, known: &mut [Peekable<Unpacker<'_, C::Key>>], packer: &mut Packer) -> bool {
        if self.entries.is_empty() {
            return true;
        }
        if self.is_wide {
            return false;
        }
        let (base, least, most) = (self.base, self.least, self.most);
        let key = |offset: u64| key_from_number::<C::Key>(base.wrapping_add(offset.into()));
        let (smallest, greatest) = (key(least), key(most));
        if self.last.is_some_and(|last| smallest <= last) {
            return false;
        }
        self.between.clear();
        for known in known {
            while known.next_if(|&known| known < smallest).is_some() {}
            let between = std::iter::from_fn(|| known.next_if(|&known| known <= greatest));
            self.between.extend(between.map(|known| GroupEntry {
                offset: known.to_u128().wrapping_sub(base) as u64,
                mark: C::Mark::default(),
            }));
        }
        let slots = (2 * self.between.len() + self.entries.len()).next_power_of_two();
        let slots = slots.max(2);
        self.table.clear();
        self.table.resize(slots, GroupEntry::default());
        insert(&mut self.table, &self.between, |_, _, _| ());
        // An offset and its slot in one word are sorted in half the time.
        let bits = slots.trailing_zeros();
        let fits = (most - least).leading_zeros() >= bits;
        // Whether a state is new cannot be predicted, so all are listed, each in the place of the
        // last one that was not new.
        self.fresh.resize(self.entries.len(), 0);
        let (fresh, mut count) = (&mut self.fresh, 0);
        insert(&mut self.table, &self.entries, |slot, offset, is_new| {
            let above = if fits { (offset - least) << bits } else { 0 };
            fresh[count] = above | slot as u64;
            count += usize::from(is_new);
        });
        self.fresh.truncate(count);
        let table = &self.table;
        match fits {
            true => self.fresh.sort_unstable(),
            false => {
                let offset = |&slot: &u64| table[slot as usize].offset;
                self.fresh.sort_unstable_by_key(offset);
            }
        }
        for &fresh in &self.fresh {
            let there = table[fresh as usize & (slots - 1)];
            let offset = if fits {
                least + (fresh >> bits)
            } else {
                there.offset
            };
            packer.put_in(C::new(key(offset), there.mark));
        }
        self.stayed += self.entries.len() as u64;
        self.last = Some(greatest);
        self.entries.clear();
        true
    }
}

/// Number of entries by which a slot is fetched ahead. A table of a large bucket is not in the
/// nearest cache, and whether an entry is new cannot be predicted.
const AHEAD: usize = 12;

/// Inserts entries into a table that has space for them, by linear probing, and joins their marks
/// to those of the same offset. Calls back with the slot and offset of each, and whether it is new.
#[inline]
fn insert<M: UsedOperators>(
    table: &mut [GroupEntry<M>],
    entries: &[GroupEntry<M>],
    mut put: impl FnMut(usize, u64, bool),
) {
    let mask = table.len() - 1;
    let shift = u64::BITS - table.len().trailing_zeros();
    let home = |offset: u64| (offset.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize;
    for (at, &entry) in entries.iter().enumerate() {
        if let Some(later) = entries.get(at + AHEAD) {
            prefetch(&table[home(later.offset) & mask]);
        }
        let mut slot = home(entry.offset) & mask;
        while table[slot].offset != entry.offset && table[slot].offset != 0 {
            slot = (slot + 1) & mask;
        }
        let there = &mut table[slot];
        let is_new = there.offset == 0;
        *there = GroupEntry {
            offset: entry.offset,
            mark: there.mark.join(entry.mark),
        };
        put(slot, entry.offset, is_new);
    }
}

impl<K: Key, C: Candidate<Key = K>> Expander<'_, '_, K, C> {
    /// Expands a partition bucket by bucket. Returns whether its buckets are in order. If they are
    /// not, candidates already sent may be sent again.
    pub(super) fn by_groups(&mut self, partition: usize) -> Result<bool, Halt> {
        let step = self.step;
        let mut read = std::mem::take(&mut self.known);
        // A level that may repeat itself counts as known, too: it is read once.
        let is_itself = |level: &&DiskLevel| level.depth == step.level.depth;
        let before = step.known.iter().copied().filter(|level| !is_itself(level));
        read.resize_with(step.known.len() + 1, Vec::new);
        let mut runs = Vec::new();
        for (level, bytes) in [step.level].into_iter().chain(before).zip(&mut read) {
            runs.push(level.read(partition, bytes)?);
        }
        let known = runs
            .iter()
            .zip(&read)
            .map(|(run, bytes)| keys::<K>(run, bytes));
        let others = usize::from(!step.known.iter().any(is_itself));
        let mut known: Vec<_> = known.skip(others).map(Iterator::peekable).collect();
        let states = candidates::<C>(&runs[0], &read[0]);
        let in_order = self.expand_groups(states, &mut known)?;
        self.known = read;
        match in_order {
            true => self.keep_packed(partition)?,
            false => self.packer.clear(),
        }
        Ok(in_order)
    }

    fn expand_groups(
        &mut self,
        mut states: Candidates<'_, C>,
        known: &mut [Peekable<Unpacker<'_, K>>],
    ) -> Result<bool, Halt> {
        let step = self.step;
        self.group.start();
        let mut generated = 0;
        while self.next_batch(&mut states, TOGETHER)? {
            self.find_neighbours()?;
            let own = step.search.graph.bucket(&self.batch)?;
            let buckets = step.search.graph.bucket(self.out.keys())?;
            generated += buckets.len() as u64;
            let mut start = 0;
            for (state, bucket) in own.into_iter().enumerate() {
                if bucket != self.group.bucket {
                    if !self.group.close(known, &mut self.packer) {
                        return Ok(false);
                    }
                    self.group.bucket = bucket;
                }
                let keys = self.out.of(state);
                let end = start + keys.len();
                let leads = &buckets[start..end];
                let marks = match C::MARKED {
                    true => &self.out.marks()[start..end],
                    false => &[],
                };
                for (at, (&key, &leads)) in keys.iter().zip(leads).enumerate() {
                    let candidate = C::new(key, C::Mark::of(marks.get(at).copied().unwrap_or(0)));
                    if leads == bucket {
                        self.group.push(candidate);
                    } else {
                        let owner = step.partitions.of_bucket(leads);
                        self.exchange.send(&mut self.outgoing, owner, candidate)?;
                    }
                }
                start = end;
            }
            step.counters.batch(self.batch.len(), 0);
            step.progress.expanded(self.batch.len() as u64);
        }
        if !self.group.close(known, &mut self.packer) {
            return Ok(false);
        }
        step.tally.generated.fetch_add(generated, Relaxed);
        self.tally_stayed(self.group.stayed);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::pad;

    #[test]
    fn buckets_that_come_up_again_or_lie_far_apart_are_told() {
        let (mut group, mut packer) = (BucketGroup::new(), Packer::default());
        let mut of_known = Packer::default();
        [3_u128, 9].into_iter().for_each(|key| of_known.push(key));
        let mut known = of_known.finish().to_vec();
        pad(&mut known);
        for (keys, in_order) in [
            (vec![5, 7, 9], true),
            (vec![9, 12], false),
            (vec![13, 13 + u128::from(u64::MAX)], false),
            (vec![14], true),
            (
                vec![1 << 70, (1 << 70) - (1 << 62), (1 << 70) + (1 << 62)],
                true,
            ),
            (vec![1 << 71, (1 << 71) - (1 << 63)], true),
            (vec![1 << 72, (1 << 72) - (1 << 63) - 1], false),
            (vec![u128::MAX, u128::MAX - (1 << 63), u128::MAX - 1], true),
        ] {
            group.entries.clear();
            keys.into_iter().for_each(|key| group.push(key));
            let reader = Unpacker::new(&known, 2).peekable();
            assert_eq!(group.close(&mut [reader], &mut packer), in_order);
        }
    }
}
