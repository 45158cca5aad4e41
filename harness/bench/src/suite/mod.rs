//! The subject of a measurement: a suite read from its file, and its rows checked against the
//! puzzles and engines.
//!
//! [`mod@file`] is the suite as its text defines it, by the [`keys`] that `bench --help` explains;
//! [`spread`](spread()) makes [`SuiteRow`]s of it, each checked before anything runs.

mod endpoints;
mod engine;
pub mod file;
pub mod keys;
mod listed;
mod row;
mod spread;

pub(crate) use engine::takes;
pub(crate) use file::digest;
pub use file::{Metric, Suite, Verb};
pub use listed::Listed;
pub use row::SuiteRow;
pub(crate) use spread::contradiction;
pub use spread::{doubled, spread};
