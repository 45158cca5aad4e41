//! An opened instance as a graph over typed keys. Every call handles a batch, and its results are
//! checked before they are believed.
#![allow(unsafe_code)]

mod again;
mod deliver;
mod expansion;
mod neighbour_ranks;
mod numbering;
mod optional;
mod symmetry;

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::capabilities::Capabilities;
use puzzle_api::Direction;
use puzzle_api::Key;
use puzzle_api::abi::{
    ANTIPODE_BACKWARD, ANTIPODE_BAD_INPUT, ANTIPODE_FORWARD, ANTIPODE_MAX_BATCH, ANTIPODE_OK,
    ANTIPODE_UNSUPPORTED, AntipodeStatus, AntipodeText,
};

use super::buffer::{GuardedBuffer, Marker};
use super::call::{PluginError, SHORT_ROOM, TEXT_CUT, name_line, pass, take_error, take_text};
use super::ledger::{Function, of_text};
use super::library::{Opened, Writes};
pub use expansion::Expansion;
pub use neighbour_ranks::RankExpansion;
pub use numbering::Ranking;

#[cfg(target_endian = "big")]
compile_error!(
    "keys cross the boundary low word first, in the memory order of little-endian machines"
);

/// A canonical key with the size of its orbit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orbit<K> {
    /// Representative.
    pub key: K,
    /// Number of states in the orbit.
    pub size: u32,
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

/// A direction in the form of the table.
const fn way(direction: Direction) -> u32 {
    match direction {
        Direction::Forward => ANTIPODE_FORWARD,
        Direction::Backward => ANTIPODE_BACKWARD,
    }
}

/// Keys from their words, of which each has `width`.
fn typed<K: Key>(width: usize, words: &[u64]) -> impl Iterator<Item = K> + '_ {
    words.chunks_exact(width).map(|words| match words {
        [word] => K::from_u128((*word).into()),
        words => K::from_words(words),
    })
}

/// Appends the keys of such words.
#[inline]
fn extend<K: Key>(width: usize, words: &[u64], keys: &mut Vec<K>) {
    match width == K::WORDS {
        true => K::extend_from_words(words, keys),
        false => keys.extend(typed::<K>(width, words)),
    }
}

impl Graph<u128> {
    /// A view with numbers as keys, which hold those of every library: for callers that look at
    /// few states.
    #[must_use]
    pub const fn of(opened: Arc<Opened>) -> Self {
        Self {
            opened,
            key: PhantomData,
        }
    }
}

impl<K: Key> Graph<K> {
    /// A typed view; `None` if the library's keys are wider.
    #[must_use]
    pub fn new(opened: Arc<Opened>) -> Option<Self> {
        (opened.library.key_words() <= K::WORDS).then_some(Self {
            opened,
            key: PhantomData,
        })
    }

    /// Words of a key at the boundary.
    #[inline]
    fn width(&self) -> usize {
        match K::WORDS {
            1 => 1,
            _ => self.opened.library.key_words(),
        }
    }

