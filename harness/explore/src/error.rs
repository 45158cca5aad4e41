//! Possible errors, one line each.

use antipode_graph::PluginError;
use antipode_reports::ReadError;
use antipode_search::engines::EngineError;
use antipode_search::options::without_options;

/// The reason for a missing answer.
#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    /// The puzzle or an engine gives the reason.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A file of a finished run.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The request is not available here; the line gives the reason and the remedy.
    #[error("{0}")]
    Refused(String),
    /// Two derivations of our own contradict each other.
    #[error("two derivations disagree: {0}")]
    Disagree(String),
}

/// A line for a page, which has no options of the command.
#[must_use]
pub(crate) fn on_page(line: &str) -> String {
    match without_options(line, |_| false) {
        none if none.is_empty() => "that cannot be done here".to_owned(),
        kept => kept,
    }
}

impl From<PluginError> for ExploreError {
    fn from(error: PluginError) -> Self {
        Self::Engine(error.into())
    }
}
