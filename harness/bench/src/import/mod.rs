//! Figures that no sample of a row is, in the same table: instructions that rows take
//! ([`instructions`], counted by [`counters`]), the crates' own benches ([`criterion`]) and what
//! other programs counted ([`figures`]); [`table`] puts them there.

pub mod counters;
pub mod criterion;
pub mod figures;
pub mod instructions;
pub mod table;
