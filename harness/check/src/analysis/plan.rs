//! From a request to a search: the instance to open, the direction, and the engine.

use std::collections::BTreeSet;
use std::sync::Arc;

use puzzle_api::{Direction, Key};

use super::{Blocks, Request, Which};
use antipode_graph::{Capabilities, Graph};
use antipode_search::engine::{EngineOptions, Opt, QuestionKind, Ready};
use antipode_search::engines::{DiskWork, EngineError, Journal, Roots, Search, open_disk_folder};
use antipode_search::work::{FolderPlace, WorkFolder};
use serde_json::{Value, json};

use crate::board;
use crate::verify::same_parts;
use antipode_search::forward::ForwardSolver;
use antipode_search::open::typed_graph;
use antipode_search::progress::{Progress, Stop};
use antipode_search::registry::{EngineId, choose};
use antipode_search::search::Held;

/// A request, ready to run.
pub(super) struct AnalysisPlan<K> {
    pub(super) search: Search<K>,
    pub(super) engine: EngineId,
    /// The state that the engine prepared.
    pub(super) ready: Ready,
    /// The same on the reference variant, the oracle of the checks.
    pub(super) rules: ForwardSolver<K>,
}

/// The checks of a run, as part of the identity of its folder.
fn checks(request: &Request) -> Value {
    json!({
        "seed": request.seed,
        "inclusion": request.checks.inclusion,
        "exclusion": request.checks.exclusion_one_in,
        "consistency": request.checks.consistency,
    })
}

impl<K: Key> AnalysisPlan<K> {
    pub(super) fn make(request: &Request) -> Result<Self, EngineError> {
        let library = &request.library;
        let reference = library.reference_variant();
        let variant = match (&request.variant, request.engine) {
            (Some(variant), _) => variant.as_str(),
            (None, Some(engine)) => engine.variant(library),
            (None, None) => &library.variants[0],
        };
        let open = |variant: &str| library.open(&request.instance, variant, &request.settings);
        let opened = open(variant)?;
        let rules = if variant == reference {
            Arc::clone(&opened)
        } else {
            open(reference)?
        };
        let graph = typed_graph(opened)?;
        let rules = ForwardSolver::new(typed_graph(rules)?);
        same_parts(&graph, rules.graph())?;
        let (direction, roots) = way(request, &graph)?;
        let mut search = Search::new(graph, direction, roots, request.max_depth)?;
        // The images of a single board's states are boards of other instances.
        search.symmetry &= !request.moves || search.graph.opened.part_count > 1;
        let mut engine = choose(
            request.engine,
            &search.graph,
            &search.ask(),
            &request.options,
        )?;
        // The puzzle's own sweep shows one state of each orbit, and no moves of the others.
        let shows_orbits = engine.facts().puzzles_word && search.graph.opened.symmetry_count > 1;
        if shows_orbits && !search.symmetry && request.moves {
            if request.engine.is_some() {
                return Err(EngineError::CannotHold(format!(
                    "--engine {engine}: shows a state of each orbit, and moves are counted from all; use --engine hash"
                )));
            }
            engine = EngineId::HASH;
        }
        if request.draw.is_some() && engine.takes(QuestionKind::Levels, Opt::Work) {
            return Err(EngineError::CannotHold(format!(
                "--engine {engine}: works in a folder, from which nothing is drawn; leave it out"
            )));
        }
        let options = EngineOptions {
            threads: request.threads,
            show_progress: request.show_progress,
            ..request.options.clone()
        };
        let ready = engine.of().prepare(&mut search, &options, rules.graph())?;
        Ok(Self {
            search,
            engine,
            ready,
            rules,
        })
    }

    /// Whether the run delivers unsolvable states too.
    pub(super) fn whole(&self) -> bool {
        let solved = self.search.roots == Roots::Solved;
        self.search.covers_space() || solved && self.engine.facts().puzzles_word
    }

