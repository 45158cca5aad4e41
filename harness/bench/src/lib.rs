//! Benchmarks: suites, samples in processes of their own, comparisons and the gate.
//!
//! - [`suite`]: what is measured; a suite's text, and its rows checked against the puzzles,
//! - [`judge`]: what samples say; comparisons, noise, baselines and the gate,
//! - [`run`]: a suite run into a folder, each sample in a process of its own,
//! - [`referee`]: external solvers on boards whose shortest length is known,
//! - [`import`]: figures from elsewhere in the same table.
//!
//! Each knows only those above it.

mod clock;
mod document;
pub mod import;
pub mod judge;
pub mod referee;
pub mod run;
pub mod suite;

pub use document::{DocumentError, Whole};
