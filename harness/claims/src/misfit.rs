//! What is wrong with a claim that could be read, and the key that says it.

use antipode_graph::PluginError;
use antipode_search::engines::EngineError;

/// What a claim would fail of at its turn, found before the first is run.
#[derive(Debug)]
pub(crate) struct Misfit {
    /// The key that is at fault, where it is one.
    pub(crate) key: Option<&'static str>,
    /// What is wrong, and the remedy.
    pub(crate) error: EngineError,
}

impl Misfit {
    /// What a key says wrong, in a line.
    pub(crate) fn new(key: &'static str, line: String) -> Self {
        let error = PluginError::BadInput(line).into();
        let key = Some(key);
        Self { key, error }
    }
}

impl Misfit {
    /// Whether it is what a key holds that the puzzle refuses.
    pub(crate) fn is_input(&self, key: &str) -> bool {
        let refused = matches!(self.error, EngineError::Plugin(PluginError::BadInput(_)));
        refused && self.key == Some(key)
    }
}

impl<E: Into<EngineError>> From<E> for Misfit {
    fn from(error: E) -> Self {
        let (key, error) = (None, error.into());
        Self { key, error }
    }
}

/// What failed, as the fault of a key.
pub(crate) fn at<T>(
    key: &'static str,
    result: Result<T, impl Into<EngineError>>,
) -> Result<T, Misfit> {
    result.map_err(|error| Misfit {
        key: Some(key),
        error: error.into(),
    })
}

/// Options of the verbs that engines speak of in their remedies, and how a claim says the same.
const KEYS: [(&str, &str); 4] = [
    ("--max-depth", "'max_depth'"),
    ("--direction", "'direction'"),
    ("--from", "'board'"),
    ("--to", "'to'"),
];

/// A line of an engine, with a claim's keys in place of the options that it names; `engine` stays
/// an option where the run was given it.
pub(crate) fn in_keys(line: &str, flagged: bool) -> String {
    let mut line = line.to_owned();
    for (option, key) in KEYS {
        line = line.replace(option, key);
    }
    if flagged {
        return line;
    }
    // A name of an engine is a text.
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
                "leave out --max-depth and --from, or use --engine hash",
                false
            ),
            "leave out 'max_depth' and 'board', or use engine = \"hash\""
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
