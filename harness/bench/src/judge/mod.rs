//! What samples say: [`compare`] compares rows by [`stats`], [`noise`] is what rows showed
//! against themselves, and [`gate`] compares a run with a [`baseline`].

pub mod baseline;
pub mod compare;
pub mod gate;
pub mod noise;
pub mod stats;
