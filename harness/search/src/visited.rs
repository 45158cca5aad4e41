//! The visited set: the states that a search has met, each once.
//!
//! Two forms. *Tables*: hash tables, one a partition, where a state's hash says which. They
//! are filled either by many threads at once, each batch as it is expanded
//! ([`VisitedSet::insert`]), or partition by partition from batches that were set aside
//! ([`VisitedSet::insert_parted`]): the first holds no candidates, which pays where most
//! neighbours are old, the second keeps one table in the cache at a time. *Bits*: a bit a
//! state, where states are ranks; a set of tables turns to bits when it has outgrown them.

mod parted;
#[cfg(test)]
mod tests;

use std::sync::{PoisonError, RwLock};

use puzzle_api::Key;
use rayon::prelude::*;

use crate::keyset::{KeySet, NoMemory};
use crate::ranks::RankSet;
pub(crate) use parted::Parted;
use parted::partition_of;

/// Words of bits fetched ahead of their use: a miss takes about as long as this many lookups.
const AHEAD: usize = 24;
/// Keys that a partition is filled with: with the slots that they take, 144 KiB of short
/// keys, which the second-level cache holds. Half as many again find room beside them.
const PARTITION: usize = 9_500;
/// Tables that one thread makes.
const FEW_TABLES: usize = 64;
/// A table is fetched whole where it has fewer keys than so many for each that is to be inserted.
const FETCHED: usize = 4;
/// States put in order of partitions at a time where a set is filled: 16 MiB of short keys.
const FILLED_AT_ONCE: usize = 1 << 21;
/// Most partitions: beyond, the parted pieces of a batch get too short.
const MOST_PARTITIONS: usize = 1 << 13;

/// States that were met.
#[derive(Debug)]
pub(crate) struct VisitedSet<I> {
    form: Form<I>,
}

#[derive(Debug)]
enum Form<I> {
    /// One a partition; locked only where threads share them.
    Tables(Vec<RwLock<KeySet<I>>>),
    Bits(RankSet),
}

/// How many partitions a set should have that is filled with so many states. Any number:
/// slots come in powers of two, and so would else the set.
pub(crate) fn partitions_of(states: usize) -> usize {
    (states / PARTITION).clamp(1, MOST_PARTITIONS)
}

impl<I: Key> VisitedSet<I> {
    /// An empty set of so many tables, with room for `states` in all.
    pub(crate) fn tables(partitions: usize, states: usize) -> Self {
        let each = states.div_ceil(partitions);
        let table = |_| RwLock::new(KeySet::with_room(each));
        // Pages of many large tables take the system a while.
        let tables = match partitions > FEW_TABLES && states > 0 {
            true => (0..partitions).into_par_iter().map(table).collect(),
            false => (0..partitions).map(table).collect(),
        };
        Self {
            form: Form::Tables(tables),
        }
    }

    /// Gives the memory back, on all threads.
    pub(crate) fn discard(self) {
        if let Form::Tables(tables) = self.form {
            tables.into_par_iter().for_each(drop);
        }
    }

    /// Empties the set, which then has so many tables, with room for `states` in all. Tables that
    /// it has are used again: pages that the system gives anew cost more than what is written
    /// there.
    pub(crate) fn reset(&mut self, partitions: usize, states: usize) {
        let Form::Tables(tables) = &mut self.form else {
            *self = Self::tables(partitions, states);
            return;
        };
        let each = states.div_ceil(partitions);
        tables.truncate(partitions);
        tables.iter_mut().for_each(|table| whole(table).reset(each));
        let table = || RwLock::new(KeySet::with_room(each));
        tables.resize_with(partitions, table);
    }

    /// Number of states.
    pub(crate) fn len(&self) -> usize {
        match &self.form {
            Form::Tables(tables) => tables.iter().map(|table| read(table).len()).sum(),
            Form::Bits(set) => set.len() as usize,
        }
    }

    /// Adds the states of a partition to a list.
    pub(crate) fn list(&self, partition: usize, out: &mut Vec<I>) {
        match &self.form {
            Form::Tables(tables) => out.extend(read(&tables[partition]).keys()),
            Form::Bits(set) => {
                let ranks = set.ranks_in(0..set.words().len());
                out.extend(ranks.map(|rank| I::from_words(&[rank, 0])));
            }
        }
    }

    /// An empty set of bits for states below `size`.
    ///
    /// # Errors
    /// Where the system does not give the memory.
    pub(crate) fn bits(size: u64) -> std::io::Result<Self> {
        let form = Form::Bits(RankSet::new(size)?);
        Ok(Self { form })
    }

