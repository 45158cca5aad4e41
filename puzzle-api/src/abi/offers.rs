//! The optional functions of the table but `predecessors`, for any Rust puzzle. Safety as
//! in `calls.rs`.

use std::cell::RefCell;
use std::ffi::c_void;

use super::calls::{hand_over, input, of, output};
use super::export::VariantList;
use super::guard::{
    caught, fail, guarded, guarded_with, last_failure, read_settings, read_text, write_text,
};
use super::values::*;
use crate::{BadInput, Capabilities, Direction, Effort};

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
    // SAFETY: see the head of `calls.rs`.
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
    // SAFETY: see the head of `calls.rs`. `keys` may be the memory of `out`: its slice is
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
    // SAFETY: see the head of `calls.rs`.
    guarded(|| unsafe { write_text(text, &of(handle).puzzle.part_name(part)) })
}

pub(super) unsafe extern "C" fn space(
    handle: *const c_void,
    part: u64,
    size: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of `calls.rs`.
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
    // SAFETY: see the head of `calls.rs`.
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
    // SAFETY: see the head of `calls.rs`.
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

#[allow(clippy::too_many_arguments)]
pub(super) unsafe extern "C" fn neighbour_ranks(
    handle: *const c_void,
    direction: u32,
    part: u64,
    ranks: *const u64,
    count: usize,
    out: *mut u64,
    capacity: usize,
    filled: *mut usize,
) -> AntipodeStatus {
    // SAFETY: see the head of `calls.rs`.
    guarded(|| unsafe {
        let opened = of(handle);
        if !opened.capabilities.has(Capabilities::NEIGHBOUR_RANKS) {
            return ANTIPODE_UNSUPPORTED;
        }
        let direction = match direction {
            ANTIPODE_FORWARD => Direction::Forward,
            ANTIPODE_BACKWARD => Direction::Backward,
            other => return fail(format!("no direction {other}")),
        };
        NEIGHBOURS.with_borrow_mut(|made| {
            made.clear();
            let ranks = input(ranks, count);
            opened.puzzle.neighbour_ranks(direction, part, ranks, made);
            *filled = made.len();
            if made.len() > capacity {
                return ANTIPODE_MORE_ROOM;
            }
            output(out, capacity)[..made.len()].copy_from_slice(made);
            ANTIPODE_OK
        })
    })
}

thread_local! {
    /// Ranks on their way to the harness, kept so that no call has to ask for memory.
    static NEIGHBOURS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

pub(super) unsafe extern "C" fn bucket(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of `calls.rs`.
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
    // SAFETY: see the head of `calls.rs`.
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
    // SAFETY: see the head of `calls.rs`.
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
    // SAFETY: see the head of `calls.rs`.
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
    // SAFETY: see the head of `calls.rs`.
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
    // SAFETY: see the head of `calls.rs`.
    caught(|| unsafe { write_text(text, &last_failure()) }).unwrap_or(ANTIPODE_UNSUPPORTED)
}