    /// The words of keys at the boundary.
    #[inline]
    fn words<'a>(&self, keys: &'a [K]) -> Cow<'a, [u64]> {
        match self.width() == K::WORDS {
            true => K::words_of(keys),
            false => keys.iter().map(|key| key.to_u128() as u64).collect(),
        }
    }

    /// Whether the instance offers a capability.
    #[must_use]
    pub fn has(&self, capability: Capabilities) -> bool {
        self.opened.offers(capability)
    }

    /// Whether the instance offers a capability that may be relied on before it is checked; for
    /// [`Capabilities::NONE`], whether its moves and solved states may. A loaded library's
    /// statements beyond its rulebook are assertions: they prove nothing.
    #[must_use]
    pub fn proves(&self, capability: Capabilities) -> bool {
        self.opened.library.is_built_in() && self.has(capability)
    }

    /// Which states are solved.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn is_solved(&self, keys: &[K]) -> Result<Vec<bool>, PluginError> {
        let call = self.required("is_solved", self.opened.table.is_solved)?;
        let mut solved = Vec::with_capacity(keys.len());
        for batch in keys.chunks(ANTIPODE_MAX_BATCH) {
            let flags = self.each("is_solved", call, batch, 1)?;
            if let Some(odd) = flags.iter().find(|&&flag| flag > 1) {
                return Err(self.broken("is_solved", format!("wrote {odd}, allowed are 0 and 1")));
            }
            self.note(Function::IsSolved, batch, |i, out| {
                out.push(flags[i].into());
            });
            solved.extend(flags.iter().map(|&flag| flag == 1));
        }
        Ok(solved)
    }

    /// Reads a state from text.
    ///
    /// # Errors
    /// [`PluginError::BadInput`] with the puzzle's own line.
    pub fn parse(&self, text: &str) -> Result<K, PluginError> {
        let call = self.required("parse", self.opened.table.parse)?;
        let mut buffer = GuardedBuffer::<u64>::new(self.width());
        let (status, error) = take_error(|out| {
            // SAFETY: the buffer holds a key, and the texts live across the call.
            let call = || unsafe { call(self.opened.handle, pass(text), buffer.as_mut_ptr(), out) };
            self.opened.within("parse", call)
        });
        match status {
            // No moves at all are a state to a puzzle that reads moves, and a board to nobody.
            ANTIPODE_OK if text.trim().is_empty() && self.proves(Capabilities::NONE) => {
                let name = self.opened.full_name();
                let line = format!("{name}: '{}' is no board; give one", text.escape_debug());
                Err(PluginError::BadInput(line))
            }
            ANTIPODE_OK => {
                let words = self.opened.filled(&buffer, "parse")?;
                let key: Option<K> = typed(self.width(), words).next();
                let key = key.ok_or_else(|| self.opened.overrun("parse"))?;
                if let Some(ledger) = &self.opened.ledger {
                    ledger.note_text(text, key.to_u128());
                }
                Ok(key)
            }
            ANTIPODE_BAD_INPUT => Err(PluginError::BadInput(format!(
                "{}: {error}",
                self.opened.full_name()
            ))),
            other => Err(self.opened.refused("parse", other)),
        }
    }

    /// Writes a state as text.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn draw(&self, key: K) -> Result<String, PluginError> {
        let call = self.required("draw", self.opened.table.draw)?;
        let keys = [key];
        let words = self.words(&keys);
        // SAFETY: one key, and the text lives across the call.
        let call =
            |out: &mut AntipodeText| unsafe { call(self.opened.handle, words.as_ptr(), out) };
        let text = self.said("draw", SHORT_ROOM, call)?;
        let text = text.ok_or_else(|| self.opened.refused("draw", ANTIPODE_UNSUPPORTED))?;
        self.note(Function::Draw, &keys, |_, out| {
            out.extend_from_slice(&of_text(&text));
        });
        Ok(text)
    }

    /// A player's name of a move, if the puzzle has one: in one line, whatever the puzzle returns.
    #[must_use]
    pub fn describe_move(&self, from: K, to: K) -> Option<String> {
        let named = self.move_name(from, to).ok().flatten()?;
        Some(name_line(named.lines().next().unwrap_or_default()))
    }

    /// A player's names of a move as the puzzle writes them, one a line, if it names this one.
    ///
    /// # Errors
    /// [`PluginError`] if the puzzle fails.
    pub fn move_name(&self, from: K, to: K) -> Result<Option<String>, PluginError> {
        let Some(call) = self.opened.table.describe_move else {
            return Ok(None);
        };
        let input = (from.to_u128(), to.to_u128());
        let (from, to) = ([from], [to]);
        let (from, to) = (self.words(&from), self.words(&to));
        // SAFETY: two keys, and the text lives across the call.
        let named = self.said("describe_move", SHORT_ROOM, |out| unsafe {
            call(self.opened.handle, from.as_ptr(), to.as_ptr(), out)
        });
        let text = named.as_ref().ok().and_then(Option::as_deref);
        let answer = |_, out: &mut Vec<u128>| {
            out.extend_from_slice(&of_text(text.unwrap_or_default()));
        };
        self.opened
            .note(Function::DescribeMove, 1, |_| input, answer);
        named
    }

    /// The text that a function writes; `None` if this instance does not offer it.
    fn said(
        &self,
        function: &'static str,
        room: usize,
        mut call: impl FnMut(&mut AntipodeText) -> AntipodeStatus,
    ) -> Result<Option<String>, PluginError> {
        match take_text(room, |out| self.opened.within(function, || call(out))) {
            (ANTIPODE_UNSUPPORTED, _) => Ok(None),
            (TEXT_CUT, fault) => Err(self.broken(function, fault)),
            (status, text) => self.check(function, status).map(|()| Some(text)),
        }
    }

    /// The output of a function of the table for at most a batch of states: `elements` for each.
    #[inline]
    fn each<T: Marker>(
        &self,
        function: &'static str,
        call: Writes<T>,
        keys: &[K],
        elements: usize,
    ) -> Result<Vec<T>, PluginError> {
        let words = self.words(keys);
        // SAFETY: there is space for `elements` of each state.
        self.written(function, keys.len() * elements, |out| unsafe {
            call(self.opened.handle, words.as_ptr(), keys.len(), out)
        })
    }

    /// The output of a call: a number of elements, none of which it leaves out.
    #[inline]
    fn written<T: Marker>(
        &self,
        function: &'static str,
        elements: usize,
        call: impl FnOnce(*mut T) -> AntipodeStatus,
    ) -> Result<Vec<T>, PluginError> {
        let mut buffer = GuardedBuffer::new(elements);
        let status = self.opened.within(function, || call(buffer.as_mut_ptr()));
        self.check(function, status)?;
        buffer
            .into_filled()
            .ok_or_else(|| self.opened.overrun(function))
    }

    /// Records the answer on each of some states, if answers are recorded.
    #[inline]
    fn note(&self, function: Function, keys: &[K], answer: impl Fn(usize, &mut Vec<u128>)) {
        let input = |i: usize| (keys[i].to_u128(), 0);
        self.opened.note(function, keys.len(), input, answer);
    }

    fn broken(&self, function: &'static str, fault: impl Into<String>) -> PluginError {
        self.opened.broken(function, fault)
    }

    fn check(&self, function: &'static str, status: AntipodeStatus) -> Result<(), PluginError> {
        match status {
            ANTIPODE_OK => Ok(()),
            other => Err(self.opened.refused(function, other)),
        }
    }

    fn required<F>(&self, function: &'static str, member: Option<F>) -> Result<F, PluginError> {
        member.ok_or_else(|| self.broken(function, "is not offered by this puzzle"))
    }
}
