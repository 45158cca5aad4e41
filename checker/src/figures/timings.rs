//! Recomputes timings from raw samples. The clock is trusted.

use super::{Derived, trusting};
use crate::reading::Reading;
use crate::rules::board::pair;
use crate::shown::{OrWrong, Stop, text};

/// What has to be trusted in a timing.
pub const CLOCK: &str = "the clock";

/// Raw samples: two figures of each pair, or one figure each.
fn samples(reading: &Reading) -> Result<Vec<(f64, f64)>, Stop> {
    let samples = text(reading.part("figures"), "samples").split_whitespace();
    let positive = |one: &str| {
        let found: Option<(f64, f64)> = match one.contains('/') {
            true => pair(one, '/'),
            false => one.parse().ok().map(|figure| (figure, 1.0)),
        };
        found.filter(|(a, b)| *a > 0.0 && *b > 0.0)
    };
    let found: Option<Vec<(f64, f64)>> = samples.map(positive).collect();
    found
        .filter(|found| !found.is_empty())
        .ok_or(Stop::Wrong("raw samples are missing".into()))
}

/// Median of the pairs' ratios, and the interval that needs no assumption: the order statistics
/// that enclose the median with 95 % confidence.
pub fn ratio(reading: &Reading) -> Result<Derived, Stop> {
    let pairs = samples(reading)?.into_iter();
    let mut ratios: Vec<f64> = pairs.map(|(slow, fast)| slow / fast).collect();
    ratios.sort_by(f64::total_cmp);
    let n = ratios.len();
    let (mut chance, mut at_most, mut rank) = (0.5_f64.powi(n as i32), 0.5_f64.powi(n as i32), 0);
    while at_most <= 0.025 && rank < n {
        rank += 1;
        chance *= (n - rank + 1) as f64 / rank as f64;
        at_most += chance;
    }
    let rank = rank.saturating_sub(1);
    let figures = reading.part("figures");
    for (name, value) in [("low", ratios[rank]), ("high", ratios[n - 1 - rank])] {
        (figures[name] == format!("{value:.2}")).or_wrong(format!("{name} is {value:.2}"))?;
    }
    let median = f64::midpoint(ratios[(n - 1) / 2], ratios[n / 2]);
    trusting(format!("{median:.2}"), CLOCK)
}

/// The least of some figures.
fn least(figures: impl Iterator<Item = f64>) -> f64 {
    figures.fold(f64::INFINITY, f64::min)
}

/// The fewest seconds of a sample.
pub fn seconds(reading: &Reading) -> Result<Derived, Stop> {
    let seconds = least(samples(reading)?.iter().map(|pair| pair.0));
    trusting(format!("{seconds:.3}"), CLOCK)
}

/// Games a second, of samples SECONDS/GAMES.
pub fn speed(reading: &Reading) -> Result<Derived, Stop> {
    let (seconds, games): (Vec<f64>, Vec<f64>) = samples(reading)?.into_iter().unzip();
    let speed = games.iter().sum::<f64>() / seconds.iter().sum::<f64>();
    trusting(format!("{speed:.0}"), CLOCK)
}

/// The least of the slow figures over the least of the fast ones.
pub fn fastest(reading: &Reading) -> Result<Derived, Stop> {
    let (slow, fast): (Vec<f64>, Vec<f64>) = samples(reading)?.into_iter().unzip();
    let ratio = least(slow.into_iter()) / least(fast.into_iter());
    trusting(format!("{ratio:.2}"), CLOCK)
}
