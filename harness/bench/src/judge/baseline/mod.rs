//! A baseline: what a suite came to when somebody last said that it was as it should be.
//!
//! Answers and counters are the same on every machine, so they are kept as they are. Times
//! are not: of each row the baseline keeps the ratio to a reference row that is measured in
//! the same rounds, then and now.

mod changes;
mod make;
mod read;
mod record;

pub use changes::changes;
pub use make::Terms;
pub use record::{Baseline, BaselineRow, Change, SCHEMA, suite_from};
