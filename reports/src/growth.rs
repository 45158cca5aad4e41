//! Growth of a search from level to level, and its prediction for levels that were not searched.
//!
//! A quantity measured at each level (states, seconds, bytes) is extrapolated by two models: the
//! factor from level to level stays, or it changes by a fixed factor itself. Both are fitted by
//! least squares to the logarithms over the last levels, a *window*, and anchored at the last
//! measured level.
//!
//! Neither is a law. Their accuracy is measured on the same levels: from every earlier level, the
//! following ones, which are known, are predicted from the levels before. The figure is that of the
//! model that did better. If there are many levels, the later half is tested. A prediction's range
//! is the wider of two: both models, and the greatest error that the tests showed up to that
//! distance. Beyond the longest distance that could be tested three times, the error is assumed to
//! grow with the square of the distance. It does so if a growth rate assumed constant drifts. A
//! finite puzzle's levels shrink in the end, which no earlier level shows: far away, only the upper
//! end is valid.

/// Levels that the models are fitted to, if there are enough.
const WINDOW: usize = 8;
/// Windows shorter than this follow every wobble.
const SHORTEST_WINDOW: usize = 4;
/// Tests that a distance needs before its error counts as measured.
const TESTS_NEEDED: usize = 3;
const FEWEST_LEVELS: usize = SHORTEST_WINDOW + TESTS_NEEDED;
/// Number of levels from which on only the later half is tested. The first levels of a search are
/// few and irregular, and do not show how the last ones continue.
const MANY_LEVELS: usize = 40;

/// A quantity at a level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Distance from the roots, in moves.
    pub depth: u32,
    /// The quantity, in any unit.
    pub value: f64,
}

/// A model fitted to some levels in a row.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Fit {
    /// Last level of the window, where the curve is anchored.
    last: Point,
    /// Natural logarithm of the factor from the last level to the next except for the drift.
    ln_growth: f64,
    /// Increment of that logarithm per level; 0 if growth is steady.
    ln_drift: f64,
}

impl Fit {
    /// Fits at least two levels in a row, all above zero.
    fn new(window: &[Point], drifts: bool) -> Self {
        let last = window[window.len() - 1];
        // Seen from the last level: 0 there, negative before it.
        let place = |point: &Point| f64::from(point.depth) - f64::from(last.depth);
        let height = |point: &Point| (point.value / last.value).ln();
        let (ln_growth, ln_drift) = match drifts {
            false => (slope(window.iter().map(|p| (place(p), height(p)))), 0.0),
            true => {
                // Logarithms of the factors, each placed at the later of its two levels.
                let factors = window
                    .windows(2)
                    .map(|pair| (place(&pair[1]), height(&pair[1]) - height(&pair[0])));
                let drift = slope(factors.clone());
                let count = (window.len() - 1) as f64;
                let mean = factors.fold((0.0, 0.0), |sum, (x, y)| (sum.0 + x, sum.1 + y));
                ((mean.1 - drift * mean.0) / count, drift)
            }
        };
        Fit {
            last,
            ln_growth,
            ln_drift,
        }
    }

    /// The figure at a level, later or earlier.
    fn at(&self, depth: u32) -> f64 {
        let far = f64::from(depth) - f64::from(self.last.depth);
        // The factors of the levels after the last add up: growth + 1 drift, growth + 2 drifts, …
        let ln = far * self.ln_growth + far * (far + 1.0) / 2.0 * self.ln_drift;
        self.last.value * ln.exp()
    }
}

/// Slope of the least-squares line; 0 for fewer than two places.
fn slope(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let count = points.clone().count() as f64;
    let sum = points
        .clone()
        .fold((0.0, 0.0), |sum, (x, y)| (sum.0 + x, sum.1 + y));
    let (x, y) = (sum.0 / count, sum.1 / count);
    let (products, squares) = points.fold((0.0, 0.0), |(products, squares), (at, height)| {
        (
            products + (at - x) * (height - y),
            squares + (at - x).powi(2),
        )
    });
    match squares > 0.0 {
        true => products / squares,
        false => 0.0,
    }
}

/// A level that was not searched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Predicted {
    /// Distance from the roots, in moves.
    pub depth: u32,
    /// The figure of the model that did better in the tests.
    pub value: f64,
    /// The lower end of its range.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Greatest factor by which tests up to this distance were wrong, extrapolated beyond them.
    pub error_factor: f64,
    /// Whether tests reach this far.
    pub tested: bool,
}

