//! The instances that a page may request.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use antipode_check::ask::PathRequest;
use antipode_graph::{Graph, Library};
use antipode_reports::html::ExplorePuzzle;
use antipode_search::record::legend_of;
use puzzle_api::{Direction, SettingInfo, Settings};

use crate::error::ExploreError;
use crate::explorer::Explorer;
use crate::question::AnswerLimits;
use crate::tables::used;

/// Instances open at once; each may hold tables.
const MOST_OPEN: usize = 2;

/// Instances of a puzzle that are opened for a board to show next to its name.
const MOST_TRIED: usize = 8;

/// One instance, or all of some libraries.
pub struct Instances {
    libraries: Vec<Arc<Library>>,
    limits: AnswerLimits,
    /// With the page's settings; the last one used is last.
    open: Mutex<Vec<(Settings, Arc<Explorer>)>>,
    /// The list of choices, made once.
    puzzles: OnceLock<Vec<ExplorePuzzle>>,
}

impl Instances {
    /// One instance alone.
    #[must_use]
    pub fn one(explorer: Explorer, limits: AnswerLimits) -> Self {
        let open = vec![(Settings::new(), Arc::new(explorer))];
        Self {
            open: Mutex::new(open),
            ..Self::all(Vec::new(), limits)
        }
    }

    /// All instances of some libraries, opened on request.
    #[must_use]
    pub fn all(libraries: Vec<Arc<Library>>, limits: AnswerLimits) -> Self {
        Self {
            libraries,
            limits,
            open: Mutex::default(),
            puzzles: OnceLock::new(),
        }
    }

    /// The only instance, if there is only one.
    #[must_use]
    pub fn only(&self) -> Option<Arc<Explorer>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let first = open.first().filter(|_| self.libraries.is_empty());
        first.map(|(_, explorer)| Arc::clone(explorer))
    }

    /// All puzzles and instances to choose from.
    pub(crate) fn puzzles(&self) -> &[ExplorePuzzle] {
        let of = |library: &Arc<Library>| {
            let (instance, board) = board(library).unzip();
            ExplorePuzzle {
                name: library.name.clone(),
                summary: library.summary.clone(),
                board,
                legend: legend_of(&library.legend, &instance.unwrap_or_default()),
                instances: (library.instances.iter())
                    .map(|info| (info.name.clone(), info.summary.clone()))
                    .collect(),
            }
        };
        self.puzzles
            .get_or_init(|| self.libraries.iter().map(of).collect())
    }

    /// The puzzle of an instance by its name, `PUZZLE/INSTANCE`.
    fn library(&self, name: &str) -> Option<&Arc<Library>> {
        let (puzzle, instance) = name.split_once('/').unwrap_or((name, ""));
        self.libraries
            .iter()
            .find(|library| library.name == puzzle && library.find(instance).is_ok())
    }

    /// The settings that a page may give an instance; `None` if there is no such instance to
    /// choose.
    pub(crate) fn settings(&self, name: &str) -> Option<&[SettingInfo]> {
        self.library(name).map(|library| &library.settings[..])
    }

    /// An instance by its name, `PUZZLE/INSTANCE`, with settings.
    ///
    /// # Errors
    /// An unknown name, or settings that it does not take.
    pub fn get(&self, name: &str, settings: &Settings) -> Result<Arc<Explorer>, ExploreError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |(set, explorer): &(Settings, Arc<Explorer>)| {
            explorer.name() == name && set == settings
        };
        if let Some((_, found)) = used(&mut open, is_it) {
            return Ok(Arc::clone(found));
        }
        let Some(library) = self.library(name) else {
            let why = match open.iter().any(|(_, explorer)| explorer.name() == name) {
                true => format!("{name} has the settings it was started with; leave others out"),
                false => format!("no instance '{name}' here"),
            };
            return Err(ExploreError::Refused(why));
        };
        let instance = name[library.name.len() + 1..].to_owned();
        let asked = PathRequest {
            settings: settings.clone(),
            ..PathRequest::new(Arc::clone(library), instance)
        };
        let opened = Arc::new(Explorer::open(asked, None, self.limits)?);
        open.push((settings.clone(), Arc::clone(&opened)));
        if open.len() > MOST_OPEN {
            open.remove(0);
        }
        Ok(opened)
    }
}

/// A board by which to recognise a puzzle: the start of one of its first instances, else a solved
/// position, else a named one.
fn board(library: &Arc<Library>) -> Option<(String, String)> {
    let variant = library.variants.first()?;
    let tried = || library.instances.iter().take(MOST_TRIED);
    let open = |name: &str| {
        let opened = library.open(name, variant, &Settings::new()).ok()?;
        Some(Graph::of(opened))
    };
    let root = |name: &str, direction| {
        let graph = open(name)?;
        let board = graph.draw(*graph.roots(direction, 0).ok()?.first()?).ok()?;
        Some((name.to_owned(), board))
    };
    let of = |direction| tried().find_map(|instance| root(&instance.name, direction));
    let start = of(Direction::Forward).or_else(|| of(Direction::Backward));
    start.or_else(|| {
        let name = &library.instances.first()?.name;
        let graph = open(name)?;
        // The last by name is a better picture of a font than its slash.
        let named = graph.parse(graph.names().ok()?.last()?).ok()?;
        Some((name.clone(), graph.draw(named).ok()?))
    })
}
