//! The puzzles that ship with Antipode: the only place in the harness that names them.

use std::collections::BTreeSet;
use std::sync::Arc;

use puzzle_api::abi::AntipodeTable;
use puzzle_api::proof::PartProof;
use puzzle_api::{BadInput, Key, Placed, Request, Settings};

use super::library::{Opened, Source};
use super::{Graph, Library};

/// Returns a puzzle's table.
type TableGetter = fn() -> &'static AntipodeTable;

/// Each puzzle by its name. Tables are built on request: building all of them takes longer than
/// many a search.
const PUZZLES: [(&str, TableGetter); 13] = [
    ("tilt", antipode_tilt::table),
    ("coin-sliding", antipode_coin_sliding::table),
    ("peg-solitaire", antipode_peg_solitaire::table),
    ("sliding-block", antipode_blocks::sliding_block::table),
    ("rush-hour", antipode_blocks::rush_hour::table),
    ("unit-rush-hour", antipode_blocks::unit_rush_hour::table),
    ("simple-block", antipode_blocks::simple_block::table),
    ("sliding-tile", antipode_classics::sliding_tile::table),
    ("large-tile", antipode_classics::sliding_tile::large_table),
    ("pancake", antipode_classics::pancake::table),
    ("hanoi", antipode_classics::hanoi::table),
    ("lights-out", antipode_classics::lights_out::table),
    ("permutation", antipode_permutation::table),
];

/// All built-in puzzles, each with the same table as a shared library.
#[must_use]
pub fn all() -> Vec<Library> {
    let tables = PUZZLES.iter().map(|(_, table)| table());
    tables.map(Library::built_in).collect()
}

/// The built-in puzzle of this name, without building the others.
#[must_use]
pub fn named(name: &str) -> Option<Library> {
    let (_, table) = PUZZLES.iter().find(|(known, _)| *known == name)?;
    Some(Library::built_in(table()))
}

/// An instance of a built-in puzzle, `PUZZLE/INSTANCE`, in the named variant or its first one.
/// `None` if there is none, or its keys have another width.
#[must_use]
pub fn graph<K: Key>(
    name: &str,
    variant: Option<&str>,
    settings: &[(&str, &str)],
) -> Option<Graph<K>> {
    let (puzzle, instance) = name.split_once('/')?;
    let library = Arc::new(named(puzzle)?);
    let settings = puzzle_api::settings(settings);
    let variant = variant.unwrap_or(&library.variants[0]);
    Graph::new(library.open(instance, variant, &settings).ok()?)
}

/// The proof of distances of a built-in puzzle for this instance, if it has one. A shared library
/// has none, whatever its name.
///
/// # Errors
/// [`BadInput`] if the puzzle does not take the instance.
pub fn proof(opened: &Opened) -> Result<Option<Box<dyn PartProof>>, BadInput> {
    let request = Request {
        instance: &opened.instance,
        settings: &opened.settings,
    };
    match (&opened.library.source, opened.library.name.as_str()) {
        (Source::BuiltIn, "tilt") => Ok(antipode_tilt::proof::BoxProof::open(&request)?
            .map(|proof| Box::new(proof) as Box<dyn PartProof>)),
        (Source::BuiltIn, "rush-hour") => Ok(antipode_blocks::rush_hour::proof::CensusProof::open(
            &request,
        )?
        .map(|proof| Box::new(proof) as Box<dyn PartProof>)),
        _ => Ok(None),
    }
}

/// The kernels of engine `gpu` as PTX, and their table for an instance; `None` if the puzzle, or
/// this variant of it, has none.
///
/// # Errors
/// [`BadInput`] if the puzzle does not take the instance.
pub fn kernels(opened: &Opened) -> Result<Option<(&'static str, Vec<u64>)>, BadInput> {
    let request = Request {
        instance: &opened.instance,
        settings: &opened.settings,
    };
    let kernels = match (&opened.library.source, opened.library.name.as_str()) {
        // Their ranks and keys are those of the fast variant.
        _ if opened.variant != "bitboard" => return Ok(None),
        (Source::BuiltIn, "coin-sliding") => antipode_coin_sliding::bitboard::kernels,
        (Source::BuiltIn, "sliding-tile") => antipode_classics::sliding_tile::bitboard::kernels,
        _ => return Ok(None),
    };
    kernels(&request).map(Some)
}

