//! Permutations of bits, compiled to short programs of word operations.
//!
//! A [`Permutation`] says where each of up to 64 bits goes. A [`Strategy`] compiles it to a
//! [`Program`], straight-line word operations. A program can be run, counted, proven ([`proof`]),
//! timed ([`timing`]) and printed as Rust or C ([`emit()`]). [`survey()`] makes the table of all
//! strategies for one permutation. [`cover`] finds the minimal shift sets of the thesis (Neeleman
//! 2015, section 3.1), [`route`] moves bits by them without collisions, and [`claims`] derives what
//! the thesis states about them.
//!
//! ```
//! use antipode_bitlab::permute::{Lang, Permutation, Strategy, emit, proof};
//!
//! let turn: Permutation = "board:5x5x2:rotate90".parse()?;
//! let compiled = Strategy::DeltaSwaps.compile(&turn);
//! assert_eq!(compiled.program.counts().operations, 24);
//! assert!(proof::proves(&compiled.program, &turn));
//! assert_eq!(compiled.program.run(0b11), turn.apply(0b11));
//! println!("{}", emit(&compiled.program, Lang::Rust));
//! # Ok::<(), antipode_bitlab::permute::PermuteError>(())
//! ```

pub mod claims;
pub mod cover;
mod emit;
mod error;
mod permutation;
pub mod program;
pub mod proof;
pub mod route;
mod spec;
mod strategy;
mod survey;
pub mod timing;

pub use cover::{AllCovers, Cover};
pub use emit::{Lang, emit, function, helpers};
pub use error::PermuteError;
pub use permutation::{Permutation, SplitMix64, Symmetry};
pub use program::{Counts, Op, Program, Value};
pub use spec::KINDS;
pub use strategy::{Compiled, Strategy, THESIS_C, as_printed_with};
pub use survey::{StrategyRow, SurveyOptions, best_row, first_difference, survey, wrong_bits};
