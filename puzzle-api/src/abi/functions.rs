//! The functions of the table, for any Rust puzzle: each once. The code around the work of each is
//! in the macros of `shim.rs`.
//!
//! Safety of all of them: the harness passes a handle from `open` that has not been closed, and
//! sinks whose functions take what `values.rs` says. Arrays have the sizes that `table.rs` and
//! `variant.rs` state, and defined values.

use std::cell::RefCell;
use std::ffi::c_void;

use super::batch::{self, expand_many, state, states, words};
use super::guard::{
    caught, fail, guarded, guarded_with, read_settings, read_text, take_failure, write_text,
};
use super::shim::{
    Opened, calls, delivered, expansions, hand_over, input, of, output, packed, set,
    valued_together, values,
};
use super::values::*;
use crate::{
    BadInput, Direction, Effort, Expand, Family, Form, Hint, Hints, Key, Layered, LowerBound,
    Names, Numbering, Objective, Placement, Predecessors, Puzzle, RandomStates, Request,
    SolvedStates, Sweep, Symmetry, Want, Xorshift,
};

pub(super) unsafe extern "C" fn open<P: Puzzle>(
    instance: AntipodeStr,
    settings: AntipodeStr,
    handle: *mut *mut c_void,
    error: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    unsafe {
        guarded_with(error, &mut || {
            let settings = read_settings(read_text(settings)?);
            let puzzle = P::open(&Request {
                instance: read_text(instance)?,
                settings: &settings,
            })?;
            let opened = Box::new(Opened::new(puzzle));
            *handle = Box::into_raw(opened).cast::<c_void>();
            Ok(ANTIPODE_OK)
        })
    }
}

pub(super) unsafe extern "C" fn close<P: Puzzle>(handle: *mut c_void) {
    // A panic while dropping has no receiver, and must not leave the function.
    let _ = caught(&mut || {
        // SAFETY: `open` made it from a `Box<Opened<P>>`, and it is closed once.
        drop(unsafe { Box::from_raw(handle.cast::<Opened<P>>()) });
    });
}

pub(super) unsafe extern "C" fn parse<P: Puzzle>(
    handle: *const c_void,
    text: AntipodeStr,
    key: *mut u64,
    error: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    unsafe {
        guarded_with(error, &mut || {
            let puzzle = &of::<P>(handle).puzzle;
            let state = puzzle.parse(read_text(text)?)?;
            Ok(packed(puzzle, [Some(state)].into_iter(), key, 1))
        })
    }
}

expansions! {
    fn successors<P: Puzzle> = |puzzle, keys, out, offsets| {
        batch::expand(puzzle, keys, out, offsets, P::successors)
    };
    fn predecessors<P: Predecessors> = |puzzle, keys, out, offsets| {
        batch::expand(puzzle, keys, out, offsets, P::predecessors)
    };
    fn successors_at_once<P: Expand> = |puzzle, keys, out, offsets| {
        let want = Want::all(Direction::Forward);
        expand_many(puzzle, want, (keys, &[]), (out, &mut []), offsets)
    };
    fn predecessors_at_once<P: Expand + Predecessors> = |puzzle, keys, out, offsets| {
        let want = Want::all(Direction::Backward);
        expand_many(puzzle, want, (keys, &[]), (out, &mut []), offsets)
    };
}

values! {
    fn objective<P: Objective>(u64) = P::objective;
    fn lower_bound<P: LowerBound>(u64) = P::lower_bound;
}

