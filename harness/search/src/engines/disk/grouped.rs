//! Expanding a partition bucket by bucket.
//!
//! A puzzle's keys may keep the states of a bucket together, as those of sliding blocks do,
//! whose high digits are the bucket. Neighbours that stay in their bucket then lie among the
//! known states of that bucket, which come up in the same order: sorted, they are held
//! against these one by one, and what is new is in order at once. No set is filled for the
//! partition. Nothing is believed of the order: a bucket that comes up again among smaller
//! keys is found out, and the partition is done by the set ([`super::step`]).

use std::iter::Peekable;
use std::sync::atomic::Ordering::Relaxed;

use puzzle_api::Key;

use super::exchange::Exchange;
use super::packed::{Packer, Unpacker, key_of};
use super::segment::keys;
use super::step::{Expander, Halt};
use crate::engines::BATCH;

/// Neighbours of one bucket's states that are in the bucket themselves.
#[derive(Debug)]
pub(super) struct Group<K> {
    bucket: u64,
    keys: Vec<K>,
    /// How far each lies behind the smallest: narrower to sort.
    offsets: Vec<u64>,
    /// The greatest of the groups before.
    last: Option<K>,
    stayed: u64,
}

impl<K: Key> Group<K> {
    pub(super) fn new() -> Self {
        Self {
            bucket: 0,
            keys: Vec::new(),
            offsets: Vec::new(),
            last: None,
            stayed: 0,
        }
    }

    fn start(&mut self) {
        self.keys.clear();
        (self.last, self.stayed) = (None, 0);
    }

    /// Packs those that are not known, and empties the group; gives whether it lies behind
    /// all groups before.
    fn close(&mut self, known: &mut [Peekable<Unpacker<'_, K>>], packer: &mut Packer) -> bool {
        let smallest = self.keys.iter().map(|key| key.to_u128()).min();
        let greatest = self.keys.iter().map(|key| key.to_u128()).max();
        let (Some(smallest), Some(greatest)) = (smallest, greatest) else {
            return true;
        };
        if self.last.is_some_and(|last| smallest <= last.to_u128()) {
            return false;
        }
        self.stayed += self.keys.len() as u64;
        if u64::try_from(greatest - smallest).is_ok() {
            let offsets = self.keys.iter().map(|key| (key.to_u128() - smallest) as u64);
            self.offsets.clear();
            self.offsets.extend(offsets);
            self.offsets.sort_unstable();
            self.offsets.dedup();
            for &offset in &self.offsets {
                push_new(key_of(smallest + u128::from(offset)), known, packer);
            }
        } else {
            self.keys.sort_unstable();
            self.keys.dedup();
            for &key in &self.keys {
                push_new(key, known, packer);
            }
        }
        self.last = Some(key_of(greatest));
        self.keys.clear();
        true
    }
}

/// Packs a key unless it is among the known ones, of which the smaller ones are left behind.
#[inline]
fn push_new<K: Key>(key: K, known: &mut [Peekable<Unpacker<'_, K>>], packer: &mut Packer) {
    let mut is_known = false;
    for known in known {
        while known.next_if(|&known| known < key).is_some() {}
        is_known |= known.peek() == Some(&key);
    }
    if !is_known {
        packer.push(key);
    }
}

impl<K: Key, M: Exchange<K>> Expander<'_, '_, K, M> {
    /// Expands a partition bucket by bucket; gives whether its buckets are in order. Where
    /// they are not, what was sent may be sent again.
    pub(super) fn by_groups(&mut self, partition: usize) -> Result<bool, Halt> {
        let step = self.step;
        let mut read = std::mem::take(&mut self.known);
        read.resize_with(step.known.len() + 1, Vec::new);
        let levels = step.known.iter().copied().chain([step.level]);
        let mut runs = Vec::new();
        for (level, bytes) in levels.zip(&mut read) {
            runs.push(level.read(partition, bytes, step.disk)?);
        }
        let mut readers: Vec<_> = runs
            .iter()
            .zip(&read)
            .map(|(run, bytes)| keys::<K>(run, bytes))
            .collect();
        let in_order = match readers.pop() {
            Some(states) => {
                let mut known: Vec<_> = readers.into_iter().map(Iterator::peekable).collect();
                self.expand_groups(states, &mut known)?
            }
            None => true,
        };
        self.known = read;
        match in_order {
            true => self.keep_packed(partition)?,
            false => self.packer.clear(),
        }
        Ok(in_order)
    }

    fn expand_groups(
        &mut self,
        mut states: Unpacker<'_, K>,
        known: &mut [Peekable<Unpacker<'_, K>>],
    ) -> Result<bool, Halt> {
        let step = self.step;
        self.group.start();
        let mut generated = 0;
        loop {
            step.stopping()?;
            self.batch.clear();
            if !states.fill(&mut self.batch, BATCH) {
                break;
            }
            step.neighbours
                .expand(&step.search.graph, &self.batch, &mut self.out)?;
            step.search.reduce(self.out.keys_mut())?;
            let own = step.search.graph.bucket(&self.batch)?;
            let buckets = step.search.graph.bucket(self.out.keys())?;
            generated += buckets.len() as u64;
            let mut buckets = buckets.into_iter();
            for (state, bucket) in own.into_iter().enumerate() {
                if bucket != self.group.bucket {
                    if !self.group.close(known, &mut self.packer) {
                        return Ok(false);
                    }
                    self.group.bucket = bucket;
                }
                for (&key, leads) in self.out.of(state).iter().zip(buckets.by_ref()) {
                    if leads == bucket {
                        self.group.keys.push(key);
                    } else {
                        let owner = step.partitions.of_bucket(leads);
                        self.exchange.send(&mut self.outgoing, owner, key)?;
                    }
                }
            }
            step.counters.batch(self.batch.len(), 0);
            step.progress.expanded(self.batch.len() as u64);
        }
        if !self.group.close(known, &mut self.packer) {
            return Ok(false);
        }
        let (tally, stayed) = (step.tally, self.group.stayed);
        tally.generated.fetch_add(generated, Relaxed);
        tally.stayed.fetch_add(stayed, Relaxed);
        let dropped = stayed - self.packer.count();
        tally.removed_in_memory.fetch_add(dropped, Relaxed);
        Ok(true)
    }
}