    /// Whether this is a bit a state.
    pub(crate) fn is_bits(&self) -> bool {
        matches!(self.form, Form::Bits(_))
    }

    /// Bytes of the tables; bits are counted by who asks for them.
    pub(crate) fn table_bytes(&self) -> u64 {
        match &self.form {
            Form::Tables(tables) => tables.iter().map(|table| read(table).bytes()).sum(),
            Form::Bits(_) => 0,
        }
    }

    /// Inserts states, beside other threads; adds those that were not there before to `new`.
    /// Of all threads exactly one is told that a state is new.
    pub(crate) fn insert(&self, ids: &[I], new: &mut Vec<I>) {
        match &self.form {
            Form::Tables(tables) => {
                let parted = Parted::of(ids, tables.len());
                for (partition, mine) in parted.partitions() {
                    let table = tables[partition].write();
                    let mut table = table.unwrap_or_else(PoisonError::into_inner);
                    new.extend(mine.iter().filter(|&&id| table.insert(id)));
                }
            }
            Form::Bits(set) => each_fetched(set, ids, |id| {
                if set.insert(rank(id)) {
                    new.push(id);
                }
            }),
        }
    }

    /// The set of some states, each of which is listed once.
    pub(crate) fn of(ids: &[I]) -> Self {
        let mut set = Self::tables(partitions_of(ids.len()), ids.len());
        let mut parted = Parted::default();
        for batch in ids.chunks(FILLED_AT_ONCE) {
            set.part_into(batch, &mut parted);
            set.fill(std::slice::from_ref(&parted));
        }
        set
    }

    /// The same states in the order of their hashes: a set of such states is then asked table
    /// by table.
    pub(crate) fn in_order(ids: &[I]) -> Vec<I> {
        Parted::of(ids, partitions_of(ids.len())).ids
    }

    /// Inserts one state; whether it is new.
    pub(crate) fn insert_one(&mut self, id: I) -> bool {
        match &mut self.form {
            Form::Tables(tables) => {
                let partition = partition_of(id, tables.len());
                whole(&mut tables[partition]).insert(id)
            }
            Form::Bits(set) => set.insert(rank(id)),
        }
    }

    /// A batch put in order for [`VisitedSet::insert_parted`].
    pub(crate) fn part(&self, ids: &[I]) -> Parted<I> {
        Parted::of(ids, self.partitions())
    }

    /// As [`VisitedSet::part`], in the room of another batch.
    pub(crate) fn part_into(&self, ids: &[I], parted: &mut Parted<I>) {
        parted.refill(ids, self.partitions());
    }

    /// Number of partitions, and so of lists that [`VisitedSet::insert_parted`] gives.
    pub(crate) fn partitions(&self) -> usize {
        match &self.form {
            Form::Tables(tables) => tables.len(),
            Form::Bits(_) => 1,
        }
    }

    /// Inserts batches on all threads, each partition by one of them; adds to each
    /// partition's list the states that were not there before.
    ///
    /// # Errors
    /// Where the system gives no more memory; then some states are in the set and in no list.
    pub(crate) fn insert_parted(
        &mut self,
        batches: &[Parted<I>],
        new: &mut [Vec<I>],
    ) -> Result<(), NoMemory> {
        match &mut self.form {
            Form::Tables(tables) => {
                let lists = tables.par_iter_mut().zip(new).enumerate();
                lists.try_for_each(|(partition, (table, new))| {
                    let table = whole(table);
                    for batch in batches {
                        let mine = batch.of_partition(partition);
                        // Not doubled: lists of new states are a good part of what is held.
                        if new.capacity() - new.len() < mine.len() {
                            let more = mine.len().max(new.len() / 4);
                            new.try_reserve_exact(more).map_err(|_| NoMemory)?;
                        }
                        for &id in mine {
                            if table.try_insert(id)? {
                                new.push(id);
                            }
                        }
                    }
                    Ok(())
                })
            }
            Form::Bits(set) => {
                let ids = batches.iter().flat_map(|batch| &batch.ids);
                new[0].extend(ids.filter(|&&id| set.insert(rank(id))));
                Ok(())
            }
        }
    }

    /// As [`VisitedSet::insert_parted`], for states of which nobody asks whether they are new.
    pub(crate) fn fill(&mut self, batches: &[Parted<I>]) {
        match &mut self.form {
            Form::Tables(tables) => {
                let numbered = tables.par_iter_mut().enumerate();
                numbered.for_each(|(partition, table)| {
                    let table = whole(table);
                    for batch in batches {
                        for &id in batch.of_partition(partition) {
                            table.insert(id);
                        }
                    }
                });
            }
            Form::Bits(set) => {
                for &id in batches.iter().flat_map(|batch| &batch.ids) {
                    let _new = set.insert(rank(id));
                }
            }
        }
    }

