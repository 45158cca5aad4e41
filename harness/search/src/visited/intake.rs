//! New states among many candidates: these wait, in order of partitions, until they are many,
//! so that each table is fetched into the cache once for all of them.

use puzzle_api::Key;

use super::{Parted, VisitedSet, partitions_of};
use crate::keyset::NoMemory;

/// Candidates that wait: 10 MiB of short keys.
const WAITING: usize = 5 << 18;

/// A set that takes in candidates, and lists those that were new.
#[derive(Debug)]
pub(crate) struct Intake<I> {
    set: VisitedSet<I>,
    waiting: Vec<Parted<I>>,
    /// Of those, how many hold a batch; the others are room to be used again.
    batches: usize,
    candidates: usize,
    new: Vec<Vec<I>>,
}

impl<I: Key> Intake<I> {
    /// An empty set, with room for about so many states.
    pub(crate) fn expecting(states: usize) -> Self {
        let set = VisitedSet::tables(partitions_of(states), states / 2);
        Self {
            new: vec![Vec::new(); set.partitions()],
            set,
            waiting: Vec::new(),
            batches: 0,
            candidates: 0,
        }
    }

    /// Takes in a batch.
    ///
    /// # Errors
    /// Where the system gives no more memory.
    pub(crate) fn offer(&mut self, ids: &[I]) -> Result<(), NoMemory> {
        if self.batches == self.waiting.len() {
            self.waiting.push(Parted::default());
        }
        self.set.part_into(ids, &mut self.waiting[self.batches]);
        self.batches += 1;
        self.candidates += ids.len();
        match self.candidates < WAITING {
            true => Ok(()),
            false => self.settle(),
        }
    }

    fn settle(&mut self) -> Result<(), NoMemory> {
        let waiting = &self.waiting[..self.batches];
        self.set.insert_parted(waiting, &mut self.new)?;
        (self.batches, self.candidates) = (0, 0);
        Ok(())
    }

    /// All states taken in, each once and in order of their hashes, and the set of them.
    ///
    /// # Errors
    /// As [`Intake::offer`].
    pub(crate) fn finish(mut self) -> Result<(Vec<I>, VisitedSet<I>), NoMemory> {
        self.settle()?;
        Ok((self.new.concat(), self.set))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::Intake;

    proptest! {
        #[test]
        fn what_was_offered_is_listed_once(
            batches in prop::collection::vec(prop::collection::vec(0_u64..500, 0..200), 0..8),
            expected in prop::sample::select(&[0_usize, 100, 100_000][..]),
        ) {
            let mut intake = Intake::expecting(expected);
            batches.iter().for_each(|batch| intake.offer(batch).unwrap());
            let (mut all, set) = intake.finish().unwrap();
            let twin: BTreeSet<u64> = batches.concat().into_iter().collect();
            prop_assert!((0..500).all(|id| set.contains(id) == twin.contains(&id)));
            all.sort_unstable();
            prop_assert_eq!(all, twin.into_iter().collect::<Vec<_>>());
        }
    }
}
