//! Calling conventions: texts in and out, status codes to errors.

use std::cell::Cell;
use std::ffi::{CStr, c_char};

use puzzle_api::abi::{
    ANTIPODE_BAD_INPUT, ANTIPODE_FAILED, ANTIPODE_MORE_ROOM, ANTIPODE_OK, ANTIPODE_STOPPED,
    ANTIPODE_UNSUPPORTED, AntipodeStatus, AntipodeStr, AntipodeText,
};

/// Initial bytes for a text; for a longer one, the call is repeated.
pub(super) const TEXT_ROOM: usize = 64 * 1024;
/// The same for a line or a board: a path has many, and clearing the buffer takes longer than
/// drawing or reading them.
pub(super) const SHORT_ROOM: usize = 2 * 1024;

/// Errors between the harness and a puzzle.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PluginError {
    /// The file cannot be used as a puzzle library.
    #[error("{file}: {found}")]
    Load {
        /// The file as the user named it.
        file: String,
        /// The finding, and the expectation.
        found: String,
    },
    /// The puzzle refused its input; the text is the puzzle's own line.
    #[error("{0}")]
    BadInput(String),
    /// The puzzle does not offer an optional function.
    #[error("{0}")]
    NotOffered(String),
    /// The puzzle broke the contract of the boundary.
    #[error("{puzzle}: {function} {fault}")]
    Broken {
        /// Puzzle and variant.
        puzzle: String,
        /// Function of the table.
        function: &'static str,
        /// The fault.
        fault: String,
    },
    /// Two answers to one question differ: of a puzzle, or of two of its variants.
    #[error("{0}")]
    Disagree(String),
    /// A rulebook program did not answer in time, which is a limit.
    #[error("{0}")]
    Late(String),
}

thread_local! {
    /// Whether this thread's last request to a rulebook program was not answered within the limit.
    pub(super) static WAS_LATE: Cell<bool> = const { Cell::new(false) };
}

impl PluginError {
    /// The error, or [`Self::Late`] if it ends this thread's last request to a rulebook program.
    pub(super) fn or_late(self) -> Self {
        match WAS_LATE.get() {
            true => Self::Late(self.to_string()),
            false => self,
        }
    }
}

/// Text for a call; borrows `text`.
pub(super) fn pass(text: &str) -> AntipodeStr {
    AntipodeStr {
        data: text.as_ptr().cast::<c_char>(),
        length: text.len(),
    }
}

/// Most bytes of a text; a longer one is not requested again, and reads as empty.
const MOST_TEXT: usize = 1 << 30;

/// Bytes after a text's buffer that a plugin must not change.
const TEXT_GUARD: usize = 64;
const GUARD_BYTE: u8 = 0xa5;

/// Makes a call that writes a text, and repeats it with more space if necessary. The text of
/// [`TEXT_CUT`] is the fault.
pub(super) fn take_text(
    mut capacity: usize,
    mut call: impl FnMut(&mut AntipodeText) -> AntipodeStatus,
) -> (AntipodeStatus, String) {
    for _ in 0..2 {
        let (status, wanted, text) = call_once(capacity, &mut call);
        match status {
            ANTIPODE_OK if wanted > capacity => {
                let fault = format!("says it wrote {wanted} bytes where {capacity} fit");
                return (TEXT_CUT, fault);
            }
            ANTIPODE_MORE_ROOM if wanted > capacity && wanted < MOST_TEXT => capacity = wanted,
            _ => return (status, text),
        }
    }
    (ANTIPODE_MORE_ROOM, String::new())
}

/// Makes a call whose text is an error, which may be cut and is, so the call is made only once.
pub(super) fn take_error(
    mut call: impl FnMut(&mut AntipodeText) -> AntipodeStatus,
) -> (AntipodeStatus, String) {
    let (status, _, text) = call_once(SHORT_ROOM, &mut call);
    (status, start_of(&text, MOST_SAID))
}

/// The status, the length given by the plugin, and the written text.
fn call_once(
    capacity: usize,
    call: &mut dyn FnMut(&mut AntipodeText) -> AntipodeStatus,
) -> (AntipodeStatus, usize, String) {
    let mut room = vec![0_u8; capacity + TEXT_GUARD];
    room[capacity..].fill(GUARD_BYTE);
    let mut text = AntipodeText {
        data: room.as_mut_ptr().cast::<c_char>(),
        capacity,
        length: 0,
    };
    let status = call(&mut text);
    let wanted = text.length;
    if room[capacity..].iter().any(|&byte| byte != GUARD_BYTE) {
        return (TEXT_OVERRUN, 0, String::new());
    }
    let bytes = &room[..wanted.min(capacity)];
    (status, wanted, cleaned(bytes))
}