    /// As [`VisitedSet::fill`], where the system may give no more memory.
    ///
    /// # Errors
    /// It does not; then some of the states are in the set.
    pub(crate) fn try_fill(&mut self, batches: &[Parted<I>]) -> Result<(), NoMemory> {
        let Form::Tables(tables) = &mut self.form else {
            self.fill(batches);
            return Ok(());
        };
        let numbered = tables.par_iter_mut().enumerate();
        numbered.try_for_each(|(partition, table)| {
            let table = whole(table);
            let of = |batch: &Parted<I>| batch.of_partition(partition).len();
            let candidates: usize = batches.iter().map(of).sum();
            if table.len() < FETCHED * candidates {
                table.fetch();
            }
            for (at, batch) in batches.iter().enumerate() {
                if let Some(next) = batches.get(at + 1) {
                    next.prefetch(partition);
                }
                let mut mine = batch.of_partition(partition).iter();
                mine.try_for_each(|&id| table.try_insert(id).map(drop))?;
            }
            Ok(())
        })
    }

    /// Whether a state is in the set.
    pub(crate) fn contains(&self, id: I) -> bool {
        match &self.form {
            Form::Tables(tables) => read(&tables[partition_of(id, tables.len())]).contains(id),
            Form::Bits(set) => set.contains(rank(id)),
        }
    }

    /// The states of a list that are in the set, in its order. Quick where that is the order
    /// of their hashes: a table is then locked once for all that belong to it.
    pub(crate) fn held(&self, ids: &[I]) -> Vec<I> {
        let tables = match &self.form {
            Form::Tables(tables) => tables,
            Form::Bits(set) => {
                let held = ids.iter().copied();
                return held.filter(|&id| set.contains(rank(id))).collect();
            }
        };
        let partition = |id: &I| partition_of(*id, tables.len());
        let runs = ids.chunk_by(|a, b| partition(a) == partition(b));
        let held = runs.flat_map(|run| {
            let table = read(&tables[partition(&run[0])]);
            run.iter().copied().filter(move |&id| table.contains(id))
        });
        held.collect()
    }

    /// The smallest of some states that is in the set.
    pub(crate) fn smallest_of(&self, ids: &[I]) -> Option<I> {
        let mut smallest: Option<I> = None;
        let mut found = |id: I| smallest = Some(smallest.map_or(id, |least| least.min(id)));
        match &self.form {
            Form::Tables(tables) => {
                let parted = Parted::of(ids, tables.len());
                for (partition, mine) in parted.partitions() {
                    let table = read(&tables[partition]);
                    let held = mine.iter().filter(|&&id| table.contains(id));
                    held.for_each(|&id| found(id));
                }
            }
            Form::Bits(set) => each_fetched(set, ids, |id| {
                if set.contains(rank(id)) {
                    found(id);
                }
            }),
        }
        smallest
    }

    /// Goes over to a bit a state, for states below `size`.
    ///
    /// # Errors
    /// Where the system does not give the memory.
    pub(crate) fn turn_to_bits(&mut self, size: u64) -> std::io::Result<()> {
        if let Form::Tables(tables) = &mut self.form {
            let set = RankSet::new(size)?;
            std::mem::take(tables).into_par_iter().for_each(|table| {
                let table = table.into_inner().unwrap_or_else(PoisonError::into_inner);
                for id in table.into_keys() {
                    let _new = set.insert(rank(id));
                }
            });
            self.form = Form::Bits(set);
        }
        Ok(())
    }
}

#[inline]
fn rank<I: Key>(id: I) -> u64 {
    id.to_u128() as u64
}

// A thread that panicked ends the search; what it held is still a set.
fn read<I>(table: &RwLock<KeySet<I>>) -> std::sync::RwLockReadGuard<'_, KeySet<I>> {
    table.read().unwrap_or_else(PoisonError::into_inner)
}

fn whole<I>(table: &mut RwLock<KeySet<I>>) -> &mut KeySet<I> {
    table.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Calls `each` with every state, whose word is fetched some states ahead.
#[inline]
fn each_fetched<I: Key>(set: &RankSet, ids: &[I], mut each: impl FnMut(I)) {
    for (at, &id) in ids.iter().enumerate() {
        if let Some(&later) = ids.get(at + AHEAD) {
            set.prefetch(rank(later));
        }
        each(id);
    }
}