calls! {
    fn draw<P: Puzzle>(opened, key: *const u64, text: *mut AntipodeText) {
        let puzzle = &opened.puzzle;
        write_text(text, &puzzle.draw(&state(puzzle, input(key, words::<P>()))))
    }

    fn is_solved<P: Puzzle>(opened, keys: *const u64, count: usize, out: *mut u8) {
        valued_together(&opened.puzzle, (keys, count), out, "whether they are solved", P::solved_all)
    }

    #[allow(clippy::too_many_arguments)]
    fn expand<P: Expand>(
        opened,
        want: u32,
        keys: *const u64,
        used: *const u32,
        count: usize,
        out: *mut u64,
        marks: *mut u32,
        capacity: usize,
        offsets: *mut usize,
        done: *mut usize,
    ) {
        let form = match want & !ANTIPODE_BACKWARD {
            ANTIPODE_ORBITS => Form::Orbits,
            ANTIPODE_PRUNED => Form::Pruned,
            ANTIPODE_UNUSED => Form::Unused,
            _ => return ANTIPODE_UNSUPPORTED,
        };
        let want = Want { direction: direction(want & ANTIPODE_BACKWARD), form };
        if !opened.puzzle.expands(want) {
            return ANTIPODE_UNSUPPORTED;
        }
        if count == 0 {
            return ANTIPODE_OK;
        }
        let words = words::<P>();
        let (keys, out) = (input(keys, count * words), output(out, capacity * words));
        let (used, marks) = match form {
            Form::Unused => (input(used, count), output(marks, capacity)),
            _ => (&[][..], &mut [][..]),
        };
        let offsets = output(offsets, count + 1);
        let complete = expand_many(&opened.puzzle, want, (keys, used), (out, marks), offsets);
        *done = complete;
        if complete < count { ANTIPODE_MORE_ROOM } else { ANTIPODE_OK }
    }

    fn bucket<P: Hints>(opened, keys: *const u64, count: usize, out: *mut u64) {
        hinted(&opened.puzzle, Hint::Bucket, (keys, count), out)
    }

    fn diversity_class<P: Hints>(opened, keys: *const u64, count: usize, out: *mut u64) {
        hinted(&opened.puzzle, Hint::DiversityClass, (keys, count), out)
    }

    fn move_order<P: Hints>(opened, keys: *const u64, count: usize, out: *mut u64) {
        hinted(&opened.puzzle, Hint::MoveOrder, (keys, count), out)
    }

    fn feature_space<P: Hints>(
        opened,
        settings: *mut u32,
        features: *mut u32,
        each: *mut u32,
    ) {
        let Some(space) = opened.puzzle.feature_space() else {
            return ANTIPODE_UNSUPPORTED;
        };
        set(settings, Some(space.settings));
        set(features, Some(space.features));
        set(each, Some(space.each))
    }

    fn features<P: Hints>(opened, keys: *const u64, count: usize, out: *mut u32) {
        let puzzle = &opened.puzzle;
        let Some(space) = puzzle.feature_space() else {
            return ANTIPODE_UNSUPPORTED;
        };
        let capacity = count * (1 + space.each as usize);
        let states: Vec<_> = states(puzzle, input(keys, count * words::<P>())).collect();
        let mut made = Vec::with_capacity(capacity);
        puzzle.features(&states, &mut made);
        hand_over(&made, out, capacity)
    }

    fn starts<P: Puzzle>(opened, sink: AntipodeSink) {
        let puzzle = &opened.puzzle;
        delivered(puzzle, sink, |emit| puzzle.starts(emit))
    }

    fn solved_states<P: SolvedStates>(opened, part: u64, sink: AntipodeSink) {
        let puzzle = &opened.puzzle;
        if !puzzle.lists_solved_states() {
            return ANTIPODE_UNSUPPORTED;
        }
        delivered(puzzle, sink, |emit| puzzle.solved_states(part, emit))
    }

    fn symmetry_count<P: Symmetry>(opened, count: *mut u32) {
        set(count, Some(opened.symmetry_count()))
    }

    fn images<P: Symmetry>(opened, keys: *const u64, count: usize, out: *mut u64) {
        let (puzzle, each) = (&opened.puzzle, opened.symmetry_count());
        let states = states(puzzle, input(keys, count * words::<P>()));
        let images = |state| (0..each).map(move |index| Some(puzzle.image(&state, index)));
        packed(puzzle, states.flat_map(images), out, count * each as usize)
    }

    // `keys` may be the memory of `out`: its slice is no longer used when that of `out` is
    // made.
    fn canonical<P: Symmetry>(
        opened,
        keys: *const u64,
        count: usize,
        out: *mut u64,
        orbit_sizes: *mut u32,
    ) {
        let puzzle = &opened.puzzle;
        let capacity = count * words::<P>();
        let mut made = Vec::with_capacity(capacity);
        let sizes = (!orbit_sizes.is_null()).then(|| output(orbit_sizes, count));
        batch::canonical(puzzle, input(keys, capacity), &mut made, sizes);
        hand_over(&made, out, capacity)
    }

    fn space<P: Numbering>(opened, part: u64, size: *mut u64) {
        set(size, opened.puzzle.space(part))
    }

    fn place<P: Numbering>(
        opened,
        keys: *const u64,
        count: usize,
        parts: *mut u64,
        ranks: *mut u64,
    ) {
        let puzzle = &opened.puzzle;
        let keys = input(keys, count * words::<P>());
        batch::place(puzzle, keys, output(parts, count), output(ranks, count));
        ANTIPODE_OK
    }

    fn unrank<P: Numbering>(opened, part: u64, ranks: *const u64, count: usize, out: *mut u64) {
        let puzzle = &opened.puzzle;
        let ranks = input(ranks, count).iter();
        let states = ranks.map(|&rank| puzzle.unrank(Placement { part, rank }));
        packed(puzzle, states, out, count)
    }

    fn part_count<P: Numbering>(opened, count: *mut u64) {
        match opened.puzzle.part_count() {
            0 => ANTIPODE_UNSUPPORTED,
            parts => set(count, Some(parts)),
        }
    }

    fn part_name<P: Numbering>(opened, part: u64, text: *mut AntipodeText) {
        write_text(text, &opened.puzzle.part_name(part))
    }

    #[allow(clippy::too_many_arguments)]
    fn neighbour_ranks<P: Numbering>(
        opened,
        way: u32,
        part: u64,
        ranks: *const u64,
        count: usize,
        keys: *mut u64,
        out: *mut u64,
        capacity: usize,
        filled: *mut usize,
    ) {
        let (puzzle, ranks) = (&opened.puzzle, input(ranks, count));
        NEIGHBOURS.with_borrow_mut(|made| {
            made.clear();
            let mut states = Vec::with_capacity(if keys.is_null() { 0 } else { count });
            let wanted = (!keys.is_null()).then_some(&mut states);
            if !puzzle.neighbour_ranks(direction(way), part, ranks, wanted, made) {
                return ANTIPODE_UNSUPPORTED;
            }
            if !keys.is_null() {
                let status = hand_over(&P::Key::words_of(&states), keys, count * words::<P>());
                if status != ANTIPODE_OK {
                    return status;
                }
            }
            *filled = made.len();
            if made.len() > capacity {
                return ANTIPODE_MORE_ROOM;
            }
            output(out, capacity)[..made.len()].copy_from_slice(made);
            ANTIPODE_OK
        })
    }

    fn random<P: RandomStates>(opened, seed: u64, first: u64, count: usize, out: *mut u64) {
        let puzzle = &opened.puzzle;
        let draw = |draw| Xorshift::for_draw(seed, first.wrapping_add(draw));
        let states = (0..count as u64).map(|nth| puzzle.random(&mut draw(nth)));
        packed(puzzle, states, out, count)
    }

    // `from` is null or a key.
    fn sweep<P: Sweep>(
        opened,
        way: u32,
        from: *const u64,
        part: u64,
        only: *const u64,
        count: usize,
        memory: *mut u64,
        sink: AntipodeSweepSink,
    ) {
        let Some(emit) = sink.emit else {
            return fail("no function to deliver to");
        };
        let puzzle = &opened.puzzle;
        let from = (!from.is_null()).then(|| state(puzzle, input(from, words::<P>())));
        let (way, from) = (direction(way), from.as_ref());
        let Some(bytes) = puzzle.sweeps(way, from) else {
            return ANTIPODE_UNSUPPORTED;
        };
        // A call without any states only asks, and starts nothing.
        let bytes = bytes.max(1);
        if bytes > std::mem::replace(&mut *memory, bytes) {
            return ANTIPODE_STOPPED;
        }
        let mut status = ANTIPODE_OK;
        let only = input(only, count * words::<P>()).chunks_exact(words::<P>());
        let only: Vec<P::State> = only.map(|key| state(puzzle, key)).collect();
        puzzle.sweep(way, from, part, &only, &mut |swept| {
            if status != ANTIPODE_OK {
                return false;
            }
            let (keys, depths) = (P::Key::words_of(swept.keys), swept.depths);
            // The receiver reads as many depths as keys.
            if keys.len() != depths.len() * words::<P>() {
                status = fail("delivered unequal numbers of keys and depths");
                return false;
            }
            let (keys, size) = (keys.as_ptr(), swept.orbit_size);
            if emit(sink.context, keys, depths.as_ptr(), depths.len(), size) != 0 {
                status = ANTIPODE_STOPPED;
            }
            status == ANTIPODE_OK
        });
        status
    }

    fn describe_move<P: Names>(
        opened,
        from: *const u64,
        to: *const u64,
        text: *mut AntipodeText,
    ) {
        let puzzle = &opened.puzzle;
        let (from, to) = (input(from, words::<P>()), input(to, words::<P>()));
        let name = puzzle.describe_move(&state(puzzle, from), &state(puzzle, to));
        name.map_or(ANTIPODE_UNSUPPORTED, |name| write_text(text, &name))
    }

    fn names<P: Names>(opened, text: *mut AntipodeText) {
        let names = opened.puzzle.names();
        let lines: String = names.iter().map(|name| format!("{name}\n")).collect();
        write_text(text, &lines)
    }

    // `keys` may be the memory of `out`, as in `canonical`.
    fn time_reversal<P: Layered>(opened, keys: *const u64, count: usize, out: *mut u64) {
        let puzzle = &opened.puzzle;
        let Some(reversed) = puzzle.time_reversal() else {
            return ANTIPODE_UNSUPPORTED;
        };
        let states = states(puzzle, input(keys, count * words::<P>()));
        packed(puzzle, states.map(|state| Some(reversed(puzzle, &state))), out, count)
    }

    // `to` is null or a key.
    fn refute<P: Puzzle>(opened, from: *const u64, to: *const u64, text: *mut AntipodeText) {
        let puzzle = &opened.puzzle;
        let from = state(puzzle, input(from, words::<P>()));
        let to = (!to.is_null()).then(|| state(puzzle, input(to, words::<P>())));
        let proof = puzzle.refute(&from, to.as_ref());
        proof.map_or(ANTIPODE_UNSUPPORTED, |proof| write_text(text, &proof))
    }
}

