//! What can go wrong, one line each.

use antipode_graph::PluginError;
use antipode_reports::ReadError;
use antipode_search::engines::EngineError;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    /// The puzzle or an engine says why.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A file of a finished run.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What was asked for is not to be had here; the line says why and what helps.
    #[error("{0}")]
    Refused(String),
    /// Two derivations of our own contradict each other.
    #[error("two derivations disagree: {0}")]
    Disagree(String),
}

impl From<PluginError> for ExploreError {
    fn from(error: PluginError) -> Self {
        Self::Engine(error.into())
    }
}
