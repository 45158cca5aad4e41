//! Permutations of bits, compiled to short programs of word operations.

pub mod cover;
mod emit;
mod error;
pub mod hardware;
mod permutation;
pub mod program;
pub mod proof;
pub mod route;
mod spec;
mod strategy;

pub use cover::{AllCovers, Cover, Limit};
pub use emit::{Lang, emit, function, helpers};
pub use error::PermuteError;
pub use permutation::{MAX_BITS, Permutation, SplitMix64, Symmetry};
pub use program::{Counts, Op, Program, Value};
pub use strategy::{
    Compiled, Grouping, Strategy, SwapStage, benes_stages, best_by_count, formula_counts, group,
};
