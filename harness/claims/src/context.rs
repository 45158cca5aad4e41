//! State shared by the claims of one run: effort, seed, and analyses, each made once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use puzzle_api::{Effort, Settings};

use antipode_check::analysis::{
    Analysis, Blocks, Checks, Request, Which, analyse, numbered_states, one_in, planned,
};
use antipode_graph::Library;
use antipode_search::engine::{EngineOptions, Opt, QuestionKind};
use antipode_search::engines::EngineError;
use antipode_search::progress::Stop;
use antipode_search::registry::EngineId;

use crate::effort::consistency;
use crate::question::ConfiguredInstance;

/// Approximate number of states measured on the rules for the exclusiveness check; more at full
/// effort.
const SPOTS: u64 = 10_000;
/// At least one state in this many, at full effort and for instances without ranks.
const EXCLUSION_ONE_IN: u64 = 10_000;
/// States drawn for the inclusiveness check.
const INCLUSION: u64 = 10_000;
/// Shared state of one run of `certify`.
#[derive(Debug, Clone)]
pub struct Context {
    /// Effort.
    pub effort: Effort,
    /// Seed of all sampling.
    pub seed: u64,
    /// Worker threads.
    pub threads: usize,
    /// Stop flag.
    pub stop: Stop,
    /// Folder for results; `None` keeps no results.
    pub out: Option<PathBuf>,
    /// Whether to resume from journals in `out`.
    pub resume: bool,
    /// The command line, for the record.
    pub command: Vec<String>,
    /// Whether to draw bars.
    pub show_progress: bool,
    /// Engine for the questions that it answers; `None` takes the preferred engines.
    pub engine: Option<EngineId>,
    analyses: BTreeMap<(String, String, Settings), Arc<Analysis>>,
    /// Levels found so far, by question.
    pub(crate) levels: Vec<(Request, Arc<Analysis>)>,
}

impl Context {
    /// A context without results yet.
    #[must_use]
    pub fn new(effort: Effort, seed: u64, threads: usize, stop: Stop) -> Self {
        Self {
            effort,
            seed,
            threads,
            stop,
            out: None,
            resume: false,
            command: Vec::new(),
            show_progress: false,
            engine: None,
            analyses: BTreeMap::new(),
            levels: Vec::new(),
        }
    }

    /// Analyses made so far that have their own folder, by puzzle and instance: those of instances
    /// as listed, without settings.
    pub fn analyses(&self) -> impl Iterator<Item = &Arc<Analysis>> {
        let plain = self.analyses.iter().filter(|((.., set), _)| set.is_empty());
        plain.map(|(_, analysis)| analysis)
    }

    /// Folder of an analysis within `out`.
    #[must_use]
    pub fn folder(out: &Path, puzzle: &str, instance: &str) -> PathBuf {
        out.join(format!("{puzzle}-{instance}"))
    }

    /// Folder of the pairs of a claim within `out`.
    #[must_use]
    pub fn pairs_folder(out: &Path, claim: &str) -> PathBuf {
        out.join(format!("{claim}-pairs"))
    }

    /// The analysis of an instance with all checks, made on first use.
    pub(crate) fn analysis(
        &mut self,
        place: &ConfiguredInstance,
    ) -> Result<Arc<Analysis>, EngineError> {
        let (library, instance) = (&place.library, place.instance.as_str());
        let key = (
            library.name.clone(),
            instance.to_owned(),
            place.settings.clone(),
        );
        if let Some(made) = self.analyses.get(&key) {
            return Ok(Arc::clone(made));
        }
        let journal = match &self.out {
            Some(out) if place.settings.is_empty() => {
                let folder = Self::folder(out, &library.name, instance);
                // If the folder cannot be made, the later report says so.
                std::fs::create_dir_all(&folder).ok().map(|()| Blocks {
                    folder,
                    resume: self.resume,
                    which: Which::All,
                })
            }
            _ => None,
        };
        let request = Request {
            checks: self.checks(place)?,
            by_parts: true,
            journal,
            ..self.request(place)
        };
        let made = Arc::new(analyse(&request, &self.stop)?);
        self.analyses.insert(key, Arc::clone(&made));
        Ok(made)
    }

    /// Checks that an instance can be analysed, without a search.
    ///
    /// # Errors
    /// [`EngineError`] as the analysis would return it.
    pub fn check(&self, library: &Arc<Library>, instance: &str) -> Result<(), EngineError> {
        let place = ConfiguredInstance {
            library: Arc::clone(library),
            instance: instance.to_owned(),
            settings: Settings::new(),
        };
        planned(&self.request(&place)).map(drop)
    }

    /// A question for levels of an instance, as plain as possible.
    pub(crate) fn plain(&self, place: &ConfiguredInstance) -> Request {
        Request {
            settings: place.settings.clone(),
            threads: self.threads,
            seed: self.seed,
            show_progress: self.show_progress,
            command: self.command.clone(),
            ..Request::new(Arc::clone(&place.library), place.instance.clone())
        }
    }

    /// The analysis of an instance, without checks or journal.
    fn request(&self, place: &ConfiguredInstance) -> Request {
        let engine = self.engine_for(QuestionKind::Levels);
        let settings = place.settings.iter();
        let settings: String = settings.map(|(k, v)| format!("-{k}-{v}")).collect();
        let named = place.instance.clone() + &settings.replace(['/', ':'], "_");
        Request {
            engine,
            direction: Some(puzzle_api::Direction::Backward),
            options: self.options(QuestionKind::Levels, engine, (&place.library, &named)),
            ..self.plain(place)
        }
    }

    /// The engine named, if it answers a kind of question.
    #[must_use]
    pub(crate) fn engine_for(&self, kind: QuestionKind) -> Option<EngineId> {
        self.engine.filter(|engine| engine.answers(kind))
    }

    /// Limits of an engine for an instance: a work folder in `out`, if it needs one.
    pub(crate) fn options(
        &self,
        kind: QuestionKind,
        engine: Option<EngineId>,
        (library, instance): (&Library, &str),
    ) -> EngineOptions {
        let folder = || {
            let out = self.out.as_ref()?;
            let folder = Self::folder(out, &library.name, instance);
            Some(folder.join(match kind {
                QuestionKind::Levels => "work",
                _ => "work-of-path",
            }))
        };
        let works = engine.is_some_and(|engine| engine.takes(kind, Opt::Work));
        let work = works.then(folder).flatten();
        EngineOptions {
            threads: self.threads,
            resume: self.resume && work.as_ref().is_some_and(|work| work.exists()),
            work,
            ..EngineOptions::default()
        }
    }

    /// All checks, sampled as the effort allows.
    pub(crate) fn checks(&self, place: &ConfiguredInstance) -> Result<Checks, EngineError> {
        let most = match self.effort {
            Effort::Full => EXCLUSION_ONE_IN,
            Effort::Quick => u64::MAX,
        };
        // The size of an instance without ranks is not known before it is searched.
        let states = numbered_states(&place.library, &place.instance, &place.settings)?;
        let one_in = match states {
            0 => EXCLUSION_ONE_IN,
            states => one_in(states, SPOTS, most),
        };
        Ok(Checks {
            inclusion: INCLUSION,
            exclusion_one_in: one_in,
            consistency: consistency(self.effort, self.seed, states),
        })
    }
}
