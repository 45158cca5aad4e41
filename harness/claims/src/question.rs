//! The instances of claims, and the errors of a question before it is asked.

use std::sync::Arc;

use antipode_check::analysis::{Checks, Request, counts_by_rules};
use antipode_check::board;
use antipode_graph::{Capabilities, Graph, Library, Opened, PluginError};
use antipode_search::engine::Ask;
use antipode_search::engines::EngineError;
use antipode_search::registry::{self, EngineId};
use puzzle_api::{Direction, Settings};

use crate::diagnostic::{Cause, Diagnostic, at, in_keys};

/// An instance with its settings.
#[derive(Debug, Clone)]
pub(crate) struct ConfiguredInstance {
    pub library: Arc<Library>,
    pub instance: String,
    pub settings: Settings,
}

impl From<&Request> for ConfiguredInstance {
    fn from(request: &Request) -> Self {
        Self {
            library: Arc::clone(&request.library),
            instance: request.instance.clone(),
            settings: request.settings.clone(),
        }
    }
}

impl ConfiguredInstance {
    /// A variant, opened.
    pub(crate) fn opened(&self, variant: &str) -> Result<Arc<Opened>, EngineError> {
        let opened = self.library.open(&self.instance, variant, &self.settings);
        Ok(opened.map_err(|error| match error {
            PluginError::BadInput(line) => PluginError::BadInput(in_keys(&line, true)),
            error => error,
        })?)
    }

    /// The graph of a variant.
    pub(crate) fn open(&self, variant: &str) -> Result<Graph<u128>, EngineError> {
        Ok(Graph::of(self.opened(variant)?))
    }

    /// The rulebook.
    pub(crate) fn rules(&self) -> Result<Graph<u128>, EngineError> {
        self.open(self.library.reference_variant())
    }

    /// The rulebook, or the error of the instance or its settings.
    pub(crate) fn checked(&self) -> Result<Arc<Opened>, Diagnostic> {
        self.checked_in(self.library.reference_variant())
    }

    /// Like [`Self::checked`], for any variant.
    pub(crate) fn checked_in(&self, variant: &str) -> Result<Arc<Opened>, Diagnostic> {
        self.opened(variant).map_err(|error| Diagnostic {
            cause: Some(self.cause(variant, &error)),
            error,
        })
    }

    /// The setting because of which a variant does not open: the one without which it opens or
    /// fails differently; all settings if no single one does. A library describes it only by a line
    /// for readers.
    fn cause(&self, variant: &str, error: &EngineError) -> Cause {
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
            (Some(only), None) => Cause::entry("settings", only),
            _ => "settings".into(),
        }
    }

    /// The variant that an engine takes by default: `reference` is the rulebook's.
    pub(crate) fn variant(&self, engine: EngineId) -> &str {
        engine.variant(&self.library)
    }
}

/// Finds input errors without a search: a board that cannot be read, an instance without a start or
/// a list of its solved states, or an engine that cannot answer a question for levels. `flagged`
/// means that the engine is the run's, and not the claim's.
pub(crate) fn check_levels(asked: &Request, flagged: bool) -> Result<(), Diagnostic> {
    let place = ConfiguredInstance::from(asked);
    let rules = place.checked()?;
    let (engine, direction) = way(asked);
    let opened = place.opened(place.variant(engine))?;
    match (&asked.from, direction) {
        (Some(text), _) => at("board", board::check(&rules, [text]))?,
        (None, Direction::Forward) => has_start(&rules)?,
        (None, Direction::Backward) => lists_solved(&opened, "direction")?,
    }
    let (from, limited) = (asked.from.as_deref(), asked.max_depth.is_some());
    can_walk(engine, &opened, (direction, from, limited), flagged)
}

/// Engine and direction of a question for levels; a claim's has both.
fn way(asked: &Request) -> (EngineId, Direction) {
    let engine = asked.engine.unwrap_or(EngineId::HASH);
    (engine, asked.direction.unwrap_or(Direction::Forward))
}

/// Whether every part is walked from its solved states to its last level.
pub(crate) fn is_whole(asked: &Request) -> bool {
    let backward = asked.direction == Some(Direction::Backward);
    backward && asked.from.is_none() && asked.max_depth.is_none()
}

