//! The boundary: a C ABI between the harness and a puzzle.
//!
//! The types of `values.rs` and `table.rs` are what crosses it, in both directions and
//! for built-in puzzles too; `include/antipode.h` is generated from them. [`table_for`]
//! builds a table from Rust implementations of [`crate::Puzzle`], of which `calls.rs`
//! and `offers.rs` hold the functions.
#![allow(unsafe_code)]

mod calls;
mod erased;
mod export;
mod guard;
mod guidance;
mod offers;
mod table;
mod values;

pub use export::{Opened, VariantList, table_for};
pub use table::*;
pub use values::*;
