//! Questions to the engines: which levels, or which path, of which instance.

use std::sync::Arc;

use antipode_check::board;
use antipode_graph::{Capabilities, Graph, Library, Opened};
use antipode_search::engine::Ask;
use antipode_search::engines::EngineError;
use antipode_search::forward::Goal;
use antipode_search::open::{AnyWidth, any_graph, typed_graph, with_keys_of};
use antipode_search::registry::{self, EngineId};
use puzzle_api::{Direction, Key, Settings};

use crate::misfit::{Culprit, Misfit, at, in_keys};

/// An instance with its settings.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub library: Arc<Library>,
    pub instance: String,
    pub settings: Settings,
}

impl Place {
    /// A variant, opened.
    pub(crate) fn opened(&self, variant: &str) -> Result<Arc<Opened>, EngineError> {
        let opened = self.library.open(&self.instance, variant, &self.settings);
        Ok(opened?)
    }

    /// The typed graph of a variant.
    pub(crate) fn open<K: Key>(&self, variant: &str) -> Result<Graph<K>, EngineError> {
        typed_graph(self.opened(variant)?)
    }

    /// The rulebook.
    pub(crate) fn rules<K: Key>(&self) -> Result<Graph<K>, EngineError> {
        self.open(self.library.reference_variant())
    }

    /// The rulebook, or what is wrong with the instance or its settings.
    pub(crate) fn checked(&self) -> Result<Arc<Opened>, Misfit> {
        self.checked_in(self.library.reference_variant())
    }

    /// As [`Place::checked`], of any variant.
    pub(crate) fn checked_in(&self, variant: &str) -> Result<Arc<Opened>, Misfit> {
        self.opened(variant).map_err(|error| Misfit {
            culprit: Some(self.culprit(variant, &error)),
            error,
        })
    }

    /// What a variant does not open for: the one setting without which it opens, or fails of
    /// something else; all of them where there is no such one. A library says no more of it than
    /// a line for readers.
    fn culprit(&self, variant: &str, error: &EngineError) -> Culprit {
        if self.settings.is_empty() {
            return "instance".into();
        }
        let line = error.to_string();
        let matters = |name: &&String| {
            let mut without = self.clone();
            without.settings.remove(*name);
            let again = without.opened(variant);
            again.map_or_else(|other| other.to_string() != line, |_| true)
        };
        let mut causes = self.settings.keys().filter(matters);
        match (causes.next(), causes.next()) {
            (Some(only), None) => Culprit::entry("settings", only),
            _ => "settings".into(),
        }
    }

    /// The variant that an engine takes unless told otherwise: `reference` is the rulebook's.
    pub(crate) fn variant(&self, engine: EngineId) -> &str {
        engine.variant(&self.library)
    }

    /// Whether moves and buckets are counted on the rulebook: those of a loaded library's own
    /// variant are its word.
    pub(crate) fn counts_by_rules(&self) -> bool {
        !self.library.is_built_in()
    }
}

/// Which levels are asked for.
#[derive(Debug, Clone)]
pub(crate) struct LevelQuestion {
    pub place: Place,
    pub engine: EngineId,
    pub direction: Direction,
    /// Where it starts; the instance's own roots where nothing is given.
    pub from: Option<String>,
    pub max_depth: Option<u16>,
    /// Whether a verdict rests on them, so that they are held against the rulebook.
    pub checked: bool,
}

impl LevelQuestion {
    /// Finds a board that cannot be read, an instance without a start or without a list of its
    /// solved states, or an engine that cannot answer, without searching. `flagged` says that the
    /// run was given the engine, and not the claim.
    ///
    /// # Errors
    /// [`Misfit`], with the remedy.
    pub(crate) fn check(&self, flagged: bool) -> Result<(), Misfit> {
        let rules = self.place.checked()?;
        let opened = self.place.opened(self.place.variant(self.engine))?;
        match (&self.from, self.direction) {
            (Some(text), _) => at("board", board::check(&rules, [text]))?,
            (None, Direction::Forward) => has_start(&rules)?,
            (None, Direction::Backward) => lists_solved(&opened, "direction")?,
        }
        let walk = (self.direction, self.is_whole());
        can_walk(self.engine, &opened, walk, flagged)
    }

    /// Whether the states that are counted lie in buckets of the puzzle's own.
    ///
    /// # Errors
    /// [`EngineError`]: an instance that cannot be opened.
    pub(crate) fn has_buckets(&self) -> Result<bool, EngineError> {
        let place = &self.place;
        let variant = match place.counts_by_rules() {
            true => place.library.reference_variant(),
            false => place.variant(self.engine),
        };
        Ok(place.opened(variant)?.offers(Capabilities::BUCKET))
    }

    /// Whether every part is walked from its solved states to its last level.
    fn is_whole(&self) -> bool {
        let backward = self.direction == Direction::Backward;
        backward && self.from.is_none() && self.max_depth.is_none()
    }

    /// Whether it tells which states of the instance are unsolvable.
    pub(crate) fn tells_unsolvable(&self) -> Result<bool, EngineError> {
        tells_unsolvable(&self.place, Some(self.engine)).map(|tells| tells && self.is_whole())
    }

    /// Whether two questions are one.
    pub(crate) fn is(&self, other: &Self) -> bool {
        let what = |asked: &Self| {
            let place = &asked.place;
            (
                (place.library.name.clone(), place.instance.clone()),
                place.settings.clone(),
                (asked.engine, asked.direction, asked.max_depth),
                asked.checked,
                asked.from.clone(),
            )
        };
        what(self) == what(other)
    }
}

