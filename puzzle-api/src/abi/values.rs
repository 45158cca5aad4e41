//! Constants, texts and sinks that cross the boundary. `include/antipode.h` is generated
//! from this file, `table.rs` and `variant.rs`, so the comments are written for an author who
//! reads the header alone.

use std::ffi::{c_char, c_void};

/// Version of this boundary. A library built for another version is refused.
pub const ANTIPODE_ABI_VERSION: u32 = 12;

/// Most states that the harness passes in one batch. It passes none only to ask `expand`,
/// `neighbour_ranks`, `bucket`, `move_order`, `diversity_class` and `features` whether they are
/// offered.
pub const ANTIPODE_MAX_BATCH: usize = 65_536;

/// Distance of a state from which no solved state can be reached.
pub const ANTIPODE_UNSOLVABLE: u16 = 0xffff;

/// Part that `place` writes for a state outside the numbering.
pub const ANTIPODE_NOWHERE: u64 = 0xffff_ffff_ffff_ffff;

/// Direction of `neighbour_ranks`, `expand` and `sweep`: successors.
pub const ANTIPODE_FORWARD: u32 = 0;
/// Direction of `neighbour_ranks`, `expand` and `sweep`: predecessors.
pub const ANTIPODE_BACKWARD: u32 = 1;

/// Form of `expand`: each neighbour is replaced by its representative, as `canonical` gives it.
pub const ANTIPODE_ORBITS: u32 = 2;
/// Form of `expand`: like `ANTIPODE_ORBITS`, without neighbours whose `lower_bound` is the greatest
/// number; backward, without those whose `time_reversal` has that bound.
pub const ANTIPODE_PRUNED: u32 = 4;
/// Form of `expand`, forward, for puzzles whose moves can be undone: without the moves of state i
/// whose group is a bit of `used[i]`. Writes to `marks`, for each key of `out`, the bit of that
/// group of the neighbour which has the move back. Every move of that group must lead to state i or
/// to one of its neighbours.
pub const ANTIPODE_UNUSED: u32 = 8;

/// Status: the call did all of its work.
pub const ANTIPODE_OK: i32 = 0;
/// Status: the output did not fit; the call reports how far it got, and is made again.
pub const ANTIPODE_MORE_ROOM: i32 = 1;
/// Status: a sink requested a stop, and the call stopped.
pub const ANTIPODE_STOPPED: i32 = 2;
/// Status: the input is refused; `error` holds one line with the reason.
pub const ANTIPODE_BAD_INPUT: i32 = 3;
/// Status: this instance does not offer the function.
pub const ANTIPODE_UNSUPPORTED: i32 = 4;
/// Status: the implementation failed (in Rust: panicked); `failure` says how.
pub const ANTIPODE_FAILED: i32 = 5;

/// Bit of `facts`: every path to a state has the same length, so that a level can only
/// repeat itself.
pub const ANTIPODE_IS_LAYERED: u64 = 1;
/// Bit of `facts`: every move can be undone by one move.
pub const ANTIPODE_IS_UNDIRECTED: u64 = 1 << 1;

/// Result of a call: one of `ANTIPODE_OK` to `ANTIPODE_FAILED`. Everything but
/// `ANTIPODE_OK` and `ANTIPODE_MORE_ROOM` ends the run.
pub type AntipodeStatus = i32;

/// Text from the plugin, written into memory of the harness. Write at most `capacity` bytes of
/// UTF-8 to `data` and set `length` to the full length. If that is more than `capacity`, return
/// `ANTIPODE_MORE_ROOM` (for an error text, being cut is fine).
#[repr(C)]
#[derive(Debug)]
pub struct AntipodeText {
    /// Memory to write to; owned by the harness.
    pub data: *mut c_char,
    /// Bytes that fit.
    pub capacity: usize,
    /// Bytes of the whole text; set by the plugin.
    pub length: usize,
}

/// Text from the harness: UTF-8, not terminated, valid during the call.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct AntipodeStr {
    /// First byte.
    pub data: *const c_char,
    /// Bytes.
    pub length: usize,
}

/// Where `starts` and `solved_states` deliver keys. Call `emit` as often as you like, with
/// any number of keys, from the calling thread and only until you return. Stop and return
/// `ANTIPODE_STOPPED` when it returns anything but 0.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct AntipodeSink {
    /// Passed unchanged to `emit`.
    pub context: *mut c_void,
    /// `keys` holds `count * key_words` words; both stay yours.
    pub emit:
        Option<unsafe extern "C" fn(context: *mut c_void, keys: *const u64, count: usize) -> i32>,
}

/// Receives the states of `sweep`, whose distances are final. As with `AntipodeSink`: from the
/// calling thread, until it returns anything but 0. Some thousands of states per call are right.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct AntipodeSweepSink {
    /// Passed unchanged to `emit`.
    pub context: *mut c_void,
    /// `count` canonical keys, the distance of each to the nearest root (or
    /// `ANTIPODE_UNSOLVABLE`), and the number of states in the orbit of each.
    pub emit: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            keys: *const u64,
            depths: *const u16,
            count: usize,
            orbit_size: u32,
        ) -> i32,
    >,
}

/// Receives the figures of `derive`, one call per figure, from the calling thread.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct AntipodeFigureSink {
    /// Passed unchanged to `emit`.
    pub context: *mut c_void,
    /// A figure's name and its value, both UTF-8; numbers in plain decimal. The texts
    /// stay yours.
    pub emit:
        Option<unsafe extern "C" fn(context: *mut c_void, name: AntipodeStr, value: AntipodeStr)>,
}

/// A name with a line of explanation. Strings are zero-terminated UTF-8 that lives as
/// long as the library.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct AntipodeNamed {
    /// Name: lower case, digits and hyphens.
    pub name: *const c_char,
    /// One line for `antipode list`; may be null.
    pub summary: *const c_char,
}

/// Name of the one symbol that a puzzle library exports.
pub const ANTIPODE_ENTRY: &str = "antipode_puzzle_v1";
