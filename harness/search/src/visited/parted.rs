//! A batch of states put in order of the partitions that they belong to.

use puzzle_api::Key;

use crate::keyset::mix;

/// A batch in order of partitions: the states of partition p are
/// `ids[starts[p]..starts[p + 1]]`.
#[derive(Debug)]
pub(crate) struct Parted<I> {
    pub(super) ids: Vec<I>,
    starts: Vec<u32>,
}

impl<I: Key> Parted<I> {
    pub(super) fn of(ids: &[I], count: usize) -> Self {
        if count <= 1 {
            return Self {
                ids: ids.to_vec(),
                starts: vec![0, ids.len() as u32],
            };
        }
        let mut starts = vec![0_u32; count + 1];
        let partitions = ids.iter().map(|&id| partition_of(id, count) as u16);
        let partitions: Vec<u16> = partitions.collect();
        for &partition in &partitions {
            starts[partition as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut parted = ids.to_vec();
        for (&id, &partition) in ids.iter().zip(&partitions) {
            let at = &mut next[partition as usize];
            parted[*at as usize] = id;
            *at += 1;
        }
        Self {
            ids: parted,
            starts,
        }
    }

    /// Number of states.
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn of_partition(&self, partition: usize) -> &[I] {
        &self.ids[self.starts[partition] as usize..self.starts[partition + 1] as usize]
    }

    /// The partitions that occur, with their states.
    pub(super) fn partitions(&self) -> impl Iterator<Item = (usize, &[I])> {
        let all = (0..self.starts.len() - 1).map(|at| (at, self.of_partition(at)));
        all.filter(|(_, mine)| !mine.is_empty())
    }
}

/// The partition of a state, of so many: by the high bits of its hash.
#[inline]
pub(super) fn partition_of<I: Key>(id: I, count: usize) -> usize {
    match count {
        0 | 1 => 0,
        _ => ((u128::from(mix(id.to_u128())) * count as u128) >> 64) as usize,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Parted;

    proptest! {
        #[test]
        fn parting_keeps_every_state_once(
            mut ids in prop::collection::vec(any::<u64>(), 0..1000),
            count in prop::sample::select(&[1_usize, 2, 37, 4096][..]),
        ) {
            let parted = Parted::of(&ids, count);
            let mut all: Vec<u64> = (0..count)
                .flat_map(|partition| parted.of_partition(partition).to_vec())
                .collect();
            all.sort_unstable();
            ids.sort_unstable();
            prop_assert_eq!(all, ids);
        }
    }
}
