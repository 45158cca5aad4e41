//! What an author of a puzzle needs: the trait, the C boundary, ranking.
//!
//! Start with [`Puzzle`]: a handful of required methods make a puzzle that every
//! engine of Antipode can search; each optional one says what is lost without it.
//! [`export_puzzle!`] turns implementations of it into a shared library.

pub mod abi;
mod key;
mod parameters;
mod puzzle;
pub mod rank;

pub use key::Key;
pub use parameters::Parameters;
pub use puzzle::{
    About, BadInput, Capabilities, Direction, Effort, Figure, InstanceInfo, Placement, Puzzle,
    Request, SettingInfo, Settings, Swept, UNSOLVABLE, Xorshift,
};