/// Both models over the last levels, with the tests of the better one.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// The levels used: the last ones, consecutive and above zero.
    points: Vec<Point>,
    /// The better fit, then the other.
    fits: [Fit; 2],
    /// Known levels predicted by the better model: how far ahead, and the logarithm of the factor
    /// by which each was wrong.
    tests: Vec<(u32, f64)>,
    /// Longest distance in levels that was tested three times.
    reach: u32,
}

impl Forecast {
    /// Fits the last levels. Cost: the square of the number of levels.
    ///
    /// # Errors
    /// Too few levels, in words. Levels before a gap or before a figure that is not above zero are
    /// left out.
    pub fn new(points: &[Point]) -> Result<Self, String> {
        let points = usable(points);
        let found = points.len();
        if found < FEWEST_LEVELS {
            return Err(format!(
                "{found} levels in a row with a figure above zero; a forecast needs at least {FEWEST_LEVELS}"
            ));
        }
        let window = WINDOW.min(found - TESTS_NEEDED);
        let first = match found >= MANY_LEVELS {
            true => found / 2,
            false => 0,
        };
        let of = |drifts| {
            let tests = back_test(&points[first..], drifts, window);
            (Fit::new(&points[found - window..], drifts), tests)
        };
        let (steady, drifting) = (of(false), of(true));
        let ((better, tests), (other, _)) =
            match error_a_level(&drifting.1) < error_a_level(&steady.1) {
                true => (drifting, steady),
                false => (steady, drifting),
            };
        Ok(Forecast {
            points: points.to_vec(),
            fits: [better, other],
            tests,
            reach: (found - first - window - TESTS_NEEDED + 1) as u32,
        })
    }

    /// The last level measured.
    pub fn last(&self) -> Point {
        self.points[self.points.len() - 1]
    }

    /// A later level; `None` for one that is not later than the last.
    pub fn at(&self, depth: u32) -> Option<Predicted> {
        let distance = depth
            .checked_sub(self.last().depth)
            .filter(|&far| far > 0)?;
        let [value, other] = self.fits.map(|fit| fit.at(depth));
        let error_factor = self.ln_error(distance).exp();
        Some(Predicted {
            depth,
            value,
            low: other.min(value / error_factor),
            high: other.max(value * error_factor),
            error_factor,
            tested: distance <= self.reach,
        })
    }

    /// The total cost of all levels up to one: the measured and the predicted ones. Ends of the
    /// range are sums of ends, as if every level erred to the same side. `None` as for
    /// [`at`](Self::at).
    pub fn total(&self, depth: u32) -> Option<Predicted> {
        let last = self.at(depth)?;
        let known: f64 = self.points.iter().map(|point| point.value).sum();
        let mut total = Predicted {
            value: known,
            low: known,
            high: known,
            ..last
        };
        for level in (self.last().depth + 1..=depth).filter_map(|depth| self.at(depth)) {
            total.value += level.value;
            total.low += level.low;
            total.high += level.high;
        }
        Some(total)
    }

    fn ln_error(&self, distance: u32) -> f64 {
        let near = self.tests.iter();
        let near = near.filter(|(far, _)| *far <= distance.min(self.reach));
        let measured = near.map(|(_, error)| *error).fold(0.0, f64::max);
        let beyond = f64::from(distance) / f64::from(self.reach);
        measured * beyond.max(1.0).powi(2)
    }
}

/// The last levels, as far as they are neighbours above zero.
fn usable(points: &[Point]) -> &[Point] {
    let sound = |point: &Point| point.value > 0.0 && point.value.is_finite();
    let mut runs = points.chunk_by(|a, b| sound(a) && sound(b) && neighbours(a, b));
    let last = runs.next_back().filter(|run| sound(&run[0]));
    last.unwrap_or_default()
}

fn neighbours(before: &Point, after: &Point) -> bool {
    before.depth.checked_add(1) == Some(after.depth)
}

/// Predicts every known level from every earlier one that has a window before it: how far ahead,
/// and the logarithm of the error.
fn back_test(points: &[Point], drifts: bool, window: usize) -> Vec<(u32, f64)> {
    let mut tests = Vec::new();
    for known in window..points.len() {
        let fit = Fit::new(&points[known - window..known], drifts);
        tests.extend(points[known..].iter().map(|point| {
            let error = (fit.at(point.depth) / point.value).ln();
            (point.depth - fit.last.depth, error.abs())
        }));
    }
    tests
}

/// Mean error for each distance in levels, so that far predictions do not outweigh near ones.
fn error_a_level(tests: &[(u32, f64)]) -> f64 {
    let errors = tests.iter().map(|(far, error)| error / f64::from(*far));
    errors.sum::<f64>() / tests.len().max(1) as f64
}

#[cfg(test)]
mod tests;
