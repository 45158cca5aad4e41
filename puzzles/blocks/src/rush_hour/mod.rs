//! Rush Hour: cars and trucks on a grid, and a red car that has to get to the exit.
//!
//! A piece lies along a row or stands along a column and moves lengthwise, over empty cells. The
//! red car, which is alone in its row, has to reach the right end of it.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, cell by cell.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - [`board`] reads and draws boards, [`instances`] names the state graphs, and [`lines`] lists
//!   the possible contents of rows and columns. [`mod@derive`] computes the figures behind the
//!   claims.

mod bitboard;
mod board;
mod boards;
mod derive;
pub mod instances;
mod lines;
mod moves;
mod numbering;
pub mod proof;
mod rules;
mod sample;
mod sweep;

use puzzle_api::{About, BadInput, Effort, Family, Figure, Settings};

pub use bitboard::Bits;
pub use rules::Rules;

/// The published claims about Rush Hour, as TOML.
pub const CLAIMS: &str = include_str!("../../claims/rush-hour.toml");

/// Rush Hour, with either variant.
pub struct RushHour;

impl Family for RushHour {
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

/// The table of both variants for the harness, `bitboard` first. Call it once: it leaks the table.
pub fn table() -> &'static puzzle_api::abi::AntipodeTable {
    puzzle_api::puzzle_table!(RushHour: Bits, Rules)
}
