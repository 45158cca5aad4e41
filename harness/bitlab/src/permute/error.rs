//! The error of a permutation, in one line that names the place and the remedy.

use thiserror::Error;

/// Why something is not a permutation, or cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PermuteError {
    /// A permutation that does not exist.
    #[error("{0}")]
    Wrong(String),
    /// A specification that cannot be read.
    #[error("permutation `{spec}`, column {column}: {what}")]
    Spec {
        /// The whole text.
        spec: String,
        /// The place in it, counted in characters from 1.
        column: usize,
        /// The error there, and the correct form.
        what: String,
    },
}
