//! Block puzzles: pieces that slide on a grid.
//!
//! - [`rush_hour`]: cars and trucks that move lengthwise, a red one to the exit.
//! - [`unit_rush_hour`]: the same with cars of one cell.
//! - [`simple_block`]: pieces of any shape, one from corner to corner.
//! - [`sliding_block`]: pieces of any shape on boards with walls, gates and goals.

mod bits;
mod kept;
mod listing;
mod metric;
mod rules;
pub mod rush_hour;
pub mod simple_block;
pub mod sliding_block;
mod text;
pub mod unit_rush_hour;
mod variant;
