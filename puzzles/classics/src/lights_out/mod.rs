//! Lights Out on any rectangle of up to 64 lights: to press a light switches it and those
//! beside it. Solved is the board with all lights out.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, light by light.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - [`panel`] reads and draws boards and opens instances, [`algebra`] is linear algebra over
//!   the field of two elements, [`mod@derive`] computes what claims ask of it.

pub mod algebra;
pub mod bitboard;
pub mod derive;
pub mod panel;
pub mod rules;

use puzzle_api::{About, BadInput, Effort, Family, Figure, Settings};

pub use bitboard::Bits;
pub use rules::Rules;

/// The published claims about Lights Out, as TOML.
pub const CLAIMS: &str = include_str!("claims.toml");

/// Lights Out, whichever variant plays it.
pub struct LightsOut;

impl Family for LightsOut {
    fn about() -> About {
        panel::about()
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
    puzzle_api::puzzle_table!(LightsOut: Bits, Rules)
}
