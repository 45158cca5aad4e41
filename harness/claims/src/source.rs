//! Sources of claims: a puzzle's own, or a module's that derives its own figures.

use std::sync::Arc;

use puzzle_api::{Effort, Figure, Parameters, Settings};

use antipode_graph::{Library, PluginError};

use crate::diagnostic::{Cause, Diagnostic, Diagnostics};
use antipode_reports::text::did_you_mean;

/// Computes the figures that claims of kind `derived` refer to.
pub type Deriver = fn(&str, &Settings, Effort) -> Result<Vec<Figure>, String>;

/// A set of claims with everything needed to decide them.
#[derive(Debug, Clone)]
pub struct ClaimSource {
    /// Name: the puzzle's, or the module's.
    pub name: String,
    /// The claims as TOML.
    pub text: String,
    /// The file of the claims, for errors.
    pub file: String,
    /// The puzzle, if the claims are about one.
    pub library: Option<Arc<Library>>,
    /// Derivations, if they are not the puzzle's.
    pub deriver: Option<Deriver>,
    /// Their names, each with the type of its value; a puzzle's own are in its library.
    pub known: Vec<(&'static str, &'static str)>,
}

impl ClaimSource {
    /// Claims about a puzzle.
    #[must_use]
    pub fn about(library: &Arc<Library>, file: String, text: String) -> Self {
        Self {
            name: library.name.clone(),
            text,
            file,
            library: Some(Arc::clone(library)),
            deriver: None,
            known: Vec::new(),
        }
    }

    /// The claims that a puzzle brings, if any.
    #[must_use]
    pub fn of_library(library: &Arc<Library>) -> Option<Self> {
        let file = format!("claims of {}", library.name);
        let text = library.claims();
        (!text.is_empty()).then(|| Self::about(library, file, text))
    }

    /// Names of the derivations, each with its value and its parameters as declared; empty if a
    /// library lists none.
    #[must_use]
    pub fn derivations(&self) -> Vec<(&str, Vec<&str>)> {
        match (&self.deriver, &self.library) {
            (Some(_), _) => {
                let known = self.known.iter();
                known.map(|(name, value)| (*name, vec![*value])).collect()
            }
            (None, Some(library)) => library
                .derivations
                .iter()
                .map(|(name, keys)| (name.as_str(), keys.iter().map(String::as_str).collect()))
                .collect(),
            (None, None) => Vec::new(),
        }
    }

    /// A derivation's declared type of value: `number`, `holds` or `text`, several separated by
    /// `|`.
    pub(crate) fn value_of(&self, what: &str) -> Option<&str> {
        let all = self.derivations();
        let (_, declared) = all.iter().find(|(name, _)| *name == what)?;
        Parameters::value_in(declared)
    }

    /// Checks that a derivation of this name exists.
    ///
    /// # Errors
    /// A line with the name that may be meant.
    pub(crate) fn derives(&self, what: &str) -> Result<(), String> {
        let all = self.derivations();
        let mut names = all.iter().map(|(name, _)| *name);
        // A library need not list its derivations; it is called when the claim runs.
        if all.is_empty() {
            return self.derives_some();
        }
        if names.any(|name| name == what) {
            return Ok(());
        }
        let near = did_you_mean(what, all.iter().map(|(name, _)| *name));
        let (puzzle, list) = (&self.name, self.see_list());
        Err(format!("{puzzle} derives no '{what}'; {near}{list}"))
    }

    /// The hint to look at what there is.
    fn see_list(&self) -> String {
        match &self.library {
            Some(library) => library.see_list(),
            None => "see `antipode list --claims`".to_owned(),
        }
    }

    /// Checks, without running it, that a derivation takes these parameters; returns the instances
    /// that they name.
    pub(crate) fn knows(
        &self,
        what: &str,
        parameters: &Settings,
    ) -> Result<Vec<String>, Diagnostics> {
        let all = self.derivations();
        // A library need not list its derivations; it is called when the claim runs.
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let known = rows(&all);
        let instances = || {
            let all = self.library.iter().flat_map(|library| &library.instances);
            all.map(|known| known.name.as_str())
        };
        let is_one = |name: &str| {
            let mut library = self.library.iter();
            library.any(|library| library.find(name).is_ok())
        };
        let mut diagnostics = Diagnostics::default();
        for (key, value) in parameters {
            // One at a time, so that the error concerns this one.
            let alone = Settings::from([(key.clone(), value.clone())]);
            let asked = Parameters::of(&self.name, &known, what, &alone);
            let line = match asked {
                Err(error) => error.0,
                Ok(asked) if asked.instances().any(|(_, name)| !is_one(name)) => {
                    let (puzzle, near) = (&self.name, did_you_mean(value, instances()));
                    let list = self.see_list();
                    format!("{what}: {key}={value} is no instance of {puzzle}; {near}{list}")
                }
                Ok(_) => continue,
            };
            let cause = Cause::entry("parameters", key);
            diagnostics.take::<()>(Err(Diagnostic::new(cause, line)));
        }
        diagnostics.none_or_all()?;
        let asked = Parameters::of(&self.name, &known, what, parameters);
        let asked = asked.map_err(|error| PluginError::BadInput(error.0))?;
        let named = asked.settled().filter(|(_, value)| is_one(value));
        Ok(named.map(|(_, value)| value.to_owned()).collect())
    }

    /// Checks that there may be any derivation.
    ///
    /// # Errors
    /// A line that there is none.
    fn derives_some(&self) -> Result<(), String> {
        match self.library.as_ref().is_some_and(|own| own.derives()) {
            true => Ok(()),
            false => Err(format!(
                "{} derives nothing, so that no claim about it has kind = \"derived\"",
                self.name
            )),
        }
    }

    /// The parameters that a derivation declares, in a line: the claim's values, and the defaults
    /// of the others.
    pub(crate) fn settled(&self, what: &str, parameters: &Settings) -> String {
        let all = self.derivations();
        let known = rows(&all);
        let asked = Parameters::of(&self.name, &known, what, parameters);
        let settled = asked.iter().flat_map(Parameters::settled);
        let settled = settled.map(|(key, value)| match parameters.contains_key(key) {
            true => format!("{key} = {value}"),
            false => format!("{key} = {value} (not given)"),
        });
        settled.collect::<Vec<_>>().join(", ")
    }

    /// The unit of a derivation's value with some parameters; `None` if a library does not list its
    /// derivations.
    pub(crate) fn unit_of(&self, what: &str, parameters: &Settings) -> Option<String> {
        let all = self.derivations();
        let known = rows(&all);
        let asked = Parameters::of(&self.name, &known, what, parameters);
        asked.ok().map(|asked| asked.unit())
    }

    /// Runs a derivation.
    ///
    /// # Errors
    /// [`PluginError`] if the source does not know it or fails.
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

/// Declared derivations in the form of [`Parameters`].
fn rows<'a>(declared: &'a [(&'a str, Vec<&'a str>)]) -> Vec<(&'a str, &'a [&'a str])> {
    let rows = declared.iter();
    rows.map(|(name, keys)| (*name, keys.as_slice())).collect()
}
