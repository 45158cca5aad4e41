//! Claims that templates begin with.

/// A claim that a template begins with: one that holds, of a puzzle that is built in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    /// The puzzle, or the module.
    pub(crate) puzzle: &'static str,
    /// What it states.
    pub(crate) statement: &'static str,
    /// Keys that it sets, with their values as they stand in a file.
    pub(crate) sets: &'static [(&'static str, &'static str)],
    /// Values that would fit it, of keys whose usual examples are of other puzzles.
    pub(crate) fits: &'static [(&'static str, &'static str)],
}
