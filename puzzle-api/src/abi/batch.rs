//! Loops over a batch, on word slices of the sizes that the boundary states, compiled for every
//! implementation: no call in them goes through a table. The slices are arguments, so the compiler
//! knows that they do not overlap.

use super::values::ANTIPODE_NOWHERE;
use crate::{Expand, Key, Neighbours, Numbering, Puzzle, Symmetry, Want};

/// States that are processed together: enough to amortise the cost of a call.
const SIDE_BY_SIDE: usize = 256;

/// Keys that a sink gets at once.
const DELIVERED: usize = 4096;

/// Words in a key.
pub(super) const fn words<P: Puzzle>() -> usize {
    P::Key::WORDS
}

/// The state of a key.
pub(super) fn state<P: Puzzle>(puzzle: &P, words: &[u64]) -> P::State {
    puzzle.state(P::Key::from_words(words))
}

/// The states of a batch of keys.
pub(super) fn states<'a, P: Puzzle>(
    puzzle: &'a P,
    keys: &'a [u64],
) -> impl Iterator<Item = P::State> + 'a {
    keys.chunks_exact(words::<P>())
        .map(|words| state(puzzle, words))
}

/// Appends the key of a state.
pub(super) fn push<P: Puzzle>(puzzle: &P, state: &P::State, out: &mut Vec<u64>) {
    puzzle.key(state).push_words(out);
}

/// Writes a key's words to `out[at..]`.
fn put<K: Key>(key: K, out: &mut [u64], at: usize) {
    let number = key.to_u128();
    out[at * K::WORDS] = number as u64;
    if K::WORDS == 2 {
        out[at * 2 + 1] = (number >> 64) as u64;
    }
}

/// Writes part and rank of each state.
pub(super) fn place<P: Numbering>(puzzle: &P, keys: &[u64], parts: &mut [u64], ranks: &mut [u64]) {
    for ((part, rank), state) in parts.iter_mut().zip(ranks).zip(states(puzzle, keys)) {
        match puzzle.place(&state) {
            Some(at) => (*part, *rank) = (at.part, at.rank),
            None => (*part, *rank) = (ANTIPODE_NOWHERE, 0),
        }
    }
}

/// Appends the representative of each state, and writes the size of its orbit if requested.
pub(super) fn canonical<P: Symmetry>(
    puzzle: &P,
    keys: &[u64],
    out: &mut Vec<u64>,
    orbit_sizes: Option<&mut [u32]>,
) {
    let mut together = Vec::with_capacity(SIDE_BY_SIDE);
    let mut sizes = orbit_sizes.map(|sizes| sizes.chunks_mut(SIDE_BY_SIDE));
    for keys in keys.chunks(SIDE_BY_SIDE * words::<P>()) {
        together.clear();
        together.extend(states(puzzle, keys));
        let sizes = sizes.as_mut().and_then(Iterator::next);
        puzzle.canonical_all(&mut together, sizes);
        for state in &together {
            push(puzzle, state, out);
        }
    }
}

/// Passes on the states that `list` lists, in batches of keys; returns whether the receiver
/// took them all.
pub(super) fn deliver<P: Puzzle>(
    puzzle: &P,
    list: impl FnOnce(&mut dyn FnMut(P::State)),
    emit: &mut dyn FnMut(&[u64]) -> bool,
) -> bool {
    let full = DELIVERED * words::<P>();
    let mut batch = Vec::with_capacity(full);
    let mut going = true;
    list(&mut |state| {
        if going {
            push(puzzle, &state, &mut batch);
            if batch.len() == full {
                going = emit(&batch);
                batch.clear();
            }
        }
    });
    if going && !batch.is_empty() {
        going = emit(&batch);
    }
    going
}

/// Lists the neighbours of each state, as far as they fit; returns the number of states whose
/// neighbours are complete.
pub(super) fn expand<P: Puzzle>(
    puzzle: &P,
    keys: &[u64],
    out: &mut [u64],
    offsets: &mut [usize],
    neighbours: impl Fn(&P, &P::State, &mut dyn FnMut(P::State)),
) -> usize {
    let capacity = out.len() / words::<P>();
    let mut filled = 0;
    offsets[0] = 0;
    for (i, state) in states(puzzle, keys).enumerate() {
        let mut fits = true;
        let mut emit = |next: P::State| {
            if filled < capacity {
                put(puzzle.key(&next), out, filled);
                filled += 1;
            } else {
                fits = false;
            }
        };
        neighbours(puzzle, &state, &mut emit);
        if !fits {
            return i;
        }
        offsets[i + 1] = filled;
    }
    keys.len() / words::<P>()
}

/// Like [`expand`], for puzzles that find the neighbours of several states at once. In
/// [`Form::Unused`], `used` holds a word for each state, and `marks` has the capacity of `out`;
/// else both are empty.
pub(super) fn expand_many<P: Expand>(
    puzzle: &P,
    want: Want,
    (keys, used): (&[u64], &[u32]),
    (out, marks): (&mut [u64], &mut [u32]),
    offsets: &mut [usize],
) -> usize {
    let capacity = out.len() / words::<P>();
    let mut states = Vec::with_capacity(P::AT_ONCE.min(keys.len()));
    let mut made = Neighbours::default();
    let (mut complete, mut filled) = (0, 0);
    offsets[0] = 0;
    for batch in keys.chunks(P::AT_ONCE * words::<P>()) {
        states.clear();
        states.extend(batch.chunks_exact(words::<P>()).map(P::Key::from_words));
        made.keys.clear();
        made.ends.clear();
        made.marks.clear();
        let used = match used {
            [] => used,
            used => &used[complete..complete + states.len()],
        };
        puzzle.expand(want, &states, used, &mut made);
        let ends = &made.ends;
        let fit = ends.partition_point(|end| filled + end <= capacity);
        let many = if fit == 0 { 0 } else { ends[fit - 1] };
        let (width, end) = (words::<P>(), filled + many);
        out[filled * width..end * width].copy_from_slice(&P::Key::words_of(&made.keys[..many]));
        if !marks.is_empty() {
            marks[filled..end].copy_from_slice(&made.marks[..many]);
        }
        for end in &ends[..fit] {
            complete += 1;
            offsets[complete] = filled + end;
        }
        filled += many;
        if fit < states.len() {
            break;
        }
    }
    complete
}
