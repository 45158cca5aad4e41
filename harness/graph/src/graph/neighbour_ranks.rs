//! From ranks to the ranks of their neighbours: in one call if the puzzle offers it, else through
//! the states.

use crate::capabilities::Capabilities;
use puzzle_api::abi::{ANTIPODE_MAX_BATCH, ANTIPODE_MORE_ROOM, ANTIPODE_OK};
use puzzle_api::{Direction, Key};

use std::collections::HashSet;

use super::numbering::all_below;
use super::{Expansion, Graph, extend, way};
use crate::buffer::{GUARD, GuardedBuffer};
use crate::call::PluginError;
use crate::ledger::{Function, MOST, Noted};

/// Initial capacity of the output in ranks.
const FIRST_ROOM: usize = 1 << 17;
/// Most neighbours of one batch before the puzzle counts as broken.
const MOST_ROOM: usize = 1 << 28;

/// Neighbours of a batch of ranks; reused from batch to batch.
#[derive(Debug)]
pub struct RankExpansion<K> {
    /// Ranks at the start of the buffer, where the puzzle writes them.
    filled: usize,
    buffer: GuardedBuffer<u64>,
    key_room: GuardedBuffer<u64>,
    keys: Vec<K>,
    states: Expansion<K>,
}

impl<K: Key> Default for RankExpansion<K> {
    fn default() -> Self {
        Self {
            filled: 0,
            buffer: GuardedBuffer::guarded(FIRST_ROOM, GUARD),
            key_room: GuardedBuffer::new(0),
            keys: Vec::new(),
            states: Expansion::default(),
        }
    }
}

impl<K: Key> RankExpansion<K> {
    /// Ranks of all neighbours of the batch, in no particular order.
    #[must_use]
    pub fn ranks(&self) -> &[u64] {
        self.buffer.first(self.filled)
    }

    /// Keys of the batch itself, if they were requested.
    #[must_use]
    pub fn keys(&self) -> &[K] {
        &self.keys
    }
}

impl<K: Key> Graph<K> {
    /// Ranks of the successors (forward) or predecessors (backward) of states of one part of `size`
    /// ranks, all of whose neighbours lie within the numbering; with the keys of the states
    /// themselves if these are requested. The puzzle must offer [`Graph::expand`] in the direction,
    /// or the one call.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails or returns a rank beyond the part.
    pub fn neighbour_ranks(
        &self,
        direction: Direction,
        (part, size): (u64, u64),
        ranks: &[u64],
        with_keys: bool,
        out: &mut RankExpansion<K>,
    ) -> Result<(), PluginError> {
        let call = self.opened.table.neighbour_ranks;
        let Some(call) = call.filter(|_| self.has(Capabilities::NEIGHBOUR_RANKS)) else {
            self.unrank(part, ranks, &mut out.keys)?;
            self.expand(direction, &out.keys, &mut out.states)?;
            let states = out.states.keys();
            let fill = |found: &mut Vec<u64>| self.ranks(part, size, states, found);
            out.filled = out.buffer.refill(fill)?;
            return Ok(());
        };
        out.filled = 0;
        out.keys.clear();
        for batch in ranks.chunks(ANTIPODE_MAX_BATCH) {
            loop {
                let capacity = out.buffer.len() - out.filled;
                let keys = if with_keys {
                    out.key_room.stretch(batch.len() * self.width());
                    // A key that was not written must not be one of the previous batch.
                    out.key_room.mark();
                    out.key_room.as_mut_ptr()
                } else {
                    std::ptr::null_mut()
                };
                let mut filled = 0;
                // SAFETY: the buffer has `capacity` entries after those of earlier batches, and the
                // other a key per state; the guard detects a plugin that writes a little beyond.
                let status = self.opened.within("neighbour_ranks", || unsafe {
                    call(
                        self.opened.handle,
                        way(direction),
                        part,
                        batch.as_ptr(),
                        batch.len(),
                        keys,
                        out.buffer.as_mut_ptr().add(out.filled),
                        capacity,
                        &mut filled,
                    )
                });
                self.opened.filled(&out.buffer, "neighbour_ranks")?;
                match status {
                    ANTIPODE_OK if filled <= capacity => {
                        out.filled += filled;
                        if with_keys {
                            let keys = self.opened.filled(&out.key_room, "neighbour_ranks")?;
                            extend(self.width(), keys, &mut out.keys);
                        }
                        break;
                    }
                    ANTIPODE_OK => {
                        let fault = format!("says it wrote {filled} ranks where {capacity} fit");
                        return Err(self.broken("neighbour_ranks", fault));
                    }
                    ANTIPODE_MORE_ROOM if filled > capacity && filled <= MOST_ROOM => {
                        out.buffer.stretch(out.filled + filled);
                    }
                    ANTIPODE_MORE_ROOM => {
                        let fault = format!("asks for room for {filled} ranks, given {capacity}");
                        return Err(self.broken("neighbour_ranks", fault));
                    }
                    other => return Err(self.opened.refused("neighbour_ranks", other)),
                }
            }
        }
        // Ranks of a puzzle that ships are checked in the tests alone: it is a tenth of a search.
        if (self.opened.ledger.is_some() || cfg!(debug_assertions))
            && !all_below(out.ranks(), size)
            && let Some(rank) = out.ranks().iter().find(|&&rank| rank >= size)
        {
            let fault = format!("gave rank {rank} in a part of {size} ranks");
            return Err(self.broken("neighbour_ranks", fault));
        }
        self.compare_ranks(direction, (part, size), ranks, out)
    }