/// Which path is asked for.
#[derive(Debug, Clone)]
pub(crate) struct PathQuestion {
    pub place: Place,
    /// The engine that is named; breadth first on the rulebook and on the fast variant, where
    /// none is.
    pub engine: Option<EngineId>,
    /// A board; the instance's start where none is given.
    pub from: Option<String>,
    /// A board to get to; any solved state where none is given.
    pub to: Option<String>,
    /// Moves of a path by their names; then nothing is searched.
    pub given: Option<String>,
    /// Where every search ends.
    pub max_depth: Option<u16>,
    /// Moves that the claim allows: levels beyond them decide nothing more.
    pub bound: Option<u16>,
}

impl PathQuestion {
    /// The last level that can decide.
    pub(crate) fn deepest(&self) -> Option<u16> {
        self.max_depth.into_iter().chain(self.bound).min()
    }

    pub(crate) fn start<K: Key>(&self, graph: &Graph<K>) -> Result<K, EngineError> {
        if let Some(text) = &self.from {
            return board::read(graph, text);
        }
        first_start(graph)
    }

    pub(crate) fn goal<K: Key>(&self, graph: &Graph<K>) -> Result<Goal<K>, EngineError> {
        Ok(match &self.to {
            Some(text) => Goal::State(board::read(graph, text)?),
            None => Goal::Solved,
        })
    }
}

/// Finds out that an engine can answer a question on a graph.
pub(crate) fn can<K: Key>(
    engine: EngineId,
    graph: &Graph<K>,
    ask: &Ask<'_, K>,
    flagged: bool,
) -> Result<(), Misfit> {
    match registry::obstacle(engine, graph, ask) {
        None => Ok(()),
        Some(why) => {
            let (name, why) = (graph.opened.full_name(), in_keys(&why, flagged));
            let line = format!("{name}: engine {engine} does not fit: {why}");
            Err(Misfit::new("engine", line))
        }
    }
}

/// As [`can`], for levels of an opened instance.
fn can_walk(
    engine: EngineId,
    opened: &Arc<Opened>,
    (direction, whole): (Direction, bool),
    flagged: bool,
) -> Result<(), Misfit> {
    struct Can<'a>(EngineId, &'a Arc<Opened>, (Direction, bool), bool);
    impl AnyWidth for Can<'_> {
        type Output = Result<(), Misfit>;

        fn with<K: Key>(self) -> Self::Output {
            let Self(engine, opened, (direction, whole), flagged) = self;
            let ask: Ask<'_, K> = Ask::Levels { direction, whole };
            can(engine, &typed_graph(Arc::clone(opened))?, &ask, flagged)
        }
    }
    let can = Can(engine, opened, (direction, whole), flagged);
    with_keys_of(&opened.library, can)
}

/// Finds out that a search can begin at the solved states; `key` is the one that says that it is
/// to.
fn lists_solved(opened: &Arc<Opened>, key: &'static str) -> Result<(), Misfit> {
    if opened.offers(Capabilities::SOLVED_ROOTS) {
        return Ok(());
    }
    let name = opened.full_name();
    let instead = match key {
        // A greatest distance has no other direction.
        "instance" => "",
        _ => {
            "; a search forward has direction = \"forward\", and board = \"…\" where the instance has no start"
        }
    };
    let line = format!("{name}: cannot list its solved states, from which this is found{instead}");
    Err(Misfit::new(key, line))
}

/// Finds out that an instance can be opened and analysed backward from its solved states.
///
/// # Errors
/// [`Misfit`], with the remedy.
pub(crate) fn check_whole(
    place: &Place,
    named: Option<EngineId>,
    key: &'static str,
) -> Result<(), Misfit> {
    place.checked()?;
    let opened = place.opened(place.variant(named.unwrap_or(EngineId::HASH)))?;
    lists_solved(&opened, key)?;
    match named {
        Some(named) => can_walk(named, &opened, (Direction::Backward, true), true),
        None => Ok(()),
    }
}

/// Whether a search of a whole instance, backward, tells which of its states are unsolvable: they
/// are numbered, or the engine shows them.
pub(crate) fn tells_unsolvable(
    place: &Place,
    named: Option<EngineId>,
) -> Result<bool, EngineError> {
    let variant = place.variant(named.unwrap_or(EngineId::HASH));
    let opened = place.opened(variant)?;
    let shows = match named {
        Some(named) => named.of::<u64>().shows_all(),
        None => opened.offers(Capabilities::SWEEP),
    };
    Ok(shows || opened.offers(Capabilities::RANK))
}

/// A start of an instance.
///
/// # Errors
/// It has none: the claim has to name a board.
fn first_start<K: Key>(graph: &Graph<K>) -> Result<K, EngineError> {
    let starts = graph.roots(Direction::Forward, 0)?;
    starts
        .first()
        .copied()
        .ok_or_else(|| no_start(&graph.opened))
}

/// Finds out that an instance has a start of its own.
fn has_start(opened: &Arc<Opened>) -> Result<(), EngineError> {
    match any_graph(Arc::clone(opened))?.roots(Direction::Forward, 0)?[..] {
        [] => Err(no_start(opened)),
        _ => Ok(()),
    }
}

fn no_start(opened: &Opened) -> EngineError {
    let name = opened.full_name();
    EngineError::CannotHold(format!(
        "{name}: has no start of its own; the claim needs a board: board = \"…\""
    ))
}
