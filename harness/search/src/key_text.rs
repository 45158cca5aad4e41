//! Keys as text in records and messages: hexadecimal digits, since readers of JSON lose digits
//! of large numbers.

use puzzle_api::Key;

/// A key as text.
pub(crate) fn key_text<K: Key>(key: K) -> String {
    format!("{:x}", key.to_u128())
}

/// The key of a text; `None` if the text is not a key.
pub(crate) fn key_from_text<K: Key>(text: &str) -> Option<K> {
    u128::from_str_radix(text, 16).ok().map(key_from_number)
}

/// Keys as texts.
pub(crate) fn key_texts<K: Key>(keys: &[K]) -> Vec<String> {
    keys.iter().copied().map(key_text).collect()
}

/// The keys of texts; other texts are left out.
pub(crate) fn keys_from_texts<K: Key>(texts: &[String]) -> Vec<K> {
    let keys = texts.iter();
    keys.filter_map(|text| key_from_text(text)).collect()
}

/// A key from a number; the high word is dropped if keys have one word.
#[inline]
pub(crate) fn key_from_number<K: Key>(number: u128) -> K {
    K::from_words(&[number as u64, (number >> 64) as u64])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back_from_their_texts() {
        for key in [0, 10, u128::MAX, u128::MAX - 1] {
            assert_eq!(key_from_text(&key_text(key)), Some(key));
        }
        assert_eq!(key_from_text::<u64>("1f"), Some(31));
        for none in ["", "g", "0x1f"] {
            assert_eq!(key_from_text::<u64>(none), None, "{none}");
        }
    }
}