    /// Compares a loaded library's answer for a batch with new answers of the functions that it
    /// replaces. For a batch, it does not say which neighbour belongs to which state. If there are
    /// many batches, it compares one in 64.
    fn compare_ranks(
        &self,
        direction: Direction,
        (part, size): (u64, u64),
        ranks: &[u64],
        out: &mut RankExpansion<K>,
    ) -> Result<(), PluginError> {
        let (Some(ledger), Some(&first)) = (&self.opened.ledger, ranks.first()) else {
            return Ok(());
        };
        let function = Function::NeighbourRanks;
        let input = |rank: u64| (part.into(), rank.into());
        if !ledger.takes(function, input(first), size <= MOST as u64) {
            return Ok(());
        }
        let (mut keys, mut own) = (Vec::new(), Vec::new());
        self.unrank(part, ranks, &mut keys)?;
        self.expand(direction, &keys, &mut out.states)?;
        self.ranks(part, size, out.states.keys(), &mut own)?;
        let given: HashSet<u64> = out.ranks().iter().copied().collect();
        // A move that changes nothing may or may not be listed.
        let (mut right, mut at): (HashSet<u64>, usize) = (HashSet::new(), 0);
        let mut odd = None;
        for (i, &rank) in ranks.iter().enumerate() {
            for &to in &own[at..at + out.states.of(i).len()] {
                right.insert(to);
                odd = odd.or((to != rank && !given.contains(&to)).then_some(to));
            }
            at += out.states.of(i).len();
        }
        right.extend(ranks);
        odd = odd.or_else(|| given.into_iter().find(|rank| !right.contains(rank)));
        let mut pairs = out.keys.iter().zip(&keys).zip(ranks);
        if let Some(((given, key), &rank)) = pairs.find(|((given, key), _)| given != key) {
            let noted = Noted {
                function: Function::Unrank,
                input: input(rank),
                text: None,
                answer: [given.to_u128()].into(),
            };
            ledger.differs(noted, [key.to_u128()].into());
            let fault = format!("gave another key than unrank for rank {rank} of part {part}");
            return Err(self.opened.disagrees("neighbour_ranks", fault));
        }
        let Some(odd) = odd else {
            return Ok(());
        };
        let listed = |ranks: &HashSet<u64>| [u128::from(ranks.contains(&odd))].into();
        let noted = Noted {
            function,
            input: input(odd),
            text: None,
            answer: [u128::from(!right.contains(&odd))].into(),
        };
        ledger.differs(noted, listed(&right));
        let fault =
            format!("does not give the ranks of the neighbours: see rank {odd} of part {part}");
        Err(self.opened.disagrees("neighbour_ranks", fault))
    }
}
