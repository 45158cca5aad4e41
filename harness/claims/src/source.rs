//! Where claims come from: a puzzle's own, or a module's that derives its own figures.

use std::sync::Arc;

use puzzle_api::{Effort, Figure, Settings};

use antipode_graph::{Library, PluginError};

/// Computes the figures that claims of kind `derived` refer to.
pub type Deriver = fn(&str, &Settings, Effort) -> Result<Vec<Figure>, String>;

/// A set of claims with what is needed to decide them.
#[derive(Debug, Clone)]
pub struct ClaimSource {
    /// Name: the puzzle's, or the module's.
    pub name: String,
    /// The claims as TOML.
    pub text: String,
    /// File they came from, for errors.
    pub file: String,
    /// The puzzle, where the claims are about one.
    pub library: Option<Arc<Library>>,
    /// Derivations, where they are not the puzzle's.
    pub deriver: Option<Deriver>,
}

impl ClaimSource {
    /// The claims that a puzzle brings, if any.
    #[must_use]
    pub fn of_library(library: &Arc<Library>) -> Option<Self> {
        (!library.claims.is_empty()).then(|| Self {
            name: library.name.clone(),
            text: library.claims.clone(),
            file: format!("claims of {}", library.name),
            library: Some(Arc::clone(library)),
            deriver: None,
        })
    }

    /// Runs a derivation.
    ///
    /// # Errors
    /// [`PluginError`] where the source does not know it or fails.
    pub fn derive(
        &self,
        what: &str,
        parameters: &Settings,
        effort: Effort,
    ) -> Result<Vec<Figure>, PluginError> {
        match (&self.deriver, &self.library) {
            (Some(deriver), _) => deriver(what, parameters, effort).map_err(PluginError::BadInput),
            (None, Some(library)) => library.derive(what, parameters, effort),
            (None, None) => Err(PluginError::BadInput(format!(
                "{}: derives nothing",
                self.name
            ))),
        }
    }
}
