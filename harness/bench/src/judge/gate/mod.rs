//! The gate: three checks of a run against a baseline, as far as there is something to check.
//!
//! - **Answers**: every sample of every row answers as the baseline says.
//! - **Counters**: states, moves and bytes have not grown by more than the limit (1: not at
//!   all); they are the same on every machine, so this check needs no statistics.
//! - **Time**: of each row, the ratio to its reference row measured in the same rounds (the
//!   reference row; or the same row of a second executable, unless both load the row's puzzle
//!   from the same library) is significantly above the
//!   baseline's ratio times the limit. The test is a one-sided sign-flip test of the pairs'
//!   log-ratios against that bound, corrected by Holm over the rows, at 0.05. The baseline's
//!   ratio is taken at the upper end of its interval: it was measured once, too. Where nothing has
//!   changed the true ratio lies the whole limit below the bound, so false alarms are far rarer
//!   than the 5 runs in 100 that the test alone would allow. Beyond the limit, but within the
//!   noise that rows showed against themselves, a time is not judged.
//! - **Reached**: every row ended, and has a time to judge. Where one ran out of time or memory
//!   there is nothing to check, which is neither good nor a fault that was found.

mod finding;
mod judge;
mod time;

pub use finding::{Check, Finding};
pub use judge::{Judgement, judge, too_few};
