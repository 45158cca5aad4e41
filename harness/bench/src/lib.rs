//! Benchmarks: suites, samples in separate processes, comparisons and the gate.
//!
//! - [`suite`]: the subject; a suite's text, and its rows checked against the puzzles,
//! - [`judge`]: conclusions from samples; comparisons, noise, baselines and the gate,
//! - [`run`]: a suite run into a folder, each sample in a separate process,
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
