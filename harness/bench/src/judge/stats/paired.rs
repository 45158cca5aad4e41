//! What pairs of times say of the ratio of two rows.

use super::bootstrap::{Interval, interval, mean};
use super::sign_flip::{Side, sign_flip};

/// Why pairs cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No pair, or only one.
    #[error(
        "{0} where at least two are needed: one pair shows nothing of how much pairs differ; take more samples"
    )]
    TooFew(&'static str),
    /// A time that is no positive number.
    #[error("pair {0} holds a time that is not above 0, so there is no ratio")]
    NotPositive(usize),
}

/// What pairs say of the ratio b / a.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Number of pairs.
    pub pairs: usize,
    /// Geometric mean of the pairs' ratios.
    pub ratio: f64,
    /// Its 95 % interval.
    pub low: f64,
    /// Upper end of it.
    pub high: f64,
    /// Share of the pairs in which b is less; ties count half.
    pub won: f64,
    /// Two-sided probability of the sign-flip test.
    pub p: f64,
}

/// Paired log-ratios.
///
/// # Errors
/// [`Refusal`] where there are fewer than two pairs, or a time is not positive.
pub fn log_ratios(pairs: &[(f64, f64)]) -> Result<Vec<f64>, Refusal> {
    match pairs.len() {
        0 => return Err(Refusal::TooFew("no pair")),
        1 => return Err(Refusal::TooFew("one pair")),
        _ => {}
    }
    let positive = |x: f64| x.is_finite() && x > 0.0;
    if let Some(at) = pairs
        .iter()
        .position(|&(a, b)| !positive(a) || !positive(b))
    {
        return Err(Refusal::NotPositive(at));
    }
    Ok(pairs.iter().map(|(a, b)| (b / a).ln()).collect())
}

/// Summary of pairs `(a, b)`. The seed is that of the resampling. Cost: `RESAMPLES` times
/// the number of pairs, and up to 2^`EXACT_UP_TO` sums.
///
/// # Errors
/// As [`log_ratios`].
pub fn summary(pairs: &[(f64, f64)], seed: u64) -> Result<Summary, Refusal> {
    let logs = log_ratios(pairs)?;
    let Interval { low, high } = interval(&logs, seed);
    let won: f64 = logs
        .iter()
        .map(|&log| match log.partial_cmp(&0.0) {
            Some(std::cmp::Ordering::Less) => 1.0,
            Some(std::cmp::Ordering::Equal) => 0.5,
            _ => 0.0,
        })
        .sum();
    Ok(Summary {
        pairs: logs.len(),
        ratio: mean(&logs).exp(),
        low: low.exp(),
        high: high.exp(),
        won: won / logs.len() as f64,
        p: sign_flip(&logs, Side::Both, seed),
    })
}
