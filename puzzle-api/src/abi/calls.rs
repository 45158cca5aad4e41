//! The functions of the table, for any Rust puzzle.
//!
//! Safety of all of them: the harness passes a handle from `open` that has not been
//! closed, arrays of the sizes that `table.rs` states and with defined values, and sinks
//! whose functions take what `values.rs` says.

use std::ffi::c_void;
use std::slice;

use super::export::{Opened, VariantList};
use super::guard::{
    caught, fail, guarded, guarded_with, last_failure, read_settings, read_text, write_text,
};
use super::values::*;
use crate::{BadInput, Capabilities, Direction, Effort, Request};

/// # Safety
/// `handle` comes from `open` and is not closed.
unsafe fn of<'a>(handle: *const c_void) -> &'a Opened {
    // SAFETY: `open` made it from a `Box<Opened>`.
    unsafe { &*handle.cast::<Opened>() }
}

/// # Safety
/// `data` has `count` elements, or `count` is 0.
unsafe fn input<'a, T>(data: *const T, count: usize) -> &'a [T] {
    if count == 0 {
        return &[];
    }
    // SAFETY: by the caller.
    unsafe { slice::from_raw_parts(data, count) }
}

/// # Safety
/// `data` has `count` elements with defined values that nothing else refers to while the
/// slice lives, or `count` is 0.
unsafe fn output<'a, T>(data: *mut T, count: usize) -> &'a mut [T] {
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
unsafe fn hand_over(made: &[u64], out: *mut u64, words: usize) -> AntipodeStatus {
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

pub(super) unsafe extern "C" fn capabilities(handle: *const c_void) -> u64 {
    // SAFETY: `handle` is open.
    unsafe { of(handle) }.capabilities.0
}

pub(super) unsafe extern "C" fn symmetry_count(handle: *const c_void) -> u32 {
    // SAFETY: `handle` is open.
    unsafe { of(handle) }.symmetry_count
}

pub(super) unsafe extern "C" fn part_count(handle: *const c_void) -> u64 {
    // SAFETY: `handle` is open.
    unsafe { of(handle) }.part_count
}

pub(super) unsafe extern "C" fn images(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe {
        let opened = of(handle);
        let words = count * opened.puzzle.key_words();
        let room = words * opened.symmetry_count as usize;
        let mut made = Vec::with_capacity(room);
        let keys = input(keys, words);
        opened.puzzle.images(keys, opened.symmetry_count, &mut made);
        hand_over(&made, out, room)
    })
}

pub(super) unsafe extern "C" fn canonical(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
    orbit_sizes: *mut u32,
) -> AntipodeStatus {
    // SAFETY: see the head of this file. `keys` may be the memory of `out`: its slice is
    // no longer used when that of `out` is made.
    guarded(|| unsafe {
        let puzzle = &of(handle).puzzle;
        let words = count * puzzle.key_words();
        let mut made = Vec::with_capacity(words);
        let sizes = (!orbit_sizes.is_null()).then(|| output(orbit_sizes, count));
        puzzle.canonical(input(keys, words), &mut made, sizes);
        hand_over(&made, out, words)
    })
}

pub(super) unsafe extern "C" fn part_name(
    handle: *const c_void,
    part: u64,
    text: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe { write_text(text, &of(handle).puzzle.part_name(part)) })
}

pub(super) unsafe extern "C" fn space(
    handle: *const c_void,
    part: u64,
    size: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe {
        match of(handle).puzzle.space(part) {
            Some(found) => {
                *size = found;
                ANTIPODE_OK
            }
            None => ANTIPODE_UNSUPPORTED,
        }
    })
}

pub(super) unsafe extern "C" fn place(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    parts: *mut u64,
    ranks: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe {
        let puzzle = &of(handle).puzzle;
        let keys = input(keys, count * puzzle.key_words());
        puzzle.place(keys, output(parts, count), output(ranks, count));
        ANTIPODE_OK
    })
}

