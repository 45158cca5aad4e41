//! The instances that a page may ask for.

use std::sync::{Arc, Mutex, PoisonError};

use antipode_graph::Library;
use puzzle_api::Settings;

use crate::error::ExploreError;
use crate::explorer::{Asked, Explorer, Limits};

/// Instances that are open at a time; each may hold tables.
const MOST_OPEN: usize = 2;

/// One instance, or all of some libraries.
#[derive(Debug)]
pub struct Shelf {
    libraries: Vec<Arc<Library>>,
    limits: Limits,
    /// The one used last is last.
    open: Mutex<Vec<Arc<Explorer>>>,
}

impl Shelf {
    /// One instance alone.
    #[must_use]
    pub fn one(explorer: Explorer, limits: Limits) -> Self {
        Self {
            libraries: Vec::new(),
            limits,
            open: Mutex::new(vec![Arc::new(explorer)]),
        }
    }

    /// All instances of some libraries, without settings, opened when they are asked for.
    #[must_use]
    pub fn all(libraries: Vec<Arc<Library>>, limits: Limits) -> Self {
        Self {
            libraries,
            limits,
            open: Mutex::default(),
        }
    }

    /// The only instance, where there is but one.
    #[must_use]
    pub fn only(&self) -> Option<Arc<Explorer>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.first().filter(|_| self.libraries.is_empty()).cloned()
    }

    /// Names and summaries of all instances to choose from.
    #[must_use]
    pub fn list(&self) -> Vec<(String, String)> {
        let of = |library: &Arc<Library>| {
            let name = library.name.clone();
            let instances = library.instances.clone().into_iter();
            instances.map(move |info| (format!("{name}/{}", info.name), info.summary))
        };
        self.libraries.iter().flat_map(of).collect()
    }

    /// An instance by its name, `PUZZLE/INSTANCE`.
    ///
    /// # Errors
    /// There is none of that name, or it needs settings.
    pub fn get(&self, name: &str) -> Result<Arc<Explorer>, ExploreError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = open.iter().position(|explorer| explorer.name() == name) {
            let found = open.remove(at);
            open.push(Arc::clone(&found));
            return Ok(found);
        }
        let of = |library: &&Arc<Library>| {
            let (puzzle, instance) = name.split_once('/').unwrap_or((name, ""));
            let mut known = library.instances.iter();
            library.name == puzzle && known.any(|known| known.name == instance)
        };
        let Some(library) = self.libraries.iter().find(of) else {
            return Err(ExploreError::Refused(format!("no instance '{name}' here")));
        };
        let asked = Asked {
            library: Arc::clone(library),
            instance: name[library.name.len() + 1..].to_owned(),
            settings: Settings::new(),
            variant: None,
            run: None,
        };
        let opened = Arc::new(Explorer::open(asked, self.limits)?);
        open.push(Arc::clone(&opened));
        if open.len() > MOST_OPEN {
            open.remove(0);
        }
        Ok(opened)
    }
}
