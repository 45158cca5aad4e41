//! Searches of state graphs: engines, what watches them, and what they share.

mod block;
pub mod breadth_first;
pub mod digest;
pub mod engine;
pub mod engines;
pub mod error;
pub mod forward;
mod keyset;
mod level;
pub mod machine;
pub mod many_to_many;
pub mod memory;
pub mod observers;
pub mod open;
pub mod outcome;
pub mod progress;
pub mod ranks;
pub mod record;
pub mod registry;
mod space;
mod step;
pub mod steps;
pub mod table;
mod visited;
pub mod way_back;
pub mod work;