/// Reads a board in a form of other programs, or one of another instance of the same puzzle. `None`
/// if the puzzle reads only states of an opened instance.
pub fn placed(
    library: &Library,
    request: &Request<'_>,
    text: &str,
) -> Option<Result<Placed, BadInput>> {
    let read = match (&library.source, library.name.as_str()) {
        // Nothing is a board of no program.
        _ if text.trim().is_empty() => return None,
        (Source::BuiltIn, "sliding-block") => antipode_blocks::sliding_block::placed,
        (Source::BuiltIn, "rush-hour") => antipode_blocks::rush_hour::instances::placed,
        (Source::BuiltIn, "unit-rush-hour" | "simple-block") => custom,
        (Source::BuiltIn, "sliding-tile") => antipode_classics::sliding_tile::placed,
        (Source::BuiltIn, "large-tile") => antipode_classics::sliding_tile::placed_large,
        (Source::BuiltIn, "pancake") => antipode_classics::pancake::placed,
        (Source::BuiltIn, "hanoi") => antipode_classics::hanoi::placed,
        (Source::BuiltIn, "lights-out") => antipode_classics::lights_out::placed,
        (Source::BuiltIn, "permutation") => antipode_permutation::boards::placed,
        _ => return None,
    };
    Some(read(request, text))
}

/// A board of instance `custom`, which refuses what is none.
fn custom(request: &Request<'_>, text: &str) -> Result<Placed, BadInput> {
    let kept = |key: &str| ["metric", "goal"].contains(&key);
    let board = text.trim().to_owned();
    Ok(Placed::custom(request.settings, kept, board, None))
}

/// The boards that remain after one piece is removed: a grey block in Tilt, a car other than the
/// red one in Rush Hour. `None` if it is unknown which pieces of the puzzle can be removed.
#[must_use]
pub fn without_a_piece(library: &Library, settings: &Settings, board: &str) -> Option<Vec<Placed>> {
    match (&library.source, library.name.as_str()) {
        (Source::BuiltIn, "tilt") => {
            let greys: Vec<usize> = board.match_indices('#').map(|(at, _)| at).collect();
            let blues = board.matches('b').count();
            let counts = [("grey", greys.len().saturating_sub(1)), ("blue", blues)];
            let counts = counts.map(|(key, count)| (key.to_owned(), count.to_string()));
            let without = |at: usize| Placed {
                instance: "box".to_owned(),
                settings: counts.clone().into(),
                from: Some(format!("{}.{}", &board[..at], &board[at + 1..])),
                length: None,
            };
            Some(greys.into_iter().map(without).collect())
        }
        (Source::BuiltIn, "rush-hour") => {
            let others: BTreeSet<char> = board.chars().filter(char::is_ascii_alphabetic).collect();
            let kept = |key: &str| key == "metric";
            let without = |car: char| Placed::custom(settings, kept, board.replace(car, "."), None);
            Some(
                others
                    .into_iter()
                    .filter(|&car| car != 'A')
                    .map(without)
                    .collect(),
            )
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{PUZZLES, all, named};

    #[test]
    fn each_puzzle_is_found_by_the_name_that_it_has() {
        let names: Vec<String> = all().into_iter().map(|library| library.name).collect();
        assert_eq!(names, PUZZLES.map(|(name, _)| name));
        for name in names {
            assert_eq!(named(&name).map(|library| library.name), Some(name));
        }
        assert!(named("no-puzzle").is_none());
    }
}
