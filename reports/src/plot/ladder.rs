//! Axes of figures, plain or logarithmic: places, ticks and labels.

use crate::wording::{grouped, power_of_ten};
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use std::ops::Range;

/// An axis with labels exactly where we want them, which the library's own are not.
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

/// From the smallest to the largest figure, plain or logarithmic.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ladder {
    logarithmic: bool,
    /// The least step between ticks, so that whole figures have whole ones.
    least: f64,
    low: f64,
    high: f64,
}

impl Ladder {
    /// Figures that have no logarithm are left out of a logarithmic axis.
    pub(super) fn new(figures: impl Iterator<Item = f64>, logarithmic: bool) -> Self {
        let sound = |figure: &f64| figure.is_finite() && (!logarithmic || *figure > 0.0);
        let (mut low, mut high, mut least) = (f64::INFINITY, f64::NEG_INFINITY, 1.0);
        for figure in figures.filter(sound) {
            (low, high) = (low.min(figure), high.max(figure));
            if figure.fract() != 0.0 {
                least = 0.0;
            }
        }
        if low > high {
            (low, high) = (1.0, 1.0);
        }
        let (low, high) = match logarithmic {
            true => (low.log10(), high.log10()),
            false => (low.min(0.0), high),
        };
        // A single figure is in the middle.
        let room = ((high - low) * 0.05).max(if high > low { 0.0 } else { 0.15 });
        let below = if logarithmic { room } else { 0.0 };
        Ladder {
            logarithmic,
            least,
            low: low - below,
            high: high + room,
        }
    }

    /// Sets both ends.
    pub(super) fn reach(&mut self, low: f64, high: f64) {
        (self.low, self.high) = (low, high);
    }

    pub(super) fn range(&self) -> Range<f64> {
        self.low..self.high
    }

    /// The place of a figure; `None` for one without a place.
    pub(super) fn height(&self, figure: f64) -> Option<f64> {
        let height = if self.logarithmic {
            figure.log10()
        } else {
            figure
        };
        height.is_finite().then_some(height)
    }

    /// Heights to label: as many as possible, but at most about `most`.
    pub(super) fn ticks(&self, most: usize) -> Vec<f64> {
        if !self.logarithmic {
            let step = nice_step(self.high - self.low, most).max(self.least);
            return multiples(self.low, self.high, step);
        }
        let (low, high) = (10_f64.powf(self.low), 10_f64.powf(self.high));
        if self.high - self.low < 0.6 {
            let ticks = multiples(low, high, nice_step(high - low, most));
            return ticks.into_iter().map(f64::log10).collect();
        }
        let every = |step: i32, leads: &[f64]| -> Vec<f64> {
            let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
            (first..=last)
                .filter(|power| power.rem_euclid(step) == 0)
                .flat_map(|power| {
                    leads
                        .iter()
                        .map(move |lead| f64::from(power) + lead.log10())
                })
                .filter(|tick| (self.low..=self.high).contains(tick))
                .collect()
        };
        let fine = [&[1.0, 2.0, 5.0][..], &[1.0, 3.0]];
        let fine = fine.into_iter().map(|leads| every(1, leads));
        let coarse = (1..).map(|step| every(step, &[1.0]));
        let mut all = fine.chain(coarse);
        all.find(|ticks| ticks.len() <= most.max(1))
            .unwrap_or_default()
    }

    pub(super) fn label(&self, height: f64) -> String {
        figure(if self.logarithmic {
            10_f64.powf(height)
        } else {
            height
        })
    }
}

/// The smallest of 1, 2, 5, 10, 20, … (and their tenths) that divides the span into at most `most` parts.
fn nice_step(span: f64, most: usize) -> f64 {
    let rough = (span / most as f64).max(f64::MIN_POSITIVE);
    let decade = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|factor| factor * decade >= rough * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * decade
}

fn multiples(low: f64, high: f64, step: f64) -> Vec<f64> {
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|index| index as f64 * step).collect()
}

/// A figure with at most three digits: `0.25`, `1 500`, `2 × 10⁹`, `10⁻⁴`.
pub(crate) fn figure(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs();
    if (0.001..1.0).contains(&size) {
        // Three significant digits, without trailing zeros.
        let decimals = (2.0 - size.log10().floor()).max(0.0) as usize;
        let text = format!("{value:.decimals$}");
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    if (1.0..99_999.5).contains(&size) {
        let text = format!("{value:.2}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        return match text.parse::<u128>() {
            Ok(whole) => grouped(whole),
            Err(_) => text.to_owned(),
        };
    }
    let mut power = size.log10().floor() as i32;
    let mut lead = (value / 10_f64.powi(power) * 100.0).round() / 100.0;
    if lead.abs() >= 10.0 {
        (lead, power) = (lead / 10.0, power + 1);
    }
    let raised = match u32::try_from(power) {
        Ok(power) => power_of_ten(power),
        Err(_) => power_of_ten(power.unsigned_abs()).replacen("10", "10⁻", 1),
    };
    match lead == 1.0 {
        true => raised,
        false => format!("{lead} × {raised}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(figures: &[f64], logarithmic: bool, most: usize) -> Vec<String> {
        let ladder = Ladder::new(figures.iter().copied(), logarithmic);
        let ticks = ladder.ticks(most);
        ticks.into_iter().map(|tick| ladder.label(tick)).collect()
    }

    #[test]
    fn ticks_suit_the_span() {
        assert_eq!(
            labels(&[0.8, 1.3], true, 7),
            ["0.8", "0.9", "1", "1.1", "1.2", "1.3"]
        );
        assert_eq!(labels(&[0.5, 8.0], true, 6), ["0.5", "1", "2", "5"]);
        assert_eq!(
            labels(&[1e-4, 1e2], true, 8),
            ["10⁻⁴", "0.001", "0.01", "0.1", "1", "10", "100"]
        );
        assert_eq!(
            labels(&[1.0, 1e12], true, 5),
            ["1", "1,000", "10⁶", "10⁹", "10¹²"]
        );
        assert_eq!(labels(&[0.0, 4.0], false, 5), ["0", "1", "2", "3", "4"]);
    }

    #[test]
    fn odd_figures_do_not_break_an_axis() {
        for figures in [&[][..], &[f64::NAN], &[0.0], &[3.0], &[-1.0, f64::INFINITY]] {
            for logarithmic in [false, true] {
                let ladder = Ladder::new(figures.iter().copied(), logarithmic);
                let range = ladder.range();
                assert!(range.start < range.end, "{figures:?} {ladder:?}");
                assert!(ladder.ticks(5).len() <= 7, "{figures:?}");
            }
        }
    }

    #[test]
    fn figures_read_as_numbers() {
        for (value, text) in [
            (0.0, "0"),
            (0.25, "0.25"),
            (0.1234, "0.123"),
            (1.5, "1.5"),
            (1234.0, "1,234"),
            (2.5e9, "2.5 × 10⁹"),
            (1e-5, "10⁻⁵"),
            (9.999e7, "10⁸"),
            (-3.0, "-3"),
        ] {
            assert_eq!(figure(value), text);
        }
    }
}
