//! Benchmarks: suites, samples in processes of their own, comparisons and the gate.
//!
//! - [`suite`] reads a suite by its [`keys`], [`rows`] finds out which engine can hold which row,
//! - [`order`] says what runs when, [`sample`] runs one row once, [`answer`] says what it
//!   should have answered, [`session`] runs a whole suite into a folder, `booking` fills in
//!   what is recorded of a sample,
//! - [`noise`] and [`compare`] judge what came out, [`baseline`] and [`gate`] hold it against
//!   what was there before,
//! - [`instructions`] has [`counters`] count what rows take; [`criterion`] takes in the figures
//!   of the crates' own benches and [`figures`] those of other programs; [`imported`] puts them
//!   into the same table.

pub mod answer;
pub mod baseline;
mod booking;
pub mod compare;
pub mod counters;
pub mod criterion;
mod ends;
mod fields;
pub mod figures;
pub mod files;
mod folder;
pub mod gate;
pub mod imported;
pub mod instructions;
pub mod keys;
pub mod noise;
pub mod order;
pub mod process;
mod question;
pub mod rows;
pub mod sample;
pub mod session;
pub mod stats;
pub mod suite;
mod surroundings;
