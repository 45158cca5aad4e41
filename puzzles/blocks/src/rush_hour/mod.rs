//! Rush Hour: cars and trucks on a grid, and a red car that has to get to the exit.
//!
//! A piece lies along a row or stands along a column and moves lengthwise, over empty cells. The
//! red car, which is alone in its row, has to reach the right end of it.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, cell by cell.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - `board` reads and draws boards, [`instances`] names the state graphs, and `lines` lists
//!   the possible contents of rows and columns. `derive` computes the figures behind the
//!   claims.

mod bitboard;
mod board;
mod boards;
mod derive;
pub mod instances;
mod lines;
mod moves;
mod numbering;
pub mod proof;
mod rules;
mod sample;
mod sweep;

pub use bitboard::Bits;
pub use rules::Rules;

puzzle_api::family! {
    /// Rush Hour, with either variant.
    RushHour: Bits, Rules; instances::about, derive
}
