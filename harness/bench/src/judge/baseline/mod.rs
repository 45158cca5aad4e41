//! A baseline: what a suite came to when somebody last said that it was as it should be.
//!
//! Answers and counters are the same on every machine, so they are kept as they are. Times
//! are not: of each row the baseline keeps the ratio to a reference row that is measured in
//! the same rounds, then and now.

mod changes;
mod file;
mod make;
mod read;

pub use changes::changes;
pub use file::{check_rows, suite_file, suite_from, write};
pub use make::{Terms, made};
pub use read::{is_of_another_schema, read};
