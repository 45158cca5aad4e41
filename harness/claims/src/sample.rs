//! Claims from which templates begin.

/// A claim from which a template begins: a true one about a built-in puzzle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// The puzzle, or the module.
    pub(crate) puzzle: &'static str,
    /// Its statement.
    pub(crate) statement: &'static str,
    /// Keys that it sets, with their values as they are written in a file.
    pub(crate) sets: &'static [(&'static str, &'static str)],
    /// Suitable values of keys whose usual examples are of other puzzles.
    pub(crate) fits: &'static [(&'static str, &'static str)],
}
