//! Coin-sliding puzzles: rules, fast variants, fonts, ranking and claims.
//!
//! Coins lie on the cells of a rectangle. A move lifts one and puts it on another empty cell that
//! has at least two other coins next to it. A puzzle is to turn one glyph of a font into another.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, cell by cell.
//! - [`Bits`] (variant `bitboard`, the default) counts neighbours of all cells at once.
//! - [`mod@font`] holds the two published fonts and reads others, [`instances`] names the state
//!   graphs. [`mod@derive`] computes the figures behind `claims.toml`.
//!
//! Section names refer to Benjamin Chaffin's article on the optimal solutions of the
//! coin-sliding fonts' puzzles ("Chaffin").

pub mod bitboard;
pub mod board;
mod cells;
pub mod derive;
pub mod font;
mod hubs;
pub mod instances;
pub mod neighbours;
pub mod rules;
mod sample;
pub mod span;
pub mod symmetry;

use puzzle_api::{About, BadInput, Effort, Family, Figure, Settings};

pub use bitboard::Bits;
pub use rules::Rules;

/// The published claims about coin-sliding puzzles, as TOML.
pub const CLAIMS: &str = concat!(
    include_str!("../claims.toml"),
    include_str!("../lengths.toml"),
    "table = '''\n",
    include_str!("../lengths-5x7.csv"),
    "'''\n",
    include_str!("../lengths-5x9.toml"),
    "table = '''\n",
    include_str!("../lengths-5x9.csv"),
    "'''\n"
);

/// Coin sliding, with any variant.
pub struct CoinSliding;

impl Family for CoinSliding {
    fn about() -> About {
        instances::about()
    }

    fn derivations() -> &'static [(&'static str, &'static [&'static str])] {
        &derive::NAMES
    }

    fn derive(what: &str, parameters: &Settings, effort: Effort) -> Result<Vec<Figure>, BadInput> {
        derive::derive(what, parameters, effort)
    }
}

/// The table of all variants for the harness, `bitboard` first. Call it once: the table is leaked.
#[must_use]
pub fn table() -> &'static puzzle_api::abi::AntipodeTable {
    puzzle_api::puzzle_table!(CoinSliding: Bits, Rules)
}
