//! Statistics of paired measurements: a ratio with its interval, a test that is exact for few
//! pairs, and the correction for many comparisons.
//!
//! Everything works on paired log-ratios `ln(b / a)`: taken in one round, the two share what
//! the machine was doing, and logs make "twice as slow" and "twice as fast" equally far from 1.

mod bootstrap;
mod correction;
mod paired;
mod sign_flip;

pub use bootstrap::{Interval, RESAMPLES, interval, mean};
pub use correction::holm;
pub use paired::{Refusal, Summary, log_ratios, summary};
pub use sign_flip::{EXACT_UP_TO, Side, least_p, sign_flip};

#[cfg(test)]
mod tests;
