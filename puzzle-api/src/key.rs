//! Keys: states packed into one or two 64-bit words.

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hash;

/// The packed form of a state: the same for every variant of a puzzle.
///
/// Keys cross the boundary as `WORDS` little-endian 64-bit words, the low word
/// first, and are hashed as 16 little-endian bytes whatever their width.
pub trait Key: Copy + Ord + Hash + Debug + Send + Sync + 'static {
    /// Number of 64-bit words: 1 or 2.
    const WORDS: usize;

    /// The key from its words; `words` holds at least `WORDS` of them.
    fn from_words(words: &[u64]) -> Self;

    /// Appends the key's words.
    fn push_words(self, out: &mut Vec<u64>);

    /// The key as a number.
    fn to_u128(self) -> u128;

    /// The key of a number; the high word is dropped if keys have one word.
    #[inline]
    fn from_u128(number: u128) -> Self {
        Self::from_words(&[number as u64, (number >> 64) as u64])
    }

    /// The words of a slice of keys, without a copy if they are already in order.
    fn words_of(keys: &[Self]) -> Cow<'_, [u64]> {
        let mut words = Vec::with_capacity(keys.len() * Self::WORDS);
        for &key in keys {
            key.push_words(&mut words);
        }
        Cow::Owned(words)
    }

    /// Appends the keys whose words are in order in `words`.
    #[inline]
    fn extend_from_words(words: &[u64], keys: &mut Vec<Self>) {
        keys.extend(words.chunks_exact(Self::WORDS).map(Self::from_words));
    }
}

impl Key for u64 {
    const WORDS: usize = 1;

    #[inline]
    fn from_words(words: &[u64]) -> Self {
        words[0]
    }

    #[inline]
    fn push_words(self, out: &mut Vec<u64>) {
        out.push(self);
    }

    #[inline]
    fn to_u128(self) -> u128 {
        u128::from(self)
    }

    fn words_of(keys: &[Self]) -> Cow<'_, [u64]> {
        Cow::Borrowed(keys)
    }

    // A single copy: a sweep delivers billions of keys.
    #[inline]
    fn extend_from_words(words: &[u64], keys: &mut Vec<Self>) {
        keys.extend_from_slice(words);
    }
}

impl Key for u128 {
    const WORDS: usize = 2;

    #[inline]
    fn from_words(words: &[u64]) -> Self {
        u128::from(words[0]) | (u128::from(words[1]) << 64)
    }

    #[inline]
    fn push_words(self, out: &mut Vec<u64>) {
        out.extend([self as u64, (self >> 64) as u64]);
    }

    #[inline]
    fn to_u128(self) -> u128 {
        self
    }

    /// Borrowed if the low word comes first in memory.
    #[cfg(target_endian = "little")]
    #[allow(unsafe_code)]
    fn words_of(keys: &[Self]) -> Cow<'_, [u64]> {
        // SAFETY: a key is two words without gaps, with at least the alignment of a word, and any
        // bits are a valid word. The slice lives as long as the keys.
        Cow::Borrowed(unsafe { std::slice::from_raw_parts(keys.as_ptr().cast(), 2 * keys.len()) })
    }
}