/// Bytes of a plugin as a text, [`clean`].
fn cleaned(bytes: &[u8]) -> String {
    // Most are UTF-8, which is checked many bytes at a time; the rest is read one by one.
    match std::str::from_utf8(bytes) {
        Ok(text) => clean(text),
        Err(_) => clean(&String::from_utf8_lossy(bytes)),
    }
}

/// A plugin's text without characters that a terminal would interpret: line breaks and tabs stay,
/// all other control characters become a replacement character.
#[must_use]
pub fn clean(text: &str) -> String {
    // Most texts. A fixed number of bytes at a time, without a branch, so that the compiler
    // vectorises them.
    let odd = |bytes: &[u8]| {
        bytes.iter().fold(0_u8, |odd, &byte| {
            let plain = byte.wrapping_sub(b' ') <= b'~' - b' ' || byte == b'\n' || byte == b'\t';
            odd | u8::from(!plain)
        })
    };
    let (chunks, rest) = text.as_bytes().as_chunks::<32>();
    if chunks.iter().all(|chunk| odd(chunk) == 0) && odd(rest) == 0 {
        return text.to_owned();
    }
    let obeyed = |c: char| puzzle_api::is_obeyed(c) && c != '\n' && c != '\t';
    text.chars()
        .map(|c| {
            if obeyed(c) {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect()
}

/// Whether a text of a plugin is one line as it came: of UTF-8, and without characters that a
/// terminal would interpret.
#[must_use]
pub fn is_line(text: &str) -> bool {
    !text.contains(|c| c == char::REPLACEMENT_CHARACTER || puzzle_api::is_obeyed(c))
}

/// Most characters of an error or a name of a plugin.
pub const MOST_SAID: usize = 500;

/// The beginning of a text, of at most `most` characters.
pub(super) fn start_of(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A name of a plugin as one harmless line, cut if it is long.
pub(super) fn name_line(text: &str) -> String {
    start_of(&one_line(text), MOST_SAID)
}

/// Characters of the longest line that is shown.
const LONGEST: usize = 4000;

/// Any text as one harmless line for a terminal. Control characters, including line breaks, are
/// escaped as in Rust, and text beyond 4,000 characters is cut.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in start_of(text, LONGEST).chars() {
        match puzzle_api::is_obeyed(c) {
            true => line.extend(c.escape_default()),
            false => line.push(c),
        }
    }
    line
}

/// Replaces the status if a text was written beyond its capacity.
const TEXT_OVERRUN: AntipodeStatus = -0x7e57;
/// Replaces the status OK of a text that did not fit.
pub(super) const TEXT_CUT: AntipodeStatus = -0x7e58;

/// A zero-terminated text of the table; null reads as empty.
///
/// # Safety
/// `text` is null or points to zero-terminated bytes that live as long as the process.
#[allow(unsafe_code)]
pub(super) unsafe fn table_text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: by the caller.
    cleaned(unsafe { CStr::from_ptr(text) }.to_bytes())
}

/// A text that a plugin passed to a sink.
///
/// # Safety
/// `text` holds `length` readable bytes, or `length` is 0.
#[allow(unsafe_code)]
pub(super) unsafe fn given_text(text: AntipodeStr) -> String {
    if text.length == 0 || text.data.is_null() || text.length > MOST_TEXT {
        return String::new();
    }
    // SAFETY: by the caller.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    cleaned(bytes)
}

/// The wording of a status in an error.
pub(super) fn status_text(status: AntipodeStatus) -> String {
    match status {
        ANTIPODE_OK => "returned OK without doing its work".into(),
        ANTIPODE_MORE_ROOM => "keeps asking for more room".into(),
        ANTIPODE_STOPPED => "stopped without being asked to".into(),
        ANTIPODE_BAD_INPUT => "refused input that is not text from a user".into(),
        ANTIPODE_UNSUPPORTED => "is not offered by this instance".into(),
        ANTIPODE_FAILED => "failed".into(),
        TEXT_OVERRUN => "wrote beyond the capacity of its text".into(),
        other => format!("returned the unknown status {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, clean, is_line, one_line};

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(clean("a\tb\nc ~"), "a\tb\nc ~");
        assert_eq!(
            clean("a\u{1b}[31m\r\u{7f}\u{85}é"),
            "a\u{fffd}[31m\u{fffd}\u{fffd}\u{fffd}é"
        );
    }

    #[test]
    fn a_line_is_one_line() {
        for (text, line) in [
            ("a\nb\tc\u{1b}[31m é", "a\\nb\\tc\\u{1b}[31m é"),
            ("\u{feff}{}", "\\u{feff}{}"),
        ] {
            assert_eq!(one_line(text), line);
            assert!(!is_line(text) && is_line(line));
        }
        let long = one_line(&"x".repeat(2 * LONGEST));
        assert_eq!(long.chars().count(), LONGEST + 1);
        assert!(long.ends_with('…'));
    }
}
