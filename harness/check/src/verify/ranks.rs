//! Ranks of a part: each belongs to one state, and every state with a rank was delivered, or is
//! shown to be outside.
//!
//! A delivered state whose rank leads back to it settles that rank: no other state can do the same.
//! Only unsettled ranks are looked up for their state.

use std::ops::Range;
use std::sync::atomic::Ordering;

use puzzle_api::Key;

use antipode_graph::{Expansion, Graph, PluginError};
use antipode_search::engines::BATCH;
use antipode_search::parallel;
use antipode_search::progress::Progress;

use super::faults::Faults;
use super::states::PartCheck;

impl<K: Key> PartCheck<'_, K> {
    /// The fault in the rank of each state that has one.
    pub(super) fn astray(&self, keys: &[K]) -> Result<Vec<Option<&'static str>>, PluginError> {
        let mut faults = vec![None; keys.len()];
        let Some(numbering) = self.against.numbering() else {
            return Ok(faults);
        };
        let mut placed = Vec::new();
        numbering.place(keys, &mut placed)?;
        let (mut at, mut ranks) = (Vec::new(), Vec::new());
        for (i, place) in placed.iter().enumerate() {
            match place {
                Some(place) if place.part == self.part => {
                    at.push(i);
                    ranks.push(place.rank);
                }
                Some(_) => faults[i] = Some("lies in another part"),
                None => {}
            }
        }
        let size = numbering.space(self.part)?.unwrap_or(0);
        if ranks.iter().any(|&rank| rank >= size) {
            for (&i, &rank) in at.iter().zip(&ranks) {
                faults[i] = (rank >= size).then_some("has a rank beyond the last");
            }
            return Ok(faults);
        }
        let mut back = Vec::new();
        numbering.unrank(self.part, &ranks, &mut back)?;
        for (at, (i, back)) in at.into_iter().zip(back).enumerate() {
            match back == keys[i] {
                true => self.settle(ranks[at]),
                false => faults[i] = Some("its rank is that of another state"),
            }
        }
        Ok(faults)
    }

    fn settle(&self, rank: u64) {
        if let Some(word) = self.settled.get((rank / 64) as usize) {
            word.fetch_or(1 << (rank % 64), Ordering::Relaxed);
        }
    }

    /// Ranks of a range that no delivered state settles.
    fn open_ranks(&self, range: Range<u64>) -> Vec<u64> {
        let open = |rank: &u64| {
            let word = self.settled.get((rank / 64) as usize);
            let word = word.map_or(0, |word| word.load(Ordering::Relaxed));
            word >> (rank % 64) & 1 == 0
        };
        range.filter(open).collect()
    }

    /// Every rank belongs to its state, and every state with a rank was delivered, or is shown to
    /// be outside. Returns false when stopped midway.
    pub(super) fn ranks(
        &self,
        numbering: &Graph<K>,
        faults: &mut Faults<'_, K>,
        progress: &Progress,
    ) -> Result<bool, PluginError> {
        let size = numbering.space(self.part)?.unwrap_or(0);
        let checked = parallel::try_map((0..size).step_by(BATCH), |start| {
            if progress.stopping() {
                return Ok(None);
            }
            self.some_ranks(numbering, start..size.min(start + BATCH as u64))
                .map(Some)
        })?;
        for found in checked {
            let Some(found) = found else { return Ok(false) };
            faults.add_missing(found)?;
        }
        Ok(true)
    }

    fn some_ranks(
        &self,
        numbering: &Graph<K>,
        range: Range<u64>,
    ) -> Result<Vec<(K, &'static str)>, PluginError> {
        let ranks = self.open_ranks(range);
        let (mut keys, mut placed) = (Vec::new(), Vec::new());
        numbering.unrank(self.part, &ranks, &mut keys)?;
        numbering.place(&keys, &mut placed)?;
        let mut found = Vec::new();
        for ((&key, &rank), place) in keys.iter().zip(&ranks).zip(&placed) {
            let own = place.is_some_and(|place| place.part == self.part && place.rank == rank);
            if !own {
                found.push((key, "stands for a rank that is not its own"));
            }
        }
        keys.retain(|&key| self.images.get(key).is_none());
        if self.against.whole {
            self.against.reduce(&mut keys)?;
            found.extend(
                keys.into_iter()
                    .map(|key| (key, "has a rank, and the run did not deliver it")),
            );
        } else {
            found.extend(self.beyond().look(&keys, &mut Expansion::default())?);
        }
        Ok(found)
    }
}
