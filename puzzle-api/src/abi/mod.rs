//! The boundary: a C ABI between the harness and a puzzle.
//!
//! [`table`](self) types are what crosses it, in both directions and for built-in
//! puzzles too; [`export`] builds such a table from Rust implementations of
//! [`crate::Puzzle`]. `include/antipode.h` is generated from the types.
#![allow(unsafe_code)]

mod erased;
mod export;
mod table;

pub use export::{VariantList, table_for};
pub use table::*;
