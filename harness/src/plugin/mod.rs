//! Puzzles as the harness sees them: a table of functions behind a safe face,
//! whether the puzzle is built in or came as a shared library.

pub mod builtin;
mod call;
mod graph;
mod library;
mod room;
mod shared;

pub use call::{PluginError, clean};
pub use graph::{Expansion, Graph, Orbit, RankExpansion, Ranking};
pub use library::{Library, Opened, Source, UNSAID};
pub use shared::load;
