//! Recomputes timings from raw samples. The clock is trusted.

use super::{Derived, trusting};
use crate::reading::Reading;
use crate::rules::board::pair;
use crate::shown::{Stop, text};

/// Raw samples: two figures of each pair.
fn samples(reading: &Reading) -> Result<Vec<(f64, f64)>, Stop> {
    let samples = text(reading.part("figures"), "samples").split_whitespace();
    let positive = |one: &str| {
        let found: Option<(f64, f64)> = pair(one, '/');
        found.filter(|(a, b)| *a > 0.0 && *b > 0.0)
    };
    let found: Option<Vec<(f64, f64)>> = samples.map(positive).collect();
    found
        .filter(|found| !found.is_empty())
        .ok_or(Stop::Wrong("raw samples are missing".into()))
}

/// The least of some figures.
fn least(figures: impl Iterator<Item = f64>) -> f64 {
    figures.fold(f64::INFINITY, f64::min)
}

/// Ratio of the least slow figure to the least fast one.
pub fn fastest(reading: &Reading) -> Result<Derived, Stop> {
    let (slow, fast): (Vec<f64>, Vec<f64>) = samples(reading)?.into_iter().unzip();
    let ratio = least(slow.into_iter()) / least(fast.into_iter());
    trusting(format!("{ratio:.2}"), "the clock")
}
