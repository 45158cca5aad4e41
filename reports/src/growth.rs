//! Growth of a search from level to level, and its prediction for levels that were not searched.
//!
//! A quantity measured at each level (states, seconds, bytes) is extrapolated by two models. Both
//! are fitted by least squares to the logarithms over the last levels, a *window*, and anchored at
//! the last measured level:
//!
//! - [`Model::Steady`]: every level is larger than the one before by the same factor;
//! - [`Model::Drifting`]: that factor itself changes by a fixed factor from level to level.
//!
//! Neither is a law. Their accuracy is measured on the same levels. From every earlier level, the
//! following ones, which are known, are predicted from the levels before ([`Tested`]). The figure
//! is that of the model that did better. If there are many levels, the later half is tested. A
//! prediction's range is the wider of two: the spread over models and windows, and the greatest
//! error that the tests showed at that distance. Beyond the longest distance that could be tested
//! three times, the error is assumed to grow with the square of the distance. It does so if a
//! growth rate assumed constant drifts. A finite puzzle's levels shrink in the end, which no
//! earlier level shows: far away, only the upper end is valid.

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

/// How growth is assumed to continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// By the same factor from level to level.
    Steady,
    /// By a factor that itself changes by a fixed factor.
    Drifting,
}

impl Model {
    /// For readers.
    pub fn name(self) -> &'static str {
        match self {
            Model::Steady => "steady growth",
            Model::Drifting => "drifting growth",
        }
    }
}

/// A model fitted to some levels in a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The model.
    pub model: Model,
    /// Last level of the window, where the curve is anchored.
    pub last: Point,
    /// Natural logarithm of the factor from the last level to the next except for the drift.
    pub ln_growth: f64,
    /// Increment of that logarithm per level; 0 if growth is steady.
    pub ln_drift: f64,
}

impl Fit {
    /// Fits at least two levels in a row, all above zero.
    pub(super) fn new(window: &[Point], model: Model) -> Self {
        let last = window[window.len() - 1];
        // Seen from the last level: 0 there, negative before it.
        let place = |point: &Point| f64::from(point.depth) - f64::from(last.depth);
        let height = |point: &Point| (point.value / last.value).ln();
        let (ln_growth, ln_drift) = match model {
            Model::Steady => (slope(window.iter().map(|p| (place(p), height(p)))), 0.0),
            Model::Drifting => {
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
            model,
            last,
            ln_growth,
            ln_drift,
        }
    }

    /// The figure at a level, later or earlier.
    pub fn at(&self, depth: u32) -> f64 {
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
    if squares > 0.0 {
        products / squares
    } else {
        0.0
    }
}

/// A known level, predicted from the levels before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tested {
    /// The last level that the prediction knew.
    pub origin: u32,
    /// The level predicted.
    pub depth: u32,
    /// The prediction.
    pub predicted: f64,
    /// What was measured.
    pub measured: f64,
}

impl Tested {
    /// Levels between origin and prediction.
    pub fn distance(&self) -> u32 {
        self.depth - self.origin
    }

