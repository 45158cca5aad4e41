//! Inclusiveness (thesis, section 3.3.1): sampled states with a known distance by the rules are
//! crossed off as the run meets them; those left over were missed.

use std::collections::HashMap;
use std::sync::Arc;

use puzzle_api::Key;

use super::Batch;
use crate::digest::hash_key;
use crate::wide::any_within;

/// A sampled state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample<K> {
    /// Position in the list, for records.
    pub index: u32,
    /// Key in the form that the run delivers.
    pub key: K,
    /// Distance by the rules, or [`puzzle_api::UNSOLVABLE`]; `None` for a state that only a playout
    /// ended in.
    pub expected: Option<u16>,
    /// Moves of the shortest playout that ended there, if one did.
    pub within: Option<u16>,
    /// Distance by the rules, if an ascent passed through the state.
    pub ascended: Option<u16>,
}

/// The samples of one part behind a filter: one load and one test dismiss almost every
/// state that is not a sample.
#[derive(Debug, Clone)]
struct PartList<K> {
    filter: Vec<u64>,
    samples: Vec<Sample<K>>,
    /// Low words of their hashes, if there are few samples: then each is looked for among many
    /// states at once.
    few: Option<Vec<u64>>,
}

/// Most samples of a part that are looked for one by one.
const FEW: usize = 3;

/// Bits of the filter per sample: one state in as many passes by accident.
const FILTER_BITS: usize = 1024;

impl<K: Key> PartList<K> {
    fn new(mut samples: Vec<Sample<K>>) -> Self {
        samples.sort_unstable_by_key(|sample| sample.key);
        let words = (samples.len() * FILTER_BITS / 64).next_power_of_two();
        let mut filter = vec![0_u64; words];
        let hashes = samples.iter().map(|s| hash_key(s.key.to_u128()) as u64);
        let hashes: Vec<u64> = hashes.collect();
        for &hash in &hashes {
            let bit = Self::bit(hash, words);
            filter[bit / 64] |= 1 << (bit % 64);
        }
        Self {
            filter,
            few: (samples.len() <= FEW).then_some(hashes),
            samples,
        }
    }

    /// Whether some state with one of these hashes may be a sample.
    fn may_hold(&self, hashes: &[u64]) -> bool {
        let held = |few: &Vec<u64>| few.iter().any(|&hash| any_within(hashes, hash, 1));
        self.few.as_ref().is_none_or(held)
    }

    const fn bit(hash: u64, words: usize) -> usize {
        hash as usize & (words * 64 - 1)
    }

    fn find(&self, key: K, hash: u64) -> Option<&Sample<K>> {
        let bit = Self::bit(hash, self.filter.len());
        if self.filter[bit / 64] & (1 << (bit % 64)) == 0 {
            return None;
        }
        let at = self.samples.binary_search_by_key(&key, |s| s.key).ok()?;
        Some(&self.samples[at])
    }
}

/// All samples, by part.
#[derive(Debug, Clone)]
pub struct InclusionList<K> {
    parts: HashMap<u64, PartList<K>>,
    /// Samples by index.
    pub samples: Vec<Sample<K>>,
}

impl<K> Default for InclusionList<K> {
    fn default() -> Self {
        Self {
            parts: HashMap::new(),
            samples: Vec::new(),
        }
    }
}

impl<K: Key> InclusionList<K> {
    /// A list from (part, key, distance by the rules); the same key twice is one sample.
    pub fn new(drawn: impl IntoIterator<Item = (u64, K, u16)>) -> Self {
        Self::with_walks(drawn, [], [])
    }

    /// Like [`InclusionList::new`], with (part, key, moves) of states that playouts ended in, and
    /// (part, key, distance) of states that ascents passed through.
    pub fn with_walks(
        drawn: impl IntoIterator<Item = (u64, K, u16)>,
        playouts: impl IntoIterator<Item = (u64, K, u16)>,
        ascents: impl IntoIterator<Item = (u64, K, u16)>,
    ) -> Self {
        let mut samples: Vec<(u64, Sample<K>)> = Vec::new();
        let mut known: HashMap<K, usize> = HashMap::new();
        let mut sample = |part, key| {
            let at = *known.entry(key).or_insert(samples.len());
            if at == samples.len() {
                let sample = Sample {
                    index: at as u32,
                    key,
                    expected: None,
                    within: None,
                    ascended: None,
                };
                samples.push((part, sample));
            }
            at
        };
        let mut placed = |walks: &mut dyn Iterator<Item = (u64, K, u16)>| -> Vec<(usize, u16)> {
            let walks = walks.map(|(part, key, moves)| (sample(part, key), moves));
            walks.collect()
        };
        let drawn = placed(&mut drawn.into_iter());
        let playouts = placed(&mut playouts.into_iter());
        let ascents = placed(&mut ascents.into_iter());
        for (at, depth) in ascents {
            samples[at].1.ascended.get_or_insert(depth);
        }
        for (at, depth) in drawn {
            samples[at].1.expected.get_or_insert(depth);
        }
        for (at, moves) in playouts {
            let within = &mut samples[at].1.within;
            *within = Some(within.map_or(moves, |least| least.min(moves)));
        }
        let mut by_part: HashMap<u64, Vec<Sample<K>>> = HashMap::new();
        for &(part, sample) in &samples {
            by_part.entry(part).or_default().push(sample);
        }
        let parts = by_part
            .into_iter()
            .map(|(part, samples)| (part, PartList::new(samples)))
            .collect();
        Self {
            parts,
            samples: samples.into_iter().map(|(_, sample)| sample).collect(),
        }
    }
}

/// A sample met by the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Strike {
    /// Index of the sample.
    pub index: u32,
    /// Distance that the run gives it.
    pub depth: u16,
}

/// Samples met so far.
#[derive(Debug, Clone)]
pub struct Strikes<K> {
    list: Arc<InclusionList<K>>,
    /// In no order; a sample met twice is listed twice.
    pub met: Vec<Strike>,
}

impl<K: Key> Strikes<K> {
    pub(super) fn new(list: Arc<InclusionList<K>>) -> Self {
        Self {
            list,
            met: Vec::new(),
        }
    }

    pub(super) fn list(&self) -> Arc<InclusionList<K>> {
        Arc::clone(&self.list)
    }

    /// All samples.
    pub fn samples(&self) -> &[Sample<K>] {
        &self.list.samples
    }

    pub(super) fn observe(&mut self, batch: &Batch<'_, K>) {
        let Some(part) = self.list.parts.get(&batch.part) else {
            return;
        };
        if !part.may_hold(batch.hashes) {
            return;
        }
        for (i, (&key, &hash)) in batch.keys.iter().zip(batch.hashes).enumerate() {
            if let Some(sample) = part.find(key, hash) {
                self.met.push(Strike {
                    index: sample.index,
                    depth: batch.depths[i],
                });
            }
        }
    }

    pub(super) fn absorb(&mut self, other: Self) {
        self.met.extend(other.met);
    }
}
