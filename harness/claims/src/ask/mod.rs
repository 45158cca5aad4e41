//! Questions to the engines: the one place between the kinds of claims and the searches.
//!
//! Three are asked: the levels of an instance ([`levels()`]), what the moves out of each level
//! lead to ([`moves()`]), and a path from a state to a goal ([`path()`]). Many paths at once are
//! asked by kind `lengths` of `antipode_search::many_to_many`.

mod levels;
mod moves;
mod path;
mod record;

use std::str::FromStr;
use std::sync::Arc;

use antipode_check::board;
use antipode_graph::{Graph, Library};
use antipode_search::engine::Kind;
use antipode_search::engines::EngineError;
use antipode_search::forward::Goal;
use antipode_search::open::typed_graph;
use antipode_search::registry::EngineId;
use puzzle_api::{Capabilities, Direction, Key, Settings};

pub(crate) use levels::levels;
pub(crate) use moves::moves;
pub(crate) use path::{Ending, Found, check, held_elsewhere, path, played};

/// An instance with its settings.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub library: Arc<Library>,
    pub instance: String,
    pub settings: Settings,
}

impl Place {
    /// The typed graph of a variant.
    fn open<K: Key>(&self, variant: &str) -> Result<Graph<K>, EngineError> {
        typed_graph(self.library.open(&self.instance, variant, &self.settings)?)
    }

    /// The rulebook.
    fn rules<K: Key>(&self) -> Result<Graph<K>, EngineError> {
        self.open(self.library.reference_variant())
    }

    /// The variant that an engine takes unless told otherwise: `reference` is the rulebook's.
    fn variant(&self, engine: EngineId) -> &str {
        engine.variant(&self.library)
    }

    /// Whether moves and buckets are counted on the rulebook: those of a loaded library's own
    /// variant are its word.
    fn counts_by_rules(&self) -> bool {
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
    /// Finds a board that cannot be read, or an instance without a start, without searching.
    ///
    /// # Errors
    /// [`EngineError`], with the remedy.
    pub(crate) fn check(&self) -> Result<(), EngineError> {
        match self.place.library.key_words() {
            1 => self.check_roots::<u64>(),
            _ => self.check_roots::<u128>(),
        }
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
        let opened = place
            .library
            .open(&place.instance, variant, &place.settings)?;
        Ok(opened.offers(Capabilities::BUCKET))
    }

    fn check_roots<K: Key>(&self) -> Result<(), EngineError> {
        let rules: Graph<K> = self.place.rules()?;
        match (&self.from, self.direction) {
            (Some(text), _) => board::read(&rules, text).map(drop),
            (None, Direction::Forward) => first_start(&rules).map(drop),
            (None, Direction::Backward) => Ok(()),
        }
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
    pub finder: Finder,
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
    fn deepest(&self) -> Option<u16> {
        self.max_depth.into_iter().chain(self.bound).min()
    }

    fn start<K: Key>(&self, graph: &Graph<K>) -> Result<K, EngineError> {
        if let Some(text) = &self.from {
            return board::read(graph, text);
        }
        first_start(graph)
    }

    fn goal<K: Key>(&self, graph: &Graph<K>) -> Result<Goal<K>, EngineError> {
        Ok(match &self.to {
            Some(text) => Goal::State(board::read(graph, text)?),
            None => Goal::Solved,
        })
    }
}

/// A start of an instance.
///
/// # Errors
/// It has none: the claim has to name a board.
fn first_start<K: Key>(graph: &Graph<K>) -> Result<K, EngineError> {
    let starts = graph.roots(Direction::Forward, 0)?;
    starts.first().copied().ok_or_else(|| {
        let name = graph.opened.full_name();
        EngineError::CannotHold(format!(
            "{name}: has no start of its own; the claim needs a board"
        ))
    })
}

/// Ways to find a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finder {
    /// Breadth first along the moves, once on the rulebook and once on the fast variant.
    Forward,
    /// Breadth first, the levels in files.
    Disk,
    /// Depth first through a layered graph.
    Dfs,
    /// The most promising states of each level.
    Beam,
    /// Iterative deepening by a lower bound.
    Ida,
}

impl Finder {
    pub(crate) const ALL: [Self; 5] = [Self::Forward, Self::Disk, Self::Dfs, Self::Beam, Self::Ida];

    /// The engine of that name.
    fn engine(self) -> Result<EngineId, EngineError> {
        EngineId::named(self.name(), Kind::Path).map_err(EngineError::CannotHold)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Disk => "disk",
            Self::Dfs => "dfs",
            Self::Beam => "beam",
            Self::Ida => "ida",
        }
    }
}

impl FromStr for Finder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|finder| finder.name() == text);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("no engine '{text}' that finds a path; use one of {names}")
        })
    }
}
