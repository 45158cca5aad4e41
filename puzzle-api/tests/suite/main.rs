//! The boundary between puzzles and harness, and code that puzzles share.

mod boundary;
mod optional;
mod rank;
