//! One instance to explore, whatever the width of its keys.

use antipode_reports::html::picture;
use antipode_reports::model::{Legend, Position};
use antipode_search::progress::Stop;
use antipode_search::record::legend;

use crate::error::ExploreError;
use crate::question::{Asked, Explore, Go, Limits};
use crate::typed::Typed;

/// Pixels of a large board's longer side.
const LARGE: u32 = 448;

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