    /// Natural logarithm of predicted over measured.
    pub fn ln_error(&self) -> f64 {
        (self.predicted / self.measured).ln()
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
    /// Greatest factor by which tests at this distance were wrong, extrapolated beyond them.
    pub error_factor: f64,
    /// Whether tests reach this far.
    pub tested: bool,
}

/// Fits over the last levels, and tests of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// The levels used: the last ones, consecutive and above zero.
    pub points: Vec<Point>,
    /// Number of last levels that [`fit`](Self::fit) uses.
    pub window: usize,
    /// The fit that gives the figure.
    pub fit: Fit,
    /// All fits: both models over every window from [`window`](Self::window) to twice as long.
    pub fits: Vec<Fit>,
    /// All predictions of known levels by the chosen model, over windows of the same length.
    pub tests: Vec<Tested>,
    /// Longest distance in levels that was tested three times.
    pub reach: u32,
}

impl Forecast {
    /// Fits the last `window` levels (at least 4; fewer if the levels do not suffice to test it).
    /// Cost: the square of the number of levels.
    ///
    /// # Errors
    /// Too few levels, in words. Levels before a gap or before a figure that is not above zero are
    /// left out.
    pub fn new(points: &[Point], window: usize) -> Result<Self, String> {
        let points = usable(points);
        if points.len() < FEWEST_LEVELS {
            let found = points.len();
            return Err(format!(
                "{found} levels in a row with a figure above zero; a forecast needs at least {FEWEST_LEVELS}"
            ));
        }
        let window = window.clamp(SHORTEST_WINDOW, points.len() - TESTS_NEEDED);
        let first = match points.len() >= MANY_LEVELS.max(4 * window) {
            true => points.len() / 2,
            false => 0,
        };
        let tests = |model| back_test(&points[first..], model, window);
        let (steady, drifting) = (tests(Model::Steady), tests(Model::Drifting));
        let (model, tests) = match error_a_level(&drifting) < error_a_level(&steady) {
            true => (Model::Drifting, drifting),
            false => (Model::Steady, steady),
        };
        let longest = points.len().min(2 * window);
        let fits = (window..=longest.max(window))
            .flat_map(|length| {
                let last = &points[points.len() - length..];
                [Model::Steady, Model::Drifting].map(|model| Fit::new(last, model))
            })
            .collect();
        let reach = (points.len() - first - window - TESTS_NEEDED + 1) as u32;
        Ok(Forecast {
            fit: Fit::new(&points[points.len() - window..], model),
            points: points.to_vec(),
            window,
            fits,
            tests,
            reach,
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
        let value = self.fit.at(depth);
        let all = || self.fits.iter().map(|fit| fit.at(depth));
        let error_factor = self.ln_error(distance).exp();
        Some(Predicted {
            depth,
            value,
            low: all().fold(value / error_factor, f64::min),
            high: all().fold(value * error_factor, f64::max),
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

    /// Tests from one origin, without the levels after it: the last third of all.
    pub fn held_out(&self) -> Vec<Tested> {
        let first = self.points.len() - (self.points.len() / 3).max(1);
        let origin = self.points[first.max(self.window) - 1].depth;
        let held_out = self.tests.iter().filter(|test| test.origin == origin);
        held_out.copied().collect()
    }

    fn ln_error(&self, distance: u32) -> f64 {
        let measured = self
            .tests
            .iter()
            .filter(|test| test.distance() <= distance.min(self.reach))
            .map(|test| test.ln_error().abs())
            .fold(0.0, f64::max);
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

/// Predicts every known level from every earlier one that has a window before it.
fn back_test(points: &[Point], model: Model, window: usize) -> Vec<Tested> {
    let mut tests = Vec::new();
    for known in window..points.len() {
        let fit = Fit::new(&points[known - window..known], model);
        tests.extend(points[known..].iter().map(|point| Tested {
            origin: points[known - 1].depth,
            depth: point.depth,
            predicted: fit.at(point.depth),
            measured: point.value,
        }));
    }
    tests
}

/// Mean error for each distance in levels, so that far predictions do not outweigh near ones.
fn error_a_level(tests: &[Tested]) -> f64 {
    let errors = tests
        .iter()
        .map(|test| test.ln_error().abs() / f64::from(test.distance()));
    errors.sum::<f64>() / tests.len().max(1) as f64
}

/// Factors from each level to the next, with the later one's depth; `None` if the two are not
/// neighbours or not both above zero.
pub fn growth(points: &[Point]) -> Vec<(u32, Option<f64>)> {
    let factor = |pair: &[Point]| {
        let sound = pair[0].value > 0.0 && pair[1].value > 0.0;
        let factor = pair[1].value / pair[0].value;
        let is_known = sound && neighbours(&pair[0], &pair[1]);
        (pair[1].depth, is_known.then_some(factor))
    };
    points.windows(2).map(factor).collect()
}

#[cfg(test)]
mod tests;
