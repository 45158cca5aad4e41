//! Runs, their levels, the cost of these, and predictions for later ones.

use super::{Cell, ReportTable};
use crate::cost::{LevelCost, points};
use crate::growth::{self, Forecast, Point};
use crate::model::{Level, LevelTable};
use crate::plot::figure;
use crate::report::{FoundFolders, FoundRun};
use crate::wording::{duration, memory};

/// Levels after the last that a forecast names.
pub const FAR_LEVELS: [u32; 7] = [1, 2, 5, 10, 20, 50, 100];
/// Levels that a forecast is fitted to.
const WINDOW: usize = 8;

/// All runs: the subject, the engine, the depth and the cost.
pub fn runs(found: &FoundFolders) -> ReportTable {
    let runs = found.runs.iter();
    let with_run = runs.filter_map(|found| Some((found.run.as_ref()?, &found.levels)));
    ReportTable::of(
        with_run,
        &[
            ("instance", &|(run, _)| Cell::text(run.title())),
            ("rules", &|(run, _)| Cell::text(run.variant.as_str())),
            ("engine", &|(run, _)| Cell::text(run.engine.as_str())),
            ("direction", &|(run, _)| Cell::text(run.direction.as_str())),
            ("#levels", &|(_, levels)| {
                Cell::count(levels.levels.len() as u128)
            }),
            ("#positions", &|(_, levels)| {
                Cell::count(levels.total_states())
            }),
            ("#threads", &|(run, _)| Cell::count(run.threads)),
            ("#time", &|(run, _)| {
                Cell::figure(Some(run.wall_s), duration)
            }),
            ("#processor time", &|(run, _)| {
                Cell::figure(Some(run.cpu_s), duration)
            }),
            ("#peak memory", &|(run, _)| size(run.peak_memory_bytes)),
        ],
    )
}

/// A number of bytes.
fn size(count: u64) -> Cell {
    Cell::figure(Some(count as f64), bytes)
}

/// Sizes of levels with the growth from each to the next.
pub fn levels(levels: &LevelTable) -> ReportTable {
    let size = |level: &Level| Point {
        depth: level.depth,
        value: level.states as f64,
    };
    let sizes: Vec<Point> = levels.levels.iter().map(size).collect();
    ReportTable::of(
        levels.levels.iter().zip(growth(&sizes)),
        &[
            ("#depth", &|(level, _)| Cell::count(level.depth)),
            ("#positions", &|(level, _)| Cell::count(level.states)),
            ("#up to symmetry", &|(level, _)| Cell::count(level.orbits)),
            ("#growth", &|(_, growth)| growth.clone()),
        ],
    )
}

/// Growth from the level before, for each level; empty for the first and across gaps.
pub fn growth(points: &[Point]) -> Vec<Cell> {
    let first = (!points.is_empty()).then(Cell::default);
    let later = growth::growth(points).into_iter();
    let later = later.map(|(_, factor)| Cell::figure(factor, |factor| format!("× {factor:.3}")));
    first.into_iter().chain(later).collect()
}

/// The cost of each level of a search on disk.
pub fn cost(run: &FoundRun) -> ReportTable {
    let states = growth(&points(&run.costs, |cost| cost.states as f64));
    let seconds = growth(&points(&run.costs, |cost| cost.seconds));
    ReportTable::of(
        run.costs.iter().zip(states.iter().zip(&seconds)),
        &[
            ("#depth", &|(cost, _)| Cell::count(cost.depth)),
            ("#positions", &|(cost, _)| Cell::count(cost.states)),
            ("#growth", &|(_, (states, _))| (*states).clone()),
            ("#time", &|(cost, _)| {
                Cell::figure(Some(cost.seconds), duration)
            }),
            ("#growth of time", &|(_, (_, seconds))| (*seconds).clone()),
            ("#processor time", &|(cost, _)| {
                Cell::figure(Some(cost.cpu_seconds), duration)
            }),
            ("#moves generated", &|(cost, _)| Cell::count(cost.generated)),
            ("#removed in memory", &|(cost, _)| {
                Cell::count(cost.removed_in_memory)
            }),
            ("#removed at merge", &|(cost, _)| {
                Cell::count(cost.removed_at_merge)
            }),
            ("#read", &|(cost, _)| size(cost.bytes_read)),
            ("#written", &|(cost, _)| size(cost.bytes_written)),
            ("#stored", &|(cost, _)| size(cost.bytes_stored)),
            ("#memory", &|(cost, _)| size(cost.peak_memory_bytes)),
        ],
    )
}

