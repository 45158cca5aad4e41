//! Ranks of k-subsets of up to 64 cells: the combinatorial number system.
//!
//! A subset is a mask, cell c is bit c. Its rank is the number of subsets of the same size with a
//! smaller mask. It is the sum of C(position, index) over its cells in ascending order, positions
//! counted from 0 and indices from 1 (B. Chaffin, section "Storing the boards: combinatorial
//! rank"). So ranks ascend with masks: the subset after a mask in numerical order has the next rank
//! ([`subsets::next_subset`]).
//!
//! - [`naive`] is the sum as defined, and the oracle of the others.
//! - [`Pieces`] cuts the mask into pieces and looks each up: rank and unrank.
//! - [`Steps`] gets the rank of every subset that differs in one cell by one addition.
//!
//! ```
//! use puzzle_api::rank::{Pieces, naive};
//!
//! let pieces = Pieces::new(35, 12)?;
//! let board = 0b0000_1111_0000_1111_0000_1111_u64;
//! let rank = pieces.rank(board);
//! assert_eq!(rank, naive::rank(board));
//! assert_eq!(pieces.unrank(rank), Some(board));
//! assert_eq!(pieces.count(), 834_451_800);
//! # Ok::<(), puzzle_api::rank::TooLarge>(())
//! ```

mod binomial;
pub mod naive;
mod pieces;
mod steps;
pub mod subsets;

pub use binomial::{BINOMIALS, binomial};
pub use pieces::Pieces;
pub use steps::Steps;

/// Most cells that a mask holds.
pub const MOST_CELLS: u32 = 64;

/// Input for which no numbering can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// More cells than a mask has bits.
    #[error("{0} cells are more than the 64 bits of a mask")]
    Cells(u32),
    /// More members than cells.
    #[error("{members} of {cells} cells cannot be chosen")]
    Members {
        /// Cells in all.
        cells: u32,
        /// Cells to choose.
        members: u32,
    },
}

/// The mask of the lowest `bits` bits, up to 64.
#[must_use]
pub const fn low_bits(bits: u32) -> u64 {
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}
