//! Checks: does a library keep its contract, and is a search's result right by the rules?

pub mod again;
pub mod analysis;
pub mod ask;
pub mod board;
pub mod conformance;
pub mod distances;
pub mod moves;
pub mod order;
pub mod referee;
pub mod shorten;
pub mod supervisor;
pub mod verify;
