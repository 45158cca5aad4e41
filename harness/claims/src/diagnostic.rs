//! The error in a claim that could be read, and the key that states it.

use antipode_graph::PluginError;
use antipode_search::engines::EngineError;

/// The faulty part of a claim: a key, or an entry of the table in its braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cause {
    pub(crate) key: &'static str,
    pub(crate) entry: Option<String>,
}

impl Cause {
    /// An entry of the table that a key holds.
    pub(crate) fn entry(key: &'static str, entry: &str) -> Self {
        let entry = Some(entry.to_owned());
        Self { key, entry }
    }
}

impl From<&'static str> for Cause {
    fn from(key: &'static str) -> Self {
        Self { key, entry: None }
    }
}

/// Why a claim would fail when it runs, found before the first is run.
#[derive(Debug)]
pub(crate) struct Diagnostic {
    /// The faulty key, if it is a key.
    pub(crate) cause: Option<Cause>,
    /// The error and its remedy.
    pub(crate) error: EngineError,
}

impl Diagnostic {
    /// The error of a key, in a line.
    pub(crate) fn new(cause: impl Into<Cause>, line: String) -> Self {
        Self {
            cause: Some(cause.into()),
            error: PluginError::BadInput(line).into(),
        }
    }
}

impl<E: Into<EngineError>> From<E> for Diagnostic {
    fn from(error: E) -> Self {
        Self {
            cause: None,
            error: error.into(),
        }
    }
}

/// All reasons for which a claim would fail.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics(pub(crate) Vec<Diagnostic>);

impl Diagnostics {
    /// Keeps an error, and returns a value without one.
    pub(crate) fn take<T>(&mut self, result: Result<T, impl Into<Self>>) -> Option<T> {
        let mut more = |more: Self| self.0.extend(more.0);
        result.map_err(|wrong| more(wrong.into())).ok()
    }

    /// Whether the only fault is that the puzzle refuses the value of a key.
    pub(crate) fn are_input(&self, key: &'static str) -> bool {
        let is_input = |diagnostic: &Diagnostic| {
            let refused = matches!(
                diagnostic.error,
                EngineError::Plugin(PluginError::BadInput(_))
            );
            refused && diagnostic.cause == Some(key.into())
        };
        self.0.iter().all(is_input)
    }

    /// The first error.
    pub(crate) fn first(mut self) -> EngineError {
        self.0.swap_remove(0).error
    }

    /// Nothing, if there is no error.
    pub(crate) fn none_or_all(self) -> Result<(), Self> {
        match self.0.is_empty() {
            true => Ok(()),
            false => Err(self),
        }
    }
}

impl<M: Into<Diagnostic>> From<M> for Diagnostics {
    fn from(diagnostic: M) -> Self {
        Self(vec![diagnostic.into()])
    }
}

/// The error, as the fault of a key.
pub(crate) fn at<T>(
    cause: impl Into<Cause>,
    result: Result<T, impl Into<EngineError>>,
) -> Result<T, Diagnostic> {
    result.map_err(|error| Diagnostic {
        cause: Some(cause.into()),
        error: error.into(),
    })
}

/// Options of commands that engines name in their remedies, and the claim's keys for them.
const KEYS: [(&str, &str); 5] = [
    ("--max-depth", "'max_depth'"),
    ("--direction", "'direction'"),
    ("--from", "'board'"),
    ("--to", "'to'"),
    ("--set", "'settings'"),
];

/// A line of an engine, with a claim's keys in place of the options that it names. `engine` stays
/// an option if the run was given it.
pub(crate) fn in_keys(line: &str, flagged: bool) -> String {
    let mut line = line.to_owned();
    for (option, key) in KEYS {
        line = line.replace(option, key);
    }
    if flagged {
        return line;
    }
    // An engine's name is a text.
    if let Some((before, name)) = line.split_once("--engine ") {
        let end = name.find(|c: char| !c.is_ascii_lowercase());
        let (name, rest) = name.split_at(end.unwrap_or(name.len()));
        line = format!("{before}engine = \"{name}\"{rest}");
    }
    line.replace("--engine", "'engine'")
}

#[cfg(test)]
mod tests {
    use super::in_keys;

    #[test]
    fn remedies_name_keys() {
        assert_eq!(
            in_keys(
                "leave out --max-depth and --from, give --set x=1, or use --engine hash",
                false
            ),
            "leave out 'max_depth' and 'board', give 'settings' x=1, or use engine = \"hash\""
        );
        assert_eq!(
            in_keys("use dfs or beam, or leave out --engine", false),
            "use dfs or beam, or leave out 'engine'"
        );
        assert_eq!(
            in_keys("leave out --to or --engine", true),
            "leave out 'to' or --engine"
        );
    }
}
