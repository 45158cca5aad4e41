//! One page from the files that other verbs left: nothing is measured or searched here.
//!
//! [`gather`] reads every folder below those given and tells by its files what it is: claims
//! (`claims.csv`, `certificates/`), a run (`run.json` with `levels.csv`, `antipodes.csv`,
//! `cost.csv`, `pairs.csv`), a benchmark (`samples.csv`, `comparison.csv`, `regress.csv`), an answer
//! (`solve.json`) or a table of starts and finishes (`table.csv`). Files of other names are left
//! alone. [`report_html`](crate::html::report_html) lays it out, and [`splice`] renews tables
//! in a README from it.

mod gather;
mod read;
pub mod splice;
pub mod tables;

pub use gather::{GatherError, gather};

use crate::bench::{BenchRun, Comparison, Sample};
use crate::cost::LevelCost;
use crate::model::{
    Antipode, ClaimResult, LevelTable, PairRow, Picture, Published, Run, StartFinishRow,
};

/// Everything that was found, folder by folder in the order of their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Claims with their verdicts.
    pub claims: Vec<ClaimResult>,
    /// Runs over levels or pairs.
    pub runs: Vec<FoundRun>,
    /// Benchmarks.
    pub benches: Vec<FoundBench>,
    /// Solutions.
    pub answers: Vec<FoundAnswer>,
    /// Tables of starts and finishes.
    pub tables: Vec<FoundTable>,
}

impl Found {
    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        self.claims.is_empty()
            && self.runs.is_empty()
            && self.benches.is_empty()
            && self.answers.is_empty()
            && self.tables.is_empty()
    }

    /// What was found, in a line: `186 claims, 2 runs`.
    pub fn summary(&self) -> String {
        let parts = [
            (self.claims.len(), "claim", "claims"),
            (self.runs.len(), "run", "runs"),
            (self.benches.len(), "benchmark", "benchmarks"),
            (self.answers.len(), "solution", "solutions"),
            (self.tables.len(), "table", "tables"),
        ];
        let parts = parts.iter().filter(|part| part.0 > 0);
        let texts = parts.map(|(count, one, many)| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        });
        texts.collect::<Vec<_>>().join(", ")
    }

    /// All comparisons of all benchmarks.
    pub fn comparisons(&self) -> impl Iterator<Item = &Comparison> {
        self.benches.iter().flat_map(|bench| &bench.comparisons)
    }
}

/// A folder with a run.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundRun {
    /// The folder, as it was named or found.
    pub folder: String,
    /// What ran; `None` where only its tables are there.
    pub run: Option<Run>,
    /// Its levels, empty where it has no table of them.
    pub levels: LevelTable,
    /// Its farthest states.
    pub antipodes: Vec<Antipode>,
    /// What each level cost, from an engine on disk.
    pub costs: Vec<LevelCost>,
    /// Level sizes that others published.
    pub published: Vec<Published>,
    /// Further levels that a forecast is wanted of.
    pub wanted: Vec<u32>,
    /// Lengths between pairs.
    pub pairs: Vec<PairRow>,
}

/// A folder with a benchmark.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundBench {
    /// The folder, as it was named or found.
    pub folder: String,
    /// What ran; `None` where only its tables are there.
    pub run: Option<BenchRun>,
    /// Its samples.
    pub samples: Vec<Sample>,
    /// Its comparisons.
    pub comparisons: Vec<Comparison>,
}

/// A folder with the answer to one question.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundAnswer {
    /// The folder, as it was named or found.
    pub folder: String,
    /// `PUZZLE/INSTANCE`.
    pub instance: String,
    /// What was found, in a sentence.
    pub summary: String,
    /// The boards.
    pub picture: Picture,
}

/// A folder with a table of starts and finishes.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundTable {
    /// The folder, as it was named or found.
    pub folder: String,
    /// A row a pair.
    pub rows: Vec<StartFinishRow>,
}

/// `PUZZLE/INSTANCE with KEY VALUE`.
pub(crate) use crate::html::run_title;
