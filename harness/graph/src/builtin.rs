//! The puzzles that ship with Antipode: the only place in the harness that names them.

use puzzle_api::proof::PartProof;
use puzzle_api::{BadInput, Request};

use super::Library;
use super::library::{Opened, Source};

/// All built-in puzzles, each through the same table that a shared library hands over.
#[must_use]
pub fn all() -> Vec<Library> {
    [
        antipode_tilt::table(),
        antipode_coin_sliding::table(),
        antipode_peg_solitaire::table(),
        antipode_sliding_block::table(),
        antipode_rush_hour::table(),
        antipode_sliding_tile::table(),
        antipode_pancake::table(),
        antipode_hanoi::table(),
        antipode_lights_out::table(),
        antipode_permutation::table(),
    ]
    .into_iter()
    .map(Library::built_in)
    .collect()
}

/// The proof of distances that a built-in puzzle brings along for this instance, where it
/// has one. A shared library has none, whatever its name.
///
/// # Errors
/// [`BadInput`] where the puzzle does not take the instance.
pub fn proof(opened: &Opened) -> Result<Option<Box<dyn PartProof>>, BadInput> {
    let request = Request {
        instance: &opened.instance,
        settings: &opened.settings,
    };
    match (&opened.library.source, opened.library.name.as_str()) {
        (Source::BuiltIn, "tilt") => Ok(antipode_tilt::proof::BoxProof::open(&request)?
            .map(|proof| Box::new(proof) as Box<dyn PartProof>)),
        (Source::BuiltIn, "rush-hour") => {
            Ok(antipode_rush_hour::proof::CensusProof::open(&request)?
                .map(|proof| Box::new(proof) as Box<dyn PartProof>))
        }
        _ => Ok(None),
    }
}
