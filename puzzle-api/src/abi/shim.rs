//! Shared code of the table's functions: the handle, arrays of the harness, and the macros that
//! write a function around its work.

use std::ffi::c_void;
use std::slice;
use std::sync::OnceLock;

use super::batch::{deliver, push, states, words};
use super::guard::fail;
use super::values::*;
use crate::{Puzzle, Symmetry};

/// The target of a handle.
pub(super) struct Opened<P> {
    pub(super) puzzle: P,
    /// Asked once: memory for images is measured by it.
    symmetry_count: OnceLock<u32>,
}

impl<P> Opened<P> {
    pub(super) fn new(puzzle: P) -> Self {
        Self {
            puzzle,
            symmetry_count: OnceLock::new(),
        }
    }
}

impl<P: Symmetry> Opened<P> {
    pub(super) fn symmetry_count(&self) -> u32 {
        *self
            .symmetry_count
            .get_or_init(|| self.puzzle.symmetry_count())
    }
}

/// # Safety
/// `handle` comes from `open` for this implementation, and is not closed.
pub(super) unsafe fn of<'a, P: Puzzle>(handle: *const c_void) -> &'a Opened<P> {
    // SAFETY: `open` made it from a `Box<Opened<P>>`.
    unsafe { &*handle.cast::<Opened<P>>() }
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

/// Copies the values from a puzzle, if their number equals the capacity.
///
/// # Safety
/// `out` has space for `words` words.
pub(super) unsafe fn hand_over<T: Copy>(made: &[T], out: *mut T, words: usize) -> AntipodeStatus {
    if made.len() != words {
        return fail(format!("made {} words instead of {words}", made.len()));
    }
    // SAFETY: by the caller.
    unsafe { output(out, words) }.copy_from_slice(made);
    ANTIPODE_OK
}

/// Copies the keys of `count` states; `ANTIPODE_UNSUPPORTED` if one is missing.
///
/// # Safety
/// `out` has space for `count` keys. The states may be made from keys in its memory.
pub(super) unsafe fn packed<P: Puzzle>(
    puzzle: &P,
    states: impl Iterator<Item = Option<P::State>>,
    out: *mut u64,
    count: usize,
) -> AntipodeStatus {
    let mut made = Vec::with_capacity(count * words::<P>());
    for state in states {
        let Some(state) = state else {
            return ANTIPODE_UNSUPPORTED;
        };
        push(puzzle, &state, &mut made);
    }
    // SAFETY: by the caller.
    unsafe { hand_over(&made, out, count * words::<P>()) }
}

/// Sets the target of an output pointer.
///
/// # Safety
/// `out` can be written.
pub(super) unsafe fn set<T>(out: *mut T, value: Option<T>) -> AntipodeStatus {
    let Some(value) = value else {
        return ANTIPODE_UNSUPPORTED;
    };
    // SAFETY: by the caller.
    unsafe { out.write(value) };
    ANTIPODE_OK
}

/// Delivers keys to a sink.
///
/// # Safety
/// Same as the exported functions.
pub(super) unsafe fn delivered<P: Puzzle>(
    puzzle: &P,
    sink: AntipodeSink,
    list: impl FnOnce(&mut dyn FnMut(P::State)),
) -> AntipodeStatus {
    let Some(emit) = sink.emit else {
        return fail("no function to deliver to");
    };
    let whole = deliver(puzzle, list, &mut |keys| {
        // SAFETY: by the caller.
        unsafe { emit(sink.context, keys.as_ptr(), keys.len() / words::<P>()) == 0 }
    });
    if whole { ANTIPODE_OK } else { ANTIPODE_STOPPED }
}

/// For functions of the puzzle that write the values of several states at once: `what` names the
/// values.
///
/// # Safety
/// Same as the exported functions.
pub(super) unsafe fn valued_together<P: Puzzle, T, U: From<T>>(
    puzzle: &P,
    (keys, count): (*const u64, usize),
    out: *mut U,
    what: &str,
    fill: impl Fn(&P, &[P::State], &mut Vec<T>),
) -> AntipodeStatus {
    // SAFETY: by the caller.
    let (keys, out) = unsafe { (input(keys, count * words::<P>()), output(out, count)) };
    let states: Vec<_> = states(puzzle, keys).collect();
    let mut values = Vec::with_capacity(count);
    fill(puzzle, &states, &mut values);
    if values.len() != count {
        return fail(format!(
            "says {what} for {} of {count} states",
            values.len()
        ));
    }
    for (out, value) in out.iter_mut().zip(values) {
        *out = value.into();
    }
    ANTIPODE_OK
}

/// Functions that are called on a handle: `opened` is its target, and a panic of the body becomes
/// `ANTIPODE_FAILED`.
macro_rules! calls {
    ($($(#[$attribute:meta])*
    fn $name:ident<$puzzle:ident: $bound:ident $(+ $more:ident)*>(
        $opened:ident $(, $argument:ident: $type:ty)* $(,)?
    ) $body:block)+) => {$(
        $(#[$attribute])*
        pub(super) unsafe extern "C" fn $name<$puzzle: $bound $(+ $more)*>(
            handle: *const c_void,
            $($argument: $type),*
        ) -> AntipodeStatus {
            // SAFETY: see the head of this file.
            guarded(&mut || unsafe {
                let $opened = of::<$puzzle>(handle);
                $body
            })
        }
    )+};
}

/// Functions like `successors`: `$expand` returns the number of states whose neighbours are
/// complete.
macro_rules! expansions {
    ($(fn $name:ident<$puzzle:ident: $bound:ident $(+ $more:ident)*> = $expand:expr;)+) => {
        calls! {$(
            fn $name<$puzzle: $bound $(+ $more)*>(
                opened,
                keys: *const u64,
                count: usize,
                out: *mut u64,
                capacity: usize,
                offsets: *mut usize,
                done: *mut usize,
            ) {
                let words = words::<$puzzle>();
                let (keys, out) = (input(keys, count * words), output(out, capacity * words));
                let complete = $expand(&opened.puzzle, keys, out, output(offsets, count + 1));
                *done = complete;
                if complete < count { ANTIPODE_MORE_ROOM } else { ANTIPODE_OK }
            }
        )+}
    };
}

/// Functions that write one value per state.
macro_rules! values {
    ($(fn $name:ident<$puzzle:ident: $bound:ident>($type:ty) = $value:expr;)+) => {
        calls! {$(
            fn $name<$puzzle: $bound>(opened, keys: *const u64, count: usize, out: *mut $type) {
                let states = states(&opened.puzzle, input(keys, count * words::<$puzzle>()));
                for (out, state) in output(out, count).iter_mut().zip(states) {
                    *out = $value(&opened.puzzle, &state);
                }
                ANTIPODE_OK
            }
        )+}
    };
}

pub(super) use {calls, expansions, values};
