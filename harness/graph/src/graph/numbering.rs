//! Parts, ranks, buckets and random draws.

use crate::capabilities::Capabilities;
use puzzle_api::abi::{ANTIPODE_MAX_BATCH, ANTIPODE_NOWHERE, ANTIPODE_UNSUPPORTED, AntipodeText};
use puzzle_api::{Key, Placement};

use super::{Graph, extend};
use crate::buffer::GuardedBuffer;
use crate::call::{PluginError, SHORT_ROOM, name_line};
use crate::ledger::Function;

/// Whether all words are `word`. Without an early exit, it runs on vectors.
fn all_equal(words: &[u64], word: u64) -> bool {
    words.iter().fold(0, |other, at| other | (at ^ word)) == 0
}

/// Whether all words are below `size`: then neither they nor their differences from it have the top
/// bit, if `size` has not. Runs on vectors too.
#[inline]
pub(super) fn all_below(words: &[u64], size: u64) -> bool {
    let Some(last) = size.checked_sub(1).filter(|last| last >> 63 == 0) else {
        return words.iter().all(|&word| word < size);
    };
    let beyond = |sum: u64, word: &u64| sum | word | last.wrapping_sub(*word);
    words.iter().fold(0, beyond) >> 63 == 0
}

/// Parts and ranks of a batch; reused from batch to batch.
#[derive(Debug, Default)]
pub struct Ranking {
    parts: GuardedBuffer<u64>,
    ranks: GuardedBuffer<u64>,
}

impl<K: Key> Graph<K> {
    /// One line that names a part.
    #[must_use]
    pub fn part_name(&self, part: u64) -> String {
        match self.part_text(part) {
            Ok(Some(name)) => name_line(&name),
            _ => part.to_string(),
        }
    }

