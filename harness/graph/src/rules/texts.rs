//! The texts of all states that rulebook programs have named in this process, by their keys.
//!
//! A key is a hash of the text, XXH3 with 64 bits, so that two processes, two runs and the digests
//! of levels agree on it; a number given by order of discovery would differ between them. Ten
//! million states have two texts of one key about once in 400,000 runs. Such a pair is found when
//! the second text comes, and ends the run in one line. Texts are never dropped.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ptr::NonNull;
use std::slice;
use std::sync::{LazyLock, Mutex, MutexGuard};

use xxhash_rust::xxh3::xxh3_64;

/// Most bytes of a state.
pub(super) const LONGEST: usize = 1024;
/// Bytes of memory asked for at a time.
const CHUNK: usize = 1 << 18;

/// A key is a hash already.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Where a text begins: two bytes of length, then the text.
#[derive(Clone, Copy)]
struct Start(NonNull<u8>);

// SAFETY: what it points to is never changed and never freed.
unsafe impl Send for Start {}

/// All texts. Who asks for many holds the lock meanwhile: a lock for each text costs more than
/// finding it.
#[derive(Default)]
pub(super) struct Texts {
    starts: HashMap<u64, Start, BuildHasherDefault<AsItIs>>,
    free: &'static mut [u8],
}

static TEXTS: LazyLock<Mutex<Texts>> = LazyLock::new(Mutex::default);

/// The texts, locked.
pub(super) fn texts() -> MutexGuard<'static, Texts> {
    super::lock(&TEXTS)
}

fn read(start: Start) -> &'static str {
    // SAFETY: `put` wrote the length and that many bytes of UTF-8 there, for good.
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
        let start = Start(NonNull::from(own).cast());
        self.starts.insert(key, start);
    }

    /// The key of a text, which is held from now on.
    ///
    /// # Errors
    /// It is no text of a state, or another state has its key.
    pub(super) fn key_of(&mut self, text: &str) -> Result<u64, String> {
        let key = xxh3_64(text.as_bytes());
        match self.text_of(key) {
            // Most are known, and then well formed.
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
        Ok(key)
    }

    /// The text of a key, if a program or a user has named it in this process.
    pub(super) fn text_of(&self, key: u64) -> Option<&'static str> {
        self.starts.get(&key).map(|&start| read(start))
    }
}

/// Whether a byte is a character by itself that is no control character.
fn is_printed(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte)
}

/// Whether a text can be a state.
///
/// # Errors
/// What is wrong with it.
pub(super) fn well_formed(text: &str) -> Result<(), String> {
    let shown = || {
        let start: String = text.chars().take(40).collect();
        start.escape_debug().to_string()
    };
    if text.len() <= LONGEST && !text.is_empty() && text.bytes().all(is_printed) {
        return Ok(());
    }
    if text.is_empty() {
        return Err("an empty text is no state; write at least one character".into());
    }
    if text.len() > LONGEST {
        return Err(format!(
            "a state of {} bytes ('{}…'); at most {LONGEST} are allowed",
            text.len(),
            shown()
        ));
    }
    if text.contains(char::is_control) {
        return Err(format!(
            "a state with a line feed or another control character ('{}'); join rows by '/'",
            shown()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, texts};

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