pub(super) unsafe extern "C" fn unrank(
    handle: *const c_void,
    part: u64,
    ranks: *const u64,
    count: usize,
    out: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe {
        let puzzle = &of(handle).puzzle;
        let words = count * puzzle.key_words();
        let mut made = Vec::with_capacity(words);
        if !puzzle.unrank(part, input(ranks, count), &mut made) {
            return ANTIPODE_UNSUPPORTED;
        }
        hand_over(&made, out, words)
    })
}

pub(super) unsafe extern "C" fn bucket(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe {
        let puzzle = &of(handle).puzzle;
        let keys = input(keys, count * puzzle.key_words());
        puzzle.bucket(keys, output(out, count));
        ANTIPODE_OK
    })
}

pub(super) unsafe extern "C" fn random(
    handle: *const c_void,
    seed: u64,
    first: u64,
    count: usize,
    out: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe {
        let puzzle = &of(handle).puzzle;
        let words = count * puzzle.key_words();
        let mut made = Vec::with_capacity(words);
        if !puzzle.random(seed, first, count, &mut made) {
            return ANTIPODE_UNSUPPORTED;
        }
        hand_over(&made, out, words)
    })
}

pub(super) unsafe extern "C" fn sweep(
    handle: *const c_void,
    part: u64,
    sink: AntipodeSweepSink,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe {
        let opened = of(handle);
        if !opened.capabilities.has(Capabilities::SWEEP) {
            return ANTIPODE_UNSUPPORTED;
        }
        let Some(emit) = sink.emit else {
            return fail("no function to deliver to");
        };
        let words = opened.puzzle.key_words();
        let mut uneven = false;
        let whole = opened.puzzle.sweep(part, &mut |keys, depths, orbit_size| {
            // The receiver reads as many depths as keys.
            uneven = keys.len() != depths.len() * words;
            !uneven
                && emit(
                    sink.context,
                    keys.as_ptr(),
                    depths.as_ptr(),
                    depths.len(),
                    orbit_size,
                ) == 0
        });
        match (uneven, whole) {
            (true, _) => fail("delivered unequal numbers of keys and depths"),
            (false, true) => ANTIPODE_OK,
            (false, false) => ANTIPODE_STOPPED,
        }
    })
}

pub(super) unsafe extern "C" fn describe_move(
    handle: *const c_void,
    from: *const u64,
    to: *const u64,
    text: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    guarded(|| unsafe {
        let puzzle = &of(handle).puzzle;
        let words = puzzle.key_words();
        let named = puzzle.describe_move(input(from, words), input(to, words));
        named.map_or(ANTIPODE_UNSUPPORTED, |name| write_text(text, &name))
    })
}

pub(super) unsafe extern "C" fn derive<L: VariantList>(
    what: AntipodeStr,
    parameters: AntipodeStr,
    effort: u32,
    figures: AntipodeFigureSink,
    error: *mut AntipodeText,
) -> AntipodeStatus {
    let passed = |text: &str| AntipodeStr {
        data: text.as_ptr().cast(),
        length: text.len(),
    };
    // SAFETY: see the head of this file.
    unsafe {
        guarded_with(error, || {
            let effort = match effort {
                0 => Effort::Quick,
                _ => Effort::Full,
            };
            let parameters = read_settings(read_text(parameters)?);
            let derived = L::derive(read_text(what)?, &parameters, effort)?;
            let Some(emit) = figures.emit else {
                return Err(BadInput::new("no function to deliver figures to"));
            };
            for figure in &derived {
                emit(figures.context, passed(&figure.name), passed(&figure.value));
            }
            Ok(ANTIPODE_OK)
        })
    }
}

pub(super) unsafe extern "C" fn failure(text: *mut AntipodeText) -> AntipodeStatus {
    // Not guarded: that would replace the text it is asked for.
    // SAFETY: see the head of this file.
    caught(|| unsafe { write_text(text, &last_failure()) }).unwrap_or(ANTIPODE_UNSUPPORTED)
}
