//! What a run and a claim leave behind, in the form in which it is stored and shown.

mod certificate;
mod claim;
mod legend;
mod levels;
mod run;
mod wire;

pub use certificate::{Answer, Certificate};
pub use claim::{ClaimResult, Evidence, Picture, PictureKind, Reading, Verdict};
pub use legend::{Legend, LegendEntry, Shape};
pub use levels::{Antipode, Level, LevelTable, Unreached};
pub use run::{Host, Plugin, Run};

/// Version of the stored form of [`Run`] and [`Certificate`]; it rises when a field changes its meaning.
pub const SCHEMA: u32 = 1;
