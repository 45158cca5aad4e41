//! How far a reader wants to go, and what was done again already.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::rules::Rules;
use crate::search::{Found, Question, hash, search};
use crate::shown::{Derived, Outcome, Stop};

/// How far a reader wants to go, and what was searched already.
#[derive(Default)]
pub struct Checker {
    /// Parts of large runs, sides of tables and boards that are drawn and done again.
    pub parts: usize,
    pub seed: u64,
    searches: Made<Arc<Option<Found>>>,
    pub(crate) certificates: Made<Outcome>,
    pub(crate) figures: Made<Result<Derived, Stop>>,
    /// Whatever else takes long.
    pub(crate) texts: Made<Result<String, String>>,
}

/// What takes long, by name.
pub(crate) struct Made<V>(Mutex<HashMap<String, V>>);

impl<V> Default for Made<V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<V: Clone> Made<V> {
    /// What was made before under a name, or is made now.
    pub(crate) fn once(&self, name: String, make: impl FnOnce() -> V) -> V {
        let before = self.0.lock().ok().and_then(|all| all.get(&name).cloned());
        before.unwrap_or_else(|| {
            let new = make();
            if let Ok(mut all) = self.0.lock() {
                all.insert(name, new.clone());
            }
            new
        })
    }
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
        let mut chosen: Vec<usize> = Vec::new();
        let mut tries = 0_u64;
        while chosen.len() < self.parts.min(below) {
            let word = hash(u128::from(self.seed) << 64 | u128::from(tries));
            let number = (word % below as u128) as usize;
            tries += 1;
            if !chosen.contains(&number) {
                chosen.push(number);
            }
        }
        chosen
    }

    /// A search, made once.
    pub fn search(
        &self,
        name: &str,
        rules: &dyn Rules,
        question: &Question,
        keep: bool,
    ) -> Arc<Option<Found>> {
        let name = format!("{name} {question:?} {keep}");
        let search = || Arc::new(search(rules, question, keep));
        self.searches.once(name, search)
    }
}
