//! The visited set: the states that a search has met, each once.
//!
//! Two forms. *Tables*: hash tables, one a partition, where a state's hash says which. They
//! are filled either by many threads at once, each batch as it is expanded
//! ([`VisitedSet::insert`]), or partition by partition from batches that were set aside
//! ([`VisitedSet::insert_parted`]): the first holds no candidates, which pays where most
//! neighbours are old, the second keeps one table in the cache at a time. *Bits*: a bit a
//! state, where states are ranks; a set of tables turns to bits when it has outgrown them.

mod parted;

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
        Self {
            form: Form::Tables((0..partitions).map(table).collect()),
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
        match &self.form {
            Form::Tables(tables) => Parted::of(ids, tables.len()),
            Form::Bits(_) => Parted::of(ids, 1),
        }
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

    /// Whether a state is in the set.
    pub(crate) fn contains(&self, id: I) -> bool {
        match &self.form {
            Form::Tables(tables) => read(&tables[partition_of(id, tables.len())]).contains(id),
            Form::Bits(set) => set.contains(rank(id)),
        }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use proptest::prelude::*;
    use puzzle_api::Key;

    use super::{VisitedSet, partitions_of};

    /// Inserts in each of the ways that the set offers.
    fn insert(set: &mut VisitedSet<u64>, batch: &[u64], way: usize) -> Vec<u64> {
        match way {
            0 => {
                let mut new = Vec::new();
                set.insert(batch, &mut new);
                new
            }
            1 => batch
                .iter()
                .copied()
                .filter(|&id| set.insert_one(id))
                .collect(),
            _ => {
                let mut new = vec![Vec::new(); set.partitions()];
                let halves = batch.split_at(batch.len() / 2);
                let parted = [set.part(halves.0), set.part(halves.1)];
                set.insert_parted(&parted, &mut new).unwrap();
                new.concat()
            }
        }
    }

    fn behaves(mut sets: Vec<VisitedSet<u64>>, batches: &[(Vec<u64>, usize)], size: u64) {
        let mut twin = BTreeSet::new();
        for (round, (batch, way)) in batches.iter().enumerate() {
            let before = twin.clone();
            twin.extend(batch.iter().copied());
            for set in &mut sets {
                let held = batch.iter().filter(|id| before.contains(id));
                assert_eq!(set.smallest_of(batch).as_ref(), held.min());
                let new = insert(set, batch, *way);
                let distinct: BTreeSet<u64> = new.iter().copied().collect();
                assert_eq!(new.len(), distinct.len());
                assert_eq!(distinct, twin.difference(&before).copied().collect());
                assert!((0..size).all(|id| set.contains(id) == twin.contains(&id)));
            }
            if round == batches.len() / 2 {
                sets[0].turn_to_bits(size).expect("memory");
            }
        }
    }

    proptest! {
        #[test]
        fn tables_bits_and_what_turns_from_one_to_the_other_are_sets(
            batches in prop::collection::vec(
                (prop::collection::vec(0_u64..500, 0..200), 0_usize..3),
                1..8,
            ),
        ) {
            let mut filled = VisitedSet::tables(7, 100);
            let first = [filled.part(&batches[0].0)];
            let mut sets: Vec<VisitedSet<u64>> =
                [1, 2, 50].map(|partitions| VisitedSet::tables(partitions, 0)).into();
            sets.push(VisitedSet::bits(500).expect("memory"));
            behaves(sets, &batches, 500);
            filled.fill(&first);
            prop_assert!((0..500).all(|id| filled.contains(id) == batches[0].0.contains(&id)));
        }
    }

    #[test]
    fn one_thread_alone_is_told_that_a_state_is_new() {
        for set in [
            VisitedSet::<u64>::tables(64, 0),
            VisitedSet::bits(50_000).expect("memory"),
        ] {
            let ids: Vec<u64> = (0..50_000).collect();
            let count = || {
                let mut new = Vec::new();
                for batch in ids.chunks(512) {
                    set.insert(batch, &mut new);
                }
                new.len()
            };
            let total: usize = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4).map(|_| scope.spawn(count)).collect();
                let counts = threads.into_iter().map(|t| t.join().expect("no panic"));
                counts.sum()
            });
            assert_eq!(total, 50_000);
        }
    }

    /// A key that counts how often it is held against another.
    #[derive(Debug, Clone, Copy, Eq, PartialOrd, Ord)]
    struct Counted(u64);

    static COMPARED: AtomicU64 = AtomicU64::new(0);

    impl PartialEq for Counted {
        fn eq(&self, other: &Self) -> bool {
            COMPARED.fetch_add(1, Relaxed);
            self.0 == other.0
        }
    }

    impl std::hash::Hash for Counted {
        fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
            state.write_u64(self.0);
        }
    }

    impl Key for Counted {
        const WORDS: usize = 1;

        fn from_words(words: &[u64]) -> Self {
            Self(words[0])
        }

        fn push_words(self, out: &mut Vec<u64>) {
            out.push(self.0);
        }

        fn to_u128(self) -> u128 {
            self.0.into()
        }
    }

    /// Where levels shrink, a large one comes out of many partitions, in order of the hash
    /// bits that chose them, and goes into a set of few. Slots must go by other bits, or all
    /// keys of a partition crowd around one of them: of those looked at, one in 128 is
    /// compared.
    #[test]
    fn keys_in_order_of_their_partitions_do_not_crowd() {
        const KEYS: u64 = 200_000;
        for (before, after, room) in [(512, 1, 0), (512, 7, 0), (21, 20, 200_000), (64, 2, 90)] {
            let mut many = VisitedSet::tables(before, 0);
            let all: Vec<Counted> = (0..KEYS).map(|key| Counted(key * key + 3 * key)).collect();
            let mut level = vec![Vec::new(); before];
            let parted = [many.part(&all)];
            many.insert_parted(&parted, &mut level).unwrap();
            assert_eq!(level.iter().map(Vec::len).sum::<usize>() as u64, KEYS);
            let mut few = VisitedSet::tables(after, room);
            let level = level.concat();
            COMPARED.store(0, Relaxed);
            few.fill(&[few.part(&level)]);
            let new = COMPARED.swap(0, Relaxed);
            assert!(new < KEYS / 4, "{new} comparisons for {KEYS} new keys");
            few.fill(&[few.part(&level)]);
            let old = COMPARED.load(Relaxed);
            assert!(
                (KEYS..KEYS * 5 / 4).contains(&old),
                "{old} for {KEYS} old keys"
            );
        }
    }

    #[test]
    fn a_set_has_as_many_partitions_as_what_it_is_filled_with_needs() {
        assert_eq!(partitions_of(0), 1);
        assert_eq!(partitions_of(100_000), 10);
        // No power of two: tables would else be half empty as often as not.
        assert_eq!(partitions_of(2_757_820), 290);
        assert_eq!(partitions_of(usize::MAX), 1 << 13);
    }
}
