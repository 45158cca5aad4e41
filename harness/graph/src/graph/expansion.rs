//! Successors and predecessors of a batch.

use std::collections::BTreeSet;

use crate::capabilities::Capabilities;
use puzzle_api::abi::{
    ANTIPODE_MAX_BATCH, ANTIPODE_MORE_ROOM, ANTIPODE_OK, ANTIPODE_ORBITS, ANTIPODE_PRUNED,
    ANTIPODE_UNUSED, AntipodeStatus,
};
use puzzle_api::{Direction, Key};

use super::{Graph, extend, way};
use crate::buffer::{GUARD, GuardedBuffer};
use crate::call::PluginError;
use crate::ledger::Function;

/// Capacity of an expansion's output in keys, unless one state has more.
const ENOUGH_ROOM: usize = 1 << 15;
/// Initial capacity in keys for each state of a batch. With more, a search of some thousand states
/// would spend more on clearing memory than on the states.
const ROOM_FOR_EACH: usize = 32;
/// Most keys that one state may expand to before the puzzle counts as broken.
const MOST_ROOM: usize = 1 << 26;

/// Successors or predecessors of a batch; reused from batch to batch.
#[derive(Debug)]
pub struct Expansion<K> {
    buffer: GuardedBuffer<u64>,
    /// Words of a key in the buffer.
    width: usize,
    /// Whether the capacity follows the batches, or is fixed by the caller.
    by_batch: bool,
    offsets: Vec<usize>,
    keys: Vec<K>,
    ends: Vec<usize>,
    /// A mark for each key, if requested.
    marks: Vec<u32>,
    room_for_marks: GuardedBuffer<u32>,
    /// Whether the current call returns marks.
    is_marked: bool,
}

impl<K: Key> Default for Expansion<K> {
    fn default() -> Self {
        Self {
            by_batch: true,
            ..Self::with_capacity(0, 0)
        }
    }
}

impl<K: Key> Expansion<K> {
    /// An expansion with an initial capacity of `capacity` keys for a plugin, followed by a guard
    /// of at least `guard` keys, all marked as not written.
    #[must_use]
    pub fn with_capacity(capacity: usize, guard: usize) -> Self {
        let mut buffer = GuardedBuffer::guarded(capacity * K::WORDS, guard * K::WORDS + GUARD);
        buffer.mark();
        Self {
            buffer,
            width: K::WORDS,
            by_batch: false,
            offsets: Vec::new(),
            keys: Vec::new(),
            ends: Vec::new(),
            marks: Vec::new(),
            room_for_marks: GuardedBuffer::guarded(0, GUARD),
            is_marked: false,
        }
    }

    /// Every neighbour of the batch, in the order of the states.
    #[must_use]
    pub fn keys(&self) -> &[K] {
        &self.keys
    }

    /// Every neighbour, to be changed in place.
    pub fn keys_mut(&mut self) -> &mut Vec<K> {
        &mut self.keys
    }

    /// The neighbours of state `i` of the batch.
    #[must_use]
    pub fn of(&self, i: usize) -> &[K] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.keys[start..self.ends[i]]
    }

    /// The neighbours of state `i` of the batch, without the state itself: a move that changes
    /// nothing may or may not be listed.
    #[must_use]
    pub fn others(&self, i: usize, state: K) -> BTreeSet<K> {
        let own = self.of(i).iter().copied();
        own.filter(|&key| key != state).collect()
    }

    /// The marks of neighbours, if [`Graph::expand_unused`] returned them: for each key, the bit of
    /// the group of moves that leads back.
    #[must_use]
    pub fn marks(&self) -> &[u32] {
        &self.marks
    }

    /// The marks of the neighbours of state `i` of the batch; empty if the call returned none.
    #[must_use]
    pub fn marks_of(&self, i: usize) -> &[u32] {
        if !self.is_marked {
            return &[];
        }
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.marks[start..self.ends[i]]
    }

    /// Empties the expansion.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.marks.clear();
        self.ends.clear();
    }

    /// Appends the neighbours of one more state.
    pub fn push(&mut self, neighbours: impl IntoIterator<Item = K>) {
        self.keys.extend(neighbours);
        self.ends.push(self.keys.len());
    }

    fn capacity(&self) -> usize {
        self.buffer.len() / self.width
    }

    fn grow(&mut self) {
        self.enlarge((self.capacity() * 4).max(64));
    }

    fn enlarge(&mut self, capacity: usize) {
        self.buffer = GuardedBuffer::guarded(capacity * self.width, self.buffer.guard());
    }

    /// Sets the number of words of a key, at the same capacity.
    fn set_width(&mut self, width: usize) {
        let capacity = self.capacity();
        if self.width != width {
            self.width = width;
            self.enlarge(capacity);
            self.buffer.mark();
        }
    }

    /// Capacity for a batch of n states, which may still be too small.
    fn make_room(&mut self, states: usize) {
        let wanted = (states * ROOM_FOR_EACH).next_power_of_two();
        let wanted = wanted.min(ENOUGH_ROOM);
        if self.by_batch && self.capacity() < wanted {
            self.enlarge(wanted);
        }
    }
}

