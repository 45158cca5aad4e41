//! The puzzles that ship with Antipode: the only place in the harness that names them.

use super::Library;

/// All built-in puzzles, each through the same table that a shared library hands over.
#[must_use]
pub fn all() -> Vec<Library> {
    [
        antipode_tilt::table(),
        antipode_coin_sliding::table(),
        antipode_peg_solitaire::table(),
        antipode_sliding_block::table(),
    ]
    .into_iter()
    .map(Library::built_in)
    .collect()
}
