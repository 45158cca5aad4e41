//! One instance to explore.

use std::sync::Arc;

use antipode_check::ask::PathRequest;
use antipode_reports::html::playable;
use antipode_reports::model::{Legend, Position};
use antipode_search::progress::Stop;
use antipode_search::record::legend_of;

use crate::error::ExploreError;
use crate::finished::FinishedRun;
use crate::positions::Positions;
use crate::question::{AnswerLimits, Go, Say};

/// Pixels of a large board's longer side.
const LARGE: u32 = 448;

/// One instance to explore.
pub struct Explorer {
    pub(crate) inner: Positions,
    name: String,
    rules: String,
    legend: Legend,
}

impl Explorer {
    /// Opens the instance of a question, whose start and goal do not matter; nothing is searched
    /// yet. `run` is a finished run of it.
    ///
    /// # Errors
    /// An unknown instance, variant or setting; a finished run that is not of this instance.
    pub fn open(
        asked: PathRequest,
        run: Option<FinishedRun>,
        limits: AnswerLimits,
    ) -> Result<Self, ExploreError> {
        let name = format!("{}/{}", asked.library.name, asked.instance);
        let legend = legend_of(&asked.library.legend, &asked.instance);
        let library = Arc::clone(&asked.library);
        let mut infos = library.instances.iter();
        let about = infos.find(|info| info.name == asked.instance);
        let rules = match about {
            Some(info) => format!("{}. Here: {}.", library.summary, info.summary),
            None => format!("{}.", library.summary),
        };
        let inner = Positions::open(asked, run, limits)?;
        Ok(Self {
            inner,
            name,
            rules,
            legend,
        })
    }

    /// `PUZZLE/INSTANCE`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The puzzle's and the instance's descriptions of themselves.
    #[must_use]
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// How to draw its positions; if empty, as text.
    #[must_use]
    pub fn legend(&self) -> &Legend {
        &self.legend
    }

    /// A position with its moves; `None` for the instance's start, or, without one, some
    /// position.
    ///
    /// # Errors
    /// A text that is no position, an unknown place to go to, a puzzle that breaks its contract, or
    /// [`ExploreError::Disagree`].
    pub fn position(
        &self,
        board: Option<&str>,
        go: Go,
        stop: &Stop,
    ) -> Result<Position, ExploreError> {
        self.shown(board, go, Say::Distances, stop)
    }

    /// The same, with only the requested data.
    pub(crate) fn shown(
        &self,
        board: Option<&str>,
        go: Go,
        say: Say,
        stop: &Stop,
    ) -> Result<Position, ExploreError> {
        let mut position = self.inner.position(board, go, say, stop)?;
        position.svg = self.picture(&position.board);
        Ok(position)
    }

    /// A text as a large board, whether it is a position or not; `None` if the puzzle has no
    /// legend.
    #[must_use]
    pub fn picture(&self, board: &str) -> Option<String> {
        playable(board, self.name(), self.legend(), LARGE)
    }

    /// Whether a text is a position of the instance.
    ///
    /// # Errors
    /// Why not, in one line.
    pub fn check(&self, board: &str) -> Result<(), ExploreError> {
        self.inner.check(board)
    }
}