/// A figure of a level and its form.
type Figure = (&'static str, fn(&LevelCost) -> f64, fn(f64) -> String);

/// Figures that are forecast.
const FORECAST: [Figure; 4] = [
    ("positions", |cost| cost.states as f64, figure),
    ("processor time", |cost| cost.cpu_seconds, duration),
    ("bytes written", |cost| cost.bytes_written as f64, bytes),
    ("bytes stored", |cost| cost.bytes_stored as f64, bytes),
];

/// The predicted cost of later levels: [`FAR_LEVELS`] after the last one, the published ones, and
/// the requested ones.
pub fn forecast(run: &FoundRun) -> ReportTable {
    let last = run.costs.last().map_or(0, |cost| cost.depth);
    let far = FAR_LEVELS.map(|far| last.saturating_add(far));
    let published = run.published.iter().map(|row| row.depth);
    let wanted = run.wanted.iter().copied();
    let mut depths: Vec<u32> = far.into_iter().chain(published).chain(wanted).collect();
    depths.retain(|depth| *depth > last);
    depths.sort_unstable();
    depths.dedup();
    forecast_of(run, &depths)
}

/// The predicted cost of given later levels. A figure with too few levels has no rows.
pub fn forecast_of(run: &FoundRun, depths: &[u32]) -> ReportTable {
    let mut rows = Vec::new();
    for (name, column, shown) in FORECAST {
        let Ok(forecast) = Forecast::new(&points(&run.costs, column), WINDOW) else {
            continue;
        };
        rows.extend(depths.iter().filter_map(|&depth| {
            let published = run.published.iter().find(|row| row.depth == depth);
            let published = published.filter(|_| name == "positions");
            let published = published.map(|row| row.states as f64);
            let (at, total) = (forecast.at(depth)?, forecast.total(depth)?);
            Some((name, shown, at, total, published))
        }));
    }
    let some = Cell::figure;
    let ratio = |ratio: f64| format!("{ratio:.4}");
    ReportTable::of(
        rows,
        &[
            ("figure", &|row| Cell::text(row.0)),
            ("#depth", &|row| Cell::count(row.2.depth)),
            ("#forecast", &|row| some(Some(row.2.value), row.1)),
            ("#at least", &|row| some(Some(row.2.low), row.1)),
            ("#at most", &|row| some(Some(row.2.high), row.1)),
            ("#off by a factor of at most", &|row| {
                some(Some(row.2.error_factor), figure)
            }),
            ("tested", &|row| {
                Cell::text(if row.2.tested {
                    "yes"
                } else {
                    "no, extrapolated"
                })
            }),
            ("#all levels to there", &|row| {
                some(Some(row.3.value), row.1)
            }),
            ("#published", &|row| some(row.4, row.1)),
            ("#forecast / published", &|row| {
                Cell::figure(row.4.map(|right| row.2.value / right), ratio)
            }),
        ],
    )
}

/// The method of a column's forecast and its results on levels held out, in sentences.
pub(crate) fn method(run: &FoundRun) -> Option<String> {
    let states = points(&run.costs, |cost| cost.states as f64);
    let forecast = Forecast::new(&states, WINDOW).ok()?;
    let held_out = forecast.held_out();
    let worst = held_out.iter().map(|test| test.ln_error().abs());
    let worst = worst.fold(0.0, f64::max).exp();
    let origin = held_out.first().map_or(0, |test| test.origin);
    Some(format!(
        "Logarithms of the last {} levels are fitted by least squares, once with one factor from level to level (steady growth), once with a factor that itself changes by a fixed factor (drifting growth). For positions, {} did better in tests in which every known level (of many, of the later half) was predicted from the levels before; it gives the figure. Fitted to the levels up to {origin} alone, it predicts the last {} levels, which are known, wrong by a factor of at most {worst:.4}. The range is the wider of two: the spread of both models over windows of up to {} levels, and the greatest error of the tests at that distance. Tests reach {} levels ahead; beyond, the error is taken to grow with the square of the distance. A finite puzzle's levels shrink in the end, which no earlier level shows.",
        forecast.window,
        forecast.fit.model.name(),
        held_out.len(),
        forecast.points.len().min(2 * forecast.window),
        forecast.reach,
    ))
}

/// Bytes in the unit that suits them.
pub(super) fn bytes(count: f64) -> String {
    match count < 1e18 {
        true => memory(count.max(0.0) as u64),
        false => format!("{} bytes", figure(count)),
    }
}
