//! Pancake sorting: a stack of pancakes of different sizes; a move puts a spatula under one
//! and turns all above it over. Solved is the stack sorted by size, the smallest on top; of
//! pancakes burnt on one side, with every burnt side down.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, pancake by pancake.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - [`stack`] reads and draws stacks and opens instances.

pub mod bitboard;
pub mod rules;
pub mod stack;

use puzzle_api::{About, Family};

pub use bitboard::Bits;
pub use rules::Rules;

/// The published claims about pancakes, as TOML.
pub const CLAIMS: &str = include_str!("claims.toml");

/// Pancake sorting, whichever variant plays it.
pub struct Pancake;

impl Family for Pancake {
    fn about() -> About {
        stack::about()
    }
}

/// The table that hands both variants to the harness, `bitboard` first. Call it once: the
/// table is leaked.
#[must_use]
pub fn table() -> &'static puzzle_api::abi::AntipodeTable {
    puzzle_api::puzzle_table!(Pancake: Bits, Rules)
}
