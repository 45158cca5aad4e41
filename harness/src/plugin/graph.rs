//! An opened instance as a graph over typed keys: every call handles a batch, and what
//! comes back is checked before it is believed.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::marker::PhantomData;
use std::slice;
use std::sync::Arc;

use puzzle_api::abi::{
    ANTIPODE_BACKWARD, ANTIPODE_BAD_INPUT, ANTIPODE_FORWARD, ANTIPODE_MORE_ROOM, ANTIPODE_OK,
    ANTIPODE_STOPPED, ANTIPODE_UNSUPPORTED, AntipodeSink, AntipodeStatus, AntipodeSweepSink,
};
use puzzle_api::{Capabilities, Direction, Key, Placement, Swept};

use super::call::{PluginError, pass, status_text, take_text};
use super::library::Opened;

#[cfg(target_endian = "big")]
compile_error!(
    "keys cross the boundary low word first, in the memory order of little-endian machines"
);

/// Keys that the output of an expansion has room for at first.
const FIRST_ROOM: usize = 1 << 15;
/// Most keys that one state may expand to before the puzzle counts as broken.
const MOST_ROOM: usize = 1 << 28;
/// Words behind an output buffer that a plugin must leave alone.
const GUARD: usize = 64;
const GUARD_WORD: u64 = 0x6775_6172_645f_6161;

/// A canonical key with the size of its orbit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orbit<K> {
    /// Representative.
    pub key: K,
    /// Number of states in the orbit.
    pub size: u32,
}

/// Successors or predecessors of a batch; reused from batch to batch.
#[derive(Debug)]
pub struct Expansion<K> {
    words: Vec<u64>,
    offsets: Vec<usize>,
    keys: Vec<K>,
    ends: Vec<usize>,
}

