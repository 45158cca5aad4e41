//! Boards as sets of bits, and the word-parallel methods of C. Browne, *Bitboard Methods for Games*.
//!
//! A [`Board`] is a set of cells in one or more 64-bit words. A [`Geometry`] says which bit is
//! which cell and which shift is which step, on one of four [`Grid`]s. The functions of this module
//! work on all cells at once; their comments give the algorithm's number in the article:
//!
//! - operations: [`dilate`], [`erode`], [`connected`]
//! - filters, sets from a [`Position`]: [`empty_neighbours`], [`enemy_neighbours_towards`],
//!   [`line_cap_moves`], [`breakthrough_moves`], [`liberties`]
//! - queries, values from a set: [`line_length`], [`has_line_of_four`], [`find_pattern`],
//!   [`matches_exactly`]
//! - updates: [`press`], [`flip_enemy_neighbours`], [`flip_around_move`], [`surround_capture`]
//!
//! ```
//! use puzzle_api::bitboard::{Geometry, Grid, dilate};
//!
//! // A board of Go in six words, with one separating bit per row.
//! let board = Geometry::<6>::new(Grid::Square, 19, 19, 1)?;
//! let stone = board.at(3, 3);
//! assert_eq!((dilate(&board, stone) & !stone).count(), 4);
//! # Ok::<(), puzzle_api::bitboard::GeometryError>(())
//! ```

mod board;
mod geometry;
mod methods;

pub use board::{Bits, Board};
pub use geometry::{Direction, Geometry, GeometryError, Grid};
pub use methods::*;
