//! One page from the files of other commands: nothing is measured or searched here.
//!
//! [`gather`] reads every folder below those given and decides by its files what it is. It may be
//! claims (`claims.csv`, `certificates/`), a run (`run.json` with `levels.csv`, `antipodes.csv`,
//! `cost.csv`, `pairs.csv`), a benchmark (`samples.csv`, `comparison.csv`, `regress.csv`), an
//! answer (`solve.json`) or a table of starts and finishes (`table.csv`). Files of other names are
//! left alone. [`report_html`](crate::html::report_html) lays it out, and [`splice`] renews tables
//! in a README from it.

mod gather;
mod read;
pub mod splice;
pub mod tables;

pub use gather::gather;
pub use read::{levels_of, read_antipodes, repeat};

use crate::atomic::WriteError;
use crate::bench::{BenchRun, Comparison, Sample};
use crate::cost::LevelCost;
use crate::count;
use crate::model::{
    Antipode, CaseRecord, ClaimResult, LevelTable, NotTaken, PairRow, Published, Run, Solution,
    StartFinishRow, Unit,
};
use crate::read_error::ReadError;
pub use crate::results::{ChangedFile, MarkKind};

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Why a page or a table could not be made; one line that names the place and the remedy.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file cannot be read, or its marks are wrong.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A folder holds nothing.
    #[error("{0}")]
    Folder(String),
}

/// Everything that was found, folder by folder in the order of their names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundFolders {
    /// Claims with their verdicts.
    pub claims: Vec<ClaimResult>,
    /// Claims that are invalid.
    pub not_taken: Vec<NotTaken>,
    /// Runs over levels or pairs.
    pub runs: Vec<FoundRun>,
    /// Benchmarks.
    pub benches: Vec<FoundBench>,
    /// Solutions.
    pub answers: Vec<FoundAnswer>,
    /// Tables of starts and finishes.
    pub tables: Vec<FoundTable>,
    /// Files that are not as they were written.
    pub marks: Vec<ChangedFile>,
    /// Folders of results without a manifest.
    pub unsealed: Vec<String>,
    /// Claims whose verdict rests on a file that is marked, or on two that contradict each other,
    /// with the reason.
    pub doubted: BTreeMap<String, String>,
    /// The evidence of claims, by id.
    pub behind: BTreeMap<String, Behind>,
    /// Folders with results, each with the names of its files.
    pub folders: Vec<(PathBuf, Vec<String>)>,
    /// Tables of claims that were read.
    pub claim_tables: Vec<PathBuf>,
}

impl FoundFolders {
    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        self.results() == 0
    }

    /// Whether a folder with the claim was read.
    fn holds(&self, id: &str) -> bool {
        self.behind.contains_key(id) || self.claims.iter().any(|claim| claim.id == id)
    }

    /// Whether no objection to the files was found.
    pub fn is_as_written(&self) -> bool {
        self.marks.is_empty() && self.doubted.is_empty()
    }

    pub(crate) fn results(&self) -> usize {
        self.claims.len()
            + self.runs.len()
            + self.benches.len()
            + self.answers.len()
            + self.tables.len()
    }

    /// The fault of a folder's files, in a sentence; empty if there is none.
    pub fn warning(&self, folder: &str) -> String {
        let marks = self.marks.iter().filter(|mark| mark.folder == folder);
        let texts = marks.map(|mark| format!("{}: {}", mark.name, mark.kind.text()));
        let texts: Vec<String> = texts.collect();
        match texts.is_empty() {
            true => String::new(),
            false => format!("Not as written: {}.", texts.join("; ")),
        }
    }

    /// The contents, in a line: `186 claims, 2 runs`.
    pub fn summary(&self) -> String {
        let parts = [
            (self.claims.len(), "claims"),
            (self.runs.len(), "runs"),
            (self.benches.len(), "benchmarks"),
            (self.answers.len(), "solutions"),
            (self.tables.len(), "tables"),
        ];
        let parts = parts.iter().filter(|part| part.0 > 0);
        let texts = parts.map(|(number, unit)| count(number, unit));
        texts.collect::<Vec<_>>().join(", ")
    }

    /// All comparisons of all benchmarks.
    pub fn comparisons(&self) -> impl Iterator<Item = &Comparison> {
        self.benches.iter().flat_map(|bench| &bench.comparisons)
    }
}

/// The evidence of a claim.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Behind {
    /// The cases of its certificate.
    pub cases: Vec<CaseRecord>,
    /// Its certificate; empty if there is none.
    pub certificate: PathBuf,
    /// Other files that its verdict rests on: tables, pages.
    pub data: Vec<PathBuf>,
    /// The command that repeats it, one entry per argument; may be empty.
    pub repeat: Vec<String>,
}

/// A folder with a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundRun {
    /// The folder, as it was named or found.
    pub folder: String,
    /// What ran; `None` if only its tables exist.
    pub run: Option<Run>,
    /// Its levels, empty if it has no table of them.
    pub levels: LevelTable,
    /// Its farthest states.
    pub antipodes: Vec<Antipode>,
    /// The cost of each level, from an engine on disk.
    pub costs: Vec<LevelCost>,
    /// Level sizes that others published.
    pub published: Vec<Published>,
    /// Further levels to forecast.
    pub wanted: Vec<u32>,
    /// Lengths between pairs.
    pub pairs: Vec<PairRow>,
}

impl FoundRun {
    /// What ran, or the folder if that is unknown.
    pub(crate) fn title(&self) -> String {
        let run = self.run.as_ref();
        run.map_or_else(|| self.folder.clone(), Run::title)
    }

    /// What its distances count.
    pub(crate) fn unit(&self) -> Unit {
        self.run.as_ref().map(|run| run.unit).unwrap_or_default()
    }
}

/// A folder with a benchmark.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundBench {
    /// The folder, as it was named or found.
    pub folder: String,
    /// What ran; `None` if only its tables exist.
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
    /// The answer.
    pub solution: Solution,
}

/// A folder with a table of starts and finishes.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundTable {
    /// The folder, as it was named or found.
    pub folder: String,
    /// A row per pair.
    pub rows: Vec<StartFinishRow>,
}
