//! The cost of a search on disk, level by level: `cost.csv`, and `published.csv` next to it.

use crate::csv_in::read_numbered;
use crate::growth::Point;
pub use crate::model::{LevelCost, Published};
use crate::read_error::ReadError;
use std::path::Path;

/// Reads `cost.csv`: one row per depth, over all parts. Depths must rise, and start again with each
/// part.
pub fn read_costs(path: impl AsRef<Path>) -> Result<Vec<LevelCost>, ReadError> {
    let path = path.as_ref();
    let rows: Vec<(u64, LevelCost)> = read_numbered(path)?;
    let depth = |cost: &LevelCost| cost.depth;
    let first = rows.first().map_or(0, |(_, cost)| cost.depth);
    let mut all: Vec<LevelCost> = Vec::new();
    for part in rows.chunk_by(|_, (_, next)| next.depth != first) {
        for cost in rising(path, part.to_vec(), depth)? {
            match all.binary_search_by_key(&cost.depth, depth) {
                Ok(at) => all[at].add(&cost),
                Err(at) => all.insert(at, cost),
            }
        }
    }
    Ok(all)
}

/// Reads `published.csv`: `depth,states`, with lines that begin with `#` as comments.
pub fn read_published(path: impl AsRef<Path>) -> Result<Vec<Published>, ReadError> {
    let path = path.as_ref();
    rising(path, read_numbered(path)?, |row: &Published| row.depth)
}

/// A column of figures by depth, in the form of [`Forecast`](crate::growth::Forecast).
pub fn points(costs: &[LevelCost], figure: impl Fn(&LevelCost) -> f64) -> Vec<Point> {
    let point = |cost: &LevelCost| Point {
        depth: cost.depth,
        value: figure(cost),
    };
    costs.iter().map(point).collect()
}

/// Rows have their line numbers, so that the first that does not rise can be named.
fn rising<T>(
    path: &Path,
    rows: Vec<(u64, T)>,
    depth: impl Fn(&T) -> u32,
) -> Result<Vec<T>, ReadError> {
    for pair in rows.windows(2) {
        let (before, after) = (depth(&pair[0].1), depth(&pair[1].1));
        if after <= before {
            let reason = format!("depth {after} does not rise above {before} of the row before");
            return Err(ReadError::line(path, pair[1].0, reason));
        }
    }
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}
