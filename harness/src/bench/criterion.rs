//! criterion
