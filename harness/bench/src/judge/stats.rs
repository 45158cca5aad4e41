//! Statistics of paired measurements: a ratio with its interval, a test that is exact for few
//! pairs, and the correction for many comparisons.
//!
//! Everything works on paired log-ratios `ln(b / a)`. The two are taken in one round and so share
//! the state of the machine; logs make "twice as slow" and "twice as fast" equally far from 1.
//!
//! The test: if the two sides of every pair were alike, each log-ratio could as well have the other
//! sign. The share of sign patterns whose sum is at least as extreme is the probability. It assumes
//! nothing about the form of the distribution. With few pairs, every pattern is tried, so it is
//! exact.
//!
//! The interval: bootstrap of the mean, percentile method, with the percentiles widened for
//! Student's t and the divisor n - 1 (the "expanded percentile" interval of T. Hesterberg, What
//! Teachers Should Know About the Bootstrap, The American Statistician 69, 2015, section 3.4).
//!
//! The plain percentile interval is too short for few pairs (at 6 pairs it holds the truth 87
//! times in 100, not 95). Studentised intervals divide by the spread of a resample, which can
//! be 0 for few or tied pairs; this one never divides.

use antipode_reports::bench::Comparison;
use puzzle_api::Xorshift;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The result of pairs on the ratio b / a.
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

impl Summary {
    /// Writes the figures into a comparison.
    pub fn fill(self, one: &mut Comparison) {
        one.ratio = Some(self.ratio);
        (one.low, one.high) = (Some(self.low), Some(self.high));
        (one.won, one.p) = (Some(self.won), Some(self.p));
    }
}

/// Paired log-ratios.
///
/// # Errors
/// The reason in words: fewer than two pairs, or a time that is not positive.
pub fn log_ratios(pairs: &[(f64, f64)]) -> Result<Vec<f64>, String> {
    if let Some(few) = ["no pair", "one pair"].get(pairs.len()) {
        return Err(format!(
            "{few} where at least two are needed: one pair shows nothing of how much pairs differ; take more samples"
        ));
    }
    let positive = |x: f64| x.is_finite() && x > 0.0;
    let odd = (pairs.iter()).position(|&(a, b)| !positive(a) || !positive(b));
    match odd {
        None => Ok(pairs.iter().map(|(a, b)| (b / a).ln()).collect()),
        Some(at) => Err(format!(
            "pair {at} holds a time that is not above 0, so there is no ratio"
        )),
    }
}

/// Summary of pairs `(a, b)`. The seed is that of the resampling. Cost: `RESAMPLES` times
/// the number of pairs, and up to 2^`EXACT_UP_TO` sums.
pub fn summary(pairs: &[(f64, f64)], seed: u64) -> Result<Summary, String> {
    let logs = log_ratios(pairs)?;
    let [low, high] = interval(&logs, seed);
    let wins = logs.iter().map(|&log| match log {
        log if log < 0.0 => 1.0,
        0.0 => 0.5,
        _ => 0.0,
    });
    let won: f64 = wins.sum();
    Ok(Summary {
        pairs: logs.len(),
        ratio: mean(&logs).exp(),
        low: low.exp(),
        high: high.exp(),
        won: won / logs.len() as f64,
        p: sign_flip(&logs, Tail::Both, seed),
    })
}

/// Most pairs for which all 2^n sign patterns are tried; beyond, `DRAWN` are drawn.
pub const EXACT_UP_TO: usize = 20;
const DRAWN: u32 = 99_999;

/// Which departures from 0 count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Either way.
    Both,
    /// Only a mean above 0.
    Above,
}

/// Least probability that the test can have for n pairs: with fewer, nothing is significant.
pub fn least_p(pairs: usize, side: Tail) -> f64 {
    if pairs > EXACT_UP_TO {
        return 1.0 / f64::from(DRAWN + 1);
    }
    let one = 0.5_f64.powi(pairs as i32);
    match side {
        Tail::Above => one,
        Tail::Both => (2.0 * one).min(1.0),
    }
}

