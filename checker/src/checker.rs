//! A reader's requested depth of checks, and what was recomputed already.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

use crate::rules::Rules;
use crate::search::{Found, Question, hash, search};
use crate::shown::{Derived, Shown, Stop};

/// A reader's requested depth of checks, and what was searched already.
#[derive(Default)]
pub struct Checker {
    /// Parts of large runs, sides of tables and boards that are drawn and done again.
    pub parts: usize,
    pub seed: u64,
    searches: Made<Option<Arc<Found>>>,
    pub(crate) certificates: Made<Shown>,
    pub(crate) figures: Made<Result<Derived, Stop>>,
    /// Whatever else takes long.
    pub(crate) texts: Made<Result<String, String>>,
}

type Made<V> = Mutex<HashMap<String, V>>;

/// Returns the result made before under a name, or makes it now.
pub(crate) fn once<V: Clone>(all: &Made<V>, name: String, make: impl FnOnce() -> V) -> V {
    let before = all.lock().ok().and_then(|all| all.get(&name).cloned());
    before.unwrap_or_else(|| {
        let new = make();
        if let Ok(mut all) = all.lock() {
            all.insert(name, new.clone());
        }
        new
    })
}

impl Checker {
    pub fn new(parts: usize, seed: u64) -> Self {
        Self {
            parts,
            seed,
            ..Self::default()
        }
    }

    /// Numbers below `below`, as many different ones as the reader wants, by seed.
    pub fn drawn(&self, below: usize) -> Vec<usize> {
        let mut known = HashSet::new();
        let word = |tries: u64| hash(u128::from(self.seed) << 64 | u128::from(tries));
        let numbers = (0..).map(|tries| (word(tries) % below as u128) as usize);
        let different = numbers.filter(|number| known.insert(*number));
        different.take(self.parts.min(below)).collect()
    }

    /// A search, made once; `None` as in [`search`].
    pub fn search(
        &self,
        name: &str,
        rules: &dyn Rules,
        question: &Question,
        keep: bool,
    ) -> Option<Arc<Found>> {
        let name = format!("{name} {question:?} {keep}");
        let search = || search(rules, question, keep).map(Arc::new);
        once(&self.searches, name, search)
    }
}
