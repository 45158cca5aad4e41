//! Runs, their levels, the cost of these, and predictions for later ones.

use super::{Cell, ReportTable};
use crate::cost::{LevelCost, points};
use crate::growth::{Forecast, Point};
use crate::model::{Level, LevelTable};
use crate::plot::figure;
use crate::report::{FoundFolders, FoundRun};
use crate::wording::{duration, memory};

/// Levels after the last that a forecast names.
const FAR_LEVELS: [u32; 7] = [1, 2, 5, 10, 20, 50, 100];

/// All runs: the subject, the engine, the depth and the cost.
pub fn runs(found: &FoundFolders) -> ReportTable {
    let row = |found: &FoundRun| {
        let (run, levels) = (found.run.as_ref()?, &found.levels);
        Some([
            Cell::text(run.title()),
            Cell::text(&run.variant),
            Cell::text(&run.engine),
            Cell::text(&run.direction),
            Cell::count(levels.levels.len() as u128),
            Cell::count(levels.total_states()),
            Cell::count(run.threads),
            Cell::figure(Some(run.wall_s), duration),
            Cell::figure(Some(run.cpu_s), duration),
            size(run.peak_memory_bytes),
        ])
    };
    ReportTable::of(
        "instance | rules | engine | direction | #levels | #positions | #threads | #time | #processor time | #peak memory",
        found.runs.iter().filter_map(row),
    )
}

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
    let row = |(level, growth): (&Level, Cell)| {
        let [depth, states, orbits] = [level.depth.into(), level.states, level.orbits];
        [
            Cell::count(depth),
            Cell::count(states),
            Cell::count(orbits),
            growth,
        ]
    };
    let rows = levels.levels.iter().zip(growth(&sizes)).map(row);
    ReportTable::of("#depth | #positions | #up to symmetry | #growth", rows)
}

/// Growth from the level before, for each level; empty for the first and across gaps.
fn growth(points: &[Point]) -> impl Iterator<Item = Cell> + use<> {
    let factor = |pair: &[Point]| {
        let is_next = pair[0].depth + 1 == pair[1].depth;
        let factor = pair[1].value / pair[0].value;
        let factor = Some(factor).filter(|factor| is_next && *factor > 0.0);
        Cell::figure(factor, |factor| format!("× {factor:.3}"))
    };
    let later: Vec<Cell> = points.windows(2).map(factor).collect();
    std::iter::once(Cell::default()).chain(later)
}

/// The cost of each level of a search on disk.
pub fn cost(run: &FoundRun) -> ReportTable {
    let states = growth(&points(&run.costs, |cost| cost.states as f64));
    let seconds = growth(&points(&run.costs, |cost| cost.seconds));
    let growths = states.zip(seconds);
    let row = |(cost, (states, seconds)): (&LevelCost, (Cell, Cell))| {
        [
            Cell::count(cost.depth),
            Cell::count(cost.states),
            states,
            Cell::figure(Some(cost.seconds), duration),
            seconds,
            Cell::figure(Some(cost.cpu_seconds), duration),
            Cell::count(cost.generated),
            Cell::count(cost.removed_in_memory),
            Cell::count(cost.removed_at_merge),
            size(cost.bytes_read),
            size(cost.bytes_written),
            size(cost.bytes_stored),
            size(cost.peak_memory_bytes),
        ]
    };
    ReportTable::of(
        "#depth | #positions | #growth | #time | #growth of time | #processor time | #moves generated | #removed in memory | #removed at merge | #read | #written | #stored | #memory",
        run.costs.iter().zip(growths).map(row),
    )
}

type Figure = (&'static str, fn(&LevelCost) -> f64, fn(f64) -> String);

const FORECAST: [Figure; 4] = [
    ("positions", |cost| cost.states as f64, figure),
    ("processor time", |cost| cost.cpu_seconds, duration),
    ("bytes written", |cost| cost.bytes_written as f64, bytes),
    ("bytes stored", |cost| cost.bytes_stored as f64, bytes),
];

/// The predicted cost of later levels: `FAR_LEVELS` after the last one, the published ones, and
/// the requested ones. A figure with too few levels has no rows.
pub fn forecast(run: &FoundRun) -> ReportTable {
    let last = run.costs.last().map_or(0, |cost| cost.depth);
    let far = FAR_LEVELS.map(|far| last.saturating_add(far));
    let published = run.published.iter().map(|row| row.depth);
    let wanted = run.wanted.iter().copied();
    let mut depths: Vec<u32> = far.into_iter().chain(published).chain(wanted).collect();
    depths.retain(|depth| *depth > last);
    depths.sort_unstable();
    depths.dedup();
    let mut rows = Vec::new();
    for (name, column, shown) in FORECAST {
        let Ok(forecast) = Forecast::new(&points(&run.costs, column)) else {
            continue;
        };
        rows.extend(depths.iter().filter_map(|&depth| {
            let published = run.published.iter().find(|row| row.depth == depth);
            let published = published.filter(|_| name == "positions");
            let published = published.map(|row| row.states as f64);
            let (at, total) = (forecast.at(depth)?, forecast.total(depth)?);
            let figure_of = |value| Cell::figure(Some(value), shown);
            let ratio = published.map(|right| at.value / right);
            Some([
                Cell::text(name),
                Cell::count(at.depth),
                figure_of(at.value),
                figure_of(at.low),
                figure_of(at.high),
                Cell::figure(Some(at.error_factor), figure),
                Cell::text(if at.tested { "yes" } else { "no, extrapolated" }),
                figure_of(total.value),
                Cell::figure(published, shown),
                Cell::figure(ratio, |ratio| format!("{ratio:.4}")),
            ])
        }));
    }
    ReportTable::of(
        "figure | #depth | #forecast | #at least | #at most | #off by a factor of at most | tested | #all levels to there | #published | #forecast / published",
        rows,
    )
}

pub(super) fn bytes(count: f64) -> String {
    match count < 1e18 {
        true => memory(count.max(0.0) as u64),
        false => format!("{} bytes", figure(count)),
    }
}
