//! Simple sliding-block puzzles: pieces of any shape on a small board without walls. One of them
//! has to get from the upper left corner to the lower right one. A move is one piece along any
//! path.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, cell by cell.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - `board` reads, draws and names boards, and `instances` lists the state graphs.
//!   [`mod@derive`] counts boards for `claims.toml` without listing them.

mod bitboard;
mod board;
pub mod derive;
mod instances;
mod rules;

pub use bitboard::Bits;
pub use rules::Rules;

puzzle_api::family! {
    /// Simple sliding-block puzzles, with either variant.
    SimpleBlock: Bits, Rules; instances::about, derive
}
