//! One analysis from request to result: opens, searches, verifies, measures.

mod checking;
mod merge;
mod moves;
mod plan;
mod report;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use puzzle_api::{Direction, Key, Settings};

use antipode_reports::cost::LevelCost;
use antipode_reports::model::{Antipode, Evidence, LevelMoves, LevelTable, PartRow, Run};

use crate::again::{self, Again};
use crate::verify::{Proof, level_samples};
use antipode_graph::Library;
pub use antipode_search::blocks::Shard;
use antipode_search::engine::EngineOptions;
use antipode_search::engines::{EngineError, run};
use antipode_search::machine;
use antipode_search::observers::Drawn;
pub use antipode_search::observers::{Draw, MOST_ANTIPODES};
use antipode_search::open::{AnyWidth, with_keys_of};
use antipode_search::outcome::StopReason;
use antipode_search::progress::{EachLevel, Stop, note};
use antipode_search::record::Clock;
use antipode_search::registry::EngineId;
use antipode_search::work;
use checking::Checking;
pub use checking::{Checks, lists_solved, numbered_states, one_in};
pub use merge::{Redo, merge};
pub use moves::counts_by_rules;
use plan::AnalysisPlan;
pub use report::record;

/// What to analyse and how.
#[derive(Debug, Clone)]
pub struct Request {
    /// The puzzle.
    pub library: Arc<Library>,
    /// Name of the instance.
    pub instance: String,
    /// Its settings.
    pub settings: Settings,
    /// Variant; `None` takes the engine's default.
    pub variant: Option<String>,
    /// Engine; `None` takes the fastest that can do it.
    pub engine: Option<EngineId>,
    /// Direction; `None` goes forward from the instance's start, or backward if it has none.
    pub direction: Option<Direction>,
    /// Start of the search, as text; `None` takes the instance's.
    pub from: Option<String>,
    /// Greatest level.
    pub max_depth: Option<u16>,
    /// Worker threads.
    pub threads: usize,
    /// Limits and options of the engine; [`Request::threads`] and [`Request::show_progress`] also
    /// apply to it.
    pub options: EngineOptions,
    /// Seed of all sampling.
    pub seed: u64,
    /// Checks.
    pub checks: Checks,
    /// Whether to keep the level table of each part if there are several: some hundred bytes of
    /// memory per part.
    pub by_parts: bool,
    /// Whether to count the destinations of the moves out of each level. Then every state is kept,
    /// and there is no journal.
    pub moves: bool,
    /// Folder of finished blocks; engine disk has its own.
    pub journal: Option<Blocks>,
    /// Number of antipodes that are drawn for the reader, of at most [`MOST_ANTIPODES`]: each takes
    /// as long as a hundred states of a search.
    pub antipodes: usize,
    /// The states to draw at random from some levels, if any. Engines that work in a folder do not
    /// draw.
    pub draw: Option<Draw>,
    /// Whether to draw a bar.
    pub show_progress: bool,
    /// Receives each level of a run over one part, when it is complete.
    pub each_level: Option<EachLevel>,
    /// The command line, for the record.
    pub command: Vec<String>,
}

impl Request {
    /// A plain request: no checks, nothing kept, one thread, seed 1.
    #[must_use]
    pub fn new(library: Arc<Library>, instance: String) -> Self {
        Self {
            library,
            instance,
            settings: Settings::new(),
            variant: None,
            engine: None,
            direction: None,
            from: None,
            max_depth: None,
            threads: 1,
            options: EngineOptions::default(),
            seed: 1,
            checks: Checks::OFF,
            by_parts: false,
            moves: false,
            journal: None,
            antipodes: MOST_ANTIPODES,
            draw: None,
            show_progress: false,
            each_level: None,
            command: Vec::new(),
        }
    }
}

/// Where a run keeps its finished blocks of parts, and its blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocks {
    /// The folder.
    pub folder: PathBuf,
    /// Whether to resume from the folder.
    pub resume: bool,
    /// The blocks of the run.
    pub which: Which,
}

/// A selection of the blocks into which the parts of an instance are divided.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    #[default]
    All,
    /// The blocks of a shard, which stay in the folder to be merged.
    Shard(Shard),
    /// These.
    These(BTreeSet<u64>),
}

/// The result of an analysis.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    /// What ran, where, at what cost.
    pub run: Run,
    /// The cause of an early end, if any.
    pub stop: Option<StopReason>,
    /// Level table.
    pub levels: LevelTable,
    /// The cost of each level, if the engine reports it.
    pub costs: Vec<LevelCost>,
    /// Every orbit at the greatest distance, as boards, by key.
    pub antipodes: Vec<Antipode>,
    /// The orbits drawn from some levels, in the order of the draw.
    pub drawn: Vec<Antipode>,
    /// The level table of each part by part and depth, if requested.
    pub parts: Vec<PartRow>,
    /// The moves out of each level by depth, if requested.
    pub moves: Vec<LevelMoves>,
    /// Outcome of the checks.
    pub evidence: Vec<Evidence>,
    /// Whether a library's answers were asked again on a sample.
    pub sampled: bool,
    /// A line for each of the first few faults that the checks found.
    pub faults: Vec<String>,
    /// How far the levels are proven from the rules.
    pub proof: Proof,
    /// Whether the request was searched completely: everything, or all levels up to the greatest
    /// requested.
    pub finished: bool,
    /// The folder in which a finished run kept its pieces, which are not needed once its results
    /// are written, and whether the folder is removed with them.
    pub kept: Option<(PathBuf, bool)>,
}

