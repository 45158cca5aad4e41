//! The boundary between puzzles and harness, and what puzzles share.

mod boundary;
mod optional;
mod rank;
