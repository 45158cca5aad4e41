//! The types that cross the boundary. `include/antipode.h` is generated from this
//! file, so the comments are written for an author who reads the header alone.

use std::ffi::{c_char, c_void};

/// Version of this boundary. A library built for another version is refused.
pub const ANTIPODE_ABI_VERSION: u32 = 1;

/// Distance of a state from which no solved state can be reached.
pub const ANTIPODE_UNSOLVABLE: u16 = 0xffff;

/// Direction of `roots`: from the start states.
pub const ANTIPODE_FORWARD: u32 = 0;
/// Direction of `roots`: from the solved states.
pub const ANTIPODE_BACKWARD: u32 = 1;

/// Result of a call. Everything but `ANTIPODE_OK` and `ANTIPODE_MORE_ROOM` ends the run.
pub type AntipodeStatus = i32;
/// The call did all of its work.
pub const ANTIPODE_OK: AntipodeStatus = 0;
/// The output did not fit; the call says how far it got, and is made again.
pub const ANTIPODE_MORE_ROOM: AntipodeStatus = 1;
/// A sink asked to stop, and the call did.
pub const ANTIPODE_STOPPED: AntipodeStatus = 2;
/// The input cannot be taken; `error` holds one line that says why.
pub const ANTIPODE_BAD_INPUT: AntipodeStatus = 3;
/// This instance does not offer the function.
pub const ANTIPODE_UNSUPPORTED: AntipodeStatus = 4;
/// The implementation failed (in Rust: panicked); `error`, where there is one, says how.
pub const ANTIPODE_FAILED: AntipodeStatus = 5;

/// `capabilities` bit: `roots` lists every solved state backward.
pub const ANTIPODE_HAS_SOLVED_ROOTS: u64 = 1;
/// `capabilities` bit: `predecessors`.
pub const ANTIPODE_HAS_PREDECESSORS: u64 = 1 << 1;
/// `capabilities` bit: `symmetry_count`, `images` and `canonical`.
pub const ANTIPODE_HAS_SYMMETRY: u64 = 1 << 2;
/// `capabilities` bit: `part_count` and `place` give more than one part.
pub const ANTIPODE_HAS_PARTS: u64 = 1 << 3;
/// `capabilities` bit: `space`, `place` and `unrank`.
pub const ANTIPODE_HAS_RANK: u64 = 1 << 4;
/// `capabilities` bit: `bucket`.
pub const ANTIPODE_HAS_BUCKET: u64 = 1 << 5;
/// `capabilities` bit: `random`.
pub const ANTIPODE_HAS_RANDOM: u64 = 1 << 6;
/// `capabilities` bit: `sweep`.
pub const ANTIPODE_HAS_SWEEP: u64 = 1 << 7;
/// `capabilities` bit: `describe_move`.
pub const ANTIPODE_HAS_MOVE_NAMES: u64 = 1 << 8;
/// `capabilities` bit: every path to a state has the same length.
pub const ANTIPODE_IS_LAYERED: u64 = 1 << 9;
/// `capabilities` bit: every move can be undone by one move.
pub const ANTIPODE_IS_UNDIRECTED: u64 = 1 << 10;

/// Text from the plugin, written into memory of the harness. Write at most
/// `capacity` bytes of UTF-8 to `data` and set `length` to the full length; where
/// that is more than `capacity`, return `ANTIPODE_MORE_ROOM` (for an error text,
/// being cut is fine).
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

/// Where `roots` delivers keys. Call `emit` as often as you like with any number of
/// keys; stop and return `ANTIPODE_STOPPED` when it returns anything but 0.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct AntipodeSink {
    /// Passed to `emit` as it is.
    pub context: *mut c_void,
    /// `keys` holds `count * key_words` words; both stay yours.
    pub emit:
        Option<unsafe extern "C" fn(context: *mut c_void, keys: *const u64, count: usize) -> i32>,
}

/// Where `sweep` delivers states whose distance is final.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct AntipodeSweepSink {
    /// Passed to `emit` as it is.
    pub context: *mut c_void,
    /// `count` canonical keys, the distance of each to the nearest solved state (or
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

