//! Boards as bits: grids, word-parallel algorithms and their literal twins.
//!
//! Follows C. Browne, "Bitboard Methods for Games": its section and algorithm
//! numbers are given throughout. [`naive`] holds each algorithm again, cell by
//! cell; [`printed`] holds the printed forms that turned out wrong.
//!
//! ```
//! use antipode_bitlab::bitboard::{Geometry, Grid, morphology};
//!
//! let board = Geometry::<6>::new(Grid::Square, 19, 19, 1)?;
//! let stone = board.at(3, 3);
//! let liberties = morphology::dilate(&board, stone) & !stone;
//! assert_eq!(liberties.count(), 4);
//! # Ok::<(), antipode_bitlab::bitboard::GeometryError>(())
//! ```

mod board;
mod geometry;
mod grid;

pub mod cases;
pub mod claims;
pub mod filters;
pub mod life;
pub mod morphology;
pub mod naive;
pub mod packing;
pub mod printed;
pub mod queries;
pub mod speed;
pub mod updates;
pub mod uses;
pub mod y;

pub use board::{Bits, Board};
pub use filters::Position;
pub use geometry::{Geometry, GeometryError};
pub use grid::{Direction, Grid};
