//! The Towers of Hanoi with three to six pegs. Discs of different sizes lie on pegs; a move
//! takes the topmost disc of a peg to another one, where no smaller disc may lie. The tower
//! starts on the first peg and has to get to the last.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, disc by disc.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - [`tower`] reads and draws positions and opens instances, [`mod@derive`] computes what
//!   Frame and Stewart conjectured.

pub mod bitboard;
pub mod derive;
pub mod rules;
pub mod tower;

use puzzle_api::{About, BadInput, Effort, Family, Figure, Settings};

pub use bitboard::Bits;
pub use rules::Rules;

/// The published claims about the Towers of Hanoi, as TOML.
pub const CLAIMS: &str = include_str!("claims.toml");

/// The Towers of Hanoi, whichever variant plays them.
pub struct Hanoi;

impl Family for Hanoi {
    fn about() -> About {
        tower::about()
    }

    fn derivations() -> &'static [(&'static str, &'static [&'static str])] {
        &derive::NAMES
    }

    fn derive(what: &str, parameters: &Settings, effort: Effort) -> Result<Vec<Figure>, BadInput> {
        derive::derive(what, parameters, effort)
    }
}

/// The table that hands both variants to the harness, `bitboard` first. Call it once: the
/// table is leaked.
#[must_use]
pub fn table() -> &'static puzzle_api::abi::AntipodeTable {
    puzzle_api::puzzle_table!(Hanoi: Bits, Rules)
}
