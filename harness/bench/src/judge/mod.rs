//! What samples say: [`compare`] holds rows against each other by [`stats`], [`noise`] is what
//! rows showed against themselves, and [`gate`] holds a run against a [`baseline`].

pub mod baseline;
pub mod compare;
pub mod gate;
pub mod noise;
pub mod stats;
