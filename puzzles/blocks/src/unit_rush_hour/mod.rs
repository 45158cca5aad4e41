//! Unit Rush Hour: Rush Hour with cars of one cell.
//!
//! Every car lies along its row or stands along its column and moves along it, over empty
//! cells. The target, the leftmost car that lies in the row of the exit, has to reach the left
//! end of it.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, cell by cell.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - [`board`] reads and draws boards, [`boards`] has the published ones, [`instances`] names
//!   the state graphs.

mod bitboard;
mod board;
pub mod boards;
mod instances;
mod rules;
mod sample;

use puzzle_api::{About, Family};

pub use bitboard::Bits;
pub use rules::Rules;

/// The published claims about Unit Rush Hour, as TOML.
pub const CLAIMS: &str = include_str!("../../claims/unit-rush-hour.toml");

/// Unit Rush Hour, with either variant.
pub struct UnitRushHour;

impl Family for UnitRushHour {
    fn about() -> About {
        instances::about()
    }
}

/// The table of both variants for the harness, `bitboard` first. Call it once: it leaks the table.
pub fn table() -> &'static puzzle_api::abi::AntipodeTable {
    puzzle_api::puzzle_table!(UnitRushHour: Bits, Rules)
}
