//! The visited set: the states that a search has met, each once.
//!
//! Two forms. *Tables*: hash tables, one per partition, which the hash of a state determines. They
//! are filled partition by partition, each by one thread, from batches that were collected
//! ([`VisitedSet::insert_parted`]), which keeps one table at a time in the cache. *Bits*: a bit per
//! state, if states are ranks, entered as batches are collected. A set of tables switches to bits
//! when these take less.

mod parted;

use puzzle_api::Key;

use crate::keyset::{KeySet, NoMemory};
use crate::parallel;
use crate::ranks::RankSet;
use crate::steps::BATCH;
pub(crate) use parted::Parted;
use parted::partition_of;

/// Words of bits that are prefetched: a miss takes about as long as this many lookups.
const AHEAD: usize = 24;
/// Target number of keys of a partition: with their slots, 144 KiB of short keys, which fit the
/// second-level cache. Half as many more fit next to them.
const PARTITION: usize = 9_500;
/// Number of tables that one thread creates.
const FEW_TABLES: usize = 64;
/// A table is prefetched as a whole if it has fewer than this many keys for each one to insert.
const FETCHED: usize = 4;
/// Batches sorted by partition at once when a set is filled: 8 MiB of short keys. Fewer are done
/// before sleeping threads wake up.
const FILLED_AT_ONCE: usize = 256;
/// Lists of the new states in a set of bits.
const LISTS: usize = 64;
/// Most partitions: with more, the pieces of a batch get too short.
const MOST_PARTITIONS: usize = 1 << 13;

/// States that were met.
pub(crate) struct VisitedSet<I> {
    form: VisitedForm<I>,
}

enum VisitedForm<I> {
    /// One per partition.
    Tables(Vec<KeySet<I>>),
    Bits(RankSet),
}

/// Target number of partitions of a set with n states. Any number is allowed: slots are powers of
/// two, and the set need not be.
pub(crate) fn partitions_of(states: usize) -> usize {
    (states / PARTITION).clamp(1, MOST_PARTITIONS)
}

impl<I: Key> VisitedSet<I> {
    /// An empty set of n tables, with a total capacity of `states`.
    pub(crate) fn tables(partitions: usize, states: usize) -> Self {
        let each = states.div_ceil(partitions);
        let table = |_| KeySet::with_capacity(each);
        // The system needs some time for pages of many large tables.
        let tables = match partitions > FEW_TABLES && states > 0 {
            true => parallel::map(0..partitions, table),
            false => (0..partitions).map(table).collect(),
        };
        Self {
            form: VisitedForm::Tables(tables),
        }
    }

    /// Releases the memory, on all threads.
    pub(crate) fn discard(self) {
        if let VisitedForm::Tables(tables) = self.form {
            parallel::map(tables, drop);
        }
    }

    /// Empties the set, which then has n tables, with a total capacity of `states`. Its tables are
    /// reused: new pages from the system cost more than the data written there.
    pub(crate) fn reset(&mut self, partitions: usize, states: usize) {
        let VisitedForm::Tables(tables) = &mut self.form else {
            *self = Self::tables(partitions, states);
            return;
        };
        let each = states.div_ceil(partitions);
        tables.truncate(partitions);
        tables.iter_mut().for_each(|table| table.reset(each));
        tables.resize_with(partitions, || KeySet::with_capacity(each));
    }

    /// Number of states.
    pub(crate) fn len(&self) -> usize {
        match &self.form {
            VisitedForm::Tables(tables) => tables.iter().map(KeySet::len).sum(),
            VisitedForm::Bits(set) => set.len() as usize,
        }
    }

    /// Adds the states of a partition to a list.
    pub(crate) fn list(&self, partition: usize, out: &mut Vec<I>) {
        match &self.form {
            VisitedForm::Tables(tables) => out.extend(tables[partition].keys()),
            VisitedForm::Bits(set) => {
                let share = set.words().len().div_ceil(LISTS);
                let end = set.words().len().min((partition + 1) * share);
                let ranks = set.ranks_in((partition * share).min(end)..end);
                out.extend(ranks.map(|rank| I::from_words(&[rank, 0])));
            }
        }
    }

