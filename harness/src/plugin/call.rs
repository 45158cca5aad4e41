//! Calling conventions: texts in and out, status codes to errors.

use std::ffi::{CStr, c_char};

use puzzle_api::abi::{
    ANTIPODE_BAD_INPUT, ANTIPODE_FAILED, ANTIPODE_MORE_ROOM, ANTIPODE_OK, ANTIPODE_STOPPED,
    ANTIPODE_UNSUPPORTED, AntipodeStatus, AntipodeStr, AntipodeText,
};

/// Bytes offered for a text at first; a longer one is asked for again.
const TEXT_ROOM: usize = 64 * 1024;

/// What can go wrong between the harness and a puzzle.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PluginError {
    /// The file cannot be used as a puzzle library.
    #[error("{file}: {found}")]
    Load {
        /// The file as the user named it.
        file: String,
        /// What was found, and what was expected.
        found: String,
    },
    /// The puzzle refused its input; the text is the puzzle's own line.
    #[error("{0}")]
    BadInput(String),
    /// The puzzle broke the contract of the boundary.
    #[error("{puzzle}: {function} {fault}")]
    Broken {
        /// Puzzle and variant.
        puzzle: String,
        /// Function of the table.
        function: &'static str,
        /// What it did.
        fault: String,
    },
}

/// Text for a call; borrows `text`.
pub(super) fn pass(text: &str) -> AntipodeStr {
    AntipodeStr {
        data: text.as_ptr().cast::<c_char>(),
        length: text.len(),
    }
}

/// Makes a call that writes a text, again with more room where it asks for it.
pub(super) fn take_text(
    mut call: impl FnMut(&mut AntipodeText) -> AntipodeStatus,
) -> (AntipodeStatus, String) {
    let mut room = vec![0_u8; TEXT_ROOM];
    for _ in 0..2 {
        let mut text = AntipodeText {
            data: room.as_mut_ptr().cast::<c_char>(),
            capacity: room.len(),
            length: 0,
        };
        let status = call(&mut text);
        let wanted = text.length;
        if status == ANTIPODE_MORE_ROOM && wanted > room.len() && wanted < (1 << 30) {
            room.resize(wanted, 0);
            continue;
        }
        let bytes = &room[..wanted.min(room.len())];
        return (status, String::from_utf8_lossy(bytes).into_owned());
    }
    (ANTIPODE_MORE_ROOM, String::new())
}

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
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

/// How a status reads in an error.
pub(super) fn status_text(status: AntipodeStatus) -> String {
    match status {
        ANTIPODE_OK => "returned OK without doing its work".into(),
        ANTIPODE_MORE_ROOM => "keeps asking for more room".into(),
        ANTIPODE_STOPPED => "stopped without being asked to".into(),
        ANTIPODE_BAD_INPUT => "refused input that is not text from a user".into(),
        ANTIPODE_UNSUPPORTED => "is not offered by this instance".into(),
        ANTIPODE_FAILED => "failed (a panic, in Rust)".into(),
        other => format!("returned the unknown status {other}"),
    }
}