impl<K: Key> Default for Expansion<K> {
    fn default() -> Self {
        Self {
            words: vec![GUARD_WORD; FIRST_ROOM * K::WORDS + GUARD],
            offsets: Vec::new(),
            keys: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<K: Key> Expansion<K> {
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

    /// Empties the expansion.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.ends.clear();
    }

    /// Appends the neighbours of one more state.
    pub fn push(&mut self, neighbours: impl IntoIterator<Item = K>) {
        self.keys.extend(neighbours);
        self.ends.push(self.keys.len());
    }

    fn capacity(&self) -> usize {
        (self.words.len() - GUARD) / K::WORDS
    }

    fn grow(&mut self) {
        let capacity = self.capacity() * 4;
        self.words = vec![GUARD_WORD; capacity * K::WORDS + GUARD];
    }

    fn guard_is_whole(&self) -> bool {
        let start = self.words.len() - GUARD;
        self.words[start..].iter().all(|&word| word == GUARD_WORD)
    }
}

/// An opened instance whose keys have type `K`.
#[derive(Debug)]
pub struct Graph<K> {
    /// The instance.
    pub opened: Arc<Opened>,
    key: PhantomData<fn() -> K>,
}

impl<K> Clone for Graph<K> {
    fn clone(&self) -> Self {
        Self {
            opened: Arc::clone(&self.opened),
            key: PhantomData,
        }
    }
}

impl<K: Key> Graph<K> {
    /// A typed view; `None` where the library's keys have another width.
    #[must_use]
    pub fn new(opened: Arc<Opened>) -> Option<Self> {
        (opened.library.key_words() == K::WORDS).then_some(Self {
            opened,
            key: PhantomData,
        })
    }

    /// Whether the instance offers a capability.
    #[must_use]
    pub fn has(&self, capability: Capabilities) -> bool {
        self.opened.capabilities.has(capability)
    }

    /// Start states (forward) or all solved states of a part (backward).
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle cannot list them.
    pub fn roots(&self, direction: Direction, part: u64) -> Result<Vec<K>, PluginError> {
        unsafe extern "C" fn collect<K: Key>(
            context: *mut c_void,
            keys: *const u64,
            count: usize,
        ) -> i32 {
            if keys.is_null() || count > (1 << 40) {
                return 1;
            }
            // SAFETY: `context` is the vector below, alive during the call; the plugin
            // passes `count` keys.
            unsafe {
                let all = &mut *context.cast::<Vec<K>>();
                let words = slice::from_raw_parts(keys, count * K::WORDS);
                all.extend(words.chunks_exact(K::WORDS).map(K::from_words));
            }
            0
        }
        let mut all: Vec<K> = Vec::new();
        let sink = AntipodeSink {
            context: (&raw mut all).cast::<c_void>(),
            emit: Some(collect::<K>),
        };
        let direction = match direction {
            Direction::Forward => ANTIPODE_FORWARD,
            Direction::Backward => ANTIPODE_BACKWARD,
        };
        let call = self.required("roots", self.opened.library.table.roots)?;
        // SAFETY: the handle is open and the sink lives across the call.
        let status = unsafe { call(self.opened.handle, direction, part, sink) };
        self.check("roots", status)?;
        Ok(all)
    }

    /// Successors (forward) or predecessors (backward) of a batch of states.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails or breaks the contract: wrong offsets, more
    /// than the capacity, no progress.
    pub fn expand(
        &self,
        direction: Direction,
        keys: &[K],
        out: &mut Expansion<K>,
    ) -> Result<(), PluginError> {
        let table = self.opened.library.table;
        let (name, call) = match direction {
            Direction::Forward => ("successors", table.successors),
            Direction::Backward => ("predecessors", table.predecessors),
        };
        let call = self.required(name, call)?;
        out.clear();
        let mut rest = keys;
        while !rest.is_empty() {
            let words = K::words_of(rest);
            out.offsets.clear();
            out.offsets.resize(rest.len() + 1, usize::MAX);
            let mut done = 0;
            // SAFETY: the arrays have the sizes that the contract states; a plugin that
            // writes a little beyond is found by the guard words.
            let status = unsafe {
                call(
                    self.opened.handle,
                    words.as_ptr(),
                    rest.len(),
                    out.words.as_mut_ptr(),
                    out.capacity(),
                    out.offsets.as_mut_ptr(),
                    &mut done,
                )
            };
            self.take_expansion(name, status, rest.len(), done, out)?;
            rest = &rest[done..];
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
        if !out.guard_is_whole() {
            return broken("wrote beyond the capacity it was given".into());
        }
        match status {
            ANTIPODE_OK if done == asked => {}
            ANTIPODE_OK => return broken(format!("returned OK after {done} of {asked} states")),
            ANTIPODE_MORE_ROOM if done < asked => {}
            ANTIPODE_MORE_ROOM => return broken(format!("says {done} of {asked} states are done")),
            other => return broken(status_text(other)),
        }
        let offsets = &out.offsets[..=done];
        let rising = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        if done > 0 && (offsets[0] != 0 || !rising || offsets[done] > out.capacity()) {
            return broken(format!(
                "returned offsets that do not rise from 0 to at most the capacity {}",
                out.capacity()
            ));
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
        let base = out.keys.len();
        let used = &out.words[..offsets[done] * K::WORDS];
        out.keys
            .extend(used.chunks_exact(K::WORDS).map(K::from_words));
        out.ends.extend(offsets[1..].iter().map(|end| base + end));
        Ok(())
    }

    /// Which states are solved.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn is_solved(&self, keys: &[K]) -> Result<Vec<bool>, PluginError> {
        let call = self.required("is_solved", self.opened.library.table.is_solved)?;
        let mut out = vec![0xff_u8; keys.len()];
        let words = K::words_of(keys);
        // SAFETY: `out` has an entry a state.
        let status = unsafe {
            call(
                self.opened.handle,
                words.as_ptr(),
                keys.len(),
                out.as_mut_ptr(),
            )
        };
        self.check("is_solved", status)?;
        if let Some(odd) = out.iter().find(|&&flag| flag > 1) {
            return Err(self.broken("is_solved", format!("wrote {odd}, allowed are 0 and 1")));
        }
        Ok(out.into_iter().map(|flag| flag == 1).collect())
    }

    /// Reads a state from text.
    ///
    /// # Errors
    /// [`PluginError::BadInput`] with the puzzle's own line.
    pub fn parse(&self, text: &str) -> Result<K, PluginError> {
        let call = self.required("parse", self.opened.library.table.parse)?;
        let mut words = [0_u64; 2];
        let (status, error) = take_text(|out| {
            // SAFETY: `words` has room for a key of either width.
            unsafe { call(self.opened.handle, pass(text), words.as_mut_ptr(), out) }
        });
        match status {
            ANTIPODE_OK => Ok(K::from_words(&words)),
            ANTIPODE_BAD_INPUT => Err(PluginError::BadInput(format!(
                "{}: {error}",
                self.opened.full_name()
            ))),
            other => Err(self.broken("parse", status_text(other))),
        }
    }

    /// Writes a state as text.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn draw(&self, key: K) -> Result<String, PluginError> {
        let call = self.required("draw", self.opened.library.table.draw)?;
        let keys = [key];
        let words = K::words_of(&keys);
        let (status, text) = take_text(|out| {
            // SAFETY: one key, and the text lives across the call.
            unsafe { call(self.opened.handle, words.as_ptr(), out) }
        });
        self.check("draw", status)?;
        Ok(text)
    }

    /// The images of one state under all symmetries, the identity first.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn images(&self, key: K) -> Result<Vec<K>, PluginError> {
        let mut images = Vec::new();
        self.images_of(&[key], &mut images)?;
        Ok(images)
    }

    /// The images of each state under all symmetries: `symmetry_count` keys a state (one,
    /// the state itself, without symmetry).
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails or writes beyond its room.
    pub fn images_of(&self, keys: &[K], out: &mut Vec<K>) -> Result<(), PluginError> {
        out.clear();
        let call = self.opened.library.table.images;
        let Some(call) = call.filter(|_| self.has(Capabilities::SYMMETRY)) else {
            out.extend_from_slice(keys);
            return Ok(());
        };
        let room = keys.len() * self.opened.symmetry_count as usize * K::WORDS;
        let mut made = vec![GUARD_WORD; room + GUARD];
        let words = K::words_of(keys);
        // SAFETY: `made` has room for every image and a guard.
        let status = unsafe {
            call(
                self.opened.handle,
                words.as_ptr(),
                keys.len(),
                made.as_mut_ptr(),
            )
        };
        self.check("images", status)?;
        if made[room..].iter().any(|&word| word != GUARD_WORD) {
            return Err(self.broken("images", "wrote more images than symmetry_count says"));
        }
        out.extend(made[..room].chunks_exact(K::WORDS).map(K::from_words));
        Ok(())
    }

    /// Replaces each state by the representative of its orbit, and gives the orbit
    /// sizes where asked. Without symmetry nothing changes and every size is 1.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails or gives impossible orbit sizes.
    pub fn canonical(
        &self,
        keys: &mut [K],
        sizes: Option<&mut Vec<u32>>,
    ) -> Result<(), PluginError> {
        if let Some(sizes) = &sizes {
            debug_assert!(sizes.is_empty());
        }
        if !self.has(Capabilities::SYMMETRY) {
            if let Some(sizes) = sizes {
                sizes.resize(keys.len(), 1);
            }
            return Ok(());
        }
        let Some(call) = self.opened.library.table.canonical else {
            return self.canonical_by_images(keys, sizes);
        };
        let words = K::words_of(keys);
        let mut out = vec![0_u64; words.len()];
        let size_room = match sizes {
            Some(sizes) => {
                sizes.resize(keys.len(), 0);
                Some(sizes)
            }
            None => None,
        };
        let (size_data, size_slice) = match size_room {
            Some(sizes) => (sizes.as_mut_ptr(), Some(sizes)),
            None => (std::ptr::null_mut(), None),
        };
        // SAFETY: `out` and the sizes have an entry a state.
        let status = unsafe {
            call(
                self.opened.handle,
                words.as_ptr(),
                keys.len(),
                out.as_mut_ptr(),
                size_data,
            )
        };
        self.check("canonical", status)?;
        drop(words);
        for (key, words) in keys.iter_mut().zip(out.chunks_exact(K::WORDS)) {
            *key = K::from_words(words);
        }
        let most = self.opened.symmetry_count;
        if let Some(odd) =
            size_slice.and_then(|s| s.iter().find(|&&n| n == 0 || !most.is_multiple_of(n)))
        {
            return Err(self.broken(
                "canonical",
                format!("wrote orbit size {odd}, which does not divide the {most} symmetries"),
            ));
        }
        Ok(())
    }

    fn canonical_by_images(
        &self,
        keys: &mut [K],
        mut sizes: Option<&mut Vec<u32>>,
    ) -> Result<(), PluginError> {
        for key in keys {
            let mut images = self.images(*key)?;
            images.sort_unstable();
            images.dedup();
            *key = images[0];
            if let Some(sizes) = sizes.as_mut() {
                sizes.push(images.len() as u32);
            }
        }
        Ok(())
    }

    /// One line that names a part.
    #[must_use]
    pub fn part_name(&self, part: u64) -> String {
        let call = self.opened.library.table.part_name;
        let named = call.filter(|_| self.has(Capabilities::PARTS)).map(|call| {
            // SAFETY: the text lives across the call.
            take_text(|out| unsafe { call(self.opened.handle, part, out) })
        });
        match named {
            Some((ANTIPODE_OK, name)) => name,
            _ => part.to_string(),
        }
    }

    /// Number of ranks of a part, where the instance has a numbering.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn space(&self, part: u64) -> Result<Option<u64>, PluginError> {
        if !self.has(Capabilities::RANK) {
            return Ok(None);
        }
        let call = self.required("space", self.opened.library.table.space)?;
        let mut size = 0;
        // SAFETY: `size` is ours.
        match unsafe { call(self.opened.handle, part, &mut size) } {
            ANTIPODE_UNSUPPORTED => Ok(None),
            status => self.check("space", status).map(|()| Some(size)),
        }
    }

