//! The required functions of the table, and `predecessors`, for any Rust puzzle.
//!
//! Safety of all of them: the harness passes a handle from `open` that has not been
//! closed, arrays of the sizes that `table.rs` states and with defined values, and sinks
//! whose functions take what `values.rs` says.

use std::ffi::c_void;
use std::slice;

use super::export::{Opened, VariantList};
use super::guard::{caught, fail, guarded, guarded_with, read_settings, read_text, write_text};
use super::values::*;
use crate::{Capabilities, Direction, Request};

/// What a handle points to.
///
/// # Safety
/// `handle` comes from `open` and is not closed.
pub(super) unsafe fn of<'a>(handle: *const c_void) -> &'a Opened {
    // SAFETY: `open` made it from a `Box<Opened>`.
    unsafe { &*handle.cast::<Opened>() }
}

/// An array of the harness, to be read.
///
/// # Safety
/// `data` has `count` elements, or `count` is 0.
pub(super) unsafe fn input<'a, T>(data: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: by the caller.
    unsafe { slice::from_raw_parts(data, count) }
}

/// An array of the harness, to be written.
///
/// # Safety
/// `data` has `count` elements with defined values that nothing else refers to while the
/// slice lives, or `count` is 0.
pub(super) unsafe fn output<'a, T>(data: *mut T, count: usize) -> &'a mut [T] {
    if count == 0 {
        return &mut [];
    }
    // SAFETY: by the caller.
    unsafe { slice::from_raw_parts_mut(data, count) }
}

/// Copies what a puzzle made, if it is as much as there is room for.
///
/// # Safety
/// `out` has room for `words` words.
pub(super) unsafe fn hand_over(made: &[u64], out: *mut u64, words: usize) -> AntipodeStatus {
    if made.len() != words {
        return fail(format!("made {} words instead of {words}", made.len()));
    }
    // SAFETY: by the caller.
    unsafe { output(out, words) }.copy_from_slice(made);
    ANTIPODE_OK
}

pub(super) unsafe extern "C" fn open<L: VariantList>(
    instance: AntipodeStr,
    variant: AntipodeStr,
    settings: AntipodeStr,
    handle: *mut *mut c_void,
    error: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    unsafe {
        guarded_with(error, || {
            let settings = read_settings(read_text(settings)?);
            let request = Request {
                instance: read_text(instance)?,
                settings: &settings,
            };
            let opened = L::open(&request, read_text(variant)?)?;
            *handle = Box::into_raw(Box::new(opened)).cast::<c_void>();
            Ok(ANTIPODE_OK)
        })
    }
}

pub(super) unsafe extern "C" fn close(handle: *mut c_void) {
    // A panic while dropping has nobody to report to, and must not leave the function.
    let _ = caught(|| {
        // SAFETY: `open` made it from a `Box<Opened>`, and it is closed once.
        drop(unsafe { Box::from_raw(handle.cast::<Opened>()) });
    });
}

pub(super) unsafe extern "C" fn roots(
    handle: *const c_void,
    direction: u32,
    part: u64,
    sink: AntipodeSink,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe {
        let opened = of(handle);
        let direction = match direction {
            ANTIPODE_FORWARD => Direction::Forward,
            ANTIPODE_BACKWARD if !opened.capabilities.has(Capabilities::SOLVED_ROOTS) => {
                return ANTIPODE_UNSUPPORTED;
            }
            ANTIPODE_BACKWARD => Direction::Backward,
            other => return fail(format!("no direction {other}")),
        };
        let Some(emit) = sink.emit else {
            return fail("no function to deliver to");
        };
        let words = opened.puzzle.key_words();
        let whole = opened.puzzle.roots(direction, part, &mut |keys| {
            emit(sink.context, keys.as_ptr(), keys.len() / words) == 0
        });
        if whole { ANTIPODE_OK } else { ANTIPODE_STOPPED }
    })
}

/// # Safety
/// As the exported functions.
#[allow(clippy::too_many_arguments)]
unsafe fn expand(
    handle: *const c_void,
    direction: Direction,
    keys: *const u64,
    count: usize,
    out: *mut u64,
    capacity: usize,
    offsets: *mut usize,
    done: *mut usize,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe {
        let opened = of(handle);
        if direction == Direction::Backward && !opened.capabilities.has(Capabilities::PREDECESSORS)
        {
            return ANTIPODE_UNSUPPORTED;
        }
        let words = opened.puzzle.key_words();
        let complete = opened.puzzle.expand(
            direction,
            input(keys, count * words),
            output(out, capacity * words),
            output(offsets, count + 1),
        );
        *done = complete;
        if complete < count {
            ANTIPODE_MORE_ROOM
        } else {
            ANTIPODE_OK
        }
    })
}

pub(super) unsafe extern "C" fn successors(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
    capacity: usize,
    offsets: *mut usize,
    done: *mut usize,
) -> AntipodeStatus {
    let direction = Direction::Forward;
    // SAFETY: passed on unchanged.
    unsafe { expand(handle, direction, keys, count, out, capacity, offsets, done) }
}

pub(super) unsafe extern "C" fn predecessors(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
    capacity: usize,
    offsets: *mut usize,
    done: *mut usize,
) -> AntipodeStatus {
    let direction = Direction::Backward;
    // SAFETY: passed on unchanged.
    unsafe { expand(handle, direction, keys, count, out, capacity, offsets, done) }
}

pub(super) unsafe extern "C" fn is_solved(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u8,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe {
        let puzzle = &of(handle).puzzle;
        let keys = input(keys, count * puzzle.key_words());
        puzzle.is_solved(keys, output(out, count));
        ANTIPODE_OK
    })
}

pub(super) unsafe extern "C" fn parse(
    handle: *const c_void,
    text: AntipodeStr,
    key: *mut u64,
    error: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    unsafe {
        guarded_with(error, || {
            let puzzle = &of(handle).puzzle;
            let words = puzzle.parse(read_text(text)?)?;
            Ok(hand_over(&words, key, puzzle.key_words()))
        })
    }
}

pub(super) unsafe extern "C" fn draw(
    handle: *const c_void,
    key: *const u64,
    text: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe {
        let puzzle = &of(handle).puzzle;
        let drawn = puzzle.draw(input(key, puzzle.key_words()));
        write_text(text, &drawn)
    })
}
