//! The blocks of a shard: the same on every machine, with about as many states in each shard.

use std::collections::BTreeSet;

use puzzle_api::Key;

use super::block_size;
use crate::error::EngineError;
use crate::search::Search;
use crate::shard::Shard;

impl Shard {
    /// The blocks of the search that are its share.
    ///
    /// # Errors
    /// The search is of one part, which is not divided, or has fewer blocks than shards, or the
    /// puzzle fails.
    pub fn blocks<K: Key>(self, search: &Search<K>) -> Result<BTreeSet<u64>, EngineError> {
        let sizes = sizes(search)?;
        let many = sizes.len();
        if many < self.of as usize || many < 2 {
            return Err(EngineError::CannotHold(format!(
                "{}: has {many} block{} of parts to share out, too few for --shard {self}",
                search.graph.opened.full_name(),
                if many == 1 { "" } else { "s" },
            )));
        }
        Ok(self.share(&sizes))
    }

    /// The blocks of one of several processes; there may be none.
    ///
    /// # Errors
    /// The puzzle fails.
    pub(crate) fn of_process<K: Key>(
        index: usize,
        count: usize,
        search: &Search<K>,
    ) -> Result<BTreeSet<u64>, EngineError> {
        let (number, of) = (index as u32 + 1, count as u32);
        Ok(Self { number, of }.share(&sizes(search)?))
    }

    fn share(self, sizes: &[u128]) -> BTreeSet<u64> {
        let shards = deal(sizes, self.of as usize);
        let blocks = (0..).zip(shards);
        let mine = blocks.filter(|(_, shard)| shard + 1 == self.number as usize);
        mine.map(|(block, _)| block).collect()
    }
}

/// Which of `among` gets each of several pieces. Greedy: the largest remaining one goes to the
/// process that has the least so far, the first of several. This is Graham's longest processing
/// time first, at most a third above the optimum.
pub(crate) fn deal(sizes: &[u128], among: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&piece| (std::cmp::Reverse(sizes[piece]), piece));
    let mut loads = vec![0_u128; among];
    let mut owners = vec![0; sizes.len()];
    for piece in order {
        let to = (0..among).min_by_key(|&to| loads[to]).unwrap_or_default();
        loads[to] += sizes[piece];
        owners[piece] = to;
    }
    owners
}

/// Most parts of a block whose size is requested: some puzzles count a part's states one by one,
/// and there may be millions of parts.
const ASKED: usize = 16;

/// Approximate number of states of each block, from evenly spaced parts of it.
fn sizes<K: Key>(search: &Search<K>) -> Result<Vec<u128>, EngineError> {
    let parts = search.parts()?;
    let mut sizes = Vec::new();
    for block in parts.chunks(block_size(&parts)) {
        let mut asked: Vec<u128> = Vec::new();
        for &part in block.iter().step_by(block.len().div_ceil(ASKED)) {
            // If states are not numbered, all parts count alike.
            asked.push(search.graph.space(part)?.map_or(1, u128::from));
        }
        sizes.push(asked.iter().sum::<u128>() * block.len() as u128 / asked.len() as u128);
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shard::ShardError;
    use proptest::prelude::*;

    #[test]
    fn names() {
        assert_eq!(
            "3/16".parse::<Shard>().map(|s| s.to_string()),
            Ok("3/16".into())
        );
        for wrong in [
            "", "3", "0/4", "5/4", "1/0", "-1/4", "1/2/3", "1/513", "a/b",
        ] {
            assert_eq!(wrong.parse::<Shard>(), Err(ShardError), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn every_block_is_in_one_shard_and_none_is_much_larger(
            sizes in proptest::collection::vec(0_u128..1000, 1..80),
            of in 1_u32..20,
        ) {
            let shards: Vec<BTreeSet<u64>> = (1..=of).map(|number| Shard { number, of }.share(&sizes)).collect();
            let mut all: Vec<u64> = shards.iter().flatten().copied().collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..sizes.len() as u64).collect::<Vec<_>>());
            let largest = sizes.iter().copied().max().unwrap_or_default();
            let load = |shard: &BTreeSet<u64>| shard.iter().map(|&b| sizes[b as usize]).sum::<u128>();
            let mean = sizes.iter().sum::<u128>() / u128::from(of);
            prop_assert!(shards.iter().all(|shard| load(shard) <= mean + largest));
        }
    }
}
