//! Compared with scipy 1.17.1 and statsmodels 0.15.0; each value has the call that gave it.

use super::*;

const A: [f64; 6] = [0.12, -0.03, 0.08, 0.15, 0.02, 0.07];
const TIES: [f64; 7] = [0.1, 0.1, 0.1, -0.1, 0.1, 0.0, 0.1];
const F: [f64; 10] = [
    0.011, 0.042, -0.007, 0.018, 0.035, -0.012, 0.027, 0.009, 0.051, 0.003,
];

fn near(found: f64, known: f64, within: f64) {
    assert!((found - known).abs() <= within, "{found}, not {known}");
}

/// `scipy.stats.permutation_test((d,), numpy.mean, permutation_type='samples',
/// n_resamples=numpy.inf, alternative=...).pvalue`, `two-sided` and `greater`.
#[test]
fn sign_flips_are_exact() {
    let known: [(&[f64], f64, f64); 5] = [
        (&A, 0.09375, 0.046875),
        (&TIES, 0.21875, 0.109375),
        (&[0.05; 6], 0.03125, 0.015625),
        (&[0.3, 0.1], 0.5, 0.25),
        (&F, 0.029296875, 0.0146484375),
    ];
    for (values, both, above) in known {
        near(sign_flip(values, Tail::Both, 1), both, 1e-15);
        near(sign_flip(values, Tail::Above, 1), above, 1e-15);
    }
    let less: Vec<f64> = A.iter().map(|value| -value).collect();
    near(sign_flip(&less, Tail::Above, 1), 0.96875, 1e-15);
    near(sign_flip(&less, Tail::Both, 1), 0.09375, 1e-15);
}

#[test]
fn sign_flips_at_the_edges() {
    near(sign_flip(&[0.0; 5], Tail::Both, 1), 1.0, 0.0);
    near(sign_flip(&[0.0; 30], Tail::Both, 1), 1.0, 0.0);
    near(sign_flip(&[], Tail::Both, 1), 1.0, 0.0);
    near(sign_flip(&[0.3], Tail::Both, 1), 1.0, 0.0);
    near(sign_flip(&[0.3], Tail::Above, 1), 0.5, 0.0);
    for n in [1, 2, 5, 9, EXACT_UP_TO, 40] {
        for side in [Tail::Both, Tail::Above] {
            near(sign_flip(&vec![0.1; n], side, 1), least_p(n, side), 1e-15);
        }
    }
}

/// Drawn patterns have the result of all patterns. 20 values are tried exactly; one more value of
/// weight 0, which changes no sum, makes it draw.
#[test]
fn drawn_flips_agree_with_all_flips() {
    let mut values: Vec<f64> = A.iter().chain(&TIES).chain(&A).copied().collect();
    values.push(-0.3);
    let exact = sign_flip(&values, Tail::Both, 1);
    values.push(0.0);
    let drawn = sign_flip(&values, Tail::Both, 1);
    near(
        drawn,
        exact,
        4.0 * (exact * (1.0 - exact) / 99_999.0).sqrt(),
    );
    assert_eq!(drawn.to_bits(), sign_flip(&values, Tail::Both, 1).to_bits());
}

