//! Tilt's variants, symmetries and sweep against its rulebook.

mod rulebook;
mod sweep;
mod symmetry;
mod variants;
