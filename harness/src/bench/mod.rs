//! Benchmarks: suites, samples in processes of their own, comparisons and the gate.
//!
//! - [`suite`] reads a suite, [`rows`] finds out which engine can hold which row,
//! - [`order`] says what runs when, [`sample`] runs one row once, [`answer`] says what it
//!   should have answered, [`session`] runs a whole suite into a folder, `booking` fills in
//!   what is recorded of a sample,
//! - [`noise`] and [`compare`] judge what came out, [`baseline`] and [`gate`] hold it against
//!   what was there before, [`criterion`] takes in the figures of the crates' own benches.

pub mod answer;
pub mod baseline;
mod booking;
pub mod compare;
pub mod criterion;
mod fields;
mod folder;
pub mod gate;
pub mod instructions;
pub mod noise;
pub mod order;
pub mod rows;
pub mod sample;
pub mod session;
pub mod suite;
mod surroundings;