/// Probability of a mean as far from 0 as that of `values`, or further, by chance alone.
/// No values give 1. Cost: 2^n sums up to [`EXACT_UP_TO`], beyond 99,999 n.
pub fn sign_flip(values: &[f64], side: Tail, seed: u64) -> f64 {
    let seen: f64 = values.iter().sum();
    // Sums of the same terms in another order differ in their last digits.
    let slack = 1e-12 * values.iter().map(|value| value.abs()).sum::<f64>();
    let extreme = |sum: f64| match side {
        Tail::Both => sum.abs() >= seen.abs() - slack,
        Tail::Above => sum >= seen - slack,
    };
    if values.len() <= EXACT_UP_TO {
        return exact(values, &extreme);
    }
    let mut random = Xorshift::for_draw(seed, values.len() as u64);
    let hits = (0..DRAWN).filter(|_| extreme(flipped(values, &mut random)));
    f64::from(hits.count() as u32 + 1) / f64::from(DRAWN + 1)
}

fn exact(values: &[f64], extreme: &impl Fn(f64) -> bool) -> f64 {
    let patterns = 1_u32 << values.len();
    // Half of the patterns are summed once each way, so that a pattern costs one addition.
    let (first, second) = values.split_at(values.len() / 2);
    let (first, second) = (all_sums(first), all_sums(second));
    let hits = |a: &f64| second.iter().filter(|&b| extreme(a + b)).count();
    first.iter().map(hits).sum::<usize>() as f64 / f64::from(patterns)
}

fn all_sums(values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for value in values {
        let both = sums.iter().flat_map(|sum| [sum + value, sum - value]);
        sums = both.collect();
    }
    sums
}

fn flipped(values: &[f64], random: &mut Xorshift) -> f64 {
    let mut sum = 0.0;
    for chunk in values.chunks(64) {
        let signs = random.next_u64();
        for (bit, value) in chunk.iter().enumerate() {
            sum += (1.0 - 2.0 * (signs >> bit & 1) as f64) * value;
        }
    }
    sum
}

/// Resamples of a bootstrap.
pub const RESAMPLES: usize = 10_000;

/// Ends of the 95 % interval of the mean. One value gives an interval of width 0: callers refuse
/// such samples beforehand.
pub fn interval(values: &[f64], seed: u64) -> [f64; 2] {
    let n = values.len();
    if n < 2 {
        return [mean(values); 2];
    }
    let mut random = Xorshift::for_draw(seed, n as u64);
    let mut options: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let drawn = (0..n).map(|_| values[random.below(n as u64) as usize]);
            drawn.sum::<f64>() / n as f64
        })
        .collect();
    options.sort_unstable_by(f64::total_cmp);
    let tail = expanded_tail(n);
    [tail, 1.0 - tail].map(|share| quantile(&options, share))
}

/// Arithmetic mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Share of resampled means to leave out at each end for n values, in place of 0.025.
fn expanded_tail(n: usize) -> f64 {
    let n = n as f64;
    let (Ok(t), Ok(normal)) = (StudentsT::new(0.0, 1.0, n - 1.0), Normal::new(0.0, 1.0)) else {
        return 0.025;
    };
    normal.cdf((n / (n - 1.0)).sqrt() * t.inverse_cdf(0.025))
}

/// Quantile of sorted values, by straight lines between them.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + part * (sorted[above] - sorted[below])
}

/// Corrected probabilities, in the order given (S. Holm, A Simple Sequentially Rejective
/// Multiple Test Procedure, 1979).
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut corrected = vec![1.0; p.len()];
    let mut floor = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        floor = floor.max(p[at] * (p.len() - rank) as f64).min(1.0);
        corrected[at] = floor;
    }
    corrected
}

#[cfg(test)]
pub(super) mod tests;
