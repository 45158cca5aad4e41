//! Least squares on the logarithms of growth factors.

use super::Point;

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
    /// First level of the window.
    pub first: u32,
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
        let (first, last) = (window[0], window[window.len() - 1]);
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
            first: first.depth,
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

    /// Factor from the level before to this one.
    pub fn growth(&self, depth: u32) -> f64 {
        let far = f64::from(depth) - f64::from(self.last.depth);
        (self.ln_growth + far * self.ln_drift).exp()
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