impl<K: Key> Graph<K> {
    /// Successors (forward) or predecessors (backward) of a batch of states.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails or breaks the contract: wrong offsets, more
    /// than the capacity, no progress.
    pub fn expand(
        &self,
        direction: Direction,
        keys: &[K],
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        let table = self.opened.table;
        let (function, call) = match direction {
            Direction::Forward => (Function::Successors, table.successors),
            Direction::Backward => (Function::Predecessors, table.predecessors),
        };
        let call = self.required(function.name(), call)?;
        out.is_marked = false;
        self.expand_asking(function.name(), keys, out, |_, asked, words, out, done| {
            // SAFETY: the arrays have the sizes that the contract states; the guard detects a
            // plugin that writes a little beyond.
            unsafe {
                call(
                    self.opened.handle,
                    words.as_ptr(),
                    asked,
                    out.buffer.as_mut_ptr(),
                    out.capacity(),
                    out.offsets.as_mut_ptr(),
                    done,
                )
            }
        })?;
        self.note(function, keys, |i, answer| {
            answer.extend(out.of(i).iter().map(|key| key.to_u128()));
            answer.sort_unstable();
        });
        Ok(())
    }

    /// Like [`Graph::expand`], without the moves of each state's used groups, and with the mark of
    /// each neighbour. The omission is the puzzle's assertion.
    ///
    /// # Errors
    /// Same as [`Graph::expand`].
    pub fn expand_unused(
        &self,
        keys: &[K],
        used: &[u32],
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        self.expand_in(ANTIPODE_UNUSED, keys, used, out)
    }

    /// Like [`Graph::expand`], but each neighbour is replaced by its representative: in one call if
    /// the puzzle offers it.
    ///
    /// # Errors
    /// Same as [`Graph::expand`] and [`Graph::canonical`].
    pub fn expand_to_orbits(
        &self,
        direction: Direction,
        keys: &[K],
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        if self.finds_orbits(direction) {
            return self.expand_in(ANTIPODE_ORBITS | way(direction), keys, &[], out);
        }
        self.expand(direction, keys, out)?;
        self.canonical(&mut out.keys, None)
    }

    /// Whether the puzzle offers representatives of neighbours in one call.
    #[must_use]
    pub fn finds_orbits(&self, direction: Direction) -> bool {
        self.opened.has_form(ANTIPODE_ORBITS | way(direction)) && self.has(Capabilities::SYMMETRY)
    }

    /// Like [`Graph::expand_to_orbits`], without neighbours that a lower bound excludes. Forward,
    /// these reach no solved state; backward, their time reversals reach none. For puzzles that
    /// offer it ([`Graph::prunes`]).
    ///
    /// # Errors
    /// Same as [`Graph::expand`].
    pub fn expand_pruned(
        &self,
        direction: Direction,
        keys: &[K],
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        self.expand_in(ANTIPODE_PRUNED | way(direction), keys, &[], out)
    }

    /// Whether the puzzle leaves out neighbours that a bound excludes.
    #[must_use]
    pub fn prunes(&self, direction: Direction) -> bool {
        let needed = match direction {
            Direction::Forward => Capabilities::NONE,
            Direction::Backward => Capabilities::TIME_REVERSAL,
        };
        self.opened.has_form(ANTIPODE_PRUNED | way(direction))
            && self.has(needed | Capabilities::LOWER_BOUND | Capabilities::SYMMETRY)
    }

