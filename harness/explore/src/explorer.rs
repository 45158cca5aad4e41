//! One instance to explore, whatever the width of its keys.

use std::sync::Arc;
use std::time::Duration;

use antipode_check::distances::Room;
use antipode_graph::Library;
use antipode_reports::html::picture;
use antipode_reports::model::{Legend, Position};
use antipode_search::progress::Stop;
use antipode_search::{machine, record::legend};
use puzzle_api::Settings;

use crate::error::ExploreError;
use crate::finished::FinishedRun;
use crate::typed::Typed;

/// Pixels of a large board's longer side.
const LARGE: u32 = 448;

/// What an answer may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Room for the tables of all parts that are held at a time.
    pub tables: Room,
    /// Time for all searches of one position and its moves together.
    pub search: Duration,
}

impl Limits {
    /// So long for the searches of a position, and tables of up to 16 million orbits that take
    /// ten times as long, half a minute at least.
    #[must_use]
    pub fn searching(search: Duration) -> Self {
        let longest = search.saturating_mul(10).max(Duration::from_secs(30));
        Self {
            tables: Room {
                orbits: 1 << 24,
                time: longest,
                threads: machine::cores(),
            },
            search,
        }
    }
}

/// Which instance.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The puzzle.
    pub library: Arc<Library>,
    /// Name of the instance.
    pub instance: String,
    /// Its settings.
    pub settings: Settings,
    /// Variant that tables and searches use; `None` takes the puzzle's first.
    pub variant: Option<String>,
    /// A finished run of it.
    pub run: Option<FinishedRun>,
}

/// Where to go before looking around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    /// Nowhere: the position named.
    Stay,
    /// To one of the positions at the greatest distance: of the finished run, else of the part
    /// that the position named lies in. Counted from 0, and from the first again.
    Antipode(u64),
    /// To a position drawn uniformly by a seed: at a distance, from the part that the position
    /// named lies in; without one, from all that there are.
    Random {
        /// The distance.
        at: Option<u16>,
        /// The seed.
        seed: u64,
    },
}

/// What an explorer of either width of keys does.
pub(crate) trait Explore: Send + Sync {
    /// The position, after going where it says.
    fn position(&self, board: Option<&str>, go: Go, stop: &Stop) -> Result<Position, ExploreError>;

    /// Whether a text is a position.
    fn check(&self, board: &str) -> Result<(), ExploreError>;
}

/// One instance to explore.
pub struct Explorer {
    inner: Box<dyn Explore>,
    name: String,
    legend: Legend,
}

impl std::fmt::Debug for Explorer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explorer")
            .field("name", &self.name)
            .finish()
    }
}

impl Explorer {
    /// Opens an instance; nothing is searched yet.
    ///
    /// # Errors
    /// An unknown instance, variant or setting; a finished run that is not of this instance.
    pub fn open(asked: Asked, limits: Limits) -> Result<Self, ExploreError> {
        let name = format!("{}/{}", asked.library.name, asked.instance);
        let legend = legend(&asked.library.legend);
        let inner: Box<dyn Explore> = match asked.library.key_words() {
            1 => Box::new(Typed::<u64>::open(asked, limits)?),
            _ => Box::new(Typed::<u128>::open(asked, limits)?),
        };
        Ok(Self {
            inner,
            name,
            legend,
        })
    }

    /// `PUZZLE/INSTANCE`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How to draw its positions; empty: as text.
    #[must_use]
    pub fn legend(&self) -> &Legend {
        &self.legend
    }

    /// A position with its moves; `None` for the instance's start, or, without one, some
    /// position.
    ///
    /// # Errors
    /// A text that is no position; a place to go to that is not known; a puzzle that breaks its
    /// contract; [`ExploreError::Disagree`].
    pub fn position(
        &self,
        board: Option<&str>,
        go: Go,
        stop: &Stop,
    ) -> Result<Position, ExploreError> {
        let mut position = self.inner.position(board, go, stop)?;
        position.svg = self.picture(&position.board);
        Ok(position)
    }

    /// A text as a large board, whether it is a position or not; nothing where the puzzle has no
    /// legend.
    #[must_use]
    pub fn picture(&self, board: &str) -> Option<String> {
        picture(board, self.name(), self.legend(), LARGE)
    }

    /// Whether a text is a position of the instance.
    ///
    /// # Errors
    /// Why not, in one line.
    pub fn check(&self, board: &str) -> Result<(), ExploreError> {
        self.inner.check(board)
    }
}