    /// Opens the run's folder of finished work, if it has one; returns its blocks of parts.
    pub(super) fn open_folder(
        &mut self,
        request: &Request,
    ) -> Result<Option<Journal>, EngineError> {
        if request.moves {
            return Ok(None);
        }
        let many = self.search.parts()?.len() > 1;
        if self.search.disk.is_some() {
            return self.open_disk_folder(checks(request), many);
        }
        let Some(blocks) = request.journal.as_ref() else {
            return Ok(None);
        };
        let only = self.blocks_of(blocks)?;
        if !many {
            return Ok(None);
        }
        let place = FolderPlace::out(&blocks.folder, blocks.resume);
        let (folder, pieces) = WorkFolder::open(&place, &self.identity(request))?;
        let journal = Journal::new(Arc::new(folder), &pieces);
        Ok(Some(match only {
            None => journal,
            Some(only) => journal.only(only, &pieces)?,
        }))
    }

    /// Identity of the run that owns the blocks.
    pub(super) fn identity(&self, request: &Request) -> Value {
        let mut identity = self.search.asked(checks(request));
        identity["engine"] = json!(self.engine.name());
        identity["greatest_depth"] = json!(request.max_depth);
        identity
    }

    /// The blocks of a run, if not all.
    ///
    /// # Errors
    /// A shard was requested, but the instance has no parts to share.
    pub(super) fn blocks_of(&self, blocks: &Blocks) -> Result<Option<BTreeSet<u64>>, EngineError> {
        match &blocks.which {
            Which::All => Ok(None),
            Which::Shard(_) if self.search.disk.is_some() => Err(EngineError::CannotHold(format!(
                "engine {} keeps its levels in --work and shares no parts out; --shard takes the others",
                self.engine.name()
            ))),
            Which::Shard(shard) => shard.blocks(&self.search).map(Some),
            Which::These(these) => Ok(Some(these.clone())),
        }
    }

    fn open_disk_folder(
        &mut self,
        checks: Value,
        many: bool,
    ) -> Result<Option<Journal>, EngineError> {
        let (folder, pieces) = open_disk_folder(&self.search, None, checks)?;
        let journal = Journal::new(Arc::clone(&folder), &pieces);
        let keep = self
            .search
            .disk
            .as_ref()
            .is_some_and(|disk| disk.keep_parts);
        let done: BTreeSet<u64> = match keep {
            true => BTreeSet::new(),
            false => journal.done(&self.search)?.into_iter().collect(),
        };
        let work = DiskWork::new(folder, &pieces, |part| done.contains(&part))?;
        self.search.work = Held::of(Arc::new(work));
        Ok(many.then_some(journal))
    }

    pub(super) fn progress(&self, request: &Request, stop: &Stop) -> Result<Progress, EngineError> {
        let parts = self.search.parts()?.len() as u64;
        let title = self.search.graph.opened.full_name();
        let shown = Progress::shown(request.show_progress, &title, parts, stop);
        // Results of a loaded library may be refused in the end.
        let final_at_once = parts == 1 && self.search.graph.proves(Capabilities::NONE);
        Ok(shown.telling(request.each_level.filter(|_| final_at_once)))
    }
}

/// Chooses direction and roots: as requested, else forward from a start, else backward.
fn way<K: Key>(request: &Request, graph: &Graph<K>) -> Result<(Direction, Roots<K>), EngineError> {
    let has_start = !graph.roots(Direction::Forward, 0)?.is_empty();
    let by_default = if has_start || request.from.is_some() {
        Direction::Forward
    } else {
        Direction::Backward
    };
    let direction = request.direction.unwrap_or(by_default);
    if let Some(text) = &request.from {
        return Ok((direction, Roots::State(board::read(graph, text)?)));
    }
    let backward = graph.has(Capabilities::SOLVED_ROOTS);
    let refuse = |what: &str, other: Direction| {
        let name = graph.opened.full_name();
        let possible = match other {
            Direction::Forward => has_start,
            Direction::Backward => backward,
        };
        Err(EngineError::CannotHold(match possible {
            true => format!(
                "{name}: {what}; give a state by --from, or go --direction {}",
                antipode_graph::direction_name(other)
            ),
            false => format!("{name}: {what}; give a state by --from"),
        }))
    };
    // Where none can search backward, the engines say so: to list states would not help.
    let goes_back = graph.has(Capabilities::PREDECESSORS) || graph.has(Capabilities::RANK);
    match direction {
        Direction::Forward if has_start => Ok((direction, Roots::Starts)),
        Direction::Forward => refuse("has no start of its own", Direction::Backward),
        Direction::Backward if backward || !goes_back => Ok((direction, Roots::Solved)),
        Direction::Backward => refuse("cannot list its solved states", Direction::Forward),
    }
}
