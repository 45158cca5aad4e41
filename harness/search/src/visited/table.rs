//! One partition of a visited set: narrow keys in 32 bits each, all others as they are.

use puzzle_api::Key;

use super::fold::Fold;
use super::lines::{LINE, Lines};
use super::parted::partition_of;
use crate::keyset::{KeySet, NoMemory, mix};

/// How states go into partitions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Split {
    count: usize,
    /// Of the keys that take few bits; none where most take many.
    fold: Option<Fold>,
}

impl Split {
    /// So many partitions, whichever keys there are.
    pub(super) const fn plain(count: usize) -> Self {
        Self { count, fold: None }
    }

    /// Partitions for keys most of which have no bits but those of `used`; nothing where they
    /// are too wide to fold, or would be too few to a partition.
    pub(super) fn folding<I: Key>(used: u64, count: usize, least: usize) -> Option<Self> {
        let fold = Fold::of(used).filter(|_| I::WORDS == 1)?;
        let count = count.max(fold.least_partitions());
        (count <= least).then_some(Self {
            count,
            fold: Some(fold),
        })
    }

    /// Number of partitions.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The partition of a state.
    #[inline]
    pub(super) fn partition<I: Key>(&self, id: I) -> usize {
        let number = id.to_u128();
        match self.fold {
            Some(fold) if fold.takes(number as u64) => fold.partition(number as u64, self.count),
            _ => partition_of(mix(number), self.count),
        }
    }

    /// An empty partition with room for so many states.
    pub(super) fn table<I: Key>(&self, partition: usize, states: usize) -> Table<I> {
        let folded = self.fold.map(|fold| Folded {
            fold,
            start: fold.start(partition, self.count),
            lines: Lines::with_room(states),
        });
        let others = if folded.is_some() { 0 } else { states };
        Table {
            folded,
            others: KeySet::with_room(others),
        }
    }
}

/// The states of one partition, each once.
#[derive(Debug)]
pub(super) struct Table<I> {
    folded: Option<Folded>,
    others: KeySet<I>,
}

#[derive(Debug)]
struct Folded {
    fold: Fold,
    start: u64,
    lines: Lines,
}

impl Folded {
    #[inline]
    fn entry<I: Key>(&self, id: I) -> Option<u32> {
        let number = id.to_u128() as u64;
        let takes = self.fold.takes(number);
        takes.then(|| self.fold.entry(number, self.start))
    }
}

impl<I: Key> Table<I> {
    /// Bytes taken.
    pub(super) fn bytes(&self) -> u64 {
        let folded = self.folded.as_ref();
        self.others.bytes() + folded.map_or(0, |folded| folded.lines.bytes())
    }

    /// Whether a state is in the set.
    pub(super) fn contains(&self, id: I) -> bool {
        let folded = self.folded.as_ref();
        match folded.and_then(|folded| Some((folded, folded.entry(id)?))) {
            Some((folded, entry)) => folded.lines.contains(entry),
            None => self.others.contains(id),
        }
    }

    /// Inserts one state; whether it is new.
    ///
    /// # Errors
    /// Where the system gives no more memory.
    #[inline]
    pub(super) fn insert(&mut self, id: I) -> Result<bool, NoMemory> {
        let Some(folded) = &mut self.folded else {
            return self.others.try_insert(id);
        };
        let Some(entry) = folded.entry(id) else {
            return self.others.try_insert(id);
        };
        folded.lines.room_for(1).map_err(|_| NoMemory)?;
        let home = folded.lines.home(entry);
        Ok(folded.lines.insert_at(home, entry))
    }

    /// Inserts states of this partition; hands on those that were not there before.
    ///
    /// # Errors
    /// Where the system gives no more memory.
    pub(super) fn insert_all(&mut self, ids: &[I], mut new: impl FnMut(I)) -> Result<(), NoMemory> {
        let Some(folded) = &mut self.folded else {
            for &id in ids {
                if self.others.try_insert(id)? {
                    new(id);
                }
            }
            return Ok(());
        };
        // A line's worth at a time: all their lines are on the way before the first is looked at.
        for ids in ids.chunks(LINE) {
            folded.lines.room_for(ids.len()).map_err(|_| NoMemory)?;
            let mut places = [(0, 0); LINE];
            for (place, &id) in places.iter_mut().zip(ids) {
                // No entry is 0.
                let entry = folded.entry(id).unwrap_or(0);
                *place = (folded.lines.home(entry), entry);
                folded.lines.prefetch(place.0);
            }
            for (&(home, entry), &id) in places.iter().zip(ids) {
                let is_new = match entry {
                    0 => self.others.try_insert(id)?,
                    _ => folded.lines.insert_at(home, entry),
                };
                if is_new {
                    new(id);
                }
            }
        }
        Ok(())
    }

    /// The states, in no order that matters.
    pub(super) fn into_keys(self) -> Vec<I> {
        let mut keys = self.others.into_keys();
        if let Some(Folded { fold, start, lines }) = self.folded {
            let numbers = lines.numbers().map(|entry| fold.number(entry, start));
            keys.extend(numbers.map(|number| I::from_words(&[number])));
        }
        keys
    }
}
