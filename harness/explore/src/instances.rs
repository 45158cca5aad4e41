//! The instances that a page may ask for.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use antipode_graph::{Graph, Library};
use antipode_reports::html::ExplorePuzzle;
use antipode_search::open::typed_graph;
use antipode_search::record::legend;
use puzzle_api::{Direction, Key, SettingInfo, Settings};

use crate::error::ExploreError;
use crate::explorer::Explorer;
use crate::question::{Asked, Limits};

/// Instances that are open at a time; each may hold tables.
const MOST_OPEN: usize = 2;

/// Instances of a puzzle that are opened for a board to show beside its name.
const MOST_TRIED: usize = 8;

/// One instance, or all of some libraries.
#[derive(Debug)]
pub struct Instances {
    libraries: Vec<Arc<Library>>,
    limits: Limits,
    /// With the settings that the page gave; the one used last is last.
    open: Mutex<Vec<(Settings, Arc<Explorer>)>>,
    /// What there is to choose from, made once.
    puzzles: OnceLock<Vec<ExplorePuzzle>>,
}

impl Instances {
    /// One instance alone.
    #[must_use]
    pub fn one(explorer: Explorer, limits: Limits) -> Self {
        Self {
            libraries: Vec::new(),
            limits,
            open: Mutex::new(vec![(Settings::new(), Arc::new(explorer))]),
            puzzles: OnceLock::new(),
        }
    }

    /// All instances of some libraries, opened when they are asked for.
    #[must_use]
    pub fn all(libraries: Vec<Arc<Library>>, limits: Limits) -> Self {
        Self {
            libraries,
            limits,
            open: Mutex::default(),
            puzzles: OnceLock::new(),
        }
    }

    /// The only instance, where there is but one.
    #[must_use]
    pub fn only(&self) -> Option<Arc<Explorer>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let first = open.first().filter(|_| self.libraries.is_empty());
        first.map(|(_, explorer)| Arc::clone(explorer))
    }

    /// All puzzles and instances to choose from.
    pub(crate) fn puzzles(&self) -> &[ExplorePuzzle] {
        let of = |library: &Arc<Library>| ExplorePuzzle {
            name: library.name.clone(),
            summary: library.summary.clone(),
            board: board(library),
            legend: legend(&library.legend),
            instances: (library.instances.iter())
                .map(|info| (info.name.clone(), info.summary.clone()))
                .collect(),
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

    /// The settings that a page may give an instance; `None` where there is no such instance to
    /// choose.
    pub(crate) fn settings(&self, name: &str) -> Option<&[SettingInfo]> {
        self.library(name).map(|library| &library.settings[..])
    }

    /// An instance by its name, `PUZZLE/INSTANCE`, with settings.
    ///
    /// # Errors
    /// There is none of that name, or it takes no such settings.
    pub fn get(&self, name: &str, settings: &Settings) -> Result<Arc<Explorer>, ExploreError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |(set, explorer): &(Settings, Arc<Explorer>)| {
            explorer.name() == name && set == settings
        };
        if let Some(at) = open.iter().position(is_it) {
            let found = open.remove(at);
            open.push(found.clone());
            return Ok(found.1);
        }
        let Some(library) = self.library(name) else {
            return Err(ExploreError::Refused(format!("no instance '{name}' here")));
        };
        let asked = Asked {
            library: Arc::clone(library),
            instance: name[library.name.len() + 1..].to_owned(),
            settings: settings.clone(),
            variant: None,
            run: None,
        };
        let opened = Arc::new(Explorer::open(asked, self.limits)?);
        open.push((settings.clone(), Arc::clone(&opened)));
        if open.len() > MOST_OPEN {
            open.remove(0);
        }
        Ok(opened)
    }
}

/// A board to know a puzzle by: the start of one of its first instances, else a solved position,
/// else one that has a name.
fn board(library: &Arc<Library>) -> Option<String> {
    let variant = library.variants.first()?;
    let tried = || library.instances.iter().take(MOST_TRIED);
    let root = |name: &str, direction| {
        let opened = library.open(name, variant, &Settings::new()).ok()?;
        match library.key_words() {
            1 => first::<u64>(&typed_graph(opened).ok()?, direction),
            _ => first::<u128>(&typed_graph(opened).ok()?, direction),
        }
    };
    let of = |direction| tried().find_map(|instance| root(&instance.name, direction));
    let start = of(Direction::Forward).or_else(|| of(Direction::Backward));
    start.or_else(|| {
        let instance = library.instances.first()?;
        let opened = library
            .open(&instance.name, variant, &Settings::new())
            .ok()?;
        match library.key_words() {
            1 => named::<u64>(&typed_graph(opened).ok()?),
            _ => named::<u128>(&typed_graph(opened).ok()?),
        }
    })
}

/// The last by name, which tells more of a font than its slash.
fn named<K: Key>(graph: &Graph<K>) -> Option<String> {
    let names = graph.names().ok()?;
    let named = graph.parse(names.last()?).ok()?;
    graph.draw(named).ok()
}

fn first<K: Key>(graph: &Graph<K>, direction: Direction) -> Option<String> {
    let roots = graph.roots(direction, 0).ok()?;
    graph.draw(*roots.first()?).ok()
}
