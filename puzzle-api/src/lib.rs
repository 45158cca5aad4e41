//! What an author of a puzzle needs: the traits, the C boundary, ranking.
//!
//! Start with [`Puzzle`], a handful of required methods that make the rules of a puzzle
//! which every engine of Antipode can search, and [`Family`], which says what the puzzle is
//! called. Each trait of [`optional`] makes more possible and says what is lost without it.
//! [`export_puzzle!`] turns the implementations into a shared library.

pub mod abi;
mod capabilities;
mod family;
mod key;
pub mod optional;
mod parameters;
pub mod proof;
mod puzzle;
mod random;
pub mod rank;

pub use capabilities::Capabilities;
pub use family::{
    About, BadInput, Effort, Family, Figure, InstanceInfo, Request, SettingInfo, Settings,
};
pub use key::Key;
pub use optional::{
    Buckets, Layered, MoveNames, MoveOrder, NamedStates, NeighbourKeys, NeighbourRanks, Numbering,
    Objective, Parts, Placement, Predecessors, RandomStates, Refute, SolvedStates, Sweep, Swept,
    Symmetry, TimeReversal, Undirected,
};
pub use parameters::Parameters;
pub use puzzle::{Direction, Puzzle, UNSOLVABLE};
pub use random::Xorshift;
