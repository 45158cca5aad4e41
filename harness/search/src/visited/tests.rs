//! Compares sets of every form with a plain one.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use proptest::prelude::*;
use puzzle_api::Key;

use super::{VisitedSet, partitions_of};

/// Inserts in each of the ways that the set offers.
fn insert(set: &mut VisitedSet<u64>, batch: &[u64], way: usize) -> Vec<u64> {
    match way {
        0 => batch
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
            let all: Vec<u64> = (0..size).collect();
            assert!(set.held(&all).iter().eq(&twin));
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
            (prop::collection::vec(0_u64..500, 0..200), 0_usize..2),
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
        for set in [&mut filled, &mut VisitedSet::bits(500).expect("memory")] {
            for (round, (batch, way)) in batches.iter().enumerate() {
                set.reset(1 + (7 * round + way) % 9, batch.len());
                set.try_fill(&[set.part(batch), set.part(batch)]).unwrap();
                let twin: BTreeSet<u64> = batch.iter().copied().collect();
                prop_assert_eq!(set.len(), twin.len());
                let mut listed = Vec::new();
                (0..set.partitions()).for_each(|partition| set.list(partition, &mut listed));
                listed.sort_unstable();
                prop_assert!(listed.iter().eq(&twin));
            }
        }
    }
}

/// A key that counts its comparisons with others.
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

/// If levels shrink, a large one comes from many partitions, in order of the hash bits that chose
/// them, and goes into a set of few. Slots must use other bits, or all keys of a partition cluster
/// around one of them: one in 128 of the keys looked up is compared.
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
    // Not a power of two: tables would otherwise often be half empty.
    assert_eq!(partitions_of(2_757_820), 290);
    assert_eq!(partitions_of(usize::MAX), 1 << 13);
}
