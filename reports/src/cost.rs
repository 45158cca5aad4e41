//! What a search on disk cost, level by level: `cost.csv`, and `published.csv` beside it.

use crate::atomic::{WriteError, write_atomically};
use crate::csv_out::write_rows;
use crate::growth::Point;
use crate::read_error::ReadError;
use crate::table_in;
use csv::StringRecord;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Columns of `cost.csv`.
pub const COST_HEADER: [&str; 13] = [
    "depth",
    "states",
    "seconds",
    "cpu_seconds",
    "generated",
    "stayed",
    "removed_in_memory",
    "removed_at_merge",
    "bytes_read",
    "bytes_written",
    "bytes_stored",
    "partitions",
    "peak_memory_bytes",
];

/// Columns of `published.csv`: level sizes that somebody else found.
pub const PUBLISHED_HEADER: [&str; 2] = ["depth", "states"];

/// What one level cost: to be found from the levels before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelCost {
    /// Distance from the roots, in moves.
    pub depth: u32,
    /// States at this distance.
    pub states: u64,
    /// Elapsed time, in seconds.
    pub seconds: f64,
    /// Processor time of all threads, in seconds.
    pub cpu_seconds: f64,
    /// Neighbours of the level before, with repetitions.
    pub generated: u64,
    /// Of these, those in the partition of the state that they come from.
    pub stayed: u64,
    /// Of all generated, those dropped while their partition was in memory, or as
    /// repetitions within a page on its way to another.
    pub removed_in_memory: u64,
    /// Of all generated, those dropped when a partition merged what was sent to it.
    pub removed_at_merge: u64,
    /// Bytes read from disk.
    pub bytes_read: u64,
    /// Bytes written to disk.
    pub bytes_written: u64,
    /// Bytes that the finished level takes on disk.
    pub bytes_stored: u64,
    /// Partitions that its states are divided into.
    pub partitions: u64,
    /// Greatest resident memory of the process so far, in bytes.
    pub peak_memory_bytes: u64,
}

/// Writes `cost.csv`.
///
/// # Errors
/// [`WriteError`] with the path and the mend.
pub fn write_costs(path: impl AsRef<Path>, costs: &[LevelCost]) -> Result<(), WriteError> {
    let rows = costs.iter().map(|cost| {
        [
            cost.depth.to_string(),
            cost.states.to_string(),
            format!("{:.3}", cost.seconds),
            format!("{:.3}", cost.cpu_seconds),
            cost.generated.to_string(),
            cost.stayed.to_string(),
            cost.removed_in_memory.to_string(),
            cost.removed_at_merge.to_string(),
            cost.bytes_read.to_string(),
            cost.bytes_written.to_string(),
            cost.bytes_stored.to_string(),
            cost.partitions.to_string(),
            cost.peak_memory_bytes.to_string(),
        ]
    });
    write_atomically(path, |out| write_rows(out, COST_HEADER, rows))
}

/// Reads `cost.csv`; depths must rise.
///
/// # Errors
/// [`ReadError`] with file and line.
pub fn read_costs(path: impl AsRef<Path>) -> Result<Vec<LevelCost>, ReadError> {
    let path = path.as_ref();
    let rows = table_in::read_rows(path, &COST_HEADER, |record| {
        let whole = |column| number(record, &COST_HEADER, column);
        Ok(LevelCost {
            depth: number(record, &COST_HEADER, 0)?,
            states: whole(1)?,
            seconds: seconds(record, 2)?,
            cpu_seconds: seconds(record, 3)?,
            generated: whole(4)?,
            stayed: whole(5)?,
            removed_in_memory: whole(6)?,
            removed_at_merge: whole(7)?,
            bytes_read: whole(8)?,
            bytes_written: whole(9)?,
            bytes_stored: whole(10)?,
            partitions: whole(11)?,
            peak_memory_bytes: whole(12)?,
        })
    })?;
    rising(path, rows, |cost: &LevelCost| cost.depth)
}

/// Reads `published.csv`: `depth,states`, with lines that begin with `#` as comments.
///
/// # Errors
/// [`ReadError`] with file and line.
pub fn read_published(path: impl AsRef<Path>) -> Result<Vec<(u32, u64)>, ReadError> {
    let path = path.as_ref();
    let rows = table_in::read_rows(path, &PUBLISHED_HEADER, |record| {
        let depth = number(record, &PUBLISHED_HEADER, 0)?;
        Ok((depth, number(record, &PUBLISHED_HEADER, 1)?))
    })?;
    rising(path, rows, |row: &(u32, u64)| row.0)
}

/// A column of figures by depth, as [`Forecast`](crate::growth::Forecast) takes it.
pub fn points(costs: &[LevelCost], figure: impl Fn(&LevelCost) -> f64) -> Vec<Point> {
    let point = |cost: &LevelCost| Point {
        depth: cost.depth,
        value: figure(cost),
    };
    costs.iter().map(point).collect()
}

fn number<N: std::str::FromStr>(
    record: &StringRecord,
    header: &[&str],
    column: usize,
) -> Result<N, String> {
    let text = &record[column];
    text.parse()
        .map_err(|_| format!("{} is \"{text}\", not a whole number", header[column]))
}

fn seconds(record: &StringRecord, column: usize) -> Result<f64, String> {
    let text = &record[column];
    let sound = |seconds: &f64| seconds.is_finite() && *seconds >= 0.0;
    text.parse().ok().filter(sound).ok_or_else(|| {
        let name = COST_HEADER[column];
        format!("{name} is \"{text}\", not a number of seconds")
    })
}

/// Rows come with their line numbers, so that the first that does not rise can be named.
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
