//! The texts of all states that rulebook programs have named in this process, by their keys.
//!
//! A key is a hash of the text, XXH3 with 64 bits, so that two processes, two runs and the digests
//! of levels agree on it. A number given by order of discovery would differ between them. Two of
//! ten million texts have the same key about once in 400,000 runs. Such a pair is detected at the
//! second text, and ends the run in one line. Texts are never dropped.
#![allow(unsafe_code)]

use std::ptr::NonNull;
use std::slice;
use std::sync::{LazyLock, Mutex, MutexGuard};

use xxhash_rust::xxh3::xxh3_64;

use crate::prefetch;

/// Most bytes of a state.
pub(super) const LONGEST: usize = 1024;
/// Bytes of memory that are allocated at a time.
const CHUNK: usize = 1 << 18;

/// Initial slots; a power of two.
const FEW: usize = 1 << 10;
/// Texts that are looked up together: all slots are prefetched, then their texts. One by one, each
/// would wait for memory twice, which takes as long as all its other work.
pub(super) const AT_ONCE: usize = 32;

/// The place where a text begins: two bytes of length, then the text.
#[derive(Clone, Copy)]
struct Start(NonNull<u8>);

// SAFETY: the memory that it points to is never changed and never freed.
unsafe impl Send for Start {}

/// A key and its text.
type TextSlot = (u64, Option<Start>);

/// All texts. A caller with many texts holds the lock throughout: a lock for each text costs more
/// than finding it.
#[derive(Default)]
pub(super) struct Texts {
    /// A key, already a hash, gives the place where its search begins; at most three quarters of
    /// the slots are taken.
    slots: Vec<TextSlot>,
    count: usize,
    free: &'static mut [u8],
}

static TEXTS: LazyLock<Mutex<Texts>> = LazyLock::new(Mutex::default);

/// The texts, locked.
pub(super) fn texts() -> MutexGuard<'static, Texts> {
    super::lock(&TEXTS)
}

fn read(start: Start) -> &'static str {
    // SAFETY: `put` wrote the length and that many bytes of UTF-8 there, permanently.
    unsafe {
        let length = u16::from_le_bytes([*start.0.as_ptr(), *start.0.as_ptr().add(1)]);
        let bytes = slice::from_raw_parts(start.0.as_ptr().add(2), length.into());
        std::str::from_utf8_unchecked(bytes)
    }
}

impl Texts {
    fn put(&mut self, key: u64, text: &str) {
        let wanted = 2 + text.len();
        if self.free.len() < wanted {
            self.free = Vec::leak(vec![0; CHUNK]);
        }
        let free = std::mem::take(&mut self.free);
        let (own, rest) = free.split_at_mut(wanted);
        own[..2].copy_from_slice(&(text.len() as u16).to_le_bytes());
        own[2..].copy_from_slice(text.as_bytes());
        self.free = rest;
        if 4 * (self.count + 1) > 3 * self.slots.len() {
            let twice = vec![(0, None); (2 * self.slots.len()).max(FEW)];
            for slot in std::mem::replace(&mut self.slots, twice) {
                if slot.1.is_some() {
                    let at = self.slot_of(slot.0);
                    self.slots[at] = slot;
                }
            }
        }
        let at = self.slot_of(key);
        self.slots[at] = (key, Some(Start(NonNull::from(own).cast())));
        self.count += 1;
    }

    /// The slot that a key has, or would have.
    fn slot_of(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while matches!(self.slots[at], (known, Some(_)) if known != key) {
            at = (at + 1) & mask;
        }
        at
    }

    fn start_of(&self, key: u64) -> Option<Start> {
        match self.slots.is_empty() {
            true => None,
            false => self.slots[self.slot_of(key)].1,
        }
    }

    /// Prefetches the texts of keys, if they are known.
    pub(super) fn fetch(&self, keys: impl Iterator<Item = u64> + Clone) {
        if self.slots.is_empty() {
            return;
        }
        let home = |key: u64| &self.slots[key as usize & (self.slots.len() - 1)];
        keys.clone().for_each(|key| prefetch(home(key)));
        for start in keys.filter_map(|key| self.start_of(key)) {
            prefetch(start.0.as_ptr());
        }
    }

