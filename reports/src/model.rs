//! The records of a run, a claim or a benchmark, in the form in which they are stored and shown.
//! Each file has one struct here, and its name.

pub mod bench;
mod boards;
mod certificate;
mod claim;
mod cost;
mod legend;
mod levels;
mod made;
mod manifest;
mod pairs;
mod permute;
mod plan;
mod position;
mod record;
mod referee;
mod run;
mod solution;
mod table;
pub(crate) mod wire;

pub use boards::{BoardRow, Boards};
pub use certificate::{CaseRecord, Certificate, LevelMoves, level_table_name};
pub use claim::{
    Bound, Check, CheckOutcome, ClaimResult, ClaimRow, Evidence, NotTaken, Origin, PATH_OF_CLAIM,
    Picture, PictureKind, Reading, Verdict,
};
pub use cost::{LevelCost, Published};
pub use legend::{Legend, LegendEntry, Net, Shape};
pub use levels::{Antipode, Level, LevelRow, LevelTable, PartRow, Unreached};
pub use made::{MadeBoard, MadeBoards, MadeFrom};
pub use manifest::{MANIFEST, Manifest, ManifestFile, VERDICTS};
pub use pairs::{PairRow, SideRow};
pub use permute::{Permute, PermuteRow};
pub use plan::{EnginePlan, PlanRow};
pub use position::{Position, PositionLevel, PositionMove, Remaining};
pub(crate) use record::names;
pub(crate) use record::older_columns;
pub use record::{CellFault, Record, columns};
pub use referee::{Referee, RefereeRow, RefereeSolver, Ruling};
pub use run::{
    Host, Plugin, Provenance, Run, SYMMETRIES, StopKind, StopRecord, Unit, rfc3339, unix_seconds,
};
pub use solution::{
    LevelFigures, PathStep, SearchFigures, SideLevel, SideLevels, Solution, SolutionMove,
    SolutionOrigin, TableUse,
};
pub use table::{NamedState, PairVerdict, StartFinishCell, StartFinishRow, StartFinishTable};

/// Version of the stored form of [`Run`] and [`Certificate`]; it rises when a field changes its
/// meaning, as does the number at the end of their names.
pub const SCHEMA: u32 = 1;

/// The tables that we write, by the names of their records, each with its columns.
pub fn tables() -> [(&'static str, &'static [&'static str]); 19] {
    fn of<T: Record>() -> (&'static str, &'static [&'static str]) {
        (T::SCHEMA, columns::<T>())
    }
    [
        of::<LevelRow>(),
        of::<PartRow>(),
        of::<Antipode>(),
        of::<LevelCost>(),
        of::<ClaimRow>(),
        of::<NotTaken>(),
        of::<PairRow>(),
        of::<SideRow>(),
        of::<BoardRow>(),
        of::<MadeBoard>(),
        of::<SideLevel>(),
        of::<PathStep>(),
        of::<StartFinishRow>(),
        of::<RefereeRow>(),
        of::<PermuteRow>(),
        of::<PlanRow>(),
        of::<bench::Sample>(),
        of::<bench::Comparison>(),
        of::<bench::HistoryRow>(),
    ]
}