/// Whether levels show which states of the instance are unsolvable.
pub(crate) fn levels_tell_unsolvable(asked: &Request) -> Result<bool, EngineError> {
    let tells = tells_unsolvable(&ConfiguredInstance::from(asked), asked.engine)?;
    Ok(tells && is_whole(asked))
}

/// Whether the counted states are in the puzzle's own buckets.
///
/// # Errors
/// [`EngineError`]: an instance that cannot be opened.
pub(crate) fn has_buckets(asked: &Request) -> Result<bool, EngineError> {
    let place = ConfiguredInstance::from(asked);
    let variant = match counts_by_rules(&place.library) {
        true => place.library.reference_variant(),
        false => place.variant(way(asked).0),
    };
    Ok(place.opened(variant)?.offers(Capabilities::BUCKET))
}

/// Whether two questions for levels are the same; the scope of the checks is the run's.
pub(crate) fn are_one(one: &Request, other: &Request) -> bool {
    let what = |asked: &Request| {
        (
            (asked.library.name.clone(), asked.instance.clone()),
            asked.settings.clone(),
            (asked.engine, asked.direction, asked.max_depth),
            (asked.checks == Checks::OFF, asked.checks.inclusion),
            asked.moves,
            asked.from.clone(),
        )
    };
    what(one) == what(other)
}

/// Checks that an engine can answer a question on a graph.
pub(crate) fn can(
    engine: EngineId,
    graph: &Graph<u128>,
    ask: &Ask<'_, u128>,
    flagged: bool,
) -> Result<(), Diagnostic> {
    match registry::obstacle(engine, graph, ask) {
        None => Ok(()),
        Some(why) => {
            let (name, why) = (graph.opened.full_name(), in_keys(&why, flagged));
            let line = format!("{name}: engine {engine} does not fit: {why}");
            Err(Diagnostic::new("engine", line))
        }
    }
}

/// Like [`can`], for levels of an opened instance.
fn can_walk(
    engine: EngineId,
    opened: &Arc<Opened>,
    question: (Direction, Option<&str>, bool),
    flagged: bool,
) -> Result<(), Diagnostic> {
    let (direction, from, limited) = question;
    let graph = Graph::of(Arc::clone(opened));
    let from = from.map(|text| graph.parse(text)).transpose()?;
    let ask = Ask::Levels {
        direction,
        from,
        limited,
    };
    can(engine, &graph, &ask, flagged)
}

/// Checks that a search can begin at the solved states; `key` is the one that requests it.
fn lists_solved(opened: &Arc<Opened>, key: &'static str) -> Result<(), Diagnostic> {
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
    Err(Diagnostic::new(key, line))
}

/// Checks that an instance can be opened and analysed backward from its solved states.
pub(crate) fn check_whole(
    place: &ConfiguredInstance,
    named: Option<EngineId>,
    key: &'static str,
) -> Result<(), Diagnostic> {
    place.checked()?;
    let opened = place.opened(place.variant(named.unwrap_or(EngineId::HASH)))?;
    lists_solved(&opened, key)?;
    match named {
        Some(named) => can_walk(named, &opened, (Direction::Backward, None, false), true),
        None => Ok(()),
    }
}

/// Whether a backward search of a whole instance shows which of its states are unsolvable: they are
/// numbered, or the engine shows them.
pub(crate) fn tells_unsolvable(
    place: &ConfiguredInstance,
    named: Option<EngineId>,
) -> Result<bool, EngineError> {
    let variant = place.variant(named.unwrap_or(EngineId::HASH));
    let opened = place.opened(variant)?;
    let shows = match named {
        Some(named) => named.facts().puzzles_word,
        None => opened.offers(Capabilities::SWEEP),
    };
    Ok(shows || opened.offers(Capabilities::RANK))
}

/// The start of an instance.
///
/// # Errors
/// It has none, or several: the claim has to name a board.
pub(crate) fn first_start(graph: &Graph<u128>) -> Result<u128, EngineError> {
    graph.start()?.ok_or_else(|| no_start(&graph.opened))
}

/// Checks that an instance has its own start.
fn has_start(opened: &Arc<Opened>) -> Result<(), EngineError> {
    match Graph::of(Arc::clone(opened)).roots(Direction::Forward, 0)?[..] {
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
