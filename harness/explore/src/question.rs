//! Questions for an explorer.

use std::time::Duration;

use antipode_check::distances::TableLimits;
use antipode_search::machine;

/// Limits of an answer.
#[derive(Debug, Clone, Copy)]
pub struct AnswerLimits {
    /// Memory for the tables of all parts that are held at once.
    pub tables: TableLimits,
    /// Time for a search from one position, and as long for all of its moves together.
    pub search: Duration,
}

impl AnswerLimits {
    /// This long for the searches of a position. Tables of up to 16 million orbits may take ten
    /// times as long, at least half a minute.
    #[must_use]
    pub fn searching(search: Duration) -> Self {
        let longest = search.saturating_mul(10).max(Duration::from_secs(30));
        Self {
            tables: TableLimits {
                orbits: 1 << 24,
                time: longest,
                threads: machine::cores(),
            },
            search,
        }
    }
}

/// The place to go before looking around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    /// Nowhere: the position named.
    Stay,
    /// To one of the positions at the greatest distance: of the finished run, else of the named
    /// position's part. They are counted from 0, cyclically.
    Antipode(u64),
    /// To a position drawn uniformly by a seed: at a distance, from the named position's part;
    /// without one, from all positions.
    Random {
        /// The distance.
        at: Option<u16>,
        /// The seed.
        seed: u64,
    },
}

/// The amount of data about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Say {
    /// Its moves, which take no time.
    Moves,
    /// Distances too.
    Distances,
}
