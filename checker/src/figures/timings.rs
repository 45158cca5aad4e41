//! Timings: what is computed from raw samples. The clock is trusted.

use super::{Derived, exact};
use crate::certificate::{Reading, Stop, ensure};

fn clock(value: String) -> Result<Derived, Stop> {
    exact(value).map(|derived| Derived {
        trusted: vec!["the clock".into()],
        ..derived
    })
}

/// Raw samples: two figures of each pair, or one figure each.
fn samples(reading: &Reading) -> Result<Vec<(f64, f64)>, Stop> {
    let text = reading.record["figures"]["samples"]
        .as_str()
        .unwrap_or_default();
    let pair = |text: &str| {
        let (slow, fast) = text.split_once('/').unwrap_or((text, "1"));
        Some((slow.parse().ok()?, fast.parse().ok()?))
            .filter(|(a, b): &(f64, f64)| *a > 0.0 && *b > 0.0)
    };
    let found: Option<Vec<(f64, f64)>> = text.split_whitespace().map(pair).collect();
    found
        .filter(|found| !found.is_empty())
        .ok_or(Stop::Wrong("raw samples are missing".into()))
}

/// Median of the pairs' ratios, and the interval that needs no assumption: the order statistics
/// that enclose the median with 95 % confidence.
pub fn ratio(reading: &Reading) -> Result<Derived, Stop> {
    let mut ratios: Vec<f64> = samples(reading)?
        .iter()
        .map(|(slow, fast)| slow / fast)
        .collect();
    ratios.sort_by(f64::total_cmp);
    let n = ratios.len();
    let (mut chance, mut at_most, mut rank) = (0.5_f64.powi(n as i32), 0.5_f64.powi(n as i32), 0);
    while at_most <= 0.025 && rank < n {
        rank += 1;
        chance *= (n - rank + 1) as f64 / rank as f64;
        at_most += chance;
    }
    let rank = rank.saturating_sub(1);
    let figures = &reading.record["figures"];
    for (name, value) in [("low", ratios[rank]), ("high", ratios[n - 1 - rank])] {
        ensure(
            figures[name] == format!("{value:.2}"),
            format!("{name} is {value:.2}"),
        )?;
    }
    let median = f64::midpoint(ratios[(n - 1) / 2], ratios[n / 2]);
    clock(format!("{median:.2}"))
}

/// The fewest seconds of a sample.
pub fn seconds(reading: &Reading) -> Result<Derived, Stop> {
    let times = samples(reading)?.into_iter().map(|pair| pair.0);
    clock(format!("{:.3}", times.fold(f64::INFINITY, f64::min)))
}

/// Games a second, of samples SECONDS/GAMES.
pub fn speed(reading: &Reading) -> Result<Derived, Stop> {
    let samples = samples(reading)?;
    let (seconds, games) = samples
        .iter()
        .fold((0.0, 0.0), |(s, g), pair| (s + pair.0, g + pair.1));
    clock(format!("{:.0}", games / seconds))
}

/// The least of the slow figures over the least of the fast ones.
pub fn fastest(reading: &Reading) -> Result<Derived, Stop> {
    let samples = samples(reading)?;
    let least = |figures: &mut dyn Iterator<Item = f64>| figures.fold(f64::INFINITY, f64::min);
    let slow = least(&mut samples.iter().map(|pair| pair.0));
    clock(format!(
        "{:.2}",
        slow / least(&mut samples.iter().map(|pair| pair.1))
    ))
}
