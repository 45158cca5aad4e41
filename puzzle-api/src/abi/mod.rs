//! The boundary: a C ABI between the harness and a puzzle.
//!
//! The types of `values.rs`, `table.rs` and `variant.rs` cross the boundary, in both directions and
//! for built-in puzzles too; `include/antipode.h` is generated from them. [`crate::puzzle_table!`]
//! builds a table from Rust implementations of [`crate::Puzzle`]. `functions.rs` holds its
//! functions, `shim.rs` their shared code, and `batch.rs` their loops over a batch. `detect.rs`
//! finds out which of them an implementation offers.
#![allow(unsafe_code)]

mod batch;
mod detect;
mod export;
mod functions;
mod guard;
mod shim;
mod table;
mod values;
mod variant;

pub use detect::{Detect, Undetected};
pub use export::{table, variant};
pub use functions::failure;
pub use guard::end_call;
pub use table::*;
pub use values::*;
pub use variant::*;