/// `statsmodels.stats.multitest.multipletests(p, method='holm')[1]`.
#[test]
fn holm_agrees() {
    let close = |found: Vec<f64>, known: [f64; 4]| {
        let both = found.into_iter().zip(known);
        both.for_each(|(found, known)| near(found, known, 1e-15));
    };
    close(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
    close(holm(&[0.02, 0.02, 0.9, 1.0]), [0.08, 0.08, 1.0, 1.0]);
    assert!(holm(&[]).is_empty());
    assert_eq!(holm(&[0.03]), vec![0.03]);
}

/// `scipy.stats.norm.cdf(sqrt(n/(n-1)) * scipy.stats.t.ppf(0.025, n-1))`, then
/// `scipy.stats.bootstrap((d,), numpy.mean, n_resamples=400000, method='percentile',
/// confidence_level=1-2*tail)`. With 10,000 resamples, the ends differ by a little.
#[test]
fn intervals_agree() {
    near(expanded_tail(6), 0.002_431_803_174_611_556_3, 1e-9);
    near(expanded_tail(10), 0.008_550_639_024_406_36, 1e-9);
    let [low, high] = interval(&A, 1);
    // Few distinct means are this far out: the next one inwards is 0.0033.
    near(low, -0.003_333_333, 0.007);
    near(high, 0.13, 0.004);
    let [low, high] = interval(&F, 1);
    near(low, 0.0032, 0.0008);
    near(high, 0.0328, 0.0008);
    assert_eq!(interval(&F, 1), [low, high]);
}

#[test]
fn zero_spread_has_no_width() {
    assert_eq!(interval(&[0.25; 8], 3), [0.25; 2]);
    let twice = summary(&[(1.0, 2.0); 6], 1).unwrap();
    near(twice.ratio, 2.0, 1e-12);
    near(twice.low, 2.0, 1e-12);
    near(twice.high, 2.0, 1e-12);
    assert_eq!((twice.won, twice.p), (0.0, 0.03125));
    let same = summary(&[(3.0, 3.0); 4], 1).unwrap();
    assert_eq!((same.ratio, same.won, same.p), (1.0, 0.5, 1.0));
}

#[test]
fn too_little_is_refused_with_the_reason() {
    let refused = |pairs: &[(f64, f64)]| summary(pairs, 1).unwrap_err();
    assert!(refused(&[]).starts_with("no pair where at least two are needed"));
    let one = refused(&[(1.0, 2.0)]);
    assert!(
        one.contains("one pair") && one.contains("take more samples"),
        "{one}"
    );
    assert!(refused(&[(1.0, 2.0), (0.0, 1.0)]).contains("pair 1"));
    assert!(refused(&[(f64::NAN, 2.0), (1.0, 1.0)]).contains("pair 0"));
}

#[test]
fn swapping_the_sides_turns_the_ratio_around() {
    let pairs: Vec<(f64, f64)> = F.iter().map(|d| (1.0, d.exp())).collect();
    let turned: Vec<(f64, f64)> = pairs.iter().map(|&(a, b)| (b, a)).collect();
    let (one, other) = (summary(&pairs, 5).unwrap(), summary(&turned, 5).unwrap());
    near(one.ratio * other.ratio, 1.0, 1e-12);
    near(one.low * other.high, 1.0, 0.002);
    near(one.won + other.won, 1.0, 1e-12);
    near(one.p, other.p, 1e-15);
}

#[test]
fn quantiles_lie_on_lines() {
    assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.0), 1.0);
    assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
    assert_eq!(quantile(&[1.0, 2.0, 4.0], 1.0), 4.0);
}

/// A number from a normal distribution: the sum of twelve uniform ones, less 6.
pub(crate) fn about_normal(random: &mut Xorshift) -> f64 {
    let mut uniform = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    (0..12).map(|_| uniform()).sum::<f64>() - 6.0
}

/// How often the interval holds the truth, by simulation; the seed is fixed, so the figures are
/// fixed too. 95 % of 600 intervals are 570, with a standard deviation of 5.3. Skewed log-ratios,
/// squares of normal ones, are a hard case: the bound there is the observed one, not 95 %.
#[test]
fn intervals_cover_what_they_say() {
    let covered = |n: usize, skewed: bool| {
        let mut random = Xorshift::for_draw(7, n as u64);
        let held = (0..600).filter(|&round| {
            let mut draw = || {
                let z = about_normal(&mut random);
                if skewed { z * z - 1.0 } else { z }
            };
            let values: Vec<f64> = (0..n).map(|_| draw()).collect();
            let [low, high] = interval(&values, round);
            (low..=high).contains(&0.0)
        });
        held.count()
    };
    for n in [5, 10, 30] {
        let held = covered(n, false);
        assert!((551..=590).contains(&held), "{n}: {held} of 600");
    }
    let held = covered(15, true);
    assert!(held >= 516, "skewed: {held} of 600");
}
