//! The table of a puzzle. `include/antipode.h` is generated from this file, from `variant.rs` and
//! from `values.rs`, so the comments are written for an author who reads the header alone.

use std::ffi::c_char;

use super::values::*;
use super::variant::AntipodeVariant;

/// The table that a puzzle library returns: `const AntipodeTable *antipode_puzzle_v1(void)`. It
/// holds the common data of all implementations of a puzzle; each of `variants` holds one
/// implementation of its rules.
///
/// The table and all it points to must live as long as the process; a library is never
/// unloaded.
///
/// Keys: a key is a state packed into `key_words` 64-bit words, low word first, in the
/// byte order of the machine. Different states have different keys, and all variants of
/// a puzzle pack a state into the same key. Arrays of keys are contiguous: `count` keys
/// are `count * key_words` words, aligned for `uint64_t`. Every key passed in was made
/// by this puzzle, on the same instance.
///
/// Batches: `count` lies between 1 and `ANTIPODE_MAX_BATCH`. Results must not depend on how states
/// are divided into batches, on their order, or on earlier calls.
///
/// Ownership: arrays and texts passed in belong to the harness and are valid during the
/// call; do not keep pointers to them. An output array and an input array never overlap,
/// except where a function says so, and output arrays hold defined values on entry.
///
/// Threads: `open` may be called in parallel with anything. All other functions except `close` may
/// be called on one handle from many threads at once. `close` is the last call on a handle and runs
/// alone on it.
///
/// Failure: all functions except `close` return an `AntipodeStatus`. No C++ exception, no Rust
/// panic and no `longjmp` may leave a function.
///
/// Members marked *Required* must not be null. To fill a member marked *Optional* is to offer that
/// function, and each says what is lost without it. If instances differ, the functions that say so
/// may answer `ANTIPODE_UNSUPPORTED`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct AntipodeTable {
    /// Required: `ANTIPODE_ABI_VERSION`.
    pub abi_version: u32,
    /// Required: `sizeof(AntipodeTable)`.
    pub table_size: u32,
    /// Required: `sizeof(AntipodeVariant)`.
    pub variant_size: u32,
    /// Required: 64-bit words in a key, 1 or 2.
    pub key_words: u32,
    /// Required: name of the puzzle, as in `NAME/INSTANCE`.
    pub name: *const c_char,
    /// Required: version of the implementation.
    pub version: *const c_char,
    /// Optional: one line for `antipode list`. Null: an empty line.
    pub summary: *const c_char,
    /// Optional: how to draw boards as pictures, one line per symbol: `SYMBOL SHAPE COLOUR NAME`.
    /// SHAPE is one of empty, wall, hole, block, disc, outside, merge, exit, stack, triangle;
    /// COLOUR is `#rrggbb`. A line `net INSTANCE SETS SOLVED PLACES STICKERS` unfolds pieces that
    /// turn. Null: pictures fall back to text.
    pub legend: *const c_char,
    /// Optional: claims about the puzzle, as TOML. Null: nothing to certify.
    pub claims: *const c_char,
    /// Optional: the names that `derive` knows, one line per derivation: its name, then the
    /// parameters that it takes, separated by spaces. Each is a key, and may list its values, so
    /// that a claim with another one is refused before anything is derived: `board=5x7|5x9`,
    /// `bits=0..63`, `seed=0..`, `lengths=0..,64`, `board=<instance>`. The default is the first
    /// word, the value after a colon (`bits=0..63:20`, `board=<instance>:5x7`), or the least of the
    /// numbers; certificates report it. `=number`, `=holds` or `=text` next to them is the type of
    /// the value, and its unit follows a colon: `=number:moves_a_state`, `=number:{unit}` by a
    /// parameter. A claim in another unit is refused. Null: a claim that names a wrong one is
    /// refused only when it is decided.
    pub derivations: *const c_char,
    /// Required: entries of `instances`, at least 1.
    pub instance_count: u32,
    /// Required: entries of `settings`; may be 0.
    pub setting_count: u32,
    /// Required: entries of `variants`, at least 1.
    pub variant_count: u32,
    /// Required: state graphs offered by name.
    pub instances: *const AntipodeNamed,
    /// Optional: settings that instances take, each named `KEY` or `KEY=DEFAULT`. Null: instances
    /// take none. The unit of a length is a step if `metric` is `step`.
    pub settings: *const AntipodeNamed,
    /// Required: implementations of the same rules. The first is the default; the one
    /// called `reference` is the oracle of checks. With a single variant, call it
    /// `reference`.
    pub variants: *const AntipodeVariant,
    /// Optional. A derivation of the puzzle's own, to which a claim of kind `derived` refers by the
    /// name `what`. `parameters` holds lines `KEY=VALUE`; `effort` is 0 for quick and 1 for full.
    /// Delivers figures, one of them named `value`; `ANTIPODE_BAD_INPUT` with one line in `error`
    /// for a name it does not know. Without it, such claims are refused.
    pub derive: Option<
        unsafe extern "C" fn(
            what: AntipodeStr,
            parameters: AntipodeStr,
            effort: u32,
            figures: AntipodeFigureSink,
            error: *mut AntipodeText,
        ) -> AntipodeStatus,
    >,
    /// Optional. Writes one line that says why the last call on the calling thread
    /// returned `ANTIPODE_FAILED`. Without it, reports can only name the function that
    /// failed.
    pub failure: Option<unsafe extern "C" fn(text: *mut AntipodeText) -> AntipodeStatus>,
}

// SAFETY: a table and all it points to are immutable and live as long as the process, by
// the contract above.
unsafe impl Send for AntipodeTable {}
// SAFETY: as above.
unsafe impl Sync for AntipodeTable {}
