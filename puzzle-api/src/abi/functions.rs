//! The functions of the table, for any Rust puzzle: each once. What every one of them does around its work is in the macros of `shim.rs`.
//!
//! Safety of all of them: the harness passes a handle from `open` that has not been
//! closed, arrays of the sizes that `table.rs` and `variant.rs` state and with defined
//! values, and sinks whose functions take what `values.rs` says.

use std::cell::RefCell;
use std::ffi::c_void;

use super::batch::{self, expand, push, side_by_side, state, states, words};
use super::guard::{
    caught, fail, guarded, guarded_with, last_failure, read_settings, read_text, write_text,
};
use super::shim::{
    Opened, calls, delivered, expansions, hand_over, input, of, output, set, valued,
    valued_together, values,
};
use super::values::*;
use crate::{
    BadInput, Buckets, Direction, Effort, Family, Features, Key, LowerBound, MoveNames, MoveOrder,
    NamedStates, NeighbourKeys, NeighbourOrbits, NeighbourRanks, Numbering, Objective, Parts,
    Placement, Predecessors, PrunedOrbits, Puzzle, RandomStates, Refute, Request, SolvedStates,
    Strata, Sweep, Symmetry, TimeReversal, UsedMoves, Xorshift,
};

pub(super) unsafe extern "C" fn open<P: Puzzle>(
    instance: AntipodeStr,
    settings: AntipodeStr,
    handle: *mut *mut c_void,
    error: *mut AntipodeText,
) -> AntipodeStatus {
    // SAFETY: see the head of this file.
    unsafe {
        guarded_with(error, || {
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
    // A panic while dropping has nobody to report to, and must not leave the function.
    let _ = caught(|| {
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
        guarded_with(error, || {
            let puzzle = &of::<P>(handle).puzzle;
            let mut made = Vec::with_capacity(words::<P>());
            push(puzzle, &puzzle.parse(read_text(text)?)?, &mut made);
            Ok(hand_over(&made, key, words::<P>()))
        })
    }
}

expansions! {
    fn successors<P: Puzzle> = |puzzle, keys, out, offsets| {
        expand(puzzle, keys, out, offsets, P::successors)
    };
    fn predecessors<P: Predecessors> = |puzzle, keys, out, offsets| {
        expand(puzzle, keys, out, offsets, P::predecessors)
    };
    fn successors_side_by_side<P: NeighbourKeys> = |puzzle, keys, out, offsets| {
        side_by_side(puzzle, keys, out, offsets, |puzzle: &P, states, out, ends| {
            puzzle.neighbour_keys(Direction::Forward, states, out, ends);
        })
    };
    fn predecessors_side_by_side<P: NeighbourKeys + Predecessors> = |puzzle, keys, out, offsets| {
        side_by_side(puzzle, keys, out, offsets, |puzzle: &P, states, out, ends| {
            puzzle.neighbour_keys(Direction::Backward, states, out, ends);
        })
    };
    fn successor_orbits<P: NeighbourOrbits> = |puzzle, keys, out, offsets| {
        side_by_side(puzzle, keys, out, offsets, |puzzle: &P, states, out, ends| {
            puzzle.neighbour_orbits(Direction::Forward, states, out, ends);
        })
    };
    fn predecessor_orbits<P: NeighbourOrbits + Predecessors> = |puzzle, keys, out, offsets| {
        side_by_side(puzzle, keys, out, offsets, |puzzle: &P, states, out, ends| {
            puzzle.neighbour_orbits(Direction::Backward, states, out, ends);
        })
    };
    fn pruned_successors<P: PrunedOrbits> = |puzzle, keys, out, offsets| {
        side_by_side(puzzle, keys, out, offsets, |puzzle: &P, states, out, ends| {
            puzzle.pruned_orbits(Direction::Forward, states, out, ends);
        })
    };
    fn pruned_predecessors<P: PrunedOrbits + Predecessors + TimeReversal> = |puzzle, keys, out, offsets| {
        side_by_side(puzzle, keys, out, offsets, |puzzle: &P, states, out, ends| {
            puzzle.pruned_orbits(Direction::Backward, states, out, ends);
        })
    };
}

values! {
    fn bucket<P: Buckets>(u64) = P::bucket;
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

    fn stratum<P: Strata>(opened, keys: *const u64, count: usize, out: *mut u64) {
        valued_together(&opened.puzzle, (keys, count), out, "their stratum", P::stratum_all)
    }

    fn move_order<P: MoveOrder>(opened, keys: *const u64, count: usize, out: *mut u64) {
        valued_together(&opened.puzzle, (keys, count), out, "how promising they are", P::move_order_all)
    }

    fn feature_space<P: Features>(
        opened,
        settings: *mut u32,
        features: *mut u32,
        each: *mut u32,
    ) {
        let space = opened.puzzle.feature_space();
        set(settings, Some(space.settings));
        set(features, Some(space.features));
        set(each, Some(space.each))
    }

    fn features<P: Features>(opened, keys: *const u64, count: usize, out: *mut u32) {
        let puzzle = &opened.puzzle;
        let room = count * (1 + puzzle.feature_space().each as usize);
        let states: Vec<_> = states(puzzle, input(keys, count * words::<P>())).collect();
        let mut made = Vec::with_capacity(room);
        puzzle.features_all(&states, &mut made);
        hand_over(&made, out, room)
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
        let puzzle = &opened.puzzle;
        let room = count * words::<P>() * opened.symmetry_count() as usize;
        let mut made = Vec::with_capacity(room);
        for state in states(puzzle, input(keys, count * words::<P>())) {
            for index in 0..opened.symmetry_count() {
                push(puzzle, &puzzle.image(&state, index), &mut made);
            }
        }
        hand_over(&made, out, room)
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
        let room = count * words::<P>();
        let mut made = Vec::with_capacity(room);
        let sizes = (!orbit_sizes.is_null()).then(|| output(orbit_sizes, count));
        batch::canonical(puzzle, input(keys, room), &mut made, sizes);
        hand_over(&made, out, room)
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
        let room = count * words::<P>();
        let mut made = Vec::with_capacity(room);
        for &rank in input(ranks, count) {
            let Some(state) = puzzle.unrank(Placement { part, rank }) else {
                return ANTIPODE_UNSUPPORTED;
            };
            push(puzzle, &state, &mut made);
        }
        hand_over(&made, out, room)
    }

    fn part_count<P: Parts>(opened, count: *mut u64) {
        set(count, Some(opened.puzzle.part_count()))
    }

    fn part_name<P: Parts>(opened, part: u64, text: *mut AntipodeText) {
        write_text(text, &opened.puzzle.part_name(part))
    }

    #[allow(clippy::too_many_arguments)]
    fn neighbour_ranks<P: NeighbourRanks>(
        opened,
        direction: u32,
        part: u64,
        ranks: *const u64,
        count: usize,
        keys: *mut u64,
        out: *mut u64,
        capacity: usize,
        filled: *mut usize,
    ) {
        let direction = match direction {
            ANTIPODE_FORWARD => Direction::Forward,
            ANTIPODE_BACKWARD => Direction::Backward,
            other => return fail(format!("no direction {other}")),
        };
        let (puzzle, ranks) = (&opened.puzzle, input(ranks, count));
        NEIGHBOURS.with_borrow_mut(|made| {
            made.clear();
            if keys.is_null() {
                puzzle.neighbour_ranks(direction, part, ranks, made);
            } else {
                let mut states = Vec::with_capacity(count);
                puzzle.keys_and_neighbour_ranks(direction, part, ranks, &mut states, made);
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

    fn move_groups<P: UsedMoves>(opened, count: *mut u32) {
        set(count, opened.puzzle.move_groups())
    }

    #[allow(clippy::too_many_arguments)]
    fn unused_neighbours<P: UsedMoves>(
        opened,
        keys: *const u64,
        used: *const u32,
        count: usize,
        out: *mut u64,
        marks: *mut u32,
        capacity: usize,
        offsets: *mut usize,
        done: *mut usize,
    ) {
        let words = words::<P>();
        let (keys, used) = (input(keys, count * words), input(used, count));
        let (out, marks) = (output(out, capacity * words), output(marks, capacity));
        let offsets = output(offsets, count + 1);
        let complete = batch::unused(&opened.puzzle, (keys, used), (out, marks), offsets);
        *done = complete;
        if complete < count { ANTIPODE_MORE_ROOM } else { ANTIPODE_OK }
    }

    fn random<P: RandomStates>(opened, seed: u64, first: u64, count: usize, out: *mut u64) {
        let puzzle = &opened.puzzle;
        let room = count * words::<P>();
        let mut made = Vec::with_capacity(room);
        for draw in 0..count as u64 {
            let mut random = Xorshift::for_draw(seed, first.wrapping_add(draw));
            let Some(state) = puzzle.random(&mut random) else {
                return ANTIPODE_UNSUPPORTED;
            };
            push(puzzle, &state, &mut made);
        }
        hand_over(&made, out, room)
    }

    fn sweep<P: Sweep>(opened, part: u64, sink: AntipodeSweepSink) {
        let Some(emit) = sink.emit else {
            return fail("no function to deliver to");
        };
        if !opened.puzzle.sweeps() {
            return ANTIPODE_UNSUPPORTED;
        }
        let mut status = ANTIPODE_OK;
        opened.puzzle.sweep(part, &mut |swept| {
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

    fn describe_move<P: MoveNames>(
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

    fn names<P: NamedStates>(opened, text: *mut AntipodeText) {
        let names = opened.puzzle.names();
        let lines: String = names.iter().map(|name| format!("{name}\n")).collect();
        write_text(text, &lines)
    }

    // `keys` may be the memory of `out`, as in `canonical`.
    fn time_reversal<P: TimeReversal>(opened, keys: *const u64, count: usize, out: *mut u64) {
        let puzzle = &opened.puzzle;
        let room = count * words::<P>();
        let mut made = Vec::with_capacity(room);
        for state in states(puzzle, input(keys, room)) {
            push(puzzle, &puzzle.time_reversal(&state), &mut made);
        }
        hand_over(&made, out, room)
    }

    // `to` is null or a key.
    fn refute<P: Refute>(opened, from: *const u64, to: *const u64, text: *mut AntipodeText) {
        let puzzle = &opened.puzzle;
        let from = state(puzzle, input(from, words::<P>()));
        let to = (!to.is_null()).then(|| state(puzzle, input(to, words::<P>())));
        let proof = puzzle.refute(&from, to.as_ref());
        proof.map_or(ANTIPODE_UNSUPPORTED, |proof| write_text(text, &proof))
    }
}

thread_local! {
    /// Ranks on their way to the harness, kept so that no call has to ask for memory.
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
        guarded_with(error, || {
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

pub(super) unsafe extern "C" fn failure(text: *mut AntipodeText) -> AntipodeStatus {
    // Not guarded: that would replace the text it is asked for.
    // SAFETY: see the head of this file.
    caught(|| unsafe { write_text(text, &last_failure()) }).unwrap_or(ANTIPODE_UNSUPPORTED)
}
