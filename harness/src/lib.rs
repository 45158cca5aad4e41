//! Antipode: derives published claims about puzzles again and says which hold.

pub mod analysis;
pub mod bench;
pub mod certificate;
pub mod claim;
pub mod cli;
pub mod conformance;
pub mod digest;
pub mod engine;
pub mod machine;
pub mod memory;
pub mod observe;
pub mod pairs;
pub mod plugin;
pub mod progress;
pub mod ranks;
pub mod stats;
pub mod table;
pub mod verify;