    /// The keys of some texts, as [`Texts::key_of`] gives each.
    ///
    /// # Errors
    /// The fault of a text, and its position.
    pub(super) fn keys_of<'t>(
        &mut self,
        texts: impl Iterator<Item = &'t str>,
        mut take: impl FnMut(u64),
    ) -> Result<(), (usize, String)> {
        let hashed = texts.map(|text| (xxh3_64(text.as_bytes()), text));
        let (mut hashed, mut at) = (hashed.fuse(), 0);
        let mut some = Vec::with_capacity(AT_ONCE);
        loop {
            some.clear();
            some.extend(hashed.by_ref().take(AT_ONCE));
            if some.is_empty() {
                return Ok(());
            }
            self.fetch(some.iter().map(|&(key, _)| key));
            for &(key, text) in &some {
                self.hold(key, text).map_err(|why| (at, why))?;
                take(key);
                at += 1;
            }
        }
    }

    /// The key of a text, which is stored from now on.
    ///
    /// # Errors
    /// It is not the text of a state, or another state has its key.
    pub(super) fn key_of(&mut self, text: &str) -> Result<u64, String> {
        let key = xxh3_64(text.as_bytes());
        self.hold(key, text).map(|()| key)
    }

    /// Ensures that a text is stored under its key.
    fn hold(&mut self, key: u64, text: &str) -> Result<(), String> {
        match self.text_of(key) {
            // Most are known, and thus well formed.
            Some(known) if known == text => {}
            None => {
                well_formed(text)?;
                self.put(key, text);
            }
            Some(known) => {
                well_formed(text)?;
                return Err(format!(
                    "the states '{known}' and '{text}' have one key ({key:#x}): this instance cannot be searched"
                ));
            }
        }
        Ok(())
    }

    /// The text of a key, if a program or a user has named it in this process.
    pub(super) fn text_of(&self, key: u64) -> Option<&'static str> {
        self.start_of(key).map(read)
    }
}

/// Whether a byte is a whole character and not a control character.
fn is_printed(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte)
}

/// Whether a text can be a state.
///
/// # Errors
/// The fault of the text.
pub(super) fn well_formed(text: &str) -> Result<(), String> {
    let shown = || {
        let start: String = text.chars().take(40).collect();
        start.escape_debug().to_string()
    };
    if text.len() <= LONGEST && !text.is_empty() && text.bytes().all(is_printed) {
        return Ok(());
    }
    if text.is_empty() {
        return Err("an empty text is not a state; write at least one character".into());
    }
    if text.len() > LONGEST {
        return Err(format!(
            "a state of {} bytes ('{}…'); at most {LONGEST} are allowed",
            text.len(),
            shown()
        ));
    }
    if text.contains(puzzle_api::is_obeyed) {
        return Err(format!(
            "a state with a line feed or another control character ('{}'); join rows by '/'",
            shown()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Texts, texts};
    use proptest::prelude::*;

    proptest! {
        /// Texts looked up together have the same keys as one by one, and the first that is not a
        /// state is named.
        #[test]
        fn many_at_once_are_as_one_by_one(
            all in proptest::collection::vec(
                prop_oneof![5000 => "[a-c/]{1,4}", 1 => Just(String::new())],
                0..5000,
            ),
        ) {
            let (mut together, mut alone) = (Texts::default(), Texts::default());
            let mut keys = Vec::new();
            let found = together.keys_of(all.iter().map(String::as_str), |key| keys.push(key));
            let mut expected = Vec::new();
            let mut fault = Ok(());
            for (at, text) in all.iter().enumerate() {
                match alone.key_of(text) {
                    Ok(key) => expected.push(key),
                    Err(why) => {
                        fault = Err((at, why));
                        break;
                    }
                }
            }
            prop_assert_eq!(found, fault);
            prop_assert_eq!(&keys, &expected);
            for (&key, text) in keys.iter().zip(&all) {
                prop_assert_eq!(together.text_of(key), Some(&**text));
            }
        }
    }

    #[test]
    fn a_text_has_one_key_and_comes_back() {
        for n in 0..100_000 {
            let text = format!("row/{n}/é");
            let key = texts().key_of(&text).unwrap();
            assert_eq!(texts().text_of(key), Some(&*text));
            assert_eq!(texts().key_of(&text), Ok(key));
        }
        assert_eq!(texts().text_of(12), None);
        // A key is the same in every process.
        let key = xxhash_rust::xxh3::xxh3_64(b"3,0/5");
        assert_eq!(texts().key_of("3,0/5"), Ok(key));
        assert!(texts().key_of(&"x".repeat(LONGEST)).is_ok());
    }

    #[test]
    fn what_is_no_state_is_refused_in_one_line() {
        for text in ["", "a\nb", "\u{1b}[31m", &"x".repeat(LONGEST + 1)] {
            let line = texts().key_of(text).unwrap_err();
            assert!(!line.contains('\n') && line.len() < 200, "{line}");
        }
    }
}
