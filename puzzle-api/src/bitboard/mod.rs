//! Boards as bits: grids, word-parallel algorithms and their literal twins.
