//! Simple sliding-block puzzles: pieces of any shape on a small board without walls. One of them
//! has to get from the upper left corner to the lower right one. A move is one piece along any
//! path.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, cell by cell.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - [`board`] reads, draws and names boards, and [`instances`] lists the state graphs.
//!   [`mod@derive`] counts boards for `claims.toml` without listing them.

mod bitboard;
mod board;
pub mod derive;
mod instances;
mod rules;

use puzzle_api::{About, BadInput, Effort, Family, Figure, Settings};

pub use bitboard::Bits;
pub use rules::Rules;

/// The published claims about these puzzles, as TOML.
pub const CLAIMS: &str = include_str!("../../claims/simple-block.toml");

/// Simple sliding-block puzzles, with either variant.
pub struct SimpleBlock;

impl Family for SimpleBlock {
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
    puzzle_api::puzzle_table!(SimpleBlock: Bits, Rules)
}
