//! Functions of the table that guide or spare a search: names of states, reversal, move
//! ordering, what is to be small, proofs without a search. Safety as in `calls.rs`.

use std::ffi::c_void;

use super::calls::{hand_over, input, of, output};
use super::guard::{guarded, write_text};
use super::values::*;
use crate::Capabilities;

pub(super) unsafe extern "C" fn names(
    handle: *const c_void,
    text: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of `calls.rs`.
    guarded(|| unsafe {
        let names = of(handle).puzzle.names();
        let lines: String = names.iter().map(|name| format!("{name}\n")).collect();
        write_text(text, &lines)
    })
}

pub(super) unsafe extern "C" fn reversed(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of `calls.rs`. `keys` may be the memory of `out`: its slice is
    // no longer used when that of `out` is made.
    guarded(|| unsafe {
        let opened = of(handle);
        if !opened.capabilities.has(Capabilities::REVERSIBLE) {
            return ANTIPODE_UNSUPPORTED;
        }
        let words = count * opened.puzzle.key_words();
        let mut made = Vec::with_capacity(words);
        opened.puzzle.reversed(input(keys, words), &mut made);
        hand_over(&made, out, words)
    })
}

pub(super) unsafe extern "C" fn order(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of `calls.rs`.
    guarded(|| unsafe {
        let puzzle = &of(handle).puzzle;
        let keys = input(keys, count * puzzle.key_words());
        puzzle.order(keys, output(out, count));
        ANTIPODE_OK
    })
}

pub(super) unsafe extern "C" fn measure(
    handle: *const c_void,
    keys: *const u64,
    count: usize,
    out: *mut u64,
) -> AntipodeStatus {
    // SAFETY: see the head of `calls.rs`.
    guarded(|| unsafe {
        let puzzle = &of(handle).puzzle;
        let keys = input(keys, count * puzzle.key_words());
        puzzle.measure(keys, output(out, count));
        ANTIPODE_OK
    })
}

pub(super) unsafe extern "C" fn refute(
    handle: *const c_void,
    from: *const u64,
    to: *const u64,
    text: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of `calls.rs`; `to` is null or a key.
    guarded(|| unsafe {
        let puzzle = &of(handle).puzzle;
        let words = puzzle.key_words();
        let to = (!to.is_null()).then(|| input(to, words));
        let proof = puzzle.refute(input(from, words), to);
        proof.map_or(ANTIPODE_UNSUPPORTED, |proof| write_text(text, &proof))
    })
}
