//! The test: if the two sides of every pair were alike, each log-ratio could as well have the
//! other sign. The share of sign patterns whose sum is at least as extreme is the probability.
//! It assumes nothing of the form of the distribution, and with few pairs every pattern is
//! tried, so that it is exact.

use puzzle_api::Xorshift;

/// Most pairs for which all 2^n sign patterns are tried; beyond, `DRAWN` are drawn.
pub const EXACT_UP_TO: usize = 20;
/// Sign patterns drawn for more pairs.
const DRAWN: u32 = 99_999;

/// Which departures from 0 count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Either way.
    Both,
    /// Only a mean above 0.
    Above,
}

/// Least probability that the test can give for n pairs: with fewer, nothing is significant.
#[must_use]
pub fn least_p(pairs: usize, side: Side) -> f64 {
    if pairs > EXACT_UP_TO {
        return 1.0 / f64::from(DRAWN + 1);
    }
    let one = 0.5_f64.powi(pairs as i32);
    match side {
        Side::Above => one,
        Side::Both => (2.0 * one).min(1.0),
    }
}

/// Probability of a mean as far from 0 as that of `values`, or further, by chance alone.
/// No values give 1. Cost: 2^n sums up to [`EXACT_UP_TO`], beyond 99,999 n.
#[must_use]
pub fn sign_flip(values: &[f64], side: Side, seed: u64) -> f64 {
    let seen: f64 = values.iter().sum();
    // Sums of the same terms in another order differ in their last digits.
    let slack = 1e-12 * values.iter().map(|value| value.abs()).sum::<f64>();
    let extreme = |sum: f64| match side {
        Side::Both => sum.abs() >= seen.abs() - slack,
        Side::Above => sum >= seen - slack,
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
    // Half of the patterns each way are summed once, so that a pattern costs one addition.
    let (first, second) = values.split_at(values.len() / 2);
    let (first, second) = (all_sums(first), all_sums(second));
    let hits: usize = first
        .iter()
        .map(|a| second.iter().filter(|&b| extreme(a + b)).count())
        .sum();
    hits as f64 / f64::from(patterns)
}

/// Sums under all sign patterns.
fn all_sums(values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for value in values {
        sums = sums
            .iter()
            .flat_map(|sum| [sum + value, sum - value])
            .collect();
    }
    sums
}

fn flipped(values: &[f64], random: &mut Xorshift) -> f64 {
    let mut sum = 0.0;
    for chunk in values.chunks(64) {
        let signs = random.next_u64();
        for (bit, value) in chunk.iter().enumerate() {
            sum += if signs >> bit & 1 == 1 {
                *value
            } else {
                -value
            };
        }
    }
    sum
}
