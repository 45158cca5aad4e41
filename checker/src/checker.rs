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
    figures: Made<Result<Derived, Stop>>,
    /// Whatever else takes long.
    texts: Made<Result<String, String>>,
}

/// What takes long, by name.
pub(crate) type Made<V> = Mutex<HashMap<String, V>>;

/// What was made before under a name, or is made now.
pub(crate) fn made<V: Clone>(all: &Made<V>, name: String, make: impl FnOnce() -> V) -> V {
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
        made(&self.searches, name, || {
            Arc::new(search(rules, question, keep))
        })
    }

    /// A text that takes long to derive, derived once.
    pub fn once(
        &self,
        name: &str,
        derive: impl FnOnce() -> Result<String, String>,
    ) -> Result<String, String> {
        made(&self.texts, name.to_owned(), derive)
    }

    /// A figure, derived once.
    pub fn derived(
        &self,
        name: String,
        derive: impl FnOnce() -> Result<Derived, Stop>,
    ) -> Result<Derived, Stop> {
        made(&self.figures, name, derive)
    }
}
