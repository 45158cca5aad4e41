//! Checks certificates of Antipode with its own rules, keys, hashes and searches. It shares no line
//! with the program that wrote them. `README.md` says what is checked and what is trusted.

#![allow(missing_docs, reason = "to be read, not to be called")]

pub mod blake3;
pub mod case;
pub mod certificate;
pub mod checker;
pub mod claim;
pub mod copies;
pub mod counts;
pub mod csv;
pub mod figures;
pub mod folder;
pub mod fonts;
pub mod json;
pub mod kinds;
pub mod pairs;
pub mod parts;
pub mod reading;
pub mod replay;
pub mod rules;
pub mod schema;
pub mod search;
pub mod shown;
pub mod strict;
pub mod toml;
pub mod verdict;