    /// The name of a part as the puzzle writes it, if it names this one.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn part_text(&self, part: u64) -> Result<Option<String>, PluginError> {
        let call = self.opened.table.part_name;
        let Some(call) = call.filter(|_| self.has(Capabilities::PARTS)) else {
            return Ok(None);
        };
        // SAFETY: the text lives across the call.
        let call = |out: &mut AntipodeText| unsafe { call(self.opened.handle, part, out) };
        self.said("part_name", SHORT_ROOM, call)
    }

    /// Number of ranks of a part, if the instance has a numbering.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn space(&self, part: u64) -> Result<Option<u64>, PluginError> {
        if !self.has(Capabilities::RANK) {
            return Ok(None);
        }
        let call = self.required("space", self.opened.table.space)?;
        let mut size = 0;
        // SAFETY: `size` is ours.
        let made = || unsafe { call(self.opened.handle, part, &mut size) };
        let size = match self.opened.within("space", made) {
            ANTIPODE_UNSUPPORTED => None,
            status => self.check("space", status).map(|()| Some(size))?,
        };
        let input = |_| (part.into(), 0);
        let answer = |_, out: &mut Vec<u128>| out.extend(size.map(u128::from));
        self.opened.note(Function::Space, 1, input, answer);
        Ok(size)
    }

    /// Part and rank of each state; `None` for a state outside the numbering.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn place(&self, keys: &[K], out: &mut Vec<Option<Placement>>) -> Result<(), PluginError> {
        let mut ranking = Ranking::default();
        self.place_in(&mut ranking, keys)?;
        let parts = self.opened.filled(&ranking.parts, "place")?;
        let ranks = self.opened.filled(&ranking.ranks, "place")?;
        out.clear();
        for (&part, &rank) in parts.iter().zip(ranks) {
            out.push(self.placement(part, rank)?);
        }
        Ok(())
    }

    fn place_in(&self, ranking: &mut Ranking, keys: &[K]) -> Result<(), PluginError> {
        let call = self.required("place", self.opened.table.place)?;
        let Ranking { parts, ranks } = ranking;
        parts.stretch(keys.len());
        // A plugin that skips an entry is detected by the part; its rank may be an old one.
        parts.mark();
        ranks.stretch(keys.len());
        let mut at = 0;
        for batch in keys.chunks(ANTIPODE_MAX_BATCH) {
            let words = self.words(batch);
            // SAFETY: both buffers have an entry per state, and this batch starts at `at`.
            let status = self.opened.within("place", || unsafe {
                call(
                    self.opened.handle,
                    words.as_ptr(),
                    batch.len(),
                    parts.as_mut_ptr().add(at),
                    ranks.as_mut_ptr().add(at),
                )
            });
            self.check("place", status)?;
            at += batch.len();
        }
        let parts = self.opened.filled(parts, "place")?;
        let ranks = self.opened.filled(ranks, "place")?;
        self.note(Function::Place, keys, |i, out| match parts[i] {
            ANTIPODE_NOWHERE => {}
            part => out.extend([u128::from(part), u128::from(ranks[i])]),
        });
        Ok(())
    }

    /// Ranks of states that are all in one part of `size` ranks.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails, or a state is elsewhere: moves must stay within a part,
    /// and ranks within its size.
    pub fn ranks(
        &self,
        part: u64,
        size: u64,
        keys: &[K],
        out: &mut Vec<u64>,
    ) -> Result<(), PluginError> {
        let mut ranking = Ranking::default();
        let ranks = self.ranks_in(&mut ranking, part, size, keys)?;
        let Some(ranks) = ranks else {
            return Err(self.astray(part, size, keys, &ranking)?);
        };
        out.clear();
        out.extend_from_slice(ranks);
        Ok(())
    }

    /// Like [`Graph::ranks`], in a buffer that is reused from batch to batch. `None` if some state
    /// lies outside the numbering, which may hold only one state of an orbit.
    ///
    /// # Errors
    /// Same as [`Graph::ranks`], except for states outside the numbering.
    pub fn ranks_in<'a>(
        &self,
        ranking: &'a mut Ranking,
        part: u64,
        size: u64,
        keys: &[K],
    ) -> Result<Option<&'a [u64]>, PluginError> {
        self.place_in(ranking, keys)?;
        let parts = self.opened.filled(&ranking.parts, "place")?;
        let ranks = self.opened.filled(&ranking.ranks, "place")?;
        if all_equal(parts, part) && all_below(ranks, size) {
            return Ok(Some(ranks));
        }
        if parts.contains(&ANTIPODE_NOWHERE) {
            return Ok(None);
        }
        Err(self.astray(part, size, keys, ranking)?)
    }

    /// The fault of the first state that is not where it must be.
    fn astray(
        &self,
        part: u64,
        size: u64,
        keys: &[K],
        ranking: &Ranking,
    ) -> Result<PluginError, PluginError> {
        let parts = self.opened.filled(&ranking.parts, "place")?;
        let ranks = self.opened.filled(&ranking.ranks, "place")?;
        let inside = |i: &usize| parts[*i] == part && ranks[*i] < size;
        let Some(i) = (0..keys.len()).find(|i| !inside(i)) else {
            return Ok(self.broken("place", "gave different ranks when asked again"));
        };
        let whereabouts = match parts[i] {
            ANTIPODE_NOWHERE => "outside the numbering".to_owned(),
            at => format!("at part {at}, rank {}", ranks[i]),
        };
        Ok(self.broken(
            "place",
            format!(
                "puts {} {whereabouts}, where part {part} with {size} ranks is being searched: moves must stay within a part",
                self.draw(keys[i])?
            ),
        ))
    }

    fn placement(&self, part: u64, rank: u64) -> Result<Option<Placement>, PluginError> {
        if part == ANTIPODE_NOWHERE {
            return Ok(None);
        }
        let count = self.opened.part_count;
        if part >= count {
            return Err(self.broken("place", format!("gave part {part} of {count}")));
        }
        Ok(Some(Placement { part, rank }))
    }

    /// The states with the given ranks of a part.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn unrank(&self, part: u64, ranks: &[u64], out: &mut Vec<K>) -> Result<(), PluginError> {
        let call = self.required("unrank", self.opened.table.unrank)?;
        out.clear();
        for batch in ranks.chunks(ANTIPODE_MAX_BATCH) {
            let (ranks, count) = (batch.as_ptr(), batch.len());
            // SAFETY: there is space for a key per rank.
            let made = self.written("unrank", count * self.width(), |out| unsafe {
                call(self.opened.handle, part, ranks, count, out)
            })?;
            let first = out.len();
            extend(self.width(), &made, out);
            let input = |i: usize| (part.into(), batch[i].into());
            let answer = |i: usize, answer: &mut Vec<u128>| answer.push(out[first + i].to_u128());
            self.opened
                .note(Function::Unrank, batch.len(), input, answer);
        }
        Ok(())
    }

    /// Locality number of each state.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn bucket(&self, keys: &[K]) -> Result<Vec<u64>, PluginError> {
        self.numbers("bucket", self.opened.table.bucket, keys)
    }

    /// States drawn uniformly from the instance: draws `first..first + count` of `seed`.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn random(&self, seed: u64, first: u64, count: usize) -> Result<Vec<K>, PluginError> {
        let call = self.required("random", self.opened.table.random)?;
        let mut drawn: Vec<K> = Vec::with_capacity(count);
        while drawn.len() < count {
            let batch = (count - drawn.len()).min(ANTIPODE_MAX_BATCH);
            let first = first.wrapping_add(drawn.len() as u64);
            // SAFETY: there is space for a key per draw.
            let made = self.written("random", batch * self.width(), |out| unsafe {
                call(self.opened.handle, seed, first, batch, out)
            })?;
            let at = drawn.len();
            extend(self.width(), &made, &mut drawn);
            let input = |i: usize| (seed.into(), first.wrapping_add(i as u64).into());
            let answer = |i: usize, out: &mut Vec<u128>| out.push(drawn[at + i].to_u128());
            self.opened.note(Function::Random, batch, input, answer);
        }
        Ok(drawn)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{all_below, all_equal};

    proptest! {
        #[test]
        fn checks_without_a_way_out_agree_with_those_that_have_one(
            words in prop::collection::vec(prop_oneof![0_u64..8, any::<u64>()], 0..6),
            size in prop_oneof![0_u64..9, any::<u64>()],
        ) {
            prop_assert_eq!(all_below(&words, size), words.iter().all(|&word| word < size));
            prop_assert_eq!(all_equal(&words, size), words.iter().all(|&word| word == size));
        }
    }
}