impl Analysis {
    /// Removes the files for resuming the run; call it when the results are on the disk.
    ///
    /// # Errors
    /// [`EngineError`] if a file cannot be removed.
    pub fn clear_kept(&self) -> Result<(), EngineError> {
        match &self.kept {
            Some((folder, with_folder)) => work::clear(folder, *with_folder),
            None => Ok(()),
        }
    }

    /// Whether the greatest requested level cut off deeper ones.
    #[must_use]
    pub const fn limited(&self) -> bool {
        self.finished && !self.run.complete
    }

    /// Whether some check found a fault.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.evidence.iter().any(|evidence| evidence.wrong > 0)
    }
}

/// Runs an analysis on its own pool.
///
/// # Errors
/// [`EngineError`] for bad input, a puzzle that breaks its contract, or an engine that
/// cannot hold the search.
pub fn analyse(request: &Request, stop: &Stop) -> Result<Analysis, EngineError> {
    let pool = machine::pool(request.threads)?;
    let made = pool.install(|| with_keys_of(&request.library, Analyse(request, stop)));
    made.map_err(again::instead)
}

/// The engine and the direction that a request selects. Finds bad input without searching, so that
/// nothing is written for it.
///
/// # Errors
/// [`EngineError`] as [`analyse`] would return it: [`EngineError::CannotHold`] if the engine cannot
/// hold it.
pub fn planned(request: &Request) -> Result<(EngineId, Direction), EngineError> {
    struct Planned<'a>(&'a Request);
    impl AnyWidth for Planned<'_> {
        type Output = Result<(EngineId, Direction), EngineError>;

        fn with<K: Key>(self) -> Self::Output {
            let plan = AnalysisPlan::<K>::make(self.0)?;
            if let Some(blocks) = &self.0.journal {
                plan.blocks_of(blocks)?;
            }
            Ok((plan.engine, plan.search.direction))
        }
    }
    with_keys_of(&request.library, Planned(request))
}

/// Adds the result of asking a loaded library again to the evidence of a check.
fn asked_again(again: Again, evidence: &mut [Evidence]) {
    let what = match again {
        Again::Nothing | Again::Stopped => return,
        Again::All => "Everything",
        Again::Sample => "A sample, to the deepest levels, of everything",
    };
    for check in evidence.iter_mut().filter(|check| check.done()) {
        if check.what == "consistency" {
            check.text.push_str(&format!(
                " {what} that the puzzle answered was asked again in a new process, on two threads and in another order, with the same answers."
            ));
        }
    }
}

/// An analysis that is about to run.
struct Analyse<'a>(&'a Request, &'a Stop);

impl AnyWidth for Analyse<'_> {
    type Output = Result<Analysis, EngineError>;

    fn with<K: Key>(self) -> Self::Output {
        let Self(request, stop) = self;
        let clock = Clock::start();
        let mut plan = AnalysisPlan::<K>::make(request)?;
        let journal = plan.open_folder(request)?;
        let hook = Checking::prepare(&plan, request, stop)?;
        let mut observers = hook.observers(request.seed)?;
        observers.drawn = Drawn::new(request.draw.clone());
        if request.by_parts && plan.search.parts()?.len() > 1 {
            observers.parts = Some(Vec::new());
        }
        if let (Some(line), true) = (&plan.ready.line, request.show_progress) {
            note(line);
        }
        let progress = plan.progress(request, stop)?;
        let run = run(
            &plan.search,
            plan.engine.of(),
            &observers,
            journal.as_ref(),
            &hook,
            &progress,
        )?;
        drop(progress);
        let ran = record(&plan.search, &clock, &run.spent);
        let mut checked = hook.outcome(&run)?;
        if let Some(sampled) = &run.spent.sampled {
            let (evidence, faults) = level_samples(sampled, run.observers.levels.total_orbits());
            checked.evidence.push(evidence);
            checked.faults.extend(faults);
        }
        let moves = match hook.met() {
            Some(met) => plan.moves(request, &run, &met)?,
            None => Vec::new(),
        };
        let asked = again::confirm()?;
        let mut analysis = plan.report(request, run, checked, ran)?;
        analysis.moves = moves;
        asked_again(asked, &mut analysis.evidence);
        // The boards that are also shown.
        analysis.sampled = matches!(again::confirm()?, Again::Sample | Again::Stopped);
        Ok(analysis)
    }
}