    /// Neighbours in a form of `expand`; `used` holds a word for each state in `ANTIPODE_UNUSED`,
    /// and is not read in other forms.
    pub(super) fn expand_in(
        &self,
        want: u32,
        keys: &[K],
        used: &[u32],
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        let name = "expand";
        let call = self.required(name, self.opened.table.expand)?;
        let is_marked = want & ANTIPODE_UNUSED != 0;
        if is_marked && used.len() != keys.len() {
            return Err(self.broken(name, "is asked with unequal numbers of states and marks"));
        }
        out.is_marked = is_marked;
        self.expand_asking(name, keys, out, |from, asked, words, out, done| {
            let (mut groups, mut marks) = (std::ptr::null(), std::ptr::null_mut());
            if is_marked {
                if out.room_for_marks.len() != out.capacity() {
                    out.room_for_marks = GuardedBuffer::guarded(out.capacity(), GUARD);
                }
                groups = used[from..from + asked].as_ptr();
                marks = out.room_for_marks.as_mut_ptr();
            }
            // SAFETY: as in `expand`; there are as many words of `used` as states, and the capacity
            // for marks equals that for keys.
            unsafe {
                call(
                    self.opened.handle,
                    want,
                    words.as_ptr(),
                    groups,
                    asked,
                    out.buffer.as_mut_ptr(),
                    marks,
                    out.capacity(),
                    out.offsets.as_mut_ptr(),
                    done,
                )
            }
        })?;
        if let Some(odd) = out.marks.iter().find(|mark| !mark.is_power_of_two()) {
            return Err(self.broken(
                name,
                format!("gave the mark {odd:#x}, which is not one bit"),
            ));
        }
        let input = |i: usize| {
            let used = if is_marked { used[i] } else { 0 };
            (keys[i].to_u128(), u128::from(used) << 32 | u128::from(want))
        };
        let answer = |i: usize, answer: &mut Vec<u128>| {
            let marks = out.marks_of(i).iter().copied().chain(std::iter::repeat(0));
            let pairs = out.of(i).iter().zip(marks);
            let mut pairs: Vec<_> = pairs.map(|(key, mark)| (key.to_u128(), mark)).collect();
            pairs.sort_unstable();
            answer.extend(pairs.iter().flat_map(|&(key, mark)| [key, mark.into()]));
        };
        self.opened
            .note(Function::Expand, keys.len(), input, answer);
        Ok(())
    }

    /// Requests the neighbours of all states, again whenever the buffer was too small. `ask` takes
    /// the number of the first state, the count of states and their words, and returns for how many
    /// states the neighbours are complete.
    fn expand_asking(
        &self,
        name: &'static str,
        keys: &[K],
        out: &mut Expansion<K>,
        ask: impl Fn(usize, usize, &[u64], &mut Expansion<K>, &mut usize) -> AntipodeStatus,
    ) -> Result<(), PluginError> {
        out.clear();
        out.set_width(self.width());
        for (batch, first) in keys
            .chunks(ANTIPODE_MAX_BATCH)
            .zip((0..).step_by(ANTIPODE_MAX_BATCH))
        {
            let all = self.words(batch);
            out.make_room(batch.len());
            let mut from = 0;
            while from < batch.len() {
                let words = &all[from * self.width()..];
                let asked = batch.len() - from;
                out.offsets.clear();
                out.offsets.resize(asked + 1, usize::MAX);
                let mut done = 0;
                let call = || ask(first + from, asked, words, out, &mut done);
                let status = self.opened.within(name, call);
                self.take_expansion(name, status, asked, done, out)?;
                from += done;
            }
        }
        Ok(())
    }

    fn take_expansion(
        &self,
        name: &'static str,
        status: AntipodeStatus,
        asked: usize,
        done: usize,
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        let broken = |fault: String| Err(self.opened.broken(name, fault));
        let filled = self.opened.filled(&out.buffer, name)?;
        match status {
            ANTIPODE_OK if done == asked => {}
            ANTIPODE_OK => return broken(format!("returned OK after {done} of {asked} states")),
            ANTIPODE_MORE_ROOM if done < asked => {}
            ANTIPODE_MORE_ROOM => {
                return broken(format!(
                    "asks for more room with {done} of {asked} states done"
                ));
            }
            other => return Err(self.opened.refused(name, other)),
        }
        if done == 0 {
            if out.capacity() >= MOST_ROOM {
                return broken(format!(
                    "wants room for more than {MOST_ROOM} keys for one state"
                ));
            }
            out.grow();
            return Ok(());
        }
        let capacity = out.capacity();
        let offsets = &out.offsets[..=done];
        let end = offsets[done];
        if end != usize::MAX && end > capacity {
            return broken(format!("says it wrote {end} keys where {capacity} fit"));
        }
        let rising = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        if offsets[0] != 0 || !rising || end > capacity {
            return broken("returned offsets that do not rise from 0".into());
        }
        let base = out.keys.len();
        let width = self.width();
        extend(width, &filled[..end * width], &mut out.keys);
        out.ends.extend(offsets[1..].iter().map(|end| base + end));
        if out.is_marked {
            let marks = self.opened.filled(&out.room_for_marks, name)?;
            out.marks.extend_from_slice(&marks[..end]);
        }
        Ok(())
    }
}
