//! Searches of state graphs: engines, what watches them, and what they share.

pub mod breadth_first;
pub mod digest;
pub mod engines;
pub mod forward;
mod keyset;
pub mod machine;
pub mod memory;
pub mod observers;
pub mod open;
pub mod outcome;
pub mod pairs;
pub mod progress;
pub mod ranks;
pub mod record;
pub mod steps;
pub mod table;
mod visited;
pub mod way_back;
