//! One implementation of a puzzle's rules, in the form that crosses the boundary. The comments are
//! written for an author who reads the generated header alone.

use std::ffi::{c_char, c_void};

use super::values::*;

/// One implementation of a puzzle's rules. It offers the members that are not null; `facts` holds
/// properties that no function shows.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct AntipodeVariant {
    /// Required: name of the variant: lower case, digits and hyphens.
    pub name: *const c_char,
    /// Optional: the `ANTIPODE_IS_*` bits that hold for every instance. Without it (0),
    /// nothing is known, and searches look for repetitions everywhere.
    pub facts: u64,

    /// Required. Opens an instance by name, also one that `instances` does not list, unless it
    /// opens whatever name it is given. `settings` holds lines `KEY=VALUE`, each ended by a line
    /// feed; an unknown key or a value out of range must be refused. On `ANTIPODE_OK` sets
    /// `*handle` to anything but null; the handle is yours and is freed by `close`. Else returns
    /// `ANTIPODE_BAD_INPUT` with one line in `error` that names the error and the allowed values.
    pub open: Option<
        unsafe extern "C" fn(
            instance: AntipodeStr,
            settings: AntipodeStr,
            handle: *mut *mut c_void,
            error: *mut AntipodeText,
        ) -> AntipodeStatus,
    >,
    /// Required. Frees a handle. Called once per handle, when no other call on it is in progress.
    pub close: Option<unsafe extern "C" fn(handle: *mut c_void)>,
    /// Required. The states that one move leads to, for each of `count` states: those of state i go
    /// to `out` from position `offsets[i]` up to `offsets[i+1]` (in keys). `offsets` has room for
    /// `count + 1` entries and `offsets[0]` is 0; `out` has room for `capacity` keys and must never
    /// be written beyond it. Set `*done` to the number of states whose successors are complete. If
    /// that is less than `count`, return `ANTIPODE_MORE_ROOM`, and the call is repeated for the
    /// rest (with more room if `*done` is 0). Order and repetitions do not matter, and a move that
    /// changes nothing may or may not be listed.
    pub successors: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
            capacity: usize,
            offsets: *mut usize,
            done: *mut usize,
        ) -> AntipodeStatus,
    >,
    /// Required. Writes 1 to `out[i]` if state i is solved, else 0; `out` has room
    /// for `count` bytes.
    pub is_solved: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u8,
        ) -> AntipodeStatus,
    >,
    /// Required. Reads one state from text, rows joined by `/`, or from the name of a state, and
    /// writes it to `key` (room for `key_words` words). Returns `ANTIPODE_BAD_INPUT` with one line
    /// in `error` for anything else. The text comes from a user: expect everything.
    pub parse: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            text: AntipodeStr,
            key: *mut u64,
            error: *mut AntipodeText,
        ) -> AntipodeStatus,
    >,
    /// Required. Writes one state as rows joined by `/`; `parse` must read it back.
    pub draw: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            key: *const u64,
            text: *mut AntipodeText,
        ) -> AntipodeStatus,
    >,

    /// Optional. Delivers the states that a forward search starts from. Without it the
    /// user names a board, with `--board` or `--from`.
    pub starts:
        Option<unsafe extern "C" fn(handle: *const c_void, sink: AntipodeSink) -> AntipodeStatus>,
    /// Optional. Delivers every solved state of `part`, or answers `ANTIPODE_UNSUPPORTED`
    /// for an instance if they cannot be listed. Without it, retrograde analysis is
    /// lost.
    pub solved_states: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            part: u64,
            sink: AntipodeSink,
        ) -> AntipodeStatus,
    >,
    /// Optional. Like `successors`, in the opposite direction: the states that have state i among
    /// their successors. Without it, retrograde analysis runs on a stored forward graph and needs
    /// `unrank` and memory for every edge.
    pub predecessors: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
            capacity: usize,
            offsets: *mut usize,
            done: *mut usize,
        ) -> AntipodeStatus,
    >,
    /// Optional. Sets `*count` to the number of symmetries of the board, the identity
    /// included: 1 to 65,536. All of them must map moves to moves and solved states to
    /// solved states. Without it there is no symmetry reduction.
    pub symmetry_count:
        Option<unsafe extern "C" fn(handle: *const c_void, count: *mut u32) -> AntipodeStatus>,
    /// Optional. Writes the images of each state under all symmetries to `out`:
    /// `symmetry_count` keys per state, the identity first. Without it there is no
    /// symmetry reduction.
    pub images: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes the representative of each state's orbit to `out` and the number of
    /// different images to `orbit_sizes` (if that is not null). All variants take the same
    /// representative. `out` may be the same memory as `keys`. Without it, the smallest of `images`
    /// is taken.
    pub canonical: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
            orbit_sizes: *mut u32,
        ) -> AntipodeStatus,
    >,
    /// Optional. Like `successors` or `predecessors` in the same order, in a form that saves the
    /// harness work. `want` is `ANTIPODE_FORWARD` or `ANTIPODE_BACKWARD` plus one of
    /// `ANTIPODE_ORBITS`, `ANTIPODE_PRUNED` and `ANTIPODE_UNUSED`. Answers `ANTIPODE_UNSUPPORTED`
    /// for a form that this instance does not have, which is asked with a `count` of 0. `used` and
    /// `marks` are null except for `ANTIPODE_UNUSED`; `marks` has room for `capacity` words.
    /// Without it, `canonical` and `lower_bound` are called for every neighbour, and a search on
    /// disk generates all neighbours, including those that lead back.
    pub expand: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            want: u32,
            keys: *const u64,
            used: *const u32,
            count: usize,
            out: *mut u64,
            marks: *mut u32,
            capacity: usize,
            offsets: *mut usize,
            done: *mut usize,
        ) -> AntipodeStatus,
    >,
    /// Optional. Sets `*size` to the number of ranks of a part, or answers
    /// `ANTIPODE_UNSUPPORTED` for an instance without a numbering. Every rank is a state, moves
    /// stay within the ranks of a part, and every orbit of the part has at least one rank. Without
    /// it there is no `dense` engine and no row for unsolvable states.
    pub space: Option<
        unsafe extern "C" fn(handle: *const c_void, part: u64, size: *mut u64) -> AntipodeStatus,
    >,
    /// Optional. Writes part and rank of each state, with `rank < space(part)`; part
    /// `ANTIPODE_NOWHERE` for a state outside the numbering (a canonical one never is).
    /// Without it there are neither parts nor a `dense` engine.
    pub place: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            parts: *mut u64,
            ranks: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes the states with the given ranks of one part; the inverse of
    /// `place`. Without it there is no `dense` engine.
    pub unrank: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            part: u64,
            ranks: *const u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Optional. Sets `*count` to the number of independent parts of the state graph, 1 to 2^28, or
    /// answers `ANTIPODE_UNSUPPORTED` for an instance without parts. No move leads from one part to
    /// another, all starts lie in one, every orbit has its canonical state in exactly one, which
    /// `place` names, and all variants count the same. Without it a search holds the whole
    /// instance at once.
    pub part_count:
        Option<unsafe extern "C" fn(handle: *const c_void, count: *mut u64) -> AntipodeStatus>,
    /// Optional. Writes one line that names a part. Without it, parts are numbered.
    pub part_name: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            part: u64,
            text: *mut AntipodeText,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes the ranks of all successors (`ANTIPODE_FORWARD`) or predecessors
    /// (`ANTIPODE_BACKWARD`) of some states to `out`, in any order, and sets `*filled` to their
    /// number. The states are given by their ranks in one part. If `keys` is not null, it also
    /// writes the key of each state there, as `unrank` does. If there are more neighbours than
    /// `capacity`, return `ANTIPODE_MORE_ROOM` and nothing in `out` and `keys` counts: the call is
    /// made again with room for `*filled`. Every neighbour must lie within the numbering of the
    /// part. Without it, or if it answers `ANTIPODE_UNSUPPORTED`, `unrank`, `successors` or
    /// `predecessors` and `place` do the work one after another, about half as fast.
    pub neighbour_ranks: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            direction: u32,
            part: u64,
            ranks: *const u64,
            count: usize,
            keys: *mut u64,
            out: *mut u64,
            capacity: usize,
            filled: *mut usize,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes a number per state that neighbouring states tend to share. Without
    /// it, states are spread uniformly and an engine on disk writes more.
    pub bucket: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes the diversity class of each state: a beam keeps a bounded number of states
    /// of each. Without it, states are alike that share the bucket and the place in the move
    /// order.
    pub diversity_class: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes `count` states drawn uniformly from all states of the instance, or
    /// answers `ANTIPODE_UNSUPPORTED` if this instance has no way to draw them.
    /// Draw number `first + i` depends on `seed` and its number alone. Without it,
    /// samples are drawn by rank; without ranks there is no inclusiveness check.
    pub random: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            seed: u64,
            first: u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Optional. A specialised inner loop. `way` is `ANTIPODE_BACKWARD` (from the solved states) or
    /// `ANTIPODE_FORWARD` (from the starts); with a key in `from`, which may be null, the root is
    /// that state alone. Delivers every canonical state of a part that has a distance from the
    /// roots exactly once, and from the solved states all others too. If symmetries do not keep the
    /// roots, every state is its own orbit. With a `from`, `only` may hold `count` keys: then only
    /// these are delivered, unchanged, and the loop may end when all are. Else `only` is null.
    /// Answers `ANTIPODE_UNSUPPORTED`, for every part, if the loop was not written for this
    /// instance, direction or root. `memory` holds the bytes that it may take, and then those that
    /// it takes for a part (at least 1). If it needs more, it delivers nothing and returns
    /// `ANTIPODE_STOPPED`. Without it there is no `sweep` engine and the general engines do the
    /// work.
    pub sweep: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            way: u32,
            from: *const u64,
            part: u64,
            only: *const u64,
            count: usize,
            memory: *mut u64,
            sink: AntipodeSweepSink,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes a player's name of the move between two neighbouring states, or answers
    /// `ANTIPODE_UNSUPPORTED` if the move has no name. If several moves lead there, it writes their
    /// names, one a line; the first is shown. Without it, solutions are drawn as boards alone.
    pub describe_move: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            from: *const u64,
            to: *const u64,
            text: *mut AntipodeText,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes the names that `parse` accepts for states of this instance, each ended by a
    /// line feed, in the order in which they are shown. Without it, searches over all pairs of
    /// named states have nothing to start from.
    pub names: Option<
        unsafe extern "C" fn(handle: *const c_void, text: *mut AntipodeText) -> AntipodeStatus,
    >,
    /// Optional. Writes the image of each state under an involution that reverses every move: t is
    /// a successor of s exactly if the image of s is a successor of the image of t. `out` may be
    /// the same memory as `keys`. A puzzle whose moves can be undone needs none: there each state
    /// is its own image. Without it, a search from the goal cannot be read off a search from a
    /// start.
    pub time_reversal: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes how promising each state looks to a depth-first search; the smaller is
    /// tried first. Without it, successors are tried in their listed order.
    pub move_order: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes the value to minimise at the end of the moves, such as the pegs left.
    /// Without it there is no search for the fewest.
    pub objective: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes a lower bound on the moves left from each state to the nearest solved one:
    /// 0 for a solved state, and at most one more than that of any successor. Without it there is
    /// no `ida` engine.
    pub lower_bound: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes a proof, found without a search, that no path leads from one state to
    /// another (`to` null: to any solved state). It is a line of reason, then lines of whatever a
    /// reader needs to check it. `ANTIPODE_UNSUPPORTED` if no proof was found, which means nothing
    /// else. Without it, only a complete search shows that there is no path.
    pub refute: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            from: *const u64,
            to: *const u64,
            text: *mut AntipodeText,
        ) -> AntipodeStatus,
    >,
    /// Optional. Goes with `features`. Writes the number of settings (at least one), the number of
    /// different features, and the number of features of each state. Without it `features` is not
    /// called.
    pub feature_space: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            settings: *mut u32,
            features: *mut u32,
            each: *mut u32,
        ) -> AntipodeStatus,
    >,
    /// Optional. Goes with `feature_space`. Writes the setting of each state, such as the cell of
    /// the goal piece, followed by its features, such as the contents of cells. All are numbers
    /// from 0, for a beam that learns how far a state is from a goal. Without it a beam uses
    /// `move_order` alone.
    pub features: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u32,
        ) -> AntipodeStatus,
    >,
}
