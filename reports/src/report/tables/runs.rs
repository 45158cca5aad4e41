//! Runs, their levels, the cost of these, and predictions for later ones.

use super::{ReportCell, ReportTable};
use crate::cost::{LevelCost, points};
use crate::growth::{self, Forecast, Point};
use crate::model::LevelTable;
use crate::plot::figure;
use crate::report::{FoundFolders, FoundRun};
use crate::wording::{duration, memory};

/// Levels after the last that a forecast names.
pub const FAR_LEVELS: [u32; 7] = [1, 2, 5, 10, 20, 50, 100];
/// Levels that a forecast is fitted to.
const WINDOW: usize = 8;

/// All runs: the subject, the engine, the depth and the cost.
pub fn runs(found: &FoundFolders) -> ReportTable {
    let mut table = ReportTable::new(&[
        "instance",
        "rules",
        "engine",
        "direction",
        "#levels",
        "#positions",
        "#threads",
        "#time",
        "#processor time",
        "#peak memory",
    ]);
    let with_run = found
        .runs
        .iter()
        .filter_map(|found| Some((found, found.run.as_ref()?)));
    for (found, run) in with_run {
        table.rows.push(vec![
            ReportCell::text(run.title()),
            ReportCell::text(run.variant.as_str()),
            ReportCell::text(run.engine.as_str()),
            ReportCell::text(run.direction.as_str()),
            ReportCell::count(found.levels.levels.len() as u128),
            ReportCell::count(found.levels.total_states()),
            ReportCell::count(run.threads),
            ReportCell::figure(Some(run.wall_s), duration),
            ReportCell::figure(Some(run.cpu_s), duration),
            ReportCell::figure(Some(run.peak_memory_bytes as f64), bytes),
        ]);
    }
    table
}

/// Sizes of levels with the growth from each to the next.
pub fn levels(levels: &LevelTable) -> ReportTable {
    let mut table = ReportTable::new(&["#depth", "#positions", "#up to symmetry", "#growth"]);
    let sizes: Vec<Point> = levels
        .levels
        .iter()
        .map(|level| Point {
            depth: level.depth,
            value: level.states as f64,
        })
        .collect();
    for (level, growth) in levels.levels.iter().zip(growth(&sizes)) {
        table.rows.push(vec![
            ReportCell::count(level.depth),
            ReportCell::count(level.states),
            ReportCell::count(level.orbits),
            growth,
        ]);
    }
    table
}

/// Growth from the level before, for each level; empty for the first and across gaps.
pub fn growth(points: &[Point]) -> Vec<ReportCell> {
    let first = (!points.is_empty()).then(ReportCell::default);
    let later = growth::growth(points).into_iter();
    let later =
        later.map(|(_, factor)| ReportCell::figure(factor, |factor| format!("× {factor:.3}")));
    first.into_iter().chain(later).collect()
}

/// The cost of each level of a search on disk.
pub fn cost(run: &FoundRun) -> ReportTable {
    let mut table = ReportTable::new(&[
        "#depth",
        "#positions",
        "#growth",
        "#time",
        "#growth of time",
        "#processor time",
        "#moves generated",
        "#removed in memory",
        "#removed at merge",
        "#read",
        "#written",
        "#stored",
        "#memory",
    ]);
    let states = growth(&points(&run.costs, |cost| cost.states as f64));
    let seconds = growth(&points(&run.costs, |cost| cost.seconds));
    for ((cost, states), seconds) in run.costs.iter().zip(states).zip(seconds) {
        let size = |count: u64| ReportCell::figure(Some(count as f64), bytes);
        table.rows.push(vec![
            ReportCell::count(cost.depth),
            ReportCell::count(cost.states),
            states,
            ReportCell::figure(Some(cost.seconds), duration),
            seconds,
            ReportCell::figure(Some(cost.cpu_seconds), duration),
            ReportCell::count(cost.generated),
            ReportCell::count(cost.removed_in_memory),
            ReportCell::count(cost.removed_at_merge),
            size(cost.bytes_read),
            size(cost.bytes_written),
            size(cost.bytes_stored),
            size(cost.peak_memory_bytes),
        ]);
    }
    table
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
    let mut table = ReportTable::new(&[
        "figure",
        "#depth",
        "#forecast",
        "#at least",
        "#at most",
        "#off by a factor of at most",
        "tested",
        "#all levels to there",
        "#published",
        "#forecast / published",
    ]);
    for (name, column, shown) in FORECAST {
        let Ok(forecast) = Forecast::new(&points(&run.costs, column), WINDOW) else {
            continue;
        };
        for &depth in depths {
            let Some((at, total)) = forecast.at(depth).zip(forecast.total(depth)) else {
                continue;
            };
            let published = run.published.iter().find(|row| row.depth == depth);
            let published = published.filter(|_| name == "positions");
            let published = published.map(|row| row.states as f64);
            let total = Some(total.value);
            table.rows.push(vec![
                ReportCell::text(name),
                ReportCell::count(depth),
                ReportCell::figure(Some(at.value), shown),
                ReportCell::figure(Some(at.low), shown),
                ReportCell::figure(Some(at.high), shown),
                ReportCell::figure(Some(at.error_factor), figure),
                ReportCell::text(if at.tested { "yes" } else { "no, extrapolated" }),
                ReportCell::figure(total, shown),
                ReportCell::figure(published, shown),
                ReportCell::figure(published.map(|right| at.value / right), |ratio| {
                    format!("{ratio:.4}")
                }),
            ]);
        }
    }
    table
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
