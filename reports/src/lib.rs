//! Data model of results, and the CSV, JSON, HTML and SVG written from it.
//!
//! The crate knows nothing about puzzles or engines: it takes finished figures and lays them out. A
//! program that fills in the [`model`] can pass it to
//!
//! - [`csv_out`] and [`json_out`] for files that other programs read ([`csv_in`] reads them back),
//! - [`svg`] and [`plot`] for pictures,
//! - [`mod@bench`] for the samples and comparisons of benchmarks,
//! - [`html`] for one page that a reader can open from disk, without a network.
//!
//! Folders of results go through [`results`], which lets all files appear or none, with their
//! manifest. Every single file goes through [`atomic`], so that a reader finds either the old file
//! or the whole new one.

pub mod atomic;
pub mod bench;
pub mod cost;
pub mod csv_in;
pub mod csv_out;
pub mod growth;
pub mod html;
pub mod json_out;
pub mod model;
pub mod plot;
pub mod proof;
mod read_error;
pub mod report;
pub mod results;
pub mod svg;
pub mod text;
mod wording;

pub use wording::{amount, claimed, count, counts_apart, deviation, evidence_sentence, grouped};

pub use read_error::ReadError;
