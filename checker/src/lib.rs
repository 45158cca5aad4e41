//! Checks certificates of Antipode again, with code of its own.
#![allow(missing_docs)]
pub mod blake3;
pub mod rules;
pub mod toml;
