//! Clopper-Pearson bounds: what a sample shows about the population.

use statrs::function::beta::beta_reg;

/// Confidence that the reports use.
pub const CONFIDENCE: f64 = 0.95;

/// A smaller sample shows nothing: even without a fault, the bound would be 3 % or more.
pub const LEAST_SAMPLE: u64 = 100;

/// Exact upper bound (Clopper-Pearson, one-sided) on the share of wrong states, if `wrong` of
/// `sampled` independent draws were wrong; `None` without a sample.
///
/// Closed forms at both ends and a bisection in log p between: statrs' own inverse is
/// inaccurate for large samples.
#[must_use]
pub fn upper_bound(sampled: u64, wrong: u64, confidence: f64) -> Option<f64> {
    if sampled == 0 || wrong > sampled {
        return None;
    }
    let (n, k) = (sampled as f64, wrong as f64);
    let tail = 1.0 - confidence;
    if wrong == sampled {
        return Some(1.0);
    }
    if wrong == 0 {
        // 1 - tail^(1/n), without the cancellation.
        return Some(-f64::exp_m1(tail.ln() / n));
    }
    // P(at most k wrong | p) = 1 - I_p(k + 1, n - k) falls in p; find where it is `tail`.
    let (mut low, mut high) = ((k / n).ln(), 0.0_f64);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if 1.0 - beta_reg(k + 1.0, n - k, middle.exp()) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high.exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("a bound");
        let error = (found - expected).abs() / expected;
        assert!(error < 1e-9, "found {found}, expected {expected}");
    }

    /// Values from SciPy: `scipy.stats.beta.ppf(0.95, k + 1, n - k)`.
    #[test]
    fn agrees_with_known_values() {
        close(upper_bound(10, 0, 0.95), 0.258_865_550_893_052_8);
        close(upper_bound(10, 1, 0.95), 0.394_163_302_436_504_66);
        close(upper_bound(100, 3, 0.95), 0.075_710_793_749_830_04);
        close(upper_bound(3, 3, 0.95), 1.0);
    }

    #[test]
    fn stays_exact_for_large_samples() {
        // Rule of three: -ln(0.05) / n.
        close(upper_bound(1_000_000_000, 0, 0.95), 2.995_732_269_e-9);
        let bound = upper_bound(1_000_000_000, 5, 0.95).expect("a bound");
        // Poisson limit: 10.513 / n.
        assert!((bound * 1e9 - 10.513).abs() < 1e-3, "{bound}");
    }

    #[test]
    fn nothing_sampled_bounds_nothing() {
        assert_eq!(upper_bound(0, 0, 0.95), None);
    }
}
