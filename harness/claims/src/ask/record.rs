//! What searches that this crate drives itself leave behind: the record of the run, and the
//! folder where engine `disk` works.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use antipode_check::analysis::Analysis;
use antipode_check::verify::Proof;
use antipode_graph::{Opened, direction_name};
use antipode_reports::model::{self, Evidence, Run};
use antipode_search::engine::{Kind, Means, Opt};
use antipode_search::engines::{EngineError, Roots, Search, clear_work};
use antipode_search::machine;
use antipode_search::observers::LevelSums;
use antipode_search::outcome::{Spent, StopReason};
use antipode_search::record::plugin_of;
use puzzle_api::Key;

use crate::context::Context;
use crate::question::{LevelQuestion, Place};

/// Memory of engine `disk`: three levels of some ten million states with room to spare.
const DISK_MEMORY: u64 = 1 << 30;

/// The folder where engine `disk` works, for one question.
pub(super) struct Work {
    path: PathBuf,
    means: Means,
    /// Where results are not kept, the folder goes with this.
    _scratch: Option<tempfile::TempDir>,
}

impl Work {
    /// A folder beside the results, where there are some; what a stopped run left in it is
    /// gone on from if the user asks for that, and thrown away if not.
    pub(super) fn make(place: &Place, what: &str, context: &Context) -> Result<Self, EngineError> {
        let io =
            |error: std::io::Error| EngineError::CannotHold(format!("no work folder: {error}"));
        let (path, scratch): (PathBuf, _) = match &context.out {
            Some(out) => {
                let settings = place.settings.iter();
                let settings: String = settings.map(|(k, v)| format!("-{k}-{v}")).collect();
                let settings = settings.replace(['/', ':'], "_");
                let name = format!("{}-{}{settings}-{what}", place.library.name, place.instance);
                (out.join("work").join(name), None)
            }
            None => {
                let scratch = tempfile::tempdir().map_err(io)?;
                (scratch.path().to_owned(), Some(scratch))
            }
        };
        let there = path.exists();
        if there && !context.resume {
            clear_work(&path)?;
        }
        std::fs::create_dir_all(&path).map_err(io)?;
        let means = Means {
            work: Some(path.clone()),
            memory: Some(DISK_MEMORY),
            resume: there && context.resume,
            ..Means::threads(context.threads)
        };
        Ok(Self {
            path,
            means,
            _scratch: scratch,
        })
    }

    /// A folder for an engine of levels that works in one; nothing for the others.
    pub(super) fn of_levels(
        question: &LevelQuestion,
        what: &str,
        context: &Context,
    ) -> Result<Option<Self>, EngineError> {
        let works = question.engine.takes(Kind::Levels, Opt::Work);
        works
            .then(|| Self::make(&question.place, what, context))
            .transpose()
    }

    /// What an engine may take that works there.
    pub(super) const fn means(&self) -> &Means {
        &self.means
    }

    /// Removes what is left of a search whose answer is known.
    pub(super) fn clear(&self) -> Result<(), EngineError> {
        clear_work(&self.path)?;
        // The folder of all questions goes with the last of them.
        if let (None, Some(all)) = (&self._scratch, self.path.parent()) {
            let _ = std::fs::remove_dir(all);
        }
        Ok(())
    }
}

/// A clock for a run.
pub(super) struct Clock {
    started: SystemTime,
    wall: Instant,
    cpu: cpu_time::ProcessTime,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self {
            started: SystemTime::now(),
            wall: Instant::now(),
            cpu: cpu_time::ProcessTime::now(),
        }
    }

    pub(super) fn wall(&self) -> Duration {
        self.wall.elapsed()
    }
}

/// How a run ended.
pub(super) struct Ended {
    /// Whether all that was asked for was searched.
    pub(super) finished: bool,
    /// Why levels are missing, where some are.
    pub(super) because: Option<String>,
    /// What ended it before all was searched, where that was a limit or a request.
    pub(super) stop: Option<StopReason>,
}

/// A run, and what it has found so far.
pub(super) struct Ran<'a, K> {
    pub(super) search: &'a Search<K>,
    /// Name of the engine.
    pub(super) engine: &'a str,
    /// Start, as text, where one was given.
    pub(super) from: Option<&'a str>,
    pub(super) seen: &'a LevelSums,
    pub(super) clock: &'a Clock,
    /// What it took.
    pub(super) spent: &'a Spent,
    pub(super) context: &'a Context,
}

impl<K: Key> Ran<'_, K> {
    /// All of it as an analysis.
    pub(super) fn analysis(
        &self,
        ended: Ended,
        (evidence, proof, faults): (Vec<Evidence>, Proof, Vec<String>),
    ) -> Analysis {
        let whole = self.search.covers_space() && ended.because.is_none();
        let (finished, stop) = (ended.finished, ended.stop.clone());
        Analysis {
            run: self.record(ended),
            levels: self.seen.table(whole),
            costs: self.spent.levels.clone(),
            antipodes: Vec::new(),
            parts: Vec::new(),
            evidence,
            faults,
            proof,
            finished,
            stop,
            kept: None,
        }
    }

    fn record(&self, ended: Ended) -> Run {
        let opened: &Opened = &self.search.graph.opened;
        let clock = self.clock;
        let cpu_s = clock.cpu.elapsed().as_secs_f64();
        let states = self.states();
        let per_second = match cpu_s > 0.0 {
            true => states as f64 / cpu_s,
            false => 0.0,
        };
        let started = clock.started.duration_since(UNIX_EPOCH);
        let parts = match self.search.roots {
            Roots::Solved => opened.part_count,
            Roots::Starts | Roots::State(_) => 1,
        };
        Run {
            schema: model::SCHEMA,
            tool_version: env!("CARGO_PKG_VERSION").into(),
            puzzle: opened.library.name.clone(),
            instance: opened.instance.clone(),
            settings: opened.settings.clone(),
            variant: opened.variant.clone(),
            engine: self.engine.to_owned(),
            direction: direction_name(self.search.direction).into(),
            from: self.from.map(str::to_owned),
            max_depth: self.search.max_depth.map(u32::from),
            threads: self.context.threads as u32,
            seed: self.context.seed,
            plugin: plugin_of(&opened.library),
            started_unix_s: started.map_or(0, |since| since.as_secs()),
            wall_s: clock.wall().as_secs_f64(),
            cpu_s,
            peak_memory_bytes: machine::peak_memory_bytes(),
            states_per_core_second: per_second,
            parts_done: if ended.finished { parts } else { 0 },
            parts_total: parts,
            complete: ended.because.is_none(),
            stop: ended.stop.as_ref().map(StopReason::record),
            stopped_because: ended.because,
            host: machine::host(),
            command: self.context.command.clone(),
            inputs: machine::inputs(),
            extra: self.extra(),
        }
    }

    fn states(&self) -> u64 {
        let seen = self.seen.total_states();
        self.spent.expanded.max(seen)
    }

    fn extra(&self) -> BTreeMap<String, serde_json::Value> {
        BTreeMap::from([
            ("states_expanded".to_owned(), self.states().into()),
            ("symmetry".to_owned(), self.search.symmetry.into()),
            ("generated".to_owned(), self.spent.generated.into()),
            ("read_bytes".to_owned(), self.spent.read.into()),
            ("written_bytes".to_owned(), self.spent.written.into()),
        ])
    }
}