/// What a puzzle library hands over: `const AntipodeTable *antipode_puzzle_v1(void)`.
/// The table and all it points to must live as long as the process; a library is
/// never unloaded.
///
/// Keys are states packed into `key_words` 64-bit words, low word first; arrays of
/// keys are contiguous. A batch holds between 1 and 65,536 states. All functions are
/// pure, and every function but `open` and `close` may be called on one handle from
/// many threads at once. All functions return an `AntipodeStatus` unless they say
/// otherwise. No exception or panic may leave a function.
///
/// Members marked *required* must not be null. The others may be null, or answer
/// `ANTIPODE_UNSUPPORTED`; each says what is lost then.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct AntipodeTable {
    /// Required: `ANTIPODE_ABI_VERSION`.
    pub abi_version: u32,
    /// Required: `sizeof(AntipodeTable)`.
    pub table_size: u32,
    /// Required: name of the puzzle, as in `NAME/INSTANCE`.
    pub name: *const c_char,
    /// Required: version of the implementation.
    pub version: *const c_char,
    /// One line for `antipode list`; may be null.
    pub summary: *const c_char,
    /// Required: 64-bit words in a key, 1 or 2.
    pub key_words: u32,
    /// Required: entries of `variants`, at least 1.
    pub variant_count: u32,
    /// Required: implementations of the same rules. The first is the default; the one
    /// called `reference` is the yardstick of checks. With a single variant, call it
    /// `reference`.
    pub variants: *const AntipodeNamed,
    /// Required: entries of `instances`, at least 1.
    pub instance_count: u32,
    /// Entries of `settings`.
    pub setting_count: u32,
    /// Required: state graphs offered by name.
    pub instances: *const AntipodeNamed,
    /// Settings that instances take; may be null.
    pub settings: *const AntipodeNamed,
    /// How to draw boards as pictures: one line a symbol, `SYMBOL SHAPE COLOUR NAME`
    /// with SHAPE one of empty, wall, hole, block, disc, outside, merge and COLOUR
    /// `#rrggbb`. May be null: pictures fall back to text.
    pub legend: *const c_char,
    /// Claims about the puzzle, as TOML; may be null: nothing to certify.
    pub claims: *const c_char,

    /// Required. Opens an instance in a variant. `settings` holds lines `KEY=VALUE`.
    /// On `ANTIPODE_OK` sets `handle`, which `close` ends. Calls are not made in
    /// parallel on the same `handle` pointer, but may be made for several instances.
    pub open: Option<
        unsafe extern "C" fn(
            instance: AntipodeStr,
            variant: AntipodeStr,
            settings: AntipodeStr,
            handle: *mut *mut c_void,
            error: *mut AntipodeText,
        ) -> AntipodeStatus,
    >,
    /// Required. Ends a handle; no other call on it is under way.
    pub close: Option<unsafe extern "C" fn(handle: *mut c_void)>,
    /// Required. Delivers the states that a search starts from: the start states
    /// (`ANTIPODE_FORWARD`; none where the instance has no start) or every solved
    /// state of `part` (`ANTIPODE_BACKWARD`; `ANTIPODE_UNSUPPORTED` where they cannot
    /// be listed, and retrograde analysis is lost).
    pub roots: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            direction: u32,
            part: u64,
            sink: AntipodeSink,
        ) -> AntipodeStatus,
    >,
    /// Required. The states that one move leads to, for each of `count` states:
    /// those of state i go to `out` from position `offsets[i]` up to `offsets[i+1]`
    /// (in keys). `offsets` has room for `count + 1` entries and `offsets[0]` is 0;
    /// `out` has room for `capacity` keys and must never be written beyond it. Set
    /// `done` to the number of states whose successors are complete; where that is
    /// less than `count`, return `ANTIPODE_MORE_ROOM` and the rest is asked again
    /// (with more room where `done` is 0). Order and repetitions do not matter.
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
    /// Required. Writes 1 to `out[i]` where state i is solved, else 0.
    pub is_solved: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u8,
        ) -> AntipodeStatus,
    >,
    /// Required. Reads one state from text, rows joined by `/`, or from the name of a
    /// state; `ANTIPODE_BAD_INPUT` with one line in `error` for anything else.
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

    /// Returns the `ANTIPODE_HAS_…` and `ANTIPODE_IS_…` bits that hold for this
    /// instance. Null: everything whose function is not null is offered, and the
    /// `ANTIPODE_IS_…` bits do not hold.
    pub capabilities: Option<unsafe extern "C" fn(handle: *const c_void) -> u64>,
    /// As `successors`, the other way: the states that have state i among their
    /// successors. Without it, retrograde analysis runs on a stored forward graph and
    /// needs `unrank` and memory for every edge.
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
    /// Number of symmetries of the board, the identity included; at least 1. Without
    /// it there is no symmetry reduction.
    pub symmetry_count: Option<unsafe extern "C" fn(handle: *const c_void) -> u32>,
    /// Writes the images of each state under all symmetries: `symmetry_count` keys a
    /// state, the identity first.
    pub images: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Writes the representative of each state's orbit to `out` and the number of
    /// different images to `orbit_sizes` (where that is not null). `out` may be the
    /// same memory as `keys`. Without it, the smallest of `images` is taken.
    pub canonical: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
            orbit_sizes: *mut u32,
        ) -> AntipodeStatus,
    >,
    /// Number of independent parts of the state graph, at least 1: no move leads from
    /// one to another, and every orbit has its canonical state in exactly one.
    /// Without it a search holds the whole instance at once.
    pub part_count: Option<unsafe extern "C" fn(handle: *const c_void) -> u64>,
    /// Writes one line that names a part. Without it, parts are numbered.
    pub part_name: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            part: u64,
            text: *mut AntipodeText,
        ) -> AntipodeStatus,
    >,
    /// Sets `size` to the number of ranks of a part. Every rank is a state, moves stay
    /// within the ranks of a part, and every orbit of the part has at least one rank.
    /// Without it there is no `dense` engine and no row for unsolvable states.
    pub space: Option<
        unsafe extern "C" fn(handle: *const c_void, part: u64, size: *mut u64) -> AntipodeStatus,
    >,
    /// Writes part and rank of each state; part `UINT64_MAX` for a state outside the
    /// numbering (a canonical one never is).
    pub place: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            parts: *mut u64,
            ranks: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Writes the states with the given ranks of one part; the inverse of `place`.
    pub unrank: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            part: u64,
            ranks: *const u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Writes a number a state that neighbouring states tend to share. Without it,
    /// states are spread uniformly and an engine on disk writes more.
    pub bucket: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            keys: *const u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// Writes `count` states drawn uniformly from all states of the instance. Draw
    /// number `first + i` depends on `seed` and its number alone. Without it, samples
    /// are drawn by rank; without ranks there is no inclusiveness check.
    pub random: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            seed: u64,
            first: u64,
            count: usize,
            out: *mut u64,
        ) -> AntipodeStatus,
    >,
    /// A specialised inner loop: delivers every canonical state of a part exactly once
    /// with its distance to the nearest solved state. Without it there is no `sweep`
    /// engine and the general engines do the work.
    pub sweep: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            part: u64,
            sink: AntipodeSweepSink,
        ) -> AntipodeStatus,
    >,
    /// Writes what a player would call the move between two neighbouring states.
    /// Without it, solutions are drawn as boards alone.
    pub describe_move: Option<
        unsafe extern "C" fn(
            handle: *const c_void,
            from: *const u64,
            to: *const u64,
            text: *mut AntipodeText,
        ) -> AntipodeStatus,
    >,
    /// A derivation of the puzzle's own that a claim of kind `derived` refers to by
    /// the name `what`. `parameters` holds lines `KEY=VALUE`; `effort` is 0 for quick
    /// and 1 for full. Writes lines `NAME<TAB>VALUE` to `figures`, one of them named
    /// `value`; a tab, line feed or backslash within a value is written `\t`, `\n`
    /// or `\\`. Without it, such claims are not reached.
    pub derive: Option<
        unsafe extern "C" fn(
            what: AntipodeStr,
            parameters: AntipodeStr,
            effort: u32,
            figures: *mut AntipodeText,
            error: *mut AntipodeText,
        ) -> AntipodeStatus,
    >,
}

/// Name of the one symbol that a puzzle library exports.
pub const ANTIPODE_ENTRY: &str = "antipode_puzzle_v1";

// SAFETY: a table and all it points to are immutable and live as long as the process, by
// the contract above.
unsafe impl Send for AntipodeTable {}
// SAFETY: as above.
unsafe impl Sync for AntipodeTable {}
