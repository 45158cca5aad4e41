//! Code around the work of every exported function: reading and writing texts, and catching panics.

use std::any::Any;
use std::cell::RefCell;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::{ptr, slice};

use super::values::{
    ANTIPODE_BAD_INPUT, ANTIPODE_FAILED, ANTIPODE_MORE_ROOM, ANTIPODE_OK, AntipodeStatus,
    AntipodeStr, AntipodeText,
};
use crate::{BadInput, Settings};

thread_local! {
    /// Why the last call on this thread failed.
    static FAILURE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Why the last call on this thread failed; empty at a second call.
pub(super) fn take_failure() -> String {
    FAILURE.take()
}

/// Notes why a call fails.
pub(super) fn fail(text: impl Into<String>) -> AntipodeStatus {
    let text = text.into();
    FAILURE.with_borrow_mut(|failure| *failure = text);
    ANTIPODE_FAILED
}

/// The text, checked to be UTF-8.
///
/// # Safety
/// `text` points to `length` readable bytes, or `length` is 0.
pub(super) unsafe fn read_text<'a>(text: AntipodeStr) -> Result<&'a str, BadInput> {
    if text.length == 0 {
        return Ok("");
    }
    // SAFETY: the caller guarantees the range.
    let bytes = unsafe { slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    str::from_utf8(bytes).map_err(|_| BadInput::new("text that is not UTF-8"))
}

/// Copies as much of a text as fits.
///
/// # Safety
/// `out` is null or points to an `AntipodeText` whose `data` has space for `capacity` bytes.
pub(super) unsafe fn write_text(out: *mut AntipodeText, text: &str) -> AntipodeStatus {
    // SAFETY: null or valid, by the caller.
    let Some(out) = (unsafe { out.as_mut() }) else {
        return ANTIPODE_OK;
    };
    let fitting = text.len().min(out.capacity);
    if fitting > 0 {
        // SAFETY: `fitting` is within both the text and the capacity.
        unsafe { ptr::copy_nonoverlapping(text.as_ptr(), out.data.cast::<u8>(), fitting) };
    }
    out.length = text.len();
    if fitting < text.len() {
        ANTIPODE_MORE_ROOM
    } else {
        ANTIPODE_OK
    }
}

/// Lines `KEY=VALUE`.
pub(super) fn read_settings(text: &str) -> Settings {
    text.lines()
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

/// Ends a call with its own error line.
struct CallEnd(String);

/// Ends the current call with [`ANTIPODE_FAILED`] and this line, for implementations within the
/// harness, whose methods have no error to return.
pub fn end_call(line: String) -> ! {
    resume_unwind(Box::new(CallEnd(line)))
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

/// Runs a body and keeps a panic in, because unwinding out of an `extern "C"` function
/// aborts the host; the error is its message. Bodies are passed by reference: this is compiled once,
/// and not for each function of each variant.
pub(super) fn caught(body: &mut dyn FnMut()) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|payload| {
        let payload = match payload.downcast::<CallEnd>() {
            Ok(ended) => return ended.0,
            Err(payload) => payload,
        };
        let text = format!("panicked: {}", panic_text(&*payload));
        // Dropping the payload runs code of the puzzle, which could panic again.
        mem::forget(payload);
        text
    })
}

/// Runs a body; a panic becomes `ANTIPODE_FAILED`, with its message for `failure`.
pub(super) fn guarded(body: &mut dyn FnMut() -> AntipodeStatus) -> AntipodeStatus {
    let mut status = ANTIPODE_OK;
    match caught(&mut || status = body()) {
        Ok(()) => status,
        Err(text) => fail(text),
    }
}

/// Like [`guarded`], for functions with an `error` (which may be null).
///
/// # Safety
/// `error` as in [`write_text`].
pub(super) unsafe fn guarded_with(
    error: *mut AntipodeText,
    body: &mut dyn FnMut() -> Result<AntipodeStatus, BadInput>,
) -> AntipodeStatus {
    let mut returned = Ok(ANTIPODE_OK);
    let (status, text) = match (caught(&mut || returned = body()), &returned) {
        (Ok(()), &Ok(status)) => return status,
        (Ok(()), Err(bad)) => (ANTIPODE_BAD_INPUT, bad.0.clone()),
        (Err(text), _) => (fail(text.clone()), text),
    };
    // SAFETY: by the caller. An error that does not fit is cut.
    unsafe { write_text(error, &text) };
    status
}
