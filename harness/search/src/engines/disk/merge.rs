//! The second half of a step: the owner of a partition drops the known states among those sent to
//! it, and merges the rest with its own.

use std::sync::atomic::Ordering::Relaxed;

use puzzle_api::Key;

use super::SAMPLING_SEED;
use super::budget::{self, Need};
use super::candidate::{Candidate, settle};
use super::exchange::Exchange;
use super::packed::{Packer, Unpacker};
use super::pick::Pick;
use super::segment::{self, PackedRun, Segment, SegmentWriter, keys};
use super::step::{DiskStep, Halt, Own, Turns, on_workers};
use crate::engines::BATCH;
use crate::observers::Observers;

/// The new level as written by its workers.
pub(super) struct Merged<K> {
    pub(super) runs: Vec<PackedRun>,
    pub(super) segments: Vec<Segment>,
    pub(super) seen: Vec<Observers<K>>,
    /// The smallest goal, if goals are looked for.
    pub(super) goal: Option<K>,
    /// States to be compared with the rulebook.
    pub(super) picked: Pick<K>,
}

impl<K: Key> DiskStep<'_, K> {
    /// Merges the states found with those sent, and shows them to observers.
    pub(super) fn merge<C: Candidate<Key = K>>(
        &self,
        own: &Own,
        exchange: &Exchange<'_>,
        observers: &Observers<K>,
    ) -> Result<Merged<K>, Halt> {
        let sizes = own.runs.iter().enumerate();
        let turns = Turns::new(sizes.map(|(p, run)| run.states + exchange.waiting(p)));
        let depth = self.level.depth + 1;
        let done = on_workers(self.workers, self.halted, |worker| {
            let path = self.folder.segment(depth, self.partitions.log2, worker);
            let mut merger = Merger::<K, C> {
                step: self,
                segment: SegmentWriter::new(path, worker as u32),
                runs: Vec::new(),
                depth,
                seen: observers.fork(),
                goal: None,
                picked: Pick::new(SAMPLING_SEED),
                unseen: Vec::with_capacity(BATCH),
                candidates: Vec::new(),
                packer: Packer::default(),
                bytes: Vec::new(),
            };
            while let Some(partition) = turns.next() {
                self.stopping()?;
                merger.partition(partition, own, exchange)?;
            }
            merger.show()?;
            let segment = self.folder.close(merger.segment)?;
            Ok((
                segment,
                merger.runs,
                merger.seen,
                merger.goal,
                merger.picked,
            ))
        })?;
        let mut merged = Merged {
            runs: vec![PackedRun::default(); self.partitions.count()],
            segments: Vec::new(),
            seen: Vec::new(),
            goal: None,
            picked: Pick::new(SAMPLING_SEED),
        };
        for (segment, runs, seen, goal, picked) in done {
            merged.picked.absorb(picked);
            for (partition, run) in runs {
                merged.runs[partition as usize] = run;
            }
            merged.segments.push(segment);
            merged.seen.push(seen);
            merged.goal = merged.goal.into_iter().chain(goal).min();
        }
        Ok(merged)
    }
}

/// One worker that merges.
struct Merger<'a, 's, K: Key, C> {
    step: &'a DiskStep<'s, K>,
    segment: SegmentWriter,
    runs: Vec<(u32, PackedRun)>,
    depth: u16,
    seen: Observers<K>,
    goal: Option<K>,
    picked: Pick<K>,
    /// States not shown to the observers yet, which take whole batches.
    unseen: Vec<K>,
    candidates: Vec<C>,
    packer: Packer,
    bytes: Vec<u8>,
}

impl<K: Key, C: Candidate<Key = K>> Merger<'_, '_, K, C> {
    fn partition(
        &mut self,
        partition: usize,
        own: &Own,
        exchange: &Exchange<'_>,
    ) -> Result<(), Halt> {
        let step = self.step;
        let waiting = exchange.waiting(partition);
        let found = own.runs[partition];
        let need = Need {
            depth: self.depth,
            states: waiting,
        };
        let packed = step.packed(partition) + found.bytes;
        let bytes = budget::for_merging::<C>(waiting, packed);
        let _taken = step.budget.take(bytes, &need)?;
        self.candidates.clear();
        exchange.collect(partition, &mut self.candidates)?;
        settle(&mut self.candidates);
        for level in step.known {
            if self.candidates.is_empty() {
                break;
            }
            let run = level.read(partition, &mut self.bytes, step.disk)?;
            drop_known(&mut self.candidates, keys(&run, &self.bytes));
        }
        if found.states > 0 {
            own.segments[found.segment as usize].read(&found, &mut self.bytes, step.disk)?;
        }
        let bytes = std::mem::take(&mut self.bytes);
        let mut candidates = std::mem::take(&mut self.candidates).into_iter().peekable();
        for mut own in segment::candidates::<C>(&found, &bytes) {
            let key = own.key();
            while let Some(candidate) = candidates.next_if(|candidate| candidate.key() <= key) {
                match candidate.key() == key {
                    true => own = own.joined(candidate.mark()),
                    false => self.push(candidate)?,
                }
            }
            self.push(own)?;
        }
        for candidate in candidates {
            self.push(candidate)?;
        }
        if found.states > 0 {
            own.segments[found.segment as usize].release(&found, step.disk);
        }
        self.bytes = bytes;
        let states = self.packer.count();
        let dropped = waiting - (states - found.states);
        step.tally.removed_at_merge.fetch_add(dropped, Relaxed);
        if states > 0 {
            let run = self.segment.append(&mut self.packer, step.disk)?;
            self.runs.push((partition as u32, run));
        }
        Ok(())
    }

    #[inline]
    fn push(&mut self, candidate: C) -> Result<(), Halt> {
        self.packer.put_in(candidate);
        self.unseen.push(candidate.key());
        if self.unseen.len() == BATCH {
            self.show()?;
        }
        Ok(())
    }

    fn show(&mut self) -> Result<(), Halt> {
        let step = self.step;
        step.search
            .observe(step.part, &self.unseen, self.depth, &mut self.seen)?;
        self.picked.show(&self.unseen);
        let met = match step.goal {
            Some(goal) => goal.smallest_of(&step.search.graph, &self.unseen)?,
            None => None,
        };
        self.goal = self.goal.into_iter().chain(met).min();
        self.unseen.clear();
        Ok(())
    }
}

/// Drops the known states from sorted candidates.
pub(super) fn drop_known<C: Candidate>(candidates: &mut Vec<C>, known: Unpacker<'_, C::Key>) {
    let mut known = known.peekable();
    candidates.retain(|candidate| {
        let candidate = candidate.key();
        while known.next_if(|&key| key < candidate).is_some() {}
        known.peek() != Some(&candidate)
    });
}
