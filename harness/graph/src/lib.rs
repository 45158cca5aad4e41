//! Puzzles as the harness sees them: a table of functions behind a safe interface, for built-in
//! puzzles and shared libraries.

mod buffer;
pub mod builtin;
mod call;
mod capabilities;
mod graph;
pub mod in_hand;
pub mod ledger;
mod library;
mod names;
mod prefetch;
pub mod rules;
mod shared;

pub use call::{MOST_SAID, PluginError, clean, is_line, one_line};
pub use capabilities::Capabilities;
pub use graph::{Expansion, Graph, Orbit, RankExpansion, Ranking};
pub use ledger::lock;
pub use library::{Library, Opened, Source, UNSAID};
pub use names::{direction_name, move_names};
pub use prefetch::prefetch;
pub use shared::load;