/// The direction of a call: the harness passes one of two.
fn direction(number: u32) -> Direction {
    match number {
        ANTIPODE_FORWARD => Direction::Forward,
        _ => Direction::Backward,
    }
}

/// Writes a number per state that a search may use, if the instance has that hint.
///
/// # Safety
/// Same as for [`valued_together`].
unsafe fn hinted<P: Hints>(
    puzzle: &P,
    hint: Hint,
    states: (*const u64, usize),
    out: *mut u64,
) -> AntipodeStatus {
    if !puzzle.has_hint(hint) {
        return ANTIPODE_UNSUPPORTED;
    }
    let fill = |puzzle: &P, states: &[P::State], out: &mut Vec<u64>| puzzle.hint(hint, states, out);
    // SAFETY: by the caller.
    unsafe { valued_together(puzzle, states, out, "a hint", fill) }
}

thread_local! {
    /// Buffer for ranks on their way to the harness, kept so that no call has to allocate.
    static NEIGHBOURS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

pub(super) unsafe extern "C" fn derive<F: Family>(
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
        guarded_with(error, &mut || {
            let effort = match effort {
                0 => Effort::Quick,
                _ => Effort::Full,
            };
            let parameters = read_settings(read_text(parameters)?);
            let derived = F::derive(read_text(what)?, &parameters, effort)?;
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

/// Why the last call on this thread failed; empty at a second call.
///
/// # Safety
/// Same as for any function of the table.
pub unsafe extern "C" fn failure(text: *mut AntipodeText) -> AntipodeStatus {
    // Not guarded: that would replace the requested text.
    let mut status = ANTIPODE_UNSUPPORTED;
    let _ = caught(&mut || {
        let failure = take_failure();
        // SAFETY: see the head of this file.
        status = unsafe { write_text(text, &failure) };
        if status == ANTIPODE_MORE_ROOM {
            fail(failure);
        }
    });
    status
}
