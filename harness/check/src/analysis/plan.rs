//! From a request to a search: what to open, which way to go, with which engine.

use std::collections::BTreeMap;
use std::sync::Arc;

use puzzle_api::{Capabilities, Direction, Key};

use super::Request;
use antipode_graph::{Graph, Source};
use antipode_search::engine::{Kind, Means, Ready};
use antipode_search::engines::{EngineError, Journal, Roots, Search};
use antipode_search::forward::ForwardSolver;
use antipode_search::open::typed_graph;
use antipode_search::progress::{Progress, Stop};
use antipode_search::registry::{EngineId, choose};

/// A request made ready to run.
pub(super) struct Plan<K> {
    pub(super) search: Search<K>,
    pub(super) engine: EngineId,
    /// What the engine made ready.
    pub(super) ready: Ready,
    /// On the reference variant: the yardstick of the checks.
    pub(super) rules: ForwardSolver<K>,
}

impl<K: Key> Plan<K> {
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
        let (direction, roots) = way(request, &graph)?;
        let mut search = Search::new(graph, direction, roots, request.max_depth)?;
        let engine = choose(request.engine, &search.graph, &search.ask())?;
        engine.heed(Kind::Levels, &request.means)?;
        let means = Means {
            threads: request.threads,
            show_progress: request.show_progress,
            ..request.means.clone()
        };
        let ready = engine.of().prepare(&mut search, &means, rules.graph())?;
        Ok(Self {
            search,
            engine,
            ready,
            rules,
        })
    }

    /// Whether the run delivers unsolvable states too.
    pub(super) fn whole(&self) -> bool {
        self.search.covers_space() || self.engine.of::<K>().shows_all()
    }

    pub(super) fn open_journal(&self, request: &Request) -> Result<Option<Journal>, EngineError> {
        let Some((path, resume)) = &request.journal else {
            return Ok(None);
        };
        if self.search.parts()?.len() < 2 {
            return Ok(None);
        }
        let opened = &self.search.graph.opened;
        let depth = request.max_depth.map(|depth| depth.to_string());
        let greatest_depth = depth.unwrap_or_else(|| "none".to_owned());
        let mut identity: BTreeMap<String, String> = [
            ("tool", env!("CARGO_PKG_VERSION")),
            ("instance", &opened.full_name()),
            ("puzzle version", &opened.library.version),
            ("variant", &opened.variant),
            ("engine", self.engine.name()),
            ("settings", &serialised(&opened.settings)),
            ("greatest depth", &greatest_depth),
            ("seed", &request.seed.to_string()),
            ("inclusion", &request.checks.inclusion.to_string()),
            ("exclusion", &request.checks.exclusion_one_in.to_string()),
            ("consistency", &serialised(&request.checks.consistency)),
        ]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .into();
        if let Source::File { blake3, .. } = &opened.library.source {
            identity.insert("plugin".into(), blake3.clone());
        }
        Ok(Some(Journal::open(path, &identity, *resume)?))
    }

    pub(super) fn progress(&self, request: &Request, stop: &Stop) -> Result<Progress, EngineError> {
        let parts = self.search.parts()?.len() as u64;
        let title = self.search.graph.opened.full_name();
        Ok(if request.show_progress {
            Progress::bar(&title, parts, stop)
        } else {
            Progress::silent(stop)
        })
    }
}

/// A value as the identity of a run holds it.
fn serialised(value: &impl serde::Serialize) -> String {
    // Maps with text for keys, and plain values, always can be.
    serde_json::to_string(value).unwrap_or_default()
}

/// Direction and roots: as asked, else forward from a start, else backward.
fn way<K: Key>(request: &Request, graph: &Graph<K>) -> Result<(Direction, Roots<K>), EngineError> {
    let has_start = !graph.roots(Direction::Forward, 0)?.is_empty();
    let by_default = if has_start || request.from.is_some() {
        Direction::Forward
    } else {
        Direction::Backward
    };
    let direction = request.direction.unwrap_or(by_default);
    if let Some(text) = &request.from {
        return Ok((direction, Roots::State(graph.parse(text)?)));
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
    match direction {
        Direction::Forward if has_start => Ok((direction, Roots::Starts)),
        Direction::Forward => refuse("has no start of its own", Direction::Backward),
        Direction::Backward if backward => Ok((direction, Roots::Solved)),
        Direction::Backward => refuse("cannot list its solved states", Direction::Forward),
    }
}
