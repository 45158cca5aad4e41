//! Speed ratios that survive a noisy machine: both sides are timed in turns,
//! each pair gives one ratio, and the ratios' median comes with an interval
//! that needs no assumption about their distribution.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How many times faster one piece of code is than another.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratio {
    /// Median over the pairs of `slow time / fast time`.
    pub median: f64,
    /// Lower end of the 95 % interval of the median.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Median time of one slow call.
    pub slow_ns: f64,
    /// Median time of one fast call.
    pub fast_ns: f64,
    /// Pairs timed.
    pub pairs: usize,
    /// Nanoseconds of a slow and a fast call of each pair, in the order they were timed.
    pub samples: Vec<(f64, f64)>,
}

/// Time one side of one pair takes, about.
const SAMPLE: Duration = Duration::from_millis(1);

/// More pairs than this are not timed: the interval is narrow long before.
const MOST_PAIRS: usize = 999;

/// Times `slow` and `fast` in `pairs` interleaved pairs.
///
/// Each side is first run until it takes about a millisecond a sample; which
/// side goes first alternates. Their results go through a black box.
pub fn ratio(pairs: usize, mut slow: impl FnMut() -> u64, mut fast: impl FnMut() -> u64) -> Ratio {
    let pairs = pairs.clamp(1, MOST_PAIRS);
    let (slow_calls, fast_calls) = (calibrate(&mut slow), calibrate(&mut fast));
    let mut slow_times = Vec::with_capacity(pairs);
    let mut fast_times = Vec::with_capacity(pairs);
    for pair in 0..pairs {
        if pair % 2 == 0 {
            slow_times.push(time(&mut slow, slow_calls));
        }
        fast_times.push(time(&mut fast, fast_calls));
        if pair % 2 == 1 {
            slow_times.push(time(&mut slow, slow_calls));
        }
    }
    let both = slow_times.iter().zip(&fast_times);
    let samples: Vec<(f64, f64)> = both.map(|(&slow, &fast)| (slow, fast)).collect();
    let mut ratios: Vec<f64> = samples.iter().map(|(slow, fast)| slow / fast).collect();
    ratios.sort_by(f64::total_cmp);
    let rank = interval_rank(pairs);
    Ratio {
        median: median(&mut ratios),
        low: ratios[rank],
        high: ratios[pairs - 1 - rank],
        slow_ns: median(&mut slow_times),
        fast_ns: median(&mut fast_times),
        pairs,
        samples,
    }
}

/// Calls that take about one sample.
fn calibrate(code: &mut impl FnMut() -> u64) -> u32 {
    let mut calls = 1_u32;
    loop {
        let spent = time(code, calls) * f64::from(calls);
        let wanted = SAMPLE.as_nanos() as f64;
        if spent >= wanted / 2.0 || calls >= 1 << 30 {
            return ((f64::from(calls) * wanted / spent.max(1.0)) as u32).max(1);
        }
        calls *= 2;
    }
}

/// Nanoseconds of one call, averaged over `calls`.
fn time(code: &mut impl FnMut() -> u64, calls: u32) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(code());
    }
    (start.elapsed().as_nanos() as f64 / f64::from(calls)).max(1e-3)
}

/// Seconds that `work` takes: of processor time where Linux tells it (to a
/// scheduler tick), so that a loaded machine does not lengthen it, otherwise
/// of the clock.
pub fn seconds(work: impl FnOnce() -> u64) -> f64 {
    let (start, before) = (Instant::now(), processor_time());
    black_box(work());
    let spent = before
        .zip(processor_time())
        .map(|(before, after)| after.saturating_sub(before));
    spent.unwrap_or_else(|| start.elapsed()).as_secs_f64()
}

/// What this thread has run, as the first number of its `schedstat`.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = stat.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    (values[(n - 1) / 2] + values[n / 2]) / 2.0
}

/// Zero-based rank of the order statistics that, counted from both ends of `n`
/// samples, enclose the median with at least 95 % confidence: the largest `r`
/// with `P(Binomial(n, 1/2) <= r) <= 0.025`. Fewer than 6 samples have none;
/// their extremes are given then.
pub fn interval_rank(n: usize) -> usize {
    let n = n.clamp(1, MOST_PAIRS);
    let mut chance = 0.5_f64.powi(n as i32);
    let mut at_most = chance;
    let mut rank = 0;
    while at_most <= 0.025 && rank < n {
        rank += 1;
        chance *= (n - rank + 1) as f64 / rank as f64;
        at_most += chance;
    }
    rank.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_the_sign_interval() {
        // Tables of the sign test, two-sided 5 %: k = 0 at n = 6, 1 at 9, 5 at
        // 20, 9 at 30, 39 at 100.
        let table = [(5, 0), (6, 0), (9, 1), (20, 5), (30, 9), (100, 39)];
        for (n, rank) in table {
            assert_eq!(interval_rank(n), rank, "{n}");
        }
    }

    #[test]
    fn a_ratio_lies_in_its_interval() {
        let work = |n: u64| (0..n).fold(1_u64, |x, i| black_box(x.wrapping_mul(3) ^ i));
        let r = ratio(11, || work(4000), || work(1000));
        assert!(r.low <= r.median && r.median <= r.high, "{r:?}");
        // How the two compare is not asserted: another process may have run in between.
        assert!(r.slow_ns > 0.0 && r.fast_ns > 0.0, "{r:?}");
    }
}
