//! Unit Rush Hour: Rush Hour with cars of one cell.
//!
//! Every car lies along its row or stands along its column and moves along it, over empty
//! cells. The target, the leftmost car that lies in the row of the exit, has to reach the left
//! end of it.
//!
//! - [`Rules`] (variant `reference`) is the rulebook, cell by cell.
//! - [`Bits`] (variant `bitboard`, the default) is the fast twin.
//! - `board` reads and draws boards, [`boards`] has the published ones, `instances` names
//!   the state graphs.

mod bitboard;
mod board;
pub mod boards;
mod instances;
mod rules;
mod sample;

pub use bitboard::Bits;
pub use rules::Rules;

puzzle_api::family! {
    /// Unit Rush Hour, with either variant.
    UnitRushHour: Bits, Rules; instances::about
}
