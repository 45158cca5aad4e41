//! A suite run: samples in separate processes, into a results folder.
//!
//! [`order`] says what runs when, [`sample`] runs one row once by [`process`], and [`answer`] has
//! the expected answers. [`session`] runs a whole suite into a folder, with `record` for what is
//! written and [`files`] for what is measured.

pub mod answer;
pub mod files;
mod host_load;
pub mod order;
mod prepared;
pub mod process;
pub(crate) mod record;
pub mod sample;
pub mod session;

pub use prepared::Prepared;
pub use session::{Results, VERB, run};
