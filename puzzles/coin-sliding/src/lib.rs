//! Coin-sliding puzzles: rules, fast variants, fonts, ranking and claims.
//!
//! Coins lie on the cells of a rectangle. A move lifts one and puts it on another empty cell that
//! has at least two other coins next to it. A puzzle is to turn one glyph of a font into another.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, cell by cell.
//! - [`Bits`] (variant `bitboard`, the default) counts neighbours of all cells at once.
//! - `font` holds the two published fonts and reads others, `instances` names the state
//!   graphs. `derive` computes the figures behind `claims.toml`.
//!
//! Section names refer to Benjamin Chaffin's article on the optimal solutions of the
//! coin-sliding fonts' puzzles ("Chaffin").

pub mod bitboard;
pub mod board;
mod cells;
mod derive;
mod font;
mod hubs;
mod instances;
mod neighbours;
mod rules;
mod sample;
mod span;
mod symmetry;

pub use bitboard::Bits;
pub use rules::Rules;

/// The published claims about coin-sliding puzzles, as TOML.
const CLAIMS: &str = concat!(
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

puzzle_api::family! {
    /// Coin sliding, with any variant.
    CoinSliding: Bits, Rules; instances::about, derive
}
