//! Possible errors, one line each.

use antipode_graph::PluginError;
use antipode_reports::ReadError;
use antipode_search::engines::EngineError;

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

/// A line for a page, which has no options: without the clauses that name an option of the command.
#[must_use]
pub(crate) fn on_page(line: &str) -> String {
    let names_option = |clause: &str| {
        let words = clause.split([' ', '(', '`', '\'']);
        let mut after = words.filter_map(|word| word.strip_prefix("--"));
        after.any(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let clauses = line.split("; ").filter(|clause| !names_option(clause));
    let kept = clauses.collect::<Vec<_>>().join("; ");
    match kept.is_empty() {
        true => "that cannot be done here".to_owned(),
        false => kept,
    }
}

impl From<PluginError> for ExploreError {
    fn from(error: PluginError) -> Self {
        Self::Engine(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::on_page;

    #[test]
    fn a_page_names_no_option() {
        let told = [
            ("no start; give a board with --board", "no start"),
            (
                "too large; give more by `--memory`; or less",
                "too large; or less",
            ),
            (
                "..-/--o is no board; write rows",
                "..-/--o is no board; write rows",
            ),
            ("leave out --to", "that cannot be done here"),
        ];
        for (line, page) in told {
            assert_eq!(on_page(line), page);
        }
    }
}
