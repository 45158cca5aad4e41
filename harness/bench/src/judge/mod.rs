//! Conclusions from samples: [`compare`] compares rows by [`stats`], [`noise`] is the difference of
//! rows from themselves, and [`gate`] compares a run with a [`baseline`].

pub mod baseline;
pub mod compare;
pub mod gate;
pub mod noise;
pub mod stats;