    /// Part and rank of each state; `None` for one outside the numbering.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn place(&self, keys: &[K], out: &mut Vec<Option<Placement>>) -> Result<(), PluginError> {
        let call = self.required("place", self.opened.library.table.place)?;
        let words = K::words_of(keys);
        let mut parts = vec![u64::MAX; keys.len()];
        let mut ranks = vec![u64::MAX; keys.len()];
        // SAFETY: both arrays have an entry a state.
        let status = unsafe {
            call(
                self.opened.handle,
                words.as_ptr(),
                keys.len(),
                parts.as_mut_ptr(),
                ranks.as_mut_ptr(),
            )
        };
        self.check("place", status)?;
        out.clear();
        for (part, rank) in parts.into_iter().zip(ranks) {
            if part != u64::MAX && part >= self.opened.part_count {
                let count = self.opened.part_count;
                return Err(self.broken("place", format!("gave part {part} of {count}")));
            }
            out.push((part != u64::MAX).then_some(Placement { part, rank }));
        }
        Ok(())
    }

    /// The states with the given ranks of a part.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn unrank(&self, part: u64, ranks: &[u64], out: &mut Vec<K>) -> Result<(), PluginError> {
        let call = self.required("unrank", self.opened.library.table.unrank)?;
        let mut words = vec![0_u64; ranks.len() * K::WORDS];
        // SAFETY: `words` has room for a key a rank.
        let status = unsafe {
            call(
                self.opened.handle,
                part,
                ranks.as_ptr(),
                ranks.len(),
                words.as_mut_ptr(),
            )
        };
        self.check("unrank", status)?;
        out.clear();
        out.extend(words.chunks_exact(K::WORDS).map(K::from_words));
        Ok(())
    }

    /// Locality number of each state.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn bucket(&self, keys: &[K]) -> Result<Vec<u64>, PluginError> {
        let call = self.required("bucket", self.opened.library.table.bucket)?;
        let words = K::words_of(keys);
        let mut out = vec![0; keys.len()];
        // SAFETY: `out` has an entry a state.
        let status = unsafe {
            call(
                self.opened.handle,
                words.as_ptr(),
                keys.len(),
                out.as_mut_ptr(),
            )
        };
        self.check("bucket", status)?;
        Ok(out)
    }

    /// States drawn uniformly from the instance: draws `first..first + count` of `seed`.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn random(&self, seed: u64, first: u64, count: usize) -> Result<Vec<K>, PluginError> {
        let call = self.required("random", self.opened.library.table.random)?;
        let mut words = vec![0_u64; count * K::WORDS];
        // SAFETY: `words` has room for a key a draw.
        let status = unsafe { call(self.opened.handle, seed, first, count, words.as_mut_ptr()) };
        self.check("random", status)?;
        Ok(words.chunks_exact(K::WORDS).map(K::from_words).collect())
    }

    /// The puzzle's own sweep over a part; `emit` returns false to stop. Gives whether
    /// the sweep came to its end.
    ///
    /// # Errors
    /// [`PluginError`] where the puzzle fails.
    pub fn sweep(
        &self,
        part: u64,
        emit: &mut dyn FnMut(Swept<'_, K>) -> bool,
    ) -> Result<bool, PluginError> {
        struct Context<'a, K>(&'a mut dyn FnMut(Swept<'_, K>) -> bool, Vec<K>);
        unsafe extern "C" fn forward<K: Key>(
            context: *mut c_void,
            keys: *const u64,
            depths: *const u16,
            count: usize,
            orbit_size: u32,
        ) -> i32 {
            if count == 0 {
                return 0;
            }
            // SAFETY: `context` is the value below, alive during the call; the plugin
            // passes `count` keys and depths.
            unsafe {
                let Context(emit, buffer) = &mut *context.cast::<Context<'_, K>>();
                let words = slice::from_raw_parts(keys, count * K::WORDS);
                buffer.clear();
                buffer.extend(words.chunks_exact(K::WORDS).map(K::from_words));
                let swept = Swept {
                    keys: buffer.as_slice(),
                    depths: slice::from_raw_parts(depths, count),
                    orbit_size,
                };
                i32::from(!emit(swept))
            }
        }
        let call = self.required("sweep", self.opened.library.table.sweep)?;
        let mut context = Context(emit, Vec::new());
        let sink = AntipodeSweepSink {
            context: (&raw mut context).cast::<c_void>(),
            emit: Some(forward::<K>),
        };
        // SAFETY: the handle is open and the context lives across the call.
        match unsafe { call(self.opened.handle, part, sink) } {
            ANTIPODE_STOPPED => Ok(false),
            status => self.check("sweep", status).map(|()| true),
        }
    }

    /// What a player would call a move, where the puzzle says so.
    #[must_use]
    pub fn describe_move(&self, from: K, to: K) -> Option<String> {
        let call = self.opened.library.table.describe_move?;
        let pair = [from, to];
        let words = K::words_of(&pair);
        let (status, text) = take_text(|out| {
            // SAFETY: two keys, and the text lives across the call.
            unsafe {
                call(
                    self.opened.handle,
                    words.as_ptr(),
                    words.as_ptr().add(K::WORDS),
                    out,
                )
            }
        });
        (status == ANTIPODE_OK).then_some(text)
    }

    fn broken(&self, function: &'static str, fault: impl Into<String>) -> PluginError {
        self.opened.broken(function, fault)
    }

    fn check(&self, function: &'static str, status: AntipodeStatus) -> Result<(), PluginError> {
        match status {
            ANTIPODE_OK => Ok(()),
            other => Err(self.broken(function, status_text(other))),
        }
    }

    fn required<F>(&self, function: &'static str, member: Option<F>) -> Result<F, PluginError> {
        member.ok_or_else(|| self.broken(function, "is not offered by this puzzle"))
    }
}
