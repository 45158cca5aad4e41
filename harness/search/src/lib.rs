//! Searches of state graphs: engines, what watches them, and what they share.

pub mod digest;
pub mod engine;
pub mod engines;
pub mod forward;
pub mod machine;
pub mod memory;
pub mod observers;
pub mod open;
pub mod outcome;
pub mod pairs;
pub mod progress;
pub mod ranks;
pub mod record;
pub mod registry;
pub mod table;
