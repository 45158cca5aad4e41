//! Tests of the block puzzles. That the fast variants agree with the rulebook is a property of all
//! puzzles: `harness/check/tests/suite/built_in.rs`.

mod boards;
mod figures;
mod proof;
mod refused;
mod twins;