    /// An empty set of bits for states below `size`.
    ///
    /// # Errors
    /// If the system does not provide the memory.
    pub(crate) fn bits(size: u64) -> std::io::Result<Self> {
        let form = VisitedForm::Bits(RankSet::new(size)?);
        Ok(Self { form })
    }

    /// Whether this set has a bit per state.
    pub(crate) fn is_bits(&self) -> bool {
        matches!(self.form, VisitedForm::Bits(_))
    }

    /// Bytes of the tables; the owner counts the bits.
    pub(crate) fn table_bytes(&self) -> u64 {
        match &self.form {
            VisitedForm::Tables(tables) => tables.iter().map(KeySet::bytes).sum(),
            VisitedForm::Bits(_) => 0,
        }
    }

    /// The set of some states, each listed once.
    pub(crate) fn of(ids: &[I]) -> Self {
        let mut set = Self::tables(partitions_of(ids.len()), ids.len());
        set.fill_with(ids.chunks(BATCH));
        set
    }

    /// Inserts batches of states without returning which are new.
    pub(crate) fn fill_with<'b>(&mut self, batches: impl Iterator<Item = &'b [I]>)
    where
        I: 'b,
    {
        let batches: Vec<&[I]> = batches.collect();
        let mut parted = Vec::new();
        for slab in batches.chunks(FILLED_AT_ONCE) {
            parted.resize_with(slab.len(), Parted::default);
            let pairs = slab.iter().zip(&mut parted);
            parallel::map(pairs, |(batch, parted)| self.part_into(batch, parted));
            self.fill(&parted);
        }
    }

    /// The same states in the order of their hashes: a set of them is then read table by table.
    pub(crate) fn in_order(ids: &[I]) -> Vec<I> {
        Parted::of(ids, partitions_of(ids.len())).ids
    }

    /// Inserts one state; returns whether it is new.
    pub(crate) fn insert_one(&mut self, id: I) -> bool {
        match &mut self.form {
            VisitedForm::Tables(tables) => {
                let partition = partition_of(id, tables.len());
                tables[partition].insert(id)
            }
            VisitedForm::Bits(set) => set.insert(rank(id)),
        }
    }

    /// Prepares a batch in the buffer of another, in parallel with other threads, for
    /// [`VisitedSet::insert_parted`] or [`VisitedSet::fill`]. It is sorted by partition, or entered
    /// into a set of bits, which leaves the new states.
    pub(crate) fn part_into(&self, ids: &[I], parted: &mut Parted<I>) {
        match &self.form {
            VisitedForm::Tables(tables) => parted.refill(ids, tables.len()),
            VisitedForm::Bits(set) => {
                parted.ids.clear();
                each_fetched(set, ids, |id| {
                    if set.insert(rank(id)) {
                        parted.ids.push(id);
                    }
                });
            }
        }
    }

    /// Number of partitions, and so of lists that [`VisitedSet::insert_parted`] returns.
    pub(crate) fn partitions(&self) -> usize {
        match &self.form {
            VisitedForm::Tables(tables) => tables.len(),
            VisitedForm::Bits(_) => LISTS,
        }
    }

    /// Inserts batches on all threads, each partition by one of them. Adds to each partition's list
    /// the states that are new.
    ///
    /// # Errors
    /// If the system provides no more memory; then some states are in the set and in no list.
    pub(crate) fn insert_parted(
        &mut self,
        batches: &[Parted<I>],
        new: &mut [Vec<I>],
    ) -> Result<(), NoMemory> {
        match &mut self.form {
            VisitedForm::Tables(tables) => {
                let lists = tables.iter_mut().zip(new).enumerate();
                parallel::try_each(lists, |(partition, (table, new))| {
                    fetch_for(table, partition, batches);
                    for (at, batch) in batches.iter().enumerate() {
                        if let Some(next) = batches.get(at + 1) {
                            next.prefetch(partition);
                        }
                        let mine = batch.of_partition(partition);
                        // Not doubled: lists of new states take a large part of the memory.
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
            VisitedForm::Bits(_) => {
                let lists = new.iter_mut().enumerate();
                parallel::map(lists, |(at, new)| {
                    let mine = batches.iter().skip(at).step_by(LISTS);
                    mine.for_each(|batch| new.extend_from_slice(&batch.ids));
                });
                Ok(())
            }
        }
    }

    /// Like [`VisitedSet::insert_parted`], without returning which states are new.
    pub(crate) fn fill(&mut self, batches: &[Parted<I>]) {
        // For a set of bits, they are in it already.
        let VisitedForm::Tables(tables) = &mut self.form else {
            return;
        };
        let numbered = tables.iter_mut().enumerate();
        parallel::map(numbered, |(partition, table)| {
            for batch in batches {
                for &id in batch.of_partition(partition) {
                    table.insert(id);
                }
            }
        });
    }

    /// Like [`VisitedSet::fill`], if the system may provide no more memory.
    ///
    /// # Errors
    /// If it does not; then some of the states are in the set.
    pub(crate) fn try_fill(&mut self, batches: &[Parted<I>]) -> Result<(), NoMemory> {
        let VisitedForm::Tables(tables) = &mut self.form else {
            return Ok(());
        };
        let numbered = tables.iter_mut().enumerate();
        parallel::try_each(numbered, |(partition, table)| {
            fetch_for(table, partition, batches);
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
            VisitedForm::Tables(tables) => tables[partition_of(id, tables.len())].contains(id),
            VisitedForm::Bits(set) => set.contains(rank(id)),
        }
    }

    /// The states of a list that are in the set, in its order. Fast if these are in the order of
    /// their hashes.
    pub(crate) fn held(&self, ids: &[I]) -> Vec<I> {
        let held = ids.iter().copied().filter(|&id| self.contains(id));
        held.collect()
    }

    /// The smallest of some states that is in the set.
    pub(crate) fn smallest_of(&self, ids: &[I]) -> Option<I> {
        let mut smallest: Option<I> = None;
        let mut found = |id: I| smallest = Some(smallest.map_or(id, |least| least.min(id)));
        match &self.form {
            VisitedForm::Tables(tables) => {
                let parted = Parted::of(ids, tables.len());
                for (partition, mine) in parted.partitions() {
                    let table = &tables[partition];
                    let held = mine.iter().filter(|&&id| table.contains(id));
                    held.for_each(|&id| found(id));
                }
            }
            VisitedForm::Bits(set) => each_fetched(set, ids, |id| {
                if set.contains(rank(id)) {
                    found(id);
                }
            }),
        }
        smallest
    }

    /// Switches to a bit per state, for states below `size`.
    ///
    /// # Errors
    /// If the system does not provide the memory.
    pub(crate) fn turn_to_bits(&mut self, size: u64) -> std::io::Result<()> {
        if let VisitedForm::Tables(tables) = &mut self.form {
            let set = RankSet::new(size)?;
            parallel::map(std::mem::take(tables), |table| {
                for id in table.into_keys() {
                    let _new = set.insert(rank(id));
                }
            });
            self.form = VisitedForm::Bits(set);
        }
        Ok(())
    }
}

/// Reads a table into the cache if most of it will be looked at.
fn fetch_for<I: Key>(table: &KeySet<I>, partition: usize, batches: &[Parted<I>]) {
    let of = |batch: &Parted<I>| batch.of_partition(partition).len();
    let candidates: usize = batches.iter().map(of).sum();
    if table.len() < FETCHED * candidates {
        table.fetch();
    }
}

#[inline]
fn rank<I: Key>(id: I) -> u64 {
    id.to_u128() as u64
}

/// Calls `each` with every state, whose word is prefetched.
#[inline]
fn each_fetched<I: Key>(set: &RankSet, ids: &[I], mut each: impl FnMut(I)) {
    for (at, &id) in ids.iter().enumerate() {
        if let Some(&later) = ids.get(at + AHEAD) {
            set.prefetch(rank(later));
        }
        each(id);
    }
}
