//! From counts to heights, and the counts to label.

use crate::wording::{grouped, power_of_ten};
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use std::ops::Range;

/// An axis with labels exactly where we want them; the library's own choice puts half moves on short
/// axes and crowds long ones.
pub(super) struct Axis {
    pub(super) range: Range<f64>,
    pub(super) ticks: Vec<f64>,
}

impl Ranged for Axis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        limit.0 + (share * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            Vec::new()
        } else {
            self.ticks.clone()
        }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// Beyond this ratio of the smallest to the largest level, small ones would vanish on a plain axis.
const PLAIN_SPAN: f64 = 1000.0;

/// The vertical axis.
pub(super) struct Scale {
    pub(super) logarithmic: bool,
    largest: f64,
}

impl Scale {
    pub(super) fn for_counts(counts: impl Iterator<Item = u128>) -> Self {
        let (mut smallest, mut largest) = (f64::INFINITY, 1.0_f64);
        for count in counts.filter(|count| *count > 0) {
            smallest = smallest.min(count as f64);
            largest = largest.max(count as f64);
        }
        Scale {
            logarithmic: largest / smallest > PLAIN_SPAN,
            largest,
        }
    }

    pub(super) fn height(&self, count: u128) -> f64 {
        if self.logarithmic {
            (count as f64).log10()
        } else {
            count as f64
        }
    }

    /// The base of bars: a little below one on a logarithmic axis, so that a level of one state is
    /// visible.
    pub(super) fn floor(&self) -> f64 {
        if self.logarithmic { -0.25 } else { 0.0 }
    }

    pub(super) fn top(&self) -> f64 {
        if self.logarithmic {
            self.largest.log10() + 0.15
        } else {
            self.largest * 1.04
        }
    }

    pub(super) fn ticks(&self, most: usize) -> Vec<f64> {
        let step = if self.logarithmic {
            nice_step(self.top(), most).max(1.0).round()
        } else {
            nice_step(self.top(), most).max(1.0)
        };
        (0..)
            .map(|index| f64::from(index) * step)
            .take_while(|tick| *tick <= self.top())
            .collect()
    }

    pub(super) fn label(&self, height: f64) -> String {
        if self.logarithmic {
            return match height.round() as u32 {
                power @ 0..4 => grouped(10_u128.pow(power)),
                power => power_of_ten(power),
            };
        }
        let power = if height >= 1e6 {
            height.log10().floor()
        } else {
            0.0
        };
        if power == 0.0 {
            return grouped(height.round() as u128);
        }
        let leading = (height / 10_f64.powf(power) * 100.0).round() / 100.0;
        format!("{leading} × {}", power_of_ten(power as u32))
    }
}

/// Whole numbers from `first` to `last` at a round step, at most about `most` of them.
pub(super) fn whole_ticks(first: u32, last: u32, most: usize) -> Vec<u32> {
    let step = nice_step(f64::from(last - first), most).max(1.0) as u32;
    (first.next_multiple_of(step)..=last)
        .step_by(step as usize)
        .collect()
}

/// The smallest of 1, 2, 5, 10, 20, … (and their tenths) that divides the span into at most `most` parts.
pub(super) fn nice_step(span: f64, most: usize) -> f64 {
    let rough = (span / most as f64).max(f64::MIN_POSITIVE);
    let decade = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|factor| factor * decade >= rough * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * decade
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(whole_ticks(0, 12, 14), (0..=12).collect::<Vec<_>>());
        assert_eq!(whole_ticks(0, 227, 10), [0, 50, 100, 150, 200]);
        assert_eq!(
            whole_ticks(140, 152, 7),
            [140, 142, 144, 146, 148, 150, 152]
        );
        assert_eq!(whole_ticks(3, 3, 5), [3]);
    }

    #[test]
    fn three_decades_are_still_plain() {
        assert!(!Scale::for_counts([1, 1000].into_iter()).logarithmic);
        assert!(Scale::for_counts([1, 1001].into_iter()).logarithmic);
        assert!(!Scale::for_counts([0, 0].into_iter()).logarithmic);
        assert!(!Scale::for_counts([].into_iter()).logarithmic);
    }

    #[test]
    fn labels_read_as_numbers() {
        let plain = Scale {
            logarithmic: false,
            largest: 5e8,
        };
        assert_eq!(plain.label(2_500.0), "2,500");
        assert_eq!(plain.label(250_000_000.0), "2.5 × 10⁸");
        let log = Scale {
            logarithmic: true,
            largest: 1e13,
        };
        assert_eq!(
            (log.label(0.0), log.label(3.0), log.label(13.0)),
            ("1".into(), "1,000".into(), "10¹³".into())
        );
    }
}
