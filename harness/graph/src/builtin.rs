//! The puzzles that ship with Antipode: the only place in the harness that names them.

use std::any::Any;

use puzzle_api::abi::AntipodeTable;
use puzzle_api::proof::{PartProof, RuleTables, TABLES_PAY_FROM};
use puzzle_api::{BadInput, Key, Request};

use super::Library;
use super::library::{Opened, Source};

/// What hands over a puzzle.
type Table = fn() -> &'static AntipodeTable;

/// Each puzzle by its name. Tables are made when they are asked for: those of all puzzles take
/// longer than many a search.
const PUZZLES: [(&str, Table); 12] = [
    ("tilt", antipode_tilt::table),
    ("coin-sliding", antipode_coin_sliding::table),
    ("peg-solitaire", antipode_peg_solitaire::table),
    ("sliding-block", antipode_sliding_block::table),
    ("rush-hour", antipode_rush_hour::table),
    ("unit-rush-hour", antipode_unit_rush_hour::table),
    ("simple-block", antipode_simple_block::table),
    ("sliding-tile", antipode_sliding_tile::table),
    ("pancake", antipode_pancake::table),
    ("hanoi", antipode_hanoi::table),
    ("lights-out", antipode_lights_out::table),
    ("permutation", antipode_permutation::table),
];

/// All built-in puzzles, each through the same table that a shared library hands over.
#[must_use]
pub fn all() -> Vec<Library> {
    let tables = PUZZLES.iter().map(|(_, table)| table());
    tables.map(Library::built_in).collect()
}

/// The built-in puzzle of this name, without the others.
#[must_use]
pub fn named(name: &str) -> Option<Library> {
    let (_, table) = PUZZLES.iter().find(|(known, _)| *known == name)?;
    Some(Library::built_in(table()))
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
        (Source::BuiltIn, "unit-rush-hour") => {
            Ok(antipode_unit_rush_hour::tables::proof(&request)?
                .map(|proof| Box::new(proof) as Box<dyn PartProof>))
        }
        (Source::BuiltIn, "simple-block") => Ok(antipode_simple_block::tables::proof(&request)?
            .map(|proof| Box::new(proof) as Box<dyn PartProof>)),
        _ => Ok(None),
    }
}

/// The rulebook as tables that a built-in puzzle brings along for this instance, where it has
/// them and its keys are of this type. A shared library has none, whatever its name.
///
/// # Errors
/// [`BadInput`] where the puzzle does not take the instance.
pub fn tables<K: Key>(opened: &Opened) -> Result<Option<Box<dyn RuleTables<K>>>, BadInput> {
    let request = Request {
        instance: &opened.instance,
        settings: &opened.settings,
    };
    let Source::BuiltIn = opened.library.source else {
        return Ok(None);
    };
    let tables: Box<dyn RuleTables<u64>> = match opened.library.name.as_str() {
        "peg-solitaire" => Box::new(antipode_peg_solitaire::tables::JumpTables::open(&request)?),
        "tilt" => Box::new(antipode_tilt::tables::TiltTables::open(&request)?),
        "coin-sliding" => Box::new(antipode_coin_sliding::tables::SlideTables::open(&request)?),
        "sliding-tile" => Box::new(antipode_sliding_tile::tables::TileTables::open(&request)?),
        "permutation" => match antipode_permutation::tables::MoveTables::open(&request)? {
            Some(tables) => Box::new(tables),
            None => return Ok(None),
        },
        "lights-out" => Box::new(antipode_lights_out::tables::PressTables::open(&request)?),
        "hanoi" => Box::new(antipode_hanoi::tables::DiscTables::open(&request)?),
        "pancake" => Box::new(antipode_pancake::tables::TurnTables::open(&request)?),
        "rush-hour" => match antipode_rush_hour::tables::LineTables::open(&request)? {
            Some(tables) => Box::new(tables),
            None => return Ok(None),
        },
        "unit-rush-hour" => Box::new(antipode_unit_rush_hour::tables::CarTables::open(&request)?),
        "simple-block" => Box::new(antipode_simple_block::tables::PieceTables::open(&request)?),
        "sliding-block" => {
            let tables = antipode_sliding_block::tables::BlockTables::open(&request)?;
            return Ok(tables.and_then(|tables| keyed::<u128, K>(Box::new(tables))));
        }
        _ => return Ok(None),
    };
    Ok(keyed(tables))
}

/// How many states a part has to have for the [`tables`] of a built-in puzzle to take less time
/// than they save.
#[must_use]
pub fn tables_pay_from(opened: &Opened) -> u64 {
    match opened.library.name.as_str() {
        "rush-hour" => antipode_rush_hour::tables::PAY_FROM,
        "unit-rush-hour" => antipode_unit_rush_hour::tables::PAY_FROM,
        "sliding-block" => antipode_sliding_block::tables::PAY_FROM,
        _ => TABLES_PAY_FROM,
    }
}

/// The tables, where their keys are of the type asked for.
fn keyed<T: Key, K: Key>(tables: Box<dyn RuleTables<T>>) -> Option<Box<dyn RuleTables<K>>> {
    let tables: Box<dyn Any> = Box::new(tables);
    let tables = tables.downcast::<Box<dyn RuleTables<K>>>();
    tables.ok().map(|tables| *tables)
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
