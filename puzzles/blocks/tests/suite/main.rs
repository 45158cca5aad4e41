//! Tests of the block puzzles. That the fast variants agree with the rulebook is a property of all
//! puzzles: `harness/check/tests/suite/built_in.rs`, as is
//! the proof of Rush Hour's sweep: `proofs.rs`.

mod boards;
mod figures;
mod refused;
mod twins;
