//! Engines: strategies that walk the levels of a state graph and pass their states to observers.
//! They differ in memory and speed, never in their result.

pub mod beam;
pub mod bidirectional;
pub(crate) mod by_levels;
pub mod cluster;
pub(crate) mod dense;
pub mod dfs;
pub(crate) mod disk;
pub mod find;
pub(crate) mod gpu;
pub(crate) mod hash;
pub(crate) mod ida;
pub mod improve;
mod neighbours;
mod network;
pub(crate) mod orbits;
pub(crate) mod reference;
mod run;
pub mod solutions;
pub(crate) mod sweep;

pub use crate::blocks::{BLOCKS, Journal};
pub use crate::error::EngineError;
pub use crate::options::{DiskOptions, FrontierForm, Locality, Moves, Representation};
pub use crate::question::Roots;
pub use crate::search::Search;
pub use crate::steps::BATCH;
pub use disk::{
    Work as DiskWork, clear_processes, clear_work, open_folder as open_disk_folder, reach,
};
pub use neighbours::{NeighbourSource, stored_bytes};
pub use run::{Distributed, EngineRun, PartHook, run};
